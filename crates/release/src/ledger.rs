//! The ledger of addresses: `routes.lock`, every address that the portal has ever published.
//!
//! Somebody may have linked to an address as soon as it was public, so it must lead somewhere for good, or be given up on
//! purpose. The file lists paths below the base, one a line, so that version control shows what a change adds.

use std::{collections::BTreeSet, io, path::Path, sync::Arc};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText, did_you_mean},
    rules::Rule,
    source::{self, Sources},
    text::text,
};
use portalgen_portal::{INDEX, Portal, RoutePath};

use crate::{
    compress,
    output::{OutputKind, OutputSet},
};

/// The name of the file, beside `routes.toml`.
pub const FILE: &str = "routes.lock";

const HEADER: &str = "# Every address that this portal has published. portalgen adds new ones; keep the file in version control.\n\
                      # 这个门户发布过的全部地址。portalgen 会自动添加新地址；请把这个文件纳入版本控制。\n";

/// The addresses that were published before.
#[derive(Clone, Debug)]
pub struct Ledger {
    source: Arc<SourceText>,
    /// Each with its line.
    published: Vec<(RoutePath, Place)>,
}

impl Ledger {
    /// Reads the ledger of the project in `root`; an empty one where there is none.
    ///
    /// # Errors
    /// Lines that are no paths, and a file that cannot be read.
    pub fn load(sources: &dyn Sources, root: &Path) -> Result<Self, Vec<Diagnostic>> {
        let bytes = match sources.read(&root.join(FILE)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                let (reason, _) = source::explain(&error);
                let message = text!("cannot read `{FILE}`: {reason}", "无法读取 `{FILE}`：{reason}", reason);
                return Err(vec![Diagnostic::error(message)]);
            }
        };
        let source = SourceText::decode(FILE, bytes).map_err(|problem| vec![*problem])?;
        let (mut published, mut wrong) = (Vec::new(), Vec::new());
        let mut start = 0;
        for line in source.text.split_inclusive('\n') {
            let written = line.trim();
            let place = || Place::new(&source, start..start + line.trim_end().len());
            if !written.is_empty() && !written.starts_with('#') {
                match RoutePath::parse(written) {
                    Ok(path) => published.push((path, place())),
                    Err(_) => wrong.push(not_a_path(written).at(place())),
                }
            }
            start += line.len();
        }
        if wrong.is_empty() { Ok(Self { source, published }) } else { Err(wrong) }
    }

    /// What is wrong with a portal that does not have all the addresses which were published before.
    pub fn check(&self, portal: &Portal, output: &OutputSet) -> Vec<Diagnostic> {
        let present = addresses(portal, output);
        let known: BTreeSet<&RoutePath> = self.published.iter().map(|(path, _)| path).collect();
        // What has come since may be what has gone under another name.
        let new: Vec<&str> = present.iter().filter(|path| !known.contains(path)).map(RoutePath::as_str).collect();
        let gone = self.published.iter().filter(|(path, _)| !present.contains(path));
        gone.map(|(path, place)| dropped(path, heir(path, &new, &present)).at(place.clone())).collect()
    }

    /// The text of the file when the addresses of a build are in it, unless that is what it says.
    pub fn with(&self, portal: &Portal, output: &OutputSet) -> Option<String> {
        let known: BTreeSet<RoutePath> = self.published.iter().map(|(path, _)| path.clone()).collect();
        let all: BTreeSet<RoutePath> = known.union(&addresses(portal, output)).cloned().collect();
        if all == known && self.published.len() == known.len() {
            return None;
        }
        let lines: Vec<String> = all.iter().map(|path| path.readable() + "\n").collect();
        Some(format!("{HEADER}{}", lines.concat()))
    }

    /// The text of the file as it is.
    pub fn text(&self) -> &str {
        &self.source.text
    }
}

/// The addresses of a portal that people link to: its routes, and documents of `site/public`.
fn addresses(portal: &Portal, output: &OutputSet) -> BTreeSet<RoutePath> {
    let routes = portal.routes.iter().map(|route| route.path.clone());
    let is_form = |path: &str| compress::is_form(path, |original| output.get(original).is_some());
    let documents =
        output.iter().filter(|(path, file)| file.kind == OutputKind::Data && is_document(path) && !is_form(path));
    let documents = documents.filter_map(|(path, _)| {
        let path = path.strip_suffix(INDEX).unwrap_or(path);
        // What cannot be a route cannot be led on either.
        RoutePath::parse(&format!("/{}", portalgen_portal::encode_path(path)))
            .ok()
            .filter(|path| path.reserved().is_none())
    });
    routes.chain(documents).collect()
}

/// Whether a file is something to read or to keep. Parts of pages, and what programs look for, are not.
fn is_document(path: &str) -> bool {
    const EXTENSIONS: [&str; 14] =
        ["html", "htm", "pdf", "csv", "zip", "gz", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "epub", "apk"];
    let is_hidden = path.split('/').any(|name| name.starts_with('.'));
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    !is_hidden && EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Where an address that has gone should probably lead: to what has come since, else to what it was a part of.
fn heir<'p>(path: &'p RoutePath, new: &[&'p str], present: &BTreeSet<RoutePath>) -> &'p str {
    if let Some(similar) = did_you_mean(path.as_str(), new.iter().copied()) {
        return similar;
    }
    let parents = path.as_str().rmatch_indices('/').map(|(end, _)| &path.as_str()[..end]);
    let mut parents = parents.filter(|parent| !parent.is_empty());
    parents.find(|parent| present.iter().any(|path| path.as_str() == *parent)).unwrap_or("/")
}

fn dropped(path: &RoutePath, heir: &str) -> Diagnostic {
    let path = path.readable();
    let message =
        text!("`{path}` was published before, but no longer exists", "网址 `{path}` 以前发布过，现在没有内容了");
    if path != heir && path.to_lowercase() == heir.to_lowercase() {
        // No redirect can lead from one to the other: on many disks they are one file.
        return Diagnostic::of(Rule::DroppedUrl, message).with_hint(text!(
            "`{heir}` differs from it only in case: write `path = \"{path}\"` again in routes.toml",
            "`{heir}` 和它只有大小写不同：请在 routes.toml 里改回 `path = \"{path}\"`"
        ));
    }
    let word = if path.contains(' ') { format!("\"{path}\"") } else { path.clone() };
    let heir = if heir.contains(' ') { format!("\"{heir}\"") } else { heir.to_owned() };
    Diagnostic::of(Rule::DroppedUrl, message)
        .with_hint(text!(
            "if the page has moved, run `portalgen redirect {word} {heir}` with its new address, so that old links \
            and bookmarks keep working",
            "如果页面换了网址，请运行 `portalgen redirect {word} {heir}`（后面写新网址），原来的链接和书签就都还能用"
        ))
        .with_hint(text!(
            "if the page is gone for good, add these lines to routes.toml: `[[route]]`, `path = \"{path}\"`, `retired \
            = true`",
            "如果不再需要这个页面，请在 routes.toml 里加上这几行：`[[route]]`、`path = \"{path}\"`、`retired = true`"
        ))
        .with_hint(text!(
            "if it was never online, remove this line from `{FILE}`, where portalgen records every published address",
            "如果它从来没有上线，请从 `{FILE}` 里删掉这一行（这个文件记录发布过的所有网址）"
        ))
}

fn not_a_path(written: &str) -> Diagnostic {
    let error = Diagnostic::error(text!("this is not a path", "这不是一个网址"));
    let is_merge = ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|mark| written.starts_with(mark));
    error.with_hint(if is_merge {
        text!(
            "this is a merge conflict: keep the lines of both sides, and remove the conflict markers",
            "这里是合并冲突：两边的行都保留，只删掉冲突标记"
        )
    } else {
        text!("each line is a path that begins with `/`", "每一行是一个以 `/` 开头的路径")
    })
}
