//! The answer of a static server to a request: the one model that links are judged by and addresses explained with. Previews
//! ask [`crate::hosting`] instead.
//!
//! It is the server that README's “Deploy” asks for and no more: a file under its path, a folder's `index.html` under the
//! folder's path with a slash behind it, a redirect to that from the path without the slash, and `404.html` for the rest.
//! Where addresses of pages do not end in a slash, it finds `about.html` under `/about`, too.
//! Where servers differ it does what the strictest of them do, so what it answers with a file is served everywhere: upper
//! and lower case are told apart, composed accents from others, `//` from `/`, and an encoded slash from one that
//! separates.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use url::Url;

use portalgen_base::media;
use portalgen_portal::{INDEX, Slash, Urls, check_escapes};

use crate::{headers, output::OutputSet};

/// The output path of the document for what is not there.
pub const NOT_FOUND: &str = "404.html";

/// What a server answers to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<'o> {
    /// Status 200 and the file with this output path.
    File(&'o str),
    /// Status 301: a page, asked for without the slash at its end.
    Redirect {
        /// The path with the slash, encoded like the request's. The request's query goes behind it.
        location: String,
        /// The output path of the page.
        file: &'o str,
    },
    /// Status 404 and [`NOT_FOUND`].
    Missing {
        /// The output path of what was probably meant: the difference is letter case, the way in which accents are composed,
        /// a slash too many, or the name of a page's file.
        similar: Option<&'o str>,
    },
    /// The path does not begin with the portal's base: whatever is there is not the portal's.
    Outside,
}

impl<'o> Answer<'o> {
    /// The status code. Of what lies outside, a server that has nothing but the portal does not know more.
    pub fn status(&self) -> u16 {
        match self {
            Self::File(_) => 200,
            Self::Redirect { .. } => 301,
            Self::Missing { .. } | Self::Outside => 404,
        }
    }

    /// The output path of what a visitor asked for, redirected or not, if it is there.
    pub fn file(&self) -> Option<&'o str> {
        match *self {
            Self::File(file) | Self::Redirect { file, .. } => Some(file),
            Self::Missing { .. } | Self::Outside => None,
        }
    }
}

/// The answer to a request for `path`: what stands in a URL between the host and the query, encoded or not.
///
/// Dot segments, `%2e` ones among them, are resolved first, and letters beyond ASCII are encoded, as browsers do before they
/// ask. Then each segment is decoded once.
pub fn answer<'o>(output: &'o OutputSet, urls: &Urls, path: &str) -> Answer<'o> {
    let sent = as_sent(path);
    let folder = urls.base.url();
    let mut asked = segments(&sent);
    if segments(folder.trim_end_matches('/')).any(|part| asked.next() != Some(part)) {
        return Answer::Outside;
    }
    let Some(names) = asked.collect::<Option<Vec<_>>>() else { return Answer::Missing { similar: None } };
    let found = match names.split_last() {
        Some((last, folders)) if last.is_empty() => file_at(output, folders, INDEX).map(Answer::File),
        Some((last, folders)) => {
            let page = || file_at(output, folders, &format!("{last}.html")).filter(|_| urls.slash == Slash::Never);
            file_at(output, folders, last).or_else(page).map(Answer::File)
        }
        None => None,
    };
    let redirect = || {
        let file = file_at(output, &names, INDEX).filter(|_| !sent.ends_with('/'))?;
        Some(Answer::Redirect { location: format!("{sent}/"), file })
    };
    found.or_else(redirect).unwrap_or_else(|| Answer::Missing { similar: similar(output, &names) })
}

/// The headers that a file should be sent with: what it is, and how long it may be kept.
pub fn headers(file: &str) -> [(&'static str, &'static str); 2] {
    [("content-type", media::media_type(file)), ("cache-control", headers::caching(file))]
}

/// The path as browsers send it: dot segments resolved, and what is not of ASCII encoded.
pub(crate) fn as_sent(path: &str) -> String {
    // Any URL will do: only its path is looked at.
    let Ok(mut url) = Url::parse("http://portal.invalid/") else { return path.to_owned() };
    url.set_path(path);
    url.path().to_owned()
}

/// The segments of a path, decoded; none for one that no file can be called.
fn segments(path: &str) -> impl Iterator<Item = Option<Cow<'_, str>>> {
    path.split('/').skip(1).map(|raw| {
        check_escapes(raw).ok()?;
        let decoded = percent_decode_str(raw).decode_utf8().ok()?;
        (!decoded.contains(['/', '\\', '\0'])).then_some(decoded)
    })
}

fn file_at<'o>(output: &'o OutputSet, folders: &[Cow<'_, str>], name: &str) -> Option<&'o str> {
    let parts: Vec<&str> = folders.iter().map(AsRef::as_ref).chain([name]).collect();
    output.get_key_value(&parts.join("/")).map(|(path, _)| path)
}

/// The file that comes close to names that lead to none.
fn similar<'o>(output: &'o OutputSet, names: &[Cow<'_, str>]) -> Option<&'o str> {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).filter(|name| !name.is_empty()).collect();
    let whole = names.join("/");
    let lower = whole.to_ascii_lowercase();
    let endings = ["/index.html", "/index.htm", "/index", ".html", ".htm"];
    let ending = endings.iter().find(|ending| lower.ends_with(*ending)).map_or(0, |ending| ending.len());
    let page = &whole[..whole.len() - ending];
    let index = if page.is_empty() { INDEX.to_owned() } else { format!("{page}/{INDEX}") };
    [&whole, &index, &format!("{page}.html")].into_iter().find_map(|path| output.similar(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{OutputKind, Producer};
    use portalgen_base::text::Text;
    use portalgen_portal::BasePath;

    /// A set of files; what is in them does not matter.
    fn output(files: &[&str]) -> OutputSet {
        let mut output = OutputSet::new();
        for file in files {
            output
                .insert(*file, OutputKind::Page, "", Producer::new(Text::verbatim("a test")))
                .expect("an output path");
        }
        output
    }

    const FILES: &[&str] = &[
        "404.html",
        "about/index.html",
        "about/page.json",
        "assets/a-1.js",
        "café/index.html",
        "c#/index.html",
        "1.0.0+1/index.html",
        "a b/index.html",
        "a+b/index.html",
        "100%/index.html",
        "c%23/index.html",
        "favicon.svg",
        "index.html",
        "legal.html/index.html",
        "release/2.1/index.html",
        "terms.html",
        "v1.0/index.html",
        "x@y/index.html",
        "关于/我们/index.html",
    ];

    fn urls(base: &str, slash: Slash) -> Urls {
        Urls { origin: None, base: BasePath::parse(base).expect("a base"), slash }
    }

    /// The answer in a word: the file, `-> location`, `404`, `404 ~ file`, or `outside`.
    fn answered(output: &OutputSet, base_path: &str, path: &str) -> String {
        answered_by(output, &urls(base_path, Slash::Always), path)
    }

    fn answered_by(output: &OutputSet, urls: &Urls, path: &str) -> String {
        match answer(output, urls, path) {
            Answer::File(file) => file.to_owned(),
            Answer::Redirect { location, .. } => format!("-> {location}"),
            Answer::Missing { similar: None } => "404".to_owned(),
            Answer::Missing { similar: Some(file) } => format!("404 ~ {file}"),
            Answer::Outside => "outside".to_owned(),
        }
    }

    #[test]
    fn pages_and_files() {
        let output = output(FILES);
        for (path, expected) in [
            ("/", "index.html"),
            ("", "index.html"),
            ("/index.html", "index.html"),
            ("/about/", "about/index.html"),
            ("/about", "-> /about/"),
            ("/about/index.html", "about/index.html"),
            ("/about/page.json", "about/page.json"),
            ("/favicon.svg", "favicon.svg"),
            ("/404.html", "404.html"),
            ("/assets/a-1.js", "assets/a-1.js"),
            // A dot makes no file of a page.
            ("/v1.0", "-> /v1.0/"),
            ("/v1.0/", "v1.0/index.html"),
            ("/release/2.1", "-> /release/2.1/"),
            ("/release/2.1/", "release/2.1/index.html"),
            ("/legal.html/", "legal.html/index.html"),
            ("/legal.html", "-> /legal.html/"),
            // Folders that are no pages, pages that are no files, files that are no folders.
            ("/assets/", "404"),
            ("/assets", "404"),
            ("/关于/", "404"),
            ("/about/page.json/", "404 ~ about/page.json"),
            ("/nothing", "404"),
            ("/nothing/", "404"),
            ("/about/nothing", "404"),
        ] {
            assert_eq!(answered(&output, "/", path), expected, "{path}");
        }
    }

    #[test]
    fn paths_are_decoded_once() {
        let output = output(FILES);
        for (path, expected) in [
            ("/关于/我们/", "关于/我们/index.html"),
            ("/%E5%85%B3%E4%BA%8E/%e6%88%91%E4%BB%AC/", "关于/我们/index.html"),
            ("/%E5%85%B3%E4%BA%8E/我们", "-> /%E5%85%B3%E4%BA%8E/%E6%88%91%E4%BB%AC/"),
            ("/%61bout/", "about/index.html"),
            ("/a%20b/", "a b/index.html"),
            ("/a b/", "a b/index.html"),
            ("/a+b/", "a+b/index.html"),
            ("/a%2Bb/", "a+b/index.html"),
            ("/c%23", "-> /c%23/"),
            ("/c%23/", "c#/index.html"),
            ("/c#/", "c#/index.html"),
            ("/c%2523/", "c%23/index.html"),
            ("/1.0.0+1/", "1.0.0+1/index.html"),
            ("/x@y/", "x@y/index.html"),
            ("/x%40y/", "x@y/index.html"),
            ("/100%25/", "100%/index.html"),
            // No escape, no text in UTF-8, and what no file can be called.
            ("/100%/", "404"),
            ("/%zz/", "404"),
            ("/%ff/", "404"),
            ("/%E5%85/", "404"),
            ("/about%00/", "404"),
            ("/about%2Fpage.json", "404"),
            ("/about%2f", "404"),
            ("/about%5Cpage.json", "404"),
        ] {
            assert_eq!(answered(&output, "/", path), expected, "{path}");
        }
    }

    #[test]
    fn dots_are_resolved_as_browsers_do() {
        let output = output(FILES);
        for (path, expected) in [
            ("/./about/", "about/index.html"),
            ("/about/.", "about/index.html"),
            ("/about/..", "index.html"),
            ("/about/../favicon.svg", "favicon.svg"),
            ("/%2e%2E/about/", "about/index.html"),
            ("/about/%2e%2e/%2e/favicon.svg", "favicon.svg"),
            ("/../../../about", "-> /about/"),
            ("/about\\page.json", "about/page.json"),
            ("/...", "404"),
            // Two slashes are not one.
            ("//", "404 ~ index.html"),
            ("//about/", "404 ~ about/index.html"),
            ("/about//", "404 ~ about/index.html"),
            ("/about//page.json", "404 ~ about/page.json"),
        ] {
            assert_eq!(answered(&output, "/", path), expected, "{path}");
        }
    }

    #[test]
    fn what_was_meant() {
        let output = output(FILES);
        for (path, expected) in [
            ("/About/", "404 ~ about/index.html"),
            ("/ABOUT", "404 ~ about/index.html"),
            ("/Favicon.SVG", "404 ~ favicon.svg"),
            ("/cafe\u{301}/", "404 ~ café/index.html"),
            ("/cafe%CC%81", "404 ~ café/index.html"),
            ("/CAF\u{c9}", "404 ~ café/index.html"),
            ("/about.html", "404 ~ about/index.html"),
            ("/about/index", "404 ~ about/index.html"),
            ("/about/index.htm", "404 ~ about/index.html"),
            ("/about/Index.html", "404 ~ about/index.html"),
            ("/about/index.html/", "404 ~ about/index.html"),
            ("/favicon.svg/", "404 ~ favicon.svg"),
            ("/terms", "404 ~ terms.html"),
            ("/terms/", "404 ~ terms.html"),
            ("/ab", "404"),
            ("/index", "404 ~ index.html"),
        ] {
            assert_eq!(answered(&output, "/", path), expected, "{path}");
        }
    }

    #[test]
    fn below_a_base() {
        let output = output(FILES);
        for (base, path, expected) in [
            ("/app/", "/app/", "index.html"),
            ("/app/", "/app", "-> /app/"),
            ("/app/", "/app/about/", "about/index.html"),
            ("/app/", "/app/about", "-> /app/about/"),
            ("/app/", "/%61pp/about", "-> /%61pp/about/"),
            ("/app/", "/app/nothing", "404"),
            ("/app/", "/app/app/about/", "404"),
            ("/app/", "/app/../about/", "outside"),
            ("/app/", "/", "outside"),
            ("/app/", "/about/", "outside"),
            ("/app/", "/apple", "outside"),
            ("/app/", "/App/about/", "outside"),
            ("/app/", "//app/", "outside"),
            ("/app/", "/%ff/", "outside"),
            ("/应用/v 1/", "/应用/v%201/about/", "about/index.html"),
            ("/应用/v 1/", "/%E5%BA%94%E7%94%A8/v%201", "-> /%E5%BA%94%E7%94%A8/v%201/"),
        ] {
            assert_eq!(answered(&output, base, path), expected, "{path} below {base}");
        }
    }

    #[test]
    fn addresses_without_a_slash() {
        let output =
            output(&["about.html", "docs.html", "docs/a.html", "docs/b/index.html", "index.html", "v1.0.html"]);
        for (path, expected) in [
            ("/about", "about.html"),
            ("/about.html", "about.html"),
            ("/about/", "404 ~ about.html"),
            ("/docs", "docs.html"),
            ("/docs/a", "docs/a.html"),
            ("/docs/b", "-> /docs/b/"),
            ("/docs/", "404 ~ docs.html"),
            ("/v1.0", "v1.0.html"),
            ("/", "index.html"),
            ("/index", "index.html"),
            ("/.html", "404 ~ index.html"),
        ] {
            assert_eq!(answered_by(&output, &urls("/", Slash::Never), path), expected, "{path}");
            let below = answered_by(&output, &urls("/app", Slash::Never), &format!("/app{path}"));
            assert_eq!(below, expected.replace("-> ", "-> /app"), "{path}");
        }
    }

    #[test]
    fn a_portal_without_files_answers() {
        assert_eq!(answered(&OutputSet::new(), "/", "/"), "404");
        assert_eq!(answered(&OutputSet::new(), "/app/", "/app"), "404");
    }

    #[test]
    fn every_file_has_an_address() {
        let output = output(FILES);
        for base in ["/", "/app/", "/应用/v 1/"] {
            for urls in [Slash::Always, Slash::Never].map(|slash| urls(base, slash)) {
                for file in FILES {
                    assert_eq!(answer(&output, &urls, &urls.file(file)), Answer::File(file), "{file}");
                }
            }
        }
    }

    #[test]
    fn status_codes() {
        let output = output(FILES);
        for (path, status, file) in [
            ("/app/about/", 200, Some("about/index.html")),
            ("/app/about", 301, Some("about/index.html")),
            ("/app/nothing", 404, None),
            ("/about/", 404, None),
        ] {
            let answer = answer(&output, &urls("app", Slash::Always), path);
            assert_eq!((answer.status(), answer.file()), (status, file), "{path}");
        }
    }
}
