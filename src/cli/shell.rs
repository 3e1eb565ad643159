//! What shells and manuals want to know about the commands.

use std::path::Path;

use portalgen_base::text::Text;
use portalgen_release::publish;

use super::{
    console::Console,
    failure::{Blame, Failure},
    usage,
};

/// Prints a script by which `shell` completes commands and options.
pub(super) fn completions(shell: clap_complete::Shell, console: &Console) {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut usage::command(console.look.language), "portalgen", &mut script);
    console.print_bytes(&script);
}

/// Prints the manual page, or writes the pages of all commands into a folder: `portalgen.1`, `portalgen-build.1` …
pub(super) fn manual(out: Option<&Path>, console: &Console) -> Result<(), Failure> {
    let command = usage::command(console.look.language);
    let Some(folder) = out else {
        console.print_bytes(&page(command).1);
        return Ok(());
    };
    let subcommands: Vec<clap::Command> =
        command.get_subcommands().filter(|sub| sub.get_name() != "help").cloned().collect();
    let nested = subcommands.iter().flat_map(clap::Command::get_subcommands).filter(|sub| sub.get_name() != "help");
    let nested: Vec<clap::Command> = nested.cloned().collect();
    let pages: Vec<_> = std::iter::once(command).chain(subcommands).chain(nested).map(page).collect();
    publish::write_files(folder, &pages).map_err(|error| Failure {
        blame: Blame::Other,
        diagnostics: error.into_diagnostics(),
        outcome: Text::default(),
    })
}

/// The name and the content of the page of a command.
fn page(command: clap::Command) -> (String, Vec<u8>) {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let mut page = Vec::new();
    // Writing to memory does not fail.
    let _ = clap_mangen::Man::new(command).render(&mut page);
    (format!("{name}.1"), page)
}
