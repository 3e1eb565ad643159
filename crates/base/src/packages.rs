//! The packages that every portal needs from its own `node_modules`: there, and of versions that work.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use crate::{diagnostic::Diagnostic, source::Sources, text::text};

/// Prerendering needs `react-dom/static`.
const OLDEST_REACT: Version = Version(19, 0, 0);

/// Earlier ones let redirects and page data carry scripts into pages (GHSA-8v8x-cx79-35w7 and others).
const OLDEST_ROUTER: Version = Version(7, 12, 0);

/// The version after the newest whose links were compared with those of the runtime, see `links.ts` there.
const UNKNOWN_ROUTER: Version = Version(7, 19, 0);

/// Major, minor and patch number; what may follow does not matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version(u64, u64, u64);

impl Version {
    fn parse(text: &str) -> Option<Self> {
        let numbers = text.split(['-', '+']).next()?;
        let mut numbers = numbers.split('.').map(|number| number.parse().ok());
        Some(Self(numbers.next()??, numbers.next()??, numbers.next()??))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// Looks at React, React DOM and React Router as modules in the folder `site` would find them.
///
/// # Errors
/// One is missing or too old, or React and React DOM differ.
pub fn check(sources: &dyn Sources, site: &Path) -> Result<(), Vec<Diagnostic>> {
    let version = |name: &str| find(sources, site, name).map(|folder| version_of(sources, &folder));
    let react = version("react");
    let react_dom = version("react-dom");
    let router = find_router(sources, site).map(|folder| version_of(sources, &folder));
    let (mut absent, mut problems) = (Vec::new(), Vec::new());
    for (name, found, oldest) in [
        ("react", react, OLDEST_REACT),
        ("react-dom", react_dom, OLDEST_REACT),
        ("react-router", router, OLDEST_ROUTER),
    ] {
        match found {
            None => absent.push(name),
            Some(Some(version)) if version < oldest => problems.push(too_old(name, version, oldest)),
            // Who has a package without a version knows what they are doing.
            Some(_) => {}
        }
    }
    if !absent.is_empty() {
        problems.insert(0, missing(&absent));
    }
    if let (Some(Some(react)), Some(Some(react_dom))) = (react, react_dom)
        && react != react_dom
    {
        problems.push(
            Diagnostic::error(text!(
                "react {react} and react-dom {react_dom} must be the same version",
                "react {react} 和 react-dom {react_dom} 的版本必须相同"
            ))
            .with_hint(text!(
                "run `npm install react@{react} react-dom@{react}` in site/",
                "请在 site/ 里运行 `npm install react@{react} react-dom@{react}`"
            )),
        );
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The folder of a package, looked for as Node does.
fn find(sources: &dyn Sources, from: &Path, name: &str) -> Option<PathBuf> {
    let folders = from.ancestors().map(|folder| folder.join("node_modules").join(name));
    folders.into_iter().find(|folder| sources.is_file(&folder.join("package.json")))
}

/// The folder from which all three packages can be imported. Strict package managers show a site only what its own
/// `package.json` lists, which need not be `react-router`; then it is that package's own folder.
pub fn folder_that_sees_router(sources: &dyn Sources, site: &Path) -> PathBuf {
    let seen_from_site = find(sources, site, "react-router").map(|_| site.to_owned());
    seen_from_site.or_else(|| find_router(sources, site)).unwrap_or_else(|| site.to_owned())
}

/// Whether React Router is of a version whose links are known in every detail.
pub fn has_known_links(sources: &dyn Sources, site: &Path) -> bool {
    let router = find_router(sources, site).and_then(|folder| version_of(sources, &folder));
    router.is_some_and(|version| (OLDEST_ROUTER..UNKNOWN_ROUTER).contains(&version))
}

/// React Router may come along with `react-router-dom`, and lie where only that can see it.
fn find_router(sources: &dyn Sources, site: &Path) -> Option<PathBuf> {
    find(sources, site, "react-router").or_else(|| {
        let wrapper = find(sources, site, "react-router-dom")?;
        find(sources, &sources.canonicalize(&wrapper).ok()?, "react-router")
    })
}

fn version_of(sources: &dyn Sources, folder: &Path) -> Option<Version> {
    let text = sources.read_to_string(&folder.join("package.json")).ok()?;
    let package: serde_json::Value = serde_json::from_str(&text).ok()?;
    Version::parse(package.get("version")?.as_str()?)
}

/// One message, however many there are: mostly the packages have not been installed at all.
fn missing(names: &[&str]) -> Diagnostic {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (english, chinese) = (quoted.join(", "), quoted.join("、"));
    let message = if names.len() == 1 {
        text!(
            "the package {english}, which every portal needs, is not installed",
            "没有安装 {chinese}，每个门户都需要这个依赖包"
        )
    } else {
        text!(
            "packages that every portal needs are not installed: {english}",
            "没有安装每个门户都需要的依赖包：{chinese}"
        )
    };
    Diagnostic::error(message).with_hint(text!(
        "run `npm install react react-dom react-router-dom` in site/",
        "请在 site/ 里运行 `npm install react react-dom react-router-dom`"
    ))
}

fn too_old(name: &str, found: Version, oldest: Version) -> Diagnostic {
    Diagnostic::error(text!(
        "{name} {found} is too old: portalgen needs {oldest} or newer",
        "{name} {found} 版本太旧：portalgen 需要 {oldest} 或更新的版本"
    ))
    .with_hint(text!(
        "run `npm install {name}@{oldest}` or newer in site/",
        "请在 site/ 里运行 `npm install {name}@{oldest}`，或安装更新的版本"
    ))
}

/// The npm package that a file belongs to, `name` or `@scope/name`, by the file's name; none for the site's own files.
pub fn package_of(file: &str) -> Option<&str> {
    let (_, inside) = file.rsplit_once("node_modules/")?;
    let parts = if inside.starts_with('@') { 2 } else { 1 };
    Some(inside.match_indices('/').nth(parts - 1).map_or(inside, |(end, _)| &inside[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Memory;

    fn problems(packages: &[(&str, &str)]) -> Vec<String> {
        let files = packages.iter().map(|(path, version)| {
            (format!("/p/site/node_modules/{path}/package.json"), format!("{{\"version\":\"{version}\"}}"))
        });
        let result = check(&Memory::new(files), Path::new("/p/site"));
        result.err().unwrap_or_default().into_iter().map(|problem| problem.message.english().to_owned()).collect()
    }

    #[test]
    fn packages_of_one_version_are_fine() {
        assert_eq!(problems(&[("react", "19.3.1"), ("react-dom", "19.3.1"), ("react-router", "8.0.0-pre.1")]), [""; 0]);
    }

    #[test]
    fn a_router_behind_its_wrapper_is_found() {
        let router = "react-router-dom/node_modules/react-router";
        let packages =
            [("react", "19.0.0"), ("react-dom", "19.0.0"), ("react-router-dom", "7.12.0"), (router, "7.12.0")];
        assert_eq!(problems(&packages), [""; 0]);
    }

    #[test]
    fn missing_old_and_differing_packages_are_named() {
        let nothing = "packages that every portal needs are not installed: `react`, `react-dom`, `react-router`";
        assert_eq!(problems(&[]), [nothing]);
        let router = "the package `react-router`, which every portal needs, is not installed";
        assert_eq!(problems(&[("react", "19.0.0"), ("react-dom", "19.0.0")]), [router]);
        let found = problems(&[("react", "18.3.1"), ("react-dom", "19.0.0"), ("react-router", "7.11.0")]);
        assert_eq!(found.len(), 3);
        assert!(found[0].contains("react 18.3.1 is too old"), "{found:?}");
        assert!(found[1].contains("react-router 7.11.0 is too old"), "{found:?}");
        assert!(found[2].contains("react 18.3.1 and react-dom 19.0.0"), "{found:?}");
    }
}
