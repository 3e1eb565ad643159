//! The documents of the repository: their links lead somewhere, and the commands in them are those of the program.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use portalgen_base::source::normalize;
use walkdir::WalkDir;

use crate::support::project::repository;

/// Folders with documents of others.
const FOREIGN: [&str; 5] = [".git", "dist", "node_modules", "target", "tests"];

/// Every document, by its path from the root.
fn documents() -> BTreeMap<PathBuf, String> {
    let root = repository();
    let is_ours = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !(FOREIGN.contains(&&*name) || name.starts_with('.'))
    };
    let files = WalkDir::new(root).into_iter().filter_entry(is_ours).map(Result::unwrap);
    let documents = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "md"));
    documents
        .map(|file| {
            let path = file.path().strip_prefix(root).unwrap().to_owned();
            (path, fs::read_to_string(file.path()).unwrap())
        })
        .collect()
}

/// The lines that are text, and those in blocks of code with the language of these.
fn lines(text: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    let mut language = None;
    text.lines().filter_map(move |line| match (line.trim_start().strip_prefix("```"), language) {
        (Some(_), Some(_)) => {
            language = None;
            None
        }
        (Some(opened), None) => {
            language = Some(opened);
            None
        }
        (None, language) => Some((language, line)),
    })
}

fn prose(text: &str) -> impl Iterator<Item = &str> {
    lines(text).filter(|(language, _)| language.is_none()).map(|(_, line)| line)
}

/// What a heading is called in links, as on GitHub.
fn anchor(heading: &str) -> String {
    let kept = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    heading.to_lowercase().chars().filter(|c| kept(*c)).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let heading = |line: &str| {
        let level = line.len() - line.trim_start_matches('#').len();
        (level > 0).then(|| line[level..].strip_prefix(' ').map(anchor)).flatten()
    };
    let mut anchors = BTreeSet::new();
    for heading in prose(text).filter_map(heading) {
        // The second one of a name has a number.
        let numbered = (1..).map(|number| format!("{heading}-{number}"));
        let free = std::iter::once(heading.clone()).chain(numbered).find(|name| !anchors.contains(name));
        anchors.extend(free);
    }
    anchors
}

/// The targets of the links in a text.
fn links(text: &str) -> impl Iterator<Item = &str> {
    prose(text).flat_map(|line| line.split("](").skip(1)).filter_map(|rest| rest.split(')').next())
}

#[test]
fn links_lead_to_files_and_headings() {
    let documents = documents();
    assert!(documents.len() > 60, "{} documents", documents.len());
    let mut count = 0;
    for (path, text) in &documents {
        for link in links(text).filter(|link| !link.contains(':')) {
            count += 1;
            let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { normalize(&path.with_file_name(file)) };
            assert!(repository().join(&target).exists(), "{}: nothing is at {link}", path.display());
            let has_heading = || documents.get(&target).is_some_and(|text| anchors(text).contains(fragment));
            assert!(fragment.is_empty() || has_heading(), "{}: no heading is called {link}", path.display());
        }
    }
    assert!(count > 120, "{count} links");
}

/// What is behind `portalgen` in code: in blocks for shells, and in text.
fn commands(text: &str) -> BTreeSet<String> {
    let in_blocks = lines(text).filter(|(language, _)| *language == Some("sh")).map(|(_, line)| line);
    let in_text = prose(text).flat_map(|line| line.split('`').skip(1).step_by(2));
    let command = |code: &str| code.trim().strip_prefix("portalgen ").map(str::to_owned);
    // What is behind a sign of the shell is its affair, and so is a comment.
    let own = |code: String| code.split(['|', '>', '#', '&']).next().unwrap_or_default().trim().to_owned();
    in_blocks.chain(in_text).filter_map(command).map(own).collect()
}

fn help(command: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_portalgen")).args(command).args(["--help", "--lang", "en"]).output();
    String::from_utf8(output.unwrap().stdout).unwrap()
}

#[test]
fn commands_and_options_are_those_of_the_program() {
    let listed = help(&[]);
    let listed = listed.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let subcommands: BTreeSet<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let mut count = 0;
    for (path, text) in documents().iter().filter(|(path, _)| *path != Path::new("CHANGELOG.md")) {
        for command in commands(text) {
            let mut words = command.split_whitespace();
            let subcommand = words.next().unwrap_or_default();
            if subcommand.starts_with('-') {
                continue;
            }
            count += 1;
            let place = format!("{}: portalgen {command}", path.display());
            assert!(subcommands.contains(subcommand), "{place}");
            let nested = ["export", "import"].into_iter().filter(|nested| command.contains(*nested));
            let arguments: Vec<&str> = std::iter::once(subcommand).chain(nested).collect();
            let help = helps.entry(arguments.join(" ")).or_insert_with(|| help(&arguments));
            for option in words.filter(|word| word.starts_with("--")) {
                let name = option.split(['=', '[', '"']).next().unwrap_or_default();
                assert!(help.split([' ', ',', '\n', '=', '[', '<']).any(|word| word == name), "{place} has no {name}");
            }
        }
    }
    assert!(count > 60, "{count} commands");
}
