//! What a site may read, by every way that leads to a file: all that is read can be published.

#![cfg(unix)]

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    sync::Arc,
};

use portalgen_base::{
    diagnostic::Diagnostic,
    source::{Disk, Sources},
};
use portalgen_build::{public_files, shell::Shells};
use portalgen_bundle::{Bundle, Entry, Options, Platform};
use portalgen_portal::Overrides;

const SECRET: &str = "hunter2";

/// A project at `work/project`, with a folder beside it that is none of its business.
struct World {
    folder: tempfile::TempDir,
}

impl World {
    fn new(files: &[(&str, &str)]) -> Self {
        let world = Self { folder: tempfile::tempdir().expect("a folder") };
        let secrets = [
            ("secret.txt", SECRET.to_owned()),
            ("secret.js", format!("export default '{SECRET}';")),
            ("secret.cjs", format!("module.exports = '{SECRET}';")),
            ("secret.json", format!("{{\"key\":\"{SECRET}\"}}")),
            ("secret.css", format!(".{SECRET} {{ color: red }}")),
            ("secret.html", format!("<p>{SECRET}</p>{{{{ html }}}}")),
        ];
        for (name, text) in &secrets {
            world.write(&format!("work/outside/{name}"), text);
        }
        world.write("work/outside/tsconfig.json", "{}");
        world.write("work/project/package.json", "{}");
        for (name, text) in files {
            world.write(&format!("work/project/{name}"), text);
        }
        world
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.folder.path().join(path);
        fs::create_dir_all(file.parent().expect("a parent")).expect("folders");
        fs::write(file, text).expect("a file");
    }

    fn link(&self, target: &str, path: &str) {
        let link = self.folder.path().join(path);
        fs::create_dir_all(link.parent().expect("a parent")).expect("folders");
        symlink(target, link).expect("a link");
    }

    fn root(&self) -> PathBuf {
        fs::canonicalize(self.folder.path().join("work/project")).expect("the project")
    }

    fn disk(&self, allowed: &[&str]) -> Arc<dyn Sources> {
        let allowed: Vec<PathBuf> = allowed.iter().map(|folder| self.root().join(folder)).collect();
        Disk::of_project(&self.root()).allowing(&allowed)
    }

    /// Bundles `site/entry.tsx`.
    fn bundle(&self, allowed: &[&str]) -> Result<Bundle, Vec<Diagnostic>> {
        let root = self.root();
        let options = Options { base: "/".to_owned(), ..Options::new(&root, root.join("site"), Platform::Browser) };
        let entry = Entry { name: "entry".to_owned(), module: "./entry.tsx".to_owned() };
        portalgen_bundle::bundle(&self.disk(allowed), &options, &[entry], &BTreeMap::new())
    }
}

/// All that would be published.
fn published(bundle: &Bundle) -> String {
    let code = bundle.chunks.iter().map(|chunk| chunk.code.to_string());
    let assets = bundle.assets.iter().map(|asset| String::from_utf8_lossy(&asset.bytes).into_owned());
    code.chain(assets).collect::<Vec<_>>().join("\n")
}

fn told(diagnostics: &[Diagnostic]) -> String {
    let one = |diagnostic: &Diagnostic| {
        let hints: Vec<String> = diagnostic.hints.iter().map(|hint| format!("\n  {}", hint.english())).collect();
        let place = diagnostic.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        format!("{place}{}{}", diagnostic.message.english(), hints.concat())
    };
    diagnostics.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// A way to a file outside: its name, files of the project, and links of the project with what they lead to.
type Way<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a [(&'a str, &'a str)]);

const WAYS: &[Way<'_>] = &[
    ("text", &[("site/entry.tsx", "import s from '../../outside/secret.txt?raw'; console.log(s)")], &[]),
    ("address", &[("site/entry.tsx", "import s from '../../outside/secret.txt?url'; console.log(s)")], &[]),
    ("data URL", &[("site/entry.tsx", "import s from '../../outside/secret.txt?inline'; console.log(s)")], &[]),
    ("asset", &[("site/entry.tsx", "import s from '../../outside/secret.txt'; console.log(s)")], &[]),
    ("script", &[("site/entry.tsx", "import s from '../../outside/secret.js'; console.log(s)")], &[]),
    ("script without extension", &[("site/entry.tsx", "import s from '../../outside/secret'; console.log(s)")], &[]),
    ("data", &[("site/entry.tsx", "import s from '../../outside/secret.json'; console.log(s)")], &[]),
    ("sheet", &[("site/entry.tsx", "import '../../outside/secret.css'")], &[]),
    ("sheet as text", &[("site/entry.tsx", "import s from '../../outside/secret.css?inline'; console.log(s)")], &[]),
    ("import()", &[("site/entry.tsx", "import('../../outside/secret.js').then(console.log)")], &[]),
    ("require", &[("site/entry.js", ""), ("site/entry.tsx", "console.log(require('../../outside/secret.cjs'))")], &[]),
    ("export from", &[("site/entry.tsx", "export { default } from '../../outside/secret.js'")], &[]),
    ("new URL", &[("site/entry.tsx", "console.log(new URL('../../outside/secret.txt', import.meta.url).href)")], &[]),
    (
        "worker",
        &[("site/entry.tsx", "new Worker(new URL('../../outside/secret.js', import.meta.url), { type: 'module' })")],
        &[],
    ),
    ("@import", &[("site/entry.tsx", "import './a.css'"), ("site/a.css", "@import '../../outside/secret.css';")], &[]),
    (
        "url()",
        &[("site/entry.tsx", "import './a.css'"), ("site/a.css", "p { background: url(../../outside/secret.txt) }")],
        &[],
    ),
    ("path from the site", &[("site/entry.tsx", "import s from '/../../outside/secret.txt?raw'; console.log(s)")], &[]),
    (
        "pattern from the site",
        &[("site/entry.tsx", "console.log(import.meta.glob('/../../outside/*.txt', { query: '?raw', eager: true }))")],
        &[],
    ),
    (
        "base of patterns",
        &[(
            "site/entry.tsx",
            "console.log(import.meta.glob('./*.txt', { base: '/../../outside', query: '?raw', eager: true }))",
        )],
        &[],
    ),
    (
        "pattern by paths",
        &[
            ("site/entry.tsx", "console.log(import.meta.glob('@o/*.txt', { query: '?raw', eager: true }))"),
            ("site/tsconfig.json", r#"{ "compilerOptions": { "paths": { "@o/*": ["../../outside/*"] } } }"#),
        ],
        &[],
    ),
    (
        "variable import by baseUrl",
        &[
            ("site/entry.tsx", "export const load = (name) => import(`outside/${name}.js`)"),
            ("site/tsconfig.json", r#"{ "compilerOptions": { "baseUrl": "../.." } }"#),
        ],
        &[],
    ),
    (
        "link to a file",
        &[("site/entry.tsx", "import s from './innocent.txt?raw'; console.log(s)")],
        &[("site/innocent.txt", "../../outside/secret.txt")],
    ),
    (
        "link to a folder",
        &[("site/entry.tsx", "import s from './texts/secret.txt?raw'; console.log(s)")],
        &[("site/texts", "../../outside")],
    ),
    (
        "paths",
        &[
            ("site/entry.tsx", "import s from '@out/secret.txt?raw'; console.log(s)"),
            ("site/tsconfig.json", r#"{ "compilerOptions": { "paths": { "@out/*": ["../../outside/*"] } } }"#),
        ],
        &[],
    ),
    (
        "baseUrl",
        &[
            ("site/entry.tsx", "import s from 'secret.js'; console.log(s)"),
            ("site/tsconfig.json", r#"{ "compilerOptions": { "baseUrl": "../../outside" } }"#),
        ],
        &[],
    ),
    (
        "extends",
        &[("site/entry.tsx", ""), ("site/tsconfig.json", r#"{ "extends": "../../outside/tsconfig.json" }"#)],
        &[],
    ),
    (
        "main of a package",
        &[
            ("site/entry.tsx", "import s from 'kit'; console.log(s)"),
            ("site/node_modules/kit/package.json", r#"{ "main": "../../../../outside/secret.cjs" }"#),
        ],
        &[],
    ),
    (
        "browser of a package",
        &[
            ("site/entry.tsx", "import s from 'kit'; console.log(s)"),
            (
                "site/node_modules/kit/package.json",
                r#"{ "main": "a.js", "browser": { "./a.js": "../../../../outside/secret.cjs" } }"#,
            ),
            ("site/node_modules/kit/a.js", ""),
        ],
        &[],
    ),
    (
        "link in a package",
        &[
            ("site/entry.tsx", "import s from 'kit/a.txt?raw'; console.log(s)"),
            ("site/node_modules/kit/package.json", "{}"),
        ],
        &[("site/node_modules/kit/a.txt", "../../../../outside/secret.txt")],
    ),
    (
        "link in node_modules to what is no package",
        &[("site/entry.tsx", "import s from 'kit/secret.txt?raw'; console.log(s)")],
        &[("site/node_modules/kit", "../../../outside")],
    ),
];

#[test]
fn no_way_leads_out_of_the_project() {
    for (name, files, links) in WAYS {
        let world = World::new(files);
        links.iter().for_each(|(path, target)| world.link(target, &format!("work/project/{path}")));
        match world.bundle(&[]) {
            Ok(bundle) => panic!("{name}: bundled\n{}", published(&bundle)),
            Err(diagnostics) => {
                let told = told(&diagnostics);
                assert!(told.contains("outside the project"), "{name}: {told}");
                assert!(told.contains("write `allow = [\"../outside\"]` under `[build]`"), "{name}: {told}");
                assert!(diagnostics.iter().all(|found| found.place.is_some()), "{name}: {told}");
                assert!(!told.contains(SECRET), "{name}: {told}");
            }
        }
    }
}

#[test]
fn every_way_is_open_to_a_folder_that_is_allowed() {
    for (name, files, links) in WAYS {
        let world = World::new(files);
        links.iter().for_each(|(path, target)| world.link(target, &format!("work/project/{path}")));
        let bundle = world.bundle(&["../outside"]).unwrap_or_else(|found| panic!("{name}: {}", told(&found)));
        let holds_secret = [SECRET, "aHVudGVyMg=="].iter().any(|secret| published(&bundle).contains(secret));
        assert!(*name == "extends" || holds_secret, "{name}: {}", published(&bundle));
    }
}

#[test]
fn absolute_paths_and_file_urls_lead_nowhere_else() {
    for scheme in ["", "file://"] {
        let world = World::new(&[]);
        let file = fs::canonicalize(world.folder.path().join("work/outside/secret.txt")).expect("a path");
        let code = format!("import s from '{scheme}{}?raw'; console.log(s)", file.display());
        world.write("work/project/site/entry.tsx", &code);
        let told = told(&world.bundle(&[]).expect_err("refused"));
        assert!(told.contains("outside the project"), "{told}");
        let bundle = world.bundle(&["../outside/secret.txt"]).expect("a file that is allowed");
        assert!(published(&bundle).contains(SECRET));
    }
}

#[test]
fn files_of_the_system_are_never_read() {
    for path in ["/proc/self/environ", "/proc/version", "/sys/kernel/notes", "/dev/null"] {
        if fs::metadata(path).is_err() {
            continue;
        }
        for query in ["?raw", "?url", "?inline"] {
            let world = World::new(&[("site/entry.tsx", &format!("import s from '{path}{query}'; console.log(s)"))]);
            let told = told(&world.bundle(&["/proc", "/sys", "/dev"]).expect_err("refused"));
            assert!(told.contains("never read") || told.contains("cannot find"), "{path}: {told}");
        }
    }
    let world = World::new(&[("site/entry.tsx", "import s from './about.txt?raw'; console.log(s)")]);
    world.link("/proc/self/environ", "work/project/site/about.txt");
    let told = told(&world.bundle(&["/proc"]).expect_err("refused"));
    assert!(told.contains("is a system file"), "{told}");
}

#[test]
fn files_that_hold_secrets_are_not_read_though_they_lie_in_the_project() {
    for path in [".git/config", ".env", ".env.local", "site/.npmrc", "site/node_modules/kit/.env"] {
        let code = format!("import s from '../{path}?raw'; console.log(s)");
        let world =
            World::new(&[("site/entry.tsx", &code), (path, SECRET), ("site/node_modules/kit/package.json", "{}")]);
        let told = told(&world.bundle(&[]).expect_err("refused"));
        assert!(told.contains(&format!("`{path}` may contain secrets")), "{told}");
        world.bundle(&[&format!("../project/{path}")]).unwrap_or_else(|_| panic!("{path} itself is allowed"));
    }
}

#[test]
fn the_workspace_that_names_the_project_is_read() {
    let settings = [
        ("pnpm-workspace.yaml", "packages:\n  - project\n  - outside\n"),
        ("pnpm-workspace.yaml", "packages: [\"*/site\"]\n"),
        ("package.json", r#"{ "workspaces": ["project", "outside"] }"#),
        ("package.json", r#"{ "workspaces": { "packages": ["./*"] } }"#),
        ("package.json", r#"{ "workspaces": ["project/site/"] }"#),
    ];
    let files = [("site/entry.tsx", "import s from '../../outside/secret.txt?raw'; console.log(s)")];
    for (name, text) in settings {
        let world = World::new(&files);
        world.write(&format!("work/{name}"), text);
        assert!(world.bundle(&[]).is_ok_and(|bundle| published(&bundle).contains(SECRET)), "{text}");
    }
    let of_others = [
        ("pnpm-workspace.yaml", "packages:\n  - outside\n"),
        ("pnpm-workspace.yaml", "catalog:\n  react: 19.0.0\n"),
        ("package.json", r#"{ "workspaces": ["*", "!project"] }"#),
        ("package.json", "{}"),
    ];
    for (name, text) in of_others {
        let world = World::new(&files);
        world.write(&format!("work/{name}"), text);
        assert!(world.bundle(&[]).is_err(), "{text}");
    }
}

/// Packages where package managers put them: above the project, behind links, in a store that links to itself.
#[test]
fn packages_are_read_wherever_they_lie() {
    let entry = ("site/entry.tsx", "import s from 'kit'; import t from 'kit/text.txt?raw'; console.log(s, t)");
    let package = |world: &World, folder: &str, code: &str| {
        world.write(&format!("{folder}/package.json"), r#"{ "name": "kit", "type": "module", "main": "index.js" }"#);
        world.write(&format!("{folder}/index.js"), code);
        world.write(&format!("{folder}/text.txt"), "a text of the package");
    };
    let own = format!("export default '{SECRET}';");

    let hoisted = World::new(&[entry]);
    package(&hoisted, "work/node_modules/kit", &own);
    let linked = World::new(&[entry]);
    package(&linked, "elsewhere/kit", &own);
    linked.link("../../../../elsewhere/kit", "work/project/site/node_modules/kit");
    let scoped = World::new(&[("site/entry.tsx", &entry.1.replace("kit", "@acme/kit"))]);
    package(&scoped, "elsewhere/kit", &own);
    scoped.link("../../../../../elsewhere/kit", "work/project/site/node_modules/@acme/kit");
    // As pnpm's store for all projects.
    let stored = World::new(&[entry]);
    package(&stored, "store/kit/1/node_modules/kit", "export { default } from 'dep';");
    package(&stored, "store/dep/2/node_modules/dep", &own);
    stored.link("../../../../store/kit/1/node_modules/kit", "work/project/site/node_modules/kit");
    stored.link("../../../dep/2/node_modules/dep", "store/kit/1/node_modules/dep");
    for world in [hoisted, linked, scoped, stored] {
        let bundle = world.bundle(&[]).unwrap_or_else(|found| panic!("{}", told(&found)));
        assert!(published(&bundle).contains(SECRET) && published(&bundle).contains("a text of the package"));
    }
}

#[test]
fn a_linked_package_opens_its_folder_alone() {
    let world = World::new(&[("site/entry.tsx", "import s from 'kit'; console.log(s)")]);
    world.write("elsewhere/kit/package.json", r#"{ "main": "index.js" }"#);
    world.write("elsewhere/kit/index.js", "module.exports = require('../other.cjs');");
    world.write("elsewhere/other.cjs", &format!("module.exports = '{SECRET}';"));
    world.link("../../../../elsewhere/kit", "work/project/site/node_modules/kit");
    let told = told(&world.bundle(&[]).expect_err("refused"));
    assert!(told.contains("allow = [\"../../elsewhere\"]"), "{told}");
}

/// As of `npm link` and `file:` dependencies: the folder has no `node_modules` in which its peers are.
#[test]
fn a_linked_package_finds_its_peers_in_the_site() {
    let world = World::new(&[("site/entry.tsx", "import s from 'kit'; console.log(s)")]);
    world.write("work/project/site/node_modules/peer/package.json", r#"{ "main": "index.js" }"#);
    world.write("work/project/site/node_modules/peer/index.js", &format!("module.exports = '{SECRET}';"));
    world.write("elsewhere/kit/package.json", r#"{ "main": "index.mjs", "peerDependencies": { "peer": "*" } }"#);
    world.write("elsewhere/kit/index.mjs", "export { default } from 'peer';");
    world.link("../../../../elsewhere/kit", "work/project/site/node_modules/kit");
    let bundle = world.bundle(&[]).unwrap_or_else(|found| panic!("{}", told(&found)));
    assert!(published(&bundle).contains(SECRET));
    world.write("elsewhere/kit/index.mjs", "export { default } from 'pear';");
    let told = told(&world.bundle(&[]).expect_err("there is no such package"));
    assert!(told.contains("cannot find `pear`"), "{told}");
}

#[test]
fn a_second_react_is_told_where_it_is_imported() {
    let entry =
        "import own from 'react'; import kit from 'kit'; import more from 'kit/more.js'; console.log(own, kit, more)";
    let world = World::new(&[("site/entry.tsx", entry)]);
    let react = |folder: &str, version: &str| {
        let package = format!(r#"{{ "version": "{version}", "main": "index.js" }}"#);
        world.write(&format!("work/project/site/node_modules/{folder}/package.json"), &package);
        world.write(&format!("work/project/site/node_modules/{folder}/index.js"), "exports.version = 1;");
    };
    react("react", "19.1.0");
    for file in ["index.js", "more.js"] {
        world.write(&format!("work/project/site/node_modules/kit/{file}"), "export { default } from 'react';");
    }
    world.write("work/project/site/node_modules/kit/package.json", r#"{ "type": "module", "main": "index.js" }"#);
    let warnings = |world: &World| {
        let bundle = world.bundle(&[]).unwrap_or_else(|found| panic!("{}", told(&found)));
        told(&bundle.warnings)
    };
    assert_eq!(warnings(&world), "");
    react("kit/node_modules/react", "18.3.1");
    let warnings = warnings(&world);
    let expected = "site/node_modules/kit/index.js:1:25: there are two copies of React: this import resolves to \
                    site/node_modules/kit/node_modules/react/index.js 18.3.1, the site uses \
                    site/node_modules/react/index.js 19.1.0\n";
    assert!(warnings.starts_with(expected) && warnings.matches("two copies").count() == 1, "{warnings}");
}

#[test]
fn a_package_that_is_not_built_yet_is_told_from_one_that_is_not_there() {
    let world = World::new(&[("site/entry.tsx", "import s from 'kit'; console.log(s)")]);
    world.write("work/project/site/package.json", r#"{ "dependencies": { "kit": "*" } }"#);
    let is_told = |words: &str| {
        let told = told(&world.bundle(&[]).expect_err("there is no such file"));
        assert!(told.contains(words), "{told}");
    };
    is_told("it is not installed");
    world.write("work/project/site/node_modules/kit/package.json", r#"{ "exports": "./dist/index.js" }"#);
    is_told("build the package first");
}

#[test]
fn links_in_the_public_folder_and_templates_are_judged_alike() {
    let world = World::new(&[("site/public/a.txt", "a"), ("templates/.keep", ""), (".git/config", SECRET)]);
    world.link("../../../outside/secret.txt", "work/project/site/public/b.txt");
    world.link("../../../outside", "work/project/site/public/c");
    world.link("../../.git", "work/project/site/public/d");
    world.link("../../outside/secret.html", "work/project/templates/shell.html");
    let root = world.root();
    let (files, warnings) = public_files::collect(&*world.disk(&[]), &root, &root.join("site/public"));
    assert_eq!(files.iter().map(|file| &*file.path).collect::<Vec<_>>(), ["a.txt"]);
    let told = told(&warnings);
    assert_eq!(told.matches("is a symbolic link out of the project").count(), 2, "{told}");
    assert_eq!(told.matches("write `allow = [\"../outside\"]` under `[build]`").count(), 2, "{told}");
    assert!(told.contains("`site/public/d` is a symbolic link to a file that may contain secrets"), "{told}");
    let (files, _) = public_files::collect(&*world.disk(&["../outside"]), &root, &root.join("site/public"));
    assert_eq!(files.len(), 9, "{files:?}");

    let told = self::told(&Shells::load(&*world.disk(&[]), &root).expect_err("refused"));
    assert!(told.contains("`templates/shell.html`: it is a symbolic link to `../outside/secret.html`"), "{told}");
}

fn load(world: &World, text: &str) -> Result<Vec<PathBuf>, String> {
    world.write("work/project/routes.toml", text);
    let loaded = portalgen_portal::load(&*world.disk(&[]), &world.root(), &Overrides::default());
    loaded.map(|(portal, _)| portal.allow).map_err(|found| told(&found))
}

#[test]
fn routes_toml_allows_folders_that_are_there() {
    let world = World::new(&[("site/pages/index.tsx", "")]);
    let with = |allow: &str| format!("[build]\nallow = {allow}\n\n[[route]]\npath = \"/\"\ntitle = \"Home\"\n");
    let outside = fs::canonicalize(world.folder.path().join("work/outside")).expect("a folder");
    assert_eq!(load(&world, &with("[\"../outside\"]")), Ok(vec![outside]));
    assert_eq!(load(&world, &with("[]")), Ok(vec![]));
    for (allow, message) in [
        ("[\"../nowhere\"]", "routes.toml:2:10: the folder or file `../nowhere` does not exist"),
        ("[\"\"]", "routes.toml:2:10: this is not the name of a folder"),
        ("['..\\outside']", "write `../outside`"),
        ("[\"/\"]", "routes.toml:2:10: this allows every file on the machine"),
        ("[\"/proc\"]", "routes.toml:2:10: system files are never read"),
    ] {
        let found = load(&world, &with(allow)).expect_err("refused");
        assert!(found.contains(message), "{allow}: {found}");
    }
}

#[test]
fn pages_and_routes_behind_links_are_found_where_that_is_allowed() {
    let world = World::new(&[]);
    world.write("work/outside/pages/index.tsx", "");
    world.link("../../outside/pages", "work/project/site/pages");
    let route = "[[route]]\npath = \"/\"\ntitle = \"Home\"\n";
    assert!(load(&world, route).is_err());
    assert!(load(&world, &format!("[build]\nallow = [\"../outside\"]\n\n{route}")).is_ok());
}

#[test]
fn the_settings_of_the_folders_above_are_read_and_nothing_else_there() {
    let world = World::new(&[("site/entry.tsx", "import p from '../../package.json'; console.log(p.version)")]);
    fs::remove_file(world.root().join("package.json")).expect("removed");
    world.write("work/package.json", r#"{ "version": "1.2.3-of-all" }"#);
    assert!(world.bundle(&[]).is_ok_and(|bundle| published(&bundle).contains("1.2.3-of-all")));
    fs::remove_file(world.folder.path().join("work/package.json")).expect("removed");
    world.link("outside/secret.json", "work/package.json");
    assert!(world.bundle(&[]).is_err());
}

#[test]
fn pipes_are_not_waited_for() {
    let world = World::new(&[("site/entry.tsx", "import s from './pipe.txt?raw'; console.log(s)")]);
    let pipe = world.root().join("site/pipe.txt");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|made| made.success()));
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(world.bundle(&[]).is_err()));
    assert_eq!(receiver.recv_timeout(std::time::Duration::from_mins(1)), Ok(true), "reading must not wait");
}

#[test]
fn a_project_that_lies_behind_a_link_reads_itself() {
    let world =
        World::new(&[("site/entry.tsx", "import s from './a.txt?raw'; console.log(s)"), ("site/a.txt", SECRET)]);
    world.link("work/project", "link");
    let root = world.folder.path().join("link");
    let options = Options { base: "/".to_owned(), ..Options::new(&root, root.join("site"), Platform::Browser) };
    let sources: Arc<dyn Sources> = Arc::new(Disk::of_project(&root));
    let entry = Entry { name: "entry".to_owned(), module: "./entry.tsx".to_owned() };
    let bundle = portalgen_bundle::bundle(&sources, &options, &[entry], &BTreeMap::new());
    assert!(bundle.is_ok_and(|bundle| published(&bundle).contains(SECRET)));
    assert!(sources.read(Path::new("/etc/passwd")).is_err());
}
