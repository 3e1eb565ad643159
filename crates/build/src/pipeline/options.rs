//! What a build is asked for.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use portalgen_base::{blob::Spill, date::Date, store::Store, timing::Clock};
use portalgen_bundle::{Mode, SourceMapForm};
use portalgen_portal::{Overrides, history::History};

use super::session::Session;
use crate::check::Judgement;

/// Folder of the site's sources, in the project's folder.
pub const SITE: &str = "site";
/// Folder of the templates.
pub const TEMPLATES: &str = "templates";

/// What to build, and how.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The project's folder, absolute: it holds `routes.toml`, `site/` and perhaps `templates/`.
    pub root: PathBuf,
    /// Values that replace those in `routes.toml`.
    pub overrides: Overrides,
    /// Production or development builds of packages.
    pub mode: Mode,
    /// Minify scripts and style sheets.
    pub minify: bool,
    /// Compress files for servers that send them as they are, and for the sizes in the manifest.
    pub compress: bool,
    /// Whether to write source maps, and how.
    pub source_maps: Option<SourceMapForm>,
    /// What pages find in `import.meta.env` besides what every build has.
    pub env: BTreeMap<String, String>,
    /// The output folder of the last build, from which assets are kept.
    pub previous: Option<PathBuf>,
    /// How thoroughly the portal is judged by the rules.
    pub judgement: Judgement,
    /// Asks when the files of the project's folder were changed; what is made must not depend on more than that. The store is
    /// for what was answered.
    pub history: fn(&Path, &Store) -> History,
    /// Today, where rules that look at the calendar shall count.
    pub today: Option<Date>,
    /// Takes the time of the stages, and tells which are running. One for each build.
    pub clock: Clock,
}

/// What every stage works with.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// What earlier builds of the process left.
    pub session: &'a Session,
    /// What the build is asked for.
    pub options: &'a BuildOptions,
    /// Where it puts what it makes of every page.
    pub spill: &'a Spill,
}
