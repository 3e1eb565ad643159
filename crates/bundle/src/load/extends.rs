//! Which files `extends` in a `tsconfig.json` names, where the resolver would look for others than TypeScript does.

use std::{path::Path, sync::Arc};

use oxc_resolver::{ResolveOptions, ResolverGeneric};

use portalgen_base::source::{Sources, normalize};

use super::files::Files;

/// The text of a `tsconfig.json`, with the files that it extends in place of other names for them:
///
/// - `./base` is `base.json`, also beside a folder of that name;
/// - what a package extends is looked for from where the package lies, and not from a link to it.
pub(super) fn with_found_bases(sources: &Arc<dyn Sources>, config: &Path, text: String) -> String {
    const KEY: &str = "\"extends\"";
    let folder = config.parent().unwrap_or(config);
    let ends = text.match_indices(KEY).map(|(at, _)| at + KEY.len());
    let Some(start) = ends.into_iter().find(|end| text[*end..].trim_start().starts_with(':')) else { return text };
    let (mut found, mut rest) = (text[..start].to_owned(), &text[start..]);
    for written in strings_of_value(rest) {
        let quoted = format!("\"{written}\"");
        let Some((before, after)) = rest.split_once(&quoted) else { break };
        let base = base(sources, folder, written);
        found += before;
        found += &base.map_or(quoted, |base| serde_json::Value::from(base).to_string());
        rest = after;
    }
    found + rest
}

/// The strings in a value that begins with a colon: itself, or those of a list.
fn strings_of_value(text: &str) -> Vec<&str> {
    let value = text.trim_start().trim_start_matches(':').trim_start();
    let (value, most) = match value.strip_prefix('[') {
        Some(list) => (list.split(']').next().unwrap_or_default(), usize::MAX),
        None if value.starts_with('"') => (value, 1),
        None => return Vec::new(),
    };
    value.split('"').skip(1).step_by(2).take(most).collect()
}

fn base(sources: &Arc<dyn Sources>, folder: &Path, written: &str) -> Option<String> {
    if written.starts_with(['/', '#', '\\']) || written.is_empty() {
        return None;
    }
    if written.starts_with('.') {
        let file = normalize(&folder.join(written));
        let with_extension = format!("{written}.json");
        let is_meant = !sources.is_file(&file) && sources.is_file(&folder.join(&with_extension));
        return is_meant.then_some(with_extension);
    }
    let strings = |list: &[&str]| list.iter().map(|&item| item.to_owned()).collect::<Vec<_>>();
    let options = ResolveOptions {
        condition_names: strings(&["node", "import"]),
        extensions: strings(&[".json"]),
        main_fields: strings(&["tsconfig"]),
        main_files: strings(&["tsconfig"]),
        ..ResolveOptions::default()
    };
    let resolver = ResolverGeneric::new_with_file_system(Files(Arc::clone(sources)), options);
    Some(resolver.resolve(folder, written).ok()?.path().to_str()?.to_owned())
}
