//! The rules about documents: every page is judged, what several pages have in common is told once, and each complaint gets
//! the place in the sources where its cause was written.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::OnceLock,
};

use rayon::prelude::*;
use url::Url;

use super::{
    Subject, accessibility,
    document::Document,
    links::{self, Links},
    literals::{Literals, Spelling},
};
use crate::{
    answer::NOT_FOUND,
    config::{Portal, RouteKind},
    diagnostic::{Diagnostic, Place},
    output::{OutputKind, OutputSet},
    rules::Rule,
    runtime::NOT_FOUND_PATH,
    text::{Language, Text, text},
};

/// How many pages a complaint names.
const PAGES_NAMED: usize = 2;
/// How many further places a complaint points at.
const PLACES_SHOWN: usize = 8;
/// How many complaints get advice that takes time: whoever has more mends the first ones first.
const ADVISED: usize = 100;

/// How deep below its own path the not-found page is looked at: no relative link leads out of so many folders.
const UNKNOWN_FOLDERS: usize = 16;

/// A document that visitors read.
pub(super) struct Page<'a> {
    /// Its output path.
    pub(super) file: String,
    /// Where it is looked at.
    pub(super) address: Url,
    /// Of the not-found page, the path that its components see. What it is looked at lies below: it has no path of its own.
    unknown: Option<String>,
    /// What people call it: its path, or `404.html`.
    name: &'a str,
    component: Option<&'a Path>,
    /// Where it is described.
    place: Place,
}

impl Page<'_> {
    /// Whether a path leads to this page from itself.
    pub(super) fn is_at(&self, path: &str) -> bool {
        path == self.address.path() || Some(path) == self.unknown.as_deref()
    }

    /// What a link has that leads to this path only where the not-found page is looked at.
    pub(super) fn relative_from_unknown<'p>(&self, path: &'p str) -> Option<&'p str> {
        let below = path.strip_prefix(self.unknown.as_ref()?)?.strip_prefix('/')?;
        Some(below.trim_start_matches("404/"))
    }
}

/// The HTML documents of a portal, each read when it is first needed. Stubs are not among them: nobody reads those.
pub(super) struct Documents<'a> {
    output: &'a OutputSet,
    read: BTreeMap<&'a str, OnceLock<Option<Document>>>,
}

impl<'a> Documents<'a> {
    fn new(portal: &Portal, output: &'a OutputSet) -> Self {
        let stubs = portal.routes.iter().filter(|route| matches!(route.kind, RouteKind::Redirect(_)));
        let stubs: BTreeSet<String> = stubs.map(|route| route.path.output()).collect();
        let is_document = |path: &str| path.ends_with(".html") && !stubs.contains(path);
        let files = output.iter().filter(|(path, file)| file.kind != OutputKind::Asset && is_document(path));
        Self { output, read: files.map(|(path, _)| (path.as_str(), OnceLock::new())).collect() }
    }

    /// The document of a file, if it is one.
    pub(super) fn get(&self, file: &str) -> Option<&Document> {
        let read = || Some(Document::read(std::str::from_utf8(&self.output.get(file)?.bytes).ok()?));
        self.read.get(file)?.get_or_init(read).as_ref()
    }
}

/// Something that is wrong with a page, and may be with others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Link(links::Fault),
    Accessibility(accessibility::Fault),
}

impl Fault {
    fn rule(&self) -> Rule {
        match self {
            Self::Link(fault) => fault.rule(),
            Self::Accessibility(fault) => fault.rule(),
        }
    }
}

/// Where a fault was met.
#[derive(Default)]
struct Met<'d> {
    /// The pages that have it.
    pages: Vec<usize>,
    /// The addresses that have it, as documents have them.
    addresses: BTreeSet<&'d str>,
}

/// What breaks one of the wanted rules in any page.
pub(super) fn check(subject: &Subject<'_>, wants: impl Fn(Rule) -> bool + Sync) -> Vec<Diagnostic> {
    let is_wanted = |rules: &[Rule]| rules.iter().any(|rule| wants(*rule));
    let wants_links = is_wanted(&[Rule::BrokenLink, Rule::BrokenAnchor, Rule::LinkWithoutBase]);
    let wants_accessibility = is_wanted(&[Rule::MissingAlt, Rule::SkippedHeading]);
    if !wants_links && !wants_accessibility {
        return Vec::new();
    }
    let documents = Documents::new(subject.portal, subject.output);
    let links = Links { portal: subject.portal, output: subject.output, documents: &documents };
    let pages = pages(subject.portal);
    let faults_of = |page: &Page<'_>| -> Vec<(Fault, Option<&str>)> {
        let Some(document) = documents.get(&page.file) else { return Vec::new() };
        let of_links = if wants_links { links.faults(page, document) } else { Vec::new() };
        let others = if wants_accessibility { accessibility::Fault::all(document) } else { Vec::new() };
        let of_links = of_links.into_iter().map(|(fault, address)| (Fault::Link(fault), Some(address)));
        let faults = of_links.chain(others.into_iter().map(|fault| (Fault::Accessibility(fault), None)));
        faults.filter(|(fault, _)| wants(fault.rule())).collect()
    };
    let found: Vec<_> = pages.par_iter().map(faults_of).collect();

    let mut faults: BTreeMap<Fault, Met<'_>> = BTreeMap::new();
    for (page, found) in found.into_iter().enumerate() {
        for (fault, address) in found {
            let met = faults.entry(fault).or_default();
            met.addresses.extend(address);
            if met.pages.last() != Some(&page) {
                met.pages.push(page);
            }
        }
    }
    let origins = Origins::new(subject, &pages);
    let complain = |(number, (fault, met))| complaint(fault, met, number < ADVISED, &links, &origins);
    faults.iter().enumerate().map(complain).collect()
}

/// Every page of the portal, and the one for what is not there.
fn pages(portal: &Portal) -> Vec<Page<'_>> {
    let origin = portal.origin.as_ref().map_or("https://portal.invalid", |origin| origin.as_str());
    let address = |path: &str| Url::parse(&format!("{origin}{path}")).ok();
    let of_routes = portal.routes.iter().filter_map(|route| {
        let RouteKind::Page { component } = &route.kind else { return None };
        Some(Page {
            file: route.path.output(),
            address: address(&route.path.url(&portal.base))?,
            unknown: None,
            name: route.path.as_str(),
            component: Some(component),
            place: route.places.path.clone(),
        })
    });
    let unknown = format!("{}{NOT_FOUND_PATH}", portal.base.url().trim_end_matches('/'));
    let not_found = address(&format!("{unknown}/{}", "404/".repeat(UNKNOWN_FOLDERS))).map(|address| Page {
        file: NOT_FOUND.to_owned(),
        address,
        unknown: Some(unknown),
        name: NOT_FOUND,
        component: portal.not_found.component.as_deref(),
        place: portal.not_found.place.clone().unwrap_or_else(|| Place::new(&portal.source, 0..0)),
    });
    of_routes.chain(not_found).collect()
}

fn complaint(
    fault: &Fault,
    met: &Met<'_>,
    looks_further: bool,
    links: &Links<'_>,
    origins: &Origins<'_>,
) -> Diagnostic {
    let pages: Vec<&Page<'_>> = met.pages.iter().map(|page| &origins.pages[*page]).collect();
    let mut places = origins.places(fault, met, links).into_iter();
    let first = places.next();
    let complaint = match fault {
        Fault::Link(fault) => {
            let written = first.as_ref().map(|place| &place.source.text[place.span.clone()]);
            links.explain(fault, written, looks_further)
        }
        Fault::Accessibility(fault) => fault.explain(),
    };
    let message = on_pages(&complaint.message, &pages);
    let place = first.or_else(|| Some(pages.first()?.place.clone()));
    let complaint = Diagnostic { message, place, ..complaint };
    places
        .take(PLACES_SHOWN)
        .fold(complaint, |complaint, place| complaint.with_related(place, text!("here too", "这里也是")))
}

/// The sentence, and where it is true.
fn on_pages(message: &Text, pages: &[&Page<'_>]) -> Text {
    let named: Vec<String> = pages.iter().take(PAGES_NAMED).map(|page| format!("`{}`", page.name)).collect();
    let (count, others) = (pages.len(), pages.len() - named.len());
    Text::each(|language| {
        let message = message.in_language(language);
        match (language, others) {
            (Language::English, 0) => format!("{message} (on {})", named.join(" and ")),
            (Language::English, _) => format!("{message} (on {} and {others} more)", named.join(", ")),
            (Language::Chinese, 0) => format!("{message}（见 {}）", named.join(" 和 ")),
            (Language::Chinese, _) => format!("{message}（见 {} 等 {count} 个页面）", named.join("、")),
        }
    })
}

/// Where the pages were written. The sources are read when there is a complaint.
struct Origins<'a> {
    subject: &'a Subject<'a>,
    pages: &'a [Page<'a>],
    /// The names of the files that each page is made of.
    files: Vec<OnceCell<BTreeSet<String>>>,
    literals: OnceCell<Literals>,
}

impl<'a> Origins<'a> {
    fn new(subject: &'a Subject<'a>, pages: &'a [Page<'a>]) -> Self {
        let files = pages.iter().map(|_| OnceCell::new()).collect();
        Self { subject, pages, files, literals: OnceCell::new() }
    }

    /// Where a fault may have been written: in what its pages are made of, else anywhere in the site, since a page may show
    /// what it loads later.
    fn places(&self, fault: &Fault, met: &Met<'_>, links: &Links<'_>) -> Vec<Place> {
        let spellings = spellings(fault, met, links);
        let mut found = self.find(&spellings, |name| met.pages.iter().any(|page| self.is_part(*page, name)));
        if found.is_empty() {
            found = self.find(&spellings, |_| true);
        }
        if found.iter().any(|place| is_likely(fault, place)) {
            found.retain(|place| is_likely(fault, place));
        }
        found
    }

    fn find(&self, spellings: &[Vec<Spelling>], is_meant: impl Fn(&str) -> bool) -> Vec<Place> {
        let Subject { sources, root, written, .. } = self.subject;
        let literals = self.literals.get_or_init(|| {
            let names: BTreeSet<String> = written().into_iter().collect();
            Literals::read(*sources, root, names.iter().map(String::as_str))
        });
        let mut found: Vec<Place> =
            spellings.iter().flat_map(|spellings| literals.places(spellings, &is_meant)).collect();
        found.sort_by(|a, b| (&a.source.name, a.span.start).cmp(&(&b.source.name, b.span.start)));
        found.dedup();
        found
    }

    fn is_part(&self, page: usize, file: &str) -> bool {
        let of_page = || (self.subject.written_for)(self.pages[page].component).into_iter().collect();
        self.files[page].get_or_init(of_page).contains(file)
    }
}

/// Whether the tag at a place looks like the one that is wrong.
fn is_likely(fault: &Fault, place: &Place) -> bool {
    let (before, rest) = place.source.text.split_at(place.span.start);
    let tag = before.rfind('<').map_or("", |start| &before[start..]);
    match fault {
        Fault::Link(_) => true,
        Fault::Accessibility(accessibility::Fault::Deep { level, .. }) => tag.starts_with(&format!("<h{level}")),
        Fault::Accessibility(accessibility::Fault::Mute(_)) => {
            let rest = rest.find('>').map_or(rest, |end| &rest[..end]);
            let says = |words: &str| tag.contains(words) || rest.contains(words);
            !["alt=", "role=", "aria-"].into_iter().any(says)
        }
    }
}

/// How what is wrong may be written, for each form that documents have of it.
fn spellings(fault: &Fault, met: &Met<'_>, links: &Links<'_>) -> Vec<Vec<Spelling>> {
    match fault {
        Fault::Link(fault) => met.addresses.iter().map(|address| links.spellings(address, Some(fault))).collect(),
        Fault::Accessibility(accessibility::Fault::Mute(image)) => {
            let of_image = image.address.iter().map(|address| {
                let mut spellings = links.spellings(address, None);
                spellings.extend(links.asset(address).map(Spelling::Asset));
                spellings
            });
            of_image.collect()
        }
        Fault::Accessibility(accessibility::Fault::Deep { text, .. }) => vec![vec![Spelling::Whole(text.clone())]],
    }
}
