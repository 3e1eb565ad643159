//! Inputs: files that are in order, and what chance makes of them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::kinds::{self, Kind};
use crate::support::{project::repository, random::Random};

/// The largest file that is taken as it is; larger ones are cut.
const LARGEST: usize = 20_000;

const TOML: &[&str] = &[
    "\"",
    "'",
    "=",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "\n",
    "\r",
    "\\",
    "#",
    ",",
    ".",
    "“",
    "”",
    "＝",
    "：",
    "【",
    "\0",
    "\u{202e}",
    "\u{feff}",
    "\u{200b}",
    "关",
    "👋",
    "[[route]]\n",
    "[route]\n",
    "[check]\n",
    "[portal]\n",
    "path = \"/\"\n",
    "path",
    "title = ",
    "{host}",
    "{product}",
    "{{",
    "/",
    "//",
    "..",
    "%",
    "%2F",
    "%e5",
    "\"\"\"",
    "'''",
    "1979-01-01",
    "true",
    "0x1f",
    "nan",
    "redirect = \"/old\"\n",
    "redirect = \"https://a.example\"\n",
    "component = \"../x\"\n",
    "portal.host = 1\n",
    "= [",
    "= {",
    "javascript:",
    "allow_hosts = [\"*.a.example\"]\n",
    "duplicate-title = \"off\"\n",
    "\\u0000",
    "\\e",
    "https://xn--",
    "аbc",
];
const TEMPLATE: &[&str] = &[
    "{{",
    "}}",
    "{%",
    "%}",
    "{#",
    "#}",
    "{{ html }}",
    "{{ title }}",
    "{{ nothing }}",
    "{% for x in range(100000) %}",
    "{% endfor %}",
    "{% if title %}",
    "{% else %}",
    "{% endif %}",
    "{% include \"shell.html\" %}",
    "{% extends \"redirect.html\" %}",
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "{% block a %}",
    "{% endblock %}",
    "|tojson",
    "|safe",
    "|upper",
    "|join",
    "{{ \"ab\" * 100000000 }}",
    "{{ title * 9999999999 }}",
    "{{ [1] * 100000000 }}",
    "{{ 1 / 0 }}",
    "{{ 9 ** 99999 }}",
    "{{ range(10000000)|list }}",
    "{% set x = x ~ x %}",
    "<div id=\"root\">",
    "</div>",
    "</head>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "\0",
    "\u{202e}",
    "关",
    "👋",
    "&amp;",
    "'",
    "\"",
    "{% raw %}",
    "{% for a in [1,2] recursive %}{{ loop([1,2]) }}",
];
const SCRIPT: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "</",
    "/>",
    "<a>",
    "</a>",
    "<>",
    "</>",
    "`",
    "${",
    "'",
    "\"",
    "\\",
    "/",
    "//",
    "/*",
    "*/",
    "=>",
    "...",
    "?.",
    "??",
    "**",
    "#",
    "@",
    "#x",
    "import ",
    "import x from './x';\n",
    "import('./y')",
    "export ",
    "export default ",
    "export * from './entry';\n",
    "export const render = () => ''\n",
    "await ",
    "async ",
    "function* ",
    "yield ",
    "class A { static { ",
    "enum E { A = 1, B = A << 2 }\n",
    "namespace N { export let a = 1 }\n",
    "declare ",
    "abstract ",
    "type T = ",
    "as const",
    "satisfies ",
    "let ",
    "var ",
    "const ",
    "using ",
    "new ",
    "super",
    "this",
    "arguments",
    "eval",
    "for (;;) {",
    "while (true) {",
    "if (",
    "switch (",
    "label: ",
    "break ",
    "continue ",
    "return ",
    "throw ",
    "try {",
    "} catch {",
    "} finally {",
    "delete ",
    "typeof ",
    "void ",
    "in ",
    "of ",
    "require('./z')",
    "module.exports = ",
    "process.env.NODE_ENV",
    "import.meta.url",
    "new URL('./a.png', import.meta.url)",
    "0n",
    "1_0",
    "0x",
    "1e999",
    "\\u{110000}",
    "\\u0061",
    "/(?<a>/u",
    "関",
    "\u{202e}",
    "\u{2028}",
    "\0",
    "'use strict';",
    "<!--",
    "-->",
    "with (a) ",
];
const STYLE: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ":",
    ";",
    ",",
    "@",
    "@import 'a.css';",
    "@import url(x) layer(y) supports(",
    "@media ",
    "@layer a, b;",
    "@container ",
    "@font-face {",
    "@keyframes ",
    "@property --x {",
    "@supports (",
    "@charset \"x\";",
    "@namespace ",
    "@scope (",
    ":is(",
    ":has(",
    "::before",
    "&",
    "& &",
    "& { & {",
    "url(",
    "url(data:,x)",
    "url(./x.png)",
    "var(--a",
    "calc(1px + ",
    "/*",
    "*/",
    "\"",
    "'",
    "\\",
    "\\0",
    "#",
    ".",
    "%",
    "!important",
    "composes: a from './m.module.css';",
    ":global(",
    ":local(",
    ":export {",
    "--x: {",
    "color: ",
    "oklch(",
    "color-mix(in srgb, ",
    "1e99px",
    "-",
    "--",
    "<!--",
    "-->",
    "関",
    "\0",
    "\u{202e}",
    "\n",
    "\r",
    "U+26",
];
const TABLE: &[&str] = &[
    ",",
    ";",
    "\t",
    "\"",
    "\"\"",
    "\n",
    "\r",
    "\r\n",
    "path",
    "title",
    "description",
    "路径",
    "标题",
    "/",
    "/about",
    "关于",
    "\0",
    "\u{202e}",
    "\u{feff}",
    "%",
    "{product}",
    "=1+1",
    " ",
];

const DRAWING: &[&str] = &[
    "<",
    ">",
    "/>",
    "\"",
    "=",
    "<g>",
    "</g>",
    "<svg>",
    "</svg>",
    "<defs>",
    "<use href=\"#a\"/>",
    "<g id=\"a\">",
    "<symbol id=\"a\" viewBox=\"0 0 0 0\">",
    "<rect width=\"1e38\" height=\"-1\"/>",
    "<circle r=\"9\" fill=\"url(#a)\" mask=\"url(#a)\" filter=\"url(#a)\"/>",
    "<pattern id=\"a\" width=\"1e-9\" height=\"1e-9\" patternUnits=\"userSpaceOnUse\">",
    "<linearGradient id=\"a\" href=\"#a\">",
    "<mask id=\"a\">",
    "<clipPath id=\"a\" clip-path=\"url(#a)\">",
    "<marker id=\"a\">",
    "<filter id=\"a\"><feGaussianBlur stdDeviation=\"1e9\"/></filter>",
    "<filter id=\"a\" width=\"1e9\" height=\"1e9\"><feMorphology radius=\"1e9\"/></filter>",
    "<filter id=\"a\"><feTurbulence baseFrequency=\"1e9\" numOctaves=\"999999999\"/></filter>",
    "<filter id=\"a\"><feConvolveMatrix order=\"99999\" kernelMatrix=\"1\"/></filter>",
    "<text>a</text>",
    "<image href=\"data:image/svg+xml,%3Csvg/%3E\"/>",
    "<style>* { fill: red; stroke-width: 1e30 }</style>",
    " transform=\"scale(1e30) rotate(nan) matrix(0 0 0 0 0 0)\"",
    " viewBox=\"0 0 1 1\"",
    " viewBox=\"0 0 1e38 1e-38\"",
    " width=\"0\"",
    " height=\"40000\"",
    " stroke=\"#000\" stroke-dasharray=\"1e-7\"",
    " d=\"M0 0L1e38 1e38A0 0 0 0 0 9 9zzzQ\"",
    " style=\"opacity:nan\"",
    "<!DOCTYPE svg [<!ENTITY a \"<g/><g/>\"><!ENTITY b \"&a;&a;&a;&b;\">]>",
    "&a;",
    "&b;",
    "<![CDATA[",
    "<!--",
    "-->",
    "\0",
    "\u{202e}",
    "关",
];

/// What inputs of a kind are made of.
pub(crate) struct Corpus {
    files: Vec<Vec<u8>>,
    pieces: &'static [&'static str],
}

impl Corpus {
    pub(crate) fn of(kind: Kind) -> Self {
        let repository = repository();
        let (files, pieces) = match kind {
            Kind::Routes => {
                (files(kinds::ROUTES, found(repository, &["routes.toml", "tests/fixtures/config"], &["toml"])), TOML)
            }
            Kind::Template => (found(repository, &["templates"], &["html"]), TEMPLATE),
            Kind::Page => {
                let folders = ["site/pages", "site/components", "crates/build/src/runtime", "tests/fixtures/bundle"];
                (found(repository, &folders, &["tsx", "ts", "js", "jsx", "mjs", "cjs"]), SCRIPT)
            }
            Kind::StyleSheet => {
                (found(repository, &["site/styles", "site/components", "tests/fixtures"], &["css"]), STYLE)
            }
            Kind::Table => {
                // In a column that nobody reads there is room for damage.
                let tables = [
                    "path,title,notes\r\n/,首页,ask Ann about it before the end of next week\r\n/about,关于,whatever it is\r\n",
                    "path,title,description\r\n/,首页,\"a, \"\"b\"\"\"\r\n/about,关于,\r\n",
                    "title;path\nx;/about\n",
                ];
                (tables.map(|table| table.as_bytes().to_vec()).to_vec(), TABLE)
            }
            Kind::Drawing => (found(repository, &["site/icon.svg", "site/assets", "src/init"], &["svg"]), DRAWING),
        };
        assert!(!files.is_empty(), "{kind:?}: no files to begin with");
        Self { files, pieces }
    }

    /// An input: usually a file with some damage, sometimes nothing but noise.
    pub(crate) fn input(&self, random: &mut Random) -> Vec<u8> {
        // The first file is in order; many of the others are not meant to be.
        let mut input = match random.below(100) {
            0..5 => Vec::new(),
            5..40 => self.files[0].clone(),
            _ => random.pick(&self.files).clone(),
        };
        if random.chance(5) {
            let length = random.below(300);
            input.extend((0..length).map(|_| byte(random)));
        }
        let most = if random.chance(60) { 2 } else { 9 };
        for _ in 0..random.below(most) {
            self.damage(&mut input, random);
        }
        input
    }

    fn damage(&self, input: &mut Vec<u8>, random: &mut Random) {
        let at = random.below(input.len() + 1);
        let end = (at + random.below(60)).min(input.len());
        match random.below(12) {
            0 => drop(input.drain(at..end)),
            1 => input.truncate(at),
            2 => insert(input, at, &[byte(random)]),
            3 if at < input.len() => input[at] ^= 1 << random.below(8),
            4 => {
                let copy = input[at..end].to_vec();
                let to = random.below(input.len() + 1);
                insert(input, to, &copy);
            }
            5 => {
                let other = random.pick(&self.files);
                let start = random.below(other.len() + 1);
                let part = other[start..(start + random.below(400)).min(other.len())].to_vec();
                insert(input, at, &part);
            }
            // What nests or repeats shows what recurses and what is quadratic.
            6 if random.chance(30) => {
                let times = random.below(3_000);
                let piece = random.pick(self.pieces).repeat(times);
                insert(input, at, piece.as_bytes());
            }
            _ => insert(input, at, random.pick(self.pieces).as_bytes()),
        }
    }
}

fn byte(random: &mut Random) -> u8 {
    u8::try_from(random.below(256)).unwrap()
}

fn insert(input: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    input.splice(at..at, bytes.iter().copied());
}

/// Further files behind one that is in order.
fn files(first: &str, others: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    std::iter::once(first.as_bytes().to_vec()).chain(others).collect()
}

/// Files with one of some extensions, in an order that is the same everywhere.
fn found(repository: &Path, places: &[&str], extensions: &[&str]) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut open: Vec<PathBuf> = places.iter().map(|place| repository.join(place)).collect();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
            open.extend(entries.filter(|path| path.file_name().is_none_or(|name| name != "node_modules")));
        } else if path.extension().is_some_and(|extension| extensions.iter().any(|known| *known == extension)) {
            paths.push(path);
        }
    }
    paths.sort();
    let cut = |path: &PathBuf| {
        let mut bytes = fs::read(path).unwrap();
        bytes.truncate(LARGEST);
        bytes
    };
    paths.iter().map(cut).collect()
}
