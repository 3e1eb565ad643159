//! Writing the output folder, and whatever else portalgen leaves on a disk: the only code that writes.
//!
//! All of it goes through `tree`: no symbolic link is followed below the folder that is written to, and nothing is
//! replaced or deleted that portalgen cannot prove to have written, by a record or by its content.
//!
//! The folder may be served while it is published to, and the process may be killed at any moment. So every file is
//! written beside the others under a name of ours and renamed into place, in an order in which nothing refers to what
//! is not there yet: assets, data, pages, and deletions last. What cannot be kept whole is the moment in which an old
//! file makes way for a folder of the same name, or the reverse; it lasts a few renames.
//!
//! `.portalgen/` in the output folder holds a lock, files in the making and a record of what portalgen wrote, so that a
//! later build deletes its own files and nobody else's. Files are not flushed to the disk one by one: a power cut may
//! cost the latest build, which the next one makes again.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use portalgen_base::diagnostic::Diagnostic;

use crate::output::OutputSet;

mod create;
mod files;
mod folder;
mod guard;
mod plan;
mod published;
mod record;
#[cfg(test)]
mod tests;
mod tree;

pub use create::create_files;
pub use files::{NotReplaced, in_the_way, replace_file, write_file, write_files, write_types};
use folder::Folder;
use plan::Plan;
pub use published::Published;
use record::Record;
use tree::BeforeStep;

/// What an output folder must stay clear of. Paths are absolute.
#[derive(Clone, Copy, Debug)]
pub struct Guard<'a> {
    /// The project's root: neither it nor a folder that holds it can be published to. Diagnostics show paths relative
    /// to it, and an output folder that is not absolute is taken from here.
    pub root: &'a Path,
    /// Folders with sources, there or not: `site`, `templates`, `node_modules`.
    pub sources: &'a [PathBuf],
}

/// What publishing did. Paths are output paths, each list in their order; only `unchanged` is long on most days.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// New, or with new content.
    pub written: Vec<String>,
    /// Had the right bytes already and was not written.
    pub unchanged: Vec<String>,
    /// Written by an earlier build, and no longer part of the output.
    pub removed: Vec<String>,
    /// No longer part of the output either, but changed by somebody since: left alone, and theirs from now on.
    pub kept: Vec<String>,
    /// Among `written`: had been changed by somebody since an earlier build wrote it.
    pub overwritten: Vec<String>,
}

/// Why nothing, or not everything, was published. What was there before is still whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PublishError {
    /// Publishing would do harm, so nothing was written. People can mend it: another folder, a file out of the way.
    Refused(Vec<Diagnostic>),
    /// The system did not go along before anything that is served had changed: no permission, no such name.
    Failed(Diagnostic),
    /// The system did not go along halfway: disk full, a folder that was taken away. The next build picks up from there.
    Stopped(Diagnostic),
}

impl PublishError {
    /// What to tell people.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        match self {
            Self::Refused(diagnostics) => diagnostics,
            Self::Failed(diagnostic) | Self::Stopped(diagnostic) => vec![diagnostic],
        }
    }

    /// Whether the system is to blame and not what the user asked for.
    pub fn is_system_failure(&self) -> bool {
        matches!(self, Self::Failed(_) | Self::Stopped(_))
    }

    fn refused(diagnostic: Diagnostic) -> Self {
        Self::Refused(vec![diagnostic])
    }
}

impl fmt::Display for PublishError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages: Vec<_> =
            self.clone().into_diagnostics().into_iter().map(|d| d.message.english().to_owned()).collect();
        f.write_str(&messages.join("; "))
    }
}

impl std::error::Error for PublishError {}

/// Makes the folder `out` hold `output`, beside whatever files of other people are in it.
///
/// A symbolic link in place of `out` is followed; one inside it never is. Waits some seconds for another build that
/// publishes to the same folder.
///
/// # Errors
/// [`PublishError::Refused`], before anything is written, when `out` is not a place to publish to (see [`Guard`]), is
/// not empty and was not made by portalgen, or when a file that portalgen did not write stands where an output must go.
/// [`PublishError::Failed`] and [`PublishError::Stopped`] when the system reports an error; the diagnostic names the path.
pub fn publish(output: &OutputSet, out: &Path, guard: Guard<'_>) -> Result<Report, PublishError> {
    publish_over(None, output, out, guard).map(|(report, _)| report)
}

/// [`publish`] in a folder of which is known what was `earlier` published there: files that have been left alone since need not
/// be read. Tells what is published now as well.
///
/// # Errors
/// As for [`publish`].
pub fn publish_over(
    earlier: Option<&Published>,
    output: &OutputSet,
    out: &Path,
    guard: Guard<'_>,
) -> Result<(Report, Published), PublishError> {
    publish_stepwise(earlier, output, (out, guard), &|| Ok(()))
}

/// [`publish_over`] with something to do before every change to the disk; tests fail there.
fn publish_stepwise(
    earlier: Option<&Published>,
    output: &OutputSet,
    (out, guard): (&Path, Guard<'_>),
    before_step: BeforeStep<'_>,
) -> Result<(Report, Published), PublishError> {
    let root = guard.check(out)?;
    let folder = Folder::open(root, before_step)?;
    let _lock = folder.lock()?;
    folder.clear_workshop()?;
    let record = Record::load(&folder)?;
    let plan = Plan::new(&folder, record, output, earlier)?;
    plan.carry_out(&folder)
}
