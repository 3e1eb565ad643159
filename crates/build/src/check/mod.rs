//! Judges a portal that is ready to be published.
//!
//! What makes a portal impossible to build is found where it is read. Here is the rest: what works, and is still not what
//! its authors want, seen in the finished documents as a visitor would see it.
//!
//! ```text
//! texts, plain, room    titles and descriptions, as routes.toml has them, what is no text in them, and how much is shown
//! pages, document       the finished documents, and what rules look at in them
//! links, accessibility  what is wrong with a page
//! nesting, content      what is wrong with the HTML that React rendered
//! origins, literals,    where that was written
//! elements
//! faults                one complaint for what several pages have in common
//! ```

mod accessibility;
mod content;
mod elements;
mod fault;
mod faults;
mod links;
mod literals;
mod nesting;
mod origins;
mod pages;
mod plain;
pub mod room;
mod texts;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use portalgen_base::{
    blob::Blob,
    date::Date,
    diagnostic::Diagnostic,
    rules::{Level, Rule},
    source::Sources,
    store::Results,
    text::text,
};
use portalgen_engine::Around;
use portalgen_portal::{
    Portal, RoutePath,
    edit::{Change, Key},
};
use portalgen_release::output::OutputSet;

/// How thoroughly a portal is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// By the rules that can refuse it.
    Errors,
    /// By every rule.
    Everything,
}

/// What is judged, and what it was made of, to say where a fault was written.
pub struct Subject<'a> {
    /// What `routes.toml` says.
    pub portal: &'a Portal,
    /// What would be published.
    pub output: &'a OutputSet,
    /// Where the portal was read from.
    pub sources: &'a dyn Sources,
    /// The project's folder, absolute. Names of files are relative to it.
    pub root: &'a Path,
    /// The names of all files that the site's authors wrote its pages in: modules and templates.
    pub written: &'a (dyn Fn() -> Vec<String> + Sync),
    /// Those that a page is made of, lazy parts that were rendered with it included: the page of a route, by the route's path
    /// and the component. None stands for the not-found page of a site that has no own.
    pub written_for: &'a (dyn Fn(&str, Option<&Path>) -> Vec<String> + Sync),
    /// What React rendered inside its root, by the path of the page's route.
    pub rendered: &'a BTreeMap<&'a str, &'a Blob>,
    /// What was read in documents and pages before.
    pub readings: &'a Results,
    /// Looks at a page once more, by the path of its route.
    pub look: &'a dyn Look,
    /// Today, if the calendar counts. What is published must not depend on it.
    pub today: Option<Date>,
}

/// A second look at a page that something may be wrong with.
pub trait Look: Sync {
    /// What React rendered, with comments around all HTML that components gave as text.
    fn marked(&self, path: &str) -> Option<String>;

    /// What is around the page.
    fn around(&self, path: &str) -> Option<Around>;
}

/// Everything that breaks a rule, weighed as the portal's owner wants.
pub fn check(subject: &Subject<'_>, judgement: Judgement) -> Vec<Diagnostic> {
    let levels = &subject.portal.levels;
    let wants = |rule: Rule| match judgement {
        Judgement::Errors => levels.of(rule) == Level::Error,
        Judgement::Everything => levels.of(rule) != Level::Off,
    };
    let in_pages = faults::check(subject, wants).into_iter().filter_map(|complaint| complaint.weighed(levels));
    let expired = expired(subject.portal, subject.today).and_then(|complaint| complaint.weighed(levels));
    texts(subject.portal).into_iter().chain(in_pages).chain(expired).collect()
}

/// Tells of a `security.txt` on which nobody may rely any more.
fn expired(portal: &Portal, today: Option<Date>) -> Option<Diagnostic> {
    let security = portal.security.as_ref().filter(|security| today.is_some_and(|today| security.expires < today))?;
    let day = security.expires;
    let message = text!("`security.txt` expired on {day}", "`security.txt` 已于 {day} 过期");
    let hint = text!(
        "check that the contact is still correct, and set a date within the next year",
        "请确认联系方式仍然有效，再把日期改到一年之内的某一天"
    );
    Some(Diagnostic::of(Rule::ExpiredSecurity, message).at(security.expires_place.clone()).with_hint(hint))
}

/// What breaks a rule about titles and descriptions, which can be told without building the portal.
pub fn texts(portal: &Portal) -> Vec<Diagnostic> {
    texts::check(portal).into_iter().filter_map(|complaint| complaint.weighed(&portal.levels)).collect()
}

/// The same of the texts that were changed only.
pub fn changed_texts(portal: &Portal, changes: &[Change]) -> Vec<Diagnostic> {
    texts_of(portal, changes.iter().map(|change| (&change.edit.path, change.edit.key)))
}

/// The same of some texts only.
pub fn texts_of<'a>(portal: &Portal, wanted: impl IntoIterator<Item = (&'a RoutePath, Key)>) -> Vec<Diagnostic> {
    let written = wanted.into_iter().filter_map(|(path, key)| key.of(portal.route(path)?));
    let starts: BTreeSet<usize> = written.map(|written| written.place.span.start).collect();
    let concerns = |found: &Diagnostic| {
        let related = found.related.iter().map(|(place, _)| place);
        found.place.iter().chain(related).any(|place| starts.contains(&place.span.start))
    };
    texts(portal).into_iter().filter(concerns).collect()
}

/// The longest text that a message quotes whole, in characters.
const LONGEST_QUOTED: usize = 120;

/// The start of what is too long to be quoted.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
