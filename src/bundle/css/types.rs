//! Types of CSS modules, for TypeScript and for editors.

use std::fmt::Write as _;

use super::Class;

/// The declarations of what a CSS module exports, as TypeScript: the text of `card.module.css.d.ts` for
/// `card.module.css`. Names of classes may be anything; what is no identifier is exported as a string.
pub(super) fn declarations(classes: &[Class]) -> String {
    let names: Vec<String> = classes.iter().map(|class| serde_json::Value::from(&*class.name).to_string()).collect();
    let mut types = String::from("declare const classes: {\n");
    for name in &names {
        let _ = writeln!(types, "  readonly {name}: string;");
    }
    types.push_str("};\nexport default classes;\n");
    // Constants of other names, since a class may be called like a reserved word.
    for (index, name) in names.iter().enumerate().filter(|(_, name)| *name != "\"default\"") {
        let _ = writeln!(types, "declare const class{index}: string;\nexport {{ class{index} as {name} }};");
    }
    types
}
