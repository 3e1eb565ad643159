//! Documents with what makes pages follow the server.

use std::sync::Arc;

use serde_json::{Value, json};

use portalgen_base::text::{Language, text};
use portalgen_bundle::HotGraph;

/// What a document says about the server, before it says what its page has.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub start: Arc<str>,
    /// The name of the project's folder, percent-encoded.
    pub project: String,
    pub token: String,
    pub language: Language,
}

/// What is true of documents that are served now.
pub(crate) struct Served<'a> {
    pub generation: u64,
    pub base: &'a str,
    /// Where the socket of updates is, if not beside the client.
    pub socket: Option<&'a str>,
}

/// Where the files of the server are, below the base.
pub(crate) const OWN: &str = HotGraph::FOLDER;

/// Adds the client to a document. `roots` are the style sheets of what it loads.
pub(crate) fn with_client(html: &str, settings: &Settings, served: &Served<'_>, roots: &Value) -> String {
    let client = client(settings, served, roots);
    // Templates have a head, since they say where its parts go.
    let at = memchr::memmem::find(html.to_ascii_lowercase().as_bytes(), b"</head").unwrap_or(0);
    let (before, behind) = html.split_at(at);
    format!("{before}{client}{behind}")
}

/// The document that stands in for one that could not be made.
pub(crate) fn instead(settings: &Settings, served: &Served<'_>) -> String {
    let lang = match settings.language {
        Language::English => "en",
        Language::Chinese => "zh-CN",
    };
    let message = text!("The portal could not be built yet.", "门户还没有构建成功。");
    let message = message.in_language(settings.language);
    let client = client(settings, served, &json!({}));
    format!(
        "<!doctype html>\n<html lang=\"{lang}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>portalgen dev</title>{client}</head>\
         <body><p>{message}</p></body></html>\n"
    )
}

fn client(settings: &Settings, served: &Served<'_>, roots: &Value) -> String {
    let Settings { start, token, language, .. } = settings;
    let Served { generation, base, socket } = served;
    let language = match language {
        Language::English => "en",
        Language::Chinese => "zh",
    };
    let mut data = json!({
        "start": start, "generation": generation, "token": token, "base": base, "language": language, "roots": roots,
    });
    if let Some(socket) = socket {
        data["socket"] = (*socket).into();
    }
    // Nothing in it can end the element.
    let data = data.to_string().replace('<', "\\u003c");
    format!(
        "<script type=\"application/json\" id=\"portalgen-dev\">{data}</script>\
         <script type=\"module\" src=\"{base}{OWN}client.js\"></script>"
    )
}

#[cfg(test)]
mod tests {
    use portalgen_portal::OWN_FOLDER;

    use super::OWN;

    #[test]
    fn what_cannot_be_proxied_is_where_the_files_are() {
        assert_eq!(OWN, format!("{OWN_FOLDER}/"));
    }
}
