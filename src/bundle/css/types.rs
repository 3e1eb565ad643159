//! Types of CSS modules, for TypeScript and for editors.

use std::{fmt::Write as _, path::Path, sync::Arc};

use super::{SheetOptions, browsers};
use crate::diagnostic::{Diagnostic, SourceText};

/// The declarations of what a CSS module exports, as TypeScript: the text of `card.module.css.d.ts` for
/// `card.module.css`. Names of classes may be anything; what is no identifier is exported as a string.
///
/// # Errors
/// The sheet cannot be used at all. What browsers would skip is not an error.
pub fn css_module_types(sheet: &Arc<SourceText>) -> Result<String, Diagnostic> {
    let options = SheetOptions { minify: true, targets: browsers::default_targets() };
    let parsed = super::parse(sheet, Path::new(&sheet.name), true, options)?;
    let classes = parsed.classes.unwrap_or_default();
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
    Ok(types)
}
