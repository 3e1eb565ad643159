//! `portalgen deploy-check`: a live portal compared with what was built.

use std::path::Path;

use serde_json::json;

use portalgen_base::{diagnostic::Diagnostic, text::text};
use portalgen_release::deploy_check::{self, Client};

use super::{
    args::DeployCheckArguments,
    console::Console,
    failure::{Blame, Failure, count},
    plan,
    project::{project_root, with_jobs},
    shown::visible,
    terminal::say,
};

/// How many requests wait for an answer at a time: enough to be quick, and no burden for a server.
const AT_ONCE: usize = 8;

/// Asks the server for everything, and tells what is not as it was built.
pub(super) fn command(arguments: &DeployCheckArguments, console: &Console) -> Result<(), Failure> {
    let other = |error: Diagnostic| Failure::other(error).without_outcome();
    let root = project_root(&arguments.root)?;
    let manifest = plan::published(arguments.against.as_deref(), &root.join(&arguments.out)).map_err(other)?;
    let manifest = manifest.ok_or_else(|| other(nothing_built(&arguments.out)))?;
    let work = || deploy_check::check(&manifest, &arguments.url, &Client::default());
    let report = with_jobs(Some(AT_ONCE), work)?.map_err(Diagnostic::error).map_err(other)?;
    let (diagnostics, requests, redirects) = (report.diagnostics(), report.requests, report.redirects);
    let url = &arguments.url;
    let outcome = text!("{requests} requests to {url}", "向 {url} 发出了 {requests} 个请求");
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(Failure { blame: Blame::Site, diagnostics, outcome });
    }
    if console.wants_json() {
        console.result(&json!({
            "ok": true,
            "requests": requests,
            "redirects": redirects,
            "diagnostics": console.json(&diagnostics),
        }));
        return Ok(());
    }
    console.diagnostics(&diagnostics);
    let found =
        if diagnostics.is_empty() { text!("no problems found", "没有发现问题") } else { count(&diagnostics) };
    say(&format!("{}\n", console.words(&text!("{found}; {outcome}", "{found}；{outcome}", found, outcome))));
    Ok(())
}

fn nothing_built(out: &Path) -> Diagnostic {
    let shown = visible(&out.display().to_string());
    Diagnostic::error(text!("there is no build in `{shown}` to compare with", "`{shown}` 里没有可以对照的构建结果"))
        .with_hint(text!(
            "run `portalgen build` first, or name the manifest of the deployed build with --against",
            "请先运行 `portalgen build`，或者用 --against 指定已部署的那次构建的清单"
        ))
}
