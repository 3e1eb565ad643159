//! What may be written on the command line.
//!
//! What is said of it stands in doc comments: in English, and behind `zh:` in Chinese, paragraph by paragraph. `usage` shows
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
/// zh: React 静态门户网站生成器：一个原生程序完成打包、预渲染和发布，不需要 Node
#[derive(Debug, Parser)]
#[command(name = "portalgen", version, propagate_version = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 done, 1 the site has mistakes, 2 wrong usage or a failure of portalgen or the system. \
                  zh: 退出码：0 完成；1 网站有错误；2 用法不对，或者 portalgen 或系统出了故障。"
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
    /// zh: 消息用的语言；不写就跟随系统
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
    /// Sentences with the lines in question, on standard error
    /// zh: 写给人看的句子，附上有问题的行，输出到标准错误
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
    /// Make a new portal
    /// zh: 新建门户
    ///
    /// Writes a small site that can be built at once: routes.toml, pages, the packages that they need, and a workflow that
    /// publishes it from GitHub. The portal is called as its folder is, and speaks the language of messages: --lang zh makes
    /// a Chinese one. A folder that is not empty is left alone.
    /// zh: 写好一个马上就能生成的小网站：routes.toml、页面、页面用到的依赖包，以及从 GitHub 发布的工作流。门户以文件夹命名，语言与消息相同：加上 --lang zh 就是中文门户。不是空的文件夹不会动。
    Init(InitArguments),

    /// Build the portal into a folder that any static host can serve
    /// zh: 生成网站，放进一个任何静态托管都能用的文件夹
    ///
    /// Reads routes.toml and site/, renders every page to HTML, bundles its code, and publishes the result. A build that
    /// fails leaves the output folder as it was.
    /// zh: 读取 routes.toml 和 site/，把每个页面渲染成 HTML，打包代码，然后发布。生成失败时，输出文件夹保持原样。
    Build(BuildArguments),

    /// Check the portal against every rule, and publish nothing
    /// zh: 按全部规则检查门户，不发布任何文件
    ///
    /// Does all that a build does, looks at what would be published, and tells what breaks a rule. `[check]` in routes.toml
    /// says how much each rule weighs.
    /// zh: 做完生成的每一步，检查将要发布的内容，说出哪里违反了规则。每条规则的级别由 routes.toml 的 `[check]` 决定。
    Check(CheckArguments),

    /// Tell what a build would change about what is published, and publish nothing
    /// zh: 说明这次生成会让已发布的内容有哪些变化，不发布任何文件
    ///
    /// Prints Markdown for whoever reviews the change: titles, addresses, redirects, sizes, what caches must forget, and
    /// what to upload in which order.
    /// zh: 输出 Markdown，供审阅修改的人看：标题、网址、跳转、大小、哪些缓存要清除，以及按什么顺序上传。
    Plan(PlanArguments),

    /// Compare a live portal with what was built
    /// zh: 把线上的门户与生成的内容对照
    ///
    /// Asks the server for every page, redirect and file, in all forms of their addresses, and for what is not there.
    /// Looks at status, hops, headers, titles and canonical links, and changes nothing.
    /// zh: 向服务器请求每个页面、跳转和文件，连同网址的各种写法，以及不存在的网址。查看状态码、跳转次数、响应头、标题和规范链接，不改动任何东西。
    DeployCheck(DeployCheckArguments),

    /// Tell what answers an address, or what a rule is about
    /// zh: 说明一个网址打开的是什么，或者一条规则说的是什么
    ///
    /// Of an address: what a visitor sees there, and where in routes.toml and in which file it was written. Of a rule, such as
    /// duplicate-title: why it exists, and how to mend what it complains of.
    /// zh: 对于网址：访问者会看到什么，在 routes.toml 的哪一行、页面写在哪个文件。对于规则（例如 duplicate-title）：为什么有这条规则，违反了怎么改。
    Explain(ExplainArguments),

    /// Serve the output folder as the platform would that it is deployed to
    /// zh: 像部署的平台那样提供输出文件夹
    ///
    /// Redirects, headers, errors and compressed files are those of the platform that `[deploy]` in routes.toml names first.
    /// What is built meanwhile is served at once. For this machine only, if not told otherwise.
    /// zh: 跳转、响应头、错误页和压缩文件，都与 routes.toml 的 `[deploy]` 里第一个平台相同。期间新生成的内容马上可见。不另外指定时，只有本机能访问。
    Preview(PreviewArguments),

    /// Serve the portal while you work on it
    /// zh: 开发时边改边看
    ///
    /// Edits show in open pages at once, and components keep their state. What would keep `build` from succeeding is shown over
    /// the page and in the terminal. For this machine only.
    /// zh: 改动马上显示在打开的页面里，组件的状态不变。会让 `build` 失败的问题，显示在页面上方和终端里。只有本机能访问。
    Dev(DevArguments),

    /// List the routes
    /// zh: 列出全部网址
    Routes(RoutesArguments),

    /// Make a new page, and its route in routes.toml
    /// zh: 新建页面，并在 routes.toml 里加上它的网址
    ///
    /// Writes a small component to site/pages, unless it is there already, and adds the route. Everything else in routes.toml stays
    /// as it is, to the byte. A page after which the portal could not be built is refused.
    /// zh: 在 site/pages 里写一个小组件（已经有了就不写），并加上网址。routes.toml 的其他内容一个字节也不变。会让门户无法生成的修改不会写入。
    Add(AddArguments),

    /// Move a page to another address, to which the old one leads
    /// zh: 给页面换网址，旧网址会跳转过去
    ///
    /// Changes the path in routes.toml, and adds a redirect from the old one, so links and bookmarks go on working. The page's file
    /// is renamed where it was found by the path, lies in the same folder as its new name, and nothing imports it; else the route
    /// names it with `component`. Links in sources to the old address are listed.
    /// zh: 修改 routes.toml 里的 path，并从旧网址加一条跳转，原来的链接和书签都还能用。页面文件如果是按 path 找到的、新名字在同一个文件夹里、又没有别的文件导入它，就跟着改名；否则用 `component` 写明。源代码里指向旧网址的链接会列出来。
    Move(MoveArguments),

    /// Change the title of a route in routes.toml
    /// zh: 修改 routes.toml 里某个网址的标题
    ///
    /// Everything else in the file stays as it is, to the byte. An edit after which the portal could not be built is
    /// refused.
    /// zh: 文件的其他内容一个字节也不变。会让门户无法生成的修改不会写入。
    Title(TitleArguments),

    /// Change where a route leads, or add a redirect
    /// zh: 修改一个网址跳转到哪里，或者新增一条跳转
    ///
    /// Everything else in routes.toml stays as it is, to the byte. An edit after which the portal could not be built is
    /// refused.
    /// zh: routes.toml 的其他内容一个字节也不变。会让门户无法生成的修改不会写入。
    Redirect(RedirectArguments),

    /// Titles and descriptions as a table for spreadsheet programs
    /// zh: 把标题和描述导出为表格，或者从表格导入
    Titles {
        #[command(subcommand)]
        direction: TitlesCommand,
    },

    /// Print the JSON Schema of routes.toml, for editors that complete and check it
    /// zh: 输出 routes.toml 的 JSON Schema，供编辑器补全和检查
    Schema(SchemaArguments),

    /// Print what a shell needs to complete commands and options
    /// zh: 输出 shell 补全命令和选项用的脚本
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

    /// Bundle scripts by themselves, without a portal
    /// zh: 只打包脚本，不需要门户
    ///
    /// Writes ES modules that run in browsers and in Node.js. The file of an entry is named like the entry; files of
    /// shared code, of lazily loaded code and of assets are named by their content. Files that are there already are
    /// replaced, and none is deleted.
    /// zh: 写出浏览器和 Node.js 都能运行的 ES 模块。入口的文件与入口同名；共用的代码、按需加载的代码和资源，以内容命名。已有的同名文件会被替换，不删除任何文件。
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
    /// zh: 门户的文件夹：空的，或者还不存在
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

    /// Where sign-in lives, the value of {host}: <https://chat.example.com>
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
    /// Which builds of packages to use; development has React's warnings
    /// zh: 用依赖包的哪种版本；development 带有 React 的警告
    #[arg(long, value_enum, default_value_t = Mode::Production, env = "PORTALGEN_MODE")]
    pub mode: Mode,

    /// What counts as an error besides errors
    /// zh: 除了错误以外，还有什么也算不通过
    #[arg(long, value_enum, value_name = "WHAT", env = "PORTALGEN_DENY")]
    pub deny: Option<Denied>,

    /// Number of threads; as many as the machine has cores, if not given
    /// zh: 线程数；不写就与处理器核心数相同
    #[arg(long, short, value_name = "N", env = "PORTALGEN_JOBS", value_parser = at_least_one)]
    pub jobs: Option<usize>,

    /// Never install packages; say what to run instead
    /// zh: 从不安装依赖包，只说明该运行什么
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

    /// Folder to publish to, taken from the root if relative
    /// zh: 发布到哪个文件夹；相对路径从 --root 算起
    #[arg(long, value_name = "DIR", default_value = "dist", env = "PORTALGEN_OUT")]
    pub out: PathBuf,

    /// Refuse addresses that routes.lock does not have, instead of adding them
    /// zh: routes.lock 里没有的网址不予发布，而不是自动加进去
    #[arg(long, env = "PORTALGEN_LOCKED", value_parser = switch())]
    pub locked: bool,

    /// Publish in spite of errors that [check] in routes.toml may change, and tell them as warnings
    /// zh: routes.toml 的 [check] 能调整的错误只当警告，照样发布
    #[arg(long)]
    pub tolerant: bool,

    /// Output folder of the last build, whose scripts and styles `keep` is about; that of --out, if not given
    /// zh: 上一次生成的输出文件夹，`keep` 会保留其中的脚本和样式；不写就是 --out 的文件夹
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

    /// Build twice, with other threads and in another folder, and publish only if every byte is the same
    /// zh: 换线程数、换文件夹再生成一次，每个字节都相同才发布
    #[arg(long, env = "PORTALGEN_VERIFY", value_parser = switch())]
    pub verify: bool,

    #[command(flatten)]
    pub measuring: MeasuringArguments,
}

/// What is told of the time that work takes.
#[derive(Args, Debug)]
pub(super) struct MeasuringArguments {
    /// Show how long each stage took, on the clock and of processors
    /// zh: 显示每个阶段用了多久，包括处理器时间
    #[arg(long, env = "PORTALGEN_TIMINGS", value_parser = switch())]
    pub timings: bool,

    /// Write what each thread did when, in the form that Perfetto and Chrome show
    /// zh: 写下每个线程何时做了什么，可以用 Perfetto 或 Chrome 查看
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
    /// zh: 将要发布到的文件夹；相对路径从 --root 算起
    #[arg(long, value_name = "DIR", default_value = "dist", env = "PORTALGEN_OUT")]
    pub out: PathBuf,

    /// What is published: an output folder, or the manifest that was kept of one; that of --out, if not given
    /// zh: 已发布的内容：一个输出文件夹，或者留存的清单；不写就是 --out 的文件夹
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

    /// Folder with what was deployed, taken from the root if relative
    /// zh: 部署了哪个文件夹的内容；相对路径从 --root 算起
    #[arg(long, value_name = "DIR", default_value = "dist", env = "PORTALGEN_OUT")]
    pub out: PathBuf,

    /// What was deployed: an output folder, or the manifest that was kept of one; that of --out, if not given
    /// zh: 部署的内容：一个输出文件夹，或者留存的清单；不写就是 --out 的文件夹
    #[arg(long, value_name = "PATH")]
    pub against: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct ExplainArguments {
    /// A path or URL: /about, <https://www.example.com/about?x=1>; or the name of a rule: duplicate-title
    /// zh: 路径或完整网址：/about、<https://www.example.com/about?x=1>；或者规则名：duplicate-title
    #[arg(value_name = "ADDRESS|RULE", value_parser = NonEmptyStringValueParser::new())]
    pub subject: String,

    /// Tell also of files, headers, scripts, and other spellings of the address
    /// zh: 还要说明文件、响应头、脚本，以及网址的其他写法
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

    /// Folder to serve, taken from the root if relative
    /// zh: 提供哪个文件夹；相对路径从 --root 算起
    #[arg(long, value_name = "DIR", default_value = "dist", env = "PORTALGEN_OUT")]
    pub out: PathBuf,

    /// Whose behaviour to show; `plain` is a static server that was told nothing
    /// zh: 模仿哪个平台；`plain` 是没有任何配置的静态服务器
    #[arg(long, value_name = "NAME", value_parser = platform_names())]
    pub platform: Option<String>,

    /// Where to listen
    /// zh: 监听的地址
    #[arg(long, value_name = "IP", default_value = "127.0.0.1", value_parser = address)]
    pub address: IpAddr,

    /// Name of a host to answer for, besides this machine's and that of the origin; may be repeated
    /// zh: 除了本机和 origin 的名字，还应答哪个主机名；可以写多次
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub allow_host: Vec<String>,

    /// Where to listen; 0 is any port that is free
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
    /// Where to listen; 0 is any port that is free. Without it, the first free port from 5173 on
    /// zh: 监听的端口；0 表示任选一个空闲端口。不写就从 5173 起找第一个空闲端口
    #[arg(long, value_name = "PORT", value_parser = port)]
    pub port: Option<u16>,

    /// Listen also on this machine's addresses in the local network, or on the one that is named
    /// zh: 在本机的局域网地址上也监听，或者只在指定的那个地址上
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    pub lan: Option<Lan>,

    /// Serve over https, with a certificate that is made once and signed by itself
    /// zh: 用 https 提供，证书只生成一次，由自己签名
    #[arg(long)]
    pub https: bool,

    /// Name of a host to answer for, besides this machine's; may be repeated
    /// zh: 除了本机的名字，还应答哪个主机名；可以写多次
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

    /// Send pages without prerendered content, and do not look for what would fail in `build`
    /// zh: 页面不做预渲染，也不检查哪些问题会让 `build` 失败
    #[arg(long)]
    pub no_prerender: bool,

    /// Look for edits every so many milliseconds, for file systems that tell of none
    /// zh: 每隔多少毫秒查看一次改动，用于不会通知改动的文件系统
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    pub poll: Option<u64>,

    /// Never install packages; say what to run instead
    /// zh: 从不安装依赖包，只说明该运行什么
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
    /// zh: 只说会改什么，不真的改
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Args, Debug)]
pub(super) struct AddArguments {
    /// Path of the new route: /prices
    /// zh: 新网址的路径：/prices
    pub path: String,

    /// The title, as it stands in the file: {product} is filled in
    /// zh: 标题，写法与文件里相同：{product} 会换成产品名
    pub title: String,

    /// File of the page in site/, if it is there and does not follow from the path: pages/PriceList.tsx
    /// zh: 页面在 site/ 里的文件，已经有了、又与路径对不上时才写：pages/PriceList.tsx
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub component: Option<String>,

    #[command(flatten)]
    pub edit: EditArguments,
}

#[derive(Args, Debug)]
pub(super) struct MoveArguments {
    /// Path that the page has: /about
    /// zh: 页面现在的路径：/about
    pub from: String,

    /// Path that it shall have: /team
    /// zh: 要换成的路径：/team
    pub to: String,

    #[command(flatten)]
    pub edit: EditArguments,
}

#[derive(Args, Debug)]
pub(super) struct TitleArguments {
    /// Path of the route: /about
    /// zh: 网址的路径：/about
    pub path: String,

    /// The title, as it stands in the file: {product} is filled in
    /// zh: 标题，写法与文件里相同：{product} 会换成产品名
    pub title: String,

    #[command(flatten)]
    pub edit: EditArguments,
}

#[derive(Args, Debug)]
pub(super) struct RedirectArguments {
    /// Path of the route: /login; a path that no route has gets one
    /// zh: 网址的路径：/login；还没有的话会新增
    pub path: String,

    /// Where it leads: a path of the portal, or a URL that begins with https:// or {host}
    /// zh: 跳转到哪里：本站的路径，或者以 https:// 或 {host} 开头的网址
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

    /// Take over what was changed in a table
    /// zh: 导入在表格里改过的内容
    ///
    /// Cells that are empty and routes that are not in the table stay as they are. A table with a mistake changes nothing.
    /// zh: 空单元格和表格里没有的网址保持原样。表格里有一处错，就什么都不会改。
    Import(TitlesImportArguments),
}

#[derive(Args, Debug)]
pub(super) struct TitlesExportArguments {
    /// File to write; standard output, if not given
    /// zh: 写入的文件；不写就输出到标准输出
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
    /// Read by Taplo, and with it by most editors that know TOML
    /// zh: Taplo 能读，多数支持 TOML 的编辑器都用它
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

    /// Leave a package, and what lies below it, as an import
    /// zh: 保留对某个包（以及它下面的内容）的导入，不打包进来
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub external: Vec<String>,

    /// Put a value in place of a name: process.env.API="https://api.example.com"
    /// zh: 把一个名字换成一个值：process.env.API="https://api.example.com"
    ///
    /// The value is JSON, another name, or `undefined`.
    /// zh: 值是 JSON、另一个名字，或者 `undefined`。
    #[arg(long, value_name = "NAME=VALUE", value_parser = define)]
    pub define: Vec<(String, portalgen_bundle::Define)>,

    /// Read from a folder outside of the packages of the entries and of the root, too
    /// zh: 入口和 --root 所在的包以外，还可以读取这个文件夹
    #[arg(long, value_name = "DIR")]
    pub allow: Vec<PathBuf>,

    /// Conditions of `exports` in package.json to meet, besides those of the platform
    /// zh: 除了平台本身的条件，还要满足 package.json 的 `exports` 里的哪些条件
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub conditions: Vec<String>,

    /// Write source maps
    /// zh: 写出 source map
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "linked")]
    pub sourcemap: Option<SourceMapForm>,

    /// Number of threads; as many as the machine has cores, if not given
    /// zh: 线程数；不写就与处理器核心数相同
    #[arg(long, short, value_name = "N", value_parser = at_least_one)]
    pub jobs: Option<usize>,

    #[command(flatten)]
    pub measuring: MeasuringArguments,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Platform {
    /// Browsers; modules of Node.js are mistakes
    /// zh: 浏览器；用到 Node.js 的模块算错误
    Browser,
    /// Anywhere
    /// zh: 任何地方
    Neutral,
    /// Node.js; its own modules stay imports
    /// zh: Node.js；它自带的模块保留为导入
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
    /// zh: 单独的文件，脚本里写明它的名字
    #[value(aliases = ["1", "true", "yes", "on"])]
    Linked,
    /// A file that nothing names
    /// zh: 单独的文件，哪里都不写它的名字
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
