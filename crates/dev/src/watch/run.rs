//! The thread that watches.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs,
    ops::Range,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::{Duration, Instant, SystemTime},
};

#[cfg(test)]
use std::sync::mpsc::Sender;

use portalgen_base::source::Dependencies;

use super::{
    calm::Calm,
    events::{Event, Events, Failure},
    folders::{Folders, packages, wanted},
    held::Held,
    known::Known,
    limits,
    pending::{Appointment, Pending, Reason},
    seen::{Change, Interest, Seen},
    settings::{News, Settings},
};

/// How long to wait if nothing is due.
const LONG: Duration = Duration::from_hours(1);
/// How many files to read at once that nobody waits for.
const AT_ONCE: usize = 16;
/// How much earlier than the clock says a file may have been changed: file systems look at it rarely.
const COARSE: Duration = Duration::from_millis(10);
/// How long after a build something may be heard of that happened before.
const SETTLING: Duration = Duration::from_millis(100);
/// How often packages are compared once their manager has left: scopes have folders of their own, which are not watched.
const LOOKS: u32 = 2;

/// What the thread is told.
pub(super) enum Input {
    Event(Event),
    Depend(Box<Dependencies>, Instant),
    Built(Instant),
    Expect(PathBuf, u128),
    Look,
    /// Answered when there is nothing left to do.
    #[cfg(test)]
    Idle(Sender<()>),
    End,
}

/// Everything that the thread knows.
pub(super) struct Run<T> {
    settings: Settings,
    tell: T,
    events: Option<Box<dyn Events>>,
    known: Known,
    folders: Folders,
    pending: Pending,
    calm: Calm,
    held: Held,
    /// Files whose content is to be read when there is time.
    unread: VecDeque<PathBuf>,
    /// When to compare packages.
    packages: VecDeque<Instant>,
    /// When to look at what is not watched.
    poll: Option<Instant>,
    /// What portalgen writes itself.
    expected: BTreeMap<PathBuf, u128>,
    /// What was looked at without any event.
    suspects: BTreeSet<PathBuf>,
    /// While the last build read, with the time that it may take to hear of what happened then.
    built: Option<Range<SystemTime>>,
    /// Why there are no events.
    failure: Option<Failure>,
    /// Whether other folders may have to be watched.
    is_stale: bool,
    has_warned: bool,
    #[cfg(test)]
    idle: Vec<Sender<()>>,
}

impl<T: FnMut(News)> Run<T> {
    /// `events` are none where they are not wanted, and a failure where there are none.
    pub(super) fn new(mut settings: Settings, tell: T, events: Option<Result<Box<dyn Events>, Failure>>) -> Self {
        for folder in settings.own.iter_mut().chain(&mut settings.roots) {
            *folder = fs::canonicalize(&*folder).unwrap_or_else(|_| folder.clone());
        }
        let (events, failure) = match events {
            None => (None, None),
            Some(Ok(events)) => (Some(events), None),
            Some(Err(failure)) => (None, Some(failure)),
        };
        let calm = Calm::new(settings.patience.storm);
        let held = Held::by(std::mem::take(&mut settings.locks), settings.patience.lock);
        Self {
            settings,
            tell,
            events,
            known: Known::default(),
            folders: Folders::default(),
            pending: Pending::default(),
            calm,
            held,
            unread: VecDeque::new(),
            packages: VecDeque::new(),
            poll: None,
            expected: BTreeMap::new(),
            suspects: BTreeSet::new(),
            built: None,
            failure,
            is_stale: false,
            has_warned: false,
            #[cfg(test)]
            idle: Vec::new(),
        }
    }

    /// Works until it is told to end, or nobody is there any more to tell anything.
    pub(super) fn until_the_end(mut self, inputs: &Receiver<Input>) {
        loop {
            match inputs.recv_timeout(self.wait()) {
                Ok(Input::End) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(input) => self.take(input),
                Err(RecvTimeoutError::Timeout) => {}
            }
            // Whatever is known by now is looked at before anything is told, and so is what came meanwhile.
            for _ in 0..2 {
                while let Ok(input) = inputs.try_recv() {
                    if matches!(input, Input::End) {
                        return;
                    }
                    self.take(input);
                }
                self.look();
            }
            self.tell_changes();
            self.read_some();
            #[cfg(test)]
            self.tell_if_idle();
        }
    }

    /// How long there is nothing to do.
    fn wait(&self) -> Duration {
        if !self.unread.is_empty() || self.is_stale {
            return Duration::ZERO;
        }
        let news = self.held.next().or(self.calm.due());
        let due = [self.pending.next(), news, self.packages.front().copied(), self.poll];
        let next = due.into_iter().flatten().min();
        next.map_or(LONG, |next| next.saturating_duration_since(Instant::now()))
    }

    fn take(&mut self, input: Input) {
        match input {
            Input::Event(Event::At { path, reason, is_move }) => self.happened(&path, reason, is_move),
            Input::Event(Event::Lost) => self.look_at_all(),
            Input::Depend(on, began) => self.depend(*on, began),
            Input::Built(began) => drop(self.built(began)),
            Input::Expect(path, content) => drop(self.expected.insert(path, content)),
            Input::Look => {
                self.look_at_all();
                self.suspects = self.known.paths().map(Path::to_path_buf).collect();
            }
            #[cfg(test)]
            Input::Idle(reply) => self.idle.push(reply),
            Input::End => {}
        }
    }

    /// Arranges to look at whatever an event concerns.
    fn happened(&mut self, place: &Path, reason: Reason, is_move: bool) {
        if self.is_own(place) {
            return;
        }
        let now = Instant::now();
        if packages(place).is_some() {
            self.packages_moved(place, is_move, now);
            return;
        }
        let mut is_concerned = false;
        for path in self.folders.spellings(place) {
            for path in self.known.concerned(&path) {
                is_concerned = true;
                self.suspects.remove(&path);
                self.pending.add(path, reason, now, &self.settings.patience);
            }
        }
        if is_move {
            let was_watched = self.events.as_deref_mut().is_some_and(|events| self.folders.forget(place, events));
            self.is_stale |= was_watched || is_concerned;
        }
        if is_concerned {
            self.calm.stir(now);
        }
    }

    /// Arranges to compare packages when their manager has left.
    fn packages_moved(&mut self, place: &Path, is_move: bool, now: Instant) {
        let patience = self.settings.patience.packages;
        self.packages = (0..LOOKS).map(|look| now + patience * (1 + 4 * look)).collect();
        if is_move && packages(place) == Some(place) {
            if let Some(events) = self.events.as_deref_mut() {
                self.folders.forget(place, events);
            }
            self.is_stale = true;
        }
    }

    fn look_at_all(&mut self) {
        let now = Instant::now();
        let known = self.known.paths().map(Path::to_path_buf);
        let there = self.known.folders().into_iter().flat_map(|folder| self.known.in_folder(&folder));
        for path in known.chain(there).collect::<Vec<_>>() {
            self.pending.add(path, Reason::Done, now, &self.settings.patience);
        }
        self.is_stale = true;
    }

    /// Takes over that a build has ended that began at this time. Returned is since when a file that it read may have been
    /// changed.
    fn built(&mut self, began: Instant) -> SystemTime {
        // Whatever is not settled after that, the build may have seen in another state.
        self.look();
        self.pending.must_tell();
        let (now, ended) = (Instant::now(), SystemTime::now());
        for path in self.known.rewritten_since(began) {
            self.calm.add(path, now);
        }
        let began = ended - now.saturating_duration_since(began) - COARSE;
        self.built = Some(began..ended + SETTLING);
        began
    }

    /// Takes over what a build depends on.
    fn depend(&mut self, on: Dependencies, began: Instant) {
        let began = self.built(began);
        let own = &self.settings.own;
        let unseen = self.known.replace(on, |path| is_own_by_link(own, path));
        self.pending.retain(|path| self.known.counts(path));
        // Watched first and looked at then: between the two, nothing can be missed.
        self.watch(&unseen.paths().map(Path::to_path_buf).collect::<Vec<_>>());
        let (news, doubts) = self.known.see(unseen, began);
        let now = Instant::now();
        for path in doubts {
            self.pending.add(path, Reason::Done, now, &self.settings.patience);
        }
        for path in news {
            self.calm.add(path, now);
        }
        self.unread = self.known.unread().map(Path::to_path_buf).collect();
        self.poll_if_needed();
    }

    /// Watches what has to be watched, until that is so; what was never seen counts as well.
    fn watch(&mut self, unseen: &[PathBuf]) {
        loop {
            self.is_stale = false;
            let folders = self.known.folders().into_iter();
            let asked = self.known.asked().chain(unseen.iter().map(PathBuf::as_path));
            let wanted = wanted(asked, folders, &self.settings.roots);
            let own = &self.settings.own;
            let is_own = |place: &Path| own.iter().any(|folder| place.starts_with(folder));
            let renewed = self.folders.renew(&wanted, is_own, self.events.as_deref_mut());
            let has_unwatched = !self.folders.unwatched().is_empty();
            if let Some(failure) = renewed.failure.or_else(|| self.failure.take().filter(|_| has_unwatched)) {
                self.warn_of(&failure);
            }
            // What has changed there before it was watched, no event tells.
            let now = Instant::now();
            let mut all: BTreeSet<PathBuf> = BTreeSet::new();
            for folder in &renewed.new {
                all.extend(self.known.concerned(folder));
                all.extend(self.known.in_folder(folder));
                all.extend(self.known.in_new_folder(folder));
            }
            for path in all {
                self.pending.add(path, Reason::Done, now, &self.settings.patience);
            }
            if renewed.new.is_empty() {
                return;
            }
        }
    }

    /// Looks at everything that is due.
    fn look(&mut self) {
        if self.is_stale {
            self.watch(&[]);
            self.poll_if_needed();
        }
        let now = Instant::now();
        if self.packages.front().is_some_and(|due| *due <= now) {
            self.packages.pop_front();
            for path in self.known.packages().map(Path::to_path_buf).collect::<Vec<_>>() {
                self.pending.add(path, Reason::Done, now, &self.settings.patience);
            }
        }
        if self.poll.is_some_and(|due| due <= now) {
            self.look_at_unwatched(now);
        }
        for (path, appointment) in self.pending.take(now) {
            self.look_at(path, appointment, now);
        }
    }

    /// Looks at a path, and keeps it as news if it is another than before.
    fn look_at(&mut self, path: PathBuf, appointment: Appointment, now: Instant) {
        let Some((before, interest)) = self.known.at(&path) else { return };
        let seen = Seen::at(&path, interest, Some(before));
        let change = seen.change_since(before);
        let is_rewritten = interest == Interest::Content && seen.is_rewritten_since(before);
        if seen.content().is_some() && seen.content() == self.expected.get(&path).copied() {
            self.known.set(path, seen);
            return;
        }
        if !self.pending.counts(&path, appointment, change, now, &self.settings.patience) {
            if change == Change::None {
                if is_rewritten && self.built.as_ref().is_some_and(|built| seen.is_of(built)) {
                    self.calm.add(path.clone(), now);
                } else if is_rewritten {
                    self.known.rewritten(&path, now);
                }
                self.known.set(path, seen);
            }
            return;
        }
        self.expected.remove(&path);
        if self.suspects.remove(&path) && seen.is_before(SystemTime::now() - self.settings.patience.event) {
            self.warn_of_silence();
        }
        for path in self.known.in_new_folder(&path) {
            self.pending.add(path, Reason::Done, now, &self.settings.patience);
        }
        self.is_stale |= !seen.is_file();
        self.known.set(path.clone(), seen);
        self.calm.add(path, now);
    }

    fn tell_changes(&mut self) {
        let now = Instant::now();
        if self.calm.due().is_none_or(|due| due > now) || self.is_held(now) {
            return;
        }
        if let Some(changed) = self.calm.take(now) {
            (self.tell)(News::Changed(changed));
        }
    }

    /// Whether somebody is at work who will say when it is done. What was done last is heard of a moment after that.
    fn is_held(&mut self, now: Instant) -> bool {
        let was_held = self.held.next().is_some();
        let is_held = self.held.is_held(now);
        if was_held && !is_held {
            self.calm.wait(now);
        }
        was_held || is_held
    }

    /// Reads some of the files that nobody waits for, so that it is known later whether they have changed.
    fn read_some(&mut self) {
        for path in self.unread.drain(..AT_ONCE.min(self.unread.len())).collect::<Vec<_>>() {
            let Some((before, Interest::Content)) = self.known.at(&path) else { continue };
            if !before.is_unread() {
                continue;
            }
            let seen = Seen::at(&path, Interest::Content, Some(before));
            if seen.change_since(before) == Change::None {
                self.known.set(path, seen);
            } else {
                self.pending.add(path, Reason::Done, Instant::now(), &self.settings.patience);
            }
        }
    }

    fn poll_every(&self) -> Duration {
        self.settings.poll.unwrap_or(self.settings.patience.unwatched)
    }

    fn poll_if_needed(&mut self) {
        let is_needed = !self.folders.unwatched().is_empty();
        self.poll = is_needed.then(|| self.poll.unwrap_or_else(|| Instant::now() + self.poll_every()));
    }

    /// Arranges to look at everything in folders that are not watched.
    fn look_at_unwatched(&mut self, now: Instant) {
        let unwatched = self.folders.unwatched();
        let mut is_unwatched: BTreeMap<&Path, bool> = BTreeMap::new();
        let mut all: Vec<PathBuf> = Vec::new();
        for path in self.known.paths() {
            let folder = packages(path).or(path.parent()).unwrap_or(path);
            let answer = is_unwatched.entry(folder).or_insert_with(|| {
                let there = folder.ancestors().find(|folder| folder.is_dir());
                there.is_some_and(|folder| unwatched.contains(folder))
            });
            if *answer {
                all.push(path.to_owned());
            }
        }
        for folder in unwatched {
            all.extend(self.known.in_folder(folder));
            all.extend(self.known.in_new_folder(folder));
        }
        for path in all {
            self.pending.add(path, Reason::Done, now, &self.settings.patience);
        }
        self.is_stale = true;
        self.poll = Some(now + self.poll_every());
    }

    fn is_own(&self, place: &Path) -> bool {
        self.settings.own.iter().any(|folder| place.starts_with(folder))
    }

    fn warn_of(&mut self, failure: &Failure) {
        if !std::mem::replace(&mut self.has_warned, true) {
            let warning = limits::warning(failure, self.folders.unwatched().len(), self.poll_every());
            (self.tell)(News::Warning(warning));
        }
    }

    fn warn_of_silence(&mut self) {
        let is_heard = self.events.is_none() || std::mem::replace(&mut self.has_warned, true);
        if !is_heard {
            (self.tell)(News::Warning(limits::silence()));
        }
    }

    #[cfg(test)]
    fn tell_if_idle(&mut self) {
        let is_idle = self.unread.is_empty() && self.pending.next().is_none() && self.calm.due().is_none();
        if is_idle && !self.is_stale {
            for reply in self.idle.drain(..) {
                // A test that has failed meanwhile does not listen.
                let _ = reply.send(());
            }
        }
    }
}

/// Whether a path lies in one of these folders, links resolved.
fn is_own_by_link(own: &[PathBuf], path: &Path) -> bool {
    let place = path.ancestors().find_map(|folder| fs::canonicalize(folder).ok());
    place.is_some_and(|place| own.iter().any(|folder| place.starts_with(folder)))
}
