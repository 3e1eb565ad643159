//! The address of a route: one spelling inside portalgen, whatever way it was typed.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use unicode_normalization::UnicodeNormalization;

use portalgen_base::{
    invisible::{self, Unseen},
    text::{Text, text, write},
};

use super::value::Problem;

/// Everything that RFC 3986 does not let stand for itself inside a path segment. `React Router`, browsers and servers
/// all decode this form to the same path.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// One segment of a path as it stands in a URL.
pub fn encode_segment(segment: &str) -> String {
    utf8_percent_encode(segment, SEGMENT).to_string()
}

/// A path of an output as it stands in a URL.
pub fn encode_path(path: &str) -> String {
    path.split('/').map(encode_segment).collect::<Vec<_>>().join("/")
}

/// The longest name of a file or folder on Linux, macOS and Windows, in bytes of UTF-8.
const LONGEST_SEGMENT: usize = 255;
/// Leaves room for the folder of the output under Linux's 4096.
const LONGEST_PATH: usize = 2048;

/// What the first segment of an address is needed for, when portalgen or the servers it writes for need it themselves.
fn reserved_for(segment: &str) -> Option<Text> {
    let numbered = segment.strip_prefix("sitemap-").and_then(|rest| rest.strip_suffix(".xml"));
    let is_sitemap = |number: &str| number.bytes().all(|b| b.is_ascii_digit());
    Some(match segment {
        "404" | "404.html" | "404.json" => text!(
            "the not-found page is set in `[not_found]`, not as a route",
            "“页面不存在”页写在 `[not_found]` 下，不写成 `[[route]]`"
        ),
        "assets" => text!(
            "scripts, styles and images are published there and cached for a year",
            "脚本、样式和图片发布在这里，服务器会让浏览器缓存一年"
        ),
        "robots.txt" => text!(
            "crawlers expect a text file there: put it into `site/public`",
            "搜索引擎在这里读取文本文件：请把它放进 `site/public`"
        ),
        ".portalgen" => text!("portalgen keeps its records there", "这里存放 portalgen 自己的记录"),
        "sitemap.xml" => sitemap(),
        _ if numbered.is_some_and(is_sitemap) => sitemap(),
        "favicon.ico" => text!(
            "browsers look for the portal's icon there: set an image as `icon` in `[site]`",
            "浏览器在这里读取门户的图标：请在 `[site]` 里用 `icon` 指定一张图片"
        ),
        "manifest.webmanifest" => {
            text!("devices look there for the name and icons of the portal", "手机主屏幕从这里读取门户的名称和图标")
        }
        "_headers" | "_redirects" => {
            text!("several hosting platforms read their settings from that file", "有些托管平台从这个文件读取配置")
        }
        ".nojekyll" => {
            text!("GitHub Pages reads its settings from that file", "GitHub Pages 从这个文件读取配置")
        }
        _ => return None,
    })
}

fn sitemap() -> Text {
    text!("crawlers look for the sitemap there", "搜索引擎在这里读取站点地图")
}

/// The path of a route: decoded, in Unicode's composed form (NFC), with a leading and without a trailing slash.
///
/// Ordered by its bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoutePath(String);

impl RoutePath {
    /// `/`, the home page.
    pub fn root() -> Self {
        Self("/".to_owned())
    }

    /// Reads a path as people write it: with or without a trailing slash, percent-encoded once or not at all.
    ///
    /// # Errors
    /// Says what cannot be in a path: a query or fragment, empty and dot segments, unseen characters, and so on.
    pub fn parse(written: &str) -> Result<Self, Problem> {
        check_whole(written)?;
        if written == "/" {
            return Ok(Self::root());
        }
        let mut path = String::with_capacity(written.len());
        let mut at = 1;
        let inside = written[1..].strip_suffix('/').unwrap_or(&written[1..]);
        for raw in inside.split('/') {
            let segment = decode(raw).map_err(|problem| shift(problem, at, raw.len()))?;
            path.push('/');
            path.push_str(&segment);
            at += raw.len() + 1;
        }
        if path.len() > LONGEST_PATH {
            let length = path.len();
            return Err(Problem::new(text!(
                "a path of {length} bytes is too long for a file name",
                "网址有 {length} 字节，太长了，无法存成文件"
            )));
        }
        Ok(Self(path))
    }

    /// What follows `prefix`, when this path lies at or below it.
    pub(super) fn strip_prefix(&self, prefix: &Self) -> Option<Self> {
        match self.0.strip_prefix(prefix.0.trim_end_matches('/'))? {
            "" => Some(Self::root()),
            rest => rest.starts_with('/').then(|| Self(rest.to_owned())),
        }
    }

    /// Whether another path is not this one, but is the same file on some disks.
    pub(crate) fn differs_by_case(&self, other: &Self) -> bool {
        self != other && self.0.to_lowercase() == other.0.to_lowercase()
    }

    /// The decoded path: `/a b`, or `/` for the home page.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The decoded segments; none for the home page.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').skip(1).filter(|segment| !segment.is_empty())
    }

    /// The path with its segments encoded and nothing added: `/c%23`.
    pub fn encoded(&self) -> String {
        let segments: Vec<String> = self.segments().map(encode_segment).collect();
        format!("/{}", segments.join("/"))
    }

    /// The path as people write it: letters as they are, and encoded only what could not be read back otherwise.
    pub fn readable(&self) -> String {
        const AMBIGUOUS: &AsciiSet = &percent_encoding::CONTROLS.add(b'%').add(b'?').add(b'#');
        let mut readable = String::with_capacity(self.0.len());
        for c in self.0.chars() {
            if c.is_ascii() {
                readable.extend(utf8_percent_encode(c.encode_utf8(&mut [0; 4]), AMBIGUOUS));
            } else {
                readable.push(c);
            }
        }
        match readable.strip_suffix(' ') {
            Some(start) => format!("{start}%20"),
            None => readable,
        }
    }

    /// Why no route may have this path, when something else is served there.
    pub fn reserved(&self) -> Option<Problem> {
        let (folder, last) = self.0.rsplit_once('/')?;
        if ["index.html", "page.json"].iter().any(|name| last.eq_ignore_ascii_case(name)) {
            let page = if folder.is_empty() { "/" } else { folder };
            let problem = text!("`{self}` is a file of the page `{page}`", "`{self}` 属于页面 `{page}`");
            return Some(Problem::new(problem).hint(write(page)));
        }
        let first = self.segments().next()?.to_ascii_lowercase();
        let reason = reserved_for(&first)?;
        let problem =
            text!("`/{first}` is reserved and cannot be the address of a page", "`/{first}` 不能用作页面的网址");
        Some(Problem::new(problem).hint(reason))
    }

    /// Why some system cannot store this page under its name.
    pub(crate) fn unportable(&self) -> Option<Problem> {
        self.segments().find_map(|segment| {
            let reason = windows_objection(segment)?;
            Some(
                Problem::new(text!(
                    "Windows cannot store a file named `{segment}`: {reason}",
                    "Windows 无法保存名为 `{segment}` 的文件：{reason}",
                    reason
                ))
                .hint(text!("choose another name", "请换一个名字")),
            )
        })
    }
}

impl fmt::Display for RoutePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn shift(problem: Problem, by: usize, length: usize) -> Problem {
    let range = problem.range.clone().map_or(by..by + length, |range| range.start + by..range.end + by);
    problem.at(range)
}

/// What can be said before the segments are taken apart.
fn check_whole(written: &str) -> Result<(), Problem> {
    if written.is_empty() {
        return Err(Problem::new(text!("a path cannot be empty", "`path` 不能为空"))
            .hint(text!("the home page is `/`", "首页写作 `/`")));
    }
    let is_unwanted = |c: char| matches!(c, '?' | '#' | '\\' | '／' | '＼') || Unseen::of(c).is_some();
    if let Some((at, c)) = written.char_indices().find(|(_, c)| is_unwanted(*c)) {
        return Err(unwanted(written, at, c).at(at..at + c.len_utf8()));
    }
    check_spaces(written)?;
    if written.contains("://") {
        return Err(Problem::new(text!("a path does not include the host", "`path` 里不写站点"))
            .hint(text!("write only the part after the host: `/about`", "只写站点后面的部分：`/about`")));
    }
    if let Some((host, path)) = written.split_once('/').filter(|(host, _)| host.starts_with("www.")) {
        return Err(Problem::new(text!("a path does not name a host", "路径里不写站点"))
            .at(0..host.len())
            .hint(write(format!("/{path}"))));
    }
    if !written.starts_with('/') {
        return Err(
            Problem::new(text!("a path begins with `/`", "`path` 要以 `/` 开头")).hint(write(format!("/{written}")))
        );
    }
    Ok(())
}

/// Spaces at either end are slips of copying, never meant.
pub(crate) fn check_spaces(written: &str) -> Result<(), Problem> {
    let trimmed = written.trim();
    if trimmed.len() == written.len() {
        return Ok(());
    }
    Err(Problem::new(text!("there are spaces around this value", "这段内容的开头或结尾有空格")).hint(write(trimmed)))
}

fn unwanted(written: &str, at: usize, c: char) -> Problem {
    let before = match &written[..at] {
        "" => "/",
        before => before,
    };
    match c {
        '?' => Problem::new(text!(
            "a path ends before the `?`: servers ignore the query when they look for the file",
            "`path` 只写到 `?` 之前：服务器查找文件时不看 `?` 后面的部分"
        ))
        .hint(write(before))
        .hint(text!("if the question mark is part of the name, write `%3F`", "如果问号是名字的一部分，请写成 `%3F`")),
        '#' => Problem::new(text!(
            "a path ends before the `#`: browsers do not send what follows to the server",
            "`path` 只写到 `#` 之前：浏览器不会把后面的部分发给服务器"
        ))
        .hint(write(before))
        .hint(text!("if the sign is part of the name, write `%23`", "如果这个符号是名字的一部分，请写成 `%23`")),
        '\\' => with_slashes(written),
        '／' | '＼' => {
            let message = text!("this slash is full-width", "这个斜杠是全角的");
            Problem::new(message).hint(write(written.replace(['／', '＼'], "/")))
        }
        c => unseen(c, written),
    }
}

fn with_slashes(written: &str) -> Problem {
    let slashes = written.replace('\\', "/");
    if slashes.get(1..2) == Some(":") {
        return Problem::new(text!(
            "a path is the address of a page, not of a file on a disk",
            "`path` 是页面的网址，不是磁盘上的文件"
        ))
        .hint(text!("for example `/about`", "例如 `/about`"));
    }
    let missing = if slashes.starts_with('/') { "" } else { "/" };
    Problem::new(text!("the parts of a path are separated by `/`, not `\\`", "`path` 的各段之间用 `/`，不用 `\\`"))
        .hint(write(format!("{missing}{slashes}")))
}

/// The problem with a character that cannot be seen, and the value without it.
pub(crate) fn unseen(c: char, written: &str) -> Problem {
    let clean: String = written.chars().filter(|c| Unseen::of(*c).is_none()).collect();
    let what = invisible::describe(c);
    let problem = Problem::new(text!("{what} is hidden in this value", "这段内容里有{what}", what));
    if matches!(c, '\n' | '\r' | '\t') {
        let instead = if c == '\t' {
            text!("replace it with a space, or delete it", "请换成一个空格，或者直接删掉")
        } else {
            text!("write everything on one line", "请写在一行里")
        };
        return problem.hint(instead).hint(text!(
            "if you typed `\\n` or `\\t`: these stand for a line break and a tab; for a `\\` itself, write `\\\\`",
            "如果您写的是 `\\n` 或 `\\t`：它们表示换行和制表符；反斜杠本身要写成 `\\\\`"
        ));
    }
    problem.hint(text!(
        "it often slips in when text is copied; retype the value: `{clean}`",
        "这类字符常在复制文字时混进来；请重新输入：`{clean}`"
    ))
}

/// Decodes one segment and checks what came out.
fn decode(raw: &str) -> Result<String, Problem> {
    if raw.is_empty() {
        return Err(Problem::new(text!("a path cannot contain `//`", "`path` 里不能有 `//`"))
            .hint(text!("one `/` is enough", "写一个 `/` 就够了")));
    }
    check_escapes(raw)?;
    let decoded = percent_decode_str(raw).decode_utf8().map_err(|_| {
        Problem::new(text!("`{raw}` is not valid UTF-8 when decoded", "`{raw}` 解码之后不是有效的 UTF-8 文字"))
    })?;
    let segment: String = decoded.nfc().collect();
    check_segment(&segment, raw)?;
    Ok(segment)
}

/// Every `%` must be followed by two hexadecimal digits.
///
/// # Errors
/// A `%` that is followed by something else.
pub fn check_escapes(raw: &str) -> Result<(), Problem> {
    let bytes = raw.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
    let broken = |at: &usize| !(is_digit(at + 1) && is_digit(at + 2));
    match raw.match_indices('%').map(|(at, _)| at).find(broken) {
        None => Ok(()),
        Some(at) => {
            Err(Problem::new(text!("`%` must be followed by two hexadecimal digits", "`%` 后面要有两位十六进制编码"))
                .at(at..at + 1)
                .hint(text!("for the sign itself, write `%25`", "如果要写百分号本身，请写成 `%25`")))
        }
    }
}

fn check_segment(segment: &str, raw: &str) -> Result<(), Problem> {
    if segment == "." || segment == ".." {
        return Err(Problem::new(text!("a path cannot contain `{segment}`", "`path` 里不能有 `{segment}`"))
            .hint(text!("write the full path, starting with `/`", "请从开头的 `/` 起完整写出")));
    }
    if segment.contains(['/', '\\']) {
        return Err(Problem::new(text!(
            "`{raw}` is an encoded slash, which file names cannot contain",
            "`{raw}` 是编码后的斜杠，文件名里不能有斜杠"
        )));
    }
    if let Some(c) = segment.chars().find(|c| Unseen::of(*c).is_some()) {
        let what = invisible::describe(c);
        return Err(Problem::new(text!("`{raw}` contains {what}", "`{raw}` 里有{what}", what)));
    }
    let is_bracketed = segment.starts_with('[') && segment.ends_with(']');
    if segment.starts_with(':') || segment.ends_with('*') || is_bracketed {
        return Err(Problem::new(text!(
            "`{segment}` looks like a parameter, but every page has a fixed address",
            "`{segment}` 看起来是参数，但每个页面的网址都是固定的"
        ))
        .hint(text!("write a separate route for each page", "请为每个页面各写一条 `[[route]]`")));
    }
    if segment.len() > LONGEST_SEGMENT {
        let length = segment.len();
        return Err(Problem::new(text!(
            "this part has {length} bytes; file names have at most {LONGEST_SEGMENT}",
            "这一段有 {length} 字节，太长了：文件名最多 {LONGEST_SEGMENT} 字节（一个汉字占 3 字节）"
        )));
    }
    Ok(())
}

/// Names that stand for devices in every folder of Windows, whatever follows a dot behind them.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
/// What makes such a name of `com` and `lpt`; the raised digits count as digits.
const DEVICE_NUMBERS: [&str; 12] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"];

fn windows_objection(segment: &str) -> Option<Text> {
    let stem = segment.split('.').next().unwrap_or(segment).trim_end().to_ascii_lowercase();
    let numbered = |name: &str| stem.strip_prefix(name).is_some_and(|number| DEVICE_NUMBERS.contains(&number));
    if DEVICES.contains(&stem.as_str()) || numbered("com") || numbered("lpt") {
        return Some(text!("`{stem}` is a device name there", "`{stem}` 在那里是设备名"));
    }
    if segment.ends_with(['.', ' ']) {
        return Some(text!("it drops a dot or space at the end", "末尾的点或空格会丢失"));
    }
    let forbidden = segment.chars().find(|c| "<>:\"|?*".contains(*c))?;
    Some(text!("`{forbidden}` has another meaning there", "`{forbidden}` 在那里另有含义"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(written: &str) -> RoutePath {
        RoutePath::parse(written).unwrap_or_else(|problem| panic!("{written}: {problem:?}"))
    }

    #[test]
    fn one_path_has_one_spelling() {
        for (a, b) in
            [("/caf\u{e9}", "/cafe\u{301}"), ("/a%20b/", "/a b"), ("/%61bout", "/about"), ("/%E5%85%B3", "/关")]
        {
            assert_eq!(parsed(a), parsed(b));
        }
    }

    #[test]
    fn refusals_point_at_the_culprit() {
        for (written, range) in [
            ("/a/#b", Some(3..4)),
            ("/a?b=1", Some(2..3)),
            ("/a\\b", Some(2..3)),
            ("/关\u{202e}于", Some(4..7)),
            ("/a\u{200b}", Some(2..5)),
            ("/a\tb", Some(2..3)),
            ("/a//b", Some(3..3)),
            ("//a", Some(1..1)),
            ("/a/../b", Some(3..5)),
            ("/./b", Some(1..2)),
            ("/a/%2e%2E", Some(3..9)),
            ("/a%2Fb", Some(1..6)),
            ("/a%5cb", Some(1..6)),
            ("/a%00", Some(1..5)),
            ("/关%zz", Some(4..5)),
            ("/a%", Some(2..3)),
            ("/%ff", Some(1..4)),
            ("/user/:id", Some(6..9)),
            ("/docs/*", Some(6..7)),
            ("/a//", Some(3..3)),
            ("", None),
            ("about", None),
            (" /about", None),
            ("/about\u{3000}", None),
            ("https://x.example/about", None),
        ] {
            assert_eq!(RoutePath::parse(written).expect_err(written).range, range, "{written}");
        }
        assert!(RoutePath::parse(&format!("/{}", "长".repeat(86))).is_err());
        assert!(RoutePath::parse(&format!("/{}", "长".repeat(85))).is_ok());
        assert!(RoutePath::parse(&"/a".repeat(1025)).is_err());
    }

    #[test]
    fn corrected_values_are_offered() {
        assert_eq!(RoutePath::parse("about").expect_err("slash").hints, ["write `/about`"]);
        assert_eq!(RoutePath::parse(" /about ").expect_err("space").hints, ["write `/about`"]);
        assert_eq!(RoutePath::parse("\\a\\b").expect_err("backslash").hints, ["write `/a/b`"]);
    }

    #[test]
    fn taken_addresses() {
        for taken in ["/404", "/404.html", "/assets/x", "/Assets", "/index.html", "/a/Index.HTML", "/robots.txt"] {
            assert!(parsed(taken).reserved().is_some(), "{taken}");
        }
        for free in ["/", "/a/404", "/assets2", "/about"] {
            assert!(parsed(free).reserved().is_none(), "{free}");
        }
        assert_eq!(parsed("/a/index.html").reserved().expect("taken").hints, ["write `/a`"]);
    }

    #[test]
    fn names_that_windows_cannot_store() {
        for name in [
            "/con",
            "/aux/x",
            "/a:b",
            "/a%3Fb",
            "/a.",
            "/nul.html",
            "/COM1",
            "/com¹",
            "/lpt³.txt",
            "/CONIN$",
            "/a%20/b",
            "/a*b",
            "/a|b",
        ] {
            assert!(parsed(name).unportable().is_some(), "{name}");
        }
        for name in ["/console", "/com", "/com10", "/a.b", "/con-tact", "/icon"] {
            assert!(parsed(name).unportable().is_none(), "{name}");
        }
    }
}
