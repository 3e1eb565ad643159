//! What Git knows of a project: asked four times, however many pages there are.

use std::{
    collections::BTreeMap,
    path::Path,
    process::{Command, Output, Stdio},
};

use portalgen_base::date::Date;
use portalgen_portal::{FILE, history::History};

/// When the files in the folder `root` were changed. Nothing is known where there is no Git, no repository, or no commit.
pub(super) fn read(root: &Path) -> History {
    let Some(output) = run(root, &["rev-parse", "--is-shallow-repository"]) else { return History::default() };
    match String::from_utf8_lossy(&output.stdout).trim() {
        "false" => complete(root).unwrap_or_default(),
        "true" => History { is_shallow: true, ..History::default() },
        _ => History { is_of_others: is_refusal(&output.stderr), ..History::default() },
    }
}

fn complete(root: &Path) -> Option<History> {
    let log = git(root, &["log", "--format=%x00%ct", "--name-only", "--relative", "--no-renames", "-z", "--", "."])?;
    let status = git(root, &["status", "--porcelain", "--no-renames", "--untracked-files=no", "-z", "--", "."])?;
    let prefix = git(root, &["rev-parse", "--show-prefix"])?;
    // A file that is not committed has no lines that are.
    let blame = git(root, &["blame", "--line-porcelain", "--", FILE]).unwrap_or_default();
    let mut files = last_changes(&log);
    for changed in changed_files(&status, prefix.trim_end_matches('\n')) {
        files.remove(changed);
    }
    Some(History { files, lines: changes_of_lines(&blame), ..History::default() })
}

/// Whether Git names the setting by which one trusts the project of another user.
fn is_refusal(words: &[u8]) -> bool {
    String::from_utf8_lossy(words).contains("safe.directory")
}

/// What Git prints, if it succeeds.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = run(root, arguments)?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs Git. Settings of whoever runs it that change its output are overruled.
fn run(root: &Path, arguments: &[&str]) -> Option<Output> {
    let mut command = Command::new("git");
    command.args(["--no-optional-locks", "--no-pager", "-c", "log.showSignature=false", "-c", "log.showRoot=true"]);
    command.args(["-c", "blame.ignoreRevsFile="]);
    command.args(arguments).current_dir(root).stdin(Stdio::null()).output().ok()
}

/// For each file the day of the first commit that names it, which is its last one: the newest come first. In front of a
/// commit's time and behind it, as behind each file, stands a zero byte.
fn last_changes(log: &str) -> BTreeMap<String, Date> {
    let mut files = BTreeMap::new();
    let mut day = None;
    let mut is_time = false;
    for word in log.split('\0') {
        let word = word.trim_start_matches('\n');
        if word.is_empty() {
            is_time = true;
        } else if is_time {
            is_time = false;
            day = word.trim().parse().ok().map(Date::of_seconds);
        } else if let Some(day) = day {
            files.entry(word.to_owned()).or_insert(day);
        }
    }
    files
}

/// The files that are not as they were committed: two letters and a space, and the path from the root of the repository.
fn changed_files<'s>(status: &'s str, prefix: &str) -> impl Iterator<Item = &'s str> {
    status.split('\0').filter_map(move |entry| entry.get(3..)?.strip_prefix(prefix))
}

/// For each line its day. What is not committed is told of a commit whose hash is zero.
fn changes_of_lines(blame: &str) -> Vec<Option<Date>> {
    let mut lines = Vec::new();
    let mut is_committed = false;
    let mut day = None;
    for line in blame.lines() {
        if line.starts_with('\t') {
            lines.push(day.filter(|_| is_committed));
        } else if let Some(seconds) = line.strip_prefix("committer-time ") {
            day = seconds.parse().ok().map(Date::of_seconds);
        } else if is_hash(line) {
            is_committed = !line.starts_with("0000000000");
        }
    }
    lines
}

/// Whether a line is the first of what is said about one: a hash and numbers.
fn is_hash(line: &str) -> bool {
    line.split(' ').next().is_some_and(|word| word.len() >= 40 && word.bytes().all(|b| b.is_ascii_hexdigit()))
}
