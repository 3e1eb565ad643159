//! A server on the loopback addresses of this machine, and on others if that is wanted, which answers what
//! [`Access`](crate::access::Access) admits with what a [`Content`] says, or a backend.
//!
//! One thread reads and writes on all connections, and never waits for the content, which is called on threads of its own.

use std::{
    convert::Infallible,
    io,
    net::{self, IpAddr, SocketAddr},
    sync::Arc,
    thread,
    time::Duration,
};

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use rustls::{RootCertStore, ServerConfig};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::oneshot,
    time::timeout,
};
use tokio_rustls::TlsAcceptor;

use crate::{
    access::{Origin, Token},
    certificate::Certificate,
    content::{Content, STACK},
    network::Network,
    socket::Clients,
};

mod answer;
mod listen;
mod proxy;
mod repeats;
mod sent;

use answer::Host;
pub use listen::{Holder, NotListening, Port};
pub use proxy::Patience;
use proxy::{Caller, Forwarder};
use repeats::Teller;

/// How long a browser may take to say what it wants, and an idle connection stays open.
const IDLE: Duration = Duration::from_secs(30);
/// How long to wait for a connection to end when there are as many as the system allows.
const PAUSE: Duration = Duration::from_millis(50);
/// With what byte a connection begins that is to be encrypted.
const TLS_HANDSHAKE: u8 = 0x16;
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
    /// Addresses of this machine to listen on besides the loopback addresses.
    pub lan: Vec<IpAddr>,
    /// What connections are encrypted with, if they are.
    pub certificate: Option<Certificate>,
    /// Names of hosts that lead here besides those of this machine, through a proxy or a tunnel.
    pub hosts: Vec<String>,
    /// How patient to be with backends.
    pub patience: Patience,
    /// How often to ask clients that say nothing whether they are there.
    pub ping: Duration,
}

/// A server that listens already, so that its address and its token can be told before it answers.
#[derive(Debug)]
pub struct Server {
    listeners: listen::Listeners,
    settings: Settings,
    token: Token,
    network: Network,
    clients: Clients,
}

/// A server that answers. It ends when this is dropped.
#[derive(Debug)]
pub struct Running {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Server {
    /// Listens on all loopback addresses, and on those of the settings. Browsers that connect meanwhile wait until the server is started.
    ///
    /// # Errors
    /// There is no such port, or no random numbers.
    pub fn listen(settings: Settings) -> Result<Self, NotListening> {
        let listeners = listen::Listeners::at(settings.port, &settings.lan)?;
        let token = Token::random().map_err(|error| NotListening::Failed(io::Error::other(error.to_string())))?;
        let (port, is_secure) = (listeners.port, settings.certificate.is_some());
        let loopback =
            ["localhost", "127.0.0.1", "[::1]"].map(|host| Origin { is_secure, host: host.to_owned(), port });
        let lan = settings.lan.iter().map(|address| Origin::at(*address, port, is_secure));
        let network = Network::new(loopback.into_iter().chain(lan).collect(), settings.hosts.clone(), token.clone());
        Ok(Self { listeners, settings, token, network, clients: Clients::default() })
    }

    /// The port on which it listens.
    pub fn port(&self) -> u16 {
        self.listeners.port
    }

    /// The origin to tell people: `http://localhost:5173`.
    pub fn origin(&self) -> Origin {
        Origin { is_secure: self.is_secure(), ..Origin::http("localhost", self.port()) }
    }

    /// The origins to tell people at other machines in the local network.
    pub fn origins_in_network(&self) -> Vec<Origin> {
        let origin = |address: &IpAddr| Origin::at(*address, self.port(), self.is_secure());
        self.settings.lan.iter().map(origin).collect()
    }

    fn is_secure(&self) -> bool {
        self.settings.certificate.is_some()
    }

    /// Who is answered, and what is passed on.
    pub fn network(&self) -> &Network {
        &self.network
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
        self.start_trusting(content, RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() })
    }

    /// The same with the authorities that backends are trusted by.
    fn start_trusting(self, content: Arc<dyn Content>, roots: RootCertStore) -> io::Result<Running> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(THREADS)
            .thread_stack_size(STACK)
            .build()?;
        let Self { listeners, settings, network, clients, .. } = self;
        let teller = Teller::new(Arc::clone(&content), settings.patience.repeats);
        let forwarder = Forwarder::new(listeners.port, roots, settings.patience, teller.clone())?;
        let Settings { socket, ping, certificate, lan, .. } = settings;
        let tls = certificate.map(|Certificate(config)| config);
        let host = Arc::new(Host { network, forwarder, teller, content, clients: clients.clone(), socket, lan, ping });
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new().name("server".to_owned()).spawn(move || {
            runtime.block_on(async {
                for listener in listeners.all {
                    tokio::spawn(accept(listener, tls.clone(), Arc::clone(&host)));
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
async fn accept(listener: net::TcpListener, tls: Option<Arc<ServerConfig>>, host: Arc<Host>) {
    // It was made non-blocking when it was opened, which is all that can fail.
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => drop(tokio::spawn(greet(stream, peer, tls.clone(), Arc::clone(&host)))),
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Finds out how a browser speaks, and answers it.
async fn greet(stream: TcpStream, peer: SocketAddr, tls: Option<Arc<ServerConfig>>, host: Arc<Host>) {
    // A message that waits for the last one to be acknowledged comes 40 ms late.
    let _ = stream.set_nodelay(true);
    let is_near = stream.local_addr().is_ok_and(|own| !host.lan.contains(&own.ip()));
    let caller = Caller { address: peer.ip().to_canonical(), is_secure: tls.is_some(), is_near };
    let Some(tls) = tls else { return converse(stream, caller, host, Manner::Answer).await };
    let mut first = [0];
    let Ok(Ok(1)) = timeout(IDLE, stream.peek(&mut first)).await else { return };
    if first == [TLS_HANDSHAKE] {
        // A browser that does not trust the certificate goes away and comes again.
        if let Ok(Ok(stream)) = timeout(IDLE, TlsAcceptor::from(tls).accept(stream)).await {
            converse(stream, caller, host, Manner::Answer).await;
        }
    } else {
        converse(stream, caller, host, Manner::Redirect).await;
    }
}

/// What to do about requests.
#[derive(Clone, Copy, Debug)]
enum Manner {
    Answer,
    /// Send browsers to where they can be answered.
    Redirect,
}

/// Answers what comes over one connection, until either side has enough of it.
async fn converse<S>(stream: S, caller: Caller, host: Arc<Host>, manner: Manner)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = service_fn(|request| {
        let host = Arc::clone(&host);
        async move {
            Ok::<_, Infallible>(match manner {
                Manner::Answer => host.respond(request, caller).await,
                Manner::Redirect => host.redirect(&request),
            })
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // That a browser went away, or never spoke HTTP, is nothing to tell.
    let _ = connection.await;
}

#[cfg(test)]
mod tests;
