//! The browser that the tests run in.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::command::{Outcome, Run, exists, step};

const USUAL_PLACES: [&str; 3] = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// The program that `$CHROMIUM` names, or the installed one. Where neither is there, Debian's package is installed if
/// that needs no password.
pub(crate) fn find_or_install() -> Result<PathBuf, String> {
    if let Some(given) = env::var_os("CHROMIUM").filter(|given| !given.is_empty()).map(PathBuf::from) {
        let missing = || format!("CHROMIUM is {}, which is not there", given.display());
        return if given.exists() { Ok(given.clone()) } else { Err(missing()) };
    }
    if installed().is_none() {
        step("Chromium", install)?;
    }
    installed().ok_or_else(|| "Chromium is still missing: set CHROMIUM to the path of one".to_owned())
}

fn installed() -> Option<PathBuf> {
    USUAL_PLACES.iter().map(PathBuf::from).find(|path| path.exists())
}

fn install() -> Outcome {
    let Some(prefix) = installing_prefix() else {
        return Err("Chromium is missing and cannot be installed from here: install Debian's packages `chromium` and \
                    `fonts-noto-cjk` or the like, or set CHROMIUM to its path"
            .to_owned());
    };
    apt_get(prefix, &["update"])?;
    // The portal is in Chinese, and pages are looked at.
    apt_get(prefix, &["install", "--yes", "--no-install-recommends", "chromium", "fonts-noto-cjk"])
}

/// What must stand before a command that installs; nothing where one may not.
fn installing_prefix() -> Option<&'static [&'static str]> {
    if !Path::new("/usr/bin/apt-get").exists() {
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
