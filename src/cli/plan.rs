//! `portalgen plan`: what a build would change about what is published.

use std::{fs, path::Path};

use portalgen_base::{
    diagnostic::Diagnostic,
    text::{Text, text},
};
use portalgen_build::pipeline::BuildOptions;
use portalgen_release::{manifest::Manifest, plan::Plan};

use super::{
    args::PlanArguments,
    build,
    console::Console,
    failure::{Failure, deny},
    project::project_root,
    session,
    shown::visible,
};

/// Builds without publishing, compares, and prints what is different.
pub(super) fn command(arguments: &PlanArguments, console: &Console) -> Result<(), Failure> {
    let root = project_root(&arguments.portal.root)?;
    let out = root.join(&arguments.out);
    let old =
        published(arguments.against.as_deref(), &out).map_err(Failure::other).map_err(Failure::without_outcome)?;
    let change = |options: BuildOptions| BuildOptions {
        compress: true,
        previous: Some(arguments.against.clone().filter(|against| against.is_dir()).unwrap_or_else(|| out.clone())),
        ..options
    };
    let (mut build, session) =
        build::look(&arguments.portal, &arguments.pages, console, change).map_err(Failure::without_outcome)?;
    build.warnings.extend(session::save(&session, &root));
    deny(arguments.pages.deny, &build.warnings, Text::default())?;
    let plan = Plan::between(old.as_ref(), &build.manifest);
    if console.wants_json() {
        let language = console.look.language;
        let summary = plan.headline(&build.manifest).in_language(language).to_owned();
        console.result(&serde_json::json!({
            "ok": true,
            "summary": summary,
            "plan": plan,
            "diagnostics": console.json(&build.warnings),
        }));
    } else {
        console.diagnostics(&build.warnings);
        console.print(&plan.markdown(&build.manifest, console.look.language));
    }
    Ok(())
}

/// The manifest of what is published: that of the output folder, or one that was asked for.
pub(super) fn published(against: Option<&Path>, out: &Path) -> Result<Option<Manifest>, Diagnostic> {
    let Some(asked) = against else {
        // A pipe in its place would be waited for; one that was asked for is.
        return if Manifest::path_in(out).is_file() { read(&Manifest::path_in(out)) } else { Ok(None) };
    };
    let file = if asked.is_dir() { Manifest::path_in(asked) } else { asked.to_owned() };
    match read(&file)? {
        Some(manifest) => Ok(Some(manifest)),
        None => Err(nothing_there(asked)),
    }
}

/// None where there is no such file.
fn read(file: &Path) -> Result<Option<Manifest>, Diagnostic> {
    let Ok(bytes) = fs::read(file) else { return Ok(None) };
    let shown = visible(&file.display().to_string());
    Manifest::parse(&bytes).map(Some).ok_or_else(|| {
        Diagnostic::error(text!(
            "`{shown}` is not the manifest of a build, or comes from another version of portalgen",
            "`{shown}` 不是构建结果的清单，或来自另一个版本的 portalgen"
        ))
    })
}

fn nothing_there(asked: &Path) -> Diagnostic {
    let shown = visible(&asked.display().to_string());
    Diagnostic::error(text!("there is no previous build in `{shown}`", "`{shown}` 里没有之前构建的结果")).with_hint(
        text!(
            "--against takes an output folder, or the file `.portalgen/deploy/portal.json` from one",
            "--against 要指定输出文件夹，或者其中的 `.portalgen/deploy/portal.json` 文件"
        ),
    )
}
