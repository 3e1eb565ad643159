//! `portalgen bundle` as people run it, and its output as Node.js runs it.

#![allow(clippy::unwrap_used)]

mod project;

use std::process::Command;

use project::{Outcome, Project};

fn bundle(files: &[(&str, &str)], arguments: &[&str]) -> (Project, Outcome) {
    let project = Project::without_packages(files);
    // What Node.js is to take for ES modules.
    project.write("out/package.json", r#"{ "type": "module" }"#);
    let arguments: Vec<&str> = arguments.iter().copied().chain(["--out", "out"]).collect();
    let outcome = project.run("bundle", &arguments);
    (project, outcome)
}

/// What a program of the output prints.
fn printed(project: &Project, file: &str) -> String {
    let output = Command::new("node").arg(project.path("out").join(file)).output();
    let output = output.expect("install Node.js: these tests run the output with it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Bundles `entry.js` among `files` as it is and minified, and compares what both print.
fn prints(files: &[(&str, &str)], arguments: &[&str], expected: &str) {
    for minify in [&[][..], &["--no-minify"][..]] {
        let arguments = [arguments, &["entry.js"], minify].concat();
        let (project, outcome) = bundle(files, &arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert_eq!(printed(&project, "entry.js").trim(), expected, "{minify:?}");
    }
}

#[test]
fn modules_outside_may_lack_what_is_only_looked_at() {
    let entry = r#"
        import * as path from "node:path";
        console.log(path.nothing, path.nothing ?? "absent", "nothing" in path, path.sep);
    "#;
    prints(&[("entry.js", entry)], &["--platform", "node"], "undefined absent false /");
}

#[test]
fn names_from_outside_need_not_be_identifiers() {
    let outside = r#"const value = 1; export { value as "a value" };"#;
    let entry = r#"
        import { "a value" as value } from "outside/file.js";
        export { "a value" as "the value" } from "outside/file.js";
        console.log(value);
    "#;
    let files = [
        ("entry.js", entry),
        ("out/node_modules/outside/package.json", r#"{ "type": "module" }"#),
        ("out/node_modules/outside/file.js", outside),
    ];
    prints(&files, &["--external", "outside"], "1");
    prints(&files, &["--external", "out*.js"], "1");
}

#[test]
fn entries_of_one_name_are_numbered() {
    let files = [("a/index.js", "console.log('a')"), ("b/index.js", "console.log('b')")];
    let (project, outcome) = bundle(&files, &["a/index.js", "b/index.js", "--json"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(printed(&project, "index.js"), "a\n");
    assert_eq!(printed(&project, "index2.js"), "b\n");
    let result: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(result["entries"], serde_json::json!({ "index": "index.js", "index2": "index2.js" }));
}

#[test]
fn styles_of_lazy_modules_are_no_reason_to_fail_without_a_document() {
    let files = [
        ("entry.js", "console.log((await import('./lazy.js')).name)"),
        ("lazy.js", "import './lazy.css'; export const name = 'lazy';"),
        ("lazy.css", "a { color: red }"),
    ];
    prints(&files, &[], "lazy");
}

#[test]
fn shorthand_properties_are_given_constants() {
    let entry = "console.log(JSON.stringify({ count, list, nothing }))";
    let defines = ["--define", "count=1", "--define", "list=[true]", "--define", "nothing=undefined"];
    prints(&[("entry.js", entry)], &defines, r#"{"count":1,"list":[true]}"#);
}
