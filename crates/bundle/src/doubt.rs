//! Doubts: what runs, and is surely meant otherwise. Scans find them in the text of modules of the site; linking, which knows what
//! a module is part of, says which of them deserve a word.

use serde::{Deserialize, Serialize};
use swc_core::{atoms::Atom, common::Span};

/// Something doubtful, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Doubt {
    pub about: About,
    pub span: Span,
}

/// What a doubt is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum About {
    /// An attribute of an HTML element is written as in HTML: `class`.
    Attribute { written: Atom, meant: Atom },
    /// An event handler is written as in HTML: `onclick`.
    Handler { written: Atom, meant: Atom, is_text: bool },
    /// The handler of this event is a text.
    TextOfHandler(Atom),
    /// A `style` is a text; the object that would say the same, if it is known.
    TextOfStyle(Option<Atom>),
    /// The default export is an async function.
    AsyncDefault,
    /// An element of an async component of the same file.
    AsyncComponent(Atom),
    /// The default export is an element.
    ElementAsDefault,
    /// An element that nothing does anything with; perhaps `return` stands on the line before.
    Unused { is_behind_return: bool },
    /// A link of the router with `href`.
    HrefOfLink(Atom),
    /// `process.env.NAME`, which is not defined.
    Process(Atom),
    /// `import.meta.env.NAME`, which is not defined, where that makes a difference.
    Variable(Atom),
}

impl About {
    /// The doubt about a variable of the environment that is not defined, by its dotted name.
    pub(crate) fn of_variable(dotted: &str) -> Option<Self> {
        let (about, name): (fn(Atom) -> Self, &str) = match dotted.strip_prefix("process.env.") {
            Some(name) => (Self::Process, name),
            None => (Self::Variable, dotted.strip_prefix("import.meta.env.")?),
        };
        (!name.contains('.')).then(|| about(name.into()))
    }
}
