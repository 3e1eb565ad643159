//! The portal as requests, pages and edits share it.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use portalgen_base::diagnostic::Diagnostic;
use portalgen_build::pipeline::{BuildOptions, LiveParts};
use portalgen_bundle::HotGraph;
use portalgen_portal::Overrides;

use super::{
    Project, Tell, changes::Changes, document::Settings, generation::Generation, sent::SentScripts, warned::Warned,
};
use crate::{
    content::ClientId,
    messages::{Origin, ServerMessage, Viewed},
    panel::Panel,
    problems::{Position, Problem},
    socket::Clients,
};

/// Of so many places it is known where they are.
const MOST_PLACES: usize = 10_000;

/// Of so many portals it is known what they were made of.
const MOST_EARLIER: usize = 20;

/// A portal that is being worked on.
pub struct DevPortal {
    pub(super) project: Project,
    pub(super) settings: Settings,
    pub(super) clients: Clients,
    pub(super) tell: Tell,
    /// The script of the client.
    pub(super) client: Arc<str>,
    pub(super) panel: Panel,
    /// The modules of now. It is written to for a few milliseconds at a time.
    graph: RwLock<HotGraph>,
    current: Mutex<Generation>,
    /// Told when the first build has ended, whatever came of it.
    first: Condvar,
    changes: Mutex<Changes>,
    /// The scripts that pages have. Whoever holds it asks for nothing else here.
    sent: Mutex<SentScripts>,
    /// What is on screens.
    viewers: Mutex<BTreeMap<ClientId, Viewed>>,
    /// The places that pages were told of, by their names and those of problems.
    places: Mutex<BTreeMap<String, Position>>,
    /// What the last portals were made of that differ in more than modules and style sheets, each with the first of its
    /// generations.
    earlier: Mutex<VecDeque<(u64, LiveParts)>>,
    /// The warnings that the terminal has had.
    pub(super) warned: Warned,
}

impl DevPortal {
    /// A portal of which nothing is built yet.
    pub(super) fn new(project: Project, settings: Settings, clients: Clients, tell: Tell, client: Arc<str>) -> Self {
        let BuildOptions { root, overrides, .. } = &project.options;
        // What it writes is for builds.
        let overrides = Overrides { is_tolerant: false, ..overrides.clone() };
        let panel = Panel::new(root.clone(), overrides, project.language);
        let (graph, current, first, changes, sent, viewers, places, earlier, warned) = Default::default();
        Self {
            project,
            settings,
            clients,
            tell,
            client,
            panel,
            graph,
            current,
            first,
            changes,
            sent,
            viewers,
            places,
            earlier,
            warned,
        }
    }

    /// What pages are made of now. Waits for the first build.
    pub(super) fn current(&self) -> Generation {
        let mut current = lock(&self.current);
        while current.number == 0 {
            current = self.first.wait(current).unwrap_or_else(PoisonError::into_inner);
        }
        current.clone()
    }

    /// The same without waiting.
    pub(super) fn latest(&self) -> Generation {
        lock(&self.current).clone()
    }

    /// Puts a generation in the place of the one before.
    pub(super) fn replace(&self, generation: Generation) {
        *lock(&self.current) = generation;
        self.first.notify_all();
    }

    /// The modules, to look at.
    pub(super) fn graph(&self) -> RwLockReadGuard<'_, HotGraph> {
        self.graph.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The modules, to bring them up to date.
    pub(super) fn graph_to_update(&self) -> RwLockWriteGuard<'_, HotGraph> {
        self.graph.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn changes(&self) -> MutexGuard<'_, Changes> {
        lock(&self.changes)
    }

    pub(super) fn sent(&self) -> MutexGuard<'_, SentScripts> {
        lock(&self.sent)
    }

    /// Remembers what a generation is made of.
    pub(super) fn remember(&self, generation: u64, parts: LiveParts) {
        let mut earlier = lock(&self.earlier);
        if earlier.back().is_some_and(|(_, last)| last.share_the_rest(&parts)) {
            return;
        }
        earlier.push_back((generation, parts));
        if earlier.len() > MOST_EARLIER {
            earlier.pop_front();
        }
    }

    /// What a generation was made of, as far as modules and style sheets do not matter.
    pub(super) fn remembered(&self, generation: u64) -> Option<LiveParts> {
        lock(&self.earlier).iter().rev().find(|(first, _)| *first <= generation).map(|(_, parts)| parts.clone())
    }

    /// The path that the portal is served from.
    pub(super) fn base(&self) -> String {
        self.latest().parts().map_or_else(|| self.project.base.clone(), |parts| parts.site.portal.urls.base.url())
    }

    /// Notes which page is on the screen of a client; none when the client is gone.
    pub(super) fn shows(&self, client: ClientId, viewed: Option<Viewed>) {
        let mut viewers = lock(&self.viewers);
        match viewed {
            Some(viewed) => viewers.insert(client, viewed),
            None => viewers.remove(&client),
        };
    }

    /// The clients with what is on their screens.
    pub(super) fn viewers(&self) -> Vec<(ClientId, Viewed)> {
        lock(&self.viewers).iter().map(|(client, viewed)| (*client, viewed.clone())).collect()
    }

    /// The routes that are on screens, each once.
    pub(super) fn viewed(&self) -> BTreeSet<String> {
        lock(&self.viewers).values().map(|viewed| viewed.route.clone()).collect()
    }

    /// Diagnostics as pages are told. The files that they name can be opened from then on.
    pub(super) fn problems<'a>(
        &self,
        found: impl IntoIterator<Item = (&'a Diagnostic, Option<&'a str>)>,
    ) -> Vec<Problem> {
        let language = self.project.language;
        let problems = found.into_iter().map(|(problem, route)| Problem::of(problem, language, route));
        let problems: Vec<Problem> = problems.collect();
        for problem in &problems {
            self.name_places(problem);
        }
        problems
    }

    /// Lets the places of a problem be opened.
    pub(super) fn name_places(&self, problem: &Problem) {
        let mut places = lock(&self.places);
        if places.len() > MOST_PLACES {
            places.clear();
        }
        for (name, place) in problem.places() {
            places.insert(name.to_owned(), place.clone());
        }
    }

    /// The place that pages were told of under this name.
    pub(super) fn place(&self, name: &str) -> Option<Position> {
        lock(&self.places).get(name).cloned()
    }

    /// What keeps the sources from being built, for pages.
    pub(super) fn build_problems(&self, problems: &[Diagnostic]) -> ServerMessage {
        let problems = self.problems(problems.iter().map(|problem| (problem, None)));
        ServerMessage::Problems { of: Origin::Build, problems }
    }

    /// Tells all pages.
    pub(super) fn broadcast(&self, generation: u64, message: &ServerMessage) {
        self.clients.broadcast(generation, text_of(message));
    }

    /// Tells one page.
    pub(super) fn send(&self, client: ClientId, message: &ServerMessage) {
        self.clients.send(client, text_of(message));
    }
}

/// A message as it is sent.
pub(super) fn text_of(message: &ServerMessage) -> String {
    // Names and texts only: nothing that has no form in JSON.
    serde_json::to_string(message).unwrap_or_default()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
