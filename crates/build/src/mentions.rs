//! Where sources of a site name an address or a module. They are not parsed for that: what stands in quotes counts.

use std::path::{Path, PathBuf};

use portalgen_base::{
    diagnostic::{Place, SourceText},
    source::{Kind, Sources, display_name},
};
use portalgen_portal::RoutePath;

/// What files end in that people write links and imports in.
const EXTENSIONS: [&str; 8] = [".tsx", ".jsx", ".ts", ".js", ".mdx", ".md", ".html", ".json"];

/// Where files below `folder` link to an address of the portal.
pub fn of_address(sources: &dyn Sources, root: &Path, folder: &Path, path: &RoutePath) -> Vec<Place> {
    let spellings = [path.readable(), path.encoded()];
    let spellings = if spellings[0] == spellings[1] { &spellings[..1] } else { &spellings[..] };
    let ends = |rest: &str| {
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        rest.starts_with(['"', '\'', '`', '#', '?', ')'])
    };
    let mut places = Vec::new();
    for file in files(sources, folder) {
        let Ok(text) = sources.read_to_string(&file) else { continue };
        let found = spellings.iter().flat_map(|spelling| text.match_indices(&**spelling));
        let is_link = |at: usize, len: usize| text[..at].ends_with(['"', '\'', '`', '(']) && ends(&text[at + len..]);
        let mut found: Vec<_> =
            found.map(|(at, found)| (at, found.len())).filter(|(at, len)| is_link(*at, *len)).collect();
        found.sort_unstable();
        if !found.is_empty() {
            let source = SourceText::new(display_name(root, &file), &*text);
            places.extend(found.into_iter().map(|(at, len)| Place::new(&source, at..at + len)));
        }
    }
    places
}

/// Whether a file below `folder` may import the one at `module`.
pub fn of_module(sources: &dyn Sources, folder: &Path, module: &Path) -> bool {
    let Some(stem) = module.file_stem().and_then(|stem| stem.to_str()) else { return true };
    let extension = module.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let endings = [String::new(), format!(".{extension}")];
    let spellings = endings.map(|ending| ['"', '\''].map(|quote| format!("/{stem}{ending}{quote}")));
    files(sources, folder).iter().any(|file| {
        let text = sources.read_to_string(file).unwrap_or_default();
        spellings.iter().flatten().any(|spelling| {
            // An address begins with the slash; the path of a module has something before it.
            text.match_indices(&**spelling).any(|(at, _)| !text[..at].ends_with(['"', '\'']))
        })
    })
}

/// The sources below a folder, without packages and what portalgen keeps there.
fn files(sources: &dyn Sources, folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for name in sources.list(folder).unwrap_or_default() {
        let path = folder.join(&name);
        match sources.link_kind(&path) {
            _ if name.starts_with('.') || name == "node_modules" => {}
            Ok(Kind::Folder) => files.extend(self::files(sources, &path)),
            Ok(Kind::File) if EXTENSIONS.iter().any(|extension| name.ends_with(extension)) => files.push(path),
            _ => {}
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use portalgen_base::source::Memory;

    #[test]
    fn links_and_imports_are_told_from_other_words() {
        let text =
            "import About from \"./pages/about\";\n<a href=\"/about#x\"> /about <a href='/about/'> \"/about-us\"";
        let sources = Memory::new([("/p/site/a.tsx", text), ("/p/site/node_modules/b.js", "\"/about\"")]);
        let (root, site) = (Path::new("/p"), Path::new("/p/site"));
        let path = RoutePath::parse("/about").unwrap();
        let lines: Vec<_> = of_address(&sources, root, site, &path).iter().map(Place::line_column).collect();
        assert_eq!(lines, [(2, 10), (2, 37)]);
        assert!(of_module(&sources, site, Path::new("/p/site/pages/about.tsx")));
        assert!(!of_module(&sources, site, Path::new("/p/site/pages/about-us.tsx")));
    }
}
