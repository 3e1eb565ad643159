//! Where in the sources of the pages a fault of theirs was written.

use std::{cell::OnceCell, collections::BTreeSet};

use portalgen_base::diagnostic::Place;

use super::{
    Subject, accessibility,
    elements::Elements,
    fault::{Fault, Met},
    links::Links,
    literals::{Literals, Spelling},
    pages::Page,
};

/// What the pages were made of. It is read when there is a complaint.
pub(super) struct Origins<'a> {
    pub(super) subject: &'a Subject<'a>,
    /// The pages.
    pub(super) pages: &'a [Page<'a>],
    /// The names of the files that each page is made of.
    files: Vec<OnceCell<BTreeSet<String>>>,
    literals: OnceCell<Literals>,
    elements: OnceCell<Elements>,
}

impl<'a> Origins<'a> {
    /// The origins of the pages of a portal.
    pub(super) fn new(subject: &'a Subject<'a>, pages: &'a [Page<'a>]) -> Self {
        let files = pages.iter().map(|_| OnceCell::new()).collect();
        Self { subject, pages, files, literals: OnceCell::new(), elements: OnceCell::new() }
    }

    /// Where a fault may have been written: in what its pages are made of, else anywhere in the site, since a page may show
    /// what it loads later.
    pub(super) fn places(&self, fault: &Fault, met: &Met, links: &Links<'_>) -> Vec<Place> {
        let is_part = |name: &str| met.pages.iter().any(|page| self.files(*page).contains(name));
        if let Fault::Nesting(fault) = fault {
            return self.elements().places(fault, is_part);
        }
        let spellings = spellings(fault, met, links);
        let mut found = self.find(&spellings, is_part);
        if found.is_empty() {
            found = self.find(&spellings, |_| true);
        }
        if found.iter().any(|place| is_likely(fault, place)) {
            found.retain(|place| is_likely(fault, place));
        }
        found
    }

    fn elements(&self) -> &Elements {
        let Subject { sources, root, written, .. } = self.subject;
        self.elements.get_or_init(|| Elements::read(*sources, root, &written().into_iter().collect()))
    }

    /// The names of the files that a page is made of.
    pub(super) fn files(&self, page: usize) -> &BTreeSet<String> {
        let Page { rendered_as, component, .. } = self.pages[page];
        self.files[page].get_or_init(|| (self.subject.written_for)(rendered_as, component).into_iter().collect())
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
}

/// Whether the tag at a place looks like the one that is wrong.
fn is_likely(fault: &Fault, place: &Place) -> bool {
    let (before, rest) = place.source.text.split_at(place.span.start);
    let tag = before.rfind('<').map_or("", |start| &before[start..]);
    match fault {
        Fault::Link(_) | Fault::Nesting(_) | Fault::Content(_) => true,
        Fault::Accessibility(accessibility::Fault::Deep { level, .. }) => tag.starts_with(&format!("<h{level}")),
        Fault::Accessibility(accessibility::Fault::Repeated(_)) => is_value_of("id=", before),
        Fault::Accessibility(accessibility::Fault::Unlabelled(_)) => is_value_of("htmlFor=", before),
        Fault::Accessibility(accessibility::Fault::Mute(_)) => {
            let rest = rest.find('>').map_or(rest, |end| &rest[..end]);
            let says = |words: &str| tag.contains(words) || rest.contains(words);
            !["alt=", "role=", "aria-"].into_iter().any(says)
        }
    }
}

/// Whether the text ends where the value of an attribute begins.
fn is_value_of(attribute: &str, before: &str) -> bool {
    let name = before.trim_end_matches(['"', '\'', '`', '{']);
    name.strip_suffix(attribute).is_some_and(|before| before.ends_with(char::is_whitespace))
}

/// How what is wrong may be written, for each form that documents have of it.
fn spellings(fault: &Fault, met: &Met, links: &Links<'_>) -> Vec<Vec<Spelling>> {
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
        Fault::Accessibility(
            accessibility::Fault::Deep { text, .. }
            | accessibility::Fault::Repeated(text)
            | accessibility::Fault::Unlabelled(text),
        ) => vec![vec![Spelling::Whole(text.clone())]],
        // Elements are found by their tags, and pages by their files.
        Fault::Nesting(_) | Fault::Content(_) => Vec::new(),
    }
}
