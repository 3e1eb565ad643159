//! Which routes show the same in different languages.
//!
//! Search engines follow such a relation only where every page names all others. Whoever writes `routes.toml` names each
//! once, at whichever page, and the rest follows.

use std::collections::BTreeMap;

use super::{findings::Findings, path::RoutePath, routes::Draft, value::Problem};
use crate::{
    diagnostic::did_you_mean,
    text::{self, text},
};

/// Refuses translations that are not pages, and those in the language of the page itself. `drafts` are sorted by path.
pub(crate) fn check_paths(drafts: &[Draft], findings: &mut Findings) {
    for draft in drafts {
        for (value, path) in &draft.translations {
            if let Some(problem) = problem_of(draft, path, drafts) {
                findings.add(value.error(problem));
            }
        }
    }
}

fn problem_of(draft: &Draft, path: &RoutePath, drafts: &[Draft]) -> Option<Problem> {
    let Some(other) = find(drafts, path).map(|at| &drafts[at]) else {
        let problem = Problem::new(text!("there is no route `{path}`", "没有路由 `{path}`"));
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
    (*lang == draft.route.lang).then(|| {
        Problem::new(text!("`{path}` is in the same language, `{lang}`", "`{path}` 是同一种语言：`{lang}`")).hint(
            text!("say at one of the two which language it is: `lang = \"…\"`", "请在其中一个写明语言：`lang = \"…\"`"),
        )
    })
}

/// Makes the relation symmetric and transitive. `drafts` are sorted by path.
pub(crate) fn complete(drafts: &mut [Draft]) {
    let mut group: Vec<usize> = (0..drafts.len()).collect();
    for at in 0..drafts.len() {
        for (_, path) in &drafts[at].translations {
            if let Some(other) = find(drafts, path) {
                let (kept, merged) = (group[at].min(group[other]), group[at].max(group[other]));
                group.iter_mut().filter(|of| **of == merged).for_each(|of| *of = kept);
            }
        }
    }
    let mut members: BTreeMap<usize, Vec<RoutePath>> = BTreeMap::new();
    for (draft, of) in drafts.iter().zip(&group) {
        members.entry(*of).or_default().push(draft.route.path.clone());
    }
    for (draft, of) in drafts.iter_mut().zip(&group) {
        let all = members.get(of).into_iter().flatten();
        draft.route.translations = all.filter(|path| **path != draft.route.path).cloned().collect();
    }
}

fn find(drafts: &[Draft], path: &RoutePath) -> Option<usize> {
    drafts.binary_search_by(|draft| draft.route.path.cmp(path)).ok()
}
