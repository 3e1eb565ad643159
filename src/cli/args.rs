//! What may be written on the command line.

use std::{
    ffi::{OsStr, OsString},
    net::{AddrParseError, IpAddr},
    path::{Path, PathBuf},
    str::FromStr,
};

use clap::{
    Arg, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
    builder::{FalseyValueParser, NonEmptyStringValueParser, PossibleValuesParser},
};

use portalgen_portal::{Overrides, SchemaDraft};

/// Builds a static portal from routes.toml and a folder of React pages.
#[derive(Debug, Parser)]
#[command(name = "portalgen", version, about, propagate_version = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 done, 1 the site has mistakes, 2 wrong usage or a failure of portalgen or the system."
)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub output: OutputArguments,

    #[command(subcommand)]
    pub command: Command,
}

/// How every command talks.
#[derive(Args, Debug)]
#[command(next_help_heading = "Messages")]
pub(super) struct OutputArguments {
    /// Language of messages; that of the system, if not given
    #[arg(long, global = true, value_enum, value_name = "LANGUAGE", env = "PORTALGEN_LANG")]
    pub lang: Option<Lang>,

    /// How messages and results are printed
    #[arg(long, global = true, value_enum, value_name = "FORMAT", env = "PORTALGEN_FORMAT")]
    format: Option<Format>,

    /// Short for `--format json`
    #[arg(long, global = true, env = "PORTALGEN_JSON", value_parser = switch())]
    json: bool,
}

impl OutputArguments {
    pub(super) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format.unwrap_or(Format::Human) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Lang {
    /// English
    En,
    /// 中文
    Zh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Sentences with the lines in question, on standard error
    Human,
    /// One JSON object, on standard output
    Json,
    /// Annotations for GitHub Actions, on standard output
    Github,
}

/// Reads the command line, and the environment for what it leaves out.
///
/// # Errors
/// Wrong usage; also a wish for help or the version, which clap counts as one.
pub(super) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    // CI systems set variables that they have no value for to nothing.
    let is_empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
    let ignore_empty = |argument: Arg| match argument.get_env() {
        Some(name) if is_empty(name) => argument.env(None::<&'static str>),
        _ => argument,
    };
    let command = Arguments::command().mut_args(ignore_empty).mut_subcommands(|command| command.mut_args(ignore_empty));
    Arguments::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Make a new portal
    ///
    /// Writes a small site that can be built at once: routes.toml, pages, the packages that they need, and a workflow that
    /// publishes it from GitHub. The portal is called as its folder is, and speaks the language of messages: --lang zh makes
    /// a Chinese one. A folder that is not empty is left alone.
    Init(InitArguments),

    /// Build the portal into a folder that any static host can serve
    ///
    /// Reads routes.toml and site/, renders every page to HTML, bundles its code, and publishes the result. A build that
    /// fails leaves the output folder as it was.
    Build(BuildArguments),

    /// Check the portal against every rule, and publish nothing
    ///
    /// Does all that a build does, looks at what would be published, and tells what breaks a rule. `[check]` in routes.toml
    /// says how much each rule weighs.
    Check(CheckArguments),

    /// Tell what a build would change about what is published, and publish nothing
    ///
    /// Prints Markdown for whoever reviews the change: titles, addresses, redirects, sizes, what caches must forget, and
    /// what to upload in which order.
    Plan(PlanArguments),

    /// Compare a live portal with what was built
    ///
    /// Asks the server for every page, redirect and file, in all forms of their addresses, and for what is not there.
    /// Looks at status, hops, headers, titles and canonical links, and changes nothing.
    DeployCheck(DeployCheckArguments),

    /// Tell which route, file and scripts answer an address, and what a visitor sees there
    Explain(ExplainArguments),

    /// Serve the output folder as the platform would that it is deployed to
    ///
    /// Redirects, headers, errors and compressed files are those of the platform that `[deploy]` in routes.toml names first.
    /// What is built meanwhile is served at once. For this machine only, if not told otherwise.
    Preview(PreviewArguments),

    /// Serve the portal while you work on it
    ///
    /// Edits show in open pages at once, and components keep their state. What would keep `build` from succeeding is shown over
    /// the page and in the terminal. For this machine only.
    Dev(DevArguments),

    /// List the routes
    Routes(RoutesArguments),

    /// Make a new page, and its route in routes.toml
    ///
    /// Writes a small component to site/pages, unless it is there already, and adds the route. Everything else in routes.toml stays
    /// as it is, to the byte. A page after which the portal could not be built is refused.
    Add(AddArguments),

    /// Move a page to another address, to which the old one leads
    ///
    /// Changes the path in routes.toml, and adds a redirect from the old one, so links and bookmarks go on working. The page's file
    /// is renamed where it was found by the path, lies in the same folder as its new name, and nothing imports it; else the route
    /// names it with `component`. Links in sources to the old address are listed.
    Move(MoveArguments),

    /// Change the title of a route in routes.toml
    ///
    /// Everything else in the file stays as it is, to the byte. An edit after which the portal could not be built is
    /// refused.
    Title(TitleArguments),

    /// Change where a route leads, or add a redirect
    ///
    /// Everything else in routes.toml stays as it is, to the byte. An edit after which the portal could not be built is
    /// refused.
    Redirect(RedirectArguments),

    /// Titles and descriptions as a table for spreadsheet programs
    Titles {
        #[command(subcommand)]
        direction: TitlesCommand,
    },

    /// Print the JSON Schema of routes.toml, for editors that complete and check it
    Schema(SchemaArguments),

    /// Print what a shell needs to complete commands and options
    Completions {
        /// Which shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },

    /// Print the manual page, or write one for each command
    Man {
        /// Folder to write the pages of all commands to
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },

    /// Bundle scripts by themselves, without a portal
    ///
    /// Writes ES modules that run in browsers and in Node.js. The file of an entry is named like the entry; files of
    /// shared code, of lazily loaded code and of assets are named by their content. Files that are there already are
    /// replaced, and none is deleted.
    Bundle(BundleArguments),
}

impl Command {
    /// The folder that names of files in messages are relative to.
    pub(super) fn root(&self) -> &Path {
        match self {
            Self::Init(arguments) => &arguments.folder,
            Self::Build(arguments) => &arguments.portal.root,
            Self::Check(arguments) => &arguments.portal.root,
            Self::Plan(arguments) => &arguments.portal.root,
            Self::DeployCheck(arguments) => &arguments.root,
            Self::Explain(arguments) => &arguments.portal.root,
            Self::Preview(arguments) => &arguments.root,
            Self::Dev(arguments) => &arguments.portal.root,
            Self::Routes(arguments) => &arguments.portal.root,
            Self::Add(arguments) => &arguments.edit.portal.root,
            Self::Move(arguments) => &arguments.edit.portal.root,
            Self::Title(arguments) => &arguments.edit.portal.root,
            Self::Redirect(arguments) => &arguments.edit.portal.root,
            Self::Titles { direction: TitlesCommand::Export(arguments) } => &arguments.portal.root,
            Self::Titles { direction: TitlesCommand::Import(arguments) } => &arguments.edit.portal.root,
            Self::Bundle(arguments) => &arguments.root,
            Self::Schema(_) | Self::Completions { .. } | Self::Man { .. } => Path::new("."),
        }
    }
}

#[derive(Args, Debug)]
pub(super) struct InitArguments {
    /// Folder of the portal, empty or not there yet
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
}

/// Which portal. Every option may come from the environment too; what is on the command line counts more, and both count
/// more than routes.toml.
#[derive(Args, Debug)]
pub(super) struct PortalArguments {
    /// Folder that holds routes.toml and site/
    #[arg(long, value_name = "DIR", default_value = ".", env = "PORTALGEN_ROOT")]
    pub root: PathBuf,

    /// Where sign-in lives, the value of {host}: <https://chat.example.com>
    #[arg(long, value_name = "URL", env = "PORTALGEN_HOST")]
    host: Option<String>,

    /// Where the portal is served, for canonical links: <https://www.example.com>
    #[arg(long, value_name = "URL", env = "PORTALGEN_ORIGIN")]
    origin: Option<String>,

    /// Folder of the origin that the portal is served from: /app
    #[arg(long, value_name = "PATH", env = "PORTALGEN_BASE")]
    base: Option<String>,
}

impl PortalArguments {
    pub(super) fn overrides(&self) -> Overrides {
        let (host, origin, base) = (self.host.clone(), self.origin.clone(), self.base.clone());
        Overrides { host, origin, base, is_tolerant: false }
    }
}

/// How pages are made of it.
#[derive(Args, Debug)]
pub(super) struct PagesArguments {
    /// Which builds of packages to use; development has React's warnings
    #[arg(long, value_enum, default_value_t = Mode::Production, env = "PORTALGEN_MODE")]
    pub mode: Mode,

    /// What counts as an error besides errors
    #[arg(long, value_enum, value_name = "WHAT", env = "PORTALGEN_DENY")]
    pub deny: Option<Denied>,

    /// Number of threads; as many as the machine has cores, if not given
    #[arg(long, short, value_name = "N", env = "PORTALGEN_JOBS", value_parser = at_least_one)]
    pub jobs: Option<usize>,

    /// Never install packages; say what to run instead
    #[arg(long, visible_alias = "no-install", env = "PORTALGEN_OFFLINE", value_parser = switch())]
    pub offline: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Denied {
    Warnings,
}

#[derive(Args, Debug)]
pub(super) struct BuildArguments {
    #[command(flatten)]
    pub portal: PortalArguments,

    #[command(flatten)]
    pub pages: PagesArguments,

    /// Folder to publish to, taken from the root if relative
    #[arg(long, value_name = "DIR", default_value = "dist", env = "PORTALGEN_OUT")]
    pub out: PathBuf,

    /// Refuse addresses that routes.lock does not have, instead of adding them
    #[arg(long, env = "PORTALGEN_LOCKED", value_parser = switch())]
    pub locked: bool,

    /// Output folder of the last build, whose scripts and styles `keep` is about; that of --out, if not given
    #[arg(long, value_name = "DIR", env = "PORTALGEN_PREVIOUS")]
    pub previous: Option<PathBuf>,

    /// Leave scripts and style sheets readable
    #[arg(long, env = "PORTALGEN_NO_MINIFY", value_parser = switch())]
    pub no_minify: bool,

    /// Write source maps
    #[arg(long, env = "PORTALGEN_SOURCEMAP", value_enum, value_name = "FORM")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "linked")]
    pub sourcemap: Option<SourceMapForm>,

    /// Build twice, with other threads and in another folder, and publish only if every byte is the same
    #[arg(long, env = "PORTALGEN_VERIFY", value_parser = switch())]
    pub verify: bool,

    #[command(flatten)]
    pub measuring: MeasuringArguments,
}

/// What is told of the time that work takes.
#[derive(Args, Debug)]
pub(super) struct MeasuringArguments {
    /// Show how long each stage took, on the clock and of processors
    #[arg(long, env = "PORTALGEN_TIMINGS", value_parser = switch())]
    pub timings: bool,

    /// Write what each thread did when, in the form that Perfetto and Chrome show
    #[arg(long, value_name = "FILE", env = "PORTALGEN_TRACE")]
    pub trace: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct CheckArguments {
    #[command(flatten)]
    pub portal: PortalArguments,

    #[command(flatten)]
    pub pages: PagesArguments,
}

#[derive(Args, Debug)]
pub(super) struct PlanArguments {
    #[command(flatten)]
    pub portal: PortalArguments,

    #[command(flatten)]
    pub pages: PagesArguments,

    /// Folder that would be published to, taken from the root if relative
    #[arg(long, value_name = "DIR", default_value = "dist", env = "PORTALGEN_OUT")]
    pub out: PathBuf,

    /// What is published: an output folder, or the manifest that was kept of one; that of --out, if not given
    #[arg(long, value_name = "PATH")]
    pub against: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct DeployCheckArguments {
    /// Where the portal is served: <https://www.example.com>
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub url: String,

    /// Folder that holds routes.toml and site/
    #[arg(long, value_name = "DIR", default_value = ".", env = "PORTALGEN_ROOT")]
    pub root: PathBuf,

    /// Folder with what was deployed, taken from the root if relative
    #[arg(long, value_name = "DIR", default_value = "dist", env = "PORTALGEN_OUT")]
    pub out: PathBuf,

    /// What was deployed: an output folder, or the manifest that was kept of one; that of --out, if not given
    #[arg(long, value_name = "PATH")]
    pub against: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct ExplainArguments {
    /// A URL, or the path of one: <https://www.example.com/about?x=1>, /about
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub address: String,

    #[command(flatten)]
    pub portal: PortalArguments,

    #[command(flatten)]
    pub pages: PagesArguments,
}

#[derive(Args, Debug)]
pub(super) struct PreviewArguments {
    /// Folder that holds routes.toml and site/
    #[arg(long, value_name = "DIR", default_value = ".", env = "PORTALGEN_ROOT")]
    pub root: PathBuf,

    /// Folder to serve, taken from the root if relative
    #[arg(long, value_name = "DIR", default_value = "dist", env = "PORTALGEN_OUT")]
    pub out: PathBuf,

    /// Whose behaviour to show; `plain` is a static server that was told nothing
    #[arg(long, value_name = "NAME", value_parser = platform_names())]
    pub platform: Option<String>,

    /// Where to listen
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub address: IpAddr,

    /// Name of a host to answer for, besides this machine's and that of the origin; may be repeated
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub allow_host: Vec<String>,

    /// Where to listen; 0 is any port that is free
    #[arg(long, value_name = "PORT", default_value = "8080")]
    pub port: u16,
}

/// What to listen on in the local network.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lan {
    /// Whatever addresses this machine has there.
    Found,
    /// One address.
    At(IpAddr),
}

impl FromStr for Lan {
    type Err = AddrParseError;

    fn from_str(written: &str) -> Result<Self, Self::Err> {
        if written == "auto" { Ok(Self::Found) } else { written.parse().map(Self::At) }
    }
}

/// Who can reach a development server, and how.
#[derive(Args, Debug)]
pub(super) struct NetworkArguments {
    /// Where to listen; 0 is any port that is free. Without it, the first free port from 5173 on
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,

    /// Listen also on this machine's addresses in the local network, or on the one that is named
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    pub lan: Option<Lan>,

    /// Serve over https, with a certificate that is made once and signed by itself
    #[arg(long)]
    pub https: bool,

    /// Name of a host to answer for, besides this machine's; may be repeated
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub allow_host: Vec<String>,
}

#[derive(Args, Debug)]
pub(super) struct DevArguments {
    #[command(flatten)]
    pub portal: PortalArguments,

    #[command(flatten)]
    pub network: NetworkArguments,

    /// Open the portal in the browser
    #[arg(long)]
    pub open: bool,

    /// Send pages without prerendered content, and do not look for what would fail in `build`
    #[arg(long)]
    pub no_prerender: bool,

    /// Look for edits every so many milliseconds, for file systems that tell of none
    #[arg(long, value_name = "MS")]
    pub poll: Option<u64>,

    /// Never install packages; say what to run instead
    #[arg(long, visible_alias = "no-install", env = "PORTALGEN_OFFLINE", value_parser = switch())]
    pub offline: bool,
}

fn platform_names() -> PossibleValuesParser {
    PossibleValuesParser::new(
        portalgen_portal::HostingPlatform::NAMES.map(|(name, _)| name).into_iter().chain(["plain"]),
    )
}

#[derive(Args, Debug)]
pub(super) struct RoutesArguments {
    #[command(flatten)]
    pub portal: PortalArguments,
}

#[derive(Args, Debug)]
pub(super) struct EditArguments {
    #[command(flatten)]
    pub portal: PortalArguments,

    /// Say what would change, and change nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Args, Debug)]
pub(super) struct AddArguments {
    /// Path of the new route: /prices
    pub path: String,

    /// The title, as it stands in the file: {product} is filled in
    pub title: String,

    /// File of the page in site/, if it is there and does not follow from the path: pages/PriceList.tsx
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub component: Option<String>,

    #[command(flatten)]
    pub edit: EditArguments,
}

#[derive(Args, Debug)]
pub(super) struct MoveArguments {
    /// Path that the page has: /about
    pub from: String,

    /// Path that it shall have: /team
    pub to: String,

    #[command(flatten)]
    pub edit: EditArguments,
}

#[derive(Args, Debug)]
pub(super) struct TitleArguments {
    /// Path of the route: /about
    pub path: String,

    /// The title, as it stands in the file: {product} is filled in
    pub title: String,

    #[command(flatten)]
    pub edit: EditArguments,
}

#[derive(Args, Debug)]
pub(super) struct RedirectArguments {
    /// Path of the route: /login; a path that no route has gets one
    pub path: String,

    /// Where it leads: a path of the portal, or a URL that begins with https:// or {host}
    pub target: String,

    #[command(flatten)]
    pub edit: EditArguments,
}

#[derive(Debug, Subcommand)]
pub(super) enum TitlesCommand {
    /// Write the table: a workbook if the file ends in .xlsx, else CSV in UTF-8
    ///
    /// A table that is there already is not overwritten if it has other cells.
    Export(TitlesExportArguments),

    /// Take over what was changed in a table
    ///
    /// Cells that are empty and routes that are not in the table stay as they are. A table with a mistake changes nothing.
    Import(TitlesImportArguments),
}

#[derive(Args, Debug)]
pub(super) struct TitlesExportArguments {
    /// File to write; standard output, if not given
    pub file: Option<PathBuf>,

    /// Write over a table with other cells
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub portal: PortalArguments,
}

#[derive(Args, Debug)]
pub(super) struct TitlesImportArguments {
    /// The table, CSV or .xlsx; `-` is standard input
    pub file: PathBuf,

    #[command(flatten)]
    pub edit: EditArguments,
}

#[derive(Args, Debug)]
pub(super) struct SchemaArguments {
    /// Version of JSON Schema
    #[arg(long, value_enum, value_name = "DRAFT", default_value = "4")]
    pub draft: Draft,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Draft {
    /// Read by Taplo, and with it by most editors that know TOML
    #[value(name = "4")]
    Four,
    /// The current one
    #[value(name = "2020-12")]
    Latest,
}

impl From<Draft> for SchemaDraft {
    fn from(draft: Draft) -> Self {
        match draft {
            Draft::Four => Self::Four,
            Draft::Latest => Self::Latest,
        }
    }
}

#[derive(Args, Debug)]
pub(super) struct BundleArguments {
    /// Modules to bundle
    #[arg(required = true, value_name = "ENTRY")]
    pub entries: Vec<PathBuf>,

    /// Folder to write to
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    /// Folder with tsconfig.json and packages; names in messages and source maps are relative to it
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,

    /// Where the code will run
    #[arg(long, value_enum, default_value_t = Platform::Browser)]
    pub platform: Platform,

    /// Which builds of packages to use
    #[arg(long, value_enum, default_value_t = Mode::Production)]
    pub mode: Mode,

    /// Leave scripts and style sheets readable
    #[arg(long)]
    pub no_minify: bool,

    /// Leave a package, and what lies below it, as an import
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub external: Vec<String>,

    /// Put a value in place of a name: process.env.API="https://api.example.com"
    ///
    /// The value is JSON, another name, or `undefined`.
    #[arg(long, value_name = "NAME=VALUE", value_parser = define)]
    pub define: Vec<(String, portalgen_bundle::Define)>,

    /// Read from a folder outside of the packages of the entries and of the root, too
    #[arg(long, value_name = "DIR")]
    pub allow: Vec<PathBuf>,

    /// Conditions of `exports` in package.json to meet, besides those of the platform
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub conditions: Vec<String>,

    /// Write source maps
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "linked")]
    pub sourcemap: Option<SourceMapForm>,

    /// Number of threads; as many as the machine has cores, if not given
    #[arg(long, short, value_name = "N", value_parser = at_least_one)]
    pub jobs: Option<usize>,

    #[command(flatten)]
    pub measuring: MeasuringArguments,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Platform {
    /// Browsers; modules of Node.js are mistakes
    Browser,
    /// Anywhere
    Neutral,
    /// Node.js; its own modules stay imports
    Node,
}

impl From<Platform> for portalgen_bundle::Platform {
    fn from(platform: Platform) -> Self {
        match platform {
            Platform::Browser => Self::Browser,
            Platform::Neutral => Self::Neutral,
            Platform::Node => Self::Node,
        }
    }
}

/// How a source map comes to those who want it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SourceMapForm {
    /// A file that the script names
    #[value(aliases = ["1", "true", "yes", "on"])]
    Linked,
    /// A file that nothing names
    Hidden,
    /// Inside the script
    Inline,
    /// None
    #[value(aliases = ["0", "false", "no", "off"])]
    None,
}

impl SourceMapForm {
    /// The form to write, if source maps are wanted.
    pub(super) fn wanted(self) -> Option<portalgen_bundle::SourceMapForm> {
        match self {
            Self::Linked => Some(portalgen_bundle::SourceMapForm::Linked),
            Self::Hidden => Some(portalgen_bundle::SourceMapForm::Hidden),
            Self::Inline => Some(portalgen_bundle::SourceMapForm::Inline),
            Self::None => None,
        }
    }
}

/// `NAME=VALUE` of `--define`.
fn define(text: &str) -> Result<(String, portalgen_bundle::Define), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    let is_name = |text: &str| text.split('.').all(is_identifier);
    if !is_name(name) {
        return Err(format!("`{name}` is no name: write identifiers with dots between them"));
    }
    if name.split('.').next() == Some("this") {
        return Err("`this` is something else in every function: name a variable".to_owned());
    }
    let value = match serde_json::from_str(value) {
        Ok(value) => portalgen_bundle::Define::Value(value),
        Err(_) if value == "undefined" => portalgen_bundle::Define::Undefined,
        Err(_) if is_name(value) => portalgen_bundle::Define::Name(value.to_owned()),
        Err(_) => return Err(format!("`{value}` is neither JSON nor a name; a text is written \"{value}\"")),
    };
    Ok((name.to_owned(), value))
}

fn is_identifier(text: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() || c == '_' || c == '$';
    text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_alphanumeric())
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Mode {
    Production,
    Development,
}

impl From<Mode> for portalgen_bundle::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Production => Self::Production,
            Mode::Development => Self::Development,
        }
    }
}

/// In the environment a switch is off where it is `0`, `no`, `off` or `false`, and else on.
fn switch() -> FalseyValueParser {
    FalseyValueParser::new()
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("there must be at least one thread".to_owned()),
        // More would only be in each other's way.
        Ok(jobs) => Ok(usize::min(jobs, 256)),
        Err(_) => Err("this is no number of threads".to_owned()),
    }
}
