//! Names chunks by their content, even where chunks name each other.
//!
//! Code is first printed with placeholders as long as the hashes that will replace them, so that positions in source
//! maps hold. A chunk's hash covers its own code, placeholders blanked, and that of every chunk it leads to.

use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use super::positions::Positions;
use crate::bundle::{
    Chunk,
    load::asset::{HASH_LENGTH, content_hash},
};

/// A chunk before it has its name.
pub(crate) struct Unnamed {
    pub name: String,
    /// The name stays without a hash.
    pub has_plain_name: bool,
    pub code: String,
    pub source_map: Option<String>,
    pub positions: Positions,
    pub stylesheet: Option<String>,
    pub imports: Vec<usize>,
    pub lazy_imports: Vec<usize>,
    pub modules: Vec<String>,
}

/// The stand-ins for hashes.
pub(crate) struct Placeholders {
    /// Three characters that no source contains.
    prefix: String,
}

impl Placeholders {
    /// Chooses stand-ins that occur in none of the `sources`.
    pub(crate) fn new(sources: &[&str]) -> Self {
        let free = |prefix: &String| {
            sources.iter().all(|source| memchr::memmem::find(source.as_bytes(), prefix.as_bytes()).is_none())
        };
        let prefixes = (0..=u8::MAX).flat_map(|a| (0..=u8::MAX).map(move |b| (a, b)));
        let letters = prefixes.filter(|(a, b)| a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric());
        let prefix = letters.map(|(a, b)| format!("~{}{}", char::from(a), char::from(b))).find(free);
        Self { prefix: prefix.unwrap_or_else(|| "~00".to_owned()) }
    }

    /// The last part of a chunk's file name, with the stand-in for its hash.
    pub(crate) fn file_name(&self, name: &str, chunk: usize) -> String {
        format!("{name}-{}.js", self.stand_in(chunk))
    }

    fn stand_in(&self, chunk: usize) -> String {
        let width = HASH_LENGTH - self.prefix.len();
        format!("{}{chunk:0width$}", self.prefix)
    }

    /// The chunks that `code` names, and where.
    fn mentions<'c>(&'c self, code: &'c str) -> impl Iterator<Item = (usize, usize)> + 'c {
        memchr::memmem::find_iter(code.as_bytes(), self.prefix.as_bytes()).filter_map(move |at| {
            let digits = code.get(at + self.prefix.len()..at + HASH_LENGTH)?;
            Some((at, digits.parse().ok()?))
        })
    }

    /// Computes all hashes and puts them in.
    pub(crate) fn name_all(&self, unnamed: Vec<Unnamed>, prefix: &str) -> Vec<Chunk> {
        let own: Vec<String> = unnamed.par_iter().map(|chunk| self.hash(chunk, &[], &[])).collect();
        let mentioned: Vec<Vec<usize>> =
            unnamed.par_iter().map(|chunk| self.mentions(&chunk.code).map(|(_, other)| other).collect()).collect();
        let paths = Paths::new(&own, &mentioned);
        let hashes: Vec<String> = unnamed
            .par_iter()
            .enumerate()
            .map(|(index, chunk)| self.hash(chunk, &own, &paths.hashes_behind(index)))
            .collect();
        unnamed.into_par_iter().enumerate().map(|(index, chunk)| self.finish(index, chunk, &hashes, prefix)).collect()
    }

    /// Hash of a chunk whose mentions of others read as `names`, and which leads to chunks whose hashes are `behind`.
    fn hash(&self, chunk: &Unnamed, names: &[String], behind: &[&str]) -> String {
        let mut content = chunk.code.clone();
        for (at, other) in self.mentions(&chunk.code) {
            content.replace_range(at..at + HASH_LENGTH, names.get(other).map_or("00000000", String::as_str));
        }
        let map = chunk.source_map.as_deref().unwrap_or_default();
        // Two modules with one text are two modules, and their chunks two files.
        let modules = chunk.modules.iter().map(String::as_str);
        for part in [&*chunk.name, map].into_iter().chain(modules).chain(behind.iter().copied()) {
            content.push('\0');
            content.push_str(part);
        }
        content_hash(content.as_bytes())
    }

    fn finish(&self, index: usize, chunk: Unnamed, hashes: &[String], prefix: &str) -> Chunk {
        let mut code = chunk.code;
        let mentions: Vec<_> = self.mentions(&code).collect();
        for (at, other) in mentions {
            if let Some(hash) = hashes.get(other) {
                code.replace_range(at..at + HASH_LENGTH, hash);
            }
        }
        Chunk {
            file_name: if chunk.has_plain_name {
                format!("{prefix}{}.js", chunk.name)
            } else {
                format!("{prefix}{}-{}.js", chunk.name, hashes[index])
            },
            code,
            source_map: chunk.source_map,
            positions: chunk.positions,
            stylesheet: chunk.stylesheet,
            imports: chunk.imports,
            lazy_imports: chunk.lazy_imports,
            modules: chunk.modules,
        }
    }
}

/// Where chunks lead.
struct Paths<'a> {
    own: &'a [String],
    mentioned: &'a [Vec<usize>],
    /// The chunks, sorted by their own hashes: an order that their numbers do not decide.
    by_hash: Vec<usize>,
}

impl<'a> Paths<'a> {
    fn new(own: &'a [String], mentioned: &'a [Vec<usize>]) -> Self {
        let mut by_hash: Vec<usize> = (0..own.len()).collect();
        by_hash.sort_by_key(|chunk| &own[*chunk]);
        Self { own, mentioned, by_hash }
    }

    /// The hashes of all chunks that `chunk` leads to, itself left out.
    fn hashes_behind(&self, chunk: usize) -> Vec<&'a str> {
        let mut reached = FixedBitSet::with_capacity(self.own.len());
        let mut stack = vec![chunk];
        while let Some(next) = stack.pop() {
            if next < self.own.len() && !reached.put(next) {
                stack.extend(&self.mentioned[next]);
            }
        }
        let others = self.by_hash.iter().filter(|other| **other != chunk && reached.contains(**other));
        others.map(|other| self.own[*other].as_str()).collect()
    }
}
