//! Tests that need a process of their own, because they measure it or end it.

use std::{env, process::Command};

/// Names the test that a child is to run.
const VARIABLE: &str = "PORTALGEN_TEST_ALONE";

/// Does `work` in a process that does nothing else: this program again, with `test` as its only test. `test` is the name
/// of the caller, `module::function`.
pub(crate) fn alone(test: &str, work: impl FnOnce()) {
    if is_child(test) {
        return work();
    }
    let output = child(test).output().expect("this program");
    let told = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{}\n{told}", output.status);
    assert!(told.contains("1 passed"), "{test} is no test: {told}");
}

/// Whether this process was started for `test`.
fn is_child(test: &str) -> bool {
    env::var_os(VARIABLE).is_some_and(|name| name == test)
}

/// This program with `test` as its only test.
pub(crate) fn child(test: &str) -> Command {
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(["--exact", test, "--nocapture"]).env(VARIABLE, test);
    command
}
