//! What commands find around a project: its folder, the environment, and threads to work on.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    io,
    path::{Component, Path, PathBuf},
};

use portalgen_base::{diagnostic::Diagnostic, system, text::text};
use portalgen_build::pipeline::SITE;
use portalgen_portal::FILE;

use super::{
    failure::Failure,
    shown::{shell_word, visible},
};

/// The variables of the environment that pages may see. What others hold need not even be text.
///
/// # Errors
/// One of them is no text.
pub(super) fn public_variables() -> Result<BTreeMap<String, String>, Failure> {
    let named = std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    let public = named.filter(|(name, _)| name.starts_with("PORTALGEN_PUBLIC_"));
    let read = |(name, value): (String, OsString)| match value.into_string() {
        Ok(value) => Ok((name, value)),
        Err(_) => Err(Failure::other(Diagnostic::error(text!(
            "the environment variable {name} is not UTF-8",
            "环境变量 {name} 不是 UTF-8 编码"
        )))),
    };
    public.map(read).collect()
}

pub(super) fn project_root(given: &Path) -> Result<PathBuf, Failure> {
    let root = std::fs::canonicalize(given)
        .and_then(|root| if root.is_dir() { Ok(root) } else { Err(io::ErrorKind::NotADirectory.into()) });
    root.map_err(|error| {
        let (name, error) = (visible(&given.display().to_string()), system::explain(&error));
        Failure::other(
            Diagnostic::error(text!(
                "cannot open the project folder {name}: {error}",
                "无法打开项目文件夹 {name}：{error}",
                error
            ))
            .with_hint(text!(
                "--root takes the folder that contains routes.toml",
                "--root 要指定 routes.toml 所在的文件夹"
            )),
        )
    })
}

/// The folder of a portal, which must hold one.
///
/// # Errors
/// There is no such folder, or nothing of a portal in it.
pub(super) fn portal_root(given: &Path) -> Result<PathBuf, Failure> {
    let root = project_root(given)?;
    let is_portal = |folder: &Path| folder.join(FILE).symlink_metadata().is_ok();
    if is_portal(&root) || root.join(SITE).symlink_metadata().is_ok() {
        return Ok(root);
    }
    let here = given == Path::new(".");
    let shown = visible(&given.display().to_string());
    let word = shell_word(&shown);
    let message = if here {
        text!("there is no portal in this folder", "当前文件夹里没有门户")
    } else {
        text!("there is no portal in `{shown}`", "`{shown}` 里没有门户")
    };
    let error = Diagnostic::error(message);
    let above = root.ancestors().skip(1).position(is_portal);
    let hint = match above {
        Some(levels) => {
            let above = ancestor(given, levels + 1);
            let above = shell_word(&visible(&above.display().to_string()));
            text!(
                "there is one in `{above}`: add `--root {above}`, or change to that folder",
                "`{above}` 里有一个：请加上 `--root {above}`，或者先进入那个文件夹"
            )
        }
        None if here => text!(
            "run `portalgen init` to create one here, or `portalgen init my-portal` to create it in a new folder",
            "请运行 `portalgen init` 在这里新建一个；要建在新文件夹里，请运行 `portalgen init my-portal`"
        ),
        None => {
            text!("run `portalgen init {word}` to create one there", "请运行 `portalgen init {word}` 在那里新建一个")
        }
    };
    Err(Failure::of_site(vec![error.with_hint(hint)]).without_outcome())
}

/// The folder some levels above another one, as one types it.
fn ancestor(folder: &Path, levels: usize) -> PathBuf {
    let names: Vec<Component> = folder.components().filter(|name| *name != Component::CurDir).collect();
    let is_named = names.iter().all(|name| matches!(name, Component::Normal(_)));
    match names.len().checked_sub(levels) {
        Some(0) if is_named => PathBuf::from("."),
        Some(left) if is_named => names.iter().take(left).collect(),
        _ => names.iter().copied().chain(vec![Component::ParentDir; levels]).collect(),
    }
}

/// How large the stacks of threads are that work: parsers and minifiers recurse with the nesting of their input, deeper than a
/// thread's usual 2 MB allow.
pub(super) const STACK: usize = 64 * 1024 * 1024;

/// Runs `work` on as many threads as asked for.
pub(super) fn with_jobs<T: Send>(jobs: Option<usize>, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    let pool = workers(jobs).build().map_err(|error| no_threads(&error))?;
    Ok(pool.install(work))
}

/// Starts the worker threads that everything uses which is not told otherwise.
pub(super) fn start_workers(jobs: Option<usize>) -> Result<(), Failure> {
    workers(jobs).build_global().map_err(|error| no_threads(&error))
}

fn workers(jobs: Option<usize>) -> rayon::ThreadPoolBuilder {
    // Zero stands for as many as there are cores.
    let builder = rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0));
    builder.stack_size(STACK).thread_name(|number| format!("worker {number}"))
}

fn no_threads(error: &dyn std::error::Error) -> Failure {
    Failure::other(Diagnostic::error(text!("cannot start worker threads: {error}", "无法启动工作线程")))
}
