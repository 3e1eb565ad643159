//! Numbers in the value of a declaration.

use std::ops::Range;

/// A number, with its sign.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Number {
    pub range: Range<usize>,
    pub value: f64,
    /// It is part of `calc()` or another function that calculates.
    pub is_operand: bool,
    /// `%` counts as one.
    pub has_unit: bool,
    /// The innermost function around it, in small letters.
    pub function: Option<String>,
}

/// The functions that calculate.
const CALCULATIONS: [&str; 23] = [
    "calc",
    "-webkit-calc",
    "-moz-calc",
    "min",
    "max",
    "clamp",
    "round",
    "mod",
    "rem",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "pow",
    "sqrt",
    "hypot",
    "log",
    "exp",
    "abs",
    "sign",
];

/// All numbers of a value, those with a unit included.
pub(super) fn of(value: &str) -> impl Iterator<Item = Number> {
    Scanner::read(value).numbers.into_iter()
}

/// Numbers that have no unit. `0` needs none, except where it is calculated with.
pub(super) fn units_missing(value: &str) -> impl Iterator<Item = Number> {
    of(value).filter(|number| !number.has_unit && (number.value != 0.0 || number.is_operand))
}

/// How many functions of a value calculate.
pub(super) fn calculations(value: &str) -> usize {
    Scanner::read(value).calculations
}

/// A text without its numbers, and these.
pub(super) fn apart(text: &str) -> (String, Vec<f64>) {
    let numbers: Vec<Number> = of(text).collect();
    let mut words = String::with_capacity(text.len());
    let mut end = 0;
    for number in &numbers {
        words.push_str(&text[end..number.range.start]);
        words.push('0');
        end = number.range.end;
    }
    words.push_str(&text[end..]);
    (words, numbers.into_iter().map(|number| number.value).collect())
}

/// What is between two brackets.
#[derive(Clone, Default)]
struct Level {
    function: Option<String>,
    is_calculation: bool,
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Level>,
    numbers: Vec<Number>,
    calculations: usize,
}

impl<'t> Scanner<'t> {
    fn read(text: &'t str) -> Self {
        let mut scanner = Self { text, at: 0, open: Vec::new(), numbers: Vec::new(), calculations: 0 };
        while scanner.at < text.len() {
            scanner.step();
        }
        scanner
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        let number = number_length(rest);
        match first {
            '/' if rest.starts_with("/*") => self.at += rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            '"' | '\'' => self.at = super::outline::string_end(self.text, self.at),
            _ if number > 0 => self.number(number),
            '#' | '@' | '-' | '\\' | '_' => self.name(),
            c if c.is_alphabetic() || !c.is_ascii() => self.name(),
            '(' | '[' | '{' => {
                self.open.push(self.open.last().cloned().unwrap_or_default());
                self.at += 1;
            }
            ')' | ']' | '}' => {
                self.open.pop();
                self.at += 1;
            }
            _ => self.at += first.len_utf8(),
        }
    }

    fn number(&mut self, length: usize) {
        let range = self.at..self.at + length;
        self.at = range.end;
        let unit = name_length(self.rest());
        let has_unit = unit > 0 || self.rest().starts_with('%');
        let value = self.text[range.clone()].parse().unwrap_or(f64::NAN);
        let Level { function, is_calculation } = self.open.last().cloned().unwrap_or_default();
        self.numbers.push(Number { range, value, is_operand: is_calculation, has_unit, function });
        self.at += unit;
    }

    /// A name, and the bracket of a function.
    fn name(&mut self) {
        let rest = self.rest();
        let length = name_length(rest);
        if length == 0 {
            self.at += rest.chars().next().map_or(1, char::len_utf8);
            return;
        }
        let name = rest[..length].to_ascii_lowercase();
        self.at += length;
        if !self.rest().starts_with('(') {
            return;
        }
        let is_quoted = self.rest()[1..].trim_start().starts_with(['"', '\'']);
        if name == "url" && !is_quoted {
            self.at += self.rest().find(')').map_or(self.rest().len(), |end| end + 1);
            return;
        }
        let is_calculation = CALCULATIONS.contains(&name.as_str());
        self.calculations += usize::from(is_calculation);
        self.open.push(Level { function: Some(name), is_calculation });
        self.at += 1;
    }
}

/// The length of the name that a text begins with.
fn name_length(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '\\' | '#' | '@') || !c.is_ascii();
    let starts = text.trim_start_matches('-').starts_with(|c: char| is_part(c) && !c.is_ascii_digit());
    if starts || text.starts_with("--") { text.find(|c| !is_part(c)).unwrap_or(text.len()) } else { 0 }
}

/// The length of the number that a text begins with: a sign, digits, and an exponent.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = usize::from(text.starts_with(['+', '-']));
    let whole = digits(end);
    end += whole;
    let fraction = if text[end..].starts_with('.') { digits(end + 1) } else { 0 };
    if fraction > 0 {
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return 0;
    }
    if text[end..].starts_with(['e', 'E']) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::{apart, calculations, of, units_missing};

    #[test]
    fn numbers_are_told_from_what_looks_like_them() {
        let value = "a1 -2 +.5e3 4px 5% #678 \"9\" url(10) --b11 calc(0 - 12) translate(13)/* 14 */ 0 1e2em .5.5px";
        let found: Vec<_> = units_missing(value).map(|number| &value[number.range]).collect();
        assert_eq!(found, ["-2", "+.5e3", "0", "12", "13", ".5"]);
        let values: Vec<_> = of(value).map(|number| number.value.to_string()).collect();
        assert_eq!(values.join(" "), "-2 500 4 5 0 12 13 0 100 0.5 0.5");
    }

    #[test]
    fn what_calculates_is_counted() {
        assert_eq!(calculations("calc(1px + min(1px, 2%)) var(--max) -webkit-calc(1px) f(round(1))"), 4);
        assert_eq!(apart("Px(1.5), y"), ("Px(0), y".to_owned(), vec![1.5]));
    }
}
