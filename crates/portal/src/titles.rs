//! Titles and descriptions as a table for spreadsheet programs, and back.
//!
//! The table has the columns `path`, `title` and `description`, one row for each route in the order of the file, with the
//! texts as they stand there: `{product}` is not filled in, so that a table that nobody changed changes nothing.
//!
//! What a file is its content says, and not its name: [`delimited`] reads CSV, and [`workbook`] those of Excel. Both give
//! [`cells`], which are judged here.

mod cells;
mod delimited;
mod workbook;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use portalgen_base::{
    diagnostic::{Diagnostic, did_you_mean},
    text::{Text, text},
};

use self::cells::{Cell, Grid, Row, Spot, cell_name};
use crate::{
    FILE, Portal, Problem, RoutePath,
    edit::{self, Edit, Key},
    routes,
    template::{self, Values},
    wording,
};

/// By this mark spreadsheet programs know that a table is in UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// What the columns may be called, the name that is written first.
const PATH: &[&str] = &["path", "路径", "网址", "url"];
const COLUMNS: [(Key, &[&str]); 2] = [
    (Key::Title, &["title", "标题", "页面标题", "page title"]),
    (Key::Description, &["description", "描述", "页面描述"]),
];

/// How many rows may stand above that with the names of the columns: a caption, what to do.
const ABOVE: usize = 10;

/// A kind of file that tables are written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// CSV in UTF-8 with a byte order mark, lines ending in CR LF.
    Csv,
    /// A workbook of Excel, `.xlsx`.
    Workbook,
}

impl Format {
    /// The kind that a file's name asks for.
    ///
    /// # Errors
    /// A kind that is not written.
    pub fn of(file: &Path) -> Result<Self, Problem> {
        let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "xlsx" => Ok(Self::Workbook),
            other @ ("xls" | "xlsm" | "xlsb" | "ods" | "numbers") => Err(Problem::new(text!(
                "portalgen does not write `.{other}` files",
                "portalgen 不能写 `.{other}` 文件"
            ))
            .hint(text!("name the file `.xlsx` or `.csv`", "请把文件命名为 `.xlsx` 或 `.csv`"))),
            _ => Ok(Self::Csv),
        }
    }
}

/// The table of a portal.
///
/// # Errors
/// A text that is too long for a cell of a workbook.
pub fn export(portal: &Portal, format: Format) -> Result<Vec<u8>, Problem> {
    let rows = written(portal);
    let rows = rows.iter().map(|row| row.each_ref().map(String::as_str));
    match format {
        Format::Csv => Ok(csv(rows)),
        Format::Workbook => workbook::write(rows),
    }
}

/// The rows of a portal's table, names of columns first.
fn written(portal: &Portal) -> Vec<[String; 3]> {
    let [(title, _), (description, _)] = COLUMNS;
    let header = [PATH[0], title.name(), description.name()].map(str::to_owned);
    let routes = portal.in_file_order().into_iter().map(|route| {
        let text = |key: Key| key.of(route).map_or(String::new(), |written| written.text.clone());
        [route.path.readable(), text(title), text(description)]
    });
    std::iter::once(header).chain(routes).collect()
}

fn csv<'t>(rows: impl Iterator<Item = [&'t str; 3]>) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    for row in rows {
        // Writing to memory does not fail.
        let _ = writer.write_record(row);
    }
    let table = writer.into_inner().unwrap_or_default();
    [BYTE_ORDER_MARK.as_bytes(), &table].concat()
}

/// The complaint about writing over a table that is there already; none when it has the same cells.
pub fn check_overwriting(name: &str, bytes: &[u8], portal: &Portal) -> Option<Diagnostic> {
    let overwrite = text!("`--force` overwrites it", "加上 `--force` 会覆盖它");
    let Ok(grid) = read(name, bytes) else {
        let message =
            text!("{name} already exists and is not a table of titles", "{name} 已经存在，而且不是标题的表格");
        return Some(Diagnostic::error(message).with_hint(elsewhere()).with_hint(overwrite));
    };
    let differing = differing(grid, portal);
    let (row, column) = differing.first()?;
    let (count, first) = (differing.len(), cell_name(*row, *column));
    let message = if count == 1 {
        text!(
            "{name} already exists, and its cell {first} differs from {FILE}",
            "{name} 已经存在，其中 {first} 单元格与 {FILE} 不同"
        )
    } else {
        text!(
            "{name} already exists, and {count} of its cells differ from {FILE}, the first one being {first}",
            "{name} 已经存在，其中 {count} 个单元格与 {FILE} 不同，第一个是 {first}"
        )
    };
    let asks_for_nothing = import(name, bytes, portal).is_ok_and(|import| import.edits.is_empty());
    let hint = if asks_for_nothing { elsewhere() } else { look_first(name) };
    Some(Diagnostic::error(message).with_hint(hint).with_hint(overwrite))
}

fn elsewhere() -> Text {
    text!("export to another file", "请导出到另一个文件")
}

fn look_first(name: &str) -> Text {
    let name = if name.contains(' ') { format!("\"{name}\"") } else { name.to_owned() };
    text!(
        "`portalgen titles import {name} --dry-run` shows what it would change; run it without `--dry-run` to apply that",
        "`portalgen titles import {name} --dry-run` 会显示其中有哪些修改；去掉 `--dry-run` 就会导入"
    )
}

/// The cells of a table that differ from those of the portal's, by row and column.
fn differing(grid: Grid, portal: &Portal) -> BTreeSet<(usize, usize)> {
    let mut own: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for (row, cells) in written(portal).into_iter().enumerate() {
        own.extend(cells.into_iter().enumerate().map(|(column, text)| ((row, column), text.trim().to_owned())));
    }
    let mut differing = BTreeSet::new();
    for (row, cells) in grid.rows {
        for (column, cell) in cells {
            let expected = own.remove(&(row, column)).unwrap_or_default();
            if cell.problem.is_some() || cell.text != expected {
                differing.insert((row, column));
            }
        }
    }
    differing.extend(own.into_iter().filter(|(_, text)| !text.is_empty()).map(|(place, _)| place));
    differing
}

/// What a table asks for.
#[derive(Debug, Default)]
pub struct Import {
    /// The edits, in the order of the table.
    pub edits: Vec<Edit>,
    /// What is probably not what its author has typed.
    pub warnings: Vec<Diagnostic>,
}

/// The edits that a table asks for. `name` is what messages call it.
///
/// Columns may come in any order, with commas, semicolons or tabs between them, in UTF-8, UTF-16 or GB18030, or in a
/// workbook of Excel. An empty cell asks for nothing, and neither does a route that the table does not mention.
///
/// # Errors
/// Everything that is wrong with the table, each with its cell: an encoding that cannot be told, no column of paths, a path
/// that no route has or that stands there twice, a text that cannot be shown or that nobody means.
pub fn import(name: &str, bytes: &[u8], portal: &Portal) -> Result<Import, Vec<Diagnostic>> {
    let grid = read(name, bytes)?;
    let mut judge = Judge { portal, seen: BTreeMap::new(), errors: Vec::new(), import: Import::default() };
    let first = grid.rows.values().next().ok_or_else(|| vec![empty(&grid.start)])?;
    let mut rows = grid.rows.values().skip(rows_above(&grid));
    let header = rows.next().unwrap_or(first);
    match judge.columns(header) {
        Some(columns) => rows.for_each(|row| judge.row(&columns, row)),
        None => judge.errors.push(nothing_to_read(header, &grid.start)),
    }
    if judge.errors.is_empty() { Ok(judge.import) } else { Err(judge.errors) }
}

fn read(name: &str, bytes: &[u8]) -> Result<Grid, Vec<Diagnostic>> {
    if workbook::is_workbook(bytes) {
        let has_paths = |grid: &Grid| rows_above(grid) > 0 || grid.rows.values().next().is_some_and(names_paths);
        return workbook::read(name, bytes, &has_paths).map_err(|error| vec![error]);
    }
    delimited::read(name, bytes)
}

fn empty(start: &Spot) -> Diagnostic {
    start.complain(Diagnostic::error(text!("this table is empty", "这个表格是空的")))
}

fn names_paths(row: &Row) -> bool {
    column(row, PATH).is_some()
}

/// How many rows stand above that with the names of the columns; none if there is no such row.
fn rows_above(grid: &Grid) -> usize {
    grid.rows.values().take(ABOVE).position(names_paths).unwrap_or(0)
}

/// The column that has one of these names.
fn column(header: &Row, names: &[&str]) -> Option<usize> {
    header.iter().find(|(_, cell)| names.contains(&cell.text.to_lowercase().as_str())).map(|(column, _)| *column)
}

/// Which column holds what.
struct Columns {
    path: usize,
    texts: Vec<(Key, usize)>,
    /// The last one that has a name.
    last: usize,
}

/// Collects what a table asks for, and what is wrong with it.
struct Judge<'p> {
    portal: &'p Portal,
    seen: BTreeMap<RoutePath, Spot>,
    errors: Vec<Diagnostic>,
    import: Import,
}

impl Judge<'_> {
    /// The columns, if there are those of paths and one of texts.
    fn columns(&mut self, header: &Row) -> Option<Columns> {
        let path = column(header, PATH);
        let texts: Vec<_> = COLUMNS.iter().filter_map(|(key, names)| Some((*key, column(header, names)?))).collect();
        let columns = path.filter(|_| !texts.is_empty());
        if let Some(path) = columns {
            let read: BTreeSet<usize> = texts.iter().map(|(_, column)| *column).chain([path]).collect();
            let others = header.iter().filter(|(column, _)| !read.contains(column));
            self.errors.extend(others.filter_map(|(_, cell)| misnamed(cell, header)));
        }
        let last = header.iter().filter(|(_, cell)| !cell.is_empty()).map(|(column, _)| *column).max().unwrap_or(0);
        Some(Columns { path: columns?, texts, last })
    }

    /// Notes what a row asks for.
    fn row(&mut self, columns: &Columns, row: &Row) {
        let Some(first) = row.values().find(|cell| !cell.is_empty()) else { return };
        if let Some((_, cell)) = row.iter().find(|(column, cell)| **column > columns.last && !cell.is_empty()) {
            self.errors.extend(too_many_cells(cell));
            return;
        }
        let Some(cell) = row.get(&columns.path).filter(|cell| !cell.is_empty()) else {
            self.errors.push(first.error(no_path()));
            return;
        };
        let texts: Vec<(Key, &Cell)> = columns
            .texts
            .iter()
            .filter_map(|(key, column)| Some((*key, row.get(column).filter(|cell| !cell.is_empty())?)))
            .collect();
        match self.path(cell, &texts) {
            Ok(path) => texts.into_iter().for_each(|(key, cell)| self.text(&path, key, cell)),
            Err(error) => {
                // Whose text it is makes no difference to what is wrong with it.
                let others: Vec<_> = texts.into_iter().filter_map(|(_, cell)| self.objection(cell)).collect();
                self.errors.extend(std::iter::once(error).chain(others));
            }
        }
    }

    fn path(&mut self, cell: &Cell, texts: &[(Key, &Cell)]) -> Result<RoutePath, Diagnostic> {
        if let Some(problem) = &cell.problem {
            return Err(cell.error(problem.clone()));
        }
        let path = RoutePath::parse(&cell.text)
            .map_err(|problem| cell.error(self.no_path_at_all(cell, texts).unwrap_or(problem)))?;
        if self.portal.route(&path).is_none() {
            if texts.is_empty() && cell.text.contains([',', ';', '\t', '|']) {
                return Err(cell.error(otherwise_divided()));
            }
            return Err(cell.spot.complain(edit::no_route(self.portal, &path)));
        }
        match self.seen.insert(path.clone(), cell.spot.clone()) {
            None => Ok(path),
            Some(first) => {
                let error = Problem::new(text!("`{path}` appears twice in the table", "`{path}` 在表格里出现了两次"));
                Err(first.relate(cell.error(error), text!("the first one", "第一处")))
            }
        }
    }

    /// What is wrong with words in the column of paths: the columns have changed places, or the row is about no page.
    fn no_path_at_all(&self, cell: &Cell, texts: &[(Key, &Cell)]) -> Option<Problem> {
        let is_route = |text: &str| RoutePath::parse(text).is_ok_and(|path| self.portal.route(&path).is_some());
        if cell.text.contains(['/', '／', '\\']) || is_route(&format!("/{}", cell.text)) {
            return None;
        }
        let words = &cell.text;
        if texts.iter().any(|(_, cell)| is_route(&cell.text)) {
            return Some(
                Problem::new(text!("`{words}` is in the column of paths", "`{words}` 写在了 `path` 列里")).hint(text!(
                    "two columns were swapped: name each after its content",
                    "两列的内容对调了：请按内容改好第一行的列名"
                )),
            );
        }
        Some(Problem::new(text!("`{words}` is not the path of a page", "`{words}` 不是页面的网址")).hint(text!(
            "paths begin with `/`; if this row is not about a page, remove it",
            "网址以 `/` 开头；如果这一行不是页面，请删掉这一行"
        )))
    }

    fn objection(&self, cell: &Cell) -> Option<Diagnostic> {
        let problem = match &cell.problem {
            Some(problem) => problem.clone(),
            None => check(&cell.text, self.portal).err()?,
        };
        Some(cell.error(problem))
    }

    fn text(&mut self, path: &RoutePath, key: Key, cell: &Cell) {
        let route = self.portal.route(path);
        let is_new = route.and_then(|route| key.of(route)).is_none_or(|written| written.text != cell.text);
        if !is_new && cell.problem.is_none() {
            return;
        }
        if let Some(error) = self.objection(cell) {
            return self.errors.push(error);
        }
        if let Some(problem) = converted(&cell.text) {
            let Diagnostic { message, place, hints, .. } = cell.error(problem);
            self.import.warnings.push(Diagnostic { place, hints, ..Diagnostic::warning(message) });
        }
        self.import.edits.push(Edit { path: path.clone(), key, text: cell.text.clone() });
    }
}

/// Refuses a text that an edit cannot mean: one that cannot be shown, or that something else has put in its place.
///
/// # Errors
/// What is wrong with it.
pub fn check(written: &str, portal: &Portal) -> Result<(), Problem> {
    if let Some(problem) = wording::spoiled(written) {
        return Err(problem
            .hint(text!("if it is intended, write it in {FILE} directly", "如果确实要这样写，请直接写在 {FILE} 里")));
    }
    let filled = template::fill(written, Values::of(portal))?;
    routes::check_text(&filled).map_err(|mut problem| {
        // What is filled in cannot be pointed at.
        problem.range = problem.range.filter(|_| filled == written);
        // That `\n` stands for a line break is so in routes.toml only.
        let most = if written.contains(['\n', '\t']) { 1 } else { problem.hints.len() };
        problem.hints.truncate(most);
        problem
    })
}

/// The problem with what spreadsheet programs make of `3-1` and of long numbers before they save a table as text, and with
/// the apostrophe that keeps them from doing so.
fn converted(text: &str) -> Option<Problem> {
    let again = || {
        text!(
            "if it is not what you typed, format the cell as “Text”, type it again and import the table once more",
            "如果与您输入的不同，请把单元格格式设为“文本”，重新输入，再导入一次"
        )
    };
    let looks_like = |what: Text| {
        Problem::new(text!(
            "this looks like a {what} made by a spreadsheet program",
            "这里像是表格软件自动转换成的{what}",
            what
        ))
        .hint(again())
    };
    if is_date(text) {
        Some(looks_like(text!("date", "日期")))
    } else if is_long_number(text) {
        Some(looks_like(text!("number", "数字")))
    } else if text.starts_with('\'') {
        let message = text!("visitors will see the apostrophe before this text", "访问者会看到这段文字前面的撇号");
        Some(Problem::new(message).hint(text!(
            "if it does not belong to the text, remove it and import the table once more",
            "如果它不是文字的一部分，请删掉它，再导入一次"
        )))
    } else {
        None
    }
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['/', '-', '年', '月', '日']).filter(|part| !part.is_empty()).collect();
    let is_month = |part: &str| MONTHS.iter().any(|month| part.eq_ignore_ascii_case(month));
    let names_month = text.contains('月') || parts.iter().any(|part| is_month(part));
    let is_part = |part: &&str| is_short_number(part) || is_month(part);
    parts.iter().all(is_part) && (parts.len() == 3 || (parts.len() == 2 && names_month))
}

/// `1.2E+11`
fn is_long_number(text: &str) -> bool {
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    text.split_once("E+").is_some_and(|(number, exponent)| is_number(number) && is_short_number(exponent))
}

fn is_short_number(text: &str) -> bool {
    (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

fn otherwise_divided() -> Problem {
    Problem::new(text!("this row uses another separator than the first one", "这一行的分隔符与第一行不同")).hint(text!(
        "use the same separator in all rows: commas, semicolons or tabs",
        "所有行的单元格之间请用同一种分隔符：逗号、分号或制表符"
    ))
}

fn no_path() -> Problem {
    Problem::new(text!("this row has no path", "这一行没有网址")).hint(text!(
        "write the path of its page in the column `path`, or clear the row",
        "请在 `path` 列写上页面的网址，或者清空这一行"
    ))
}

/// More cells than columns: a comma within a text has divided it. A workbook may have remarks there.
fn too_many_cells(cell: &Cell) -> Option<Diagnostic> {
    if matches!(cell.spot, Spot::Sheet { .. }) {
        return None;
    }
    let problem = Problem::new(text!("this row has more cells than there are columns", "这一行的单元格比列多"));
    Some(cell.error(problem.hint(text!(
        "text that contains a comma must be in quotes: `\"Hello, world\"`",
        "含有逗号的文字要放在英文双引号里：`\"Hello, world\"`"
    ))))
}

/// The complaint about a column that has the name of another one, or nearly so: nobody would read it.
fn misnamed(cell: &Cell, header: &Row) -> Option<Diagnostic> {
    let name = &cell.text;
    let all: Vec<&[&str]> = COLUMNS.iter().map(|(_, names)| *names).chain([PATH]).collect();
    let own = all.iter().find(|names| names.contains(&name.to_lowercase().as_str()));
    if own.is_some() {
        return Some(
            cell.error(
                Problem::new(text!("there are two columns `{name}`", "有两个 `{name}` 列"))
                    .hint(text!("remove one of them", "请删掉其中一列")),
            ),
        );
    }
    let missing = all.iter().filter(|names| column(header, names).is_none()).flat_map(|names| names.iter().copied());
    let meant = did_you_mean(name, missing)?;
    Some(
        cell.error(
            Problem::new(text!("there is no column `{name}`", "没有 `{name}` 这一列"))
                .hint(text!("rename it to `{meant}`", "请改名为 `{meant}`")),
        ),
    )
}

/// The complaint about a first row that does not name the columns.
fn nothing_to_read(header: &Row, start: &Spot) -> Diagnostic {
    let error = Diagnostic::error(if names_paths(header) {
        text!(
            "this table has neither a `title` nor a `description` column",
            "这个表格里没有 `title` 列，也没有 `description` 列"
        )
    } else {
        text!("this table has no `path` column", "这个表格里没有 `path` 列")
    });
    let error = start.complain(error);
    if let Some(hint) = misdivided(header) {
        return error.with_hint(hint);
    }
    let filled = header.values().filter(|cell| !cell.is_empty());
    let error = match filled.into_iter().find_map(|cell| renamed(cell, header)) {
        Some(hint) => error.with_hint(hint),
        None => error,
    };
    error.with_hint(text!(
        "its first row names the columns: path, title, description",
        "第一行写各列的名字：path、title、description"
    ))
}

/// What is wrong with how the first row is divided into cells.
fn misdivided(header: &Row) -> Option<Text> {
    let is_quoted = |cell: &Cell| {
        let name = cell.text.trim_matches(['"', '\'', '“', '”', '‘', '’']);
        name != cell.text && PATH.contains(&name.to_lowercase().as_str())
    };
    if header.values().any(is_quoted) {
        return Some(text!(
            "cells stand in straight double quotes, right behind the comma, or in no quotes",
            "单元格可以不加引号；要加，就紧跟在逗号后面加英文双引号"
        ));
    }
    let mut filled = header.values().filter(|cell| !cell.is_empty());
    let only = filled.next().filter(|_| filled.next().is_none())?;
    delimited::undivided(&only.text)
}

/// The advice to call a column what it is nearly called.
fn renamed(cell: &Cell, header: &Row) -> Option<Text> {
    let missing = [PATH, COLUMNS[0].1, COLUMNS[1].1].into_iter().filter(|names| column(header, names).is_none());
    let meant = did_you_mean(&cell.text, missing.flat_map(|names| names.iter().copied()))?;
    let name = &cell.text;
    Some(text!("rename the column `{name}` to `{meant}`", "请把 `{name}` 这一列改名为 `{meant}`"))
}
