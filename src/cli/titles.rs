//! `portalgen titles`: titles and descriptions as a table.

use std::{
    fs,
    io::{self, Read},
    path::Path,
};

use serde_json::json;

use portalgen_base::text::text;
use portalgen_portal::{Portal, titles};
use portalgen_release::publish;

use super::{
    args::{TitlesExportArguments, TitlesImportArguments},
    console::Console,
    edit::{failed, perform, refused},
    failure::Failure,
    routes::load,
    shown::visible,
    terminal::say,
};

/// Writes the table.
pub(super) fn export(arguments: &TitlesExportArguments, console: &Console) -> Result<(), Failure> {
    let portal = load(&arguments.portal)?.portal;
    let format = arguments.file.as_deref().map_or(Ok(titles::Format::Csv), titles::Format::of);
    let table = format.and_then(|format| titles::export(&portal, format));
    let table = table.map_err(|problem| Failure::other(problem.into_error()).without_outcome())?;
    let Some(file) = &arguments.file else {
        console.print_bytes(&table);
        return Ok(());
    };
    if !arguments.force {
        check_overwriting(file, &portal)?;
    }
    publish::write_file(file, &table).map_err(|error| Failure::other(error).without_outcome())?;
    if console.wants_json() {
        console.result(&json!({ "ok": true, "file": file, "routes": portal.routes.len() }));
        return Ok(());
    }
    let (count, file) = (portal.routes.len(), visible(&file.display().to_string()));
    let done = text!("{count} routes in {file}", "{file} 里有 {count} 条路由");
    say(&format!("{}\n", console.words(&done)));
    Ok(())
}

/// Refuses to write over a table with other cells: they may be the work of an afternoon. What is no file is refused where
/// it would be written.
fn check_overwriting(file: &Path, portal: &Portal) -> Result<(), Failure> {
    if !fs::symlink_metadata(file).is_ok_and(|metadata| metadata.is_file()) {
        return Ok(());
    }
    let name = visible(&file.display().to_string());
    let bytes = fs::read(file).map_err(|error| failed(file, &error))?;
    let found = titles::check_overwriting(&name, &bytes, portal);
    found.map_or(Ok(()), |error| Err(Failure::other(error).without_outcome()))
}

/// The content of a file, or of standard input.
fn read(file: &Path) -> io::Result<Vec<u8>> {
    if file != Path::new("-") {
        return fs::read(file);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Takes over what was changed in a table.
pub(super) fn import(arguments: &TitlesImportArguments, console: &Console) -> Result<(), Failure> {
    let loaded = load(&arguments.edit.portal)?;
    let bytes = read(&arguments.file).map_err(|error| failed(&arguments.file, &error))?;
    let name = arguments.file.to_string_lossy();
    let titles::Import { edits, warnings } = titles::import(&name, &bytes, &loaded.portal).map_err(refused)?;
    perform(&loaded, &edits, warnings, &arguments.edit, console)
}
