//! The verdict on a generation: its pages are rendered, as a build would, after the edit is on the screens.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use portalgen_base::diagnostic::{self, Diagnostic};
use portalgen_build::pipeline::LivePortal;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Event, generation::Generation, state::DevPortal, warned::Finder};
use crate::{
    content::STACK,
    messages::{Origin, ServerMessage},
};

/// How long browsers take to show an edit.
const PATIENCE: Duration = Duration::from_millis(40);
/// How long they take to show the first page.
const PATIENCE_AT_FIRST: Duration = Duration::from_millis(400);

/// A verdict in the making, which the next edit ends.
#[derive(Default)]
pub(super) struct Verdict {
    is_over: Arc<AtomicBool>,
}

impl Verdict {
    /// Begins to judge a generation.
    pub(super) fn begin(portal: &Arc<DevPortal>, generation: Generation, was_wrong: &Arc<AtomicBool>) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let (portal, ended, was_wrong) = (Arc::clone(portal), Arc::clone(&is_over), Arc::clone(was_wrong));
        let judge = move || {
            // Browsers need the processors first.
            thread::sleep(if generation.number > 1 { PATIENCE } else { PATIENCE_AT_FIRST });
            let judge = || judge(&portal, &generation, &ended, &was_wrong);
            match workers() {
                Some(workers) => workers.install(judge),
                None => judge(),
            }
        };
        // Without a thread there is no verdict, and pages are rendered when they are asked for.
        let _ = thread::Builder::new().name("verdict".to_owned()).stack_size(STACK).spawn(judge);
        Self { is_over }
    }
}

impl Drop for Verdict {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// The threads for verdicts: half of what there is, so that the next edit does not wait for what nobody needs any more.
fn workers() -> Option<&'static ThreadPool> {
    static WORKERS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let workers = || {
        let threads = (rayon::current_num_threads() / 2).max(1);
        let builder = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK);
        builder.thread_name(|number| format!("verdict {number}")).build().ok()
    };
    WORKERS.get_or_init(workers).as_ref()
}

/// Renders what is on screens, and then the rest.
fn judge(portal: &DevPortal, generation: &Generation, is_over: &AtomicBool, was_wrong: &AtomicBool) {
    let Some(live) = &generation.portal else { return };
    if is_over.load(Ordering::Relaxed) {
        return;
    }
    let viewed = portal.viewed();
    let is_viewed = |route: &&str| viewed.contains(*route);
    let (first, others): (Vec<&str>, Vec<&str>) = live.pages().partition(is_viewed);
    let has_ended = || is_over.load(Ordering::Relaxed);
    let mut found = Vec::new();
    for (routes, are_viewed) in [(first, true), (others, false)] {
        if !are_viewed {
            live.render_ahead(&has_ended);
        }
        for route in routes {
            if has_ended() {
                return;
            }
            found.extend(live.problems(route).into_iter().map(|found| (route.to_owned(), found)));
        }
        if has_ended() {
            return;
        }
        show(portal, generation.number, &found);
    }
    tell(portal, live, found, was_wrong);
}

/// Tells the pages.
fn show(portal: &DevPortal, generation: u64, found: &[(String, Diagnostic)]) {
    let problems = portal.problems(found.iter().map(|(route, problem)| (problem, Some(route.as_str()))));
    let message = if problems.is_empty() {
        ServerMessage::Solved { of: Origin::Render }
    } else {
        ServerMessage::Problems { of: Origin::Render, problems }
    };
    portal.broadcast(generation, &message);
}

/// Tells the terminal.
fn tell(portal: &DevPortal, live: &LivePortal, found: Vec<(String, Diagnostic)>, was_wrong: &AtomicBool) {
    let levels = &live.parts().site.portal.levels;
    let mut problems: Vec<Diagnostic> = found.into_iter().filter_map(|(_, problem)| problem.weighed(levels)).collect();
    diagnostic::sort(&mut problems);
    problems.dedup();
    let problems = portal.warned.news(Finder::Render, problems);
    let is_wrong = problems.iter().any(Diagnostic::is_error);
    let had_been = was_wrong.swap(is_wrong, Ordering::Relaxed);
    if !problems.is_empty() {
        (portal.tell)(Event::Problems(problems));
    } else if had_been {
        (portal.tell)(Event::Solved);
    }
}
