//! Declarations to which lightningcss would give another meaning than browsers do.
//!
//! It takes some values that browsers refuse, prints some in a form that says less, and joins some that do not belong
//! together. Such a declaration goes through it as it was written: in the text that it reads, the name begins with a
//! character that no property begins with, so that the value stays a list of tokens, and what has been read gets its name
//! back.

use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
};

use lightningcss::{
    declaration::DeclarationBlock,
    printer::PrinterOptions,
    properties::{
        Property, PropertyId,
        background::Background,
        custom::{CustomProperty, CustomPropertyName, Token, TokenList, TokenOrValue, UnparsedProperty},
        transition::Transition,
    },
    rules::{CssRule, CssRuleList},
    stylesheet::ParserOptions,
    values::{color::CssColor, ident::Ident, string::CowArcStr},
};

use super::{
    Reader,
    declarations::{Declaration, declaration},
    numbers::{self, Number},
    units::is_below_zero,
};

/// What the first letter of a name is moved by: to characters for private use.
const MOVED: u32 = 0xE000;

/// Properties of their own, which lightningcss writes into `transform`, where they would be applied in another order.
const INDIVIDUAL_TRANSFORMS: [&str; 3] = ["translate", "rotate", "scale"];

/// Properties of which lightningcss keeps the last value only, even one that not all browsers may know.
const WITH_FALLBACKS: [&str; 8] =
    ["backdrop-filter", "caret", "caret-color", "color", "fill", "filter", "stroke", "text-shadow"];

/// Shorthands that lightningcss prints as `none` whatever else they set.
const NONE: [&str; 3] = ["animation", "text-decoration", "text-emphasis"];

impl Reader<'_> {
    /// What to put into the text so that declarations stay as they are.
    pub(crate) fn marks(&self) -> Vec<(Range<usize>, String)> {
        let text = &self.source.text;
        let declarations = self.declarations(is_read).filter_map(|item| declaration(text, item.range.clone()));
        let declarations: Vec<Declaration<'_>> = declarations.collect();
        let late = self.late_shorthands(&declarations);
        let misread = declarations.iter().filter(|declaration| {
            let name = declaration.name.to_ascii_lowercase();
            late.contains(&PropertyId::from(name.as_str()).name()) || is_misread(declaration)
        });
        misread.filter_map(|declaration| mark(text, declaration.name_at.start)).collect()
    }

    /// Shorthands that lightningcss would print behind a longhand which it does not know: `font` would reset
    /// `font-kerning`. The names of animations are its own in a CSS module, so it has to read them there.
    fn late_shorthands(&self, declarations: &[Declaration<'_>]) -> Vec<&'static str> {
        let is_unknown = |name: &str| matches!(PropertyId::from(name), PropertyId::Custom(_));
        let unknown: Vec<&str> =
            declarations.iter().map(|declaration| declaration.name).filter(|n| is_unknown(n)).collect();
        let has_longhand = |shorthand: &&str| {
            unknown.iter().any(|name| name.strip_prefix(*shorthand).is_some_and(|rest| rest.starts_with('-')))
        };
        let shorthands =
            ["animation", "font", "transition"].into_iter().filter(|name| !self.is_module || *name != "animation");
        shorthands.filter(has_longhand).collect()
    }
}

/// Whether [`restore`] reaches the declarations in an at-rule.
fn is_read(at_rule: &str) -> bool {
    let names = ["media", "supports", "container", "layer", "scope", "starting-style", "position-try"];
    names.contains(&at_rule) || at_rule.ends_with("keyframes")
}

fn mark(text: &str, at: usize) -> Option<(Range<usize>, String)> {
    let first = text[at..].chars().next()?;
    let moved = char::from_u32(MOVED + u32::from(first))?;
    Some((at..at + first.len_utf8(), moved.to_string()))
}

fn unmark(name: &str) -> Option<String> {
    let mut characters = name.chars();
    let first = u32::from(characters.next()?).checked_sub(MOVED)?;
    let first = u8::try_from(first).ok().filter(u8::is_ascii).map(char::from)?;
    Some([first].into_iter().chain(characters).collect())
}

/// Gives the declarations of [`Reader::marks`] their names back, and keeps the values before one that browsers may not know.
pub(crate) fn restore(rules: &mut CssRuleList<'_>) {
    for rule in &mut rules.0 {
        match rule {
            CssRule::Style(style) => {
                restore_block(&mut style.declarations);
                restore(&mut style.rules);
            }
            CssRule::NestedDeclarations(nested) => restore_block(&mut nested.declarations),
            CssRule::Nesting(nesting) => {
                restore_block(&mut nesting.style.declarations);
                restore(&mut nesting.style.rules);
            }
            CssRule::Keyframes(rule) => {
                rule.keyframes.iter_mut().for_each(|keyframe| restore_block(&mut keyframe.declarations));
            }
            CssRule::PositionTry(rule) => restore_block(&mut rule.declarations),
            CssRule::Media(rule) => restore(&mut rule.rules),
            CssRule::Supports(rule) => restore(&mut rule.rules),
            CssRule::Container(rule) => restore(&mut rule.rules),
            CssRule::Scope(rule) => restore(&mut rule.rules),
            CssRule::StartingStyle(rule) => restore(&mut rule.rules),
            CssRule::LayerBlock(rule) => restore(&mut rule.rules),
            CssRule::MozDocument(rule) => restore(&mut rule.rules),
            _ => {}
        }
    }
}

fn restore_block(block: &mut DeclarationBlock<'_>) {
    for declarations in [&mut block.declarations, &mut block.important_declarations] {
        declarations.iter_mut().for_each(restore_name);
        keep_fallbacks(declarations);
        keep_longhands(declarations);
    }
}

fn restore_name(property: &mut Property<'_>) {
    let Property::Custom(CustomProperty { name: CustomPropertyName::Unknown(name), value }) = property else { return };
    let Some(plain) = unmark(&name.0) else { return };
    if INDIVIDUAL_TRANSFORMS.contains(&plain.to_ascii_lowercase().as_str()) {
        *name = Ident(plain.into());
        return;
    }
    let value = std::mem::replace(value, TokenList(Vec::new()));
    *property = Property::Unparsed(UnparsedProperty { property_id: PropertyId::from(CowArcStr::from(plain)), value });
}

/// `color: red; color: new-function()`: lightningcss would drop the first, which is for browsers that skip the second.
fn keep_fallbacks(declarations: &mut [Property<'_>]) {
    for at in 1..declarations.len() {
        let Property::Unparsed(unparsed) = &declarations[at] else { continue };
        let id = unparsed.property_id.clone();
        let is_it = |other: &Property<'_>| other.property_id() == id;
        let (before, after) = (&declarations[..at], &declarations[at + 1..]);
        let is_certain =
            unparsed.value.0.iter().any(|part| matches!(part, TokenOrValue::Var(_) | TokenOrValue::Env(_)));
        if !WITH_FALLBACKS.contains(&id.name()) || is_certain || !before.iter().any(is_it) || after.iter().any(is_it) {
            continue;
        }
        let name = CustomPropertyName::Unknown(Ident(id.name().to_owned().into()));
        declarations[at] = Property::Custom(CustomProperty { name, value: unparsed.value.clone() });
    }
}

/// `animation: none; animation-duration: 1s`: lightningcss would join them to `animation: none`.
fn keep_longhands(declarations: &mut [Property<'_>]) {
    for shorthand in NONE {
        let is_longhand = |property: &Property<'_>| {
            property.property_id().name().strip_prefix(shorthand).is_some_and(|rest| rest.starts_with('-'))
        };
        if !declarations.iter().any(is_longhand) {
            continue;
        }
        for property in declarations.iter_mut() {
            let id = property.property_id();
            let is_none = || property.value_to_css_string(PrinterOptions::default()).is_ok_and(|value| value == "none");
            if id.name() == shorthand && !matches!(property, Property::Unparsed(_)) && is_none() {
                let value = TokenList(vec![TokenOrValue::Token(Token::Ident("none".into()))]);
                *property = Property::Unparsed(UnparsedProperty { property_id: id, value });
            }
        }
    }
}

fn is_misread(declaration: &Declaration<'_>) -> bool {
    let name = declaration.name.to_ascii_lowercase();
    let id = PropertyId::from(name.as_str());
    if matches!(id, PropertyId::Custom(_) | PropertyId::All) || declaration.value.is_empty() {
        return false;
    }
    if INDIVIDUAL_TRANSFORMS.contains(&name.as_str()) {
        return true;
    }
    let Ok(property) = parse(&name, declaration.value) else { return true };
    let Some(property) = property.filter(|property| !matches!(property, Property::Unparsed(_))) else { return false };
    is_global(declaration.value)
        || !is_told_in_full(&property, &name, declaration.value)
        || is_joined_wrongly(&property, declaration.value)
        || lacks_unit(&name, declaration.value).is_some()
        || takes_no_auto(&name, declaration.value)
        || numbers::of(declaration.value).any(|number| is_below_zero(&name, &number))
}

/// What lightningcss makes of the value of a property, if it is one at all.
///
/// # Errors
/// lightningcss panics, as at `text-size-adjust: calc(1)`.
pub(super) fn parse<'i>(name: &'i str, value: &'i str) -> Result<Option<Property<'i>>, Panicked> {
    let parse = || Property::parse_string(PropertyId::from(name), value, ParserOptions::default()).ok();
    catch_unwind(AssertUnwindSafe(parse)).map_err(|_| Panicked)
}

/// A value was more than lightningcss is prepared for.
pub(super) struct Panicked;

/// What lightningcss makes of a value that it understands.
fn read<'i>(name: &'i str, value: &'i str) -> Option<Property<'i>> {
    parse(name, value).ok()?.filter(|property| !matches!(property, Property::Unparsed(_)))
}

/// Whether a value is a word that every property takes. As the name of a property that changes, or of an animation, it
/// would be joined with others.
fn is_global(value: &str) -> bool {
    ["inherit", "initial", "unset", "revert", "revert-layer"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Whether what is printed says all that was read, and nothing that is out of bounds. `animation: 1s` is printed as
/// `none`, and `width: calc(1px - 2px)` as a negative width, which is none, while that of `calc()` is 0.
fn is_told_in_full(property: &Property<'_>, name: &str, value: &str) -> bool {
    let Ok(printed) = property.value_to_css_string(PrinterOptions::default()) else { return false };
    let is_read_again = read(name, &printed).is_some_and(|again| is_same(&again, property));
    let is_computed = numbers::calculations(&printed) < numbers::calculations(value);
    is_read_again && !(is_computed && numbers::of(&printed).any(|number| !(1.0..1e6).contains(&number.value)))
}

/// Whether two values are the same but for the digits that are not printed.
fn is_same(a: &Property<'_>, b: &Property<'_>) -> bool {
    let (a, b) = (described(a), described(b));
    a == b || {
        let (words, values) = numbers::apart(&a);
        let (other_words, other_values) = numbers::apart(&b);
        let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-4 * a.abs().max(1e-3);
        words == other_words && values.len() == other_values.len() && values.iter().zip(&other_values).all(is_near)
    }
}

/// A value in all its parts, except for where its URLs stand.
fn described(property: &Property<'_>) -> String {
    let text = format!("{property:?}");
    let mut parts = text.split("Location {");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('}').map_or(part, |(_, rest)| rest))
}

/// Whether lightningcss would join the value with those of other declarations, or with itself, to something else.
fn is_joined_wrongly(property: &Property<'_>, value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    match property {
        // They would be left out of `place-self` and `place-items`, where that says something else.
        Property::JustifySelf(..) | Property::JustifyItems(_) => value == "auto" || value == "stretch",
        // Percentages, which it prints in place of words, are not allowed in `font`.
        Property::FontStretch(_) => value != "normal",
        Property::Font(_) => value.contains("condensed") || value.contains("expanded"),
        // Of several for the same property, the last one counts, and it keeps the first.
        Property::Transition(transitions, _) => {
            let is_overruled = |(at, transition): (usize, &Transition<'_>)| {
                let mut later = transitions.iter().skip(at + 1);
                later.any(|other| {
                    other.property.name() == transition.property.name() && other.duration != transition.duration
                })
            };
            transitions.iter().enumerate().any(is_overruled)
        }
        // No browser takes a timeline in the shorthand.
        Property::Animation(..) => value.contains("scroll(") || value.contains("view("),
        Property::AnimationName(..) | Property::TextDecorationLine(..) | Property::TextEmphasisStyle(..) => {
            value == "none"
        }
        Property::Background(layers) => has_inner_colour(layers),
        _ => false,
    }
}

/// Whether a layer of a background has a colour that is not the last one.
fn has_inner_colour(layers: &[Background<'_>]) -> bool {
    layers.split_last().is_some_and(|(_, above)| above.iter().any(|layer| layer.color != CssColor::default()))
}

/// Whether a colour stands in a layer of `background` where no browser takes one.
pub(super) fn colours_layer(name: &str, value: &str) -> bool {
    name == "background" && matches!(read(name, value), Some(Property::Background(layers)) if has_inner_colour(&layers))
}

/// Whether a value has the word `auto`, which lightningcss takes and no browser does.
pub(super) fn takes_no_auto(name: &str, value: &str) -> bool {
    name.starts_with("padding") && value.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("auto"))
}

/// A number where browsers want a length, and lightningcss takes pixels.
pub(super) fn lacks_unit(name: &str, value: &str) -> Option<Number> {
    // These are attributes of SVG, too, and take numbers as such.
    if name.starts_with("stroke-") {
        return None;
    }
    // Most values have no such number, and need not be read.
    let mut candidates = numbers::units_missing(value).peekable();
    candidates.peek()?;
    let property = read(name, value)?;
    let is_length = |number: &Number| {
        let with_unit = format!("{}px{}", &value[..number.range.end], &value[number.range.end..]);
        read(name, &with_unit).is_some_and(|other| is_same(&other, &property))
    };
    candidates.find(is_length)
}
