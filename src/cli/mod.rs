//! The command line: raw arguments to resolved options to work. The only place that prints, reads the environment,
//! and starts other programs.

mod args;
mod build;
mod bundle;
mod check;
mod columns;
mod console;
mod deploy_check;
mod dev;
mod dev_network;
mod edit;
mod editor;
mod explain;
mod failure;
mod git_state;
mod history;
mod init;
mod install;
mod measuring;
mod misuse;
mod pages;
mod plan;
mod preview;
mod progress;
mod project;
mod replay;
pub mod report;
mod routes;
mod rule_page;
mod session;
mod shell;
mod shown;
mod summary;
mod terminal;
mod titles;
mod usage;
mod verify;
mod wrap;

use std::{ffi::OsString, process::ExitCode, sync::Arc};

use portalgen_base::{diagnostic::Diagnostic, text::Text};
use portalgen_portal::schema;

use self::{
    args::{Command, TitlesCommand},
    console::Console,
    failure::{Blame, Failure},
    terminal::say,
};

/// Runs portalgen with the given arguments, the first of which is the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let given: Vec<OsString> = arguments.into_iter().collect();
    let arguments = match args::parse(&given) {
        Ok(arguments) => arguments,
        Err(error) => return misuse::tell(&given, error),
    };
    let console = Console::new(&arguments.output, arguments.command.root());
    let code = match catch(|| perform(&arguments.command, &console)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            console.failure(&failure);
            failure.blame.into()
        }
    };
    match console.unprinted() {
        Some(diagnostic) => {
            say(&format!("{}\n", report::human(&diagnostic, console.look)));
            Blame::Other.into()
        }
        None => code,
    }
}

fn perform(command: &Command, console: &Console) -> Result<(), Failure> {
    match command {
        Command::Init(arguments) => init::command(arguments, console),
        Command::Build(arguments) => build::command(arguments, console),
        Command::Check(arguments) => check::command(arguments, console),
        Command::Plan(arguments) => plan::command(arguments, console),
        Command::DeployCheck(arguments) => deploy_check::command(arguments, console),
        Command::Explain(arguments) => explain::command(arguments, console),
        Command::Preview(arguments) => preview::command(arguments, console),
        Command::Dev(arguments) => dev::command(arguments, console),
        Command::Routes(arguments) => routes::command(arguments, console),
        Command::Title(arguments) => edit::title(arguments, console),
        Command::Redirect(arguments) => edit::redirect(arguments, console),
        Command::Add(arguments) => pages::add(arguments, console),
        Command::Move(arguments) => pages::relocate(arguments, console),
        Command::Titles { direction: TitlesCommand::Export(arguments) } => titles::export(arguments, console),
        Command::Titles { direction: TitlesCommand::Import(arguments) } => titles::import(arguments, console),
        Command::Schema(arguments) => {
            console.result(&schema(arguments.draft.into(), console.look.language));
            Ok(())
        }
        Command::Completions { shell } => {
            shell::completions(*shell, console);
            Ok(())
        }
        Command::Man { out } => shell::manual(out.as_deref(), console),
        Command::Bundle(arguments) => bundle::command(arguments, console),
    }
}

/// Turns a panic into a failure that says whose it is.
fn catch(work: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    let place = Arc::new(std::sync::Mutex::new(String::new()));
    let noted = Arc::clone(&place);
    std::panic::set_hook(Box::new(move |info| {
        if let Ok(mut place) = noted.lock() {
            *place = info.to_string();
        }
    }));
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let details = place.lock().map(|place| place.clone()).unwrap_or_default();
        Err(Failure::other(Diagnostic::own_fault(&Text::verbatim(details))))
    })
}
