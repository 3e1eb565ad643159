//! The values of `[portal]`, each from the command line, the environment or the file.

use portalgen_base::diagnostic::Place;

use super::{
    allowed_hosts::{self, KnownHosts},
    findings::Findings,
    keys::PortalSection,
    language,
    origin::{AllowedHost, BasePath, Host, Origin},
    routes,
    template::Values,
    urls::{Slash, Urls},
    value::{Flag, Problem, Value, overridden, understood},
};

/// Values that replace those of the file: from the command line, else from the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `--host`
    pub host: Option<String>,
    /// `--origin`
    pub origin: Option<String>,
    /// `--base`
    pub base: Option<String>,
    /// What the portal's owner may decide about is no error: its pages show while it is mended.
    pub is_tolerant: bool,
}

/// The values of `[portal]` after overriding.
pub(super) struct Settings {
    pub(super) lang: String,
    pub(super) product: Option<String>,
    pub(super) host: Option<Host>,
    /// Stands for a host that was given but is wrong, so that this is said once and not at every use.
    host_text: Option<String>,
    pub(super) urls: Urls,
    pub(super) allow_hosts: Vec<AllowedHost>,
    /// Whether nothing stands in for a host that is wrong.
    pub(super) has_host_as_given: bool,
    /// The host that the file names, whatever it is overridden by: redirects may spell it out.
    written_host: Option<Host>,
    /// Where `[portal]` stands.
    section: Option<Place>,
}

impl Settings {
    pub(super) fn read(section: Option<&PortalSection>, overrides: &Overrides, findings: &mut Findings) -> Self {
        let given = |key: fn(&PortalSection) -> &Option<Value>| section.and_then(|section| key(section).as_ref());
        let (host, origin) = (given(|section| &section.host), given(|section| &section.origin));
        let is_host_given = host.is_some() || overrides.host.is_some();
        let allowed = || section.and_then(|section| section.allow_hosts.as_ref()).into_iter().flatten();
        host.into_iter().chain(origin).chain(allowed()).for_each(|site| allowed_hosts::check_site(site, findings));
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
        let lang = understood(given(|section| &section.lang), |tag| same(tag, language::check(tag)), findings);
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

    pub(super) fn known_hosts(&self) -> KnownHosts<'_> {
        KnownHosts {
            hosts: [self.host.as_ref(), self.written_host.as_ref()],
            origin: self.urls.origin.as_ref(),
            allowed: &self.allow_hosts,
            section: self.section.as_ref(),
        }
    }

    pub(super) fn values(&self) -> Values<'_> {
        Values { product: self.product.as_deref(), host: self.host_text.as_deref() }
    }
}

/// Fills in for a value that is wrong; nothing is built then.
const STAND_IN: &str = "unknown";

const HOST: Flag = Flag { flag: "--host", variable: "PORTALGEN_HOST" };
const ORIGIN: Flag = Flag { flag: "--origin", variable: "PORTALGEN_ORIGIN" };
const BASE: Flag = Flag { flag: "--base", variable: "PORTALGEN_BASE" };
