//! The fifth stage: what the stages before made becomes one set of files, described by a manifest.

use std::collections::BTreeMap;

use portalgen_base::{
    blob::{Blob, Spill},
    diagnostic::Diagnostic,
    problems::Problems,
    store::{Kind, Results},
    text::text,
};
use portalgen_bundle::{Bundle, SourceMapForm};
use portalgen_portal::history::History;
use portalgen_release::{
    compress,
    earlier_build::Previous,
    hosting,
    manifest::{self, Manifest, ScriptFile},
    output::{OutputFile, OutputKind, OutputSet, Producer},
};

use super::{
    bundle::Scripts,
    collect::Collected,
    documents::{Surroundings, documents, url},
    expand::Site,
    needed::{Needed, SheetNumbers},
    options::{Context, SITE},
    render::Pages,
};
use crate::{
    metadata::{self, Icons},
    public_files::PublicFile,
    runtime,
    shell::{Integrity, integrity_of},
};

/// A build as one set of files, without the description of it.
pub struct Assembled {
    /// The files.
    pub output: OutputSet,
    /// What they are.
    pub manifest: Manifest,
    /// The build before, if it matters.
    pub previous: Option<Previous>,
    /// What should be looked at.
    pub warnings: Vec<Diagnostic>,
}

/// Makes the documents and everything else that depends on what was bundled and rendered, and puts it beside that.
///
/// # Errors
/// Two producers of one path, and templates that fail with the values of a page.
pub fn assemble(
    context: Context<'_>,
    site: &Site,
    scripts: &Scripts,
    pages: &Pages,
    collected: Collected,
) -> Result<Assembled, Vec<Diagnostic>> {
    let Collected { icons, public, history, previous, mut warnings } = collected;
    let mut problems = Problems::default();
    let sheets = SheetNumbers::of(&scripts.browser);
    let needed = Needed { site, bundle: &scripts.browser, lazy: &pages.lazy, sheets: &sheets };
    let assets = assets(scripts, context.options.source_maps);
    let integrity = integrity(site, &assets);
    let surroundings = Surroundings::of(context.spill, needed, &scripts.redirect, (icons.as_ref(), &public), integrity);
    let clock = &context.options.clock;
    let documents = clock.time("documents", || documents(&surroundings, &pages.html()));
    let documents: Vec<OutputFile> =
        documents.into_iter().filter_map(|files| problems.take(files.map_err(|error| [error]))).flatten().collect();
    let (mut output, clashes) =
        OutputSet::unite([assets, public_files(public), icon_files(icons.as_ref()), documents].into_iter().flatten());
    problems.add(clashes);

    let (files, notes) = clock.time("metadata", || metadata_files(needed, icons.as_ref(), &history, &output));
    problems.add(output.extend(files));
    warnings.extend(notes);

    let describe = || Manifest::of(&site.portal, &needed.page_files(), &script_files(&scripts.browser));
    let mut manifest = clock.time("manifest", describe);
    if let Some(previous) = previous.as_ref().filter(|_| site.portal.keep > 0) {
        let (earlier, lost) = previous.keep(&*site.sources, site.portal.keep, &mut output);
        manifest.earlier = earlier;
        warnings.extend(lost);
    }
    let (manifest, clashes, limits) = clock.time("host files", || add_host_files(site, manifest, &mut output));
    problems.add(clashes);
    problems.finish()?;
    warnings.extend(limits);
    if let Some(cache) = compressed(context) {
        clock.time("compress", || compress::add(&mut output, &site.portal.deploy.platforms, &cache));
    }
    let manifest = manifest.with_files(&output);
    Ok(Assembled { output, manifest, previous, warnings })
}

impl Assembled {
    /// How small scripts and style sheets are when they travel, where that is asked for.
    pub(super) fn gzip_sizes(&self, context: Context<'_>) -> BTreeMap<String, u64> {
        let sizes = |cache| context.options.clock.time("sizes", || compress::gzip_sizes(&self.output, &cache));
        compressed(context).map(sizes).unwrap_or_default()
    }

    /// The same with a description of all its files.
    #[must_use]
    pub(super) fn described(mut self, gzip_sizes: &BTreeMap<String, u64>, spill: &Spill) -> Self {
        self.manifest = self.manifest.with_gzip_sizes(gzip_sizes);
        self.output.add_note(manifest::FILE, spill.keep(self.manifest.to_json()));
        self
    }
}

/// Where compressed files are kept, if any are to be made.
fn compressed(context: Context<'_>) -> Option<Results> {
    context.options.compress.then(|| context.session.store.results(Kind::Compressed))
}

/// Scripts, style sheets and what they refer to.
pub(super) fn assets(scripts: &Scripts, source_maps: Option<SourceMapForm>) -> Vec<OutputFile> {
    let asset = |path: &str, content: Blob, producer| OutputFile::new(path, OutputKind::Asset, content, producer);
    let bundler = Producer::new(text!("the bundler", "打包器"));
    let chunks = scripts.browser.chunks.iter().chain(&scripts.redirect.chunks);
    let chunks = chunks.flat_map(|chunk| chunk.files(source_maps));
    let chunks = chunks.map(|(name, content)| asset(&name, content.into(), bundler.clone()));
    let others =
        scripts.browser.assets.iter().map(|file| asset(&file.file_name, file.bytes.clone().into(), bundler.clone()));
    let recovery = runtime::recovery().map(|file| {
        asset(&file.file_name, file.bytes.clone().into(), Producer::new(text!("the recovery script", "恢复脚本")))
    });
    chunks.chain(others).chain(recovery).collect()
}

/// What browsers check scripts and style sheets by, if they are asked to.
fn integrity(site: &Site, assets: &[OutputFile]) -> Integrity {
    let is_checked = |path: &str| path.ends_with(".js") || path.ends_with(".css");
    let files = assets.iter().filter(|file| site.portal.integrity && is_checked(&file.path));
    files.map(|file| (url(site, &file.path), integrity_of(&file.content.read()))).collect()
}

pub(super) fn public_files(public: Vec<PublicFile>) -> Vec<OutputFile> {
    let files = public.into_iter().map(|file| {
        let path = &file.path;
        let producer = Producer::new(text!("{SITE}/public/{path}", "文件 {SITE}/public/{path}"));
        OutputFile::new(file.path, OutputKind::Data, file.bytes, producer)
    });
    files.collect()
}

pub(super) fn icon_files(icons: Option<&Icons>) -> Vec<OutputFile> {
    let assets = icons.map(Icons::assets).unwrap_or_default().iter();
    let files = assets.map(|asset| {
        let producer = Producer::new(text!("`icon` in `[site]`", "`[site]` 的 `icon`"));
        OutputFile::new(&*asset.file_name, OutputKind::Asset, asset.bytes.clone(), producer)
    });
    files.collect()
}

/// What search engines and others look for, in so far as `output` does not have it, and what should be known about that.
pub(super) fn metadata_files(
    needed: Needed<'_>,
    icons: Option<&Icons>,
    history: &History,
    output: &OutputSet,
) -> (Vec<OutputFile>, Vec<Diagnostic>) {
    let days = needed.last_changes(history);
    let files = metadata::files(&needed.site.portal, icons, output, |route| days.get(&route.path).copied());
    let has_sitemap = files.iter().any(metadata::SiteFile::is_sitemap);
    let shallow = (has_sitemap && history.is_shallow).then(shallow);
    let of_others = (has_sitemap && history.is_of_others).then(of_others);
    let files = files
        .into_iter()
        .map(|file| OutputFile::new(file.path, OutputKind::Data, file.bytes, Producer::new(file.made_of)));
    (files.collect(), shallow.into_iter().chain(of_others).collect())
}

/// Adds what hosts read. Gives the manifest with the policy for it, the clashes with other files, and what hosts cannot do.
fn add_host_files(
    site: &Site,
    mut manifest: Manifest,
    output: &mut OutputSet,
) -> (Manifest, Vec<Diagnostic>, Vec<Diagnostic>) {
    let deploy = &site.portal.deploy;
    if !deploy.platforms.is_empty() {
        let policy = hosting::policy(output, &deploy.csp);
        manifest.headers.insert("content-security-policy".to_owned(), policy);
    }
    // Some files for hosts name the assets, so these are described before the files are there themselves.
    let manifest = manifest.with_files(output);
    let files = hosting::files(&manifest);
    let published = files.published.into_iter().map(|(path, text)| {
        OutputFile::new(path, OutputKind::Data, text, Producer::new(text!("`[deploy]`", "`[deploy]`")))
    });
    let clashes = output.extend(published);
    for (name, text) in files.deployment {
        output.add_note(name, text);
    }
    let limits = files.warnings.into_iter().filter_map(|warning| warning.weighed(&site.portal.levels)).collect();
    (manifest, clashes, limits)
}

fn script_files(bundle: &Bundle) -> Vec<ScriptFile> {
    let files = bundle.chunks.iter().map(|chunk| ScriptFile {
        file_name: chunk.file_name.clone(),
        modules: chunk.modules.clone(),
        module_bytes: chunk.module_bytes.clone(),
    });
    files.collect()
}

/// It is no fault of the portal, and on services that build it the rule.
fn shallow() -> Diagnostic {
    Diagnostic::note(text!(
        "the sitemap has no modification dates: this Git repository is a shallow clone",
        "站点地图里没有修改日期：这个 Git 仓库是浅克隆，历史记录不完整"
    ))
    .with_hint(text!(
        "fetch the full history: `git fetch --unshallow`, or `fetch-depth: 0` for `actions/checkout`",
        "请取回完整的历史记录：运行 `git fetch --unshallow`；如果用 `actions/checkout`，请写 `fetch-depth: 0`"
    ))
}

fn of_others() -> Diagnostic {
    Diagnostic::note(text!(
        "the sitemap has no modification dates: this Git repository belongs to another user, and Git reads it only if \
        you trust it",
        "站点地图里没有修改日期：这个 Git 仓库属于另一个用户，需要先信任它，Git 才会读取"
    ))
    .with_hint(text!(
        "run `git config --global --add safe.directory` with the folder of the repository",
        "请运行 `git config --global --add safe.directory`，后面写上仓库所在的文件夹"
    ))
}
