//! Opens a place in the editor of whoever works here.

use std::{
    env,
    ffi::OsString,
    io,
    path::Path,
    process::{Command, Stdio},
};

/// A place in a file.
pub(super) struct Place<'a> {
    pub(super) file: &'a Path,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Where the editor is looked for, in this order.
const VARIABLES: [&str; 3] = ["PORTALGEN_EDITOR", "VISUAL", "EDITOR"];

/// Opens a place. Editors that need a terminal cannot share this one, so those count as none; then the address that VS Code
/// listens to is opened.
///
/// # Errors
/// The system does not start it.
pub(super) fn open(place: &Place<'_>) -> io::Result<()> {
    let named = VARIABLES.iter().find_map(env::var_os).filter(|command| !command.is_empty());
    let known = named.and_then(|command| command_of(&command, place));
    let [program, arguments @ ..] = &known.unwrap_or_else(|| opener(place))[..] else { return Ok(()) };
    // It lives on by itself, and has nothing to say here.
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}

/// The command that opens a place in an editor with windows of its own. `command` may have arguments.
fn command_of(command: &OsString, Place { file, line, column }: &Place<'_>) -> Option<Vec<OsString>> {
    let command = command.to_str()?;
    let mut words: Vec<OsString> = command.split_whitespace().map(OsString::from).collect();
    let program = Path::new(words.first()?).file_stem()?.to_str()?.to_lowercase();
    let file = file.display();
    let at = format!("{file}:{line}:{column}");
    let arguments: Vec<String> = match program.as_str() {
        "code" | "code-insiders" | "codium" | "vscodium" | "cursor" | "windsurf" => vec!["--goto".to_owned(), at],
        "zed" | "zeditor" | "subl" | "sublime_text" | "atom" | "hx-gui" => vec![at],
        "idea" | "webstorm" | "phpstorm" | "pycharm" | "rubymine" | "goland" | "rustrover" | "kate" => {
            ["--line", &line.to_string(), "--column", &column.to_string(), &file.to_string()].map(String::from).into()
        }
        "gedit" | "gvim" => vec![format!("+{line}"), file.to_string()],
        "emacsclient" => ["-n", &format!("+{line}:{column}"), &file.to_string()].map(String::from).into(),
        "mate" => ["--line", &format!("{line}:{column}"), &file.to_string()].map(String::from).into(),
        _ => return None,
    };
    words.extend(arguments.into_iter().map(OsString::from));
    Some(words)
}

/// The command by which the system opens the address of a place.
fn opener(Place { file, line, column }: &Place<'_>) -> Vec<OsString> {
    let path = file.display().to_string().replace('\\', "/");
    let path = path.trim_start_matches('/');
    address_opener(&format!("vscode://file/{path}:{line}:{column}"))
}

/// The command by which the system opens an address.
fn address_opener(address: &str) -> Vec<OsString> {
    let opener: &[&str] = if cfg!(target_os = "macos") {
        &["open"]
    } else if cfg!(windows) {
        // What `start` takes would be read by a shell.
        &["rundll32", "url.dll,FileProtocolHandler"]
    } else {
        &["xdg-open"]
    };
    opener.iter().copied().chain([address]).map(OsString::from).collect()
}

/// Opens an address in the browser.
///
/// # Errors
/// The system does not start it.
pub(super) fn open_address(address: &str) -> io::Result<()> {
    let words = address_opener(address);
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsString, path::Path};

    use super::{Place, command_of};

    fn command(editor: &str) -> Option<Vec<String>> {
        let place = Place { file: Path::new("/p/a b;$(x).tsx"), line: 3, column: 7 };
        let words = command_of(&OsString::from(editor), &place)?;
        Some(words.into_iter().map(|word| word.into_string().expect("text")).collect())
    }

    #[test]
    fn editors_with_windows_are_told_where() {
        let words = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(command("code --reuse-window"), words(&["code", "--reuse-window", "--goto", "/p/a b;$(x).tsx:3:7"]));
        assert_eq!(command("/opt/zed"), words(&["/opt/zed", "/p/a b;$(x).tsx:3:7"]));
        assert_eq!(command("kate"), words(&["kate", "--line", "3", "--column", "7", "/p/a b;$(x).tsx"]));
        assert_eq!(command("gvim"), words(&["gvim", "+3", "/p/a b;$(x).tsx"]));
        assert_eq!(command("vim"), None);
    }
}
