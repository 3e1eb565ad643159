//! What a build is told to depend on: everything that it read, listed or missed.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use portalgen_base::source::{Dependencies, Disk, Watched};
use portalgen_build::pipeline::{self, Session};

use crate::support::{
    project::Project,
    stages::{on_deep_stacks, options},
};

const ROUTES: &str = "[portal]\nlang = \"en\"\nproduct = \"Acme\"\n\n\
    [[route]]\npath = \"/\"\ntitle = \"Home\"\ncomponent = \"pages/index.tsx\"\n";

fn portal() -> Project {
    Project::new(&[
        ("routes.toml", ROUTES),
        ("routes.lock", "/\n"),
        ("site/package.json", "{ \"type\": \"module\" }"),
        ("site/tsconfig.json", "{ \"extends\": \"./tsconfig.base.json\" }"),
        ("site/tsconfig.base.json", "{ \"compilerOptions\": { \"jsx\": \"react-jsx\" } }"),
        ("site/pages/index.tsx", "import { Part } from \"../parts/Part\";\nexport default () => <Part />;\n"),
        ("site/parts/Part.tsx", "import \"./part.css\";\nexport const Part = () => <p>part</p>;\n"),
        ("site/parts/part.css", "p { background: url(\"./dot.svg\") }\n"),
        ("site/parts/dot.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n"),
        ("site/public/icons/icon.txt", "published as it is\n"),
    ])
}

/// What a build of the project asked for.
fn dependencies(project: &Project) -> Dependencies {
    let options = options(project);
    let watched = Watched::new(Arc::new(Disk::of_project(&options.root)));
    let session = Session::new(Arc::new(watched.clone()));
    on_deep_stacks(|| pipeline::build(&session, &options)).unwrap();
    watched.dependencies()
}

/// Paths in the folder of the project, packages left out, by their names in there.
fn own(project: &Project, paths: &BTreeSet<PathBuf>) -> Vec<String> {
    let root = project.path("").canonicalize().unwrap();
    let own = paths.iter().filter_map(|path| path.strip_prefix(&root).ok());
    let own = own.filter(|path| !path.iter().any(|name| name == "node_modules"));
    own.map(|path| path.to_str().unwrap().to_owned()).collect()
}

/// The packages whose `package.json` is among the paths.
fn packages(paths: &BTreeSet<PathBuf>) -> BTreeSet<&str> {
    let names =
        paths.iter().filter_map(|path| path.to_str()?.strip_suffix("/package.json")?.rsplit_once("/node_modules/"));
    names.map(|(_, name)| name).collect()
}

#[test]
fn a_build_depends_on_all_that_it_read_listed_or_missed() {
    let project = portal();
    let Dependencies { read, listed, walked, found, missed } = dependencies(&project);
    let modules = ["pages/index.tsx", "parts/Part.tsx", "parts/dot.svg", "parts/part.css"];
    let in_site = |names: &[&str]| names.iter().map(|name| format!("site/{name}")).collect::<Vec<_>>();

    let settings = ["tsconfig.base.json", "tsconfig.json"];
    let files = [&["package.json"], &modules[..], &["public/icons/icon.txt"], &settings].concat();
    assert_eq!(
        own(&project, &read),
        [vec!["routes.lock".to_owned(), "routes.toml".to_owned()], in_site(&files)].concat()
    );
    let packages = packages(&read);
    assert!(
        ["react", "react-dom", "react-router", "scheduler"].iter().all(|name| packages.contains(name)),
        "{packages:?}"
    );

    assert_eq!(own(&project, &listed), ["site", "site/pages"], "names are looked up as they are spelled on disk");
    assert_eq!(own(&project, &walked), ["site/public"]);

    let at_top = [".browserslistrc", "error.js", "error.jsx", "error.ts", "error.tsx"];
    let layouts = ["layout.js", "layout.jsx", "layout.ts", "layout.tsx"];
    let beside = ["pages/package.json", "pages/tsconfig.json"];
    let candidates = ["parts/Part", "parts/package.json", "parts/tsconfig.json"];
    let candidates = in_site(&[&at_top[..], &layouts, &beside, &candidates].concat());
    assert_eq!(own(&project, &missed), [candidates, vec!["templates".to_owned()]].concat());

    let found = own(&project, &found);
    let expected = in_site(&[&modules[..], &["public/icons/icon.txt"], &settings].concat());
    assert!(expected.iter().all(|path| found.contains(path)), "{found:?}");
}

#[test]
fn a_change_concerns_the_build_that_would_see_it() {
    let project = portal();
    let dependencies = dependencies(&project);
    let root = project.path("").canonicalize().unwrap();
    let concerns = |path: &str| dependencies.concern(&root.join(path));
    for path in ["routes.toml", "site/parts/part.css", "site/layout.tsx", "site/public/new.txt", "templates"] {
        assert!(concerns(path), "{path}");
    }
    for path in ["README.md", "site/parts/unused.tsx", "dist/index.html"] {
        assert!(!concerns(path), "{path}");
    }
}
