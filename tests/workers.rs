//! Pages in engines that are used again, beside pages in engines of their own: what comes of a page never depends on those
//! before it, on their number, or on threads.

use std::{collections::BTreeMap, time::Duration};

use rayon::prelude::*;

use portalgen_base::blob::Spill;
use portalgen_engine::{Failure, FailureKind, Limits, PageJob, Program, RenderedPage, prerender};

use crate::support::{
    fixtures,
    programs::{compile, program_of},
};

type Rendered = Result<RenderedPage, Failure>;

/// The program in `tests/fixtures/engine/pages`.
fn pages() -> Program {
    program_of(&fixtures::area("engine/pages"), "entry.js")
}

/// Little memory and stack, so that what needs all of it is soon done.
const LIMITS: Limits = Limits { memory: 24 << 20, stack: 256 << 10, deadline: Duration::from_mins(1) };

fn jobs(paths: &[&str]) -> Vec<PageJob> {
    let empty = String::new;
    let job = |path: &&str| PageJob { path: (*path).to_owned(), script: empty(), title: empty(), place: None };
    paths.iter().map(job).collect()
}

fn render(program: &Program, paths: &[&str], limits: &Limits, threads: usize) -> Vec<Rendered> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| prerender(program, &jobs(paths), limits, &|_| None, &Spill::default()))
}

/// A page in an engine of its own: that is what a single one gets.
fn alone(program: &Program, path: &str) -> Rendered {
    prerender(program, &jobs(&[path]), &LIMITS, &|_| None, &Spill::default()).remove(0)
}

const SPOILERS: [&str; 10] =
    ["prototypes", "globals", "promises", "timers", "keeps", "finalizes", "flight", "much", "stack", "classes"];
const FAILING: [&str; 5] = ["throws", "null", "stalls", "deep", "hoards"];

#[track_caller]
fn assert_as_alone(known: &BTreeMap<&str, Rendered>, paths: &[&str], threads: usize) {
    let rendered = render(&pages(), paths, &LIMITS, threads);
    for (at, (path, rendered)) in paths.iter().zip(&rendered).enumerate() {
        let before = at.checked_sub(1).map(|before| paths[before]);
        assert!(rendered == &known[path], "{path} after {before:?}: {rendered:?}\nalone: {:?}", known[path]);
    }
}

#[test]
fn every_page_is_the_same_after_every_other() {
    let kinds: Vec<String> = SPOILERS.iter().chain(&FAILING).chain(&["looks"]).map(|kind| format!("/{kind}")).collect();
    let program = pages();
    let known: BTreeMap<_, _> = kinds.iter().map(|path| (path.as_str(), alone(&program, path))).collect();
    for (path, rendered) in &known {
        assert_eq!(rendered.is_err(), FAILING.contains(&&path[1..]), "{path}: {rendered:?}");
    }
    let pairs: Vec<&str> =
        kinds.iter().flat_map(|first| kinds.iter().flat_map(move |second| [&**first, second])).collect();
    assert_as_alone(&known, &pairs, 1);
}

#[test]
fn thousands_of_pages_are_the_same_in_any_order_on_any_number_of_threads() {
    let path = |number: usize| match number % 40 {
        13 => format!("/{}", FAILING[number / 40 % FAILING.len()]),
        27 => format!("/{}", SPOILERS[number / 40 % SPOILERS.len()]),
        _ => format!("/looks/{number}"),
    };
    let paths: Vec<String> = (0..2000).map(path).collect();
    let program = pages();
    let mut order: Vec<&str> = paths.iter().map(String::as_str).collect();
    let known: BTreeMap<_, _> = order.par_iter().map(|&path| (path, alone(&program, path))).collect();
    assert_as_alone(&known, &order, 2);
    order.reverse();
    assert_as_alone(&known, &order, 5);
    // 7 and 2,000 have no divisor in common.
    let order: Vec<&str> = (0..order.len()).map(|at| order[at * 7 % order.len()]).collect();
    assert_as_alone(&known, &order, 1);
}

/// A program of so many pages, each with a script of its own, which has more code in all than is kept compiled. Some of them are
/// not valid; some load that of the next page, too.
fn program_of_scripts(count: usize) -> Program {
    const SHARED: usize = 7;
    let page = |page: usize| {
        let (next, shared) = (page + 1, page % SHARED);
        let code = match page % 50 {
            17 => "export default = 1;".to_owned(),
            21 => "import './script-17.js'; export default async () => 'never';".to_owned(),
            rest => {
                let other =
                    if rest % 10 == 3 { format!("(await import('./script-{next}.js')).name") } else { "''".to_owned() };
                format!(
                    "import {{ count }} from './shared-{shared}.js'; import './own-{page}.js'; export const name = 'p{page}';\n\
                     export default async () => `${{name}} ${{count()}} ${{{other}}}`; /* {} */",
                    " ".repeat(3000)
                )
            }
        };
        [
            (format!("assets/script-{page}.js"), code),
            (format!("assets/own-{page}.js"), "globalThis.own = 1;".to_owned()),
        ]
    };
    let shared = |shared| {
        let code = "import './entry.js'; let calls = 0; export const count = () => ++calls;".to_owned();
        (format!("assets/shared-{shared}.js"), code)
    };
    let entry = "export const render = async (path, script) => (await import(script)).default();";
    let entry = ("assets/entry.js".to_owned(), entry.to_owned());
    let modules: Vec<(String, String)> =
        (0..=count).flat_map(page).chain((0..SHARED).map(shared)).chain([entry]).collect();
    compile(modules.iter().map(|(name, code)| (&**name, &**code)), "assets/entry.js").unwrap()
}

#[test]
fn thousands_of_scripts_are_compiled_late_in_any_order_on_any_number_of_threads() {
    const PAGES: usize = 2500;
    let expected = |page: usize| match page % 50 {
        17 | 21 => Err(FailureKind::Syntax),
        rest if rest % 10 == 3 => Ok(format!("p{page} 1 p{}", page + 1)),
        _ => Ok(format!("p{page} 1 ")),
    };
    let program = program_of_scripts(PAGES);
    // 7 and 2,500 have no divisor in common.
    for (step, threads) in [(1, 2), (PAGES - 1, 5), (7, 1)] {
        let order: Vec<usize> = (0..PAGES).map(|at| at * step % PAGES).collect();
        let job = |page: &usize| PageJob { script: format!("./script-{page}.js"), ..jobs(&["/"]).remove(0) };
        let jobs: Vec<PageJob> = order.iter().map(job).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let rendered = pool.install(|| prerender(&program, &jobs, &LIMITS, &|_| None, &Spill::default()));
        for (page, rendered) in order.iter().zip(rendered) {
            let rendered = rendered.map(|page| page.html.text().into_owned()).map_err(|failure| failure.kind);
            assert_eq!(rendered, expected(*page), "{page} of {threads} threads");
        }
    }
}

#[test]
fn what_is_stopped_leaves_nothing_behind() {
    let program = pages();
    let limits = Limits { deadline: Duration::from_secs(2), ..LIMITS };
    let alone = alone(&program, "/looks");
    // The second one is not stopped at all: its thread is left to itself.
    for kind in ["/spins", "/fills"] {
        let rendered = render(&program, &["/looks", kind, "/looks", "/looks"], &limits, 1);
        assert_eq!(rendered[1].as_ref().unwrap_err().kind, FailureKind::TimedOut, "{kind}");
        for at in [0, 2, 3] {
            assert!(rendered[at] == alone, "{kind}, {at}: {:?}", rendered[at]);
        }
    }
}

#[test]
fn a_program_that_cannot_be_loaded_fails_every_page_alike() {
    let failing = [
        "null.x;",
        "throw null;",
        "await new Promise(() => {});",
        "const hoard = []; for (;;) hoard.push(new Uint8Array(1e5));",
    ];
    for code in failing {
        let code = format!("export const render = (path) => path; {code}");
        let program = compile([("entry.js", &*code)], "entry.js").unwrap();
        let alone = alone(&program, "/a");
        assert!(alone.is_err(), "{code}");
        for rendered in render(&program, &["/a", "/b", "/c"], &LIMITS, 1) {
            assert!(rendered == alone, "{code}: {rendered:?}\nalone: {alone:?}");
        }
    }
}

#[test]
fn a_stream_is_handed_over_byte_for_byte() {
    let code = "const stream = (...chunks) => ReadableStream.from(chunks);
        const bytes = (...values) => new Uint8Array(values);
        export const render = {
          '/empty': () => stream(),
          '/split': () => stream(bytes(0x61, 0xE4), bytes(0xB8), bytes(), bytes(0xAD, 0xF0, 0x9F, 0x98, 0x80).subarray(0)),
          '/view': () => stream(new Uint8Array(bytes(1, 0x62, 0x63, 2).buffer, 1, 2), new DataView(bytes(0x64).buffer)),
          '/mark': () => stream(bytes(0xEF, 0xBB, 0xBF, 0x65)),
          '/text': () => 'text',
          '/half': () => stream(bytes(0xE4)),
          '/words': () => stream('words'),
          '/breaks': () => new ReadableStream({ start(controller) {
            controller.enqueue(bytes(0x66));
            controller.error(new RangeError('broken')); } }),
        };";
    let code =
        code.replace("export const render = {", "export const render = (path) => pages[path]();\nconst pages = {");
    let program = compile([("entry.js", &*code)], "entry.js").unwrap();
    let paths = ["/empty", "/split", "/breaks", "/view", "/half", "/mark", "/words", "/text"];
    let rendered = render(&program, &paths, &LIMITS, 1);
    let html = |at: usize| rendered[at].as_ref().map(|page| page.html.text().into_owned());
    let message = |at: usize| html(at).unwrap_err().message.english().to_owned();
    let whole = [(0, ""), (1, "a中😀"), (3, "bcd"), (5, "\u{feff}e"), (7, "text")];
    for (at, expected) in whole {
        assert_eq!(html(at).as_deref(), Ok(expected));
    }
    assert_eq!(message(2), "RangeError: broken");
    assert_eq!(message(4), "the JavaScript engine failed: `render` did not return HTML");
    assert_eq!(message(6), "TypeError: expected an ArrayBuffer or a view of one");
}
