//! The workspace of a package manager that a folder belongs to.

use std::{
    fs,
    path::{Path, PathBuf},
};

use walkdir::WalkDir;

use super::names::display_name;

/// A folder whose settings say that packages below it belong together.
#[derive(Debug)]
pub(super) struct Workspace {
    pub root: PathBuf,
    /// Globs, relative to the root; one that begins with `!` takes folders out.
    patterns: Vec<String>,
}

impl Workspace {
    /// The nearest workspace above `project` that the project, its `site` folder or a folder that holds both is a member
    /// of: by `pnpm-workspace.yaml`, or by `workspaces` in `package.json`, which npm, Yarn and Bun read.
    pub(super) fn of(project: &Path, site: &Path) -> Option<Self> {
        let above = project.ancestors().skip(1);
        let mut found = above.flat_map(Self::declared_in);
        found.find(|workspace| {
            let folders = site.ancestors().take_while(|folder| *folder != workspace.root);
            folders.into_iter().any(|folder| workspace.has_member(folder))
        })
    }

    fn declared_in(folder: &Path) -> impl Iterator<Item = Self> {
        let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
        let pnpm = read("pnpm-workspace.yaml").map(|text| listed_by_pnpm(&text));
        let npm = read("package.json").map(|text| listed_by_npm(&text));
        let all = [pnpm, npm].into_iter().flatten();
        all.map(|patterns| Self { root: folder.to_path_buf(), patterns })
    }

    fn has_member(&self, folder: &Path) -> bool {
        let name = display_name(&self.root, folder);
        let matches =
            |pattern: &str| fast_glob::glob_match(pattern.trim_start_matches("./").trim_end_matches('/'), &name);
        let is_listed = |pattern: &String| !pattern.starts_with('!') && matches(pattern);
        let is_out = |pattern: &String| pattern.strip_prefix('!').is_some_and(matches);
        self.patterns.iter().any(is_listed) && !self.patterns.iter().any(is_out)
    }

    /// The folders of its packages.
    pub(super) fn members(&self) -> Vec<PathBuf> {
        let is_source = |name: &str| name != "node_modules" && !name.starts_with('.');
        let folders = WalkDir::new(&self.root)
            .min_depth(1)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| entry.file_type().is_dir() && entry.file_name().to_str().is_some_and(is_source));
        let folders = folders.filter_map(Result::ok).map(walkdir::DirEntry::into_path);
        folders.filter(|folder| self.has_member(folder)).collect()
    }
}

/// `workspaces` of a `package.json`: a list, or an object with one as `packages`.
fn listed_by_npm(text: &str) -> Vec<String> {
    let package: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let workspaces = &package["workspaces"];
    let list = workspaces.as_array().or_else(|| workspaces["packages"].as_array());
    list.into_iter().flatten().filter_map(|pattern| Some(pattern.as_str()?.to_owned())).collect()
}

/// `packages` of a `pnpm-workspace.yaml`, which has one pattern on each line, or all of them between brackets.
fn listed_by_pnpm(text: &str) -> Vec<String> {
    const KEY: &str = "packages:";
    let mut lines = text.lines().map(without_comment).skip_while(|line| !line.starts_with(KEY));
    let Some(first) = lines.next() else { return Vec::new() };
    let is_inside = |line: &&str| line.is_empty() || line.starts_with([' ', '\t', '-', ']']);
    let rest: Vec<&str> = lines.take_while(is_inside).collect();
    let flow = first[KEY.len()..].trim();
    let unquoted = |pattern: &str| pattern.trim().trim_matches(['"', '\'']).to_owned();
    let patterns: Vec<String> = match flow.strip_prefix('[') {
        Some(start) => {
            let list = [&[start], rest.as_slice()].concat().join(" ");
            list.split(']').next().unwrap_or_default().split(',').map(unquoted).collect()
        }
        None => rest.iter().filter_map(|line| Some(unquoted(line.trim_start().strip_prefix('-')?))).collect(),
    };
    patterns.into_iter().filter(|pattern| !pattern.is_empty()).collect()
}

/// A line of YAML up to its comment. No pattern has ` #` in it.
fn without_comment(line: &str) -> &str {
    let end = if line.starts_with('#') { Some(0) } else { line.find(" #") };
    line[..end.unwrap_or(line.len())].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_pnpm_are_read_in_every_form() {
        let block =
            "# all\npackages:\n  # ours\n  - 'apps/*' # first\n\n  - \"!apps/old\"\n  - libs/**\ncatalog:\n  - no\n";
        assert_eq!(listed_by_pnpm(block), ["apps/*", "!apps/old", "libs/**"]);
        assert_eq!(listed_by_pnpm("packages:\n- a\n- b\nshared: true\n"), ["a", "b"]);
        assert_eq!(listed_by_pnpm("packages: ['a/*', \"b\"]\n"), ["a/*", "b"]);
        assert_eq!(listed_by_pnpm("packages: [\n  a,\n  b\n]\n"), ["a", "b"]);
        assert_eq!(listed_by_pnpm("catalog: {}\n"), [""; 0]);
    }

    #[test]
    fn lists_of_npm_and_yarn_are_read() {
        assert_eq!(listed_by_npm(r#"{"workspaces":["a/*"]}"#), ["a/*"]);
        assert_eq!(listed_by_npm(r#"{"workspaces":{"packages":["a/*"],"nohoist":["b"]}}"#), ["a/*"]);
        assert_eq!(listed_by_npm("{}"), [""; 0]);
        assert_eq!(listed_by_npm("nothing"), [""; 0]);
    }
}
