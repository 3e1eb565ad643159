//! The browser that the tests run in.

use std::{env, path::PathBuf};

use crate::{command::Outcome, debian, steps::Steps};

const USUAL_PLACES: [&str; 3] = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// The program that `$CHROMIUM` names, or the installed one. Where neither is there, Debian's package is installed if
/// that needs no password.
pub(crate) fn find_or_install(steps: &Steps) -> Result<PathBuf, String> {
    if let Some(given) = env::var_os("CHROMIUM").filter(|given| !given.is_empty()).map(PathBuf::from) {
        let missing = || format!("CHROMIUM is {}, which is not there", given.display());
        return if given.exists() { Ok(given.clone()) } else { Err(missing()) };
    }
    if installed().is_none() {
        steps.take("Chromium", install)?;
    }
    installed().ok_or_else(|| "Chromium is still missing: set CHROMIUM to the path of one".to_owned())
}

fn installed() -> Option<PathBuf> {
    USUAL_PLACES.iter().map(PathBuf::from).find(|path| path.exists())
}

fn install() -> Outcome {
    // The portal is in Chinese, and pages are looked at.
    debian::install(
        &["chromium", "fonts-noto-cjk"],
        "Chromium is missing and cannot be installed from here: install Debian's packages `chromium` and `fonts-noto-cjk` or \
         the like, or set CHROMIUM to its path",
    )
}
