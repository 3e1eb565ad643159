//! The stack that a document needs to be taken apart.

use std::thread;

use portalgen_base::timing::Stage;

/// Stack that `html5gum` takes for an attribute, whose function calls that of the next one in the same tag.
const STACK_OF_ATTRIBUTE: usize = 8 * 1024;
/// The stack that the smallest of threads leaves for attributes.
const STACK: usize = 512 * 1024;

/// Runs a function that takes a document apart, on a stack that is large enough for the tag with most attributes.
pub(super) fn with_stack_for<T: Send>(html: &str, read: impl Fn() -> T + Sync) -> T {
    let needed = most_attributes(html).saturating_mul(STACK_OF_ATTRIBUTE);
    if needed <= STACK {
        return read();
    }
    let stage = Stage::current();
    let read = || stage.charge(&read);
    thread::scope(|scope| {
        // Only what is touched of a stack takes memory.
        let builder = thread::Builder::new().stack_size(needed.saturating_add(STACK));
        match builder.spawn_scoped(scope, read).map(thread::ScopedJoinHandle::join) {
            Ok(Ok(value)) => value,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // What looks like so large a tag is more likely to be in a script, where it takes no stack.
            Err(_) => read(),
        }
    })
}

/// How many attributes the tag with most of them has, or more: what looks like a tag in a script counts as well.
fn most_attributes(html: &str) -> usize {
    let (mut most, mut rest) = (0, html);
    while let Some((_, tag)) = rest.split_once('<') {
        let (attributes, after) = attributes(tag);
        most = most.max(attributes);
        rest = after;
    }
    most
}

/// The number of attributes in a tag, which is given without its `<`, and what follows the tag.
fn attributes(tag: &str) -> (usize, &str) {
    if !tag.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/') {
        return (0, tag);
    }
    let mut count = 0;
    let (mut quote, mut follows_equals, mut is_between) = (None, false, false);
    for (index, byte) in tag.bytes().enumerate() {
        match byte {
            _ if quote == Some(byte) => (quote, is_between) = (None, true),
            _ if quote.is_some() => {}
            b'>' => return (count, &tag[index + 1..]),
            b'"' | b'\'' if follows_equals => (quote, follows_equals) = (Some(byte), false),
            b'=' => {
                count += usize::from(is_between);
                (follows_equals, is_between) = (true, false);
            }
            _ if byte.is_ascii_whitespace() => is_between = !follows_equals,
            b'/' if !follows_equals => is_between = true,
            _ => {
                count += usize::from(is_between);
                (follows_equals, is_between) = (false, false);
            }
        }
    }
    (count, tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_of_the_largest_tag_are_counted() {
        for (html, count) in [
            ("no tags, a = b", 0),
            ("<p>text with <b a>words</b></p>", 1),
            ("<i a b=1 c=\"x > y\" d='e f'/>", 4),
            ("<i a=\"1\"b='2'c=3\nd/e>", 5),
            ("<i a><i a title=\"<i x y z>\" b><i>", 3),
            ("if (a < b && c)", 0),
        ] {
            assert_eq!(most_attributes(html), count, "{html}");
        }
    }
}
