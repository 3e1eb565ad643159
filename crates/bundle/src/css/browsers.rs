//! Which browsers style sheets are made for: the queries of browserslist, where the site has any.
//!
//! The crate that answers queries can also find and read files, ask the environment, start Node and look at the clock.
//! Nothing of that may decide what a build gives, so files are read here, and queries that need more are refused.

use std::{ops::Range, path::Path, sync::Arc};

use lightningcss::targets::{Browsers, Features, Targets};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    source::{Sources, display_name},
    text::{Text, text},
};

use crate::{options::Options, platform::Mode};

/// The file of queries beside the site's `package.json`.
const FILE: &str = ".browserslistrc";
/// The key of `package.json` that may hold them instead.
const KEY: &str = "browserslist";

/// The browsers of a site without queries: those that run ES modules with dynamic import and `:is()`.
pub(crate) fn default_targets() -> Targets {
    let version = |major: u32, minor: u32| Some(major << 16 | minor << 8);
    lowering_for(Browsers {
        chrome: version(111, 0),
        edge: version(111, 0),
        firefox: version(114, 0),
        safari: version(16, 4),
        ios_saf: version(16, 4),
        ..Browsers::default()
    })
}

/// What is lowered for these browsers. What stands for `light-dark()` is right only where a style sheet sets `color-scheme`,
/// which a script or `<meta>` may as well, and what stands for `:dir()` only where `lang` decides about it. Without the
/// second, lists of selectors are not split either: browsers skip a list with a selector that they do not know.
fn lowering_for(browsers: Browsers) -> Targets {
    Targets { exclude: Features::LightDark | Features::DirSelector, ..Targets::from(browsers) }
}

/// The browsers that the site names, or those above.
///
/// # Errors
/// A query that cannot be understood, or whose answer would not depend on the site alone.
pub(crate) fn targets(sources: &dyn Sources, options: &Options) -> Result<Targets, Diagnostic> {
    let read = |file: &str| {
        let path = options.folder.join(file);
        let text = sources.read_to_string(&path).ok()?;
        let text = text.strip_prefix('\u{feff}').map(ToOwned::to_owned).unwrap_or(text);
        Some(SourceText::new(display_name(&options.root, Path::new(&path)), text))
    };
    let own_file = read(FILE);
    let package = read("package.json").and_then(|source| Some((in_package(&source, options.mode)?, source)));
    let (queries, source) = match (own_file, package) {
        (Some(source), Some((_, package))) => {
            let message =
                text!("browsers are set in both {FILE} and package.json", "{FILE} 和 package.json 都指定了浏览器");
            return Err(Diagnostic::error(message)
                .at(Place::new(&source, 0..0))
                .with_related(key_place(&package), text!("and here", "这里也有"))
                .with_hint(text!("keep only one of them", "请只保留一处")));
        }
        (Some(source), None) => (in_file(&source, options.mode), source),
        (None, Some((queries, source))) => (queries, source),
        (None, None) => return Ok(default_targets()),
    };
    if queries.is_empty() {
        return Ok(default_targets());
    }
    resolve(&source, &queries)
}

/// A query, or several with commas, and where it is written.
#[derive(Debug, PartialEq, Eq)]
struct Query {
    text: String,
    span: Range<usize>,
}

/// The lines of a file of queries that count in `mode`. A section `[production]` comes before what stands in none.
fn in_file(source: &Arc<SourceText>, mode: Mode) -> Vec<Query> {
    let (mut general, mut of_mode, mut has_section) = (Vec::new(), Vec::new(), false);
    let mut sections: Option<Vec<&str>> = None;
    let mut start = 0;
    for line in source.text.split_inclusive('\n') {
        let text = line.split('#').next().unwrap_or_default();
        let at = start + (text.len() - text.trim_start().len());
        let text = text.trim();
        start += line.len();
        if let Some(names) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
            let names: Vec<_> = names.split_whitespace().collect();
            has_section |= names.contains(&mode.name());
            sections = Some(names);
        } else if !text.is_empty() {
            let query = Query { text: text.to_owned(), span: at..at + text.len() };
            match &sections {
                None => general.push(query),
                Some(names) if names.contains(&mode.name()) => of_mode.push(query),
                Some(names) if names.contains(&"defaults") => general.push(query),
                Some(_) => {}
            }
        }
    }
    if has_section { of_mode } else { general }
}

/// The queries of `package.json`: a text, a list of them, or lists for each mode.
fn in_package(source: &Arc<SourceText>, mode: Mode) -> Option<Vec<Query>> {
    let package: serde_json::Value = serde_json::from_str(&source.text).ok()?;
    let mut value = package.get(KEY)?;
    if let Some(modes) = value.as_object() {
        value = modes.get(mode.name()).or_else(|| modes.get("defaults")).unwrap_or(&serde_json::Value::Null);
    }
    let texts: Vec<&str> = match value {
        serde_json::Value::Array(list) => list.iter().filter_map(serde_json::Value::as_str).collect(),
        value => value.as_str().into_iter().collect(),
    };
    let mut from = key_place(source).span.end;
    let query = |text: &str| {
        let written = serde_json::Value::from(text).to_string();
        let span = source.text[from..].find(&written).map(|at| from + at + 1..from + at + written.len() - 1);
        let span = span.unwrap_or_else(|| key_place(source).span);
        from = from.max(span.end);
        Query { text: text.to_owned(), span }
    };
    Some(texts.into_iter().map(query).collect())
}

fn key_place(source: &Arc<SourceText>) -> Place {
    let key = format!("\"{KEY}\"");
    let at = source.text.find(&key).unwrap_or_default();
    Place::new(source, at..at + key.len())
}

fn resolve(source: &Arc<SourceText>, queries: &[Query]) -> Result<Targets, Diagnostic> {
    let failure = |query: &Query, message: Text| Diagnostic::error(message).at(Place::new(source, query.span.clone()));
    for query in queries {
        if let Some(why) = depends_on_more(&query.text) {
            let words = &query.text;
            let message = text!(
                "`{words}` cannot be used: {why}, and a build must depend on the site alone",
                "不能用 `{words}`：{why}，而构建结果只能取决于网站的文件",
                why
            );
            return Err(failure(query, message).with_hint(text!(
                "list versions: `chrome >= 111, safari >= 16.4`",
                "请写明版本：`chrome >= 111, safari >= 16.4`"
            )));
        }
    }
    let texts: Vec<&str> = queries.iter().map(|query| query.text.as_str()).collect();
    // Queries add to those before them or take from them, so the first that makes a list fail is to blame.
    let culprit = |_| (1..=texts.len()).find(|count| Browsers::from_browserslist(&texts[..*count]).is_err());
    match Browsers::from_browserslist(&texts) {
        Ok(Some(browsers)) => Ok(lowering_for(browsers)),
        Ok(None) => {
            let message = text!("this query matches no browser", "没有符合条件的浏览器");
            Err(failure(&queries[queries.len() - 1], message))
        }
        Err(error) => {
            let query = culprit(&error).and_then(|count| queries.get(count - 1)).unwrap_or(&queries[0]);
            let message = text!("this is not a valid browserslist query: {error}", "这不是有效的 browserslist 查询");
            Err(failure(query, message).with_hint(text!(
                "queries look like `last 2 versions` or `safari >= 16.4`",
                "查询的写法如 `last 2 versions` 或 `safari >= 16.4`"
            )))
        }
    }
}

/// Why the answer to a query would not be the same everywhere and always.
fn depends_on_more(query: &str) -> Option<Text> {
    let words: Vec<String> = query.to_lowercase().split_whitespace().map(ToOwned::to_owned).collect();
    let text = words.join(" ");
    let is_years = words.windows(3).any(|words| words[0].ends_with("last") && words[2].starts_with("year"));
    if text.contains("extends") {
        Some(text!("it takes queries from a package, which requires Node.js", "它从 npm 包里读取查询，这需要 Node.js"))
    } else if text.contains("current node") {
        Some(text!("its result depends on the installed version of Node.js", "它的结果取决于安装的 Node.js 版本"))
    } else if text.contains("browserslist config") {
        Some(text!("its result depends on the environment", "它的结果取决于环境"))
    } else if text.contains("maintained node") || is_years {
        Some(text!("its result depends on the date", "它的结果取决于日期"))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{default_targets, targets};
    use crate::{
        options::Options,
        platform::{Mode, Platform},
    };
    use portalgen_base::source::Memory;

    fn given(mode: Mode, files: &[(&str, &str)]) -> Result<lightningcss::targets::Targets, (String, String)> {
        let sources = Memory::new(files.iter().map(|(path, text)| (format!("/p/site/{path}"), *text)));
        let options = Options { mode, ..Options::new("/p", "/p/site", Platform::Browser) };
        targets(&sources, &options)
            .map_err(|error| (error.place.unwrap().to_string(), error.message.english().to_owned()))
    }

    fn safari(files: &[(&str, &str)], mode: Mode) -> Option<u32> {
        given(mode, files).unwrap().browsers.unwrap().safari.map(|version| version >> 16)
    }

    #[test]
    fn a_site_without_queries_gets_the_default() {
        for files in [&[][..], &[("package.json", "{}")], &[(".browserslistrc", "# nothing\n\n")]] {
            assert_eq!(given(Mode::Production, files).unwrap(), default_targets());
        }
    }

    #[test]
    fn queries_come_from_the_file_or_from_package_json() {
        let production = |files| safari(files, Mode::Production);
        assert_eq!(production(&[(".browserslistrc", "\u{feff}chrome 120\r\nsafari 17 # the newest\r\n")]), Some(17));
        assert_eq!(production(&[("package.json", r#"{"browserslist": "safari 15, chrome 100"}"#)]), Some(15));
        assert_eq!(production(&[("package.json", r#"{"browserslist": ["safari 14", "not safari 15"]}"#)]), Some(14));
        assert_eq!(production(&[(".browserslistrc", "safari >= 14 and safari >= 16\nnot safari 16.0")]), Some(16));
    }

    #[test]
    fn sections_are_modes() {
        let file = "safari 13\n[production staging]\nsafari 15\n[development]\nsafari 17\n";
        assert_eq!(safari(&[(".browserslistrc", file)], Mode::Production), Some(15));
        assert_eq!(safari(&[(".browserslistrc", file)], Mode::Development), Some(17));
        assert_eq!(safari(&[(".browserslistrc", "safari 13\n[staging]\nsafari 15\n")], Mode::Production), Some(13));
        let package = r#"{"browserslist": {"production": ["safari 15"], "defaults": "safari 13"}}"#;
        assert_eq!(safari(&[("package.json", package)], Mode::Production), Some(15));
        assert_eq!(safari(&[("package.json", package)], Mode::Development), Some(13));
    }

    #[test]
    fn a_query_that_is_wrong_is_pointed_at() {
        let failure = |files| given(Mode::Production, files).unwrap_err();
        let (place, message) = failure(&[(".browserslistrc", "safari 17\n\n  netscape 4 # old\nchrome 100")]);
        assert_eq!(place, "site/.browserslistrc:3:3");
        assert!(message.contains("unknown browser: 'netscape'"), "{message}");
        let (place, _) =
            failure(&[("package.json", "{\n \"name\": \"not dead\",\n \"browserslist\": [\"not dead\"] }")]);
        assert_eq!(place, "site/package.json:3:20");
        let both = [("package.json", r#"{"browserslist": "safari 15"}"#), (".browserslistrc", "safari 15")];
        assert!(failure(&both).1.contains("and package.json"));
        assert!(failure(&[(".browserslistrc", "node 20")]).1.contains("matches no browser"));
    }

    #[test]
    fn queries_whose_answer_depends_on_more_than_the_site_are_refused() {
        for query in [
            "last 2 years",
            "safari 17, not LAST  1.5 Years",
            "current node",
            "maintained node versions",
            "extends browserslist-config-acme",
            "browserslist config",
        ] {
            let (place, message) = given(Mode::Production, &[(".browserslistrc", query)]).unwrap_err();
            assert_eq!(place, "site/.browserslistrc:1:1");
            assert!(message.contains("cannot be used"), "{message}");
        }
        for query in ["since 2023-01-01", "last 2 versions", "defaults", "> 0.5%, not dead", "firefox esr"] {
            assert!(given(Mode::Production, &[(".browserslistrc", query)]).is_ok(), "{query}");
        }
    }
}
