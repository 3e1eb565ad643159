//! A server on the loopback addresses of this machine, which answers what [`Access`] admits with what a [`Content`] says.
//!
//! One thread reads and writes on all connections, and never waits for the content, which is called on threads of its own.

use std::{convert::Infallible, io, net, sync::Arc, thread, time::Duration};

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::oneshot,
};

use crate::{
    access::{Access, Origin, Token},
    content::Content,
    socket::Clients,
};

mod answer;
mod listen;
mod sent;

use answer::Host;
pub use listen::{Holder, NotListening, Port};

/// How long a browser may take to say what it wants, and an idle connection stays open.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long to wait for a connection to end when there are as many as the system allows.
const PAUSE: Duration = Duration::from_millis(50);
/// How large the stacks of these threads are. What is not used takes no memory.
const STACK: usize = 64 << 20;
/// How many threads the content is called on, at most.
const THREADS: usize = 64;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to listen.
    pub port: Port,
    /// How the path of the socket ends, decoded: `/__portalgen/socket`. What comes before is the folder that the portal is served
    /// from, which may change.
    pub socket: String,
    /// Names of hosts that lead here besides those of this machine, through a proxy or a tunnel.
    pub hosts: Vec<String>,
    /// How often to ask clients that say nothing whether they are there.
    pub ping: Duration,
}

/// A server that listens already, so that its address and its token can be told before it answers.
#[derive(Debug)]
pub struct Server {
    listeners: listen::Listeners,
    settings: Settings,
    token: Token,
    clients: Clients,
}

/// A server that answers. It ends when this is dropped.
#[derive(Debug)]
pub struct Running {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Server {
    /// Listens on all loopback addresses. Browsers that connect meanwhile wait until the server is started.
    ///
    /// # Errors
    /// There is no such port, or no random numbers.
    pub fn listen(settings: Settings) -> Result<Self, NotListening> {
        let listeners = listen::Listeners::at(settings.port)?;
        let token = Token::random().map_err(|error| NotListening::Failed(io::Error::other(error.to_string())))?;
        Ok(Self { listeners, settings, token, clients: Clients::default() })
    }

    /// The port on which it listens.
    pub fn port(&self) -> u16 {
        self.listeners.port
    }

    /// The origin to tell people: `http://localhost:5173`.
    pub fn origin(&self) -> Origin {
        Origin::http("localhost", self.port())
    }

    /// What requests that change something carry in the header `x-portalgen-token`, and the one for the socket in its query,
    /// as `token=`.
    pub fn token(&self) -> &Token {
        &self.token
    }

    /// The pages that will be connected.
    pub fn clients(&self) -> &Clients {
        &self.clients
    }

    /// Answers requests on a thread of its own, until what is returned is dropped.
    ///
    /// # Errors
    /// The system does not let it begin.
    pub fn start(self, content: Arc<dyn Content>) -> io::Result<Running> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(THREADS)
            .thread_stack_size(STACK)
            .build()?;
        let Self { listeners, settings, token, clients } = self;
        let hosts = ["localhost", "127.0.0.1", "[::1]"];
        let origins = hosts.map(|host| Origin::http(host, listeners.port)).into();
        let access = Access::new(origins, settings.hosts, token);
        let host = Host { access, content, clients: clients.clone(), socket: settings.socket, ping: settings.ping };
        let host = Arc::new(host);
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new().name("server".to_owned()).spawn(move || {
            runtime.block_on(async {
                for listener in listeners.all {
                    tokio::spawn(accept(listener, Arc::clone(&host)));
                }
                // A sender that is gone means the same.
                let _ = stopped.await;
                clients.end().await;
            });
            // Content that is busy is not waited for.
            runtime.shutdown_background();
        })?;
        Ok(Running { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It has told its panic.
            let _ = thread.join();
        }
    }
}

/// Takes connections as they come.
async fn accept(listener: net::TcpListener, host: Arc<Host>) {
    // It was made non-blocking when it was opened, which is all that can fail.
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    loop {
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(converse(stream, Arc::clone(&host)))),
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Answers what comes over one connection, until either side has enough of it.
async fn converse(stream: TcpStream, host: Arc<Host>) {
    // A message that waits for the last one to be acknowledged comes 40 ms late.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| {
        let host = Arc::clone(&host);
        async move { Ok::<_, Infallible>(host.respond(request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // That a browser went away, or never spoke HTTP, is nothing to tell.
    let _ = connection.await;
}

#[cfg(test)]
mod tests;
