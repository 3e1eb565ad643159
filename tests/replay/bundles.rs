//! Bundles of earlier builds: they are taken as they were for as long as their modules, and whatever else the bundler has
//! looked at, are the same.

use super::{ROUTES, assert_succeeds, built, clean, install, is_replayed};
use crate::support::project::Project;

/// Builds, and tells whether the site was bundled. What is published must be what a build in a clean folder publishes.
fn is_bundled(project: &Project, edit: &str) -> bool {
    let outcome = project.build(&["--timings"]);
    assert_succeeds(&outcome);
    assert!(outcome.stderr.contains("  documents\n"), "{edit}: {}", outcome.stderr);
    assert_eq!(project.published(), clean(project), "{edit}");
    assert!(is_replayed(project, &[]), "{edit}");
    let [browser, engine] =
        ["browser", "engine"].map(|name| outcome.stderr.contains(&format!("bundle for the {name}\n")));
    assert_eq!(browser, engine, "{edit}");
    engine
}

type Edit<'a> = (&'a str, &'a dyn Fn(&Project));

#[test]
fn edits_of_no_module_leave_the_bundles() {
    let project = built();
    let edits: [Edit<'_>; 5] = [
        ("a title", &|project| project.write("routes.toml", &ROUTES.replace("\"About\"", "\"About us\""))),
        ("the language", &|project| project.write("routes.toml", &ROUTES.replace("\"en\"", "\"de\""))),
        ("a redirect", &|project| {
            let route = "\n[[route]]\npath = \"/old\"\nredirect = \"/about\"\n";
            project.write("routes.toml", &format!("{ROUTES}{route}"));
            // It writes the ledger, so the build after it is another one.
            assert_succeeds(&project.build(&[]));
            project.write("routes.toml", &format!("{ROUTES}{}", route.replace("/about", "/")));
        }),
        ("a new public file", &|project| project.write("site/public/new.txt", "new")),
        ("a public file", &|project| project.write("site/public/robots.txt", "User-agent: x\n")),
    ];
    for (name, edit) in edits {
        edit(&project);
        assert!(!is_bundled(&project, name), "{name}");
    }
}

#[test]
fn whatever_bundles_are_made_of_is_compared() {
    let project = built();
    let edits: [Edit<'_>; 11] = [
        ("a page", &|project| project.write("site/pages/index.tsx", "export default () => <h1>New</h1>;\n")),
        ("data", &|project| project.write("site/pages/about.json", "{ \"title\": \"New\" }\n")),
        ("a package that is used again", &|project| {
            project.write("site/pages/index.tsx", "export { word as default } from \"part\";\n");
            install(project, "() => 0;//");
            project.write("site/node_modules/part/index.js", "export const word = () => \"new\";\n");
        }),
        ("a file that is found first", &|project| {
            project.write("site/pages/about.tsx", "import \"../side\";\nexport default () => <h1>About</h1>;\n");
            project.write("site/side.js", "globalThis.side = 1;\n");
            assert!(is_bundled(project, "a module that runs for its effects"));
            project.write("site/side.ts", "globalThis.side = 2;\n");
        }),
        ("settings of TypeScript", &|project| {
            project.write("site/tsconfig.json", "{ \"compilerOptions\": { \"jsx\": \"react-jsx\" } }\n");
        }),
        ("a layout", &|project| {
            project.write("site/layout.tsx", "export default ({ children }) => <main>{children}</main>;\n");
        }),
        ("what a page asks of routes.toml", &|project| {
            let page = "import { lang } from \"portalgen:portal\";\nexport default () => <h1>{lang}</h1>;\n";
            project.write("site/pages/about.tsx", page);
            assert!(is_bundled(project, "a page that asks"));
            project.write("routes.toml", &ROUTES.replace("\"en\"", "\"de\""));
        }),
        ("what a worker asks of routes.toml", &|project| {
            project.write("site/worker.ts", "import { lang } from \"portalgen:portal\";\npostMessage(lang);\n");
            project.write(
                "site/pages/about.tsx",
                "const start = () => new Worker(new URL(\"../worker.ts\", import.meta.url));\n\
                 export default () => <button onClick={start}>Start</button>;\n",
            );
            assert!(is_bundled(project, "a worker that asks"));
            project.write("routes.toml", &ROUTES.replace("\"en\"", "\"fr\""));
        }),
        ("a public file that reads like a page", &|project| project.write("site/public/page", "text")),
        ("a page of its own for what is not found", &|project| {
            project.write("site/pages/lost.tsx", "export default () => <h1>Lost</h1>;\n");
            project.write("routes.toml", &format!("{ROUTES}\n[not_found]\ncomponent = \"pages/lost.tsx\"\n"));
        }),
        ("a title that a page shows", &|project| {
            project.write(
                "site/pages/about.tsx",
                "import routes from \"../../routes.toml?raw\";\nexport default () => routes;\n",
            );
            assert!(is_bundled(project, "a page that shows routes.toml"));
            project.write("routes.toml", &ROUTES.replace("\"About\"", "\"About us\""));
        }),
    ];
    for (name, edit) in edits {
        edit(&project);
        assert!(is_bundled(&project, name), "{name}");
    }
}

#[test]
fn what_bundles_were_made_of_counts_as_asked_when_they_are_taken() {
    let project = built();
    for round in 0..3 {
        project.write("routes.toml", &ROUTES.replace("\"About\"", &format!("\"About {round}\"")));
        assert!(!is_bundled(&project, "a title"));
        project.write("site/pages/about.json", &format!("{{ \"title\": \"Page {round}\" }}\n"));
        assert!(is_bundled(&project, "data"));
    }
}
