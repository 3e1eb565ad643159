//! Gives the program its identity: whatever may change what it makes of the same input changes that.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::Path,
    process::Command,
};

/// All that is compiled into the program, and the versions of what it is made of.
const SOURCES: [&str; 5] = ["src", "crates", "templates", "Cargo.toml", "Cargo.lock"];
/// How it is compiled.
const SETTINGS: [&str; 5] = ["TARGET", "PROFILE", "OPT_LEVEL", "CARGO_ENCODED_RUSTFLAGS", "CARGO_CFG_FEATURE"];

fn main() -> io::Result<()> {
    let mut hasher = DefaultHasher::new();
    for path in SOURCES {
        println!("cargo:rerun-if-changed={path}");
        add(Path::new(path), &mut hasher)?;
    }
    SETTINGS.map(env::var_os).hash(&mut hasher);
    let compiler = env::var_os("RUSTC").and_then(|rustc| Command::new(rustc).arg("--version").output().ok());
    compiler.map(|compiler| compiler.stdout).hash(&mut hasher);
    println!("cargo:rustc-env=PORTALGEN_IDENTITY={:016x}", hasher.finish());
    Ok(())
}

fn add(path: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    if path.is_dir() {
        let entries: io::Result<Vec<_>> = fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect();
        let mut paths = entries?;
        paths.sort();
        return paths.iter().try_for_each(|path| add(path, hasher));
    }
    if path.exists() {
        path.hash(hasher);
        fs::read(path)?.hash(hasher);
    }
    Ok(())
}
