//! Declarations that browsers skip although they can be read: properties that there are none of, and values that no
//! property has.
//!
//! lightningcss keeps such declarations, since browsers may know more than it does. So only what is wrong for certain is
//! told: names that are in no list of properties, colours and units that cannot be, and words that are a slip of the
//! fingers away from one that the property takes.

use std::{collections::BTreeMap, ops::Range, sync::LazyLock};

use lightningcss::properties::{
    Property, PropertyId,
    custom::{Token, TokenList, TokenOrValue},
};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, did_you_mean},
    rules::Rule,
    text::{self, Text, text},
};

use super::{
    Reader,
    misread::{colours_layer, parse, takes_no_auto},
    outline::Item,
    units::{WrongNumber, wrong_condition, wrong_number},
};

/// Properties of all specifications, drafts and browsers, without those that begin with a vendor's prefix.
static PROPERTIES: LazyLock<Vec<&str>> = LazyLock::new(|| include_str!("properties.txt").lines().collect());

/// The words that properties take whose values are words.
static KEYWORDS: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let lines = include_str!("keywords.txt").lines().filter_map(|line| line.split_once(": "));
    lines.map(|(property, words)| (property, words.split(' ').collect())).collect()
});

const UNITS: &[&str] = &[
    "cap",
    "ch",
    "cm",
    "cqb",
    "cqh",
    "cqi",
    "cqmax",
    "cqmin",
    "cqw",
    "db",
    "deg",
    "dpcm",
    "dpi",
    "dppx",
    "dvb",
    "dvh",
    "dvi",
    "dvmax",
    "dvmin",
    "dvw",
    "em",
    "ex",
    "fr",
    "grad",
    "hz",
    "ic",
    "in",
    "khz",
    "lh",
    "lvb",
    "lvh",
    "lvi",
    "lvmax",
    "lvmin",
    "lvw",
    "mm",
    "ms",
    "pc",
    "pt",
    "px",
    "q",
    "rad",
    "rcap",
    "rch",
    "rem",
    "rex",
    "ric",
    "rlh",
    "s",
    "semitones",
    "st",
    "svb",
    "svh",
    "svi",
    "svmax",
    "svmin",
    "svw",
    "turn",
    "vb",
    "vh",
    "vi",
    "vmax",
    "vmin",
    "vw",
    "x",
];

/// What is wrong with a declaration, in which part of it, and what was meant.
struct Wrong {
    range: Range<usize>,
    reason: Text,
    hint: Option<Text>,
}

/// A declaration, and where its name and value stand in the sheet.
pub(super) struct Declaration<'t> {
    pub name: &'t str,
    pub name_at: Range<usize>,
    pub value: &'t str,
    value_at: usize,
}

impl Reader<'_> {
    /// Warns of declarations that browsers skip, except for those in `skipped`, of which more is known.
    pub(crate) fn doubtful(&self, skipped: &[Range<usize>]) -> Vec<Diagnostic> {
        let is_told =
            |item: &Item| skipped.iter().any(|range| range.start <= item.range.start && item.range.end <= range.end);
        let declarations = self.declarations(holds_styles).filter(|item| !is_told(item));
        let wrong = declarations.filter_map(|item| wrong(&declaration(&self.source.text, item.range.clone())?));
        let complain = |Wrong { range, reason, hint }| {
            let message = text!("browsers skip this declaration: {reason}", "浏览器会跳过这条声明：{reason}", reason);
            Diagnostic::of(Rule::UnknownCss, message).at(Place::new(self.source, range)).with_hints(hint)
        };
        wrong.map(complain).chain(self.keyframes().filter_map(|item| self.doubtful_keyframe(item))).collect()
    }

    /// Conditions with a number where browsers want a length, so that they are never met, and what is to be said of each.
    /// Browsers skip the rule, unless there are other conditions that may be.
    pub(super) fn conditions_without_unit(&self) -> impl Iterator<Item = (Option<Range<usize>>, Diagnostic)> {
        let rules = self.outline.items().filter(|item| item.block.is_some());
        rules.filter_map(|item| {
            let prelude = &self.source.text[item.prelude()];
            if !["media", "container"].contains(&at_rule(prelude)?.as_str()) {
                return None;
            }
            let WrongNumber { range, reason, hint } = wrong_condition(prelude)?;
            let place = Place::new(self.source, item.range.start + range.start..item.range.start + range.end);
            let message = text!("browsers skip this condition: {reason}", "浏览器会跳过这个条件：{reason}", reason);
            let mut words = prelude.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            let is_negated_or_one_of_several = |word: &str| ["not", "or"].iter().any(|w| w.eq_ignore_ascii_case(word));
            let is_only = !prelude.contains(',') && !words.any(is_negated_or_one_of_several);
            Some((
                is_only.then(|| item.range.clone()),
                Diagnostic::of(Rule::UnknownCss, message).at(place).with_hints(hint),
            ))
        })
    }

    /// The blocks in `@keyframes`.
    fn keyframes(&self) -> impl Iterator<Item = &Item> {
        let blocks = || self.outline.items().filter(|item| item.block.is_some());
        let is_animation =
            |item: &&Item| at_rule(&self.source.text[item.prelude()]).is_some_and(|name| name.ends_with("keyframes"));
        let animations: Vec<Range<usize>> = blocks().filter(is_animation).map(|item| item.range.clone()).collect();
        let is_inside = move |item: &&Item| {
            animations.iter().any(|outer| outer.start < item.range.start && item.range.end < outer.end)
        };
        blocks().filter(is_inside)
    }

    /// A block in `@keyframes` that begins with a number.
    fn doubtful_keyframe(&self, item: &Item) -> Option<Diagnostic> {
        let prelude = self.source.text[item.prelude()].trim();
        prelude.parse::<f64>().ok()?;
        let reason = text!("`{prelude}` has no unit", "`{prelude}` 没有单位");
        let message = text!("browsers skip this keyframe: {reason}", "浏览器会跳过这个关键帧：{reason}", reason);
        let place = Place::new(self.source, item.range.start..item.range.start + prelude.len());
        let hint = text::write(format_args!("{prelude}%"));
        Some(Diagnostic::of(Rule::UnknownCss, message).at(place).with_hints([hint]))
    }

    /// Declarations of properties, in the order of the sheet, that stand in style rules and in the at-rules for whose name
    /// `counts` says so: those of other things are in at-rules of their own.
    pub(super) fn declarations(&self, counts: fn(&str) -> bool) -> impl Iterator<Item = &Item> {
        let mut around: Vec<(&Item, bool)> = Vec::new();
        let mut found = Vec::new();
        for item in self.outline.items().rev() {
            while around.last().is_some_and(|(outer, _)| item.range.start < outer.range.start) {
                around.pop();
            }
            let is_of_style = around.last().is_none_or(|(_, is_of_style)| *is_of_style);
            let prelude = &self.source.text[item.prelude()];
            if item.block.is_some() {
                around.push((item, is_of_style && at_rule(prelude).is_none_or(|name| counts(&name))));
            } else if is_of_style && !around.is_empty() && !prelude.starts_with('@') {
                found.push(item);
            }
        }
        found.into_iter().rev()
    }
}

/// Whether declarations in an at-rule are those of elements. In `@supports` they are known not to work everywhere.
fn holds_styles(at_rule: &str) -> bool {
    ["media", "container", "layer", "scope", "starting-style", "keyframes", "-webkit-keyframes"].contains(&at_rule)
}

/// The name of the at-rule that begins like this.
fn at_rule(prelude: &str) -> Option<String> {
    // What CSS modules of other tools import and export are no properties.
    if prelude.starts_with(":export") || prelude.starts_with(":import") {
        return Some(String::new());
    }
    let rule = prelude.strip_prefix('@')?;
    let name = rule.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap_or_default();
    Some(name.to_ascii_lowercase())
}

/// The declaration that stands in a range, if its name is a plain one.
pub(super) fn declaration(sheet: &str, range: Range<usize>) -> Option<Declaration<'_>> {
    let text = &sheet[range.clone()];
    let colon = text.find(':')?;
    let name = text[..colon].trim_end();
    let is_plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !is_plain || name.starts_with("--") {
        return None;
    }
    let value = text[colon + 1..].trim_end_matches(|c: char| c == ';' || c.is_whitespace());
    let value = value.rfind('!').map_or(value, |mark| value[..mark].trim_end());
    let start = colon + 1 + (value.len() - value.trim_start().len());
    let name_at = range.start..range.start + name.len();
    Some(Declaration { name, name_at, value: value.trim_start(), value_at: range.start + start })
}

fn wrong(declaration: &Declaration<'_>) -> Option<Wrong> {
    let name = declaration.name.to_ascii_lowercase();
    // Vendors have lists of their own.
    if name.starts_with('-') {
        return None;
    }
    let id = PropertyId::from(name.as_str());
    let is_read = !matches!(id, PropertyId::Custom(_));
    if !is_read && PROPERTIES.binary_search(&name.as_str()).is_err() {
        return Some(unknown_property(declaration));
    }
    missing_semicolon(declaration)
        .or_else(|| wrong_word(declaration, &name))
        .or_else(|| refused(declaration, &name))
        .or_else(|| if is_read { wrong_value(declaration, &name) } else { None })
}

/// A second declaration in the value of the first one.
fn missing_semicolon(declaration: &Declaration<'_>) -> Option<Wrong> {
    let value = declaration.value;
    let colon = value.find(':')?;
    let before = value[..colon].trim_end();
    let start = before.rfind(char::is_whitespace)? + 1;
    let name = before[start..].to_ascii_lowercase();
    // What stands in brackets and texts is no declaration.
    if before.contains(['(', '"', '\'']) || PROPERTIES.binary_search(&name.as_str()).is_err() {
        return None;
    }
    Some(Wrong {
        range: at(declaration, start..before.len()),
        reason: text!("`;` is missing before `{name}`", "`{name}` 之前缺少 `;`"),
        hint: Some(text::write(format_args!("{}: {};", declaration.name, before[..start].trim()))),
    })
}

fn unknown_property(declaration: &Declaration<'_>) -> Wrong {
    let name = declaration.name;
    let hint = did_you_mean(name, PROPERTIES.iter().copied()).map(text::did_you_mean);
    let reason = text!("unknown property `{name}`", "未知的属性 `{name}`");
    Wrong { range: declaration.name_at.clone(), reason, hint }
}

/// A value of one word that is a slip of the fingers away from a word that the property takes.
fn wrong_word(declaration: &Declaration<'_>, property: &str) -> Option<Wrong> {
    let known = KEYWORDS.get(words_of(property))?;
    let word = declaration.value;
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    if !is_word || word.starts_with('-') {
        return None;
    }
    let meant = slip(word, known)?;
    Some(Wrong {
        range: at(declaration, 0..word.len()),
        reason: no_value(word, declaration.name),
        hint: Some(text::did_you_mean(meant)),
    })
}

/// The property in whose place the words of another one may be looked up.
fn words_of(property: &str) -> &str {
    match property {
        _ if property.ends_with("-color") || property == "fill" => "color",
        _ if property.starts_with("border-") && property.ends_with("-style") => "border-style",
        "max-width" | "min-width" => "width",
        "max-height" | "min-height" => "height",
        _ => property,
    }
}

/// The word that was meant by one that is none.
fn slip<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    const ANYWHERE: [&str; 6] = ["inherit", "initial", "unset", "revert", "revert-layer", "revert-rule"];
    let word = word.to_ascii_lowercase();
    if known.contains(&word.as_str()) || ANYWHERE.contains(&word.as_str()) {
        return None;
    }
    let distance = |other: &str| strsim::damerau_levenshtein(&word, other);
    let most = if word.len() < 5 { 1 } else { 2 };
    let near = known.iter().chain(&ANYWHERE).copied().map(|other| (distance(other), other));
    near.filter(|(distance, other)| *distance <= most && other.len() > 2).min().map(|(_, other)| other)
}

/// What no browser takes, although lightningcss may.
fn refused(declaration: &Declaration<'_>, name: &str) -> Option<Wrong> {
    let value = declaration.value;
    if let Some(WrongNumber { range, reason, hint }) = wrong_number(name, value) {
        return Some(Wrong { range: at(declaration, range), reason, hint });
    }
    if takes_no_auto(name, value) {
        let reason = no_value("auto", declaration.name);
        return Some(Wrong { range: at(declaration, 0..value.len()), reason, hint: None });
    }
    colours_layer(name, value).then(|| {
        let reason = text!("only the last layer can have a colour", "只有最后一层可以有颜色");
        Wrong { range: at(declaration, 0..value.len()), reason, hint: None }
    })
}

/// What is wrong for certain with a value that lightningcss cannot read.
fn wrong_value(declaration: &Declaration<'_>, name: &str) -> Option<Wrong> {
    let value = declaration.value;
    let Ok(Some(Property::Unparsed(unparsed))) = parse(name, value) else {
        return None;
    };
    let tokens = &unparsed.value;
    if tokens.0.iter().any(is_open) {
        return None;
    }
    let name = declaration.name;
    wrong_colour(declaration, tokens)
        .or_else(|| wrong_unit(declaration, tokens))
        .or_else(|| wrong_border_word(declaration, tokens))
        .or_else(|| {
            let is_measure = tokens.0.iter().all(is_measure);
            (is_measure && is_box(name) && !value.is_empty()).then(|| Wrong {
                range: at(declaration, 0..value.len()),
                reason: no_value(value, name),
                hint: None,
            })
        })
}

/// Whether what a part of a value comes to is known to browsers only.
fn is_open(part: &TokenOrValue<'_>) -> bool {
    matches!(
        part,
        TokenOrValue::Var(_) | TokenOrValue::Env(_) | TokenOrValue::Function(_) | TokenOrValue::UnresolvedColor(_)
    ) || matches!(part, TokenOrValue::Token(Token::Function(_) | Token::ParenthesisBlock | Token::CurlyBracketBlock))
}

fn is_measure(part: &TokenOrValue<'_>) -> bool {
    matches!(part, TokenOrValue::Length(_))
        || matches!(part, TokenOrValue::Token(Token::Number { .. } | Token::Percentage { .. } | Token::WhiteSpace(_)))
}

/// Whether a property takes a few lengths and nothing else but words.
fn is_box(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "gap" || ["margin", "padding", "inset"].iter().any(|start| name.starts_with(start))
}

fn wrong_colour(declaration: &Declaration<'_>, tokens: &TokenList<'_>) -> Option<Wrong> {
    let colour = tokens.0.iter().find_map(|part| match part {
        TokenOrValue::Token(Token::Hash(digits) | Token::IDHash(digits)) => Some(format!("#{digits}")),
        _ => None,
    })?;
    let reason = text!("`{colour}` is not a colour", "`{colour}` 不是颜色");
    let hint = text!(
        "`#` is followed by 3, 4, 6 or 8 hexadecimal digits (0–9, a–f)",
        "`#` 后面要有 3、4、6 或 8 位十六进制数字（0–9、a–f）"
    );
    Some(Wrong { range: find(declaration, &colour), reason, hint: Some(hint) })
}

fn wrong_unit(declaration: &Declaration<'_>, tokens: &TokenList<'_>) -> Option<Wrong> {
    let spaced = tokens.0.windows(3).find_map(|parts| match parts {
        [
            TokenOrValue::Token(Token::Number { .. }),
            TokenOrValue::Token(Token::WhiteSpace(_)),
            TokenOrValue::Token(Token::Ident(unit)),
        ] if is_unit(unit) => Some(unit.to_string()),
        _ => None,
    });
    if let Some(unit) = spaced {
        let reason =
            text!("there is a space between the number and its unit `{unit}`", "数字与单位 `{unit}` 之间有空格");
        let hint = text!("write the unit directly after the number: `1{unit}`", "单位要紧跟在数字后面：`1{unit}`");
        return Some(Wrong { range: find(declaration, &format!(" {unit}")), reason, hint: Some(hint) });
    }
    let unit = tokens.0.iter().find_map(|part| match part {
        TokenOrValue::Token(Token::Dimension { unit, .. }) if !is_unit(unit) => Some(unit.to_string()),
        _ => None,
    })?;
    let reason = text!("unknown unit `{unit}`", "未知的单位 `{unit}`");
    let distance = |known: &str| strsim::damerau_levenshtein(&unit.to_ascii_lowercase(), known);
    // A unit of one letter is near to everything.
    let near = UNITS.iter().filter(|known| known.len() > 1 && distance(known) == 1).max_by_key(|known| **known == "px");
    let hint = near.map(text::did_you_mean);
    Some(Wrong { range: find(declaration, &unit), reason, hint })
}

fn is_unit(unit: &str) -> bool {
    // What hides a declaration from other browsers than old ones of Microsoft is meant as it stands.
    UNITS.contains(&unit.to_ascii_lowercase().as_str()) || unit.contains('\\')
}

/// A word of a border that is neither its style nor its colour, but looks like one.
fn wrong_border_word(declaration: &Declaration<'_>, tokens: &TokenList<'_>) -> Option<Wrong> {
    let name = declaration.name.to_ascii_lowercase();
    let is_border = ["border", "outline"].iter().any(|start| name.starts_with(start)) && !name.contains("image");
    let known =
        [KEYWORDS.get("border-style")?.as_slice(), KEYWORDS.get("color")?.as_slice(), &["thin", "medium", "thick"]];
    let known = known.concat();
    tokens.0.iter().filter(|_| is_border).find_map(|part| {
        let TokenOrValue::Token(Token::Ident(word)) = part else { return None };
        let meant = slip(word, &known)?;
        let reason = no_value(word, declaration.name);
        Some(Wrong { range: find(declaration, word), reason, hint: Some(text::did_you_mean(meant)) })
    })
}

fn no_value(value: &str, property: &str) -> Text {
    text!("`{value}` is not a valid value for `{property}`", "`{value}` 不是 `{property}` 的有效值")
}

fn at(declaration: &Declaration<'_>, range: Range<usize>) -> Range<usize> {
    declaration.value_at + range.start..declaration.value_at + range.end
}

/// Where a part of the value stands; the whole value, if it is written in another way.
fn find(declaration: &Declaration<'_>, part: &str) -> Range<usize> {
    let found = declaration.value.find(part).map(|start| start..start + part.len());
    at(declaration, found.unwrap_or(0..declaration.value.len()))
}
