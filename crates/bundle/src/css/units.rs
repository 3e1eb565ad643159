//! Numbers that browsers refuse: without the unit that they need, below zero where that means nothing, or with a sign that
//! is part of the number although something was to be added.

use std::ops::Range;

use portalgen_base::text::{self, Text, text};

use super::{
    misread::lacks_unit,
    numbers::{self, Number},
};

/// What is wrong with a number, where it stands in the value, and what was meant.
pub(super) struct WrongNumber {
    pub range: Range<usize>,
    pub reason: Text,
    pub hint: Option<Text>,
}

/// Properties of which every number outside of a function is a time.
const TIMES: [&str; 5] =
    ["animation-delay", "animation-duration", "transition", "transition-delay", "transition-duration"];

/// Functions that take angles and nothing else.
const TURNS: [&str; 8] = ["hue-rotate", "rotate", "rotatex", "rotatey", "rotatez", "skew", "skewx", "skewy"];

/// What is wrong for certain with a number in the value of a property, whose name is in small letters.
pub(super) fn wrong_number(name: &str, value: &str) -> Option<WrongNumber> {
    glued_sign(value)
        .or_else(|| lacks_unit(name, value).map(|number| without_unit(value, &number, "px")))
        .or_else(|| numbers::of(value).find(|number| is_time(name, number)).map(|n| without_unit(value, &n, "s")))
        .or_else(|| numbers::of(value).find(|n| is_angle(name, value, n)).map(|n| without_unit(value, &n, "deg")))
        .or_else(|| {
            let number = numbers::of(value).find(|number| is_below_zero(name, number))?;
            let reason = text!("`{name}` cannot be negative", "`{name}` 不能是负数");
            Some(WrongNumber { range: number.range, reason, hint: None })
        })
}

/// A number in the condition of a rule about the size of a page or container.
pub(super) fn wrong_condition(prelude: &str) -> Option<WrongNumber> {
    let is_of_length = |number: &Number| {
        let start = prelude[..number.range.start].rfind('(').unwrap_or_default();
        let end = prelude[number.range.end..].find(')').map_or(prelude.len(), |end| number.range.end + end);
        let feature = prelude[start..end].to_ascii_lowercase();
        ["width", "height", "inline-size", "block-size"].iter().any(|name| feature.contains(name))
            && !["style(", "--"].iter().any(|name| prelude.contains(name))
    };
    let number = numbers::units_missing(prelude).find(is_of_length)?;
    Some(without_unit(prelude, &number, "px"))
}

fn without_unit(value: &str, number: &Number, unit: &str) -> WrongNumber {
    let written = &value[number.range.clone()];
    let reason = text!("`{written}` has no unit", "`{written}` 没有单位");
    WrongNumber { range: number.range.clone(), reason, hint: Some(text::write(format_args!("{written}{unit}"))) }
}

fn is_time(name: &str, number: &Number) -> bool {
    TIMES.contains(&unprefixed(name)) && !number.has_unit && number.function.is_none()
}

fn is_angle(name: &str, value: &str, number: &Number) -> bool {
    if number.has_unit || number.value == 0.0 {
        return false;
    }
    match &number.function {
        Some(function) if TURNS.contains(&function.as_str()) => true,
        Some(function) => {
            function.ends_with("linear-gradient") && value[..number.range.start].trim_end().ends_with('(')
        }
        None => name == "rotate" && number.range == (0..value.len()),
    }
}

/// A number with a sign that follows another operand: `calc(1px+2px)` has two numbers and nothing between them.
fn glued_sign(value: &str) -> Option<WrongNumber> {
    let number = numbers::of(value).find(|number| {
        let before = value[..number.range.start].trim_end();
        let is_operand = |c: char| c.is_ascii_alphanumeric() || matches!(c, '%' | ')');
        number.is_operand && value[number.range.clone()].starts_with(['+', '-']) && before.ends_with(is_operand)
    })?;
    let sign = &value[number.range.start..=number.range.start];
    let reason = text!("`{sign}` needs a space on both sides in `calc()`", "计算式里的 `{sign}` 两边都要有空格");
    let rest = &value[number.range.start + 1..number.range.end];
    let unit: String = value[number.range.end..].chars().take_while(|c| c.is_ascii_alphabetic() || *c == '%').collect();
    let hint = text::write(format_args!("… {sign} {rest}{unit}"));
    Some(WrongNumber { range: number.range, reason, hint: Some(hint) })
}

/// Whether a number is negative where no browser takes one. `calc()` is cut off instead.
pub(super) fn is_below_zero(name: &str, number: &Number) -> bool {
    let name = unprefixed(name);
    let is_box = ["padding", "scroll-padding"].iter().any(|start| name.starts_with(start));
    let is_border = name.starts_with("border") && ["-width", "-radius"].iter().any(|end| name.ends_with(end));
    let is_size = name.ends_with("width") || name.ends_with("height") || name.ends_with("-size");
    let others = [
        "animation-duration",
        "flex-basis",
        "flex-grow",
        "flex-shrink",
        "gap",
        "row-gap",
        "column-gap",
        "transition-duration",
    ];
    let is_one = is_box || is_border || is_size || others.contains(&name);
    is_one && number.value < 0.0 && number.function.is_none()
}

fn unprefixed(name: &str) -> &str {
    ["-webkit-", "-moz-", "-ms-", "-o-"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
}
