//! The reader of the file's tree: its sections, with values of the right kind.
//!
//! Written by hand instead of derived, because a derived reader stops at its first mistake. This one notes the mistake,
//! takes the value for what was probably meant, and reads on.

use std::{
    collections::BTreeMap,
    ops::{Range, RangeInclusive},
    sync::Arc,
};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText, did_you_mean},
    rules::{Level, Levels, Rule},
    text::{self, Text, text, write},
};

use super::{
    findings::Findings,
    keys::{
        self, BudgetSection, BuildSection, DeploySection, DevSection, KeyReader, NotFoundSection, PortalSection,
        RouteSection, SECTIONS, Section, SecuritySection, SiteSection,
    },
    kind::{self, Kind},
    names, recovery,
    value::{Pairs, Value},
};

/// `routes.toml` as it was written: types are right, meaning is unchecked.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) portal: Option<PortalSection>,
    pub(crate) not_found: Option<NotFoundSection>,
    pub(crate) site: Option<SiteSection>,
    pub(crate) security: Option<SecuritySection>,
    pub(crate) build: Option<BuildSection>,
    pub(crate) budget: Option<BudgetSection>,
    pub(crate) deploy: Option<DeploySection>,
    pub(crate) dev: Option<DevSection>,
    pub(crate) check: CheckSection,
    pub(crate) routes: Vec<RouteSection>,
    /// Whether something stands where routes belong that could not be read as one.
    pub(crate) has_unreadable_routes: bool,
}

/// `[check]`
#[derive(Debug, Default)]
pub(crate) struct CheckSection {
    pub(crate) levels: Levels,
}

/// How many headers with the same mistake are pointed out.
const REPEATED_SHOWN: usize = 8;

/// A value of the tree.
type Node<'t> = &'t Spanned<DeValue<'t>>;

/// Reads the tree of the file.
pub(crate) fn read(tree: &DeTable<'_>, source: &Arc<SourceText>, findings: &mut Findings) -> File {
    let mut reader = Reader { source, findings };
    let mut file = File::default();
    for (key, value) in tree {
        let name = key.get_ref().as_ref();
        match reader.section(name, &key.span(), value) {
            Some("portal") => file.portal = reader.one("portal", value, Reader::keys),
            Some("not_found") => file.not_found = reader.one("not_found", value, Reader::keys),
            Some("site") => file.site = reader.one("site", value, Reader::keys),
            Some("security") => file.security = reader.one("security", value, Reader::keys),
            Some("build") => file.build = reader.one("build", value, Reader::keys),
            Some("budget") => file.budget = reader.one("budget", value, Reader::keys),
            Some("deploy") => file.deploy = reader.one("deploy", value, Reader::keys),
            Some("dev") => file.dev = reader.one("dev", value, Reader::keys),
            Some("check") => file.check = reader.one("check", value, CheckSection::read).unwrap_or_default(),
            Some(section) => match reader.routes(value, section == name) {
                Some(routes) => file.routes.extend(routes),
                None => file.has_unreadable_routes = true,
            },
            // What stands outside of every section may be a route's.
            None => file.has_unreadable_routes |= !is_section(value),
        }
    }
    // Those whose header was repaired come behind all others.
    file.routes.sort_by_key(|route| route.header.span.start);
    file
}

struct Reader<'a> {
    source: &'a Arc<SourceText>,
    findings: &'a mut Findings,
}

/// The values of one section by their keys.
struct Values<'r, 'a, 't> {
    reader: &'r mut Reader<'a>,
    values: BTreeMap<&'static str, Node<'t>>,
}

impl KeyReader for Values<'_, '_, '_> {
    fn text(&mut self, key: &str) -> Option<Value> {
        Some(self.reader.text(self.values.get(key)?, key))
    }

    fn flag(&mut self, key: &str) -> Option<bool> {
        self.reader.flag(self.values.get(key)?, key)
    }

    fn number(&mut self, key: &str) -> Option<u32> {
        self.reader.number(self.values.get(key)?, key, 0..=u32::MAX)
    }

    fn port(&mut self, key: &str) -> Option<u16> {
        self.reader.number(self.values.get(key)?, key, 1..=u16::MAX.into())?.try_into().ok()
    }

    fn texts(&mut self, key: &str) -> Option<Vec<Value>> {
        Some(self.reader.texts(self.values.get(key)?, key))
    }

    fn pairs(&mut self, key: &str) -> Option<Pairs> {
        Some(self.reader.pairs(self.values.get(key)?, key))
    }
}

impl Reader<'_> {
    /// The section that a top-level key stands for, after complaining when it is spelt in another way.
    fn section(&mut self, name: &str, span: &Range<usize>, value: Node<'_>) -> Option<&'static str> {
        if let Some(known) = SECTIONS.iter().find(|known| **known == name) {
            return Some(known);
        }
        // Only repairs write such names.
        if self.source.text.get(span.clone()) != Some(name)
            && let Some(known) = keys::section_of_brief(name)
        {
            return Some(known);
        }
        if !is_section(value) {
            self.complain(span, outside(name));
            return None;
        }
        let meant = recovery::section(name);
        let error = Diagnostic::error(keys::no_section_called(name));
        let here = || text!("here too", "这里也是");
        let error = self.repeated(value).fold(error, |error, place| error.with_related(place, here()));
        let hint = meant.map_or_else(keys::known_sections, |meant| text::did_you_mean(keys::header(meant)));
        self.complain(span, error.with_hint(hint));
        meant
    }

    /// The second and later headers of an array of sections, a few of them.
    fn repeated(&self, value: Node<'_>) -> impl Iterator<Item = Place> {
        let items = value.get_ref().as_array().into_iter().flatten();
        items.skip(1).take(REPEATED_SHOWN).map(|item| self.place(&item.span()))
    }

    /// A section that the file can have once.
    fn one<T>(
        &mut self,
        name: &str,
        value: Node<'_>,
        read: fn(&mut Self, &DeTable<'_>, Range<usize>) -> T,
    ) -> Option<T> {
        if let DeValue::Table(table) = value.get_ref() {
            return Some(read(self, table, value.span()));
        }
        let right = keys::header(name);
        let DeValue::Array(array) = value.get_ref() else {
            self.complain(&value.span(), no_section(&right));
            return None;
        };
        let error = Diagnostic::error(text!("`[{name}]` is written in single brackets", "`[{name}]` 只用一层方括号"));
        self.complain(&value.span(), error.with_hint(write(right)));
        array.iter().find_map(|item| Some(read(self, item.get_ref().as_table()?, item.span())))
    }

    /// The routes; none when something else stands in their place. If their name was misspelt, it has been told how to
    /// write it.
    fn routes(&mut self, value: Node<'_>, is_spelt: bool) -> Option<Vec<RouteSection>> {
        match value.get_ref() {
            DeValue::Table(table) => {
                let error =
                    Diagnostic::error(text!("routes are written in double brackets", "`[[route]]` 要用两层方括号"));
                if is_spelt {
                    self.complain(&value.span(), error.with_hint(write("[[route]]")));
                }
                Some(vec![self.keys(table, value.span())])
            }
            DeValue::Array(items) => {
                let routes: Vec<_> = items.iter().filter_map(|item| self.item(item)).collect();
                (routes.len() == items.len()).then_some(routes)
            }
            _ => {
                self.complain(&value.span(), no_section("[[route]]"));
                None
            }
        }
    }

    fn item(&mut self, item: Node<'_>) -> Option<RouteSection> {
        if let DeValue::Table(table) = item.get_ref() {
            return Some(self.keys(table, item.span()));
        }
        let error = Diagnostic::error(text!("this is not a route", "这里要写成 `[[route]]`"));
        let hint = text!("each route begins with a line `[[route]]`", "每个网址以单独一行 `[[route]]` 开头");
        self.complain(&item.span(), error.with_hint(hint));
        None
    }

    /// A section with fixed keys.
    fn keys<T: Section>(&mut self, table: &DeTable<'_>, span: Range<usize>) -> T {
        let header = self.place(&span);
        let values = self.values(T::HEADER, T::KEYS, table);
        T::read(&mut Values { reader: self, values }, header)
    }

    /// The values of the known keys of a section. A key that is misspelt counts as the one it resembles, when that one is
    /// missing: so a slip gives one complaint, not two.
    fn values<'t>(
        &mut self,
        header: &str,
        known: &[&'static str],
        table: &'t DeTable<'_>,
    ) -> BTreeMap<&'static str, Node<'t>> {
        let mut values = BTreeMap::new();
        let mut slips = Vec::new();
        for (key, value) in table {
            match known.iter().find(|known| **known == key.get_ref()) {
                Some(known) => _ = values.insert(*known, value),
                None => slips.push((key, value)),
            }
        }
        for (key, value) in slips {
            let meant = names::known(key.get_ref(), known.iter().copied());
            let error = match meant {
                Some(meant) => no_key(key.get_ref(), header).with_hint(text::did_you_mean(meant)),
                None if self.is_in_header(&key.span()) => nested(header),
                None => no_key(key.get_ref(), header).with_hint(advice_on(key.get_ref(), header, known)),
            };
            self.complain(&key.span(), error);
            if let Some(meant) = meant {
                values.entry(meant).or_insert(value);
            }
        }
        values
    }

    fn text(&mut self, node: Node<'_>, key: &str) -> Value {
        if let DeValue::String(text) = node.get_ref() {
            return Value::in_file(text.as_ref(), self.source, node.span());
        }
        let literal = self.literal(node);
        let error = match node.get_ref() {
            DeValue::Array(items) => several_texts(key, items),
            DeValue::Table(_) => Diagnostic::error(Kind::Text.mismatch(key)).with_hint(write(format!("{key} = \"…\""))),
            _ => {
                // A path that looks like a number or a day.
                let slash = if key == "path" { "/" } else { "" };
                Diagnostic::error(text!("`{key}` is text and must be in quotes", "`{key}` 是文字，要放在引号里"))
                    .with_hint(write(format!("{key} = \"{slash}{literal}\"")))
            }
        };
        self.mistyped(node.span(), error);
        Value::in_file(literal, self.source, node.span())
    }

    fn texts(&mut self, node: Node<'_>, key: &str) -> Vec<Value> {
        let DeValue::Array(items) = node.get_ref() else {
            let words = node.get_ref().as_str().map_or_else(|| vec!["…".to_owned()], recovery::items);
            let right = Kind::List.written(&words).unwrap_or_default();
            let error = Diagnostic::error(Kind::List.mismatch(key)).with_hint(write(format!("{key} = {right}")));
            self.mistyped(node.span(), error);
            return Vec::new();
        };
        items.iter().filter_map(|item| self.item_of_list(item, key)).collect()
    }

    fn item_of_list(&mut self, item: Node<'_>, key: &str) -> Option<Value> {
        if let DeValue::String(text) = item.get_ref() {
            return Some(Value::in_file(text.as_ref(), self.source, item.span()));
        }
        let literal = self.literal(item);
        let error = Diagnostic::error(text!(
            "each item of `{key}` is text and must be in quotes",
            "`{key}` 的每一项都是文字，要各自放在引号里"
        ));
        self.mistyped(item.span(), error.with_hint(write(format!("\"{literal}\""))));
        None
    }

    /// Texts by names, in the order of the file.
    fn pairs(&mut self, node: Node<'_>, key: &str) -> Pairs {
        let DeValue::Table(table) = node.get_ref() else {
            let header = text!(
                "put it below a line `[dev.{key}]`: `\"/api\" = \"http://localhost:8080\"`",
                "请先写一行 `[dev.{key}]`，再在下面写：`\"/api\" = \"http://localhost:8080\"`"
            );
            self.mistyped(node.span(), Diagnostic::error(Kind::Table.mismatch(key)).with_hint(header));
            return Pairs::default();
        };
        let pair = |(name, value): (&Spanned<_>, _)| {
            let text: &str = AsRef::as_ref(name.get_ref());
            let name = Value::in_file(text, self.source, name.span());
            let value = self.text(value, &format!("\"{text}\""));
            (name, value)
        };
        Pairs(table.iter().map(pair).collect())
    }

    fn flag(&mut self, node: Node<'_>, key: &str) -> Option<bool> {
        if let DeValue::Boolean(value) = node.get_ref() {
            return Some(*value);
        }
        let error = Diagnostic::error(Kind::Flag.mismatch(key));
        let words = node.get_ref().as_str().map_or_else(|| self.literal(node), str::to_owned);
        let meant = kind::meant_flag(&words).unwrap_or(true);
        self.mistyped(node.span(), error.with_hint(write(format!("{key} = {meant}"))));
        None
    }

    fn number(&mut self, node: Node<'_>, key: &str, range: RangeInclusive<u32>) -> Option<u32> {
        if let DeValue::Integer(number) = node.get_ref() {
            let read = u32::from_str_radix(number.as_str(), number.radix()).ok().filter(|read| range.contains(read));
            if read.is_none() {
                self.mistyped(node.span(), Diagnostic::error(kind::out_of_range(key, &range)));
            }
            return read;
        }
        let error = Diagnostic::error(Kind::Number.mismatch(key));
        let words = node.get_ref().as_str().map_or_else(|| self.literal(node), str::to_owned);
        let error = match Kind::Number.written(&[words]) {
            Some(number) => error.with_hint(write(format!("{key} = {number}"))),
            None => error,
        };
        self.mistyped(node.span(), error);
        None
    }

    fn place(&self, span: &Range<usize>) -> Place {
        Place::new(self.source, span.clone())
    }

    /// Whether a key stands in the brackets of a section.
    fn is_in_header(&self, span: &Range<usize>) -> bool {
        let before = &self.source.text[..self.place(span).span.start];
        before.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with('['))
    }

    /// The value as it was written.
    fn literal(&self, node: Node<'_>) -> String {
        self.source.text[self.place(&node.span()).span].to_owned()
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

impl CheckSection {
    fn read(reader: &mut Reader<'_>, table: &DeTable<'_>, _span: Range<usize>) -> Self {
        let mut levels = Levels::default();
        for (key, value) in table {
            if let Some((rule, level)) = reader.rule(key.get_ref(), &key.span()).zip(reader.level(value)) {
                levels.set(rule, level);
            }
        }
        Self { levels }
    }
}

impl Reader<'_> {
    /// A rule whose level may be changed.
    fn rule(&mut self, name: &str, span: &Range<usize>) -> Option<Rule> {
        let rule = Rule::of_name(name);
        let error = match rule {
            Some(rule) if rule.can_change() => return Some(rule),
            Some(_) => Diagnostic::error(text!(
                "`{name}` is always an error: without it the build would fail or be unsafe",
                "`{name}` 只能是错误：否则门户无法构建，或者不安全"
            ))
            .with_hint(text!("remove this line", "请删掉这一行")),
            None => unknown_rule(name),
        };
        self.complain(span, error);
        None
    }

    fn level(&mut self, node: Node<'_>) -> Option<Level> {
        let level = node.get_ref().as_str().and_then(Level::of_name);
        if level.is_none() {
            let names = Level::NAMES.map(|(name, _)| format!("`\"{name}\"`"));
            let [error, warning, off] = &names;
            let complaint = Diagnostic::error(text!(
                "the severity of a rule is {error}, {warning} or {off}",
                "规则的级别只能是 {error}、{warning} 或 {off}"
            ));
            let typed = node.get_ref().as_str().unwrap_or_default();
            let meant = match node.get_ref() {
                DeValue::Boolean(false) => Some("off"),
                _ => did_you_mean(typed, Level::NAMES.map(|(name, _)| name)),
            };
            let complaint = match meant {
                Some(meant) => complaint.with_hint(write(format!("\"{meant}\""))),
                None => complaint,
            };
            self.mistyped(node.span(), complaint);
        }
        level
    }
}

fn unknown_rule(name: &str) -> Diagnostic {
    let error = Diagnostic::error(text!("there is no rule `{name}`", "没有 `{name}` 这条规则"));
    let known: Vec<&str> = Rule::ALL.iter().filter(|rule| rule.can_change()).map(|rule| rule.name()).collect();
    if let Some(meant) = did_you_mean(name, known.iter().copied()) {
        return error.with_hint(text::did_you_mean(meant));
    }
    let (english, chinese) = (listed(&known, ", "), listed(&known, "、"));
    error.with_hint(text!("the rules are {english}", "规则有 {chinese}"))
}

/// A key above the first section, or below the wrong one.
fn outside(key: &str) -> Diagnostic {
    let error = Diagnostic::error(text!("`{key}` is outside any section", "`{key}` 不在任何小节里"));
    let near = |keys: &[&'static str]| did_you_mean(key, keys.iter().copied()).is_some();
    error.with_hint(match keys::header_with(near) {
        Some("[[route]]") => text!("move it below a line `[[route]]`", "请把它移到一个 `[[route]]` 下面"),
        Some(header) => text!("move it below the line `{header}`", "请把它移到 `{header}` 这一行下面"),
        None => keys::known_sections(),
    })
}

/// A value in the place of a section.
fn no_section(header: &str) -> Diagnostic {
    Diagnostic::error(text!("`{header}` is a section", "`{header}` 是一个小节")).with_hint(text!(
        "write its name on a separate line, and its keys on the lines below",
        "小节名单独写一行，内容写在下面各行"
    ))
}

fn is_section(value: Node<'_>) -> bool {
    matches!(value.get_ref(), DeValue::Table(_) | DeValue::Array(_))
}

fn no_key(key: &str, header: &str) -> Diagnostic {
    Diagnostic::error(text!("`{header}` has no key `{key}`", "`{header}` 里没有 `{key}` 这一项"))
}

/// What to do about a key that the section does not have.
fn advice_on(key: &str, header: &str, known: &[&str]) -> Text {
    if let Some(other) = keys::header_with(|keys| keys.contains(&key)) {
        return text!("`{key}` belongs below a line `{other}`", "`{key}` 要写在 `{other}` 这一行下面");
    }
    if key.starts_with('/') && header == RouteSection::HEADER {
        return text!(
            "a route is a line `[[route]]`, followed by a line `path = \"{key}\"`",
            "每个网址先写一行 `[[route]]`，下一行写 `path = \"{key}\"`"
        );
    }
    let (english, chinese) = (listed(known, ", "), listed(known, "、"));
    text!("the keys are {english}", "可以写的有 {chinese}")
}

/// `[[route.about]]`
/// A list in the place of one text: the first of them, and what becomes of the others.
fn several_texts(key: &str, items: &[Spanned<DeValue<'_>>]) -> Diagnostic {
    let first = items.iter().find_map(|item| item.get_ref().as_str());
    let right = Kind::Text.written(&[first.unwrap_or("…").to_owned()]).unwrap_or_default();
    let error = Diagnostic::error(Kind::Text.mismatch(key)).with_hint(write(format!("{key} = {right}")));
    match first.filter(|_| key == "path" && items.len() > 1) {
        Some(first) => error.with_hint(text!(
            "for each other address, add a route with its `path` and `redirect = \"{first}\"`",
            "其他网址各加一条路由：写它的 `path`，再写 `redirect = \"{first}\"`"
        )),
        None => error,
    }
}

fn nested(header: &str) -> Diagnostic {
    let hint = text!("write `{header}`, and the rest on the lines below", "请写成 `{header}`，其余内容写在下面各行");
    Diagnostic::error(text!("only the name of the section belongs in the brackets", "方括号里只写小节名"))
        .with_hint(hint)
}

fn listed(names: &[&str], separator: &str) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(separator)
}
