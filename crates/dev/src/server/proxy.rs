//! Requests that other servers answer: `[dev.proxy]`.
//!
//! Requests and answers go through as they are, piece by piece, whatever their length. Only headers are changed, so that the backend
//! and this server are one origin for pages. Each request has a connection of its own, as long as it lasts.

use std::{
    convert::Infallible,
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use hyper::{
    StatusCode, Version,
    body::{Body, Bytes, Frame, Incoming, SizeHint},
    client::conn::http1,
    http::uri::Uri,
    upgrade,
};
use hyper_util::rt::TokioIo;
use portalgen_portal::{Backend, Proxy};
use rustls::RootCertStore;
use tokio::{
    sync::oneshot,
    time::{sleep, timeout},
};
use tokio_rustls::TlsConnector;

mod choice;
mod connect;
mod failure;
mod headers;
mod tunnel;

use self::tunnel::End;
pub(super) use self::{choice::chosen, failure::Reason, headers::Caller};
use super::{
    repeats::Teller,
    sent::{Sent, Whole},
};

/// How patient to be with backends.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// How long a connection may take.
    pub connection: Duration,
    /// How long an answer may take to begin, once the request was sent as a whole.
    pub answer: Duration,
    /// How long repeats of a failure are counted before they are told.
    pub repeats: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { connection: Duration::from_secs(10), answer: Duration::from_mins(2), repeats: Duration::from_secs(10) }
    }
}

/// Who passes requests on.
pub(super) struct Forwarder {
    tls: TlsConnector,
    patience: Patience,
    /// How this server calls itself in what it passes on.
    name: String,
    teller: Teller,
}

impl Forwarder {
    /// Passes requests on for the server at a port, to backends that one of `roots` vouches for if they encrypt.
    pub(super) fn new(port: u16, roots: RootCertStore, patience: Patience, teller: Teller) -> io::Result<Self> {
        let tls = connect::connector(roots)?;
        Ok(Self { tls, patience, name: format!("portalgen:{port}"), teller })
    }

    /// Passes a request on, and gives the answer of the backend.
    ///
    /// # Errors
    /// Why there is none. Whoever started the server has been told.
    pub(super) async fn pass(
        &self,
        proxy: &Proxy,
        request: hyper::Request<Incoming>,
        caller: Caller,
    ) -> Result<hyper::Response<Sent>, Reason> {
        let answer = self.answer(proxy, request, caller).await;
        if let Err(reason) = &answer {
            tell(&self.teller, proxy, reason);
        }
        answer
    }

    async fn answer(
        &self,
        proxy: &Proxy,
        mut request: hyper::Request<Incoming>,
        caller: Caller,
    ) -> Result<hyper::Response<Sent>, Reason> {
        if headers::came_from(request.headers(), &self.name) {
            return Err(Reason::Circle);
        }
        let protocol = headers::upgrade(request.headers());
        let browser = upgrade::on(&mut request);
        let (request, uploaded) = self.outgoing(&proxy.backend, request, caller);
        let mut response = self.ask(&proxy.backend, request, uploaded).await?;
        let backend = upgrade::on(&mut response);
        headers::for_browser(response.headers_mut(), &proxy.backend);
        // That of the connection to the browser.
        *response.version_mut() = Version::HTTP_11;
        if response.status() != StatusCode::SWITCHING_PROTOCOLS {
            return Ok(response.map(Sent::Passed));
        }
        headers::hand_over(response.headers_mut(), protocol.ok_or(Reason::OtherProtocol)?);
        tokio::spawn(carry(self.teller.clone(), proxy.clone(), browser, backend));
        Ok(response.map(|_| Sent::Whole(Whole::default())))
    }

    /// The request as the backend is sent it, and what ends when that is done.
    fn outgoing(
        &self,
        backend: &Backend,
        request: hyper::Request<Incoming>,
        caller: Caller,
    ) -> (hyper::Request<Upload>, oneshot::Receiver<Infallible>) {
        let (uploading, uploaded) = oneshot::channel();
        let (mut head, body) = request.into_parts();
        headers::for_backend(&mut head.headers, backend, caller, &self.name);
        let mut outgoing = hyper::Request::new(Upload { body, _uploading: uploading });
        *outgoing.method_mut() = head.method;
        *outgoing.uri_mut() = head.uri.path_and_query().cloned().map(Uri::from).unwrap_or_default();
        *outgoing.headers_mut() = head.headers;
        (outgoing, uploaded)
    }

    /// Asks a backend, on a connection that lasts as long as the answer.
    async fn ask(
        &self,
        backend: &Backend,
        request: hyper::Request<Upload>,
        uploaded: oneshot::Receiver<Infallible>,
    ) -> Result<hyper::Response<Incoming>, Reason> {
        let Patience { connection, answer, .. } = self.patience;
        let too_slow = |_| Reason::SlowConnection(connection.as_secs());
        let stream = timeout(connection, connect::connect(backend, &self.tls)).await.map_err(too_slow)??;
        let (mut sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.map_err(|error| Reason::of_request(&error))?;
        // What goes wrong there is told to who asks.
        tokio::spawn(connection.with_upgrades());
        let impatience = async {
            // It is dropped at the end of the request.
            let _ = uploaded.await;
            sleep(answer).await;
        };
        tokio::select! {
            response = sender.send_request(request) => response.map_err(|error| Reason::of_request(&error)),
            () = impatience => Err(Reason::SlowAnswer(answer.as_secs())),
        }
    }
}

fn tell(teller: &Teller, proxy: &Proxy, reason: &Reason) {
    if reason.is_news() {
        teller.tell(reason.texts(proxy).0);
    }
}

/// Carries what goes to and fro on a connection that was handed over.
async fn carry(teller: Teller, proxy: Proxy, browser: upgrade::OnUpgrade, backend: upgrade::OnUpgrade) {
    let end = match (browser.await, backend.await) {
        (Ok(browser), Ok(backend)) => tunnel::carry(TokioIo::new(browser), TokioIo::new(backend)).await,
        (_, Err(_)) => End::Broken,
        // A browser that went away meanwhile.
        (Err(_), _) => End::Usual,
    };
    if end == End::Broken {
        tell(&teller, &proxy, &Reason::Broken);
    }
}

/// The body of a request, from which one can see when it has been sent.
struct Upload {
    body: Incoming,
    /// Dropped together with the body.
    _uploading: oneshot::Sender<Infallible>,
}

impl Body for Upload {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests;
