//! The fixtures: each folder of an area of `tests/fixtures` is a test with a name, such as `bundle/dynamic-imports`.
//! `cargo test --release --test fixtures bundle/` runs those of an area. `UPDATE=1` writes expected texts anew, for review.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod areas;
mod support;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    libtest_mimic::run(&Arguments::from_args(), areas::trials()).exit_code()
}
