//! Which routes show the same in different languages.
//!
//! Search engines follow such a relation only where every page names all others. Whoever writes `routes.toml` names each
//! once, at whichever page, and the rest follows.

use std::collections::{BTreeMap, btree_map::Entry};

use portalgen_base::{
    diagnostic::did_you_mean,
    text::{self, Text, text},
};

use super::{findings::Findings, path::RoutePath, routes::Draft, value::Problem};

/// Refuses translations that are not pages, and two in the same language. `drafts` are sorted by path.
pub(crate) fn check(drafts: &[Draft], findings: &mut Findings) {
    for draft in drafts {
        for (value, path) in &draft.translations {
            if let Some(problem) = problem_of(draft, path, drafts) {
                findings.add(value.error(problem));
            }
        }
    }
    let group = groups(drafts);
    let mut first_in_language: BTreeMap<(usize, String), usize> = BTreeMap::new();
    for (at, draft) in drafts.iter().enumerate() {
        match first_in_language.entry((group[at], draft.route.lang.to_lowercase())) {
            Entry::Occupied(first) => check_rivals(drafts, *first.get(), at, findings),
            Entry::Vacant(free) => _ = free.insert(at),
        }
    }
}

/// Refuses two translations of one page in the same language, where some third page brings them together. Of pages that
/// name each other it is said already.
fn check_rivals(drafts: &[Draft], first: usize, second: usize, findings: &mut Findings) {
    if findings.are_many() {
        return;
    }
    let rivals = [first, second];
    let mut naming = None;
    for (at, draft) in drafts.iter().enumerate() {
        for (value, path) in &draft.translations {
            match find(drafts, path).filter(|other| rivals.contains(other) || rivals.contains(&at)) {
                Some(other) if rivals.contains(&other) && rivals.contains(&at) => return,
                Some(other) if naming.is_none() || other == second => naming = Some(value),
                _ => {}
            }
        }
    }
    let Some(value) = naming else { return };
    let [first, second] = rivals.map(|at| &drafts[at].route);
    let (one, other, lang) = (&first.path, &second.path, &second.lang);
    let problem = text!(
        "`{one}` and `{other}` are translations of the same page, but both are in `{lang}`",
        "`{one}` 和 `{other}` 是同一个页面的不同语言版本，却都是 `{lang}`"
    );
    let error = value.error(Problem::new(problem).hint(say_language()));
    let error = error.with_related(first.places.path.clone(), text!("the first one", "第一处"));
    findings.add(error.with_related(second.places.path.clone(), text!("the other one", "另一处")));
}

fn say_language() -> Text {
    text!("set the language at one of them: `lang = \"…\"`", "请给其中一个写明语言：`lang = \"…\"`")
}

fn problem_of(draft: &Draft, path: &RoutePath, drafts: &[Draft]) -> Option<Problem> {
    let Some(other) = find(drafts, path).map(|at| &drafts[at]) else {
        let problem = Problem::new(text!("there is no route `{path}`", "没有 `{path}` 这个网址"));
        let paths = drafts.iter().map(|draft| draft.route.path.as_str());
        return Some(match did_you_mean(path.as_str(), paths) {
            Some(meant) => problem.hint(text::did_you_mean(meant)),
            None => problem,
        });
    };
    let lang = &other.route.lang;
    if other.route.component().is_none() || draft.route.component().is_none() {
        return Some(Problem::new(text!("only pages have translations", "只有页面才有其他语言的版本")));
    }
    lang.eq_ignore_ascii_case(&draft.route.lang).then(|| {
        Problem::new(text!("`{path}` is in the same language, `{lang}`", "`{path}` 也是 `{lang}`，语言相同"))
            .hint(say_language())
    })
}

/// Makes the relation symmetric and transitive. `drafts` are sorted by path.
pub(crate) fn complete(drafts: &mut [Draft]) {
    let group = groups(drafts);
    let mut members: BTreeMap<usize, Vec<RoutePath>> = BTreeMap::new();
    for (draft, of) in drafts.iter().zip(&group) {
        members.entry(*of).or_default().push(draft.route.path.clone());
    }
    for (draft, of) in drafts.iter_mut().zip(&group) {
        let all = members.get(of).into_iter().flatten();
        draft.route.translations = all.filter(|path| **path != draft.route.path).cloned().collect();
    }
}

/// For each page the first of those that show the same.
fn groups(drafts: &[Draft]) -> Vec<usize> {
    let mut above: Vec<usize> = (0..drafts.len()).collect();
    for (at, draft) in drafts.iter().enumerate() {
        for other in draft.translations.iter().filter_map(|(_, path)| find(drafts, path)) {
            let (one, other) = (top(&mut above, at), top(&mut above, other));
            above[one.max(other)] = one.min(other);
        }
    }
    (0..drafts.len()).map(|at| top(&mut above, at)).collect()
}

/// The first of the group that a page is in so far. Each page knows one before it in its group; the way there gets
/// shorter every time somebody asks.
fn top(above: &mut [usize], mut at: usize) -> usize {
    while above[at] != at {
        above[at] = above[above[at]];
        at = above[at];
    }
    at
}

fn find(drafts: &[Draft], path: &RoutePath) -> Option<usize> {
    drafts.binary_search_by(|draft| draft.route.path.cmp(path)).ok()
}
