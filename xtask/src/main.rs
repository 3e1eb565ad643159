//! What contributors would otherwise type by hand.
#![expect(clippy::print_stderr, reason = "a program for the terminal")]

mod checks;
mod chromium;
mod command;
mod debian;
mod fuzz;
mod measure;
mod packages;
mod servers;
mod steps;

use std::{env, process::ExitCode};

use command::{Outcome, Run};
use steps::{Steps, beside};

const HELP: &str = "\
Usage: cargo xtask <COMMAND>

Commands:
  test                 Run every check and every test; installs packages and, where it may, Chromium, nginx and Caddy
  check                Check formatting, lints and types only
  servers              Fetch nginx and Caddy for the tests, where they are not installed
  browser [ARGS]       Run the tests in Chromium only; ARGS go to Playwright: browser history --project=production
  fuzz [ROUNDS]        Try random programs and damaged files, others than the tests do, once or for some rounds
  screenshots <DIR>    Write a picture of every page to DIR
  bench sizes          Write the sizes of bundles, beside those of other bundlers, to docs/bundle-sizes.md
  bench sizes --check  Fail if they have grown, or are too far above those of the others
  bench speed          Compare the time that a large site takes with rolldown's
  bench build          Write the time that portals of 10, 1,000 and 10,000 articles take, beside Vite's, Astro's and Hugo's, to
                       docs/performance.md and README.md; --routes 10,1000 and --tools portalgen,vite choose, --runs 3 says how often,
                       --with before=PATH adds a binary of portalgen, --print writes nothing
  bench dev            Write how fast `portalgen dev` answers and shows edits, beside Vite, to docs/performance-dev.md and README.md;
                       --edits 30, --runs 5 and --rebuilds 1000 say how often, --print writes nothing
  help                 Print this
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let steps = &Steps::new();
    if let ["measure", report, program, ref arguments @ ..] = *arguments {
        return measure::measure(report, program, arguments);
    }
    let outcome = match *arguments {
        [] | ["help" | "--help" | "-h"] => {
            eprint!("{HELP}");
            return ExitCode::SUCCESS;
        }
        ["test"] => test(steps),
        ["check"] => checks::check(steps),
        ["servers"] => servers::find_or_fetch(steps).map(drop),
        ["browser", ref playwright @ ..] => build(steps).and_then(|()| browser(playwright, steps)),
        ["fuzz"] => fuzz::fuzz(1, steps),
        ["fuzz", rounds] => match rounds.parse() {
            Ok(rounds) => fuzz::fuzz(rounds, steps),
            Err(_) => Err(format!("`{rounds}` is no number of rounds")),
        },
        ["screenshots", folder] => build(steps).and_then(|()| screenshots(folder, steps)),
        ["bench", "build", ref options @ ..] => build(steps).and_then(|()| bench_builds(options, steps)),
        ["bench", "dev", ref options @ ..] => build(steps).and_then(|()| bench_dev(options, steps)),
        ["bench", "sizes"] => build(steps).and_then(|()| bench("sizes.mjs", &[], steps)),
        ["bench", "sizes", "--check"] => build(steps).and_then(|()| bench("sizes.mjs", &["--check"], steps)),
        ["bench", "speed"] => build(steps).and_then(|()| bench("speed.mjs", &[], steps)),
        _ => {
            eprint!("cannot make sense of `cargo xtask {}`\n\n{HELP}", arguments.join(" "));
            return ExitCode::from(2);
        }
    };
    eprint!("{}", steps.table());
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nfailed: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Everything. What waits for the network goes on beside what the compiler does.
fn test(steps: &Steps) -> Outcome {
    checks::quick(steps)?;
    beside(
        || {
            packages::ensure(steps)?;
            checks::types(steps)?;
            servers::find_or_fetch(steps)?;
            chromium::find_or_install(steps).map(drop)
        },
        || {
            checks::lints(steps)?;
            steps.take("the programs", || cargo_test(&["--no-run"]).check())
        },
    )?;
    let servers = servers::find_or_fetch(steps)?;
    let tests = servers.iter().fold(cargo_test(&[]), |tests, (variable, path)| tests.env(variable, path));
    steps.take("Rust tests", || tests.check())?;
    build(steps)?;
    steps.take("the portal", || Run::new(command::binary(), &["build"]).check())?;
    bench("sizes.mjs", &["--check"], steps)?;
    browser(&[], steps)
}

fn cargo_test(arguments: &[&str]) -> Run {
    Run::cargo(&[&["test", "--release", "--locked", "--workspace"], arguments].concat())
}

/// Builds the program as it ships.
fn build(steps: &Steps) -> Outcome {
    steps.take("the binary", || Run::cargo(&["build", "--release", "--locked"]).check())
}

fn browser(arguments: &[&str], steps: &Steps) -> Outcome {
    playwright(&[&["test"], arguments].concat(), steps, |run| run)
}

/// Compares builds of whole portals. The programs that it takes are many, and no test needs them.
fn bench_builds(options: &[&str], steps: &Steps) -> Outcome {
    packages::ensure_in(packages::SITE, steps)?;
    packages::ensure_in(packages::BENCH_BUILD, steps)?;
    let measure = env::current_exe().map_err(|error| error.to_string())?;
    let run = Run::new("node", &[&["build.mjs"], options].concat()).within(packages::BENCH);
    steps.take("the bench", || run.env("PORTALGEN", command::binary()).env("MEASURE", &measure).check())
}

/// Compares development servers, in Chromium.
fn bench_dev(options: &[&str], steps: &Steps) -> Outcome {
    packages::ensure(steps)?;
    packages::ensure_in(packages::BENCH_BUILD, steps)?;
    let chromium = chromium::find_or_install(steps)?;
    let run = Run::new("node", &[&["dev.mjs"], options].concat()).within(packages::BENCH);
    let run = run.env("PORTALGEN", command::binary()).env("CHROMIUM", &chromium);
    steps.take("the bench", || run.check())
}

/// Compares the program with other bundlers.
fn bench(script: &str, arguments: &[&str], steps: &Steps) -> Outcome {
    packages::ensure_in(packages::BENCH, steps)?;
    let run = Run::new("node", &[&[script], arguments].concat()).within(packages::BENCH);
    steps.take("the bench", || run.env("PORTALGEN", command::binary()).check())
}

fn screenshots(folder: &str, steps: &Steps) -> Outcome {
    let folder = env::current_dir().map_err(|error| error.to_string())?.join(folder);
    let arguments = ["test", "--config", "screenshots.config.ts"];
    playwright(&arguments, steps, |run| run.env("SCREENSHOTS", &folder))
}

fn playwright(arguments: &[&str], steps: &Steps, adjust: impl FnOnce(Run) -> Run) -> Outcome {
    packages::ensure(steps)?;
    let chromium = chromium::find_or_install(steps)?;
    let arguments = [&["node_modules/@playwright/test/cli.js"], arguments].concat();
    let run = Run::new("node", &arguments).within(checks::BROWSER_TESTS).env("CHROMIUM", &chromium);
    let run = adjust(run.env("PORTALGEN", command::binary()));
    steps.take("tests in the browser", || run.check())
}
