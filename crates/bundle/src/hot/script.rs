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
struct Part {
    /// The line at which it begins, counted from 0.
    begin: u32,
    source: Arc<SourceText>,
    origins: Arc<Origins>,
}

impl HotOrigins {
    /// The origins of definitions that follow each other from a line on.
    pub(super) fn of<'d>(mut line: u32, definitions: impl Iterator<Item = (&'d Module, &'d Definition)>) -> Self {
        let part = |(module, definition): (&Module, &Definition)| {
            let begin = line;
            line += lines(&definition.text) + 1;
            Part { begin, source: Arc::clone(&module.source), origins: Arc::clone(&definition.origins) }
        };
        Self(definitions.map(part).collect())
    }

    /// Where the code at a line and a column was written, both counted from 0, the column in UTF-16 units.
    pub fn locate(&self, line: u32, column: u32) -> Option<Place> {
        let part = self.0.partition_point(|part| part.begin <= line);
        let Part { begin, source, origins } = self.0.get(part.checked_sub(1)?)?;
        let offset = origins.byte_at(line - begin, column)?.checked_sub(FIRST_BYTE.0)? as usize;
        Some(Place::new(source, offset..offset))
    }

    /// The source map: version 3, as JSON.
    pub fn source_map(&self) -> String {
        let parts = self.0.iter().map(|Part { begin, source, origins }| (*begin, source, &**origins));
        Positions::joined(parts, FIRST_BYTE.0).source_map()
    }
}

/// How many lines a text ends.
pub(super) fn lines(text: &str) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', text.as_bytes()).count()).unwrap_or_default()
}
