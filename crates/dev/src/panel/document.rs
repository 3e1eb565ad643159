//! The page of the panel, and the page that stands in for it where React cannot be had.

use std::iter;

use portalgen_base::{
    diagnostic::Diagnostic,
    packages,
    text::{Language, Text, text},
};
use portalgen_build::pipeline::SITE;
use serde_json::json;

use super::{Around, FOLDER, Panel, script};
use crate::content::{Request, Response};

/// How both look.
pub(super) const STYLE: &str = concat!(include_str!("page/panel.css"), include_str!("page/previews.css"));

/// Nothing from elsewhere runs or shows but images of cards, and no page may put a frame around this one. `host` is where the
/// request was sent; not all browsers take sockets for what comes from there.
fn policy(host: &str) -> String {
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '-' | '[' | ']');
    let sockets = if host.chars().all(is_host) { format!(" ws://{host} wss://{host}") } else { String::new() };
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:; connect-src \
         'self'{sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

impl Panel {
    /// The page.
    pub(super) fn document(&self, request: &Request, around: Around<'_>) -> Response {
        let (status, html) = match self.script.files(self, around) {
            Ok(_) => (200, page(self.language, around)),
            Err(problems) => {
                // That a package is missing says more than that one of its files is.
                let of_packages = packages::check(&*self.sources, &self.root.join(SITE)).err();
                (500, instead(self.language, &of_packages.unwrap_or(problems)))
            }
        };
        Response::new(status, "text/html; charset=utf-8", html.into_bytes())
            .with("content-security-policy", policy(request.headers.get("host").unwrap_or_default()))
            .with("x-frame-options", "DENY")
            .with("referrer-policy", "same-origin")
    }
}

pub(super) fn page(language: Language, around: Around<'_>) -> String {
    let Around { base, token, .. } = around;
    let name = match language {
        Language::English => "en",
        Language::Chinese => "zh",
    };
    // Nothing in it can end the element.
    let settings = json!({ "base": base, "token": token, "language": name }).to_string().replace('<', "\\u003c");
    let needs = text!("This page needs JavaScript.", "此页面需要启用 JavaScript。");
    let needs = escaped(needs.in_language(language));
    let file = script::FILE;
    let body = format!(
        "<div id=\"panel\"></div><noscript><p class=\"notice\">{needs}</p></noscript>\
         <script type=\"application/json\" id=\"panel-settings\">{settings}</script>\
         <script type=\"module\" src=\"{FOLDER}{file}\"></script>"
    );
    document(language, &body)
}

/// What to do so that there is a page.
fn instead(language: Language, problems: &[Diagnostic]) -> String {
    let say = |text: &Text| with_code(&escaped(text.in_language(language)));
    let heading = say(&text!("The panel cannot be shown yet", "现在还无法显示内容面板"));
    let reason = say(&text!(
        "It uses the portal's own React, and the packages in {SITE}/ could not be used:",
        "面板使用门户自己的 React，但 {SITE}/ 里的依赖包无法使用："
    ));
    let advice = say(&text!("Install the packages, and reload this page:", "请安装依赖包，然后刷新这个页面："));
    let again = say(&text!("Try again", "重试"));
    let item = |Diagnostic { message, hints, .. }: &Diagnostic| {
        let lines: Vec<String> = iter::once(message).chain(hints).map(say).collect();
        format!("<li>{}</li>", lines.join("<br>"))
    };
    let list: String = problems.iter().map(item).collect();
    let body = format!(
        "<main class=\"instead\"><h1>{heading}</h1><p>{reason}</p><ul>{list}</ul><p>{advice}</p>\
         <pre><code>cd {SITE}\nnpm install</code></pre><p><a href=\".\">{again}</a></p></main>"
    );
    document(language, &body)
}

fn document(language: Language, body: &str) -> String {
    let lang = match language {
        Language::English => "en",
        Language::Chinese => "zh-CN",
    };
    let title = text!("Titles and descriptions – portalgen dev", "标题与描述 – portalgen dev");
    let title = title.in_language(language);
    format!(
        "<!doctype html>\n<html lang=\"{lang}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title}</title><link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"{FOLDER}panel.css\"></head>\
         <body>{body}</body></html>\n"
    )
}

/// What stands between backticks, as code.
fn with_code(html: &str) -> String {
    let parts = html.split('`').enumerate();
    parts.map(|(at, part)| if at % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() }).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
