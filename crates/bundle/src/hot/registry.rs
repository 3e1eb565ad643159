//! The registry: the TypeScript that runs before all modules in the hot form, as one script.

use std::{collections::BTreeMap, sync::Arc};

use portalgen_base::{diagnostic::Diagnostic, source::Sources};

use crate::{
    bundler::bundle,
    options::{Entry, Layout, Options, SourceMaps, VirtualModule},
};

/// Code for the registry, wherever it can be asked for.
pub(super) const REGISTRY: &str = "globalThis[Symbol.for(\"portalgen.hot\")]";

const ENTRY: &str = "portalgen:hot/main";

const FILES: &[(&str, &str)] = &[
    (ENTRY, include_str!("../runtime/hot/main.ts")),
    ("portalgen:hot/definitions", include_str!("../runtime/hot/definitions.ts")),
    ("portalgen:hot/instance", include_str!("../runtime/hot/instance.ts")),
    ("portalgen:hot/namespaces", include_str!("../runtime/hot/namespaces.ts")),
    ("portalgen:hot/evaluation", include_str!("../runtime/hot/evaluation.ts")),
    ("portalgen:hot/handle", include_str!("../runtime/hot/handle.ts")),
    ("portalgen:hot/loading", include_str!("../runtime/hot/loading.ts")),
    ("portalgen:hot/context", include_str!("../runtime/hot/context.ts")),
    ("portalgen:hot/events", include_str!("../runtime/hot/events.ts")),
    ("portalgen:hot/refresh", include_str!("../runtime/hot/refresh.ts")),
    ("portalgen:hot/styles", include_str!("../runtime/hot/styles.ts")),
    ("portalgen:hot/propagation", include_str!("../runtime/hot/propagation.ts")),
    ("portalgen:hot/updates", include_str!("../runtime/hot/updates.ts")),
];

/// The registry as a statement, which declares nothing that modules could see.
///
/// # Errors
/// What keeps anything of this site from being bundled.
pub(super) fn registry(sources: &Arc<dyn Sources>, options: &Options) -> Result<String, Vec<Diagnostic>> {
    let options = Options {
        hot: false,
        minify: false,
        source_maps: SourceMaps::None,
        layout: Layout::Flat,
        lazy_entries: Vec::new(),
        ..options.clone()
    };
    let module = |(name, text): &(&str, &str)| {
        ((*name).to_owned(), VirtualModule { text: (*text).to_owned(), folder: options.folder.clone() })
    };
    let modules: BTreeMap<String, VirtualModule> = FILES.iter().map(module).collect();
    let entry = Entry { name: "registry".to_owned(), module: ENTRY.to_owned() };
    let bundle = bundle(sources, &options, &[entry], &modules)?;
    let code: String = bundle.chunks.iter().map(|chunk| &*chunk.code).collect();
    Ok(format!("(() => {{\n{code}\n}})();\n"))
}
