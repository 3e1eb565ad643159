//! The pages of `docs/rules` seen beside the program: there is one for each rule, and neither they nor their table say
//! anything else than it does.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use portalgen::cli::report::{self, Look};

use portalgen_base::{
    diagnostic::Diagnostic,
    rules::{Rule, Severity},
    source::Memory,
    text::Language,
};
use portalgen_build::check;
use portalgen_portal::Overrides;
use portalgen_release::{hosting, manifest::Manifest};

use crate::support::project::repository;

fn folder() -> PathBuf {
    repository().join("docs/rules")
}

fn read(name: &str) -> String {
    let path = folder().join(format!("{name}.md"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_rule_has_a_page_in_both_languages() {
    for rule in Rule::ALL {
        let page = read(rule.name());
        assert_eq!(page.lines().next(), Some(format!("# {rule}").as_str()), "the title of the page of {rule}");
        assert!(page.lines().any(|line| line == "## 中文"), "the page of {rule} says nothing in Chinese");
    }
}

#[test]
fn every_page_has_a_rule() {
    let files = fs::read_dir(folder()).expect("the pages").map(|entry| entry.expect("a page").file_name());
    let files: BTreeSet<String> = files.filter_map(|name| name.into_string().ok()).collect();
    let pages = Rule::ALL.iter().map(|rule| format!("{rule}.md"));
    let expected: BTreeSet<String> = pages.chain(["README.md".to_owned()]).collect();
    assert_eq!(files, expected);
}

#[test]
fn the_table_says_what_the_program_does() {
    let text = read("README");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| [")).collect();
    let expected: Vec<String> = Rule::ALL.iter().map(|rule| row(*rule)).collect();
    assert_eq!(rows, expected);
}

fn row(rule: Rule) -> String {
    let level = match rule.default_severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "off",
    };
    let yes_or_no = |is_so| if is_so { "yes" } else { "no" };
    // What is always an error is never told as a warning.
    let told = if rule.can_change() { yes_or_no(rule.is_told_by_builds()) } else { "–" };
    let (free, summary) = (yes_or_no(rule.can_change()), rule.summary());
    let (english, chinese) = (summary.english(), summary.in_language(Language::Chinese));
    format!("| [`{rule}`]({rule}.md) | {level} | {free} | {told} | {english} | {chinese} |")
}

#[test]
fn pages_show_how_to_change_the_level_where_that_is_possible() {
    for rule in Rule::ALL {
        assert_eq!(changes_level(&read(rule.name()), *rule), rule.can_change(), "an example of `[check]` for {rule}");
    }
}

/// Whether an example in the page has a section `[check]` that names the rule.
fn changes_level(page: &str, rule: Rule) -> bool {
    let examples = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut settings =
        examples.filter_map(|example| example.split_once("[check]\n")).flat_map(|(_, rest)| rest.lines());
    settings.any(|line| line.starts_with(&format!("{rule} = \"")))
}

/// A page shows a `routes.toml` and right behind it what is printed about the rule.
#[test]
fn examples_print_what_the_pages_say() {
    let mut shown = 0;
    for rule in Rule::ALL {
        let page = read(rule.name());
        let mut rest = page.as_str();
        while let Some((routes, printed, behind)) = example(rest) {
            assert_eq!(messages(*rule, routes), printed, "the page of {rule}");
            (rest, shown) = (behind, shown + 1);
        }
    }
    assert!(shown > 15, "only {shown} examples were found");
}

/// The next example, what the page says of it, and what follows.
fn example(page: &str) -> Option<(&str, &str, &str)> {
    let (before, behind) = page.split_once("```\n\n```text\n")?;
    let (_, routes) = before.rsplit_once("```toml\n")?;
    let (printed, behind) = behind.split_once("\n```\n")?;
    Some((routes, printed, behind))
}

/// What is said about a rule of a portal that has all its pages.
fn messages(rule: Rule, routes: &str) -> String {
    let root = Path::new("/portal");
    let paths = routes.lines().filter_map(|line| line.strip_prefix("path = \"")?.strip_suffix('"'));
    let page = |path: &str| if path == "/" { "/index".to_owned() } else { path.to_owned() };
    let files = paths.map(|path| (root.join(format!("site/pages{}.tsx", page(path))), Vec::new()));
    let found = match portalgen_portal::load_text(routes, &Memory::new(files), root, &Overrides::default()) {
        Ok((portal, warnings)) => {
            let told = hosting::files(&Manifest::of(&portal, &BTreeMap::new(), &[])).warnings;
            warnings.into_iter().chain(check::texts(&portal)).chain(told).collect()
        }
        Err(found) => found,
    };
    let of_rule = found.iter().filter(|found: &&Diagnostic| found.rule == Some(rule));
    let printed: Vec<String> = of_rule.map(|found| report::human(found, Look::default())).collect();
    printed.join("\n").trim_end().to_owned()
}
