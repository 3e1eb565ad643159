//! Everything a build will publish, gathered before anything is written.
//!
//! Several stages produce files: the bundler, the shell, `site/public`, the deploy files. Here they meet, so here
//! two of them claiming one path is found, and named, while the served folder is still untouched.

use std::{
    borrow::Cow,
    collections::{BTreeMap, btree_map},
    ops::Bound,
    path::{Component, Path},
    sync::Arc,
};

use unicode_normalization::UnicodeNormalization;

use portalgen_base::{
    blob::Blob,
    diagnostic::{Diagnostic, Place},
    text::{Text, text},
};

use crate::content_hash::ContentHash;

/// The folder inside the output folder that publishing keeps for itself; no output may lie in it.
pub const RESERVED_FOLDER: &str = ".portalgen";
/// The folder inside the output folder for notes: see [`OutputSet::add_note`].
pub const NOTES_FOLDER: &str = ".portalgen/deploy";

/// What a file is to those who serve it. The order is the order of publishing: a file comes after what it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutputKind {
    /// Named after its content, so it never changes under its name: scripts, stylesheets, images.
    Asset,
    /// Anything else that is fetched by a fixed name: `robots.txt`, `sitemap.xml`, files from `site/public`.
    Data,
    /// An HTML document.
    Page,
}

/// Who made an output, in words that fit after "produced by". Files of one producer share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Producer(Arc<Made>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Made {
    by: Text,
    place: Option<Place>,
}

impl Producer {
    /// A producer without a place in a text: `site/public/robots.txt`, `the bundler`.
    pub fn new(words: Text) -> Self {
        Self(Arc::new(Made { by: words, place: None }))
    }

    /// Says where its author wrote it down.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        Arc::make_mut(&mut self.0).place = Some(place);
        self
    }

    /// Where its author wrote it down, if anywhere.
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref()
    }

    /// `route "/about" (routes.toml:12:8)`
    fn shown(&self) -> Text {
        let Made { by, place } = &*self.0;
        match place {
            Some(place) => text!("{by} ({place})", "{by}（{place}）", by),
            None => by.clone(),
        }
    }
}

/// One file to publish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// What it is to those who serve it.
    pub kind: OutputKind,
    /// Its whole content.
    pub content: Blob,
    /// Who made it.
    pub producer: Producer,
}

impl Output {
    /// The hash of its content, as manifests and records have it.
    pub(crate) fn hash(&self) -> ContentHash {
        ContentHash(self.content.hash())
    }
}

/// A file on its way into an [`OutputSet`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// Its output path.
    pub path: String,
    /// What it is to those who serve it.
    pub kind: OutputKind,
    /// Its whole content.
    pub content: Blob,
    /// Who made it.
    pub producer: Producer,
}

impl OutputFile {
    /// A file that `producer` made for an output path.
    pub fn new(path: impl Into<String>, kind: OutputKind, content: impl Into<Blob>, producer: Producer) -> Self {
        Self { path: path.into(), kind, content: content.into(), producer }
    }
}

/// Output paths and their files, in the order of their paths.
///
/// A path is relative to the output folder and uses `/` on every system. Holding one of these means that its paths
/// can be created side by side on any file system: see [`OutputSet::insert`].
#[derive(Clone, Debug, Default)]
pub struct OutputSet {
    files: BTreeMap<String, Output>,
    /// How files, and folders on the way to them, are spelled whose paths [`fold`] to something else, by what that is.
    spellings: BTreeMap<String, String>,
    notes: BTreeMap<String, Blob>,
}

/// A file, or a folder on the way to it.
#[derive(Clone, Copy)]
struct Name<'a> {
    path: &'a str,
    file: &'a str,
}

impl Name<'_> {
    fn is_folder(self) -> bool {
        self.path.len() < self.file.len()
    }
}

impl OutputSet {
    /// A set without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// The files of all producers, and what keeps some of them out: see [`OutputSet::insert`].
    pub fn unite(files: impl IntoIterator<Item = OutputFile>) -> (Self, Vec<Diagnostic>) {
        let mut set = Self::new();
        let clashes = set.extend(files);
        (set, clashes)
    }

    /// Adds files, and gives what keeps some of them out.
    #[must_use]
    pub fn extend(&mut self, files: impl IntoIterator<Item = OutputFile>) -> Vec<Diagnostic> {
        let add = |OutputFile { path, kind, content, producer }| self.insert(path, kind, content, producer).err();
        files.into_iter().filter_map(add).collect()
    }

    /// Adds a file.
    ///
    /// # Errors
    /// The path is no output path (see [`check_path`]), is taken, differs from another one only in letter case or in
    /// how its accents are composed (one file on some disks and two on others), or needs a folder where another
    /// output is a file. The diagnostic names both producers, and the set stays as it was.
    pub fn insert(
        &mut self,
        path: impl Into<String>,
        kind: OutputKind,
        content: impl Into<Blob>,
        producer: Producer,
    ) -> Result<(), Diagnostic> {
        let path = path.into();
        if let Err(reason) = check_path(&path) {
            let shown = producer.shown();
            let message = text!(
                "{shown} cannot produce `{path}`: {reason}",
                "不能生成 `{path}`（来自{shown}）：{reason}",
                shown,
                reason
            );
            return Err(located(Diagnostic::error(message), &producer));
        }
        for name in names_of(&path) {
            self.check_name(name, &producer)?;
        }
        for name in names_of(&path) {
            let folded = fold(name.path);
            if folded != name.path {
                self.spellings.entry(folded.into_owned()).or_insert_with(|| name.path.to_owned());
            }
        }
        self.files.insert(path, Output { kind, content: content.into(), producer });
        Ok(())
    }

    /// Adds a file that no visitor is meant to be served: what whoever deploys the output needs to know, or the next build.
    /// It goes to [`NOTES_FOLDER`], under a name without folders.
    pub fn add_note(&mut self, name: impl Into<String>, content: impl Into<Blob>) {
        self.notes.insert(name.into(), content.into());
    }

    /// Every note by its name.
    pub fn notes(&self) -> &BTreeMap<String, Blob> {
        &self.notes
    }

    /// The file at `path`.
    pub fn get(&self, path: &str) -> Option<&Output> {
        self.files.get(path)
    }

    /// The path as the set has it, and the file at it.
    pub fn get_key_value(&self, path: &str) -> Option<(&str, &Output)> {
        self.files.get_key_value(path).map(|(path, output)| (path.as_str(), output))
    }

    /// The path of the file whose name some file systems hold to be the same as `path`: they may differ in letter case and in
    /// how accents are composed.
    pub fn similar(&self, path: &str) -> Option<&str> {
        self.taken(path).map(|(name, _)| name).filter(|name| !name.is_folder()).map(|name| name.path)
    }

    /// Every path and its file, in the order of the paths.
    pub fn iter(&self) -> btree_map::Iter<'_, String, Output> {
        self.files.iter()
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    fn check_name(&self, name: Name<'_>, producer: &Producer) -> Result<(), Diagnostic> {
        let Some((taken, other)) = self.taken(name.path) else { return Ok(()) };
        if taken.is_folder() && name.is_folder() && taken.path == name.path {
            return Ok(());
        }
        Err(Clash { name, producer, taken, other: &other.producer }.diagnostic())
    }

    /// What some file systems would find at `path`, and the file there. Of a folder, that is the first one in it.
    fn taken(&self, path: &str) -> Option<(Name<'_>, &Output)> {
        let folded = fold(path);
        let spelled = self.spellings.get(&*folded).map_or(&*folded, String::as_str);
        let first_inside = || {
            let inside = format!("{spelled}/");
            let first = self.files.range::<str, _>((Bound::Included(&*inside), Bound::Unbounded)).next();
            first.filter(|(file, _)| file.starts_with(&inside))
        };
        let (file, output) = self.files.get_key_value(spelled).or_else(first_inside)?;
        Some((Name { path: &file[..spelled.len()], file }, output))
    }
}

impl<'a> IntoIterator for &'a OutputSet {
    type Item = (&'a String, &'a Output);
    type IntoIter = btree_map::Iter<'a, String, Output>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Two outputs that cannot stand side by side.
struct Clash<'a> {
    name: Name<'a>,
    producer: &'a Producer,
    taken: Name<'a>,
    other: &'a Producer,
}

impl Clash<'_> {
    fn diagnostic(&self) -> Diagnostic {
        let error = Diagnostic::error(self.message()).with_hint(self.hint());
        let error = located(error, self.producer);
        match self.other.place() {
            Some(place) => error.with_related(place.clone(), self.label()),
            None => error,
        }
    }

    fn label(&self) -> Text {
        let path = self.taken.file;
        text!("`{path}` comes from here", "`{path}` 来自这里")
    }

    fn message(&self) -> Text {
        let Self { name, producer, taken, other } = self;
        let (both, path, other_path) = (name.path, name.file, taken.file);
        let (producer, other) = (producer.shown(), other.shown());
        if name.is_folder() != taken.is_folder() {
            text!(
                "`{both}` cannot be both a file and a folder: {other} produces `{other_path}` and {producer} produces \
                `{path}`",
                "`{both}` 不能既是文件又是文件夹：`{other_path}` 来自{other}，`{path}` 来自{producer}",
                producer,
                other
            )
        } else if name.path == taken.path {
            text!(
                "`{path}` is produced twice: by {other} and by {producer}",
                "`{path}` 会生成两次：一次来自{other}，一次来自{producer}",
                producer,
                other
            )
        } else {
            text!(
                "`{other_path}` and `{path}` differ only in case or in how accents are encoded: {other} \
                produces the first and {producer} the second",
                "`{other_path}` 与 `{path}` 的差别只在大小写或带声调字母的编码方式：前者来自{other}，后者来自\
                {producer}",
                producer,
                other
            )
        }
    }

    fn hint(&self) -> Text {
        if self.name.path == self.taken.path {
            text!("rename or remove one of the two", "请给其中一个改名，或者删掉一个")
        } else {
            text!(
                "some disks and hosts treat such names as the same: use one spelling for both, or clearly different \
                names",
                "有些磁盘和托管平台会把它们当成同一个名字：请统一写法，或者换成明显不同的名字"
            )
        }
    }
}

fn located(diagnostic: Diagnostic, producer: &Producer) -> Diagnostic {
    diagnostic.at_known(producer.place().cloned())
}

/// The folders on the way to `path`, outermost first, and `path` itself.
fn names_of(path: &str) -> impl Iterator<Item = Name<'_>> {
    let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
    ends.map(move |end| Name { path: &path[..end], file: path })
}

/// One spelling for all that some file systems hold to be the same name.
pub(crate) fn fold(path: &str) -> Cow<'_, str> {
    let is_folded = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    if path.bytes().all(is_folded) {
        return path.into();
    }
    path.nfc().collect::<String>().to_lowercase().nfc().collect::<String>().into()
}

/// Whether `path` may name an output: relative, `/` between its parts, and the same file on every system.
///
/// # Errors
/// What is wrong with it, in words that fit after a colon.
pub fn check_path(path: &str) -> Result<(), Text> {
    let mut parts = path.split('/');
    let reserved = parts.next().is_some_and(|first| fold(first) == RESERVED_FOLDER);
    Err(if path.is_empty() {
        text!("the path is empty", "路径是空的")
    } else if path.starts_with('/') {
        text!("the path must be relative to the output folder", "路径必须相对于输出文件夹")
    } else if path.contains('\\') {
        text!(
            "a backslash separates folders on Windows but not on other systems",
            "反斜杠只在 Windows 上表示文件夹的分隔"
        )
    } else if path.contains(char::is_control) {
        text!("the path contains a control character", "路径里有控制字符")
    } else if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        text!("a part of the path is empty, `.` or `..`", "路径里有一段是空的、`.` 或 `..`")
    } else if reserved {
        text!(
            "the folder `.portalgen` is reserved for portalgen's records",
            "文件夹 `.portalgen` 留给 portalgen 存放自己的记录"
        )
    } else if !Path::new(path).components().all(|component| matches!(component, Component::Normal(_))) {
        text!("on this system the path points outside the output folder", "在这个系统上，路径指向输出文件夹之外")
    } else {
        return Ok(());
    })
}
