//! Programs from Debian's packages.

use std::{path::Path, process::Command};

use crate::command::{Outcome, Run, exists};

/// Installs packages.
///
/// # Errors
/// The system is not Debian's, or nothing may be installed without a password; `missing` says what to do then.
pub(crate) fn install(packages: &[&str], missing: &str) -> Outcome {
    let Some(prefix) = installing_prefix() else { return Err(missing.to_owned()) };
    apt_get(prefix, &["update"])?;
    apt_get(prefix, &[&["install", "--yes", "--no-install-recommends"], packages].concat())
}

/// Unpacks packages into a folder of the repository. Nothing is installed: neither does a service start, nor is a password
/// needed.
///
/// # Errors
/// The system is not Debian's, or does not find the packages; `missing` says what to do then.
pub(crate) fn unpack(packages: &[&str], folder: &Path, missing: &str) -> Outcome {
    if !has_apt() {
        return Err(missing.to_owned());
    }
    let download =
        || Run::new("apt-get", &[&["--quiet", "download"], packages].concat()).within(folder).check_quietly();
    if download().is_err() {
        // The lists of packages are old, or not there yet.
        let prefix = installing_prefix().ok_or(missing)?;
        apt_get(prefix, &["update"])?;
        download()?;
    }
    let unpack = "for package in *.deb; do dpkg-deb --extract \"$package\" . || exit; done";
    Run::new("sh", &["-c", unpack]).within(folder).check_quietly()
}

fn has_apt() -> bool {
    Path::new("/usr/bin/apt-get").exists()
}

/// What must stand before a command that installs; nothing where one may not.
fn installing_prefix() -> Option<&'static [&'static str]> {
    if !has_apt() {
        return None;
    }
    if prints("id", &["-u"], "0") {
        return Some(&[]);
    }
    let may_become_root = exists("sudo") && Run::new("sudo", &["--non-interactive", "true"]).check_quietly().is_ok();
    may_become_root.then_some(&["sudo", "--non-interactive"])
}

fn prints(program: &str, arguments: &[&str], expected: &str) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == expected)
}

fn apt_get(prefix: &[&str], arguments: &[&str]) -> Outcome {
    let all = [prefix, &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet"], arguments].concat();
    let (program, arguments) = all.split_first().ok_or("nothing to run")?;
    Run::new(program, arguments).check_quietly()
}
