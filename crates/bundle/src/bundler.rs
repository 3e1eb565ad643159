//! The chain of steps, from entries to a [`Bundle`].

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
};

use rustc_hash::FxHashSet;

use portalgen_base::{diagnostic::Diagnostic, source::Sources};

use crate::{
    asset::Asset,
    chunk::{
        self,
        css_order::{CssOrder, SheetFile},
        plan::{ChunkGraph, ChunkOutline},
    },
    emit,
    graph::{self, ModuleGraph},
    link,
    load::sheet,
    module::{self, Format, ImportKind, ImportRecord, ModuleId, Target},
    names::is_virtual,
    options::{Entry, Options, VirtualModule},
    output::{Bundle, Chunk, LazyModule, ModuleImport, ModuleImportKind, ModuleInfo},
    platform::Platform,
};

/// Bundles `entries`.
///
/// # Errors
/// Everything wrong with the sources: files that cannot be read, syntax errors, specifiers that lead nowhere,
/// imports of names that do not exist. Or a fault of portalgen, if the chunks that it made would not run.
pub fn bundle(
    sources: &Arc<dyn Sources>,
    options: &Options,
    entries: &[Entry],
    virtual_modules: &BTreeMap<String, VirtualModule>,
) -> Result<Bundle, Vec<Diagnostic>> {
    let clock = &options.clock;
    let mut graph = clock.time("load", || graph::load(sources, options, entries, virtual_modules, bundle))?;
    let (links, mut warnings) = clock.time("link", || link::link(&graph))?;
    link::settle_calls(&mut graph, &links);
    let plan = clock.time("chunk", || chunk::chunk(&graph, &links, entries, options));
    let css_order = clock.time("cascade", || CssOrder::new(&graph, &plan));

    let (mut assets, sheet_names) = assets_of(&mut graph, &plan, &css_order, options.layout.prefix());
    let styles_of = |root: &ModuleId| -> Vec<Arc<str>> {
        css_order.of_root.get(root).into_iter().flatten().map(|file| sheet_names[*file].clone()).collect()
    };
    let entries = graph.entries.iter().map(|entry| entry_chunk(&plan, *entry)).collect();
    let entry_styles = graph.entries.iter().map(styles_of).collect();
    let lazy = lazy_modules(&graph, &plan, styles_of);
    let modules = module_infos(&graph, |module| plan.chunk_of.get(&module).map(|chunk| chunk.0));
    let sheet_places = css_order.files.iter().map(|file| file.place).collect();
    let css_module_types = std::mem::take(&mut graph.css_module_types);
    let set_aside = std::mem::take(&mut graph.set_aside);
    let used = names_of_virtual_modules(&graph);
    let workers = std::mem::take(&mut graph.workers);
    warnings.append(&mut graph.warnings);
    let mut chunks = clock.time("emit", || emit::emit(&graph, &links, &plan, &css_order, &sheet_names, options))?;
    // The engine does not show anything.
    warnings.extend(css_order.warnings.into_iter().filter(|_| options.platform != Platform::Prerender));
    for worker in workers.into_values() {
        add_chunks(&mut chunks, &worker.chunks);
        assets.extend(worker.assets.iter().map(|asset| (asset.file_name.clone(), asset.clone())));
        warnings.extend(worker.warnings.iter().cloned());
    }
    Ok(Bundle {
        chunks,
        assets: assets.into_values().collect(),
        entries,
        style_sheets: sheet_names,
        sheet_places,
        entry_styles,
        lazy,
        css_module_types,
        set_aside,
        modules,
        virtual_modules: used,
        warnings,
    })
}

/// The names of the virtual modules of a graph and of its workers.
pub(crate) fn names_of_virtual_modules(graph: &ModuleGraph) -> BTreeSet<Arc<str>> {
    let own = graph.modules.iter().map(|module| &module.name).filter(|name| is_virtual(name));
    own.chain(graph.workers.values().flat_map(|worker| &worker.virtual_modules)).cloned().collect()
}

/// The files beside the code, by their names, and the names of those with style sheets, in the order of their rules.
fn assets_of(
    graph: &mut ModuleGraph,
    plan: &ChunkGraph,
    css_order: &CssOrder,
    prefix: &str,
) -> (BTreeMap<String, Asset>, Vec<Arc<str>>) {
    let mut assets = std::mem::take(&mut graph.assets);
    let sheets: Vec<Asset> = css_order.files.iter().map(|file| file_of_styles(graph, file, prefix)).collect();
    let sheet_names = sheets.iter().map(|sheet| sheet.file_name.as_str().into()).collect();
    let licences = plan.outlines().filter_map(|chunk| chunk_licences(graph, plan, chunk, prefix));
    assets.extend(sheets.into_iter().chain(licences).map(|asset| (asset.file_name.clone(), asset)));
    (assets, sheet_names)
}

/// Adds the chunks of another bundle. Where two bundles have a file in common, it is named by its content.
pub(crate) fn add_chunks(chunks: &mut Vec<Chunk>, others: &[Chunk]) {
    let mut places: Vec<usize> = Vec::with_capacity(others.len());
    let mut next = chunks.len();
    for other in others {
        let known = chunks.iter().position(|chunk| chunk.file_name == other.file_name);
        places.push(known.unwrap_or(next));
        next += usize::from(known.is_none());
    }
    let moved = |indices: &[usize]| indices.iter().map(|index| places[*index]).collect();
    let new = others.iter().zip(&places).filter(|(_, place)| **place >= chunks.len()).map(|(other, _)| Chunk {
        imports: moved(&other.imports),
        lazy_imports: moved(&other.lazy_imports),
        ..other.clone()
    });
    let new: Vec<Chunk> = new.collect();
    chunks.extend(new);
}

/// The comments in a chunk's sources that licences ask to be handed on, each once.
fn chunk_licences(graph: &ModuleGraph, plan: &ChunkGraph, chunk: &ChunkOutline, prefix: &str) -> Option<Asset> {
    let modules = chunk.modules.iter().filter(|module| plan.included.has_module(**module));
    let mut licences: Vec<String> = Vec::new();
    for licence in modules.flat_map(|module| &graph.modules[module.index()].scan.licences) {
        let text = format!("/*{licence}*/");
        if !licences.contains(&text) {
            licences.push(text);
        }
    }
    let name = PathBuf::from(format!("{}.LICENSE.txt", chunk.name));
    (!licences.is_empty()).then(|| Asset::new(prefix, &name, (licences.join("\n\n") + "\n").into_bytes()))
}

fn file_of_styles(graph: &ModuleGraph, file: &SheetFile, prefix: &str) -> Asset {
    let sheets: Vec<_> =
        file.modules.iter().filter_map(|module| graph.modules[module.index()].stylesheet.as_ref()).collect();
    Asset::new(prefix, &PathBuf::from(format!("{}.css", file.name)), sheet::join(&sheets).into_bytes())
}

/// The modules of a graph, of each the chunk that holds it.
pub(crate) fn module_infos(graph: &ModuleGraph, chunk_of: impl Fn(ModuleId) -> Option<usize>) -> Vec<ModuleInfo> {
    // Most modules of a large site ask for the same few.
    let mut specifiers: FxHashSet<Arc<str>> = FxHashSet::default();
    let mut shared = |specifier: &str| {
        let known = specifiers.get(specifier).cloned();
        known.unwrap_or_else(|| {
            let new: Arc<str> = specifier.into();
            specifiers.insert(Arc::clone(&new));
            new
        })
    };
    let mut import = |(record, target): (&ImportRecord, &Target)| {
        let kind = match record.kind {
            ImportKind::Static => ModuleImportKind::Static,
            ImportKind::Dynamic { .. } => ModuleImportKind::Dynamic,
            ImportKind::Require { .. } => ModuleImportKind::Require,
            ImportKind::RequireResolve | ImportKind::Url { .. } => return None,
        };
        let target = target.module().map(ModuleId::index);
        Some(ModuleImport { specifier: shared(&record.specifier), kind, target })
    };
    let info = |(index, module): (usize, &module::Module)| ModuleInfo {
        name: module.name.clone(),
        bytes: module.source.text.len(),
        is_common_js: module.scan.format == Format::CommonJs,
        is_external: module.external.is_some(),
        imports: module.import_records().filter_map(&mut import).collect(),
        chunk: chunk_of(ModuleId::at(index)),
    };
    graph.modules.iter().enumerate().map(info).collect()
}

fn entry_chunk(plan: &ChunkGraph, entry: ModuleId) -> usize {
    let own = plan.outlines().position(|chunk| chunk.entry == Some(entry));
    own.or_else(|| plan.chunk_of.get(&entry).map(|chunk| chunk.0)).unwrap_or_default()
}

fn lazy_modules(
    graph: &ModuleGraph,
    plan: &ChunkGraph,
    styles_of: impl Fn(&ModuleId) -> Vec<Arc<str>>,
) -> BTreeMap<Arc<str>, LazyModule> {
    let lazy = |target: &ModuleId, chunk: usize| {
        let module = &graph.modules[target.index()];
        let styles = if plan.styled.contains(target) { styles_of(target) } else { Vec::new() };
        (module.name.clone(), LazyModule { chunk, styles })
    };
    let dynamic = plan.included.dynamic_entries.iter();
    let dynamic = dynamic.filter_map(|target| Some(lazy(target, plan.chunk_of.get(target)?.0)));
    // One that only re-exports is in no chunk itself, and has one all the same.
    let asked = graph.lazy_entries.iter().map(|entry| lazy(entry, entry_chunk(plan, *entry)));
    dynamic.chain(asked).collect()
}
