//! Chunks of earlier builds, in a store that outlives the process.

use std::{path::Path, sync::Arc};

use portalgen_base::{
    diagnostic::Diagnostic,
    store::{Bounds, Kind, Store},
};
use portalgen_bundle::{Bundle, Define, Options, Platform};

use crate::support::{
    bundling::{bundle_with, options},
    project::Project,
};

/// An entry with two chunks that it loads later, and one that both of these share.
fn site() -> Project {
    Project::new(&[
        (
            "entry.js",
            "import { total } from \"./sum\";\nexport const a = () => import(\"./a\");\n\
             export const b = () => import(\"./b\");\nexport const test = () => total(1, 2);\n",
        ),
        ("sum.js", "export const total = (a, b) => a + b;\nexport const unused = 1;\n"),
        ("a.js", "import { shared } from \"./shared\";\nexport default shared(\"a\", process.env.WORD);\n"),
        ("b.js", "import { shared } from \"./shared\";\nexport default shared(\"b\");\n"),
        ("shared.js", "console.log(1);\nexport const shared = (x, y) => x + y;\n"),
    ])
}

/// Bundles as a process of its own does: how many chunks it prints, and what comes out.
fn build(options: &Options, folder: &Path) -> (usize, Bundle) {
    let store = Arc::new(Store::open(folder, "a program", Bounds::default()));
    let options = Options { chunks: Some(store.results(Kind::Chunks)), ..options.clone() };
    let bundle = bundled(&options);
    let printed = store.count(Kind::Chunks);
    store.save();
    (printed, bundle)
}

fn bundled(options: &Options) -> Bundle {
    // A cache of its own: nothing in memory is left of earlier builds.
    let options = Options { modules: Arc::default(), ..options.clone() };
    let english = |found: &Diagnostic| found.message.english().to_owned();
    bundle_with(&options, "./entry.js").map_err(|found| found.iter().map(english).collect::<Vec<_>>()).unwrap()
}

#[test]
fn a_build_prints_chunks_that_are_made_of_something_else() {
    let (site, store) = (site(), tempfile::tempdir().unwrap());
    let plain = options(&site.path(""), true, Platform::Browser);
    let printed = |what: &str, options: &Options, expected: usize| {
        let (printed, bundle) = build(options, store.path());
        assert_eq!(printed, expected, "{what}");
        let clean = bundled(options);
        assert_eq!(format!("{:?}", bundle.chunks), format!("{:?}", clean.chunks), "{what}");
    };
    printed("everything is new", &plain, 4);
    printed("nothing has changed", &plain, 0);
    site.write("a.js", "import { shared } from \"./shared\";\nexport default shared(\"A\", process.env.WORD);\n");
    printed("the text of a module", &plain, 1);
    site.write("sum.js", "export const total = (a, b) => a * b;\nexport const unused = 1;\n");
    printed("a module beside the entry", &plain, 1);
    site.write("b.js", "import { shared as s } from \"./shared\";\nexport default [s(\"b\"), s];\n");
    printed("a name that the chunk takes from another one", &plain, 1);
    site.write(
        "entry.js",
        "import { total, unused } from \"./sum\";\nexport const a = () => import(\"./a\");\n\
             export const b = () => import(\"./b\");\nexport const test = () => total(1, unused);\n",
    );
    printed("a statement that nothing needed is needed", &plain, 1);
    let word = Define::Value("hello".into());
    let defines = Options { defines: vec![("process.env.WORD".to_owned(), word)], ..plain.clone() };
    printed("a constant that one module asks for", &defines, 1);
    printed("the other constant again", &plain, 0);
    printed("not minified", &Options { minify: false, ..plain.clone() }, 4);
    printed(
        "for another platform, where nothing of this differs",
        &Options { platform: Platform::Prerender, ..plain },
        0,
    );
}

#[test]
fn what_a_chunk_calls_another_one_is_no_part_of_it() {
    let (site, store) = (site(), tempfile::tempdir().unwrap());
    let options = options(&site.path(""), true, Platform::Browser);
    let (_, before) = build(&options, store.path());
    site.write("shared.js", "console.log(2);\nexport const shared = (x, y) => x + y;\n");
    let (printed, after) = build(&options, store.path());
    assert_eq!(printed, 1, "those that import it are as they were");
    let changed = after.chunks.iter().filter(|chunk| before.chunks.iter().all(|old| old.file_name != chunk.file_name));
    assert_eq!(changed.count(), 4, "and have other names all the same, since they name it");
}
