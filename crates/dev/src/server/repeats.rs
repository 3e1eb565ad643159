//! What is told once, and then counted: a page that asks for something every second would fill the terminal.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use portalgen_base::text::{Text, text};
use tokio::task::spawn_blocking;

use crate::content::Content;

/// How much is told during a pause, at most: whoever sends requests may choose what they fail for.
const MOST: usize = 16;

/// Who tells the content what whoever started the server should see. Clones are of the same.
#[derive(Clone)]
pub(super) struct Teller {
    content: Arc<dyn Content>,
    /// What was told lately, with how often it has happened since.
    lately: Arc<Mutex<BTreeMap<String, u32>>>,
    /// How long repeats are counted before they are told.
    pause: Duration,
}

impl Teller {
    pub(super) fn new(content: Arc<dyn Content>, pause: Duration) -> Self {
        Self { content, lately: Arc::default(), pause }
    }

    /// Tells something now, or how often it has happened when the pause is over. Must be called within the runtime.
    pub(super) fn tell(&self, what: Text) {
        let key = what.english().to_owned();
        {
            let mut lately = self.lately();
            if let Some(count) = lately.get_mut(&key) {
                *count += 1;
                return;
            }
            if lately.len() == MOST {
                return;
            }
            lately.insert(key.clone(), 0);
        }
        self.note(what.clone());
        let teller = self.clone();
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(teller.pause).await;
                let Some(count) = teller.count(&key) else { break };
                teller.note(text!("{what} (×{count})", "{what}（×{count}）", what));
            }
        });
    }

    fn note(&self, note: Text) {
        let content = Arc::clone(&self.content);
        drop(spawn_blocking(move || content.note(&note)));
    }

    /// How often it has happened during the last pause; none if it has not, in which case it is told anew the next time.
    fn count(&self, key: &str) -> Option<u32> {
        let mut lately = self.lately();
        let count = lately.get_mut(key).map(std::mem::take).filter(|count| *count > 0);
        if count.is_none() {
            lately.remove(key);
        }
        count
    }

    fn lately(&self) -> MutexGuard<'_, BTreeMap<String, u32>> {
        self.lately.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
