//! Scans of earlier processes: what has not changed is not scanned again, and what has is.

use std::{collections::BTreeMap, fs, path::PathBuf, sync::Arc};

use tempfile::TempDir;

use portalgen_base::{
    diagnostic::Diagnostic,
    source::{Disk, Sources},
    store::{Bounds, Kind, Store},
};
use portalgen_build::pipeline::{self, Session};
use portalgen_bundle::{Bundle, Entry, Mode, ModuleCache, Options, Platform, RegexJudge};

use crate::support::{
    bundling::{code, describe},
    project::Project,
    stages::{on_deep_stacks, options},
};

/// A folder that one process after the other bundles.
struct Workshop {
    _folder: TempDir,
    root: PathBuf,
    store: TempDir,
    /// What program the processes are of.
    program: &'static str,
}

/// What a process does.
struct Outcome {
    scans: usize,
    /// How many modules of known facts it parses.
    trees: usize,
    /// The code for browsers, and that for the engine.
    code: [String; 2],
}

impl Workshop {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let workshop = Self { _folder: folder, root, store: tempfile::tempdir().unwrap(), program: "a program" };
        for (path, text) in files {
            workshop.write(path, text);
        }
        workshop
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn options(&self) -> Options {
        Options::new(&self.root, &self.root, Platform::Browser)
    }

    /// Bundles for browsers and for the engine, side by side as builds do.
    fn bundles(&self, options: &Options) -> [Result<Bundle, Vec<Diagnostic>>; 2] {
        let sources: Arc<dyn Sources> = Arc::new(Disk::of_project(&self.root));
        let entry = Entry { name: "entry".to_owned(), module: "./entry.ts".to_owned() };
        let bundle = |platform| {
            let options = Options { platform, ..options.clone() };
            portalgen_bundle::bundle(&sources, &options, std::slice::from_ref(&entry), &BTreeMap::new())
        };
        let (browser, engine) = rayon::join(|| bundle(Platform::Browser), || bundle(Platform::Prerender));
        [browser, engine]
    }

    /// The same in a process of its own, with what earlier ones left.
    fn process(&self, options: Options) -> ([usize; 2], [Result<Bundle, Vec<Diagnostic>>; 2]) {
        let store = Arc::new(Store::open(self.store.path(), self.program, Bounds::default()));
        let modules = Arc::<ModuleCache>::default();
        let (scans, chunks) = (Some(store.results(Kind::Scans)), Some(store.results(Kind::Chunks)));
        let bundles = self.bundles(&Options { scans, chunks, modules: Arc::clone(&modules), ..options });
        store.save();
        ([modules.scans(), modules.trees()], bundles)
    }

    /// The same. What comes out is what a process without anything makes.
    fn run_with(&self, options: &Options) -> Outcome {
        let ([scans, trees], bundles) = self.process(options.clone());
        let clean = self.bundles(&Options { modules: Arc::default(), ..options.clone() });
        let code = bundles.iter().zip(clean).map(|(bundle, clean)| {
            let bundle = bundle.as_ref().unwrap_or_else(|errors| panic!("{}", describe(errors)));
            let clean = clean.unwrap();
            assert_eq!(code(bundle), code(&clean));
            assert_eq!(bundle.assets, clean.assets);
            assert_eq!(describe(&bundle.warnings), describe(&clean.warnings));
            assert_eq!(bundle.modules, clean.modules);
            assert_eq!(bundle.css_module_types, clean.css_module_types);
            code(bundle)
        });
        let code: Vec<String> = code.collect();
        Outcome { scans, trees, code: code.try_into().unwrap() }
    }

    fn run(&self) -> Outcome {
        self.run_with(&self.options())
    }

    /// The packs of the store.
    fn packs(&self) -> Vec<PathBuf> {
        let files = walkdir::WalkDir::new(self.store.path()).into_iter().map(Result::unwrap);
        let packs = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "pack"));
        packs.map(walkdir::DirEntry::into_path).collect()
    }
}

const FILES: &[(&str, &str)] = &[
    (
        "entry.ts",
        "import { a, Counter } from './a';\nimport { b } from 'b';\nimport * as c from './c';\nimport './x.css';\n\
         import { card } from './card.module.css';\nconsole.log(a, new Counter(), b, c.used, c.other, card, import('./lazy'));\n",
    ),
    (
        "a.ts",
        "/*! A licence. */\nexport const a: string = import.meta.env.SSR ? 'engine' : 'browser';\n\
         export class Counter { count; }\nexport const unused = /*#__PURE__*/ window.effect();\n",
    ),
    ("c.js", "export const used = /(?<!a)b/v, other = process.env.NODE_ENV;\nexport * from './lazy.tsx';\n"),
    ("lazy.tsx", "enum E { A = 1 }\nexport const lazy = <p className={String(E.A)}>{eval('1')}</p>;\n"),
    ("x.css", ".x { color: red; background: url(./x.svg) }\n"),
    ("x.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
    ("card.module.css", ".card { composes: base; color: blue }\n.base { margin: 0 }\n"),
    ("node_modules/react/package.json", "{ \"name\": \"react\", \"main\": \"react.js\" }"),
    ("node_modules/react/react.js", "exports.jsx = (type, props) => ({ type, props });\n"),
    ("node_modules/react/jsx-dev-runtime.js", "exports.jsxDEV = (type) => type;\n"),
    ("node_modules/react/jsx-runtime.js", "module.exports = require('./react.js');\n"),
    ("node_modules/b/package.json", "{ \"name\": \"b\", \"module\": \"b.mjs\" }"),
    ("node_modules/b/b.mjs", "import './effect.mjs';\nexport const b = 'b';\n"),
    ("node_modules/b/effect.mjs", "globalThis.effect = true;\n"),
];

#[test]
fn a_later_process_scans_nothing() {
    let workshop = Workshop::new(FILES);
    let first = workshop.run();
    assert!(first.scans > 10, "{}", first.scans);
    for _ in 0..3 {
        let later = workshop.run();
        assert_eq!((later.scans, later.trees), (0, 0));
        assert_eq!(later.code, first.code);
    }
    assert!(workshop.packs().len() < 2, "a process without news writes nothing");
}

#[test]
fn a_module_that_has_changed_is_scanned_again() {
    let workshop = Workshop::new(FILES);
    let first = workshop.run();
    workshop.write("c.js", "export const used = 'changed', other = 1;\n");
    let Outcome { scans, trees, code } = workshop.run();
    assert_eq!(scans, 1);
    assert!((1..first.scans).contains(&trees), "the other modules of its chunk: {trees}");
    assert!(code.iter().all(|code| code.contains("changed")));
    workshop.write("card.module.css", ".card { color: green }\n");
    // The sheet, and the module that says what its classes are called.
    assert!(workshop.run().scans <= 2);
    workshop.write("c.js", FILES[2].1);
    workshop.write("card.module.css", FILES[6].1);
    assert_eq!(workshop.run().scans, 0, "what was there before is known");
}

#[test]
fn what_decides_about_modules_counts() {
    let workshop = Workshop::new(FILES);
    workshop.run();
    workshop.write("tsconfig.json", "{ \"compilerOptions\": { \"useDefineForClassFields\": false } }");
    let Outcome { scans, code, .. } = workshop.run();
    assert!(scans > 0 && !code[0].contains("count;"), "{scans} {}", code[0]);
    let is_there = |outcome: &Outcome| outcome.code.iter().all(|code| code.contains("globalThis.effect"));
    assert!(is_there(&workshop.run()));
    workshop.write("node_modules/b/package.json", "{ \"name\": \"b\", \"module\": \"b.mjs\", \"sideEffects\": false }");
    let outcome = workshop.run();
    assert_eq!(outcome.scans, 0, "facts of modules do not depend on what packages say");
    assert!(!is_there(&outcome));
    // What is an ES module by its name alone does not become something else.
    workshop.write("node_modules/react/package.json", "{ \"name\": \"react\", \"type\": \"module\" }");
    workshop.write("node_modules/react/jsx-runtime.js", "export const jsx = (type) => type;\n");
    assert_eq!(workshop.run().scans, 1);
}

#[test]
fn what_the_options_say_counts() {
    let workshop = Workshop::new(FILES);
    let first = workshop.run();
    let with = |options: Options| {
        let outcome = workshop.run_with(&options);
        assert_eq!(workshop.run_with(&options).scans, 0, "it is kept as well");
        outcome
    };
    let env = BTreeMap::from([("KEY".to_owned(), "key".to_owned())]);
    assert!(with(Options { env, ..workshop.options() }).scans < first.scans / 2, "most modules do not look at options");
    let define = ("window.effect".to_owned(), portalgen_bundle::Define::Value("defined".into()));
    assert!(with(Options { defines: vec![define], ..workshop.options() }).scans > 0);
    let development = with(Options { mode: Mode::Development, ..workshop.options() });
    assert!(development.code[0].contains("development"), "{}", development.code[0]);
    let regex_judge = RegexJudge {
        name: "of the test",
        judge: |pattern, _| {
            let is_it = pattern == "(?<!a)b";
            if is_it { portalgen_bundle::RegexSupport::Constructor } else { portalgen_bundle::RegexSupport::Literal }
        },
    };
    let judged = with(Options { regex_judge, ..workshop.options() });
    assert!(judged.code[1].contains("new RegExp(") && !judged.code[0].contains("new RegExp("), "{}", judged.code[1]);
    assert_eq!(workshop.run().scans, 0);
}

#[test]
fn what_another_program_left_is_not_looked_at() {
    let mut workshop = Workshop::new(FILES);
    let first = workshop.run();
    workshop.program = "another program";
    assert_eq!(workshop.run().scans, first.scans);
    workshop.program = "a program";
    assert_eq!(workshop.run().scans, 0);
}

#[test]
fn what_is_damaged_is_scanned_again() {
    let workshop = Workshop::new(FILES);
    let first = workshop.run();
    let mut scanned = 0;
    for damage in 0..40 {
        for pack in workshop.packs() {
            let mut bytes = fs::read(&pack).unwrap();
            let at = damage * bytes.len() / 40;
            bytes[at] ^= 1 << (damage % 8);
            fs::write(&pack, bytes).unwrap();
        }
        let outcome = workshop.run();
        assert_eq!(outcome.code, first.code);
        scanned += outcome.scans;
    }
    workshop.run();
    assert_eq!(workshop.run().scans, 0, "what was damaged is there again");
    assert!(scanned >= 40, "{scanned}");
}

#[test]
fn mistakes_and_patterns_are_looked_at_each_time() {
    let workshop = Workshop::new(&[
        ("entry.ts", "console.log(import.meta.glob('./parts/*.ts'));\n"),
        ("parts/one.ts", "export default 1;\n"),
    ]);
    workshop.run();
    workshop.write("parts/two.ts", "export default 'second part';\n");
    assert!(workshop.run().code[0].contains("second part"));
    workshop.write("parts/two.ts", "export default (;\n");
    let said = || {
        let (_, [browser, _]) = workshop.process(workshop.options());
        describe(&browser.err().unwrap())
    };
    let first = said();
    assert!(first.contains("parts/two.ts:1:16"), "{first}");
    assert_eq!(said(), first);
}

#[test]
fn a_later_build_of_a_portal_scans_nothing() {
    let project = Project::new(&[
        (
            "routes.toml",
            "[portal]\nlang = \"en\"\n[[route]]\npath = \"/\"\ntitle = \"Home\"\ncomponent = \"pages/index.tsx\"\n",
        ),
        ("site/pages/index.tsx", "import \"./index.css\";\nexport default () => <h1>home</h1>;\n"),
        ("site/pages/index.css", "h1 { color: red }\n"),
    ]);
    let folder = tempfile::tempdir().unwrap();
    let build = |folder: &TempDir| {
        let options = options(&project);
        let mut session = Session::new(Arc::new(Disk::of_project(&options.root)));
        session.store = Arc::new(Store::open(folder.path(), "a program", Bounds::default()));
        let build = on_deep_stacks(|| pipeline::build(&session, &options))
            .unwrap_or_else(|errors| panic!("{}", describe(&errors)));
        session.store.save();
        let files = build.output.iter().map(|(path, file)| (path.clone(), file.content.read().into_owned()));
        (session.modules.scans(), files.collect::<Vec<_>>())
    };
    let (scans, first) = build(&folder);
    assert!(scans > 10, "{scans}");
    let (scans, second) = build(&folder);
    assert_eq!(scans, 0);
    assert!(second == first);
    project.write("site/pages/index.tsx", "import \"./index.css\";\nexport default () => <h1>changed</h1>;\n");
    let (scans, third) = build(&folder);
    assert_eq!(scans, 1);
    assert!(third == build(&tempfile::tempdir().unwrap()).1);
}
