//! Routes from their sections, each checked by itself.

use std::path::PathBuf;

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    invisible,
    rules::Rule,
    text::{text, write},
};

use super::{
    budget::{Limit, Size},
    findings::Findings,
    keys::{NotFoundSection, RouteSection, STATUSES},
    language,
    path::{self, RoutePath},
    portal::{NotFound, Places, Route, RouteKind},
    recovery,
    redirect_target::{self, Known, RedirectTarget},
    signs,
    site::ShareImage,
    site_files::SiteFiles,
    template::{self, Values},
    urls::Urls,
    value::{self, Problem, Value},
    wording,
};

/// A route on its way, with the values that later complaints are about.
pub(crate) struct Draft {
    pub(crate) route: Route,
    pub(crate) path_value: Value,
    pub(crate) name_value: Option<Value>,
    redirect_value: Option<Value>,
    /// Where a redirect leads in the end, as the file has it: with `{host}` not filled in.
    pub(crate) end: Option<String>,
    /// What the route names as its translations, in the order of the file.
    pub(crate) translations: Vec<(Value, RoutePath)>,
}

impl Draft {
    /// Where the route leads, when it is a redirect.
    pub(crate) fn redirect(&self) -> Option<&RedirectTarget> {
        self.route.redirect()
    }

    /// The value that says where the route leads.
    pub(crate) fn redirect_value(&self) -> Option<&Value> {
        self.redirect_value.as_ref()
    }

    /// Both, with the target to be changed.
    pub(crate) fn redirect_mut(&mut self) -> Option<(&Value, &mut RedirectTarget)> {
        match (&self.redirect_value, &mut self.route.kind) {
            (Some(value), RouteKind::Redirect { target, .. }) => Some((value, target)),
            _ => None,
        }
    }
}

/// Checks sections one by one.
pub(crate) struct Drafter<'a> {
    pub(crate) values: Values<'a>,
    pub(crate) urls: &'a Urls,
    pub(crate) lang: &'a str,
    pub(crate) product: Option<&'a str>,
    pub(crate) site: &'a mut SiteFiles,
    pub(crate) findings: &'a mut Findings,
    /// The routes of the file as far as their paths can be read, for advice.
    pub(crate) known: Vec<Known>,
}

impl Drafter<'_> {
    /// The routes whose path is known; what else is wrong with a route is in the findings.
    pub(crate) fn routes(&mut self, sections: &[RouteSection]) -> Vec<Draft> {
        self.known = sections.iter().filter_map(|section| self.known(section)).collect();
        let ends = sections.iter().skip(1).map(|next| next.header.span.start).chain([usize::MAX]);
        sections.iter().zip(ends).filter_map(|(section, end)| self.route(section, end)).collect()
    }

    fn known(&self, section: &RouteSection) -> Option<Known> {
        let path = template::fill(&section.path.as_ref()?.text, self.values).ok()?;
        let path = RoutePath::parse(&path).ok()?;
        let title = section.title.as_ref().map(|title| title.text.clone());
        Some(Known { path, title, is_retired: section.retired == Some(true) })
    }

    /// `end` is where the next route begins.
    fn route(&mut self, section: &RouteSection, end: usize) -> Option<Draft> {
        let Some(written) = &section.path else {
            if !self.findings.is_damaged_within(section.header.span.start..end) {
                self.findings.add(missing_path(section));
            }
            return None;
        };
        let path_value = self.filled(written);
        let name = self.text(section.name.as_ref());
        let title = self.text(section.title.as_ref());
        let description = self.text(section.description.as_ref());
        let path_value = path_value?;
        let path = self.path(&path_value)?;
        if let Some(problem) = wording::foreign(&written.text, self.values) {
            self.findings.add(written.warning(problem).under(Rule::ForeignPlaceholder));
        }
        let (kind, redirect_value) = self.kind(section, end, &path, &path_value);
        let translations = self.translations(section);
        let lang = self.understood(section.lang.as_ref(), |tag| language::check(tag).map(|()| tag.to_owned()));
        let budget = self.understood(section.budget.as_ref(), Size::parse).and_then(|size| {
            let place = section.budget.as_ref()?.place()?.clone();
            Some(Limit { size, place })
        });
        let image = section.image.as_ref().and_then(|image| ShareImage::read(image, self.site, self.findings));
        let title = title.or_else(|| self.product.map(str::to_owned)).unwrap_or_else(|| path.to_string());
        let noindex = section.noindex.unwrap_or(false);
        let written = |value: &Option<Value>| value.as_ref().and_then(Value::written);
        let places = Places {
            section: section.header.clone(),
            path: path_value.place().unwrap_or(&section.header).clone(),
            title: written(&section.title),
            description: written(&section.description),
            redirect: written(&section.redirect),
        };
        let name_value = section.name.clone();
        let route = Route {
            path,
            name,
            title,
            description,
            noindex,
            lang: lang.unwrap_or_else(|| self.lang.to_owned()),
            translations: Vec::new(),
            image,
            budget,
            kind,
            places,
        };
        let end = section.redirect.as_ref().map(|redirect| redirect.text.clone());
        Some(Draft { route, path_value, name_value, redirect_value, end, translations })
    }

    fn understood<T>(&mut self, value: Option<&Value>, parse: impl Fn(&str) -> Result<T, Problem>) -> Option<T> {
        let value = value?;
        self.findings.value(value::parsed(&value.text, parse).map_err(|problem| value.error(problem)))
    }

    fn translations(&mut self, section: &RouteSection) -> Vec<(Value, RoutePath)> {
        let written = section.translations.iter().flatten();
        let named = written.filter_map(|value| {
            let value = self.filled(value)?;
            let path = self.understood(Some(&value), RoutePath::parse)?;
            Some((value, path))
        });
        named.collect()
    }

    /// The not-found page, from its section or from its usual file.
    pub(crate) fn not_found(&mut self, section: Option<&NotFoundSection>) -> NotFound {
        let title = section.and_then(|section| section.title.as_ref());
        let title = self.text(title).unwrap_or_else(|| "404".to_owned());
        let component = match section.and_then(|section| section.component.as_ref()) {
            Some(value) => self.component(value),
            None => self.site.not_found(),
        };
        NotFound { title, component, place: section.map(|section| section.header.clone()) }
    }

    fn filled(&mut self, value: &Value) -> Option<Value> {
        self.findings.value(template::expand(value, self.values))
    }

    /// A text for people, values filled in.
    fn text(&mut self, value: Option<&Value>) -> Option<String> {
        let value = self.filled(value?)?;
        self.findings.value(check_text(&value.text).map_err(|problem| value.error(problem)))?;
        Some(value.text)
    }

    fn path(&mut self, value: &Value) -> Option<RoutePath> {
        let path = value::parsed(&value.text, RoutePath::parse);
        let path = path.map_err(|problem| self.unclaimed(value.error(problem).under(Rule::PathSyntax)));
        let path = self.findings.value(path)?;
        let reserved = path.reserved().map(|problem| self.unclaimed(value.error(problem).under(Rule::ReservedPath)));
        self.findings.value(reserved.map_or(Ok(()), Err))?;
        let objection = self.urls.objection(&path).map(|problem| value.error(problem).under(Rule::ReservedPath));
        self.findings.value(objection.map_or(Ok(()), Err))?;
        if let Some(problem) = path.unportable() {
            let found = if cfg!(windows) { value.error(problem) } else { value.warning(problem) };
            self.findings.add(found.under(Rule::UnportablePath));
        }
        Some(path)
    }

    /// The complaint about a path without the advice to write that of another route: there would be two of them.
    fn unclaimed(&self, found: Diagnostic) -> Diagnostic {
        if self.findings.are_many() {
            return found;
        }
        let hints = found.hints.into_iter().map(|hint| {
            let mut paths = self.known.iter().map(|known| known.path.readable());
            match paths.find(|path| hint == write(path.as_str())) {
                Some(path) => text!(
                    "there is a route `{path}` already: remove this one",
                    "已经有 `{path}` 这条路由了：请删掉这一条"
                ),
                None => hint,
            }
        });
        Diagnostic { hints: hints.collect(), ..found }
    }

    /// A route whose kind cannot be told becomes a page without a file: the build stops before anybody reads it.
    fn kind(
        &mut self,
        section: &RouteSection,
        end: usize,
        path: &RoutePath,
        path_value: &Value,
    ) -> (RouteKind, Option<Value>) {
        if let (Some(component), Some(redirect)) = (&section.component, &section.redirect) {
            self.findings.add(two_kinds(path, component, redirect));
        }
        if section.retired == Some(true) {
            if let Some(other) = section.component.as_ref().or(section.redirect.as_ref()) {
                self.findings.add(retired_but_there(path, other));
            }
            return (RouteKind::Retired, None);
        }
        if let Some(written) = &section.redirect {
            let (target, value) = self.target(written).unzip();
            let kind = target.map(|target| {
                let status = self.status(section, &target);
                RouteKind::Redirect { target, status }
            });
            return (kind.unwrap_or(RouteKind::Page { component: PathBuf::new() }), value);
        }
        if section.status.is_some() {
            self.findings.add(status_without_redirect(path_value));
        }
        let component = if let Some(value) = &section.component {
            self.component(value)
        } else if self.may_have_lost_its_kind(section, end) {
            None
        } else {
            self.page(path, path_value)
        };
        (RouteKind::Page { component: component.unwrap_or_default() }, None)
    }

    /// The file of a page by its path.
    fn page(&mut self, path: &RoutePath, path_value: &Value) -> Option<PathBuf> {
        let advise = !self.findings.are_many();
        let known = if advise { self.known.as_slice() } else { &[] };
        let is_route = |path: &RoutePath| known.iter().any(|known| known.path == *path);
        let twin = known.iter().map(|known| &known.path).find(|other| other.differs_by_case(path));
        match self.site.of_route(path, path_value, advise, &is_route) {
            Ok(component) => Some(component),
            // That there are two of them, and a page of one, is said of both.
            Err(_) if twin.is_some_and(|twin| self.site.has_page(twin)) => None,
            Err(found) => {
                let found = self.unclaimed(found);
                self.findings.add(found);
                None
            }
        }
    }

    /// Whether a line of the section that could not be read may say where the address leads.
    fn may_have_lost_its_kind(&self, section: &RouteSection, end: usize) -> bool {
        let Place { source, span } = &section.header;
        let rest = source.text.get(span.start..end.min(source.text.len())).unwrap_or_default();
        let mut at = span.start;
        rest.split_inclusive('\n').any(|line| {
            let range = at..at + line.len();
            at = range.end;
            self.findings.is_damaged_within(range) && recovery::names_kind(line)
        })
    }

    /// Browsers remember a permanent redirect for good. Within the portal that is right; where another host is in play,
    /// nobody can promise it.
    fn status(&mut self, section: &RouteSection, target: &RedirectTarget) -> u16 {
        let given = section.status.and_then(|status| u16::try_from(status).ok());
        match given.filter(|status| STATUSES.contains(&u32::from(*status))) {
            Some(status) => return status,
            None if section.status.is_some() => self.findings.add(no_redirecting_status(section)),
            None => {}
        }
        if matches!(target, RedirectTarget::External(_)) { 302 } else { 301 }
    }

    fn component(&mut self, value: &Value) -> Option<PathBuf> {
        let advise = !self.findings.are_many();
        self.findings.value(self.site.named(value, advise))
    }

    fn target(&mut self, written: &Value) -> Option<(RedirectTarget, Value)> {
        self.findings.value(
            redirect_target::check_host_use(&written.text).map_err(|problem| unsafe_redirect(written, problem)),
        )?;
        let value = self.filled(written)?;
        let known = if self.findings.are_many() { &[] } else { self.known.as_slice() };
        let target = value::parsed(&value.text, |text| RedirectTarget::parse(text, known));
        let target = target.map_err(|problem| unsafe_redirect(&value, problem));
        let target = self.findings.value(target)?;
        if matches!(target, RedirectTarget::External(_)) {
            self.findings.extend(full_width(written));
        }
        Some((target, value))
    }
}

/// The complaint about a URL with wide signs in it: browsers read those of a host as plain ones, and other programs do not.
pub(crate) fn full_width(url: &Value) -> Option<Diagnostic> {
    let narrow = signs::narrow_url(&url.text)?;
    let message = text!("this URL contains full-width characters", "这个网址里有全角字符");
    Some(url.warning(Problem::new(message).hint(write(narrow))).under(Rule::FullWidthUrl))
}

fn unsafe_redirect(value: &Value, problem: Problem) -> Diagnostic {
    value.error(problem).under(Rule::UnsafeRedirect)
}

/// Refuses what nobody can mean to show to a visitor.
///
/// # Errors
/// An empty text, one with space around it, and one with characters that cannot be seen.
pub fn check_text(text: &str) -> Result<(), Problem> {
    if text.trim().is_empty() {
        return Err(Problem::new(text!("this text is empty", "这里不能为空"))
            .hint(text!("write something, or remove the line", "请写上内容，或者删掉这一行")));
    }
    if let Some((at, c)) = text.char_indices().find(|(_, c)| invisible::Unseen::misleads_in_text(*c)) {
        return Err(path::unseen(c, text).at(at..at + c.len_utf8()));
    }
    path::check_spaces(text)
}

/// The header is where the missing line belongs; what the route has tells the reader which one it is.
fn missing_path(section: &RouteSection) -> Diagnostic {
    let error = Diagnostic::error(text!("this route has no `path`", "这个 `[[route]]` 没有写 `path`"))
        .at(section.header.clone());
    let known = section.title.as_ref().or(section.name.as_ref()).or(section.redirect.as_ref());
    let error = match known {
        Some(value) => value.relate(error, text!("part of this route", "属于这个 `[[route]]`")),
        None => error,
    };
    error.with_hint(text!(
        "add a line below `[[route]]`, such as `path = \"/about\"`",
        "请在 `[[route]]` 下面加一行，例如 `path = \"/about\"`"
    ))
}

fn two_kinds(path: &RoutePath, component: &Value, redirect: &Value) -> Diagnostic {
    let problem = Problem::new(text!("`{path}` has both a page and a redirect", "`{path}` 既有页面又有跳转"))
        .hint(text!("remove one of the two lines", "请删掉其中一行"));
    component.relate(redirect.error(problem), text!("the page", "页面"))
}

fn retired_but_there(path: &RoutePath, other: &Value) -> Diagnostic {
    let problem = text!("`{path}` is retired, but still has a page or a redirect", "`{path}` 已停用，却还有页面或跳转");
    other.error(Problem::new(problem).hint(text!("remove this line, or `retired`", "请删掉这一行，或者删掉 `retired`")))
}

fn status_without_redirect(path: &Value) -> Diagnostic {
    let problem = text!("`status` is only for redirects, but this is a page", "`status` 只用于跳转，而这是一个页面");
    path.error(Problem::new(problem).hint(text!("remove the line `status`", "请删掉 `status` 这一行")))
}

fn no_redirecting_status(section: &RouteSection) -> Diagnostic {
    Diagnostic::error(text!("this is not a redirect status", "这不是跳转用的状态码"))
        .at(section.header.clone())
        .with_hint(text!(
            "use 301 or 308 for permanent redirects, 302 or 307 for temporary ones",
            "永久跳转用 301 或 308，临时跳转用 302 或 307"
        ))
}
