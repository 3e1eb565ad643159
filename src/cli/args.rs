//! What may be written on the command line.
//!
//! Help texts are doc comments: English first, then Chinese after `zh:`, paragraph by paragraph. `usage` shows
//! the one or the other.

use std::{
    ffi::{OsStr, OsString},
    fmt,
    net::IpAddr,
    path::{Path, PathBuf},
    str::FromStr,
};

use clap::{
    Arg, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
    builder::{FalseyValueParser, NonEmptyStringValueParser, PossibleValuesParser},
};

use portalgen_base::text::{Text, text};
use portalgen_portal::{Overrides, SchemaDraft};

use super::usage::Choice;

/// Static site generator for React portals: one native binary that bundles, prerenders and publishes without Node
/// zh: React 门户的静态网站生成器：一个原生程序完成打包、预渲染和发布，不需要 Node
#[derive(Debug, Parser)]
#[command(name = "portalgen", version, propagate_version = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 success, 1 errors in the site, 2 wrong usage, or a failure of portalgen or the system. \
                  zh: 退出码：0 成功；1 网站有错误；2 用法错误，或者 portalgen 或系统出现故障。"
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
    /// Language of messages [default: the system's]
    /// zh: 消息用的语言；默认跟随系统
    #[arg(long, global = true, value_name = "LANGUAGE", env = "PORTALGEN_LANG", value_parser = Choice::of_language())]
    pub lang: Option<Lang>,

    /// How messages and results are printed
    /// zh: 消息和结果的输出格式
    #[arg(long, global = true, value_enum, value_name = "FORMAT", env = "PORTALGEN_FORMAT")]
    format: Option<Format>,

    /// Short for `--format json`
    /// zh: 等同于 `--format json`
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
    /// zh: 英文
    En,
    /// 中文
    Zh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text with source excerpts, on standard error
    /// zh: 文字消息，附上有问题的源码，输出到标准错误
    Human,
    /// One JSON object, on standard output
    /// zh: 一个 JSON 对象，输出到标准输出
    Json,
    /// Annotations for GitHub Actions, on standard output
    /// zh: GitHub Actions 的标注，输出到标准输出
    Github,
}

/// Reads the command line, and the environment for what it leaves out.
///
/// # Errors
/// Wrong usage; also a wish for help or the version, which clap counts as one.
pub(super) fn parse(arguments: &[OsString]) -> Result<Arguments, clap::Error> {
    Arguments::from_arg_matches(&command().try_get_matches_from(arguments)?)
}

/// The command line as clap knows it, with what is said of it in both languages.
pub(super) fn command() -> clap::Command {
    without_empty_variables(Arguments::command())
}

/// CI systems set variables that they have no value for to nothing.
fn without_empty_variables(command: clap::Command) -> clap::Command {
    let is_empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
    let ignore_empty = |argument: Arg| match argument.get_env() {
        Some(name) if is_empty(name) => argument.env(None::<&'static str>),
        _ => argument,
    };
    command.mut_args(ignore_empty).mut_subcommands(without_empty_variables)
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create a portal
    /// zh: 新建门户
    ///
    /// Writes a small site that is ready to build: routes.toml, pages, their package.json, and a GitHub workflow that
    /// publishes it. The portal is named after its folder and written in the language of messages: --lang zh creates a
    /// Chinese one. Existing files are never overwritten.
    /// zh: 写好一个可以直接构建的小网站：routes.toml、页面、package.json，以及用 GitHub 发布的工作流。门户以文件夹命名，语言与消息相同：加上 --lang zh 就是中文门户。已有的文件不会覆盖。
    Init(InitArguments),

    /// Build the portal into a folder that any static host can serve
    /// zh: 把门户构建成一个文件夹，任何静态托管都能用
    ///
    /// Reads routes.toml and site/, renders every page to HTML, bundles its code, and publishes the result. A failed
    /// build leaves the output folder unchanged.
    /// zh: 读取 routes.toml 和 site/，把每个页面渲染成 HTML，打包代码，然后发布。构建失败时，输出文件夹保持原样。
    Build(BuildArguments),

    /// Check the portal against every rule without publishing anything
    /// zh: 按全部规则检查门户，不发布任何文件
    ///
    /// Does everything that a build does, examines what would be published, and reports everything that breaks a rule.
    /// `[check]` in routes.toml sets the level of each rule.
    /// zh: 执行构建的每一步，检查将要发布的内容，列出违反规则的地方。每条规则的级别由 routes.toml 的 `[check]` 决定。
    Check(CheckArguments),

    /// Show what a build would change in the published portal, without publishing anything
    /// zh: 列出这次构建会让已发布的内容有哪些变化，不发布任何文件
    ///
    /// Prints Markdown for reviewers of the change: titles, addresses, redirects, sizes, caches to purge, and what to
    /// upload in which order.
    /// zh: 输出 Markdown，供审阅修改的人看：标题、网址、跳转、大小、哪些缓存要清除，以及按什么顺序上传。
    Plan(PlanArguments),

    /// Compare a live portal with what was built
    /// zh: 对照线上的门户与构建的结果
    ///
    /// Requests every page, redirect and file in every spelling of its address, and addresses that do not exist.
    /// Compares status, hops, headers, titles and canonical links, and changes nothing.
    /// zh: 向服务器请求每个页面、跳转和文件，连同网址的各种写法，以及不存在的网址。核对状态码、跳转次数、响应头、标题和规范链接，不改动任何东西。
    DeployCheck(DeployCheckArguments),

    /// Show what is at an address, or explain a rule
    /// zh: 说明一个网址打开后是什么，或者解释一条规则
    ///
    /// For an address: what a visitor sees there, and where it is written in routes.toml and in site/. For a rule, such as
    /// duplicate-title: why it exists, and how to fix what breaks it.
    /// zh: 对于网址：访问者会看到什么，在 routes.toml 的哪一行、页面写在哪个文件。对于规则（例如 duplicate-title）：为什么有这条规则，违反了怎么改。
    Explain(ExplainArguments),

    /// Serve the output folder as its platform would
    /// zh: 按部署平台的方式预览输出文件夹
    ///
    /// Redirects, headers, error pages and compression are those of the first platform in `[deploy]` of routes.toml. New
    /// builds are served immediately. By default, only this machine can connect.
    /// zh: 跳转、响应头、错误页和压缩文件，都与 routes.toml 的 `[deploy]` 里第一个平台相同。新的构建结果马上可见。默认只有本机能访问。
    Preview(PreviewArguments),

    /// Serve the portal while you work on it
    /// zh: 开发时边改边看
    ///
    /// Edits show in open pages at once, and components keep their state. What would make `build` fail is shown on top of
    /// the page and in the terminal. By default, only this machine can connect.
    /// zh: 改动马上显示在打开的页面里，组件的状态不变。会让 `build` 失败的问题，会显示在页面上和终端里。默认只有本机能访问。
    Dev(DevArguments),

    /// List the routes
    /// zh: 列出全部网址
    Routes(RoutesArguments),

    /// Create a page and its route
    /// zh: 新建页面，并在 routes.toml 里加上它的网址
    ///
    /// Writes a small component to site/pages unless the file exists, and adds the route. Nothing else in routes.toml changes.
    /// An edit that would break the build is refused.
    /// zh: 在 site/pages 里写一个简单的组件（文件已存在就不写），并加上网址。routes.toml 的其他内容保持不变。会让构建失败的修改不会写入。
    Add(AddArguments),

    /// Move a page to another address, and redirect the old one
    /// zh: 给页面换网址，并让旧网址跳转过去
    ///
    /// Changes the path in routes.toml and adds a redirect from the old one, so that links and bookmarks keep working. The page
    /// file is renamed if it was found by its path, stays in its folder, and is not imported anywhere; otherwise the route
    /// names it with `component`. Links to the old address are listed.
    /// zh: 修改 routes.toml 里的 path，并从旧网址加一条跳转，原来的链接和书签都还能用。页面文件如果是按 path 找到的、新名字在同一个文件夹里、又没有别的文件导入它，就跟着改名；否则用 `component` 写明。源代码里指向旧网址的链接会列出来。
    Move(MoveArguments),

    /// Change the title of a route in routes.toml
    /// zh: 修改 routes.toml 里某个网址的标题
    ///
    /// Nothing else in the file changes. An edit that would break the build is refused.
    /// zh: 文件的其他内容保持不变。会让构建失败的修改不会写入。
    Title(TitleArguments),

    /// Change or add a redirect
    /// zh: 修改或新增跳转
    ///
    /// Nothing else in routes.toml changes. An edit that would break the build is refused.
    /// zh: routes.toml 的其他内容保持不变。会让构建失败的修改不会写入。
    Redirect(RedirectArguments),

    /// Edit titles and descriptions in a spreadsheet program
    /// zh: 用表格软件修改标题和描述
    Titles {
        #[command(subcommand)]
        direction: TitlesCommand,
    },

    /// Print the JSON Schema of routes.toml, for editors that complete and check it
    /// zh: 输出 routes.toml 的 JSON Schema，供编辑器补全和检查
    Schema(SchemaArguments),

    /// Print the completion script of a shell
    /// zh: 输出 shell 的补全脚本
    Completions {
        /// Which shell
        /// zh: 哪一种 shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },

    /// Print the manual page, or write one for each command
    /// zh: 输出手册页，或者为每个命令各写一页
    Man {
        /// Folder to write the pages of all commands to
        /// zh: 把所有命令的手册页写进这个文件夹
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },

    /// Bundle scripts without a portal
    /// zh: 只打包脚本，不需要门户
    ///
    /// Writes ES modules that run in browsers and in Node.js. Entry files keep their names; shared chunks, lazy chunks and
    /// assets are named by content hash. Existing files are replaced, and none is deleted.
    /// zh: 写出浏览器和 Node.js 都能运行的 ES 模块。入口文件保留原名；共用的代码块、按需加载的代码块和资源，以内容的哈希值命名。已有的同名文件会被替换，不删除任何文件。
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
    /// Folder of the portal, new or empty
    /// zh: 门户的文件夹：新文件夹或空文件夹
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
}

/// Which portal. Every option may come from the environment too; what is on the command line counts more, and both count
/// more than routes.toml.
#[derive(Args, Debug)]
pub(super) struct PortalArguments {
    /// Folder that holds routes.toml and site/
    /// zh: routes.toml 和 site/ 所在的文件夹
    #[arg(long, value_name = "DIR", default_value = ".", env = "PORTALGEN_ROOT")]
    pub root: PathBuf,

    /// Where users sign in, the value of {host}: <https://chat.example.com>
    /// zh: 登录和注册所在的站点，即 {host} 的值：<https://chat.example.com>
    #[arg(long, value_name = "URL", env = "PORTALGEN_HOST")]
    host: Option<String>,

    /// Where the portal is served, for canonical links: <https://www.example.com>
    /// zh: 门户所在的站点，用于规范链接：<https://www.example.com>
    #[arg(long, value_name = "URL", env = "PORTALGEN_ORIGIN")]
    origin: Option<String>,

    /// Folder of the origin that the portal is served from: /app
    /// zh: 门户在站点的哪个目录下：/app
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
    /// Builds of packages to use; development includes React's warnings
    /// zh: 用依赖包的哪种版本；development 带有 React 的警告
    #[arg(long, value_enum, default_value_t = Mode::Production, env = "PORTALGEN_MODE")]
    pub mode: Mode,

    /// What to treat as errors
    /// zh: 还有哪些也算错误
    #[arg(long, value_enum, value_name = "WHAT", env = "PORTALGEN_DENY")]
    pub deny: Option<Denied>,

    /// Number of threads [default: number of cores]
    /// zh: 线程数；默认与处理器核心数相同
    #[arg(long, short, value_name = "N", env = "PORTALGEN_JOBS", value_parser = at_least_one)]
    pub jobs: Option<usize>,

    /// Never install packages; print the command instead
    /// zh: 不安装依赖包，只提示要运行的命令
    #[arg(long, visible_alias = "no-install", env = "PORTALGEN_OFFLINE", value_parser = switch())]
    pub offline: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Denied {
    Warnings,
}

#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(super) struct BuildArguments {
    #[command(flatten)]
    pub portal: PortalArguments,

    #[command(flatten)]
    pub pages: PagesArguments,

    /// Folder to publish to, relative to the root
    /// zh: 发布到哪个文件夹；相对路径从 --root 算起
    #[arg(long, value_name = "DIR", default_value = "dist", env = "PORTALGEN_OUT")]
    pub out: PathBuf,

    /// Refuse addresses that are missing from routes.lock, instead of adding them
    /// zh: 拒绝 routes.lock 里没有的网址，而不是自动加进去
    #[arg(long, env = "PORTALGEN_LOCKED", value_parser = switch())]
    pub locked: bool,

    /// Publish despite errors that [check] in routes.toml can change, and report them as warnings
    /// zh: routes.toml 的 [check] 能调整的错误只当警告，照样发布
    #[arg(long)]
    pub tolerant: bool,

    /// Output folder of the last build, for `keep` [default: that of --out]
    /// zh: 上一次构建的输出文件夹，`keep` 会保留其中的脚本和样式；默认是 --out 的文件夹
    #[arg(long, value_name = "DIR", env = "PORTALGEN_PREVIOUS")]
    pub previous: Option<PathBuf>,

    /// Leave scripts and style sheets readable
    /// zh: 不压缩脚本和样式表，便于阅读
    #[arg(long, env = "PORTALGEN_NO_MINIFY", value_parser = switch())]
    pub no_minify: bool,

    /// Write source maps
    /// zh: 写出 source map
    #[arg(long, env = "PORTALGEN_SOURCEMAP", value_enum, value_name = "FORM")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "linked")]
    pub sourcemap: Option<SourceMapForm>,

    /// Build twice, with different threads and folders, and publish only if both results are identical
    /// zh: 换线程数、换文件夹再构建一次，结果完全相同才发布
    #[arg(long, env = "PORTALGEN_VERIFY", value_parser = switch())]
    pub verify: bool,

    #[command(flatten)]
    pub measuring: MeasuringArguments,
}

/// What is told of the time that work takes.
#[derive(Args, Debug)]
pub(super) struct MeasuringArguments {
    /// Show the elapsed and processor time of each stage
    /// zh: 显示每个阶段的耗时和处理器时间
    #[arg(long, env = "PORTALGEN_TIMINGS", value_parser = switch())]
    pub timings: bool,

    /// Write a trace of all threads for Perfetto or Chrome
    /// zh: 写出各线程的跟踪记录，可以用 Perfetto 或 Chrome 查看
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

    /// Folder that would be published to, relative to the root
    /// zh: 将要发布到的文件夹；相对路径从 --root 算起
    #[arg(long, value_name = "DIR", default_value = "dist", env = "PORTALGEN_OUT")]
    pub out: PathBuf,

    /// What is published: an output folder or its saved manifest [default: that of --out]
    /// zh: 已发布的内容：一个输出文件夹，或者保存下来的清单；默认是 --out 的文件夹
    #[arg(long, value_name = "PATH")]
    pub against: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct DeployCheckArguments {
    /// Where the portal is served: <https://www.example.com>
    /// zh: 门户的网址：<https://www.example.com>
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub url: String,

    /// Folder that holds routes.toml and site/
    /// zh: routes.toml 和 site/ 所在的文件夹
    #[arg(long, value_name = "DIR", default_value = ".", env = "PORTALGEN_ROOT")]
    pub root: PathBuf,

    /// Folder that was deployed, relative to the root
    /// zh: 部署了哪个文件夹的内容；相对路径从 --root 算起
    #[arg(long, value_name = "DIR", default_value = "dist", env = "PORTALGEN_OUT")]
    pub out: PathBuf,

    /// What was deployed: an output folder or its saved manifest [default: that of --out]
    /// zh: 部署的内容：一个输出文件夹，或者保存下来的清单；默认是 --out 的文件夹
    #[arg(long, value_name = "PATH")]
    pub against: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct ExplainArguments {
    /// A path or URL: /about, <https://www.example.com/about?x=1>; or the name of a rule: duplicate-title
    /// zh: 路径或完整网址：/about、<https://www.example.com/about?x=1>；或者规则名：duplicate-title
    #[arg(value_name = "ADDRESS|RULE", value_parser = NonEmptyStringValueParser::new())]
    pub subject: String,

    /// Also show files, headers, scripts and other spellings of the address
    /// zh: 同时列出文件、响应头、脚本和网址的其他写法
    #[arg(long, short)]
    pub verbose: bool,

    #[command(flatten)]
    pub portal: PortalArguments,

    #[command(flatten)]
    pub pages: PagesArguments,
}

#[derive(Args, Debug)]
pub(super) struct PreviewArguments {
    /// Folder that holds routes.toml and site/
    /// zh: routes.toml 和 site/ 所在的文件夹
    #[arg(long, value_name = "DIR", default_value = ".", env = "PORTALGEN_ROOT")]
    pub root: PathBuf,

    /// Folder to serve, relative to the root
    /// zh: 要预览的文件夹；相对路径从 --root 算起
    #[arg(long, value_name = "DIR", default_value = "dist", env = "PORTALGEN_OUT")]
    pub out: PathBuf,

    /// Platform to imitate; `plain` is a static server without configuration
    /// zh: 模拟哪个平台；`plain` 是没有任何配置的静态服务器
    #[arg(long, value_name = "NAME", value_parser = platform_names())]
    pub platform: Option<String>,

    /// Address to listen on
    /// zh: 监听的地址
    #[arg(long, value_name = "IP", default_value = "127.0.0.1", value_parser = address)]
    pub address: IpAddr,

    /// Further host name to answer for, besides this machine's and the origin's; can be repeated
    /// zh: 除本机和 origin 之外，还接受哪个主机名；可以写多次
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub allow_host: Vec<String>,

    /// Port to listen on; 0 is any free port
    /// zh: 监听的端口；0 表示任选一个空闲端口
    #[arg(long, value_name = "PORT", default_value = "8080", value_parser = port)]
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
    type Err = Refused;

    fn from_str(written: &str) -> Result<Self, Self::Err> {
        if written == "auto" { Ok(Self::Found) } else { address(written).map(Self::At) }
    }
}

/// Who can reach a development server, and how.
#[derive(Args, Debug)]
pub(super) struct NetworkArguments {
    /// Port to listen on; 0 is any free port [default: the first free port from 5173 on]
    /// zh: 监听的端口；0 表示任选一个空闲端口；默认从 5173 起找第一个空闲端口
    #[arg(long, value_name = "PORT", value_parser = port)]
    pub port: Option<u16>,

    /// Also listen on this machine's addresses in the local network, or on the given one
    /// zh: 同时监听本机的局域网地址，或者指定的那个地址
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    pub lan: Option<Lan>,

    /// Serve over https, with a self-signed certificate that is created once
    /// zh: 使用 https；自签名证书只生成一次
    #[arg(long)]
    pub https: bool,

    /// Further host name to answer for, besides this machine's; can be repeated
    /// zh: 除本机之外，还接受哪个主机名；可以写多次
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
    /// zh: 在浏览器里打开门户
    #[arg(long)]
    pub open: bool,

    /// Do not prerender pages, nor check what would fail in `build`
    /// zh: 页面不做预渲染，也不检查哪些问题会让 `build` 失败
    #[arg(long)]
    pub no_prerender: bool,

    /// Poll for edits at this interval in milliseconds, for file systems without events
    /// zh: 每隔多少毫秒检查一次改动，用于不发出改动通知的文件系统
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    pub poll: Option<u64>,

    /// Never install packages; print the command instead
    /// zh: 不安装依赖包，只提示要运行的命令
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

    /// Show what would change, without changing anything
    /// zh: 只显示会改什么，不真的修改
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Args, Debug)]
pub(super) struct AddArguments {
    /// Path of the new route: /prices
    /// zh: 新页面的网址：/prices
    pub path: String,

    /// The title, as written in the file: {product} is replaced
    /// zh: 标题，写法与文件里相同：{product} 会换成产品名
    pub title: String,

    /// Existing page file in site/, if it does not follow from the path: pages/PriceList.tsx
    /// zh: site/ 里已有的页面文件；与路径对不上时才需要写：pages/PriceList.tsx
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub component: Option<String>,

    #[command(flatten)]
    pub edit: EditArguments,
}

#[derive(Args, Debug)]
pub(super) struct MoveArguments {
    /// Current path of the page: /about
    /// zh: 页面现在的网址：/about
    pub from: String,

    /// New path of the page: /team
    /// zh: 页面的新网址：/team
    pub to: String,

    #[command(flatten)]
    pub edit: EditArguments,
}

#[derive(Args, Debug)]
pub(super) struct TitleArguments {
    /// Path of the route: /about
    /// zh: 网址：/about
    pub path: String,

    /// The title, as written in the file: {product} is replaced
    /// zh: 标题，写法与文件里相同：{product} 会换成产品名
    pub title: String,

    #[command(flatten)]
    pub edit: EditArguments,
}

#[derive(Args, Debug)]
pub(super) struct RedirectArguments {
    /// Path of the route: /login; a new path is added
    /// zh: 网址：/login；还没有的话会新增
    pub path: String,

    /// Where it leads: a path of the portal, or a URL that begins with https:// or {host}
    /// zh: 跳转到哪里：本站的网址，或者以 https:// 或 {host} 开头的网址
    pub target: String,

    #[command(flatten)]
    pub edit: EditArguments,
}

#[derive(Debug, Subcommand)]
pub(super) enum TitlesCommand {
    /// Write the table: a workbook if the file ends in .xlsx, otherwise CSV in UTF-8
    /// zh: 导出表格：.xlsx 文件是工作簿，其他是 UTF-8 编码的 CSV
    ///
    /// An existing table is not overwritten if its cells differ.
    /// zh: 已有的表格内容不同时，不会覆盖。
    Export(TitlesExportArguments),

    /// Import the changes made in a table
    /// zh: 导入表格里的修改
    ///
    /// Empty cells and missing rows change nothing. If the table contains a mistake, nothing is changed at all.
    /// zh: 空单元格和缺少的行表示不修改。表格里只要有一处错误，就什么都不会修改。
    Import(TitlesImportArguments),
}

#[derive(Args, Debug)]
pub(super) struct TitlesExportArguments {
    /// File to write [default: standard output]
    /// zh: 写入的文件；默认输出到标准输出
    pub file: Option<PathBuf>,

    /// Overwrite a table whose cells differ
    /// zh: 内容不同也覆盖
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub portal: PortalArguments,
}

#[derive(Args, Debug)]
pub(super) struct TitlesImportArguments {
    /// The table, CSV or .xlsx; `-` is standard input
    /// zh: 表格文件，CSV 或 .xlsx；`-` 表示标准输入
    pub file: PathBuf,

    #[command(flatten)]
    pub edit: EditArguments,
}

#[derive(Args, Debug)]
pub(super) struct SchemaArguments {
    /// Version of JSON Schema
    /// zh: JSON Schema 的版本
    #[arg(long, value_enum, value_name = "DRAFT", default_value = "4")]
    pub draft: Draft,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Draft {
    /// For Taplo, which most editors use for TOML
    /// zh: 供 Taplo 使用，多数编辑器用它支持 TOML
    #[value(name = "4")]
    Four,
    /// The current one
    /// zh: 现行版本
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
    /// zh: 要打包的模块
    #[arg(required = true, value_name = "ENTRY")]
    pub entries: Vec<PathBuf>,

    /// Folder to write to
    /// zh: 写到哪个文件夹
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    /// Folder with tsconfig.json and packages; names in messages and source maps are relative to it
    /// zh: tsconfig.json 和依赖包所在的文件夹；消息和 source map 里的名字从它算起
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,

    /// Where the code will run
    /// zh: 代码在哪里运行
    #[arg(long, value_enum, default_value_t = Platform::Browser)]
    pub platform: Platform,

    /// Which builds of packages to use
    /// zh: 用依赖包的哪种版本
    #[arg(long, value_enum, default_value_t = Mode::Production)]
    pub mode: Mode,

    /// Leave scripts and style sheets readable
    /// zh: 不压缩脚本和样式表，便于阅读
    #[arg(long)]
    pub no_minify: bool,

    /// Keep imports of this package and its submodules external
    /// zh: 不打包这个包（及其子模块），保留为外部导入
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub external: Vec<String>,

    /// Replace a name with a value: process.env.API="https://api.example.com"
    /// zh: 把名字替换成值：process.env.API="https://api.example.com"
    ///
    /// The value is JSON, another name, or `undefined`.
    /// zh: 值是 JSON、另一个名字，或者 `undefined`。
    #[arg(long, value_name = "NAME=VALUE", value_parser = define)]
    pub define: Vec<(String, portalgen_bundle::Define)>,

    /// Also read from this folder, outside the packages of the entries and the root
    /// zh: 除入口和 --root 所在的包之外，还可以读取这个文件夹
    #[arg(long, value_name = "DIR")]
    pub allow: Vec<PathBuf>,

    /// Further conditions for `exports` in package.json, besides those of the platform
    /// zh: 除平台本身的条件之外，`exports` 还要满足哪些条件
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub conditions: Vec<String>,

    /// Write source maps
    /// zh: 写出 source map
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "linked")]
    pub sourcemap: Option<SourceMapForm>,

    /// Number of threads [default: number of cores]
    /// zh: 线程数；默认与处理器核心数相同
    #[arg(long, short, value_name = "N", value_parser = at_least_one)]
    pub jobs: Option<usize>,

    #[command(flatten)]
    pub measuring: MeasuringArguments,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Platform {
    /// Browsers; imports of Node.js modules are errors
    /// zh: 浏览器；导入 Node.js 自带的模块是错误
    Browser,
    /// Anywhere
    /// zh: 任何地方
    Neutral,
    /// Node.js; its built-in modules stay external
    /// zh: Node.js；自带的模块保留为外部导入
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
    /// A file that the script refers to
    /// zh: 单独的文件，脚本里引用它
    #[value(aliases = ["1", "true", "yes", "on"])]
    Linked,
    /// A file that nothing refers to
    /// zh: 单独的文件，哪里都不引用它
    Hidden,
    /// Inside the script
    /// zh: 写在脚本里面
    Inline,
    /// None
    /// zh: 不写
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

/// Why a value is of no use.
#[derive(Debug)]
pub(super) struct Refused(pub(super) Text);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.english())
    }
}

impl std::error::Error for Refused {}

/// `NAME=VALUE` of `--define`.
fn define(text: &str) -> Result<(String, portalgen_bundle::Define), Refused> {
    let (name, value) =
        text.split_once('=').ok_or_else(|| Refused(text!("write `NAME=VALUE`", "请写成 `NAME=VALUE` 的形式")))?;
    let is_name = |text: &str| text.split('.').all(is_identifier);
    if !is_name(name) {
        return Err(Refused(text!(
            "`{name}` is no name: write identifiers with dots between them",
            "`{name}` 不是名字：请写标识符，之间用点隔开"
        )));
    }
    if name.split('.').next() == Some("this") {
        return Err(Refused(text!(
            "`this` is something else in every function: name a variable",
            "`this` 在每个函数里都不同：请写一个变量名"
        )));
    }
    let value = match serde_json::from_str(value) {
        Ok(value) => portalgen_bundle::Define::Value(value),
        Err(_) if value == "undefined" => portalgen_bundle::Define::Undefined,
        Err(_) if is_name(value) => portalgen_bundle::Define::Name(value.to_owned()),
        Err(_) => {
            return Err(Refused(text!(
                "`{value}` is neither JSON nor a name; a text is written \"{value}\"",
                "`{value}` 既不是 JSON，也不是名字；文字要写成 \"{value}\""
            )));
        }
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

fn at_least_one(text: &str) -> Result<usize, Refused> {
    match text.parse() {
        Ok(0) => Err(Refused(text!("there must be at least one thread", "至少要有一个线程"))),
        // More would only be in each other's way.
        Ok(jobs) => Ok(usize::min(jobs, 256)),
        Err(_) => Err(Refused(text!("this is no number of threads", "线程数要写成数字"))),
    }
}

fn port(text: &str) -> Result<u16, Refused> {
    let number = text!("a port is a number from 0 to 65535", "端口是 0 到 65535 之间的数字");
    text.parse().map_err(|_| Refused(number))
}

fn milliseconds(text: &str) -> Result<u64, Refused> {
    let number = text!("this is no number of milliseconds", "毫秒数要写成数字");
    text.parse().map_err(|_| Refused(number))
}

fn address(text: &str) -> Result<IpAddr, Refused> {
    let address = text!("this is no IP address, such as 192.168.1.20", "这不是 IP 地址，例如 192.168.1.20");
    text.parse().map_err(|_| Refused(address))
}
