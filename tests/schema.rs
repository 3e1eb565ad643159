//! The JSON Schema accepts what the parser accepts, and nothing else.

use std::{fmt::Write as _, fs, path::Path};

use serde_json::Value;

use portalgen_base::{rules::Rule, source::Memory, text::Language};
use portalgen_portal::{Overrides, SchemaDraft, schema};

use crate::support::{project::repository, random::Random};

const DRAFTS: [SchemaDraft; 2] = [SchemaDraft::Four, SchemaDraft::Latest];

fn validators() -> Vec<jsonschema::Validator> {
    let drafts = [jsonschema::Draft::Draft4, jsonschema::Draft::Draft202012];
    let schemas = DRAFTS.map(|draft| schema(draft, Language::English));
    schemas
        .iter()
        .zip(drafts)
        .map(|(schema, draft)| jsonschema::options().with_draft(draft).build(schema).unwrap())
        .collect()
}

/// The files that values of documents name.
const FILES: [&str; 5] = ["pages/index.tsx", "pages/about.tsx", "pages/404.tsx", "icon.svg", "public/share.png"];

/// Whether the parser takes a text, with the files that its pages need at hand.
fn parses(text: &str) -> bool {
    let root = Path::new("/portal");
    let files = FILES.map(|file| (root.join("site").join(file), Vec::new()));
    portalgen_portal::load_text(text, &Memory::new(files), root, &Overrides::default()).is_ok()
}

fn as_json(text: &str) -> Option<Value> {
    serde_json::to_value(toml::from_str::<toml::Table>(text).ok()?).ok()
}

#[test]
fn the_schemas_are_valid() {
    for draft in DRAFTS {
        for language in Language::ALL {
            let schema = schema(draft, language);
            assert!(jsonschema::meta::is_valid(&schema), "{schema:#}");
            let text = schema.to_string();
            assert!(!text.contains("x-zh") && !text.contains("\"null\""), "{schema:#}");
            assert_eq!(text.contains("门户"), language == Language::Chinese);
        }
    }
    assert!(!schema(SchemaDraft::Four, Language::English).to_string().contains("$defs"));
}

#[test]
fn the_repository_holds_the_schema_that_its_portal_names() {
    let routes = fs::read_to_string(repository().join("routes.toml")).unwrap();
    let named = routes.lines().next().and_then(|line| line.strip_prefix("#:schema ./"));
    let file = repository().join(named.expect("routes.toml opens with `#:schema`"));
    let current = format!("{:#}\n", schema(SchemaDraft::Four, Language::Chinese));
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(&file, &current).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap();
    assert!(kept == current, "run `portalgen schema --lang zh > {}`", file.display());
    let portal = as_json(&routes).unwrap();
    for validator in validators() {
        let errors: Vec<_> = validator.iter_errors(&portal).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
}

#[test]
fn what_parses_is_valid() {
    let validators = validators();
    let mut judged = 0;
    for entry in fs::read_dir(repository().join("tests/fixtures/config")).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(text) = fs::read_to_string(folder.join("routes.toml")) else { continue };
        let accepted = fs::read_to_string(folder.join("expected.txt")).unwrap().starts_with("lang ");
        let Some(json) = as_json(&text).filter(|_| accepted) else { continue };
        judged += 1;
        assert!(validators.iter().all(|validator| validator.is_valid(&json)), "{}", folder.display());
    }
    assert!(judged >= 5, "only {judged} fixtures were judged");
}

/// Keys with values that mean something, and with values of every wrong type.
fn key(random: &mut Random, wrong: usize, name: &str, good: &[&str]) -> String {
    let value = if random.chance(wrong) {
        random.pick(&["3", "true", "1.5", "[]", "[1]", "{}", "[\"a\", 2]", "\"\""])
    } else {
        random.pick(good)
    };
    format!("{name} = {value}\n")
}

/// A key, values that mean something, and whether the section needs it.
type KeyOfSection = (&'static str, Vec<&'static str>, bool);

/// Sections that a portal can do without.
fn optional_sections() -> Vec<(&'static str, Vec<KeyOfSection>)> {
    let colors = || vec!["\"#0a6c74\"", "\"#FFF\""];
    let image = || vec!["\"share.png\"", "\"https://a.example/b.png\""];
    vec![
        ("build", vec![("keep", vec!["0", "3"], false), ("integrity", vec!["true", "false"], false)]),
        ("budget", vec![("js", vec!["\"85 kB\""], false), ("css", vec!["\"1 MB\""], false)]),
        (
            "site",
            vec![
                ("icon", vec!["\"icon.svg\""], false),
                ("image", image(), false),
                ("twitter", vec!["\"@acme\""], false),
                ("theme_color", colors(), false),
                ("background_color", colors(), false),
                ("service_worker", vec!["\"remove\""], false),
            ],
        ),
        (
            "security",
            vec![
                ("contact", vec!["[\"mailto:a@b.example\"]", "[\"https://a.example\", \"tel:+1\"]"], true),
                ("expires", vec!["\"2030-12-31\""], true),
                ("policy", vec!["\"https://a.example/b\""], false),
            ],
        ),
        (
            "deploy",
            vec![
                ("platform", vec!["[]", "[\"nginx\", \"cloudflare\"]"], false),
                ("csp", vec!["[\"connect-src https://api.acme.example\"]"], false),
            ],
        ),
    ]
}

/// A file that is right but for a mistake in one of some ten things.
fn document(random: &mut Random, wrong: usize) -> String {
    let mut text = String::new();
    let odd = |random: &mut Random, text: &mut String| {
        if random.chance(wrong) {
            let _ = writeln!(text, "{} = 1", random.pick(&["titel", "pth", "zebra", "routes"]));
        }
    };
    if random.chance(50) {
        text.push_str(if random.chance(wrong) { "[[portal]]\n" } else { "[portal]\n" });
        for (name, good) in [
            ("product", vec!["\"Acme\""]),
            ("host", vec!["\"https://chat.acme.example\""]),
            ("origin", vec!["\"https://www.acme.example\""]),
            ("base", vec!["\"/app/\"", "\"\""]),
            ("lang", vec!["\"en\"", "\"zh-CN\""]),
            ("allow_hosts", vec!["[]", "[\"a.example\", \"*.b.example\"]"]),
            ("slash", vec!["\"always\"", "\"never\""]),
        ] {
            if random.chance(40) {
                text.push_str(&key(random, wrong, name, &good));
            }
        }
        odd(random, &mut text);
    }
    for (section, keys) in optional_sections() {
        if random.chance(20) {
            let _ = writeln!(text, "[{section}]");
            for (name, good, is_required) in keys {
                if random.chance(if is_required { 100 - wrong } else { 50 }) {
                    text.push_str(&key(random, wrong, name, &good));
                }
            }
            odd(random, &mut text);
        }
    }
    if random.chance(30) {
        text.push_str(if random.chance(wrong) { "[[not_found]]\n" } else { "[not_found]\n" });
        text.push_str(&key(random, wrong, "title", &["\"Nothing here\""]));
        if random.chance(50) {
            text.push_str(&key(random, wrong, "component", &["\"pages/404.tsx\""]));
        }
        odd(random, &mut text);
    }
    if random.chance(40) {
        text.push_str("[check]\n");
        let rule = Rule::ALL[random.below(Rule::ALL.len())];
        if rule.can_change() || random.chance(wrong) {
            text.push_str(&key(random, wrong, rule.name(), &["\"off\"", "\"warning\"", "\"error\""]));
        }
        odd(random, &mut text);
    }
    if random.chance(wrong) {
        let _ = writeln!(text, "[{}]", random.pick(&["rotues", "hosting", "routes"]));
    }
    for path in ["\"/\"", "\"/about\""].into_iter().take(if random.chance(wrong) { 0 } else { 2 }) {
        text.push_str(if random.chance(wrong / 4) { "[route]\n" } else { "[[route]]\n" });
        if !random.chance(wrong) {
            text.push_str(&key(random, wrong, "path", &[path]));
        }
        for name in ["name", "title", "description"] {
            if random.chance(40) {
                text.push_str(&key(random, wrong, name, &[&format!("\"{name} of {}\"", path.trim_matches('"'))]));
            }
        }
        if random.chance(30) {
            text.push_str(&key(random, wrong, "noindex", &["true", "false"]));
        }
        if random.chance(10) {
            text.push_str(&key(random, wrong, "lang", &["\"en\"", "\"zh-CN\""]));
        }
        if random.chance(10) {
            text.push_str(&key(random, wrong, "image", &["\"share.png\"", "\"https://a.example/b.png\""]));
        }
        if random.chance(10) {
            text.push_str(&key(random, wrong, "budget", &["\"100 kB\""]));
        }
        let both = random.chance(wrong);
        let component = random.chance(30);
        if component || both {
            text.push_str(&key(random, wrong, "component", &["\"pages/about.tsx\""]));
        }
        if both || (!component && random.chance(30)) {
            text.push_str(&key(random, wrong, "redirect", &["\"/about#x\"", "\"https://a.example/\""]));
            if random.chance(20) {
                text.push_str(&key(random, wrong, "status", &["301", "302", "307", "308"]));
            }
        } else if random.chance(wrong) {
            text.push_str("status = 301\n");
        }
        if random.chance(10) {
            text.push_str(&key(random, wrong, "retired", &["false"]));
        }
        odd(random, &mut text);
    }
    text
}

#[test]
fn the_schema_and_the_parser_agree() {
    let validators = validators();
    let mut random = Random::new(1);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..4000 {
        let text = document(&mut random, if round % 2 == 0 { 0 } else { 8 });
        let Some(json) = as_json(&text) else { continue };
        // What a redirect leads to, and whether it may, is not a question of the file's shape.
        let parsed = parses(&text) || only_values_are_wrong(&text);
        for validator in &validators {
            let errors: Vec<_> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
            assert_eq!(errors.is_empty(), parsed, "{errors:#?}\n{text}");
        }
        if parsed { accepted += 1 } else { refused += 1 }
    }
    assert!(accepted > 1000 && refused > 500, "{accepted} accepted, {refused} refused");
}

/// Whether all that the parser objects to is what routes have to do with each other.
fn only_values_are_wrong(text: &str) -> bool {
    let root = Path::new("/portal");
    let files = FILES.map(|file| (root.join("site").join(file), Vec::new()));
    let loaded = portalgen_portal::load_text(text, &Memory::new(files), root, &Overrides::default());
    let among_routes =
        [Rule::RedirectHost, Rule::RedirectLoop, Rule::RedirectChain, Rule::NoHome, Rule::RedirectNowhere];
    loaded.err().is_some_and(|found| {
        found
            .iter()
            .filter(|found| found.is_error())
            .all(|found| found.rule.is_some_and(|rule| among_routes.contains(&rule)))
    })
}
