//! A portal as it was read, before its routes are checked against each other.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use toml::de::DeTable;

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    rules::Levels,
    source::Sources,
};

use super::{
    allow,
    budget::Budget,
    cross_checks,
    deploy::Deploy,
    dev_server::DevServer,
    findings::Findings,
    portal::{NotFound, Portal},
    recovery, redirects,
    routes::{Draft, Drafter},
    sections::{self, File},
    settings::{Overrides, Settings},
    site::{SecurityContact, SiteInfo},
    site_files::SiteFiles,
    translations,
    urls::Urls,
};

/// A portal whose values are checked one by one.
pub(super) struct PortalDraft {
    source: Arc<SourceText>,
    site: SiteFiles,
    settings: Settings,
    routes: Vec<Draft>,
    /// Whether every route of the file is among them: only then can it be said what is missing.
    has_every_route: bool,
    not_found: NotFound,
    optional: Optional,
    levels: Levels,
    findings: Findings,
}

impl PortalDraft {
    /// Reads the text of `routes.toml`. What is wrong with it is added to `findings`.
    pub(super) fn read(
        source: &Arc<SourceText>,
        mut findings: Findings,
        sources: &dyn Sources,
        root: &Path,
        overrides: &Overrides,
    ) -> Self {
        let text = recovery::check(source, &mut findings);
        let is_sound = !findings.have_errors();
        let tree = DeTable::parse_recoverable(&text).0.into_inner();
        let file = sections::read(&tree, source, &mut findings);
        findings.weigh_by(file.check.levels.clone());
        if overrides.is_tolerant {
            findings.tolerate();
        }

        let settings = Settings::read(file.portal.as_ref(), overrides, &mut findings);
        let allow = file.build.as_ref().and_then(|section| section.allow.as_deref());
        let allow = allow::read(allow, sources, root, &mut findings);
        let mut site = SiteFiles::new(sources.allowing(&allow), root);
        let mut drafter = Drafter {
            values: settings.values(),
            urls: &settings.urls,
            lang: &settings.lang,
            product: settings.product.as_deref(),
            site: &mut site,
            findings: &mut findings,
            known: Vec::new(),
        };
        let not_found = drafter.not_found(file.not_found.as_ref());
        let routes = drafter.routes(&file.routes);
        let has_every_route = is_sound && !file.has_unreadable_routes && routes.len() == file.routes.len();
        let optional = Optional::read(&file, &settings.urls, &mut site, allow, &mut findings);
        Self {
            source: Arc::clone(source),
            site,
            settings,
            routes,
            has_every_route,
            not_found,
            optional,
            levels: file.check.levels,
            findings,
        }
    }

    /// Checks the routes against each other and settles where they lead. The portal comes with the warnings about it.
    ///
    /// # Errors
    /// Everything that is wrong, warnings included.
    pub(super) fn settle(mut self) -> Result<(Portal, Vec<Diagnostic>), Vec<Diagnostic>> {
        self.check_routes();
        let Self { source, settings, routes, not_found, optional, levels, findings, .. } = self;
        let warnings = findings.into_result()?;
        let Settings { lang, product, host, urls, allow_hosts, .. } = settings;
        let Optional { site, security, keep, integrity, allow, budget, deploy, dev } = optional;
        let portal = Portal {
            lang,
            product,
            host,
            urls,
            routes: routes.into_iter().map(|draft| draft.route).collect(),
            not_found,
            allow_hosts,
            site,
            security,
            keep,
            integrity,
            allow,
            budget,
            deploy,
            dev,
            levels,
            source,
        };
        Ok((portal, warnings))
    }

    fn check_routes(&mut self) {
        let Self { source, site, settings, routes, findings, .. } = self;
        let urls = &settings.urls;
        cross_checks::check_unique(routes, findings);
        cross_checks::check_endings(routes, urls, findings);
        routes.sort_by(|a, b| a.route.path.cmp(&b.route.path));
        if self.has_every_route {
            cross_checks::check_home(routes, &Place::new(source, 0..0), site, findings);
            redirects::check_targets(routes, urls, site, findings);
            translations::check(routes, findings);
        }
        redirects::flatten(routes, urls, findings);
        translations::complete(routes);
        if settings.has_host_as_given {
            settings.known_hosts().check(routes, findings);
        }
    }
}

/// What the sections say that a portal can do without.
struct Optional {
    site: SiteInfo,
    security: Option<SecurityContact>,
    keep: u32,
    integrity: bool,
    allow: Vec<PathBuf>,
    budget: Budget,
    deploy: Deploy,
    dev: DevServer,
}

impl Optional {
    fn read(file: &File, urls: &Urls, files: &mut SiteFiles, allow: Vec<PathBuf>, findings: &mut Findings) -> Self {
        let site = file.site.as_ref().map(|section| SiteInfo::read(section, files, findings)).unwrap_or_default();
        let security = file.security.as_ref().and_then(|section| SecurityContact::read(section, urls, findings));
        let build = file.build.as_ref();
        let budget = file.budget.as_ref().map(|section| Budget::read(section, findings)).unwrap_or_default();
        let deploy = file.deploy.as_ref().map(|section| Deploy::read(section, findings)).unwrap_or_default();
        let dev = file.dev.as_ref().map(|section| DevServer::read(section, &urls.base, findings)).unwrap_or_default();
        let keep = build.and_then(|section| section.keep).unwrap_or(0);
        let integrity = build.and_then(|section| section.integrity).unwrap_or(false);
        Self { site, security, keep, integrity, allow, budget, deploy, dev }
    }
}
