//! The one truth about addresses: where the portal lies, and how each of its pages is written in a link and stored in a
//! file. No other code decides about slashes.

use portalgen_base::text::{text, write};

use super::{
    origin::{BasePath, Origin},
    path::{self, RoutePath},
    value::Problem,
};

/// Whether addresses of pages end in a slash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slash {
    /// A page is a folder with an `index.html`, which any static server understands.
    #[default]
    Always,
    /// A page is a file of its own, `about.html`, and its address has no ending. The server must know to look for it.
    Never,
}

impl Slash {
    /// The names that `slash` in `[portal]` has for them.
    pub const NAMES: [(&'static str, Self); 2] = [("always", Self::Always), ("never", Self::Never)];

    /// The name in `routes.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Never => "never",
        }
    }

    /// Reads a name.
    ///
    /// # Errors
    /// Anything but `always` and `never`.
    pub(crate) fn parse(written: &str) -> Result<Self, Problem> {
        let found = Self::NAMES.into_iter().find(|(name, _)| *name == written);
        found.map(|(_, slash)| slash).ok_or_else(|| {
            Problem::new(text!("`slash` must be `always` or `never`", "`slash` 只能是 `always` 或 `never`"))
                .hint(write("slash = \"always\""))
        })
    }
}

/// Where the portal lies, and how its addresses are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Urls {
    /// Scheme and host; without them there are no full URLs.
    pub origin: Option<Origin>,
    /// The folder of the origin.
    pub base: BasePath,
    /// Whether pages end in a slash.
    pub slash: Slash,
}

/// The file of a folder that stands for the folder.
pub const INDEX: &str = "index.html";
/// What follows the name of a page that is a file of its own.
const EXTENSION: &str = ".html";

impl Urls {
    /// The path under which a server finds a page: encoded, beginning with the base.
    pub fn page(&self, path: &RoutePath) -> String {
        let mut url = self.base.join(path);
        if self.slash == Slash::Always && !url.ends_with('/') {
            url.push('/');
        }
        url
    }

    /// The full URL of a page, when the origin is known.
    pub fn canonical(&self, path: &RoutePath) -> Option<String> {
        self.absolute(&self.page(path))
    }

    /// The full URL of a path that begins with the base, when the origin is known.
    pub fn absolute(&self, path: &str) -> Option<String> {
        Some(format!("{}{path}", self.origin.as_ref()?.as_str()))
    }

    /// The output path of a page's document, decoded, as servers look for it: `about/index.html` or `about.html`.
    pub fn document(&self, path: &RoutePath) -> String {
        match (file_name(path), self.slash) {
            ("", _) => INDEX.to_owned(),
            (name, Slash::Always) => format!("{name}/{INDEX}"),
            (name, Slash::Never) if name.ends_with(EXTENSION) => name.to_owned(),
            (name, Slash::Never) => format!("{name}{EXTENSION}"),
        }
    }

    /// The output path of the small file that tells the browser's code what a page is called.
    pub fn data(&self, path: &RoutePath) -> String {
        match (file_name(path), self.slash) {
            ("", _) => "page.json".to_owned(),
            (name, Slash::Always) => format!("{name}/page.json"),
            (name, Slash::Never) => format!("{name}.page.json"),
        }
    }

    /// The path under which any server finds a file of the output: encoded, beginning with the base, and with the folder's
    /// slash at its end where the file stands for its folder.
    pub fn file(&self, output: &str) -> String {
        let (folders, name) = output.rsplit_once('/').map_or(("", output), |(folders, name)| (folders, name));
        let shown = if name == INDEX { "" } else { name };
        let parts: Vec<&str> = folders.split('/').filter(|part| !part.is_empty()).chain([shown]).collect();
        let encoded: Vec<String> = parts.into_iter().map(path::encode_segment).collect();
        format!("{}{}", self.base.url(), encoded.join("/"))
    }

    /// Why no page can be found under a path with addresses written like this.
    pub(crate) fn objection(&self, path: &RoutePath) -> Option<Problem> {
        let name = file_name(path);
        let is_index = name == "index" || name.ends_with("/index");
        (self.slash == Slash::Never && is_index).then(|| {
            let folder = path.as_str().strip_suffix("index").unwrap_or_default();
            Problem::new(text!(
                "servers would show the file of `{path}` at `{folder}`",
                "`{path}` 的文件会被服务器当作 `{folder}` 的页面"
            ))
            .hint(text!("choose another name", "请换一个名字"))
        })
    }
}

/// The decoded path without the slash in front.
fn file_name(path: &RoutePath) -> &str {
    &path.as_str()[1..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(written: &str) -> RoutePath {
        RoutePath::parse(written).unwrap_or_else(|problem| panic!("{written}: {problem:?}"))
    }

    fn urls(base: &str, slash: Slash) -> Urls {
        Urls { origin: None, base: BasePath::parse(base).expect("a base"), slash }
    }

    #[test]
    fn file_and_address_agree() {
        for (written, name, url) in [
            ("/about", "about", "/app/about"),
            ("/about/", "about", "/app/about"),
            ("/c%23", "c#", "/app/c%23"),
            ("/100%25", "100%", "/app/100%25"),
            ("/c%2523", "c%23", "/app/c%2523"),
            ("/path with spaces", "path with spaces", "/app/path%20with%20spaces"),
            ("/关于/我们", "关于/我们", "/app/%E5%85%B3%E4%BA%8E/%E6%88%91%E4%BB%AC"),
            ("/a+b", "a+b", "/app/a+b"),
            ("/x@y", "x@y", "/app/x@y"),
            ("/1.0.0+1", "1.0.0+1", "/app/1.0.0+1"),
            ("/v1.0/", "v1.0", "/app/v1.0"),
            ("/apples-&-oranges", "apples-&-oranges", "/app/apples-&-oranges"),
            ("/a[b]^", "a[b]^", "/app/a%5Bb%5D%5E"),
            ("/a%20", "a ", "/app/a%20"),
            ("/a%3Fb/%25", "a?b/%", "/app/a%3Fb/%25"),
        ] {
            let path = parsed(written);
            let (always, never) = (urls("app", Slash::Always), urls("app", Slash::Never));
            assert_eq!(always.document(&path), format!("{name}/index.html"), "{written}");
            assert_eq!(always.data(&path), format!("{name}/page.json"), "{written}");
            assert_eq!(always.page(&path), format!("{url}/"), "{written}");
            assert_eq!(never.document(&path), format!("{name}.html"), "{written}");
            assert_eq!(never.data(&path), format!("{name}.page.json"), "{written}");
            assert_eq!(never.page(&path), url, "{written}");
            assert_eq!(parsed(&path.encoded()), path, "{written} must read back");
            assert_eq!(parsed(&path.readable()), path, "{written} must read back");
        }
    }

    #[test]
    fn the_home_page_is_the_folder_of_the_portal() {
        for slash in [Slash::Always, Slash::Never] {
            let home = RoutePath::root();
            for (base, url) in [("app", "/app/"), ("", "/"), ("/", "/")] {
                let urls = urls(base, slash);
                assert_eq!(urls.page(&home), url);
                assert_eq!((urls.document(&home).as_str(), urls.data(&home).as_str()), ("index.html", "page.json"));
            }
        }
    }

    #[test]
    fn a_name_that_is_a_file_already() {
        let path = parsed("/legal.html");
        assert_eq!(urls("", Slash::Always).document(&path), "legal.html/index.html");
        assert_eq!(urls("", Slash::Never).document(&path), "legal.html");
        assert_eq!(urls("", Slash::Never).page(&path), "/legal.html");
    }

    #[test]
    fn names_that_servers_take_for_a_folder() {
        for name in ["/index", "/docs/index"].map(parsed) {
            assert!(urls("", Slash::Never).objection(&name).is_some(), "{name}");
            assert!(urls("", Slash::Always).objection(&name).is_none(), "{name}");
        }
        for name in ["/", "/reindex", "/index/a", "/indexes"].map(parsed) {
            assert!(urls("", Slash::Never).objection(&name).is_none(), "{name}");
        }
    }

    #[test]
    fn files_have_addresses() {
        let urls = urls("/app", Slash::Never);
        for (file, url) in [("index.html", "/app/"), ("a b/index.html", "/app/a%20b/"), ("c#/d.txt", "/app/c%23/d.txt")]
        {
            assert_eq!(urls.file(file), url);
        }
    }
}
