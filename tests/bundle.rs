//! What the bundler must keep and a folder in `tests/fixtures/bundle` cannot show.

use std::{collections::BTreeSet, fs, sync::mpsc, thread, time::Duration};

use swc_sourcemap::SourceMap;

use portalgen_bundle::{Options, Platform, SourceMaps};

use crate::support::{
    bundling::{bundle_with, call, describe, options},
    fixtures,
};

/// An entry that is CommonJS runs its program when nobody requires it.
#[test]
fn an_entry_that_is_common_js_is_the_main_module() {
    let folder = tempfile::tempdir().unwrap();
    let main = "module.exports = () => [require.main === module, module.parent, require('./required.cjs')]";
    fs::write(folder.path().join("entry.cjs"), main).unwrap();
    fs::write(folder.path().join("required.cjs"), "module.exports = [require.main === module, !module.parent]")
        .unwrap();
    let bundle = bundle_with(&options(folder.path(), true, Platform::Prerender), "./entry.cjs").unwrap();
    assert_eq!(call(&bundle, "default").unwrap(), "[true,null,[false,false]]");
}

/// A thread that waits for the bundle of a worker is given other work, such as a module that starts the same worker.
#[test]
fn many_modules_start_one_worker() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: String, text: String| fs::write(folder.path().join(name), text).unwrap();
    let import = |name: &str, number: i32| format!("import \"./{name}{number}.js\";");
    let all = |name: &str| (0..60).map(|number| import(name, number)).collect::<Vec<_>>().join("\n");
    for number in 0..60 {
        let start = "new Worker(new URL(\"./worker.js\", import.meta.url), { type: \"module\" });\n";
        write(format!("starter{number}.js"), start.to_owned());
        write(format!("part{number}.js"), format!("postMessage({number});\n"));
    }
    write("entry.js".to_owned(), all("starter"));
    write("worker.js".to_owned(), all("part"));
    for threads in [1, 2, 4] {
        let (sender, receiver) = mpsc::channel();
        let options = options(folder.path(), true, Platform::Browser);
        thread::spawn(move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            sender.send(pool.install(|| bundle_with(&options, "./entry.js"))).unwrap();
        });
        let bundle = receiver.recv_timeout(Duration::from_mins(2)).expect("bundling must not hang").unwrap();
        let workers = bundle.chunks.iter().filter(|chunk| chunk.file_name.contains("/worker-"));
        let [worker] = workers.collect::<Vec<_>>()[..] else { panic!("the worker is there once: {:?}", bundle.chunks) };
        let name = worker.file_name.rsplit('/').next().unwrap();
        let started: usize = bundle.chunks.iter().map(|chunk| chunk.code.matches(name).count()).sum();
        assert_eq!(started, 60, "{:?}", bundle.chunks);
    }
}

/// Texts survive minifying, so each can be found in what was emitted, and must lead back to where it was written.
#[test]
fn source_maps_lead_to_every_token() {
    // Constants and enums are put in where they are used, and lead there. The minifier turns comparisons around and
    // `switch` into `if`, of which only the beginning leads anywhere.
    const MOVED: [&str; 6] = ["token-01", "token-03", "token-04", "token-05", "token-26", "token-33"];
    let folder = fixtures::area("source-map");
    for minify in [true, false] {
        let options = Options { source_maps: SourceMaps::File, ..options(&folder, minify, Platform::Browser) };
        let bundle = bundle_with(&options, "./entry.tsx").unwrap();
        let mut found = BTreeSet::new();
        for chunk in &bundle.chunks {
            let map = SourceMap::from_slice(chunk.source_map.as_ref().unwrap().as_bytes()).unwrap();
            for (line, column, token) in tokens(&chunk.code).filter(|(.., token)| !MOVED.contains(token)) {
                let at = map.lookup_token(line, column).unwrap();
                let name = at.get_source().unwrap().as_str();
                let source = fs::read_to_string(folder.join(name)).unwrap();
                let written = tokens(&source).find(|(.., other)| *other == token).unwrap();
                assert_eq!((at.get_src_line(), at.get_src_col(), token), written, "{name}, minify: {minify}");
                assert_eq!(at.get_source_view().unwrap().source().to_string(), source);
                let place = chunk.locate(line, column).unwrap();
                assert_eq!(place.span.start, source.find(&format!("\"{token}\"")).unwrap());
                found.insert(token.to_owned());
            }
        }
        assert!(found.len() >= 50, "minify: {minify}: only {} tokens were found", found.len());
    }
}

/// Line and column, both from 0 and the column in UTF-16 units, of the quotation mark before each `token-…`.
fn tokens(text: &str) -> impl Iterator<Item = (u32, u32, &str)> {
    text.split('\n').enumerate().flat_map(|(number, line)| {
        line.match_indices("\"token-").map(move |(at, _)| {
            let column = line[..at].encode_utf16().count();
            (u32::try_from(number).unwrap(), u32::try_from(column).unwrap(), &line[at + 1..at + 9])
        })
    })
}

/// As pnpm lays packages out: the site sees a link to a package, and only that package sees what it extends.
#[test]
fn what_a_linked_package_extends_is_looked_for_from_where_the_package_lies() {
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    let store = "node_modules/.store/config/node_modules";
    let files = [
        ("entry.tsx", "const h = (tag: string) => tag + '!'; export const test = () => <b />;"),
        ("tsconfig.json", r#"{ /* "extends" */ "extends": ["config/tsconfig.json"] }"#),
        (&format!("{store}/config/package.json"), "{}"),
        (&format!("{store}/config/tsconfig.json"), r#"{ "extends": "@acme/base" }"#),
        (&format!("{store}/@acme/base/package.json"), r#"{ "tsconfig": "./settings.json" }"#),
        (
            &format!("{store}/@acme/base/settings.json"),
            r#"{ "compilerOptions": { "jsx": "react", "jsxFactory": "h" } }"#,
        ),
    ];
    for (path, text) in files {
        fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        fs::write(root.join(path), text).unwrap();
    }
    std::os::unix::fs::symlink(".store/config/node_modules/config", root.join("node_modules/config")).unwrap();
    let bundle = bundle_with(&options(&root, false, Platform::Prerender), "./entry.tsx");
    let bundle = bundle.unwrap_or_else(|diagnostics| panic!("{}", describe(&diagnostics)));
    assert_eq!(call(&bundle, "test").unwrap(), "\"b!\"");
}

/// `import()` in an event handler is never called in the engine, and what is wrong in browsers is told by the bundle for those.
#[test]
fn what_only_an_event_loads_fails_in_the_engine_when_it_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let code = "const failure = (load) => load().then(() => null, (error) => error.message);\n\
                const [late, later] = [() => import('./needs-node.js'), () => import('./needs-what-does.js')];\n\
                export const test = async () => [await failure(late), await failure(later)];";
    let files = [
        ("entry.js", code),
        ("needs-node.js", "import fs from 'fs'; export const read = () => fs.readFileSync('/etc/hosts');"),
        ("needs-what-does.js", "export { read } from './needs-node.js';"),
        ("at-once.js", "import './needs-what-does.js'; import('./needs-node.js');"),
    ];
    for (path, text) in files {
        fs::write(folder.path().join(path), text).unwrap();
    }
    let with = |platform, entry| bundle_with(&options(folder.path(), false, platform), entry);
    let bundle = with(Platform::Prerender, "./entry.js").unwrap_or_else(|found| panic!("{}", describe(&found)));
    let message = "\"`fs` is a Node.js module, which browsers do not have (needs-node.js:1:16)\"";
    assert_eq!(call(&bundle, "test").unwrap(), format!("[{message},{message}]"));
    for (platform, entry) in [(Platform::Browser, "./entry.js"), (Platform::Prerender, "./at-once.js")] {
        let told = describe(&with(platform, entry).unwrap_err());
        assert!(told.starts_with("needs-node.js:1:16 `fs` is a Node.js module"), "{told}");
    }
}
