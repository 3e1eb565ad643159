//! A new portal: the files that it begins with.
//!
//! They lie in `skeleton/` under the paths that they will have: in `common/` what is the same in every language, and in
//! a folder for each language the rest. Left to be filled in are the portal's name and the version of portalgen. The
//! packages and what concerns TypeScript come from the portal in this repository, so that the two cannot differ.

use std::path::Path;

use unicode_normalization::UnicodeNormalization;

use portalgen_base::{source::Memory, text::Language};
use portalgen_build::check;
use portalgen_portal::{Overrides, SchemaDraft};

/// A portal that no disk has seen yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPortal {
    /// The value of `{product}`.
    pub product: String,
    /// Paths with `/`, and bytes, sorted.
    pub files: Vec<(String, Vec<u8>)>,
}

/// How the pages of a new portal begin.
pub(crate) const ARTICLE: &str = "<article className=\"wrap page\">";

/// The module of a page with a heading, as those of a new portal are if `has_style`.
pub(crate) fn page(path: &str, title: &str, has_style: bool) -> String {
    let (name, article) = (component(path), if has_style { ARTICLE } else { "<article>" });
    let is_plain = !title.contains(['{', '}', '<', '>', '&']) && title.trim() == title;
    let heading = if is_plain { title.to_owned() } else { format!("{{{}}}", serde_json::Value::from(title)) };
    format!(
        "export default function {name}() {{\n  return (\n    {article}\n      <h1>{heading}</h1>\n    </article>\n  );\n}}\n"
    )
}

/// The name of a component for a path: `/blog/first-post` is `FirstPost`.
fn component(path: &str) -> String {
    let last = path.rsplit('/').next().unwrap_or(path);
    let words = last.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|word| word.split_at_checked(1));
    let name: String = words.map(|(first, rest)| first.to_ascii_uppercase() + rest).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("Page{name}") }
}

/// The portal that begins in a folder of this name, in a language.
///
/// Its product is called as the folder is. A name that breaks a rule, because it is too long for a title for example, is
/// of no use: then the product gets a name that any portal might have.
pub fn new_portal(folder: &str, language: Language) -> NewPortal {
    let named = |product: String| NewPortal { files: files(&product, language), product };
    let portal = named(product(folder));
    if breaks_no_rule(&portal) { portal } else { named(fallback(language).to_owned()) }
}

fn breaks_no_rule(portal: &NewPortal) -> bool {
    read(portal).is_some_and(|portal| check::texts(&portal).is_empty())
}

/// The portal as a build reads it, if there is nothing to say about it.
fn read(portal: &NewPortal) -> Option<portalgen_portal::Portal> {
    let root = Path::new("/portal");
    let files = portal.files.iter().map(|(path, bytes)| (root.join(path), bytes.clone()));
    let (portal, warnings) = portalgen_portal::load(&Memory::new(files), root, &Overrides::default()).ok()?;
    warnings.is_empty().then_some(portal)
}

/// The name of a folder as people write it: `my-portal` is `My Portal`.
fn product(folder: &str) -> String {
    let words = folder.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_')).filter(|word| !word.is_empty());
    words.map(capitalized).collect::<Vec<_>>().join(" ").nfc().collect()
}

/// A word with a capital at its start, unless it has one somewhere already.
fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) if !word.contains(char::is_uppercase) => first.to_uppercase().chain(letters).collect(),
        _ => word.to_owned(),
    }
}

fn fallback(language: Language) -> &'static str {
    match language {
        Language::English => "My Portal",
        Language::Chinese => "我的门户",
    }
}

fn files(product: &str, language: Language) -> Vec<(String, Vec<u8>)> {
    let written = match language {
        Language::English => ENGLISH,
        Language::Chinese => CHINESE,
    };
    let schema = format!("{:#}\n", portalgen_portal::schema(SchemaDraft::Four, language));
    let drafts = [COMMON, written, OF_THIS_REPOSITORY].concat();
    let filled_in = drafts.into_iter().map(|(path, draft)| (path, filled_in(draft, product)));
    let files = filled_in.chain([("routes.schema.json", schema)]);
    let mut files: Vec<_> = files.map(|(path, text)| (path.to_owned(), text.into_bytes())).collect();
    files.sort();
    files
}

/// A text of the skeleton with its values. Between quotes the product is written as JSON, which TOML and TypeScript read
/// alike; elsewhere as Markdown.
fn filled_in(draft: &str, product: &str) -> String {
    let quoted = serde_json::Value::from(product).to_string();
    let draft = draft.replace("__VERSION__", env!("CARGO_PKG_VERSION"));
    draft.replace("\"__PRODUCT__\"", &quoted).replace("__PRODUCT__", &markdown(product))
}

/// A text that means nothing but itself.
fn markdown(text: &str) -> String {
    let escaped = |c: char| matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '&' | '~' | '|');
    text.chars().flat_map(|c| escaped(c).then_some('\\').into_iter().chain([c])).collect()
}

/// A path in the new portal, and the text of the skeleton for it.
type Draft = (&'static str, &'static str);

macro_rules! skeleton {
    ($folder:literal: $($path:literal)*) => {
        &[$(($path, include_str!(concat!("skeleton/", $folder, "/", $path)))),*]
    };
}

macro_rules! written_in {
    ($folder:literal) => {
        skeleton!($folder:
            ".github/workflows/portal.yml"
            "README.md"
            "routes.toml"
            "site/components/Header.tsx"
            "site/layout.tsx"
            "site/pages/404.tsx"
            "site/pages/about.tsx"
            "site/pages/index.tsx"
        )
    };
}

const ENGLISH: &[Draft] = written_in!("en");
const CHINESE: &[Draft] = written_in!("zh");

const COMMON: &[Draft] = skeleton!("common":
    ".gitignore"
    "site/components/Arch.tsx"
    "site/components/Card.tsx"
    "site/icon.svg"
    "site/styles.css"
);

const OF_THIS_REPOSITORY: &[Draft] = &[
    ("site/env.d.ts", include_str!("../../site/env.d.ts")),
    ("site/package-lock.json", include_str!("../../site/package-lock.json")),
    ("site/package.json", include_str!("../../site/package.json")),
    ("site/tsconfig.json", include_str!("../../site/tsconfig.json")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders() {
        for (folder, expected) in [
            ("my-portal", "My Portal"),
            ("my_portal_2", "My Portal 2"),
            ("  spaced  out ", "Spaced Out"),
            ("two\nlines", "Two Lines"),
            ("iOS-docs", "iOS Docs"),
            ("ACME", "ACME"),
            ("acme.example", "Acme.example"),
            ("蓝屿", "蓝屿"),
            ("蓝屿-portal", "蓝屿 Portal"),
            ("e\u{301}tude", "Étude"),
            ("🚀", "🚀"),
            ("---", ""),
        ] {
            assert_eq!(product(folder), expected, "{folder}");
        }
    }

    #[test]
    fn a_name_that_breaks_a_rule_is_not_taken() {
        let long = "long-".repeat(40);
        for folder in ["", "---", "a\u{202e}b", "a\u{7f}b", "a\u{7}b", "todo", "undefined", "Q&amp;A", &long] {
            for language in Language::ALL {
                assert_eq!(new_portal(folder, language).product, fallback(language), "{folder}");
            }
        }
        assert_eq!(new_portal("关于我们", Language::Chinese).product, fallback(Language::Chinese), "two equal titles");
    }

    #[test]
    fn any_other_name_is_the_name_of_the_product() {
        for folder in [
            "X",
            "u",
            "us",
            "about",
            "say \"hello\"",
            "back\\slash",
            "{product}",
            "{{",
            "}",
            "$&`$1`",
            "1 < 2 > 0",
            "it's",
            "蓝屿",
            "家庭👨\u{200d}👩\u{200d}👧",
            "# no remark",
            "__VERSION__",
            "__PRODUCT__",
        ] {
            for language in Language::ALL {
                let portal = new_portal(folder, language);
                assert_eq!(portal.product, product(folder), "{folder}");
                let read = read(&portal).expect("routes.toml is right");
                assert_eq!(read.product.as_deref(), Some(portal.product.as_str()), "{folder}");
                assert_eq!(read.routes[0].title, portal.product, "{folder}");
            }
        }
    }

    #[test]
    fn markdown_shows_what_is_written() {
        assert_eq!(markdown("a*b* <i> #1 [x] `y` C:\\"), "a\\*b\\* \\<i\\> \\#1 \\[x\\] \\`y\\` C:\\\\");
        assert_eq!(markdown("My Portal, 门户"), "My Portal, 门户");
    }
}
