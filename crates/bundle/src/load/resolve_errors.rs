//! Diagnostics of specifiers that lead nowhere.

use std::path::Path;

use serde_json::Value;

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText, did_you_mean},
    media,
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
                "`{specifier}` is a Node.js module, which browsers do not have",
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
            "the package of `{specifier}` does not export `{subpath}`",
            "`{specifier}` 所在的包没有导出 `{subpath}`"
        ));
        let exports = self.json(package_json)["exports"].take();
        if !leads_somewhere(&exports) {
            return diagnostic.with_hint(text!(
                "its package.json exports no file for imports: see `exports`",
                "它的 package.json 没有可供导入的文件：请看 `exports`"
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
            None if offered.is_empty() => text!("it exports only `{package}`", "它只导出 `{package}`"),
            None => {
                let offered = listed(&offered);
                text!("it exports {offered}", "它导出 {offered}", offered)
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
                "the {what} is named `{same}`: names must match in case, as on most servers",
                "{what}的名字是 `{same}`：大小写必须一致，多数服务器区分大小写",
                what
            ));
        }
        if is_folder {
            let is_near = |name: &&str| self.is_folder(&missing.with_file_name(name));
            let near = did_you_mean(&typed, names.iter().map(String::as_str).filter(is_near))?;
            return Some(text!(
                "the folder `{typed}` does not exist; did you mean `{near}`?",
                "文件夹 `{typed}` 不存在；是不是想写 `{near}`？"
            ));
        }
        let near = did_you_mean(&typed, spellings(&names, &typed))?;
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
                "names that begin with `#` are defined in `imports` of package.json",
                "以 `#` 开头的名字要在 package.json 的 `imports` 里定义"
            ),
        }
    }

    fn near_package(&self, folder: &Path, specifier: &str) -> Text {
        if self.resolver.resolve(folder, &format!("./{specifier}"), ImportKind::Static).is_ok() {
            return text!(
                "for the file next to this one, write `./{specifier}`",
                "如果是同一文件夹里的文件，请写成 `./{specifier}`"
            );
        }
        let site = display_name(&self.options.root, &self.options.folder);
        if self.resolver.resolve(&self.options.folder, &format!("./{specifier}"), ImportKind::Static).is_ok() {
            return text!(
                "paths are relative to the importing file: begin with `./` or `../`, or set `baseUrl` to \".\" in \
                {site}/tsconfig.json",
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
                "package.json lists it, but it is not installed: run `npm install` in {site}/",
                "package.json 里有它，但没有安装：请在 {site}/ 里运行 `npm install`"
            );
        }
        let known = installed.iter().chain(dependencies).map(String::as_str);
        match did_you_mean(&package, known) {
            Some(near) => text::did_you_mean(format!("{near}{}", &specifier[package.len()..])),
            None if is_package_name(&package) => text!(
                "if it is a package, add it in {site}/: npm install {package}",
                "如果它是 npm 包，请在 {site}/ 里安装：npm install {package}"
            ),
            None if specifier.starts_with(['@', '~']) => text!(
                "`{package}` is not a valid package name; aliases are set in `paths` of {site}/tsconfig.json",
                "`{package}` 不是有效的包名；路径别名在 {site}/tsconfig.json 的 `paths` 里设置"
            ),
            None => text!(
                "`{package}` is not a valid package name; for a file, write a path that begins with `./` or `../`",
                "`{package}` 不是有效的包名；如果是文件，路径请以 `./` 或 `../` 开头"
            ),
        }
    }

    /// A file in a package that is installed, but does not have it.
    fn near_subpath(&self, modules: &Path, specifier: &str) -> Text {
        let package = package_name(specifier);
        let wanted = modules.join(specifier);
        let names = wanted.parent().and_then(|folder| self.sources.list(folder).ok()).unwrap_or_default();
        let typed = wanted.file_name().unwrap_or_default().to_string_lossy();
        match did_you_mean(&typed, spellings(&names, &typed)) {
            Some(near) => {
                let folder = specifier.rsplit_once('/').map_or(specifier, |(folder, _)| folder);
                text::did_you_mean(format!("{folder}/{near}"))
            }
            None => text!(
                "the package `{package}` is installed, but does not contain this file",
                "已经安装了 `{package}`，但里面没有这个文件"
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
            "this module belongs to another framework; write `import {{ Link }} from \"react-router-dom\"`, and `to` \
            instead of `href`",
            "这是别的框架的模块；请写 `import {{ Link }} from \"react-router-dom\"`，并把 `href` 改成 `to`"
        ),
        "next/image" | "next/legacy/image" | "gatsby-plugin-image" => text!(
            "this module belongs to another framework; write `import photo from \"./photo.jpg\"` and `<img \
            src={{photo}} alt=\"…\" />`",
            "这是别的框架的模块；请写 `import photo from \"./photo.jpg\"` 和 `<img src={{photo}} alt=\"…\" />`"
        ),
        "next/head" => text!(
            "this module belongs to another framework; set the titles and descriptions of pages in routes.toml",
            "这是别的框架的模块；页面的标题和描述写在 routes.toml 里"
        ),
        "next/router" | "next/navigation" => text!(
            "this module belongs to another framework; use `useNavigate`, `useLocation` and `useSearchParams` from \
            \"react-router-dom\"",
            "这是别的框架的模块；请用 \"react-router-dom\" 的 `useNavigate`、`useLocation` 和 `useSearchParams`"
        ),
        _ if matches!(package, "next" | "gatsby") || package.starts_with("@remix-run/") => text!(
            "this module belongs to another framework; use \"react-router-dom\" for links and routing hooks, and \
            routes.toml for titles",
            "这是别的框架的模块；链接和路由 Hook 请用 \"react-router-dom\"，标题写在 routes.toml 里"
        ),
        _ => return None,
    })
}

/// What to say of a package that is there, and not the file that it begins with.
fn unbuilt(package: &str) -> Text {
    text!(
        "the package `{package}` is installed, but the file named in its package.json is missing: if it is a build \
        result, build the package first, or let its `prepare` script do so",
        "已经安装了 `{package}`，但它的 package.json 所指的文件不存在：如果这个文件由源代码生成，请先构建这个包，或者\
        让它的 `prepare` 脚本来构建"
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

/// What an import may call the files of a folder: by their whole names, or those of modules without an ending. A style sheet or an
/// image that is not there was not meant to be a module.
fn spellings<'n>(names: &'n [String], typed: &str) -> impl Iterator<Item = &'n str> {
    const OF_SHEETS: [&str; 5] = ["css", "scss", "sass", "less", "styl"];
    let is_file = |name: &str| {
        ending(name).is_some_and(|ending| media::of_asset(ending).is_some() || OF_SHEETS.contains(&ending))
    };
    let asks_for_file = is_file(typed);
    let whole = names.iter().map(String::as_str).filter(move |name| !asks_for_file || is_file(name));
    let stems = names.iter().filter(move |_| !asks_for_file).filter_map(|name| name.split('.').next());
    whole.chain(stems)
}

fn ending(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(_, ending)| ending)
}

/// Whether a file is the one that was asked for, its extension given or not, written in other letters.
fn is_same_but_for_case(file: &str, typed: &str) -> bool {
    let stem = file.split('.').next().unwrap_or_default();
    file != typed && [file, stem].iter().any(|name| name.to_lowercase() == typed.to_lowercase())
}
