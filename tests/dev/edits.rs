//! Random edits while a portal is served: what is served after them must be what a process serves that begins then.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    thread,
};

use super::serving::{Answers, Process};
use crate::support::{
    project::{Project, Tree, repository, tree},
    random::Random,
    stages,
};

/// How many edits there are, shared among sequences; `PORTALGEN_EDITS=2000` makes more of them.
const EDITS: usize = 200;
const SEQUENCES: usize = 2;
/// After how many edits at most a process begins anew and is compared.
const BETWEEN: usize = 12;

/// Modules of pages.
const PAGES: [&str; 4] = ["index", "about", "team", "news"];

/// Modules besides pages. Each may import any of them, and the last one nothing.
const PARTS: [&str; 6] = ["a", "b", "c", "d", "e", LEAF];
/// The module that others use while they are evaluated. In a ring, it would depend on chunks whether they find it initialized: a
/// constant of the same chunk stands where it is used.
const LEAF: &str = "f";

/// Style sheets that modules import.
const SHEETS: [&str; 3] = ["one.css", "two.module.css", "three.css"];

/// A portal in the making.
struct Portal {
    project: Project,
    random: Random,
    /// Addresses that have been routes at some time.
    addresses: BTreeSet<String>,
    routes: Vec<Route>,
    /// What stands in tables of `routes.toml` besides routes.
    settings: Vec<&'static str>,
    made: usize,
    log: Vec<String>,
}

struct Route {
    path: String,
    title: String,
    /// The module of its page, or none for a redirect.
    component: Option<String>,
}

type Edit = fn(&mut Portal);

const EDITS_THERE_ARE: &[(&str, Edit)] = &[
    ("page", Portal::write_some_page),
    ("page", Portal::write_some_page),
    ("part", Portal::write_some_part),
    ("part", Portal::write_some_part),
    ("part", Portal::write_some_part),
    ("no part", |portal| {
        let part = *portal.random.pick(&PARTS);
        portal.remove(&format!("site/parts/{part}.tsx"));
    }),
    ("sheet", Portal::write_some_sheet),
    ("no sheet", |portal| {
        let sheet = *portal.random.pick(&SHEETS);
        portal.remove(&format!("site/parts/{sheet}"));
    }),
    ("data", |portal| {
        let word = portal.word();
        portal.project.write("site/data/words.json", &format!("{{ \"word\": \"{word}\" }}\n"));
    }),
    ("file of a pattern", |portal| {
        let (number, word) = (portal.random.below(4), portal.word());
        portal.project.write(&format!("site/data/more/{number}.ts"), &format!("export default \"{word}\";\n"));
    }),
    ("no file of a pattern", |portal| {
        let number = portal.random.below(4);
        portal.remove(&format!("site/data/more/{number}.ts"));
    }),
    ("image", |portal| {
        let size = portal.random.below(90);
        let image = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 {size}\"/>\n");
        portal.project.write("site/data/image.svg", &image);
    }),
    ("title", |portal| {
        let (word, count) = (portal.word(), portal.routes.len());
        let route = portal.random.below(count);
        portal.routes[route].title = word;
        portal.write_routes();
    }),
    ("route", Portal::add_route),
    ("no route", |portal| {
        if portal.routes.len() > 1 {
            let count = portal.routes.len();
            portal.routes.remove(1 + portal.random.below(count - 1));
            portal.write_routes();
        }
    }),
    ("other page at a route", |portal| {
        let (page, count) = (portal.some_page(), portal.routes.len());
        let route = portal.random.below(count);
        portal.routes[route].component = Some(page);
        portal.write_routes();
    }),
    ("order of routes", |portal| {
        portal.random.shuffle(&mut portal.routes[1..]);
        portal.write_routes();
    }),
    ("settings", |portal| {
        const SETTINGS: [&str; 4] = [
            "[site]\ndescription = \"Words\"\n",
            "[site]\nicon = \"data/image.svg\"\n",
            "[check]\nbroken-link = \"off\"\n",
            "[not_found]\ntitle = \"Nothing\"\n",
        ];
        let settings = *portal.random.pick(&SETTINGS);
        portal.settings = vec![settings];
        portal.write_routes();
    }),
    ("no settings", |portal| {
        portal.settings.clear();
        portal.write_routes();
    }),
    ("broken routes", |portal| {
        let text = portal.read("routes.toml");
        let cut = portal.random.below(text.len());
        portal.project.write("routes.toml", text.get(..cut).unwrap_or_default());
    }),
    ("mended routes", Portal::write_routes),
    ("layout", |portal| {
        let (imports, word) = (portal.imports("./parts/"), portal.word());
        let text = format!(
            "{imports}export default function Layout({{ children }}) {{\n  return <main title=\"{word}\">{{children}}</main>;\n}}\n"
        );
        portal.project.write("site/layout.tsx", &text);
    }),
    ("no layout", |portal| portal.remove("site/layout.tsx")),
    ("not-found page", |portal| portal.write_page("404")),
    ("no not-found page", |portal| portal.remove("site/pages/404.tsx")),
    ("no page", |portal| {
        let page = portal.some_page();
        portal.remove(&format!("site/pages/{page}.tsx"));
    }),
    ("template", |portal| {
        let (shell, word) = (fs::read_to_string(repository().join("templates/shell.html")).unwrap(), portal.word());
        portal.project.write("templates/shell.html", &shell.replace("</body>", &format!("<i>{word}</i></body>")));
    }),
    ("broken template", |portal| portal.project.write("templates/shell.html", "<html>{{ title\n")),
    ("no template", |portal| portal.remove("templates/shell.html")),
    ("public file", |portal| {
        let (number, word) = (portal.random.below(3), portal.word());
        portal.project.write(&format!("site/public/deep/{number}.txt"), &word);
    }),
    ("no public folder", |portal| drop(fs::remove_dir_all(portal.project.path("site/public")))),
    ("settings of TypeScript", |portal| {
        const SETTINGS: [&str; 4] = [
            "{ \"compilerOptions\": { \"paths\": { \"@/*\": [\"./parts/*\"] } } }\n",
            "{ \"compilerOptions\": { \"paths\": { \"@/*\": [\"./other/*\", \"./parts/*\"] } } }\n",
            "{ \"compilerOptions\": { \"jsx\": \"react\" } }\n",
            "{ \"compilerOptions\": \n",
        ];
        let text = *portal.random.pick(&SETTINGS);
        portal.project.write("site/tsconfig.json", text);
    }),
    ("no settings of TypeScript", |portal| portal.remove("site/tsconfig.json")),
    ("mistake", |portal| {
        let part = *portal.random.pick(&PARTS);
        let text = *portal.random.pick(&[
            "export const word = <p>;\n",
            "import { nothing } from \"./a.tsx\";\nexport const word = nothing;\n",
            "export const word = \"cut",
            "",
            "throw new Error(\"no word\");\nexport const word = 1;\n",
        ]);
        portal.project.write(&format!("site/parts/{part}.tsx"), text);
    }),
    ("folder renamed and back", |portal| {
        let (here, there) = (portal.project.path("site/parts"), portal.project.path("site/other"));
        if here.is_dir() && !there.is_dir() {
            fs::rename(here, there).unwrap();
        } else if there.is_dir() {
            drop(fs::remove_dir_all(&here));
            fs::rename(there, here).unwrap();
        }
    }),
    ("everything mended", Portal::mend),
];

impl Portal {
    fn new(seed: u64) -> Self {
        let project = Project::new(&[
            ("site/pages/index.tsx", ""),
            ("site/data/words.json", "{ \"word\": \"a\" }\n"),
            ("site/data/image.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"/>\n"),
            ("site/public/robots.txt", "User-agent: *\n"),
        ]);
        let home = Route { path: "/".to_owned(), title: "Home".to_owned(), component: None };
        let mut portal = Self {
            project,
            random: Random::new(seed),
            addresses: ["/".to_owned(), "/robots.txt".to_owned(), "/nothing/".to_owned()].into(),
            routes: vec![home],
            settings: Vec::new(),
            made: 0,
            log: Vec::new(),
        };
        portal.mend();
        portal.routes[0].component = Some("index".to_owned());
        for _ in 0..3 {
            portal.add_route();
        }
        portal
    }

    /// Makes one edit, and notes which.
    fn edit(&mut self) {
        let (name, edit) = *self.random.pick(EDITS_THERE_ARE);
        edit(self);
        self.log.push(name.to_owned());
    }

    /// A text that was not there before.
    fn word(&mut self) -> String {
        self.made += 1;
        format!("word{:04}", self.made)
    }

    fn some_page(&mut self) -> String {
        (*self.random.pick(&PAGES)).to_owned()
    }

    /// Some imports that a module may have, with all that they can do to a graph.
    fn imports(&mut self, parts: &str) -> String {
        let count = self.random.below(4);
        (0..count).map(|number| self.import(parts, number)).collect()
    }

    fn import(&mut self, parts: &str, number: usize) -> String {
        let (part, sheet) = (*self.random.pick(&PARTS), *self.random.pick(&SHEETS));
        match self.random.below(8) {
            0 => format!("import \"{parts}{sheet}\";\n"),
            1 => {
                format!("import * as all{number} from \"{parts}{part}\";\nglobalThis.kept = () => all{number}.word;\n")
            }
            2 => format!("export * from \"{parts}{part}\";\n"),
            3 => format!("globalThis.later = () => import(\"{parts}{part}\");\n"),
            4 => format!("import {{ word as alias{number} }} from \"@/{LEAF}\";\nglobalThis.alias = alias{number};\n"),
            _ => format!("import {{ word as word{number} }} from \"{parts}{part}\";\nvoid (() => word{number});\n"),
        }
    }

    fn write_page(&mut self, page: &str) {
        let (imports, word, part) = (self.imports("../parts/"), self.word(), *self.random.pick(&PARTS));
        let text = format!(
            "{imports}import {{ word as shown }} from \"../parts/{part}\";\nimport words from \"../data/words.json\";\n\
             import image from \"../data/image.svg\";\n\
             const more = import.meta.glob(\"../data/more/*.ts\", {{ eager: true, import: \"default\" }});\n\n\
             export default function Page() {{\n  return (\n    <p>\n      {{String(shown)}} {{words.word}} {word} \
             {{JSON.stringify(more)}}\n      <img src={{image}} alt=\"\" />\n    </p>\n  );\n}}\n"
        );
        self.project.write(&format!("site/pages/{page}.tsx"), &text);
    }

    fn write_some_page(&mut self) {
        let page = self.some_page();
        self.write_page(&page);
    }

    fn write_part(&mut self, part: &str) {
        let imports = if part == LEAF { String::new() } else { self.imports("./") };
        let word = self.word();
        self.project.write(&format!("site/parts/{part}.tsx"), &format!("{imports}export const word = \"{word}\";\n"));
    }

    fn write_some_part(&mut self) {
        let part = *self.random.pick(&PARTS);
        self.write_part(part);
    }

    /// Puts everything right that edits may have broken.
    fn mend(&mut self) {
        for folder in ["site/other", "templates"] {
            drop(fs::remove_dir_all(self.project.path(folder)));
        }
        for part in PARTS {
            self.write_part(part);
        }
        for sheet in SHEETS {
            self.write_sheet(sheet);
        }
        for page in PAGES {
            if self.read(&format!("site/pages/{page}.tsx")).is_empty() {
                self.write_page(page);
            }
        }
        let text = "{ \"compilerOptions\": { \"paths\": { \"@/*\": [\"./parts/*\"] } } }\n";
        self.project.write("site/tsconfig.json", text);
        self.write_routes();
    }

    fn write_sheet(&mut self, sheet: &str) {
        let (word, size) = (self.word(), self.random.below(9));
        let import =
            if sheet == "one.css" && self.random.chance(50) { "@import \"./three.css\" layer(deep);\n" } else { "" };
        let text = format!("{import}.{word} {{ top: {size}px; background: url(\"../data/image.svg\") }}\n");
        self.project.write(&format!("site/parts/{sheet}"), &text);
    }

    fn write_some_sheet(&mut self) {
        let sheet = *self.random.pick(&SHEETS);
        self.write_sheet(sheet);
    }

    fn add_route(&mut self) {
        let (word, page) = (self.word(), self.some_page());
        let component = self.random.chance(80).then_some(page);
        if let Some(page) = &component {
            self.write_page(page);
        }
        let path = format!("/{word}");
        self.addresses.insert(format!("{path}/"));
        self.routes.push(Route { path, title: word, component });
        self.write_routes();
    }

    fn write_routes(&mut self) {
        let portal = "[portal]\nproduct = \"Acme\"\nhost = \"https://chat.acme.example\"\nlang = \"en\"\n";
        let route = |Route { path, title, component }: &Route| {
            let leads = match component {
                Some(page) => format!("component = \"pages/{page}.tsx\""),
                None => "redirect = \"{host}/login\"".to_owned(),
            };
            format!("[[route]]\npath = \"{path}\"\ntitle = \"{title}\"\n{leads}\n")
        };
        let settings = self.settings.iter().map(|settings| (*settings).to_owned());
        let tables: Vec<String> =
            [portal.to_owned()].into_iter().chain(self.routes.iter().map(route)).chain(settings).collect();
        self.project.write("routes.toml", &tables.join("\n"));
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.project.path(path)).unwrap_or_default()
    }

    fn remove(&self, path: &str) {
        let _ = fs::remove_file(self.project.path(path));
    }

    /// All files that somebody edits.
    fn files(&self) -> Tree {
        let mut files = tree(&self.project.path(""));
        files.retain(|path, _| !path.starts_with("site/node_modules/"));
        files
    }

    /// The files that differ from what they were.
    fn changed(&self, before: &Tree) -> Vec<PathBuf> {
        let now = self.files();
        let root = self.project.path("").canonicalize().unwrap();
        let paths: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
        let differs = |path: &&String| before.get(*path) != now.get(*path);
        let files: Vec<PathBuf> = paths.into_iter().filter(differs).map(|path| root.join(path)).collect();
        // A watcher tells of folders that come and go, too.
        let (old, new) = (folders(before), folders(&now));
        files.into_iter().chain(old.symmetric_difference(&new).map(|folder| root.join(folder))).collect()
    }

    fn answers(&self, process: &Process) -> Answers {
        process.answers(self.addresses.iter().cloned())
    }
}

/// The folders that files lie in.
fn folders(files: &Tree) -> BTreeSet<&Path> {
    files.keys().flat_map(|file| Path::new(file).ancestors().skip(1)).collect()
}

fn number(name: &str, otherwise: usize) -> usize {
    env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(otherwise)
}

/// A portal and the process that serves it while it is edited.
struct Serving {
    portal: Portal,
    process: Process,
    /// What was told after the last edit.
    mistakes: BTreeSet<String>,
    edits: usize,
}

impl Serving {
    fn begin(seed: usize) -> Self {
        let portal = Portal::new(seed as u64);
        let process = Process::begin(&portal.project);
        let mistakes = process.mistakes();
        Self { portal, process, mistakes, edits: 0 }
    }

    /// Makes edits, and has them taken over together.
    fn save(&mut self, edits: impl FnOnce(&mut Portal)) {
        let before = self.portal.files();
        edits(&mut self.portal);
        let changed = self.portal.changed(&before);
        self.process.edited(&changed);
        self.mistakes = self.process.mistakes();
        self.portal.log.push(format!("saved {changed:?}"));
    }

    fn save_some(&mut self) {
        let random = &mut self.portal.random;
        let together = if random.chance(20) { 1 + random.below(4) } else { 1 };
        self.edits += together;
        self.save(|portal| (0..together).for_each(|_| portal.edit()));
        // Somebody looks at it now and then.
        if self.portal.random.chance(30) {
            self.portal.answers(&self.process);
        }
    }

    fn compare(&self) {
        compare(&self.portal, &self.process, &self.mistakes)
            .unwrap_or_else(|difference| panic!("{difference}\n{:#?}", self.portal.log));
    }
}

/// Edits a portal while one process serves it.
fn sequence(seed: usize, edits: usize) {
    let mut serving = Serving::begin(seed);
    serving.portal.log.push(format!("PORTALGEN_EDITS_SEED={seed}"));
    let (mut rounds, mut built) = (0, 0);
    while serving.edits < edits {
        for _ in 0..=serving.portal.random.below(BETWEEN) {
            serving.save_some();
        }
        serving.compare();
        if !serving.mistakes.is_empty() && serving.portal.random.chance(85) {
            serving.save(Portal::mend);
            serving.compare();
        }
        rounds += 1;
        built += usize::from(serving.mistakes.is_empty());
    }
    assert!(built * 4 > rounds, "{built} of {rounds} rounds ended with a portal that can be built");
}

/// Compares a process that has followed all edits with one that begins now.
fn compare(portal: &Portal, process: &Process, mistakes: &BTreeSet<String>) -> Result<(), String> {
    let fresh = Process::begin(&portal.project);
    let expected = fresh.mistakes();
    if *mistakes != expected {
        return Err(format!("told otherwise: {mistakes:#?}\n{expected:#?}"));
    }
    if !expected.is_empty() {
        return Ok(());
    }
    let (now, expected) = (portal.answers(process), portal.answers(&fresh));
    let addresses: BTreeSet<&String> = now.keys().chain(expected.keys()).collect();
    match addresses.into_iter().find(|address| now.get(*address) != expected.get(*address)) {
        Some(address) => Err(difference(address, now.get(address), expected.get(address))),
        None => Ok(()),
    }
}

/// What is not the same at an address.
fn difference(address: &str, now: Option<&(u16, String)>, expected: Option<&(u16, String)>) -> String {
    let lines = |answer: Option<&(u16, String)>| -> Vec<String> {
        let (status, text) = answer.cloned().unwrap_or_default();
        [status.to_string()].into_iter().chain(text.lines().map(ToOwned::to_owned)).collect()
    };
    let (now, expected) = (lines(now), lines(expected));
    let same = now.iter().zip(&expected).take_while(|(now, expected)| now == expected).count();
    let shown = |lines: &[String]| lines.iter().skip(same).take(8).cloned().collect::<Vec<_>>().join("\n");
    format!("{address} is not what it should be, from line {same}:\n{}\n--- but\n{}", shown(&now), shown(&expected))
}

#[test]
fn what_is_served_after_random_edits_is_what_a_new_process_serves() {
    let edits = number("PORTALGEN_EDITS", EDITS);
    let first = number("PORTALGEN_EDITS_SEED", 1);
    let sequences = if env::var_os("PORTALGEN_EDITS_SEED").is_some() { 1 } else { SEQUENCES };
    thread::scope(|scope| {
        for seed in first..first + sequences {
            scope.spawn(move || stages::on_deep_stacks(|| sequence(seed, edits / SEQUENCES)));
        }
    });
}
