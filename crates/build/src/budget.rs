//! Budgets: how much a page may load before it works, and what made it more.

use std::{collections::BTreeMap, sync::Arc};

use portalgen_base::{
    diagnostic::Diagnostic,
    sizes::rounded_kilobytes,
    text::{Text, text},
};
use portalgen_portal::{Limit, Portal, Route};
use portalgen_release::manifest::{Manifest, ManifestRoute, ModuleSizes};

/// How many modules are named.
const SHOWN: usize = 4;

/// What a budget is about.
#[derive(Clone, Copy)]
enum Part {
    Scripts,
    Styles,
}

impl Part {
    fn files(self, route: &ManifestRoute) -> &[Arc<str>] {
        match self {
            Self::Scripts => &route.scripts,
            Self::Styles => &route.style_sheets,
        }
    }

    fn words(self) -> Text {
        match self {
            Self::Scripts => text!("scripts", "脚本"),
            Self::Styles => text!("style sheets", "样式表"),
        }
    }
}

/// What is over its budget, with what has grown since the build before.
pub(crate) fn check(portal: &Portal, manifest: &Manifest, previous: Option<&Manifest>) -> Vec<Diagnostic> {
    let judge = Judge { manifest, previous };
    let (with_own, others): (Vec<_>, Vec<_>) = pages(portal, manifest).partition(|(route, _)| route.budget.is_some());
    let others: Vec<&ManifestRoute> = others.into_iter().map(|(_, page)| page).collect();
    let all: Vec<&ManifestRoute> = pages(portal, manifest).map(|(_, page)| page).collect();
    let scripts = portal.budget.js.as_ref().and_then(|limit| judge.over(Part::Scripts, limit, &others));
    let styles = portal.budget.css.as_ref().and_then(|limit| judge.over(Part::Styles, limit, &all));
    let own =
        with_own.into_iter().filter_map(|(route, page)| judge.over(Part::Scripts, route.budget.as_ref()?, &[page]));
    scripts.into_iter().chain(styles).chain(own).collect()
}

/// The pages of a portal with what the manifest says of them: both are in the order of their paths.
fn pages<'a>(portal: &'a Portal, manifest: &'a Manifest) -> impl Iterator<Item = (&'a Route, &'a ManifestRoute)> {
    portal.routes.iter().zip(&manifest.routes).filter(|(route, _)| route.component().is_some())
}

struct Judge<'a> {
    manifest: &'a Manifest,
    previous: Option<&'a Manifest>,
}

impl Judge<'_> {
    /// A complaint about the pages that are over a limit, in one: what they load is mostly the same.
    fn over(&self, part: Part, limit: &Limit, pages: &[&ManifestRoute]) -> Option<Diagnostic> {
        let weight = |page: &ManifestRoute| self.manifest.weight(part.files(page));
        let over: Vec<&ManifestRoute> = pages.iter().copied().filter(|page| weight(page) > limit.size.0).collect();
        let worst = over.iter().copied().max_by_key(|page| weight(page))?;
        let (what, path, size, budget) = (part.words(), &worst.path, rounded_kilobytes(weight(worst)), limit.size);
        let message = match over.len() - 1 {
            0 => text!(
                "the {what} of `{path}` are {size}, over the budget of {budget}",
                "`{path}` 的{what}共 {size}，超过上限 {budget}",
                what
            ),
            1 => text!(
                "the {what} of `{path}` are {size}, over the budget of {budget}; so are those of 1 other page",
                "`{path}` 的{what}共 {size}，超过上限 {budget}；另有 1 个页面也超过上限",
                what
            ),
            others => text!(
                "the {what} of `{path}` are {size}, over the budget of {budget}; so are those of {others} other pages",
                "`{path}` 的{what}共 {size}，超过上限 {budget}；另有 {others} 个页面也超过上限",
                what
            ),
        };
        let error = Diagnostic::error(message).at(limit.place.clone());
        Some(match part {
            Part::Scripts => error.with_hints(self.reasons(worst)),
            Part::Styles => error.with_hint(largest_files(self.manifest, &worst.style_sheets)),
        })
    }

    /// What has grown since the last build, and what there is most of.
    fn reasons(&self, page: &ManifestRoute) -> Vec<Text> {
        let now = modules(self.manifest, &page.scripts);
        let growth = self.previous.and_then(|previous| {
            let before = previous.routes.iter().find(|route| route.path == page.path)?;
            grown(&modules(previous, &before.scripts), &now)
        });
        let mut largest: Vec<(&str, u64)> = now.into_iter().collect();
        largest.sort_by_key(|(name, bytes)| (std::cmp::Reverse(*bytes), *name));
        let largest = listed(largest.into_iter().map(|(name, bytes)| format!("`{name}` {}", rounded_kilobytes(bytes))));
        let most = text!("most of their source code comes from {largest}", "源码主要来自 {largest}");
        growth.into_iter().chain([most]).collect()
    }
}

/// The modules of some scripts, and how many bytes of the source of each are left.
fn modules<'m>(manifest: &'m Manifest, scripts: &[Arc<str>]) -> BTreeMap<&'m str, u64> {
    let of_scripts = scripts.iter().filter_map(|script| manifest.modules.get(script)).flat_map(ModuleSizes::iter);
    of_scripts.map(|(name, bytes)| (&**name, bytes)).collect()
}

/// Says which modules have come or grown since `before`, those that did most first.
fn grown(before: &BTreeMap<&str, u64>, now: &BTreeMap<&str, u64>) -> Option<Text> {
    let mut grown: Vec<(&str, Option<u64>, u64)> = now
        .iter()
        .map(|(name, bytes)| (*name, before.get(name).copied(), *bytes))
        .filter(|(_, before, now)| before.unwrap_or(0) < *now)
        .collect();
    grown.sort_by_key(|(name, before, now)| (std::cmp::Reverse(now - before.unwrap_or(0)), *name));
    if grown.is_empty() {
        return None;
    }
    let shown = |with_new: &str| {
        listed(grown.iter().map(|(name, before, now)| match before {
            Some(before) => format!("`{name}` {} -> {}", rounded_kilobytes(*before), rounded_kilobytes(*now)),
            None => format!("`{name}` ({with_new}) {}", rounded_kilobytes(*now)),
        }))
    };
    let (english, chinese) = (shown("new"), shown("新增"));
    Some(text!("source code that grew since the last build: {english}", "与上次构建相比，源码变大的有：{chinese}"))
}

fn largest_files(manifest: &Manifest, files: &[Arc<str>]) -> Text {
    let mut sizes: Vec<(u64, &Arc<str>)> = files.iter().map(|file| (manifest.weight([file]), file)).collect();
    sizes.sort_by(|a, b| b.cmp(a));
    let listed = listed(sizes.into_iter().map(|(size, file)| format!("`{file}` {}", rounded_kilobytes(size))));
    text!("the largest are {listed}", "最大的是 {listed}")
}

/// The first few, with a sign that there are more.
fn listed(items: impl Iterator<Item = String>) -> String {
    let mut items: Vec<String> = items.collect();
    if items.len() > SHOWN {
        items.truncate(SHOWN);
        items.push("…".to_owned());
    }
    items.join(", ")
}
