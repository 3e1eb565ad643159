//! Titles and descriptions in spreadsheet programs: what is written, what is read, and what is told of tables with mistakes.

use std::fs;

use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook, Worksheet};

use crate::support::project::Project;

const ROUTES: &str = "\
[portal]
product = \"Acme\"
[[route]]
path = \"/\"
title = \"Welcome\"
[[route]]
path = \"/about\"
title = \"About\"
[[route]]
path = \"/login\"
redirect = \"https://chat.acme.example/login\"
";

fn project(routes: &str) -> Project {
    let page = |name| (name, "export default () => <h1>Page</h1>;\n");
    Project::without_packages(&[page("site/pages/index.tsx"), page("site/pages/about.tsx"), ("routes.toml", routes)])
}

fn routes(project: &Project) -> String {
    fs::read_to_string(project.path("routes.toml")).unwrap()
}

/// A workbook with one sheet, made by `write`.
fn workbook(write: impl FnOnce(&mut Worksheet)) -> Vec<u8> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    for (column, name) in ["path", "title", "description"].into_iter().enumerate() {
        sheet.write(0, u16::try_from(column).unwrap(), name).unwrap();
    }
    write(sheet);
    workbook.save_to_buffer().unwrap()
}

/// What is said about a table that is refused.
fn refused(file: &str, table: &[u8]) -> String {
    let project = project(ROUTES);
    project.write_bytes(file, table);
    let outcome = project.run("titles", &["import", file]);
    assert_eq!(outcome.code, 1, "{}\n{}", String::from_utf8_lossy(table), outcome.stderr);
    assert_eq!(routes(&project), ROUTES);
    outcome.stderr
}

#[test]
fn a_table_that_nobody_changed_changes_nothing() {
    let text = ROUTES.replace("\"Welcome\"", r#""Welcome, \"friend\"; to {product}""#);
    let project = project(&text);
    for file in ["t.csv", "t.xlsx"] {
        let exported = project.run("titles", &["export", file]);
        assert_eq!((exported.code, exported.stderr), (0, format!("3 routes in {file}\n")));
        let imported = project.run("titles", &["import", file]);
        assert_eq!((imported.code, imported.stderr.as_str()), (0, "nothing to change\n"));
    }
    assert_eq!(routes(&project), text);
    let table = fs::read_to_string(project.path("t.csv")).unwrap();
    assert_eq!(
        table,
        "\u{feff}path,title,description\r\n/,\"Welcome, \"\"friend\"\"; to {product}\",\r\n/about,About,\r\n/login,,\r\n"
    );
    assert_eq!(project.run("titles", &["export"]).stdout, table);
}

#[test]
fn an_edited_table_is_not_overwritten() {
    let project = project(ROUTES);
    for (file, edited) in [
        ("t.csv", "path,title,description\n/,Welcome,\n/about,Us,\n/login,,\n".as_bytes().to_vec()),
        ("t.xlsx", workbook(|sheet| _ = sheet.write(2, 1, "Us").unwrap())),
        (
            "notes.csv",
            "\u{feff}path,title,description,notes\r\n/,Welcome,,ask Ann\r\n/about,About,\r\n/login,,\r\n".into(),
        ),
        ("other.csv", b"\x00\x01".to_vec()),
    ] {
        let first = project.run("titles", &["export", file]);
        assert_eq!(first.code, 0, "{}", first.stderr);
        assert_eq!(project.run("titles", &["export", file]).code, 0, "what is the same may be written again");
        project.write_bytes(file, &edited);
        let refused = project.run("titles", &["export", file]);
        assert_eq!(refused.code, 2, "{file}");
        assert!(refused.stderr.contains("already exists"), "{}", refused.stderr);
        assert_eq!(fs::read(project.path(file)).unwrap(), edited, "{file}");
        assert_eq!(project.run("titles", &["export", file, "--force"]).code, 0);
        assert_ne!(fs::read(project.path(file)).unwrap(), edited, "{file}");
    }
    project.write("t.csv", "title,path\n");
    let told = project.run("titles", &["export", "t.csv"]).stderr;
    assert!(told.contains("8 of its cells differ from routes.toml, the first one being A1"), "{told}");
    assert!(told.contains("export to another file") && told.contains("`--force`"), "{told}");
    project.write("t.csv", "path,title\n/about,Us\n");
    let told = project.run("titles", &["export", "t.csv"]).stderr;
    assert!(told.contains("`portalgen titles import t.csv --dry-run`"), "{told}");
}

#[test]
fn the_same_cells_in_another_form_are_the_same_table() {
    let project = project(ROUTES);
    project.write("t.csv", "path;title;description\n/;Welcome;\n/about;About;\n/login;;\n");
    assert_eq!(project.run("titles", &["export", "t.csv"]).code, 0);
    let first = fs::read(project.path("t.csv")).unwrap();
    assert!(first.starts_with("\u{feff}path,title".as_bytes()));
    let written = ["a.xlsx", "b.xlsx"].map(|file| {
        assert_eq!(project.run("titles", &["export", file]).code, 0);
        fs::read(project.path(file)).unwrap()
    });
    assert!(written[0].starts_with(b"PK") && written[0] == written[1], "equal tables have equal bytes");
}

#[test]
fn tables_of_spreadsheet_programs() {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    // 关于我们 in GBK.
    let gbk = [b"path,title\r\n/about,".as_slice(), b"\xb9\xd8\xd3\xda\xce\xd2\xc3\xc7", b"\r\n"].concat();
    let filled = || {
        workbook(|sheet| {
            sheet.write(2, 0, "/about").unwrap().write(2, 1, " 关于我们 ").unwrap();
        })
    };
    for (file, table) in [
        ("t.csv", "\u{feff}path,title\r\n/about,关于我们\r\n".as_bytes().to_vec()),
        ("t.csv", "path;title;notes\n/about;关于我们;ok\n;;\n".as_bytes().to_vec()),
        ("t.csv", "标题\t路径\n 关于我们 \t/about/\n".as_bytes().to_vec()),
        ("t.txt", [vec![0xff, 0xfe], utf16("Path\tTitle\r\n/about\t关于我们\r\n")].concat()),
        ("t.txt", utf16("path\ttitle\n/about\t关于我们\n")),
        ("t.csv", "title,path\n\"关于我们\",/about".as_bytes().to_vec()),
        ("t.csv", "| path | title |\n| --- | --- |\n| /about | 关于我们 |\n".as_bytes().to_vec()),
        ("t.csv", "标题表 2026,\n\nURL,页面标题\n/about,关于我们\n".as_bytes().to_vec()),
        ("t.csv", "sep=;\r\npath;title\r\n/about;关于我们\r\n".as_bytes().to_vec()),
        ("t.csv", gbk),
        ("t.xlsx", filled()),
        ("t.csv", filled()),
        ("t.xlsx", "path,title\n/about,关于我们\n".as_bytes().to_vec()),
    ] {
        let project = project(ROUTES);
        project.write_bytes(file, &table);
        let outcome = project.run("titles", &["import", file]);
        assert_eq!(outcome.code, 0, "{}\n{}", String::from_utf8_lossy(&table), outcome.stderr);
        assert_eq!(routes(&project), ROUTES.replace("\"About\"", "\"关于我们\""));
    }
}

#[test]
fn the_sheet_with_the_paths_is_read() {
    let mut workbook = Workbook::new();
    workbook.add_worksheet().write(0, 0, "What to do").unwrap();
    let sheet = workbook.add_worksheet().set_name("Titles").unwrap();
    sheet.write(3, 1, "Title").unwrap().write(3, 2, "Path").unwrap();
    sheet.write(5, 1, "Us").unwrap().write(5, 2, "/about").unwrap().write(6, 1, "Lost").unwrap();
    let table = workbook.save_to_buffer().unwrap();
    let told = refused("t.xlsx", &table);
    assert!(told.contains("t.xlsx (Titles), cell B7: this row has no path"), "{told}");
}

#[test]
fn hidden_sheets_are_not_read() {
    let mut workbook = Workbook::new();
    for (title, is_hidden) in [("Old", true), ("Us", false)] {
        let sheet = workbook.add_worksheet();
        sheet.write(0, 0, "path").unwrap().write(0, 1, "title").unwrap();
        sheet.write(1, 0, "/about").unwrap().write(1, 1, title).unwrap();
        sheet.set_hidden(is_hidden).set_active(!is_hidden);
    }
    let project = project(ROUTES);
    project.write_bytes("t.xlsx", &workbook.save_to_buffer().unwrap());
    assert_eq!(project.run("titles", &["import", "t.xlsx"]).code, 0);
    assert_eq!(routes(&project), ROUTES.replace("\"About\"", "\"Us\""));
}

#[test]
fn mistakes_in_a_table_are_told_with_their_cells_and_change_nothing() {
    for (table, expected) in [
        (b"path,title\n/abuot,x\n/about,y\n".as_slice(), "t.csv:2:1"),
        (b"path,title\n/about,x\n/about/,y\n", "t.csv:3:1"),
        (b"path,title\nabout,x\n", "t.csv:2:1"),
        ("path,title\n/about,\"a\nb\"\n".as_bytes(), "t.csv:2:10"),
        ("path,title\n/,ok\n/about,a\u{200b}b\n".as_bytes(), "t.csv:3:9"),
        (b"path\n/about\n", "neither a `title`"),
        (b"paths,title\n/about,x\n", "rename the column `paths` to `path`"),
        (b"path,titel\n/about,x\n", "rename the column `titel` to `title`"),
        (b"path,title,descripton\n/about,x,y\n", "rename it to `description`"),
        (b"path,title,Title\n/about,x,y\n", "there are two columns `Title`"),
        (b"", "this table is empty"),
        (b"path,title\n/about,caf\xe9\n", "CSV UTF-8"),
        (b"path,title\n/about,{prodct}\n", "there is no placeholder `{prodct}`"),
        (b"path,title\n/about,Hello, world\n", "this row has more cells than there are columns"),
        (b"path,title\n/about,\"Hello\n/,World\n", "the text that begins with this quote is not closed"),
        (b"path,title\n,Hello\n", "this row has no path"),
        (b"\"path,title\"\n\"/about,x\"\n", "quotes around a whole row"),
        (b"'path','title'\n'/about','x'\n", "straight double quotes, right behind the comma"),
        (b"path\ttitle\n/about,x\n", "this row uses another separator than the first one"),
        (b"path    title\n/about  x\n", "commas or tabs, not by spaces"),
        (b"path,title\n/about,x\nTotal,1\n", "`Total` is not the path of a page"),
        (b"path,title\nAbout us,/about\n", "two columns were swapped"),
        (b"path,title\nwww.acme.example/about,x\n", "write `/about`"),
        (b"path,title\n/about,\xc3\xf6\xa9\xf3\xa7\xda\xad\xcc\n", "CSV UTF-8"),
        ("path，title\n/about，关于\n".as_bytes(), "not by full-width ones"),
        (b"<html><table><tr><td>path</td></tr></table></html>", "this is HTML or XML"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "save it as “Excel Workbook (.xlsx)”"),
        (b"PK\x03\x04not an archive", "the workbook t.csv is damaged"),
        (b"path,title\n/about,#NAME?\n", "`#NAME?` is a spreadsheet error"),
        (b"path,title\n/about,=1+1\n", "this begins with `=`"),
        ("path,title\n/about,“关于我们”\n".as_bytes(), "write `关于我们`"),
        (b"path,title\n/about,????\n", "characters of this text were lost"),
    ] {
        let told = refused("t.csv", table);
        assert!(told.contains(expected), "{expected}\n{told}");
    }
}

#[test]
fn all_mistakes_of_a_table_are_told_at_once() {
    let csv = "path,title,description,titlee\n/abuot,x,\n/about,=A1,\"a\nb\"\n/,“W”,{x}\n/login,a,b,c,d\n";
    let told = refused("t.csv", csv.as_bytes());
    for place in ["t.csv:2:1", "t.csv:3:8", "t.csv:3:14", "t.csv:5:3", "t.csv:5:7", "t.csv:6:14"] {
        assert!(told.contains(place), "{place}\n{told}");
    }
    let table = workbook(|sheet| {
        let date = Format::new().set_num_format("yyyy-mm-dd");
        sheet.write(1, 0, "/abuot").unwrap();
        sheet.write(2, 0, "/about").unwrap().write(2, 1, 7).unwrap();
        let day = ExcelDateTime::from_ymd(2026, 3, 1).unwrap();
        sheet.write_with_format(2, 2, &day, &date).unwrap();
        sheet.write(3, 0, "/").unwrap().write(3, 1, Formula::new("A1&\"!\"").set_result("path!")).unwrap();
        sheet.write(3, 2, true).unwrap();
        sheet.write(4, 0, "/login").unwrap().write(4, 1, "#REF!").unwrap().write(4, 2, "“L”").unwrap();
        sheet.write(5, 0, "/login").unwrap();
    });
    let told = refused("t.xlsx", &table);
    for words in [
        "cell A2: there is no route `/abuot`",
        "cell B3: the spreadsheet program turned this into the number 7",
        "cell C3: the spreadsheet program turned this into a date",
        "cell B4: this is a formula",
        "cell C4: the spreadsheet program turned this into the Boolean value TRUE",
        "cell B5: `#REF!` is a spreadsheet error",
        "cell C5: the quotes around this text",
        "cell A6: `/login` appears twice in the table",
        "the first one: cell A5",
    ] {
        assert!(told.contains(words), "{words}\n{told}");
    }
}

#[test]
fn what_a_program_has_made_of_a_text_is_told() {
    let project = project(ROUTES);
    project.write("t.csv", "path,title\n/about,2026/3/1\n/,1.2E+11\n/login,'007\n");
    let outcome = project.run("titles", &["import", "t.csv"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for place in ["t.csv:2:8", "t.csv:3:3", "t.csv:4:8"] {
        assert!(outcome.stderr.contains(place), "{}", outcome.stderr);
    }
    let again = project.run("titles", &["import", "t.csv"]);
    assert_eq!(again.stderr, "nothing to change\n");
}

#[test]
fn titles_that_nobody_means_are_refused_on_the_command_line() {
    let project = project(ROUTES);
    for title in ["#NAME?", "=1+1", "“About us”", "{prodct}"] {
        let outcome = project.run("title", &["/about", title]);
        assert_eq!(outcome.code, 1, "{title}");
        assert_eq!(routes(&project), ROUTES);
    }
    for title in ["=> here", "C# and “more”", "{product}: what it is"] {
        assert_eq!(project.run("title", &["/about", title]).code, 0, "{title}");
    }
}

#[test]
fn workbooks_that_are_none_are_refused() {
    let table = workbook(|_| {});
    let mut cut = table.clone();
    cut.truncate(table.len() / 2);
    assert!(refused("t.xlsx", &cut).contains("the workbook t.xlsx is damaged"));
    let project = project(ROUTES);
    for (file, words) in [("t.xls", "does not write `.xls` files"), ("t.ods", "name the file `.xlsx` or `.csv`")] {
        let outcome = project.run("titles", &["export", file]);
        assert_eq!(outcome.code, 2);
        assert!(outcome.stderr.contains(words), "{}", outcome.stderr);
        assert!(!project.path(file).exists());
    }
}

#[test]
fn a_table_may_come_from_standard_input() {
    let project = project(ROUTES);
    project.write("t.csv", "path,title\n/about,Us\n");
    let mut command = project.command("titles");
    let outcome = command.args(["import", "-"]).stdin(fs::File::open(project.path("t.csv")).unwrap()).output().unwrap();
    assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
    assert_eq!(routes(&project), ROUTES.replace("\"About\"", "\"Us\""));
}
