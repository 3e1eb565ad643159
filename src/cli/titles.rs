//! `portalgen titles`: titles and descriptions as a table.

use std::{
    fs,
    io::{self, Read},
    path::Path,
};

use serde_json::json;

use portalgen_base::text::text;
use portalgen_portal::titles;
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
    let table = titles::export(&portal);
    let Some(file) = &arguments.file else {
        console.print_bytes(&table);
        return Ok(());
    };
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
    let edits = titles::import(&name, &bytes, &loaded.portal).map_err(refused)?;
    perform(&loaded, &edits, &arguments.edit, console)
}
