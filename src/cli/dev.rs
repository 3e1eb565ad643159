//! `portalgen dev`: the portal while it is being made.

use std::{
    collections::BTreeSet,
    io::{self, BufRead as _},
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{self, Receiver, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use portalgen_base::{
    diagnostic::Diagnostic,
    system,
    text::{Text, text},
};
use portalgen_build::pipeline::{BuildOptions, SITE, Session};
use portalgen_bundle::Mode;
use portalgen_dev::{
    client,
    server::{NotListening, Server},
    session::{Event, Project, Work},
    watch::{self, News, Patience, Watcher},
};
use portalgen_portal::{DevServer, OWN_FOLDER, Overrides};

use super::{
    args::DevArguments,
    build::usual_options,
    columns,
    console::Console,
    dev_network, editor,
    failure::Failure,
    git_state,
    install::{self, Missing},
    project::{STACK, portal_root, start_workers},
    session,
    shown::visible,
    terminal::say,
};

/// How many of the files that have changed are named.
const MOST_NAMED: usize = 3;

/// What the command waits for.
enum Input {
    Edited(BTreeSet<PathBuf>),
    Warning(Diagnostic),
    Line(String),
    Happened(Event),
}

/// Serves until it is stopped.
pub(super) fn command(arguments: &DevArguments, console: &Console) -> Result<(), Failure> {
    let began = Instant::now();
    let root = portal_root(&arguments.portal.root).map_err(Failure::without_outcome)?;
    start_workers(None)?;
    install_packages(arguments, &root, console);
    let (session, options) = (Session { is_for_one_build: false, ..session::open(&root) }, options(arguments, &root)?);
    let (base, dev) = served(&session, &options);
    let settings = dev_network::settings(&arguments.network, &dev, console)?;
    let server = Server::listen(settings).map_err(|reason| not_listening(&reason))?;
    let in_network = dev_network::urls(&server, &base);
    server.network().follow(&dev);
    let network = Some(server.network().clone());
    let url = format!("{}{base}", server.origin());
    let (inputs, waiting) = mpsc::channel();
    let tell = inputs.clone();
    let (language, prerenders) = (console.look.language, !arguments.no_prerender);
    let project = Project { session: session.clone(), options, prerenders, base, network, language };
    let work = Work::on(
        project,
        server.token().as_str(),
        client::script().map_err(Failure::of_site)?,
        server.clients().clone(),
        Arc::new(move |event| drop(tell.send(Input::Happened(event)))),
    );
    let watcher = watch(arguments, &root, inputs.clone());
    // Without an option, routes.toml may ask for another one.
    let port = Some(server.port()).filter(|_| arguments.network.port.is_none());
    let running = server.start(work.portal()).map_err(|error| cannot_serve(&error))?;
    greet(began.elapsed(), &url, &in_network, console);
    if arguments.open {
        open_browser(&url, console);
    }
    read_lines(inputs);
    let desk = Desk { work, watcher, root: &root, url: &url, port, console };
    // Bundling takes more of the stack than this thread has.
    thread::scope(|threads| {
        let run = thread::Builder::new()
            .name("work".to_owned())
            .stack_size(STACK)
            .spawn_scoped(threads, move || desk.run(waiting));
        run.map(thread::ScopedJoinHandle::join).map_err(|error| cannot_serve(&error))
    })?
    .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    drop(running);
    drop(session::save(&session, &root));
    Ok(())
}

/// Says what is served, and where.
fn greet(took: Duration, url: &str, in_network: &[String], console: &Console) {
    let (version, ms) = (env!("CARGO_PKG_VERSION"), took.as_millis());
    say(console.words(&text!(
        "\n  portalgen {version}, ready in {ms} ms\n\n",
        "\n  portalgen {version}，启动用时 {ms} 毫秒\n\n"
    )));
    let line = |label: Text, url: String| [format!("  {}", console.words(&label)), url];
    let mut lines = vec![line(text!("Portal", "门户"), url.to_owned())];
    lines.extend(in_network.iter().map(|url| line(text!("Local network", "局域网"), url.clone())));
    lines.push(line(text!("For editors", "编辑标题"), format!("{url}{OWN_FOLDER}/")));
    say(&columns::table(&lines));
    if let Some(url) = in_network.first() {
        dev_network::show_code(url, console);
    }
    say(console.words(&text!("\n  press h and Enter to show shortcuts\n", "\n  按 h 再按回车查看快捷键\n")));
}

/// Installs packages that are missing. Where that fails, pages say so until they are there.
fn install_packages(arguments: &DevArguments, root: &Path, console: &Console) {
    let missing = if arguments.offline { Missing::Refuse } else { Missing::Install };
    let tell = |text: &Text| say(&format!("{}\n", console.words(text)));
    if let Err(problem) = install::ensure_packages(&root.join(SITE), missing, &tell) {
        console.diagnostics(&[problem]);
    }
}

fn options(arguments: &DevArguments, root: &Path) -> Result<BuildOptions, Failure> {
    let usual = usual_options(root.to_owned(), &arguments.portal, Mode::Development)?;
    let overrides = Overrides { is_tolerant: true, ..usual.overrides };
    Ok(BuildOptions { minify: false, overrides, ..usual })
}

/// The path that the portal is served from, and how. As long as routes.toml cannot be read they are those of most.
fn served(session: &Session, options: &BuildOptions) -> (String, DevServer) {
    let portal = portalgen_portal::load(&*session.sources, &options.root, &options.overrides);
    portal.map_or_else(|_| ("/".to_owned(), DevServer::default()), |(portal, _)| (portal.urls.base.url(), portal.dev))
}

fn watch(arguments: &DevArguments, root: &Path, inputs: Sender<Input>) -> Watcher {
    let settings = watch::Settings {
        roots: vec![root.to_owned()],
        own: vec![root.join("dist"), root.join(SITE).join("node_modules/.cache"), root.join(SITE).join(".portalgen")],
        locks: git_state::lock(root).into_iter().collect(),
        poll: arguments.poll.map(Duration::from_millis),
        patience: Patience::default(),
    };
    Watcher::start(settings, move |news| {
        let input = match news {
            News::Changed(paths) => Input::Edited(paths),
            News::Warning(warning) => Input::Warning(warning),
        };
        drop(inputs.send(input));
    })
}

/// Hands over what is typed, line by line. Where there is nothing to read, as in a container, the server goes on; the system ends it
/// when its terminal is closed.
fn read_lines(inputs: Sender<Input>) {
    let read = move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            drop(inputs.send(Input::Line(line)));
        }
    };
    // Without it, nothing can be typed, and everything else works.
    drop(thread::Builder::new().name("keys".to_owned()).spawn(read));
}

/// Where edits come in, and everything is told.
struct Desk<'a> {
    work: Work,
    watcher: Watcher,
    root: &'a Path,
    url: &'a str,
    /// The port, if routes.toml decides about it.
    port: Option<u16>,
    console: &'a Console,
}

impl Desk<'_> {
    fn run(mut self, waiting: Receiver<Input>) {
        self.follow(Work::begin);
        for input in waiting {
            match input {
                Input::Edited(paths) => {
                    let paths: Vec<PathBuf> = paths.into_iter().collect();
                    self.follow(|work| work.edited(&paths));
                }
                Input::Warning(warning) => self.console.diagnostics(&[warning]),
                Input::Happened(event) => self.show(&event),
                Input::Line(line) => match line.trim() {
                    "q" => break,
                    key => self.press(key),
                },
            }
        }
    }

    /// Works, and watches what the outcome depends on.
    fn follow(&mut self, work: impl FnOnce(&mut Work)) {
        let began = Instant::now();
        work(&mut self.work);
        match self.work.new_dependencies() {
            Some(dependencies) => self.watcher.depend(dependencies, began),
            None => self.watcher.built(began),
        }
    }

    fn press(&mut self, key: &str) {
        match key {
            "r" => self.follow(Work::begin),
            "o" => open_browser(self.url, self.console),
            "u" => say(&format!("  {}\n", self.url)),
            "c" => say("\u{1b}[2J\u{1b}[H"),
            "h" => say(self.console.words(&text!(
                "  r  build everything again\n  o  open the browser\n  u  show the address\n  c  clear the screen\n  \
                 q  quit\n",
                "  r  全部重新构建\n  o  打开浏览器\n  u  显示网址\n  c  清空屏幕\n  q  退出\n"
            ))),
            _ => {}
        }
    }

    fn show(&self, event: &Event) {
        let console = self.console;
        match event {
            Event::Updated { files, took } => {
                let ms = format!("{:.1}", took.as_secs_f64() * 1000.0);
                let named = named(files);
                say(console.words(&text!("  updated{named} in {ms} ms\n", "  已更新{named}（{ms} 毫秒）\n")));
            }
            Event::Built { pages, took } => {
                let ms = took.as_millis();
                say(console
                    .words(&text!("  built {pages} pages in {ms} ms\n", "  已构建 {pages} 个页面（{ms} 毫秒）\n")));
            }
            Event::Reloaded { reason } => {
                let reason = visible(reason);
                say(console.words(&text!("  page reloaded: {reason}\n", "  页面已重新加载：{reason}\n")));
            }
            Event::Problems(problems) => console.diagnostics(problems),
            Event::Solved => say(console.words(&text!("  no problems found\n", "  没有发现问题\n"))),
            Event::Open { file, line, column } => {
                let place = editor::Place { file: &self.root.join(file), line: *line, column: *column };
                if let Err(error) = editor::open(&place) {
                    let error = system::explain(&error);
                    let message = text!("cannot start the editor: {error}", "无法启动编辑器：{error}", error);
                    console.diagnostics(&[Diagnostic::warning(message)]);
                }
            }
            Event::Note(note) => say(&format!("  {}\n", console.words(note))),
            Event::Port(port) if self.port.is_some_and(|bound| bound != *port) => {
                say(console.words(&text!("  restart to listen on port {port}\n", "  重新启动后才会监听端口 {port}\n")));
            }
            Event::Port(_) => {}
            Event::Edited { path, key, old, new } => {
                say(console.words(&edited(path, key, old.as_deref(), new.as_deref())));
            }
            Event::Failed(problem) => console.diagnostics(std::slice::from_ref(problem)),
        }
    }
}

/// A text that was changed in the panel.
fn edited(path: &str, key: &str, old: Option<&str>, new: Option<&str>) -> Text {
    let [path, old, new] = [path, old.unwrap_or_default(), new.unwrap_or_default()].map(visible);
    match (old.is_empty(), new.is_empty()) {
        (true, _) => text!("  edited {path}  {key}: “{new}” (new)\n", "  已修改 {path}  {key}：“{new}”（新增）\n"),
        (_, true) => text!("  edited {path}  {key}: “{old}” removed\n", "  已修改 {path}  {key}：删除了“{old}”\n"),
        _ => text!("  edited {path}  {key}: “{old}” -> “{new}”\n", "  已修改 {path}  {key}：“{old}” -> “{new}”\n"),
    }
}

/// The files that have changed, as far as there is room for them.
fn named(files: &[String]) -> String {
    let shown: Vec<String> = files.iter().take(MOST_NAMED).map(|file| visible(file)).collect();
    let more = files.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(" (+{more})") } else { String::new() };
    if shown.is_empty() { String::new() } else { format!(" {}{more}", shown.join(", ")) }
}

fn open_browser(url: &str, console: &Console) {
    if let Err(error) = editor::open_address(url) {
        let error = system::explain(&error);
        let message = text!("cannot open the browser: {error}", "无法打开浏览器：{error}", error);
        console.diagnostics(&[Diagnostic::warning(message)]);
    }
}

fn not_listening(reason: &NotListening) -> Failure {
    Failure::other(Diagnostic::error(reason.text()).with_hints(reason.hint())).without_outcome()
}

fn cannot_serve(error: &io::Error) -> Failure {
    let error = system::explain(error);
    Failure::other(Diagnostic::error(text!("cannot serve: {error}", "无法启动服务：{error}", error))).without_outcome()
}
