//! What Git knows of a project, however many pages there are.
//!
//! Its log, and the days of the lines of `routes.toml`, follow from the state of the repository and from the text of that file.
//! They are kept, for Git takes longer to say so than a small edit takes to be built. Which files are not as they were
//! committed is asked each time.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use serde::{Deserialize, Serialize};

use portalgen_base::{
    date::Date,
    store::{Key, Store},
};
use portalgen_portal::{FILE, history::History};

use super::git_state::git_state;

/// When the files in the folder `root` were changed. Nothing is known where there is no Git, no repository, or no commit.
pub(super) fn read(root: &Path, store: &Store) -> History {
    let now = Now { state: git_state(root), routes: routes(root) };
    let name = Key::of(&[b"history", root.as_os_str().as_encoded_bytes()]);
    let known: Option<Answers> = store.build(name).and_then(|bytes| postcard::from_bytes(&bytes).ok());
    let known = known.filter(|known| now.state.is_some() && known.now.state == now.state);
    let is_same = known.as_ref().is_some_and(|known| known.now == now);
    let asked = match known {
        Some(known) => again(root, known, &now),
        None => match first(root) {
            Ok(asked) => asked,
            Err(history) => return history,
        },
    };
    let Some((answers, changed)) = asked else { return History::default() };
    let answers = Answers { now, ..answers };
    // What has changed while Git was asked may have been told already, or not.
    let is_still = answers.now.state.is_some() && answers.now == Now { state: git_state(root), routes: routes(root) };
    if let (false, true, Ok(bytes)) = (is_same, is_still, postcard::to_stdvec(&answers)) {
        store.keep_build(name, &bytes);
    }
    answers.history(&changed)
}

/// What the answers that are kept follow from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Now {
    state: Option<Key>,
    /// The text of `routes.toml`.
    routes: Option<Key>,
}

/// What Git has said.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Answers {
    now: Now,
    /// The project's folder in the repository, with a slash behind it.
    prefix: String,
    /// The days of the last commits of files, whatever became of these since.
    files: BTreeMap<String, Date>,
    lines: Vec<Option<Date>>,
}

impl Answers {
    fn history(self, status: &str) -> History {
        let Self { now: _, prefix, mut files, lines } = self;
        for changed in changed_files(status, &prefix) {
            files.remove(changed);
        }
        History { files, lines, ..History::default() }
    }
}

fn routes(root: &Path) -> Option<Key> {
    fs::read(root.join(FILE)).ok().map(|text| Key::of(&[&text]))
}

/// All that there is to ask, in a repository that nothing is known of. Git works on the answers side by side.
///
/// # Errors
/// What is known all the same, where the history is not.
fn first(root: &Path) -> Result<Option<(Answers, String)>, History> {
    let Some(output) = start(root, &["rev-parse", "--is-shallow-repository", "--show-prefix"]).and_then(end) else {
        return Err(History::default());
    };
    let words = String::from_utf8_lossy(&output.stdout);
    let (is_shallow, prefix) = words.split_once('\n').unwrap_or((&words, ""));
    match is_shallow.trim() {
        "false" => {}
        "true" => return Err(History { is_shallow: true, ..History::default() }),
        _ => return Err(History { is_of_others: is_refusal(&output.stderr), ..History::default() }),
    }
    let log = ["log", "--format=%x00%ct", "--name-only", "--relative", "--no-renames", "-z", "--", "."];
    let (log, status, blame) = (start(root, &log), status(root), blame(root));
    let (log, status, blame) = (said(log), said(status), said(blame));
    Ok(log.zip(status).map(|(log, status)| {
        let prefix = prefix.trim_end_matches('\n').to_owned();
        let lines = changes_of_lines(&blame.unwrap_or_default());
        (Answers { now: Now::default(), prefix, files: last_changes(&log), lines }, status)
    }))
}

/// What is left to ask in a state of the repository in which Git was asked before.
fn again(root: &Path, known: Answers, now: &Now) -> Option<(Answers, String)> {
    let is_same = known.now.routes == now.routes;
    let (status, blame) = (status(root), (!is_same).then(|| blame(root)));
    let (status, blame) = (said(status), blame.map(said));
    let lines = blame.map_or(known.lines, |blame| changes_of_lines(&blame.unwrap_or_default()));
    Some((Answers { lines, ..known }, status?))
}

fn status(root: &Path) -> Option<Child> {
    start(root, &["status", "--porcelain", "--no-renames", "--untracked-files=no", "-z", "--", "."])
}

/// A file that is not committed has no lines that are: then Git fails.
fn blame(root: &Path) -> Option<Child> {
    start(root, &["blame", "--porcelain", "--", FILE])
}

/// Whether Git names the setting by which one trusts the project of another user.
fn is_refusal(words: &[u8]) -> bool {
    String::from_utf8_lossy(words).contains("safe.directory")
}

/// What Git prints, if it succeeds.
fn said(child: Option<Child>) -> Option<String> {
    let output = end(child?)?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn end(child: Child) -> Option<Output> {
    child.wait_with_output().ok()
}

/// Starts Git. Settings of whoever runs it that change its output are overruled.
fn start(root: &Path, arguments: &[&str]) -> Option<Child> {
    let mut command = Command::new("git");
    command.args(["--no-optional-locks", "--no-pager", "-c", "log.showSignature=false", "-c", "log.showRoot=true"]);
    command.args(["-c", "blame.ignoreRevsFile="]);
    command.args(arguments).current_dir(root);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().ok()
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

/// For each line its day. What is said of a commit stands behind the first of its lines only. What is not committed is told
/// of one whose hash is zero.
fn changes_of_lines(blame: &str) -> Vec<Option<Date>> {
    let mut days: BTreeMap<&str, Option<Date>> = BTreeMap::new();
    let mut lines = Vec::new();
    let mut commit = "";
    for line in blame.lines() {
        if line.starts_with('\t') {
            let is_committed = !commit.starts_with("0000000000");
            lines.push(days.get(commit).copied().flatten().filter(|_| is_committed));
        } else if let Some(seconds) = line.strip_prefix("committer-time ") {
            days.insert(commit, seconds.parse().ok().map(Date::of_seconds));
        } else if let Some(hash) = hash(line) {
            commit = hash;
        }
    }
    lines
}

/// The hash that a line begins with, if it is the first of what is said about one: then numbers stand behind it.
fn hash(line: &str) -> Option<&str> {
    line.split(' ').next().filter(|word| word.len() >= 40 && word.bytes().all(|b| b.is_ascii_hexdigit()))
}
