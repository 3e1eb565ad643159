//! Links within the portal, and what documents embed, judged by what a server answers to them.

use std::collections::HashSet;

use percent_encoding::percent_decode_str;
use unicode_normalization::UnicodeNormalization;
use url::Url;

use portalgen_base::{
    diagnostic::Diagnostic,
    invisible::Unseen,
    rules::Rule,
    text::{self, Text, text},
};
use portalgen_portal::{Portal, RouteKind, RoutePath, check_escapes};
use portalgen_release::{
    html::{Destination, Document, Reference, has_part},
    output::{OutputKind, OutputSet},
    static_server::{self, Answer, NOT_FOUND},
};

use super::{
    literals::Spelling,
    pages::{Documents, Page},
    shorten,
};

/// How much of a path or an id must be as it was typed for it to have been meant: seven letters of ten.
const LEAST_SIMILARITY: f64 = 0.7;

/// What is wrong with an address that a page mentions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// Nothing is there.
    Missing { path: String, is_link: bool },
    /// It is relative to the address of the not-found page, which can be any.
    Adrift { path: String },
    /// The document has no part with that id.
    NoPart { file: String, id: String },
    /// It would be there below the base.
    BeforeBase { path: String, is_link: bool },
    /// It would be there with the base only once.
    BaseTwice { path: String },
}

impl Fault {
    /// The rule that is broken.
    pub(super) fn rule(&self) -> Rule {
        match self {
            Self::Missing { .. } | Self::Adrift { .. } => Rule::BrokenLink,
            Self::NoPart { .. } => Rule::BrokenAnchor,
            Self::BeforeBase { .. } | Self::BaseTwice { .. } => Rule::LinkWithoutBase,
        }
    }
}

/// What links are judged by.
pub(super) struct Links<'a> {
    pub(super) portal: &'a Portal,
    pub(super) output: &'a OutputSet,
    pub(super) documents: &'a Documents<'a>,
    /// Whether parts of documents are looked for, for which documents have to be read that are no pages.
    pub(super) looks_for_parts: bool,
}

/// Addresses that lead somewhere from every page: most are in the layout, and judging one takes longer than to remember it.
pub(super) type Fine = HashSet<String>;

impl Links<'_> {
    /// What is wrong with the addresses of a page, each with the address as the document has it. `fine` are those in which
    /// nothing was found to be wrong so far.
    pub(super) fn faults<'d>(&self, page: &Page<'_>, document: &'d Document, fine: &mut Fine) -> Vec<(Fault, &'d str)> {
        let base = document.base.as_deref().and_then(|base| page.address.join(base).ok());
        let has_base = base.is_some();
        let base = base.as_ref().unwrap_or(&page.address);
        let judge = |reference: &'d Reference| {
            let address = reference.address.as_str();
            if reference.destination == Destination::Form || fine.contains(address) {
                return None;
            }
            // What is no URL leads nowhere, but not within the portal.
            let url = base.join(address).ok().filter(|url| is_same_site(url, &page.address))?;
            let fault = self.judge((page, document), reference, &url);
            // From the root, an address leads to the same place wherever it stands.
            let is_of_all =
                address.starts_with('/') && !has_base && url.fragment().is_none() && !page.is_at(url.path());
            if fault.is_none() && is_of_all {
                fine.insert(address.to_owned());
            }
            Some((fault?, address))
        };
        document.references.iter().filter_map(judge).collect()
    }

    fn judge(&self, (page, document): (&Page<'_>, &Document), reference: &Reference, url: &Url) -> Option<Fault> {
        let path = url.path();
        let is_itself = page.is_at(path);
        let file = if is_itself {
            page.file.as_str()
        } else {
            match static_server::answer(self.output, &self.portal.urls, path) {
                Answer::File(file) | Answer::Redirect { file, .. } => file,
                Answer::Missing { .. } => return Some(self.missing(page, reference, path)),
                Answer::Outside => return self.outside(reference, path),
            }
        };
        let fragment = url.fragment().filter(|_| reference.is_link() && self.looks_for_parts)?;
        // Texts to look for are nothing that a document has to provide.
        let part = fragment.split_once(":~:").map_or(fragment, |(part, _)| part);
        let ids = if is_itself { &document.ids } else { self.documents.ids(file)? };
        let id = || percent_decode_str(part).decode_utf8_lossy().into_owned();
        (!has_part(ids, part)).then(|| Fault::NoPart { file: file.to_owned(), id: id() })
    }

    fn missing(&self, page: &Page<'_>, reference: &Reference, path: &str) -> Fault {
        if let Some(relative) = page.relative_from_unknown(path) {
            return Fault::Adrift { path: relative.to_owned() };
        }
        let path = path.to_owned();
        match self.below_base(&path).filter(|inside| self.is_there(inside)) {
            Some(_) => Fault::BaseTwice { path },
            None => Fault::Missing { path, is_link: reference.is_link() },
        }
    }

    /// Who names a host means what is there.
    fn outside(&self, reference: &Reference, path: &str) -> Option<Fault> {
        let names_host = reference.address.trim_start().starts_with("//") || Url::parse(&reference.address).is_ok();
        let is_below_base = !names_host && self.is_there(&self.with_base(path));
        is_below_base.then(|| Fault::BeforeBase { path: path.to_owned(), is_link: reference.is_link() })
    }

    /// The path of a file as links write it.
    fn address(&self, file: &str) -> String {
        let urls = &self.portal.urls;
        self.portal.route_of_document(file).map_or_else(|| urls.file(file), |route| urls.page(&route.path))
    }

    fn is_there(&self, path: &str) -> bool {
        static_server::answer(self.output, &self.portal.urls, path).file().is_some()
    }

    /// The path without the base that it begins with; none where the base is `/`.
    fn below_base<'p>(&self, path: &'p str) -> Option<&'p str> {
        let base = self.portal.urls.base.url();
        let folder = base.trim_end_matches('/');
        path.strip_prefix(folder).filter(|rest| !folder.is_empty() && rest.starts_with('/'))
    }

    fn with_base(&self, path: &str) -> String {
        format!("{}{}", self.portal.urls.base.url(), path.trim_start_matches('/'))
    }

    /// How somebody may have written an address that a document has, the likeliest first.
    pub(super) fn spellings(&self, address: &str, fault: Option<&Fault>) -> Vec<Spelling> {
        let (path, suffix) = address.split_at(address.find(['?', '#']).unwrap_or(address.len()));
        let mut paths = Vec::new();
        for path in [Some(path), self.below_base(path)].into_iter().flatten() {
            let without_slash = path.strip_suffix('/').filter(|path| !path.is_empty());
            for path in [Some(path), without_slash].into_iter().flatten() {
                paths.extend([Some(path.to_owned()), decoded(path)].into_iter().flatten());
            }
        }
        let suffixes: Vec<String> = [Some(suffix.to_owned()), decoded(suffix)].into_iter().flatten().collect();
        let mut whole: Vec<String> =
            paths.iter().flat_map(|path| suffixes.iter().map(move |suffix| format!("{path}{suffix}"))).collect();
        // Where the parts of an address are written apart, the wrong one is looked for.
        match fault {
            Some(Fault::NoPart { .. }) => whole.extend(suffixes),
            Some(Fault::Adrift { path }) => whole.push(path.clone()),
            _ => whole.extend(paths),
        }
        whole.into_iter().filter(|spelling| !spelling.is_empty()).map(Spelling::Whole).collect()
    }

    /// The output path of the asset at an address, if that is one.
    pub(super) fn asset(&self, address: &str) -> Option<String> {
        let file = static_server::answer(self.output, &self.portal.urls, address).file()?;
        self.output.get(file).filter(|output| output.kind == OutputKind::Asset)?;
        Some(file.to_owned())
    }

    /// The complaint about what was written somewhere, if that is known. `looks_further` allows for advice that takes time.
    pub(super) fn explain(&self, fault: &Fault, written: Option<&str>, looks_further: bool) -> Diagnostic {
        match fault {
            Fault::Missing { path, is_link } if self.is_retired(path) => retired(path, *is_link),
            Fault::Missing { path, is_link } => {
                let meant = self.meant(path, self.is_without_base(path, written), looks_further);
                missing(path, *is_link).with_hint(meant.unwrap_or_else(|| add_it(*is_link)))
            }
            Fault::Adrift { path } => self.adrift(path),
            Fault::NoPart { file, id } => self.no_part(file, id, looks_further),
            Fault::BeforeBase { path, is_link } => self.before_base(path, *is_link),
            Fault::BaseTwice { path } => self.base_twice(path, self.is_without_base(path, written)),
        }
    }

    /// Whether the address of a path was given up.
    fn is_retired(&self, path: &str) -> bool {
        let path = RoutePath::parse(without_slash(self.below_base(path).unwrap_or(path)));
        let route = path.ok().and_then(|path| self.portal.route(&path));
        route.is_some_and(|route| route.kind == RouteKind::Retired)
    }

    /// Whether somebody wrote a path without the base, which was put in front of it later.
    fn is_without_base(&self, path: &str, written: Option<&str>) -> bool {
        let plain = |path: &str| readable(without_slash(&path[..path.find(['?', '#']).unwrap_or(path.len())]));
        self.below_base(path).zip(written).is_some_and(|(inside, written)| plain(inside) == plain(written))
    }

    fn adrift(&self, path: &str) -> Diagnostic {
        let whole = self.with_base(path);
        let written = if self.is_there(&whole) { whole } else { self.with_base("…") };
        let (shown, written) = (if path.is_empty() { "..".to_owned() } else { readable(path) }, readable(&written));
        let message = text!(
            "`{shown}` is a relative link; the not-found page appears at any address, so it leads somewhere else each \
            time",
            "`{shown}` 是相对链接，而“页面不存在”页会出现在任意网址上，这个链接每次都会指向不同的地方"
        );
        Diagnostic::of(Rule::BrokenLink, message).with_hint(text!(
            "write the full path, starting with `/`: `{written}`",
            "请从开头的 `/` 起完整写出：`{written}`"
        ))
    }

    fn before_base(&self, path: &str, is_link: bool) -> Diagnostic {
        let (shown, base) = (readable(path), readable(&self.portal.urls.base.url()));
        let meant = readable(&self.with_base(path));
        let complaint = Diagnostic::of(
            Rule::LinkWithoutBase,
            text!(
                "`{shown}` leads out of the portal, which is served at `{base}`",
                "`{shown}` 指向门户之外：门户在 `{base}` 下"
            ),
        );
        if !is_link {
            return complaint.with_hint(text!(
                "write `{meant}`, or import the file",
                "请写成 `{meant}`，或者用 import 引入这个文件"
            ));
        }
        complaint
            .with_hint(text!(
                "write `{meant}`, or use `Link`, which adds the base",
                "请写成 `{meant}`，或者用 `Link`，它会自动加上 `base`"
            ))
            .with_hint(text!(
                "if the link is meant to leave the portal, include the host: `https://…`",
                "如果确实要指向门户之外，请写上站点：`https://…`"
            ))
    }

    fn base_twice(&self, path: &str, is_without_base: bool) -> Diagnostic {
        let (shown, base) = (readable(path), readable(&self.portal.urls.base.url()));
        let once = self.below_base(path).unwrap_or(path);
        let meant = if is_without_base { self.below_base(once).unwrap_or(once) } else { once };
        let message =
            text!("`{shown}` contains the base `{base}` twice", "`{shown}` 里的 `base`（`{base}`）出现了两次");
        let complaint = Diagnostic::of(Rule::LinkWithoutBase, message).with_hint(text::write(readable(meant)));
        if !is_without_base {
            return complaint;
        }
        complaint.with_hint(text!("`Link` adds the base by itself", "`Link` 会自动加上 `base`"))
    }

    /// What was probably meant by a path at which nothing is.
    fn meant(&self, path: &str, is_without_base: bool, looks_further: bool) -> Option<Text> {
        let Answer::Missing { similar } = static_server::answer(self.output, &self.portal.urls, path) else {
            return None;
        };
        let Some(file) = similar else {
            return looks_further.then(|| self.near(path, is_without_base).map(text::did_you_mean)).flatten();
        };
        let there = self.address(file);
        let there = if path.ends_with('/') { there.as_str() } else { without_slash(&there) };
        let meant = readable(self.below_base(there).filter(|_| is_without_base).unwrap_or(there));
        let (asked, there) = (readable(path), readable(there));
        let is_composition = asked.nfc().eq(there.nfc());
        let is_case =
            !is_composition && asked.nfc().flat_map(char::to_lowercase).eq(there.nfc().flat_map(char::to_lowercase));
        Some(if is_composition {
            text!(
                "`{meant}` exists and looks the same, but its accents are encoded differently: copy it from here",
                "有一个看起来一样的 `{meant}`，但带声调的字母编码方式不同：请从这里复制"
            )
        } else if is_case {
            text!("paths are case-sensitive: write `{meant}`", "大小写必须一致：请写成 `{meant}`")
        } else {
            text::write(meant)
        })
    }

    /// The route or file whose path is most like this one.
    fn near(&self, path: &str, is_without_base: bool) -> Option<String> {
        let typed = readable(without_slash(self.below_base(path).unwrap_or(path)));
        let routes = self.portal.routes.iter().map(|route| route.path.as_str().to_owned());
        let files = self.output.iter().filter(|(_, file)| file.kind == OutputKind::Data);
        let paths: Vec<String> = routes.chain(files.map(|(path, _)| format!("/{path}"))).collect();
        let meant = nearest(&typed, paths.iter().map(String::as_str)).or_else(|| self.below_page(&typed))?;
        let base = self.portal.urls.base.url();
        let folder = if is_without_base { "" } else { base.trim_end_matches('/') };
        Some(format!("{}{meant}", readable(folder)))
    }

    /// The route that a link without `/` at its start was meant to lead to: browsers look for it below the page.
    fn below_page<'t>(&self, typed: &'t str) -> Option<&'t str> {
        let mut rests = typed.match_indices('/').skip(1).map(|(at, _)| &typed[at..]);
        rests.find(|rest| RoutePath::parse(rest).is_ok_and(|path| self.portal.route(&path).is_some()))
    }

    fn no_part(&self, file: &str, id: &str, looks_further: bool) -> Diagnostic {
        let address = self.address(file);
        let page = self.below_base(&address).unwrap_or(&address);
        let page = if file == NOT_FOUND { NOT_FOUND.to_owned() } else { readable(without_slash(page)) };
        let shown = shorten(id);
        let complaint = Diagnostic::of(
            Rule::BrokenAnchor,
            text!("`{page}` has no element with the id `{shown}`", "`{page}` 里没有 id 为 `{shown}` 的元素"),
        );
        if let Some((part, query)) = id.split_once('?') {
            let query = shorten(query);
            return complaint.with_hint(text!(
                "the query comes before the `#`: `?{query}#{part}`",
                "查询参数要写在 `#` 前面：`?{query}#{part}`"
            ));
        }
        let ids = self.documents.ids(file).into_iter().flatten().map(String::as_str);
        let near = looks_further.then(|| nearest(id, ids)).flatten();
        complaint.with_hint(match near {
            Some(near) => text::did_you_mean(format_args!("#{near}")),
            None => {
                text!(
                    "give an element that `id`, or link to the page without it",
                    "请给对应的元素加上这个 `id`，或者只链接到页面"
                )
            }
        })
    }
}

fn missing(path: &str, is_link: bool) -> Diagnostic {
    let shown = readable(path);
    let message = if is_link {
        text!(
            "the link to `{shown}` is broken: no page or file has this address",
            "链接 `{shown}` 打不开：没有对应的页面或文件"
        )
    } else {
        text!("`{shown}` does not exist", "`{shown}` 不存在")
    };
    Diagnostic::of(Rule::BrokenLink, message)
}

fn retired(path: &str, is_link: bool) -> Diagnostic {
    let shown = readable(without_slash(path));
    missing(path, is_link).with_hint(text!(
        "`{shown}` is retired in routes.toml: remove the link or change it; if the old address should lead somewhere \
        else, write `redirect = \"…\"` instead of `retired = true`",
        "`{shown}` 在 routes.toml 里已经停用：请删掉这个链接，或者改成别的网址；如果访问旧网址的人应该转到别处，请把 \
        `retired = true` 换成 `redirect = \"…\"`"
    ))
}

fn add_it(is_link: bool) -> Text {
    if is_link {
        text!(
            "add a route with this path, or a file in `site/public`",
            "请为这个网址加一条 `[[route]]`，或者把文件放进 `site/public`"
        )
    } else {
        text!("put the file into `site/public`, or import it", "请把文件放进 `site/public`，或者用 import 引入")
    }
}

/// The candidate that a few slips of the fingers make of what was typed. Names of one folder begin alike, so that they do
/// says nothing.
fn nearest<'c>(typed: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let folded = typed.to_lowercase();
    candidates
        .map(|candidate| (strsim::normalized_damerau_levenshtein(&folded, &candidate.to_lowercase()), candidate))
        .filter(|(similarity, _)| *similarity > LEAST_SIMILARITY)
        .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))
        .map(|(_, candidate)| candidate)
}

/// Whether both are served by one host over one protocol.
fn is_same_site(a: &Url, b: &Url) -> bool {
    a.scheme() == b.scheme() && a.host_str() == b.host_str() && a.port_or_known_default() == b.port_or_known_default()
}

fn without_slash(path: &str) -> &str {
    path.strip_suffix('/').filter(|path| !path.is_empty()).unwrap_or(path)
}

/// What a part of an address stands for, if that is another text.
fn decoded(encoded: &str) -> Option<String> {
    check_escapes(encoded).ok()?;
    let decoded = percent_decode_str(encoded).decode_utf8().ok()?;
    (decoded != encoded).then(|| decoded.into_owned())
}

/// A path as people read it: decoded where that leaves no doubt.
fn readable(path: &str) -> String {
    let is_ambiguous = |c: char| c.is_whitespace() || "%?#/\\`".contains(c) || Unseen::of(c).is_some();
    let segments = path
        .split('/')
        .map(|raw| decoded(raw).filter(|text| !text.contains(is_ambiguous)).unwrap_or_else(|| raw.to_owned()));
    shorten(&segments.collect::<Vec<_>>().join("/"))
}
