//! Saving texts, and undoing that.

use portalgen_base::{
    diagnostic::Diagnostic,
    system,
    text::{Language, text},
};
use portalgen_build::check;
use portalgen_portal::{
    FILE, Portal, RoutePath,
    edit::{self, Change, Edit, Key},
};
use portalgen_release::{edit::NotEdited, publish::NotReplaced};
use serde::Serialize;

use super::{
    Around, Changed, Panel,
    finding::Finding,
    listing::List,
    lock,
    request::{self, Texts, Wanted},
};
use crate::content::{Request, Response};

/// What came of a wish to change something.
#[derive(Debug, Serialize)]
struct Outcome {
    /// Why nothing was changed.
    refused: Vec<Finding>,
    /// What was changed.
    changes: Vec<Changed>,
    /// What is to be said of the texts that were changed.
    findings: Vec<Finding>,
    /// Everything as it is now.
    list: List,
}

/// What was changed, with what is to be said of it; or a status and why nothing was.
type Done = Result<(Vec<Changed>, Vec<Diagnostic>), (u16, Vec<Diagnostic>)>;

impl Panel {
    /// Saves texts of a route, all of them or none.
    pub(super) fn edit(&self, request: &Request, language: Language, around: Around<'_>) -> Response {
        self.outcome(self.saved(request), language, around)
    }

    /// Undoes what was saved last.
    pub(super) fn undo(&self, language: Language, around: Around<'_>) -> Response {
        self.outcome(self.undone(), language, around)
    }

    fn outcome(&self, done: Done, language: Language, around: Around<'_>) -> Response {
        let (status, refused, changes, findings) = match done {
            Ok((changes, findings)) => (200, Vec::new(), changes, findings),
            Err((status, refused)) => (status, refused, Vec::new(), Vec::new()),
        };
        for change in &changes {
            (around.tell)(change.clone());
        }
        let [refused, findings] = [refused, findings].map(|found| Finding::all(&found, language));
        request::json(status, &Outcome { refused, changes, findings, list: self.list(language, around) })
    }

    fn saved(&self, request: &Request) -> Done {
        let Texts { path, texts } = request::body(request).map_err(|problem| (400, vec![problem]))?;
        let mut history = lock(&self.written);
        let (portal, _) = self.load().map_err(|problems| (409, problems))?;
        let path = request::route_path(&portal, &path).map_err(|problem| (404, vec![problem]))?;
        let edits: Result<Vec<Edit>, Diagnostic> = texts.iter().map(|text| text.edit(&path)).collect();
        let edits = edits.map_err(|problem| (422, vec![problem]))?;
        if let Some(problem) = texts.iter().find_map(|wanted| overtaken(&portal, &path, wanted)) {
            return Err((409, vec![problem]));
        }
        let rehearsal = self.file().rehearse(&portal, &edits).map_err(refusal)?;
        let found = check::changed_texts(&rehearsal.portal, &rehearsal.changes);
        let written = rehearsal.write().map_err(|reason| refusal(reason.into()))?;
        let changes = written.changes.iter().map(changed).collect();
        if !written.changes.is_empty() {
            history.push(written);
        }
        Ok((changes, found))
    }

    fn undone(&self) -> Done {
        let mut history = lock(&self.written);
        let Some(last) = history.last() else {
            return Err((409, vec![Diagnostic::error(text!("there is nothing to undo", "没有可以撤销的修改"))]));
        };
        let (portal, _) = self.load().map_err(|problems| (409, problems))?;
        let changes = undoing(&last.changes);
        let rehearsal = self.file().rehearse_undoing(&portal, last);
        match rehearsal.and_then(|rehearsal| Ok(rehearsal.write()?)) {
            Ok(_) => {
                history.pop();
                Ok((changes, Vec::new()))
            }
            Err(reason) => {
                // What was changed again will never be as it was left, and must not stand in the way of what was before.
                if !edit::stand(&portal, &last.changes) {
                    history.pop();
                }
                Err(refusal(reason))
            }
        }
    }
}

/// What undoing changes would change.
pub(super) fn undoing(changes: &[Change]) -> Vec<Changed> {
    let back = |change: &Change| {
        let Changed { path, key, old, new } = changed(change);
        Changed { path, key, old: new, new: old }
    };
    changes.iter().map(back).collect()
}

fn changed(change: &Change) -> Changed {
    let Change { edit: Edit { path, key, text }, old } = change;
    Changed { path: path.readable(), key: key.name(), old: old.clone(), new: Some(text.clone()) }
}

/// What to say if somebody else has changed a text since the editor saw it. That they have written the same is no matter.
fn overtaken(portal: &Portal, path: &RoutePath, wanted: &Wanted) -> Option<Diagnostic> {
    let key = Key::from(wanted.key);
    let now = portal.route(path).and_then(|route| key.of(route)).map(|written| written.text.as_str());
    if now == wanted.seen.as_deref() || now == Some(&wanted.text) {
        return None;
    }
    let problem = match now {
        Some(now) => text!(
            "somebody else has changed this text in the meantime; it is now “{now}”",
            "这段文字刚刚被别人改过，现在是“{now}”"
        ),
        None => text!("somebody else has removed this text in the meantime", "这段文字刚刚被别人删掉了"),
    };
    Some(Diagnostic::error(problem).with_hint(text!("save again to overwrite that change", "再次保存会覆盖别人的修改")))
}

fn refusal(reason: NotEdited) -> (u16, Vec<Diagnostic>) {
    let status = match reason {
        NotEdited::Refused(_) => 422,
        NotEdited::NotReplaced(NotReplaced::Changed) => 409,
        NotEdited::Unreadable(_) | NotEdited::NotReplaced(NotReplaced::Failed(_)) => 500,
    };
    (status, problems_of(reason))
}

/// Why nothing was written.
pub(super) fn problems_of(reason: NotEdited) -> Vec<Diagnostic> {
    let problem = match reason {
        NotEdited::Refused(problems) => return problems,
        NotEdited::NotReplaced(NotReplaced::Failed(problem)) => problem,
        NotEdited::NotReplaced(NotReplaced::Changed) => {
            Diagnostic::error(text!("somebody else has just changed {FILE}", "{FILE} 刚刚被别人改过"))
                .with_hint(text!("try again", "请再试一次"))
        }
        NotEdited::Unreadable(error) => {
            let error = system::explain(&error);
            Diagnostic::error(text!("cannot read {FILE}: {error}", "无法读取 {FILE}：{error}", error))
        }
    };
    vec![problem]
}
