//! Edits: what has changed on the disk becomes the next generation.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::{Duration, Instant},
};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use portalgen_base::{
    blob::Spill,
    diagnostic::{self, Diagnostic},
    source::{Dependencies, Sources, Watched},
};
use portalgen_build::pipeline::{
    self, Collected, Context, LazyScripts, LiveParts, LivePortal, Scripts, Session, Site, TEMPLATES, collect,
    configure, expand,
};
use portalgen_bundle::{Bundle, HotUpdate};
use portalgen_portal::history::History;
use portalgen_release::ledger::{self, Ledger};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    Event, Project, Tell, document::Settings, generation::Generation, shown, state::DevPortal, verdict::Verdict,
    warned::Finder,
};
use crate::{
    content::STACK,
    messages::{Origin, ServerMessage},
    socket::Clients,
};

/// What names of folders are written otherwise in headers.
const UNLIKE_NAMES: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// The thread that follows edits.
pub struct Work {
    portal: Arc<DevPortal>,
    disk: Arc<dyn Sources>,
    /// The disk, with a note of what stages behind `configure` and `expand` asked of it.
    watched: Watched,
    /// The revision of these notes when they were last looked at.
    asked: u64,
    /// The files that have changed since the last generation, or none if it is not known which: what could not be built is
    /// looked at again with the next edit, wherever that is.
    unbuilt: Option<BTreeSet<PathBuf>>,
    /// What `configure` and `expand` asked of the disk the last time.
    of_site: Dependencies,
    /// Whether that is something else than when it was last looked at.
    is_of_site_new: bool,
    site: Option<Arc<Site>>,
    redirect: Option<Arc<Bundle>>,
    collected: Option<Arc<Collected>>,
    /// What should be looked at in the modules.
    warnings: Vec<Diagnostic>,
    verdict: Verdict,
    was_wrong: Arc<AtomicBool>,
}

impl Work {
    /// Begins to work on a project. Nothing is built yet.
    ///
    /// `token` is what pages prove themselves with, `client` the script that makes them follow.
    pub fn on(mut project: Project, token: &str, client: Arc<str>, clients: Clients, tell: Tell) -> Self {
        let disk = Arc::clone(&project.session.sources);
        let watched = Watched::new(Arc::clone(&disk));
        project.session.sources = Arc::new(watched.clone());
        // Another start has another token, of which this tells nothing.
        let start = format!("{:016x}", xxh3_64(token.as_bytes())).into();
        let folder = project.options.root.file_name().unwrap_or_default().to_string_lossy();
        let name = utf8_percent_encode(&folder, UNLIKE_NAMES).to_string();
        let settings = Settings { start, project: name, token: token.to_owned(), language: project.language };
        let portal = Arc::new(DevPortal::new(project, settings, clients, tell, client));
        let (asked, unbuilt, of_site, is_of_site_new, site, redirect, collected, warnings, verdict, was_wrong) =
            Default::default();
        Self {
            portal,
            disk,
            watched,
            asked,
            unbuilt,
            of_site,
            is_of_site_new,
            site,
            redirect,
            collected,
            warnings,
            verdict,
            was_wrong,
        }
    }

    /// What requests are answered from.
    pub fn portal(&self) -> Arc<DevPortal> {
        Arc::clone(&self.portal)
    }

    /// What the portal depends on, if that is something else than when it was last asked for.
    pub fn new_dependencies(&mut self) -> Option<Dependencies> {
        let asked = self.watched.revision();
        let is_new = std::mem::take(&mut self.is_of_site_new) || asked != self.asked;
        self.asked = asked;
        is_new.then(|| {
            let mut all = self.watched.dependencies();
            all.extend(&self.of_site);
            all
        })
    }

    /// Builds for the first time. What is wrong is told.
    pub fn begin(&mut self) {
        self.build(None);
    }

    /// Takes edits over.
    pub fn edited(&mut self, paths: &[PathBuf]) {
        if !self.is_of_ledger(paths) {
            self.build(Some(paths));
        }
    }

    /// Whether a build beside this one has noted addresses, and nothing else has changed: no page shows any of that.
    fn is_of_ledger(&self, paths: &[PathBuf]) -> bool {
        let Project { session, options, .. } = &self.portal.project;
        let file = options.root.join(ledger::FILE);
        let is_right =
            || self.portal.latest().problems.is_empty() && Ledger::load(&*session.sources, &options.root).is_ok();
        paths.iter().all(|path| *path == file) && is_right()
    }

    fn build(&mut self, changed: Option<&[PathBuf]>) {
        let began = Instant::now();
        // What was being judged is no more.
        self.verdict = Verdict::default();
        let session = &self.portal.project.session;
        match changed {
            Some(paths) => session.modules.changed(paths),
            None => session.modules.everything_changed(),
        }
        self.unbuilt =
            self.unbuilt.take().zip(changed).map(|(unbuilt, changed)| &unbuilt | &changed.iter().cloned().collect());
        let earlier = self.portal.latest();
        match self.next(&earlier) {
            Ok(generation) => {
                self.unbuilt = Some(BTreeSet::new());
                let was_broken = !earlier.problems.is_empty();
                if self.portal.project.prerenders {
                    self.verdict = Verdict::begin(&self.portal, generation, &self.was_wrong);
                }
                if was_broken {
                    (self.portal.tell)(Event::Solved);
                }
                (self.portal.tell)(self.built(changed, began.elapsed()));
                self.warn();
            }
            Err(problems) => self.broken(earlier, problems),
        }
    }

    /// What a build was, for the terminal.
    fn built(&self, changed: Option<&[PathBuf]>, took: Duration) -> Event {
        let root = &self.portal.project.options.root;
        match changed {
            Some(paths) => Event::Updated { files: paths.iter().map(|path| shown(root, path)).collect(), took },
            None => Event::Built { pages: self.site.as_ref().map_or(0, |site| site.pages().count()), took },
        }
    }

    /// The next generation, of which pages have been told.
    fn next(&mut self, earlier: &Generation) -> Result<Generation, Vec<Diagnostic>> {
        let Project { session, options, .. } = &self.portal.project;
        let (session, options) = (session.clone(), options.clone());
        let spill = Spill::default();
        let context = Context { session: &session, options: &options, spill: &spill };
        let site = self.settled(context)?;
        // Whatever may fail comes first: once the modules are up to date, pages have to hear of it.
        let (redirect, collected) = self.beside_modules(context, &site)?;
        let portal = Arc::new(self.described(Arc::clone(&site), redirect, collected));
        if earlier.portal.is_none() && self.portal.project.prerenders {
            warm_up(&portal);
        }
        let of_modules = self.unbuilt.as_ref().map(|paths| paths.iter().filter(|path| may_be_module(&site, path)));
        let of_modules = of_modules.map(|paths| paths.cloned().collect::<Vec<PathBuf>>());
        let update = pipeline::update_graph(context, &site, &mut self.portal.graph_to_update(), of_modules.as_deref())?;
        self.warnings.clone_from(&update.warnings);
        let number = earlier.number + 1;
        let generation = Generation { number, portal: Some(portal), problems: Vec::new() };
        self.portal.replace(generation.clone());
        self.announce(earlier, &generation, update);
        Ok(generation)
    }

    /// The portal, whose scripts are described once the modules are up to date.
    fn described(&self, site: Arc<Site>, redirect: Arc<Bundle>, collected: Arc<Collected>) -> LivePortal {
        let portal = Arc::clone(&self.portal);
        let describe = move || Scripts { browser: portal.graph().bundle(), redirect };
        let scripts = Arc::new(LazyScripts::new(Box::new(describe)));
        let Project { session, options, prerenders, .. } = &self.portal.project;
        let portal = LivePortal::new(session.clone(), options.clone(), LiveParts { site, scripts, collected });
        if *prerenders { portal } else { portal.without_prerendering() }
    }

    /// The routes and templates, read again if an edit concerns them.
    fn settled(&mut self, context: Context<'_>) -> Result<Arc<Site>, Vec<Diagnostic>> {
        let concerned = |path: &PathBuf| concerns(&self.of_site, path);
        if let Some(site) = self.site.as_ref().filter(|_| !self.has_changed(concerned)) {
            return Ok(Arc::clone(site));
        }
        // Apart from the other notes, and instead of those of the last time.
        let asked = Watched::new(Arc::clone(&self.disk));
        let session = Session { sources: Arc::new(asked.clone()), ..context.session.clone() };
        let settled = configure(Context { session: &session, ..context })
            .and_then(|configured| expand(&context.options.root, configured));
        let of_site = asked.dependencies();
        self.is_of_site_new |= of_site != self.of_site;
        self.of_site = of_site;
        let mut site = settled?;
        // Modules are known again only if they come from the same object.
        site.sources = self.sources(&site);
        let site = Arc::new(site);
        self.follow_network(&site);
        self.site = Some(Arc::clone(&site));
        Ok(site)
    }

    /// Has the server follow `[dev]`, whatever becomes of the modules.
    fn follow_network(&self, site: &Site) {
        let dev = &site.portal.dev;
        if let Some(network) = &self.portal.project.network {
            network.follow(dev);
        }
        let before = self.site.as_ref().and_then(|site| site.portal.dev.port);
        if let Some(port) = dev.port.filter(|_| dev.port != before) {
            (self.portal.tell)(Event::Port(port));
        }
    }

    /// The tree of files that the site is read from: that of the site before, if it allows the same.
    fn sources(&self, site: &Site) -> Arc<dyn Sources> {
        let earlier = self.site.as_ref().filter(|earlier| earlier.portal.allow == site.portal.allow);
        match earlier {
            Some(earlier) => Arc::clone(&earlier.sources),
            None if site.portal.allow.is_empty() => Arc::clone(&self.portal.project.session.sources),
            None => self.portal.project.session.sources.allowing(&site.portal.allow),
        }
    }

    /// What the portal is made of besides its modules, made again if an edit concerns it.
    fn beside_modules(
        &mut self,
        context: Context<'_>,
        site: &Arc<Site>,
    ) -> Result<(Arc<Bundle>, Arc<Collected>), Vec<Diagnostic>> {
        let is_same = self.portal.latest().parts().is_some_and(|parts| Arc::ptr_eq(&parts.site, site));
        let redirect = match self.redirect.as_ref().filter(|_| is_same) {
            Some(redirect) => Arc::clone(redirect),
            None => Arc::new(pipeline::bundle_for_redirects(context, site)?),
        };
        self.redirect = Some(Arc::clone(&redirect));
        let public = site.folder.join("public");
        let is_collected = |path: &PathBuf| path.starts_with(&public) || site.portal.site.icon.is_some();
        let is_as_it_was = is_same && !self.has_changed(is_collected);
        let collected = match self.collected.as_ref().filter(|_| is_as_it_was) {
            Some(collected) => Arc::clone(collected),
            None => Arc::new(collect(context, site, History::default)?),
        };
        self.collected = Some(Arc::clone(&collected));
        Ok((redirect, collected))
    }

    /// Whether such a file may have changed since the last generation.
    fn has_changed(&self, such: impl Fn(&PathBuf) -> bool) -> bool {
        self.unbuilt.as_ref().is_none_or(|paths| paths.iter().any(such))
    }

    /// Tells pages what has changed.
    fn announce(&self, earlier: &Generation, generation: &Generation, update: HotUpdate) {
        let base = self.portal.base();
        if let Some(parts) = generation.parts() {
            self.portal.remember(generation.number, parts.clone());
        }
        let message = self.portal.changes().add(generation.number, update, &base, &mut self.portal.sent());
        self.portal.broadcast(generation.number, &message);
        if !earlier.problems.is_empty() {
            self.portal.broadcast(generation.number, &ServerMessage::Solved { of: Origin::Build });
        }
        let (Some(before), Some(after)) = (earlier.parts(), generation.parts()) else { return };
        if before.share_the_rest(after) {
            return;
        }
        for (client, viewed) in self.portal.viewers() {
            self.portal.tell_rest(client, &viewed, before, after);
        }
    }

    /// Tells the terminal what should be looked at.
    fn warn(&self) {
        let Some(site) = &self.site else { return };
        let unused = match &*site.unrouted {
            [] => Vec::new(),
            _ => site.unused_pages(&self.portal.graph().bundle().modules),
        };
        let found = site.warnings.iter().chain(&self.warnings).cloned().chain(unused);
        let mut warnings: Vec<Diagnostic> = found.filter_map(|found| found.weighed(&site.portal.levels)).collect();
        diagnostic::sort(&mut warnings);
        warnings.dedup();
        let news = self.portal.warned.news(Finder::Build, warnings);
        if !news.is_empty() {
            (self.portal.tell)(Event::Problems(news));
        }
    }

    /// The sources cannot be built: pages go on showing what they show, and say why.
    fn broken(&mut self, earlier: Generation, problems: Vec<Diagnostic>) {
        let message = self.portal.build_problems(&problems);
        // Pages that could not be built even once wait for the next attempt.
        let number = earlier.number.max(1);
        self.portal.replace(Generation { number, problems: problems.clone(), ..earlier });
        self.portal.broadcast(number, &message);
        (self.portal.tell)(Event::Problems(problems));
    }
}

/// Makes what renders the first page while modules for browsers are made.
fn warm_up(portal: &Arc<LivePortal>) {
    let portal = Arc::clone(portal);
    let warm_up = move || portal.warm_up();
    // Without a thread, whoever asks for a page does it.
    drop(thread::Builder::new().name("engine".to_owned()).stack_size(STACK).spawn(warm_up));
}

/// Whether an edit of a file may change what was asked. That a page is there was asked, and not what is in it.
fn concerns(asked: &Dependencies, path: &Path) -> bool {
    let is_only_found = asked.found.contains(path) && !asked.read.contains(path);
    asked.concern(path) && !(is_only_found && path.is_file())
}

/// Whether a file may have something to do with modules. Others would have all of them looked at.
fn may_be_module(site: &Site, path: &Path) -> bool {
    let is_of_root = path.parent() == Some(&site.root) && path.file_stem().is_some_and(|name| name == "routes");
    let [templates, public] = [site.root.join(TEMPLATES), site.folder.join("public")];
    !is_of_root && !path.starts_with(templates) && !path.starts_with(public)
}
