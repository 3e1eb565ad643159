//! The output folder as it is at the moment of a request, while builds change it.

use std::{
    fs::{self, File, Metadata},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use crate::{
    hosting::{FileInfo, Files, Site},
    manifest::Manifest,
};

/// Why there is nothing to serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unservable {
    /// The folder is not there.
    NoFolder,
    /// It does not say what was built: portalgen did not make it, or another version did.
    NoManifest,
}

/// An output folder.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    latest: Mutex<Latest>,
}

/// The portal of the latest build that was finished.
#[derive(Clone, Debug)]
struct Latest {
    /// By which its manifest is told from others.
    stamp: Stamp,
    site: Arc<Site>,
}

/// When a manifest was written, and how long it is.
type Stamp = (Option<SystemTime>, u64);

impl Folder {
    /// Looks at a folder for the first time.
    ///
    /// # Errors
    /// There is nothing in it that can be served.
    pub fn open(path: &Path) -> Result<Self, Unservable> {
        if !path.is_dir() {
            return Err(Unservable::NoFolder);
        }
        let latest = Latest::read(path).ok_or(Unservable::NoManifest)?;
        Ok(Self { path: path.to_owned(), latest: Mutex::new(latest) })
    }

    /// The portal in it. While a build replaces the manifest, and after somebody damaged it, that is the one before.
    pub fn site(&self) -> Arc<Site> {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = fs::metadata(Manifest::path_in(&self.path)).map(|metadata| stamp(&metadata));
        if stamp.is_ok_and(|stamp| stamp != latest.stamp) {
            *latest = Latest::read(&self.path).unwrap_or_else(|| latest.clone());
        }
        Arc::clone(&latest.site)
    }

    pub(super) fn open_file(&self, path: &str) -> io::Result<File> {
        File::open(self.path.join(path))
    }
}

impl Latest {
    fn read(folder: &Path) -> Option<Self> {
        let path = Manifest::path_in(folder);
        let stamp = stamp(&fs::metadata(&path).ok()?);
        let manifest = Manifest::parse(&fs::read(path).ok()?)?;
        let site = Arc::new(Site::new(manifest, Disk { folder: folder.to_owned() }));
        Some(Self { stamp, site })
    }
}

fn stamp(metadata: &Metadata) -> Stamp {
    (metadata.modified().ok(), metadata.len())
}

/// The files of a folder, with nothing that links lead to.
#[derive(Debug)]
struct Disk {
    folder: PathBuf,
}

impl Files for Disk {
    fn get(&self, path: &str) -> Option<FileInfo> {
        // A file is called what it is asked for by when no link lies on the way, and, where the system does not mind upper
        // and lower case, these are the same as well.
        let folder = self.folder.canonicalize().ok()?;
        let file = folder.join(path);
        let metadata = fs::metadata(&file).ok().filter(Metadata::is_file)?;
        let is_exact = file.canonicalize().is_ok_and(|real| real == file);
        is_exact.then_some(FileInfo { size: metadata.len(), modified: metadata.modified().ok()? })
    }
}
