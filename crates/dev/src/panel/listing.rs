//! What the panel shows: all routes, with what is wrong with each.

use std::{collections::BTreeMap, ops::Range};

use portalgen_base::{diagnostic::Diagnostic, rules::Rule, source::display_name, text::Language};
use portalgen_build::{
    check::{
        self,
        room::{self, Room},
    },
    pipeline::LivePortal,
};
use portalgen_portal::{FILE, NotFound, Portal, Route, RouteKind, ShareImage, Urls, Written, edit::Key};
use serde::Serialize;

use super::{Around, Changed, Panel, changing, finding::Finding, lock};

/// Everything that the panel shows, as `page/protocol.tsx` has it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct List {
    /// What keeps the file from being read. The routes are those of before then.
    broken: Vec<Finding>,
    /// What is wrong with no route in particular.
    general: Vec<Finding>,
    routes: Vec<Listed>,
    /// What would be undone next.
    undo: Option<Vec<Changed>>,
    /// What the portal is called.
    name: Option<String>,
    rooms: Rooms,
}

/// How much room texts have.
#[derive(Debug, Serialize)]
struct Rooms {
    title: Space,
    description: Space,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Space {
    in_results: usize,
    widest: usize,
}

/// A route.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    path: String,
    kind: &'static str,
    /// Where it is in `dev`.
    address: Option<String>,
    /// Where it will be.
    url: String,
    noindex: bool,
    lang: String,
    /// The file of the page.
    file: Option<String>,
    /// The status with which servers redirect.
    status: Option<u16>,
    title: RouteText,
    description: RouteText,
    redirect: Option<RouteText>,
    /// The image of its card.
    image: Option<String>,
    /// What is wrong with the route, but with none of its texts.
    findings: Vec<Finding>,
}

/// A text of a route.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RouteText {
    /// As it stands in the file.
    written: Option<String>,
    /// With its values filled in.
    shown: String,
    /// How wide that is.
    width: usize,
    /// What search results show of it.
    in_results: String,
    findings: Vec<Finding>,
}

impl From<Room> for Space {
    fn from(Room { in_results, widest }: Room) -> Self {
        Self { in_results, widest }
    }
}

impl RouteText {
    pub(super) fn new(key: Key, written: Option<&str>, shown: &str, findings: Vec<Finding>) -> Self {
        let columns = if key == Key::Title { Room::OF_TITLES } else { Room::OF_DESCRIPTIONS }.in_results;
        Self {
            written: written.map(ToOwned::to_owned),
            shown: shown.to_owned(),
            width: room::width(shown),
            in_results: room::cut(shown, columns),
            findings,
        }
    }
}

/// What visitors get of a text of a route.
pub(super) fn filled_in(route: &Route, key: Key, urls: &Urls) -> Option<String> {
    match key {
        Key::Title => Some(route.title.clone()),
        Key::Description => route.description.clone(),
        Key::Redirect => route.redirect().map(|target| target.href(urls)),
    }
}

impl Panel {
    /// Everything that the panel shows now.
    pub(super) fn list(&self, language: Language, around: Around<'_>) -> List {
        let (portal, found, broken) = match self.load() {
            Ok((portal, warnings)) => {
                let warnings = warnings.into_iter().filter_map(|found| found.weighed(&portal.levels));
                let found = warnings.chain(check::texts(&portal)).collect();
                (Some(portal), found, Vec::new())
            }
            Err(errors) => {
                let known = lock(&self.known).clone();
                let found = known.as_deref().map(check::texts).unwrap_or_default();
                (known, found, errors)
            }
        };
        let portal = portal.as_deref();
        let sorter = Sorter::new(&found, language);
        let routes = portal.map(|portal| {
            let listed = |route| self.listed(portal, route, &sorter, around);
            let missing = self.not_found(portal, &sorter);
            portal.in_file_order().into_iter().map(listed).chain(missing).collect()
        });
        let building = around.problems.iter().filter(|_| broken.is_empty()).filter(|problem| !is_about_file(problem));
        let general = Finding::all(sorter.others(portal).into_iter().chain(building), language);
        List {
            broken: Finding::all(&broken, language),
            general,
            routes: routes.unwrap_or_default(),
            undo: lock(&self.written).last().map(|written| changing::undoing(&written.changes)),
            name: portal.and_then(|portal| portal.product.clone()),
            rooms: Rooms { title: Room::OF_TITLES.into(), description: Room::OF_DESCRIPTIONS.into() },
        }
    }

    /// The page for unknown addresses, if the file says something of it. It is no route, so nothing of it can be edited.
    fn not_found(&self, portal: &Portal, sorter: &Sorter<'_>) -> Option<Listed> {
        let NotFound { title, component, place } = &portal.not_found;
        let place = place.as_ref()?;
        let found = sorter.within(place.span.clone()).map(|(_, found)| found);
        Some(Listed {
            path: "404".to_owned(),
            kind: "not-found",
            address: None,
            url: String::new(),
            noindex: true,
            lang: portal.lang.clone(),
            file: component.as_ref().map(|component| display_name(&self.root, component)),
            status: None,
            title: RouteText::new(Key::Title, None, title, Vec::new()),
            description: RouteText::default(),
            redirect: None,
            image: None,
            findings: Finding::all(found, sorter.language),
        })
    }

    fn listed(&self, portal: &Portal, route: &Route, sorter: &Sorter<'_>, around: Around<'_>) -> Listed {
        let urls = &portal.urls;
        let shown = |key: Key| {
            let written = key.of(route);
            let text = filled_in(route, key, urls).unwrap_or_default();
            RouteText::new(key, written.map(|written| &*written.text), &text, sorter.of_text(route, key))
        };
        let (kind, status) = match &route.kind {
            RouteKind::Page { .. } => ("page", None),
            RouteKind::Redirect { status, .. } => ("redirect", Some(*status)),
            RouteKind::Retired => ("retired", None),
        };
        let rendered = around.portal.map(|live| problems_of_page(live, route)).unwrap_or_default();
        let own = sorter.of_route(route).into_iter().chain(&rendered);
        Listed {
            path: route.path.readable(),
            kind,
            address: (kind != "retired").then(|| urls.page(&route.path)),
            url: urls.canonical(&route.path).unwrap_or_else(|| urls.page(&route.path)),
            noindex: route.noindex,
            lang: route.lang.clone(),
            file: route.component().map(|component| display_name(&self.root, component)),
            status,
            title: shown(Key::Title),
            description: shown(Key::Description),
            redirect: (kind == "redirect").then(|| shown(Key::Redirect)),
            image: route.image.as_ref().or(portal.site.image.as_ref()).map(|image| address_of(image, urls)),
            findings: Finding::all(own, sorter.language),
        }
    }
}

/// What was found when the page was rendered, as far as it was.
fn problems_of_page(live: &LivePortal, route: &Route) -> Vec<Diagnostic> {
    let levels = &live.parts().site.portal.levels;
    live.known_problems(route.path.as_str()).into_iter().filter_map(|found| found.weighed(levels)).collect()
}

/// Where the image of a card is in `dev`.
fn address_of(image: &ShareImage, urls: &Urls) -> String {
    match image {
        ShareImage::Public(file) => urls.file(file),
        ShareImage::Url(url) => url.clone(),
    }
}

fn is_about_file(problem: &Diagnostic) -> bool {
    problem.place.as_ref().is_some_and(|place| place.source.name == FILE)
}

/// Finds what each complaint about the file is about, by its places.
struct Sorter<'a> {
    found: &'a [Diagnostic],
    /// Complaints by where they point at.
    by_place: BTreeMap<usize, Vec<&'a Diagnostic>>,
    language: Language,
}

impl<'a> Sorter<'a> {
    fn new(found: &'a [Diagnostic], language: Language) -> Self {
        let mut by_place: BTreeMap<usize, Vec<&Diagnostic>> = BTreeMap::new();
        for complaint in found {
            for start in starts(complaint) {
                by_place.entry(start).or_default().push(complaint);
            }
        }
        Self { found, by_place, language }
    }

    /// Complaints that point into a range, each with where.
    fn within(&self, range: Range<usize>) -> impl Iterator<Item = (usize, &'a Diagnostic)> {
        self.by_place.range(range).flat_map(|(start, found)| found.iter().map(|found| (*start, *found)))
    }

    /// Complaints about a text, or that it is missing.
    fn of_text(&self, route: &Route, key: Key) -> Vec<Finding> {
        let written = key.of(route);
        let range = written.map_or_else(|| lines_of(route), |written| written.place.span.clone());
        let all = self.within(range).map(|(_, found)| found);
        Finding::all(all.filter(|found| written.is_some() || misses(found) == Some(key)), self.language)
    }

    /// Complaints about a route, but about none of its texts.
    fn of_route(&self, route: &Route) -> Vec<&'a Diagnostic> {
        let is_of_text = |start: usize| texts_of(route).any(|text| text.place.span.contains(&start));
        let all =
            self.within(lines_of(route)).filter(|(start, found)| *start == start_of(found) && !is_of_text(*start));
        all.map(|(_, found)| found).filter(|found| misses(found).is_none()).collect()
    }

    /// Complaints about no route.
    fn others(&self, portal: Option<&Portal>) -> Vec<&'a Diagnostic> {
        let routes = portal.map(|portal| portal.routes.as_slice()).unwrap_or_default();
        let not_found = portal.and_then(|portal| portal.not_found.place.as_ref()).map(|place| place.span.clone());
        let lines = routes.iter().map(lines_of).chain(not_found);
        let lines: BTreeMap<usize, usize> = lines.map(|lines| (lines.start, lines.end)).collect();
        let is_of_route = |start| lines.range(..=start).next_back().is_some_and(|(_, end)| start < *end);
        self.found.iter().filter(|found| !starts(found).any(is_of_route)).collect()
    }
}

/// The text that a complaint says is missing.
fn misses(found: &Diagnostic) -> Option<Key> {
    match found.rule? {
        Rule::MissingTitle => Some(Key::Title),
        Rule::MissingDescription => Some(Key::Description),
        _ => None,
    }
}

/// Where a complaint points at first. What points nowhere is about no line.
fn start_of(found: &Diagnostic) -> usize {
    found.place.as_ref().map_or(usize::MAX, |place| place.span.start)
}

/// Where a complaint points at.
fn starts(found: &Diagnostic) -> impl Iterator<Item = usize> {
    found.place.iter().chain(found.related.iter().map(|(place, _)| place)).map(|place| place.span.start)
}

fn texts_of(route: &Route) -> impl Iterator<Item = &Written> {
    [Key::Title, Key::Description, Key::Redirect].into_iter().filter_map(|key| key.of(route))
}

/// What stands in the file from the head of a route to the last of its texts.
fn lines_of(route: &Route) -> Range<usize> {
    let ends = texts_of(route).map(|text| text.place.span.end).chain([route.places.path.span.end]);
    route.places.section.span.start..ends.max().unwrap_or_default()
}
