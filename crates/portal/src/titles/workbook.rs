//! Workbooks of Excel, `.xlsx`: cells of text, and what is told of all others.

use std::{
    collections::BTreeMap,
    io::{self, Cursor, Read},
    sync::Arc,
};

use calamine::{DataRef, Reader, SheetVisible, Xlsx, XlsxError};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook};
use zip::ZipArchive;

use portalgen_base::{
    diagnostic::Diagnostic,
    text::{Text, text},
};

use super::cells::{Cell, Grid, Row, Spot, cell_name};
use crate::Problem;

/// Zip archives begin like this, and with them workbooks.
const ARCHIVE: &[u8] = b"PK\x03\x04";
/// So do workbooks of Excel before 2007, and later ones that have a password.
const OLD: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// As much as a workbook may hold unpacked, in bytes: a million titles.
const LARGEST: u64 = 100 << 20;

/// How wide columns are, in characters of a usual font.
const WIDTHS: [f64; 3] = [30.0, 50.0, 90.0];

/// Whether a file is a workbook, whatever it is called.
pub(super) fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(ARCHIVE) || bytes.starts_with(OLD)
}

/// The first sheet that `has_paths`, or else the first one that there is.
///
/// # Errors
/// No workbook, or one that is old, damaged or too large.
pub(super) fn read(name: &str, bytes: &[u8], has_paths: &dyn Fn(&Grid) -> bool) -> Result<Grid, Diagnostic> {
    if bytes.starts_with(OLD) {
        return Err(old(name));
    }
    check_contents(name, bytes)?;
    let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(|error| unreadable(name, &error))?;
    // What nobody sees is not what was edited.
    let visible = workbook.sheets_metadata().iter().filter(|sheet| sheet.visible == SheetVisible::Visible);
    let names: Vec<String> = visible.map(|sheet| sheet.name.clone()).collect();
    let mut first = None;
    for (at, sheet) in names.iter().enumerate() {
        let label = if at == 0 { name.to_owned() } else { format!("{name} ({sheet})") };
        let grid = match sheet_of(&mut workbook, sheet, &Arc::from(label)) {
            Ok(grid) => grid,
            // A chart.
            Err(XlsxError::NotAWorksheet(_)) => continue,
            Err(error) => return Err(unreadable(name, &error)),
        };
        if has_paths(&grid) {
            return Ok(grid);
        }
        first.get_or_insert(grid);
    }
    first.ok_or_else(|| Diagnostic::error(text!("{name} has no sheet", "{name} 里没有工作表")))
}

/// Unpacks everything once: what is packed small may be larger than any memory.
fn check_contents(name: &str, bytes: &[u8]) -> Result<(), Diagnostic> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| damaged(name))?;
    if archive.index_for_name("xl/workbook.xml").is_none() {
        return Err(Diagnostic::error(text!("{name} is not an Excel workbook", "{name} 不是 Excel 工作簿"))
            .with_hint(save_as_workbook()));
    }
    let mut left = LARGEST;
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).map_err(|_| damaged(name))?;
        let length = io::copy(&mut (&mut file).take(left + 1), &mut io::sink()).map_err(|_| damaged(name))?;
        left = left.checked_sub(length).ok_or_else(|| too_large(name))?;
    }
    Ok(())
}

fn sheet_of(workbook: &mut Xlsx<Cursor<&[u8]>>, sheet: &str, name: &Arc<str>) -> Result<Grid, XlsxError> {
    let mut reader = workbook.worksheet_cells_reader(sheet)?;
    let mut rows: BTreeMap<usize, Row> = BTreeMap::new();
    let mut left = usize::try_from(LARGEST).unwrap_or(usize::MAX);
    while let Some(record) = reader.next_cell_with_formula_metadata()? {
        let (row, column) = (record.pos.0 as usize, record.pos.1 as usize);
        let problem = if record.formula.is_some() { Some(formula()) } else { objection(&record.value) };
        let text = shown(&record.value);
        left = left.checked_sub(text.len() + 1).ok_or(XlsxError::Unexpected("too large"))?;
        let spot = Spot::Sheet { name: Arc::clone(name), cell: cell_name(row, column) };
        let cell = Cell { text: text.trim().to_owned(), spot, problem };
        if !cell.is_empty() {
            rows.entry(row).or_default().insert(column, cell);
        }
    }
    Ok(Grid { rows, start: Spot::Sheet { name: Arc::clone(name), cell: cell_name(0, 0) } })
}

/// What a cell shows, as far as that can be known without its format.
fn shown(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::Bool(value) => if *value { "TRUE" } else { "FALSE" }.to_owned(),
        DataRef::DateTime(date) => date.as_f64().to_string(),
        DataRef::Error(error) => error.to_string(),
    }
}

/// Why what stands in a cell is not what somebody has typed there.
fn objection(value: &DataRef<'_>) -> Option<Problem> {
    let again = || text!("format the cell as “Text”, then type it again", "请把单元格格式设为“文本”，再重新输入");
    let shown = shown(value);
    let message = match value {
        DataRef::Empty | DataRef::String(_) | DataRef::SharedString(_) => return None,
        DataRef::Int(_) | DataRef::Float(_) => {
            text!("the spreadsheet program turned this into the number {shown}", "表格软件把这里当成了数字 {shown}")
        }
        DataRef::Bool(_) => text!(
            "the spreadsheet program turned this into the Boolean value {shown}",
            "表格软件把这里当成了逻辑值 {shown}"
        ),
        DataRef::DateTime(_) | DataRef::DateTimeIso(_) | DataRef::DurationIso(_) => {
            text!("the spreadsheet program turned this into a date", "表格软件把这里变成了日期")
        }
        DataRef::Error(_) => {
            text!("`{shown}` is a spreadsheet error, not text", "`{shown}` 是表格软件的错误值，不是文字")
        }
    };
    Some(Problem::new(message).hint(again()))
}

fn formula() -> Problem {
    Problem::new(text!("this is a formula, not text", "这里是公式，不是文字")).hint(text!(
        "copy the cell, and paste it over itself with “Paste Special > Values”",
        "请复制这个单元格，再在原处“选择性粘贴 > 数值”"
    ))
}

fn old(name: &str) -> Diagnostic {
    let message = text!(
        "{name} is an Excel workbook in the old format (.xls), or has a password",
        "{name} 是旧格式的 Excel 工作簿（.xls），或者设了密码"
    );
    Diagnostic::error(message).with_hint(text!(
        "save it as “Excel Workbook (.xlsx)”, without a password",
        "请另存为“Excel 工作簿（.xlsx）”，不设密码"
    ))
}

fn unreadable(name: &str, error: &XlsxError) -> Diagnostic {
    match error {
        XlsxError::Password => old(name),
        XlsxError::Unexpected("too large") => too_large(name),
        _ => damaged(name),
    }
}

fn damaged(name: &str) -> Diagnostic {
    Diagnostic::error(text!("the workbook {name} is damaged", "工作簿 {name} 已损坏"))
        .with_hint(text!("open it in a spreadsheet program and save it again", "请用表格软件打开，再重新保存"))
}

fn too_large(name: &str) -> Diagnostic {
    let message =
        text!("the workbook {name} is too large to be a table of titles", "工作簿 {name} 太大了，不像是标题的表格");
    Diagnostic::error(message)
}

/// How to come by a workbook.
pub(super) fn save_as_workbook() -> Text {
    text!("save it as “Excel Workbook (.xlsx)” or “CSV UTF-8”", "请另存为“Excel 工作簿（.xlsx）”或“CSV UTF-8”")
}

/// A workbook with one sheet. All its cells are text, those that are still empty too. Equal rows give equal bytes.
///
/// # Errors
/// A text that is too long for a cell.
pub(super) fn write<'t>(rows: impl Iterator<Item = [&'t str; 3]>) -> Result<Vec<u8>, Problem> {
    written(rows).map_err(|_| {
        Problem::new(text!("a cell of a workbook holds at most 32,767 characters", "工作簿的单元格最多 32767 个字符"))
            .hint(text!("write a `.csv` file", "请导出成 `.csv` 文件"))
    })
}

fn written<'t>(rows: impl Iterator<Item = [&'t str; 3]>) -> Result<Vec<u8>, rust_xlsxwriter::XlsxError> {
    let mut workbook = Workbook::new();
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&ExcelDateTime::from_ymd(2000, 1, 1)?));
    let text = Format::new().set_num_format("@");
    let header = text.clone().set_bold();
    let sheet = workbook.add_worksheet();
    sheet.set_freeze_panes(1, 0)?;
    for (column, width) in (0..).zip(WIDTHS) {
        sheet.set_column_width(column, width)?;
        sheet.set_column_format(column, &text)?;
    }
    for (at, row) in (0..).zip(rows) {
        let format = if at == 0 { &header } else { &text };
        for (column, cell) in (0..).zip(row).filter(|(_, cell)| !cell.is_empty()) {
            sheet.write_string_with_format(at, column, cell, format)?;
        }
    }
    workbook.save_to_buffer()
}
