//! What contributors would otherwise type by hand.
#![expect(clippy::print_stderr, reason = "a program for the terminal")]

mod checks;
mod chromium;
mod command;
mod debian;
mod packages;
mod servers;

use std::{env, path::Path, process::ExitCode};

use command::{Outcome, Run, step};

const HELP: &str = "\
Usage: cargo xtask <COMMAND>

Commands:
  test                 Run every check and every test; installs packages and, where it may, Chromium, nginx and Caddy
  check                Check formatting, lints and types only
  servers              Fetch nginx and Caddy for the tests, where they are not installed
  browser [ARGS]       Run the tests in Chromium only; ARGS go to Playwright: browser history --project=production
  screenshots <DIR>    Write a picture of every page to DIR
  bench sizes          Write the sizes of bundles, beside those of other bundlers, to docs/bundle-sizes.md
  bench sizes --check  Fail if they have grown, or are too far above those of the others
  bench speed          Compare the time that a large site takes with rolldown's
  help                 Print this
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match *arguments {
        [] | ["help" | "--help" | "-h"] => {
            eprint!("{HELP}");
            return ExitCode::SUCCESS;
        }
        ["test"] => test(),
        ["check"] => checks::check(),
        ["servers"] => servers::find_or_fetch().map(drop),
        ["browser", ref playwright @ ..] => build().and_then(|()| browser(playwright)),
        ["screenshots", folder] => build().and_then(|()| screenshots(folder)),
        ["bench", "sizes"] => bench("sizes.mjs", &[]),
        ["bench", "sizes", "--check"] => bench("sizes.mjs", &["--check"]),
        ["bench", "speed"] => bench("speed.mjs", &[]),
        _ => {
            eprint!("cannot make sense of `cargo xtask {}`\n\n{HELP}", arguments.join(" "));
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nfailed: {message}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Outcome {
    checks::check()?;
    let servers = servers::find_or_fetch()?;
    let tests = Run::cargo(&["test", "--release", "--locked", "--workspace"]);
    let tests = servers.iter().fold(tests, |tests, (variable, path)| tests.env(variable, path));
    step("Rust tests", || tests.check())?;
    build()?;
    step("the portal", || Run::new(command::binary(), &["build"]).check())?;
    bench("sizes.mjs", &["--check"])?;
    browser(&[])
}

/// Builds the binary that the tests in the browser use.
fn build() -> Outcome {
    step("the binary", || Run::cargo(&["build", "--release", "--locked"]).check())
}

fn browser(arguments: &[&str]) -> Outcome {
    playwright(&[&["test"], arguments].concat(), |run| run)
}

/// Builds the binary, and compares it with other bundlers.
fn bench(script: &str, arguments: &[&str]) -> Outcome {
    build()?;
    packages::ensure_in(Path::new("bench"))?;
    let run = Run::new("node", &[&[script], arguments].concat()).within("bench");
    step("the bench", || run.env("PORTALGEN", command::binary()).check())
}

fn screenshots(folder: &str) -> Outcome {
    let folder = env::current_dir().map_err(|error| error.to_string())?.join(folder);
    let arguments = ["test", "--config", "screenshots.config.ts"];
    playwright(&arguments, |run| run.env("SCREENSHOTS", &folder))
}

fn playwright(arguments: &[&str], adjust: impl FnOnce(Run) -> Run) -> Outcome {
    packages::ensure()?;
    let chromium = chromium::find_or_install()?;
    let arguments = [&["node_modules/@playwright/test/cli.js"], arguments].concat();
    let run = Run::new("node", &arguments).within(checks::BROWSER_TESTS).env("CHROMIUM", &chromium);
    let run = adjust(run.env("PORTALGEN", command::binary()));
    step("tests in the browser", || run.check())
}
