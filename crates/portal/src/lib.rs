//! The configuration stage: `routes.toml` becomes a [`Portal`], or a list of everything that is wrong with it.
//!
//! One way through the files of this module:
//!
//! 1. [`file`] reads the text; [`recovery`] finds what is no TOML and makes the best of it.
//! 2. [`keys`] declares the sections and their keys, [`sections`] reads them from the tree, and [`schema`] describes them to
//!    editors. [`kind`] has the kinds of values, [`names`] and [`signs`] what people write in the place of others.
//! 3. A [`value`] gets its meaning: [`settings`] are those of `[portal]` ([`origin`], [`urls`], [`language`]), [`template`] fills
//!    in `{product}` and `{host}`, [`routes`] reads a route ([`path`], [`redirect_target`], [`site_files`]), and [`site`], [`allow`],
//!    [`budget`], [`deploy`], [`platform`], [`csp`], [`hsts`] and [`dev_server`] read the rest. [`wording`] knows texts that
//!    nobody means. All of that is a [`draft`].
//! 4. [`cross_checks`], [`redirects`], [`translations`] and [`allowed_hosts`] look at all routes together, and the draft becomes a
//!    [`portal`].
//!
//! Each step notes what is wrong and goes on; [`findings`] drops the complaints that only follow from an earlier one.

pub mod edit;
pub mod history;
pub mod titles;

mod allow;
mod allowed_hosts;
mod budget;
mod cross_checks;
mod csp;
mod deploy;
mod dev_server;
mod draft;
mod file;
mod findings;
mod hsts;
mod keys;
mod kind;
mod language;
mod names;
mod origin;
mod path;
mod platform;
mod portal;
mod recovery;
mod redirect_target;
mod redirects;
mod routes;
mod schema;
mod sections;
mod settings;
mod signs;
mod site;
mod site_files;
mod template;
mod translations;
mod urls;
mod value;
mod wording;

use std::path::Path;

pub use budget::{Budget, Limit, Size};
pub use csp::{CSP_DIRECTIVES, CspDirective, is_host_source};
pub use deploy::Deploy;
pub use dev_server::{Backend, DevServer, OWN_FOLDER, Proxy};
pub use file::FILE;
pub use origin::{AllowedHost, BasePath, Host, Origin};
pub use path::{RoutePath, check_escapes, encode_path, encode_segment};
pub use platform::HostingPlatform;
pub use portal::{NotFound, Places, Portal, Route, RouteKind};
pub use redirect_target::RedirectTarget;
pub use routes::check_text;
pub use schema::{SchemaDraft, schema};
pub use settings::Overrides;
pub use site::{Color, IconSource, SecurityContact, ShareImage, SiteInfo};
pub use urls::{INDEX, Slash, Urls};
pub use value::{Problem, Written};
pub use wording::{foreign_placeholder, spoiled};

use portalgen_base::{
    diagnostic::{Diagnostic, SourceText},
    source::Sources,
};

use self::{draft::PortalDraft, findings::Findings};

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
    PortalDraft::read(&source, findings, sources, root, overrides).settle()
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
    PortalDraft::read(&SourceText::new(FILE, text), Findings::default(), sources, root, overrides).settle()
}
