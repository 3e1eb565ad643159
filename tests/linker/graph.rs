//! A program as text: modules of items that can be left out one by one.

use std::fmt::Write;

/// Something at the top level of a module. Leaving one out, or one of its parts, may or may not give a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) before: String,
    pub(crate) parts: Vec<String>,
    pub(crate) separator: &'static str,
    pub(crate) after: String,
    /// What the reference has instead, where the engine does not understand the language as it is.
    pub(crate) reference: Option<String>,
}

/// Who gets to see a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    Bundler,
    Engine,
}

impl Item {
    pub(crate) fn line(text: impl Into<String>) -> Self {
        Self { before: String::new(), parts: vec![text.into()], separator: "", after: String::new(), reference: None }
    }

    /// A list such as the names of an import.
    pub(crate) fn list(before: impl Into<String>, parts: Vec<String>, after: impl Into<String>) -> Self {
        Self { before: before.into(), parts, separator: ", ", after: after.into(), reference: None }
    }

    /// Statements between braces.
    pub(crate) fn block(before: impl Into<String>, parts: Vec<String>, after: impl Into<String>) -> Self {
        Self { before: before.into(), parts, separator: "\n  ", after: after.into(), reference: None }
    }

    fn text(&self, reader: Reader) -> String {
        if let (Reader::Engine, Some(reference)) = (reader, &self.reference) {
            return reference.clone();
        }
        format!("{}{}{}", self.before, self.parts.join(self.separator), self.after)
    }
}

/// A program; its entry is module 0, which exports `test()`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    /// Whether the order in which modules run is to be compared.
    pub(crate) ordered: bool,
    /// Whether a module without `import` and `export` is left to its file's name to be told from a script.
    pub(crate) bare: bool,
    /// For each module, its items.
    pub(crate) modules: Vec<Vec<Item>>,
}

impl Graph {
    pub(crate) const ENTRY: usize = 0;

    /// The names and texts of the modules that the entry leads to.
    pub(crate) fn files(&self, reader: Reader) -> Vec<(String, String)> {
        let texts: Vec<String> = self.modules.iter().map(|items| self.text(items, reader)).collect();
        let mut reached = vec![Self::ENTRY];
        let mut next = 0;
        while let Some(&module) = reached.get(next) {
            let mentioned = (0..texts.len()).filter(|target| texts[module].contains(&specifier(*target)));
            let new: Vec<usize> = mentioned.filter(|target| !reached.contains(target)).collect();
            reached.extend(new);
            next += 1;
        }
        reached.sort_unstable();
        reached.into_iter().map(|module| (file_name(module), texts[module].clone())).collect()
    }

    fn text(&self, items: &[Item], reader: Reader) -> String {
        let mut lines: Vec<String> =
            items.iter().filter(|item| !item.parts.is_empty()).map(|item| item.text(reader)).collect();
        let is_module = |line: &String| line.starts_with("import ") || line.starts_with("export ");
        if !self.bare && !lines.iter().any(is_module) {
            lines.push("export {};".to_owned());
        }
        lines.join("\n") + "\n"
    }

    /// Its sources for people.
    pub(crate) fn describe(&self) -> String {
        self.files(Reader::Bundler).iter().fold(String::new(), |mut all, (name, text)| {
            let _ = writeln!(all, "// {name}\n{text}");
            all
        })
    }
}

pub(crate) fn file_name(module: usize) -> String {
    format!("m{module}.mjs")
}

/// How other modules name a module.
pub(crate) fn specifier(module: usize) -> String {
    format!("./{}", file_name(module))
}
