//! What inputs are fed to.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    source::{Memory, Sources},
    store::{self, Results},
};
use portalgen_build::{
    metadata::Icons,
    pipeline::REGEX_JUDGE,
    shell::{PageShell, Shells, StubShell},
};
use portalgen_bundle::{Bundle, Entry, Options, Platform};
use portalgen_engine::Limits;
use portalgen_portal::{IconSource, Overrides, titles};

use crate::support::programs::program_of_bundle;

/// What an input stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Routes,
    Template,
    Page,
    StyleSheet,
    Table,
    Drawing,
}

/// What became of an input.
pub(crate) enum Verdict {
    Accepted(Vec<Diagnostic>),
    Refused(Vec<Diagnostic>),
}

const ROOT: &str = "/portal";

/// A portal that is in order but for the input.
pub(crate) const ROUTES: &str = "\
[portal]
product = \"Acme\"
host = \"https://chat.acme.example\"
origin = \"https://www.acme.example\"
base = \"/app/\"
lang = \"zh-CN\"
allow_hosts = [\"*.partner.example\", \"pay.example:8443\"]

[not_found]
title = \"页面不存在\"

[check]
duplicate-title = \"error\"
long-title = \"off\"

[[route]]
path = \"/\"
title = \"首页 — {product}\"
description = \"我们是谁，做什么。\"

[[route]]
path = \"/关于 我们\"
name = \"about\"
title = 'About'
component = \"pages/about.tsx\"
noindex = true

[[route]]
path = \"/login\"
redirect = \"{host}/login?from=portal#top\"

[[route]]
path = \"/old\"
redirect = \"/login\"
";

fn path(name: &str) -> PathBuf {
    Path::new(ROOT).join(name)
}

fn memory(files: &[(&str, &[u8])]) -> Memory {
    Memory::new(files.iter().map(|(name, bytes)| (path(name), bytes.to_vec())))
}

impl Kind {
    pub(crate) fn judge(self, input: &[u8]) -> Verdict {
        match self {
            Self::Routes => routes(input),
            Self::Template => template(input),
            Self::Page => script(&[("entry.tsx", input)]),
            Self::StyleSheet => script(&[
                ("entry.tsx", b"import './a.css'; import * as m from './m.module.css'; export { m };"),
                ("a.css", input),
                ("m.module.css", input),
            ]),
            Self::Table => table(input),
            Self::Drawing => drawing(input),
        }
    }
}

fn routes(input: &[u8]) -> Verdict {
    let sources = memory(&[("routes.toml", input), ("site/pages/index.tsx", b""), ("site/pages/about.tsx", b"")]);
    match portalgen_portal::load(&sources, Path::new(ROOT), &Overrides::default()) {
        Ok((portal, mut warnings)) => {
            warnings.extend(portalgen_build::check::texts(&portal));
            Verdict::Accepted(warnings)
        }
        Err(found) => Verdict::Refused(found),
    }
}

fn table(input: &[u8]) -> Verdict {
    let sources = memory(&[("site/pages/index.tsx", b""), ("site/pages/about.tsx", b"")]);
    let (portal, _) = portalgen_portal::load_text(ROUTES, &sources, Path::new(ROOT), &Overrides::default()).unwrap();
    match titles::import("t.csv", input, &portal) {
        Ok(import) => Verdict::Accepted(import.warnings),
        Err(found) => Verdict::Refused(found),
    }
}

/// Makes icons of an SVG.
fn drawing(input: &[u8]) -> Verdict {
    let routes = SourceText::new("routes.toml", "icon = \"icon.svg\"");
    let source = IconSource { file: path("site/icon.svg"), place: Place::new(&routes, 7..17) };
    let known = Results::in_memory(store::Kind::Icons);
    match Icons::make(&memory(&[("site/icon.svg", input)]), Path::new(ROOT), &source, None, &known) {
        Ok(_) => Verdict::Accepted(Vec::new()),
        Err(found) => Verdict::Refused(found),
    }
}

fn template(input: &[u8]) -> Verdict {
    let name = if input.len().is_multiple_of(2) { "templates/shell.html" } else { "templates/redirect.html" };
    let shells = match Shells::load(&memory(&[(name, input)]), Path::new(ROOT)) {
        Ok(shells) => shells,
        Err(found) => return Verdict::Refused(found),
    };
    let page =
        PageShell { lang: "zh-CN", title: "关于 <&>", base: "/app/", html: "<p>x</p>", ..PageShell::default() };
    let stub =
        StubShell { lang: "en", title: "\"'", target: "/app/x/?a=1&b", script: "/app/r.js", ..StubShell::default() };
    let found: Vec<Diagnostic> = [shells.page(&page).err(), shells.stub(&stub).err()].into_iter().flatten().collect();
    if found.is_empty() { Verdict::Accepted(found) } else { Verdict::Refused(found) }
}

/// Bundles, and runs what comes of it.
fn script(files: &[(&str, &[u8])]) -> Verdict {
    let files = files.iter().map(|(name, bytes)| (path(name), bytes.to_vec()));
    let sources: Arc<dyn Sources> = Arc::new(Memory::new(files));
    let root = Path::new(ROOT);
    let options = Options { minify: true, regex_judge: REGEX_JUDGE, ..Options::new(root, root, Platform::Browser) };
    let entry = Entry { name: "entry".to_owned(), module: path("entry.tsx").to_string_lossy().into_owned() };
    match portalgen_bundle::bundle(&sources, &options, &[entry], &BTreeMap::new()) {
        Ok(bundle) => {
            run(&bundle);
            Verdict::Accepted(bundle.warnings)
        }
        Err(found) => Verdict::Refused(found),
    }
}

/// What the code does is its own business, as long as it ends.
fn run(bundle: &Bundle) {
    let limits = Limits { memory: 32 << 20, deadline: Duration::from_millis(200), ..Limits::default() };
    if let Ok(program) = program_of_bundle(bundle) {
        let _ = program.call("render", &[], &limits);
    }
}
