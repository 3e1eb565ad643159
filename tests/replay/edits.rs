//! Random edits of a portal: after each, a build that may use all that earlier ones left must give what one gives that has
//! nothing.

use std::{
    collections::BTreeMap,
    env, fs,
    process::Command,
    thread,
    time::{Duration, SystemTime},
};

use serde_json::Value;

use super::{CACHE, ROUTES, install, set_modified};
use crate::support::{
    project::{Outcome, Project, Tree, repository, tree},
    random::Random,
};

/// How many edits there are, shared among sequences; `PORTALGEN_EDITS=500` makes more of them.
const EDITS: usize = 100;
const SEQUENCES: usize = 4;

/// A portal in the making.
struct Portal {
    project: Project,
    random: Random,
    /// Pages behind those that are always there.
    pages: Vec<usize>,
    /// What stands in sections of `routes.toml`, by their names.
    settings: BTreeMap<&'static str, String>,
    made: usize,
    /// What was done so far, to be told when something is wrong.
    log: Vec<String>,
}

type Edit = fn(&mut Portal);

/// Which options builds are made with; they stay for some time.
type Arguments = Vec<&'static str>;

const OPTIONS: [&[&str]; 8] = [
    &["--no-minify"],
    &["--no-minify"],
    &["--no-minify", "--base", "/app/"],
    &["--no-minify", "--mode", "development"],
    &["--no-minify", "--tolerant"],
    &["--no-minify", "--sourcemap"],
    &["--no-minify", "--host", "https://chat.example.com"],
    &[],
];

impl Portal {
    fn new(seed: u64) -> Self {
        let project = Project::new(&[
            ("site/pages/index.tsx", ""),
            ("site/pages/about.tsx", ""),
            ("site/parts/card.module.css", ".card { top: 0 }\n"),
            ("site/parts/all.css", "p { color: red }\n"),
            ("site/parts/words.json", "{ \"word\": \"a\" }\n"),
            ("site/public/robots.txt", "User-agent: *\n"),
        ]);
        install(&project, "first");
        let portal = Self {
            project,
            random: Random::new(seed),
            pages: Vec::new(),
            settings: BTreeMap::new(),
            made: 0,
            log: Vec::new(),
        };
        portal.write_page("index", "home");
        portal.write_page("about", "about");
        portal.write_routes("Home");
        portal
    }

    fn write_page(&self, name: &str, text: &str) {
        let page = format!(
            "import {{ word }} from \"part\";\nimport words from \"../parts/words.json\";\nimport {{ card }} from \
             \"../parts/card.module.css\";\nimport \"../parts/all.css\";\n\nexport default () => <p className={{card}}>{{word}} \
             {{words.word}} {text}</p>;\n"
        );
        self.project.write(&format!("site/pages/{name}.tsx"), &page);
    }

    fn write_routes(&self, title: &str) {
        let route = |page: &usize| format!("\n[[route]]\npath = \"/page-{page}\"\ntitle = \"Page {page}\"\n");
        let more: String = self.pages.iter().map(route).collect();
        let settings = self.settings.iter().map(|(section, text)| format!("\n[{section}]\n{text}\n"));
        let routes =
            ROUTES.replace("Home", title).replace("[portal]", "[portal]\norigin = \"https://www.example.com\"");
        self.project.write("routes.toml", &format!("{routes}{more}{}", settings.collect::<String>()));
    }

    /// A text that was not there before.
    fn word(&mut self) -> String {
        self.made += 1;
        format!("word{:04}", self.made)
    }

    /// Makes one edit, and says which.
    fn edit(&mut self) {
        const EDITS: [(&str, Edit); 27] = [
            ("title", |portal| {
                let word = portal.word();
                portal.write_routes(&word);
            }),
            ("text of a page", |portal| {
                let word = portal.word();
                portal.write_page("about", &word);
            }),
            ("new page", Portal::add_page),
            ("new page", Portal::add_page),
            ("no page", |portal| {
                if let Some(page) = portal.pages.pop() {
                    portal.project.remove(&format!("site/pages/page-{page}.tsx"));
                    portal.write_routes("Home");
                }
            }),
            ("layout", |portal| {
                let word = portal.word();
                let text = format!("export default ({{ children }}) => <main title=\"{word}\">{{children}}</main>;\n");
                portal.project.write("site/layout.jsx", &text);
            }),
            ("no layout", |portal| portal.remove("site/layout.jsx")),
            ("classes", |portal| {
                let word = portal.word();
                portal
                    .project
                    .write("site/parts/card.module.css", &format!(".card {{ top: 0 }}\n.{word} {{ top: 1px }}\n"));
            }),
            ("sheet", |portal| {
                let colour = *portal.random.pick(&["red", "blue", "green"]);
                portal.project.write("site/parts/all.css", &format!("p {{ color: {colour} }}\n"));
            }),
            ("data", |portal| {
                let word = portal.word();
                portal.project.write("site/parts/words.json", &format!("{{ \"word\": \"{word}\" }}\n"));
            }),
            ("public file", |portal| {
                let (number, word) = (portal.random.below(3), portal.word());
                portal.project.write(&format!("site/public/deep/{number}.txt"), &word);
            }),
            ("no public file", |portal| {
                let number = portal.random.below(3);
                portal.remove(&format!("site/public/deep/{number}.txt"));
            }),
            ("template", |portal| {
                let (shell, word) =
                    (fs::read_to_string(repository().join("templates/shell.html")).unwrap(), portal.word());
                portal
                    .project
                    .write("templates/shell.html", &shell.replace("</body>", &format!("<i>{word}</i></body>")));
            }),
            ("no template", |portal| portal.remove("templates/shell.html")),
            ("icon", |portal| {
                let colour = *portal.random.pick(&["red", "blue", "green"]);
                let icon = format!(
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><path fill=\"{colour}\" d=\"M1 1h7v7z\"/></svg>"
                );
                portal.project.write("site/icon.svg", &icon);
                let background = *portal.random.pick(&["#fff", "#102030"]);
                portal.set("site", format!("icon = \"icon.svg\"\nbackground_color = \"{background}\""));
            }),
            ("platform", |portal| {
                let platform = *portal.random.pick(&["\"nginx\"", "\"netlify\"", "\"caddy\""]);
                portal.set("deploy", format!("platform = [{platform}]"));
            }),
            ("rules", |portal| {
                let level = *portal.random.pick(&["off", "warning"]);
                portal.set("check", format!("broken-link = \"{level}\"\nempty-page = \"{level}\""));
            }),
            ("link", |portal| {
                let page = portal.random.below(portal.made + 1);
                portal.project.write(
                    "site/pages/index.tsx",
                    &format!("export default () => <p id=\"a\">A <a href=\"/page-{page}#a\">link</a></p>;\n"),
                );
            }),
            ("commit", Portal::commit),
            ("settings of TypeScript", |portal| {
                let paths = if portal.random.chance(50) { ", \"paths\": { \"@/*\": [\"./*\"] }" } else { "" };
                let text = format!("{{ \"compilerOptions\": {{ \"jsx\": \"react-jsx\"{paths} }} }}\n");
                portal.project.write("site/tsconfig.json", &text);
            }),
            ("package", |portal| {
                let word = portal.word();
                install(&portal.project, &word);
            }),
            ("ledger", |portal| portal.remove("routes.lock")),
            ("times", |portal| portal.set_times(SystemTime::now() - Duration::from_secs(1000))),
            ("the same size and time", Portal::edit_in_secret),
            ("output", |portal| {
                let word = portal.word();
                portal.write_existing("dist/about/index.html", &word);
            }),
            ("results", Portal::damage_results),
            ("mistake", |portal| portal.project.write("site/parts/words.json", "{ \"word\": }\n")),
        ];
        let (name, edit) = *self.random.pick(&EDITS);
        edit(self);
        self.log.push(name.to_owned());
    }

    fn add_page(&mut self) {
        self.made += 1;
        let page = self.made;
        self.pages.push(page);
        self.write_page(&format!("page-{page}"), "more");
        self.write_routes("Home");
    }

    fn set(&mut self, section: &'static str, text: String) {
        self.settings.insert(section, text);
        self.write_routes("Home");
    }

    /// Commits all that there is, on another day than before.
    fn commit(&mut self) {
        self.made += 1;
        self.project.write(".gitignore", "node_modules\ndist\n.portalgen\n");
        let day = format!("2024-01-{:02}T12:00:00Z", self.made % 28 + 1);
        for arguments in
            [&["init", "--quiet"][..], &["add", "--all"], &["commit", "--quiet", "--allow-empty", "-m", "all"]]
        {
            let mut git = Command::new("git");
            git.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]).args(arguments);
            git.env("GIT_AUTHOR_DATE", &day).env("GIT_COMMITTER_DATE", &day);
            assert!(git.current_dir(self.project.path("")).status().unwrap().success(), "{arguments:?}");
        }
    }

    fn remove(&self, path: &str) {
        let _ = fs::remove_file(self.project.path(path));
    }

    fn write_existing(&self, path: &str, text: &str) {
        if self.project.path(path).is_file() {
            self.project.write(path, text);
        }
    }

    fn set_times(&self, time: SystemTime) {
        for path in tree(&self.project.path("site/pages")).keys() {
            set_modified(&self.project.path("site/pages").join(path), time);
        }
    }

    fn edit_in_secret(&mut self) {
        let path = self.project.path("site/pages/about.tsx");
        let (text, time) = (fs::read_to_string(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
        fs::write(&path, text.replace("{words.word} ", "{words.word}-").replace("{words.word}-", "{words.word}+"))
            .unwrap();
        set_modified(&path, time);
    }

    fn damage_results(&mut self) {
        let files: Vec<_> = tree(&self.project.path("site/node_modules")).into_iter().collect();
        let kept: Vec<_> = files.into_iter().filter(|(path, _)| path.starts_with(".cache/")).collect();
        let Some((path, mut bytes)) = self.random.choose(&kept).cloned() else { return };
        let at = self.random.below(bytes.len().max(1));
        match self.random.below(3) {
            0 => bytes.truncate(at),
            1 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 16),
            _ => return fs::remove_dir_all(self.project.path(CACHE)).unwrap(),
        }
        self.project.write_bytes(&format!("site/node_modules/{path}"), &bytes);
    }

    /// Builds as it is, and in a folder where nothing was built before, and compares.
    fn compare(&self, arguments: &[&str]) -> Result<(), String> {
        let fresh = self.copy();
        let (warm, cold) = (build(&self.project, arguments), build(&fresh, arguments));
        if told(&warm) != told(&cold) {
            return Err(format!("told otherwise: {warm:?}\n{cold:?}"));
        }
        let again = build(&self.project, arguments);
        if told(&again) != told(&warm) {
            return Err(format!("told otherwise the second time: {again:?}\n{warm:?}"));
        }
        if warm.code != 0 {
            return Ok(());
        }
        let third = build(&self.project, arguments);
        let is_replayed = !third.stdout.contains("\"documents\"");
        if !is_replayed {
            return Err("built a third time without a change".to_owned());
        }
        let differs = |name: &str, a: &Tree, b: &Tree| {
            let paths: Vec<&String> = a.keys().chain(b.keys()).filter(|path| a.get(*path) != b.get(*path)).collect();
            if paths.is_empty() { Ok(()) } else { Err(format!("{name}: {paths:?}")) }
        };
        differs("published", &without_lock(&self.project), &without_lock(&fresh))?;
        let ledger = |project: &Project| fs::read(project.path("routes.lock")).ok();
        if ledger(&self.project) == ledger(&fresh) { Ok(()) } else { Err("the ledger".to_owned()) }
    }

    /// The sources in another folder.
    fn copy(&self) -> Project {
        let copy = Project::without_packages(&[]);
        for (path, bytes) in tree(&self.project.path("")) {
            let is_made = [CACHE, "dist/", "site/.portalgen/"].iter().any(|folder| path.starts_with(folder));
            if !is_made {
                copy.write_bytes(&path, &bytes);
            }
        }
        copy.add_packages();
        copy
    }
}

fn build(project: &Project, arguments: &[&str]) -> Outcome {
    let mut command: Command = project.command("build");
    Outcome::of(command.arg("--json").args(arguments))
}

/// What is told, apart from times and from what was written, which follows from what was there.
fn told(outcome: &Outcome) -> (i32, Option<Value>, &str) {
    let mut result: Option<Value> = serde_json::from_str(&outcome.stdout).ok();
    if let Some(Value::Object(result)) = &mut result {
        for key in ["milliseconds", "written", "removed", "kept"] {
            result.remove(key);
        }
    }
    (outcome.code, result, &outcome.stderr)
}

fn without_lock(project: &Project) -> Tree {
    project.published()
}

fn number(name: &str, otherwise: usize) -> usize {
    env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(otherwise)
}

fn sequence(seed: usize, edits: usize) {
    let mut portal = Portal::new(seed as u64);
    let mut arguments: Arguments = OPTIONS[0].to_vec();
    for _ in 0..edits {
        // Several edits between two builds now and then, and none.
        while !portal.random.chance(10) {
            portal.edit();
            if portal.random.chance(70) {
                break;
            }
        }
        if portal.random.chance(15) {
            arguments = portal.random.pick(&OPTIONS).to_vec();
        }
        portal.log.push(format!("build {arguments:?}"));
        if let Err(difference) = portal.compare(&arguments) {
            panic!("{difference}\nPORTALGEN_EDITS_SEED={seed}: {:#?}", portal.log);
        }
        if portal.project.path("site/parts/words.json").metadata().unwrap().len() < 12 {
            portal.project.write("site/parts/words.json", "{ \"word\": \"mended\" }\n");
        }
    }
}

#[test]
fn builds_after_random_edits_are_those_of_clean_folders() {
    let edits = number("PORTALGEN_EDITS", EDITS);
    let first = number("PORTALGEN_EDITS_SEED", 1);
    let sequences = if env::var_os("PORTALGEN_EDITS_SEED").is_some() { 1 } else { SEQUENCES };
    thread::scope(|scope| {
        for seed in first..first + sequences {
            scope.spawn(move || sequence(seed, edits / SEQUENCES));
        }
    });
}
