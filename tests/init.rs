//! What `portalgen init` makes, and what it leaves alone.

use std::{collections::BTreeSet, fs, path::Path};

use crate::support::project::{Outcome, Project, Tree, repository, tree};

const LANGUAGES: [&str; 2] = ["en", "zh"];

/// Makes a portal in a folder of this name.
fn init(folder: &str, lang: &str) -> Tree {
    let project = Project::without_packages(&[]);
    succeeds(&project.run("init", &["--lang", lang, "--", folder]));
    tree(&project.path(folder))
}

/// A new portal, ready to be built.
fn new_portal(folder: &str, lang: &str) -> Project {
    let project = Project::without_packages(&[]);
    succeeds(&project.run("init", &["--lang", lang, "--", folder]));
    Project::copy_of(&project.path(folder))
}

#[track_caller]
fn succeeds(outcome: &Outcome) {
    assert_eq!(outcome.code, 0, "{outcome:?}");
}

fn text<'t>(files: &'t Tree, path: &str) -> &'t str {
    std::str::from_utf8(files.get(path).unwrap_or_else(|| panic!("{path} is missing"))).unwrap()
}

fn json(files: &Tree, path: &str) -> serde_json::Value {
    serde_json::from_str(text(files, path)).unwrap()
}

// --- what is made ---

#[test]
fn a_new_portal_is_whole() {
    let files = init("my-portal", "en");
    let paths: Vec<&str> = files.keys().map(String::as_str).collect();
    let expected = [
        ".github/workflows/portal.yml",
        ".gitignore",
        "README.md",
        "routes.schema.json",
        "routes.toml",
        "site/components/Arch.tsx",
        "site/components/Card.tsx",
        "site/components/Header.tsx",
        "site/env.d.ts",
        "site/icon.svg",
        "site/layout.tsx",
        "site/package-lock.json",
        "site/package.json",
        "site/pages/404.tsx",
        "site/pages/about.tsx",
        "site/pages/index.tsx",
        "site/styles.css",
        "site/tsconfig.json",
    ];
    assert_eq!(paths, expected);
    for (path, bytes) in &files {
        let text = std::str::from_utf8(bytes).unwrap();
        assert!(text.ends_with('\n') && !text.contains('\r') && !text.contains("__"), "{path}");
    }
    assert!(text(&files, "routes.toml").starts_with("#:schema ./routes.schema.json\n"));
    assert!(text(&files, "routes.toml").contains("product = \"My Portal\"\n"));
    assert!(text(&files, "README.md").starts_with("# My Portal\n"));
}

#[test]
fn a_new_portal_builds_and_breaks_no_rule() {
    for (lang, tag, home, about, lost, login) in [
        ("en", "en", "Welcome to <!-- -->My Portal", "About us", "Page not found", "Sign in"),
        ("zh", "zh-CN", "欢迎来到<!-- -->My Portal", "关于我们", "页面不存在", "登录"),
    ] {
        let portal = new_portal("my-portal", lang);
        let check = portal.run(
            "check",
            &["--offline", "--deny", "warnings", "--origin", "https://portal.example", "--base", "/my-portal"],
        );
        succeeds(&check);
        let built = portal.build(&["--offline", "--deny", "warnings"]);
        succeeds(&built);
        assert_eq!(built.stderr, "", "a build has nothing to say");
        let files = portal.published();
        for (path, expected) in [
            ("index.html", format!("<html lang=\"{tag}\">")),
            ("index.html", "<title>My Portal</title>".to_owned()),
            ("index.html", format!("<h1>{home}</h1>")),
            ("index.html", "<link rel=\"icon\" href=\"/assets/icon-".to_owned()),
            ("about/index.html", format!("<title>{about}</title>")),
            ("about/index.html", "<meta name=\"description\"".to_owned()),
            ("404.html", format!("<title>{lost}</title>")),
            ("login/index.html", format!("<a href=\"https://accounts.example.com/login\">{login}</a>")),
        ] {
            assert!(text(&files, path).contains(&expected), "no {expected} in {path}:\n{}", text(&files, path));
        }
    }
}

/// The pages are written twice, and an improvement of one is one of the other.
#[test]
fn both_languages_have_the_same_elements() {
    let [english, chinese] = LANGUAGES.map(|lang| {
        let portal = new_portal("my-portal", lang);
        succeeds(&portal.build(&["--offline"]));
        portal.published()
    });
    for page in ["index.html", "about/index.html", "404.html"] {
        let elements = tags(text(&english, page));
        assert!(elements.len() > 20, "{page}");
        assert_eq!(elements, tags(text(&chinese, page)), "{page}");
    }
}

/// The tags inside the React root, with names of classes and targets of links.
fn tags(html: &str) -> Vec<String> {
    let (_, root) = html.split_once("<div id=\"root\">").unwrap();
    let tags = root.split('<').skip(1).filter(|tag| !tag.starts_with("!--"));
    let names = tags.map(|tag| {
        let words = tag.split('>').next().unwrap().split(' ').filter(|word| !word.contains("aria-label"));
        words.collect::<Vec<_>>().join(" ")
    });
    names.collect()
}

#[test]
fn nothing_but_words_differs_between_the_languages() {
    let [english, chinese] = LANGUAGES.map(|lang| init("my-portal", lang));
    let paths = |files: &Tree| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(paths(&english), paths(&chinese));
    let is_chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    for path in english.keys() {
        let (english, chinese) = (text(&english, path), text(&chinese, path));
        assert!(!is_chinese(english), "{path}");
        assert!(english == chinese || is_chinese(chinese), "{path}");
    }
    let commands = |files| {
        let is_command = |line: &&str| !line.trim_start().starts_with('#') && !line.contains("name: ");
        text(files, ".github/workflows/portal.yml").lines().filter(is_command).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(commands(&english), commands(&chinese));
    assert!(commands(&english).len() > 50);
}

#[test]
fn the_same_name_gives_the_same_bytes() {
    let first = init("my-portal", "zh");
    let project = Project::without_packages(&[]);
    let mut command = project.command("init");
    command.args(["--lang", "zh", "deep/../er/my-portal"]).env("TZ", "Asia/Tokyo").env("LANG", "tr_TR.UTF-8");
    assert!(command.output().unwrap().status.success());
    assert_eq!(tree(&project.path("deep/../er/my-portal")), first);
}

/// Whoever upgrades the packages of the repository's own portal upgrades those of new ones.
#[test]
fn new_portals_have_the_packages_of_the_repository() {
    let files = init("my-portal", "en");
    for file in ["package.json", "package-lock.json", "tsconfig.json", "env.d.ts"] {
        let own = fs::read_to_string(repository().join("site").join(file)).unwrap();
        assert_eq!(text(&files, &format!("site/{file}")), own, "{file}");
    }
    let (package, lock) = (json(&files, "site/package.json"), json(&files, "site/package-lock.json"));
    let names = |key: &str| package[key].as_object().unwrap().keys().map(String::as_str).collect::<BTreeSet<_>>();
    assert_eq!(names("dependencies"), BTreeSet::from(["react", "react-dom", "react-router-dom"]));
    assert_eq!(
        names("devDependencies"),
        BTreeSet::from(["@types/react", "@types/react-dom", "react-refresh", "typescript"])
    );
    for key in ["dependencies", "devDependencies"] {
        assert_eq!(lock["packages"][""][key], package[key], "package-lock.json is in step");
        for (name, version) in package[key].as_object().unwrap() {
            assert!(version.as_str().unwrap().split('.').all(|part| part.parse::<u32>().is_ok()), "{name} {version}");
            assert_eq!(&lock["packages"][format!("node_modules/{name}")]["version"], version);
        }
    }
    for (name, package) in lock["packages"].as_object().unwrap().iter().filter(|(name, _)| !name.is_empty()) {
        assert!(package["integrity"].is_string() && package.get("resolved").is_none(), "{name}");
    }
}

#[test]
fn the_schema_is_the_one_that_portalgen_prints() {
    for lang in LANGUAGES {
        let printed = Project::without_packages(&[]).run("schema", &["--lang", lang]);
        assert_eq!(text(&init("my-portal", lang), "routes.schema.json"), printed.stdout, "{lang}");
    }
}

#[test]
fn the_workflow_installs_the_version_that_wrote_it() {
    let workflow = format!("PORTALGEN_VERSION: \"{}\"\n", env!("CARGO_PKG_VERSION"));
    assert!(text(&init("my-portal", "en"), ".github/workflows/portal.yml").contains(&workflow));
}

/// Names that mean something in TOML, JSON, TypeScript, HTML, Markdown, or in routes.toml.
#[test]
fn any_name_of_a_folder_is_safe() {
    for (folder, product, heading) in [
        ("\"quoted\" 'twice'", "\"quoted\" 'twice'", "\"quoted\" 'twice'"),
        ("{host} }{", "{host} }{", "{host} }{"),
        ("C:\\new \\u0041\\", "C:\\new \\u0041\\", "C:\\\\new \\\\u0041\\\\"),
        ("1 < 2 > `0`", "1 < 2 > `0`", "1 \\< 2 \\> \\`0\\`"),
        ("$& $1 &amp", "$& $1 &amp", "$\\& $1 \\&amp"),
        ("蓝屿-门户", "蓝屿 门户", "蓝屿 门户"),
        ("🏝️-é", "🏝️ É", "🏝️ É"),
        ("-x", "X", "X"),
    ] {
        let portal = new_portal(folder, "en");
        let built = portal.build(&["--offline", "--deny", "warnings"]);
        assert_eq!(built.code, 0, "{folder}: {}", built.stderr);
        let files = portal.published();
        let home = text(&files, "index.html");
        let inside = |start: &str, end: &str| {
            let (_, rest) = home.split_once(start).unwrap_or_else(|| panic!("{folder}: no {start}"));
            decoded(rest.split_once(end).unwrap().0)
        };
        assert_eq!(inside("<title>", "</title>"), product, "{folder}");
        // React ends the text before a value with a comment.
        assert_eq!(inside("<h1>", "</h1>"), format!("Welcome to <!-- -->{product}"), "{folder}");
        assert_eq!(
            inside("<meta name=\"description\" content=\"", "\">"),
            format!("Everything about {product}, and the way in.")
        );
        let readme = fs::read_to_string(portal.path("README.md")).unwrap();
        assert_eq!(readme.lines().next(), Some(&*format!("# {heading}")), "{folder}");
    }
}

fn decoded(html: &str) -> String {
    let characters = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&#39;", "'"), ("&#x2f;", "/")];
    let text = characters.iter().fold(html.to_owned(), |text, (written, meant)| text.replace(written, meant));
    text.replace("&amp;", "&")
}

#[test]
fn a_name_that_cannot_be_a_title_gives_way() {
    for (folder, lang, product) in [
        ("a\u{202e}b", "en", "My Portal"),
        ("bell\u{7}", "zh", "我的门户"),
        ("TODO", "en", "My Portal"),
        ("---", "zh", "我的门户"),
        ("\"quoted\"", "en", "My Portal"),
        ("<script>alert", "zh", "我的门户"),
        (&*"long-".repeat(40), "en", "My Portal"),
    ] {
        assert!(text(&init(folder, lang), "routes.toml").contains(&format!("product = \"{product}\"\n")), "{folder}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_text_gives_way() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    let project = Project::without_packages(&[]);
    let folder = OsStr::from_bytes(b"caf\xe9");
    assert!(project.command("init").arg(folder).output().unwrap().status.success());
    let routes = fs::read_to_string(project.path("").join(folder).join("routes.toml")).unwrap();
    assert!(routes.contains("product = \"My Portal\"\n"));
}

// --- where it is made ---

#[test]
fn this_folder_has_a_name_too() {
    for arguments in [&[][..], &["."]] {
        let project = Project::without_packages(&[]);
        let folder = project.path("here-it-is");
        fs::create_dir(&folder).unwrap();
        let output = project.command("init").current_dir(&folder).args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(text(&tree(&folder), "routes.toml").contains("product = \"Here It Is\"\n"));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with("“Here It Is” is ready: 18 files in this folder.") && !said.contains("cd "), "{said}");
    }
}

#[test]
fn a_folder_that_holds_nothing_but_a_repository_counts_as_empty() {
    let project =
        Project::without_packages(&[("portal/.git/HEAD", "ref: refs/heads/main\n"), ("worktree/.git", "gitdir: x\n")]);
    for folder in ["portal", "worktree"] {
        succeeds(&project.run("init", &[folder]));
        assert!(project.path(folder).join("routes.toml").is_file());
    }
    assert_eq!(fs::read(project.path("portal/.git/HEAD")).unwrap(), b"ref: refs/heads/main\n");
}

/// What a repository begins with on GitHub stays, and a portal comes beside it.
#[test]
fn a_fresh_clone_becomes_a_portal() {
    let own = [
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("README.md", "# Ours\n"),
        ("LICENSE", "MIT\n"),
        (".gitignore", "dist/\n"),
        (".gitattributes", "* text\n"),
        (".github/dependabot.yml", "version: 2\n"),
    ];
    let project = Project::without_packages(&own);
    let outcome = project.run("init", &["."]);
    succeeds(&outcome);
    for (path, text) in own {
        assert_eq!(fs::read_to_string(project.path(path)).unwrap(), text, "{path}");
    }
    for path in ["routes.toml", "site/pages/index.tsx", ".github/workflows/portal.yml"] {
        assert!(project.path(path).is_file(), "{path}");
    }
    for words in [
        "16 files in this folder. Next:",
        "\n\nroutes.toml says where to change what.\n",
        "\n  Existing files that were not changed: .gitignore, README.md\n",
        "  Add these lines to .gitignore:\n    node_modules/\n",
    ] {
        assert!(outcome.stderr.contains(words), "{words}\n{}", outcome.stderr);
    }
    let other = Project::without_packages(&[("readme.rst", "Ours\n"), ("package.json", "{}\n")]);
    let said = refused(&other, &["."], 1);
    assert!(said.contains("`.` is not empty: it contains `package.json`\n"), "{said}");
    other.remove("package.json");
    let outcome = Outcome::of(other.command("init").args([".", "--lang", "zh", "--json"]));
    let told: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(told["kept"], serde_json::json!(["README.md"]));
    assert!(!other.path("README.md").exists());
    let chinese = Project::without_packages(&[]);
    let outcome = chinese.run("init", &["--lang", "zh"]);
    assert!(outcome.stderr.contains("已创建，当前文件夹里有 18 个文件。"), "{}", outcome.stderr);
}

#[test]
fn a_link_to_an_empty_folder_is_followed() {
    let project = Project::without_packages(&[]);
    fs::create_dir(project.path("real")).unwrap();
    std::os::unix::fs::symlink("real", project.path("my-link")).unwrap();
    succeeds(&project.run("init", &["my-link"]));
    assert!(text(&tree(&project.path("real")), "routes.toml").contains("product = \"My Link\"\n"));
}

/// Runs `init` where it must fail, and says whether everything stayed as it was.
#[track_caller]
fn refused(project: &Project, arguments: &[&str], code: i32) -> String {
    let before = everything(&project.path(""));
    let outcome = project.run("init", arguments);
    assert_eq!(outcome.code, code, "{outcome:?}");
    assert_eq!(outcome.stdout, "");
    assert_eq!(everything(&project.path("")), before);
    outcome.stderr
}

/// Every path below a folder with what is there, links and folders included.
fn everything(folder: &Path) -> Vec<String> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    let described = entries.map(|entry| {
        let content =
            if entry.file_type().is_file() { fs::read_to_string(entry.path()).unwrap() } else { String::new() };
        format!("{} {:?} {content}", entry.path().display(), entry.file_type())
    });
    described.collect()
}

#[test]
fn a_folder_that_is_not_empty_is_left_alone() {
    let project = Project::without_packages(&[("portal/notes.txt", "mine"), ("portal/.git/HEAD", "x")]);
    assert_eq!(
        refused(&project, &["portal"], 1),
        "error: `portal` is not empty: it contains `notes.txt`\n  \
         = hint: choose a folder that does not exist yet, or move its content somewhere else\n\n\
         1 error; nothing was created\n"
    );
    assert_eq!(
        refused(&project, &["portal", "--lang", "zh"], 1),
        "错误：`portal` 不是空文件夹：里面有 `notes.txt`\n  \
         = 提示：请换一个还不存在的文件夹，或者先把已有的内容移到别处\n\n\
         1 个错误；没有创建门户\n"
    );
    for name in ["LICENSE", ".gitkeep", "b", "a"] {
        project.write(&format!("portal/{name}"), "");
    }
    let said = refused(&project, &["portal"], 1);
    assert!(said.contains("`portal` is not empty: it contains `.gitkeep`, `a`, `b` and 1 more\n"), "{said}");
    let said = refused(&project, &["portal", "--lang", "zh"], 1);
    assert!(said.contains("里面有 `.gitkeep`、`a`、`b` 等 4 项\n"), "{said}");
}

#[test]
fn a_second_portal_in_the_same_folder_is_refused() {
    let project = Project::without_packages(&[]);
    succeeds(&project.run("init", &["portal"]));
    refused(&project, &["portal", "--lang", "zh"], 1);
    refused(&project, &["."], 1);
}

#[test]
fn what_is_no_folder_is_left_alone() {
    let project = Project::without_packages(&[("file", "mine")]);
    std::os::unix::fs::symlink("nowhere", project.path("broken")).unwrap();
    std::os::unix::fs::symlink("file", project.path("to-file")).unwrap();
    for (folder, code, expected) in [
        ("file", 1, "`file` is not a folder"),
        ("to-file", 1, "`to-file` is not a folder"),
        ("broken", 1, "`broken` is a broken symbolic link"),
        ("broken/portal", 2, "cannot create `broken`: "),
        ("file/portal", 2, "cannot create `file/portal`: "),
        ("new/../file/portal", 2, "cannot create `new/../file`: "),
    ] {
        let said = refused(&project, &[folder], code);
        assert!(said.starts_with(&format!("error: {expected}")), "{said}");
        assert!(said.ends_with("\n1 error; nothing was created\n"), "{said}");
    }
    assert_eq!(refused(&project, &[""], 2).lines().next(), Some("error: `[DIR]` needs a value"));
}

/// An account that may do everything cannot be kept out; for all others this is what they see.
#[test]
fn a_folder_that_may_not_be_written_to_is_told() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = Project::without_packages(&[]);
    let locked = project.path("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    let may_do_everything =
        fs::write(locked.join("probe"), "").is_ok_and(|()| fs::remove_file(locked.join("probe")).is_ok());
    if may_do_everything {
        succeeds(&project.run("init", &["locked"]));
    } else {
        let said = refused(&project, &["locked"], 2);
        assert!(said.contains("cannot create `locked/.github`: ") && said.contains("that you may write to"), "{said}");
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
}

// --- what is said ---

#[test]
fn what_to_type_next_is_said() {
    let project = Project::without_packages(&[]);
    let said = |arguments: &[&str]| {
        let outcome = project.run("init", arguments);
        succeeds(&outcome);
        assert_eq!(outcome.stdout, "");
        outcome.stderr
    };
    assert_eq!(
        said(&["my-portal"]),
        "“My Portal” is ready: 18 files in my-portal. Next:\n\n  \
         cd my-portal\n  \
         portalgen dev      installs the npm packages and shows the portal while you edit\n  \
         portalgen build    publishes it to dist/\n  \
         portalgen check    reports what could be improved\n\n\
         README.md says where to change what.\n"
    );
    assert_eq!(
        said(&["--lang", "zh", "我的 门户"]),
        "“我的 门户”已创建，我的 门户 里有 18 个文件。接下来：\n\n  \
         cd '我的 门户'\n  \
         portalgen dev      安装 npm 依赖包，边改边看\n  \
         portalgen build    把门户发布到 dist/\n  \
         portalgen check    检查有哪些可以改进的地方\n\n\
         README.md 说明了各项内容在哪里修改。\n"
    );
    for (folder, typed) in [
        ("it's", r"cd 'it'\''s'"),
        ("$(x)", "cd '$(x)'"),
        ("a\\b", "cd 'a\\b'"),
        ("a/b-c_d.e", "cd a/b-c_d.e"),
        ("-dash", "cd ./-dash"),
        ("../up", "cd ../up"),
        ("~", "cd ./~"),
    ] {
        let project = Project::without_packages(&[("inside/x", "")]);
        let output = project.command("init").current_dir(project.path("inside")).args(["--", folder]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(&format!("\n  {typed}\n")), "{said}");
    }
}

#[test]
fn programs_get_the_list_of_files() {
    let project = Project::without_packages(&[]);
    let outcome = project.run("init", &["--json", "my-portal"]);
    succeeds(&outcome);
    assert_eq!(outcome.stderr, "");
    let result: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let files: Vec<String> = tree(&project.path("my-portal")).into_keys().collect();
    assert_eq!(
        result,
        serde_json::json!({ "ok": true, "product": "My Portal", "files": files, "kept": [], "diagnostics": [] })
    );

    let outcome = project.run("init", &["--json", "my-portal"]);
    assert_eq!((outcome.code, &*outcome.stderr), (1, ""));
    let result: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(result["ok"], false);
    assert!(result["diagnostics"][0]["message"].as_str().unwrap().starts_with("`my-portal` is not empty"));
}
