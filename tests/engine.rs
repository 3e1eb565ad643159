//! The embedded engine and the prerendering on top of it, on small hand-written modules.

use std::{sync::Arc, thread, time::Duration};

use portalgen_base::{
    blob::Spill,
    diagnostic::{Diagnostic, Place, SourceText},
};
use portalgen_engine::{
    Failure, FailureKind, Frame, Limits, Locate, NoteKind, Outcome, PageJob, Program, RenderedPage, prerender, report,
};

use crate::support::{
    fixtures,
    programs::{self, program_of, stack},
};

const MEGABYTE: usize = 1024 * 1024;

/// Compiles modules, the first of which is the entry.
fn compile(modules: &[(&str, &str)]) -> Result<Program, Failure> {
    programs::compile(modules.iter().copied(), modules[0].0)
}

/// Calls `run` of a program of one module.
fn run_with(code: &str, limits: &Limits) -> Result<Outcome, Failure> {
    compile(&[("assets/page.js", code)]).unwrap().call("run", &[], limits)
}

fn run(code: &str) -> Result<Outcome, Failure> {
    run_with(code, &Limits::default())
}

fn value(code: &str) -> String {
    run(code).unwrap().value
}

fn failure(code: &str) -> Failure {
    run(code).expect_err("the code must fail")
}

fn brief(deadline: u64) -> Limits {
    Limits { deadline: Duration::from_millis(deadline), ..Limits::default() }
}

/// The program in `tests/fixtures/engine/modules`.
fn modules() -> Program {
    program_of(&fixtures::area("engine/modules"), "entry.js")
}

mod globals {
    use super::*;

    #[test]
    fn connecting_is_refused_by_name() {
        let failure = failure("export const run = () => new WebSocket('wss://chat.example/');");
        assert_eq!(failure.kind, FailureKind::Connected);
        assert_eq!(
            failure.message,
            "ConnectionError: no connection to wss://chat.example/ can be opened while the page is prerendered"
        );
        assert_eq!(failure.frames[0].script, "assets/page.js");
    }

    #[test]
    fn fetching_is_refused_by_name() {
        let failure = failure("export const run = async () => (await fetch('/api/items')).json();");
        assert_eq!(failure.kind, FailureKind::Fetched);
        assert_eq!(failure.message, "FetchError: /api/items cannot be fetched while the page is prerendered");
        assert_eq!(failure.frames[0].script, "assets/page.js");
    }

    #[test]
    fn scripts_cannot_reach_the_engine_through_a_stack() {
        let code = "export const run = () => { \
            Error.prepareStackTrace = (_, sites) => sites.map(String).join('|'); return new Error().stack; }";
        assert!(value(code).starts_with("\"run (assets/page.js:1:"), "{}", value(code));
    }
}

mod modules {
    use super::*;

    fn call(export: &str, arguments: &[&str]) -> Result<Outcome, Failure> {
        super::modules().call(export, arguments, &Limits::default())
    }

    #[test]
    fn cycles_top_level_await_and_dynamic_imports_work() {
        let outcome = call("run", &[]).unwrap();
        assert_eq!(outcome.value, r#"[true,true,"awaited","awaited",true,true,1]"#);
    }

    /// The engine takes a module that only its imports make wait for one that is still waiting, once it is imported
    /// anew: the second import never ends. An `await` of its own at the end keeps the order and helps.
    #[test]
    fn what_imports_a_module_with_top_level_await_should_await_too() {
        let program = compile(&[
            (
                "a.js",
                "import './b.js'; export const a = 1; export const run = async () => (await import('./c.js')).c; await 0;",
            ),
            ("b.js", "await null;"),
            ("c.js", "import { a } from './a.js';\nexport const c = a + 1;"),
        ]);
        assert_eq!(program.unwrap().call("run", &[], &Limits::default()).unwrap().value, "2");
    }

    #[test]
    fn arguments_arrive_as_strings_followed_by_a_signal() {
        assert_eq!(call("echo", &["/a", "\"中\0\u{1f600}"]).unwrap().value, r#"[["/a","\"中\u0000😀"],true]"#);
    }

    #[test]
    fn nothing_is_left_from_one_call_to_the_next() {
        let program = super::modules();
        let calls: Vec<String> =
            (0..3).map(|_| program.call("count", &[], &Limits::default()).unwrap().value).collect();
        assert!(calls[0].starts_with("[1,1,0."));
        assert!(calls.iter().all(|call| call == &calls[0]), "{calls:?}");
    }

    #[test]
    fn an_import_of_what_is_not_there_is_refused() {
        let caught = call("missing", &[]).unwrap().value;
        assert_eq!(caught, r#"["Error","the bundle has no script \"./nowhere.js\", imported by entry.js"]"#);
        for export in ["bare", "inside", "above"] {
            assert_eq!(call(export, &[]).unwrap_err().kind, FailureKind::MissingModule, "{export}");
        }
        assert_eq!(call("computed", &["lazy"]).unwrap().value, r#"["loads","up"]"#);
        assert_eq!(call("computed", &["other"]).unwrap_err().kind, FailureKind::MissingModule);
    }

    #[test]
    fn a_static_import_of_what_is_not_there_is_found_when_compiling() {
        let failure = compile(&[("a/x.js", "import './y.js';"), ("y.js", "")]).err().unwrap();
        assert_eq!(failure.kind, FailureKind::MissingModule);
        assert_eq!(failure.message, r#"the bundle has no script "./y.js", imported by a/x.js"#);
        assert!(compile(&[("a/x.js", "import '../y.js';"), ("y.js", "")]).is_ok());
    }

    /// A program whose entry imports nothing: `load` loads a module, `attempt` does so and catches what is wrong.
    fn of_late_modules() -> Program {
        let program = compile(&[
            (
                "a/entry.js",
                "export const load = async (name) => (await import(name)).value;
                 export const attempt = (name) => load(name).catch(() => 'caught');",
            ),
            ("a/good.js", "import { value as inner } from '../inner.js'; export const value = [inner];"),
            ("inner.js", "export const value = 1;"),
            ("a/bad.js", "export const value = 1;\nlet 中 = '😀' +;\n"),
            // What is not valid is imported between what has been loaded, in a circle, and what has not.
            ("a/above-bad.js", "import './circle.js'; import './bad.js'; import './good.js'; export const value = 1;"),
            ("a/circle.js", "import './above-bad.js';"),
            ("a/lost.js", "import './good.js'; import './nowhere.js';"),
        ]);
        program.unwrap()
    }

    #[test]
    fn a_module_is_compiled_when_it_is_asked_for() {
        let program = of_late_modules();
        for _ in 0..2 {
            let failure = |name| program.call("load", &[name], &Limits::default()).unwrap_err();
            for name in ["./bad.js", "./above-bad.js", "./circle.js"] {
                let failure = failure(name);
                assert_eq!(failure.kind, FailureKind::Syntax, "{name}");
                assert!(
                    failure.message.english().starts_with("a/bad.js is not valid JavaScript: "),
                    "{name}: {failure}"
                );
                assert_eq!(stack(&failure.frames), ["-@a/bad.js:2:14"], "{name}");
            }
            let lost = failure("./lost.js");
            assert_eq!(lost.kind, FailureKind::MissingModule);
            assert_eq!(lost.message, r#"the bundle has no script "./nowhere.js", imported by a/lost.js"#);
            let good = program.call("load", &["./good.js"], &Limits::default()).unwrap();
            assert_eq!(good.value, "[1]");
            let loaded: Vec<&str> = good.loaded.iter().map(|name| &**name).collect();
            assert_eq!(loaded, ["a/entry.js", "a/good.js", "inner.js"]);
        }
    }

    #[test]
    fn a_module_that_does_not_compile_fails_the_call_though_it_is_caught() {
        let program = of_late_modules();
        for (name, kind) in [("./bad.js", FailureKind::Syntax), ("./lost.js", FailureKind::MissingModule)] {
            assert_eq!(program.call("attempt", &[name], &Limits::default()).unwrap_err().kind, kind, "{name}");
        }
        assert_eq!(program.call("attempt", &["./unknown.js"], &Limits::default()).unwrap().value, "\"caught\"");
    }

    #[test]
    fn a_module_that_an_entry_awaits_and_that_does_not_compile_fails_every_call() {
        for caught in ["", ".catch(() => {})"] {
            let entry = format!("export const run = () => 1; await import('./bad.js'){caught};");
            let program = compile(&[("a.js", &entry), ("bad.js", "'")]).unwrap();
            for _ in 0..2 {
                let failure = program.call("run", &[], &Limits::default()).unwrap_err();
                assert_eq!(failure.kind, FailureKind::Syntax, "{entry}: {failure}");
            }
        }
    }

    #[test]
    fn an_entry_must_be_there_and_export_the_function() {
        assert_eq!(programs::compile([("a.js", "")], "b.js").err().unwrap().kind, FailureKind::MissingModule);
        let failure = call("notFunction", &[]).unwrap_err();
        assert_eq!(failure.message, r#"TypeError: the entry exports no function named "notFunction""#);
    }

    #[test]
    fn a_module_that_fails_while_it_is_loaded_says_where() {
        let failure = call("broken", &[]).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Threw);
        assert_eq!(failure.message, "TypeError: cannot read property 'name' of null");
        assert_eq!(stack(&failure.frames)[0], "-@broken.js:3:20");
    }

    #[test]
    fn a_name_that_is_not_exported_is_an_error_when_the_program_runs() {
        let program = compile(&[("a.js", "import { x } from './b.js'; export const run = () => x;"), ("b.js", "")]);
        let failure = program.unwrap().call("run", &[], &Limits::default()).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Threw);
        assert!(
            failure.message.english().starts_with("SyntaxError") && failure.message.english().contains('x'),
            "{failure}"
        );
    }

    #[test]
    fn values_that_json_cannot_say() {
        assert_eq!(call("nothing", &[]).unwrap().value, "null");
        assert_eq!(call("halfPair", &[]).unwrap().value, "[\"\u{fffd}\",{\"\\udc00\":1}]");
        assert_eq!(call("big", &[]).unwrap_err().kind, FailureKind::Threw);
    }

    #[test]
    fn invalid_javascript_is_found_when_compiling() {
        let failure = compile(&[("a.js", "export const a = 1;\nlet 中 = '😀' +;\n")]).err().unwrap();
        assert_eq!(failure.kind, FailureKind::Syntax);
        assert!(failure.message.english().starts_with("a.js is not valid JavaScript: "), "{failure}");
        assert_eq!(stack(&failure.frames), ["-@a.js:2:14"]);
        for code in ["a\0b", "\0", "import", "/*", "`", "export default", "'\u{2028}' + }"] {
            assert_eq!(compile(&[("a.js", code)]).err().unwrap().kind, FailureKind::Syntax, "{code:?}");
        }
    }

    #[test]
    fn deeply_nested_code_ends_in_an_error_and_not_in_the_ground() {
        let code = format!("export const run = () => {}1{};", "(".repeat(200_000), ")".repeat(200_000));
        let failure = compile(&[("a.js", &code)]).err().unwrap();
        assert_eq!(failure.kind, FailureKind::Syntax);
    }
}

mod failures {
    use super::*;

    #[test]
    fn what_is_thrown_is_told_whatever_it_is() {
        let cases = [
            ("throw new TypeError('bad')", "TypeError: bad"),
            ("throw new Error('')", "Error"),
            ("throw Object.assign(new Error('m'), { name: '' })", ": m"),
            ("throw 'text'", "it threw the string \"text\""),
            ("throw undefined", "it threw undefined"),
            ("throw 5", "it threw the number 5"),
            ("throw 5n", "it threw the bigint 5n"),
            ("throw Symbol('s')", "it threw the symbol Symbol(s)"),
            ("throw () => 1", "it threw the function (anonymous)"),
            ("throw { code: 7 }", "it threw an object, { code: 7 }"),
            ("throw { get a() { throw 1 }, b: 2 }", "it threw an object, { a: (cannot be read), b: 2 }"),
            ("throw [1, 'a']", "it threw an object, [ 1, \"a\" ]"),
            (
                "throw new Error('outer', { cause: new RangeError('inner') })",
                "Error: outer, caused by RangeError: inner",
            ),
            ("throw new Error('outer', { cause: 'text' })", "Error: outer, caused by the string \"text\""),
            ("const e = new Error('ring'); e.cause = e; throw e", "Error: ring"),
            (
                "throw new AggregateError([new Error('one'), 2], 'many')",
                "AggregateError: many, caused by Error: one, caused by the number 2",
            ),
            (
                "throw new AggregateError([new Error('one', { cause: 'deep' }), null], 'many', { cause: 'why' })",
                "AggregateError: many, caused by the string \"why\", caused by Error: one, caused by null, caused by the string \"deep\"",
            ),
            ("throw new DOMException('gone', 'AbortError')", "AbortError: gone"),
            (
                "throw Object.defineProperty(new Error('x'), 'message', { get() { throw 1 } })",
                "Error: (its message cannot be read)",
            ),
            ("throw Object.defineProperty(new Error('x'), 'name', { get() { throw 1 } })", "Error: x"),
            ("throw Object.defineProperty(new Error('x'), 'stack', { get() { throw 1 } })", "Error: x"),
            ("throw Object.defineProperty(new Error('x', { cause: null }), 'stack', { value: 5 })", "Error: x"),
            ("throw Object.assign(new Error('x'), { message: Symbol('m') })", "Error: Symbol(m)"),
            (
                "throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getPrototypeOf() { throw 3 } })",
                "it threw an object, an object that cannot be read",
            ),
            ("throw new Error('half \\ud800')", "Error: half \u{fffd}"),
            ("await Promise.reject('late')", "it threw the string \"late\""),
            ("await Promise.any([Promise.reject(new Error('one'))])", "AggregateError, caused by Error: one"),
        ];
        for (code, message) in cases {
            let failure = failure(&format!("export async function run() {{ {code} }}"));
            assert_eq!(failure.message, message, "{code}");
            assert_eq!(failure.kind, FailureKind::Threw, "{code}");
        }
    }

    #[test]
    fn a_value_without_a_stack_has_the_place_of_its_throw() {
        for thrown in ["'text'", "undefined", "null", "{ get a() { throw 1 } }", "Symbol()", "7"] {
            let code = format!(
                "export function run() {{\n  new Error('decoy');\n  return inner();\n}}\n\
                 function inner() {{\n  throw {thrown};\n}}\n"
            );
            let frames = failure(&code).frames;
            assert_eq!(stack(&frames)[0], "inner@assets/page.js:6:8", "{thrown}");
            assert_eq!(frames[1].function.as_deref(), Some("run"), "{thrown}");
        }
    }

    #[test]
    fn a_stack_that_scripts_have_set_is_read_as_far_as_it_is_one() {
        let code = "export function run() { const e = new Error('x'); e.stack = \
            'Error: x\\n at f (assets/page.js:1:8)\\n at g (elsewhere.js:1:1)\\n at <anonymous>\\n  at div (<anonymous>)\\n\
            at (a.js (assets/page.js:0:0)\\n at h (assets/page.js:1:99999)\\n at i (assets/page.js:9:9)'; throw e; }";
        let frames = failure(code).frames;
        assert_eq!(stack(&frames), ["f@assets/page.js:1:7".to_owned(), format!("h@assets/page.js:1:{}", code.len())]);
    }

    #[test]
    fn names_that_are_not_defined_are_told() {
        let kind = |code: &str| failure(code).kind;
        assert_eq!(kind("export const run = () => window.innerWidth;"), FailureKind::NotDefined("window".into()));
        assert_eq!(kind("export const run = () => new Worker('');"), FailureKind::NotDefined("Worker".into()));
        assert_eq!(kind("export const run = () => { x; let x; };"), FailureKind::Uninitialized("x".to_owned()));
    }

    #[test]
    fn replaced_intrinsics_do_not_hide_a_failure() {
        let code = "export function run() { JSON.stringify = JSON.parse = () => { throw 1 }; Array.prototype.map = null; \
            Error.prototype.toString = null; Object.keys = null; throw new Error('told'); }";
        let failure = failure(code);
        assert!(!failure.message.english().is_empty());
        assert_ne!(failure.kind, FailureKind::NeverSettles);
    }
}

mod frames {
    use super::*;

    #[test]
    fn lines_count_from_one_and_columns_from_zero() {
        let code = "export function run() {\n  const list = [];\n  return list\n    .first.second;\n}\n";
        assert_eq!(stack(&failure(code).frames), ["run@assets/page.js:3:9"]);
        let code = "const a = 1;\r\n/* two\r\nlines */ export function run() { null.x; }";
        assert_eq!(failure(code).frames[0].line, 3);
        let code = "export const text = `one\ntwo\n${1}`; export const run = () => { throw new Error('x'); };";
        assert_eq!(stack(&failure(code).frames), ["run@assets/page.js:3:44"]);
    }

    #[test]
    fn columns_count_utf_16_units() {
        for before in ["", "é", "中文", "😀😀", "中é😀\u{2028}"] {
            let code = format!("/* {before} */ export function run() {{ throw new Error('{before}'); }}");
            let column = code.split_once("new Error").unwrap().0.encode_utf16().count();
            let frame = failure(&code).frames.remove(0);
            // The engine points at the parenthesis of a constructor's call or at its name.
            let off = u32::try_from(column).unwrap();
            assert!((off..off + 10).contains(&frame.column), "{before}: {} is not {off}", frame.column);
        }
    }

    #[test]
    fn minified_code_has_exact_columns() {
        let code = "const 标题=\"关于我们😀\";function a(o){return o.x.y}export const run=()=>a({})+标题;";
        let frames = failure(code).frames;
        let column = |text: &str| u32::try_from(code.split_once(text).unwrap().0.encode_utf16().count()).unwrap();
        assert_eq!((frames[0].function.as_deref(), frames[0].line), (Some("a"), 1));
        assert!((column("o.x.y")..=column(".y}")).contains(&frames[0].column), "{frames:?}");
        // Of a call the engine tells some place from just before its name to its last argument.
        assert!((column("=>a({})")..column("+标题")).contains(&frames[1].column), "{frames:?}");
    }

    #[test]
    fn frames_of_other_modules_and_of_async_functions_are_there() {
        let program = compile(&[
            (
                "assets/a.js",
                "import { b } from './chunks/b.js';\nexport async function run() {\n  await null;\n  await b();\n}",
            ),
            (
                "assets/chunks/b.js",
                "export class B { constructor() { this.x = undefined.y; } }\nexport const b = async () => new B();",
            ),
        ]);
        let failure = program.unwrap().call("run", &[], &Limits::default()).unwrap_err();
        let scripts: Vec<&str> = failure.frames.iter().map(|frame| frame.script.as_str()).collect();
        assert_eq!(scripts, ["assets/chunks/b.js", "assets/chunks/b.js", "assets/a.js"]);
        assert_eq!(failure.frames[0].function.as_deref(), Some("B"));
        assert_eq!(failure.frames[2].line, 4);
    }
}

mod limits {
    use super::*;

    fn limited(code: &str) -> (FailureKind, Vec<Frame>) {
        let failure = run_with(code, &brief(300)).expect_err("the code must fail");
        (failure.kind, failure.frames)
    }

    #[test]
    fn what_never_ends_is_stopped() {
        let cases = [
            "export function run() { for (;;); }",
            "export async function run() { for (;;) await null; }",
            "export function run() { const again = () => queueMicrotask(again); again(); return new Promise(() => {}); }",
            "export function run() { setTimeout(() => { for (;;); }); return new Promise(() => {}); }",
            "export function run() { return /(a+)+b/.test('a'.repeat(60)); }",
            "export function run() { throw Object.defineProperty(new Error(), 'message', { get() { for (;;); } }); }",
            "export function run() { return { toJSON() { for (;;); } }; }",
            "export function run() { try { for (;;); } catch { return 1; } finally { for (;;); } }",
            "export function run(_, signal) { arguments[0].onabort = () => { for (;;); }; return new Promise(() => {}); }",
            "export function run() { console.log({ get constructor() { for (;;); } }); }",
            "export function run() { return JSON.stringify(new Array(1e9)); }",
            "for (;;); export function run() {}",
        ];
        for code in cases {
            let (kind, _) = limited(code);
            assert!(matches!(kind, FailureKind::TimedOut | FailureKind::OutOfMemory), "{code}: {kind:?}");
        }
    }

    #[test]
    fn a_time_out_says_where_the_code_was() {
        let (kind, frames) = limited(
            "export function run() {\n  return spin({ on: true });\n}\nfunction spin(o) {\n  while (o.on) o.n++;\n}",
        );
        assert_eq!(kind, FailureKind::TimedOut);
        assert_eq!((frames[0].function.as_deref(), frames[0].line), (Some("spin"), 5));
        assert_eq!(frames[1].line, 2);
    }

    #[test]
    fn a_promise_that_cannot_settle_is_found_at_once() {
        let cases = [
            "export const run = () => new Promise(() => {});",
            "export const run = () => new Promise(() => { setInterval(() => {}, 1000); });",
            "export const run = async () => { await new Promise(() => {}); };",
            "await new Promise(() => {}); export const run = () => 1;",
            "export const run = () => ({ then() {} });",
        ];
        for code in cases {
            // And not that time is out.
            assert_eq!(failure(code).kind, FailureKind::NeverSettles, "{code}");
        }
    }

    #[test]
    fn who_waits_can_say_so_when_nothing_is_left() {
        let code = "export const run = (signal) => new Promise((_, reject) => {\n\n\
            signal.addEventListener('abort', () => reject(new Error('me')));\n});";
        let failure = failure(code);
        assert_eq!(failure.kind, FailureKind::NeverSettles);
        assert_eq!((failure.frames[0].script.as_str(), failure.frames[0].line), ("assets/page.js", 3));
        // A value that comes only because of the signal is not what was to be rendered.
        let code =
            "export const run = (signal) => new Promise((resolve) => { signal.onabort = () => resolve('half'); });";
        assert_eq!(super::failure(code).kind, FailureKind::NeverSettles);
    }

    #[test]
    fn waiting_costs_no_time() {
        // Five minutes, where ten seconds are allowed.
        assert_eq!(
            value("export const run = () => new Promise((resolve) => setTimeout(resolve, 300_000, 'late'));"),
            "\"late\""
        );
        let hour = "export const run = () => new Promise((resolve) => setTimeout(resolve, 3_600_000));";
        assert_eq!(failure(hour).kind, FailureKind::NeverSettles);
    }

    #[test]
    fn memory_is_bounded() {
        let limits = Limits { memory: 32 * MEGABYTE, ..Limits::default() };
        let cases = [
            "export function run() {\n  const hog = [];\n  for (;;) hog.push(new Array(1000).fill(0));\n}",
            "export function run() {\n  const hog = [];\n  for (;;) hog.push({ a: hog.length });\n}",
            "export function run() {\n  const hog = [];\n  for (;;) hog.push('x'.repeat(1e6));\n}",
            "export function run() {\n  const hog = [];\n  for (;;) hog.push(new Uint8Array(1e6));\n}",
            "const hog = [];\nexport function run() {\n  for (;;) hog.push(new TextEncoder().encode('x'.repeat(1e5)));\n}",
            "export async function run() {\n  const hog = [];\n  for (;;) hog.push(await 0, new Map([[{}, hog]]));\n}",
        ];
        for code in cases {
            let failure = run_with(code, &limits).unwrap_err();
            assert_eq!(failure.kind, FailureKind::OutOfMemory, "{code}: {failure}");
            assert_eq!(failure.message, "it needs more than 32 MB of memory");
        }
    }

    #[test]
    fn too_little_memory_fails_a_call_at_every_point_and_never_more() {
        let program = super::modules();
        for memory in (100_000..1_500_000).step_by(3001) {
            if let Err(failure) = program.call("run", &[], &Limits { memory, ..Limits::default() }) {
                assert_ne!(failure.kind, FailureKind::TimedOut, "{memory}");
            }
        }
    }

    #[test]
    fn a_deep_recursion_is_caught_from_any_thread() {
        let code = "export function run() {\n  return down(0);\n}\nfunction down(n) {\n  return down(n + 1) + 1;\n}";
        let program = compile(&[("assets/page.js", code)]).unwrap();
        let small = thread::Builder::new().stack_size(64 * 1024);
        let failure =
            small.spawn(move || program.call("run", &[], &Limits::default()).unwrap_err()).unwrap().join().unwrap();
        assert_eq!(failure.kind, FailureKind::StackOverflow);
        assert_eq!((failure.frames[0].function.as_deref(), failure.frames[0].line), (Some("down"), 5));
        let cases = [
            "return JSON.parse('['.repeat(2e5) + ']'.repeat(2e5));",
            "return new RegExp('(?:'.repeat(2e5) + ')'.repeat(2e5));",
            "const o = { toString() { return `${o}`; } }; return `${o}`;",
            "const p = new Proxy({}, { get: (_, key) => p[key] }); return p.x;",
            "let deep = []; for (let i = 0; i < 2e5; i++) deep = [deep]; return structuredClone(deep);",
            "const f = () => f.call.apply(f.bind(null), [null]); return f();",
            "return [3, 1, 2].sort(function again() { return [2, 1].sort(again); });",
        ];
        for stack in [256 * 1024, usize::MAX] {
            for code in cases {
                let limits = Limits { stack, ..Limits::default() };
                let result = run_with(&format!("export function run() {{ {code} }}"), &limits);
                assert!(result.is_err(), "{code}");
            }
        }
    }

    #[test]
    fn limits_too_large_to_count_are_none() {
        let limits = Limits { memory: usize::MAX, stack: usize::MAX, deadline: Duration::MAX };
        assert_eq!(run_with("export const run = () => 1;", &limits).unwrap().value, "1");
        let nothing = Limits { deadline: Duration::ZERO, ..limits };
        assert_eq!(run_with("export const run = () => 1;", &nothing).unwrap_err().kind, FailureKind::TimedOut);
    }
}

mod notes {
    use super::*;

    fn notes(code: &str) -> Vec<(NoteKind, String, u32)> {
        let notes = run(code).unwrap().notes;
        notes
            .into_iter()
            .map(|note| (note.kind, note.text, note.frames.first().map_or(0, |frame| frame.line)))
            .collect()
    }

    #[test]
    fn messages_to_the_console_are_kept_in_order() {
        let code = "export function run() {\n  console.error('no %s: %d%%', 'way', 5, { a: [1] });\n\
            console.warn(new TypeError('w'));\n  console.info('i');\n}\nconsole.log('loading');";
        assert_eq!(
            notes(code),
            [
                (NoteKind::Log, "loading".to_owned(), 6),
                (NoteKind::Error, "no way: 5% { a: [ 1 ] }".to_owned(), 2),
                (NoteKind::Warning, "TypeError: w".to_owned(), 3),
                (NoteKind::Log, "i".to_owned(), 4),
            ]
        );
    }

    #[test]
    fn what_differs_in_the_browser_is_noted_with_its_line() {
        let code = "export function run() {
            Date.now();
            new Date();
            Date();
            Math.random();
            crypto.randomUUID();
            crypto.getRandomValues(new Uint8Array(1));
            (1).toLocaleString();
            'a'.localeCompare('b');
            new Date(0).toLocaleDateString();
            new Date(0).getHours();
            String(new Date('2024-01-01'));
            new Date(0).getTimezoneOffset();
        }";
        let expected = [
            (NoteKind::Clock, "Date.now()", 2),
            (NoteKind::Clock, "new Date()", 3),
            (NoteKind::Clock, "Date()", 4),
            (NoteKind::Random, "Math.random()", 5),
            (NoteKind::Random, "crypto.randomUUID()", 6),
            (NoteKind::Random, "crypto.getRandomValues()", 7),
            (NoteKind::Locale, "Number.prototype.toLocaleString()", 8),
            (NoteKind::Locale, "String.prototype.localeCompare()", 9),
            (NoteKind::Locale, "Date.prototype.toLocaleDateString()", 10),
            (NoteKind::TimeZone, "getHours()", 11),
            (NoteKind::TimeZone, "toString()", 12),
            (NoteKind::TimeZone, "getTimezoneOffset()", 13),
        ];
        let expected: Vec<_> = expected.into_iter().map(|(kind, text, line)| (kind, text.to_owned(), line)).collect();
        assert_eq!(notes(code), expected);
    }

    #[test]
    fn formats_are_noted_where_browsers_may_write_something_else() {
        let code = "const day = { year: 'numeric', month: 'long', day: 'numeric' };
        export function run() {
            new Intl.NumberFormat().format(1);
            new Intl.NumberFormat('de').format(1);
            new Intl.NumberFormat('en', { style: 'currency', currency: 'CHF' }).format(1);
            new Intl.DateTimeFormat('en', day).format(new Date(0));
            new Intl.DateTimeFormat('zh', { timeZone: 'Asia/Shanghai' }).format(new Date(0));
            ['ä', '中'].sort(new Intl.Collator('zh').compare);
            (1).toLocaleString('fr-FR');
            new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).format();
        }";
        let expected = [
            (NoteKind::Locale, "Intl.NumberFormat.prototype.format()", 3),
            (NoteKind::Data, "Intl.NumberFormat.prototype.format() for \"de\"", 4),
            (NoteKind::Data, "Intl.NumberFormat.prototype.format() for \"en\"", 5),
            (NoteKind::TimeZone, "Intl.DateTimeFormat.prototype.format()", 6),
            (NoteKind::Data, "Intl.DateTimeFormat.prototype.format() for \"zh\"", 7),
            (NoteKind::Data, "Intl.Collator.prototype.compare() for \"zh\"", 8),
            (NoteKind::Data, "Number.prototype.toLocaleString() for \"fr-FR\"", 9),
            (NoteKind::Clock, "Intl.DateTimeFormat.prototype.format()", 10),
        ];
        let expected: Vec<_> = expected.into_iter().map(|(kind, text, line)| (kind, text.to_owned(), line)).collect();
        assert_eq!(notes(code), expected);
    }

    #[test]
    fn whatever_is_not_known_of_a_format_is_noted() {
        let cases = [
            "new Intl.DateTimeFormat('en-u-ca-buddhist', utc).format(0)",
            "new Intl.DateTimeFormat('zh-CN-u-nu-hanidec', utc).format(0)",
            "new Intl.DateTimeFormat('en', { ...utc, calendar: 'iso8601' }).format(0)",
            "new Intl.DateTimeFormat('en', { ...utc, hour: 'numeric', hourCycle: 'h11' }).format(0)",
            "new Intl.DateTimeFormat('en', { ...utc, hour: 'numeric', dayPeriod: 'long' }).format(0)",
            "new Intl.DateTimeFormat('en', { ...utc, weekday: 'long', hour: 'numeric' }).format(0)",
            "new Intl.DateTimeFormat('en', { ...utc, hour: 'numeric', fractionalSecondDigits: 1 }).format(0)",
            "new Intl.DateTimeFormat('en', { ...utc, hour: 'numeric', hour12: false }).format(0)",
            "new Intl.DateTimeFormat('en', utc).formatRange(0, 1e9)",
            "(1).toLocaleString('en-u-nu-arab')",
            "(1).toLocaleString('en', { roundingIncrement: 5, maximumFractionDigits: 0 })",
            "(1).toLocaleString('en', { style: 'unit', unit: 'liter' })",
            "new Intl.NumberFormat('zh').formatRange(-1, 1)",
            "new Intl.DurationFormat('en', { style: 'digital' }).format({ hours: 1 })",
            "'æ'.localeCompare('z', 'en')",
            "'á'.localeCompare('a', 'zh')",
            "new Intl.Collator('de-u-co-phonebk').compare('a', 'b')",
            "[...new Intl.Segmenter('en', { granularity: 'word' }).segment('a.b')]",
            "new Intl.Locale('fr').getWeekInfo()",
        ];
        for case in cases {
            let code = format!("const utc = {{ timeZone: 'UTC' }}; export function run() {{ {case}; }}");
            let kinds: Vec<_> = notes(&code).into_iter().map(|(kind, ..)| kind).collect();
            assert_eq!(kinds, [NoteKind::Data], "{case}");
        }
    }

    #[test]
    fn an_hour_that_is_no_midnight_is_written_alike_everywhere() {
        let code =
            "export function run() { new Date(36e5).toLocaleTimeString('en', { timeZone: 'UTC', hour12: false }); }";
        assert_eq!(notes(code), []);
    }

    #[test]
    fn what_every_browser_formats_alike_is_not_noted() {
        let code = "new Intl.NumberFormat().format(1); export function run() {
            new Intl.NumberFormat(); new Intl.DateTimeFormat().resolvedOptions(); new Intl.Collator('sv');
            new Intl.NumberFormat('zh-CN', { style: 'currency', currency: 'CNY' }).format(12345.6);
            new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(0));
            new Date(2024, 0, 1).toLocaleDateString('zh-CN');
            new Intl.PluralRules('en').select(2); new Intl.ListFormat('zh').format(['a', 'b']);
            new Intl.RelativeTimeFormat('en').format(-1, 'day');
            ['b', 'a'].sort(new Intl.Collator('en').compare);
            Intl.getCanonicalLocales('EN-us'); new Intl.Locale('de').maximize();
            [...new Intl.Segmenter('en').segment('ab')];
        }";
        assert_eq!(notes(code), []);
    }

    #[test]
    fn what_is_the_same_everywhere_is_not_noted() {
        let code = "Date.now(); Math.random(); new Date(); export function run() {
            new Date(2024, 0, 1).getFullYear();
            new Date('2024-01-01T10:00').getHours();
            new Date(new Date(2024, 0, 1)).toString();
            new Date(0).toISOString(); new Date(0).getUTCHours(); new Date(0).getTime(); JSON.stringify(new Date(0));
            performance.now(); (1).toString(); setTimeout(() => {}, 1);
        }";
        assert_eq!(notes(code), []);
    }

    #[test]
    fn one_line_is_noted_once_and_a_flood_is_cut() {
        assert_eq!(notes("export function run() { for (let i = 0; i < 1e5; i++) Math.random(); }").len(), 1);
        let flood = notes("export function run() { for (let i = 0; i < 1e5; i++) console.error(i); }");
        assert!((100..10_000).contains(&flood.len()), "{}", flood.len());
        let long = notes("export const run = () => console.error('x'.repeat(1e7));");
        assert!(long[0].1.len() < 100_000);
    }

    #[test]
    fn errors_that_nobody_catches_are_noted() {
        let code = "export async function run() {
            setTimeout(() => { throw new Error('timer'); });
            queueMicrotask(() => { throw new Error('microtask'); });
            Promise.reject(new Error('floating'));
            Promise.reject(new Error('caught')).catch(() => {});
            const late = Promise.reject(new Error('caught late'));
            new EventTarget().addEventListener('x', () => {});
            const target = new EventTarget();
            target.addEventListener('x', () => { throw new Error('listener'); });
            target.dispatchEvent(new Event('x'));
            reportError(new Error('reported'));
            await new Promise((resolve) => setTimeout(resolve, 5));
            await late.catch(() => {});
        }";
        let mut lines: Vec<u32> = notes(code)
            .into_iter()
            .map(|(kind, _, line)| {
                assert_eq!(kind, NoteKind::Uncaught);
                line
            })
            .collect();
        lines.sort_unstable();
        assert_eq!(lines, [2, 3, 4, 9, 11]);
    }
}

mod pages {
    use super::*;

    const SITE: &str = "site/pages/home.tsx";

    fn jobs(paths: &[&str]) -> Vec<PageJob> {
        paths
            .iter()
            .map(|&path| PageJob {
                path: path.to_owned(),
                script: String::new(),
                title: format!("title of {path}"),
                place: None,
            })
            .collect()
    }

    /// Renders the pages at `paths`: those that could be rendered, and what is to be said.
    fn render(
        program: &Program,
        paths: &[&str],
        limits: &Limits,
        locate: &Locate<'_>,
    ) -> (Vec<RenderedPage>, Vec<Diagnostic>) {
        let jobs = jobs(paths);
        let results = prerender(program, &jobs, limits, locate, &Spill::default());
        let reported = report(&jobs, &results, locate);
        let failed = reported.iter().filter(|reported| reported.failure.is_some()).count();
        assert_eq!(failed > 0, results.iter().any(Result::is_err), "{reported:?}");
        let diagnostics = reported.into_iter().map(|reported| reported.diagnostic).collect();
        (results.into_iter().filter_map(Result::ok).collect(), diagnostics)
    }

    /// Renders with a `render` whose source doubles as the file that frames are located in, under `name`.
    fn render_as(name: &str, code: &str, paths: &[&str]) -> (Vec<RenderedPage>, Vec<Diagnostic>) {
        let program = compile(&[("assets/entry.js", code)]).unwrap();
        let source = SourceText::new(name, code);
        let locate = move |frame: &Frame| {
            let line = usize::try_from(frame.line).unwrap() - 1;
            let start: usize = source.text.split_inclusive('\n').take(line).map(str::len).sum();
            let start = start + usize::try_from(frame.column).unwrap();
            Some(Place::new(&Arc::clone(&source), start..start))
        };
        render(&program, paths, &brief(3000), &locate)
    }

    fn error(code: &str) -> Diagnostic {
        let (pages, mut diagnostics) = render_as(SITE, code, &["/about"]);
        assert_eq!((pages.len(), diagnostics.len()), (0, 1), "{diagnostics:?}");
        diagnostics.remove(0)
    }

    #[test]
    fn pages_come_in_the_given_order_whatever_the_number_of_threads() {
        let code = "export const render = async (path) => { for (let i = 0; i < path.length * 100; i++) Math.random(); \
            await null; return `<p>${path}${Math.random()}</p>`; };";
        let paths: Vec<String> = (0..40).map(|index| "/x".repeat(40 - index)).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| render_as(SITE, code, &paths))
        };
        let (pages, diagnostics) = with_threads(1);
        assert_eq!(pages.iter().map(|page| page.path.as_str()).collect::<Vec<_>>(), paths);
        assert!(pages[39].html.text().starts_with("<p>/x0."), "{}", pages[39].html.text());
        let (again, said) = with_threads(4);
        assert_eq!(pages, again);
        assert_eq!(diagnostics, said);
    }

    #[test]
    fn the_html_is_what_render_gives_byte_for_byte() {
        let code = r#"export const render = async () => "<p title=\"&amp;\">\u0000\u2028</script>中文😀\r\n</p>";"#;
        let (pages, diagnostics) = render_as(SITE, code, &["/"]);
        assert_eq!(pages[0].html.text(), "<p title=\"&amp;\">\0\u{2028}</script>中文😀\r\n</p>");
        assert!(diagnostics.is_empty());
        assert!(error("export const render = () => 5;").message.english().contains("did not return HTML"));
    }

    #[test]
    fn an_error_names_the_page_the_line_and_what_to_do() {
        let diagnostic = error("export const render = () =>\n  window.innerWidth;\n");
        assert_eq!(
            diagnostic.message,
            "rendering /about (title of /about) failed: ReferenceError: window is not defined"
        );
        assert_eq!(diagnostic.place.unwrap().line_column().0, 2);
        assert!(diagnostic.hints[0].english().contains("no `window`: use it in useEffect"), "{:?}", diagnostic.hints);
    }

    #[test]
    fn hints_fit_the_mistake() {
        let cases = [
            ("return localStorage.x", "no browser and no `localStorage`"),
            ("return new Worker('')", "the engine that renders pages at build time has no `Worker`"),
            ("return new WebSocket('wss://chat.example')", "open the connection in useEffect"),
            ("return setImmediate(() => {})", "`setImmediate` exists only in Node.js"),
            ("return process.cwd()", "`process` exists only in Node.js"),
            ("return misspelt", "is `misspelt` spelled correctly"),
            ("return fetch('/x')", "without a network"),
            ("return new Promise(() => {})", "waits, in use() or lazy()"),
            ("for (;;);", "an endless loop"),
            ("const f = () => f() + 1; return f();", "infinite recursion"),
            ("return import('./x.js')", "write out the full path in import()"),
        ];
        for (code, hint) in cases {
            let diagnostic = error(&format!("export function render() {{ {code} }}"));
            assert!(diagnostic.is_error());
            assert!(
                diagnostic.hints.iter().any(|given| given.english().contains(hint)),
                "{code}: {:?}",
                diagnostic.hints
            );
        }
    }

    #[test]
    fn a_missing_global_is_named_though_the_error_does_not() {
        let cases = [
            ("return globalThis.navigator.userAgent", "no browser and no `navigator`"),
            ("return self.matchMedia('(hover)').matches", "no browser and no `matchMedia`"),
            ("return new globalThis.IntersectionObserver(() => {})", "no browser and no `IntersectionObserver`"),
            ("return globalThis.process.env.HOME", "`process` exists only in Node.js"),
            ("return self.indexedDB['open']('x')", "has no `indexedDB`"),
            ("return globalThis.__dirname.length", "`__dirname` exists only in Node.js"),
        ];
        for (code, hint) in cases {
            let diagnostic = error(&format!("export function render() {{\n  {code};\n}}"));
            let hints: Vec<_> = diagnostic.hints.iter().map(portalgen_base::text::Text::english).collect();
            assert!(hints.len() == 1 && hints[0].contains(hint), "{code}: {} {hints:?}", diagnostic.message.english());
        }
        for code in [
            "const globalThis = {}; return globalThis.own.name",
            "const _self = {}; return _self.process.name",
            "const frame = { window: {} }; return frame.window.document.title",
        ] {
            let own = error(&format!("export function render() {{ {code}; }}"));
            assert!(own.hints.is_empty(), "{code}: {:?}", own.hints);
        }
    }

    #[test]
    fn a_failure_tells_which_data_was_asked_for_that_is_not_there() {
        let cases = [
            (
                "new Intl.DateTimeFormat('en', { timeZone: 'America/New_York' }).format(0)",
                "asked for the time zone America/New_York",
            ),
            ("new Date(0).toLocaleString('en', { timeZone: 'Asia/Tokyo' })", "asked for the time zone Asia/Tokyo"),
            ("new Intl.DateTimeFormat('en-u-ca-chinese').formatToParts(0)", "asked for the calendar chinese"),
            (
                "new Date(0).toLocaleString('en', { timeZone: 'Asia/Tokyo' }); \
                 new Date(0).toLocaleString('en-u-ca-hebrew', { timeZone: 'america/new_york' })",
                "asked for the time zone America/New_York",
            ),
        ];
        for (code, hint) in cases {
            let diagnostic = error(&format!(
                "export function render() {{ {code}; throw new RangeError('Unknown calendar chinese'); }}"
            ));
            let hints: Vec<_> = diagnostic.hints.iter().map(portalgen_base::text::Text::english).collect();
            assert!(hints.len() == 1 && hints[0].contains(hint), "{code}: {hints:?}");
            assert!(hints[0].contains("`clientOnly("), "{code}: {hints:?}");
        }
        let fine = "new Intl.DateTimeFormat('en', { timeZone: 'UTC', calendar: 'gregory' }).format(0)";
        let diagnostic = error(&format!("export function render() {{ {fine}; throw new RangeError('Offset'); }}"));
        assert!(diagnostic.hints.is_empty(), "{:?}", diagnostic.hints);
    }

    #[test]
    fn one_mistake_on_many_pages_is_told_once() {
        let code = "export function render(path) { if (path === '/ok') return ''; throw new Error('layout'); }";
        let (pages, diagnostics) = render_as(SITE, code, &["/a", "/ok", "/b", "/c", "/d", "/e"]);
        assert_eq!(pages.len(), 1);
        assert_eq!(diagnostics.len(), 1);
        assert_eq!(diagnostics[0].message, "rendering /a, /b, /c and 2 more failed: Error: layout");
    }

    #[test]
    fn code_of_pages_that_does_not_compile_is_told_once_at_its_line() {
        let bad = "export default 1;\nlet a = ;\n";
        let program = compile(&[
            ("entry.js", "export const render = async (path, script) => String((await import(script)).default);"),
            ("good.js", "export default 1;"),
            ("bad.js", bad),
            ("above.js", "import './bad.js';"),
        ]);
        let jobs: Vec<PageJob> = ["bad", "good", "above", "bad"]
            .map(|name| PageJob { script: format!("./{name}.js"), ..jobs(&["/"]).remove(0) })
            .into();
        let source = SourceText::new("node_modules/package/a.js", bad);
        let locate = |frame: &Frame| (frame.script == "bad.js").then(|| Place::new(&source, 24..24));
        let results = prerender(&program.unwrap(), &jobs, &Limits::default(), &locate, &Spill::default());
        let reported = report(&jobs, &results, &locate);
        let rendered: Vec<Option<_>> =
            results.iter().map(|result| result.as_ref().ok().map(|page| page.html.text())).collect();
        assert_eq!(rendered, [None, Some("1".into()), None, None]);
        assert_eq!(reported.len(), 1, "{reported:?}");
        let Diagnostic { message, place, .. } = &reported[0].diagnostic;
        let said = message.english();
        assert!(said.starts_with("the code of the pages cannot be run: bad.js is not valid JavaScript: "), "{said}");
        assert_eq!(place.as_ref().unwrap().line_column().0, 2);
    }

    #[test]
    fn different_mistakes_are_told_each() {
        let code = "export function render(path) {\n  if (path === '/a') throw new Error('a');\n\
            if (path === '/b') throw new Error('b');\n  console.error('c');\n  return '';\n}";
        let (_, diagnostics) = render_as(SITE, code, &["/c", "/b", "/a"]);
        let told: Vec<_> =
            diagnostics.iter().map(|diagnostic| diagnostic.place.as_ref().unwrap().line_column().0).collect();
        assert_eq!(told, [3, 2, 4]);
    }

    #[test]
    fn a_page_that_renders_what_the_browser_will_not_is_warned_about_once_a_line() {
        let code = "export function render() {\n  Date.now(); Date.now();\n  return '' + Math.random();\n}";
        let (pages, diagnostics) = render_as(SITE, code, &["/a", "/b"]);
        assert_eq!(pages.len(), 2);
        assert_eq!(diagnostics.len(), 2);
        assert!(diagnostics.iter().all(|diagnostic| !diagnostic.is_error()));
        assert_eq!(
            diagnostics[0].message,
            "rendering /a, /b reads the clock with Date.now(); the browser will render something else"
        );
        assert_eq!(diagnostics[0].place.as_ref().unwrap().line_column().0, 2);
        assert!(diagnostics[1].hints[0].english().contains("useId()"));
    }

    #[test]
    fn only_the_sites_own_lines_are_blamed_for_what_differs() {
        let code = "export function render() { Math.random(); console.warn('w'); return ''; }";
        let warned = |name: &str| render_as(name, code, &["/"]).1.len();
        assert_eq!(warned(SITE), 2);
        assert_eq!(warned("node_modules/react-dom/cjs/server.js"), 1);
        assert_eq!(warned("node_modules/.pnpm/x@1/node_modules/@scope/x/index.js"), 1);
    }

    #[test]
    fn what_a_package_uses_is_told_once_however_often_it_is_called() {
        let package = "export const format = (date) => `${date.getDate()}.${date.getMonth()}`;
            export const isValid = (date) => date.toString() !== 'Invalid Date' && Boolean(date.toString());";
        let site = "import { format, isValid } from './lib.js';
            const date = new Date(0);
            export function render(path) {
              const first = format(date);
              return first + format(date) + (path === '/b' && isValid(date));
            }";
        let program = compile(&[("entry.js", site), ("lib.js", package)]).unwrap();
        let sources = [SourceText::new(SITE, site), SourceText::new("node_modules/@days/lib/index.js", package)];
        let locate = move |frame: &Frame| {
            let source = &sources[usize::from(frame.script == "lib.js")];
            Some(Place::at_line_column(source, frame.line as usize, frame.column as usize + 1))
        };
        let (_, diagnostics) = render(&program, &["/a", "/b"], &Limits::default(), &locate);
        let told: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.message.english()).collect();
        // `toString()` is called twice; what is compared with a text does not count.
        assert_eq!(
            told,
            ["rendering /a, /b uses the local time zone with getDate(), getMonth(), toString() in the package \
                 @days/lib; the browser will render something else for visitors outside UTC"]
        );
        assert_eq!(diagnostics[0].place.as_ref().unwrap().line_column().0, 4);
    }

    /// Renders with React's part played by `react.js`: what it calls has no code of the site below.
    fn render_with_package(package: &str) -> Vec<Diagnostic> {
        let react = "export const call = (component) => component();";
        let site = "import { call } from './react.js'; import { Part } from './lib.js';
            export async function render(path) { return path + call(Part); }";
        // Nothing of the entry is the site's own: it stands for the runtime.
        let modules = [("entry.js", site), ("lib.js", package), ("react.js", react)];
        let program = compile(&modules).unwrap();
        let sources = [
            SourceText::new("node_modules/@days/lib/index.js", package),
            SourceText::new("node_modules/react-dom/server.js", react),
        ];
        let locate = move |frame: &Frame| {
            let source = match frame.script.as_str() {
                "lib.js" => &sources[0],
                "react.js" => &sources[1],
                _ => return None,
            };
            Some(Place::at_line_column(source, frame.line as usize, frame.column as usize + 1))
        };
        render(&program, &["/a", "/b"], &Limits::default(), &locate).1
    }

    #[test]
    fn what_a_package_renders_by_itself_is_told() {
        let cases = [
            ("new Date().getFullYear()", "reads the clock with new Date()"),
            ("Date.now() % 1000", "reads the clock with Date.now()"),
            ("new Date().toISOString()", "reads the clock with new Date()"),
            ("Math.random()", "uses random numbers from Math.random()"),
            ("crypto.getRandomValues(new Uint8Array(2)).join()", "uses random numbers from crypto.getRandomValues()"),
            ("new Date(0).getHours()", "uses the local time zone with getHours()"),
            ("new Date(432e5).getDate()", "uses the local time zone with getDate()"),
            ("new Date(0).getTimezoneOffset()", "uses the local time zone with getTimezoneOffset()"),
            ("String(new Date(0))", "uses the local time zone with toString()"),
            ("(1234.5).toLocaleString()", "uses the locale with Number.prototype.toLocaleString()"),
            ("['b', 'a'].sort((a, b) => a.localeCompare(b))", "uses the locale with String.prototype.localeCompare()"),
            (
                "new Intl.NumberFormat('de').formatToParts(1.5).find(({ type }) => type === 'decimal').value",
                "uses Intl.NumberFormat.prototype.formatToParts() for \"de\"",
            ),
            (
                "Number(new Intl.DateTimeFormat('en', { timeZone: 'Asia/Tokyo', hour: 'numeric', hour12: false }).format(0))",
                "uses Intl.DateTimeFormat.prototype.format() for \"en\"",
            ),
            ("new Intl.PluralRules('ru').select(1)", "uses Intl.PluralRules.prototype.select() for \"ru\""),
        ];
        for (value, told) in cases {
            let diagnostics = render_with_package(&format!("export const Part = () => `<p>${{{value}}}</p>`;"));
            assert_eq!(diagnostics.len(), 1, "{value}: {diagnostics:?}");
            let start = format!("rendering /a, /b {told} in the package @days/lib");
            assert!(
                diagnostics[0].message.english().starts_with(&start),
                "{value}: {}",
                diagnostics[0].message.english()
            );
            assert!(diagnostics[0].hints[0].english().contains("clientOnly"), "{value}");
            let place = diagnostics[0].place.as_ref().unwrap();
            assert_eq!(place.source.name, "node_modules/@days/lib/index.js");
        }
    }

    #[test]
    fn what_a_package_keeps_for_itself_is_not_told() {
        let cases = [
            "const id = Math.random(); const loaded = Date.now(); export const Part = () => '<p></p>';",
            "export const Part = () => { const key = Math.random().toString(36); return `<p>${key.length > 0}</p>`; };",
            "export const Part = () => { const start = Date.now(); return `<p>${Date.now() - start}</p>`; };",
            "const is24 = new Intl.DateTimeFormat('en', { timeZone: 'Asia/Tokyo', hour12: false, hour: 'numeric' })\
                .format(0) === '24'; export const Part = () => `<p>${typeof is24}</p>`;",
            // Older browsers write another midnight, which this code puts right.
            "export const Part = () => { const text = new Date(0).toLocaleTimeString('en', { timeZone: 'UTC', \
                hour12: false }); return `<p>${text.replace(/^24/, '00')}</p>`; };",
            "export const Part = () => `<p>${new Date(864e5 * 45).getMonth()}</p>`;",
            // Made and read in the same time zone, whichever that is.
            "const start = new Date(2024, 1, 28, 12); export const Part = () => { const date = new Date(+start); \
                date.setDate(date.getDate() + 1); return `<p>${date.toDateString()} ${date.getHours()}</p>`; };",
            "const start = new Date('2024-02-28T12:00'); export const Part = () => { const date = new Date(+start); \
                return `<p>${date.toLocaleString('en')} ${new Date(`${date.toDateString()} 1:00`) < date}</p>`; };",
            "const date = new Date(1709121600000); export const Part = () => \
                `<p>${new Date(+date - date.getTimezoneOffset() * 6e4).getHours() - date.getHours() < 99}</p>`;",
            "export const Part = () => { const date = new Date(Date.UTC(2024, 1, 28, 12)); const local = new Date(\
                +date + date.getTimezoneOffset() * 6e4); return `<p>${local.getDate()} ${local.getHours()}</p>`; };",
        ];
        for package in cases {
            let diagnostics = render_with_package(package);
            assert!(diagnostics.is_empty(), "{package}: {diagnostics:?}");
        }
    }

    #[test]
    fn what_a_package_reads_when_it_is_loaded_is_told_if_it_is_rendered() {
        let site = "const { Part } = await import('./lib.js'); export const render = () => Part();";
        let package = "const year = new Date().getFullYear(); const id = Math.random();\n\
            export const Part = () => `<p>${year}</p>`;";
        let lazy = "export const render = async () => (await import('./lib.js')).Part();";
        for (entry, expected) in [(site, 0), (lazy, 1)] {
            let program = compile(&[("entry.js", entry), ("lib.js", package)]).unwrap();
            let source = SourceText::new("node_modules/lib/index.js", package);
            let locate = move |frame: &Frame| {
                let line = (frame.line as usize, frame.column as usize + 1);
                (frame.script == "lib.js").then(|| Place::at_line_column(&source, line.0, line.1))
            };
            let (_, diagnostics) = render(&program, &["/"], &Limits::default(), &locate);
            // What runs before the entry is there is not noted at all.
            assert_eq!(diagnostics.len(), expected, "{diagnostics:?}");
            assert!(diagnostics.iter().all(|told| told.message.english().contains("reads the clock")));
        }
    }

    #[test]
    fn a_text_that_is_only_compared_is_not_told() {
        let code =
            "export function render() {\n  const date = new Date(0);\n  return String(date.toString() === 'x'); }";
        let (pages, diagnostics) = render_as(SITE, code, &["/"]);
        assert_eq!((&*pages[0].html.text(), diagnostics.len()), ("false", 0), "{diagnostics:?}");
    }

    #[test]
    fn an_id_that_is_not_in_the_page_is_not_told() {
        let render = |html: &str| {
            let code = format!("export function render() {{ const id = crypto.randomUUID(); return {html}; }}");
            render_as(SITE, &code, &["/"]).1.len()
        };
        assert_eq!([render("''"), render("`<p id=${id}>`"), render("id.slice(0, 8)")], [0, 1, 1]);
    }

    #[test]
    fn a_package_that_fails_is_named_with_the_way_out() {
        let cases = [
            (
                "document.title",
                "ReferenceError: document is not defined",
                "uses `document`, which exists only in browsers",
            ),
            ("navigator.userAgent", "ReferenceError: navigator is not defined", "which exists only in browsers"),
            (
                "WebAssembly.validate",
                "ReferenceError: WebAssembly is not defined",
                "which the engine that prerenders pages does not have",
            ),
            (
                "process.cwd()",
                "ReferenceError: process is not defined",
                "look in its documentation for a browser build",
            ),
            (
                "undefined.x",
                "TypeError: cannot read property 'x' of undefined",
                "put the component that uses it into a separate file",
            ),
        ];
        for (code, message, hint) in cases {
            let code = format!("export const render = () => {code};");
            let (_, diagnostics) = render_as("node_modules/@scope/charts/index.js", &code, &["/"]);
            assert_eq!(
                diagnostics[0].message,
                *format!("rendering / (title of /) failed in the package @scope/charts: {message}")
            );
            let hints: Vec<_> = diagnostics[0].hints.iter().map(|hint| hint.english().to_owned()).collect();
            assert!(hints[0].contains(hint), "{hints:?}");
            assert!(hints.last().unwrap().contains("`clientOnly("), "{hints:?}");
        }
    }

    #[test]
    fn react_is_not_blamed_for_what_it_is_given() {
        let code = "export const render = () => { throw new Error('Objects are not valid as a React child'); };";
        let (_, diagnostics) = render_as("node_modules/react-dom/cjs/server.js", code, &["/"]);
        assert!(diagnostics[0].message.english().starts_with("rendering / (title of /) failed: Error: Objects"));
        assert!(diagnostics[0].hints.is_empty());
    }

    #[test]
    fn what_a_package_refuses_needs_no_browser() {
        let program = compile(&[
            ("entry.js", "import { parse } from './lib.js';\nexport const render = () => parse('x');"),
            ("lib.js", "export const parse = (text) => { throw new RangeError(`${text} is no number`); };"),
        ]);
        let locate = |frame: &Frame| {
            let name = if frame.script == "lib.js" { "node_modules/lib/index.js" } else { SITE };
            Some(Place::new(&SourceText::new(name, "x"), 0..0))
        };
        let (_, diagnostics) = render(&program.unwrap(), &["/"], &Limits::default(), &locate);
        assert_eq!(
            diagnostics[0].message,
            "rendering / (title of /) failed in the package lib: RangeError: x is no number"
        );
        assert!(diagnostics[0].hints.is_empty());
    }

    #[test]
    fn the_innermost_line_of_the_site_is_preferred_to_a_library() {
        let program = compile(&[
            ("entry.js", "import { use } from './lib.js';\nexport const render = () => use({});"),
            ("lib.js", "export const use = (options) => options.list.length;"),
        ]);
        let locate = |frame: &Frame| {
            let name = if frame.script == "lib.js" { "node_modules/lib/index.js" } else { SITE };
            Some(Place::new(&SourceText::new(name, "x"), 0..0))
        };
        let (_, diagnostics) = render(&program.unwrap(), &["/"], &Limits::default(), &locate);
        assert_eq!(diagnostics[0].place.as_ref().unwrap().source.name, SITE);
    }

    #[test]
    fn a_failure_without_a_place_still_names_the_page() {
        let program = compile(&[("entry.js", "export const render = () => null.x;")]).unwrap();
        let (_, diagnostics) = render(&program, &["/a"], &Limits::default(), &|_| None);
        assert!(diagnostics[0].place.is_none());
        assert!(diagnostics[0].message.english().starts_with("rendering /a (title of /a) failed: TypeError"));
    }

    #[test]
    fn no_pages_are_no_work() {
        let (pages, diagnostics) = render_as(SITE, "export const render = () => '';", &[]);
        assert!(pages.is_empty() && diagnostics.is_empty());
    }
}

#[test]
fn a_program_goes_to_other_threads() {
    const fn shared<T: Send + Sync + Clone>() {}
    shared::<Program>();
}
