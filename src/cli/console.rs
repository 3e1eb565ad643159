//! What is printed, and where to.

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use serde_json::Value;

use portalgen_base::{
    diagnostic::Diagnostic,
    system,
    text::{Language, Text, text},
    timing::Running,
};

use super::{
    args::{Format, Lang, OutputArguments},
    failure::{Failure, count},
    progress::Progress,
    report::{self, Look},
    shown::inert,
    terminal::{print_all, say},
};

/// How results and messages are shown.
pub(super) struct Console {
    pub(super) format: Format,
    pub(super) look: Look,
    pub(super) is_terminal: bool,
    /// Leads from the root of the repository to the folder that names of files are relative to.
    folder: String,
    /// Why a result, or a part of it, could not be printed.
    unprinted: OnceLock<io::Error>,
}

impl Console {
    /// `root` is the folder that names of files in messages are relative to.
    pub(super) fn new(arguments: &OutputArguments, root: &Path) -> Self {
        let look = look(arguments.lang);
        let format = arguments.format();
        let (is_terminal, folder) = (io::stderr().is_terminal(), folder_in_repository(root));
        Self { format, look, is_terminal, folder, unprinted: OnceLock::new() }
    }

    /// Prints what the command was run for, to be read by people.
    pub(super) fn print(&self, text: &str) {
        self.print_bytes(inert(text).as_bytes());
    }

    /// The same for what programs read. Whether it could be printed is known in the end, by [`Console::unprinted`].
    pub(super) fn print_bytes(&self, bytes: &[u8]) {
        if let Err(error) = print_all(bytes) {
            // The first reason is the one to tell.
            let _ = self.unprinted.set(error);
        }
    }

    /// Why what the command was run for did not get to where it was asked for, if it did not.
    pub(super) fn unprinted(&self) -> Option<Diagnostic> {
        let error = system::explain(self.unprinted.get()?);
        Some(Diagnostic::error(text!("cannot write to standard output: {error}", "无法写入标准输出：{error}", error)))
    }

    /// The words in the language of whoever reads them.
    pub(super) fn words<'t>(&self, text: &'t Text) -> &'t str {
        text.in_language(self.look.language)
    }

    /// Whether the result shall be printed for programs.
    pub(super) fn wants_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Shows diagnostics, unless they belong into a result for programs.
    pub(super) fn diagnostics(&self, diagnostics: &[Diagnostic]) {
        match self.format {
            Format::Json => {}
            Format::Github => {
                self.print_bytes(report::github(diagnostics, self.look.language, &self.folder).as_bytes());
            }
            Format::Human => {
                for diagnostic in diagnostics {
                    say(&format!("{}\n", report::human(diagnostic, self.look)));
                }
            }
        }
    }

    /// Diagnostics as a part of a result for programs.
    pub(super) fn json(&self, diagnostics: &[Diagnostic]) -> Value {
        report::json(diagnostics, self.look.language)
    }

    /// Prints a result for programs.
    pub(super) fn result(&self, value: &Value) {
        self.print_bytes(format!("{value:#}\n").as_bytes());
    }

    /// Does the work, and shows whoever watches that it goes on, if it takes a while.
    pub(super) fn while_waiting<T>(&self, running: &Arc<Running>, work: impl FnOnce() -> T) -> T {
        let is_watched = self.is_terminal && self.format == Format::Human;
        let _progress = is_watched.then(|| Progress::of(running, self.look.language));
        work()
    }

    pub(super) fn failure(&self, failure: &Failure) {
        let Failure { diagnostics, outcome, .. } = failure;
        if self.wants_json() {
            return self.result(&serde_json::json!({ "ok": false, "diagnostics": self.json(diagnostics) }));
        }
        self.diagnostics(diagnostics);
        if *outcome == Text::default() {
            return;
        }
        let count = count(diagnostics);
        say(self.words(&text!("{count}; {outcome}\n", "{count}；{outcome}\n", count, outcome)));
        self.name_page_of_rule(diagnostics);
    }

    /// Says to whoever watches where a rule is explained, once for all that is told.
    pub(super) fn name_page_of_rule(&self, diagnostics: &[Diagnostic]) {
        let rule = diagnostics.iter().find_map(|diagnostic| diagnostic.rule);
        if let Some(rule) = rule.filter(|_| self.is_terminal && self.format == Format::Human) {
            let dim = if self.look.color { anstyle::Style::new().dimmed() } else { anstyle::Style::new() };
            say(self.words(&text!(
                "{dim}portalgen explain {rule}  says more about this rule{dim:#}\n",
                "{dim}portalgen explain {rule}  详细说明这条规则{dim:#}\n"
            )));
        }
    }
}

/// How messages look, in the language that was asked for.
pub(super) fn look(asked: Option<Lang>) -> Look {
    let color = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
    Look { language: language(asked), color }
}

/// The language that was asked for, or else the system's.
fn language(asked: Option<Lang>) -> Language {
    match asked {
        Some(Lang::En) => Language::English,
        Some(Lang::Zh) => Language::Chinese,
        None => sys_locale::get_locale().map(|locale| Language::of_locale(&locale)).unwrap_or_default(),
    }
}

/// Where GitHub Actions has put the repository is known from its environment; elsewhere one starts commands at its root.
fn folder_in_repository(root: &Path) -> String {
    let repository = std::env::var_os("GITHUB_WORKSPACE").map_or_else(|| PathBuf::from("."), PathBuf::from);
    let (Ok(repository), Ok(root)) = (repository.canonicalize(), root.canonicalize()) else { return String::new() };
    let Ok(path) = root.strip_prefix(repository) else { return String::new() };
    path.components().flat_map(|name| [name.as_os_str().to_string_lossy(), "/".into()]).collect()
}
