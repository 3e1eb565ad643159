//! The state of a Git repository as its own files show it: as long as those are the same, Git has nothing new to say.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use portalgen_base::store::Key;

/// Variables that send Git elsewhere. Where one is set, only Git knows what follows from it.
const ELSEWHERE: [&str; 6] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
];

/// Files in the folder of a repository, or in that of one of its working trees.
const FILES: [&str; 9] = [
    "HEAD",
    "config",
    "config.worktree",
    "index",
    "info/attributes",
    "info/grafts",
    "packed-refs",
    "reftable/tables.list",
    "shallow",
];

/// What answers of Git about the files in `root` follow from, apart from these files: commits, the index, settings. None
/// where that cannot be told without Git.
pub(super) fn git_state(root: &Path) -> Option<Key> {
    if ELSEWHERE.iter().any(|name| env::var_os(name).is_some()) {
        return None;
    }
    let mut seen = Seen::default();
    let mut settings = variables();
    settings.sort();
    seen.note(format!("{settings:?}").into_bytes());
    let worktree = root.ancestors().find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok());
    if let Some(worktree) = worktree {
        let own = git_folder(worktree)?;
        let common = match fs::read_to_string(own.join("commondir")) {
            Ok(path) => own.join(path.trim_end()),
            Err(_) => own.clone(),
        };
        for folder in [&own, &common] {
            for name in FILES {
                seen.read(&folder.join(name));
            }
        }
        seen.read_branch(&own, &common);
        let attributes = root.ancestors().take_while(|folder| folder.starts_with(worktree));
        attributes.for_each(|folder| seen.read(&folder.join(".gitattributes")));
        seen.note(format!("{:?}", owners(&[root, worktree, &own])).into_bytes());
    }
    Some(seen.key())
}

/// The file that is there while Git changes the files in `root`, whose folder need not be that of a repository.
pub(super) fn lock(root: &Path) -> Option<PathBuf> {
    let worktree = root.ancestors().find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok())?;
    Some(git_folder(worktree)?.join("index.lock"))
}

/// The folder that `.git` is, or that it names.
fn git_folder(worktree: &Path) -> Option<PathBuf> {
    let git = worktree.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = fs::read_to_string(git).ok()?;
    Some(worktree.join(text.strip_prefix("gitdir:")?.trim()))
}

/// What the environment tells Git, and the settings of who runs it.
fn variables() -> Vec<(String, String)> {
    let text = |value: std::ffi::OsString| value.to_string_lossy().into_owned();
    let named = env::vars_os().map(|(name, value)| (text(name), text(value)));
    let of_git = named.filter(|(name, _)| name.starts_with("GIT_") || name == "PATH" || name == "HOME");
    let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let config = env::var_os("XDG_CONFIG_HOME").map_or_else(|| home.join(".config"), PathBuf::from);
    let files =
        [home.join(".gitconfig"), config.join("git/config"), config.join("git/attributes"), "/etc/gitconfig".into()];
    let settings = files
        .into_iter()
        .filter_map(|file| Some((file.to_string_lossy().into_owned(), fs::read_to_string(file).ok()?)));
    of_git.chain(settings).collect()
}

/// Git trusts a repository by who owns it.
#[cfg(unix)]
fn owners(folders: &[&Path]) -> Vec<Option<u32>> {
    use std::os::unix::fs::MetadataExt as _;
    folders.iter().map(|folder| Some(fs::metadata(folder).ok()?.uid())).collect()
}

#[cfg(not(unix))]
fn owners(_folders: &[&Path]) -> Vec<Option<u32>> {
    Vec::new()
}

/// The contents of files, in the order in which they were looked at.
#[derive(Default)]
struct Seen(Vec<Vec<u8>>);

impl Seen {
    fn note(&mut self, bytes: Vec<u8>) {
        self.0.push(bytes);
    }

    fn read(&mut self, file: &Path) {
        // What is not there is told from what is empty.
        self.note(fs::read(file).map_or_else(|_| b"-".to_vec(), |bytes| [b"+", bytes.as_slice()].concat()));
    }

    /// Reads which commit is checked out.
    fn read_branch(&mut self, own: &Path, common: &Path) {
        let head = fs::read_to_string(own.join("HEAD")).unwrap_or_default();
        let branch = head.strip_prefix("ref:").map(str::trim).filter(|branch| !branch.contains(".."));
        if let Some(branch) = branch {
            for folder in [own, common] {
                self.read(&folder.join(branch));
            }
        }
    }

    fn key(&self) -> Key {
        Key::of(&self.0.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }
}
