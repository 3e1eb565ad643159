//! `portalgen preview`: the output folder as a host would serve it.

use std::{io, net::SocketAddr};

use portalgen_base::{
    diagnostic::Diagnostic,
    system,
    text::{Text, text},
};
use portalgen_portal::HostingPlatform;
use portalgen_release::preview::{Folder, Preview, Unservable};

use super::{args::PreviewArguments, console::Console, failure::Failure, project::project_root, shown::visible};

/// Serves until it is stopped.
pub(super) fn command(arguments: &PreviewArguments, console: &Console) -> Result<(), Failure> {
    let root = project_root(&arguments.root).map_err(Failure::without_outcome)?;
    let path = root.join(&arguments.out);
    let folder = Folder::open(&path).map_err(|reason| unservable(reason, arguments))?;
    let site = folder.site();
    let declared = site.manifest.platforms.iter().find_map(|name| HostingPlatform::of_name(name));
    let platform = arguments.platform.as_deref().map_or(declared, HostingPlatform::of_name);
    let at = SocketAddr::new(arguments.address, arguments.port);
    let allowed = arguments.allow_host.clone();
    let started = Preview::listen(folder, platform, at, allowed).and_then(|preview| Ok((preview.address()?, preview)));
    let (address, preview) = started.map_err(|error| not_listening(&error, at))?;
    let url = format!("http://{address}{}", site.manifest.base);
    if console.wants_json() {
        console.result(&serde_json::json!({ "ok": true, "url": url, "platform": platform.map(HostingPlatform::name) }));
    } else {
        let name = platform.map_or(text!("a plain static server", "普通的静态服务器"), |platform| {
            Text::verbatim(platform.name())
        });
        let shown = text!(
            "{url} as {name} would serve it; press Ctrl-C to stop\n",
            "{url}（模拟 {name}）；按 Ctrl-C 结束\n",
            name
        );
        console.print(console.words(&shown));
    }
    let Err(error) = preview.run();
    let error = system::explain(&error);
    Err(Failure::other(Diagnostic::error(text!("cannot serve: {error}", "无法启动服务：{error}", error)))
        .without_outcome())
}

fn unservable(reason: Unservable, arguments: &PreviewArguments) -> Failure {
    let folder = visible(&arguments.out.display().to_string());
    let message = match reason {
        Unservable::NoFolder => text!("the folder {folder} does not exist", "文件夹 {folder} 不存在"),
        Unservable::NoManifest => {
            text!("{folder} was not made by this version of portalgen", "{folder} 不是由这个版本的 portalgen 生成的")
        }
    };
    let hint = text!("run `portalgen build` first", "请先运行 `portalgen build`");
    Failure::of_site(vec![Diagnostic::error(message).with_hint(hint)]).without_outcome()
}

fn not_listening(error: &io::Error, at: SocketAddr) -> Failure {
    let port = at.port();
    let diagnostic = if error.kind() == io::ErrorKind::AddrInUse {
        let next = port.checked_add(1).unwrap_or(0);
        Diagnostic::error(text!("port {port} is used by another program", "端口 {port} 已被其他程序占用")).with_hint(
            text!(
                "choose another one: `--port {next}`, or `--port 0` for any free port",
                "请换一个端口：`--port {next}`，或用 `--port 0` 自动选择空闲端口"
            ),
        )
    } else {
        let error = system::explain(error);
        Diagnostic::error(text!("cannot listen on {at}: {error}", "无法监听 {at}：{error}", error))
    };
    Failure::other(diagnostic).without_outcome()
}
