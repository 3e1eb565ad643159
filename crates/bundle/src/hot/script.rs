//! Scripts of the hot form, and the way from a place in one back to where it was written.

use std::sync::Arc;

use portalgen_base::diagnostic::{Place, SourceText};

use super::definition::Definition;
use crate::{
    module::Module,
    positions::{Origins, Positions},
    syntax::FIRST_BYTE,
};

/// A script that defines modules.
#[derive(Clone, Debug, Default)]
pub struct HotScript {
    /// The code. It is empty if there is nothing to define.
    pub code: String,
    /// Where its parts were written.
    pub origins: HotOrigins,
}

/// Where the parts of a script were written. It outlives the graph that made the script, and shares what it can with it.
#[derive(Clone, Debug, Default)]
pub struct HotOrigins(Arc<[Part]>);

/// The code of one module in a script.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The line at which it begins, counted from 0.
    begin: u32,
    /// The name of the module, and the hash of its definition.
    pub(super) name: Arc<str>,
    pub(super) hash: Arc<str>,
    source: Arc<SourceText>,
    origins: Arc<Origins>,
}

impl HotOrigins {
    /// The origins of definitions that follow each other from a line on.
    pub(super) fn of<'d>(mut line: u32, definitions: impl Iterator<Item = (&'d Module, &'d Definition)>) -> Self {
        let part = |(module, definition): (&Module, &Definition)| {
            let begin = line;
            line += lines(&definition.text) + 1;
            Part::of(begin, module, definition)
        };
        Self(definitions.map(part).collect())
    }

    /// Where the code at a line and a column was written, both counted from 0, the column in UTF-16 units.
    pub fn locate(&self, line: u32, column: u32) -> Option<Place> {
        self.part(line)?.locate(line, column)
    }

    /// The part that a line belongs to, or to what stands behind that part.
    pub(super) fn part(&self, line: u32) -> Option<&Part> {
        let behind = self.0.partition_point(|part| part.begin <= line);
        self.0.get(behind.checked_sub(1)?)
    }

    /// The source map: version 3, as JSON.
    pub fn source_map(&self) -> String {
        let parts = self.0.iter().map(|Part { begin, source, origins, .. }| (*begin, source, &**origins));
        Positions::joined(parts, FIRST_BYTE.0).source_map()
    }
}

impl Part {
    fn of(begin: u32, module: &Module, definition: &Definition) -> Self {
        Self {
            begin,
            name: Arc::clone(&module.name),
            hash: Arc::clone(&definition.hash),
            source: Arc::clone(&module.source),
            origins: Arc::clone(&definition.origins),
        }
    }

    /// The same code as it was written last: what stands around it may have moved it.
    pub(super) fn newest(&self, module: &Module, definition: &Definition) -> Option<Self> {
        (self.hash == definition.hash).then(|| Self::of(self.begin, module, definition))
    }

    pub(super) fn locate(&self, line: u32, column: u32) -> Option<Place> {
        let offset = self.origins.byte_at(line - self.begin, column)?.checked_sub(FIRST_BYTE.0)? as usize;
        Some(Place::new(&self.source, offset..offset))
    }
}

/// How many lines a text ends.
pub(super) fn lines(text: &str) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', text.as_bytes()).count()).unwrap_or_default()
}
