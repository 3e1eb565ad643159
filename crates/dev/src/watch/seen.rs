//! What is at a path.

use std::{
    fs::{self, Metadata},
    io,
    ops::Range,
    path::{Path, PathBuf},
    time::SystemTime,
};

use portalgen_base::source::Stamp;
use xxhash_rust::xxh3::xxh3_128;

/// What was at a path when somebody looked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// Where a link leads, if it is one.
    link: Option<PathBuf>,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Nothing,
    File(File),
    Folder,
    Other,
    /// Something is there, and nobody can say what.
    Unreadable,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct File {
    mark: Mark,
    stamp: Stamp,
    /// The hash of the content; none if it was not read.
    content: Option<u128>,
}

/// All that the system says of a file without its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    length: u64,
    modified: Option<SystemTime>,
    /// The time of the last change of anything, and the number of the file.
    #[cfg(unix)]
    changed: (i64, i64, u64),
}

/// What somebody who looks is interested in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Interest {
    /// Whether something is there, and of which kind.
    Presence,
    /// And if it is a file, what is in it.
    Content,
}

/// Whether what is there is another than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    None,
    /// It is gone or empty, and that may be a moment between two steps of its writer.
    PerhapsGone,
    /// It cannot be read, and that may be such a moment, too.
    PerhapsUnreadable,
    Certain,
}

/// The hash of a content.
pub(super) fn hash(content: &[u8]) -> u128 {
    xxh3_128(content)
}

impl Seen {
    /// What is where nothing is.
    pub(super) const NOTHING: Self = Self { link: None, what: What::Nothing };
    /// What is where something was that nobody has seen.
    pub(super) const SOMETHING: Self = Self { link: None, what: What::Other };

    /// Looks at a path. A file that is surely the one of `before` is not read again.
    pub(super) fn at(path: &Path, interest: Interest, before: Option<&Self>) -> Self {
        let metadata = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => return Self { link: None, what: What::of_error(&error) },
        };
        if !metadata.is_symlink() {
            return Self { link: None, what: What::of(path, &metadata, interest, before) };
        }
        let what = match fs::metadata(path) {
            Ok(metadata) => What::of(path, &metadata, interest, before),
            Err(error) => What::of_error(&error),
        };
        Self { link: fs::read_link(path).ok(), what }
    }

    /// How this differs from what was seen before.
    pub(super) fn change_since(&self, before: &Self) -> Change {
        match (&before.what, &self.what) {
            (_, What::Unreadable) if before.what == What::Unreadable => Change::None,
            (_, What::Unreadable) => Change::PerhapsUnreadable,
            _ if self.link == before.link && self.what.is_as(&before.what) => Change::None,
            (What::Nothing, _) => Change::Certain,
            (_, What::Nothing) => Change::PerhapsGone,
            (What::File(before), What::File(now)) if now.mark.length == 0 && before.mark.length > 0 => {
                Change::PerhapsGone
            }
            _ => Change::Certain,
        }
    }

    /// Whether anything is there.
    pub(super) fn is_something(&self) -> bool {
        self.what != What::Nothing || self.link.is_some()
    }

    /// Whether it is a file whose content was not read.
    pub(super) fn is_unread(&self) -> bool {
        matches!(&self.what, What::File(File { content: None, .. }))
    }

    /// The hash of the content, if it was read.
    pub(super) fn content(&self) -> Option<u128> {
        match &self.what {
            What::File(file) => file.content,
            _ => None,
        }
    }

    /// Whether it is a file.
    pub(super) fn is_file(&self) -> bool {
        matches!(self.what, What::File(_))
    }

    /// Whether it is a file that was written since, perhaps with the same content.
    pub(super) fn is_rewritten_since(&self, before: &Self) -> bool {
        matches!((&self.what, &before.what), (What::File(now), What::File(before)) if now.mark != before.mark)
    }

    /// Whether it was surely changed before this time.
    pub(super) fn is_before(&self, time: SystemTime) -> bool {
        match &self.what {
            What::File(file) => file.mark.last_change().is_some_and(|last| last < time),
            _ => false,
        }
    }

    /// Whether it was last changed within this time.
    pub(super) fn is_of(&self, time: &Range<SystemTime>) -> bool {
        match &self.what {
            What::File(file) => file.mark.last_change().is_some_and(|last| time.contains(&last)),
            _ => false,
        }
    }

    /// Whether it was changed at this time or later, as far as anybody can tell.
    pub(super) fn is_since(&self, time: SystemTime) -> bool {
        match &self.what {
            What::File(file) => file.mark.last_change().is_none_or(|last| last >= time),
            _ => false,
        }
    }
}

impl What {
    fn of_error(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Nothing,
            _ => Self::Unreadable,
        }
    }

    fn of(path: &Path, metadata: &Metadata, interest: Interest, before: Option<&Seen>) -> Self {
        if metadata.is_dir() {
            return Self::Folder;
        }
        if !metadata.is_file() {
            return Self::Other;
        }
        let (mark, stamp) = (Mark::of(metadata), Stamp::of(metadata));
        if interest == Interest::Presence {
            return Self::File(File { mark, stamp, content: None });
        }
        let known = match before.map(|before| &before.what) {
            Some(Self::File(before)) if stamp.proves(&before.stamp) => before.content,
            _ => None,
        };
        match known.map_or_else(|| fs::read(path).map(|content| hash(&content)), Ok) {
            Ok(content) => Self::File(File { mark, stamp, content: Some(content) }),
            Err(error) => Self::of_error(&error),
        }
    }

    /// Whether it is the same as before: of files by content, and where that is not known, by all that the system says.
    fn is_as(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::File(now), Self::File(before)) => match (now.content, before.content) {
                (Some(now), Some(before)) => now == before,
                (Some(_), None) => now.mark == before.mark,
                (None, _) => true,
            },
            _ => self == before,
        }
    }
}

impl Mark {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt as _;
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            changed: (metadata.ctime(), metadata.ctime_nsec(), metadata.ino()),
        }
    }

    #[cfg(unix)]
    fn last_change(&self) -> Option<SystemTime> {
        let (seconds, nanoseconds, _) = self.changed;
        let (seconds, nanoseconds) = (u64::try_from(seconds).ok()?, u32::try_from(nanoseconds).ok()?);
        Some(SystemTime::UNIX_EPOCH + std::time::Duration::new(seconds, nanoseconds))
    }

    #[cfg(not(unix))]
    fn last_change(&self) -> Option<SystemTime> {
        self.modified
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Change, Interest, Seen};

    #[test]
    fn what_differs_is_told_from_what_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let look = |before: &Seen| Seen::at(&path, Interest::Content, Some(before));
        let change = |before: &Seen| look(before).change_since(before);

        assert_eq!(change(&Seen::NOTHING), Change::None);
        fs::write(&path, "one").unwrap();
        assert_eq!(change(&Seen::NOTHING), Change::Certain);

        let one = look(&Seen::NOTHING);
        fs::write(&path, "one").unwrap();
        assert_eq!(change(&one), Change::None);
        fs::write(&path, "two").unwrap();
        assert_eq!(change(&one), Change::Certain);
        fs::write(&path, "").unwrap();
        assert_eq!(change(&one), Change::PerhapsGone);
        assert_eq!(change(&look(&Seen::NOTHING)), Change::None);
        fs::remove_file(&path).unwrap();
        assert_eq!(change(&one), Change::PerhapsGone);
        fs::create_dir(&path).unwrap();
        assert_eq!(change(&one), Change::Certain);
    }

    #[test]
    fn a_file_that_was_not_read_is_known_by_its_times() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "one").unwrap();
        let unread = Seen::at(&path, Interest::Presence, None);
        assert!(unread.is_unread());
        assert_eq!(Seen::at(&path, Interest::Content, Some(&unread)).change_since(&unread), Change::None);
        fs::write(&path, "other").unwrap();
        assert_eq!(Seen::at(&path, Interest::Content, Some(&unread)).change_since(&unread), Change::Certain);
        assert_eq!(Seen::at(&path, Interest::Presence, Some(&unread)).change_since(&unread), Change::None);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_where_it_leads() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("one"), "same").unwrap();
        fs::write(at("two"), "same").unwrap();
        symlink("one", at("link")).unwrap();
        let before = Seen::at(&at("link"), Interest::Content, None);
        fs::remove_file(at("link")).unwrap();
        symlink("two", at("link")).unwrap();
        assert_eq!(Seen::at(&at("link"), Interest::Content, None).change_since(&before), Change::Certain);
        fs::remove_file(at("two")).unwrap();
        let broken = Seen::at(&at("link"), Interest::Content, None);
        assert!(broken.is_something());
        assert_eq!(broken.change_since(&before), Change::PerhapsGone);
    }
}
