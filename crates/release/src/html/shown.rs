//! What visitors can see of HTML that React rendered.

use std::collections::BTreeMap;

/// The texts that show, and the names of elements that show something without text, with how often each is there.
pub fn shown(html: &str) -> BTreeMap<&str, usize> {
    let mut shown = BTreeMap::new();
    let mut rest = html;
    while !rest.is_empty() {
        let end = rest.find('<').unwrap_or(rest.len());
        let text = rest[..end].trim_matches(is_unseen);
        if !text.is_empty() {
            *shown.entry(text).or_default() += 1;
        }
        let tag = &rest[end..];
        let length =
            if tag.starts_with("<!--") { tag.find("-->").map(|at| at + 3) } else { tag.find('>').map(|at| at + 1) };
        let (tag, behind) = tag.split_at(length.unwrap_or(tag.len()));
        rest = behind;
        let name = tag.trim_start_matches('<').split([' ', '/', '>', '\n']).next().unwrap_or_default();
        if is_kept_from_view(name) {
            let end = rest.find(&format!("</{name}")).unwrap_or(rest.len());
            rest = &rest[end..];
        } else if is_hidden(name, tag) {
            if !super::is_void(name) {
                rest = &rest[content_length(name, rest)..];
            }
        } else if shows_something(name, tag) {
            *shown.entry(name).or_default() += 1;
        }
    }
    shown
}

/// Characters that leave nothing on the page, and the entities for some, letter by letter, do not come from React.
fn is_unseen(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

fn is_kept_from_view(name: &str) -> bool {
    matches!(name, "script" | "style" | "template" | "noscript" | "title" | "datalist")
}

/// Whether an element is hidden with all that is in it, for as long as no script shows it.
fn is_hidden(name: &str, tag: &str) -> bool {
    // React itself hides what comes late, and shows it.
    let is_late = tag.contains(" id=\"S:");
    let is_closed = name == "dialog" && !tag.contains(" open");
    is_closed || !is_late && [" hidden=\"\"", "display:none"].iter().any(|words| tag.contains(words))
}

/// How long the content of an element is that has just begun.
fn content_length(name: &str, html: &str) -> usize {
    let is_it = |rest: &str| {
        rest.strip_prefix(name)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace() || "/>".contains(c)))
    };
    let mut depth = 0;
    for (at, _) in html.match_indices('<') {
        let rest = &html[at + 1..];
        if is_it(rest) {
            depth += 1;
        } else if rest.strip_prefix('/').is_some_and(is_it) {
            if depth == 0 {
                return at;
            }
            depth -= 1;
        }
    }
    html.len()
}

/// Whether an element shows something whatever is in it.
fn shows_something(name: &str, tag: &str) -> bool {
    let is_seen = matches!(
        name,
        "img"
            | "svg"
            | "canvas"
            | "iframe"
            | "video"
            | "audio"
            | "input"
            | "textarea"
            | "select"
            | "button"
            | "object"
            | "embed"
            | "hr"
            | "progress"
            | "meter"
            | "math"
    );
    // What a custom element shows is made by its script.
    let is_custom = name.contains('-') && name.starts_with(|c: char| c.is_ascii_lowercase());
    let says = |words: &str| tag.contains(words);
    let is_unseen = says(" type=\"hidden\"") || name == "audio" && !says(" controls");
    let is_image = says(" role=\"img\"") || says(" aria-label=\"") || says("background") || says("border");
    !is_unseen && (is_seen || is_custom || is_image && !tag.starts_with("</"))
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn what_shows() {
        for html in [
            "<p>text</p>",
            "<!--$-->&amp;<!--/$-->",
            "<img src=\"/a.png\"/>",
            "<div><svg></svg></div>",
            "<canvas></canvas>",
            "<iframe src=\"/a\"></iframe>",
            "<video></video>",
            "<input type=\"text\"/>",
            "<my-map></my-map>",
            "<div role=\"img\" aria-label=\"A map\"></div>",
            "<div style=\"background-image:url(/a.png)\"></div>",
            "<div style=\"border-top:1px solid\"></div>",
            "<div hidden=\"\"><div>text</div>text</div><div>text</div>",
            "<div hidden=\"\" id=\"S:1\">text</div>",
            "<dialog open=\"\">text</dialog>",
            "<audio controls=\"\"></audio>",
        ] {
            assert_eq!(shown(html).len(), 1, "{html}");
        }
        for html in [
            "",
            " \n\u{a0}\u{200b}",
            "<div class=\"page\"><p> </p></div>",
            "<!-- text --><!--$--><!--/$-->",
            "<script>text</script><style>p{}</style><template><p>text</p></template><noscript>text</noscript>",
            "<input type=\"hidden\" value=\"text\"/>",
            "<br/><wbr/>",
            "<div hidden=\"\"><div>text</div>text</div>",
            "<img hidden=\"\"/>",
            "<p style=\"display:none\">text<svg></svg></p>",
            "<dialog><p>text</p></dialog>",
            "<audio src=\"/a.mp3\"></audio>",
        ] {
            assert!(shown(html).is_empty(), "{html}");
        }
    }
}
