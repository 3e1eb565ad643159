//! Types of CSS modules, for TypeScript and for editors.

use std::fmt::Write as _;

use super::Class;

/// The declarations of what a CSS module exports, as TypeScript: the text of `card.module.css.d.ts` for
/// `card.module.css`. Names of classes may be anything; what is no identifier is exported as a string.
pub(crate) fn declarations(classes: &[Class]) -> String {
    let names: Vec<String> = classes.iter().map(|class| serde_json::Value::from(&*class.name).to_string()).collect();
    of_names(&names)
}

/// Whether a text is one that [`declarations`] wrote: for the classes that it names, exactly this comes of it.
pub fn is_declarations(text: &[u8]) -> bool {
    let name = |line: &str| Some(line.strip_prefix("  readonly ")?.strip_suffix(": string;")?.to_owned());
    std::str::from_utf8(text).is_ok_and(|text| of_names(&text.lines().filter_map(name).collect::<Vec<_>>()) == text)
}

/// Names as they are written in quotes.
fn of_names(names: &[String]) -> String {
    let mut types = String::from("declare const classes: {\n");
    for name in names {
        let _ = writeln!(types, "  readonly {name}: string;");
    }
    types.push_str("};\nexport default classes;\n");
    // Constants of other names, since a class may be called like a reserved word.
    for (index, name) in names.iter().enumerate().filter(|(_, name)| *name != "\"default\"") {
        let _ = writeln!(types, "declare const class{index}: string;\nexport {{ class{index} as {name} }};");
    }
    types
}
