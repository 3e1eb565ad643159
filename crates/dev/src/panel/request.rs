//! What pages of the panel send, and answers to that.

use portalgen_base::{diagnostic::Diagnostic, text::text};
use portalgen_portal::{
    Portal, RoutePath,
    edit::{self, Edit, Key},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::content::{Request, Response};

/// The longest text that is taken, in bytes. Nobody reads a tenth of it.
const LONGEST: usize = 10_000;

/// Texts of one route.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Texts {
    pub path: String,
    pub texts: Vec<Wanted>,
}

/// What a text shall be.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    pub key: Field,
    pub text: String,
    /// What the editor saw in the file, if anything was there.
    #[serde(default)]
    pub seen: Option<String>,
}

/// The name of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Field {
    Title,
    Description,
    Redirect,
}

impl From<Field> for Key {
    fn from(field: Field) -> Self {
        match field {
            Field::Title => Self::Title,
            Field::Description => Self::Description,
            Field::Redirect => Self::Redirect,
        }
    }
}

impl Wanted {
    /// The edit that this asks for.
    ///
    /// # Errors
    /// Nobody can mean such a text.
    pub(super) fn edit(&self, path: &RoutePath) -> Result<Edit, Diagnostic> {
        if self.text.len() > LONGEST {
            let (size, limit) = (self.text.len(), LONGEST);
            return Err(Diagnostic::error(text!(
                "this text has {size} bytes; the limit is {limit}",
                "这段文字有 {size} 字节，超过了 {limit} 字节的上限"
            ))
            .with_hint(text!("shorten it", "请缩短文字")));
        }
        if self.key != Field::Redirect {
            portalgen_portal::check_text(&self.text).map_err(portalgen_portal::Problem::into_error)?;
        }
        Ok(Edit { path: path.clone(), key: self.key.into(), text: self.text.clone() })
    }
}

/// The route that a request is about.
///
/// # Errors
/// There is none with this path.
pub(super) fn route_path(portal: &Portal, path: &str) -> Result<RoutePath, Diagnostic> {
    let path = RoutePath::parse(path).map_err(portalgen_portal::Problem::into_error)?;
    if portal.route(&path).is_some() { Ok(path) } else { Err(edit::no_route(portal, &path)) }
}

/// The body of a request.
///
/// # Errors
/// It is nothing that a page of the panel sends.
pub(super) fn body<T: DeserializeOwned>(request: &Request) -> Result<T, Diagnostic> {
    serde_json::from_slice(&request.body).map_err(|_| {
        let message = text!("the server does not understand this request", "服务器无法识别这个请求");
        Diagnostic::error(message).with_hint(text!("reload the page", "请刷新页面"))
    })
}

/// An answer in JSON.
pub(super) fn json(status: u16, value: &impl Serialize) -> Response {
    // Names and texts only: nothing that has no form in JSON.
    let text = serde_json::to_vec(value).unwrap_or_default();
    Response::new(status, "application/json", text).with("cache-control", "no-store")
}
