//! When pages were last changed, as far as the version control of the project knows.
//!
//! Search engines believe such dates only where they are true. So a date is left out rather than guessed: where something
//! is not committed yet, and where older commits are missing, by which everything would seem to be of yesterday.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use portalgen_base::date::Date;

use crate::{Portal, Route, RoutePath};

/// What is known of the files of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Whether older changes are missing: then nothing else is known.
    pub is_shallow: bool,
    /// Whether Git refuses to say anything, since the project belongs to another user.
    pub is_of_others: bool,
    /// For each file of the last commit, by its path below the project's folder with `/`, the day of its last change.
    /// Files that are not as they were committed are not there.
    pub files: BTreeMap<String, Date>,
    /// For each line of `routes.toml` the day of its last change; none of lines that are not committed.
    pub lines: Vec<Option<Date>>,
}

/// A page, and what it is made of.
#[derive(Clone, Debug)]
pub struct PageSources<'a> {
    /// Its route.
    pub route: &'a Route,
    /// The site's modules that are loaded for it and not for every page, by their paths below the project's folder.
    pub modules: BTreeSet<&'a str>,
}

/// A change of what more pages than this have in common is none of each of them.
const MOST_PAGES_OF_A_MODULE: usize = 4;

impl History {
    /// When each page was last changed: its lines in `routes.toml`, or one of the modules that it has to itself or shares
    /// with few others.
    pub fn last_changes(&self, portal: &Portal, pages: &[PageSources<'_>]) -> BTreeMap<RoutePath, Date> {
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        for module in pages.iter().flat_map(|page| &page.modules) {
            *uses.entry(module).or_default() += 1;
        }
        let is_own = |module: &&&str| uses.get(**module).is_some_and(|uses| *uses <= MOST_PAGES_OF_A_MODULE);
        let lines = Lines::of(portal);
        let last_change = |page: &PageSources<'_>| {
            let of_modules = page.modules.iter().filter(is_own).map(|module| self.files.get(*module).copied());
            let of_lines = self.lines.get(lines.of_route(page.route))?.iter().copied();
            let days: Option<Vec<Date>> = of_modules.chain(of_lines).collect();
            Some((page.route.path.clone(), days?.into_iter().max()?))
        };
        pages.iter().filter_map(last_change).collect()
    }
}

/// The lines of `routes.toml`, and which of them are whose.
struct Lines<'a> {
    texts: Vec<&'a str>,
    /// Where each line begins.
    starts: Vec<usize>,
    /// The lines in which routes begin.
    firsts: BTreeSet<usize>,
}

impl<'a> Lines<'a> {
    fn of(portal: &'a Portal) -> Self {
        let texts: Vec<&str> = portal.source.text.split_inclusive('\n').collect();
        let starts = texts.iter().scan(0, |at, line| Some(std::mem::replace(at, *at + line.len()))).collect();
        let mut lines = Self { texts, starts, firsts: BTreeSet::new() };
        lines.firsts = portal.routes.iter().map(|route| lines.first_of(route)).collect();
        lines
    }

    fn first_of(&self, route: &Route) -> usize {
        let start = route.places.section.span.start;
        self.starts.partition_point(|line| *line <= start).saturating_sub(1)
    }

    /// From the line in which a route begins to its last one: what stands above the next section belongs to that.
    fn of_route(&self, route: &Route) -> Range<usize> {
        let first = self.first_of(route);
        let is_next = |at: &usize| self.firsts.contains(at) || self.text(*at).starts_with('[');
        let end = (first + 1..self.texts.len()).find(is_next).unwrap_or(self.texts.len());
        let is_remark = |text: &str| text.is_empty() || text.starts_with('#');
        let last = (first + 1..end).rev().find(|at| !is_remark(self.text(*at))).unwrap_or(first);
        first..last + 1
    }

    fn text(&self, line: usize) -> &str {
        self.texts.get(line).map_or("", |line| line.trim())
    }
}
