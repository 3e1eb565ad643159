//! A server for the output folder that answers as a host would: what it answers is for [`crate::hosting`] to decide, and
//! here is how requests come in and answers go out.
//!
//! It is for looking at a portal on the machine that built it. It sends what lies in the folder, and nothing that links
//! lead to.

use std::{
    convert::Infallible,
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::Duration,
};

use hyper::{Method, StatusCode, body::Incoming, header, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};

use portalgen_portal::HostingPlatform;

use crate::hosting::{self, Body, Request, Response};

mod content;
mod folder;
pub mod names;

use content::Content;
pub use folder::{Folder, Unservable};

/// How long a browser may take to say what it wants, and an idle connection stays open.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long to wait for a connection to end when there are as many as the system allows.
const PAUSE: Duration = Duration::from_millis(50);

/// A server that listens already, so that its address can be told before it runs.
#[derive(Debug)]
pub struct Preview {
    listener: TcpListener,
    host: Arc<Host>,
}

/// What is served, and how.
#[derive(Debug)]
struct Host {
    folder: Folder,
    platform: Option<HostingPlatform>,
    /// Names under which it is asked for besides those of this machine and of the portal.
    allowed: Vec<String>,
}

impl Preview {
    /// Listens at an address for requests to the portal in a folder. Port 0 stands for any that is free. Requests are
    /// answered under the names of this machine, under that of the portal's origin, and under `allowed` ones.
    ///
    /// # Errors
    /// The address is taken, or not one of this machine.
    pub fn listen(
        folder: Folder,
        platform: Option<HostingPlatform>,
        at: SocketAddr,
        allowed: Vec<String>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(at)?;
        listener.set_nonblocking(true)?;
        Ok(Self { listener, host: Arc::new(Host { folder, platform, allowed }) })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// The system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until the process ends.
    ///
    /// # Errors
    /// The system does not let it begin.
    pub fn run(self) -> io::Result<Infallible> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            loop {
                match listener.accept().await {
                    Ok((stream, _)) => drop(tokio::spawn(converse(stream, Arc::clone(&self.host)))),
                    Err(_) => tokio::time::sleep(PAUSE).await,
                }
            }
        })
    }
}

/// Answers what comes over one connection, until either side has enough of it.
async fn converse(stream: tokio::net::TcpStream, host: Arc<Host>) {
    let answer = service_fn(|request| {
        let response = host.answer(&request);
        async { Ok::<_, Infallible>(response) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .serve_connection(TokioIo::new(stream), answer);
    // That a browser went away, or never spoke HTTP, is nothing to tell.
    let _ = connection.await;
}

impl Host {
    fn answer(&self, request: &hyper::Request<Incoming>) -> hyper::Response<Content> {
        let site = self.folder.site();
        if !self.is_asked(request, site.manifest.origin.as_deref()) {
            return foreign();
        }
        let response = hosting::respond(self.platform, &site, &understood(request));
        self.sent(request.method(), response)
    }

    /// Whether a request is for this server by all that it says. Programs that name no host are no browsers.
    fn is_asked(&self, request: &hyper::Request<Incoming>, origin: Option<&str>) -> bool {
        let names = request.headers().get_all(header::HOST);
        names.iter().all(|name| name.to_str().is_ok_and(|name| names::is_ours(name, origin, &self.allowed)))
    }

    /// The response as it is sent: with its length, and without a body where only the headers are asked for.
    fn sent(&self, method: &Method, response: Response) -> hyper::Response<Content> {
        let Response { status, headers, body } = response;
        let Ok(content) = self.content(body) else { return failed() };
        let mut sent = hyper::Response::builder().status(status);
        for (name, value) in headers.iter() {
            sent = sent.header(name, value);
        }
        if status != 304 {
            sent = sent.header(header::CONTENT_LENGTH, content.length());
        }
        let content = if *method == Method::HEAD { Content::default() } else { content };
        sent.body(content).unwrap_or_else(|_| failed())
    }

    fn content(&self, body: Body) -> io::Result<Content> {
        match body {
            Body::Nothing => Ok(Content::default()),
            Body::Text(text) => Ok(Content::from(text)),
            Body::File { path, range } => Content::of_file(self.folder.open_file(&path)?, range),
        }
    }
}

/// A file that was there a moment ago is not any more, or a header cannot be sent.
fn failed() -> hyper::Response<Content> {
    let mut response = hyper::Response::new(Content::default());
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
}

/// What a page of another site gets whose host was made to lead to this machine.
fn foreign() -> hyper::Response<Content> {
    const TEXT: &str = "This preview does not answer for that host: `portalgen preview --allow-host NAME` makes it.\n\
                        预览不响应这个主机名：可以用 `portalgen preview --allow-host 主机名` 允许它。\n";
    let mut response = hyper::Response::new(Content::from(TEXT.to_owned()));
    *response.status_mut() = StatusCode::FORBIDDEN;
    let kind = header::HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

fn understood(request: &hyper::Request<Incoming>) -> Request {
    let mut understood = Request {
        method: request.method().as_str().to_owned(),
        path: request.uri().path().to_owned(),
        query: request.uri().query().map(ToOwned::to_owned),
        ..Request::default()
    };
    for (name, value) in request.headers() {
        understood.headers.add(name.as_str(), &String::from_utf8_lossy(value.as_bytes()));
    }
    understood
}
