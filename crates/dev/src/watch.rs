//! What of a build's inputs has changed.
//!
//! A watcher is told what a build depends on, and tells when any of that is another than it was: by content, not by times,
//! so that a save without a change is none, and one that comes in three events is one. Events are only a reason to look.
//!
//! ```text
//! events ──▶ pending: when to look ──▶ seen: what is there ──▶ known: does it differ ──▶ calm: when to tell ──▶ News
//! ```
//!
//! A file that was written is looked at when its writer closes it, which is at once, and what differs is told at once, too.
//! Only what looks unfinished is given time: a file that is gone, empty or unreadable where one was before. After something was told, what
//! follows shortly after comes together, so a branch switch is two or three pieces of news.
//!
//! - `folders` are what is watched: those in which a dependency lies, by where they really are. Packages cost no watch; they are
//!   compared when their package manager has been there.
//! - Where the system has no events, or no more of them, `poll` looks again and again.
//!
//! What is known of a file is always something that was there before it was told. So whoever builds after news, and then says
//! what that build depends on or that it has ended, misses nothing: the last state is either what was built, or news.

use std::{path::Path, sync::mpsc, thread, time::Instant};

use portalgen_base::source::Dependencies;

mod calm;
mod events;
mod folders;
mod held;
mod known;
mod limits;
mod pending;
mod run;
mod seen;
mod settings;

use events::Events;
use run::Input;
pub use settings::{News, Patience, Settings};

/// A thread that watches until this is dropped.
#[derive(Debug)]
pub struct Watcher {
    inputs: mpsc::Sender<Input>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Watcher {
    /// Watches nothing yet. News are handed to `tell`, one after the other.
    pub fn start(settings: Settings, tell: impl FnMut(News) + Send + 'static) -> Self {
        Self::with(settings, tell, |inputs| events::of_system(move |event| drop(inputs.send(Input::Event(event)))))
    }

    fn with(
        settings: Settings,
        tell: impl FnMut(News) + Send + 'static,
        events: impl FnOnce(mpsc::Sender<Input>) -> Result<Box<dyn Events>, events::Failure> + Send + 'static,
    ) -> Self {
        let (inputs, received) = mpsc::channel();
        let own = inputs.clone();
        let run = move || {
            let events = if settings.poll.is_some() { None } else { Some(events(own)) };
            run::Run::new(settings, tell, events).until_the_end(&received);
        };
        // Without a thread there are no news, as on a system without events; a request still sees what is there.
        let thread = thread::Builder::new().name("watcher".to_owned()).spawn(run).ok();
        Self { inputs, thread }
    }

    /// Watches what a build depends on that began to read at `began`, and nothing else any more. What has changed since the
    /// build read it becomes news.
    pub fn depend(&self, on: Dependencies, began: Instant) {
        self.tell(Input::Depend(Box::new(on), began));
    }

    /// Says that another build has ended, which began to read at `began` and depends on what the last one did. One that does not
    /// say so may have read a file half written, and not be told of the whole one.
    pub fn built(&self, began: Instant) {
        self.tell(Input::Built(began));
    }

    /// Announces that portalgen itself is about to write this into a file that it also reads, which is no news.
    pub fn expect(&self, path: &Path, content: &[u8]) {
        self.tell(Input::Expect(path.to_owned(), seen::hash(content)));
    }

    /// Looks at everything, whatever events there were. If that gives news, there is a warning, too: events do not come.
    pub fn look(&self) {
        self.tell(Input::Look);
    }

    fn tell(&self, input: Input) {
        // A thread that has ended has nothing to hear.
        let _ = self.inputs.send(input);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.tell(Input::End);
        if let Some(thread) = self.thread.take() {
            // It has told its panic.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;
