//! Content hashes: names chunks by their content, even where chunks name each other.
//!
//! Code is first printed with placeholders as long as the hashes that will replace them, so that positions in source
//! maps hold. Each chunk counts those that it names by itself: what the minifier makes of its code must not depend on how
//! many others there are.
//!
//! A name follows from the bytes of the file: from its code with the hashes of the chunks that it names, and by way of these
//! from everything that it leads to. Chunks that lead to each other cannot be named one after the other, so there each hash covers
//! the code of all of them. A published source map counts as well, since it is named like its script. Modules count only where two
//! files would be the same: two modules with one text are two modules, and their chunks two files.

use std::sync::Arc;

use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::{
    asset::{HASH_LENGTH, content_hash},
    walk::components,
};

/// A chunk before it has its name.
pub(crate) struct Unnamed {
    /// Readable part of its name.
    pub name: String,
    /// The name stays without a hash.
    pub has_plain_name: bool,
    /// Has placeholders until the chunk is named.
    pub code: String,
    pub source_map: Option<String>,
    /// Names of its modules.
    pub modules: Vec<Arc<str>>,
    /// The chunks that the placeholders stand for.
    pub mentioned: Vec<usize>,
}

impl Unnamed {
    /// The path in the output.
    fn file_name(&self, hash: &str, prefix: &str) -> String {
        let Self { name, has_plain_name, .. } = self;
        if *has_plain_name { format!("{prefix}{name}.js") } else { format!("{prefix}{name}-{hash}.js") }
    }
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

    /// The characters that all of them begin with.
    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
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

    /// Computes all hashes and puts them into the code of the chunks. Returns the paths of these in the output.
    pub(crate) fn name_all(&self, chunks: &mut [&mut Unnamed], prefix: &str) -> Vec<String> {
        let mut contents: Vec<Content> = chunks.par_iter().map(|chunk| self.content(chunk)).collect();
        tell_apart(&mut contents, chunks);
        let hashes = hashes(&contents);
        chunks.par_iter_mut().zip(&contents).for_each(|(chunk, content)| content.fill(&mut chunk.code, &hashes));
        chunks.iter().zip(&hashes).map(|(chunk, hash)| chunk.file_name(hash, prefix)).collect()
    }

    fn content(&self, unnamed: &Unnamed) -> Content {
        let mentions: Vec<(usize, usize)> = self.mentions(unnamed).collect();
        let code = unnamed.code.as_bytes();
        let mut hash = Xxh3::new();
        let mut start = 0;
        for (at, _) in &mentions {
            hash.update(&code[start..*at]);
            hash.update(&[0; HASH_LENGTH]);
            start = at + HASH_LENGTH;
        }
        hash.update(&code[start..]);
        for part in [&*unnamed.name, unnamed.source_map.as_deref().unwrap_or_default()] {
            hash.update(&[0]);
            hash.update(part.as_bytes());
        }
        Content { own: hash.digest128(), mentions }
    }
}

/// What decides about the name of a chunk.
struct Content {
    /// Hash of its code without the hashes in it, its readable name and its source map.
    own: u128,
    /// The places where it names others, and the chunks named there.
    mentions: Vec<(usize, usize)>,
}

impl Content {
    /// The hash of a chunk that names others by `hashes`.
    fn hash(&self, hashes: &[String]) -> String {
        let mut bytes = self.own.to_le_bytes().to_vec();
        for (at, other) in &self.mentions {
            bytes.extend(at.to_le_bytes());
            bytes.extend(hashes[*other].bytes());
        }
        content_hash(&bytes)
    }

    /// Puts hashes into the code, each in the place of its stand-in.
    fn fill(&self, code: &mut String, hashes: &[String]) {
        for (at, other) in &self.mentions {
            code.replace_range(*at..at + HASH_LENGTH, &hashes[*other]);
        }
    }

    fn names(&self, chunk: usize) -> bool {
        self.mentions.iter().any(|(_, other)| *other == chunk)
    }
}

/// Makes a difference between chunks that have none. The first of them, by its modules, is named as if it were alone.
fn tell_apart(contents: &mut [Content], unnamed: &[&mut Unnamed]) {
    let mut order: Vec<usize> = (0..contents.len()).collect();
    order.sort_by(|a, b| {
        contents[*a].own.cmp(&contents[*b].own).then_with(|| unnamed[*a].modules.cmp(&unnamed[*b].modules))
    });
    let twins = order.windows(2).filter(|pair| contents[pair[0]].own == contents[pair[1]].own);
    for twin in twins.map(|pair| pair[1]).collect::<Vec<_>>() {
        let content = &mut contents[twin];
        content.own = xxh3_128(&[&content.own.to_le_bytes(), unnamed[twin].modules.join("\0").as_bytes()].concat());
    }
}

/// The hash of each chunk.
fn hashes(contents: &[Content]) -> Vec<String> {
    let mut hashes = vec![String::new(); contents.len()];
    let mentioned = |chunk: usize| contents[chunk].mentions.iter().map(|(_, other)| *other);
    for component in components(contents.len(), mentioned) {
        let is_cycle = component.len() > 1 || component.iter().any(|chunk| contents[*chunk].names(*chunk));
        rehash(&component, contents, &mut hashes);
        if is_cycle {
            // Each now knows its own code, and from here on that of those which it names.
            rehash(&component, contents, &mut hashes);
            let mut all: Vec<&str> = component.iter().map(|chunk| hashes[*chunk].as_str()).collect();
            all.sort_unstable();
            let all = content_hash(all.concat().as_bytes());
            for chunk in component {
                hashes[chunk] = content_hash(format!("{}{all}", hashes[chunk]).as_bytes());
            }
        }
    }
    hashes
}

/// Computes the hashes of some chunks from those that are known.
fn rehash(chunks: &[usize], contents: &[Content], hashes: &mut [String]) {
    let new: Vec<String> = chunks.iter().map(|chunk| contents[*chunk].hash(hashes)).collect();
    for (chunk, hash) in chunks.iter().zip(new) {
        hashes[*chunk] = hash;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// A chunk with a text, that names others.
    #[derive(Clone)]
    struct Node {
        name: &'static str,
        text: String,
        leads_to: Vec<usize>,
    }

    fn node(name: &'static str, text: &str, leads_to: &[usize]) -> Node {
        Node { name, text: text.to_owned(), leads_to: leads_to.to_vec() }
    }

    /// File names and contents of chunks, in their order. Chunks are made of the modules at their places in `nodes`.
    fn named(nodes: &[Node]) -> Vec<(String, String)> {
        let placeholders = Placeholders::new(&[]);
        let chunk = |(place, node): (usize, &Node)| {
            let names = node.leads_to.iter().enumerate();
            let imports = names.map(|(number, other)| placeholders.file_name(nodes[*other].name, number));
            Unnamed {
                name: node.name.to_owned(),
                has_plain_name: false,
                code: format!("{}{}", imports.collect::<String>(), node.text),
                source_map: None,
                modules: vec![format!("{place:03}.js").into()],
                mentioned: node.leads_to.clone(),
            }
        };
        let mut chunks: Vec<Unnamed> = nodes.iter().enumerate().map(chunk).collect();
        let names = placeholders.name_all(&mut chunks.iter_mut().collect::<Vec<_>>(), "");
        names.into_iter().zip(chunks).map(|(name, chunk)| (name, chunk.code)).collect()
    }

    /// The places whose files differ between two runs.
    fn changed(before: &[Node], after: &[Node]) -> Vec<usize> {
        let both = named(before).into_iter().zip(named(after)).enumerate();
        both.filter(|(_, (before, after))| before != after).map(|(place, _)| place).collect()
    }

    #[test]
    fn an_edit_renames_what_leads_to_it_and_nothing_else() {
        // 0 <-> 1 -> 2, 3 -> 2, 4 -> 0
        let nodes = [
            node("a", "0", &[1]),
            node("b", "1", &[0, 2]),
            node("c", "2", &[]),
            node("d", "3", &[2]),
            node("e", "4", &[0]),
        ];
        for (edited, expected) in
            [(0, vec![0, 1, 4]), (1, vec![0, 1, 4]), (2, vec![0, 1, 2, 3, 4]), (3, vec![3]), (4, vec![4])]
        {
            let mut after = nodes.clone();
            after[edited].text.push('!');
            assert_eq!(changed(&nodes, &after), expected, "after an edit of {edited}");
        }
    }

    #[test]
    fn others_and_their_order_do_not_matter() {
        let nodes = [node("a", "0", &[1]), node("b", "1", &[0, 2]), node("c", "2", &[2])];
        let moved = [node("x", "9", &[3]), node("c", "2", &[1]), node("b", "1", &[3, 1]), node("a", "0", &[2])];
        let (before, after) = (named(&nodes), named(&moved));
        assert_eq!(before, [after[3].clone(), after[2].clone(), after[1].clone()]);
    }

    #[test]
    fn equal_files_of_different_modules_are_two() {
        let alone = named(&[node("page", "same", &[])]);
        let twins = named(&[node("page", "same", &[]), node("page", "same", &[]), node("page", "same", &[])]);
        assert_eq!(alone[0], twins[0], "a copy leaves the original its name");
        let mut names: Vec<&String> = twins.iter().map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 3);
    }

    /// Every graph of three chunks with two texts, over all of which a name stands for one content.
    #[test]
    fn equal_names_mean_equal_bytes() {
        let edges: Vec<Vec<usize>> = (0..8).map(|set| (0..3).filter(|bit| set >> bit & 1 == 1).collect()).collect();
        let mut known: BTreeMap<String, String> = BTreeMap::new();
        for texts in 0..8 {
            for graph in 0..512 {
                let node = |place: usize| Node {
                    name: ["a", "a", "b"][place],
                    text: (texts >> place & 1).to_string(),
                    leads_to: edges[graph >> (3 * place) & 7].clone(),
                };
                let files = named(&[node(0), node(1), node(2)]);
                assert!(files[0].0 != files[1].0, "two files of one name: {files:?}");
                for (name, code) in files {
                    let first = known.entry(name.clone()).or_insert_with(|| code.clone());
                    assert_eq!(*first, code, "{name}");
                }
            }
        }
        assert!(known.len() > 500, "only {} names", known.len());
    }
}
