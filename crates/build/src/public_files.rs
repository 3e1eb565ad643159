//! `site/public`: files that are published byte for byte, under their own names.

use std::{
    collections::BTreeSet,
    io,
    path::{Component, Path, PathBuf},
};

use portalgen_base::{
    diagnostic::Diagnostic,
    source::{self, Kind, Sources, Unwalkable},
    system,
    text::{Text, text},
};
use portalgen_release::output;

/// The one folder with a leading dot that hosts are asked for by name (RFC 8615).
const WELL_KNOWN: &str = ".well-known";

/// A file to publish as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicFile {
    /// Its output path: relative to the public folder, with `/`.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Reads every file below `folder`, in the order of their paths. A folder that does not exist holds none.
///
/// What cannot or should not be published is left out with a warning: names with a leading dot (except `.well-known/`),
/// links that are broken, run in circles or lead to what the project at `root` may not read, pipes, sockets and devices
/// (which are never opened), unreadable files and folders, and names that no URL can spell.
pub fn collect(sources: &dyn Sources, root: &Path, folder: &Path) -> (Vec<PublicFile>, Vec<Diagnostic>) {
    let mut collection = Collection { root, files: Vec::new(), warnings: Vec::new(), hidden: BTreeSet::new() };
    match sources.kind(folder) {
        Ok(Kind::Folder) => collection.add_all(sources, folder),
        Err(_) if sources.link_kind(folder).is_err() => {}
        _ => collection
            .warn(folder, &text!("is not a folder, so nothing was copied from it", "不是文件夹，没有复制任何内容")),
    }
    (collection.files, collection.warnings)
}

/// The output paths of the files below `folder` that can be published, without a look into them.
pub(crate) fn paths(sources: &dyn Sources, folder: &Path) -> Vec<String> {
    let files = sources.walk(folder).into_iter().filter(|found| matches!(found.kind, Ok(Kind::File)));
    let shown = files.filter(|found| hidden_part(folder, &found.path).is_none());
    shown.filter_map(|found| output_path(folder, &found.path).ok()).collect()
}

struct Collection<'a> {
    root: &'a Path,
    files: Vec<PublicFile>,
    warnings: Vec<Diagnostic>,
    /// Paths with a leading dot already spoken of: one word about a folder is enough for all that is in it.
    hidden: BTreeSet<PathBuf>,
}

impl Collection<'_> {
    fn add_all(&mut self, sources: &dyn Sources, folder: &Path) {
        for found in sources.walk(folder) {
            if let Some(hidden) = hidden_part(folder, &found.path) {
                self.skip_hidden(&hidden);
                continue;
            }
            match found.kind {
                Ok(Kind::File) => self.add(sources, folder, &found.path),
                Ok(_) => {
                    let what =
                        text!("is a pipe, socket or device and was not copied", "是管道、套接字或设备，没有复制");
                    self.warn(&found.path, &what);
                }
                Err(problem) => {
                    self.warn(&found.path, &describe(&problem));
                    if let (Unwalkable::LeavingLink(refused), Some(warning)) = (&problem, self.warnings.last_mut()) {
                        warning.hints.extend(refused.hint());
                    }
                }
            }
        }
    }

    fn add(&mut self, sources: &dyn Sources, folder: &Path, file: &Path) {
        match output_path(folder, file) {
            Err(reason) => self.warn(file, &text!("was not copied: {reason}", "没有复制：{reason}", reason)),
            Ok(path) => match sources.read(file) {
                Ok(bytes) => self.files.push(PublicFile { path, bytes }),
                Err(error) => self.warn(file, &unreadable(&error)),
            },
        }
    }

    fn skip_hidden(&mut self, path: &Path) {
        if self.hidden.insert(path.to_path_buf()) {
            self.warn(path, &text!("begins with a dot and was not copied", "以点开头，没有复制"));
        }
    }

    /// `what` completes the sentence that begins with the name of the path.
    fn warn(&mut self, path: &Path, what: &Text) {
        let name = source::display_name(self.root, path);
        let shown = name.replace(char::is_control, "\u{fffd}");
        self.warnings.push(Diagnostic::warning(text!("`{shown}` {what}", "`{shown}` {what}", what)));
    }
}

fn describe(problem: &Unwalkable) -> Text {
    match problem {
        Unwalkable::BrokenLink => text!("is a broken symbolic link and was not copied", "是失效的符号链接，没有复制"),
        Unwalkable::LoopingLink => {
            text!("is a symbolic link that points back to itself and was not followed", "是循环的符号链接，没有跟随")
        }
        Unwalkable::LeavingLink(refused) if refused.is_private() => {
            text!(
                "is a symbolic link to a file that may contain secrets and was not followed",
                "是符号链接，指向的文件可能含有密钥，没有跟随"
            )
        }
        Unwalkable::LeavingLink(_) => {
            text!("is a symbolic link out of the project and was not followed", "是指向项目之外的符号链接，没有跟随")
        }
        Unwalkable::Unreadable(error) => unreadable(error),
    }
}

fn unreadable(error: &io::Error) -> Text {
    let error = system::explain(error);
    text!("cannot be read and was not copied: {error}", "无法读取，没有复制：{error}", error)
}

/// The path up to the first part that hides it, if one does.
fn hidden_part(folder: &Path, path: &Path) -> Option<PathBuf> {
    let mut so_far = folder.to_path_buf();
    for (depth, part) in path.strip_prefix(folder).ok()?.components().enumerate() {
        so_far.push(part);
        let name = part.as_os_str();
        if name.as_encoded_bytes().starts_with(b".") && !(depth == 0 && name == WELL_KNOWN) {
            return Some(so_far);
        }
    }
    None
}

/// The output path of a file, or why it can have none.
fn output_path(folder: &Path, file: &Path) -> Result<String, Text> {
    let outside = || text!("it is outside the public folder", "它在 public 文件夹之外");
    let relative = file.strip_prefix(folder).map_err(|_| outside())?;
    let mut parts = Vec::new();
    for part in relative.components() {
        let Component::Normal(name) = part else { return Err(outside()) };
        parts.push(name.to_str().ok_or_else(|| text!("its name is not UTF-8", "它的名字不是 UTF-8 编码"))?);
    }
    let path = parts.join("/");
    output::check_path(&path).map(|()| path)
}
