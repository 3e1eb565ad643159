//! The rules about documents: every page is judged, and what several pages have in common is told once.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use portalgen_base::{
    diagnostic::Diagnostic,
    rules::Rule,
    text::{Language, Text, text},
    timing::Stage,
};

use super::{
    Subject, accessibility, content,
    fault::{Fault, Met},
    links::{Fine, Links},
    nesting,
    origins::Origins,
    pages::{self, Documents, Page},
};

/// How many pages a complaint names.
const PAGES_NAMED: usize = 2;
/// How many further places a complaint points at.
const PLACES_SHOWN: usize = 8;
/// How many complaints get advice that takes time: whoever has more mends the first ones first.
const ADVISED: usize = 100;

/// What breaks one of the wanted rules in any page.
pub(super) fn check(subject: &Subject<'_>, wants: impl Fn(Rule) -> bool + Sync) -> Vec<Diagnostic> {
    let is_wanted = |rules: &[Rule]| rules.iter().any(|rule| wants(*rule));
    let wants_links = is_wanted(&[Rule::BrokenLink, Rule::BrokenAnchor, Rule::LinkWithoutBase]);
    let wants_accessibility =
        is_wanted(&[Rule::MissingAlt, Rule::SkippedHeading, Rule::DuplicateId, Rule::LabelWithoutField]);
    let (wants_nesting, wants_content) = (wants(Rule::InvalidNesting), wants(Rule::EmptyPage));
    if !wants_links && !wants_accessibility && !wants_nesting && !wants_content {
        return Vec::new();
    }
    let documents = Documents::new(subject.portal, subject.output, subject.readings);
    let links = Links {
        portal: subject.portal,
        output: subject.output,
        documents: &documents,
        looks_for_parts: wants(Rule::BrokenAnchor),
    };
    let pages = pages::pages(subject.portal);
    let faults_of = |fine: &mut Fine, page: &Page<'_>| -> Vec<(Fault, Option<String>)> {
        let Some(document) = documents.read(&page.file) else { return Vec::new() };
        let of_links = if wants_links { links.faults(page, &document, fine) } else { Vec::new() };
        let heard = if wants_accessibility { accessibility::Fault::all(&document) } else { Vec::new() };
        let misplaced = if wants_nesting { nesting::faults(subject, page) } else { Vec::new() };
        let of_links = of_links.into_iter().map(|(fault, address)| (Fault::Link(fault), Some(address.to_owned())));
        let others = heard.into_iter().map(Fault::Accessibility).chain(misplaced.into_iter().map(Fault::Nesting));
        of_links.chain(others.map(|fault| (fault, None))).filter(|(fault, _)| wants(fault.rule())).collect()
    };
    let stage = Stage::current();
    let found = pages.par_iter().map_init(Fine::new, |fine, page| stage.charge(|| faults_of(fine, page)));
    let mut found: Vec<_> = found.collect();
    let empty = if wants_content { content::faults(subject, &pages) } else { Vec::new() };
    for (found, fault) in found.iter_mut().zip(empty) {
        found.extend(fault.map(|fault| (Fault::Content(fault), None)));
    }
    let origins = Origins::new(subject, &pages);
    let complain = |(number, (fault, met))| complaint(fault, met, number < ADVISED, &links, &origins);
    gathered(found).iter().enumerate().map(complain).collect()
}

/// For each fault, where it was met. `found` has those of each page, with the address that is at fault, if it is one.
fn gathered(found: Vec<Vec<(Fault, Option<String>)>>) -> BTreeMap<Fault, Met> {
    let mut faults: BTreeMap<Fault, Met> = BTreeMap::new();
    for (page, found) in found.into_iter().enumerate() {
        for (fault, address) in found {
            let met = faults.entry(fault).or_default();
            met.addresses.extend(address);
            if met.pages.last() != Some(&page) {
                met.pages.push(page);
            }
        }
    }
    faults
}

fn complaint(fault: &Fault, met: &Met, looks_further: bool, links: &Links<'_>, origins: &Origins<'_>) -> Diagnostic {
    let pages: Vec<&Page<'_>> = met.pages.iter().map(|page| &origins.pages[*page]).collect();
    let mut places = origins.places(fault, met, links).into_iter();
    let first = places.next();
    let complaint = match fault {
        Fault::Link(fault) => {
            let written = first.as_ref().map(|place| &place.source.text[place.span.clone()]);
            links.explain(fault, written, looks_further)
        }
        Fault::Accessibility(fault) => fault.explain(),
        Fault::Nesting(fault) => nesting::explain(fault),
        Fault::Content(fault) => {
            let written = met.pages.first().map(|page| origins.files(*page));
            fault.explain(origins.subject, written.unwrap_or(&BTreeSet::new()))
        }
    };
    let message = on_pages(&complaint.message, &pages);
    let place = first.or(complaint.place).or_else(|| Some(pages.first()?.place.clone()));
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
