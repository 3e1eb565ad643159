//! Redirects among each other: every one must lead somewhere, and none in a circle.

use std::collections::{BTreeMap, BTreeSet};

use url::Url;

use portalgen_base::{
    diagnostic::did_you_mean,
    rules::Rule,
    text::{self, text},
};

use super::{
    findings::Findings, origin::BasePath, path::RoutePath, portal::RouteKind, redirect_target::RedirectTarget,
    routes::Draft, site_files::SiteFiles, urls::Urls, value::Problem,
};

/// Tells files from routes and refuses targets that do not exist.
pub(crate) fn check_targets(drafts: &mut [Draft], urls: &Urls, site: &mut SiteFiles, findings: &mut Findings) {
    let paths: BTreeSet<RoutePath> = drafts.iter().map(|draft| draft.route.path.clone()).collect();
    let retired: BTreeSet<RoutePath> = drafts
        .iter()
        .filter(|draft| draft.route.kind == RouteKind::Retired)
        .map(|draft| draft.route.path.clone())
        .collect();
    for draft in drafts {
        let own = draft.route.path.clone();
        let Some((value, target)) = draft.redirect_mut() else { continue };
        let RedirectTarget::Route { path, suffix } = &*target else { continue };
        if retired.contains(path) {
            findings.add(value.error(leads_to_retired(path)).under(Rule::RedirectNowhere));
        }
        if paths.contains(path) {
            continue;
        }
        if site.is_public_file(path) {
            *target = RedirectTarget::File { path: path.clone(), suffix: suffix.clone() };
        } else if !site.is_public_folder(path) {
            // That a redirect leads to itself is not what anybody means.
            let others = paths.iter().filter(|path| **path != own && !retired.contains(*path));
            let candidates = if findings.are_many() { None } else { Some(others) };
            let problem = no_such_target(path, candidates.into_iter().flatten(), &urls.base);
            findings.add(value.error(problem).under(Rule::RedirectNowhere));
            // Whatever answers there, it is not for portalgen to put a slash behind its address.
            *target = RedirectTarget::File { path: path.clone(), suffix: suffix.clone() };
        }
    }
}

fn leads_to_retired(path: &RoutePath) -> Problem {
    Problem::new(text!("this leads to `{path}`, which is retired", "这里会跳转到 `{path}`，但它已经停用")).hint(text!(
        "write where visitors should go instead, or retire this address too: replace this line with `retired = true`",
        "请改成访问者应该看到的网址；如果这个网址也不用了，请把这一行换成 `retired = true`"
    ))
}

fn no_such_target<'a>(path: &RoutePath, paths: impl Iterator<Item = &'a RoutePath>, base: &BasePath) -> Problem {
    let problem =
        Problem::new(text!("this leads to `{path}`, which does not exist", "这里会跳转到 `{path}`，但没有这个网址"));
    let known: Vec<&str> = paths.map(RoutePath::as_str).collect();
    if let Some(inside) = base.strip(path).filter(|inside| known.contains(&inside.as_str()) && inside != path) {
        return problem.hint(text!(
            "`base` is added automatically: write `{inside}`",
            "前面会自动加上 `base`：请写成 `{inside}`"
        ));
    }
    match did_you_mean(path.as_str(), known) {
        Some(meant) => problem.hint(text::did_you_mean(meant)),
        None => problem.hint(text!(
            "add a route with this path, or a file in `site/public`",
            "请为这个网址加一条 `[[route]]`，或者在 `site/public` 里放一个文件"
        )),
    }
}

/// Refuses circles, and makes each redirect to a redirect lead to its end at once.
pub(crate) fn flatten(drafts: &mut [Draft], urls: &Urls, findings: &mut Findings) {
    let mut graph = Graph::of(drafts, urls);
    for start in 0..drafts.len() {
        let trail = graph.walk(start);
        if let Some(circle) = graph.circle_at_end_of(&trail) {
            report_circle(&circle, drafts, findings);
            graph.mark_circular(&circle);
        }
        for &at in trail.iter().rev() {
            if let Some(next) = graph.finish(at) {
                shorten(drafts, at, next, findings);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unseen,
    OnTrail,
    Done,
    /// Part of a circle, or leads into one.
    Circular,
}

/// Each redirect leads to at most one route.
struct Graph {
    next: Vec<Option<usize>>,
    state: Vec<State>,
}

impl Graph {
    fn of(drafts: &[Draft], urls: &Urls) -> Self {
        let index: BTreeMap<&RoutePath, usize> =
            drafts.iter().enumerate().map(|(at, draft)| (&draft.route.path, at)).collect();
        let next = drafts.iter().map(|draft| index.get(&leads_to(urls, draft.redirect()?)?).copied()).collect();
        Self { next, state: vec![State::Unseen; drafts.len()] }
    }

    /// Follows redirects from `start` until something known or something that is not a redirect.
    fn walk(&mut self, start: usize) -> Vec<usize> {
        let mut trail = Vec::new();
        let mut at = Some(start);
        while let Some(current) = at.filter(|at| self.state[*at] == State::Unseen) {
            self.state[current] = State::OnTrail;
            trail.push(current);
            at = self.next[current];
        }
        trail
    }

    fn circle_at_end_of(&self, trail: &[usize]) -> Option<Vec<usize>> {
        let next = self.next[*trail.last()?].filter(|next| self.state[*next] == State::OnTrail)?;
        let start = trail.iter().position(|at| *at == next)?;
        Some(trail[start..].to_vec())
    }

    fn mark_circular(&mut self, circle: &[usize]) {
        for at in circle {
            self.state[*at] = State::Circular;
        }
    }

    /// Settles one step of a trail, the last first. Returns the route it leads to, unless a circle is ahead.
    fn finish(&mut self, at: usize) -> Option<usize> {
        let next = self.next[at]?;
        let circular = self.state[at] == State::Circular || self.state[next] == State::Circular;
        self.state[at] = if circular { State::Circular } else { State::Done };
        (!circular).then_some(next)
    }
}

/// The route that a target leads to, also when it is written as a full URL of this portal.
fn leads_to(urls: &Urls, target: &RedirectTarget) -> Option<RoutePath> {
    match target {
        RedirectTarget::Route { path, .. } => Some(path.clone()),
        RedirectTarget::File { .. } => None,
        RedirectTarget::External(url) => {
            let url = Url::parse(url).ok()?;
            let is_here = url.origin().ascii_serialization() == urls.origin.as_ref()?.as_str();
            let path = RoutePath::parse(url.path()).ok().filter(|_| is_here)?;
            urls.base.strip(&path)
        }
    }
}

/// Puts the target of `next`, which is final, in place of a detour over `next`.
fn shorten(drafts: &mut [Draft], at: usize, next: usize, findings: &mut Findings) {
    let Some(end) = drafts[next].redirect().cloned() else { return };
    let via = drafts[next].route.path.clone();
    let via_place = drafts[next].route.places.path.clone();
    let written = drafts[next].end.clone();
    let Some((value, target)) = drafts[at].redirect_mut() else { return };
    let next = shown(&end);
    let problem =
        text!("this leads to `{via}`, which redirects to `{next}`", "这里会先跳转到 `{via}`，再跳转到 `{next}`");
    let RedirectTarget::Route { suffix, .. } = &*target else { return };
    let end = with_suffix(&end, suffix);
    // As its author would write it, with `{host}` not filled in.
    let written = end.as_ref().map(|end| written.map_or_else(|| shown(end), |written| written + suffix));
    let hint = match &written {
        Some(end) => {
            text!(
                "write `{end}`; the published site already redirects straight there",
                "请写成 `{end}`；网站会直接跳到终点，建议把这里也改掉"
            )
        }
        None => text!(
            "visitors are redirected twice because both have a query or a hash: remove it from one of them",
            "两处都带有 `?` 或 `#`，所以访问者会跳转两次：请去掉其中一处"
        ),
    };
    let warning = value.warning(Problem::new(problem).hint(hint)).under(Rule::RedirectChain);
    findings.add(warning.with_related(via_place, text!("redirects again", "在这里再次跳转")));
    if let Some(end) = end {
        *target = end;
        drafts[at].end = written;
    }
}

/// The target with the query and fragment of the link that led to it; none when both have some.
fn with_suffix(target: &RedirectTarget, added: &str) -> Option<RedirectTarget> {
    if added.is_empty() {
        return Some(target.clone());
    }
    match target {
        RedirectTarget::External(url) if !url.contains(['?', '#']) => {
            Some(RedirectTarget::External(format!("{url}{added}")))
        }
        RedirectTarget::Route { path, suffix } if suffix.is_empty() => {
            Some(RedirectTarget::Route { path: path.clone(), suffix: added.to_owned() })
        }
        RedirectTarget::File { path, suffix } if suffix.is_empty() => {
            Some(RedirectTarget::File { path: path.clone(), suffix: added.to_owned() })
        }
        _ => None,
    }
}

fn shown(target: &RedirectTarget) -> String {
    match target {
        RedirectTarget::External(url) => url.clone(),
        RedirectTarget::Route { path, suffix } | RedirectTarget::File { path, suffix } => format!("{path}{suffix}"),
    }
}

/// How many steps of a circle are spelt out.
const STEPS_SHOWN: usize = 8;

fn report_circle(circle: &[usize], drafts: &[Draft], findings: &mut Findings) {
    let Some((first, others)) = circle.split_first() else { return };
    let path = |at: &usize| drafts[*at].route.path.as_str();
    let Some(value) = drafts[*first].redirect_value() else { return };
    if others.is_empty() {
        let path = path(first);
        let problem = Problem::new(text!("`{path}` redirects to itself", "`{path}` 跳转到了自己")).hint(text!(
            "a trailing slash, a query or a hash does not make it another address",
            "末尾的斜杠、`?` 和 `#` 后面的部分不算，网址是同一个"
        ));
        findings.add(value.error(problem).under(Rule::RedirectLoop));
        return;
    }
    let mut steps: Vec<String> = circle.iter().take(STEPS_SHOWN).map(|at| format!("`{}`", path(at))).collect();
    if circle.len() > STEPS_SHOWN {
        steps.push("…".to_owned());
    }
    steps.push(format!("`{}`", path(first)));
    let steps = steps.join(" -> ");
    let problem = text!("circular redirects: {steps}", "循环跳转：{steps}");
    let problem = Problem::new(problem).hint(text!("make one of them lead to a page", "请把其中一个改为跳转到页面"));
    let error = value.error(problem).under(Rule::RedirectLoop);
    let others = others.iter().take(STEPS_SHOWN).filter_map(|at| drafts[*at].redirect_value());
    let part = || text!("part of the circle", "循环的一环");
    findings.add(others.fold(error, |error, value| value.relate(error, part())));
}
