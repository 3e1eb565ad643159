//! The content security policy: what the documents of a portal need, and nothing else.
//!
//! It is one policy for the whole portal, since hosts limit how many rules there may be. What only scripts ask for, such as
//! an API, cannot be seen in documents; `csp` in `[deploy]` adds it.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};
use url::Url;

use portalgen_portal::{CSP_DIRECTIVES, CspDirective, is_host_source};

use crate::{
    html::{Destination, Document, Inline},
    output::{OutputKind, OutputSet},
};

/// Sources by the names of directives, each once.
type Directives = BTreeMap<&'static str, Vec<String>>;

const NONE: &str = "'none'";
const UNSAFE_INLINE: &str = "'unsafe-inline'";

/// The policy that every document of the output satisfies, and `added`.
pub fn policy(output: &OutputSet, added: &[CspDirective]) -> String {
    let in_any_case = |sources: &[&str]| sources.iter().map(|source| (*source).to_owned()).collect();
    let mut directives: Directives = CSP_DIRECTIVES.map(|(name, sources)| (name, in_any_case(sources))).into();
    let documents = output.iter().filter(|(path, file)| file.kind == OutputKind::Page && path.ends_with(".html"));
    for (_, file) in documents {
        let document = Document::read(&file.content.text());
        allow_references(&mut directives, &document);
        allow_inline(&mut directives, &document.inline, added);
    }
    if output.iter().any(|(path, _)| path.ends_with(".wasm")) {
        allow(&mut directives, "script-src", "'wasm-unsafe-eval'");
    }
    for directive in added {
        add_fallback(&mut directives, directive.name);
        if directive.sources == [NONE] {
            directives.insert(directive.name, vec![NONE.to_owned()]);
        } else {
            directive.sources.iter().for_each(|source| allow(&mut directives, directive.name, source));
        }
    }
    written(&directives)
}

/// Gives a directive that takes the place of another one what that allows.
fn add_fallback(directives: &mut Directives, name: &'static str) {
    let fallback = match name {
        "script-src-elem" | "script-src-attr" => "script-src",
        "manifest-src" | "child-src" => "default-src",
        _ => return,
    };
    if !directives.contains_key(name) {
        let sources = directives.get(fallback).cloned().unwrap_or_default();
        directives.insert(name, sources);
    }
}

/// `'none'` stands alone.
fn allow(directives: &mut Directives, name: &'static str, source: &str) {
    let sources = directives.entry(name).or_default();
    sources.retain(|known| known != NONE && known != source);
    sources.push(source.to_owned());
}

/// Other hosts that a document fetches from.
fn allow_references(directives: &mut Directives, document: &Document) {
    for reference in &document.references {
        let directive = match reference.destination {
            Destination::Script => "script-src",
            Destination::Style => "style-src",
            Destination::Image => "img-src",
            Destination::Media => "media-src",
            Destination::Font => "font-src",
            Destination::Frame => "frame-src",
            Destination::Object => "object-src",
            Destination::Form => "form-action",
            Destination::Link | Destination::Manifest | Destination::Mention => continue,
        };
        let source = source_of(&reference.address);
        // Of `object-src`, the portal itself is nothing that is allowed anyway.
        let source = source.or_else(|| (directive == "object-src").then(|| "'self'".to_owned()));
        if let Some(source) = source {
            allow(directives, directive, &source);
        }
    }
}

/// The host of an address, or its scheme if it has no host; none where it is the portal's own, or where its name has signs
/// in it that a policy cannot name and that could mean something else there.
fn source_of(address: &str) -> Option<String> {
    let address = address.trim();
    let absolute = if address.starts_with("//") { format!("https:{address}") } else { address.to_owned() };
    let url = Url::parse(&absolute).ok()?;
    if !url.has_host() {
        return Some(format!("{}:", url.scheme()));
    }
    let origin = url.origin();
    // Of schemes that browsers know nothing about, an origin says nothing.
    let host = if origin.is_tuple() { origin.ascii_serialization() } else { format!("{}:", url.scheme()) };
    (host.ends_with(':') || is_host_source(&host)).then_some(host)
}

fn allow_inline(directives: &mut Directives, inline: &Inline, added: &[CspDirective]) {
    for (name, texts) in [("script-src", &inline.scripts), ("style-src", &inline.styles)] {
        // Beside a hash, browsers ignore `'unsafe-inline'`.
        if !allows_all_inline(added, name) {
            for text in texts {
                allow(directives, name, &hash_source(text));
            }
        }
    }
    if inline.has_style_attributes {
        // They can be told apart by hashes only where policies are written for each page.
        allow(directives, "style-src-attr", UNSAFE_INLINE);
    }
}

fn allows_all_inline(added: &[CspDirective], name: &str) -> bool {
    let mut sources = added.iter().filter(|directive| directive.name == name).flat_map(|directive| &directive.sources);
    sources.any(|source| source == UNSAFE_INLINE)
}

fn hash_source(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// A directive without a source is left out: it falls back to another one.
fn written(directives: &Directives) -> String {
    let known = CSP_DIRECTIVES.map(|(name, _)| name);
    let others = directives.keys().filter(|name| !known.contains(name));
    let all = known.iter().chain(others).filter_map(|name| {
        let sources = directives.get(name).filter(|sources| !sources.is_empty())?;
        Some(format!("{name} {}", sources.join(" ")))
    });
    all.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Producer;
    use portalgen_base::text::Text;

    fn policy_of(html: &str, added: &[CspDirective]) -> String {
        let mut output = OutputSet::new();
        let producer = Producer::new(Text::verbatim("a test"));
        output.insert("index.html", OutputKind::Page, html, producer).expect("an output path");
        policy(&output, added)
    }

    /// The sources of one directive.
    fn directive(html: &str, name: &str) -> Option<String> {
        let policy = policy_of(html, &[]);
        policy.split("; ").find_map(|directive| Some(directive.strip_prefix(name)?.strip_prefix(' ')?.to_owned()))
    }

    #[test]
    fn a_portal_needs_only_itself() {
        assert_eq!(
            policy_of(
                "<link rel=stylesheet href=/a.css><script type=module src=/a.js></script><a href=https://b.example>",
                &[]
            ),
            "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self' data:; \
             connect-src 'self'; media-src 'self' data:; frame-src 'self'; worker-src 'self'; object-src 'none'; \
             base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
        );
    }

    #[test]
    fn what_documents_fetch_is_allowed() {
        for (html, name, sources) in [
            ("<img src=https://a.example/b.png>", "img-src", "'self' data: https://a.example"),
            ("<img src=//a.example:8080/b.png>", "img-src", "'self' data: https://a.example:8080"),
            ("<script src=https://a.example/b.js></script>", "script-src", "'self' https://a.example"),
            ("<iframe src=https://a.example/></iframe>", "frame-src", "'self' https://a.example"),
            ("<form action=https://a.example/send></form>", "form-action", "'self' https://a.example"),
            ("<object data=/a.pdf></object>", "object-src", "'self'"),
            ("<video src=blob:x></video>", "media-src", "'self' data: blob:"),
        ] {
            assert_eq!(directive(html, name).as_deref(), Some(sources), "{html}");
        }
    }

    #[test]
    fn what_stands_in_documents_is_allowed_by_its_hash() {
        let hash = "'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='";
        assert_eq!(directive("<script>a</script>", "script-src"), Some(format!("'self' {hash}")));
        assert_eq!(directive("<style>a</style>", "style-src"), Some(format!("'self' {hash}")));
        assert_eq!(directive("<p style=a></p>", "style-src-attr").as_deref(), Some("'unsafe-inline'"));
        assert_eq!(directive("<p></p>", "style-src-attr"), None);
    }

    #[test]
    fn what_is_allowed_altogether_has_no_hashes() {
        let html = "<style>a</style><script>a</script>";
        let added = [CspDirective::parse("style-src 'unsafe-inline'").expect("a directive")];
        let policy = policy_of(html, &added);
        assert!(policy.contains("style-src 'self' 'unsafe-inline';"), "{policy}");
        assert!(policy.contains("script-src 'self' 'sha256-"), "only in that directive: {policy}");
    }

    #[test]
    fn a_host_cannot_become_another_directive_or_a_variable_of_a_server() {
        for html in [
            "<img src=https://a;sandbox/b.png>",
            "<img src=https://{env.home}.example/b.png>",
            "<img src=https://$host/b.png>",
        ] {
            assert_eq!(directive(html, "img-src").as_deref(), Some("'self' data:"), "{html}");
        }
    }

    #[test]
    fn sources_are_added() {
        let added =
            ["connect-src https://api.example wss://api.example", "frame-ancestors 'none'", "manifest-src 'self'"];
        let added = added.map(|text| CspDirective::parse(text).expect("a directive"));
        let policy = policy_of("", &added);
        let elements = [CspDirective::parse("script-src-elem https://a.example").expect("a directive")];
        let elements = policy_of("<script>a</script>", &elements);
        let hash = "'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='";
        assert!(elements.ends_with(&format!("script-src-elem 'self' {hash} https://a.example")), "{elements}");
        assert!(policy.contains("connect-src 'self' https://api.example wss://api.example;"), "{policy}");
        assert!(policy.ends_with("frame-ancestors 'none'; manifest-src 'self'"), "{policy}");
    }
}
