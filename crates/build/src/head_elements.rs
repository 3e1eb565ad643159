//! What React puts before the HTML of a page because it belongs into the document's head: `<meta>`, `<link>` and their
//! like, wherever components render them.

/// Divides HTML that React rendered into what belongs into the head and the rest. In a body, browsers and search engines
/// ignore most of it; when it hydrates, React looks for it in the whole document.
pub(crate) fn split(html: &str) -> (&str, &str) {
    let mut end = 0;
    while let Some(length) = hoisted_element(&html[end..]) {
        end += length;
    }
    html.split_at(end)
}

/// The text of the `<title>` that components render, as it stands in the HTML.
pub(crate) fn title(html: &str) -> Option<&str> {
    let (head, _) = split(html);
    let (_, title) = head.split_once("<title")?;
    title.split_once('>')?.1.split_once("</title>").map(|(text, _)| text)
}

/// Whether components render a `<meta>` with this key. `head` is the first part of what [`split`] gives.
pub(crate) fn has_meta(head: &str, attribute: &str, key: &str) -> bool {
    let mut tags = head.split("<meta").skip(1).filter_map(|rest| rest.split('>').next());
    // React writes a quote in a value as an entity, so this can be nothing but the attribute.
    tags.any(|tag| tag.contains(&format!(" {attribute}=\"{key}\"")))
}

/// The length of the element that `html` begins with, if it is one that React moves there.
fn hoisted_element(html: &str) -> Option<usize> {
    // React writes no `>` inside a tag, not even in a value.
    let tag = &html[..=html.find('>')?];
    let is = |name: &str| tag.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '/', '>']));
    // Microdata belongs to the element around it, and React leaves it there.
    if tag.contains(" itemprop=") || tag.contains(" itemProp=") {
        return None;
    }
    if is("<meta") || is("<link") {
        return Some(tag.len());
    }
    let is_hoisted_style = is("<style") && tag.contains(" data-precedence=");
    let is_hoisted_script = is("<script") && tag.contains(" async=") && tag.contains(" src=");
    let end = if is("<title") {
        "</title>"
    } else if is_hoisted_style {
        "</style>"
    } else if is_hoisted_script {
        "</script>"
    } else {
        return None;
    };
    Some(html.find(end)? + end.len())
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn what_belongs_into_the_head_is_found() {
        let head = concat!(
            r#"<meta name="theme-color" content="a &gt; b"/><link rel="author" href="/x"/><title>A &amp; b</title>"#,
            r#"<style data-precedence="high" data-href="a">p > a{}</style><script async="" src="/a.js"></script>"#,
        );
        let body = r#"<main><meta name="kept" content="1"/></main>"#;
        assert_eq!(split(&format!("{head}{body}")), (head, body));
        assert_eq!(super::title(&format!("{head}{body}")), Some("A &amp; b"));
        assert_eq!(super::title("<svg><title>A drawing</title></svg>"), None);
        assert!(super::has_meta(head, "name", "theme-color"));
        assert!(!super::has_meta(head, "property", "theme-color") && !super::has_meta(head, "name", "author"));
    }

    #[test]
    fn what_belongs_to_the_page_stays() {
        for html in [
            "",
            "text",
            r#"<meta itemprop="a" content="b"/>"#,
            "<style>p{}</style>",
            "<script>1</script>",
            "<links></links>",
        ] {
            assert_eq!(split(html), ("", html));
        }
    }
}
