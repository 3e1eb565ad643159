//! The shape of `routes.toml`: which keys there are, where they may stand, and of which type they are.
//!
//! Written by hand instead of derived, because a derived reader stops at its first mistake. This one notes the mistake,
//! takes the value for what was probably meant, and reads on.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{findings::Findings, value::Value};
use crate::diagnostic::{Diagnostic, Place, SourceText, did_you_mean};

/// `routes.toml` as it was written: types are right, meaning is unchecked.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) portal: PortalSection,
    pub(crate) not_found: Option<NotFoundSection>,
    pub(crate) routes: Vec<RouteSection>,
    /// Whether all that stands where routes belong could be read as one.
    pub(crate) has_only_routes: bool,
}

/// `[portal]`
#[derive(Debug, Default)]
pub(crate) struct PortalSection {
    pub(crate) product: Option<Value>,
    pub(crate) host: Option<Value>,
    pub(crate) origin: Option<Value>,
    pub(crate) base: Option<Value>,
    pub(crate) lang: Option<Value>,
}

/// `[not_found]`
#[derive(Debug)]
pub(crate) struct NotFoundSection {
    pub(crate) header: Place,
    pub(crate) title: Option<Value>,
    pub(crate) component: Option<Value>,
}

/// `[[route]]`
#[derive(Debug)]
pub(crate) struct RouteSection {
    pub(crate) header: Place,
    pub(crate) path: Option<Value>,
    pub(crate) name: Option<Value>,
    pub(crate) title: Option<Value>,
    pub(crate) description: Option<Value>,
    pub(crate) noindex: Option<bool>,
    pub(crate) component: Option<Value>,
    pub(crate) redirect: Option<Value>,
}

const SECTIONS: &[&str] = &["portal", "not_found", "route"];
const PORTAL_KEYS: &[&str] = &["product", "host", "origin", "base", "lang"];
const NOT_FOUND_KEYS: &[&str] = &["title", "component"];
const ROUTE_KEYS: &[&str] = &["path", "name", "title", "description", "noindex", "component", "redirect"];

const SECTION_HINT: &str = "its name stands on a line of its own, its keys on the lines below";

/// How many headers with the same mistake are pointed out.
const REPEATED_SHOWN: usize = 8;

type Entry<'t> = &'t Spanned<DeValue<'t>>;
type Entries<'t> = BTreeMap<&'static str, Entry<'t>>;

/// Reads the tree of the file.
pub(crate) fn read(tree: &DeTable<'_>, source: &Arc<SourceText>, findings: &mut Findings) -> File {
    let mut reader = Reader { source, findings };
    let mut file =
        File { portal: PortalSection::default(), not_found: None, routes: Vec::new(), has_only_routes: true };
    for (key, value) in tree {
        let name = key.get_ref().as_ref();
        match reader.section(name, &key.span(), value) {
            Some("portal") => file.portal = reader.one("portal", value, Reader::portal).unwrap_or_default(),
            Some("not_found") => file.not_found = reader.one("not_found", value, Reader::not_found),
            Some(_) => match reader.routes(value) {
                Some(routes) => file.routes.extend(routes),
                None => file.has_only_routes = false,
            },
            None => {}
        }
    }
    file
}

struct Reader<'a> {
    source: &'a Arc<SourceText>,
    findings: &'a mut Findings,
}

impl Reader<'_> {
    /// The section that a top-level key stands for, after complaining when it is spelt in another way.
    fn section(&mut self, name: &str, span: &Range<usize>, value: Entry<'_>) -> Option<&'static str> {
        if let Some(known) = SECTIONS.iter().find(|known| **known == name) {
            return Some(known);
        }
        let is_section = matches!(value.get_ref(), DeValue::Table(_) | DeValue::Array(_));
        if !is_section {
            self.complain(span, outside(name));
            return None;
        }
        let meant = did_you_mean(name, SECTIONS.iter().copied());
        let error = Diagnostic::error(format!("there is no section called `{name}`"));
        let error = self.repeated(value).fold(error, |error, place| error.with_related(place, "here too"));
        self.complain(
            span,
            error.with_hint(match meant {
                Some(meant) => format!("did you mean `{}`?", header(meant)),
                None => "the sections are `[portal]`, `[not_found]` and `[[route]]`".to_owned(),
            }),
        );
        SECTIONS.iter().copied().find(|known| meant == Some(known))
    }

    /// The second and later headers of an array of sections, a few of them.
    fn repeated(&self, value: Entry<'_>) -> impl Iterator<Item = Place> {
        let items = value.get_ref().as_array().into_iter().flatten();
        items.skip(1).take(REPEATED_SHOWN).map(|item| self.place(&item.span()))
    }

    /// A section that the file can have once.
    fn one<T>(
        &mut self,
        name: &str,
        value: Entry<'_>,
        read: fn(&mut Self, &DeTable<'_>, Range<usize>) -> T,
    ) -> Option<T> {
        if let DeValue::Table(table) = value.get_ref() {
            return Some(read(self, table, value.span()));
        }
        let right = header(name);
        let DeValue::Array(array) = value.get_ref() else {
            self.complain(&value.span(), Diagnostic::error(format!("`{right}` is a section")).with_hint(SECTION_HINT));
            return None;
        };
        let error =
            Diagnostic::error(format!("`[{name}]` stands in single brackets")).with_hint(format!("write `{right}`"));
        self.complain(&value.span(), error);
        array.iter().find_map(|item| Some(read(self, item.get_ref().as_table()?, item.span())))
    }

    /// The routes; none when something else stands in their place.
    fn routes(&mut self, value: Entry<'_>) -> Option<Vec<RouteSection>> {
        match value.get_ref() {
            DeValue::Table(table) => {
                let error = Diagnostic::error("a route begins with double brackets").with_hint("write `[[route]]`");
                self.complain(&value.span(), error);
                Some(vec![self.route(table, value.span())])
            }
            DeValue::Array(items) => {
                let routes: Vec<_> = items.iter().filter_map(|item| self.item(item)).collect();
                (routes.len() == items.len()).then_some(routes)
            }
            _ => {
                self.complain(&value.span(), Diagnostic::error("`[[route]]` is a section").with_hint(SECTION_HINT));
                None
            }
        }
    }

    fn item(&mut self, item: Entry<'_>) -> Option<RouteSection> {
        if let DeValue::Table(table) = item.get_ref() {
            return Some(self.route(table, item.span()));
        }
        let hint = "each route begins with a line `[[route]]`";
        self.complain(&item.span(), Diagnostic::error("this is not a route").with_hint(hint));
        None
    }

    fn portal(&mut self, table: &DeTable<'_>, _span: Range<usize>) -> PortalSection {
        let entries = self.entries("`[portal]`", PORTAL_KEYS, table);
        PortalSection {
            product: self.text(&entries, "product"),
            host: self.text(&entries, "host"),
            origin: self.text(&entries, "origin"),
            base: self.text(&entries, "base"),
            lang: self.text(&entries, "lang"),
        }
    }

    fn not_found(&mut self, table: &DeTable<'_>, span: Range<usize>) -> NotFoundSection {
        let entries = self.entries("`[not_found]`", NOT_FOUND_KEYS, table);
        NotFoundSection {
            header: self.place(&span),
            title: self.text(&entries, "title"),
            component: self.text(&entries, "component"),
        }
    }

    fn route(&mut self, table: &DeTable<'_>, span: Range<usize>) -> RouteSection {
        let entries = self.entries("a route", ROUTE_KEYS, table);
        RouteSection {
            header: self.place(&span),
            path: self.text(&entries, "path"),
            name: self.text(&entries, "name"),
            title: self.text(&entries, "title"),
            description: self.text(&entries, "description"),
            noindex: self.flag(&entries, "noindex"),
            component: self.text(&entries, "component"),
            redirect: self.text(&entries, "redirect"),
        }
    }

    /// The known keys of a section. A key that is misspelt counts as the one it resembles, when that one is missing:
    /// so a slip gives one complaint, not two.
    fn entries<'t>(&mut self, section: &str, known: &[&'static str], table: &'t DeTable<'_>) -> Entries<'t> {
        let mut entries = Entries::new();
        let mut slips = Vec::new();
        for (key, value) in table {
            match known.iter().find(|known| **known == key.get_ref()) {
                Some(known) => _ = entries.insert(known, value),
                None => slips.push((key, value)),
            }
        }
        for (key, value) in slips {
            let meant = did_you_mean(key.get_ref(), known.iter().copied());
            self.complain(&key.span(), unknown_key(key.get_ref(), section, known, meant));
            if let Some(meant) = known.iter().find(|known| Some(**known) == meant) {
                entries.entry(meant).or_insert(value);
            }
        }
        entries
    }

    fn text(&mut self, entries: &Entries<'_>, key: &str) -> Option<Value> {
        let entry = entries.get(key)?;
        if let DeValue::String(text) = entry.get_ref() {
            return Some(Value::in_file(text.as_ref(), self.source, entry.span()));
        }
        let literal = &self.source.text[self.place(&entry.span()).span];
        let error = match entry.get_ref() {
            DeValue::Array(_) | DeValue::Table(_) => {
                Diagnostic::error(format!("`{key}` is a single text")).with_hint(format!("write `{key} = \"…\"`"))
            }
            _ => Diagnostic::error(format!("`{key}` is a text, which stands in quotes"))
                .with_hint(format!("write `{key} = \"{literal}\"`")),
        };
        self.mistyped(entry.span(), error);
        Some(Value::in_file(literal, self.source, entry.span()))
    }

    fn flag(&mut self, entries: &Entries<'_>, key: &str) -> Option<bool> {
        let entry = entries.get(key)?;
        if let DeValue::Boolean(value) = entry.get_ref() {
            return Some(*value);
        }
        let error = Diagnostic::error(format!("`{key}` is `true` or `false`, without quotes"));
        let text = entry.get_ref().as_str().unwrap_or_default().to_lowercase();
        let meant = if matches!(text.as_str(), "false" | "no" | "off" | "") { "false" } else { "true" };
        self.mistyped(entry.span(), error.with_hint(format!("write `{key} = {meant}`")));
        None
    }

    fn place(&self, span: &Range<usize>) -> Place {
        Place::new(self.source, span.clone())
    }

    fn complain(&mut self, span: &Range<usize>, error: Diagnostic) {
        let place = self.place(span);
        self.findings.add(error.at(place));
    }

    /// Whatever else is wrong with a value of the wrong type would only confuse.
    fn mistyped(&mut self, span: Range<usize>, error: Diagnostic) {
        let place = self.place(&span);
        self.findings.add_damage(error.at(place), span);
    }
}

fn header(section: &str) -> String {
    if section == "route" { "[[route]]".to_owned() } else { format!("[{section}]") }
}

/// A key above the first section, or below the wrong one.
fn outside(key: &str) -> Diagnostic {
    let error = Diagnostic::error(format!("`{key}` stands outside of every section"));
    let near = |keys: &[&'static str]| did_you_mean(key, keys.iter().copied()).is_some();
    if near(PORTAL_KEYS) {
        error.with_hint("move it below the line `[portal]`")
    } else if near(ROUTE_KEYS) {
        error.with_hint("move it below a line `[[route]]`")
    } else {
        error.with_hint("the sections are `[portal]`, `[not_found]` and `[[route]]`")
    }
}

fn unknown_key(key: &str, section: &str, known: &[&str], meant: Option<&str>) -> Diagnostic {
    let error = Diagnostic::error(format!("{section} has no key called `{key}`"));
    if let Some(meant) = meant {
        return error.with_hint(format!("did you mean `{meant}`?"));
    }
    let keys = known.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>();
    error.with_hint(format!("the keys are {}", keys.join(", ")))
}
