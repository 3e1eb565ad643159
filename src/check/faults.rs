//! The rules about documents: every page is judged, and what several pages have in common is told once.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::{
    Subject, accessibility,
    links::{self, Links},
    origins::Origins,
    pages::{self, Documents, Page},
};
use crate::{
    diagnostic::Diagnostic,
    rules::Rule,
    text::{Language, Text, text},
};

/// How many pages a complaint names.
const PAGES_NAMED: usize = 2;
/// How many further places a complaint points at.
const PLACES_SHOWN: usize = 8;
/// How many complaints get advice that takes time: whoever has more mends the first ones first.
const ADVISED: usize = 100;

/// Something that is wrong with a page, and may be with others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
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
pub(super) struct Met<'d> {
    /// The pages that have it, by their place among all.
    pub(super) pages: Vec<usize>,
    /// The addresses that have it, as documents have them.
    pub(super) addresses: BTreeSet<&'d str>,
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
    let links = Links {
        portal: subject.portal,
        output: subject.output,
        documents: &documents,
        looks_for_parts: wants(Rule::BrokenAnchor),
    };
    let pages = pages::pages(subject.portal);
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
