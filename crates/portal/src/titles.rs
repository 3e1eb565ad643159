//! Titles and descriptions as a table for spreadsheet programs, and back.
//!
//! The table has the columns `path`, `title` and `description`, one row for each route in the order of the file, with the
//! texts as they stand there: `{product}` is not filled in, so that a table that nobody changed changes nothing.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText, did_you_mean},
    text::text,
};

use crate::{
    Portal, Problem, RoutePath,
    edit::{self, Edit, Key},
};

/// By this mark spreadsheet programs know that a table is in UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// What the columns may be called, the name that is written first.
const PATH: &[&str] = &["path", "路径"];
const COLUMNS: [(Key, &[&str]); 2] = [(Key::Title, &["title", "标题"]), (Key::Description, &["description", "描述"])];

/// The table of a portal: CSV in UTF-8 with a byte order mark, lines ending in CR LF.
pub fn export(portal: &Portal) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let header = std::iter::once(PATH[0]).chain(COLUMNS.map(|(key, _)| key.name()));
    // Writing to memory does not fail.
    let _ = writer.write_record(header);
    for route in portal.in_file_order() {
        let texts = COLUMNS.map(|(key, _)| key.of(route).map_or("", |written| written.text.as_str()));
        let path = route.path.readable();
        let _ = writer.write_record(std::iter::once(path.as_str()).chain(texts));
    }
    let table = writer.into_inner().unwrap_or_default();
    [BYTE_ORDER_MARK.as_bytes(), &table].concat()
}

/// The edits that a table asks for. `name` is what messages call it.
///
/// Columns may come in any order, with commas, semicolons or tabs between them, in UTF-8 or UTF-16. An empty cell asks for
/// nothing, and neither does a route that the table does not mention.
///
/// # Errors
/// Everything that is wrong with the table, each with its cell: an encoding that cannot be told, no column of paths, a path
/// that no route has or that stands there twice, a text that cannot be shown.
pub fn import(name: &str, bytes: &[u8], portal: &Portal) -> Result<Vec<Edit>, Vec<Diagnostic>> {
    let source = SourceText::new(name, decode(name, bytes).map_err(|error| vec![error])?);
    let mut table = Table::read(&source).map_err(|error| vec![error])?;
    let mut errors = Vec::new();
    let mut seen: BTreeMap<RoutePath, Place> = BTreeMap::new();
    let mut edits = Vec::new();
    for row in std::mem::take(&mut table.rows) {
        match table.edits(&row, portal, &mut seen) {
            Ok(asked) => edits.extend(asked),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(edits) } else { Err(errors) }
}

fn decode(name: &str, bytes: &[u8]) -> Result<String, Diagnostic> {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.as_chunks().0.iter().map(|pair| unit(*pair));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        return Ok(utf16(rest, u16::from_le_bytes));
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        return Ok(utf16(rest, u16::from_be_bytes));
    }
    let source = SourceText::decode(name, bytes.to_vec());
    Ok(source.map_err(|error| not_utf8(*error))?.text.clone())
}

/// Spreadsheet programs in Chinese save in GBK unless they are told otherwise.
fn not_utf8(error: Diagnostic) -> Diagnostic {
    let hint = text!(
        "in Excel, choose “CSV UTF-8”; elsewhere, choose the character set when you save",
        "在 Excel 里选“CSV UTF-8（逗号分隔）”；在其他软件里，保存时选择字符集"
    );
    error.with_hint(hint)
}

/// A cell with what is needed to complain about it.
struct Cell {
    text: String,
    place: Place,
}

type Row = Vec<Cell>;

struct Table {
    /// Which column holds what.
    path: usize,
    texts: Vec<(Key, usize)>,
    rows: Vec<Row>,
}

impl Table {
    fn read(source: &Arc<SourceText>) -> Result<Self, Diagnostic> {
        let mut rows = rows(source)?.into_iter();
        let top = || Place::new(source, 0..0);
        let header =
            rows.next().ok_or_else(|| Diagnostic::error(text!("this table is empty", "这个表格是空的")).at(top()))?;
        let column = |names: &[&str]| header.iter().position(|cell| names.contains(&cell.text.to_lowercase().as_str()));
        let path = column(PATH).ok_or_else(|| no_paths(&header).at(top()))?;
        let texts = COLUMNS.iter().filter_map(|(key, names)| Some((*key, column(names)?))).collect::<Vec<_>>();
        if texts.is_empty() {
            return Err(Diagnostic::error(text!(
                "this table has neither a `title` nor a `description` column",
                "这个表格里没有 `title` 列，也没有 `description` 列"
            ))
            .at(top()));
        }
        Ok(Self { path, texts, rows: rows.collect() })
    }

    /// What a row asks for.
    fn edits(
        &self,
        row: &Row,
        portal: &Portal,
        seen: &mut BTreeMap<RoutePath, Place>,
    ) -> Result<Vec<Edit>, Vec<Diagnostic>> {
        let Some(cell) = row.get(self.path).filter(|_| row.iter().any(|cell| !cell.text.is_empty())) else {
            return Ok(Vec::new());
        };
        let path = cell.path(portal).map_err(|error| vec![error])?;
        if let Some(first) = seen.insert(path.clone(), cell.place.clone()) {
            let error = Diagnostic::error(text!("`{path}` appears twice in the table", "`{path}` 在表格里出现了两次"));
            return Err(vec![error.at(cell.place.clone()).with_related(first, text!("the first one", "第一处"))]);
        }
        let mut errors = Vec::new();
        let mut edits = Vec::new();
        for (key, column) in &self.texts {
            let Some(cell) = row.get(*column).filter(|cell| !cell.text.is_empty()) else { continue };
            match crate::check_text(&cell.text) {
                Ok(()) => edits.push(Edit { path: path.clone(), key: *key, text: cell.text.clone() }),
                Err(problem) => errors.push(cell.complain(problem)),
            }
        }
        if errors.is_empty() { Ok(edits) } else { Err(errors) }
    }
}

impl Cell {
    fn path(&self, portal: &Portal) -> Result<RoutePath, Diagnostic> {
        let path = RoutePath::parse(&self.text).map_err(|problem| self.complain(problem))?;
        let is_known = portal.route(&path).is_some();
        if is_known { Ok(path) } else { Err(edit::no_route(portal, &path).at(self.place.clone())) }
    }

    fn complain(&self, problem: Problem) -> Diagnostic {
        problem.into_error().at(self.place.clone())
    }
}

fn no_paths(header: &Row) -> Diagnostic {
    let error = Diagnostic::error(text!("this table has no `path` column", "这个表格里没有 `path` 列"));
    let similar = header.iter().find(|cell| did_you_mean(&cell.text, PATH.iter().copied()).is_some());
    let error = match similar {
        Some(cell) => {
            let name = &cell.text;
            error.with_hint(text!("rename the column `{name}` to `path`", "请把 `{name}` 这一列改名为 `path`"))
        }
        None => error,
    };
    error.with_hint(text!(
        "the first row contains the column names: path, title, description",
        "第一行写各列的名字：path、title、description"
    ))
}

/// All rows, the first one with the names of the columns. Space around cells is a slip of typing.
fn rows(source: &Arc<SourceText>) -> Result<Vec<Row>, Diagnostic> {
    let text = source.text.as_str();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(text))
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    loop {
        let start = offset(reader.position());
        let more = reader.read_record(&mut record).map_err(|error| {
            let message = text!("this row cannot be read: {error}", "无法读取这一行：{error}");
            Diagnostic::error(message).at(Place::new(source, start..start))
        })?;
        if !more {
            return Ok(rows);
        }
        let range = start..offset(reader.position());
        rows.push(cells(source, &record, range));
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
        Cell { text: text.to_owned(), place: place(text).unwrap_or_else(|| Place::new(source, row.clone())) }
    };
    record.iter().map(cell).collect()
}

fn offset(position: &csv::Position) -> usize {
    usize::try_from(position.byte()).unwrap_or(usize::MAX)
}

/// What stands between cells: the one of the usual signs that the first line has most of.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    let count = |sign: &u8| first.bytes().filter(|byte| byte == sign).count();
    // Of several that are as frequent the last one wins.
    [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',')
}
