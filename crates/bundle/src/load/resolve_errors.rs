//! Diagnostics of specifiers that lead nowhere.

use std::path::Path;

use serde_json::Value;

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText, did_you_mean},
    source::{Kind, display_name, normalize},
    text::{self, Text, text},
};

use super::{
    Loader,
    resolve::{BrokenFile, NotExported, Unresolved},
};
use crate::{
    module::ImportKind,
    names::{is_package_name, package_name},
    options::Layout,
};

/// How many names a hint lists.
const LISTED: usize = 10;

impl Loader<'_> {
    pub(crate) fn unresolved(&self, folder: &Path, specifier: &str, reason: &Unresolved) -> Diagnostic {
        match reason {
            Unresolved::Builtin(name) => Diagnostic::error(text!(
                "`{specifier}` is a module of Node.js, which browsers do not have",
                "`{specifier}` 是 Node.js 的模块，浏览器里没有"
            ))
            .with_hint(text!("use a package made for browsers instead of `{name}`", "请用面向浏览器的包代替 `{name}`")),
            Unresolved::NotExported(not_exported) => self.not_exported(specifier, not_exported),
            Unresolved::Broken(file) => self.broken(file),
            Unresolved::Other(reason) => {
                Diagnostic::error(text!("cannot resolve `{specifier}`: {reason}", "无法解析 `{specifier}`：{reason}"))
            }
            Unresolved::NotFound => self.not_found(folder, specifier),
        }
    }

    /// Says once what keeps many imports from being resolved.
    pub(super) fn broken(&self, file: &BrokenFile) -> Diagnostic {
        let name = self.name(&file.path);
        let source = self.text_named(&file.path, &name).unwrap_or_else(|_| SourceText::new(&*name, ""));
        let BrokenFile { message, line, column, .. } = file;
        Diagnostic::error(text!("{name} cannot be read: {message}", "无法读取 {name}：{message}"))
            .at(Place::at_line_column(&source, *line, *column))
    }

    fn not_exported(&self, specifier: &str, NotExported { subpath, package_json }: &NotExported) -> Diagnostic {
        let package = package_name(specifier);
        let diagnostic = Diagnostic::error(text!(
            "the package of `{specifier}` does not offer `{subpath}`",
            "`{specifier}` 所在的包没有提供 `{subpath}`"
        ));
        let exports = self.json(package_json)["exports"].take();
        if !leads_somewhere(&exports) {
            return diagnostic.with_hint(text!(
                "its package.json has no file for any import: see `exports`",
                "它的 package.json 没有为任何导入给出文件：见 `exports`"
            ));
        }
        let subpaths = exports.as_object().into_iter().flatten().filter(|(_, target)| leads_somewhere(target));
        let offered: Vec<String> = subpaths
            .filter_map(|(key, _)| key.strip_prefix('.'))
            .filter(|subpath| *subpath != "/package.json")
            .map(|subpath| format!("{package}{subpath}"))
            .collect();
        let near = did_you_mean(specifier, offered.iter().map(String::as_str).filter(|offer| *offer != package));
        diagnostic.with_hint(match near {
            Some(near) => text::did_you_mean(near),
            None if offered.is_empty() => text!("it offers `{package}` alone", "它只提供 `{package}`"),
            None => {
                let offered = listed(&offered);
                text!("it offers {offered}", "它提供 {offered}", offered)
            }
        })
    }

    /// A file or a package that is not there.
    pub(crate) fn not_found(&self, folder: &Path, specifier: &str) -> Diagnostic {
        let diagnostic = Diagnostic::error(text!("cannot find `{specifier}`", "找不到 `{specifier}`"));
        let hint = if let Some(public) = self.public_file(specifier) {
            Some(public)
        } else if specifier.starts_with(['.', '/']) {
            self.near_file(folder, specifier)
        } else if specifier.starts_with('#') {
            Some(self.near_import(folder, specifier))
        } else {
            Some(self.near_package(folder, specifier))
        };
        diagnostic.with_hints(hint)
    }

    /// What to do about `/logo.png`, which other tools find in the folder of public files.
    fn public_file(&self, specifier: &str) -> Option<Text> {
        let name = specifier.strip_prefix('/')?;
        let public = self.options.folder.join("public").join(name);
        let file = display_name(&self.options.root, &public);
        if self.options.layout != Layout::Site || !self.is_folder(public.parent()?) {
            return None;
        }
        let is_beside_others = name.contains('/') && !self.is_folder(self.options.folder.join(name).parent()?);
        if !self.sources.is_file(&public) {
            return is_beside_others.then(|| {
                text!(
                    "`/` is the folder of the site, and there is no {file} either",
                    "`/` 是网站文件夹，{file} 也不存在"
                )
            });
        }
        Some(text!(
            "{file} is published as it is and not imported: write its address, `${{import.meta.env.BASE_URL}}{name}` in backticks, or \
             move the file out of public/ and import it by its path",
            "{file} 会原样发布，不用导入：请直接写它的地址，即反引号里的 `${{import.meta.env.BASE_URL}}{name}`；或者把文件移出 public/，\
             再按路径导入"
        ))
    }

    /// The file or folder that was probably meant, by the first part of the path that does not exist.
    fn near_file(&self, folder: &Path, specifier: &str) -> Option<Text> {
        // What begins with `/` begins at the site, unless it is the path of a file.
        let wanted = match specifier.strip_prefix('/') {
            Some(path) if !Path::new(specifier).starts_with(&self.options.root) => self.options.folder.join(path),
            _ => folder.join(specifier),
        };
        let wanted = normalize(&wanted);
        let missing = wanted.ancestors().find(|path| path.parent().is_some_and(|parent| self.is_folder(parent)))?;
        let typed = missing.file_name()?.to_string_lossy();
        let names = self.sources.list(missing.parent()?).ok()?;
        let is_folder = missing != wanted;
        if let Some(same) = names.iter().find(|name| is_same_but_for_case(name, &typed)) {
            let what = if is_folder { text!("folder", "文件夹") } else { text!("file", "文件") };
            return Some(text!(
                "the {what} is called `{same}`: capital and small letters must be the same, as on most servers",
                "{what}的名字是 `{same}`：大小写必须一致，多数服务器区分大小写",
                what
            ));
        }
        if is_folder {
            let is_near = |name: &&str| self.is_folder(&missing.with_file_name(name));
            let near = did_you_mean(&typed, names.iter().map(String::as_str).filter(is_near))?;
            return Some(text!(
                "there is no folder `{typed}`; did you mean `{near}`?",
                "没有文件夹 `{typed}`；是不是想写 `{near}`？"
            ));
        }
        let stems = names.iter().flat_map(|name| [name.as_str(), name.split('.').next().unwrap_or_default()]);
        let near = did_you_mean(&typed, stems)?;
        let folder = specifier.rsplit_once('/').map_or(".", |(folder, _)| folder);
        Some(text::did_you_mean(format!("{folder}/{near}")))
    }

    /// A name that package.json gives to a file of its own.
    fn near_import(&self, folder: &Path, specifier: &str) -> Text {
        let package =
            folder.ancestors().map(|folder| folder.join("package.json")).find(|file| self.sources.is_file(file));
        let imports = package.map(|file| self.json(&file)["imports"].take()).unwrap_or_default();
        let names = imports.as_object().into_iter().flat_map(serde_json::Map::keys).map(String::as_str);
        match did_you_mean(specifier, names) {
            Some(near) => text::did_you_mean(near),
            None => text!(
                "what begins with `#` is listed in package.json under `imports`",
                "以 `#` 开头的名字要列在 package.json 的 `imports` 里"
            ),
        }
    }

    fn near_package(&self, folder: &Path, specifier: &str) -> Text {
        if self.resolver.resolve(folder, &format!("./{specifier}"), ImportKind::Static).is_ok() {
            return text!(
                "for the file beside this one write `./{specifier}`",
                "如果是旁边的文件，请写成 `./{specifier}`"
            );
        }
        let site = display_name(&self.options.root, &self.options.folder);
        if self.resolver.resolve(&self.options.folder, &format!("./{specifier}"), ImportKind::Static).is_ok() {
            return text!(
                "a file is found from the one that imports it: write a path that begins with `./` or `../`, or set \
                 `baseUrl` to \".\" in {site}/tsconfig.json",
                "文件的路径从导入它的文件算起：请以 `./` 或 `../` 开头，或者在 {site}/tsconfig.json 里把 `baseUrl` 设为 \".\""
            );
        }
        let package = package_name(specifier);
        if let Some(instead) = instead_of_framework(specifier, &package) {
            return instead;
        }
        let mut installed = Vec::new();
        for modules in folder.ancestors().map(|folder| folder.join("node_modules")) {
            if self.is_folder(&modules.join(&package)) {
                return if package == specifier { unbuilt(&package) } else { self.near_subpath(&modules, specifier) };
            }
            installed.extend(self.installed(&modules));
        }
        let manifest = self.json(&self.options.folder.join("package.json"));
        let dependencies: Vec<&String> =
            ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]
                .iter()
                .filter_map(|kind| manifest[kind].as_object())
                .flat_map(serde_json::Map::keys)
                .collect();
        if dependencies.contains(&&package) {
            return text!(
                "package.json lists it, but it is not installed: run `npm install` (in {site}/)",
                "package.json 里有它，但没有安装：请（在 {site}/ 里）运行 `npm install`"
            );
        }
        let known = installed.iter().chain(dependencies).map(String::as_str);
        match did_you_mean(&package, known) {
            Some(near) => text::did_you_mean(format!("{near}{}", &specifier[package.len()..])),
            None if is_package_name(&package) => text!(
                "if it is a package, add it: npm install {package} (in {site}/)",
                "如果它是一个包，请（在 {site}/ 里）安装：npm install {package}"
            ),
            None if specifier.starts_with(['@', '~']) => text!(
                "no package can be called `{package}`; short names for folders are set by `paths` in {site}/tsconfig.json",
                "包不能叫 `{package}`；文件夹的简称在 {site}/tsconfig.json 的 `paths` 里设置"
            ),
            None => text!(
                "no package can be called `{package}`; for a file write a path that begins with `./` or `../`",
                "包不能叫 `{package}`；如果是文件，路径请以 `./` 或 `../` 开头"
            ),
        }
    }

    /// A file in a package that is installed, but does not have it.
    fn near_subpath(&self, modules: &Path, specifier: &str) -> Text {
        let package = package_name(specifier);
        let wanted = modules.join(specifier);
        let names = wanted.parent().and_then(|folder| self.sources.list(folder).ok()).unwrap_or_default();
        let stems = names.iter().flat_map(|name| [name.as_str(), name.split('.').next().unwrap_or_default()]);
        let typed = wanted.file_name().unwrap_or_default().to_string_lossy();
        match did_you_mean(&typed, stems) {
            Some(near) => {
                let folder = specifier.rsplit_once('/').map_or(specifier, |(folder, _)| folder);
                text::did_you_mean(format!("{folder}/{near}"))
            }
            None => text!(
                "the package `{package}` is installed, but has no such file",
                "包 `{package}` 已经安装，但里面没有这个文件"
            ),
        }
    }

    /// The packages in a `node_modules` folder.
    fn installed(&self, modules: &Path) -> Vec<String> {
        let list = |folder: &Path| self.sources.list(folder).unwrap_or_default();
        let names = list(modules).into_iter().filter(|name| !name.starts_with('.'));
        let packages = names.flat_map(|name| {
            if name.starts_with('@') {
                let scoped = list(&modules.join(&name));
                scoped.iter().map(|package| format!("{name}/{package}")).collect()
            } else {
                vec![name]
            }
        });
        packages.collect()
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.sources.kind(path).is_ok_and(|kind| kind == Kind::Folder)
    }

    pub(super) fn json(&self, path: &Path) -> Value {
        let text = self.sources.read_to_string(path).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }
}

/// What portalgen has for what other frameworks import from their own packages. Nobody needs to install those.
fn instead_of_framework(specifier: &str, package: &str) -> Option<Text> {
    Some(match specifier {
        "next/link" | "gatsby-link" => text!(
            "this is of another framework; write `import {{ Link }} from \"react-router-dom\"`, and `to` in the place of `href`",
            "这是别的框架的模块；请写 `import {{ Link }} from \"react-router-dom\"`，并把 `href` 改成 `to`"
        ),
        "next/image" | "next/legacy/image" | "gatsby-plugin-image" => text!(
            "this is of another framework; write `import photo from \"./photo.jpg\"` and `<img src={{photo}} alt=\"…\" />`",
            "这是别的框架的模块；请写 `import photo from \"./photo.jpg\"` 和 `<img src={{photo}} alt=\"…\" />`"
        ),
        "next/head" => text!(
            "this is of another framework; titles and descriptions of pages are written in routes.toml",
            "这是别的框架的模块；页面的标题和描述写在 routes.toml 里"
        ),
        "next/router" | "next/navigation" => text!(
            "this is of another framework; `useNavigate`, `useLocation` and `useSearchParams` of \"react-router-dom\" do the same",
            "这是别的框架的模块；请用 \"react-router-dom\" 的 `useNavigate`、`useLocation` 和 `useSearchParams`"
        ),
        _ if matches!(package, "next" | "gatsby") || package.starts_with("@remix-run/") => text!(
            "this is of another framework; links and hooks about addresses come from \"react-router-dom\", titles stand in \
             routes.toml",
            "这是别的框架的模块；链接和与网址有关的 hook 来自 \"react-router-dom\"，标题写在 routes.toml 里"
        ),
        _ => return None,
    })
}

/// What to say of a package that is there, and not the file that it begins with.
fn unbuilt(package: &str) -> Text {
    text!(
        "the package `{package}` is there, but not the file that its package.json names: if that is made of its sources, \
         build the package first, or have its script `prepare` do so",
        "包 `{package}` 在，但它的 package.json 所指的文件不在：如果这个文件由源代码生成，请先构建这个包，或者让它的 `prepare` 脚本来构建"
    )
}

/// Whether a part of `exports` names a file, under whatever condition.
fn leads_somewhere(target: &Value) -> bool {
    match target {
        Value::String(_) => true,
        Value::Array(targets) => targets.iter().any(leads_somewhere),
        Value::Object(targets) => targets.values().any(leads_somewhere),
        _ => false,
    }
}

/// `a`, `b` and 3 more.
fn listed(names: &[String]) -> Text {
    let shown: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    let (english, chinese, all) = (shown.join(", "), shown.join("、"), names.len());
    match all.saturating_sub(LISTED) {
        0 => text!("{english}", "{chinese}"),
        more => text!("{english} and {more} more", "{chinese} 等 {all} 项"),
    }
}

/// Whether a file is the one that was asked for, its extension given or not, written in other letters.
fn is_same_but_for_case(file: &str, typed: &str) -> bool {
    let stem = file.split('.').next().unwrap_or_default();
    file != typed && [file, stem].iter().any(|name| name.to_lowercase() == typed.to_lowercase())
}
