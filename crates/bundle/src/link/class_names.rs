//! Classes that a style sheet does not give: `styles.buton` of a CSS module, and any of another sheet.

use std::path::Path;

use portalgen_base::{
    diagnostic::{Diagnostic, did_you_mean},
    text::{self, text},
};
use swc_core::{atoms::Atom, common::Span};

use super::linker::Linker;
use crate::{
    css::is_css_module,
    module::{Imported, Module, ModuleId},
    syntax::place,
};

/// Under this name the object of all classes is exported, so a class of this name is no export of its own.
const ALL: &str = "default";

impl Linker<'_> {
    /// Warns of classes that a module of the site reads from the object of a style sheet that does not have them.
    pub(super) fn check_class_names(&self, id: ModuleId) -> Vec<Diagnostic> {
        let module = self.module(id);
        if module.vendor {
            return Vec::new();
        }
        let members = module.scan.members.iter().filter_map(|((object, path), span)| {
            let [class] = path.as_slice() else { return None };
            Some((*span, class, self.style_sheet(id, object)?))
        });
        let mut unknown: Vec<(Span, &Atom, &Module)> =
            members.filter(|(_, class, sheet)| lacks(sheet, class)).collect();
        unknown.sort_by_key(|(span, ..)| span.lo);
        unknown.into_iter().map(|(span, class, sheet)| unknown_class(module, span, class, sheet)).collect()
    }

    /// The style sheet whose classes a name is meant to stand for.
    fn style_sheet(&self, importer: ModuleId, object: &Atom) -> Option<&Module> {
        let import = self.module(importer).scan.imports.get(object)?;
        let is_of_all = matches!(&import.imported, Imported::Name(name) if name == ALL);
        let sheet = self.module(self.target(importer, import.record).filter(|_| is_of_all)?);
        Path::new(&*sheet.name).extension().is_some_and(|extension| extension == "css").then_some(sheet)
    }
}

fn lacks(sheet: &Module, class: &Atom) -> bool {
    let is_of_object = ["toString", "hasOwnProperty", "constructor", "valueOf"].contains(&&**class);
    class != ALL && !is_of_object && !sheet.scan.exports.contains_key(class)
}

fn unknown_class(module: &Module, span: Span, class: &Atom, sheet: &Module) -> Diagnostic {
    let name = &sheet.name;
    if !is_css_module(Path::new(&**name)) {
        return no_css_module(module, span, class, name);
    }
    let message = text!(
        "`{name}` has no class `{class}`, so this is undefined",
        "`{name}` 里没有类 `{class}`，所以这里是 undefined"
    );
    let classes = sheet.scan.exports.keys().map(|class| &**class).filter(|class| *class != ALL);
    let near = did_you_mean(class, classes).map(text::did_you_mean);
    Diagnostic::warning(message).at(place(&module.source, span)).with_hints(near)
}

/// The complaint about a style sheet that is imported as if it were a CSS module.
fn no_css_module(module: &Module, span: Span, class: &Atom, name: &str) -> Diagnostic {
    let message =
        text!("`{name}` is not a CSS module, so this is undefined", "`{name}` 不是 CSS 模块，所以这里是 undefined");
    let renamed = name.strip_suffix(".css").unwrap_or(name);
    Diagnostic::warning(message).at(place(&module.source, span)).with_hint(text!(
        "write the class as a string, `\"{class}\"`, or rename the file to `{renamed}.module.css`",
        "请把类名写成字符串 `\"{class}\"`，或者把文件改名为 `{renamed}.module.css`"
    ))
}
