//! Requests and responses, as far as what hosts do depends on them.

use std::{collections::BTreeMap, ops::Range};

/// What a browser asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The method in capital letters: `GET`.
    pub method: String,
    /// The path as it was sent: encoded, with dot segments, from its first slash on.
    pub path: String,
    /// What follows the first `?`, as it was sent. An empty query is not the same as none.
    pub query: Option<String>,
    /// Everything else that was sent along.
    pub headers: Headers,
}

/// Headers by their names, whose case does not count. A header that comes several times is one whose values are joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(BTreeMap<String, String>);

impl Headers {
    /// The value of a header.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(&name.to_ascii_lowercase()).map(String::as_str)
    }

    /// Gives a header its only value.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.0.insert(name.to_ascii_lowercase(), value.into());
    }

    /// Adds a value to those that a header has.
    pub fn add(&mut self, name: &str, value: &str) {
        let values = self.0.entry(name.to_ascii_lowercase()).or_default();
        if !values.is_empty() {
            values.push_str(", ");
        }
        values.push_str(value);
    }

    /// Leaves a header away.
    pub(super) fn remove(&mut self, name: &str) {
        self.0.remove(&name.to_ascii_lowercase());
    }

    /// All headers in the order of their names, which are in small letters.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl<N: AsRef<str>, V: Into<String>> FromIterator<(N, V)> for Headers {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(headers: I) -> Self {
        let mut all = Self::default();
        headers.into_iter().for_each(|(name, value)| all.set(name.as_ref(), value));
        all
    }
}

/// What a host answers. What follows from the body, its length, is left to whoever sends it, as is leaving it away where
/// the method is `HEAD`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// Everything that is known about the body, and where to go instead.
    pub headers: Headers,
    /// What is shown.
    pub body: Body,
}

/// The body of a response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Body {
    /// No byte.
    #[default]
    Nothing,
    /// Words of the host's own.
    Text(String),
    /// A part of a file, which may be all of it.
    File {
        /// The output path of the file: that of a compressed form where one is sent.
        path: String,
        /// The bytes to send.
        range: Range<u64>,
    },
}

impl Response {
    /// A response with a status and nothing else.
    pub(super) fn of(status: u16) -> Self {
        Self { status, ..Self::default() }
    }

    /// A redirect.
    pub(super) fn redirect(status: u16, location: impl Into<String>) -> Self {
        Self::of(status).with("location", location)
    }

    /// The same with one more header.
    #[must_use]
    pub(super) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.set(name, value);
        self
    }
}
