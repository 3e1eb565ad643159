//! From the bytes of the file to its text.

use std::{io, path::Path, sync::Arc};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    source::{self, Sources},
    text::{Text, text},
};

use super::{findings::Findings, recovery::Lines};

/// The name of the configuration, in the root folder of a portal.
pub const FILE: &str = "routes.toml";

/// A thousand times what a large portal needs. The parser takes up to 50 bytes of memory for each byte of the file.
const LARGEST_FILE: usize = 32 << 20;

/// Reads the file's text, without a byte order mark, and with line ends that a parser knows.
///
/// # Errors
/// The file cannot be read, or is not meant to be text in UTF-8. Stray bytes and odd line ends are only added to
/// `findings`.
pub(crate) fn read(sources: &dyn Sources, root: &Path, findings: &mut Findings) -> Result<Arc<SourceText>, Diagnostic> {
    let bytes = sources.read(&root.join(FILE)).map_err(|error| unreadable(sources, &error, root))?;
    if bytes.len() > LARGEST_FILE {
        let (size, limit) = (bytes.len() >> 20, LARGEST_FILE >> 20);
        return Err(Diagnostic::error(text!(
            "{FILE} has {size} MB; the limit is {limit} MB",
            "{FILE} 有 {size} MB，超过 {limit} MB 的上限"
        )));
    }
    if let Some(error) = foreign(&bytes) {
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]);
        let first_line = start.lines().next().unwrap_or_default();
        let source = SourceText::new(FILE, first_line);
        return Err(error.at(Place::new(&source, 0..first_line.len())));
    }
    Ok(decode(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes), findings))
}

fn unreadable(sources: &dyn Sources, error: &io::Error, root: &Path) -> Diagnostic {
    if error.kind() == io::ErrorKind::NotFound && sources.link_kind(&root.join(FILE)).is_ok() {
        return Diagnostic::error(text!("{FILE} is a broken symbolic link", "{FILE} 是失效的符号链接"))
            .with_hint(text!("put the file there, or fix the link", "请把文件放到那里，或者改正这个链接"));
    }
    if error.kind() == io::ErrorKind::NotFound {
        let root = root.display();
        return Diagnostic::error(text!("there is no {FILE} in {root}", "{root} 里没有 {FILE}")).with_hint(text!(
            "change to the folder of your portal, or set it with `--root`",
            "请先进入门户所在的文件夹，或用 `--root` 指定它"
        ));
    }
    let (reason, _) = source::explain(error);
    Diagnostic::error(text!("{FILE} cannot be read: {reason}", "无法读取 {FILE}：{reason}", reason))
}

/// What to say of a file that is something else altogether: in each line of it would be a mistake.
fn foreign(bytes: &[u8]) -> Option<Diagnostic> {
    let begins_with = |signs: &[&str]| {
        let start = &bytes[..bytes.len().min(64)];
        let start = String::from_utf8_lossy(start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start));
        signs.iter().any(|sign| start.trim_start().to_ascii_lowercase().starts_with(sign))
    };
    let is_wide = matches!(
        bytes,
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [1..=255, 0, 1..=255, 0, ..] | [0, 1..=255, 0, 1..=255, ..]
    );
    let as_text = || text!("save the file again as plain text", "请把文件另存为纯文本");
    let (message, hint) = if is_wide {
        (text!("{FILE} is stored as UTF-16", "{FILE} 是用 UTF-16 编码保存的"), save_as_utf8())
    } else if begins_with(&["pk\u{3}\u{4}", "{\\rtf"]) {
        (text!("{FILE} is a word processor document", "{FILE} 是文字处理软件的文档"), as_text())
    } else if begins_with(&["<!doctype", "<html", "<?xml"]) {
        (text!("{FILE} is a web page", "{FILE} 是一个网页文件"), as_text())
    } else if begins_with(&["{"]) {
        let hint = text!(
            "a route is a line `[[route]]` followed by lines such as `path = \"/about\"`",
            "每个网址先写一行 `[[route]]`，下面是 `path = \"/about\"` 这样的行"
        );
        (text!("{FILE} is JSON, not TOML", "{FILE} 是 JSON 格式，不是 TOML"), hint)
    } else {
        return None;
    };
    Some(Diagnostic::error(message).with_hint(hint))
}

fn save_as_utf8() -> Text {
    text!("save it again with UTF-8 encoding", "请用 UTF-8 编码重新保存")
}

/// Replaces what is not UTF-8, complains about the first such byte and distrusts every line with one.
fn decode(bytes: &[u8], findings: &mut Findings) -> Arc<SourceText> {
    let mut text = String::with_capacity(bytes.len());
    let mut invalid = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            invalid.push(text.len()..text.len() + char::REPLACEMENT_CHARACTER.len_utf8());
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    let (text, old_line_end) = with_line_ends(text);
    let source = SourceText::new(FILE, text);
    if let Some(at) = old_line_end {
        let message = text!("these are classic Mac OS line endings (CR)", "换行符不对（旧版 Mac 格式）");
        findings.add(Diagnostic::error(message).at(Place::new(&source, at..at)).with_hint(text!(
            "save the file again with LF or CRLF line endings",
            "请用常见的换行符（LF 或 CRLF）重新保存文件"
        )));
    }
    let Some(first) = invalid.first() else { return source };
    let message = match invalid.len() {
        1 => text!("this character is not UTF-8", "这个字符不是 UTF-8 编码"),
        many => text!(
            "{many} characters are not UTF-8; this is the first",
            "这个文件不是 UTF-8 编码：有 {many} 个字符无法识别，这是第一个"
        ),
    };
    findings.add(Diagnostic::error(message).at(Place::new(&source, first.clone())).with_hint(save_as_utf8()));
    let lines = Lines::of(&source.text);
    for range in invalid {
        findings.distrust(lines.around(range.start));
    }
    source
}

/// The text with line feeds in place of lonely carriage returns, and where the first of them was.
fn with_line_ends(text: String) -> (String, Option<usize>) {
    let is_lonely = |at: &usize| !text[at + 1..].starts_with('\n');
    let lonely: Vec<usize> = text.match_indices('\r').map(|(at, _)| at).filter(is_lonely).collect();
    let Some(first) = lonely.first().copied() else { return (text, None) };
    let mut bytes = text.into_bytes();
    for at in lonely {
        bytes[at] = b'\n';
    }
    (String::from_utf8(bytes).unwrap_or_default(), Some(first))
}
