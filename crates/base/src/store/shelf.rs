//! A folder of a store: files that come by rename and go when they are old. No link is followed to it or in it.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, SystemTime},
};

/// The name of a file in the making begins like this.
const UNFINISHED: &str = ".portalgen-";
/// A process that is still at work on a file has begun it after that.
const LONGEST_WRITE: Duration = Duration::from_hours(1);
/// How exactly the last use of a file is known.
pub(super) const DAY: Duration = Duration::from_hours(24);

#[derive(Clone, Debug)]
pub(super) struct Shelf {
    /// The folder of the store.
    store: PathBuf,
    /// The folder in it.
    folder: PathBuf,
}

/// A file on a shelf.
pub(super) struct Item {
    pub(super) name: String,
    pub(super) length: u64,
    /// When it was written or used last.
    pub(super) time: SystemTime,
}

impl Shelf {
    /// The folder `name` in the folder `store`; `name` may be several names with `/` between them.
    pub(super) fn new(store: &Path, name: &str) -> Self {
        Self { store: store.to_owned(), folder: store.join(name) }
    }

    /// The shelves beside this one, and this one itself.
    pub(super) fn beside(&self) -> Vec<Self> {
        let Some(parent) = self.folder.parent().filter(|_| self.is_there()) else { return Vec::new() };
        let folders = fs::read_dir(parent).into_iter().flatten().filter_map(Result::ok);
        let folders = folders.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        folders.map(|entry| Self { store: self.store.clone(), folder: entry.path() }).collect()
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        self.folder == other.folder
    }

    /// Whether the folder is there, and no link on the way from that of the packages.
    fn is_there(&self) -> bool {
        self.on_the_way().all(is_folder)
    }

    /// The folders that portalgen makes, outermost first: that of the store has the name of all tools' around it.
    fn on_the_way(&self) -> impl Iterator<Item = &Path> {
        let depth = self.folder.components().count() - self.store.components().count();
        let mut folders: Vec<&Path> = self.folder.ancestors().take(depth + 2).collect();
        folders.reverse();
        folders.into_iter()
    }

    fn make(&self) -> io::Result<()> {
        for folder in self.on_the_way() {
            match fs::create_dir(folder) {
                Err(_) if !is_folder(folder) => return Err(io::ErrorKind::NotADirectory.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// The files on the shelf, in the order of their names, without those in the making.
    pub(super) fn items(&self) -> Vec<Item> {
        let mut items = self.all();
        items.retain(|item| !item.name.starts_with(UNFINISHED));
        items
    }

    fn all(&self) -> Vec<Item> {
        if !self.is_there() {
            return Vec::new();
        }
        let entries = fs::read_dir(&self.folder).into_iter().flatten().filter_map(Result::ok);
        let items = entries.filter_map(|entry| {
            let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            let (length, time) = (metadata.len(), metadata.modified().ok()?);
            Some(Item { name: entry.file_name().into_string().ok()?, length, time })
        });
        let mut items: Vec<Item> = items.collect();
        items.sort_by(|a, b| a.name.cmp(&b.name));
        items
    }

    /// Opens a file, unless it is none.
    pub(super) fn open(&self, name: &str) -> Option<File> {
        let path = self.folder.join(name);
        let is_file = self.is_there() && fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file());
        is_file.then(|| File::open(path).ok()).flatten()
    }

    pub(super) fn read(&self, name: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut self.open(name)?, &mut bytes).ok()?;
        Some(bytes)
    }

    /// Puts a file on the shelf, in place of one of that name. It is there whole or not at all. `content` writes it, and
    /// tells its name in the end.
    pub(super) fn write(&self, content: impl FnOnce(&mut dyn io::Write) -> io::Result<String>) -> io::Result<String> {
        self.make()?;
        let unfinished = self.folder.join(unfinished_name());
        let written = write_new(&unfinished, content).and_then(|name| {
            fs::rename(&unfinished, self.folder.join(&name))?;
            Ok(name)
        });
        written.inspect_err(|_| {
            // On a full disk, half a file is the last thing to leave behind.
            let _ = fs::remove_file(&unfinished);
        })
    }

    /// A new file that is on the shelf under no name. The system keeps it for as long as it is open.
    pub(super) fn unnamed_file(&self) -> io::Result<File> {
        self.make()?;
        let unfinished = self.folder.join(unfinished_name());
        let file = File::options().read(true).write(true).create_new(true).open(&unfinished)?;
        fs::remove_file(&unfinished)?;
        Ok(file)
    }

    pub(super) fn remove(&self, name: &str) {
        if self.is_there() {
            let _ = fs::remove_file(self.folder.join(name));
        }
    }

    /// Removes the folder with all that is in it.
    pub(super) fn remove_all(&self) {
        for item in self.all() {
            self.remove(&item.name);
        }
        let _ = fs::remove_dir(&self.folder);
    }

    /// Notes that a file was used, if that was not noted for a day.
    pub(super) fn touch(&self, name: &str) {
        let path = self.folder.join(name);
        let modified = || fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?.modified().ok();
        if modified().is_some_and(|time| age(time) > DAY) {
            let touched = File::options().append(true).open(&path);
            let _ = touched.and_then(|file| file.set_modified(SystemTime::now()));
        }
    }

    /// Removes what processes left that ended while they wrote.
    pub(super) fn clear_unfinished(&self) {
        let left = self.all().into_iter().filter(|item| item.name.starts_with(UNFINISHED));
        for item in left.filter(|item| age(item.time) > LONGEST_WRITE) {
            self.remove(&item.name);
        }
    }
}

/// Another one for each file. Processes of two containers may have one number, but not at one moment.
fn unfinished_name() -> String {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let moment = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("{UNFINISHED}{}-{moment:x}-{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

fn write_new(path: &Path, content: impl FnOnce(&mut dyn io::Write) -> io::Result<String>) -> io::Result<String> {
    let mut file = io::BufWriter::with_capacity(1 << 16, File::options().write(true).create_new(true).open(path)?);
    let name = content(&mut file)?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(name)
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

/// How far a time is from now. Clocks are set back: what lies ahead is no younger for it.
pub(super) fn age(time: SystemTime) -> Duration {
    let now = SystemTime::now();
    now.duration_since(time).unwrap_or_else(|error| error.duration())
}
