//! What is loaded again, and what an update holds.

use portalgen_bundle::HotScript;

use super::{Workshop, names};
use crate::support::bundling::describe;

/// The entry and two modules behind each other.
const CHAIN: [(&str, &str); 3] = [
    ("entry.ts", "import { a } from \"./a\"; console.log(a);"),
    ("a.ts", "import { b } from \"./b\"; export const a = b + 1;"),
    ("b.ts", "export const b = 1;"),
];

#[test]
fn an_edit_scans_and_tells_one_module() {
    let mut site = Workshop::new(&CHAIN);
    let scans = site.options.modules.scans();
    let update = site.edit(&[("b.ts", "export const b = 2;")]);
    assert_eq!(site.options.modules.scans() - scans, 1);
    assert_eq!((names(&update.changed), names(&update.removed)), (vec!["b.ts"], vec![]));
    assert!(update.definitions.code.contains("const b = 2") && !update.definitions.code.contains("const a"));
    assert!(update.styles.is_empty() && update.roots.is_empty() && update.warnings.is_empty());
    assert!(site.graph.entry_script().code.contains("const b = 2"));
}

#[test]
fn what_prints_the_same_is_no_change() {
    let mut site = Workshop::new(&CHAIN);
    let update = site.edit(&[("b.ts", "// One.\nexport const b = 1;")]);
    assert_eq!((update.definitions.code.as_str(), names(&update.changed)), ("", vec![]));
    // Its lines have moved all the same.
    assert!(site.graph.entry_script().origins.source_map().contains("// One."));
}

#[test]
fn modules_come_and_go_with_their_imports() {
    let mut site = Workshop::new(&CHAIN);
    let new = [("a.ts", "import { c } from \"./c\"; export const a = c;"), ("c.ts", "export const c = 3;")];
    let update = site.edit(&new);
    assert_eq!((names(&update.changed), names(&update.removed)), (vec!["a.ts", "c.ts"], vec!["b.ts"]));
    let update = site.edit(&[CHAIN[1]]);
    assert_eq!((names(&update.changed), names(&update.removed)), (vec!["a.ts", "b.ts"], vec!["c.ts"]));
}

#[test]
fn nobody_is_sent_what_nobody_has() {
    let mut site = Workshop::new(&[
        ("entry.ts", "import \"./entry-only\";"),
        ("entry-only.ts", "export const only = 1;"),
        ("pages/one.ts", "import \"../one\";"),
        ("one.ts", "export const one = 1;"),
        ("pages/two.ts", "export {};"),
    ]);
    let one = [("one.ts", "export const one = 2;")];
    assert!(site.edit(&one).changed.is_empty());
    let key = |site: &Workshop| site.graph.bundle().lazy_file("pages/two.ts").unwrap().to_owned();
    let key = key(&site);
    site.graph.script(key.rsplit('/').next().unwrap().trim_end_matches(".js")).unwrap();
    // Of what the page comes to need, it has what the entry has.
    let update = site.edit(&[("pages/two.ts", "import \"../one\"; import \"../entry-only\";")]);
    assert_eq!(names(&update.changed), ["one.ts", "pages/two.ts"]);
}

#[test]
fn what_an_import_leads_to_is_looked_at_again_when_a_file_appears() {
    let mut site = Workshop::new(&[("entry.ts", "import { a } from \"./a\"; a;"), ("a.js", "export const a = 1;")]);
    let update = site.edit(&[("a.ts", "export const a: number = 2;")]);
    assert_eq!((names(&update.changed), names(&update.removed)), (vec!["a.ts", "entry.ts"], vec!["a.js"]));
}

#[test]
fn mistakes_are_those_of_a_build_and_leave_the_graph_as_it_was() {
    for (file, text) in [
        ("b.ts", "export const b = ;"),
        ("b.ts", "export const other = 1;"),
        ("b.ts", "import \"./nowhere\"; export const b = 1;"),
        ("a.ts", "import { b, missing } from \"./b\"; export const a = b + missing;"),
        ("b.ts", "import \"package-that-is-missing\"; export const b = 1;"),
    ] {
        let mut site = Workshop::new(&CHAIN);
        let before = site.graph.entry_script().code;
        let errors = site.try_edit(&[(file, text)]).unwrap_err();
        assert_eq!(describe(&errors), describe(&site.build().unwrap_err()), "{text}");
        assert_eq!(site.graph.entry_script().code, before, "{text}");
        // Another edit does not make it good.
        assert!(site.try_edit(&[("entry.ts", "import { a } from \"./a\"; console.log(1, a);")]).is_err(), "{text}");
        let original = CHAIN.iter().find(|(name, _)| *name == file).unwrap();
        let update = site.edit(&[*original]);
        assert_eq!(names(&update.changed), ["entry.ts"], "{text}");
    }
}

#[test]
fn names_are_looked_for_through_what_hands_them_on() {
    let barrel = [
        ("entry.ts", "import { a } from \"./outer\"; console.log(a);"),
        ("outer.ts", "export * from \"./inner\";"),
        ("inner.ts", "export { a } from \"./a\";"),
        ("a.ts", "export const a = 1;"),
    ];
    let mut site = Workshop::new(&barrel);
    let errors = site.try_edit(&[("a.ts", "export const b = 1;")]).unwrap_err();
    assert_eq!(describe(&errors), describe(&site.build().unwrap_err()));
    assert!(describe(&errors).starts_with("entry.ts:1:10"), "{}", describe(&errors));
}

#[test]
fn a_file_that_is_gone_is_missed_where_it_is_imported() {
    let mut site = Workshop::new(&CHAIN);
    let errors = site.delete(&["b.ts"]).unwrap_err();
    assert_eq!(describe(&errors), describe(&site.build().unwrap_err()));
    assert_eq!(names(&site.edit(&[("b.ts", "export const b = 5;")]).changed), ["b.ts"]);
}

#[test]
fn importers_are_told_again_when_the_kind_of_a_module_changes() {
    let mut site =
        Workshop::new(&[("entry.ts", "import a from \"./a.js\"; console.log(a);"), ("a.js", "module.exports = 1;")]);
    let update = site.edit(&[("a.js", "export default 1;")]);
    assert_eq!(names(&update.changed), ["a.js", "entry.ts"]);
}

#[test]
fn an_edit_of_a_sheet_changes_no_script() {
    let mut site = Workshop::new(&[
        ("entry.ts", "import \"./a.css\"; import styles from \"./b.module.css\"; console.log(styles.one);"),
        ("a.css", "@import \"./base.css\"; a { top: 1px }"),
        ("base.css", "b { top: 1px }"),
        ("b.module.css", ".one { top: 1px }"),
    ]);
    let files = |site: &Workshop| site.graph.bundle().style_sheets;
    let before = files(&site);
    for (file, text) in [
        ("a.css", "@import \"./base.css\"; a { top: 2px }"),
        ("base.css", "b { top: 2px }"),
        ("b.module.css", ".one { top: 2px }"),
    ] {
        let update = site.edit(&[(file, text)]);
        assert_eq!((names(&update.changed), update.styles.len()), (vec![], 1), "{file}");
        let sheet = &update.styles[0];
        assert!(site.graph.style(&sheet.key).unwrap().contains("2px"), "{file}");
        assert!(files(&site).contains(sheet.file.as_ref().unwrap()), "{file}");
    }
    assert!(files(&site).iter().all(|file| !before.contains(file)));
    let update = site.edit(&[("b.module.css", ".two { top: 2px }"), ("entry.ts", "import \"./a.css\";")]);
    assert_eq!((names(&update.changed), names(&update.removed)), (vec!["entry.ts"], vec!["b.module.css"]));
    assert_eq!(update.styles.iter().map(|sheet| sheet.file.is_some()).collect::<Vec<_>>(), [false]);
}

/// D-22
#[test]
fn rules_go_and_come_with_the_last_import_of_their_sheet() {
    let with = ("util.ts", "import \"./x.css\"; export const util = 1;");
    let without = ("util.ts", "export const util = 1;");
    let mut site = Workshop::new(&[
        ("entry.ts", "export {};"),
        (
            "pages/home.ts",
            "import \"../before.css\"; import { util } from \"../util\"; import \"../after.css\"; export default util;",
        ),
        with,
        ("before.css", "a { top: 1px }"),
        ("x.css", "b { top: 1px }"),
        ("after.css", "c { top: 1px }"),
    ]);
    let first = site.graph.bundle().style_sheets;
    let update = site.edit(&[without]);
    assert_eq!(update.styles.iter().map(|sheet| sheet.file.is_some()).collect::<Vec<_>>(), [true, false]);
    let left = update.roots["pages/home.ts"].iter().filter_map(|sheet| sheet.file.clone());
    assert_eq!(left.collect::<Vec<_>>(), [first[0].clone(), first[2].clone()]);
    let update = site.edit(&[with]);
    assert_eq!(update.roots["pages/home.ts"].len(), 3);
    assert_eq!(site.graph.bundle().style_sheets, first);
    let errors = site.delete(&["x.css"]).unwrap_err();
    assert_eq!(describe(&errors), describe(&site.build().unwrap_err()));
}

#[test]
fn sheets_keep_the_order_of_a_build() {
    let mut site = Workshop::new(&[
        ("entry.ts", "import \"./entry.css\";"),
        ("entry.css", "entry { color: red }"),
        ("pages/one.ts", "import \"../shared.css\"; import \"../one.css\"; import(\"../lazy\");"),
        ("pages/two.ts", "import \"../two.css\"; import \"../shared.css\"; import(\"../lazy\");"),
        ("lazy.ts", "import \"./lazy.css\"; import \"./one.css\";"),
        ("shared.css", "@import \"./imported.css\"; shared { color: red }"),
        ("imported.css", "imported { color: red }"),
        ("one.css", "one { color: red }"),
        ("two.css", "two { color: red }"),
        ("lazy.css", "lazy { color: red }"),
    ]);
    assert_same_order(&site);
    site.edit(&[("pages/one.ts", "import \"../one.css\"; import \"../shared.css\"; import(\"../lazy\");")]);
    assert_same_order(&site);
    site.edit(&[
        ("lazy.ts", "import \"./one.css\"; import \"./new.css\"; import \"./lazy.css\";"),
        ("new.css", "new { top: 0 }"),
    ]);
    assert_same_order(&site);
}

/// Compares the rules of all documents with those of a build.
fn assert_same_order(site: &Workshop) {
    let build = site.build().unwrap();
    let text = |file: &str| {
        let asset = build.assets.iter().find(|asset| asset.file_name == file).unwrap();
        String::from_utf8(asset.bytes.to_vec()).unwrap()
    };
    let rules: String = build.style_sheets.iter().map(|file| text(file)).collect();
    let hot = site.graph.bundle();
    let key = |file: &str| file.rsplit('/').next().unwrap().split('.').next().unwrap().to_owned();
    let served: String =
        hot.style_sheets.iter().map(|file| site.graph.style(&key(file)).unwrap().to_string()).collect();
    assert_eq!(served, rules);
    assert!(hot.sheet_places.is_sorted());
    for (name, module) in &hot.lazy {
        let place = |file| hot.style_sheets.iter().position(|sheet| sheet == file).unwrap();
        let places: Vec<usize> = module.styles.iter().map(place).collect();
        assert!(places.len() > 1 && places.is_sorted(), "{name}: {places:?}");
    }
}

#[test]
fn the_bundle_tells_later_stages_what_they_ask_of_a_build() {
    let site = Workshop::new(&[
        ("entry.ts", "import \"./shared\"; import \"./entry.css\"; new URL(\"./note.txt\", import.meta.url);"),
        ("entry.css", "a { background: url(./note.txt) }"),
        ("note.txt", "A note."),
        ("shared.ts", "export const shared = 1;"),
        ("pages/one.ts", "import { shared } from \"../shared\"; export default () => shared;"),
    ]);
    let (hot, build) = (site.graph.bundle(), site.build().unwrap());
    assert_eq!(hot.entry_file(), "__portalgen/entry.js");
    let page = hot.lazy_file("pages/one.ts").unwrap();
    let key = page.strip_prefix("__portalgen/page/").unwrap().strip_suffix(".js").unwrap();
    let script = site.graph.script(key).unwrap().code;
    assert!(script.contains("pages/one.ts") && !script.contains("\"shared.ts\",\""), "{script}");
    let kinds = |bundle: &portalgen_bundle::Bundle| {
        let modules = bundle.modules.iter().map(|module| (module.name.clone(), module.imports.clone()));
        modules.collect::<Vec<_>>()
    };
    assert_eq!(kinds(&hot), kinds(&build));
    let notes = |bundle: &portalgen_bundle::Bundle| {
        let assets = bundle.assets.iter().filter(|asset| asset.file_name.ends_with(".txt"));
        assets.cloned().collect::<Vec<_>>()
    };
    assert_eq!((notes(&hot), notes(&hot).len()), (notes(&build), 1));
    let sheet = hot.style_sheets[0].rsplit('/').next().unwrap().split('.').next().unwrap();
    let style = site.graph.style(sheet).unwrap();
    assert!(style.contains("/assets/note-"), "{style}");
}

/// Whether a source map says where the line of code that begins with a text comes from.
fn is_mapped(map: &str, code: &str, text: &str) -> bool {
    let map: serde_json::Value = serde_json::from_str(map).unwrap();
    let line = code.lines().position(|line| line.starts_with(text)).unwrap();
    map["mappings"].as_str().unwrap().split(';').nth(line).is_some_and(|mappings| !mappings.is_empty())
}

#[test]
fn scripts_have_source_maps() {
    let mut site = Workshop::new(&CHAIN);
    let script = site.graph.entry_script();
    let map = script.origins.source_map();
    let sources: serde_json::Value = serde_json::from_str(&map).unwrap();
    assert_eq!(sources["sources"], serde_json::json!(["a.ts", "b.ts", "entry.ts"]));
    assert!(is_mapped(&map, &script.code, "const b = 1"));
    let HotScript { code, origins } = site.edit(&[("b.ts", "\n\nexport const b = 2;")]).definitions;
    let map = origins.source_map();
    assert!(is_mapped(&map, &code, "const b = 2"));
    assert!(!is_mapped(&map, &code, "globalThis"));
}

/// Where the end of a text in a script was written.
fn origin(script: &HotScript, text: &str) -> Option<String> {
    let (line, found) = script.code.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
    let column = found.find(text).unwrap() + text.len() - 1;
    script.origins.locate(line.try_into().unwrap(), column.try_into().unwrap()).map(|place| place.to_string())
}

#[test]
fn places_in_scripts_lead_to_where_they_were_written() {
    let mut site = Workshop::new(&[
        ("entry.ts", "import { b } from \"./b\";\nimport(\"./page\");\nconsole.log(b);"),
        ("page.ts", "\n  export const page = 1;"),
        ("b.ts", "export const b = 1;"),
    ]);
    let earlier = site.graph.entry_script();
    assert_eq!(origin(&earlier, "const b = 1").as_deref(), Some("b.ts:1:18"));
    assert_eq!(origin(&earlier, "console.l").as_deref(), Some("entry.ts:3:9"));
    // What the bundler has added was not written.
    assert_eq!(origin(&earlier, ".define(["), None);
    assert_eq!(origin(&earlier, ".start({"), None);
    assert!(earlier.origins.locate(u32::MAX, u32::MAX).is_none());
    let page = site.graph.bundle().chunks[1].file_name.clone();
    let key = page.strip_prefix("__portalgen/page/").unwrap().strip_suffix(".js").unwrap();
    assert_eq!(origin(&site.graph.script(key).unwrap(), "const page = 1").as_deref(), Some("page.ts:2:23"));
    let update = site.edit(&[("b.ts", "\n\n\nexport const b = 2;"), ("page.ts", "export const page = 3;")]);
    assert_eq!(origin(&update.definitions, "const b = 2").as_deref(), Some("b.ts:4:18"));
    assert_eq!(origin(&update.definitions, "const page = 3").as_deref(), Some("page.ts:1:21"));
    // Who runs the earlier script is told of the earlier text.
    assert_eq!(origin(&earlier, "const b = 1").as_deref(), Some("b.ts:1:18"));
}

#[test]
fn code_that_an_edit_moves_is_found_where_it_is_now() {
    let mut site = Workshop::new(&CHAIN);
    let earlier = site.graph.entry_script();
    let line = u32::try_from(earlier.code.lines().position(|line| line.starts_with("const b = 1")).unwrap()).unwrap();
    let found = |site: &Workshop| {
        site.graph.locate(&earlier.origins, line, 10).map(|(place, is_newest)| format!("{place} {is_newest}"))
    };
    assert_eq!(found(&site).as_deref(), Some("b.ts:1:18 true"));
    // The code is the same, so nobody is sent another one.
    let update = site.edit(&[("b.ts", "// A word.\n\n  export const b = 1;")]);
    assert_eq!(names(&update.changed), Vec::<&str>::new());
    assert_eq!(found(&site).as_deref(), Some("b.ts:3:20 true"));
    // What has been replaced is found in the text that it was in.
    site.edit(&[("b.ts", "// Other words.\n// More of them.\nexport const b = 3;")]);
    assert_eq!(found(&site).as_deref(), Some("b.ts:1:18 false"));
    assert!(site.graph.locate(&earlier.origins, 0, 0).is_none());
    assert!(site.graph.locate(&earlier.origins, u32::MAX, u32::MAX).is_none());
}

#[test]
fn elements_say_where_they_were_written() {
    let site = Workshop::new(&[
        ("entry.ts", "import \"./parts/list\";"),
        ("parts/list.tsx", "/** @jsxFrag x */\nexport const list = (\n  <ul>\n    <li>关于 {<b />}</li>\n  </ul>\n);"),
        ("node_modules/react/jsx-dev-runtime.js", "export const jsxDEV = () => {};"),
        ("node_modules/react/package.json", "{\"name\":\"react\"}"),
    ]);
    let code = site.graph.entry_script().code;
    let places = code.match_indices("fileName: ").map(|(at, _)| {
        let words = |text: &str| {
            text.split(|c: char| !c.is_alphanumeric() && !"./".contains(c)).map(str::to_owned).collect::<Vec<_>>()
        };
        let words: Vec<String> =
            words(code[at..].split('}').next().unwrap()).into_iter().filter(|word| !word.is_empty()).collect();
        format!("{}:{}:{}", words[1], words[3], words[5])
    });
    let mut places: Vec<String> = places.collect();
    places.sort();
    assert_eq!(places, ["parts/list.tsx:3:3", "parts/list.tsx:4:13", "parts/list.tsx:4:5"]);
}
