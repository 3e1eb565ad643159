//! Sizes, and limits for what pages load: `[budget]`.

use std::fmt;

use portalgen_base::{
    diagnostic::Place,
    text::{text, write},
};

use super::{
    findings::Findings,
    keys::BudgetSection,
    value::{Problem, Value, understood},
};

/// A number of bytes, as people write it: `85 kB`, `1.5 MB`, `900 B`. A kilobyte has 1,000 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(pub u64);

/// A size that something must not exceed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The most that is allowed.
    pub size: Size,
    /// Where this is said.
    pub place: Place,
}

/// How much a page may load before it works, compressed with gzip.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Scripts.
    pub js: Option<Limit>,
    /// Style sheets.
    pub css: Option<Limit>,
}

impl Budget {
    pub(super) fn read(section: &BudgetSection, findings: &mut Findings) -> Self {
        let mut limit = |value: &Option<Value>| {
            let size = understood(value.as_ref(), Size::parse, findings)?;
            Some(Limit { size, place: value.as_ref()?.place()?.clone() })
        };
        Self { js: limit(&section.js), css: limit(&section.css) }
    }
}

/// The units, the largest first.
const UNITS: [(&str, u64); 3] = [("MB", 1_000_000), ("kB", 1_000), ("B", 1)];

impl Size {
    /// Reads a size.
    ///
    /// # Errors
    /// Anything but a number and a unit.
    pub(crate) fn parse(written: &str) -> Result<Self, Problem> {
        Self::read(written).ok_or_else(|| {
            let problem = Problem::new(text!("this is not a size", "这里要写大小"));
            // What computers count in 1,024s is close enough to show how it is written.
            let meant = written.replace("KiB", "kB").replace("MiB", "MB");
            let meant = if meant.parse::<f64>().is_ok() { format!("{meant} kB") } else { meant };
            match Self::read(&meant) {
                Some(size) => problem.hint(write(format!("\"{size}\""))),
                None => problem.hint(text!(
                    "write a number and a unit (`B`, `kB` or `MB`): `\"85 kB\"`",
                    "请写数字和单位（`B`、`kB` 或 `MB`）：`\"85 kB\"`"
                )),
            }
        })
    }

    fn read(written: &str) -> Option<Self> {
        let at = written.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, unit) = written.split_at(at);
        let (_, factor) = UNITS.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(unit.trim()))?;
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let whole: u64 = whole.parse().ok()?;
        let digits = u32::try_from(fraction.len()).ok().filter(|digits| *digits <= 6)?;
        let fraction: u64 = if digits == 0 { 0 } else { fraction.parse().ok()? };
        let bytes = whole.checked_mul(factor)?.checked_add(fraction.checked_mul(factor)? / 10_u64.pow(digits))?;
        (bytes > 0).then_some(Self(bytes))
    }
}

impl fmt::Display for Size {
    /// With at most three digits behind the point, and exactly.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(bytes) = *self;
        match UNITS.into_iter().find(|(_, factor)| bytes >= *factor && (bytes % (factor / 1000).max(1)) == 0) {
            Some((unit, factor)) => {
                let fraction = format!("{:03}", bytes % factor * 1000 / factor);
                let fraction = fraction.trim_end_matches('0');
                let point = if fraction.is_empty() { "" } else { "." };
                write!(f, "{}{point}{fraction} {unit}", bytes / factor)
            }
            None => write!(f, "{bytes} B"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (written, bytes, shown) in [
            ("85 kB", 85_000, "85 kB"),
            ("85kb", 85_000, "85 kB"),
            ("1.5 MB", 1_500_000, "1.5 MB"),
            ("0.25 MB", 250_000, "250 kB"),
            ("900 B", 900, "900 B"),
            ("1.234567 MB", 1_234_567, "1234.567 kB"),
            ("100.5 kB", 100_500, "100.5 kB"),
        ] {
            let size = Size::parse(written).unwrap_or_else(|problem| panic!("{written}: {problem:?}"));
            assert_eq!((size.0, size.to_string().as_str()), (bytes, shown), "{written}");
        }
    }

    #[test]
    fn no_sizes() {
        for written in [
            "",
            "85",
            "kB",
            "-1 kB",
            "1,5 MB",
            "1e3 kB",
            "0 kB",
            "99999999999999 MB",
            "1..5 kB",
            "85 TB",
            "1.1234567 MB",
        ] {
            assert!(Size::parse(written).is_err(), "{written}");
        }
        assert_eq!(Size::parse("85").expect_err("a unit").hints, ["write `\"85 kB\"`"]);
        assert_eq!(Size::parse("85 KiB").expect_err("a unit").hints, ["write `\"85 kB\"`"]);
    }
}
