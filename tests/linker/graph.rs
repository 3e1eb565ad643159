//! A program as text: modules of items that can be left out one by one.

use std::{collections::BTreeSet, fmt::Write};

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

/// A program; its first entry is module 0, which exports `test()`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    /// The entries, in the order in which they are loaded.
    pub(crate) entries: Vec<usize>,
    /// The modules that are CommonJS.
    pub(crate) common: BTreeSet<usize>,
    /// The modules of which package.json says that they have no side effects.
    pub(crate) pure: BTreeSet<usize>,
    /// The modules of which it is not compared whether and when they run: the pure ones, and others that these lead to.
    pub(crate) loose: BTreeSet<usize>,
    /// Whether files are named as by `portalgen bundle`.
    pub(crate) flat: bool,
    /// Whether the order in which modules run is to be compared.
    pub(crate) ordered: bool,
    /// Whether a module without `import` and `export` is left to its file's name to be told from a script.
    pub(crate) bare: bool,
    /// For each module, its items.
    pub(crate) modules: Vec<Vec<Item>>,
}

impl Graph {
    pub(crate) const ENTRY: usize = 0;

    /// The names and texts of the files that the entries lead to.
    pub(crate) fn files(&self, reader: Reader) -> Vec<(String, String)> {
        let texts: Vec<String> = (0..self.modules.len()).map(|module| self.text(module, reader)).collect();
        let mut reached = self.entries.clone();
        let mut next = 0;
        while let Some(&module) = reached.get(next) {
            let mentioned = (0..texts.len()).filter(|target| texts[module].contains(&self.specifier(*target)));
            let new: Vec<usize> = mentioned.filter(|target| !reached.contains(target)).collect();
            reached.extend(new);
            next += 1;
        }
        reached.sort_unstable();
        let mut files: Vec<(String, String)> = Vec::new();
        for &module in &reached {
            let text = texts[module].clone();
            let is_defined = reader == Reader::Engine && self.common.contains(&module);
            files.push((self.file_name(module), if is_defined { self.facade(module) } else { text }));
        }
        match reader {
            Reader::Engine => {
                let common = reached.iter().filter(|module| self.common.contains(module));
                let definitions = common.map(|module| {
                    let specifier = self.specifier(*module);
                    format!("$define(\"{specifier}\", function (exports, module, require) {{\n{}}});\n", texts[*module])
                });
                files.push(("definitions.mjs".to_owned(), definitions.collect()));
            }
            Reader::Bundler if !self.pure.is_empty() => {
                let others = reached.iter().filter(|module| !self.pure.contains(module));
                let others: Vec<String> = others.map(|module| format!("\"{}\"", self.specifier(*module))).collect();
                files.push(("package.json".to_owned(), format!("{{ \"sideEffects\": [{}] }}", others.join(", "))));
            }
            Reader::Bundler => {}
        }
        files
    }

    fn text(&self, module: usize, reader: Reader) -> String {
        let items = self.modules[module].iter().filter(|item| !item.parts.is_empty());
        let mut lines: Vec<String> = items.map(|item| item.text(reader)).collect();
        let is_module = |line: &String| line.starts_with("import ") || line.starts_with("export ");
        if !self.common.contains(&module) && !self.bare && !lines.iter().any(is_module) {
            lines.push("export {};".to_owned());
        }
        lines.join("\n") + "\n"
    }

    /// What the engine's own loader has for a CommonJS module: its names are those of the assignments that the text shows.
    fn facade(&self, module: usize) -> String {
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for part in self.modules[module].iter().flat_map(|item| &item.parts) {
            let assigned = part.split("exports.").skip(1);
            names.extend(assigned.filter_map(|rest| Some(rest.split_once(" =")?.0)).filter(|name| *name != "default"));
        }
        let exports = names.iter().enumerate().map(|(number, name)| {
            format!("const $export{number} = $exports.{name};\nexport {{ $export{number} as {name} }};\n")
        });
        let exports: String = exports.collect();
        let specifier = self.specifier(module);
        format!(
            "import \"./definitions.mjs\";\nconst $exports = $require(\"{specifier}\");\nexport {{ $exports as default }};\n\
             {exports}"
        )
    }

    pub(crate) fn file_name(&self, module: usize) -> String {
        file_name(module, self.common.contains(&module))
    }

    /// How other modules name a module.
    pub(crate) fn specifier(&self, module: usize) -> String {
        format!("./{}", self.file_name(module))
    }

    /// Its sources for people.
    pub(crate) fn describe(&self) -> String {
        self.files(Reader::Bundler).iter().fold(String::new(), |mut all, (name, text)| {
            let _ = writeln!(all, "// {name}\n{text}");
            all
        })
    }
}

pub(crate) fn file_name(module: usize, is_common: bool) -> String {
    format!("m{module}.{}", if is_common { "cjs" } else { "mjs" })
}
