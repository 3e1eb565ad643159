//! Sending of files: conditions, ranges and compressed forms. Where hosts differ, their [`Behaviour`] says how.

use std::ops::Range;

use portalgen_base::media;
use portalgen_portal::INDEX;

use super::{
    http::{Body, Request, Response},
    rules,
    site::{FileInfo, Site},
};
use crate::{headers, static_server::NOT_FOUND};

/// In what hosts that send files differ.
#[derive(Clone, Copy)]
pub(super) struct Behaviour {
    /// Compressed forms of a file that lie beside it, the preferred one first: the coding, and what is added to the name.
    pub(super) codings: &'static [(&'static str, &'static str)],
    /// Whether a part of a compressed form is sent, where one is asked for.
    pub(super) cuts_compressed: bool,
    /// Whether a browser that sends the date of what it has, besides the tag, must be right about both.
    pub(super) trusts_dates: bool,
    /// Whether a compressed form has the date of the file that it is a form of, rather than its own.
    pub(super) dates_as_plain: bool,
    /// What stands for the content of a file, by its output path.
    pub(super) etag: fn(&Site, &str, FileInfo) -> String,
}

/// The answer to a request with a method that nothing can be read with.
pub(super) fn method_not_allowed() -> Response {
    Response::of(405).with("allow", "GET, HEAD")
}

/// Whether a method reads and does nothing else.
pub(super) fn is_reading(method: &str) -> bool {
    matches!(method, "GET" | "HEAD")
}

/// The response with a file, if it is there: the compressed form that the browser takes, the part that it asks for, or
/// nothing where it has the file already.
pub(super) fn file(site: &Site, request: &Request, path: &str, behaviour: &Behaviour) -> Option<Response> {
    let sent = Sent::of(site, request, path, behaviour)?;
    Some(match condition(request, &sent, behaviour) {
        Some(status) => sent.without_body(status),
        None => sent.part(request),
    })
}

/// The answer to an address below the base: a folder's document, a file, a page without its ending where `shows_pages`, or
/// the way from a folder to the address with its slash.
pub(super) fn found(
    site: &Site,
    request: &Request,
    address: &str,
    shows_pages: bool,
    behaviour: &Behaviour,
    to_folder: impl FnOnce() -> Response,
) -> Option<Response> {
    let send = |file: &str| self::file(site, request, file, behaviour);
    if address.is_empty() || address.ends_with('/') {
        return send(&format!("{address}{INDEX}"));
    }
    let page = || send(&format!("{address}.html")).filter(|_| shows_pages);
    let folder = || site.file(&format!("{address}/{INDEX}")).map(|_| to_folder());
    send(address).or_else(page).or_else(folder)
}

/// A redirect to the requested address with a slash at its end.
pub(super) fn with_slash(request: &Request) -> Response {
    Response::redirect(301, rules::with_query(&format!("{}/", request.path), request.query.as_deref()))
}

/// The document for what is not there, or not any more, and nothing but the status where there is none.
pub(super) fn not_found(site: &Site, request: &Request, status: u16, behaviour: &Behaviour) -> Response {
    let sent = Sent::of(site, request, NOT_FOUND, behaviour);
    let mut response = sent.map_or_else(|| Response::of(status), |sent| sent.whole(status));
    response.headers.remove("last-modified");
    response
}

/// The response with what every one has.
pub(super) fn with_headers(site: &Site, mut response: Response) -> Response {
    if response.headers.get("cache-control").is_none() {
        response.headers.set("cache-control", headers::REVALIDATED);
    }
    for (name, value) in &site.manifest.headers {
        response.headers.set(name, value.as_str());
    }
    response
}

/// A file that is to be sent, in the form that fits the request.
struct Sent {
    /// The output path of that form.
    path: String,
    info: FileInfo,
    etag: String,
    /// Whether a part of it may be sent.
    can_be_cut: bool,
    /// With what follows from the file, whatever part of it is sent.
    response: Response,
}

impl Sent {
    fn of(site: &Site, request: &Request, path: &str, behaviour: &Behaviour) -> Option<Self> {
        let plain = site.file(path)?;
        let accepted = request.headers.get("accept-encoding").unwrap_or_default();
        let forms = behaviour.codings.iter().filter_map(|(coding, ending)| {
            let compressed = format!("{path}{ending}");
            Some((*coding, site.file(&compressed)?, compressed))
        });
        let mut response = Response::of(200)
            .with("content-type", media::media_type(path))
            .with("cache-control", headers::caching(path));
        if forms.clone().next().is_some() {
            response.headers.set("vary", "Accept-Encoding");
        }
        // Of forms that are as welcome as others, the host's favourite: the last of the greatest is the first of these.
        let weighed = forms.map(|form| (weight(accepted, form.0), form)).filter(|(weight, _)| *weight > 0);
        let best = weighed.rev().max_by_key(|(weight, _)| *weight);
        let (info, path, can_be_cut) = match best {
            Some((_, (coding, info, compressed))) => {
                response.headers.set("content-encoding", coding);
                (info, compressed, behaviour.cuts_compressed)
            }
            None => (plain, path.to_owned(), true),
        };
        let etag = (behaviour.etag)(site, &path, info);
        let info = if behaviour.dates_as_plain { FileInfo { modified: plain.modified, ..info } } else { info };
        response.headers.set("etag", etag.as_str());
        response.headers.set("last-modified", httpdate::fmt_http_date(info.modified));
        Some(Self { path, info, etag, can_be_cut, response })
    }

    fn whole(self, status: u16) -> Response {
        let range = 0..self.info.size;
        Response { status, body: Body::File { path: self.path, range }, ..self.response }
    }

    fn without_body(mut self, status: u16) -> Response {
        self.response.headers.remove("content-type");
        self.response.headers.remove("content-encoding");
        Response { status, ..self.response }
    }

    /// The part that the request asks for, or all of it.
    fn part(self, request: &Request) -> Response {
        let size = self.info.size;
        if !self.can_be_cut {
            return self.whole(200);
        }
        let asked = request.headers.get("range").filter(|_| self.is_same_as_before(request));
        match asked.map_or(Asked::Everything, |range| Asked::parse(range, size)) {
            Asked::Everything => self.whole(200).with("accept-ranges", "bytes"),
            Asked::Part(range) => {
                let content_range = format!("bytes {}-{}/{size}", range.start, range.end - 1);
                let body = Body::File { path: self.path, range };
                Response { status: 206, body, ..self.response }.with("content-range", content_range)
            }
            Asked::Nonsense => {
                let caching = self.response.headers.get("cache-control").unwrap_or_default().to_owned();
                Response::of(416).with("cache-control", caching).with("content-range", format!("bytes */{size}"))
            }
        }
    }

    /// Whether what the browser has a part of is what the file still is: `If-Range`.
    fn is_same_as_before(&self, request: &Request) -> bool {
        request.headers.get("if-range").is_none_or(|known| {
            if known.contains('"') {
                return known == self.etag && !known.starts_with("W/");
            }
            seconds_of(known).is_some_and(|date| date == self.info.seconds())
        })
    }
}

/// The status with which a condition of the request ends it: 304 where the browser has the file already, 412 where the file
/// is another one than it thinks.
fn condition(request: &Request, sent: &Sent, behaviour: &Behaviour) -> Option<u16> {
    let given = |name| request.headers.get(name);
    let date = |name| given(name).and_then(seconds_of);
    let (modified, etag) = (sent.info.seconds(), sent.etag.as_str());
    let has_changed = match given("if-match") {
        Some(known) => !names(known, etag, |a, b| a == b && !a.starts_with("W/")),
        None => date("if-unmodified-since").is_some_and(|date| modified > date),
    };
    if has_changed {
        return Some(412);
    }
    let weak = |etag: &str| etag.strip_prefix("W/").unwrap_or(etag).to_owned();
    let is_recent = date("if-modified-since").map(|date| modified <= date);
    let is_known = match given("if-none-match") {
        Some(known) => {
            names(known, etag, |a, b| weak(a) == weak(b)) && (!behaviour.trusts_dates || is_recent != Some(false))
        }
        None => is_recent == Some(true),
    };
    is_known.then_some(304)
}

/// Whether a list of entity tags has the one of the file in it.
fn names(list: &str, etag: &str, is_same: impl Fn(&str, &str) -> bool) -> bool {
    list.trim() == "*" || list.split(',').any(|known| is_same(known.trim(), etag))
}

/// A time as headers tell it, in seconds since 1970.
fn seconds_of(date: &str) -> Option<u64> {
    let date = httpdate::parse_http_date(date).ok()?;
    Some(FileInfo { size: 0, modified: date }.seconds())
}

/// How much a browser likes a coding, in thousandths; nothing if it does not take it.
fn weight(accepted: &str, coding: &str) -> u32 {
    let named = accepted.split(',').find_map(|item| {
        let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
        name.trim().eq_ignore_ascii_case(coding).then_some(parameters.trim())
    });
    let Some(parameters) = named else { return 0 };
    let weight = parameters.strip_prefix("q=").and_then(|weight| weight.trim().parse::<f32>().ok()).unwrap_or(1.0);
    // Not negative, and not more than a thousand.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let thousandths = (weight.clamp(0.0, 1.0) * 1000.0) as u32;
    thousandths
}

/// Which part of a file is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// All of it.
    Everything,
    /// These bytes, which it has.
    Part(Range<u64>),
    /// A part that the file does not have.
    Nonsense,
}

impl Asked {
    /// Reads `Range` for a file of a size in bytes. Whoever asks for several parts at once gets the whole file, which the standard allows.
    pub fn parse(range: &str, size: u64) -> Self {
        let Some(spec) = range.strip_prefix("bytes=").filter(|spec| !spec.is_empty() && !spec.contains(',')) else {
            return Self::Everything;
        };
        Self::bytes(spec.trim(), size).filter(|range| range.start < range.end).map_or(Self::Nonsense, Self::Part)
    }

    fn bytes(spec: &str, size: u64) -> Option<Range<u64>> {
        let number = |digits: &str| digits.parse::<u64>().ok().filter(|_| !digits.starts_with('+'));
        match spec.split_once('-')? {
            ("", last) => Some(size.saturating_sub(number(last)?)..size),
            (first, "") => Some(number(first)?..size),
            (first, last) => Some(number(first)?..number(last)?.saturating_add(1).min(size)),
        }
    }
}
