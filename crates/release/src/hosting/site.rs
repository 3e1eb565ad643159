//! What a host has: a portal as it was built, and the files that are there.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    sync::OnceLock,
    time::SystemTime,
};

use portalgen_portal::HostingPlatform;

use super::{path, rules::Rules};
use crate::{content_hash::ContentHash, manifest::Manifest, output::RESERVED_FOLDER};

/// The files that a host could send.
pub trait Files: Debug + Send + Sync {
    /// The file with exactly this output path, upper and lower case told apart.
    fn get(&self, path: &str) -> Option<FileInfo>;
}

/// What is known of a file without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileInfo {
    /// In bytes.
    pub size: u64,
    /// When it was written.
    pub modified: SystemTime,
}

impl FileInfo {
    /// When it was written, in seconds since 1970, as headers tell times.
    pub(super) fn seconds(&self) -> u64 {
        self.modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
    }
}

impl Files for BTreeMap<String, FileInfo> {
    fn get(&self, path: &str) -> Option<FileInfo> {
        self.get(path).copied()
    }
}

/// A portal on a host.
#[derive(Debug)]
pub struct Site {
    /// What was built.
    pub manifest: Manifest,
    pub(super) rules: Rules,
    /// The folder of the portal, decoded, with a slash at both ends.
    base: String,
    files: Box<dyn Files>,
    host_configs: [OnceLock<HostConfig>; HostingPlatform::NAMES.len()],
}

/// The configuration of a platform with a syntax of its own, within its limits.
#[derive(Debug, Default)]
pub(super) struct HostConfig {
    /// Where visitors are sent and with which status, by the addresses in the form in which the platform compares them.
    pub(super) redirects: BTreeMap<String, (String, u16)>,
    /// The addresses of files that browsers may keep.
    pub(super) kept: BTreeSet<String>,
}

impl Site {
    /// A portal and the files that are there, which may be more or less than what was built.
    pub fn new(manifest: Manifest, files: impl Files + 'static) -> Self {
        let base = path::decode(&manifest.base).unwrap_or_else(|| manifest.base.clone());
        Self { rules: Rules::of(&manifest), base, manifest, files: Box::new(files), host_configs: Default::default() }
    }

    /// The configuration of a platform, read from the manifest once.
    pub(super) fn host_config(
        &self,
        platform: HostingPlatform,
        read: impl FnOnce(&Manifest) -> HostConfig,
    ) -> &HostConfig {
        self.host_configs[platform as usize].get_or_init(|| read(&self.manifest))
    }

    /// Whether addresses of pages end without a slash.
    pub(super) fn is_flat(&self) -> bool {
        self.manifest.slash == "never"
    }

    /// What follows the base in a decoded path; none for what lies outside of the portal.
    pub(super) fn below_base<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(&self.base)
    }

    /// The path of the portal's folder without the slash that belongs at its end.
    pub(super) fn is_base_without_slash(&self, path: &str) -> bool {
        !path.is_empty() && self.base.strip_suffix('/') == Some(path)
    }

    /// Whether a decoded path is the portal's to answer.
    pub(super) fn has(&self, path: &str) -> bool {
        self.below_base(path).is_some() || self.is_base_without_slash(path)
    }

    /// A file that may be sent, by its output path. What portalgen keeps beside the portal may not.
    pub(super) fn file(&self, path: &str) -> Option<FileInfo> {
        let is_proper = path.split('/').all(|name| !matches!(name, "" | "." | "..")) && !path.contains(['\\', '\0']);
        let is_reserved = path.split('/').next() == Some(RESERVED_FOLDER);
        if is_proper && !is_reserved { self.files.get(path) } else { None }
    }

    /// A hash of a file's content, if the build made it.
    pub(super) fn hash(&self, path: &str) -> Option<ContentHash> {
        self.manifest.files.get(path).map(|file| file.hash)
    }
}
