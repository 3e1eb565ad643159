//! Answers as they go over the wire.

use std::{
    convert::Infallible,
    ops::Range,
    pin::Pin,
    task::{Context, Poll},
};

use hyper::{
    StatusCode,
    body::{Body, Bytes, Frame, Incoming, SizeHint},
    header::{self, HeaderName, HeaderValue},
};
use portalgen_release::hosting::Asked;
use xxhash_rust::xxh3::xxh3_128;

use crate::content::Response;

/// A body that is in memory as a whole, and sent in one piece.
#[derive(Debug, Default)]
pub(super) struct Whole(Bytes);

/// A body that is sent.
#[derive(Debug)]
pub(super) enum Sent {
    /// One that is here.
    Whole(Whole),
    /// One that comes from another server, piece by piece.
    Passed(Incoming),
}

impl Body for Sent {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        match self.get_mut() {
            Self::Whole(body) => Pin::new(body).poll_frame(context).map_err(|never| match never {}),
            Self::Passed(body) => Pin::new(body).poll_frame(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(body) => body.is_end_stream(),
            Self::Passed(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(body) => body.size_hint(),
            Self::Passed(body) => body.size_hint(),
        }
    }
}

impl Body for Whole {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = std::mem::take(&mut self.get_mut().0);
        Poll::Ready((!bytes.is_empty()).then(|| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.len() as u64)
    }
}

/// What a request says of the answer that it wants.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    /// Whether the headers alone are wanted.
    pub(super) is_head: bool,
    /// The entity tags of what the browser has.
    pub(super) known: Option<String>,
    /// The part that it wants, as players of films do.
    pub(super) range: Option<String>,
    /// The entity tag of what it has a part of.
    pub(super) part_of: Option<String>,
}

/// The answer as it is wanted.
pub(super) fn sent(mut response: Response, wanted: &Wanted) -> hyper::Response<Whole> {
    if response.headers.get("cache-control").is_none() {
        response.headers.set("cache-control", "no-cache");
    }
    // What is here is for pages of this server, and read as what it is called.
    response.headers.set("cross-origin-resource-policy", "same-origin");
    response.headers.set("x-content-type-options", "nosniff");
    if response.status != 200 {
        return whole(response, wanted.is_head);
    }
    if response.headers.get("etag").is_none() {
        response.headers.set("etag", format!("\"{:032x}\"", xxh3_128(&response.body)));
    }
    let etag = response.headers.get("etag").unwrap_or_default();
    if wanted.known.as_ref().is_some_and(|known| names(known, etag)) {
        return whole(Response { status: 304, body: [].into(), ..response }, true);
    }
    let is_same = wanted.part_of.as_ref().is_none_or(|part| part == etag);
    let range = wanted.range.as_ref().filter(|_| is_same);
    let size = response.body.len();
    match range.map_or(Asked::Everything, |range| Asked::parse(range, size as u64)) {
        Asked::Everything => whole(response.with("accept-ranges", "bytes"), wanted.is_head),
        Asked::Part(range) => part(response, &range, wanted.is_head),
        Asked::Nonsense => whole(Response::of(416).with("content-range", format!("bytes */{size}")), true),
    }
}

/// The answer with some of its bytes, which it has.
fn part(response: Response, range: &Range<u64>, is_head: bool) -> hyper::Response<Whole> {
    let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
    let Some(bytes) = response.body.get(at(range.start)..at(range.end)) else { return failed() };
    let named = format!("bytes {}-{}/{}", range.start, range.end - 1, response.body.len());
    let part = Response { status: 206, body: bytes.into(), ..response };
    whole(part.with("content-range", named), is_head)
}

/// The answer with its length; without its body, if the headers alone are wanted.
fn whole(response: Response, is_head: bool) -> hyper::Response<Whole> {
    let Response { status, headers, body } = response;
    let mut sent = hyper::Response::new(Whole::default());
    let Ok(status) = StatusCode::from_u16(status) else { return failed() };
    *sent.status_mut() = status;
    for (name, value) in headers.iter() {
        let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) else { return failed() };
        sent.headers_mut().insert(name, value);
    }
    if status != StatusCode::NOT_MODIFIED {
        sent.headers_mut().insert(header::CONTENT_LENGTH, body.len().into());
    }
    if !is_head {
        *sent.body_mut() = Whole(Bytes::from_owner(body));
    }
    sent
}

/// What a mistake of ours is answered with.
pub(super) fn failed() -> hyper::Response<Whole> {
    let mut response = hyper::Response::new(Whole::default());
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
}

/// Whether a list of entity tags has this one in it, weak or not.
fn names(list: &str, etag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    list.trim() == "*" || list.split(',').any(|known| opaque(known) == opaque(etag))
}

#[cfg(test)]
mod tests {
    use super::{Wanted, sent};
    use crate::content::Response;

    fn asked(wanted: &Wanted) -> hyper::Response<super::Whole> {
        sent(Response::text(200, "0123456789"), wanted)
    }

    fn etag() -> String {
        asked(&Wanted::default()).headers()["etag"].to_str().unwrap().to_owned()
    }

    #[test]
    fn what_the_browser_has_is_not_sent_again() {
        let whole = asked(&Wanted::default());
        assert_eq!((whole.status().as_u16(), whole.headers()["cache-control"].to_str().unwrap()), (200, "no-cache"));
        let etag = etag();
        let knowing = |known: &str| Wanted { known: Some(known.to_owned()), ..Wanted::default() };
        for known in [etag.clone(), format!("\"other\", {etag}"), format!("W/{etag}"), "*".to_owned()] {
            assert_eq!(asked(&knowing(&known)).status(), 304, "{known}");
        }
        assert_eq!(asked(&knowing("\"other\"")).status(), 200);
        assert_eq!(sent(Response::text(404, "body"), &knowing("*")).status(), 404);
        assert_ne!(sent(Response::text(200, "next"), &Wanted::default()).headers()["etag"], etag.as_str());
    }

    #[test]
    fn a_part_is_sent_of_what_has_not_changed() {
        let part = |range: &str, part_of: Option<String>| {
            let response = asked(&Wanted { range: Some(range.to_owned()), part_of, ..Wanted::default() });
            (response.status().as_u16(), String::from_utf8(response.into_body().0.to_vec()).unwrap())
        };
        assert_eq!(part("bytes=2-4", None), (206, "234".to_owned()));
        assert_eq!(part("bytes=7-", Some(etag())), (206, "789".to_owned()));
        assert_eq!(part("bytes=-3", None), (206, "789".to_owned()));
        assert_eq!(part("bytes=2-4", Some("\"other\"".to_owned())), (200, "0123456789".to_owned()));
        assert_eq!(part("bytes=20-", None), (416, String::new()));
        assert_eq!(part("lines=1-2", None), (200, "0123456789".to_owned()));
    }

    #[test]
    fn no_page_of_another_origin_is_allowed_anything() {
        let response = asked(&Wanted::default());
        let names: Vec<_> = response.headers().keys().map(|name| name.as_str().to_owned()).collect();
        assert!(!names.iter().any(|name| name.starts_with("access-control")));
        assert_eq!(response.headers()["cross-origin-resource-policy"], "same-origin");
    }

    #[test]
    fn headers_that_cannot_be_sent_are_our_mistake() {
        for response in [Response::of(200).with("a b", "c"), Response::of(200).with("a", "b\r\nc: d"), Response::of(7)]
        {
            assert_eq!(sent(response, &Wanted::default()).status(), 500);
        }
    }
}
