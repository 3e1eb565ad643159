//! Whole builds with the program as its users run it: what is published, and what changes it.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    process::{Command, Stdio},
};

use crate::support::project::{Outcome, Project, Tree, repository, tree};

const ROUTES: &str = r#"
[portal]
product = "Acme"
host = "https://chat.acme.example"
origin = "https://www.acme.example"
lang = "en"

[not_found]
title = "Nothing here"

[[route]]
path = "/"
title = "Home"
description = "The <first> page"

[[route]]
path = "/about"
title = "About us"

[[route]]
path = "/{product}AI"
title = "{product}"
component = "pages/index.tsx"
noindex = true

[[route]]
path = "/login"
title = "Log in"
redirect = "{host}/login?via=portal"
"#;

const HOME: &str = r#"
import { Link } from "react-router-dom";
import "./home.css";

export default function Home() {
  return (
    <main>
      <h1>Home</h1>
      <Link to="/about">About</Link> <Link to="/login">Log in</Link>
    </main>
  );
}
"#;

const ABOUT: &str = r#"
import { useState } from "react";
import sea from "../sea.svg";

export default function About() {
  const [count, setCount] = useState(0);
  return (
    <main>
      <h1>About us</h1>
      <img src={sea} alt="" />
      <button onClick={() => setCount(count + 1)}>{count}</button>
    </main>
  );
}
"#;

fn portal() -> Project {
    Project::new(&[
        ("routes.toml", ROUTES),
        ("site/package.json", r#"{ "type": "module" }"#),
        ("site/pages/index.tsx", HOME),
        ("site/pages/home.css", "main {\n  background: url(../sea.svg);\n}\n"),
        ("site/pages/about.tsx", ABOUT),
        ("site/sea.svg", include_str!("fixtures/bundle/json-and-assets/curve.svg")),
        ("site/public/robots.txt", "User-agent: *\n"),
    ])
}

fn built(project: &Project, arguments: &[&str]) -> Tree {
    let result = project.build(arguments);
    assert_eq!(result.code, 0, "{}", result.stderr);
    let mut files = project.published();
    files.retain(|path, _| !path.starts_with(".portalgen/"));
    files
}

fn text<'t>(files: &'t Tree, path: &str) -> &'t str {
    let paths: Vec<_> = files.keys().collect();
    let bytes = files.get(path).unwrap_or_else(|| panic!("{path} is not among {paths:?}"));
    std::str::from_utf8(bytes).unwrap()
}

/// The one file whose path begins and ends like this.
fn hashed<'t>(files: &'t Tree, name: &str, extension: &str) -> &'t str {
    let is_it = |path: &&String| path.starts_with(&format!("assets/{name}-")) && path.ends_with(extension);
    let found: Vec<_> = files.keys().filter(is_it).collect();
    assert_eq!(found.len(), 1, "assets/{name}-*{extension}: {found:?}");
    found[0]
}

/// The paths that differ between two builds.
fn changed(before: &Tree, after: &Tree) -> BTreeSet<String> {
    let paths = before.keys().chain(after.keys());
    paths.filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

#[test]
fn a_portal_is_published_whole() {
    let files = built(&portal(), &[]);
    let home = text(&files, "index.html");
    for expected in [
        "<html lang=\"en\">",
        "<title>Home</title>",
        "<meta name=\"description\" content=\"The &lt;first&gt; page\">",
        "<link rel=\"canonical\" href=\"https://www.acme.example/\">",
        "<h1>Home</h1>",
        "href=\"/about/\"",
        "href=\"/login/\"",
        "<link rel=\"modulepreload\" href=\"/assets/vendor-",
        "<link rel=\"stylesheet\" href=\"/assets/index-",
    ] {
        assert!(home.contains(expected), "no {expected} in\n{home}");
    }
    assert!(!home.contains("noindex"));
    assert!(text(&files, "AcmeAI/index.html").contains("noindex"));
    assert!(text(&files, "about/index.html").contains("https://www.acme.example/about/"));
    assert!(text(&files, "404.html").contains("<title>Nothing here</title>"));
    assert!(text(&files, "login/index.html").contains("content=\"0; url=https://chat.acme.example/login?via=portal\""));
    assert_eq!(text(&files, "robots.txt"), "User-agent: *\n");
    let about: serde_json::Value = serde_json::from_str(text(&files, "about/page.json")).unwrap();
    assert_eq!(about["title"], "About us");
    assert_eq!(about["script"], format!("/{}", hashed(&files, "about", ".js")));
    let login: serde_json::Value = serde_json::from_str(text(&files, "login/page.json")).unwrap();
    assert_eq!(login, serde_json::json!({ "redirect": "https://chat.acme.example/login?via=portal" }));

    let image = hashed(&files, "sea", ".svg");
    assert!(text(&files, "about/index.html").contains(&format!("src=\"/{image}\"")));
    assert!(text(&files, hashed(&files, "index", ".css")).contains(image.strip_prefix("assets/").unwrap()));
}

#[test]
fn pages_link_only_what_they_need() {
    let files = built(&portal(), &[]);
    let about = text(&files, "about/index.html");
    assert!(about.contains(hashed(&files, "about", ".js")));
    assert!(!about.contains("/assets/index-"), "the home page's files are linked on another page");
}

/// The modules of these pages have no code of their own.
#[test]
fn pages_may_hand_on_a_component_of_another_module() {
    let files = built(
        &Project::new(&[
            (
                "routes.toml",
                "[[route]]\npath = \"/\"\ntitle = \"Home\"\n\n[[route]]\npath = \"/about\"\ntitle = \"About\"\n",
            ),
            ("site/pages/index.tsx", "export { default } from \"../parts/Shared\";\n"),
            ("site/pages/about.tsx", "export { default } from \"../parts/Shared\";\n"),
            ("site/parts/Shared.tsx", "export default () => <h1>shared</h1>;\n"),
        ]),
        &[],
    );
    for page in ["index.html", "about/index.html"] {
        assert!(text(&files, page).contains("<h1>shared</h1>"), "{page}");
    }
}

#[test]
fn react_is_there_once_and_in_production() {
    let files = built(&portal(), &[]);
    let scripts: Vec<_> = files.keys().filter(|path| path.ends_with(".js")).collect();
    let holding = |mark: &str| scripts.iter().filter(|path| text(&files, path).contains(mark)).count();
    assert_eq!(holding("react.strict_mode"), 1);
    assert_eq!(holding("__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE="), 1);
    let all: usize = scripts.iter().map(|path| files[*path].len()).sum();
    assert!(all < 260_000, "{all} bytes of scripts: React's development build, or two of them?");
}

#[test]
fn identical_sources_give_identical_bytes() {
    let first = built(&portal(), &[]);
    let again = portal();
    assert_eq!(first, built(&again, &["--jobs", "1"]));
    // The order of routes in the file means nothing.
    let (head, routes) = ROUTES.split_once("[[route]]").unwrap();
    let mut routes: Vec<_> = routes.split("[[route]]").collect();
    routes.reverse();
    again.write("routes.toml", &format!("{head}[[route]]{}", routes.join("\n[[route]]")));
    let output = again.command("build").env("LANG", "tr_TR.UTF-8").env("TZ", "Asia/Tokyo").output().unwrap();
    assert!(output.status.success());
    let mut files = again.published();
    files.retain(|path, _| !path.starts_with(".portalgen/"));
    assert_eq!(changed(&first, &files), BTreeSet::new());
}

#[test]
fn a_title_changes_one_page_and_no_script() {
    let project = portal();
    let before = built(&project, &[]);
    project.write("routes.toml", &ROUTES.replace("About us", r#"Über \"uns\" $& </title><script>"#));
    let after = built(&project, &[]);
    assert_eq!(changed(&before, &after), BTreeSet::from(["about/index.html".into(), "about/page.json".into()]));
    let about = text(&after, "about/index.html");
    assert!(about.contains("<title>Über &quot;uns&quot; $&amp; &lt;/title&gt;&lt;script&gt;</title>"), "{about}");
}

#[test]
fn pages_can_ask_what_routes_toml_says_except_for_titles() {
    let project = portal();
    project.write(
        "site/pages/about.tsx",
        "import { base, host, lang, origin, product, routes } from \"portalgen:portal\";\n\
         const login = routes.find(({ path }) => path === \"/login\")!;\n\
         export default () => <p>{[product, host, origin, base, lang, login.redirect, routes.length].join(\" \")}</p>;\n",
    );
    let before = built(&project, &["--base", "/app/"]);
    let about = text(&before, "about/index.html");
    let said = "<p>Acme https://chat.acme.example https://www.acme.example /app/ en \
                https://chat.acme.example/login?via=portal 4</p>";
    assert!(about.contains(said), "{about}");
    project.write("routes.toml", &ROUTES.replace("title = \"Home\"", "title = \"At home\""));
    let after = built(&project, &["--base", "/app/"]);
    assert_eq!(changed(&before, &after), BTreeSet::from(["index.html".into(), "page.json".into()]));
}

/// Results are kept for the next build, which must not show in what is published.
#[test]
fn what_earlier_builds_left_changes_nothing() {
    const RESULTS: &str = "site/node_modules/.cache/portalgen/results";
    const BUILDS: &str = "site/node_modules/.cache/portalgen/builds";
    let project = portal();
    let cold = built(&project, &[]);
    let kept = tree(&project.path(RESULTS));
    std::fs::remove_dir_all(project.path("dist")).unwrap();
    assert_eq!(built(&project, &[]), cold);
    assert_eq!(tree(&project.path(RESULTS)), kept, "every result was taken from the cache");

    for (path, bytes) in &kept {
        for damaged in [b"damaged".to_vec(), vec![0; bytes.len()], bytes[..bytes.len() / 2].to_vec()] {
            project.write_bytes(&format!("{RESULTS}/{path}"), &damaged);
            // Where a build is known as a whole, nothing asks for results.
            std::fs::remove_dir_all(project.path(BUILDS)).unwrap();
            std::fs::remove_dir_all(project.path("dist")).unwrap();
            assert_eq!(built(&project, &[]), cold);
            assert_eq!(tree(&project.path(RESULTS)), kept, "results are made again, and what was damaged is gone");
        }
    }

    project.write("site/pages/about.tsx", &ABOUT.replace("useState(0)", "useState(1)"));
    let after = built(&project, &[]);
    let fresh = portal();
    fresh.write("site/pages/about.tsx", &ABOUT.replace("useState(0)", "useState(1)"));
    assert_eq!(after, built(&fresh, &[]));
}

#[test]
fn a_cache_that_cannot_be_written_is_done_without() {
    let project = portal();
    project.write("site/node_modules/.cache", "a file in its place");
    assert_eq!(built(&project, &[]), built(&portal(), &[]));
}

#[test]
fn a_page_edit_leaves_the_packages_alone() {
    let project = portal();
    let before = built(&project, &[]);
    project.write("site/pages/about.tsx", &ABOUT.replace("About us", "About you"));
    let after = built(&project, &[]);
    assert_eq!(hashed(&before, "vendor", ".js"), hashed(&after, "vendor", ".js"));
    assert_ne!(hashed(&before, "about", ".js"), hashed(&after, "about", ".js"));
    assert_eq!(text(&before, hashed(&before, "redirect", ".js")), text(&after, hashed(&after, "redirect", ".js")));
}

#[test]
fn renamed_routes_leave_nothing_behind() {
    let project = portal();
    built(&project, &[]);
    project.write("dist/CNAME", "www.acme.example");
    project.write("dist/about/notes.txt", "by hand");
    let renamed = ROUTES.replace("\"/about\"", "\"/company\"\ncomponent = \"pages/about.tsx\"");
    project.write("routes.toml", &format!("{renamed}\n[[route]]\npath = \"/about\"\nretired = true\n"));
    project.write("site/pages/index.tsx", &HOME.replace("/about", "/company"));
    let after = built(&project, &[]);
    assert!(after.contains_key("company/index.html"));
    assert!(!after.contains_key("about/index.html") && !after.contains_key("about/page.json"));
    assert_eq!(text(&after, "CNAME"), "www.acme.example");
    assert_eq!(text(&after, "about/notes.txt"), "by hand");
}

#[test]
fn the_base_is_in_every_address_and_in_no_file_name() {
    let project = portal();
    let plain = built(&project, &["--base", "/app/", "--out", "dist"]);
    for spelling in ["app", "/app", "app/"] {
        assert_eq!(changed(&plain, &built(&project, &["--base", spelling])), BTreeSet::new(), "{spelling}");
    }
    assert!(plain.contains_key("about/index.html"));
    let home = text(&plain, "index.html");
    assert!(home.contains("href=\"/app/about/\"") && home.contains("src=\"/app/assets/portal-"), "{home}");
    assert!(home.contains("https://www.acme.example/app/"));
    let outside: Vec<_> = home
        .match_indices("=\"/")
        .filter(|(at, _)| !home[at + 2..].starts_with("/app/"))
        .map(|(at, _)| &home[at..at + 40])
        .collect();
    assert_eq!(outside, Vec::<&str>::new());
    for (path, bytes) in &plain {
        if path.ends_with(".html") {
            let html = String::from_utf8_lossy(bytes).replace("https://", "").replace("http://", "");
            assert!(!html.contains("//"), "{path} has an empty folder in an address\n{html}");
        }
    }
}

#[test]
fn the_command_line_beats_the_environment_and_both_beat_the_file() {
    let project = portal();
    let login = |project: &Project| text(&project.published(), "login/index.html").to_owned();
    assert_eq!(project.command("build").env("PORTALGEN_HOST", "https://env.example").status().unwrap().code(), Some(0));
    assert!(login(&project).contains("https://env.example/login"));
    let mut command = project.command("build");
    command.env("PORTALGEN_HOST", "https://env.example").args(["--host", "https://flag.example"]);
    assert_eq!(command.status().unwrap().code(), Some(0));
    assert!(login(&project).contains("https://flag.example/login"));
    // A variable that is set to nothing is not set.
    assert_eq!(project.command("build").env("PORTALGEN_HOST", "").status().unwrap().code(), Some(0));
    assert!(login(&project).contains("https://chat.acme.example/login"));

    let refused = project.build(&["--host", "javascript:alert(1)"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("--host"), "{}", refused.stderr);
}

#[test]
fn results_for_programs_are_json() {
    let project = portal();
    let result = project.build(&["--json"]);
    assert_eq!((result.code, result.stderr.as_str()), (0, ""));
    let value: serde_json::Value = serde_json::from_str(&result.stdout).unwrap();
    assert_eq!(value["ok"], true);
    assert_eq!(value["routes"].as_array().unwrap().len(), 4);
    assert_eq!(value["routes"][3]["redirect"], "https://chat.acme.example/login?via=portal");
    assert!(value["files"].as_array().unwrap().iter().all(|file| file["bytes"].as_u64().unwrap() > 0));

    project.write("site/pages/about.tsx", "const x = ;\nexport default () => <p />;\n");
    let result = project.build(&["--json"]);
    assert_eq!(result.code, 1);
    let value: serde_json::Value = serde_json::from_str(&result.stdout).unwrap();
    assert_eq!(value["ok"], false);
    assert_eq!(value["diagnostics"][0]["file"], "site/pages/about.tsx");
    assert_eq!(value["diagnostics"][0]["line"], 1);
}

/// A result that is lost is no success, and a reader who has read enough is no failure.
#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_printed_is_told() {
    let project = portal();
    for arguments in ["routes", "routes --json", "titles export", "plan", "schema", "man"] {
        let [command, rest @ ..] = &*arguments.split(' ').collect::<Vec<_>>() else { unreachable!() };
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let child = project.command(command).args(rest).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {told}");
        assert!(told.contains("error: cannot write to standard output: No space left"), "{arguments}: {told}");

        let mut child =
            project.command(command).args(rest).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments}");
    }
}

/// Other programs' variables may hold anything; systems set some to the name of the folder that one is in.
#[test]
fn variables_that_are_no_text_are_read_only_where_they_are_meant() {
    let project = portal();
    let stray = OsStr::from_bytes(b"caf\xe9");
    let built = Outcome::of(project.command("build").env("STRAY", stray));
    assert_eq!(built.code, 0, "{}", built.stderr);
    let refused = Outcome::of(project.command("build").env("PORTALGEN_PUBLIC_NAME", stray));
    assert_eq!(refused.code, 2);
    let told = "error: the environment variable PORTALGEN_PUBLIC_NAME is not UTF-8";
    assert!(refused.stderr.contains(told), "{}", refused.stderr);
}

#[test]
fn a_package_is_not_said_to_offer_what_it_does_not() {
    let project = portal();
    project.write("site/pages/index.tsx", "import \"kit\";\nexport default () => <h1>Home</h1>;\n");
    for (exports, told) in [
        (r#"{ ".": null, "./a": {} }"#, "hint: its package.json exports no file for imports"),
        (
            r#"{ ".": { "import": null }, "./components": "./a.js", "./b": { "import": [] } }"#,
            "hint: did you mean `kit/components`?",
        ),
    ] {
        project.write("site/node_modules/kit/package.json", &format!("{{ \"exports\": {exports} }}"));
        let result = project.build(&[]);
        assert!(result.stderr.contains("does not export `.`") && result.stderr.contains(told), "{}", result.stderr);
    }
}

#[test]
fn a_tag_has_any_number_of_attributes() {
    let page = "const names = Array.from({ length: 20_000 }, (_, index) => `data-${index}`);\n\
                const data = Object.fromEntries(names.map((name) => [name, 1]));\n\
                const html = `<b ${names.join(\"=1 \")}><i ${names.join(\" \")}>`;\n\
                export default () => <><h1 {...data}>Here</h1><p dangerouslySetInnerHTML={{ __html: html }} /></>;\n";
    let project = Project::new(&[
        ("routes.toml", "[deploy]\nplatform = [\"nginx\"]\n[[route]]\npath = \"/\"\ntitle = \"Home\"\n"),
        ("site/pages/index.tsx", page),
    ]);
    let result = project.build(&[]);
    assert_eq!(result.code, 0, "{}", result.stderr);
    assert!(text(&project.published(), "index.html").contains(" data-19999=\"1\">Here</h1>"));
}

#[test]
fn a_build_without_a_terminal_is_quiet() {
    let result = portal().build(&[]);
    assert_eq!((result.code, result.stdout.as_str(), result.stderr.as_str()), (0, "", ""));
}

#[test]
fn wrong_usage_is_not_the_sites_fault() {
    let project = portal();
    for arguments in [&["--no-such-flag"][..], &["--jobs", "0"], &["--root", "nowhere"]] {
        let result = project.build(arguments);
        assert_eq!(result.code, 2, "{arguments:?}: {}", result.stderr);
        assert!(!result.stderr.is_empty());
    }
    assert_eq!(project.run("--version", &[]).stdout, concat!("portalgen ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn dangerous_output_folders_are_refused() {
    let project = portal();
    project.write("full/of/mine.txt", "mine");
    for out in [".", "/", "site", "site/pages", "..", "full"] {
        let result = project.build(&["--out", out]);
        assert_eq!(result.code, 1, "{out}: {}", result.stderr);
        let is_refused = ["cannot publish to", "contains files that portalgen did not write"];
        assert!(is_refused.iter().any(|words| result.stderr.contains(words)), "{out}: {}", result.stderr);
    }
    assert!(project.path("site/pages/index.tsx").is_file() && project.path("full/of/mine.txt").is_file());
}

#[test]
fn missing_packages_are_named() {
    let project = Project::without_packages(&[
        ("routes.toml", "[[route]]\npath = \"/\"\n"),
        ("site/pages/index.tsx", "export default () => <p />;\n"),
        ("site/package.json", "{}"),
    ]);
    let result = project.build(&["--offline"]);
    assert_eq!(result.code, 2);
    assert!(result.stderr.contains("npm install"), "{}", result.stderr);
    for (lockfile, command) in [
        ("yarn.lock", "yarn install --frozen-lockfile"),
        ("pnpm-lock.yaml", "pnpm install --frozen-lockfile"),
        ("package-lock.json", "npm ci"),
    ] {
        project.write(&format!("site/{lockfile}"), "");
        let result = project.build(&["--no-install"]);
        assert!(result.stderr.contains(command), "{}", result.stderr);
    }
}

/// A portal without packages, and a program `npm` for it.
fn portal_with_npm(script: &str) -> Project {
    portal_with_npm_for("site/", script)
}

/// The same, with `package.json` in a folder of it.
fn portal_with_npm_for(folder: &str, script: &str) -> Project {
    let project = Project::without_packages(&[
        ("routes.toml", "[[route]]\npath = \"/\"\ntitle = \"Home\"\ndescription = \"Here\"\n"),
        ("site/pages/index.tsx", "export default () => <p>Here</p>;\n"),
        (&format!("{folder}package.json"), "{}"),
        (&format!("{folder}package-lock.json"), "{}"),
        ("bin/npm", &format!("#!/bin/sh\necho \"$@\" >> \"$(dirname \"$0\")/../npm.log\"\n{script}\n")),
    ]);
    fs::set_permissions(project.path("bin/npm"), fs::Permissions::from_mode(0o755)).unwrap();
    project
}

fn with_npm(project: &Project, command: &str) -> Command {
    let mut program = project.command(command);
    let path = std::env::var("PATH").unwrap();
    program.env("PATH", format!("{}:{path}", project.path("bin").display()));
    program
}

/// Takes its time, as package managers do, and leaves packages half there meanwhile.
fn slow_npm() -> String {
    let packages = repository().join("site/node_modules");
    format!("mkdir node_modules && sleep 2 && ln -s {}/* node_modules/", packages.display())
}

#[test]
fn commands_that_only_look_install_nothing() {
    let project = portal_with_npm(&slow_npm());
    for (command, arguments) in [("check", &[][..]), ("plan", &[]), ("explain", &["/"])] {
        let result = Outcome::of(with_npm(&project, command).args(arguments));
        assert_eq!(result.code, 2, "{command}");
        assert!(
            result.stderr.contains("run `npm ci` in site/; `portalgen build` and `portalgen dev`"),
            "{}",
            result.stderr
        );
    }
    assert!(!project.path("npm.log").exists() && !project.path("site/node_modules").exists());
}

#[test]
fn of_two_first_builds_one_installs_and_the_other_waits() {
    let project = portal_with_npm(&slow_npm());
    let start = || with_npm(&project, "build").stderr(Stdio::piped()).spawn().unwrap();
    let builds = [start(), start()].map(|child| child.wait_with_output().unwrap());
    for build in &builds {
        assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    }
    assert_eq!(fs::read_to_string(project.path("npm.log")).unwrap(), "ci\n", "installed once");
    assert!(project.path("dist/index.html").is_file());
}

/// As in CI, where what builds leave is restored and the packages are not.
#[test]
fn a_cache_without_packages_is_no_installation() {
    let project = portal_with_npm(&format!("rm -rf node_modules; {}", slow_npm()));
    project.write("site/node_modules/.cache/portalgen/results/0/uses", "restored");
    let result = Outcome::of(&mut with_npm(&project, "build"));
    assert_eq!(result.code, 0, "{}", result.stderr);
    assert_eq!(fs::read_to_string(project.path("npm.log")).unwrap(), "ci\n");
}

/// As of a member of a workspace that is a portal and nothing else.
#[test]
fn packages_are_installed_where_package_json_lies_beside_routes_toml() {
    let project = portal_with_npm_for("", &slow_npm());
    let result = Outcome::of(&mut with_npm(&project, "build"));
    assert_eq!(result.code, 0, "{}", result.stderr);
    assert_eq!(fs::read_to_string(project.path("npm.log")).unwrap(), "ci\n");
    assert!(project.path("node_modules").is_dir() && project.path("dist/index.html").is_file());
}

#[test]
fn a_package_manager_that_fails_is_quoted_with_what_to_do() {
    let project = portal_with_npm(
        "cat >&2 <<END\nnpm error code EUSAGE\nnpm error\nnpm error \\`npm ci\\` can only install packages when your \
         package.json and package-lock.json are in sync.\nnpm error\nnpm error Invalid: lock file's react@19.2.0\nnpm error\n\
         npm error Clean install a project\nnpm error\nnpm error Usage:\nnpm error npm ci\nEND\nexit 1",
    );
    let result = Outcome::of(&mut with_npm(&project, "build"));
    assert_eq!(result.code, 2);
    for words in ["can only install packages when", "Invalid: lock file's react@19.2.0", "run `npm install` in site/"] {
        assert!(result.stderr.contains(words), "{}", result.stderr);
    }
    assert!(!result.stderr.contains("Usage"), "{}", result.stderr);
}

#[test]
fn packages_that_only_yarn_finds_are_refused() {
    let project = portal_with_npm("");
    project.write("site/.pnp.cjs", "");
    let result = Outcome::of(&mut with_npm(&project, "build"));
    assert_eq!(result.code, 2);
    assert!(result.stderr.contains("Plug'n'Play") && result.stderr.contains("nodeLinker"), "{}", result.stderr);
    assert!(!project.path("npm.log").exists());
}

#[test]
fn names_may_be_as_long_as_the_system_allows() {
    let project = portal();
    project.write("routes.toml", &format!("[deploy]\nplatform = [\"caddy\"]\n{ROUTES}"));
    let long = format!("{}.txt", "n".repeat(251));
    project.write(&format!("site/public/{long}"), &"text\n".repeat(1000));
    project.write("site/public/short.txt", &"text\n".repeat(1000));
    let files = built(&project, &[]);
    assert!(files.contains_key(&long) && files.contains_key("short.txt.zst"));
    assert!(!files.keys().any(|path| path.starts_with("nnn") && *path != long), "there is no room for an ending");
    assert_eq!(built(&project, &[]), files);
}

#[test]
fn texts_of_others_are_no_commands_for_services_that_run_builds() {
    let project = portal();
    let page = "import \"./gone\u{202e}\u{1b}[2J\"; // ##[add-path]x\nexport default () => <p/>;\n";
    project.write("site/pages/index.tsx", page);
    for (format, words) in [("human", "# #[add-path]x"), ("github", "::error file=site/pages/index.tsx,line=1")] {
        let result = project.build(&["--format", format]);
        assert_eq!(result.code, 1, "{}", result.stderr);
        let printed = result.stdout + &result.stderr;
        assert!(printed.contains(words) && printed.contains("./gone<U+202E><U+001B>[2J"), "{printed}");
        assert!(
            !printed.contains("##[") && !printed.contains(|c: char| c == '\u{202e}' || c.is_control() && c != '\n')
        );
    }
}

#[test]
fn source_maps_lead_back_to_the_sources() {
    let files = built(&portal(), &["--sourcemap"]);
    let script = hashed(&files, "about", ".js");
    let code = text(&files, script);
    assert!(code.ends_with(&format!("//# sourceMappingURL={}.map\n", script.strip_prefix("assets/").unwrap())));
    let map: serde_json::Value = serde_json::from_str(text(&files, &format!("{script}.map"))).unwrap();
    assert_eq!(map["version"], 3);
    assert!(map["sources"].as_array().unwrap().iter().any(|source| source == "site/pages/about.tsx"), "{map}");
    assert!(map["sourcesContent"].as_array().unwrap().iter().any(|text| text == ABOUT));
    let plain = built(&portal(), &[]);
    assert!(!plain.keys().any(|path| path.ends_with(".map")));
}

#[test]
fn nothing_published_knows_the_machine() {
    let project = portal();
    let files = built(&project, &["--sourcemap"]);
    let folder = project.path("").to_string_lossy().trim_end_matches('/').to_owned();
    let repository = repository().to_string_lossy();
    for (path, bytes) in &files {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains(&folder), "{path} names the folder it was built in");
        assert!(!text.contains(&repository[1..]), "{path} names the folder that its packages are in");
    }
}

#[test]
fn packages_that_only_their_dependents_see_are_found() {
    let home = HOME.replace("import \"./home.css\";", "").replace("/about", "/").replace("/login", "/");
    let project =
        Project::without_packages(&[("routes.toml", "[[route]]\npath = \"/\"\n"), ("site/pages/index.tsx", &home)]);
    // As pnpm lays packages out: the site sees its own dependencies, the router is one of the router's wrapper.
    let store = "site/node_modules/.pnpm/all/node_modules";
    for package in
        ["react", "react-dom", "react-router", "react-router-dom", "scheduler", "cookie", "set-cookie-parser"]
    {
        for (path, bytes) in tree(&repository().join("site/node_modules").join(package)) {
            project.write_bytes(&format!("{store}/{package}/{path}"), &bytes);
        }
    }
    for package in ["react", "react-dom", "react-router-dom"] {
        let link = project.path(&format!("site/node_modules/{package}"));
        std::os::unix::fs::symlink(project.path(&format!("{store}/{package}")), link).unwrap();
    }
    let files = built(&project, &[]);
    assert!(text(&files, "index.html").contains("<h1>Home</h1>"));
}

#[test]
fn packages_that_do_not_fit_are_refused() {
    let project = Project::without_packages(&[
        ("routes.toml", "[[route]]\npath = \"/\"\n"),
        ("site/pages/index.tsx", "export default () => <p />;\n"),
        ("site/node_modules/react/package.json", r#"{ "version": "19.3.1" }"#),
        ("site/node_modules/react-dom/package.json", r#"{ "version": "19.2.0" }"#),
    ]);
    let result = project.build(&[]);
    assert_eq!(result.code, 1);
    assert!(result.stderr.contains("react 19.3.1 and react-dom 19.2.0 must be the same version"), "{}", result.stderr);
    assert!(result.stderr.contains("`react-router`, which every portal needs, is not installed"), "{}", result.stderr);
}

#[test]
fn a_page_that_fails_over_a_second_react_comes_with_the_reason() {
    let project = Project::new(&[
        ("routes.toml", "[[route]]\npath = \"/\"\n"),
        ("site/pages/index.tsx", "import { useState } from \"react\";\nexport default () => useState(0)[0];\n"),
        ("site/pages/node_modules/react/package.json", r#"{ "version": "18.3.1" }"#),
        (
            "site/pages/node_modules/react/index.js",
            "let current = null;\nexports.useState = () => current.useState();\n",
        ),
    ]);
    let result = project.build(&[]);
    assert_eq!(result.code, 1);
    for words in [
        "error: rendering / ",
        "warning: there are two copies of React",
        "site/pages/node_modules/react/index.js 18.3.1",
    ] {
        assert!(result.stderr.contains(words), "{}", result.stderr);
    }
}

#[test]
fn variables_that_are_set_to_nothing_are_not_set() {
    let project = portal();
    let mut command = project.command("build");
    for name in ["ROOT", "OUT", "HOST", "ORIGIN", "BASE", "JOBS", "MODE", "SOURCEMAP", "TIMINGS", "JSON", "OFFLINE"] {
        command.env(format!("PORTALGEN_{name}"), "");
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    assert!(text(&project.published(), "index.html").contains("https://www.acme.example/"));
    for (value, is_on) in [("1", true), ("yes", true), ("0", false), ("off", false)] {
        let output = project.command("build").env("PORTALGEN_TIMINGS", value).output().unwrap();
        assert_eq!(!output.stderr.is_empty(), is_on, "{value}");
    }
}

#[test]
fn a_title_that_a_component_renders_is_told_and_stands_behind_that_of_the_route() {
    let project = portal();
    project.write("site/pages/about.tsx", "export default () => <><p>Here</p><title>Mine &amp; yours</title></>;\n");
    let result = project.build(&[]);
    assert_eq!(result.code, 0, "{}", result.stderr);
    assert!(
        result
            .stderr
            .contains("warning: /about renders a `<title>` (“Mine &amp; yours”), but the document already has one")
    );
    assert!(result.stderr.contains("--> routes.toml:"), "{}", result.stderr);
    let html = project.published().remove("about/index.html").unwrap();
    let html = String::from_utf8(html).unwrap();
    let (head, body) = html.split_once("</head>").unwrap();
    let titles: Vec<_> = head.match_indices("<title>").map(|(at, _)| &head[at..]).collect();
    assert!(titles.len() == 2 && titles[1].starts_with("<title>Mine &amp; yours</title>"), "{head}");
    assert!(!body.contains("<title>"), "{body}");
}

#[test]
fn rules_as_text_find_their_files_wherever_the_bundle_lies() {
    let project = Project::without_packages(&[
        ("package.json", "{ \"type\": \"module\" }"),
        (
            "main.js",
            "import rules from './x.css?inline'; import file from './x.css?url'; console.log(rules); console.log(file);",
        ),
        ("x.css", "@import './y.css'; a { background: url('a b.pdf#x') }"),
        ("y.css", "b { top: 0 }"),
        ("a b.pdf", "pages"),
    ]);
    let result = project.run("bundle", &["main.js", "--out", "out"]);
    assert_eq!((result.code, result.stderr.as_str()), (0, ""));
    let output = std::process::Command::new("node").arg(project.path("out/main.js")).output().unwrap();
    let out = project.path("out").canonicalize().unwrap();
    let files = tree(&out);
    let name = |start: &str| files.keys().find(|name| name.starts_with(start)).unwrap();
    let (out, pages, sheet) = (out.display(), name("a-b-"), name("x-"));
    let expected = format!("b{{top:0}}\na{{background:url(\"file://{out}/{pages}#x\")}}\nfile://{out}/{sheet}\n");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert_eq!(text(&files, sheet), format!("b{{top:0}}\na{{background:url(\"{pages}#x\")}}"));
}

#[test]
fn lazy_code_with_styles_runs_where_there_is_no_document() {
    let project = Project::without_packages(&[
        ("package.json", "{ \"type\": \"module\" }"),
        ("main.js", "import('./lazy.js').then(({ name }) => console.log(name));"),
        ("lazy.js", "import './lazy.css'; export const name = 'lazy';"),
        ("lazy.css", "a { top: 0 }"),
    ]);
    let result = project.run("bundle", &["main.js", "--out", "out"]);
    assert_eq!((result.code, result.stderr.as_str()), (0, ""));
    let output = std::process::Command::new("node").arg(project.path("out/main.js")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "lazy\n", "{output:?}");
}

#[test]
fn styles_of_lazy_parts_are_linked_where_they_were_rendered() {
    let project = portal();
    let part =
        |name: &str| format!("import \"./{name}.css\";\nexport default () => <p className=\"{name}\">{name}</p>;\n");
    for name in ["Shown", "Hidden", "Nested"] {
        project.write(&format!("site/parts/{name}.css"), &format!(".{name} {{ color: red }}\n"));
        project.write(&format!("site/parts/{name}.tsx"), &part(name));
    }
    project.write("site/parts/Shown.tsx", "import { lazy } from \"react\";\nimport \"./Shown.css\";\n\
        const Nested = lazy(() => import(\"./Nested\"));\nexport default () => <div className=\"Shown\"><Nested /></div>;\n");
    project.write("site/pages/about.tsx", "import { lazy, Suspense } from \"react\";\n\
        const Shown = lazy(() => import(\"../parts/Shown\"));\nconst Hidden = lazy(() => import(\"../parts/Hidden\"));\n\
        export default function About() {\n  return <Suspense><h1>About</h1>{Math.PI > 4 && <Hidden />}<Shown /></Suspense>;\n}\n");
    project.write("routes.toml", &format!("{ROUTES}\n[build]\nintegrity = true\n"));
    let result = project.build(&[]);
    assert_eq!(result.code, 0, "{}", result.stderr);
    let files = project.published();
    let linked = |file: &str| -> Vec<String> {
        let links = text(&files, file).lines().filter(|line| line.contains("rel=\"stylesheet\"")).collect::<Vec<_>>();
        assert!(links.iter().all(|link| link.contains("integrity=\"sha384-")), "{links:?}");
        let names = links.iter().filter_map(|link| link.split("/assets/").nth(1)?.split('-').next());
        names.filter(|name| ["Shown", "Hidden", "Nested"].contains(name)).map(ToOwned::to_owned).collect()
    };
    assert_eq!(linked("about/index.html"), ["Shown", "Nested"]);
    assert!(linked("index.html").is_empty());
}

#[test]
fn the_script_that_recovers_old_documents_keeps_its_name() {
    let project = portal();
    assert_eq!(project.build(&[]).code, 0);
    // Documents in caches have these names: add others, and take none away.
    let names = ["assets/recovery-5tfy9vp_.js"];
    let files = project.published();
    let found: Vec<&str> =
        files.keys().map(String::as_str).filter(|name| name.starts_with("assets/recovery-")).collect();
    assert_eq!(found, names);
    assert!(
        text(&files, "index.html").contains(&format!("<script async src=\"/{}\" fetchpriority=\"low\">", names[0]))
    );
}

#[test]
fn files_that_cannot_be_imported_are_refused() {
    let project = portal();
    project.write("site/pages/about.tsx", &format!("import \"./about.scss\";\nimport \"./about.vue\";\n{ABOUT}"));
    project.write("site/pages/about.scss", "a { b { color: red } }\n");
    project.write("site/pages/about.vue", "<template />\n");
    let result = project.build(&[]);
    assert_eq!(result.code, 1);
    for expected in [
        "portalgen cannot import site/pages/about.scss",
        "rename it to .css",
        "portalgen cannot import site/pages/about.vue",
    ] {
        assert!(result.stderr.contains(expected), "{}", result.stderr);
    }
}

/// A package that counts days and keeps two things to itself: when it was loaded, and a number by chance.
const CLOCK: &str = r#"
import { jsx } from "react/jsx-runtime";
const loaded = Date.now();
const id = Math.random().toString(36);
export const Year = () => jsx("p", { id: id.length > 0 ? "year" : "", children: new Date(loaded).getUTCFullYear() });
export const Quiet = () => { const start = Date.now(); return jsx("p", { children: Date.now() - start }); };
export const Price = () =>
  jsx("p", { children: new Intl.NumberFormat("de-DE", { style: "currency", currency: "EUR" }).format(1234.5) });
export const Broken = () => jsx("p", { children: navigator.userAgent });
export const Careful = () => jsx("p", { children: typeof navigator });
"#;

#[test]
fn what_a_package_renders_that_browsers_will_not_is_told_with_page_and_package() {
    let routes =
        ["/", "/quiet", "/price"].map(|path| format!("[[route]]\npath = \"{path}\"\ntitle = \"T\"\n")).concat();
    let page = |name: &str| format!("import {{ {name} }} from \"days\";\nexport default () => <{name} />;\n");
    let project = Project::new(&[
        ("routes.toml", &routes),
        ("site/pages/index.tsx", &page("Year")),
        ("site/pages/quiet.tsx", &page("Quiet")),
        ("site/pages/price.tsx", &page("Price")),
    ]);
    project.write("site/node_modules/days/package.json", r#"{ "name": "days", "type": "module", "main": "index.js" }"#);
    project.write("site/node_modules/days/index.js", CLOCK);
    let result = project.build(&[]);
    assert_eq!(result.code, 0, "{}", result.stderr);
    let told: Vec<&str> = result.stderr.lines().filter(|line| line.starts_with("warning: rendering")).collect();
    assert_eq!(
        told,
        [
            "warning: rendering / (T) reads the clock with Date.now() in the package days; the browser will render \
             something else",
            "warning: rendering /price (T) uses Intl.NumberFormat.prototype.format() for \"de-DE\" in the package days, \
             for which the engine lacks data; the browser will render something else",
        ]
    );
}

#[test]
fn a_regular_expression_beyond_the_engine_fails_only_the_page_that_uses_it() {
    let grammars = format!(
        "export const names = \"one two\";\nexport const mark = (text) => text.replace(/a::b/v, \"-\");\n\
         export const highlight = (code) => /{}/.test(code);\n",
        "()".repeat(255)
    );
    let page =
        |used: &str| format!("import * as grammars from \"grammars\";\nexport default () => <p>{{{used}}}</p>;\n");
    let project = Project::new(&[
        ("routes.toml", "[[route]]\npath = \"/\"\ntitle = \"T\"\n[[route]]\npath = \"/code\"\ntitle = \"C\"\n"),
        ("site/pages/index.tsx", &page("grammars.names + grammars.mark(\"a::b\")")),
        ("site/pages/code.tsx", &page("grammars.highlight(\"a\")")),
    ]);
    project.write("site/node_modules/grammars/package.json", r#"{ "name": "grammars", "type": "module" }"#);
    project.write("site/node_modules/grammars/index.js", &grammars);
    let result = project.build(&[]);
    assert_eq!(result.code, 1, "{}", result.stderr);
    for part in [
        "error: rendering /code (C) failed in the package grammars: SyntaxError: Invalid regular expression: /()()",
        "…/: too many captures\n --> site/pages/code.tsx:2:",
        "= hint: browsers may accept this regular expression, but the engine that prerenders pages does not",
        "with `clientOnly(() => import(\"./Part\"))` from \"portalgen:client-only\"",
        "1 error; nothing was published",
    ] {
        assert!(result.stderr.contains(part), "{part}: {}", result.stderr);
    }
    project.write("site/pages/code.tsx", &page("grammars.names"));
    let files = built(&project, &[]);
    assert!(text(&files, "index.html").contains("<p>one two-</p>"), "{}", text(&files, "index.html"));
}

#[test]
fn a_package_that_needs_a_browser_is_named_with_the_page_and_the_way_out() {
    let page = |name: &str| format!("import {{ {name} }} from \"days\";\nexport default () => <{name} />;\n");
    let project = Project::new(&[
        ("routes.toml", "[[route]]\npath = \"/\"\ntitle = \"T\"\n"),
        ("site/pages/index.tsx", &page("Broken")),
    ]);
    project.write("site/node_modules/days/package.json", r#"{ "name": "days", "type": "module", "main": "index.js" }"#);
    project.write("site/node_modules/days/index.js", CLOCK);
    let result = project.build(&[]);
    assert_eq!(result.code, 1, "{}", result.stderr);
    for part in [
        "error: rendering / (T) failed in the package days: ReferenceError: navigator is not defined",
        "--> site/node_modules/days/index.js:9:",
        "= hint: the package days uses `navigator`, which exists only in browsers",
        "with `clientOnly(() => import(\"./Part\"))` from \"portalgen:client-only\"",
    ] {
        assert!(result.stderr.contains(part), "{part}: {}", result.stderr);
    }
    project.write("site/pages/index.tsx", &page("Careful"));
    assert_eq!(text(&built(&project, &[]), "index.html").matches("<p>undefined</p>").count(), 1);
}
