//! What is served, as the server sees it.

use std::{fmt, sync::Arc};

use portalgen_base::text::Text;
use portalgen_release::hosting::Headers;

use crate::access::Refusal;

/// How large the stacks are of threads that call the content or make it, in bytes: it may recurse with the nesting of what it is
/// made of. What is not used takes no memory.
pub(crate) const STACK: usize = 64 << 20;

/// What is served. All functions are called on threads that may block, several at once.
pub trait Content: Send + Sync + 'static {
    /// Answers a request that may be answered: one from a page of this server, or from an address bar.
    fn answer(&self, request: &Request) -> Response;

    /// Greets a client: what is returned is the first message to it. Whatever was broadcast after the call began comes
    /// behind that, and may tell of what the greeting tells already.
    fn joined(&self, client: ClientId) -> String;

    /// Takes a message of a client. Those of one client come one after the other.
    fn received(&self, client: ClientId, message: &str);

    /// Learns that a client is gone.
    fn left(&self, _client: ClientId) {}

    /// Learns that a request was not answered, so that it can be told once where somebody will see it.
    fn refused(&self, _refusal: &Refusal) {}

    /// Learns what whoever started the server should see.
    fn note(&self, _note: &Text) {}
}

/// A page that is connected by a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(pub(crate) u64);

impl fmt::Display for ClientId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// What a request wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// To read: `GET`, and `HEAD` as well, whose answer the server cuts.
    #[default]
    Get,
    /// To change something. Such a request comes from a page of this server, which has proven it with the token.
    Post,
}

/// A request that may be answered.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// What it wants.
    pub method: Method,
    /// The path, decoded: from its first slash on, without dot segments, empty names, backslashes and names of hidden files.
    pub path: String,
    /// The path as it was sent, for redirects.
    pub sent_path: String,
    /// What follows the first `?`, as it was sent.
    pub query: Option<String>,
    /// Everything that was sent along.
    pub headers: Headers,
    /// What was sent behind the headers.
    pub body: Vec<u8>,
}

/// An answer. The server adds its length, and where there is none an `etag` by content and `cache-control: no-cache`; of
/// what the browser has already, it sends the headers alone, and of a film the part that was asked for.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// All headers that do not follow from the body.
    pub headers: Headers,
    /// The whole body.
    pub body: Arc<[u8]>,
}

impl Response {
    /// An answer without a body.
    pub fn of(status: u16) -> Self {
        Self { status, headers: Headers::default(), body: Arc::from([]) }
    }

    /// An answer with a body of a media type.
    pub fn new(status: u16, media_type: &str, body: impl Into<Arc<[u8]>>) -> Self {
        Self { body: body.into(), ..Self::of(status) }.with("content-type", media_type)
    }

    /// A sentence in the place of what was asked for, as plain text.
    pub fn text(status: u16, text: impl Into<Arc<str>>) -> Self {
        Self::new(status, "text/plain; charset=utf-8", text.into())
    }

    /// The same with one more header.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.set(name, value);
        self
    }
}
