//! `portalgen bundle` as people run it, and its output as Node.js runs it.

use std::{fs, process::Command};

use crate::support::project::{Outcome, Project};

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
fn modules_outside_run_in_the_order_of_the_language() {
    let files = [
        ("entry.js", "import \"outside/one.js\"; import \"./inner.js\"; console.log(globalThis.seen.join());"),
        ("inner.js", "import \"outside/two.js\"; globalThis.seen.push(\"inner\");"),
        ("out/node_modules/outside/package.json", r#"{ "type": "module" }"#),
        ("out/node_modules/outside/one.js", "(globalThis.seen ??= []).push(\"one\");"),
        ("out/node_modules/outside/two.js", "(globalThis.seen ??= []).push(\"two\");"),
    ];
    prints(&files, &["--external", "outside"], "one,two,inner");
}

#[test]
fn files_that_export_as_commonjs_import_what_stays_outside() {
    let entry = r#"
        import "outside/first.js";
        import text, { number as count } from "outside/second.js";
        import * as all from "outside/second.js";
        import { up } from "./up.js";
        module.exports = [up(text), count, all.number, all.default, globalThis.seen.join()];
        console.log(module.exports.join(" "));
    "#;
    let second = "globalThis.seen.push(\"second\"); export default \"text\"; export const number = 7;";
    let files = [
        ("entry.js", entry),
        ("up.js", "export const up = (text) => text.toUpperCase();"),
        ("out/node_modules/outside/package.json", r#"{ "type": "module" }"#),
        ("out/node_modules/outside/first.js", "(globalThis.seen ??= []).push(\"first\");"),
        ("out/node_modules/outside/second.js", second),
    ];
    for platform in ["browser", "neutral", "node"] {
        let arguments = ["--external", "outside", "--platform", platform];
        prints(&files, &arguments, "TEXT 7 7 text first,second");
    }
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
fn an_entry_given_twice_is_built_once() {
    let (project, outcome) = bundle(&[("entry.js", "console.log(1)")], &["entry.js", "./entry.js"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(!project.path("out/entry2.js").exists());
}

#[test]
fn programs_keep_their_interpreter() {
    for minify in [&[][..], &["--no-minify"][..]] {
        let entry = "#!/usr/bin/env node\nimport './other.js';\nconsole.log('entry');\n";
        let files = [("entry.js", entry), ("other.js", "#!/usr/bin/env other\nconsole.log('other');\n")];
        let (project, outcome) = bundle(&files, &[&["entry.js"], minify].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let code = fs::read_to_string(project.path("out/entry.js")).unwrap();
        assert!(code.starts_with("#!/usr/bin/env node\n"), "{code}");
        assert!(!code.contains("env other"), "{code}");
        assert_eq!(printed(&project, "entry.js"), "other\nentry\n");
    }
}

/// What is not there and expected to be missing fails when it is asked for.
#[test]
fn imports_that_may_fail_are_no_reason_to_refuse_the_program() {
    let entry = r#"
        let found = [];
        try { await import("not-there"); } catch (error) { found.push(error.code); }
        await import("not-there").catch((error) => found.push(error.code));
        await import("./not-there.js").then(() => {}, (error) => found.push(error.code));
        await import("not-there").then(() => {}).catch((error) => found.push(error.code));
        console.log(new Set(found).size, found.length, found[0]);
    "#;
    prints(&[("entry.js", entry)], &[], "1 4 ERR_MODULE_NOT_FOUND");
    let (_, outcome) = bundle(&[("entry.js", "import('not-there').then(() => {});")], &["entry.js"]);
    assert_eq!(outcome.code, 1, "nothing handles this one: {}", outcome.stderr);
}

/// Node.js goes by the name of the file and the package, whatever the file mentions.
#[test]
fn formats_are_those_of_nodejs() {
    let modern = "globalThis.seen.push(typeof module, typeof exports, typeof this);";
    let files = [
        ("entry.js", "import './seen.js'; import './a.mjs'; import 'pkg'; import './b.cjs'; console.log(seen.join());"),
        ("seen.js", "globalThis.seen = []; export {};"),
        ("a.mjs", modern),
        ("b.cjs", modern),
        ("node_modules/pkg/package.json", r#"{ "type": "module", "main": "index.js" }"#),
        ("node_modules/pkg/index.js", modern),
    ];
    let expected = "undefined,undefined,undefined,undefined,undefined,undefined,object,object,object";
    prints(&files, &[], expected);
}

#[test]
fn nodejs_is_given_what_main_names() {
    let files = [
        ("entry.js", "import { name } from 'pkg'; console.log(name);"),
        ("node_modules/pkg/package.json", r#"{ "main": "main.js", "module": "module.js" }"#),
        ("node_modules/pkg/main.js", "exports.name = 'main';"),
        ("node_modules/pkg/module.js", "export const name = 'module';"),
    ];
    prints(&files, &["--platform", "node"], "main");
    prints(&files, &["--platform", "neutral"], "module");
}

#[test]
fn addresses_of_folders_are_left_for_the_program_to_make() {
    let entry = r#"
        const addresses = [new URL("./", import.meta.url), new URL("../", import.meta.url), new URL("./folder/", import.meta.url)];
        console.log(addresses.map((address) => address.pathname.split("/").at(-2) !== undefined).join());
    "#;
    prints(&[("entry.js", entry), ("folder/file.js", "")], &["--platform", "node"], "true,true,true");
}

#[test]
fn modules_return_from_nothing() {
    let (_, outcome) = bundle(&[("entry.js", "import './a.js';\nreturn;\n"), ("a.js", "")], &["entry.js"]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("entry.js:2:1"), "{}", outcome.stderr);
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

/// React has such a list, in every bundle.
#[test]
fn symbols_by_name_that_nothing_uses_are_dropped() {
    let files = [
        (
            "entry.js",
            "const kinds = require('./kinds.js'); console.log(String(kinds.used), kinds.own, kinds.key(), kinds.unlike);",
        ),
        (
            "kinds.js",
            r#"
                const used = Symbol.for("used"), unused = Symbol.for("unused"), own = Symbol("own");
                exports.used = used;
                exports.own = [{ [own]: 1 }[own], Symbol.for("chained").toString().length].join();
                exports.key = () => Symbol.keyFor(used);
                const unlike = { for: (name) => (exports.unlike = name) };
                ((Symbol) => void Symbol.for("called"))(unlike);
            "#,
        ),
    ];
    prints(&files, &[], "Symbol(used) 1,15 used called");
    let (project, _) = bundle(&files, &["entry.js"]);
    let code = fs::read_to_string(project.path("out/entry.js")).unwrap();
    assert!(!code.contains("unused"), "{code}");
}

#[test]
fn shorthand_properties_are_given_constants() {
    let entry = "console.log(JSON.stringify({ count, list, nothing }))";
    let defines = ["--define", "count=1", "--define", "list=[true]", "--define", "nothing=undefined"];
    prints(&[("entry.js", entry)], &defines, r#"{"count":1,"list":[true]}"#);
}

#[test]
fn what_stays_outside_is_imported_with_its_attributes() {
    let entry = r#"
        import data, { default as same } from "./data.json" with { type: "json" };
        export { default } from "./data.json" with { "type": "json" };
        export * as all from "./more.json" with { type: "json" };
        console.log(data.value, data === same);
    "#;
    let files = [("entry.js", entry), ("out/data.json", r#"{ "value": 1 }"#), ("out/more.json", r#"{ "value": 2 }"#)];
    prints(&files, &["--external", "./data.json", "--external", "./more.json"], "1 true");
}

#[test]
fn what_shows_only_at_run_time_is_no_part_of_the_bundle() {
    let entry = r#"
        const name = process.argv[2] ?? "one";
        for (const load of [() => require("./parts/" + name + ".js"), () => require(name)]) {
            try { load(); } catch (error) { console.log(error.code); }
        }
        try { require(name); require("./other/" + name); } catch {}
    "#;
    let (project, outcome) = bundle(&[("entry.cjs", entry)], &["entry.cjs", "--platform", "node"]);
    assert_eq!(printed(&project, "entry.js").trim(), "MODULE_NOT_FOUND\nMODULE_NOT_FOUND");
    assert_eq!(outcome.stderr.matches("the target of this `require` is known only at run time").count(), 1);
    assert_eq!(outcome.stderr.matches("no file matches `./parts/*.js`").count(), 1);
    assert!(outcome.stderr.contains("entry.cjs:3:43"), "{}", outcome.stderr);
    assert_eq!(outcome.stderr.matches("warning").count(), 2, "{}", outcome.stderr);
}

#[test]
fn constants_may_stand_for_names_that_are_assigned_to() {
    let entry = r"
        TARGET = 1;
        TARGET++;
        const seen = [globalThis.target];
        ({ TARGET } = { TARGET: 5 });
        seen.push(globalThis.target);
        [TARGET = 6] = [];
        console.log(...seen, globalThis.target, import.meta.name);
    ";
    prints(
        &[("entry.js", entry)],
        &["--define", "TARGET=globalThis.target", "--define", "import.meta={\"name\":1}"],
        "2 5 6 1",
    );
    let (_, outcome) = bundle(&[("entry.js", entry)], &["entry.js", "--define", "this=1"]);
    assert_ne!(outcome.code, 0);
    assert!(outcome.stderr.contains("`this` is something else in every function"), "{}", outcome.stderr);
}

/// Code that is nested as deep as a number says, by kinds and the extension of its file.
fn nested(depth: usize) -> Vec<(&'static str, &'static str, String)> {
    let twice = |open: &str, inside: &str, close: &str| open.repeat(depth) + inside + &close.repeat(depth);
    let chain = |between: &str| vec!["a"; depth].join(between);
    vec![
        ("jsx", "jsx", twice("<a>", "", "</a>")),
        ("attributes", "jsx", twice("<a b=", "<a/>", "/>")),
        ("sum", "js", chain(" + ")),
        ("comparison", "js", chain("<")),
        ("power", "js", chain("**")),
        ("logic", "js", chain("\n&& ")),
        ("assignment", "js", twice("a=", "1", "")),
        ("arrows", "js", twice("a=>", "1", "")),
        ("conditions", "js", twice("a?1:", "1", "")),
        ("conditions first", "js", twice("a?", "1", ":1")),
        ("else if", "js", twice("if(a)b();else ", "b()", "")),
        ("else if in blocks", "js", twice("if(a){}else ", "b()", "")),
        ("if if", "js", twice("if(a)", "b()", "")),
        ("loops", "js", twice("for(;;)", "b()", "")),
        ("calls", "js", twice("", "a", ".b()")),
        ("optional chain", "js", twice("", "a", "?.b")),
        ("elements", "js", twice("", "a", "[0]")),
        ("tagged templates", "js", twice("", "a", "``")),
        ("not", "js", twice("!", "a", "")),
        ("minus", "js", twice("- ", "a", "")),
        ("typeof", "js", twice("typeof ", "a", "")),
        ("new", "js", twice("new ", "a", "")),
        ("await", "mjs", twice("await ", "a", "")),
        ("templates", "js", twice("`${", "1", "}`")),
        ("import", "js", twice("import(", "'x'", ")")),
        ("functions", "js", twice("(function(){return ", "1", "})")),
        ("classes", "js", twice("(class extends ", "Object", "{})")),
        ("texts with signs", "js", vec!["'; , a\\' }'"; depth].join("+")),
        ("comments with signs", "js", chain(" + // and; so, on\n")),
        ("assertions", "ts", twice("<any>", "a", "")),
        ("as", "ts", twice("", "a", " as any")),
        ("types", "ts", format!("type T = {}", twice("A<", "1", ">"))),
        ("keyof", "ts", format!("type T = {}", twice("keyof ", "A", ""))),
        ("conditional types", "ts", format!("type T = {}", twice("A extends 1 ? 1 : ", "1", ""))),
        ("arrays", "ts", format!("type T = {}", twice("", "1", "[]"))),
        ("namespaces", "ts", format!("namespace a{} {{ export let b = 1 }}", twice("", "", ".a"))),
    ]
}

#[test]
fn code_that_is_nested_too_deep_is_refused_with_its_place() {
    for (kind, extension, code) in nested(100_000) {
        let file = format!("entry.{extension}");
        let (_, outcome) = bundle(&[(&file, &code)], &[&file]);
        assert_eq!(outcome.code, 1, "{kind}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(" are nested more than ") || outcome.stderr.contains(" is nested more than "));
        assert!(outcome.stderr.contains(&format!("--> {file}:1:")) || kind.contains("comments") || kind == "logic");
    }
}

/// Programs write code that nobody would write by hand.
#[test]
fn long_chains_of_operators_are_bundled() {
    const LENGTH: usize = 8_000;
    let sum = vec!["one"; LENGTH].join(" + ");
    // Engines parse these with a stack of their own, which is smaller.
    let choices: Vec<String> = (0..1_000).map(|number| format!("one === {number} ? {number} : ")).collect();
    let others: Vec<String> =
        (2..1_000).map(|number| format!("if (one === {number}) console.log(0);\nelse ")).collect();
    let (choice, otherwise) = (choices.concat(), others.concat());
    let entry = format!(
        "const one = [1][0];\nconst text = {};\nconsole.log({sum}, {choice} 'none', text.length);\n{otherwise} console.log('last');",
        vec!["`${one}`"; LENGTH].join(" +\n"),
    );
    prints(&[("entry.js", &entry)], &[], &format!("{LENGTH} 1 {LENGTH}\nlast"));
}

#[test]
fn large_json_is_data_to_be_fetched() {
    let large = format!("[{}0]", "\"12345678901234567890\",".repeat(1_500_000));
    let files = [("entry.js", "import all from './large.json'; console.log(all.length);"), ("large.json", &*large)];
    let (_, outcome) = bundle(&files, &["entry.js"]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("JSON files larger than 32 MB cannot be bundled"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("--> entry.js:1:17"), "{}", outcome.stderr);
    // As an expression it would be a tree of that size.
    let data = format!("{{\"list\": [{}0], \"a\": {{\"__proto__\": 1}}}}", "\"1234567890\",".repeat(200_000));
    let entry =
        "import all, { list } from './data.json'; console.log(list.length, all.list === list, Object.keys(all.a)[0]);";
    prints(&[("entry.js", entry), ("data.json", &data)], &[], "200001 true __proto__");
}

#[test]
fn common_js_in_a_package_of_es_modules_is_told_why_it_exports_nothing() {
    let files = [
        ("package.json", r#"{ "type": "module" }"#),
        ("entry.js", "import old, { a } from './old.js';\nimport './old.js';\nconsole.log(old, a);"),
        ("old.js", "exports.a = 1;\nmodule.exports.b = 2;"),
    ];
    let (_, outcome) = bundle(&files, &["entry.js"]);
    assert_eq!(outcome.code, 1);
    let told = "`old.js` is an ES module because of its name or its package, so `module.exports` has no effect";
    assert_eq!(outcome.stderr.matches(told).count(), 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("rename the file to `.cjs`"), "{}", outcome.stderr);
}
