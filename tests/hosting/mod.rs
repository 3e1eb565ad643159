//! What hosts answer, compared with what `portalgen preview` answers in their place: the programs themselves are started
//! with the configuration that portalgen wrote for them.

mod client;
mod live;
mod portal;
mod preview;
mod requests;
mod right;
mod server;

use std::collections::BTreeSet;

use self::{
    client::{Answer, Request},
    portal::{Form, Portal},
    server::Server,
};

/// The portal in every form that its addresses can take.
fn forms() -> impl Iterator<Item = Form> {
    let forms = ["always", "never"].map(|slash| ["/", "/app/"].map(|base| Form { slash, base }));
    forms.into_iter().flatten()
}

#[test]
fn nginx_answers_as_its_preview() {
    forms().for_each(|form| compare("nginx", form, Server::nginx));
}

#[test]
fn caddy_answers_as_its_preview() {
    forms().for_each(|form| compare("caddy", form, Server::caddy));
}

fn compare(platform: &str, form: Form, start: impl Fn(&Portal) -> Server) {
    let portal = Portal::new(form);
    let (real, preview) = (start(&portal), Server::preview(&portal, platform));
    let requests = requests::all(form.base);
    assert!(requests.len() >= 200, "only {} requests", requests.len());
    let differences: Vec<String> = requests.iter().filter_map(|request| difference(request, &real, &preview)).collect();
    assert!(
        differences.is_empty(),
        "{platform}, slash {} below {}: {} of {} requests are answered otherwise\n{}",
        form.slash,
        form.base,
        differences.len(),
        requests.len(),
        differences.join("\n")
    );
}

fn difference(request: &Request, real: &Server, preview: &Server) -> Option<String> {
    // A condition needs the validators of the server that it is put to.
    let [real, previewed] = [real, preview].map(|server| Seen::of(&server.answer(&request.known_to(server))));
    (real != previewed)
        .then(|| format!("{request}\n  real    {}\n  preview {}", real.beside(&previewed), previewed.beside(&real)))
}

/// What counts of an answer.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    status: u16,
    headers: BTreeSet<(String, String)>,
    body: Vec<u8>,
}

/// The headers that mean something to browsers, caches and search engines.
const HEADERS: [&str; 9] = [
    "allow",
    "cache-control",
    "content-security-policy",
    "location",
    "referrer-policy",
    "strict-transport-security",
    "vary",
    "x-content-type-options",
    "x-frame-options",
];

/// The same of what is shown, or kept to be shown.
const OF_DOCUMENTS: [&str; 6] =
    ["content-encoding", "content-length", "content-range", "content-type", "etag", "last-modified"];

impl Seen {
    fn of(answer: &Answer) -> Self {
        // What servers say in their own words about a redirect or an error is their affair.
        let is_document = matches!(answer.status, 200 | 206 | 404 | 410) && answer.header("etag").is_some();
        let is_counted = |name: &str| {
            let is_of_document = is_document && OF_DOCUMENTS.contains(&name);
            let is_offer = answer.status == 200 && name == "accept-ranges";
            HEADERS.contains(&name) || is_of_document || is_offer || answer.status == 304 && name == "etag"
        };
        let headers = answer.headers.iter().filter(|(name, _)| is_counted(name)).cloned().collect();
        Self { status: answer.status, headers, body: if is_document { answer.body.clone() } else { Vec::new() } }
    }

    /// What another answer does not have as well.
    fn beside(&self, other: &Self) -> String {
        let headers: Vec<_> = self.headers.difference(&other.headers).collect();
        let body = if self.body == other.body {
            String::new()
        } else {
            String::from_utf8_lossy(&self.body).chars().take(80).collect()
        };
        format!("{} {headers:?} {body}", self.status)
    }
}
