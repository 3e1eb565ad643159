//! Tables as text: CSV in whatever character set, with whatever between the cells.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use encoding_rs::{Encoding, GB18030, UTF_16BE, UTF_16LE};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    text::{Text, text},
};

use super::{
    cells::{Cell, Grid, Row, Spot},
    workbook,
};
use crate::Problem;

/// Reads the cells of a table.
///
/// # Errors
/// Everything that is wrong with the text as a whole, and with how it is divided into cells.
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Grid, Vec<Diagnostic>> {
    let text = decode(name, bytes).map_err(|error| vec![error])?;
    let source = SourceText::new(name, text);
    let start = || Place::new(&source, 0..0);
    if let Some(problem) = other_format(&source.text) {
        return Err(vec![problem.into_error().at(start())]);
    }
    let rows = rows(&source).map_err(|error| vec![error])?;
    Ok(Grid { rows, start: Spot::Text(start()) })
}

/// The text of a file: UTF-8, UTF-16, or GB18030, in which programs in Chinese save.
fn decode(name: &str, bytes: &[u8]) -> Result<String, Diagnostic> {
    if let Some(encoding) = utf16(bytes) {
        return Ok(encoding.decode(bytes).0.into_owned());
    }
    match SourceText::decode(name, bytes.to_vec()) {
        Ok(source) => Ok(source.text.clone()),
        Err(error) => gb18030(bytes).ok_or_else(|| not_utf8(*error)),
    }
}

/// UTF-16 by its mark, or by the empty halves of its first letters.
fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [0xff, 0xfe, ..] => Some(UTF_16LE),
        [0xfe, 0xff, ..] => Some(UTF_16BE),
        [first, 0, second, 0, ..] if *first > 0 && *second > 0 => Some(UTF_16LE),
        [0, first, 0, second, ..] if *first > 0 && *second > 0 => Some(UTF_16BE),
        _ => None,
    }
}

/// The text as GB18030 has it. Most bytes of any other character set are some character there, so nearly all characters
/// must be of those that texts in Chinese are made of.
fn gb18030(bytes: &[u8]) -> Option<String> {
    let text = GB18030.decode_without_bom_handling_and_without_replacement(bytes)?.into_owned();
    let (mut common, mut all, mut rest) = (0, 0, bytes);
    while let Some((first, others)) = rest.split_first() {
        rest = others;
        if first.is_ascii() {
            continue;
        }
        let second = others.first().copied().unwrap_or_default();
        let is_common = matches!(first, 0xa1 | 0xa3 | 0xb0..=0xf7) && second >= 0xa1;
        all += 1;
        common += usize::from(is_common);
        // A digit at the second place makes it four bytes.
        rest = others.get(if second.is_ascii_digit() { 3 } else { 1 }..).unwrap_or_default();
    }
    (common * 5 >= all * 4).then_some(text)
}

fn not_utf8(error: Diagnostic) -> Diagnostic {
    let hint = text!(
        "in Excel that is “CSV UTF-8”; elsewhere choose the character set when you save",
        "在 Excel 里是“CSV UTF-8（逗号分隔）”；在其他软件里，保存时选择字符集"
    );
    error.with_hint(hint)
}

/// What a text is if it is no table.
fn other_format(text: &str) -> Option<Problem> {
    let start = text.trim_start();
    let what = if start.starts_with("%PDF") {
        text!("this is a PDF, not a table", "这是 PDF 文件，不是表格")
    } else if start.starts_with('<') {
        text!("this is HTML or XML, not a table", "这是 HTML 或 XML 文件，不是表格")
    } else if start.starts_with(['{', '[']) && !start.starts_with("[[") {
        text!("this is JSON, not a table", "这是 JSON 文件，不是表格")
    } else {
        return None;
    };
    Some(Problem::new(what).hint(workbook::save_as_workbook()))
}

/// All rows, the first one with the names of the columns. Space around cells is a slip of typing.
fn rows(source: &Arc<SourceText>) -> Result<BTreeMap<usize, Row>, Diagnostic> {
    let (skipped, delimiter) = divided(&source.text);
    let text = &source.text[skipped..];
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    let mut rows = BTreeMap::new();
    let mut record = csv::StringRecord::new();
    loop {
        let start = skipped + offset(reader.position());
        let number = usize::from(skipped > 0) + rows.len();
        let more = reader.read_record(&mut record).map_err(|error| {
            let message = text!("this row cannot be read: {error}", "无法读取这一行：{error}");
            Diagnostic::error(message).at(Place::new(source, start..start))
        })?;
        if !more {
            return Ok(rows);
        }
        let range = start..skipped + offset(reader.position());
        if let Some(open) = open_quote(&source.text, range.clone(), delimiter) {
            return Err(unclosed().into_error().at(Place::new(source, open..open + 1)));
        }
        // Markdown draws a line below the names of columns.
        if !record.iter().all(|cell| cell.chars().all(|c| "-: ".contains(c))) || record.iter().all(str::is_empty) {
            rows.insert(number, cells(source, &record, range));
        }
    }
}

/// The cells of a record, each placed on its letters where the table spells them out, else on the row.
fn cells(source: &Arc<SourceText>, record: &csv::StringRecord, range: Range<usize>) -> Row {
    let whole = &source.text[range.clone()];
    let row = range.start + (whole.len() - whole.trim_start_matches(['\r', '\n']).len());
    let row = row..row + source.text[row..range.end].trim_end().len();
    let mut from = row.start;
    let mut place = |text: &str| {
        let found = source.text[from..row.end].find(text).filter(|_| !text.is_empty())?;
        let start = from + found;
        from = start + text.len();
        Some(Place::new(source, start..from))
    };
    let cell = |text: &str| {
        let text = text.trim();
        let place = place(text).unwrap_or_else(|| Place::new(source, row.clone()));
        Cell { text: text.to_owned(), spot: Spot::Text(place), problem: None }
    };
    record.iter().map(cell).enumerate().collect()
}

fn offset(position: &csv::Position) -> usize {
    usize::try_from(position.byte()).unwrap_or(usize::MAX)
}

/// The quote of a last cell that is never closed: whatever follows it would be that cell.
fn open_quote(text: &str, range: Range<usize>, delimiter: u8) -> Option<usize> {
    let row = &text[range.clone()];
    if range.end < text.len() || row.matches('"').count().is_multiple_of(2) {
        return None;
    }
    let delimiter = char::from(delimiter);
    let begins_cell = |at: usize| {
        let before = row[..at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with(['\n', '\r', delimiter])
    };
    row.rmatch_indices('"').map(|(at, _)| at).find(|at| begins_cell(*at)).map(|at| range.start + at)
}

fn unclosed() -> Problem {
    Problem::new(text!("the text that begins with this quote is not closed", "这个引号开始的文字没有结束")).hint(text!(
        "add a quote after the text, or remove this one; a quote inside the text is written twice: `\"\"`",
        "请在文字后面补上引号，或者删掉这个；文字里面的引号要写两遍：`\"\"`"
    ))
}

/// What stands between cells, and how long the line is that says so, as Excel writes it: `sep=;`.
fn divided(text: &str) -> (usize, u8) {
    let first = text.lines().next().unwrap_or_default();
    let said = first.strip_prefix("sep=").and_then(|rest| rest.bytes().next()).filter(u8::is_ascii);
    match said {
        Some(sign) => (text.find('\n').map_or(text.len(), |at| at + 1), sign),
        None => (0, delimiter(first)),
    }
}

/// The one of the usual signs that the first line has most of.
fn delimiter(first: &str) -> u8 {
    let count = |sign: &u8| first.bytes().filter(|byte| byte == sign).count();
    // Of several that are as frequent the last one wins.
    [b'|', b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',')
}

/// What is wrong with how the first row is divided, when it is all one cell.
pub(super) fn undivided(header: &str) -> Option<Text> {
    if header.contains(['，', '；', '｜']) {
        return Some(text!(
            "cells are separated by half-width commas `,`, not by full-width ones",
            "单元格之间用半角逗号 `,`，不用全角逗号"
        ));
    }
    if header.contains([',', ';', '\t', '|']) {
        return Some(text!(
            "quotes around a whole row make it a single cell: remove them",
            "整行放在引号里，会变成一个单元格：请去掉行首和行尾的引号"
        ));
    }
    header
        .contains("  ")
        .then(|| text!("cells are separated by commas or tabs, not by spaces", "单元格之间用逗号或制表符，不用空格"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_gb18030(text: &str) -> Vec<u8> {
        GB18030.encode(text).0.into_owned()
    }

    #[test]
    fn character_sets() {
        let text = "path,title\n/about,关于我们，登录\n";
        assert_eq!(gb18030(&in_gb18030(text)).as_deref(), Some(text));
        assert_eq!(gb18030(&in_gb18030("path,title\n/a,关于𠀀我们\n")).as_deref(), Some("path,title\n/a,关于𠀀我们\n"));
        // Letters with accents of a Western computer.
        // 關於我們的產品 in Big5, which is read as `闽и玻珇` otherwise.
        assert_eq!(gb18030(b"/about,\xc3\xf6\xa9\xf3\xa7\xda\xad\xcc\xaa\xba\xb2\xa3\xab~\n"), None);
        for text in ["/a,Pr\u{e9}nom et \u{e2}ge\n", "/a,caf\u{e9}\n", "/a,\u{dc}ber uns\n"] {
            let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
            assert_eq!(gb18030(&bytes), None, "{text}");
        }
    }

    #[test]
    fn quotes_without_an_end() {
        for (text, at) in [
            ("path,title\n/about,\"About\n/x,y\n", Some(18)),
            ("path,title\n/about,\"About\"\n", None),
            ("path,title\n/about,\"a \"\"b\"\" c\"\n", None),
            ("path,title\n/about,5\" disk\n", None),
        ] {
            let found = read("t.csv", text.as_bytes()).err();
            let place = found.and_then(|found| found.first()?.place.clone()).map(|place| place.span.start);
            assert_eq!(place, at, "{text}");
        }
    }
}
