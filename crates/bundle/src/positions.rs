//! From a place in emitted code back to the source it came from.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use serde::{Deserialize, Serialize};
use serde_json::json;
use swc_core::common::{BytePos, LineCol};

use portalgen_base::diagnostic::{Place, SourceText};

use crate::output::bytes;

/// The origins of a chunk's code, with the sources.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Positions {
    /// Start of each source in the chunk's numbering of bytes, ascending.
    #[serde(with = "files")]
    files: Vec<(u32, Arc<SourceText>)>,
    origins: Origins,
}

/// The origins of a chunk's code, as numbers of bytes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Origins {
    /// Start of each source in the chunk's numbering of bytes, ascending.
    starts: Vec<u32>,
    mappings: Mappings,
    /// The byte at which each variable of the chunk is declared, by its name in the emitted code.
    declared: BTreeMap<String, u32>,
}

impl Origins {
    /// The origins of code with a part of one source behind so many lines.
    pub(crate) fn of_part(start: BytePos, mappings: &[(BytePos, LineCol)], lines: u32) -> Self {
        let moved = |(position, at): &(BytePos, LineCol)| (*position, LineCol { line: at.line + lines, col: at.col });
        let mappings: Vec<(BytePos, LineCol)> = mappings.iter().map(moved).collect();
        Self::new(vec![start.0], &mappings, BTreeMap::new())
    }

    pub(crate) fn new(starts: Vec<u32>, mappings: &[(BytePos, LineCol)], declared: BTreeMap<String, BytePos>) -> Self {
        let declared = declared.into_iter().filter(|(_, position)| !position.is_dummy());
        let declared = declared.map(|(name, position)| (name, position.0)).collect();
        let mappings =
            mappings.iter().filter(|(position, _)| !position.is_dummy() && !position.is_reserved_for_comments());
        let mappings = mappings.map(|(position, at)| [at.line, at.col, position.0]);
        Self { starts, mappings: Mappings::new(mappings), declared }
    }

    /// The number of the byte that the code at `line` and `column` came from, both from 0, the column in UTF-16 units.
    pub(crate) fn byte_at(&self, line: u32, column: u32) -> Option<u32> {
        let mappings = self.mappings.all();
        let after = mappings.partition_point(|mapping| (mapping[0], mapping[1]) <= (line, column));
        let [found_line, _, byte] = *mappings.get(after.checked_sub(1)?)?;
        (found_line == line).then_some(byte)
    }
}

/// A line and a column of emitted code, both from 0, the column in UTF-16 units, and the byte that the code there came from.
type Mapping = [u32; 3];

/// Ascending mappings. There are many, and few chunks are ever asked about one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Mappings {
    /// Each as its distance from the one before, in a few bytes.
    #[serde(with = "bytes")]
    distances: Vec<u8>,
    /// All of them, once one was asked for: then, one after the other is.
    #[serde(skip)]
    all: OnceLock<Vec<Mapping>>,
}

impl Mappings {
    fn new(mappings: impl Iterator<Item = Mapping>) -> Self {
        let mut last = Mapping::default();
        let distance = |mapping: Mapping| -> [i32; 3] {
            let last = std::mem::replace(&mut last, mapping);
            std::array::from_fn(|part| mapping[part].wrapping_sub(last[part]).cast_signed())
        };
        let distances: Vec<[i32; 3]> = mappings.map(distance).collect();
        // Writing to memory does not fail.
        Self { distances: postcard::to_stdvec(&distances).unwrap_or_default(), all: OnceLock::new() }
    }

    fn all(&self) -> &[Mapping] {
        self.all.get_or_init(|| self.decoded())
    }

    fn decoded(&self) -> Vec<Mapping> {
        let distances: Vec<[i32; 3]> = postcard::from_bytes(&self.distances).unwrap_or_default();
        let mut last = Mapping::default();
        let mapping = |distance: [i32; 3]| {
            last = std::array::from_fn(|part| last[part].wrapping_add_signed(distance[part]));
            last
        };
        distances.into_iter().map(mapping).collect()
    }
}

impl Positions {
    /// The origins of code that was made of these `sources`.
    pub(crate) fn new<'a>(sources: impl Iterator<Item = &'a Arc<SourceText>>, origins: Origins) -> Self {
        Self { files: origins.starts.iter().copied().zip(sources.cloned()).collect(), origins }
    }

    /// The origins of code that is joined of parts: of each, the line at which it begins, and its source, whose first byte has
    /// the number `first`.
    pub(crate) fn joined<'a>(parts: impl Iterator<Item = (u32, &'a Arc<SourceText>, &'a Origins)>, first: u32) -> Self {
        let (mut files, mut mappings) = (Vec::new(), Vec::new());
        let mut start = first;
        for (begin, source, origins) in parts {
            files.push((start, Arc::clone(source)));
            let moved = |[line, column, position]: Mapping| [line + begin, column, position - first + start];
            mappings.extend(origins.mappings.decoded().into_iter().map(moved));
            start += u32::try_from(source.text.len()).unwrap_or_default() + 1;
        }
        let starts = files.iter().map(|(start, _)| *start).collect();
        let origins = Origins { starts, mappings: Mappings::new(mappings.into_iter()), declared: BTreeMap::new() };
        Self { files, origins }
    }

    /// The source of the code at `line` and `column`, both from 0, the column in UTF-16 units.
    pub(crate) fn locate(&self, line: u32, column: u32) -> Option<Place> {
        self.place(self.origins.byte_at(line, column)?)
    }

    /// Where the variable is declared that the emitted code calls `name`.
    pub(crate) fn declaration(&self, name: &str) -> Option<Place> {
        self.place(*self.origins.declared.get(name)?)
    }

    fn place(&self, position: u32) -> Option<Place> {
        let file = self.files.partition_point(|(start, _)| *start <= position);
        let (start, source) = self.files.get(file.checked_sub(1)?)?;
        let offset = (position - start) as usize;
        Some(Place::new(source, offset..offset))
    }

    /// A source map in version 3, as JSON. Sources are named by their paths in the project, and carried whole.
    pub(crate) fn source_map(&self) -> String {
        let lines: Vec<LineStarts> = self.files.iter().map(|(_, source)| LineStarts::new(&source.text)).collect();
        let mut mappings = String::new();
        let mut generated = (0, 0);
        let mut previous = [0i64; 3];
        for &[line, column, position] in self.origins.mappings.all() {
            let Some(file) = self.files.partition_point(|(start, _)| *start <= position).checked_sub(1) else {
                continue;
            };
            let (source_line, source_column) = lines[file].line_column((position - self.files[file].0) as usize);
            while generated.0 < line {
                mappings.push(';');
                generated = (generated.0 + 1, 0);
            }
            if !mappings.is_empty() && !mappings.ends_with(';') {
                mappings.push(',');
            }
            write_vlq(&mut mappings, i64::from(column) - i64::from(generated.1));
            generated.1 = column;
            let source = [file, source_line, source_column].map(|value| i64::try_from(value).unwrap_or_default());
            for (value, previous) in source.iter().zip(&previous) {
                write_vlq(&mut mappings, value - previous);
            }
            previous = source;
        }
        json!({
            "version": 3,
            "sources": self.files.iter().map(|(_, source)| source.name.as_str()).collect::<Vec<_>>(),
            "sourcesContent": self.files.iter().map(|(_, source)| source.text.as_str()).collect::<Vec<_>>(),
            "names": [],
            "mappings": mappings,
        })
        .to_string()
    }
}

/// Sources with their starts, as data.
mod files {
    use std::sync::Arc;

    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use portalgen_base::diagnostic::SourceText;

    type Files = Vec<(u32, Arc<SourceText>)>;

    pub(super) fn serialize<S: Serializer>(files: &Files, serializer: S) -> Result<S::Ok, S::Error> {
        let file = |(start, source): &(u32, Arc<SourceText>)| (*start, source.name.clone(), source.text.clone());
        files.iter().map(file).collect::<Vec<_>>().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Files, D::Error> {
        let files = Vec::<(u32, String, String)>::deserialize(deserializer)?;
        Ok(files.into_iter().map(|(start, name, text)| (start, SourceText::new(name, text))).collect())
    }
}

/// Starts of the lines of a text.
struct LineStarts<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> LineStarts<'a> {
    fn new(text: &'a str) -> Self {
        let newlines = memchr::memchr_iter(b'\n', text.as_bytes()).map(|newline| newline + 1);
        Self { text, starts: std::iter::once(0).chain(newlines).collect() }
    }

    /// Line and column of a byte, both from 0, the column in UTF-16 units.
    fn line_column(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let before = self.text.get(self.starts[line]..offset).unwrap_or_default();
        let column = if before.is_ascii() { before.len() } else { before.chars().map(char::len_utf16).sum() };
        (line, column)
    }
}

/// Appends a number in base 64, least significant digit first, sign in the lowest bit.
fn write_vlq(out: &mut String, value: i64) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut rest = value.unsigned_abs() << 1 | u64::from(value < 0);
    loop {
        let digit = (rest & 31) as usize;
        rest >>= 5;
        out.push(char::from(DIGITS[if rest == 0 { digit } else { digit | 32 }]));
        if rest == 0 {
            return;
        }
    }
}
