//! The values of `[build] allow`: what lies outside of the project and may be read all the same.

use std::path::{Path, PathBuf};

use portalgen_base::{
    source::{Sources, is_of_system},
    text::{text, write},
};

use super::{
    findings::Findings,
    value::{Problem, Value, understood},
};

/// Folders and files, absolute and with every link resolved.
pub(super) fn read(
    values: Option<&[Value]>,
    sources: &dyn Sources,
    root: &Path,
    findings: &mut Findings,
) -> Vec<PathBuf> {
    let values = values.into_iter().flatten();
    values.filter_map(|value| understood(Some(value), |written| parse(written, sources, root), findings)).collect()
}

fn parse(written: &str, sources: &dyn Sources, root: &Path) -> Result<PathBuf, Problem> {
    if written.is_empty() {
        let problem = Problem::new(text!("this is not the name of a folder", "请写文件夹的名字"));
        return Err(problem.hint(text!("for example `../shared`", "例如 `../shared`")));
    }
    let path = sources.canonicalize(&root.join(written)).map_err(|_| {
        let problem = Problem::new(text!(
            "the folder or file `{written}` does not exist",
            "`{written}` 不存在：没有这个文件夹或文件"
        ));
        let slashes = written.replace('\\', "/");
        if slashes != written && sources.kind(&root.join(&slashes)).is_ok() {
            return problem.hint(write(slashes));
        }
        problem.hint(text!(
            "the path is relative to the folder of routes.toml: `../shared` is next to that folder",
            "位置从 routes.toml 所在的文件夹算起：`../shared` 与这个文件夹并列"
        ))
    })?;
    if path.parent().is_none() {
        return Err(Problem::new(text!(
            "this allows every file on the machine, including passwords and keys",
            "这会允许读取这台电脑上的所有文件，包括密码和密钥"
        ))
        .hint(text!("list only the folders that the site needs", "请只写网站需要的文件夹")));
    }
    if is_of_system(&path) {
        return Err(Problem::new(text!("system files are never read", "系统文件一律不读取")));
    }
    Ok(path)
}
