//! What saving a draft would say. Nothing is written.

use portalgen_base::{diagnostic::Diagnostic, text::Language};
use portalgen_build::check;
use portalgen_portal::{Portal, RoutePath};
use portalgen_release::edit::NotEdited;
use serde::Serialize;

use super::{
    Panel, changing,
    finding::Finding,
    listing::{self, RouteText},
    request::{self, Texts, Wanted},
};
use crate::content::{Request, Response};

/// What is said of a request.
#[derive(Debug, Serialize)]
struct Judgement {
    /// Why nothing can be saved at all.
    refused: Vec<Finding>,
    /// What is said of each draft, in their order.
    drafts: Vec<Judged>,
}

/// What is said of a draft.
#[derive(Debug, Serialize)]
struct Judged {
    /// Whether it cannot be saved, as the findings say.
    refused: bool,
    #[serde(flatten)]
    shown: RouteText,
}

impl Panel {
    /// Says what saving drafts would say.
    pub(super) fn judge(&self, request: &Request, language: Language) -> Response {
        match self.judged(request, language) {
            Ok(drafts) => request::json(200, &Judgement { refused: Vec::new(), drafts }),
            Err((status, problems)) => {
                let refused = Finding::all(&problems, language);
                request::json(status, &Judgement { refused, drafts: Vec::new() })
            }
        }
    }

    fn judged(&self, request: &Request, language: Language) -> Result<Vec<Judged>, (u16, Vec<Diagnostic>)> {
        let Texts { path, texts } = request::body(request).map_err(|problem| (400, vec![problem]))?;
        let (portal, _) = self.load().map_err(|problems| (409, problems))?;
        let path = request::route_path(&portal, &path).map_err(|problem| (404, vec![problem]))?;
        Ok(texts.iter().map(|text| self.judged_text(&portal, &path, text, language)).collect())
    }

    /// Each draft is judged by itself, so that a mistake in one does not hide what is said of the others.
    fn judged_text(&self, portal: &Portal, path: &RoutePath, wanted: &Wanted, language: Language) -> Judged {
        let edit = wanted.edit(path).map_err(|problem| NotEdited::Refused(vec![problem]));
        let key = wanted.key.into();
        let rehearsal = edit.and_then(|edit| self.file().rehearse(portal, &[edit]));
        let (refused, shown, found) = match rehearsal {
            Ok(rehearsal) => {
                let after = &rehearsal.portal;
                let route = after.route(path);
                let shown = route.and_then(|route| listing::filled_in(route, key, &after.urls));
                (false, shown, check::texts_of(after, [(path, key)]))
            }
            Err(reason) => (true, None, changing::problems_of(reason)),
        };
        let shown = shown.as_deref().unwrap_or(&wanted.text);
        Judged { refused, shown: RouteText::new(key, Some(&wanted.text), shown, Finding::all(&found, language)) }
    }
}
