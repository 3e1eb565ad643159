//! `portalgen build --verify`: the same sources must give the same bytes.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

use portalgen_base::{
    blob::Blob,
    diagnostic::{Diagnostic, Place, SourceText},
    source::{Disk, Moved},
    store::Store,
    text::{Text, text},
};
use portalgen_build::pipeline::{self, Build, BuildOptions, Session};
use portalgen_portal::history::History;
use portalgen_release::{
    ledger,
    output::{NOTES_FOLDER, RESERVED_FOLDER},
};

use super::{failure::Failure, history, project::with_jobs, shown::visible};

/// How many characters of its content the name of an asset has behind its last hyphen.
const HASH: usize = 8;
/// How many bytes of a file that is no text are shown on each side.
const BYTES: usize = 8;

/// Builds once more: without results of earlier builds, in another folder, and with another number of threads, so that
/// work is done in another order as well.
///
/// # Errors
/// The second build has mistakes, or gives other bytes than `build`, the first one, with `jobs` threads.
pub(super) fn verify(build: &Build, options: &BuildOptions, jobs: Option<usize>) -> Result<(), Failure> {
    let session = Session::new(Arc::new(Moved::new(Arc::new(Disk::of_project(&options.root)))));
    let options = BuildOptions {
        root: Moved::path(&options.root),
        previous: options.previous.as_deref().map(Moved::path),
        history: history_elsewhere,
        clock: options.clock.parts_of("verify"),
        ..options.clone()
    };
    let jobs = if jobs == Some(1) { 3 } else { 1 };
    let second = with_jobs(Some(jobs), || pipeline::build(&session, &options))?.map_err(Failure::of_site)?;
    match difference(&files(build), &files(&second)) {
        Some(difference) => Err(Failure::of_site(vec![difference])),
        None => Ok(()),
    }
}

fn history_elsewhere(root: &Path, store: &Store) -> History {
    history::read(&Moved::real(root), store)
}

type Files = BTreeMap<String, Blob>;

/// All that a build would write, by paths.
fn files(build: &Build) -> Files {
    let published = build.output.iter().map(|(path, output)| (path.clone(), output.content.clone()));
    let notes = build.output.notes().iter();
    let notes = notes.map(|(name, note)| (format!("{NOTES_FOLDER}/{name}"), note.clone()));
    let ledger = build.ledger.iter().map(|text| (ledger::FILE.to_owned(), text.as_bytes().into()));
    published.chain(notes).chain(ledger).collect()
}

/// What is different, if anything is.
fn difference(first: &Files, second: &Files) -> Option<Diagnostic> {
    let pairs = pairs(first, second);
    let renamed: BTreeSet<&str> =
        pairs.iter().filter(|pair| pair.path != pair.other).map(|pair| file_name(pair.path)).collect();
    let is_cause = |pair: &&Pair<'_>| !renamed.contains(&*pair.name_at_difference());
    if let Some(pair) = pairs.iter().find(is_cause).or(pairs.first()) {
        return Some(pair.diagnostic());
    }
    let only = |files: &Files, others: &Files| files.keys().find(|path| !others.contains_key(*path)).cloned();
    let (path, is_first) =
        only(first, second).map(|path| (path, true)).or_else(|| only(second, first).map(|path| (path, false)))?;
    Some(with_hints(Diagnostic::error(in_one_only(&path, is_first))))
}

/// A file whose content is different in two builds.
struct Pair<'a> {
    /// Its output path in the first.
    path: &'a str,
    first: &'a Blob,
    /// Its output path in the second: another one, where the name follows from the content.
    other: &'a str,
    second: &'a Blob,
}

/// All such files: what is named by its content first, and what describes the others last.
fn pairs<'a>(first: &'a Files, second: &'a Files) -> Vec<Pair<'a>> {
    let new = second.keys().filter(|path| !first.contains_key(*path));
    let new: BTreeMap<_, &String> = new.filter_map(|path| Some((without_hash(path)?, path))).collect();
    let other = |path: &'a String| match second.get_key_value(path) {
        Some(same) => Some(same),
        None => second.get_key_value(*new.get(&without_hash(path)?)?),
    };
    let pair = |(path, first): (&'a String, &'a Blob)| {
        let (other, second) = other(path)?;
        (first != second).then_some(Pair { path, first, other, second })
    };
    let mut pairs: Vec<Pair<'_>> = first.iter().filter_map(pair).collect();
    pairs.sort_by_key(|pair| (pair.path == pair.other, pair.path.starts_with(RESERVED_FOLDER)));
    pairs
}

impl Pair<'_> {
    /// Where the first byte is that differs.
    fn at(&self) -> usize {
        let differs = self.first.read().iter().zip(&*self.second.read()).position(|(a, b)| a != b);
        differs.unwrap_or_else(|| self.first.len().min(self.second.len()))
    }

    /// What could be the name of a file at that byte. A file that only names another one that differs is not the cause.
    fn name_at_difference(&self) -> String {
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        let first = self.first.read();
        let (before, behind) = first.split_at(self.at());
        let start = before.iter().rposition(|byte| !is_of_name(byte)).map_or(0, |at| at + 1);
        let end = behind.iter().position(|byte| !is_of_name(byte)).unwrap_or(behind.len());
        String::from_utf8_lossy(&first[start..before.len() + end]).into_owned()
    }

    fn diagnostic(&self) -> Diagnostic {
        let (shown, at) = (visible(self.path), self.at());
        let byte = at + 1;
        let message = text!(
            "two builds of the same sources differ: `{shown}`, from byte {byte} on",
            "同样的源文件两次构建的结果不同：`{shown}`，从第 {byte} 个字节开始"
        );
        let first = place(self.path, &self.first.read(), at);
        let second = place(&format!("{} (2)", self.other), &self.second.read(), at);
        with_hints(Diagnostic::error(message).at(first).with_related(second, text!("the second build", "第二次构建")))
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The output path of an asset, without what follows from its content.
fn without_hash(path: &str) -> Option<(&str, &str)> {
    let (hyphen, _) = path.rmatch_indices('-').find(|(at, _)| {
        let behind = path.as_bytes().get(at + 1 + HASH);
        behind.is_none_or(|byte| *byte == b'.')
    })?;
    Some((&path[..hyphen], path.get(hyphen + 1 + HASH..)?))
}

/// A byte of a file. Of one that is no text, the bytes around it are shown as numbers.
fn place(name: &str, bytes: &[u8], at: usize) -> Place {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Place::new(&SourceText::new(name, text), at..at + 1);
    }
    let start = at.saturating_sub(BYTES);
    let around = &bytes[start..bytes.len().min(at + BYTES)];
    let text = around.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    let mark = (at - start) * 3;
    Place::new(&SourceText::new(name, text), mark..mark + 2)
}

fn in_one_only(path: &str, is_first: bool) -> Text {
    let path = visible(path);
    if is_first {
        text!(
            "two builds of the same sources differ: only the first one has `{path}`",
            "同样的源文件两次构建的结果不同：只有第一次有 `{path}`"
        )
    } else {
        text!(
            "two builds of the same sources differ: only the second one has `{path}`",
            "同样的源文件两次构建的结果不同：只有第二次有 `{path}`"
        )
    }
}

fn with_hints(error: Diagnostic) -> Diagnostic {
    error
        .with_hint(text!(
            "make sure that nothing changes the project or its packages during the build, and run it again",
            "请确认构建期间没有程序改动项目或依赖包，然后再运行一次"
        ))
        .with_hint(text!(
            "if they still differ, this is a bug in portalgen: please report it with this message",
            "如果仍然不同，就是 portalgen 的错误：请附上这条消息报告"
        ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use portalgen_base::text::Language;

    fn files(files: &[(&str, &str)]) -> Files {
        files.iter().map(|(path, text)| ((*path).to_owned(), Blob::from(*text))).collect()
    }

    /// What is said of two builds, and the places that are shown.
    fn told(first: &[(&str, &str)], second: &[(&str, &str)]) -> Option<(String, Vec<String>)> {
        let found = difference(&files(first), &files(second))?;
        let places = found.place.iter().chain(found.related.iter().map(|(place, _)| place));
        Some((found.message.in_language(Language::English).to_owned(), places.map(Place::to_string).collect()))
    }

    #[test]
    fn equal_builds_are_nothing_to_talk_about() {
        let build = [("index.html", "<h1>a</h1>"), ("assets/a-12345678.js", "a()")];
        assert_eq!(told(&build, &build), None);
    }

    #[test]
    fn the_cause_is_shown_and_not_what_names_it() {
        let first = [
            ("assets/a-eeeeeee1.js", "import \"./b-aaaaaaa1.js\";"),
            ("assets/b-aaaaaaa1.js", "let b;\nlet c = 1;"),
            (".portalgen/deploy/portal.json", "{ \"hash\": 1 }"),
            ("index.html", "<script src=/assets/a-eeeeeee1.js>"),
        ];
        let second = [
            ("assets/a-fffffff2.js", "import \"./b-bbbbbbb2.js\";"),
            ("assets/b-bbbbbbb2.js", "let b;\nlet c = 2;"),
            (".portalgen/deploy/portal.json", "{ \"hash\": 2 }"),
            ("index.html", "<script src=/assets/a-fffffff2.js>"),
        ];
        let (message, places) = told(&first, &second).expect("a difference");
        assert!(message.ends_with("`assets/b-aaaaaaa1.js`, from byte 16 on"), "{message}");
        assert_eq!(places, ["assets/b-aaaaaaa1.js:2:9", "assets/b-bbbbbbb2.js (2):2:9"]);
    }
    #[test]
    fn documents_come_before_what_describes_them() {
        let (message, _) = told(
            &[(".portalgen/deploy/portal.json", "1"), ("sitemap.xml", "<lastmod>2026-01-01")],
            &[(".portalgen/deploy/portal.json", "2"), ("sitemap.xml", "<lastmod>2026-01-02")],
        )
        .expect("a difference");
        assert!(message.ends_with("`sitemap.xml`, from byte 19 on"), "{message}");
    }

    #[test]
    fn a_file_of_one_build_only_is_named() {
        let told = |first: &[(&str, &str)], second: &[(&str, &str)]| told(first, second).expect("a difference").0;
        assert!(told(&[("a.txt", "")], &[]).ends_with("only the first one has `a.txt`"));
        assert!(told(&[], &[("a.txt", "")]).ends_with("only the second one has `a.txt`"));
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_numbers() {
        let (first, second): (&[u8], &[u8]) = (&[0xff, 0, 1, 2], &[0xff, 0, 9, 2]);
        let build = |bytes: &[u8]| Files::from([("icon.png".to_owned(), bytes.into())]);
        let found = difference(&build(first), &build(second)).expect("a difference");
        let place = found.place.expect("a place");
        assert_eq!((place.source.text.as_str(), &place.source.text[place.span]), ("ff 00 01 02", "01"));
    }

    #[test]
    fn a_file_that_ends_sooner_differs_there() {
        let (message, places) = told(&[("a.txt", "ab")], &[("a.txt", "abc")]).expect("a difference");
        assert!(message.ends_with("from byte 3 on"), "{message}");
        assert_eq!(places, ["a.txt:1:3", "a.txt (2):1:3"]);
    }
}
