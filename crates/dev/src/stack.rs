//! Stacks as browsers write them. What they say comes from pages, so nothing of it is believed: it is only compared with what
//! the server has sent.

/// So many lines of a stack are read. One that goes round in circles says nothing new after that.
const MOST_LINES: usize = 400;
/// So many calls of them are told.
const MOST_CALLS: usize = 80;
/// Longer lines are no calls: no function and no address is that long.
const LONGEST_LINE: usize = 2000;

/// A call on a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Call<'s> {
    /// The function, empty if it has no name.
    pub name: &'s str,
    /// Where it is, as far as the browser tells.
    pub at: Option<At<'s>>,
}

/// A place in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At<'s> {
    pub url: &'s str,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in UTF-16 units.
    pub column: u32,
}

/// The calls of a stack, the innermost first. Chromium's begins with the message, whose lines may look like calls.
pub(crate) fn calls<'s>(stack: &'s str, message: &str) -> Vec<Call<'s>> {
    // Others do not repeat the message, and a function may be called like it.
    let is_of_chromium = stack.contains("\n    at ");
    let begins = |at: &usize| is_of_chromium && !message.is_empty() && !stack[..*at].contains('\n');
    let behind = stack.find(message).filter(begins);
    let stack = behind.map_or(stack, |at| &stack[at + message.len()..]);
    let lines = stack.lines().take(MOST_LINES).filter(|line| line.len() <= LONGEST_LINE);
    lines.filter_map(|line| call(line.trim())).take(MOST_CALLS).collect()
}

fn call(line: &str) -> Option<Call<'_>> {
    match line.strip_prefix("at ") {
        Some(call) => Some(of_chromium(call)),
        None => of_others(line),
    }
}

/// `Table (http://…/entry.js:8:31)`, `async http://…/entry.js:8:31`, `Table`
fn of_chromium(call: &str) -> Call<'_> {
    let named = call.split_once(" (").and_then(|(name, at)| Some((name, at.strip_suffix(')')?)));
    match named {
        Some((name, at)) => Call { name, at: At::parse(at) },
        None => match At::parse(call.strip_prefix("async ").unwrap_or(call)) {
            Some(at) => Call { name: "", at: Some(at) },
            None => Call { name: call, at: None },
        },
    }
}

/// `Table@http://…/entry.js:8:31`; Firefox says `async*Table@…` of what has waited, Safari nothing but the address of what has no
/// name.
fn of_others(line: &str) -> Option<Call<'_>> {
    let (name, at) = match line.split_once('@') {
        Some((name, at)) if !name.contains("://") => (name, at),
        _ => ("", line),
    };
    let name = name.rsplit('*').next().unwrap_or(name);
    match At::parse(at) {
        Some(at) => Some(Call { name, at: Some(at) }),
        None => (at == "[native code]" && !name.is_empty()).then_some(Call { name, at: None }),
    }
}

impl<'s> At<'s> {
    /// `http://…/entry.js:8:31`
    fn parse(text: &'s str) -> Option<Self> {
        let (rest, column) = text.rsplit_once(':')?;
        let (url, line) = rest.rsplit_once(':')?;
        let (line, column) = (count(line)?, count(column)?);
        (!url.is_empty()).then_some(Self { url, line, column })
    }

    /// The path of the script below a folder of the server, if it is in there: `origin` is that of the page, and a path is one
    /// of that, too.
    pub(crate) fn within(&self, origin: &str, folder: &str) -> Option<&'s str> {
        self.url.strip_prefix(origin).unwrap_or(self.url).strip_prefix(folder)
    }
}

/// A number that counts from 1.
fn count(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_plain && *number > 0)
}

#[cfg(test)]
mod tests {
    use super::{MOST_CALLS, calls};

    /// The calls in a short form.
    fn read(stack: &str, message: &str) -> Vec<String> {
        let call = |call: &super::Call<'_>| {
            let at = call.at.map_or_else(String::new, |at| format!(" {}|{}|{}", at.url, at.line, at.column));
            format!("{}{at}", call.name)
        };
        calls(stack, message).iter().map(call).collect()
    }

    #[test]
    fn chromium_writes_names_and_places_in_brackets() {
        let stack = "TypeError: x is not a function\n    at Table (http://localhost:5173/__portalgen/entry.js:8:31)\n    \
                     at Array.map (<anonymous>)\n    at Object.render [as y] (/__portalgen/update.js?1f:2:3)\n    \
                     at async http://[::1]:1/a.js:4:5\n    at async load (http://h/a.js:6:7)\n    at new Promise (<anonymous>)\n    \
                     at http://h/b.js:9:10\n    at eval (eval at run (http://h/a.js:1:2), <anonymous>:3:4)\n    at div\n    \
                     at async Promise.all (index 0)";
        assert_eq!(
            read(stack, "TypeError: x is not a function"),
            [
                "Table http://localhost:5173/__portalgen/entry.js|8|31",
                "Array.map",
                "Object.render [as y] /__portalgen/update.js?1f|2|3",
                " http://[::1]:1/a.js|4|5",
                "async load http://h/a.js|6|7",
                "new Promise",
                " http://h/b.js|9|10",
                "eval eval at run (http://h/a.js:1:2), <anonymous>|3|4",
                "div",
                "async Promise.all",
            ]
        );
    }

    #[test]
    fn firefox_and_safari_write_names_in_front_of_an_at_sign() {
        let stack = "Table@http://localhost:5173/__portalgen/page/1f.js:8:31\n@http://h/@scope/a.js:1:2\nasync*load@http://h/a.js:3:4\n\
                     setTimeout handler*later/<@http://h/a.js:5:6\nrun@http://h/a.js line 5 > eval:7:8\n\
                     map@[native code]\nhttp://h/a.js:9:10\nmodule code@http://h/a.js:11:12\ndiv@unknown:0:0\n";
        assert_eq!(
            read(stack, "x is not a function"),
            [
                "Table http://localhost:5173/__portalgen/page/1f.js|8|31",
                " http://h/@scope/a.js|1|2",
                "load http://h/a.js|3|4",
                "later/< http://h/a.js|5|6",
                "run http://h/a.js line 5 > eval|7|8",
                "map",
                " http://h/a.js|9|10",
                "module code http://h/a.js|11|12",
            ]
        );
    }

    #[test]
    fn lines_of_the_message_are_no_calls() {
        let stack = "Error: no\n    at home (http://h/a.js:1:2)\n    at work (http://h/a.js:3:4)";
        assert_eq!(read(stack, "no\n    at home (http://h/a.js:1:2)"), ["work http://h/a.js|3|4"]);
        // What is no message of this stack stands in no first line.
        assert_eq!(read(stack, "work").len(), 2);
        assert_eq!(read("render@http://h/a.js:1:2\nwork@http://h/a.js:3:4", "render").len(), 2);
    }

    #[test]
    fn numbers_that_are_none_make_no_place() {
        for place in ["-1:2", "1:-2", "0:1", "1:0", "99999999999:1", "1:99999999999", "+1:2", "1", "x:1", ":", "1e3:1"]
        {
            let stack = format!("    at f (http://h/a.js:{place})\nf@http://h/a.js:{place}");
            assert!(calls(&stack, "").iter().all(|call| call.at.is_none()), "{place}");
        }
        assert_eq!(read("    at f (:1:2)\n@:1:2\n@\n(\n)\nat \n at ()", ""), ["f", "()"]);
    }

    #[test]
    fn stacks_without_an_end_are_cut() {
        let many = "    at f (http://h/a.js:1:2)\n".repeat(40_000);
        assert!(many.len() > 1 << 20);
        assert_eq!(calls(&many, "").len(), MOST_CALLS);
        let long = format!("    at {} (http://h/a.js:1:2)\n    at g (http://h/a.js:3:4)", "f".repeat(1 << 20));
        assert_eq!(read(&long, ""), ["g http://h/a.js|3|4"]);
        assert_eq!(calls(&"@".repeat(1 << 20), ""), []);
    }

    #[test]
    fn only_scripts_of_the_server_are_within_its_folder() {
        let within = |url: &str| {
            let stack = format!("    at f ({url}:1:2)");
            calls(&stack, "")[0].at.and_then(|at| at.within("http://h:1", "/base/__portalgen/").map(ToOwned::to_owned))
        };
        assert_eq!(within("http://h:1/base/__portalgen/entry.js").as_deref(), Some("entry.js"));
        assert_eq!(within("/base/__portalgen/update.js?1f").as_deref(), Some("update.js?1f"));
        for other in [
            "http://h:12/base/__portalgen/entry.js",
            "https://h:1/base/__portalgen/entry.js",
            "http://evil.test/base/__portalgen/entry.js",
            "http://evil.test/http://h:1/base/__portalgen/entry.js",
            "chrome-extension://h:1/base/__portalgen/entry.js",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "/etc/passwd",
            "http://h:1/__portalgen/entry.js",
            "/base/../base/__portalgen/entry.js",
            "eval at x (http://h:1/base/__portalgen/entry.js:1:2), <anonymous>",
        ] {
            assert_eq!(within(other), None, "{other}");
        }
    }
}
