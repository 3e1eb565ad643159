//! A portal that is live, compared with what its build says it is.
//!
//! [`requests`] makes a table of what to ask for and what must come back; [`client`] asks; [`judge`] says what is wrong with
//! an answer. All that is known about the portal is its manifest.

mod client;
mod judge;
mod requests;

use rayon::prelude::*;
use serde::Serialize;
use url::Url;

use portalgen_base::{
    diagnostic::Diagnostic,
    rules::Severity,
    text::{Text, text},
};

pub use self::client::{Answer, Client};
use self::judge::Judge;
use crate::manifest::Manifest;

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// An error is something that visitors meet.
    pub severity: Severity,
    /// What was asked for.
    pub url: String,
    /// What is wrong with the answer.
    pub message: Text,
    /// What may mend it.
    pub hint: Option<Text>,
}

/// What a check found.
#[derive(Debug, Default)]
pub struct Report {
    /// How many requests were made.
    pub requests: usize,
    /// How redirects are answered.
    pub redirects: Redirects,
    /// What is wrong, in the order of the table.
    pub findings: Vec<Finding>,
}

/// How many of the portal's redirects the server answers itself, and how many are left to pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Redirects {
    /// With a status of redirection.
    pub by_server: usize,
    /// With a stub, which sends visitors on by itself.
    pub by_stub: usize,
}

/// How many addresses with the same fault are named.
const SHOWN: usize = 3;

impl Report {
    /// What is wrong, each fault once with some of the addresses that have it.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut groups: Vec<(&Finding, Vec<&str>)> = Vec::new();
        for finding in &self.findings {
            let same = groups.iter_mut().find(|(first, _)| {
                (first.severity, &first.message, &first.hint) == (finding.severity, &finding.message, &finding.hint)
            });
            match same {
                Some((_, urls)) => urls.push(&finding.url),
                None => groups.push((finding, vec![&finding.url])),
            }
        }
        groups.into_iter().map(|(finding, urls)| finding.of(&urls)).collect()
    }
}

impl Finding {
    /// The finding about all these addresses.
    fn of(&self, urls: &[&str]) -> Diagnostic {
        let (shown, others) = urls.split_at(urls.len().min(SHOWN));
        let (shown, others, message) = (shown.join(", "), others.len(), &self.message);
        let message = match others {
            0 => text!("{shown}: {message}", "{shown}：{message}", message),
            _ => text!("{shown} and {others} more: {message}", "{shown}（另有 {others} 个网址）：{message}", message),
        };
        Diagnostic { severity: self.severity, ..Diagnostic::error(message) }.with_hints(self.hint.clone())
    }
}

/// Asks a server for everything that a build has made, and for some things that it has not.
///
/// `site` is where the portal is served: an origin, and perhaps the base behind it.
///
/// # Errors
/// `site` is no address of a site, or that of another folder than the portal's base.
pub fn check(manifest: &Manifest, site: &str, client: &Client) -> Result<Report, Text> {
    let origin = origin(manifest, site)?;
    let table = requests::table(manifest);
    let judge = Judge { manifest, origin: &origin, client };
    let judged: Vec<_> = table.par_iter().map(|request| judge.judge(request)).collect();
    let mut report = Report { requests: table.len(), ..Report::default() };
    for verdict in judged {
        report.redirects.by_server += usize::from(verdict.is_server_redirect);
        report.redirects.by_stub += usize::from(verdict.is_stub);
        report.findings.extend(verdict.findings);
    }
    Ok(report)
}

fn origin(manifest: &Manifest, site: &str) -> Result<Url, Text> {
    let written = if site.contains("://") { site.to_owned() } else { format!("https://{site}") };
    let url = Url::parse(&written)
        .ok()
        .filter(|url| url.has_host() && matches!(url.scheme(), "http" | "https"))
        .ok_or_else(|| text!("`{site}` is not the address of a website", "`{site}` 不是网站的网址"))?;
    let folder = format!("{}/", url.path().trim_end_matches('/'));
    if folder != "/" && folder != manifest.base {
        let base = &manifest.base;
        return Err(text!(
            "the portal was built for the folder `{base}`, not for `{folder}`",
            "门户是为目录 `{base}` 构建的，不是 `{folder}`"
        ));
    }
    url.join("/").map_err(|error| Text::verbatim(error.to_string()))
}
