//! Errors of pages: what a browser says of one, with the places in the sources that its scripts came from.

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    packages,
    text::{Language, Text, text},
};
use portalgen_bundle::HotGraph;

use super::{
    Event,
    document::OWN,
    sent::{Found, SentScripts},
    state::DevPortal,
};
use crate::{
    content::ClientId,
    messages::{Cause, Origin, PageError, ServerMessage},
    problems::{self, Difference, Frame, Position, Problem},
    stack::{self, Call},
};

/// What renders pages. It is not to blame for what it is given.
const RENDERERS: [&str; 5] = ["react", "react-dom", "react-router", "react-router-dom", "scheduler"];

/// Functions of React's by which it begins to render, to compare or to call. What called these had something else in mind.
const BEGINNINGS: [&str; 5] = [
    "react_stack_bottom_frame",
    "react-stack-bottom-frame",
    "renderWithHooks",
    "performUnitOfWork",
    "performWorkOnRoot",
];

/// So many characters of a name, and of a message, are shown.
const LONGEST_NAME: usize = 200;
const LONGEST_MESSAGE: usize = 20_000;

impl DevPortal {
    /// An error of a page: the page shows it with its places, and the terminal has it as well.
    pub(super) fn failed(&self, client: ClientId, error: &PageError) {
        let folder = format!("{}{OWN}", self.base());
        let (graph, sent) = (self.graph(), self.sent());
        let failure =
            Failure::of(error, &Reader { graph: &graph, sent: &sent, origin: &error.origin, folder: &folder });
        drop((graph, sent));
        (self.tell)(Event::Failed(failure.told(error)));
        let problem = failure.shown(error, self.project.language);
        self.name_places(&problem);
        self.send(client, &ServerMessage::Problems { of: Origin::Page, problems: vec![problem] });
    }
}

/// Reads stacks of a page.
struct Reader<'a> {
    graph: &'a HotGraph,
    sent: &'a SentScripts,
    /// The origin of the page.
    origin: &'a str,
    /// The folder of the server in addresses.
    folder: &'a str,
}

/// A call on a stack, with what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Located {
    name: String,
    place: Option<Place>,
    /// Whether the code at the place is that of now.
    is_newest: bool,
}

impl Reader<'_> {
    /// The calls of a stack, without those of the server's own scripts.
    fn read(&self, stack: &str, message: &str) -> Vec<Located> {
        stack::calls(stack, message).iter().filter_map(|call| self.locate(call)).collect()
    }

    fn locate(&self, Call { name, at }: &Call<'_>) -> Option<Located> {
        let named = |place, is_newest| Some(Located { name: cut(name, LONGEST_NAME), place, is_newest });
        let Some((script, at)) = at.and_then(|at| Some((at.within(self.origin, self.folder)?, at))) else {
            return named(None, false);
        };
        if script == "client.js" {
            return None;
        }
        match self.sent.find(self.graph, script, at.line - 1, at.column - 1) {
            Found::Written { place, .. } if portalgen_bundle::is_virtual(&place.source.name) => None,
            Found::Written { place, is_newest } => named(Some(marked(&place)), is_newest),
            Found::Added => None,
            Found::Unknown => named(None, false),
        }
    }
}

/// An error of a page with its places.
struct Failure {
    /// The code to look at.
    place: Option<Place>,
    stack: Vec<Located>,
    components: Vec<Located>,
    causes: Vec<(String, Vec<Located>)>,
}

impl Failure {
    fn of(error: &PageError, reader: &Reader<'_>) -> Self {
        let whole = |stack: &Option<String>| stack.as_deref().map(|stack| reader.read(stack, "")).unwrap_or_default();
        let stack = reader.read(&error.stack, plain(&error.message));
        let owners: Vec<Located> = whole(&error.owner_stack);
        let components: Vec<Located> = whole(&error.component_stack);
        let cause =
            |Cause { message, stack }: &Cause| (cut(message, LONGEST_MESSAGE), reader.read(stack, plain(message)));
        let place = place_to_mend(&stack, &owners, &components);
        // Owners say where each component is asked for; what is around may only pass it on.
        let components = if owners.iter().any(is_of_site) { owners } else { components };
        let components = components.into_iter().filter(|component| component.place.is_some()).collect();
        Self { place, stack, components, causes: error.causes.iter().map(cause).collect() }
    }

    /// For the terminal.
    fn told(&self, error: &PageError) -> Diagnostic {
        let message = Text::verbatim(cut(&error.message, LONGEST_MESSAGE));
        let message = self.causes.iter().fold(message, |sentence, (cause, _)| {
            text!("{sentence}, caused by {cause}", "{sentence}，起因是 {cause}", sentence)
        });
        let route = match error.route.as_str() {
            "" => text!("the not-found page", "“页面不存在”页"),
            route => Text::verbatim(route),
        };
        let message =
            text!("{route} failed in the browser: {message}", "{route} 在浏览器里出错：{message}", route, message);
        let diagnostic = match error.severity.as_str() {
            "error" => Diagnostic::error(message),
            _ => Diagnostic::warning(message),
        };
        let diagnostic = diagnostic.at_known(self.place.clone()).with_hints(hook_hint(&error.message));
        diagnostic.with_hints(error.difference.iter().flat_map(both_sides))
    }

    /// For the page.
    fn shown(self, error: &PageError, language: Language) -> Problem {
        let base = Problem::of(&self.told(error), language, Some(&error.route));
        let cause = |(message, stack): (String, Vec<Located>)| problems::Cause {
            message,
            stack: stack.iter().map(frame).collect(),
        };
        Problem {
            id: cut(&error.id, LONGEST_NAME),
            severity: severity(&error.severity),
            message: cut(&error.message, LONGEST_MESSAGE),
            // The page shows both sides of a difference by itself.
            hints: if error.difference.is_some() { Vec::new() } else { base.hints.clone() },
            stack: self.stack.iter().map(frame).collect(),
            components: self.components.iter().map(frame).collect(),
            causes: self.causes.into_iter().map(cause).collect(),
            difference: error.difference.clone(),
            ..base
        }
    }
}

/// The innermost call in the site's own modules: a mistake shows in a package, but is made outside. React complains of what it
/// was given in the middle of its own work; then a component has given it.
fn place_to_mend(stack: &[Located], owners: &[Located], components: &[Located]) -> Option<Place> {
    let end = stack.iter().position(begins).unwrap_or(stack.len());
    let exact = innermost(&stack[..end]).or_else(|| giver(owners, components));
    let exact = exact.and_then(|call| call.place.clone());
    exact.or_else(|| declaration(innermost(components)?)).or_else(|| innermost(&stack[end..])?.place.clone())
}

/// Where a component has given React something. Of children that are no elements, React knows no more than the component, and
/// the first owner is that of the component. Of elements that were there before an update, it remembers where the old code was.
fn giver<'l>(owners: &'l [Located], components: &[Located]) -> Option<&'l Located> {
    let component = innermost(components);
    let is_of = |owner: &&Located| component.is_none_or(|component| base_name(owner) == base_name(component));
    innermost(owners).filter(|owner| owner.is_newest).filter(is_of)
}

/// Where a component is declared, if it is called there as in stacks: these have some place in it.
fn declaration(component: &Located) -> Option<Place> {
    let place = component.place.as_ref()?;
    Some(place.declaration_before(base_name(component)).unwrap_or_else(|| place.clone()))
}

fn innermost(calls: &[Located]) -> Option<&Located> {
    calls.iter().find(|call| is_of_site(call))
}

/// `Object.Table`
fn base_name(Located { name, .. }: &Located) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn is_of_site(call: &Located) -> bool {
    call.place.as_ref().is_some_and(|place| portalgen_bundle::is_of_site(&place.source.name))
}

/// Whether React begins some work by a call.
fn begins(call: &Located) -> bool {
    let package = call.place.as_ref().and_then(|place| packages::package_of(&place.source.name));
    package.is_some_and(|package| RENDERERS.contains(&package))
        && BEGINNINGS.iter().any(|name| call.name.contains(name))
}

fn frame(Located { name, place, .. }: &Located) -> Frame {
    let package = place.as_ref().and_then(|place| packages::package_of(&place.source.name));
    Frame { name: name.clone(), package: package.map(ToOwned::to_owned), place: place.as_ref().map(Position::of) }
}

fn severity(told: &str) -> &'static str {
    match told {
        "error" => "error",
        "note" => "note",
        _ => "warning",
    }
}

/// What the terminal says of a difference.
fn both_sides(Difference { server, client, .. }: &Difference) -> [Text; 2] {
    [text!("prerendered: {server}", "预渲染：{server}"), text!("in the browser: {client}", "浏览器：{client}")]
}

/// What is wrong where a hook finds no component at work: React says no more than that something is null, each browser in its
/// own words.
fn hook_hint(message: &str) -> Option<Text> {
    let is_of_word = |c: char| c.is_ascii_alphanumeric();
    let is_hook = |word: &&str| word.strip_prefix("use").is_some_and(|name| name.starts_with(char::is_uppercase));
    let hook = message.split(|c| !is_of_word(c)).find(is_hook)?;
    let is_of_null = message.starts_with("TypeError: ") && message.contains("null");
    is_of_null.then(|| portalgen_build::pipeline::outside_of_component(hook))
}

/// A message without the name of the error, by which a stack may call it otherwise.
fn plain(message: &str) -> &str {
    message.split_once(": ").map_or(message, |(_, message)| message)
}

/// A place with the word that begins there.
fn marked(place: &Place) -> Place {
    let start = place.span.start;
    let rest = place.source.text.get(start..).unwrap_or_default();
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let word = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
    let width = if word == 0 { rest.chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8) } else { word };
    Place::new(&place.source, start..start + width)
}

/// The first characters of a text.
fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use portalgen_base::{diagnostic::SourceText, text::Language};

    use super::{
        super::sent::{
            SentScripts,
            tests::{graph, line_of},
        },
        Failure, Located, Place, Reader, place_to_mend,
    };
    use crate::{messages::PageError, problems::Problem};

    const ORIGIN: &str = "http://localhost:5173";
    const FOLDER: &str = "/__portalgen/";

    fn call(name: &str, file: &str) -> Located {
        let source = SourceText::new(file, format!("function {name}() {{}}\n"));
        let place = Place::new(&source, 0..0);
        Located { name: name.to_owned(), place: Some(place), is_newest: true }
    }

    fn react(name: &str) -> Located {
        call(name, "site/node_modules/react-dom/cjs/react-dom-client.development.js")
    }

    /// The file that is to be looked at.
    fn mended(stack: &[Located], owners: &[Located], components: &[Located]) -> Option<String> {
        place_to_mend(stack, owners, components).map(|place| place.source.name.clone())
    }

    #[test]
    fn the_place_is_the_innermost_call_of_the_site() {
        let lodash = call("map", "site/node_modules/lodash/map.js");
        let stack = [lodash, call("rows", "site/rows.ts"), call("Table", "site/Table.tsx"), react("renderWithHooks")];
        assert_eq!(mended(&stack, &[call("Home", "site/Home.tsx")], &[]).as_deref(), Some("site/rows.ts"));
    }

    #[test]
    fn what_react_complains_of_is_the_component_that_gave_it() {
        let stack = [react("throwOnInvalidObjectType"), react("performUnitOfWork"), call("onClick", "site/Button.tsx")];
        let [table, home] = [call("Table", "site/Table.tsx"), call("Home", "site/Home.tsx")];
        let owners = |owner: &Located| [owner.clone()];
        assert_eq!(mended(&stack, &owners(&table), &owners(&table)).as_deref(), Some("site/Table.tsx"));
        // The owner is that of the component.
        assert_eq!(mended(&stack, &owners(&home), &owners(&table)).as_deref(), Some("site/Table.tsx"));
        // The owner was asked in code that is gone.
        let gone = Located { is_newest: false, ..call("Table", "site/Old.tsx") };
        assert_eq!(mended(&stack, &[gone], &owners(&table)).as_deref(), Some("site/Table.tsx"));
        assert_eq!(mended(&stack, &[], &[]).as_deref(), Some("site/Button.tsx"));
        assert_eq!(mended(&stack[..2], &[], &[]), None);
    }

    #[test]
    fn hooks_are_called_by_components() {
        let hook = call("useState", "site/node_modules/react/cjs/react.development.js");
        let stack = [react("updateReducer"), hook, call("Table", "site/Table.tsx"), react("react_stack_bottom_frame")];
        assert_eq!(mended(&stack, &[call("Home", "site/Home.tsx")], &[]).as_deref(), Some("site/Table.tsx"));
    }

    fn error(message: &str, stack: &str) -> PageError {
        let error = serde_json::json!({
            "id": "e1", "kind": "error", "severity": "error", "message": message, "stack": stack, "route": "/",
            "origin": ORIGIN, "causes": [{ "message": "why", "stack": stack }],
        });
        serde_json::from_value(error).expect("an error")
    }

    /// What a page is told of an error of `entry.ts`, where `AT` in the stack is the line with `here`, and its column.
    fn told(message: &str, stack: &str) -> Problem {
        let graph =
            graph(&[("entry.ts", "function broken() {\n  here();\n}\nbroken();\ndeclare function here(): void;")]);
        let mut sent = SentScripts::default();
        let code = sent.serve("entry.js", graph.entry_script(), "/");
        let line = line_of(&code, "here();");
        let column = code.lines().nth(line as usize).and_then(|line| line.find("here")).expect("a column");
        let stack = stack.replace("AT", &format!("{}:{}", line + 1, column + 1));
        let error = error(message, &stack);
        let reader = Reader { graph: &graph, sent: &sent, origin: ORIGIN, folder: FOLDER };
        Failure::of(&error, &reader).shown(&error, Language::English)
    }

    #[test]
    fn places_are_found_in_the_stacks_of_all_browsers() {
        for stack in [
            "TypeError: no\n    at broken (http://localhost:5173/__portalgen/entry.js:AT)\n    at <anonymous>",
            "broken@http://localhost:5173/__portalgen/entry.js:AT\n",
            "broken@http://localhost:5173/__portalgen/entry.js:AT\nmodule code@\n[native code]",
            "    at broken (/__portalgen/entry.js:AT)",
        ] {
            let problem = told("TypeError: no", stack);
            let place = problem.place.as_ref().expect("a place");
            assert_eq!((place.file.as_str(), place.line, place.column), ("entry.ts", 2, 3), "{stack}");
            let excerpt = problem.excerpt.as_ref().expect("an excerpt");
            assert_eq!(excerpt.lines[1], "  here();");
            assert_eq!((excerpt.from.column, excerpt.to.column), (3, 7));
            assert_eq!(problem.stack[0].name, "broken");
            assert_eq!(problem.causes[0].stack[0].place, problem.stack[0].place);
            // All of them can be opened.
            let names: Vec<&str> = problem.places().map(|(name, _)| name).collect();
            assert!(names.contains(&"e1") && names.contains(&place.id.as_str()), "{names:?}");
        }
    }

    #[test]
    fn hooks_outside_of_components_are_told_in_the_words_of_all_browsers() {
        for message in [
            "TypeError: Cannot read properties of null (reading 'useState')",
            "TypeError: can't access property \"useState\", resolveDispatcher() is null",
            "TypeError: null is not an object (evaluating 'resolveDispatcher().useState')",
        ] {
            assert!(told(message, "").hints[0].contains("`useState` was called outside"), "{message}");
        }
        for message in ["TypeError: Cannot read properties of null (reading 'used')", "Error: useState is null", "null"]
        {
            assert_eq!(told(message, "").hints, Vec::<String>::new(), "{message}");
        }
    }

    #[test]
    fn nothing_is_believed_of_a_stack() {
        let long = "    at f (http://localhost:5173/__portalgen/entry.js:1:1)\n".repeat(20_000);
        for stack in [
            long.as_str(),
            "    at broken (http://evil.test/__portalgen/entry.js:AT)",
            "    at broken (http://localhost:5174/__portalgen/entry.js:AT)",
            "    at broken (file:///etc/passwd:1:1)",
            "    at broken (javascript:here:1:1)",
            "    at broken (http://localhost:5173/__portalgen/../entry.ts:2:3)",
            "    at broken (http://localhost:5173/__portalgen/%2e%2e/entry.js:AT)",
            "    at broken (http://localhost:5173/__portalgen/entry.js?0123456789abcdef:AT)",
            "    at broken (http://localhost:5173/__portalgen/entry.js:-2:3)",
            "    at broken (http://localhost:5173/__portalgen/entry.js:1000000000:1)",
            "    at broken (http://localhost:5173/__portalgen/entry.js:4294967296:1)",
            "    at broken (http://localhost:5173/__portalgen/entry.js:0:0)",
            "\u{0}@\u{0}:1:1",
        ] {
            let problem = told("no", stack);
            assert_eq!(problem.place, None, "{}", &stack[..stack.len().min(80)]);
            assert!(problem.stack.iter().all(|frame| frame.place.is_none()));
            assert_eq!(problem.places().count(), 0);
        }
        let problem = told(&"x".repeat(1 << 20), "");
        assert_eq!(problem.message.len(), super::LONGEST_MESSAGE);
    }
}
