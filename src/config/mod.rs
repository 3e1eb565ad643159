//! The configuration stage: `routes.toml` becomes a [`Portal`], or a list of everything that is wrong with it.
//!
//! One way through the files of this module: [`file`] reads the text, [`spelling`] finds what is no TOML and makes the best
//! of it, [`sections`] reads the tree into sections,
//! [`settings`], [`routes`], [`path`], [`target`] and [`component`] give the values their meaning, and [`redirects`]
//! and [`hosts`] look at all routes together. Each step notes what is wrong and goes on; [`findings`] drops the complaints that only
//! follow from an earlier one.

mod budget;
mod component;
mod csp;
mod file;
mod findings;
mod hosts;
mod kind;
mod path;
mod platform;
mod redirects;
mod routes;
mod schema;
mod sections;
mod settings;
mod site;
mod spelling;
mod target;
mod template;
mod translations;
mod transport;
mod urls;
mod value;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

pub use budget::{Limit, Size};
pub use csp::CspDirective;
pub use file::FILE;
pub use path::RoutePath;
pub(crate) use path::{check_escapes, encode_path, encode_segment};
pub use platform::Platform;
pub use routes::check_text;
pub use schema::{SchemaDraft, schema};
pub use settings::{AllowedHost, BasePath, Host, Origin};
pub use site::{Color, IconSource, SecurityContact, ShareImage, SiteInfo};
pub use target::RedirectTarget;
pub use urls::{Slash, Urls};
pub use value::Problem;

use toml::de::DeTable;

use self::{
    component::SiteFiles,
    findings::Findings,
    hosts::KnownHosts,
    routes::Drafter,
    sections::{BudgetSection, DeploySection, File, PortalSection},
    template::Values,
    value::{Flag, Value},
};
use crate::{
    diagnostic::{Diagnostic, Place, SourceText},
    rules::Levels,
    source::Sources,
};

/// Everything that `routes.toml` says, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portal {
    /// The language of the pages, as a BCP 47 tag: `zh-CN`.
    pub lang: String,
    /// The product's name, the value of `{product}`.
    pub product: Option<String>,
    /// Where sign-in lives, the value of `{host}`.
    pub host: Option<Host>,
    /// Where the portal is served, and how its addresses are written.
    pub urls: Urls,
    /// All routes, sorted by path: their order in the file means nothing.
    pub routes: Vec<Route>,
    /// What visitors of unknown addresses get.
    pub not_found: NotFound,
    /// Hosts that redirects may lead to besides that of `{host}`.
    pub allow_hosts: Vec<AllowedHost>,
    /// What others are told about the portal: `[site]`.
    pub site: SiteInfo,
    /// What `/.well-known/security.txt` says: `[security]`.
    pub security: Option<SecurityContact>,
    /// Of how many earlier builds the assets stay.
    pub keep: u32,
    /// Whether browsers check scripts and styles against their hashes.
    pub integrity: bool,
    /// How much a page may load: `[budget]`.
    pub budget: Budget,
    /// Where the output folder is served: `[deploy]`.
    pub deploy: Deploy,
    /// What the owner has decided about rules.
    pub levels: Levels,
    /// The text that says all this, for messages about what does not stand in it.
    pub source: Arc<SourceText>,
}

impl Portal {
    /// The route with a path.
    pub fn route(&self, path: &RoutePath) -> Option<&Route> {
        let at = self.routes.binary_search_by(|route| route.path.cmp(path)).ok()?;
        self.routes.get(at)
    }

    /// All routes in the order in which the file has them.
    pub fn in_file_order(&self) -> Vec<&Route> {
        let mut routes: Vec<_> = self.routes.iter().collect();
        routes.sort_by_key(|route| route.places.path.span.start);
        routes
    }

    /// The route whose document is the output file `file`.
    pub fn route_of_document(&self, file: &str) -> Option<&Route> {
        self.routes.iter().find(|route| self.urls.document(&route.path) == file)
    }
}

/// One address of the portal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The address, unique.
    pub path: RoutePath,
    /// What the route is called in code; unique where given.
    pub name: Option<String>,
    /// The page's title; where the file gives none, the product's name, else the path.
    pub title: String,
    /// What search engines may show below the title.
    pub description: Option<String>,
    /// Whether search engines are asked to leave the page out.
    pub noindex: bool,
    /// The language of the page, as a BCP 47 tag.
    pub lang: String,
    /// The routes that show the same in other languages, this one left out: symmetric and transitive, sorted by path.
    pub translations: Vec<RoutePath>,
    /// The image that is shown where the page is shared, if it is not the portal's.
    pub image: Option<ShareImage>,
    /// How large the scripts of the page may be.
    pub budget: Option<Limit>,
    /// What answers at the address.
    pub kind: RouteKind,
    /// Where this stands in `routes.toml`, for messages about this route.
    pub places: Places,
}

impl Route {
    /// The file of the page, when the route has one.
    pub fn component(&self) -> Option<&Path> {
        match &self.kind {
            RouteKind::Page { component } => Some(component),
            RouteKind::Redirect { .. } | RouteKind::Retired => None,
        }
    }

    /// Where the route leads, when it is a redirect.
    pub fn redirect(&self) -> Option<&RedirectTarget> {
        match &self.kind {
            RouteKind::Redirect { target, .. } => Some(target),
            RouteKind::Page { .. } | RouteKind::Retired => None,
        }
    }
}

/// Where what is known about a route stands in `routes.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Where its section begins: `[[route]]`, or a `{` in a list.
    pub section: Place,
    /// Its path.
    pub path: Place,
    /// Its title, if the file gives one.
    pub title: Option<Written>,
    /// Its description.
    pub description: Option<Written>,
    /// Where it leads.
    pub redirect: Option<Written>,
}

/// A text as it stands in the file, with `{product}` and `{host}` not filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Where it stands, quotes included.
    pub place: Place,
}

/// What answers at a route's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RouteKind {
    /// A page.
    Page {
        /// The absolute path of the file whose default export is rendered.
        component: PathBuf,
    },
    /// A stub that sends the visitor on.
    Redirect {
        /// Where to.
        target: RedirectTarget,
        /// The status with which servers do it: 301, 302, 307 or 308.
        status: u16,
    },
    /// Nothing, on purpose: the address was given up.
    Retired,
}

/// The page for unknown addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    /// Its title; `404` where the file gives none.
    pub title: String,
    /// The absolute path of its file; none when the site has no such page.
    pub component: Option<PathBuf>,
    /// Where `[not_found]` stands in `routes.toml`, if it does.
    pub place: Option<Place>,
}

/// How much a page may load before it works, compressed with gzip.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Scripts.
    pub js: Option<Limit>,
    /// Style sheets.
    pub css: Option<Limit>,
}

/// Where the output folder is served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deploy {
    /// The platforms, each once, in the order of their kind.
    pub platforms: Vec<Platform>,
    /// The value of `Strict-Transport-Security`.
    pub strict_transport_security: Option<String>,
    /// What the content security policy allows besides what the build finds.
    pub csp: Vec<CspDirective>,
}

/// Values that replace those of the file: from the command line, else from the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `--host`
    pub host: Option<String>,
    /// `--origin`
    pub origin: Option<String>,
    /// `--base`
    pub base: Option<String>,
}

/// Reads the `routes.toml` in the folder `root` (absolute), with the warnings about it.
///
/// # Errors
/// Everything that is wrong, in the order of the file, warnings included: bad syntax, unknown keys, values without sense,
/// pages without a file, addresses claimed twice, redirects that lead nowhere or in a circle. A long list is cut.
pub fn load(
    sources: &dyn Sources,
    root: &Path,
    overrides: &Overrides,
) -> Result<(Portal, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut findings = Findings::default();
    let source = file::read(sources, root, &mut findings).map_err(|error| vec![error])?;
    understand(&source, findings, sources, root, overrides)
}

/// Reads a text as if it stood in the `routes.toml` of the folder `root`: what an edit would make of it, for example.
///
/// # Errors
/// As for [`load`].
pub fn load_text(
    text: &str,
    sources: &dyn Sources,
    root: &Path,
    overrides: &Overrides,
) -> Result<(Portal, Vec<Diagnostic>), Vec<Diagnostic>> {
    understand(&SourceText::new(FILE, text), Findings::default(), sources, root, overrides)
}

fn understand(
    source: &Arc<SourceText>,
    mut findings: Findings,
    sources: &dyn Sources,
    root: &Path,
    overrides: &Overrides,
) -> Result<(Portal, Vec<Diagnostic>), Vec<Diagnostic>> {
    let text = spelling::check(source, &mut findings);
    let is_sound = !findings.have_errors();
    let tree = DeTable::parse_recoverable(&text).0.into_inner();
    let file = sections::read(&tree, source, &mut findings);
    findings.weigh_by(file.check.levels.clone());

    let settings = Settings::read(file.portal.as_ref(), overrides, &mut findings);
    let mut site = SiteFiles::new(sources, root);
    let mut drafter = Drafter {
        values: settings.values(),
        urls: &settings.urls,
        lang: &settings.lang,
        product: settings.product.as_deref(),
        site: &mut site,
        findings: &mut findings,
    };
    let not_found = drafter.not_found(file.not_found.as_ref());
    let mut drafts = drafter.routes(&file.routes);
    routes::check_unique(&drafts, &mut findings);
    drafts.sort_by(|a, b| a.route.path.cmp(&b.route.path));

    let every_route_is_known = is_sound && !file.has_unreadable_routes && drafts.len() == file.routes.len();
    if every_route_is_known {
        routes::check_home(&drafts, &Place::new(source, 0..0), &mut site, &mut findings);
        redirects::check_targets(&mut drafts, &settings.urls, &mut site, &mut findings);
        translations::check(&drafts, &mut findings);
    }
    redirects::flatten(&mut drafts, &settings.urls, &mut findings);
    translations::complete(&mut drafts);
    if settings.has_host_as_given {
        settings.known_hosts().check(&drafts, &mut findings);
    }
    let optional = Optional::read(&file, &settings.urls, &mut site, &mut findings);
    let warnings = findings.into_result()?;
    let source = Arc::clone(source);
    Ok((settings.into_portal(drafts, not_found, optional, file.check.levels, source), warnings))
}

/// The values of `[portal]` after overriding.
struct Settings {
    lang: String,
    product: Option<String>,
    host: Option<Host>,
    /// Stands for a host that was given but is wrong, so that this is said once and not at every use.
    host_text: Option<String>,
    urls: Urls,
    allow_hosts: Vec<AllowedHost>,
    /// Whether nothing stands in for a host that is wrong.
    has_host_as_given: bool,
    /// The host that the file names, whatever it is overridden by: redirects may spell it out.
    written_host: Option<Host>,
    /// Where `[portal]` stands.
    section: Option<Place>,
}

impl Settings {
    fn read(section: Option<&PortalSection>, overrides: &Overrides, findings: &mut Findings) -> Self {
        let given = |key: fn(&PortalSection) -> &Option<Value>| section.and_then(|section| key(section).as_ref());
        let (host, origin) = (given(|section| &section.host), given(|section| &section.origin));
        let is_host_given = host.is_some() || overrides.host.is_some();
        let allowed = || section.and_then(|section| section.allow_hosts.as_ref()).into_iter().flatten();
        host.into_iter().chain(origin).chain(allowed()).for_each(|site| hosts::check_site(site, findings));
        let written_host = host.and_then(|host| Host::parse(&host.text).ok());
        let (base, slash) = (given(|section| &section.base), given(|section| &section.slash));
        let host = overridden(host, HOST, overrides.host.as_deref(), Host::parse, findings);
        let origin = overridden(origin, ORIGIN, overrides.origin.as_deref(), Origin::parse, findings);
        let base = overridden(base, BASE, overrides.base.as_deref(), BasePath::parse, findings);
        let host_text = host.as_ref().map(|host| host.as_str().to_owned());
        let urls = Urls {
            origin,
            base: base.unwrap_or_default(),
            slash: understood(slash, Slash::parse, findings).unwrap_or_default(),
        };
        let same = |text: &str, checked: Result<(), Problem>| checked.map(|()| text.to_owned());
        let product = given(|section| &section.product);
        let product_text = understood(product, |text| same(text, routes::check_text(text)), findings);
        let lang = understood(given(|section| &section.lang), |tag| same(tag, settings::check_language(tag)), findings);
        let allow_hosts = allowed().filter_map(|host| understood(Some(host), AllowedHost::parse, findings)).collect();
        Self {
            lang: lang.unwrap_or_else(|| "en".to_owned()),
            product: product_text.or_else(|| product.map(|_| STAND_IN.to_owned())),
            has_host_as_given: host.is_some() || !is_host_given,
            host_text: host_text.or_else(|| is_host_given.then(|| format!("https://{STAND_IN}.invalid"))),
            host,
            urls,
            allow_hosts,
            written_host,
            section: section.map(|section| section.header.clone()),
        }
    }

    fn known_hosts(&self) -> KnownHosts<'_> {
        KnownHosts {
            hosts: [self.host.as_ref(), self.written_host.as_ref()],
            origin: self.urls.origin.as_ref(),
            allowed: &self.allow_hosts,
            section: self.section.as_ref(),
        }
    }

    fn values(&self) -> Values<'_> {
        Values { product: self.product.as_deref(), host: self.host_text.as_deref() }
    }

    fn into_portal(
        self,
        drafts: Vec<routes::Draft>,
        not_found: NotFound,
        optional: Optional,
        levels: Levels,
        source: Arc<SourceText>,
    ) -> Portal {
        let routes = drafts.into_iter().map(|draft| draft.route).collect();
        let Self { lang, product, host, urls, allow_hosts, .. } = self;
        let Optional { site, security, keep, integrity, budget, deploy } = optional;
        Portal {
            lang,
            product,
            host,
            urls,
            routes,
            not_found,
            allow_hosts,
            site,
            security,
            keep,
            integrity,
            budget,
            deploy,
            levels,
            source,
        }
    }
}

/// What the sections say that a portal can do without.
struct Optional {
    site: SiteInfo,
    security: Option<SecurityContact>,
    keep: u32,
    integrity: bool,
    budget: Budget,
    deploy: Deploy,
}

impl Optional {
    fn read(file: &File, urls: &Urls, files: &mut SiteFiles<'_>, findings: &mut Findings) -> Self {
        let site = file.site.as_ref().map(|section| SiteInfo::read(section, files, findings)).unwrap_or_default();
        let security = file.security.as_ref().and_then(|section| SecurityContact::read(section, urls, findings));
        let build = file.build.as_ref();
        let budget = file.budget.as_ref().map(|section| Budget::read(section, findings)).unwrap_or_default();
        let deploy = file.deploy.as_ref().map(|section| Deploy::read(section, findings)).unwrap_or_default();
        let keep = build.and_then(|section| section.keep).unwrap_or(0);
        let integrity = build.and_then(|section| section.integrity).unwrap_or(false);
        Self { site, security, keep, integrity, budget, deploy }
    }
}

impl Budget {
    fn read(section: &BudgetSection, findings: &mut Findings) -> Self {
        let mut limit = |value: &Option<Value>| {
            let size = understood(value.as_ref(), Size::parse, findings)?;
            Some(Limit { size, place: value.as_ref()?.place()?.clone() })
        };
        Self { js: limit(&section.js), css: limit(&section.css) }
    }
}

impl Deploy {
    fn read(section: &DeploySection, findings: &mut Findings) -> Self {
        let written = section.platform.iter().flatten();
        let platforms: BTreeSet<_> =
            written.filter_map(|value| understood(Some(value), Platform::parse, findings)).collect();
        Self {
            platforms: platforms.into_iter().collect(),
            strict_transport_security: understood(
                section.strict_transport_security.as_ref(),
                transport::parse,
                findings,
            ),
            csp: section
                .csp
                .iter()
                .flatten()
                .filter_map(|value| understood(Some(value), CspDirective::parse, findings))
                .collect(),
        }
    }
}

/// Fills in for a value that is wrong; nothing is built then.
const STAND_IN: &str = "unknown";

const HOST: Flag = Flag { flag: "--host", variable: "PORTALGEN_HOST" };
const ORIGIN: Flag = Flag { flag: "--origin", variable: "PORTALGEN_ORIGIN" };
const BASE: Flag = Flag { flag: "--base", variable: "PORTALGEN_BASE" };

/// The value that was given from outside, or else that of the file, which must be right in any case.
fn overridden<T>(
    written: Option<&Value>,
    flag: Flag,
    given: Option<&str>,
    parse: fn(&str) -> Result<T, Problem>,
    findings: &mut Findings,
) -> Option<T> {
    let written = understood(written, parse, findings);
    let Some(given) = given else { return written };
    understood(Some(&Value::on_command_line(given, flag)), parse, findings)
}

fn understood<T>(
    value: Option<&Value>,
    parse: impl Fn(&str) -> Result<T, Problem>,
    findings: &mut Findings,
) -> Option<T> {
    let value = value?;
    findings.value(value::parsed(&value.text, parse).map_err(|problem| value.error(problem)))
}
