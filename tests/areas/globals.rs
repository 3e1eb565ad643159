//! Web globals of the embedded engine: modules that export `test()`, which throws if one is not as its standard says.

use std::{env, process::Command};

use libtest_mimic::Trial;

use portalgen_engine::Limits;

use super::trial;
use crate::support::{
    fixtures::{self, Verdict},
    programs::{program_of, stack},
};

const AREA: &str = "engine/globals";

/// What the fixtures share.
const SHARED: &str = "assert.js";

/// Fixtures that hold in Node.js as well, so that they say what the standards mean and not what the engine does.
const AS_IN_NODE: [&str; 9] = [
    "blob.js",
    "channels.js",
    "compression.js",
    "digest.js",
    "form-data.js",
    "patterns.js",
    "transform-streams.js",
    "weak-references.js",
    "writable-streams.js",
];

const TIME_ZONES: [&str; 3] = ["Asia/Shanghai", "America/St_Johns", "Pacific/Chatham"];

/// Each fixture in the engine, `engine/globals/url`; those of [`AS_IN_NODE`] in Node.js; and all of them as on machines of
/// other places.
pub(super) fn trials() -> Vec<Trial> {
    let mut names: Vec<String> =
        fixtures::entries(&fixtures::area(AREA)).iter().map(|path| fixtures::name(path)).collect();
    names.retain(|name| name != SHARED);
    let count = names.len();
    assert!(count >= 10, "only {count} fixtures of {AREA} were found");
    let in_node = AS_IN_NODE.map(|name| trial(format!("{AREA}-in-node/{}", stem(name)), move || runs_in_node(name)));
    let abroad = TIME_ZONES.map(|zone| trial(format!("{AREA}-in-time-zone/{zone}"), move || run_abroad(zone, count)));
    let here = names.into_iter().map(|name| trial(format!("{AREA}/{}", stem(&name)), move || runs(&name)));
    abroad.into_iter().chain(in_node).chain(here).collect()
}

fn stem(name: &str) -> &str {
    name.strip_suffix(".js").unwrap_or_else(|| panic!("{name} is no module"))
}

fn runs(name: &str) -> Verdict {
    let program = program_of(&fixtures::area(AREA), name);
    let outcome = program.call("test", &[], &Limits::default());
    outcome.map(drop).map_err(|failure| format!("{failure} {:?}", stack(&failure.frames)))
}

fn runs_in_node(name: &str) -> Verdict {
    let code = format!(
        "import('./{name}').then(({{ test }}) => test()).then(() => process.exit(0), (error) => {{ \
         console.error(error); process.exit(1); }});"
    );
    let mut node = Command::new("node");
    let output = node.args(["--input-type=module", "-e", &code]).current_dir(fixtures::area(AREA)).output();
    let output = output.map_err(|error| format!("Node.js is needed for this test: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// The time zone and the locale of the machine do not matter: this program again, with others, runs all `count` fixtures.
fn run_abroad(zone: &str, count: usize) -> Verdict {
    let mut here = Command::new(env::current_exe().unwrap());
    let output = here.arg(format!("{AREA}/")).env("TZ", zone).env("LC_ALL", "de_DE.UTF-8").output();
    let output = output.map_err(|error| error.to_string())?;
    let told = String::from_utf8_lossy(&output.stdout);
    let is_right = output.status.success() && told.contains(&format!(" {count} passed; 0 failed"));
    if is_right { Ok(()) } else { Err(told.into_owned()) }
}
