//! How people like messages.

use portalgen_base::text::Language;

/// How people like messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// In which language.
    pub language: Language,
    /// Whether with ANSI sequences for colours.
    pub color: bool,
}
