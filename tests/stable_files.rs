//! What an edit changes: the files of what was edited and those that name them, and no others. Visitors keep everything else.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use crate::support::project::{Project, Tree};

const PAGES: usize = 60;

/// A portal of articles, whose pages share a component and a sheet, some of them a second component, and some a lazy part.
struct Portal {
    project: Project,
    /// For each article, the lines of its route.
    routes: BTreeMap<usize, String>,
    target: &'static str,
}

impl Portal {
    fn new() -> Self {
        let project = Project::new(&[
            ("site/package.json", "{}"),
            (
                "site/layout.tsx",
                "import type { ReactNode } from \"react\";\nimport { Link } from \"react-router-dom\";\n\
                 import { Stamp } from \"./components/Stamp\";\nimport \"./base.css\";\n\
                 export default function Layout({ children }: { children: ReactNode }) {\n  \
                 return <main><Link to=\"/\">Home</Link><Stamp of=\"layout\" />{children}</main>;\n}\n",
            ),
            ("site/base.css", "main { margin: 0 }\n"),
            ("site/pages/index.tsx", "export default () => <h1>Home</h1>;\n"),
            (
                "site/components/Stamp.tsx",
                "export function Stamp({ of }: { of: string }) {\n  return <small>{of}</small>;\n}\n",
            ),
            (
                "site/components/Article.tsx",
                "import { Link } from \"react-router-dom\";\nimport { Stamp } from \"./Stamp\";\nimport \"./Article.css\";\n\
                 export function Article({ title, next }: { title: string; next: string }) {\n  \
                 return <article><h1>{title}</h1><Stamp of={title} /><Link to={next}>next</Link></article>;\n}\n",
            ),
            ("site/components/Article.css", "article { color: navy }\n"),
            ("site/components/Aside.tsx", "export const Aside = () => <aside>beside</aside>;\n"),
            ("site/components/Part.tsx", "export default () => <p>a part</p>;\n"),
        ]);
        let mut portal = Self { project, routes: BTreeMap::new(), target: "/?from=login" };
        (0..PAGES).for_each(|number| portal.add(number));
        portal.write_routes("");
        portal
    }

    fn add(&mut self, number: usize) {
        self.routes.insert(number, format!("path = \"/articles/{number}\"\ntitle = \"Article {number}\"\n"));
        self.write_page(number, "");
        self.write_data(number, "words");
    }

    /// Writes the page of an article; `more` stands before its component.
    fn write_page(&self, number: usize, more: &str) {
        let aside = if number.is_multiple_of(5) { "import { Aside } from \"../../components/Aside\";\n" } else { "" };
        let lazy = "import { lazy } from \"react\";\nconst Part = lazy(() => import(\"../../components/Part\"));\n";
        let (lazy, part) = if number.is_multiple_of(7) { (lazy, "<Part />") } else { ("", "") };
        let beside = if aside.is_empty() { "" } else { "<Aside />" };
        let page = format!(
            "import {{ Article }} from \"../../components/Article\";\n{aside}{lazy}import data from \"./{number}.json\";\n\
             {more}export default () => <><Article {{...data}} />{beside}{part}</>;\n"
        );
        self.project.write(&format!("site/pages/articles/{number}.tsx"), &page);
    }

    fn write_data(&self, number: usize, words: &str) {
        let data = format!("{{ \"title\": \"{words} of {number}\", \"next\": \"/\" }}\n");
        self.project.write(&format!("site/pages/articles/{number}.json"), &data);
    }

    fn write_routes(&self, comment: &str) {
        let mut text = format!("{comment}[portal]\norigin = \"https://www.acme.example\"\n");
        text.push_str("[[route]]\npath = \"/\"\n");
        for route in self.routes.values() {
            let _ = write!(text, "[[route]]\n{route}");
        }
        let _ = write!(text, "[[route]]\npath = \"/login\"\ntitle = \"Login\"\nredirect = \"{}\"\n", self.target);
        self.project.write("routes.toml", &text);
    }

    fn build(&self) -> Tree {
        let outcome = self.project.build(&[]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let mut files = self.project.published();
        // What describes the whole build changes with everything.
        files.retain(|path, _| !path.starts_with(".portalgen/"));
        files
    }
}

/// Paths that are not the same in two builds.
fn changed(before: &Tree, after: &Tree) -> BTreeSet<String> {
    let paths = before.keys().chain(after.keys());
    paths.filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

/// A sequence of numbers that looks like chance, and is the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below
    }
}

/// Makes one of many kinds of edits, and tells which files it may change: what their paths may contain.
fn edit(portal: &mut Portal, round: usize, numbers: &mut Numbers) -> (String, Vec<String>) {
    let number = *portal.routes.keys().nth(numbers.next(portal.routes.len())).unwrap();
    let page = vec![format!("articles/{number}/"), format!("assets/{number}-")];
    let document = vec![format!("articles/{number}/")];
    let new = PAGES + round;
    match round % 10 {
        0 => {
            portal.write_data(number, &format!("edited {round}"));
            (format!("a word of the data of {number}"), page)
        }
        1 => {
            portal.write_page(number, &format!("export const round = {round};\n"));
            (format!("another export of {number}"), page)
        }
        2 => {
            let title = format!("path = \"/articles/{number}\"\ntitle = \"Title {round}\"\n");
            portal.routes.insert(number, title);
            portal.write_routes("");
            (format!("the title of {number}"), document)
        }
        3 => {
            portal.add(new);
            portal.write_routes("");
            (format!("{new} is new"), vec![format!("articles/{new}/"), format!("assets/{new}-"), "sitemap".to_owned()])
        }
        4 => {
            portal.routes.remove(&number);
            portal.write_routes("");
            // Addresses that were published stay known to routes.lock.
            portal.project.remove("routes.lock");
            (format!("{number} is gone"), [page, vec!["sitemap".to_owned()]].concat())
        }
        5 => {
            portal
                .project
                .write(&format!("site/pages/articles/{number}.css"), &format!("h1 {{ margin: {round}px }}\n"));
            portal.write_page(number, &format!("import \"./{number}.css\";\n"));
            (format!("a style sheet of {number}"), page)
        }
        6 => {
            portal.target = if round % 20 == 6 { "/?from=sign" } else { "/?from=login" };
            portal.write_routes("");
            ("the target of the redirect".to_owned(), vec!["login/".to_owned()])
        }
        7 => {
            portal.write_routes(&format!("# Comment {round}\n\n"));
            ("a comment in routes.toml".to_owned(), Vec::new())
        }
        8 => {
            portal.write_page(
                number,
                "import { Stamp } from \"../../components/Stamp\";\nexport const stamp = <Stamp of=\"x\" />;\n",
            );
            (format!("{number} uses what the layout uses"), page)
        }
        _ => {
            portal.write_page(number, "// Only a comment.\n");
            (format!("a comment in {number}"), page)
        }
    }
}

#[test]
fn an_edit_changes_the_files_of_what_was_edited() {
    let mut portal = Portal::new();
    let mut before = portal.build();
    let mut numbers = Numbers(14);
    let mut contents: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for round in 0..50 {
        let (what, allowed) = edit(&mut portal, round, &mut numbers);
        let after = portal.build();
        let changed = changed(&before, &after);
        let is_allowed = |path: &&String| allowed.iter().any(|part| path.contains(part.as_str()));
        let others: Vec<&String> = changed.iter().filter(|path| !is_allowed(path)).collect();
        assert!(others.is_empty(), "{what} changes {others:?}");
        assert!(changed.len() <= 12, "{what} changes {changed:?}");
        for (path, bytes) in after.iter().filter(|(path, _)| path.starts_with("assets/")) {
            let known = contents.entry(path.clone()).or_insert_with(|| bytes.clone());
            assert!(known == bytes, "{what}: {path} is called as before, and is something else");
        }
        before = after;
    }
}

#[test]
fn no_chunk_of_a_page_leads_to_another_page() {
    let files = Portal::new().build();
    let scripts: BTreeMap<&str, String> = files
        .iter()
        .filter(|(path, _)| path.starts_with("assets/") && path.ends_with(".js"))
        .map(|(path, bytes)| (path.strip_prefix("assets/").unwrap(), String::from_utf8_lossy(bytes).into_owned()))
        .collect();
    let number_of = |name: &str| name.split_once('-')?.0.parse::<usize>().ok();
    let pages: Vec<&str> = scripts.keys().copied().filter(|name| number_of(name).is_some()).collect();
    assert_eq!(pages.len(), PAGES);
    for start in pages.iter().chain(scripts.keys().filter(|name| name.starts_with("portal-"))) {
        let mut reached = BTreeSet::from([*start]);
        let mut stack = vec![*start];
        while let Some(name) = stack.pop() {
            let named = scripts.keys().copied().filter(|other| scripts[name].contains(*other));
            for other in named.collect::<Vec<_>>() {
                if reached.insert(other) {
                    stack.push(other);
                }
            }
        }
        let others: Vec<_> = reached.iter().filter(|name| *name != start && number_of(name).is_some()).collect();
        assert!(others.is_empty(), "{start} leads to {others:?}");
    }
}

/// A portal of so many pages of which the first `users` use a component with a sheet.
fn with_component(users: usize, script: &str, sheet: &str, css: &str) -> Tree {
    let project = Project::new(&[
        ("site/package.json", "{}"),
        ("site/layout.tsx", "import \"./base.css\";\nexport default ({ children }) => <main>{children}</main>;\n"),
        ("site/base.css", "@layer component;\nmain { margin: 0 }\n"),
        ("site/Shared.tsx", script),
        (sheet, css),
    ]);
    let mut routes = String::new();
    for number in 0..8 {
        let used =
            if number < users { "import { Shared } from \"../Shared\";\n" } else { "const Shared = () => null;\n" };
        let page = format!(
            "{used}import \"./{number}.css\";\nexport default () => <h1 id=\"p{number}\"><Shared />page</h1>;\n"
        );
        project.write(&format!("site/pages/p{number}.tsx"), &page);
        project.write(&format!("site/pages/{number}.css"), &format!("#p{number} {{ color: red }}\n"));
        let path = if number == 0 { String::new() } else { number.to_string() };
        let _ = write!(routes, "[[route]]\npath = \"/{path}\"\ncomponent = \"pages/p{number}.tsx\"\n");
    }
    project.write("routes.toml", &routes);
    let outcome = project.build(&[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    project.published()
}

/// How many scripts and style sheets the home page links.
fn linked(files: &Tree) -> (usize, usize) {
    let html = String::from_utf8_lossy(&files["index.html"]);
    (html.matches("modulepreload").count(), html.matches("rel=\"stylesheet\"").count())
}

#[test]
fn what_is_small_and_needed_by_many_pages_is_no_file_of_its_own() {
    let module = "site/Shared.module.css";
    let script =
        "import styles from \"./Shared.module.css\";\nexport const Shared = () => <b className={styles.a}>s</b>;\n";
    let css = "@layer component { .a { color: navy } }\n";
    let merged = with_component(6, script, module, css);
    assert_eq!(linked(&merged), (3, 2), "packages, shared code and the page; the portal's sheet and the page's");
    let has_own_file =
        |files: &Tree| files.keys().any(|path| path.starts_with("assets/Shared-") && path.ends_with(".js"));
    assert!(!has_own_file(&merged));
    let has_own_sheet = |files: &Tree, why: &str| assert_eq!(linked(files), (3, 3), "{why}");
    let long = format!("{css}.b {{ animation-name: {} }}\n", "x".repeat(3000));
    has_own_sheet(&with_component(2, script, module, &long), "few pages, many bytes");
    let plain = "import \"./shared.css\";\nexport const Shared = () => <b className=\"a\">s</b>;\n";
    has_own_sheet(&with_component(6, plain, "site/shared.css", css), "its rules may mean something on other pages");
    let global = "@layer component { .a { color: navy } b { color: navy } }\n";
    has_own_sheet(&with_component(6, script, module, global), "one of its rules does");
    let layer = "@layer another { .a { color: navy } }\n";
    has_own_sheet(&with_component(6, script, module, layer), "it would decide about the order of layers");
    let effect = format!("globalThis.shared = true;\n{script}");
    assert!(has_own_file(&with_component(6, &effect, module, css)), "its evaluation changes something");
}
