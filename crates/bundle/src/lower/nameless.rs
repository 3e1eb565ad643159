//! A name for the component that a file exports by default without one. React Refresh knows components by their names, and only
//! those with a name tell it which hooks they call.

use rustc_hash::FxHashSet;
use swc_core::{
    atoms::Atom,
    common::{Mark, SyntaxContext},
    ecma::{
        ast::{DefaultDecl, ExportDefaultDecl, FnExpr, Ident, ModuleDecl, ModuleItem, Program},
        visit::{Visit, VisitWith, noop_visit_type},
    },
};

use crate::{emit::names::identifier, names::stem};

/// Names the nameless function that a module exports by default after the module's file. `has_jsx` says that it renders.
pub(super) fn name_default(program: &mut Program, file: &str, has_jsx: bool, top_level: Mark) {
    if nameless(program).is_none() {
        return;
    }
    let mut taken = Names::default();
    program.visit_with(&mut taken);
    let base = identifier(&stem(file));
    let base = if has_jsx { capitalized(&base) } else { base };
    let numbered = (2..).map(|number| format!("{base}{number}"));
    let mut names = std::iter::once(base.clone()).chain(numbered).map(Atom::from);
    let name = names.find(|name| !taken.0.contains(name)).unwrap_or_default();
    if let Some(function) = nameless(program) {
        let context = SyntaxContext::empty().apply_mark(top_level);
        function.ident = Some(Ident::new(name, function.function.span, context));
    }
}

fn nameless(program: &mut Program) -> Option<&mut FnExpr> {
    program.as_mut_module()?.body.iter_mut().find_map(|item| match item {
        ModuleItem::ModuleDecl(ModuleDecl::ExportDefaultDecl(ExportDefaultDecl {
            decl: DefaultDecl::Fn(function),
            ..
        })) if function.ident.is_none() => Some(function),
        _ => None,
    })
}

/// As components are called.
fn capitalized(name: &str) -> String {
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => format!("{}{}", first.to_ascii_uppercase(), &name[1..]),
        _ => format!("Default{name}"),
    }
}

/// All names of variables in a file.
#[derive(Default)]
struct Names(FxHashSet<Atom>);

impl Visit for Names {
    noop_visit_type!();

    fn visit_ident(&mut self, ident: &Ident) {
        self.0.insert(ident.sym.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::capitalized;

    #[test]
    fn components_have_names_that_begin_with_a_capital() {
        assert_eq!(["play", "Chart", "_404", "指南"].map(capitalized), ["Play", "Chart", "Default_404", "Default指南"]);
    }
}
