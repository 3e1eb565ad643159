//! What pages have to be told when more than modules and style sheets has changed: titles, other pages, or that they load anew.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use portalgen_base::text::{Text, text};
use portalgen_build::pipeline::{LiveParts, SITE, Site};

use super::state::DevPortal;
use crate::{
    content::ClientId,
    messages::{ServerMessage, Viewed},
};

impl DevPortal {
    /// Tells a page what has changed besides modules and style sheets.
    pub(super) fn tell_rest(
        &self,
        client: ClientId,
        Viewed { at, .. }: &Viewed,
        before: &LiveParts,
        after: &LiveParts,
    ) {
        let is_other = Shown::at(&before.site, at) != Shown::at(&after.site, at);
        let other = || is_other.then(|| text!("{at} now resolves to another file", "{at} 现在指向另一个文件"));
        if let Some(reason) = reason_to_reload(before, after).or_else(other) {
            return self.reload(client, &reason);
        }
        for (route, title) in new_titles(&before.site, &after.site) {
            self.send(client, &ServerMessage::Title { route, title });
        }
    }

    /// Has a page load its document anew.
    pub(super) fn reload(&self, client: ClientId, reason: &Text) {
        let reason = reason.in_language(self.project.language).to_owned();
        self.send(client, &ServerMessage::Reload { reason });
    }
}

/// Why all pages have to load their documents anew, if they have to.
fn reason_to_reload(before: &LiveParts, after: &LiveParts) -> Option<Text> {
    let (old, new) = (&before.site, &after.site);
    if !old.shells.are_same(&new.shells) {
        return Some(text!("a template has changed", "模板已修改"));
    }
    if old.portal.urls != new.portal.urls {
        return Some(text!("the addresses of pages have changed", "页面网址已改变"));
    }
    if !Arc::ptr_eq(&before.collected, &after.collected) && before.collected.public != after.collected.public {
        return Some(text!("a file in {SITE}/public has changed", "{SITE}/public 里的文件已修改"));
    }
    None
}

/// The titles of pages that are called something else now.
fn new_titles(before: &Site, after: &Site) -> BTreeMap<String, String> {
    let titles = |site: &Site| -> BTreeMap<String, String> {
        let pages = site.pages().map(|(route, _)| (route.path.as_str().to_owned(), route.title.clone()));
        pages.chain([(String::new(), site.portal.not_found.title.clone())]).collect()
    };
    let known = titles(before);
    titles(after).into_iter().filter(|(route, title)| known.get(route).is_some_and(|known| known != title)).collect()
}

/// What there is at a route.
#[derive(PartialEq, Eq)]
enum Shown<'a> {
    Page(&'a Path),
    Redirect,
    /// Nothing but the not-found page, which may have a component of the site's own.
    Nothing(Option<&'a Path>),
}

impl<'a> Shown<'a> {
    fn at(site: &'a Site, route: &str) -> Self {
        let nothing = || Self::Nothing(site.portal.not_found.component.as_deref());
        let found = site.portal.routes.iter().find(|other| other.path.as_str() == route);
        found.map_or_else(nothing, |route| route.component().map_or(Self::Redirect, Self::Page))
    }
}
