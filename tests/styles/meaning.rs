//! What is emitted means to browsers what the source does. Each of these was compared in Chromium, by what it makes of both.

use super::{built, one, sheet, told};

/// Declarations that come out as they were written, or nearly so.
#[test]
fn a_declaration_that_is_read_in_another_way_is_left_alone() {
    for declarations in [
        // Without a name, the shorthand still sets the rest.
        "animation:1s",
        "animation:none;animation-duration:1s",
        "text-decoration:red",
        "text-emphasis:red",
        // The width of `calc()` is cut off at 0, and a negative one is none.
        "width:calc(1px - 6px)",
        "line-height:calc(-2)",
        "margin:calc(0)",
        // Each of them is a property of its own, and is applied before `transform`.
        "translate:1px 2px;transform:scale(2)",
        "scale:2;transform:rotate(10deg)",
        // Words that every property takes are no names.
        "transition:initial;transition-delay:1s",
        // The last one counts.
        "transition:all 1s,all 2s",
        // The shorthand resets what follows it here.
        "transition:display 1s;transition-behavior:allow-discrete",
        "font:12px/1 serif;font-kerning:none",
        "font:condensed 12px serif",
        "place-self:center;justify-self:auto",
        // What one browser does not know another may.
        "color:red;color:new-function(1)",
        "filter:blur(1px);filter:new-function(1)",
        "color:light-dark(red,tan)",
        "color:red;color:light-dark(red,tan)",
        "font-stretch:calc(50% + 1px)",
        "opacity:calc(100% - 1px)",
    ] {
        let (code, warnings) = one(&format!("a{{{declarations}}}"));
        assert_eq!(code.replace("-webkit-text-decoration:red;", ""), format!("a{{{declarations}}}"));
        assert!(warnings.is_empty(), "{declarations}: {warnings:?}");
    }
}

#[test]
fn what_no_browser_takes_is_told_and_not_mended() {
    for (declaration, place, warning) in [
        ("height:100", 8, "`100` has no unit; write `100px`"),
        ("margin:0 5", 10, "`5` has no unit; write `5px`"),
        ("font:bold 12 serif", 11, "`12` has no unit; write `12px`"),
        ("transform:translate(10,20px)", 21, "`10` has no unit; write `10px`"),
        ("filter:blur(5)", 13, "`5` has no unit; write `5px`"),
        ("margin:calc(100% - 0) 0 -1.5", 25, "`-1.5` has no unit; write `-1.5px`"),
        ("transition:opacity 1s 0", 23, "`0` has no unit; write `0s`"),
        ("animation-delay:.3", 17, "`.3` has no unit; write `.3s`"),
        ("transform:rotate(90)", 18, "`90` has no unit; write `90deg`"),
        ("background:linear-gradient(45,red,tan)", 28, "`45` has no unit; write `45deg`"),
        ("width:calc(100% -1px)", 17, "`-` needs a space on both sides in `calc()`; write `… - 1px`"),
        ("padding:1px -2px", 13, "`padding` cannot be negative"),
        ("padding:0 auto", 9, "`auto` is not a valid value for `padding`"),
        ("transition-duration:-1s", 21, "`transition-duration` cannot be negative"),
        ("background:red,tan", 12, "only the last layer can have a colour"),
    ] {
        let (code, warnings) = one(&format!("a{{{declaration}}}"));
        assert_eq!(code, format!("a{{{declaration}}}"), "{declaration}");
        let expected = format!("x.css:1:{} browsers skip this declaration: {warning}", place + 2);
        assert_eq!(warnings, [expected], "{declaration}");
    }
}

#[test]
fn numbers_are_lengths_only_where_they_would_be() {
    for declaration in [
        "line-height:2",
        "tab-size:4",
        "flex:1 2 0",
        "border-image:url(\"data:,\") 1/2/3",
        "aspect-ratio:16/9",
        "font:12px/1.5 serif",
        "zoom:1.5",
        "scale:2",
        "margin:0",
        "--gap:5",
        "width:var(--gap,5)",
        "grid-area:1/2/3/4",
        "columns:2",
        "transform:scale(2)rotate(0)",
        "cx:5",
    ] {
        let (code, warnings) = one(&format!("a{{{declaration}}}"));
        assert_eq!(code, format!("a{{{declaration}}}"));
        assert!(warnings.is_empty(), "{declaration}: {warnings:?}");
    }
    let (code, warnings) = one("a{stroke-width:2;stroke-dasharray:5 2;stroke-dashoffset:1.5}");
    assert_eq!(code.replace("px", ""), "a{stroke-width:2;stroke-dasharray:5 2;stroke-dashoffset:1.5}");
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn comments_and_urls_are_no_values() {
    assert_eq!(one("a{margin:0/*/ 5 */}"), ("a{margin:0}".to_owned(), Vec::new()));
    let css = "a{background:url(\"data:x,(a)5\") no-repeat 5 5}";
    let (code, warnings) = one(css);
    assert_eq!(code, css);
    assert_eq!(warnings, ["x.css:1:43 browsers skip this declaration: `5` has no unit; write `5px`"]);
}

#[test]
fn what_is_skipped_overrules_nothing() {
    for (css, expected) in [
        ("a{height:5px;height:100}", "a{height:5px;height:100}"),
        ("a{padding:1px;padding:auto}", "a{padding:1px;padding:auto}"),
        ("a{padding:1px;padding-top:-2px}", "a{padding:1px;padding-top:-2px}"),
        ("@keyframes x{to{width:100;top:0}}", "@keyframes x{to{width:100;top:0}}"),
        ("@supports (width:1px){a{width:100}}", "@supports (width:1px){a{width:100}}"),
        (".o{.a{width:100}@media print{width:5}}", ".o .a{width:100}@media print{.o{width:5}}"),
        ("a{WIDTH:100!important}", "a{width:100!important}"),
    ] {
        assert_eq!(one(css).0, expected);
    }
}

#[test]
fn conditions_and_keyframes_without_a_unit_are_told() {
    let (code, warnings) = one("@media (max-width: 768){a{top:0}}b{top:0}");
    assert_eq!(code, "b{top:0}");
    assert_eq!(warnings, ["x.css:1:20 browsers skip this condition: `768` has no unit; write `768px`"]);
    let (code, warnings) =
        one("@container c (inline-size > 1){a{top:0}}@media (min-width:0) and (min-color:8){b{top:0}}");
    assert_eq!(code, "@media (width>=0) and (color>=8){b{top:0}}");
    assert_eq!(warnings, ["x.css:1:29 browsers skip this condition: `1` has no unit; write `1px`"]);
    let (code, warnings) = one("@media screen,(min-width:1){a{top:0}}");
    assert!(code.ends_with("{a{top:0}}"), "{code}");
    assert_eq!(warnings.len(), 1);
    let (code, _) = one("@media (max-width:1)\nor (min-height:1px){a{top:0}}");
    assert!(code.ends_with("{a{top:0}}"), "{code}");
    assert_eq!(one("@container notched (width > 1){a{top:0}}b{top:0}").0, "b{top:0}");
    let (code, warnings) = one("@keyframes x{0{top:0}to{top:1px}}");
    assert_eq!(code, "@keyframes x{to{top:1px}}");
    assert_eq!(warnings, ["x.css:1:14 browsers skip this keyframe: `0` has no unit; write `0%`"]);
}

#[test]
fn a_list_with_a_selector_that_browsers_may_not_know_stays_one() {
    for css in ["a,b::-moz-x{top:0}", ".a,.c{top:0}.a,:foo{left:0}", "p:dir(rtl){top:0}", "a,p:dir(rtl){top:0}"] {
        assert_eq!(one(css).0, css);
    }
}

#[test]
fn a_font_with_a_source_that_only_browsers_know_keeps_its_files() {
    for name in ["@font-face", "@FONT-FACE"] {
        let css = format!("{name}{{font-family:X;src:new-function(1),url(a.woff2)format(\"woff2\")}}");
        let files = [("entry.js", "import './x.css';"), ("x.css", &*css), ("a.woff2", "font")];
        let bundle = built(&files);
        assert!(told(&bundle.warnings).is_empty());
        let code = sheet(&bundle, "entry");
        assert!(code.contains("src:new-function(1),url(\"") && code.contains("),url(\"a-"), "{code}");
    }
}

#[test]
fn what_is_left_alone_in_sheets_of_packages_is_not_told() {
    let files = [("entry.js", "import 'p/x.css';"), ("node_modules/p/x.css", "a{height:100;animation:1s}")];
    let bundle = built(&files);
    assert!(told(&bundle.warnings).is_empty());
}
