//! What has changed from one generation to the next, for pages that were away for a while.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use portalgen_bundle::{HotSheet, HotUpdate};

use super::sent::SentScripts;
use crate::messages::{ServerMessage, Sheet};

/// Of so many generations it is known what has changed in them. Pages that were away for longer load their document anew.
const REMEMBERED: usize = 200;

/// Changes of the last generations.
#[derive(Debug, Default)]
pub(crate) struct Changes(VecDeque<Change>);

/// What has changed in one generation.
#[derive(Debug)]
struct Change {
    generation: u64,
    changed: Vec<Arc<str>>,
    removed: Vec<Arc<str>>,
    styles: Vec<HotSheet>,
    roots: BTreeMap<Arc<str>, Vec<HotSheet>>,
}

impl Changes {
    /// Notes an update, and gives the message with it. `base` is the path that the portal is served from.
    pub(super) fn add(
        &mut self,
        generation: u64,
        update: HotUpdate,
        base: &str,
        sent: &mut SentScripts,
    ) -> ServerMessage {
        let HotUpdate { definitions, changed, removed, styles, roots, warnings: _ } = update;
        let definitions = sent.update(definitions, base);
        let change = Change { generation, changed, removed, styles, roots };
        let message = message([&change], generation, definitions.into(), base);
        self.0.push_back(change);
        if self.0.len() > REMEMBERED {
            self.0.pop_front();
        }
        message
    }

    /// Everything since a generation in one message, for a page that has what was there then. None if that is too long ago.
    pub(crate) fn since(
        &self,
        generation: u64,
        base: &str,
        definitions: impl FnOnce(&[&str]) -> String,
    ) -> Option<ServerMessage> {
        let newest = self.0.back()?.generation;
        let oldest = self.0.front()?.generation;
        if generation + 1 < oldest || generation > newest {
            return None;
        }
        let later: Vec<&Change> = self.0.iter().filter(|change| change.generation > generation).collect();
        let changed: BTreeSet<&str> = later.iter().flat_map(|change| &change.changed).map(|name| &**name).collect();
        let definitions = definitions(&changed.into_iter().collect::<Vec<_>>());
        Some(message(later, newest, definitions.into(), base))
    }
}

/// The changes as one message. Of what several of them tell, the last one is right.
fn message<'a>(
    changes: impl IntoIterator<Item = &'a Change>,
    generation: u64,
    definitions: Arc<str>,
    base: &str,
) -> ServerMessage {
    let (mut newest, mut removed) = (BTreeSet::new(), BTreeSet::new());
    let (mut styles, mut roots) = (BTreeMap::new(), BTreeMap::new());
    for change in changes {
        for name in &change.changed {
            removed.remove(name);
            newest.insert(Arc::clone(name));
        }
        for name in &change.removed {
            newest.remove(name);
            removed.insert(Arc::clone(name));
        }
        for sheet in &change.styles {
            match &sheet.file {
                Some(file) => styles.insert(Arc::clone(&sheet.key), format!("{base}{file}")),
                None => styles.remove(&sheet.key),
            };
        }
        roots.extend(change.roots.iter().map(|(root, list)| (Arc::clone(root), sheets(list, base))));
    }
    ServerMessage::Update {
        generation,
        definitions,
        changed: newest.into_iter().collect(),
        removed: removed.into_iter().collect(),
        styles,
        roots,
    }
}

/// The sheets of a root, as pages are told.
fn sheets(list: &[HotSheet], base: &str) -> Vec<Sheet> {
    let sheet = |sheet: &HotSheet| {
        let file = sheet.file.as_ref()?;
        Some(Sheet { key: Arc::clone(&sheet.key), href: format!("{base}{file}"), place: sheet.place })
    };
    list.iter().filter_map(sheet).collect()
}

#[cfg(test)]
mod tests {
    use super::{Changes, SentScripts, ServerMessage};
    use portalgen_bundle::{HotSheet, HotUpdate};

    fn update(changed: &[&str], removed: &[&str], style: Option<&str>) -> HotUpdate {
        let names = |names: &[&str]| names.iter().map(|name| (*name).into()).collect();
        let styles = vec![HotSheet { key: "k".into(), file: style.map(Into::into), place: 1 }];
        HotUpdate { changed: names(changed), removed: names(removed), styles, ..HotUpdate::default() }
    }

    #[test]
    fn what_was_missed_comes_in_one_message_and_as_it_is_now() {
        let (mut changes, mut sent) = <(Changes, SentScripts)>::default();
        changes.add(1, update(&["a", "b"], &[], Some("s?1")), "/", &mut sent);
        changes.add(2, update(&["b", "c"], &["a"], Some("s?2")), "/", &mut sent);
        let Some(ServerMessage::Update { generation, definitions, changed, removed, styles, .. }) =
            changes.since(0, "/", |names| names.join("+"))
        else {
            panic!("no message")
        };
        assert_eq!((generation, &*definitions), (2, "a+b+c"));
        assert_eq!((changed, removed), (vec!["b".into(), "c".into()], vec!["a".into()]));
        assert_eq!(styles["k"], "/s?2");
    }

    #[test]
    fn what_is_too_long_ago_is_not_known() {
        let (mut changes, mut sent) = <(Changes, SentScripts)>::default();
        for generation in 1..=300 {
            changes.add(generation, update(&["a"], &[], None), "/", &mut sent);
        }
        let since = |generation| changes.since(generation, "/", |_| String::new()).is_some();
        assert_eq!(
            [since(0), since(99), since(100), since(299), since(300), since(301)],
            [false, false, true, true, true, false]
        );
    }
}
