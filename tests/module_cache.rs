//! The module cache: what bundles have in common is scanned once, and what has changed is looked at again.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use tempfile::TempDir;

use portalgen_base::{
    diagnostic::Diagnostic,
    source::{Disk, Sources},
};
use portalgen_build::pipeline::{self, Build, BuildOptions, Session};
use portalgen_bundle::{Bundle, Define, Entry, ModuleCache, Options, Platform, RegexJudge, RegexSupport};

use crate::support::{
    bundling::{code, describe},
    project::Project,
    stages::{on_deep_stacks, options},
};

/// A folder that is bundled again and again with one cache.
struct Workshop {
    _folder: TempDir,
    sources: Arc<dyn Sources>,
    options: Options,
}

impl Workshop {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let options = Options::new(&root, &root, Platform::Browser);
        let workshop = Self { _folder: folder, sources: Arc::new(Disk::of_project(&root)), options };
        for (path, text) in files {
            workshop.write(path, text);
        }
        workshop
    }

    fn root(&self) -> &Path {
        &self.options.root
    }

    /// Writes a file without telling the cache.
    fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Writes a file and tells the cache.
    fn edit(&self, path: &str, text: &str) {
        let path = self.write(path, text);
        self.cache().changed(&[path]);
    }

    fn cache(&self) -> &ModuleCache {
        &self.options.modules
    }

    fn bundle_with(&self, options: &Options) -> Result<Bundle, Vec<Diagnostic>> {
        let entry = Entry { name: "entry".to_owned(), module: "./entry.ts".to_owned() };
        portalgen_bundle::bundle(&self.sources, options, &[entry], &BTreeMap::new())
    }

    /// Bundles with the cache, and compares with what a bundle without it is. Returns how many scans it took, and the code.
    fn bundle_for(&self, options: &Options) -> (usize, String) {
        let before = self.cache().scans();
        let bundle = self.bundle_with(options).unwrap_or_else(|errors| panic!("{}", describe(&errors)));
        let scans = self.cache().scans() - before;
        let alone = self.bundle_with(&Options { modules: Arc::default(), ..options.clone() }).unwrap();
        assert_eq!(code(&bundle), code(&alone));
        assert_eq!(bundle.assets, alone.assets);
        assert_eq!(describe(&bundle.warnings), describe(&alone.warnings));
        assert_eq!(bundle.modules, alone.modules);
        (scans, code(&bundle))
    }

    fn bundle(&self) -> (usize, String) {
        self.bundle_for(&self.options)
    }

    /// The options for another platform, with the same cache.
    fn options_for(&self, platform: Platform) -> Options {
        Options { platform, ..self.options.clone() }
    }
}

/// The module of the functions that emitted code calls.
const HELPERS: usize = 1;

const PACKAGE: &[(&str, &str)] = &[
    (
        "entry.ts",
        "import { a } from './a';\nimport data from './data.json';\nimport { b } from 'b';\nimport './x.css';\nconsole.log(a, b, data);",
    ),
    ("a.ts", "export const a: string = import.meta.env.MODE;"),
    ("data.json", "{ \"one\": 1 }"),
    ("x.css", ".x { color: red }"),
    ("node_modules/b/package.json", "{ \"name\": \"b\", \"main\": \"b.js\" }"),
    ("node_modules/b/b.js", "exports.b = typeof window;"),
    ("node_modules/b/other.js", "exports.b = 'other';"),
];

/// Scripts, the sheet itself, and the two modules that stand for the sheet and its rules.
const SCANS: usize = HELPERS + 4 + 3;

#[test]
fn a_second_bundle_of_the_same_sources_scans_nothing() {
    let workshop = Workshop::new(PACKAGE);
    assert_eq!(workshop.bundle().0, SCANS);
    assert_eq!(workshop.bundle().0, 0);
    assert_eq!(workshop.bundle_for(&workshop.options_for(Platform::Prerender)).0, 0);
    // Code for Node.js has helpers of its own, which import one of its modules, and `global` stands for nothing else, which
    // no module asks about.
    assert_eq!(workshop.bundle_for(&workshop.options_for(Platform::Node)).0, HELPERS + 1);
}

#[test]
fn bundles_side_by_side_scan_each_module_once() {
    let module = |number: usize| {
        let imports = (number + 1..200.min(number + 6)).map(|other| format!("import './m{other}';"));
        let code = format!("console.log({number}, import.meta.env.MODE);");
        (format!("m{number}.ts"), imports.chain([code]).collect::<Vec<_>>().join("\n"))
    };
    let many: Vec<(String, String)> = (0..200).map(module).collect();
    let mut files: Vec<(&str, &str)> = many.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    files.push(("entry.ts", "import './m0'; import './ssr';"));
    files.push(("ssr.ts", "console.log(import.meta.env.SSR);"));
    for threads in [1, 2, 4] {
        let workshop = Workshop::new(&files);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let platforms = [Platform::Browser, Platform::Prerender].map(|platform| workshop.options_for(platform));
        let (first, second) = pool
            .install(|| rayon::join(|| workshop.bundle_with(&platforms[0]), || workshop.bundle_with(&platforms[1])));
        assert!(code(&first.unwrap()).contains("console.log(false)"), "{threads} threads");
        assert!(code(&second.unwrap()).contains("console.log(true)"), "{threads} threads");
        assert_eq!(workshop.cache().scans(), HELPERS + 200 + 1 + 2, "{threads} threads");
    }
}

#[test]
fn without_room_for_trees_modules_are_parsed_again_and_come_out_the_same() {
    let mut workshop = Workshop::new(PACKAGE);
    let parsed_again = |workshop: &Workshop, platform| {
        let before = workshop.cache().trees();
        workshop.bundle_for(&workshop.options_for(platform));
        workshop.cache().trees() - before
    };
    for platform in [Platform::Browser, Platform::Prerender] {
        assert_eq!(parsed_again(&workshop, platform), 0, "there is room");
    }
    workshop.options.modules = Arc::new(ModuleCache::with_room(0));
    for platform in [Platform::Browser, Platform::Prerender] {
        assert_eq!(parsed_again(&workshop, platform), HELPERS + 4, "of a style sheet nothing is printed");
    }
    assert_eq!(workshop.cache().scans(), SCANS);
}

#[test]
fn a_json_file_is_a_module_and_a_text_at_once() {
    let workshop = Workshop::new(&[
        (
            "entry.ts",
            "import { one } from './data.json';\nimport text from './data.json?raw';\nconsole.log(one, text);",
        ),
        ("data.json", "{ \"one\": \"a value\" }"),
    ]);
    for _ in 0..2 {
        let (_, code) = workshop.bundle();
        assert!(code.contains("= \"a value\"") && code.contains(r#"{ \"one\": \"a value\" }"#), "{code}");
    }
    workshop.edit("data.json", "{ \"one\": \"another\" }");
    let (scans, code) = workshop.bundle();
    assert_eq!(scans, 2);
    assert!(!code.contains("a value"), "{code}");
}

#[test]
fn only_modules_that_look_at_a_constant_are_scanned_for_each_of_its_values() {
    let workshop = Workshop::new(&[
        ("entry.ts", "import './ssr'; import './api'; import './key'; import './plain';"),
        ("ssr.ts", "if (import.meta.env.SSR) console.log('engine');"),
        ("api.ts", "console.log(typeof process.env.API, process.env.API);"),
        ("key.ts", "console.log(import.meta.env.KEY);"),
        ("plain.ts", "console.log(window.name, process.env.NODE_ENV);"),
    ]);
    assert_eq!(workshop.bundle().0, HELPERS + 5);
    assert_eq!(workshop.bundle_for(&workshop.options_for(Platform::Prerender)).0, 1);
    let define = |name: &str| (name.to_owned(), Define::Value("value".into()));
    let with_defines =
        |names: &[&str]| Options { defines: names.iter().copied().map(define).collect(), ..workshop.options.clone() };
    // A name that was looked up in vain now stands for something.
    let (scans, code) = workshop.bundle_for(&with_defines(&["process.env.API"]));
    assert_eq!(scans, 1);
    assert!(code.contains("console.log(\"string\", \"value\")"), "{code}");
    assert_eq!(workshop.bundle_for(&with_defines(&["process.env.OTHER"])).0, 0);
    assert_eq!(workshop.bundle_for(&with_defines(&["window"])).0, 1);
    // A longer name than any before it: none was looked up in full.
    assert_eq!(workshop.bundle_for(&with_defines(&["process.env.API.of.the.portal"])).0, HELPERS + 5);
    let env = BTreeMap::from([("KEY".to_owned(), "key".to_owned())]);
    assert_eq!(workshop.bundle_for(&Options { env, ..workshop.options.clone() }).0, 1);
    assert_eq!(workshop.bundle().0, 0);
}

#[test]
fn regular_expressions_that_the_engine_refuses_are_scanned_for_it() {
    let mut workshop =
        Workshop::new(&[("entry.ts", "import './plain'; console.log(/new/);"), ("plain.ts", "console.log(/old/);")]);
    workshop.options.regex_judge = RegexJudge {
        name: "of the test",
        judge: |pattern, _| if pattern == "new" { RegexSupport::Constructor } else { RegexSupport::Literal },
    };
    assert_eq!(workshop.bundle().0, HELPERS + 2);
    let (scans, code) = workshop.bundle_for(&workshop.options_for(Platform::Prerender));
    assert_eq!(scans, 1);
    assert!(code.contains("new RegExp(\"new\", \"\")") && code.contains("/old/"), "{code}");
}

#[test]
fn a_file_that_changed_is_scanned_again() {
    let workshop = Workshop::new(PACKAGE);
    workshop.bundle();
    workshop.edit("a.ts", "export const a = 'changed';");
    let (scans, code) = workshop.bundle();
    assert_eq!(scans, 1);
    assert!(code.contains("changed"), "{code}");
    workshop.edit("x.css", ".x { color: blue }");
    // The sheet, and the module of its rules, which has the same code as before.
    assert_eq!(workshop.bundle().0, 1);
    workshop.edit("data.json", "{ \"two\": 2 }");
    assert_eq!(workshop.bundle().0, 1);
    // What it was before is still known.
    workshop.edit("data.json", "{ \"one\": 1 }");
    assert_eq!(workshop.bundle().0, 0);
}

#[test]
fn a_change_that_is_not_named_counts_when_everything_may_have_changed() {
    let workshop = Workshop::new(PACKAGE);
    workshop.bundle();
    workshop.write("a.ts", "export const a = 'changed';");
    let kept = workshop.bundle_with(&workshop.options).unwrap();
    assert!(!code(&kept).contains("changed"));
    workshop.cache().everything_changed();
    let (scans, code) = workshop.bundle();
    assert_eq!(scans, 1);
    assert!(code.contains("changed"), "{code}");
}

#[test]
fn other_sources_are_read_anew() {
    let mut workshop = Workshop::new(PACKAGE);
    workshop.bundle();
    workshop.write("a.ts", "export const a = 'changed';");
    workshop.sources = workshop.sources.allowing(&[]);
    let (scans, code) = workshop.bundle();
    assert_eq!(scans, 1);
    assert!(code.contains("changed"), "{code}");
}

#[test]
fn what_a_changed_package_json_leads_to_is_scanned() {
    let workshop = Workshop::new(PACKAGE);
    workshop.bundle();
    workshop.edit("node_modules/b/package.json", "{ \"name\": \"b\", \"main\": \"other.js\" }");
    let (scans, code) = workshop.bundle();
    assert_eq!(scans, 1);
    assert!(code.contains("'other'") || code.contains("\"other\""), "{code}");
    // The same text, of which the package now says that it is an ES module.
    workshop.edit("node_modules/b/package.json", "{ \"name\": \"b\", \"main\": \"other.js\", \"type\": \"module\" }");
    workshop.edit("node_modules/b/other.js", "export const b = 'esm';");
    assert!(workshop.bundle().1.contains("esm"));
}

#[test]
fn a_changed_tsconfig_counts_for_the_modules_of_the_site() {
    let files = [
        ("tsconfig.json", "{ \"extends\": \"./base.json\" }"),
        ("base.json", "{ \"compilerOptions\": { \"useDefineForClassFields\": true } }"),
        ("entry.ts", "import { C } from '@/c';\nimport { b } from 'b';\nconsole.log(new C().x, b);"),
        ("one/c.ts", "export class C { x = 'first'; }"),
        ("two/c.ts", "export class C { x = 'second'; }"),
    ];
    let workshop = Workshop::new(&[&files, &PACKAGE[4..]].concat());
    assert!(workshop.bundle_with(&workshop.options).is_err(), "`@/c` leads nowhere");
    let options = |define: bool, folder: &str| {
        format!(
            "{{ \"compilerOptions\": {{ \"useDefineForClassFields\": {define}, \"paths\": {{ \"@/*\": [\"./{folder}/*\"] }} }} }}"
        )
    };
    workshop.edit("base.json", &options(true, "one"));
    assert!(workshop.bundle().1.contains("first"));
    workshop.edit("base.json", &options(true, "two"));
    let (scans, code) = workshop.bundle();
    assert_eq!(scans, 1);
    assert!(code.contains("second"), "{code}");
    workshop.edit("base.json", &options(false, "two"));
    let (scans, code) = workshop.bundle();
    assert_eq!(scans, 2, "the entry and the class, and not the package");
    assert!(code.contains("this.x = "), "{code}");
}

#[test]
fn files_that_appear_and_go_are_noticed() {
    let workshop = Workshop::new(&[("entry.ts", "import { a } from './a';\nconsole.log(a);")]);
    let errors = workshop.bundle_with(&workshop.options).unwrap_err();
    assert!(describe(&errors).contains("./a"), "{}", describe(&errors));
    workshop.edit("a.js", "export const a = 'script';");
    let (scans, code) = workshop.bundle();
    assert_eq!(scans, 1);
    assert!(code.contains("script"), "{code}");
    // It comes before the other one.
    workshop.edit("a.ts", "export const a = 'typed';");
    assert!(workshop.bundle().1.contains("typed"));
    let path = workshop.root().join("a.ts");
    fs::remove_file(&path).unwrap();
    workshop.cache().changed(&[path]);
    let (scans, code) = workshop.bundle();
    assert_eq!(scans, 0);
    assert!(code.contains("script"), "{code}");
}

#[test]
fn files_that_a_pattern_matches_are_listed_each_time() {
    let workshop = Workshop::new(&[
        ("entry.ts", "console.log(import.meta.glob('./posts/*.ts', { eager: true }));"),
        ("posts/one.ts", "export default 'first';"),
    ]);
    assert_eq!(workshop.bundle().0, HELPERS + 2);
    workshop.edit("posts/two.ts", "export default 'second';");
    let (scans, code) = workshop.bundle();
    assert_eq!(scans, 1);
    assert!(code.contains("first") && code.contains("second"), "{code}");
}

#[test]
fn mistakes_are_told_by_each_bundle() {
    let workshop = Workshop::new(&[("entry.ts", "import './a';"), ("a.ts", "const = 1;")]);
    let told = |platform| describe(&workshop.bundle_with(&workshop.options_for(platform)).unwrap_err());
    let first = told(Platform::Browser);
    assert!(first.contains("a.ts:1:7"), "{first}");
    assert_eq!(first, told(Platform::Prerender));
    assert_eq!(workshop.cache().scans(), HELPERS + 2);
    workshop.edit("a.ts", "const a = 1; console.log(a);");
    assert_eq!(workshop.bundle().0, 1);
}

fn build(session: &Session, options: &BuildOptions) -> Build {
    on_deep_stacks(|| pipeline::build(session, options)).unwrap_or_else(|errors| panic!("{}", describe(&errors)))
}

#[test]
fn later_builds_of_a_session_scan_what_changed() {
    let project = Project::new(&[
        (
            "routes.toml",
            "[portal]\nlang = \"en\"\nproduct = \"Acme\"\n\n\
             [[route]]\npath = \"/\"\ntitle = \"Home\"\ncomponent = \"pages/index.tsx\"\n",
        ),
        ("site/tsconfig.json", "{ \"compilerOptions\": { \"jsx\": \"react-jsx\" } }"),
        ("site/pages/index.tsx", "export default () => <p>first text</p>;\n"),
    ]);
    let options = options(&project);
    let session = Session::new(Arc::new(Disk::of_project(&options.root)));
    let text = |build: &Build| build.output.get("index.html").unwrap().content.text().into_owned();
    assert!(text(&build(&session, &options)).contains("first text"));
    let scans = session.modules.scans();
    assert!(scans > 20, "{scans}");
    build(&session, &options);
    assert_eq!(session.modules.scans(), scans, "nothing has changed");
    session.modules.forget();
    // Facts of modules are in the store as well.
    let session = Session { store: Arc::default(), ..session };
    assert!(text(&build(&session, &options)).contains("first text"));
    assert_eq!(session.modules.scans(), 2 * scans, "everything was forgotten");
    let scans = 2 * scans;
    project.write("site/pages/index.tsx", "export default () => <p>other text</p>;\n");
    session.modules.changed(&[options.root.join("site/pages/index.tsx")]);
    assert!(text(&build(&session, &options)).contains("other text"));
    assert_eq!(session.modules.scans(), scans + 1, "the page, for browsers and the engine alike");
}
