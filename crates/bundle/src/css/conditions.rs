//! What `@import` says beside the name of a sheet: the layer it goes into, and when it counts.

use lightningcss::{
    media_query::{MediaQuery, MediaType, Qualifier},
    rules::CssRule,
    stylesheet::{ParserOptions, StyleSheet},
};

use serde::{Deserialize, Serialize};

use super::{SheetOptions, Stylesheet, css_string};

/// What a chain of `@import`s puts around the imported sheet, outermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Conditions(Vec<Condition>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Condition {
    layer: Option<String>,
    supports: Option<String>,
    media: Option<String>,
}

impl Conditions {
    /// The conditions of one `@import`.
    pub(crate) fn new(layer: Option<String>, supports: Option<String>, media: Option<String>) -> Self {
        let is_any = layer.is_some() || supports.is_some() || media.is_some();
        Self(is_any.then_some(Condition { layer, supports, media }).into_iter().collect())
    }

    /// These conditions, and within them `inner`.
    pub(crate) fn and(&self, inner: &Self) -> Self {
        Self(self.0.iter().chain(&inner.0).cloned().collect())
    }

    /// `@import` of a sheet that is elsewhere; `None` if one rule cannot say these conditions.
    pub(crate) fn import(&self, url: &str, options: SheetOptions) -> Option<String> {
        let layers: Vec<&str> = self.0.iter().filter_map(|condition| condition.layer.as_deref()).collect();
        let layer = if layers.is_empty() { String::new() } else { format!(" layer({})", layers.join(".")) };
        let mut supports = self.0.iter().filter_map(|condition| condition.supports.clone());
        let supports = supports
            .next()
            .map(|first| supports.fold(first, |all, next| format!("{} and {}", in_brackets(&all), in_brackets(&next))));
        let supports = supports.map(|supports| format!(" supports({supports})")).unwrap_or_default();
        let mut medias = self.0.iter().filter_map(|condition| condition.media.as_deref());
        let media = match medias.next() {
            Some(first) => medias.try_fold(first.to_owned(), |all, next| both_media(&all, next, options))?,
            None => String::new(),
        };
        let media = if media.is_empty() { media } else { format!(" {media}") };
        Some(format!("@import {}{layer}{supports}{media};", css_string(url)))
    }

    /// The layer that they put a sheet into.
    pub(crate) fn layer(&self) -> Option<String> {
        let layers: Vec<&str> = self.0.iter().filter_map(|condition| condition.layer.as_deref()).collect();
        (!layers.is_empty()).then(|| layers.join("."))
    }

    /// The conditions in words of CSS, for names.
    pub(crate) fn describe(&self) -> String {
        let part = |name: &str, text: &Option<String>| text.as_ref().map(|text| format!("{name}({text})"));
        let parts = self.0.iter().flat_map(|condition| {
            let Condition { layer, supports, media } = condition;
            [part("layer", layer), part("supports", supports), part("media", media)]
        });
        parts.flatten().collect::<Vec<_>>().join(" ")
    }

    fn depend_on_browser(&self) -> bool {
        self.0.iter().any(|condition| condition.supports.is_some() || condition.media.is_some())
    }
}

impl Stylesheet {
    /// Wraps the sheet in what its importers asked for.
    pub(crate) fn under(mut self, conditions: &Conditions) -> Self {
        if self.code.trim().is_empty() && conditions.layer().is_none() {
            return self;
        }
        let mut wrap = |head: &str, condition: &Option<String>| {
            if let Some(condition) = condition {
                self.code = format!("{head} {condition}{{{}}}", self.code);
            }
        };
        for condition in conditions.0.iter().rev() {
            wrap("@layer", &condition.layer);
            wrap("@supports", &condition.supports);
            wrap("@media", &condition.media);
        }
        if let Some(layer) = conditions.layer() {
            self.layers = self.layers.iter().map(|name| format!("{layer}.{name}")).collect();
            self.layers.insert(0, layer);
        }
        if conditions.depend_on_browser() {
            self.layers.clear();
        }
        self
    }
}

/// A list of media queries that matches when both lists do, if there is one.
fn both_media(a: &str, b: &str, options: SheetOptions) -> Option<String> {
    let rules = format!("@media {a}{{a{{}}}} @media {b}{{a{{}}}}");
    let recovering = ParserOptions { error_recovery: true, ..ParserOptions::default() };
    let sheet = StyleSheet::parse(&rules, recovering).ok()?;
    let [CssRule::Media(a), CssRule::Media(b)] = &sheet.rules.0[..] else { return None };
    let pairs =
        a.query.media_queries.iter().flat_map(|a| b.query.media_queries.iter().map(move |b| both_queries(a, b)));
    let queries =
        pairs.map(|query| query.as_ref().and_then(|query| options.text(query))).collect::<Option<Vec<_>>>()?;
    Some(queries.join(if options.minify { "," } else { ", " }))
}

fn both_queries<'i>(a: &MediaQuery<'i>, b: &MediaQuery<'i>) -> Option<MediaQuery<'i>> {
    let negates = |query: &MediaQuery<'_>| query.qualifier == Some(Qualifier::Not);
    let is_never = |query: &MediaQuery<'_>| negates(query) && query.media_type == MediaType::All;
    if is_never(a) || a == b {
        return Some(a.clone());
    }
    if is_never(b) {
        return Some(b.clone());
    }
    // `not print and (color)` negates the whole, which no longer query can be made of.
    let is_plain_not = |query: &MediaQuery<'_>| negates(query) && query.condition.is_none();
    let types_differ = a.media_type != b.media_type;
    let never = MediaQuery { qualifier: Some(Qualifier::Not), media_type: MediaType::All, condition: None };
    match (negates(a), negates(b)) {
        (false, false) => {
            let mut both = a.clone();
            both.and(b).ok()?;
            Some(both)
        }
        (true, false) if is_plain_not(a) && b.media_type != MediaType::All => {
            Some(if types_differ { b.clone() } else { never })
        }
        (false, true) if is_plain_not(b) && a.media_type != MediaType::All => {
            Some(if types_differ { a.clone() } else { never })
        }
        _ => None,
    }
}

/// A condition as a part of another one.
fn in_brackets(condition: &str) -> String {
    let mut depth = 0usize;
    let inner = condition.strip_suffix(')').unwrap_or_default();
    let is_one = inner.starts_with('(')
        && inner.bytes().all(|byte| {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            depth > 0
        });
    if is_one { condition.to_owned() } else { format!("({condition})") }
}
