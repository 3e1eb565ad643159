//! What lazy entries must have: a default export, for which they are loaded.

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    text::text,
};
use swc_core::atoms::Atom;

use super::linker::{Linker, Resolution, Resolving};
use crate::module::{Export, Format, Module, ModuleId};

impl Linker<'_> {
    /// Complains about a lazy entry that has no default export.
    pub(super) fn check_lazy_entry(&self, id: ModuleId) -> Option<Diagnostic> {
        let module = self.module(id);
        let resolution = || self.export(id, &Atom::from("default"), &mut Resolving::default());
        // What CommonJS modules export shows when they run.
        let has_default = module.scan.format == Format::CommonJs || matches!(resolution(), Resolution::Found(_));
        (!has_default).then(|| lacks_default(module))
    }
}

fn lacks_default(module: &Module) -> Diagnostic {
    let name = &module.name;
    let end = module.source.text.len();
    let exported = module.scan.exports.values().find_map(|export| match export {
        Export::Local(name) if name.starts_with(char::is_uppercase) => Some(name),
        _ => None,
    });
    let declared = exported.and_then(|name| Place::new(&module.source, end..end).declaration_before(name));
    let place = declared.unwrap_or_else(|| Place::new(&module.source, 0..0));
    if is_empty(module) {
        let message = text!("`{name}` is empty, so there is nothing to show", "`{name}` 是空的，没有内容可显示");
        return Diagnostic::error(message).at(place).with_hint(text!(
            "write the component of the page, such as `export default function Page() {{ return <h1>…</h1>; }}`",
            "请写出页面的组件，例如 `export default function Page() {{ return <h1>…</h1>; }}`"
        ));
    }
    Diagnostic::error(text!(
        "`{name}` has no default export, so there is nothing to show",
        "`{name}` 没有默认导出，没有内容可显示"
    ))
    .at(place)
    .with_hint(text!("write `export default` before the page component", "请在页面组件前面写 `export default`"))
}

/// Whether nothing is in the file yet.
fn is_empty(module: &Module) -> bool {
    module.source.text.trim().is_empty()
}
