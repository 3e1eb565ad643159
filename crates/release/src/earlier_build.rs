//! What an earlier build left in its output folder: its manifest, and assets that pages still ask for which are open in a
//! browser.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use portalgen_base::{diagnostic::Diagnostic, source::Sources, text::text};

use crate::{
    content_hash::ContentHash,
    manifest::{FileKind, Manifest},
    output::{OutputKind, OutputSet, Producer},
};

/// The output folder of an earlier build.
#[derive(Debug)]
pub struct Previous {
    folder: PathBuf,
    /// What that build made.
    pub manifest: Manifest,
}

impl Previous {
    /// Reads the manifest in an output folder; none where there is none that can be understood.
    pub fn open(sources: &dyn Sources, folder: &Path) -> Option<Self> {
        let bytes = sources.allowing(&[folder.to_owned()]).read(&Manifest::path_in(folder)).ok()?;
        Some(Self { folder: folder.to_owned(), manifest: Manifest::parse(&bytes)? })
    }

    /// Adds to a build's output the assets of the `count` builds before it that it does not have itself, and tells which
    /// they are, the latest build first. An asset that is not there any more, or has other bytes, cannot be kept.
    pub fn keep(
        &self,
        sources: &dyn Sources,
        count: u32,
        output: &mut OutputSet,
    ) -> (Vec<Vec<String>>, Option<Diagnostic>) {
        let sources = &*sources.allowing(std::slice::from_ref(&self.folder));
        let mut missing = Vec::new();
        let mut seen = BTreeSet::new();
        let builds = self.builds(output).into_iter().map(|assets| {
            let kept = assets.into_iter().filter(|path| {
                if output.get(path).is_some() || !seen.insert(path.clone()) {
                    return false;
                }
                let is_kept = self.asset(sources, path).is_some_and(|bytes| {
                    let producer = Producer::new(text!("an earlier build", "之前的构建"));
                    output.insert(path, OutputKind::Asset, bytes, producer).is_ok()
                });
                if !is_kept {
                    missing.push(path.clone());
                }
                is_kept
            });
            kept.collect::<Vec<_>>()
        });
        let builds: Vec<_> = builds.take(usize::try_from(count).unwrap_or(usize::MAX)).collect();
        (builds, missing.first().map(|first| self.lost(first, missing.len())))
    }

    /// The assets of each build, the latest first. A build that made no other assets than this one is this one again.
    fn builds(&self, output: &OutputSet) -> Vec<Vec<String>> {
        let Manifest { files, earlier, .. } = &self.manifest;
        let is_older = |path: &String| earlier.iter().flatten().any(|older| older == path);
        let assets = files.iter().filter(|(_, file)| file.kind == FileKind::Asset).map(|(path, _)| path);
        let last: Vec<String> =
            assets.filter(|path| !is_older(path) && !self.manifest.is_compressed_form(path)).cloned().collect();
        let is_same = last.iter().all(|path| output.get(path).is_some());
        let last = if is_same { Vec::new() } else { vec![last] };
        last.into_iter().chain(earlier.iter().cloned()).collect()
    }

    fn asset(&self, sources: &dyn Sources, path: &str) -> Option<Vec<u8>> {
        let expected = self.manifest.files.get(path)?;
        let bytes = sources.read(&self.folder.join(path)).ok()?;
        (ContentHash::of(&bytes) == expected.hash).then_some(bytes)
    }

    fn lost(&self, first: &str, count: usize) -> Diagnostic {
        let folder = self.folder.display();
        let warning = Diagnostic::warning(text!(
            "{count} of the files of earlier builds cannot be kept, for example `{first}`",
            "之前构建的文件中有 {count} 个无法保留，例如 `{first}`"
        ));
        warning.with_hint(text!(
            "they are missing from `{folder}` or were changed there; pages that are still open will reload",
            "它们不在 `{folder}` 里了，或者被改动过；访问者已经打开的页面会重新加载"
        ))
    }
}
