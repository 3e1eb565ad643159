//! Pages of earlier builds, in a store that outlives the session.

use std::{path::Path, sync::Arc};

use portalgen_base::{
    source::Disk,
    store::{Bounds, Kind, Store},
};
use portalgen_build::pipeline::{self, Session};

use crate::support::{
    project::Project,
    stages::{on_deep_stacks, options},
};

const PAGES: [&str; 4] = ["index", "about", "team", "terms"];

fn portal() -> Project {
    let route = |page: &&str| {
        let path = if *page == "index" { "" } else { *page };
        format!("[[route]]\npath = \"/{path}\"\ntitle = \"{page}\"\ncomponent = \"pages/{page}.tsx\"\n")
    };
    let project = Project::new(&[
        ("routes.toml", &PAGES.iter().map(route).collect::<String>()),
        ("site/layout.tsx", "export default ({ children }) => <main>{children}</main>;\n"),
        ("site/Card.tsx", "export const Card = () => <p>card</p>;\n"),
        ("site/Part.tsx", "export default () => <p>part</p>;\n"),
        ("site/pages/index.tsx", "export default () => <h1>home</h1>;\n"),
        ("site/pages/about.tsx", "import { Card } from \"../Card\";\nexport default () => <h1>about<Card /></h1>;\n"),
        ("site/pages/team.tsx", "import { Card } from \"../Card\";\nexport default () => <h1>team<Card /></h1>;\n"),
        (
            "site/pages/terms.tsx",
            "import { lazy, Suspense } from \"react\";\nconst Part = lazy(() => import(\"../Part\"));\n\
             export default () => <h1>terms<Suspense><Part /></Suspense></h1>;\n",
        ),
    ]);
    project.write("routes.toml", &format!("[portal]\nlang = \"en\"\n{}", routes(&project)));
    project
}

fn routes(project: &Project) -> String {
    std::fs::read_to_string(project.path("routes.toml")).unwrap()
}

/// What a build in a process of its own does: how many pages it renders, the documents, and what it says.
fn build(project: &Project, folder: &Path) -> (usize, Vec<(String, String)>, Vec<String>) {
    let options = options(project);
    let mut session = Session::new(Arc::new(Disk::of_project(&options.root)));
    session.store = Arc::new(Store::open(folder, "a program", Bounds::default()));
    let build = on_deep_stacks(|| pipeline::build(&session, &options));
    let count = session.store.count(Kind::Pages);
    session.store.save();
    let build = match build {
        Ok(build) => build,
        Err(diagnostics) => {
            return (count, Vec::new(), diagnostics.iter().map(|found| found.message.english().to_owned()).collect());
        }
    };
    let documents = build.output.iter().filter(|(path, _)| path.ends_with(".html"));
    let documents = documents.map(|(path, file)| (path.clone(), file.content.text().into_owned()));
    let place = |found: &portalgen_base::diagnostic::Diagnostic| found.place.as_ref().map(ToString::to_string);
    let said = build.warnings.iter().map(|found| format!("{} {:?}", found.message.english(), place(found)));
    (count, documents.collect(), said.collect())
}

#[test]
fn a_build_renders_what_is_made_of_something_else() {
    let (project, store) = (portal(), tempfile::tempdir().unwrap());
    let rendered = |what: &str, expected: usize| {
        let (count, documents, _) = build(&project, store.path());
        assert_eq!(count, expected, "{what}");
        let clean = tempfile::tempdir().unwrap();
        assert!(
            build(&project, clean.path()).1 == documents,
            "{what}: documents are not those of a build without results"
        );
    };
    rendered("everything is new, the not-found page as well", PAGES.len() + 1);
    rendered("nothing has changed", 0);
    project.write("routes.toml", &routes(&project).replace("title = \"team\"", "title = \"The team\""));
    rendered("a title", 0);
    project.write("site/pages/index.tsx", "export default () => <h1>home again</h1>;\n");
    rendered("a page", 1);
    project.write("site/Card.tsx", "export const Card = () => <p>another card</p>;\n");
    rendered("what two pages import", 2);
    project.write("site/Part.tsx", "export default () => <p>another part</p>;\n");
    rendered("what a page loads later", 1);
    project.write("site/layout.tsx", "export default ({ children }) => <main id=\"m\">{children}</main>;\n");
    rendered("what all pages are in", PAGES.len() + 1);
    project.write("site/layout.tsx", "export default ({ children }) => <main>{children}</main>;\n");
    rendered("what was there before", 0);
    let routes = routes(&project).replace("path = \"/team\"", "path = \"/people\"");
    project.write("routes.toml", &routes);
    rendered("a page at another address", 1);
}

#[test]
fn what_a_page_said_is_told_again_where_it_is_written_now() {
    let (project, store) = (portal(), tempfile::tempdir().unwrap());
    project.write("site/pages/about.tsx", "console.warn(\"careful\");\nexport default () => <h1>about</h1>;\n");
    let (_, _, first) = build(&project, store.path());
    assert!(first.iter().any(|said| said.contains("careful") && said.contains("about.tsx:1:")), "{first:?}");
    let (count, _, second) = build(&project, store.path());
    assert_eq!((count, &second), (0, &first));
    // A comment changes no code.
    project.write(
        "site/pages/about.tsx",
        "// Two\n// lines.\nconsole.warn(\"careful\");\nexport default () => <h1>about</h1>;\n",
    );
    let (count, _, third) = build(&project, store.path());
    assert_eq!(count, 0);
    assert!(third.iter().any(|said| said.contains("careful") && said.contains("about.tsx:3:")), "{third:?}");
}

#[test]
fn a_page_that_fails_is_rendered_again() {
    let (project, store) = (portal(), tempfile::tempdir().unwrap());
    project.write("site/pages/about.tsx", "export default () => { throw new Error(\"no\"); };\n");
    let (count, _, first) = build(&project, store.path());
    assert_eq!(count, PAGES.len(), "the others are kept");
    let (count, _, second) = build(&project, store.path());
    assert_eq!((count, first.is_empty(), &second), (0, false, &first));
}
