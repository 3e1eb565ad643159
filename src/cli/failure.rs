//! Why a command did not succeed, and whose fault that was.

use std::process::ExitCode;

use portalgen_base::{
    diagnostic::Diagnostic,
    rules::Severity,
    text::{Text, text},
};

use super::args::Denied;

/// Whose fault it was that a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blame {
    /// The site's: it can be mended in its sources. Exit code 1.
    Site,
    /// The caller's, the system's or portalgen's own. Exit code 2.
    Other,
}

impl From<Blame> for ExitCode {
    fn from(blame: Blame) -> Self {
        match blame {
            Blame::Site => Self::from(1),
            Blame::Other => Self::from(2),
        }
    }
}

/// Why a command did not succeed.
pub(super) struct Failure {
    pub(super) blame: Blame,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// What became of what the command was to change.
    pub(super) outcome: Text,
}

impl Failure {
    pub(super) fn of_site(diagnostics: Vec<Diagnostic>) -> Self {
        Self { blame: Blame::Site, diagnostics, outcome: nothing_published() }
    }

    pub(super) fn other(diagnostic: Diagnostic) -> Self {
        Self { blame: Blame::Other, diagnostics: vec![diagnostic], outcome: nothing_published() }
    }

    /// The same of a command that was not to change anything.
    pub(super) fn without_outcome(self) -> Self {
        Self { outcome: Text::default(), ..self }
    }
}

pub(super) fn nothing_published() -> Text {
    text!("nothing was published", "什么都没有发布")
}

/// Refuses a portal of which something is told, where that was asked for.
pub(super) fn deny(denied: Option<Denied>, diagnostics: &[Diagnostic], outcome: Text) -> Result<(), Failure> {
    match denied {
        Some(Denied::Warnings) if diagnostics.iter().any(|found| found.severity != Severity::Note) => {
            Err(Failure { blame: Blame::Site, diagnostics: diagnostics.to_vec(), outcome })
        }
        _ => Ok(()),
    }
}

/// `2 errors, 1 warning`
pub(super) fn count(diagnostics: &[Diagnostic]) -> Text {
    let of = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
    let (error, warning) = (plural(errors), plural(warnings));
    match (errors, warnings) {
        (_, 0) => text!("{errors} error{error}", "{errors} 个错误"),
        (0, _) => text!("{warnings} warning{warning}", "{warnings} 个警告"),
        _ => text!("{errors} error{error}, {warnings} warning{warning}", "{errors} 个错误，{warnings} 个警告"),
    }
}
