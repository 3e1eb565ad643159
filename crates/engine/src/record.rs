//! What a call leaves behind outside of the engine.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    call::{Note, NoteKind, Use, Variation},
    failure::{Failure, Frame, Lack},
};

/// What a call leaves behind outside of the engine.
#[derive(Clone, Default)]
pub(super) struct Record {
    /// The value as JSON, or the description of what was thrown.
    pub(super) outcome: Option<std::result::Result<String, String>>,
    /// The bytes of a stream that was the value.
    pub(super) stream: Option<Vec<u8>>,
    /// Names of the modules that were loaded, the engine's own among them.
    pub(super) loaded: Vec<Arc<str>>,
    /// Why a module that was asked for could not be loaded. Scripts may have caught that, but the program has a fault.
    pub(super) refused: Option<Failure>,
    /// In the order of their first appearance.
    pub(super) notes: Vec<RawNote>,
    seen: BTreeSet<RawNote>,
    /// Each once, the last one last. Few: there is one time zone at most, and some twenty calendars.
    pub(super) lacks: Vec<Lack>,
    /// What is to be another than in the build.
    pub(super) variation: Arc<Variation>,
}

/// A note with the stack as the engine wrote it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RawNote {
    used: Use,
    /// Empty if there is none.
    value: String,
}

impl RawNote {
    /// The note; `frames` reads a stack.
    pub(super) fn into_note(self, frames: impl Fn(&str) -> Vec<Frame>) -> Note {
        let value = (!self.value.is_empty()).then_some(self.value);
        let Use { kind, text, stack } = self.used;
        Note { kind, text, value, frames: frames(&stack), stack }
    }
}

impl Record {
    /// Something that was asked for, of which there is no data.
    pub(super) fn lack(&mut self, kind: &str, name: String) {
        let lack = if kind == "zone" { Lack::TimeZone(name) } else { Lack::Calendar(name) };
        self.lacks.retain(|known| match (known, &lack) {
            (Lack::TimeZone(_), Lack::TimeZone(_)) => false,
            _ => *known != lack,
        });
        if self.lacks.len() < MAX_LACKS {
            self.lacks.push(lack);
        }
    }

    /// Something that was done. True for a use that is to give something else.
    pub(super) fn note(&mut self, kind: &str, text: String, stack: String, value: String) -> bool {
        let kind = match kind {
            "error" => NoteKind::Error,
            "warn" => NoteKind::Warning,
            "clock" => NoteKind::Clock,
            "zone" => NoteKind::TimeZone,
            "random" => NoteKind::Random,
            "locale" => NoteKind::Locale,
            "data" => NoteKind::Data,
            "uncaught" => NoteKind::Uncaught,
            _ => NoteKind::Log,
        };
        let note = RawNote { used: Use { kind, text, stack }, value };
        let is_varied = self.variation.uses.contains(&note.used);
        if self.seen.insert(note.clone()) {
            self.notes.push(note);
        }
        is_varied
    }
}

/// Names of calendars are whatever a page says.
const MAX_LACKS: usize = 64;
