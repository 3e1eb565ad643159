//! Builds that need not be made again.
//!
//! With a build is kept everything that it asked of the disk, what Git said, what it was asked for, and what it told. The
//! next command with the same options asks whether all of that is still so, and whether the output folder still holds what
//! was published. If it is, that command tells the same and is done: it is as if it had built. Otherwise it builds.
//!
//! Not kept is a build that failed, and one that changed what the next build reads: that added to the ledger, for example.

use std::{collections::BTreeMap, fmt::Debug, path::Path, sync::Arc};

use serde::{Deserialize, Serialize};

use portalgen_base::{
    diagnostic::{Diagnostic, Kept},
    source::{Disk, Trace, Verdict, Watched},
    store::Key,
};
use portalgen_build::pipeline::{Build, BuildOptions, Session};
use portalgen_portal::history::History;
use portalgen_release::publish::{Guard, Published};

use super::{git_state::git_state, history, summary::Made};

/// What a command is about to do, and what it would have to be told for not doing it.
pub(super) struct Replay<'a> {
    session: &'a Session,
    root: &'a Path,
    /// The output folder, of a command that publishes.
    out: Option<(&'a Path, Guard<'a>)>,
    key: Key,
}

/// What a command tells of a build.
pub(super) struct Told {
    /// What to look at.
    pub(super) warnings: Vec<Diagnostic>,
    /// For each CSS module its types.
    pub(super) types: BTreeMap<String, String>,
    /// What was made, where it is to be shown.
    pub(super) made: Option<Made>,
}

/// A build as it is kept.
#[derive(Serialize, Deserialize)]
struct Earlier {
    trace: Trace,
    history: Option<Answered>,
    published: Option<Published>,
    warnings: Kept,
    types: BTreeMap<String, String>,
    /// Read only where it is shown.
    made: Vec<u8>,
}

/// What Git said.
#[derive(Serialize, Deserialize)]
struct Answered {
    /// The state of the repository in which it said so.
    state: Option<Key>,
    /// A hash of the history.
    history: Key,
}

/// What is noted while a command builds.
pub(super) struct Recording {
    asked: Watched,
    /// The state of the repository before Git was asked.
    state: Option<Key>,
}

impl<'a> Replay<'a> {
    /// A command of this name with these options. What it is to publish to goes with them, and `told` is what it is to tell.
    pub(super) fn new(
        session: &'a Session,
        options: &'a BuildOptions,
        (command, told): (&str, &dyn Debug),
        out: Option<(&'a Path, Guard<'a>)>,
    ) -> Self {
        let folder = out.as_ref().map(|(folder, _)| folder);
        let asked = format!("{command} {told:?} {folder:?} {}", shown(options));
        Self { session, root: &options.root, out, key: Key::of(&[asked.as_bytes()]) }
    }

    /// What the command would tell after it had built, if that is known. `is_shown` tells whether what was made belongs to it.
    ///
    /// # Errors
    /// It is not known. What was published before, if anything was.
    pub(super) fn attempt(&self, is_shown: bool) -> Result<Told, Option<Published>> {
        let bytes = self.session.store.build(self.key).ok_or(None)?;
        let mut earlier: Earlier = postcard::from_bytes(&bytes).map_err(|_| None)?;
        if !self.still(&mut earlier) {
            return Err(earlier.published);
        }
        earlier.told(is_shown).ok_or(None)
    }

    /// Whether everything is as it was.
    fn still(&self, earlier: &mut Earlier) -> bool {
        let mut is_renewed = false;
        // The sources first: an edit of them is what ends most comparisons.
        let mut is_same = |verdict| {
            is_renewed |= verdict == Verdict::Renewed;
            verdict != Verdict::Different
        };
        let still = is_same(earlier.trace.compare(&Disk::of_project(self.root)))
            && is_same(match (&mut earlier.published, self.out) {
                (Some(published), Some((folder, guard))) => published.compare(folder, guard),
                (None, None) => Verdict::Same,
                _ => Verdict::Different,
            })
            && is_same(
                earlier.history.as_mut().map_or(Verdict::Same, |answered| answered.compare(self.session, self.root)),
            );
        if let (true, true, Ok(bytes)) = (still, is_renewed, postcard::to_stdvec(&earlier)) {
            self.session.store.keep_build(self.key, &bytes);
        }
        still
    }

    /// Begins to note what a build asks for. It is made with the session that is returned.
    pub(super) fn record(&self) -> (Session, Recording) {
        let asked = Watched::new(Arc::clone(&self.session.sources));
        let session = Session { sources: Arc::new(asked.clone()), ..self.session.clone() };
        (session, Recording { asked, state: git_state(self.root) })
    }

    /// Keeps a build that has succeeded, with what it has published and told; and that has changed nothing that it has read.
    pub(super) fn keep(&self, recording: &Recording, build: &Build, published: Option<(Published, &Made)>) {
        let (published, made) = published.unzip();
        let Some(trace) = recording.asked.trace() else { return };
        let earlier = Earlier {
            trace,
            history: build.history.as_ref().map(|history| Answered::new(history, recording.state)),
            published,
            warnings: Kept::new(&build.warnings),
            types: build.css_module_types.clone(),
            made: made.and_then(|made| postcard::to_stdvec(made).ok()).unwrap_or_default(),
        };
        // Names that are no text cannot be kept.
        if let Ok(bytes) = postcard::to_stdvec(&earlier) {
            self.session.store.keep_build(self.key, &bytes);
        }
    }
}

impl Earlier {
    fn told(self, is_shown: bool) -> Option<Told> {
        let Self { warnings, types, made, .. } = self;
        let made = if is_shown { Some(postcard::from_bytes(&made).ok()?) } else { None };
        Some(Told { warnings: warnings.diagnostics()?, types, made })
    }
}

/// All options on which a build depends.
fn shown(options: &BuildOptions) -> String {
    let BuildOptions {
        root,
        overrides,
        mode,
        minify,
        compress,
        source_maps,
        env,
        previous,
        judgement,
        today,
        // Its answers are compared.
        history: _,
        // Who watches a build changes nothing.
        clock: _,
    } = options;
    let asked = (root, overrides, mode, minify, compress, source_maps, env, previous, judgement, today);
    format!("{asked:?}")
}

impl Answered {
    fn new(history: &History, state: Option<Key>) -> Self {
        // Where nothing was said, as without Git, that may be different without a trace in the repository.
        let is_known = history.is_shallow || !history.files.is_empty();
        Self { state: state.filter(|_| is_known), history: Key::of(&[format!("{history:?}").as_bytes()]) }
    }

    /// Compares what Git says now, and asks it only if something has happened.
    fn compare(&mut self, session: &Session, root: &Path) -> Verdict {
        let state = git_state(root);
        if state.is_some() && state == self.state {
            return Verdict::Same;
        }
        let now = Self::new(&history::read(root, &session.store), state);
        if now.history != self.history {
            return Verdict::Different;
        }
        let verdict = if now.state == self.state { Verdict::Same } else { Verdict::Renewed };
        *self = now;
        verdict
    }
}
