//! Style sheets: what is emitted for which sources, read as text. What browsers make of it is tested in
//! `browser/specs/styles.spec.ts`.

use std::{collections::BTreeMap, sync::Arc};

use portalgen_base::{
    diagnostic::Diagnostic,
    source::{Memory, Sources},
    text::Text,
};
use portalgen_bundle::{Bundle, Entry, Options, Platform};

mod meaning;

type Files<'a> = &'a [(&'a str, &'a str)];

fn bundle(files: Files<'_>) -> Result<Bundle, Vec<Diagnostic>> {
    bundle_for(Platform::Browser, files)
}

fn bundle_for(platform: Platform, files: Files<'_>) -> Result<Bundle, Vec<Diagnostic>> {
    // An entry with code of its own, so that its sheets are in the chunk that is called after it.
    let text =
        |path: &str, text: &str| if path == "entry.js" { format!("{text}\nconsole.log(1);") } else { text.to_owned() };
    let files = files.iter().map(|(path, content)| (format!("/p/{path}"), text(path, content)));
    let sources: Arc<dyn Sources> = Arc::new(Memory::new(files));
    let options =
        Options { minify: true, minify_sheets: true, base: "/base/".to_owned(), ..Options::new("/p", "/p", platform) };
    let entry = Entry { name: "entry".to_owned(), module: "./entry.js".to_owned() };
    portalgen_bundle::bundle(&sources, &options, &[entry], &BTreeMap::new())
}

fn built(files: Files<'_>) -> Bundle {
    bundle(files).unwrap_or_else(|diagnostics| panic!("{}", told(&diagnostics).join("\n")))
}

/// The text of the one style sheet whose name begins like this, without line ends.
fn sheet(bundle: &Bundle, name: &str) -> String {
    let is_it = |path: &str| path.starts_with(&format!("assets/{name}-")) && path.ends_with(".css");
    let found: Vec<_> = bundle.assets.iter().filter(|asset| is_it(&asset.file_name)).collect();
    assert_eq!(found.len(), 1, "{name}: {:?}", bundle.assets.iter().map(|asset| &asset.file_name).collect::<Vec<_>>());
    String::from_utf8(found[0].bytes.to_vec()).unwrap().replace('\n', "")
}

/// What comes of one sheet, and what is said about it.
fn one(css: &str) -> (String, Vec<String>) {
    let bundle = built(&[("entry.js", "import './x.css';"), ("x.css", css)]);
    let has_sheet = bundle.assets.iter().any(|asset| asset.file_name.ends_with(".css"));
    (if has_sheet { sheet(&bundle, "entry") } else { String::new() }, told(&bundle.warnings))
}

fn told(diagnostics: &[Diagnostic]) -> Vec<String> {
    let told = diagnostics.iter().map(|diagnostic| {
        let place = diagnostic.place.as_ref().map(ToString::to_string).unwrap_or_default();
        format!(
            "{place} {}",
            [&diagnostic.message]
                .into_iter()
                .chain(&diagnostic.hints)
                .map(Text::english)
                .collect::<Vec<_>>()
                .join("; ")
        )
    });
    told.collect()
}

fn refused(files: Files<'_>) -> Vec<String> {
    told(&bundle(files).expect_err("an error"))
}

/// The sheet that an entry gets that imports `main.css`.
fn imported(files: Files<'_>) -> String {
    let files = [files, &[("entry.js", "import './main.css';")]].concat();
    sheet(&built(&files), "entry")
}

mod recovery {
    use super::{built, one, refused};

    #[test]
    fn what_browsers_skip_is_skipped_and_told() {
        for (css, expected, warning) in [
            ("a{color:red;*zoom:1;left:0}", "a{color:red;left:0}", "1:13 browsers skip this declaration"),
            ("a{top:0;color}b{left:0}", "a{top:0}b{left:0}", "1:9 browsers skip this declaration"),
            ("a{top:0;b:url(x y);left:0}", "a{top:0;left:0}", "1:9 browsers skip this declaration"),
            ("h1(>h1){top:0}b{left:0}", "b{left:0}", "1:1 browsers skip this rule"),
            ("a{}} b{top:0} c{left:0}", "c{left:0}", "1:4 browsers skip this rule"),
            ("a{top:0};b{left:0} c{left:0}", "a{top:0}c{left:0}", "1:9 browsers skip this rule"),
            ("a{top:0;\n  & >{left:0}\n}", "a{top:0}", "2:3 browsers skip this rule"),
            (
                "a{top:0;@font-face{x:y}left:0}",
                "a{top:0;left:0}",
                "1:9 browsers skip this rule: `@font-face` is not allowed here",
            ),
            (
                "a{top:0}@import \"b.css\";",
                "a{top:0}",
                "1:9 browsers skip this `@import` because it comes after other rules",
            ),
            ("a{top:0}@namespace x \"y\";", "a{top:0}", "1:9 browsers skip this `@namespace`"),
            ("a{top:0", "a{top:0}", "1:2 this `{` is never closed"),
            ("@media print{a{top:0}\nb{left:0}", "@media print{a{top:0}b{left:0}}", "1:13 this `{` is never closed"),
        ] {
            let (code, warnings) = one(css);
            assert_eq!(code, expected, "{css}");
            assert_eq!(warnings.len(), 1, "{css}: {warnings:?}");
            assert!(warnings[0].starts_with(&format!("x.css:{warning}")), "{css}: {warnings:?}");
        }
    }

    #[test]
    fn every_skipped_part_is_told_and_nothing_else_is_lost() {
        let css = "a{color:red;*zoom:1;left:0;*display:inline;top:0;b{*zoom:1;right:0}bottom:0}\n.c{*x:1;margin:0}";
        let (code, warnings) = one(css);
        assert_eq!(code, "a{color:red;top:0;left:0}a b{right:0}a{bottom:0}.c{margin:0}");
        assert_eq!(warnings.len(), 4, "{warnings:?}");
    }

    #[test]
    fn what_only_portalgen_does_not_know_is_left_to_browsers() {
        for (css, expected, warning) in [
            (
                "@tailwind base;a{top:0}",
                "@tailwind base;a{top:0}",
                "1:1 browsers do not support `@tailwind`; it needs Tailwind CSS",
            ),
            ("@foo bar{a{top:0}}", "@foo bar{a{top:0}}", "1:1 browsers do not support `@foo`"),
            ("a{top:0;@apply b;left:0}", "a{top:0;@apply b;left:0}", "1:9 browsers do not support `@apply`"),
            ("a:foo{top:0}b{top:0}", "a:foo{top:0}b{top:0}", "1:1 browsers that do not support `:foo` skip this rule"),
            ("@media (x>){a{top:0}}b{left:0}", "@media (x>){a{top:0}}b{left:0}", "1:1 browsers may not understand"),
            ("a{top:0;@media (x>){left:0}}", "a{top:0}@media (x>){a{left:0}}", "1:9 browsers may not understand"),
        ] {
            let (code, warnings) = one(css);
            assert_eq!(code.replace("a{top:0;@apply b;}a{left:0}", "a{top:0;@apply b;left:0}"), expected, "{css}");
            assert!(warnings[0].starts_with(&format!("x.css:{warning}")), "{css}: {warnings:?}");
        }
    }

    #[test]
    fn old_hacks_that_are_css_are_kept_in_silence() {
        for (css, expected) in [
            ("a{_height:1px}", "a{_height:1px}"),
            (
                "a{filter:progid:DXImageTransform.Microsoft.gradient(a='#80000000')}",
                "a{filter:progid:DXImageTransform.Microsoft.gradient(a=\"#80000000\")}",
            ),
            ("<!-- a{top:0} -->", "a{top:0}"),
            ("\u{feff}@charset \"utf-8\";\r\na{top:0}\r\n", "a{top:0}"),
            (
                "a{--x:{y:z};--e:;--f: ;--g:[;{!}];--h:@x url(data:}}) \"}\"}",
                "a{--x:{y:z};--e:;--f: ;--g:[;{!}];--h:@x url(\"data:}}\") \"}\"}",
            ),
            ("", ""),
            ("/* nothing */", ""),
        ] {
            let (code, warnings) = one(css);
            assert_eq!((&*code, warnings.len()), (expected, 0), "{css}: {warnings:?}");
        }
    }

    #[test]
    fn new_css_is_read_without_a_word() {
        for css in [
            "@font-face{font-family:a;src:local(\"b\")}",
            "@property --a{syntax:\"<length>\";inherits:false;initial-value:0px}",
            "@container b (width>1px){a{top:0}}",
            "@scope (.a) to (.b){img{top:0}}",
            "@starting-style{a{opacity:0}}",
            "a:has(>b):not(.c){top:0}",
            "a{background:color-mix(in oklab,red,var(--b))}",
            "a{color:light-dark(#000,#fff)}",
            "@layer a,b;@layer a{c{top:0}}",
            "@page :first{margin:1cm}",
            "@supports (display:grid) and (not (top:x)){a{top:0}}",
            "@view-transition{navigation:auto}",
            "a{&.b{top:0}> c{left:0}@media print{right:0}}",
            "a::view-transition-group(x){top:0}",
            "@counter-style a{system:fixed;symbols:\"b\"}",
        ] {
            let (code, warnings) = one(css);
            assert!(!code.is_empty() && warnings.is_empty(), "{css}: {code} {warnings:?}");
        }
    }

    #[test]
    fn sheets_of_packages_are_read_without_a_word() {
        let bundle = built(&[
            ("entry.js", "import 'old/x.css';"),
            ("node_modules/old/package.json", "{}"),
            ("node_modules/old/x.css", "a{color:red;*zoom:1}@foo;"),
        ]);
        assert_eq!(super::sheet(&bundle, "entry"), "a{color:red}@foo;");
        assert!(bundle.warnings.is_empty());
    }

    #[test]
    fn what_is_nested_too_deep_is_refused() {
        for css in [
            "a{".repeat(10_000),
            format!("{}{}", "@media print{".repeat(10_000), "}".repeat(10_000)),
            format!("{}a{}{{top:0}}", ":is(".repeat(10_000), ")".repeat(10_000)),
            format!("a{{width:calc{}", "(".repeat(10_000)),
            format!("a{{--x:{}", "[".repeat(101)),
        ] {
            let told = refused(&[("entry.js", "import './x.css';"), ("x.css", &css)]);
            assert_eq!(told.len(), 1);
            assert!(told[0].contains("brackets are nested more than 100 levels deep"), "{told:?}");
        }
        let deep = |open: &str, inside: &str, close: &str| format!("{}{inside}{}", open.repeat(95), close.repeat(95));
        for css in [
            deep("a{", "top:0", "}"),
            deep("@media print{", "a{top:0}", "}"),
            deep("@layer a{", "a{top:0}", "}"),
            deep(":is(", "a", ")") + "{top:0}",
            format!("a{{width:calc{}}}", deep("(", "1px", ")")),
            format!("a{{width:{}}}", deep("var(--a,", "1px", ")")),
            format!("@supports {}{{a{{top:0}}}}", deep("(", "top:0", ")")),
            format!("@media {}{{a{{top:0}}}}", deep("(", "color", ")")),
        ] {
            one(&css);
        }
    }

    #[test]
    fn nesting_that_multiplies_selectors_is_bounded() {
        let nested = |levels: usize, inner: &str| {
            format!(".a,.b{{{}top:0{}", format!("{inner}{{").repeat(levels), "}".repeat(levels + 1))
        };
        for css in [nested(60, "& & &"), nested(60, "&:is(&,&) b"), nested(40, "@media print{& + &").replace('}', "}}")]
        {
            let told = refused(&[("entry.js", "import './x.css';"), ("x.css", &css)]);
            assert_eq!(told.len(), 1, "{told:?}");
            assert!(told[0].contains("the nested selectors of this rule exceed 65536 bytes; each `&`"), "{told:?}");
        }
        // What grows by one step each time may be as deep as brackets may.
        for css in [nested(60, "& .c"), nested(60, ".c"), nested(60, "&:hover"), nested(6, "& & &")] {
            assert!(one(&css).1.is_empty());
        }
        // Browsers that know nesting get it as it was written.
        let css = nested(60, "& & &");
        let bundle = built(&[("entry.js", "import './x.css';"), ("x.css", &css), (".browserslistrc", "chrome 125")]);
        assert!(super::sheet(&bundle, "entry").len() < 600);
    }

    #[test]
    fn what_is_not_expected_is_told_as_it_was_written() {
        for (css, expected) in [
            ("@media 5px, screen{a{top:0}}", "browsers may not understand this condition: unexpected `5px`"),
            ("a[1]{top:0}", "browsers skip this rule: unexpected `1`"),
            ("a{top:0;color}b{left:0}", "browsers skip this declaration: it is incomplete"),
        ] {
            let (_, warnings) = one(css);
            assert!(warnings.len() == 1 && warnings[0].ends_with(expected), "{css}: {warnings:?}");
        }
    }

    #[test]
    fn values_of_css_modules_are_refused() {
        let told =
            refused(&[("entry.js", "import './x.module.css';"), ("x.module.css", "@value a: red;\n.b{color:a}")]);
        assert!(told[0].starts_with("x.module.css:1:1 `@value` is not supported"), "{told:?}");
    }
}

mod urls {
    use super::{built, refused, sheet};

    #[test]
    fn every_form_of_url_leads_to_its_file() {
        let bundle = built(&[
            ("entry.js", "import './styles/x.css';"),
            (
                "styles/x.css",
                "@font-face{font-family:a;src:url(../a.woff2) format('woff2'),url('../a.woff2?#iefix')}\n\
                 .a{background:url( \"a b.png\" ),url(a\\ b.png),url(a%20b.png),url(data:image/png;base64,AA==)}\n\
                 .b{background:image-set('c.png' 1x,url(c.png?v=1) 2x);mask:url(#m)}\n\
                 .c{--d:url(c.png) var(--e);--f:url( 'c.png' );--g:url(https://x.test/y.png)}\n\
                 .h{background:url(/public.png),url(//x.test/y.png),url()}\n\
                 .i{background:url('data:image/svg+xml,<svg a=\"b(c)\">')}\n",
            ),
            ("a.woff2", "font"),
            ("styles/a b.png", "picture"),
            ("styles/c.png", "other picture"),
        ]);
        let code = sheet(&bundle, "entry");
        let name = |stem: &str| {
            let asset = bundle.assets.iter().find(|asset| asset.file_name.starts_with(&format!("assets/{stem}-")));
            asset.unwrap().file_name.strip_prefix("assets/").unwrap().to_owned()
        };
        let (font, spaced, other) = (name("a"), name("a-b"), name("c"));
        for expected in [
            format!("src:url(\"{font}\")format(\"woff2\"),url(\"{font}?#iefix\")"),
            format!(
                "background:url(\"{spaced}\"),url(\"{spaced}\"),url(\"{spaced}\"),url(\"data:image/png;base64,AA==\")"
            ),
            format!("\"{other}\" 1x"),
            format!("\"{other}?v=1\""),
            "mask:url(\"#m\")".to_owned(),
            format!("--d:url(\"{other}\") var(--e)"),
            format!("--f:url(\"{other}\")"),
            "--g:url(\"https://x.test/y.png\")".to_owned(),
            "url(\"/base/public.png\"),url(\"//x.test/y.png\"),url(\"\")".to_owned(),
            "url(\"data:image/svg+xml,<svg a=\\\"b(c)\\\">\")".to_owned(),
        ] {
            assert!(code.contains(&expected), "no {expected} in\n{code}");
        }
        assert!(bundle.warnings.is_empty());
    }

    #[test]
    fn a_file_that_is_missing_is_told_at_its_url() {
        let told = refused(&[
            ("entry.js", "import './x.css';"),
            ("x.css", "a { *zoom: 1;\n  background: url(y.png);\n  --b: url('pikture.png') }"),
            ("picture.png", ""),
        ]);
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[1].starts_with("x.css:2:"), "{told:?}");
        assert!(told[2].starts_with("x.css:3:") && told[2].contains("did you mean `./picture.png`?"), "{told:?}");
    }
}

mod imports {
    use super::{built, imported, refused, sheet, told};

    #[test]
    fn sheets_come_in_the_order_of_their_imports() {
        let code = imported(&[
            ("main.css", "@import './a.css';@import \"b.css\";main{top:0}"),
            ("a.css", "@import url(c.css);a{top:0}"),
            ("b.css", "b{top:0}"),
            ("c.css", "c{top:0}"),
        ]);
        assert_eq!(code, "c{top:0}a{top:0}b{top:0}main{top:0}");
    }

    #[test]
    fn the_last_of_several_imports_of_a_sheet_counts() {
        let code = imported(&[
            ("main.css", "@import 'base.css';@import 'a.css';@import 'base.css';"),
            ("a.css", "@import 'base.css';a{top:0}"),
            ("base.css", "base{top:0}"),
        ]);
        assert_eq!(code, "a{top:0}base{top:0}");
    }

    #[test]
    fn what_scripts_import_comes_where_it_is_first_imported() {
        let bundle = built(&[
            ("entry.js", "import './a.css'; import './b.css'; import './a.css';"),
            ("a.css", "@import 'base.css';a{top:0}"),
            ("b.css", "@import 'base.css';b{top:0}"),
            ("base.css", "base{top:0}"),
        ]);
        assert_eq!(sheet(&bundle, "entry"), "base{top:0}a{top:0}b{top:0}");
    }

    #[test]
    fn sheets_that_import_each_other_come_once() {
        let code = imported(&[
            ("main.css", "@import 'a.css' screen;main{top:0}"),
            ("a.css", "@import 'main.css' print;@import 'a.css';a{top:0}"),
        ]);
        assert_eq!(code, "@media screen{a{top:0}}main{top:0}");
    }

    #[test]
    fn conditions_are_put_around_sheets() {
        let code = imported(&[
            ("main.css", "@import 'a.css' layer(x) supports(display: grid) print;"),
            ("a.css", "@import 'b.css' layer(y) (width > 1px);a{top:0}"),
            ("b.css", "b{top:0}"),
        ]);
        assert_eq!(
            code,
            "@media print{@supports (display:grid){@layer x{@media (width>1px){@layer y{b{top:0}}}}}}\
             @media print{@supports (display:grid){@layer x{a{top:0}}}}"
        );
    }

    #[test]
    fn layers_keep_the_rank_of_where_they_are_first_named() {
        let code = imported(&[
            ("main.css", "@import 'a.css' layer(x);@import 'b.css' layer(y);@import 'a.css' layer(x);"),
            ("a.css", "@layer i{a{top:0}}"),
            ("b.css", "b{top:0}"),
        ]);
        assert_eq!(code, "@layer x{@layer i;}@layer y{}@layer y{b{top:0}}@layer x{@layer i{a{top:0}}}");
    }

    #[test]
    fn a_layer_without_a_name_is_one_for_all_that_is_imported_into_it() {
        let code = imported(&[
            ("main.css", "@import 'a.css' layer;@import 'b.css' layer;"),
            ("a.css", "@import 'c.css';a{top:0}"),
            ("b.css", "b{top:0}"),
            ("c.css", "c{top:0}"),
        ]);
        let names: Vec<&str> = code.split("@layer ").skip(1).map(|part| part.split('{').next().unwrap()).collect();
        assert_eq!(names.len(), 3, "{code}");
        assert!(names[0] == names[1] && names[1] != names[2], "{code}");
    }

    #[test]
    fn an_empty_sheet_still_declares_its_layer() {
        let code = imported(&[("main.css", "@import 'a.css' layer(x);@layer y{b{top:0}}"), ("a.css", "")]);
        assert_eq!(code, "@layer x{}@layer y{b{top:0}}");
    }

    #[test]
    fn sheets_of_other_servers_come_first_under_all_conditions() {
        let external = "https://x.test/y.css";
        for (outer, inner, expected) in [
            ("", "", ""),
            (" print", "", " print"),
            ("", " layer(a)", " layer(a)"),
            (" layer(a)", " layer(b.c)", " layer(a.b.c)"),
            (" screen", " (width > 1px)", " screen and (width>1px)"),
            (
                " screen, print",
                " (color), (hover)",
                " screen and (color),screen and (hover),print and (color),print and (hover)",
            ),
            (" screen", " print", " not all"),
            (" not print", " screen", " screen"),
            (" not print", " print", " not all"),
            (" supports(display: grid)", " supports(not (a: b))", " supports((display:grid) and (not (a:b)))"),
            (" layer(a) supports(c: d) print", " layer(b) (color)", " layer(a.b) supports((c:d)) print and (color)"),
            (" (color) or (hover)", " (width > 1px)", " ((color) or (hover)) and (width>1px)"),
        ] {
            let main = format!("@import 'a.css'{outer};main{{top:0}}");
            let inner = format!("@import '{external}'{inner};");
            let code = imported(&[("main.css", &main), ("a.css", &inner)]);
            let expected = format!("@import \"{external}\"{expected};");
            assert!(code.starts_with(&expected), "{outer} {inner}: no {expected} in {code}");
        }
    }

    #[test]
    fn conditions_that_cannot_be_joined_are_told() {
        let told = refused(&[
            ("entry.js", "import './main.css';"),
            ("main.css", "@import 'a.css' not print;"),
            ("a.css", "\n@import 'https://x.test/y.css' (color);"),
        ]);
        assert!(told[0].starts_with("a.css:2:1 the media query of this `@import` cannot be combined"), "{told:?}");
    }

    #[test]
    fn layers_named_before_an_import_of_another_server_stay_before_it() {
        let code = imported(&[
            ("main.css", "@layer base,extra;@import 'a.css' layer(own);@import 'https://x.test/y.css' layer(base);"),
            ("a.css", "a{top:0}"),
        ]);
        assert!(code.starts_with("@layer base,extra,own;@import \"https://x.test/y.css\" layer(base);"), "{code}");
        assert!(code.ends_with("@layer own{a{top:0}}"), "{code}");
    }

    #[test]
    fn a_path_from_the_root_is_a_public_file() {
        let code = imported(&[("main.css", "@import '/fonts.css' print;a{top:0}")]);
        assert_eq!(code, "@import \"/base/fonts.css\" print;a{top:0}");
    }

    #[test]
    fn namespaces_come_after_imports_and_before_rules() {
        let bundle = built(&[
            ("entry.js", "import './a.css'; import './b.css';"),
            ("a.css", "@namespace svg \"http://www.w3.org/2000/svg\";svg|a{top:0}"),
            (
                "b.css",
                "@import 'https://x.test/y.css';@namespace svg url(http://www.w3.org/2000/svg);@namespace url(x);svg|b{top:0}",
            ),
        ]);
        assert_eq!(
            sheet(&bundle, "entry"),
            "@import \"https://x.test/y.css\";@namespace svg \"http://www.w3.org/2000/svg\";svg|a{top:0}svg|b{top:0}"
        );
        assert_eq!(bundle.warnings.len(), 1);
        assert!(told(&bundle.warnings)[0].contains("this `@namespace` is ignored"));
        let told = refused(&[
            ("entry.js", "import './a.css'; import './b.css';"),
            ("a.css", "@namespace svg \"http://www.w3.org/2000/svg\";"),
            ("b.css", "@namespace svg \"other\";"),
        ]);
        assert!(told[0].starts_with("b.css:1:1 the prefix `svg` has another meaning"), "{told:?}");
    }

    #[test]
    fn what_cannot_be_imported_is_told_where_it_is_imported() {
        let told = refused(&[
            ("entry.js", "import './main.css';"),
            ("main.css", "@import 'colours.css';\n@import './entry.js';\n@import 'bad.css';"),
            ("colors.css", ""),
            ("bad.css", &"(".repeat(500)),
        ]);
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].starts_with("bad.css:1:101 brackets"), "{told:?}");
        assert!(
            told[1].starts_with("main.css:1:1 cannot find `./colours.css`; did you mean `./colors.css`?"),
            "{told:?}"
        );
        assert!(told[2].starts_with("main.css:2:1 `./entry.js` is not a style sheet"), "{told:?}");
    }

    #[test]
    fn sheets_of_packages_keep_their_place() {
        let bundle = built(&[
            ("entry.js", "import './own.css'; import 'pkg/x.css'; import './last.css';"),
            ("own.css", "own{top:0}"),
            ("last.css", "last{top:0}"),
            ("node_modules/pkg/package.json", "{}"),
            ("node_modules/pkg/x.css", "pkg{top:0}"),
        ]);
        assert_eq!(sheet(&bundle, "entry"), "own{top:0}pkg{top:0}last{top:0}");
    }

    #[test]
    fn an_empty_sheet_makes_no_file() {
        let bundle = built(&[("entry.js", "import './a.css'; console.log(1);"), ("a.css", "/* later */")]);
        assert!(bundle.assets.is_empty() && bundle.chunks.iter().all(|chunk| chunk.stylesheets.is_empty()));
    }
}

mod classes {
    use portalgen_bundle::Platform;
    use portalgen_engine::Limits;

    use super::{Files, bundle_for, refused, sheet, told};
    use crate::support::programs::program_of_bundle;

    /// The value of `test()`, which the entry exports.
    fn value(files: Files<'_>) -> String {
        let bundle = bundle_for(Platform::Prerender, files).unwrap_or_else(|found| panic!("{:?}", told(&found)));
        program_of_bundle(&bundle).unwrap().call("test", &[], &Limits::default()).unwrap().value
    }

    fn names(files: Files<'_>, expression: &str) -> Vec<String> {
        let entry = format!(
            "import * as all from './a.module.css'; import a from './a.module.css'; export const test = () => String({expression});"
        );
        let value = value(&[files, &[("entry.js", &entry)]].concat());
        let names = value
            .trim_matches('"')
            .split(' ')
            .map(|name| name.rsplit_once('_').map_or(name, |(_, name)| name).to_owned());
        names.collect()
    }

    const CHAIN: Files<'static> = &[
        (
            "a.module.css",
            ".a{composes:b c from './b.module.css';composes:own;composes:g from global;top:0}.own{composes:o2}.o2{left:0}",
        ),
        ("b.module.css", ".b{composes:d from './d.module.css'}.c{composes:b;right:0}"),
        ("d.module.css", ".d{bottom:0}"),
    ];

    #[test]
    fn a_class_has_the_names_of_all_that_it_is_composed_of() {
        assert_eq!(names(CHAIN, "a.a"), ["a", "b", "d", "c", "own", "o2", "g"]);
        assert_eq!(names(CHAIN, "all.a"), names(CHAIN, "a.a"));
    }

    #[test]
    fn composed_sheets_come_first() {
        let files = [CHAIN, &[("entry.js", "import a from './a.module.css'; console.log(a.a);")]].concat();
        let bundle = bundle_for(Platform::Browser, &files).unwrap();
        let code = sheet(&bundle, "entry");
        let order: Vec<&str> =
            ["bottom:0", "right:0", "top:0"].into_iter().filter(|rule| code.contains(rule)).collect();
        let mut sorted = order.clone();
        sorted.sort_by_key(|rule| code.find(rule));
        assert_eq!((order.len(), &order), (3, &sorted), "{code}");
    }

    #[test]
    fn a_composed_sheet_stays_before_those_that_overrule_it() {
        let bundle = bundle_for(
            Platform::Browser,
            &[
                ("entry.js", "import './a.module.css';"),
                ("a.module.css", ".a{composes:d from './d.module.css';composes:s from './s.module.css'}"),
                ("d.module.css", ".d{composes:s from './s.module.css';top:1px}"),
                ("s.module.css", ".s{top:0}"),
            ],
        );
        let code = sheet(&bundle.unwrap(), "entry");
        assert!(code.find("top:0") < code.find("top:1px"), "{code}");
    }

    #[test]
    fn files_may_compose_each_other_and_classes_may_not() {
        let files: Files<'_> = &[
            ("a.module.css", ".a{composes:b from './b.module.css'}.c{top:0}"),
            ("b.module.css", ".b{composes:c from './a.module.css'}"),
        ];
        assert_eq!(names(files, "a.a"), ["a", "b", "c"]);
        let told = refused(&[
            ("entry.js", "import './a.module.css';"),
            ("a.module.css", ".a{composes:b from './b.module.css'}"),
            ("b.module.css", ".b{\n  composes: a from './a.module.css'}"),
        ]);
        assert!(told.iter().any(|told| told.starts_with("b.module.css:2:3 `a` is composed of itself")), "{told:?}");
    }

    #[test]
    fn what_cannot_be_composed_is_told_with_its_place() {
        let told = refused(&[
            ("entry.js", "import './a.module.css';"),
            (
                "a.module.css",
                ".a{\n composes: botton from './b.module.css';\n composes: x from './c.css';\n composes: y from './none.module.css';\n composes: z;\n}",
            ),
            ("b.module.css", ".button{top:0}"),
            ("c.css", ".x{top:0}"),
        ]);
        assert_eq!(told.len(), 4, "{told:?}");
        for (index, expected) in [
            "a.module.css:2:2 the class `botton` does not exist in b.module.css; did you mean `button`?",
            "a.module.css:3:2 `c.css` is not a CSS module",
            "a.module.css:4:2 cannot find `./none.module.css`",
            "a.module.css:5:2 the class `z` does not exist in a.module.css",
        ]
        .into_iter()
        .enumerate()
        {
            assert!(told[index].starts_with(expected), "{told:?}");
        }
    }

    #[test]
    fn any_name_can_be_a_class() {
        let files: Files<'_> =
            &[("a.module.css", ".class{top:0}.__proto__{top:0}.a-b{top:0}.default{top:0}.\\31 0{top:0}.ü{top:0}")];
        assert_eq!(names(files, "a.class"), ["class"]);
        assert_eq!(names(files, "a['a-b'] + ' ' + all['a-b']"), ["a-b", "a-b"]);
        assert_eq!(names(files, "a.default + ' ' + a['10'] + ' ' + a.ü"), ["default", "10", "ü"]);
        assert_eq!(names(files, "Object.hasOwn(a, '__proto__')"), ["true"]);
    }
}

mod order {
    use std::{collections::BTreeMap, sync::Arc};

    use super::{Bundle, Entry, Files, Memory, Options, Platform, Sources, built, told};

    /// The rules of the sheets that a page's document links, in order.
    fn rules(bundle: &Bundle, page: &str) -> Vec<String> {
        let sheets = bundle.entry_styles.iter().flatten().chain(&bundle.lazy[page].styles);
        text(bundle, sheets)
    }

    /// The rules in these files.
    fn text<'s>(bundle: &Bundle, sheets: impl Iterator<Item = &'s Arc<str>>) -> Vec<String> {
        let text =
            |sheet: &Arc<str>| bundle.assets.iter().find(|asset| *asset.file_name == **sheet).unwrap().bytes.to_vec();
        let code: String = sheets.map(|sheet| String::from_utf8(text(sheet)).unwrap()).collect();
        code.split("{top:0}").map(|rule| rule.trim().to_owned()).filter(|rule| !rule.is_empty()).collect()
    }

    fn pages(imports: &[(&str, &[&str])]) -> Bundle {
        let loads: Vec<String> = imports.iter().map(|(page, _)| format!("import('./{page}.js');")).collect();
        let loads = loads.concat();
        let mut files = vec![("entry.js".to_owned(), format!("import './base.css'; {loads}"))];
        let mut sheets = vec!["base"];
        for (page, imported) in imports {
            let code: Vec<String> = imported.iter().map(|sheet| format!("import './{sheet}.css';")).collect();
            let code = code.concat();
            files.push((format!("{page}.js"), format!("{code} export const {page} = '{page}';")));
            sheets.extend(*imported);
        }
        files.extend(sheets.iter().map(|sheet| (format!("{sheet}.css"), format!("{sheet}{{top:0}}"))));
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        built(&files)
    }

    #[test]
    fn a_pages_sheets_are_in_the_order_of_its_imports() {
        let bundle = pages(&[("A", &["a", "shared"]), ("B", &["shared", "b"])]);
        assert_eq!(rules(&bundle, "A.js"), ["base", "a", "shared"]);
        assert_eq!(rules(&bundle, "B.js"), ["base", "shared", "b"]);
    }

    #[test]
    fn what_the_entry_has_comes_first_and_once() {
        let bundle = pages(&[("A", &["a", "base"]), ("B", &["base", "b"])]);
        assert_eq!(rules(&bundle, "A.js"), ["base", "a"]);
        assert_eq!(rules(&bundle, "B.js"), ["base", "b"]);
    }

    #[test]
    fn sheets_shared_by_some_pages_keep_their_order_on_each() {
        let bundle = pages(&[("A", &["x", "y", "a"]), ("B", &["y", "z", "b"]), ("C", &["x", "z", "c"])]);
        assert_eq!(rules(&bundle, "A.js"), ["base", "x", "y", "a"]);
        assert_eq!(rules(&bundle, "B.js"), ["base", "y", "z", "b"]);
        assert_eq!(rules(&bundle, "C.js"), ["base", "x", "z", "c"]);
    }

    #[test]
    fn a_sheet_that_comes_between_those_of_one_chunk_stays_there() {
        let bundle = pages(&[("A", &["a1", "a2", "shared", "a3", "a4"]), ("B", &["shared"])]);
        assert_eq!(rules(&bundle, "A.js"), ["base", "a1", "a2", "shared", "a3", "a4"]);
        assert_eq!(bundle.lazy["A.js"].styles.len(), 3);
        let bundle = pages(&[("A", &["x", "a", "y"]), ("B", &["x", "y"])]);
        assert_eq!(rules(&bundle, "A.js"), ["base", "x", "a", "y"]);
        assert_eq!(rules(&bundle, "B.js"), ["base", "x", "y"]);
        assert!(bundle.warnings.is_empty());
    }

    #[test]
    fn one_order_of_all_sheets_is_that_of_every_page() {
        // Whoever comes from A to B has `a` before `b`, but C wants them the other way round.
        let bundle = pages(&[("A", &["a", "x"]), ("B", &["b", "y"]), ("C", &["b", "a"]), ("D", &["x", "z", "y"])]);
        assert!(bundle.warnings.is_empty());
        assert_eq!(rules(&bundle, "A.js"), ["base", "a", "x"]);
        assert_eq!(rules(&bundle, "C.js"), ["base", "b", "a"]);
        assert_eq!(rules(&bundle, "D.js"), ["base", "x", "z", "y"]);
        // The places that the loader is told.
        let code: String = bundle.chunks.iter().map(|chunk| &*chunk.code).collect();
        let place = |sheet: &Arc<str>| {
            let name = sheet.strip_prefix("assets/").unwrap();
            let after = code.split(name).nth(1).unwrap().trim_start_matches(['"', '`', ':', ' ']);
            after.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<usize>().unwrap()
        };
        for page in ["A.js", "B.js", "C.js", "D.js"] {
            let places: Vec<usize> = bundle.lazy[page].styles.iter().map(place).collect();
            assert!(places.is_sorted(), "{page}: {places:?} in {code}");
        }
    }

    #[test]
    fn opposite_orders_have_the_order_of_the_first_page_and_are_told() {
        let bundle = pages(&[("A", &["x", "between", "y"]), ("B", &["y", "x"]), ("C", &["y", "x"])]);
        assert_eq!(rules(&bundle, "A.js"), ["base", "x", "between", "y"]);
        assert_eq!(rules(&bundle, "B.js"), ["base", "x", "y"]);
        let warnings = told(&bundle.warnings);
        assert_eq!(
            warnings[0],
            "B.js:1:25 `y.css` is imported before `x.css` here, but comes after it on every page; \
             import the two in the same order everywhere, or put the rules that must win into a later `@layer`"
        );
        let (place, text) = &bundle.warnings[0].related[0];
        assert_eq!(
            (place.to_string().as_str(), text.english()),
            ("A.js:1:48", "here `y.css` is imported after `x.css`")
        );
        assert_eq!(warnings.len(), 2, "{warnings:?}");
    }

    #[test]
    fn orders_of_three_pages_that_contradict_each_other_are_told() {
        let bundle = pages(&[("A", &["x", "y"]), ("B", &["y", "z"]), ("C", &["z", "x"])]);
        assert_eq!(rules(&bundle, "C.js"), ["base", "x", "z"]);
        let warnings = told(&bundle.warnings);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].starts_with("C.js:1:25 `z.css` is imported before `x.css` here"), "{warnings:?}");
        assert!(bundle.warnings[0].related.is_empty());
    }

    #[test]
    fn css_modules_in_opposite_orders_are_nothing_to_talk_about() {
        let bundle = built(&[
            ("entry.js", "import('./A.js'); import('./B.js');"),
            ("A.js", "import './x.module.css'; import './y.module.css'; export const a = 1;"),
            ("B.js", "import './y.module.css'; import './x.module.css'; export const b = 1;"),
            ("x.module.css", ".x{top:0}"),
            ("y.module.css", ".y{top:0}"),
        ]);
        assert!(bundle.warnings.is_empty());
    }

    #[test]
    fn every_entry_has_its_own_order() {
        let files = [
            ("/p/a.js", "import './x.css'; import './y.css'; import('./lazy.js'); console.log(1);"),
            ("/p/b.js", "import './y.css'; import './own.css'; import './z.css'; import('./lazy.js'); console.log(2);"),
            ("/p/lazy.js", "import './x.css'; import './z.css'; export const lazy = 1;"),
            ("/p/x.css", "x{top:0}"),
            ("/p/y.css", "y{top:0}"),
            ("/p/z.css", "z{top:0}"),
            ("/p/own.css", "own{top:0}"),
        ];
        let sources: Arc<dyn Sources> = Arc::new(Memory::new(files));
        let options = Options { minify_sheets: true, ..Options::new("/p", "/p", Platform::Browser) };
        let entry = |name: &str| Entry { name: name.to_owned(), module: format!("./{name}.js") };
        let bundle = portalgen_bundle::bundle(&sources, &options, &[entry("a"), entry("b")], &BTreeMap::new()).unwrap();
        let rules = |styles: &[Arc<str>]| text(&bundle, styles.iter());
        assert_eq!(rules(&bundle.entry_styles[0]), ["x", "y"]);
        assert_eq!(rules(&bundle.entry_styles[1]), ["y", "own", "z"]);
        // Which of the two entries asked for it is not known: it brings what one of them lacks.
        assert_eq!(rules(&bundle.lazy["lazy.js"].styles), ["x", "z"]);
    }

    #[test]
    fn a_sheet_two_imports_below_a_lazy_page_is_loaded_with_it() {
        let files: Files<'_> = &[
            ("entry.js", "import('./A.js');"),
            ("A.js", "import './b.js'; export const a = 1;"),
            ("b.js", "import './b.css'; export const b = 1;"),
            ("b.css", "@import './c.css'; b{top:0}"),
            ("c.css", "@import './d.css'; c{top:0}"),
            ("d.css", "d{top:0}"),
        ];
        let bundle = built(files);
        assert_eq!(rules(&bundle, "A.js"), ["d", "c", "b"]);
        let entry = &bundle.chunks[bundle.entries[0]];
        for sheet in &bundle.lazy["A.js"].styles {
            assert!(entry.code.contains(sheet.strip_prefix("assets/").unwrap()), "{}", entry.code);
        }
    }
}
