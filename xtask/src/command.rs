//! Running other programs.

use std::{
    env,
    ffi::{OsStr, OsString},
    io::ErrorKind,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Nothing, or a sentence about what failed.
pub(crate) type Outcome = Result<(), String>;

/// The repository's folder.
pub(crate) fn root() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest)
}

/// The release binary. It lies beside this program, wherever cargo puts what it builds.
pub(crate) fn binary() -> OsString {
    let name = format!("release/portalgen{}", env::consts::EXE_SUFFIX);
    let target = env::current_exe().ok().and_then(|program| Some(program.parent()?.parent()?.to_owned()));
    target.unwrap_or_else(|| root().join("target")).join(name).into()
}

/// Whether `program` can be run at all.
pub(crate) fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// A program to be run in the repository's folder.
pub(crate) struct Run {
    command: Command,
    shown: String,
}

impl Run {
    /// A program with its arguments.
    pub(crate) fn new(program: impl AsRef<OsStr>, arguments: &[&str]) -> Self {
        let program = program.as_ref();
        let mut command = Command::new(program);
        command.args(arguments).current_dir(root());
        let name = Path::new(program).file_name().unwrap_or(program).to_string_lossy();
        Self { command, shown: format!("{name} {}", arguments.join(" ")) }
    }

    /// The cargo that runs this program.
    pub(crate) fn cargo(arguments: &[&str]) -> Self {
        Self::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), arguments)
    }

    /// Sets the folder, which is given from the repository's.
    pub(crate) fn within(mut self, folder: impl AsRef<Path>) -> Self {
        self.command.current_dir(root().join(folder));
        self
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs it where everyone sees what it prints; fails if it does.
    pub(crate) fn check(mut self) -> Outcome {
        let status = self.command.status().map_err(|error| self.not_started(&error))?;
        if status.success() { Ok(()) } else { Err(format!("`{}` ended with {status}", self.shown)) }
    }

    /// Runs it, and prints what it prints only if it fails.
    pub(crate) fn check_quietly(self) -> Outcome {
        self.output().map(drop)
    }

    /// What it prints. Where it fails, all of that is printed.
    pub(crate) fn output(mut self) -> Result<String, String> {
        let Output { status, stdout, stderr } = self.command.output().map_err(|error| self.not_started(&error))?;
        let printed = String::from_utf8_lossy(&stdout);
        if status.success() {
            return Ok(printed.into_owned());
        }
        eprint!("{printed}{}", String::from_utf8_lossy(&stderr));
        Err(format!("`{}` ended with {status}", self.shown))
    }

    fn not_started(&self, error: &std::io::Error) -> String {
        let program = PathBuf::from(self.command.get_program());
        let name = program.file_stem().unwrap_or_default().to_string_lossy();
        match (error.kind(), &*name) {
            (ErrorKind::NotFound, "node" | "npm") => {
                format!("{name} is not installed: install Node.js 20 or newer, which comes with npm")
            }
            (ErrorKind::NotFound, _) => format!("{} is not there", program.display()),
            _ => format!("`{}` cannot be started: {error}", self.shown),
        }
    }
}
