//! A portal that is served without a server: requests are values.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::{
        Arc,
        mpsc::{self, Receiver},
    },
};

use portalgen_base::{diagnostic::Diagnostic, source::Disk, text::Language};
use portalgen_build::pipeline::Session;
use portalgen_bundle::Mode;
use portalgen_dev::{
    content::{Content as _, Request},
    session::{Event, Project as Served, Work},
    socket::Clients,
};
use portalgen_portal::Overrides;

use crate::support::{project::Project, stages};

/// A process that serves a project.
pub(super) struct Process {
    work: Work,
    events: Receiver<Event>,
}

/// All that is served, by its address: the status and the text.
pub(super) type Answers = BTreeMap<String, (u16, String)>;

impl Process {
    /// Begins to serve a project as it is.
    pub(super) fn begin(project: &Project) -> Self {
        Self::begin_with(project, Overrides::default())
    }

    /// The same with what the command line says about the portal.
    pub(super) fn begin_with(project: &Project, overrides: Overrides) -> Self {
        let (tell, events) = mpsc::channel();
        let options =
            portalgen_build::pipeline::BuildOptions { mode: Mode::Development, overrides, ..stages::options(project) };
        let sources = Arc::new(Disk::of_project(&options.root));
        let served = Served {
            session: Session::new(sources),
            options,
            prerenders: true,
            base: "/".to_owned(),
            network: None,
            language: Language::English,
        };
        let tell = Arc::new(move |event| drop(tell.send(event)));
        let mut process =
            Self { work: Work::on(served, "token", Arc::from("client"), Clients::default(), tell), events };
        process.work.begin();
        process
    }

    /// Takes edits of these files over.
    pub(super) fn edited(&mut self, paths: &[PathBuf]) {
        for _ in self.events.try_iter() {}
        self.work.edited(paths);
    }

    /// What keeps the sources from being built, as was told when that was tried last.
    pub(super) fn mistakes(&self) -> BTreeSet<String> {
        let mut mistakes = BTreeSet::new();
        for event in self.events.try_iter() {
            match event {
                // Whatever is told from here on is about pages.
                Event::Built { .. } | Event::Updated { .. } => return BTreeSet::new(),
                Event::Problems(problems) if problems.iter().any(Diagnostic::is_error) => {
                    mistakes = problems.iter().filter(|found| found.is_error()).map(described).collect();
                }
                _ => {}
            }
        }
        mistakes
    }

    /// What is there at these addresses, and at all that answers name.
    pub(super) fn answers(&self, addresses: impl IntoIterator<Item = String>) -> Answers {
        let mut waiting: Vec<String> = addresses.into_iter().collect();
        waiting.push("/__portalgen/entry.js".to_owned());
        let mut answers = Answers::new();
        while let Some(address) = waiting.pop() {
            if answers.contains_key(&address) {
                continue;
            }
            let answer = self.answer(&address);
            waiting.extend(named(&answer.1));
            answers.insert(address, answer);
        }
        answers
    }

    fn answer(&self, address: &str) -> (u16, String) {
        let request = Request { path: address.to_owned(), sent_path: address.to_owned(), ..Request::default() };
        let answer = self.work.portal().answer(&request);
        (answer.status, without_moment(&String::from_utf8_lossy(&answer.body)))
    }
}

/// The addresses of files that a text names.
fn named(text: &str) -> Vec<String> {
    let folders = ["__portalgen/page/", "__portalgen/style/", "assets/"];
    let ends = |character: char| "\"'?\\) \n".contains(character);
    let of = |folder: &'static str| {
        let rest = text.split(folder).skip(1);
        rest.filter_map(move |rest| Some(format!("/{folder}{}", rest.split(ends).next()?)))
    };
    folders.into_iter().flat_map(of).collect()
}

/// A document or script without what says after how many edits it was made.
fn without_moment(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("//# source"));
    lines.map(|line| without_number(line) + "\n").collect()
}

fn without_number(line: &str) -> String {
    for start in ["\"generation\":", "], "] {
        if let Some((before, after)) = line.split_once(start) {
            let after = after.trim_start_matches(|digit: char| digit.is_ascii_digit());
            let is_definition = before.is_empty() && after == ");";
            if start != "], " || is_definition {
                return format!("{before}{start}{after}");
            }
        }
    }
    line.to_owned()
}

fn described(problem: &Diagnostic) -> String {
    let place = problem.place.as_ref().map(|place| format!("{} {:?}", place.source.name, place.span));
    format!("{}: {}", place.unwrap_or_default(), problem.message.english())
}
