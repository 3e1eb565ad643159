//! Modules that are replaced while a page shows, in the embedded engine.

use serde_json::json;

use super::Workshop;

/// An entry that says what it is told, and nothing more.
const ENTRY: (&str, &str) = ("entry.ts", "globalThis.log = []; export {};");

#[test]
fn a_constant_beside_a_component_runs_its_importers_again() {
    let mut site = Workshop::refreshing(&[
        ("entry.ts", "globalThis.log = []; export {};"),
        (
            "pages/about.tsx",
            "import { Table } from \"../Table\"; log.push(\"about\"); export const LIMITS = { rows: 20 };
            export default function About() { return Table(); }",
        ),
        (
            "Table.tsx",
            "import { LIMITS } from \"./pages/about\"; log.push(\"table\");
            export const Table = () => LIMITS.rows;",
        ),
    ]);
    let next = "import { Table } from \"../Table\"; log.push(\"about\"); export const LIMITS = { rows: 30 };
            export default function About() { return Table(); }";
    let played = site.play(
        &[&[("pages/about.tsx", next)]],
        "const About = await page(\"pages/about.tsx\");
         log.length = 0;
         const { kind, reasons } = await apply(0);
         return [kind, reasons, log, (await page(\"pages/about.tsx\"))(), About(), refreshes];",
    );
    let reasons = json!([{ "module": "pages/about.tsx", "export": "LIMITS" }]);
    assert_eq!(played, json!(["applied", reasons, ["table", "about"], 30, 30, 1]));
}

#[test]
fn a_component_is_replaced_alone_and_registered_by_its_export() {
    let mut site = Workshop::refreshing(&[
        ENTRY,
        (
            "pages/home.tsx",
            "import Chart from \"../Chart\"; log.push(\"home\"); export default function Home() { return Chart(); }",
        ),
        ("Chart.tsx", "log.push(\"chart\"); export default function () { return 1; }"),
    ]);
    let played = site.play(
        &[&[("Chart.tsx", "log.push(\"chart\"); export default function () { return 2; }")]],
        "const Home = await page(\"pages/home.tsx\");
         log.length = 0;
         const { kind } = await apply(0);
         return [kind, log, Home(), refreshes, registered.filter((id) => id.includes(\"Chart\"))];",
    );
    assert_eq!(played, json!(["applied", ["chart"], 2, 1, ["Chart.tsx exports default", "Chart.tsx exports default"]]));
}

#[test]
fn what_no_module_takes_ends_in_a_reload_with_the_reason() {
    let mut site = Workshop::refreshing(&[
        ("entry.ts", "import { value } from \"./value\"; globalThis.log = [value];"),
        ("value.ts", "export const value = 1;"),
    ]);
    let played = site.play(
        &[&[("value.ts", "export const value = 2;")]],
        "const { kind, reason } = await apply(0); return [kind, reason, log];",
    );
    assert_eq!(played, json!(["reload", { "module": "value.ts", "export": "value" }, [1]]));
}

#[test]
fn without_react_refresh_a_page_is_its_newest_component() {
    let home = "export default function Home() { return 1; }";
    let mut site = Workshop::new(&[ENTRY, ("pages/home.tsx", home)]);
    assert!(!site.graph.refreshes());
    let played = site.play(
        &[&[("pages/home.tsx", "export default function Home() { return 2; }")]],
        "const before = await page(\"pages/home.tsx\");
         const { kind } = await apply(0);
         return [kind, before(), (await page(\"pages/home.tsx\"))()];",
    );
    assert_eq!(played, json!(["applied", 1, 2]));
}

/// D-10
#[test]
fn a_ring_that_invalidates_itself_ends_in_one_reload() {
    let ring = |other: &str, value: u8| {
        format!(
            "import \"./{other}\"; log.push(\"{other}\"); export const value = {value};
             import.meta.hot?.accept(() => import.meta.hot?.invalidate(\"no\"));"
        )
    };
    let mut site = Workshop::new(&[
        ("log.ts", "globalThis.log = [];"),
        ("entry.ts", "import \"./log\"; import \"./a\";"),
        ("a.ts", &ring("b", 1)),
        ("b.ts", &ring("a", 1)),
    ]);
    let played = site.play(
        &[&[("a.ts", &ring("b", 2))]],
        "log.length = 0; const { kind, reason } = await apply(0); return [kind, reason.message, log];",
    );
    assert_eq!(played, json!(["reload", "no", ["b"]]));
}

/// D-11
#[test]
fn all_modules_of_a_ring_run_before_react_is_told() {
    let part = |other: &str, text: &str| {
        format!(
            "import {{ make as other }} from \"./{other}\"; const styles = [typeof other];
             export function make() {{ return styles; }} export const text = \"{text}\";"
        )
    };
    let mut site = Workshop::refreshing(&[
        ENTRY,
        ("pages/home.tsx", "import * as A from \"../A\"; export default function Home() { return A.make(); }"),
        ("A.tsx", &part("B", "one")),
        ("B.tsx", &part("A", "one")),
    ]);
    let played = site.play(
        &[&[("A.tsx", &part("B", "two"))], &[("B.tsx", &part("A", "two"))]],
        "const Home = await page(\"pages/home.tsx\");
         const first = await apply(0), second = await apply(1);
         return [first.kind, second.kind, Home(), refreshes];",
    );
    assert_eq!(played, json!(["applied", "applied", ["function"], 2]));
}

/// D-11, D-28
#[test]
fn what_throws_is_made_up_for_by_the_next_update() {
    let mut site = Workshop::refreshing(&[
        ENTRY,
        (
            "pages/home.tsx",
            "import { A } from \"../A\"; import { B } from \"../B\"; import { C } from \"../C\";
            export default function Home() { return [A(), B(), C()]; }",
        ),
        ("A.tsx", "export const A = () => 1;"),
        ("B.tsx", "export const B = () => 1;"),
        ("C.tsx", "export const C = () => 1;"),
    ]);
    let broken = [
        ("A.tsx", "export const A = () => 2;"),
        ("B.tsx", "throw new Error(\"no\"); export const B = () => 2;"),
        ("C.tsx", "export const C = () => 2;"),
    ];
    let played = site.play(
        &[&broken, &[("B.tsx", "export const B = () => 3;")]],
        "const Home = await page(\"pages/home.tsx\");
         const first = await apply(0), before = refreshes, second = await apply(1);
         return [first.kind, first.error.message, before, second.kind, Home(), refreshes];",
    );
    assert_eq!(played, json!(["failed", "no", 0, "applied", [2, 3, 2], 1]));
}

/// D-13
#[test]
fn modules_release_all_that_they_hold() {
    let with = |value: u8| {
        format!(
            "export const value = {value};
             const hot = import.meta.hot!;
             hot.data.rounds = (hot.data.rounds ?? 0) + 1;
             hot.dispose(() => log.push(\"first\")); hot.dispose((data) => log.push([\"second\", data.rounds]));
             hot.on(\"vite:afterUpdate\", () => log.push(\"heard {value}\")); hot.on(\"own\", () => log.push(\"own\"));
             hot.prune(() => log.push(\"pruned\")); hot.accept();"
        )
    };
    let mut site = Workshop::new(&[
        ("log.ts", "globalThis.log = [];"),
        ("entry.ts", "import \"./log\"; import \"./importer\";"),
        ("importer.ts", "import \"./held\"; import.meta.hot?.accept();"),
        ("held.ts", &with(1)),
    ]);
    let played = site.play(
        &[&[("held.ts", &with(2))], &[("importer.ts", "import.meta.hot?.accept();")]],
        "await apply(0); const first = log.splice(0);
         hot.emit(\"own\"); const own = log.splice(0);
         await apply(1); hot.emit(\"own\");
         return [first, own, log];",
    );
    assert_eq!(played, json!([["first", ["second", 1], "heard 2"], ["own"], ["first", ["second", 2], "pruned"]]));
}

/// D-14
#[test]
fn an_importer_that_accepts_two_modules_is_called_once_for_each() {
    let part = |name: &str, value: u8| {
        format!(
            "export const value = \"{name}{value}\"; const listener = () => log.push(\"{name} heard\");
             import.meta.hot!.on(\"own\", listener); import.meta.hot!.dispose(() => log.push(\"{name} gone\"));"
        )
    };
    let mut site = Workshop::new(&[
        ("log.ts", "globalThis.log = [];"),
        (
            "entry.ts",
            "import \"./log\"; import { value as a } from \"./a\"; import { value as b } from \"./b\";
             export const read = () => [a, b];
             import.meta.hot!.accept(\"./a\", (module) => log.push([\"a\", module!.value]));
             import.meta.hot!.accept([\"./b\", \"./log\"], ([b, log_]) => log.push([\"b\", b!.value, log_ ?? null]));",
        ),
        ("a.ts", &part("a", 0)),
        ("b.ts", &part("b", 0)),
    ]);
    let rounds: Vec<[(&str, String); 2]> =
        (1..=50).map(|round| [("a.ts", part("a", round)), ("b.ts", part("b", round))]).collect();
    let rounds: Vec<Vec<(&str, &str)>> =
        rounds.iter().map(|files| files.iter().map(|(path, text)| (*path, text.as_str())).collect()).collect();
    let rounds: Vec<&[(&str, &str)]> = rounds.iter().map(Vec::as_slice).collect();
    let played = site.play(
        &rounds,
        "const { kind } = await apply(0); const first = log.splice(0);
         for (let round = 1; round < updates.length; round++) await apply(round);
         log.length = 0; hot.emit(\"own\");
         return [kind, first, log, hot.namespace(\"entry.ts\").read()];",
    );
    let first = json!(["a gone", "b gone", ["a", "a1"], ["b", "b1", null]]);
    assert_eq!(played, json!(["applied", first, ["a heard", "b heard"], ["a50", "b50"]]));
}

/// D-17
#[test]
fn a_component_behind_a_barrel_is_replaced_alone() {
    let mut site = Workshop::refreshing(&[
        ("log.ts", "globalThis.log = [];"),
        ("entry.ts", "import \"./log\"; import { Logo } from \"./components\"; export const show = () => Logo();"),
        ("components/index.ts", "log.push(\"index\"); export { Logo } from \"./Logo\"; export * from \"./Chart\";"),
        ("components/Logo.tsx", "log.push(\"logo\"); export const Logo = () => \"logo 1\";"),
        ("components/Chart.tsx", "log.push(\"chart\"); export const Chart = () => \"chart 1\";"),
        ("components/New.tsx", "export const New = () => \"new\";"),
        (
            "pages/home.tsx",
            "import { Chart } from \"../components\"; log.push(\"home\"); export default function Home() { return Chart(); }",
        ),
    ]);
    let played = site.play(
        &[
            &[("components/Chart.tsx", "log.push(\"chart\"); export const Chart = () => \"chart 2\";")],
            &[("components/Logo.tsx", "log.push(\"logo\"); export const Logo = () => \"logo 2\";")],
            &[(
                "components/index.ts",
                "log.push(\"index\"); export { Logo } from \"./Logo\"; export * from \"./Chart\"; export * from \"./New\";",
            )],
        ],
        "const Home = await page(\"pages/home.tsx\"); log.length = 0;
         const kinds = []; for (const number of [0, 1, 2]) kinds.push((await apply(number)).kind);
         return [kinds, log, Home(), hot.namespace(\"entry.ts\").show(), hot.namespace(\"components/index.ts\").New()];",
    );
    let kinds = json!(["applied", "applied", "applied"]);
    assert_eq!(played, json!([kinds, ["chart", "logo", "index"], "chart 2", "logo 2", "new"]));
}

/// D-19
#[test]
fn what_is_loaded_late_is_the_newest() {
    let mut site = Workshop::refreshing(&[
        ENTRY,
        (
            "pages/home.tsx",
            "export default function Home() { return import(\"../Cards\").then(({ Cards }) => Cards()); }",
        ),
        ("Cards.tsx", "import { format } from \"./format\"; export const Cards = () => format();"),
        ("format.ts", "export const format = () => 1;"),
    ]);
    let played = site.play(
        &[&[("format.ts", "export const format = () => 2;")], &[("format.ts", "export const format = () => 3;")]],
        "const Home = await page(\"pages/home.tsx\");
         const early = await apply(0);
         const opened = await Home();
         const late = await apply(1);
         return [early.kind, opened, late.kind, await Home()];",
    );
    // The script that is loaded is that of the last edit.
    assert_eq!(played, json!(["applied", 3, "applied", 3]));
}

#[test]
fn who_holds_a_namespace_sees_new_names() {
    let mut site = Workshop::refreshing(&[
        ENTRY,
        (
            "pages/home.tsx",
            "import * as icons from \"../icons\"; const names = Object.keys(icons);
            export default function Home() { return names; }",
        ),
        ("icons.tsx", "export const One = () => 1;"),
    ]);
    let played = site.play(
        &[&[("icons.tsx", "export const One = () => 1; export const Two = () => 2;")]],
        "await page(\"pages/home.tsx\"); const { kind } = await apply(0);
         return [kind, (await page(\"pages/home.tsx\"))()];",
    );
    assert_eq!(played, json!(["applied", ["One", "Two"]]));
}

#[test]
fn a_script_that_comes_after_an_update_replaces_nothing() {
    let mut site = Workshop::new(&[
        ("entry.ts", "import \"./shared\";"),
        ("shared.ts", "export const shared = 1;"),
        ("pages/one.ts", "import { shared } from \"../shared\"; export default () => [\"old\", shared];"),
    ]);
    let edited = ("pages/one.ts", "import { shared } from \"../shared\"; export default () => [\"new\", shared];");
    // The page was asked for before the edit, and its script comes behind it.
    let played = site.play(&[&[edited]], "await apply(0); return (await page(\"pages/one.ts\"))();");
    assert_eq!(played, json!(["new", 1]));
}
