//! What the server and its pages tell each other. `client/protocol.ts` is the other side of it, and says what each message is for.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::problems::{Difference, Problem};

/// A style sheet among those of a root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Sheet {
    /// Stays the same when the content changes.
    pub key: Arc<str>,
    /// Where the content is, as it is now.
    pub href: String,
    /// Its position in the cascade.
    pub place: usize,
}

/// What a problem is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Origin {
    /// Nothing was built.
    Build,
    /// A page could not be prerendered.
    Render,
    /// Something has failed in the browser.
    Page,
}

/// What the server says.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum ServerMessage {
    /// Comes first on each connection.
    Hello { start: Arc<str>, generation: u64 },
    /// The way from the generation before to this one.
    Update {
        generation: u64,
        definitions: Arc<str>,
        changed: Vec<Arc<str>>,
        removed: Vec<Arc<str>>,
        styles: BTreeMap<Arc<str>, String>,
        roots: BTreeMap<Arc<str>, Vec<Sheet>>,
    },
    /// A title was edited.
    Title { route: String, title: String },
    /// What has changed shows only after a reload.
    Reload { reason: String },
    /// All problems of an origin that there are now.
    Problems { of: Origin, problems: Vec<Problem> },
    /// No problem of an origin is left.
    Solved { of: Origin },
}

/// What a page says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum ClientMessage {
    /// Answers the server's.
    Hello {
        start: String,
        generation: u64,
        #[serde(flatten)]
        viewed: Viewed,
    },
    /// Another page is on the screen.
    Route(Viewed),
    /// Something has failed.
    Error(Box<PageError>),
    /// The page reloads.
    Reload { reason: String },
    /// A place is to be opened in the editor.
    Open { id: String },
}

/// What is on the screen of a page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Viewed {
    /// The route of the page, empty for the not-found page.
    pub route: String,
    /// The route of the address, at which there may be no page.
    pub at: String,
}

/// An error of a page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageError {
    pub id: String,
    pub kind: String,
    pub severity: String,
    pub message: String,
    pub stack: String,
    #[serde(default)]
    pub component_stack: Option<String>,
    #[serde(default)]
    pub owner_stack: Option<String>,
    #[serde(default)]
    pub causes: Vec<Cause>,
    #[serde(default)]
    pub difference: Option<Difference>,
    pub route: String,
    /// The origin of the page.
    #[serde(default)]
    pub origin: String,
}

/// What an error was caused by.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Cause {
    pub message: String,
    pub stack: String,
}
