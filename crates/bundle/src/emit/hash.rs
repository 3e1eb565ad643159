//! Content hashes: names chunks by their content, even where chunks name each other.
//!
//! Code is first printed with placeholders as long as the hashes that will replace them, so that positions in source
//! maps hold. Each chunk counts those that it names by itself: what the minifier makes of its code must not depend on how
//! many others there are. A chunk's hash covers its own code, placeholders blanked, and that of every chunk it leads to.

use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use crate::asset::{HASH_LENGTH, content_hash};

/// A chunk before it has its name.
pub(crate) struct Unnamed {
    /// Readable part of its name.
    pub name: String,
    /// The name stays without a hash.
    pub has_plain_name: bool,
    /// Has placeholders.
    pub code: String,
    pub source_map: Option<String>,
    /// Names of its modules.
    pub modules: Vec<String>,
    /// The chunks that the placeholders stand for.
    pub mentioned: Vec<usize>,
}

/// A chunk's path in the output, and its code without placeholders.
pub(crate) struct Named {
    pub file_name: String,
    pub code: String,
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

    /// The last part of a chunk's file name, with the stand-in for its hash. `number` is the chunk's place among those that
    /// the code at hand mentions.
    pub(crate) fn file_name(&self, name: &str, number: usize) -> String {
        let width = HASH_LENGTH - self.prefix.len();
        format!("{name}-{}{number:0width$}.js", self.prefix)
    }

    /// The places where a chunk names others, and the chunks named there.
    fn mentions<'c>(&'c self, unnamed: &'c Unnamed) -> impl Iterator<Item = (usize, usize)> + 'c {
        let code = &unnamed.code;
        memchr::memmem::find_iter(code.as_bytes(), self.prefix.as_bytes()).filter_map(move |at| {
            let digits = code.get(at + self.prefix.len()..at + HASH_LENGTH)?;
            Some((at, *unnamed.mentioned.get(digits.parse::<usize>().ok()?)?))
        })
    }

    /// Computes all hashes and puts them in.
    pub(crate) fn name_all(&self, unnamed: &[&Unnamed], prefix: &str) -> Vec<Named> {
        let own: Vec<String> = unnamed.par_iter().map(|chunk| self.hash(chunk, &[], &[])).collect();
        let paths = Paths::new(&own, unnamed);
        let hashes: Vec<String> = unnamed
            .par_iter()
            .enumerate()
            .map(|(index, chunk)| self.hash(chunk, &own, &paths.hashes_behind(index)))
            .collect();
        unnamed.par_iter().enumerate().map(|(index, chunk)| self.finish(index, chunk, &hashes, prefix)).collect()
    }

    /// Hash of a chunk whose mentions of others read as `names`, and which leads to chunks whose hashes are `behind`.
    fn hash(&self, unnamed: &Unnamed, names: &[String], behind: &[&str]) -> String {
        let mut content = unnamed.code.clone();
        for (at, other) in self.mentions(unnamed) {
            content.replace_range(at..at + HASH_LENGTH, names.get(other).map_or("00000000", String::as_str));
        }
        let map = unnamed.source_map.as_deref().unwrap_or_default();
        // Two modules with one text are two modules, and their chunks two files.
        let modules = unnamed.modules.iter().map(String::as_str);
        for part in [&*unnamed.name, map].into_iter().chain(modules).chain(behind.iter().copied()) {
            content.push('\0');
            content.push_str(part);
        }
        content_hash(content.as_bytes())
    }

    fn finish(&self, index: usize, unnamed: &Unnamed, hashes: &[String], prefix: &str) -> Named {
        let mut code = unnamed.code.clone();
        for (at, other) in self.mentions(unnamed) {
            code.replace_range(at..at + HASH_LENGTH, &hashes[other]);
        }
        let Unnamed { name, has_plain_name, .. } = unnamed;
        let file_name =
            if *has_plain_name { format!("{prefix}{name}.js") } else { format!("{prefix}{name}-{}.js", hashes[index]) };
        Named { file_name, code }
    }
}

/// Paths along mentions of chunks.
struct Paths<'a> {
    own: &'a [String],
    chunks: &'a [&'a Unnamed],
    /// The chunks, sorted by their own hashes: an order that their numbers do not decide.
    by_hash: Vec<usize>,
}

impl<'a> Paths<'a> {
    fn new(own: &'a [String], chunks: &'a [&'a Unnamed]) -> Self {
        let mut by_hash: Vec<usize> = (0..own.len()).collect();
        by_hash.sort_by_key(|chunk| &own[*chunk]);
        Self { own, chunks, by_hash }
    }

    /// The hashes of all chunks that `chunk` leads to, itself left out.
    fn hashes_behind(&self, chunk: usize) -> Vec<&'a str> {
        let mut reached = FixedBitSet::with_capacity(self.own.len());
        let mut stack = vec![chunk];
        while let Some(next) = stack.pop() {
            if !reached.put(next) {
                stack.extend(&self.chunks[next].mentioned);
            }
        }
        let others = self.by_hash.iter().filter(|other| **other != chunk && reached.contains(**other));
        others.map(|other| self.own[*other].as_str()).collect()
    }
}
