//! Answers to requests: what the current generation has at an address, and the server's own files.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};

use portalgen_base::{
    media,
    text::{Text, text},
};
use portalgen_build::pipeline::{ENTRY, Found, LiveParts};

use super::{
    Event,
    document::{self, OWN, Served},
    generation::Generation,
    state::{DevPortal, text_of},
};
use crate::{
    content::{ClientId, Content, Method, Request, Response},
    messages::{ClientMessage, Origin, ServerMessage, Viewed},
    panel::{Around, Changed},
    problems::Position,
};

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The header that tells which project answers, where several are served.
const PROJECT: &str = "x-portalgen-project";

impl Content for DevPortal {
    fn answer(&self, request: &Request) -> Response {
        let base = self.base();
        match request.path.strip_prefix(&format!("{base}{OWN}")) {
            Some(own) => {
                let found = self.of_panel(own, request, &base).or_else(|| self.own(own));
                found.unwrap_or_else(|| Response::text(404, ""))
            }
            None if request.path == format!("{base}{}", OWN.trim_end_matches('/')) => {
                Response::of(302).with("location", format!("{base}{OWN}"))
            }
            None if request.method == Method::Post => Response::of(405).with("allow", "GET, HEAD"),
            None => self.of_portal(request, &base).with(PROJECT, self.settings.project.clone()),
        }
    }

    fn joined(&self, _client: ClientId) -> String {
        let generation = self.latest().number;
        text_of(&ServerMessage::Hello { start: Arc::clone(&self.settings.start), generation })
    }

    fn received(&self, client: ClientId, message: &str) {
        match serde_json::from_str(message) {
            Ok(ClientMessage::Hello { start, generation, viewed }) => self.greeted(client, &start, generation, &viewed),
            Ok(ClientMessage::Route(viewed)) => self.shows(client, Some(viewed)),
            Ok(ClientMessage::Reload { reason }) => (self.tell)(Event::Reloaded { reason }),
            Ok(ClientMessage::Error(error)) => self.failed(client, &error),
            Ok(ClientMessage::Open { id }) => self.open(&id),
            // Nobody else has the token, so it is a client of another version.
            Err(_) => {}
        }
    }

    fn left(&self, client: ClientId) {
        self.shows(client, None);
    }

    fn note(&self, note: &Text) {
        (self.tell)(Event::Note(note.clone()));
    }
}

impl DevPortal {
    /// What the panel has at a path below the server's own folder.
    fn of_panel(&self, path: &str, request: &Request, base: &str) -> Option<Response> {
        let Generation { portal, problems, .. } = self.latest();
        let tell = |Changed { path, key, old, new }: Changed| (self.tell)(Event::Edited { path, key, old, new });
        let token = &self.settings.token;
        let around = Around { base, token, portal: portal.as_deref(), problems: &problems, tell: &tell };
        self.panel.answer(path, request, around)
    }

    /// A file of the server's.
    fn own(&self, path: &str) -> Option<Response> {
        let script = |text: Arc<str>| Response::new(200, SCRIPT, text);
        if path == "client.js" {
            return Some(script(Arc::clone(&self.client)));
        }
        // Nothing can be asked for before there is something.
        self.current();
        let (graph, base) = (self.graph(), self.base());
        let served = |made| script(self.sent().serve(path, made, &base).into());
        let (folder, name) = path.split_once('/').unwrap_or(("", path));
        match (folder, name) {
            ("", "entry.js") => Some(served(graph.entry_script())),
            ("page", name) => graph.script(name.strip_suffix(".js")?).map(served),
            ("style", name) => {
                let text = graph.style(name.strip_suffix(".css")?)?;
                Some(Response::new(200, "text/css; charset=utf-8", text))
            }
            ("map", name) => {
                let map = self.sent().source_map(name.strip_suffix(".map")?)?;
                Some(Response::new(200, "application/json", Arc::<[u8]>::from(map.into_bytes())))
            }
            _ => None,
        }
    }

    fn of_portal(&self, request: &Request, base: &str) -> Response {
        let generation = self.current();
        let socket = self.project.network.as_ref().and_then(|network| network.now().socket.clone());
        let served = Served { generation: generation.number, base, socket: socket.as_deref() };
        let Some(portal) = &generation.portal else {
            let html = document::instead(&self.settings, &served);
            return Response::new(500, HTML, Arc::<str>::from(html));
        };
        match portal.find(&request.sent_path) {
            Ok(Found::Redirect(location)) => {
                let query = request.query.as_ref().map(|query| format!("?{query}")).unwrap_or_default();
                Response::of(302).with("location", format!("{location}{query}"))
            }
            Ok(Found::File(path, content)) => {
                Response::new(200, media::media_type(&path), Arc::<[u8]>::from(content.read().into_owned()))
            }
            Ok(Found::Page { html, route, is_missing }) => {
                let roots = roots(portal.parts(), &route, base);
                let html = document::with_client(&html, &self.settings, &served, &roots);
                Response::new(if is_missing { 404 } else { 200 }, HTML, Arc::<str>::from(html))
            }
            Err(problem) => {
                let problems = self.problems([(&problem, None)]);
                self.broadcast(generation.number, &ServerMessage::Problems { of: Origin::Render, problems });
                let html = document::instead(&self.settings, &served);
                Response::new(500, HTML, Arc::<str>::from(html))
            }
        }
    }

    /// Gives a client what has changed since its document was made, and what is wrong.
    fn greeted(&self, client: ClientId, start: &str, generation: u64, viewed: &Viewed) {
        self.shows(client, Some(viewed.clone()));
        if *start != *self.settings.start {
            // It loads its document anew.
            return;
        }
        let Generation { number, portal, problems } = self.latest();
        if generation != number {
            let base = self.base();
            let newest = |names: &[&str]| {
                let newest = self.graph().definitions(names);
                self.sent().update(newest, &base)
            };
            let message = self.changes().since(generation, &base, newest);
            match message {
                Some(message) => self.send(client, &message),
                None => self.reload(client, &text!("the page missed too many updates", "页面错过的更新太多")),
            }
            if let (Some(before), Some(portal)) = (self.remembered(generation), &portal) {
                self.tell_rest(client, viewed, &before, portal.parts());
            }
        }
        // A document that stands in for the portal has nothing to update.
        if generation == 0 && portal.is_some() {
            self.reload(client, &text!("the portal can be built now", "门户现在可以构建了"));
        }
        if !problems.is_empty() {
            self.send(client, &self.build_problems(&problems));
        }
    }

    /// Has a place opened that this server has named.
    fn open(&self, name: &str) {
        if let Some(Position { file, line, column, .. }) = self.place(name) {
            (self.tell)(Event::Open { file, line, column });
        }
    }
}

/// The style sheets that the document of a route links, for each root that it loads.
fn roots(parts: &LiveParts, route: &str, base: &str) -> Value {
    let LiveParts { site, scripts, .. } = parts;
    let bundle = &scripts.browser;
    let places: BTreeMap<&str, usize> =
        bundle.style_sheets.iter().map(|sheet| &**sheet).zip(bundle.sheet_places.iter().copied()).collect();
    let list = |sheets: &[Arc<str>]| -> Value {
        sheets
            .iter()
            .map(|sheet| json!({ "key": key_of(sheet), "href": format!("{base}{sheet}"), "place": places[&**sheet] }))
            .collect()
    };
    let component = site.pages().find(|(page, _)| page.path.as_str() == route).map(|(_, component)| component);
    let name = site.module_name(component.or(site.portal.not_found.component.as_deref()));
    let mut roots = serde_json::Map::new();
    if let Some(sheets) = bundle.entry_styles.first() {
        roots.insert(ENTRY.to_owned(), list(sheets));
    }
    if let Some(page) = bundle.lazy.get(name) {
        roots.insert(name.to_owned(), list(&page.styles));
    }
    roots.into()
}

/// `__portalgen/style/KEY.css?HASH`
fn key_of(sheet: &str) -> &str {
    let name = sheet.rsplit('/').next().unwrap_or(sheet);
    name.split(".css").next().unwrap_or(name)
}
