//! Gives the program a fingerprint of what decides about the results that it keeps from one build to the next.

use std::{
    fs,
    hash::{DefaultHasher, Hasher},
    io,
    path::Path,
};

fn main() -> io::Result<()> {
    let mut hasher = DefaultHasher::new();
    // What the crate does to code and files, and the versions of what it does that with.
    for path in ["crates/bundle/src", "crates/release/src/compress.rs", "Cargo.lock"] {
        println!("cargo:rerun-if-changed={path}");
        add(Path::new(path), &mut hasher)?;
    }
    println!("cargo:rustc-env=PORTALGEN_RESULTS={:016x}", hasher.finish());
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
        hasher.write(&fs::read(path)?);
    }
    Ok(())
}
