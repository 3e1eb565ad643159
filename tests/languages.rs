//! Everything that portalgen says, it says in every language. The compiler sees to most of that: a diagnostic takes a
//! `Text`, which cannot be made from a string by itself. Here the sources are read for what it cannot see.

use std::fs;

use walkdir::WalkDir;

use portalgen_base::{rules::Rule, text::Language};

use crate::support::project::repository;

/// The sources without their unit tests, by name.
fn sources() -> Vec<(String, String)> {
    let root = repository();
    let crates = fs::read_dir(root.join("crates")).expect("crates is readable");
    let mut folders: Vec<_> = crates.map(|entry| entry.expect("a crate").path().join("src")).collect();
    folders.push(root.join("src"));
    folders.sort();
    let entries = folders.iter().flat_map(|folder| WalkDir::new(folder).sort_by_file_name());
    let files = entries.map(|entry| entry.expect("sources are readable").into_path());
    let scripts = files.filter(|file| file.extension().is_some_and(|extension| extension == "rs"));
    let all = scripts.map(|file| {
        let text = fs::read_to_string(&file).expect("a source");
        let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default().to_owned();
        (file.strip_prefix(root).expect("below the repository").display().to_string(), code)
    });
    all.filter(|(name, _)| !name.ends_with("tests.rs")).collect()
}

/// The string literal that `code` begins with, and what follows it.
fn literal(code: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut characters = code.trim_start().strip_prefix('"')?.chars();
    loop {
        match characters.next()? {
            '"' => return Some((text, characters.as_str())),
            '\\' => match characters.next()? {
                '\n' => characters = characters.as_str().trim_start().chars(),
                'n' => text.push('\n'),
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
}

/// The sentences of every `text!`, in English and in Chinese, each with its file.
fn texts() -> Vec<(String, String, String)> {
    let mut texts = Vec::new();
    for (file, code) in sources() {
        for (at, call) in code.match_indices("text!(") {
            let Some((english, rest)) = literal(&code[at + call.len()..]) else { continue };
            let Some((chinese, _)) = rest.trim_start().strip_prefix(',').and_then(literal) else { continue };
            texts.push((file.clone(), english, chinese));
        }
    }
    assert!(texts.len() > 300, "the sources are not read as they should be: {}", texts.len());
    texts
}

/// What is left of a sentence without the code in it and the names of what is filled in.
fn words(sentence: &str) -> String {
    let prose: String = sentence.split('`').step_by(2).collect::<Vec<_>>().join("` `");
    let mut depth = 0;
    let outside = |c: &char| {
        depth += i32::from(*c == '{') - i32::from(*c == '}');
        depth == 0 && *c != '}'
    };
    prose.chars().filter(outside).collect()
}

fn is_han(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '`'
}

#[test]
fn every_sentence_has_words_in_chinese() {
    let english_only = texts().into_iter().filter(|(_, english, chinese)| {
        words(english).contains(|c: char| c.is_ascii_alphabetic()) && !words(chinese).contains(is_han)
    });
    assert_eq!(english_only.collect::<Vec<_>>(), []);
    let silent = Rule::ALL.iter().filter(|rule| !rule.summary().in_language(Language::Chinese).contains(is_han));
    assert_eq!(silent.collect::<Vec<_>>(), [] as [&Rule; 0]);
}

/// `Text::verbatim` is for what reads the same in every language.
#[test]
fn nothing_is_said_verbatim_that_has_words() {
    let mut worded = Vec::new();
    for (file, code) in sources() {
        for (at, call) in code.match_indices("Text::verbatim(") {
            let given = &code[at + call.len()..];
            let format = given.trim_start().strip_prefix("format!(").unwrap_or(given);
            let words = literal(format).map(|(text, _)| words(&text)).unwrap_or_default();
            if words.contains(char::is_alphabetic) {
                worded.push((file.clone(), words));
            }
        }
    }
    assert_eq!(worded, []);
}

/// Signs between Han characters are theirs, and a space parts them from Latin letters, digits and code.
#[test]
fn chinese_is_set_as_chinese() {
    let mut wrong = Vec::new();
    for (file, _, chinese) in texts() {
        let characters: Vec<char> = chinese.chars().collect();
        let is_wrong = characters.windows(2).any(|pair| {
            let [first, second] = [pair[0], pair[1]];
            let is_half_width = |c: char| ",;:?!()".contains(c);
            (is_han(first) && (is_half_width(second) || is_latin(second)))
                || (is_han(second) && (is_half_width(first) || is_latin(first)))
        });
        if is_wrong {
            wrong.push((file, chinese));
        }
    }
    assert_eq!(wrong, []);
}
