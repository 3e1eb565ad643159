//! Edits of `routes.toml`: one text at a time, never to something that could not be built, and never over what somebody else
//! has just written.
//!
//! An edit is rehearsed first: the new text is read as a portal, by the rules of a build. Only what passes can be written, and
//! what was written can be undone.

use std::{
    fs, io,
    ops::Range,
    path::{Path, PathBuf},
};

use portalgen_base::{diagnostic::Diagnostic, source::Sources};
use portalgen_portal::{
    FILE, Overrides, Portal,
    edit::{self, Change, Edit},
};

use crate::{
    content_hash::ContentHash,
    publish::{NotReplaced, replace_file},
};

/// The file, and how it is read.
#[derive(Clone, Copy)]
pub struct RoutesFile<'a> {
    /// The project's folder, absolute.
    pub root: &'a Path,
    /// Where the files of the project are read from.
    pub sources: &'a dyn Sources,
    /// What was said outside of the file.
    pub overrides: &'a Overrides,
}

/// An edit that could be made.
#[derive(Debug)]
pub struct Rehearsal {
    /// The portal as it would be.
    pub portal: Portal,
    /// What would change. Nothing, if everything is already as it was asked for.
    pub changes: Vec<Change>,
    file: PathBuf,
    before: Vec<u8>,
    after: Vec<u8>,
}

/// An edit that was made, with what it takes to undo it.
#[derive(Clone, Debug)]
pub struct Written {
    /// What has changed.
    pub changes: Vec<Change>,
    /// What the file was left as.
    left: ContentHash,
    /// Where that differs from before, and what stood there.
    range: Range<usize>,
    old: Vec<u8>,
}

/// Why the file was left as it was.
#[derive(Debug)]
pub enum NotEdited {
    /// The file cannot be read.
    Unreadable(io::Error),
    /// The portal could not be built afterwards, or the edit asks for what cannot be done.
    Refused(Vec<Diagnostic>),
    /// Somebody else has changed the file, or the system refused.
    NotReplaced(NotReplaced),
}

impl From<NotReplaced> for NotEdited {
    fn from(reason: NotReplaced) -> Self {
        Self::NotReplaced(reason)
    }
}

impl RoutesFile<'_> {
    /// What edits would make of the file. `portal` is what it says now. Nothing is written.
    ///
    /// # Errors
    /// The file is no longer what `portal` was read from, or the edits cannot be made.
    pub fn rehearse(&self, portal: &Portal, edits: &[Edit]) -> Result<Rehearsal, NotEdited> {
        let (before, mark) = self.current(portal)?;
        let (text, changes) = edit::apply(portal, edits).map_err(NotEdited::Refused)?;
        self.read_as(before, mark, &text, changes)
    }

    /// What the file would be with another text, which was made of that of `portal`. Nothing is written.
    ///
    /// # Errors
    /// The same.
    pub fn rehearse_text(&self, portal: &Portal, text: &str) -> Result<Rehearsal, NotEdited> {
        let (before, mark) = self.current(portal)?;
        self.read_as(before, mark, text, Vec::new())
    }

    /// What the file would be without an edit: to the byte what it was before, if it is as the edit left it; else with the text
    /// put back that the edit has replaced.
    ///
    /// # Errors
    /// The same, or something else stands there by now.
    pub fn rehearse_undoing(&self, portal: &Portal, written: &Written) -> Result<Rehearsal, NotEdited> {
        let (before, mark) = self.current(portal)?;
        if ContentHash::of(&before) == written.left {
            let mut after = before.clone();
            after.splice(written.range.clone(), written.old.iter().copied());
            let text = String::from_utf8_lossy(&after[mark.min(after.len())..]).into_owned();
            return self.read_as(before, mark, &text, Vec::new());
        }
        let undone = edit::undone(portal, &written.changes);
        let text = undone.map_err(|problem| NotEdited::Refused(vec![problem]))?;
        self.read_as(before, mark, &text, Vec::new())
    }

    /// The bytes of the file, and how many of them are a mark in front of the text that the portal was read from.
    fn current(&self, portal: &Portal) -> Result<(Vec<u8>, usize), NotEdited> {
        let bytes = fs::read(self.root.join(FILE)).map_err(NotEdited::Unreadable)?;
        let mark = bytes.strip_suffix(portal.source.text.as_bytes());
        let mark = mark.filter(|mark| matches!(*mark, b"" | b"\xef\xbb\xbf")).ok_or(NotReplaced::Changed)?.len();
        Ok((bytes, mark))
    }

    fn read_as(&self, before: Vec<u8>, mark: usize, text: &str, changes: Vec<Change>) -> Result<Rehearsal, NotEdited> {
        let loaded = portalgen_portal::load_text(text, self.sources, self.root, self.overrides);
        let (portal, _) = loaded.map_err(NotEdited::Refused)?;
        let after = [&before[..mark], text.as_bytes()].concat();
        Ok(Rehearsal { portal, changes, file: self.root.join(FILE), before, after })
    }
}

impl Rehearsal {
    /// Writes it, unless nothing would change.
    ///
    /// # Errors
    /// Somebody else has changed the file in the meantime, or it cannot be written.
    pub fn write(self) -> Result<Written, NotReplaced> {
        let Self { changes, file, before, after, .. } = self;
        if before != after {
            replace_file(&file, &before, &after)?;
        }
        let is_same = |(old, new): &(&u8, &u8)| old == new;
        let start = before.iter().zip(&after).take_while(is_same).count();
        let end = before[start..].iter().rev().zip(after[start..].iter().rev()).take_while(is_same).count();
        let old = before[start..before.len() - end].to_vec();
        Ok(Written { changes, left: ContentHash::of(&after), range: start..after.len() - end, old })
    }
}

#[cfg(test)]
mod tests;
