//! Days of the calendar, in universal time.

use std::{
    fmt,
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

/// A day: `2030-12-31`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Date {
    year: i64,
    month: u8,
    day: u8,
}

/// After so many years the calendar repeats itself, to the day of the week.
const CYCLE_YEARS: i64 = 400;
const CYCLE_DAYS: i64 = 146_097;
const SECONDS_OF_A_DAY: i64 = 86_400;

impl Date {
    /// The day in which a moment lies, given in seconds since the beginning of 1970.
    pub fn of_seconds(seconds: i64) -> Self {
        // Counted from a first of March, so that the day that some years have more is their last.
        const FROM_MARCH_OF_0000: i64 = 719_468;
        let days = seconds.div_euclid(SECONDS_OF_A_DAY) + FROM_MARCH_OF_0000;
        let (cycle, day) = (days.div_euclid(CYCLE_DAYS), days.rem_euclid(CYCLE_DAYS));
        // Every fourth year is a day longer, but not every hundredth, and yet the last of a cycle.
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        // From March on, months have 31, 30, 31, 30 and 31 days, and then so again.
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        let small = |number: i64| u8::try_from(number).unwrap_or_default();
        Self { year: cycle * CYCLE_YEARS + year + next, month: small(month), day: small(day) }
    }

    /// Today, by the clock of this machine.
    pub fn today() -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self::of_seconds(i64::try_from(seconds).unwrap_or_default())
    }

    /// Reads `2030-12-31`; none for anything else, and for days that no month has.
    pub fn parse(written: &str) -> Option<Self> {
        let is_written_so = written.len() == 10
            && written
                .bytes()
                .enumerate()
                .all(|(at, b)| if matches!(at, 4 | 7) { b == b'-' } else { b.is_ascii_digit() });
        if !is_written_so {
            return None;
        }
        let date = Self {
            year: written[..4].parse().ok()?,
            month: written[5..7].parse().ok()?,
            day: written[8..].parse().ok()?,
        };
        (1..=date.length_of_month()?).contains(&date.day).then_some(date)
    }

    fn length_of_month(self) -> Option<u8> {
        let divides = |by: i64| self.year % by == 0;
        Some(match self.month {
            2 if divides(4) && (!divides(100) || divides(400)) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        })
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day } = self;
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_moments() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (86_400, "1970-01-02"),
            (-1, "1969-12-31"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_709_164_800, "2024-02-29"),
            (1_735_689_599, "2024-12-31"),
            (1_735_689_600, "2025-01-01"),
            (4_107_542_400, "2100-03-01"),
            (4_107_542_399, "2100-02-28"),
            (253_402_300_799, "9999-12-31"),
        ] {
            assert_eq!(Date::of_seconds(seconds).to_string(), day, "{seconds}");
        }
    }

    #[test]
    fn every_day_follows_the_one_before_it() {
        let days = (0..60_000).map(|day| Date::of_seconds(day * SECONDS_OF_A_DAY));
        for (day, next) in days.clone().zip(days.skip(1)) {
            let same_month = next.day == day.day + 1 && (next.year, next.month) == (day.year, day.month);
            let next_month = next.day == 1 && Some(day.day) == day.length_of_month();
            assert!(day < next && (same_month || next_month), "{day} {next}");
            assert_eq!(Date::parse(&day.to_string()), Some(day));
        }
    }

    #[test]
    fn what_is_no_day() {
        for written in [
            "",
            "2030",
            "2030-1-01",
            "2030-13-01",
            "2030-00-01",
            "2030-01-00",
            "2030-02-29",
            "2100-02-29",
            "2030-04-31",
            "30-12-31",
            "2030/12/31",
            "2030-12-31T00:00:00Z",
            "+030-12-31",
            "2030-12-３1",
            "2030-12-3é",
        ] {
            assert_eq!(Date::parse(written), None, "{written}");
        }
    }
}
