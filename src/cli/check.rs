//! `portalgen check`: the portal judged by every rule.

use portalgen_base::{
    date::Date,
    diagnostic::Diagnostic,
    text::{Text, text},
};
use portalgen_build::{
    check::Judgement,
    pipeline::{BuildOptions, SITE},
};

use super::{
    args::CheckArguments,
    build,
    console::Console,
    failure::{Failure, count, deny},
    install::Missing,
    project::portal_root,
    replay::Replay,
    terminal::say,
};

/// Builds without publishing, and tells all that breaks a rule.
pub(super) fn command(arguments: &CheckArguments, console: &Console) -> Result<(), Failure> {
    // Nothing has failed where there is nothing to check.
    portal_root(&arguments.portal.root)?;
    // How small the scripts are is of no interest here.
    let (minify, judgement, today) = (false, Judgement::Everything, Some(Date::today()));
    let change = |options| BuildOptions { minify, judgement, today, ..options };
    let warnings =
        warnings(arguments, console, change).map_err(|failure| Failure { outcome: not_well(), ..failure })?;
    deny(arguments.pages.deny, &warnings, not_well())?;
    if console.wants_json() {
        console.result(&serde_json::json!({ "ok": true, "diagnostics": console.json(&warnings) }));
        return Ok(());
    }
    console.diagnostics(&warnings);
    say(&format!("{}\n", console.words(&verdict(&warnings))));
    console.name_page_of_rule(&warnings);
    Ok(())
}

/// What is to be told of a portal without errors.
fn warnings(
    arguments: &CheckArguments,
    console: &Console,
    change: impl FnOnce(BuildOptions) -> BuildOptions,
) -> Result<Vec<Diagnostic>, Failure> {
    let (portal, pages) = (&arguments.portal, &arguments.pages);
    let (session, options) = build::prepare(portal, pages, Missing::OnlyLook, console, change)?;
    let replay = Replay::new(&session, &options, ("check", &()), None);
    let (mut warnings, types) = if let Ok(told) = replay.attempt(false) {
        (told.warnings, told.types)
    } else {
        let (session, recording) = replay.record();
        let build = build::make(&session, &options, pages, console)?;
        replay.keep(&recording, &build, None);
        (build.warnings, build.css_module_types)
    };
    warnings.extend(build::write_types(&options.root.join(SITE), &types));
    Ok(warnings)
}

fn not_well() -> Text {
    text!("check failed", "检查未通过")
}

fn verdict(warnings: &[Diagnostic]) -> Text {
    if warnings.is_empty() {
        return text!("no problems found", "没有发现问题");
    }
    let found = count(warnings);
    text!("{found}, no errors", "{found}，没有错误", found)
}
