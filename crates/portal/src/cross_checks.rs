//! Checks of all routes together: a home page, unique addresses and names, addresses that are what they seem.

use std::collections::BTreeMap;

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    rules::{Rule, Severity},
    text::text,
};

use super::{
    findings::Findings,
    path::RoutePath,
    routes::Draft,
    site_files::SiteFiles,
    urls::{Slash, Urls},
    value::{Problem, Value},
};

/// A portal without routes is a mistake, and one without `/` probably so. `drafts` are sorted by path.
pub(crate) fn check_home(drafts: &[Draft], top: &Place, site: &mut SiteFiles, findings: &mut Findings) {
    let example = || {
        text!(
            "add the home page: a line `[[route]]`, and below it `path = \"/\"`",
            "请加上首页：先写一行 `[[route]]`，下一行写 `path = \"/\"`"
        )
    };
    match drafts.first() {
        None => {
            let error = Diagnostic::error(text!("this file has no routes", "文件里没有 `[[route]]`"));
            findings.add(error.at(top.clone()).with_hint(example()));
        }
        Some(first) if first.route.path != RoutePath::root() && !site.is_public_folder(&RoutePath::root()) => {
            let message = text!(
                "there is no home page: the portal's own address shows an error",
                "没有首页：直接访问门户会看到错误页面"
            );
            let complaint = Diagnostic::of(Rule::NoHome, message).at(first.route.places.path.clone());
            findings.add(complaint.with_hint(example()));
        }
        Some(_) => {}
    }
}

/// Refuses routes that claim the same address, or the same name.
pub(crate) fn check_unique(drafts: &[Draft], findings: &mut Findings) {
    let mut paths: BTreeMap<&RoutePath, &Draft> = BTreeMap::new();
    let mut folded: BTreeMap<String, &Draft> = BTreeMap::new();
    let mut names: BTreeMap<&str, &Value> = BTreeMap::new();
    for draft in drafts {
        let path = &draft.route.path;
        let same = paths.get(path).copied();
        let alike = folded.get(&path.as_str().to_lowercase()).copied();
        match (same, alike) {
            (Some(first), _) => findings.add(same_path(draft, first)),
            (None, Some(first)) => findings.add(differs_by_case(draft, first)),
            (None, None) => {}
        }
        paths.entry(path).or_insert(draft);
        folded.entry(path.as_str().to_lowercase()).or_insert(draft);
        if let (Some(name), Some(value)) = (&draft.route.name, &draft.name_value) {
            match names.get(name.as_str()) {
                Some(first) => findings.add(same_name(name, value, first)),
                None => _ = names.insert(name, value),
            }
        }
    }
}

/// Tells of pages that look as if they were files and are folders: their address is another one than was written.
pub(crate) fn check_endings(drafts: &[Draft], urls: &Urls, findings: &mut Findings) {
    let is_page = |draft: &Draft| draft.route.component().is_some_and(|file| !file.as_os_str().is_empty());
    let is_file_like = |draft: &&Draft| draft.route.path.as_str().ends_with(".html") && is_page(draft);
    let pages = drafts.iter().filter(|_| urls.slash == Slash::Always).filter(is_file_like);
    for draft in pages {
        let (path, url) = (&draft.route.path, urls.page(&draft.route.path));
        let problem = Problem::new(text!(
            "the address of `{path}` will be `{url}`, because page addresses end with a slash",
            "`{path}` 的实际网址是 `{url}`，因为页面的网址都以斜杠结尾"
        ))
        .hint(text!(
            "put a file with that name into site/public, leave out `.html`, or write `slash = \"never\"` in [portal]",
            "可以把同名文件放进 site/public，或者去掉 `.html`，或者在 [portal] 里写 `slash = \"never\"`"
        ));
        let warning = draft.path_value.warning(problem);
        findings.add(Diagnostic { severity: Severity::Note, ..warning });
    }
}

fn same_path(draft: &Draft, first: &Draft) -> Diagnostic {
    let path = &draft.route.path;
    let problem = Problem::new(text!("two routes have the path `{path}`", "网址 `{path}` 写了两次"));
    let problem = if draft.path_value.text == first.path_value.text {
        problem
    } else {
        problem.hint(text!(
            "trailing slashes, `%` encoding and the encoding of accents make no difference",
            "末尾有没有斜杠、是否写成 `%` 编码、带声调的字母怎样编码，都算同一个网址"
        ))
    };
    let problem = problem.hint(text!("change or remove one of them", "请修改或删掉其中一个"));
    let error = draft.path_value.error(problem).under(Rule::DuplicatePath);
    error.with_related(first.route.places.path.clone(), text!("the first one", "第一处"))
}

fn differs_by_case(draft: &Draft, first: &Draft) -> Diagnostic {
    let (path, other) = (&draft.route.path, &first.route.path);
    let problem =
        Problem::new(text!("`{path}` and `{other}` differ only in case", "`{path}` 与 `{other}` 只有大小写不同")).hint(
            text!(
                "on Windows, macOS and some servers they are the same file; change one of them",
                "在 Windows、macOS 和有些服务器上，它们是同一个文件；请修改其中一个"
            ),
        );
    let error = draft.path_value.error(problem).under(Rule::DuplicatePath);
    error.with_related(first.route.places.path.clone(), text!("the other one", "另一处"))
}

fn same_name(name: &str, value: &Value, first: &Value) -> Diagnostic {
    let problem = Problem::new(text!("two routes have the name `{name}`", "`name` 重复：有两处都是 `{name}`"))
        .hint(text!("names are optional: change or remove one of them", "`name` 可以不写：请修改或删掉其中一个"));
    first.relate(value.error(problem), text!("the first one", "第一处"))
}
