//! `portalgen check`: the portal judged by every rule.

use portalgen_base::{
    date::Date,
    diagnostic::Diagnostic,
    text::{Text, text},
};
use portalgen_build::{check::Judgement, pipeline::BuildOptions};

use super::{
    args::CheckArguments,
    build,
    console::Console,
    failure::{Failure, count, deny},
    terminal::say,
};

/// Builds without publishing, and tells all that breaks a rule.
pub(super) fn command(arguments: &CheckArguments, console: &Console) -> Result<(), Failure> {
    // How small the scripts are is of no interest here.
    let (minify, judgement, today) = (false, Judgement::Everything, Some(Date::today()));
    let change = |options| BuildOptions { minify, judgement, today, ..options };
    let checked = build::look(&arguments.portal, &arguments.pages, console, change);
    let (build, _) = checked.map_err(|failure| Failure { outcome: not_well(), ..failure })?;
    deny(arguments.pages.deny, &build.warnings, not_well())?;
    if console.wants_json() {
        console.result(&serde_json::json!({ "ok": true, "diagnostics": console.json(&build.warnings) }));
        return Ok(());
    }
    console.diagnostics(&build.warnings);
    say(&format!("{}\n", console.words(&verdict(&build.warnings))));
    Ok(())
}

fn not_well() -> Text {
    text!("check failed", "检查未通过")
}

fn verdict(warnings: &[Diagnostic]) -> Text {
    if warnings.is_empty() {
        return text!("no problems found", "没有发现问题");
    }
    let found = count(warnings);
    text!("{found}, and no error", "{found}，没有错误", found)
}
