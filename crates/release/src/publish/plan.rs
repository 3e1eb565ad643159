//! What has to change in an output folder, found out before anything does, and the changing.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use rayon::prelude::*;

use portalgen_base::{blob::Blob, diagnostic::Diagnostic, source::Stamp, text::text, timing::Stage};

use super::{
    PublishError, Report,
    folder::{Folder, note_path},
    published::{Published, is_below_folders, stamp},
    record::Record,
    tree::Spot,
};
use crate::{
    content_hash::ContentHash,
    output::{self, Output, OutputKind, OutputSet},
};

type File<'a> = (&'a str, &'a Output);

/// The way from what a folder holds to what it shall hold.
pub(super) struct Plan<'a> {
    from: Record,
    to: Record,
    /// New files, and new content for old ones; in the order of writing.
    writes: Vec<File<'a>>,
    /// New files that need the place of old ones: a file has become a folder, or the reverse.
    swaps: Vec<File<'a>>,
    /// Old files that make way for `swaps`.
    in_the_way: Vec<String>,
    /// Folders that make way for `swaps` once `in_the_way` is gone.
    folders_in_the_way: Vec<&'a str>,
    notes: &'a BTreeMap<String, Blob>,
    /// What was published before, where that is known.
    earlier: BTreeMap<&'a str, (ContentHash, Stamp)>,
    /// The stamps of files that need not be written.
    stamps: BTreeMap<&'a str, Stamp>,
    report: Report,
    refusals: Vec<Diagnostic>,
}

/// What is at the place of a file.
enum Found {
    /// The very file, with its stamp.
    Same(Option<Stamp>),
    /// A file of ours with other content, and whether somebody has changed it since.
    Other { is_changed: bool },
    /// Something else.
    Spot(Spot),
}

impl<'a> Plan<'a> {
    /// Compares `output` with the folder, in which `earlier` was published.
    ///
    /// # Errors
    /// [`PublishError::Refused`] with one diagnostic for each thing of somebody else's that stands in the way.
    pub(super) fn new(
        folder: &Folder<'_>,
        from: Record,
        output: &'a OutputSet,
        earlier: Option<&'a Published>,
    ) -> Result<Self, PublishError> {
        let mut plan = Self {
            from,
            to: Record::of(output),
            writes: Vec::new(),
            swaps: Vec::new(),
            in_the_way: Vec::new(),
            folders_in_the_way: Vec::new(),
            notes: output.notes(),
            earlier: earlier.map(Published::files).unwrap_or_default(),
            stamps: BTreeMap::new(),
            report: Report::default(),
            refusals: Vec::new(),
        };
        let files: Vec<File<'_>> = output.iter().map(|(path, file)| (path.as_str(), file)).collect();
        let stage = Stage::current();
        let find =
            |folders: &mut BTreeSet<String>, file: &File<'a>| stage.charge(|| plan.found(folder, *file, folders));
        let found = files.par_iter().map_init(BTreeSet::new, find).collect::<Result<Vec<_>, _>>()?;
        for (file, found) in files.into_iter().zip(found) {
            plan.place(folder, file, found)?;
        }
        for name in output.notes().keys() {
            match folder.check_free(&note_path(name)) {
                Err(PublishError::Refused(refusals)) => plan.refusals.extend(refusals),
                other => other?,
            }
        }
        plan.in_the_way.sort_by(|a, b| removal_order(a, b));
        plan.in_the_way.dedup();
        plan.writes.sort_by_key(|(_, file)| file.kind);
        plan.swaps.sort_by_key(|(_, file)| file.kind);
        if plan.refusals.is_empty() { Ok(plan) } else { Err(PublishError::Refused(plan.refusals)) }
    }

    /// Finds out what is at the place of a file. `folders` are those that were looked at and are no links.
    fn found(
        &self,
        folder: &Folder<'_>,
        file: File<'a>,
        folders: &mut BTreeSet<String>,
    ) -> Result<Found, PublishError> {
        let (path, _) = file;
        if let Some(stamp) = self.known_stamp(folder, path, folders) {
            return Ok(Found::Same(Some(stamp)));
        }
        match folder.look(path)? {
            Spot::File if self.from.owns(path) => self.compared(folder, file),
            spot => Ok(Found::Spot(spot)),
        }
    }

    /// The stamp of a file that is surely there already: nobody has touched it since it was found to be what it shall be.
    fn known_stamp(&self, folder: &Folder<'_>, path: &str, folders: &mut BTreeSet<String>) -> Option<Stamp> {
        let (hash, earlier) = self.earlier.get(path)?;
        if self.to.hash(path) != Some(*hash) || !self.from.owns(path) {
            return None;
        }
        let is_same = is_below_folders(folder.root(), path, folders)
            && stamp(&folder.path(path)).is_some_and(|stamp| stamp.proves(earlier));
        is_same.then_some(*earlier)
    }

    /// Looks at an old file of ours: its place is ours even if somebody has changed its bytes.
    fn compared(&self, folder: &Folder<'_>, (path, new): File<'a>) -> Result<Found, PublishError> {
        // Taken first: what changes while the file is read has another one.
        let stamp = stamp(&folder.path(path));
        Ok(match folder.read(path)? {
            Some(bytes) if bytes == *new.content.read() => Found::Same(stamp),
            bytes => Found::Other { is_changed: bytes.is_some_and(|bytes| !self.from.wrote(path, &bytes)) },
        })
    }

    /// Decides how one file gets to its place.
    fn place(&mut self, folder: &Folder<'_>, file: File<'a>, found: Found) -> Result<(), PublishError> {
        let (path, _) = file;
        let spot = match found {
            Found::Same(stamp) => {
                self.stamps.extend(stamp.map(|stamp| (path, stamp)));
                self.report.unchanged.push(path.to_owned());
                return Ok(());
            }
            Found::Other { is_changed } => {
                self.report.overwritten.extend(is_changed.then(|| path.to_owned()));
                self.writes.push(file);
                return Ok(());
            }
            Found::Spot(spot) => spot,
        };
        match spot {
            Spot::Free => self.writes.push(file),
            Spot::File => match self.other_spelling(folder, path) {
                Some(old) => self.swap(folder, file, vec![old])?,
                None => self.refuse(folder, path, path),
            },
            Spot::BelowFile(old) => self.swap(folder, file, vec![old])?,
            Spot::Folder => {
                self.folders_in_the_way.push(path);
                self.swap(folder, file, folder.files_below(path)?)?;
            }
            Spot::Strange(at) => self.refuse(folder, path, &at),
        }
        Ok(())
    }

    /// The old file that stands at `path` under a name that this disk takes for the same.
    fn other_spelling(&self, folder: &Folder<'_>, path: &str) -> Option<String> {
        let name = output::fold(path);
        let mut candidates = self.from.paths().filter(|old| output::fold(old) == name);
        candidates.find(|old| folder.is_same_file(old, path)).map(str::to_owned)
    }

    /// Plans to replace `old` files, which are at other paths, by a new one.
    fn swap(&mut self, folder: &Folder<'_>, file: File<'a>, old: Vec<String>) -> Result<(), PublishError> {
        for old in old {
            if is_intact(folder, &self.from, &old)? {
                self.in_the_way.push(old);
            } else {
                self.refuse(folder, file.0, &old);
            }
        }
        self.swaps.push(file);
        Ok(())
    }

    fn refuse(&mut self, folder: &Folder<'_>, path: &str, at: &str) {
        let state = if self.from.owns(at) {
            text!("was changed after portalgen wrote it", "在 portalgen 写入之后被改动过")
        } else {
            text!("was not written by portalgen", "不是 portalgen 生成的")
        };
        let (path, at) = (folder.shown(path), folder.shown(at));
        let error = Diagnostic::error(text!(
            "cannot write `{path}`: `{at}` is in the way and {state}",
            "无法写入 `{path}`：`{at}` 已经存在，而且{state}",
            state
        ));
        self.refusals.push(error.with_hint(text!(
            "move it out of the output folder; files to publish unchanged belong in site/public",
            "请把它移出输出文件夹；需要原样发布的文件请放在 site/public 里"
        )));
    }

    /// Changes the folder. At every moment what is served refers to what is there.
    pub(super) fn carry_out(self, folder: &Folder<'_>) -> Result<(Report, Published), PublishError> {
        self.change(folder).map_err(|error| match error {
            PublishError::Failed(diagnostic) if folder.is_changed() => PublishError::Stopped(diagnostic),
            other => other,
        })
    }

    fn change(mut self, folder: &Folder<'_>) -> Result<(Report, Published), PublishError> {
        self.from.towards(&self.to).save(folder)?;
        let asset_count = self.writes.partition_point(|(_, file)| file.kind == OutputKind::Asset);
        let (assets, others) = self.writes.split_at(asset_count);
        write_all(folder, assets)?;
        self.carry_out_swaps(folder)?;
        write_all(folder, others)?;
        self.remove_old(folder)?;
        folder.keep_notes(self.notes, &self.from)?;
        self.to.save(folder)?;
        folder.clear_workshop()?;
        let published = Published::of(&self.to, &self.stamps);
        Ok((self.finished(), published))
    }

    /// Everything is made before the old files go, so that both are gone for a few renames only.
    fn carry_out_swaps(&self, folder: &Folder<'_>) -> Result<(), PublishError> {
        let staged = self.swaps.iter().map(|(path, file)| Ok((path, folder.stage(path, &file.content.read())?)));
        let staged = staged.collect::<Result<Vec<_>, PublishError>>()?;
        for old in &self.in_the_way {
            folder.remove(old)?;
        }
        for path in &self.folders_in_the_way {
            if folder.look(path)? == Spot::Folder {
                folder.remove_empty_folders(path)?;
            }
        }
        staged.into_iter().try_for_each(|(path, staged)| folder.show(&staged, path))
    }

    /// Removes what earlier builds wrote and this one does not, unless somebody has changed it.
    fn remove_old(&mut self, folder: &Folder<'_>) -> Result<(), PublishError> {
        let is_old = |path: &&str| !self.to.owns(path) && self.in_the_way.iter().all(|gone| gone != path);
        let mut old: Vec<_> = self.from.paths().filter(is_old).collect();
        old.sort_by(|a, b| removal_order(a, b));
        for path in old {
            if is_intact(folder, &self.from, path)? {
                folder.remove(path)?;
                self.report.removed.push(path.to_owned());
            } else if folder.look(path)? != Spot::Free {
                self.report.kept.push(path.to_owned());
            }
        }
        Ok(())
    }

    fn finished(self) -> Report {
        let mut report = self.report;
        report.written.extend(self.writes.iter().chain(&self.swaps).map(|(path, _)| (*path).to_owned()));
        report.written.sort();
        report.removed.extend(self.in_the_way);
        report.removed.sort();
        report.kept.sort();
        report
    }
}

/// Pages go before what they refer to.
fn removal_order(a: &str, b: &str) -> Ordering {
    let is_page = |path: &str| Path::new(path).extension().is_some_and(|extension| extension == "html");
    is_page(b).cmp(&is_page(a)).then_with(|| a.cmp(b))
}

/// Writes files one after the other: renames between folders wait for each other in the system.
fn write_all(folder: &Folder<'_>, files: &[File<'_>]) -> Result<(), PublishError> {
    files.iter().try_for_each(|(path, file)| folder.show(&folder.stage(path, &file.content.read())?, path))
}

/// Whether `path` is a file of ours with the bytes we gave it.
fn is_intact(folder: &Folder<'_>, record: &Record, path: &str) -> Result<bool, PublishError> {
    Ok(record.owns(path) && folder.read(path)?.is_some_and(|bytes| record.wrote(path, &bytes)))
}
