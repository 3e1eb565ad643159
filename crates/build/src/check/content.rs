//! Pages that show nothing.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use rayon::prelude::*;

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    rules::{Rule, Severity},
    source::display_name,
    text::text,
    timing::Stage,
};
use portalgen_release::html::shown;

use super::{Subject, pages::Page};
use crate::head_elements;

/// How much a page may show beyond what is around another one before it is taken to show something of its own.
const FEW: usize = 3;

/// Packages that render all that they show in the first place.
const PLAIN: [&str; 4] = ["react", "react-dom", "react-router", "react-router-dom"];

/// A page that shows nothing of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// The layout leaves it out.
    LeftOut,
    /// Its component renders nothing that can be seen.
    Empty(PathBuf),
}

/// For each page, whether it shows nothing of its own.
///
/// What is around a page is known for sure once that is rendered without it, which is done for the pages that show little
/// more than is around the first one.
pub(super) fn faults(subject: &Subject<'_>, pages: &[Page<'_>]) -> Vec<Option<Fault>> {
    let around = pages.first().and_then(|page| subject.look.around(page.rendered_as));
    let common = around.as_ref().map(|around| body(&around.html)).unwrap_or_default();
    let stage = Stage::current();
    pages.par_iter().map(|page| stage.charge(|| fault(subject, page, &common))).collect()
}

type Shown<'h> = BTreeMap<&'h str, usize>;

fn body(html: &str) -> Shown<'_> {
    shown(head_elements::split(html).1)
}

/// How much of what is shown is not shown anyway.
fn beyond(shown: &Shown<'_>, common: &Shown<'_>) -> usize {
    shown.iter().map(|(what, count)| count.saturating_sub(common.get(what).copied().unwrap_or_default())).sum()
}

fn fault(subject: &Subject<'_>, page: &Page<'_>, common: &Shown<'_>) -> Option<Fault> {
    let component = page.component?;
    let rendered = subject.rendered.get(page.rendered_as)?.text();
    let shown = body(&rendered);
    if beyond(&shown, common) > FEW {
        return None;
    }
    let around = subject.look.around(page.rendered_as)?;
    let shows_nothing = beyond(&shown, &body(&around.html)) == 0;
    shows_nothing.then(|| if around.is_asked { Fault::Empty(component.to_owned()) } else { Fault::LeftOut })
}

impl Fault {
    /// The complaint. `written` are the names of the files that the page is made of.
    pub(super) fn explain(&self, subject: &Subject<'_>, written: &BTreeSet<String>) -> Diagnostic {
        match self {
            Self::LeftOut => left_out(subject, written),
            Self::Empty(component) => empty(subject, component, written),
        }
    }
}

fn left_out(subject: &Subject<'_>, written: &BTreeSet<String>) -> Diagnostic {
    let layout = written.iter().find(|name| name.starts_with("site/layout."));
    let name = layout.map_or("site/layout.tsx", String::as_str);
    let message = text!("`{name}` does not render the page", "`{name}` 没有渲染页面");
    let hint = text!("write `{{children}}` where the page belongs", "请在显示页面的位置写 `{{children}}`");
    at_component(subject, &subject.root.join(name), Diagnostic::of(Rule::EmptyPage, message).with_hint(hint))
}

fn empty(subject: &Subject<'_>, component: &Path, written: &BTreeSet<String>) -> Diagnostic {
    let name = display_name(subject.root, component);
    let message = text!("`{name}` renders nothing visible", "`{name}` 没有渲染出任何可见内容");
    let complaint = Diagnostic::of(Rule::EmptyPage, message);
    let complaint = if may_be_filled(subject, component, written) {
        let complaint = Diagnostic { severity: Severity::Warning, ..complaint };
        complaint.with_hint(text!(
            "if the content is loaded by a script, render something for visitors and search engines to see until \
            then; with `clientOnly`, pass it as the second argument",
            "如果内容由脚本加载，请先渲染加载前要显示的内容，供访问者和搜索引擎查看；用 `clientOnly` 时写在第二个参数\
            里"
        ))
    } else {
        complaint.with_hint(text!(
            "check that the component returns something: is a `return` missing?",
            "请检查组件是否返回了内容：是不是漏写了 `return`？"
        ))
    };
    at_component(subject, component, complaint)
}

/// Whether a script may put something into the page once it is in the browser.
fn may_be_filled(subject: &Subject<'_>, component: &Path, written: &BTreeSet<String>) -> bool {
    let later = ["portalgen:client-only", "useEffect", "useLayoutEffect", "useRef", "ref=", "createPortal"];
    let is_outside = |name: &&String| !name.starts_with("site/layout.") && !name.starts_with("templates/");
    let others = written.iter().filter(is_outside).map(|name| subject.root.join(name));
    let texts = others.chain([component.to_owned()]).filter_map(|file| subject.sources.read_to_string(&file).ok());
    texts.into_iter().any(|text| uses_package(&text) || later.iter().any(|word| text.contains(word)))
}

/// Whether code imports a package that may have effects of its own: editors and charts draw themselves in the browser.
fn uses_package(text: &str) -> bool {
    let specifiers = text.split("from ").skip(1).filter_map(|rest| {
        let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''))?;
        rest[1..].split(quote).next()
    });
    specifiers.map(|specifier| specifier.split('/').next().unwrap_or_default()).any(|package| {
        let is_name = package.trim_start_matches('@').starts_with(|first: char| first.is_ascii_alphanumeric());
        is_name && !package.contains(':') && !PLAIN.contains(&package)
    })
}

/// Points at what a file exports.
fn at_component(subject: &Subject<'_>, file: &Path, complaint: Diagnostic) -> Diagnostic {
    let Ok(text) = subject.sources.read_to_string(file) else { return complaint };
    let start = text.find("export default").unwrap_or_default();
    let length = text[start..].find(['\n', '{']).unwrap_or(text.len() - start);
    let end = start + text[start..start + length].trim_end().len();
    complaint.at(Place::new(&SourceText::new(display_name(subject.root, file), text), start..end))
}
