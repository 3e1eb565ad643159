//! Style sheets that a tool has to make first, and how to run it.

use std::path::Path;

use portalgen_base::text::{Text, text};

/// What to do about a sheet that a tool has to make first.
pub(crate) struct Recipe(Text);

impl Recipe {
    /// The recipe for an `@import` of something that its tool puts in place.
    pub(crate) fn of_import(specifier: &str) -> Option<Self> {
        let is_tailwind = specifier == "tailwindcss" || specifier.starts_with("tailwindcss/");
        is_tailwind.then(tailwind)
    }

    /// The recipe for an at-rule that is no CSS.
    pub(crate) fn of_at_rule(name: &str) -> Option<Self> {
        match name {
            "apply" | "config" | "custom-variant" | "plugin" | "screen" | "source" | "tailwind" | "theme"
            | "utility" | "variant" | "variants" | "reference" => Some(tailwind()),
            "each" | "else" | "extend" | "for" | "forward" | "function" | "if" | "include" | "mixin" | "return"
            | "use" | "while" => Some(sass(None)),
            "custom-media" | "custom-selector" => Some(Self(text!(
                "it is a PostCSS file, and portalgen does not run PostCSS: generate the style sheet beforehand, and \
                import the result",
                "它是给 PostCSS 用的，portalgen 不运行 PostCSS：请事先生成好样式表，再导入生成的文件"
            ))),
            _ => None,
        }
    }

    /// The recipe for a file by its name.
    pub(crate) fn of_file(name: &str) -> Option<Self> {
        let file = Path::new(name);
        let extension = file.extension()?.to_str()?.to_ascii_lowercase();
        let within_site = file.strip_prefix("site").unwrap_or(file);
        let made = within_site.with_extension("css").display().to_string();
        let within_site = within_site.display();
        match extension.as_str() {
            "scss" | "sass" => Some(sass(Some((&within_site.to_string(), &made)))),
            "less" => Some(by(&format!("lessc {within_site} {made}"), "Less")),
            "styl" => Some(by(&format!("stylus {within_site} -o {made}"), "Stylus")),
            _ => None,
        }
    }

    /// The sentence.
    pub(crate) fn into_hint(self) -> Text {
        self.0
    }
}

fn tailwind() -> Recipe {
    by("@tailwindcss/cli -i tailwind.css -o tailwind.out.css", "Tailwind CSS")
}

fn sass(files: Option<(&str, &str)>) -> Recipe {
    let (from, to) = files.unwrap_or(("styles.scss", "styles.css"));
    by(&format!("sass --no-source-map {from} {to}"), "Sass")
}

fn by(command: &str, tool: &str) -> Recipe {
    Recipe(text!(
        "it needs {tool}, which portalgen does not run: run `npx {command}` in `site/` before each build, and import \
        the file that it writes; see docs/styles.md",
        "它需要 {tool}，而 portalgen 不运行 {tool}：请在每次构建之前，在 `site/` 里运行 `npx {command}`，并导入它生成\
        的文件；步骤见 docs/styles.md"
    ))
}
