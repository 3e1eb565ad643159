//! One request: whether it may be answered, what it asks for, and who answers it.

use std::{future::poll_fn, net::IpAddr, pin::pin, sync::Arc, time::Duration};

use hyper::{
    HeaderMap, StatusCode,
    body::{Body as _, Incoming},
    header::{self, HeaderValue},
    http::uri::{Authority, PathAndQuery},
};
use hyper_util::rt::TokioIo;
use portalgen_base::text::{Language, Text, text};
use portalgen_portal::Proxy;
use portalgen_release::hosting::Headers;
use tokio::task::spawn_blocking;

use super::{
    proxy::{Caller, Forwarder, chosen},
    repeats::Teller,
    sent::{Sent, Wanted, Whole, failed, sent},
};
use crate::{
    access::{Access, Claims, Refusal, TOKEN_HEADER},
    content::{Content, Method, Request, Response},
    network::{Network, Rules},
    path,
    socket::{self, Clients},
};

/// The longest body that is taken, in bytes.
const LONGEST: usize = 1 << 20;

/// Who answers.
pub(super) struct Host {
    pub(super) network: Network,
    pub(super) forwarder: Forwarder,
    pub(super) teller: Teller,
    pub(super) content: Arc<dyn Content>,
    pub(super) clients: Clients,
    /// How the path of the socket ends.
    pub(super) socket: String,
    /// The addresses that others in the network can reach.
    pub(super) lan: Vec<IpAddr>,
    pub(super) ping: Duration,
}

/// A request as it came.
type Raw = hyper::Request<Incoming>;

impl Host {
    /// Answers a request.
    pub(super) async fn respond(&self, request: Raw, caller: Caller) -> hyper::Response<Sent> {
        let wanted = wanted(&request);
        let rules = self.network.now();
        let answer = match self.judge(&rules, &request, caller) {
            Err(refusal) => {
                let answer = refused(&refusal);
                // Only who knows the name of the host can tell whether that was right.
                if let Some(hint) = refusal.hint() {
                    let text = refusal.text();
                    self.teller.tell(text!("{text}; {hint}", "{text}；{hint}", text, hint));
                }
                let content = Arc::clone(&self.content);
                drop(spawn_blocking(move || content.refused(&refusal)));
                sent(answer, &wanted)
            }
            Ok(Wish::Pass(proxy)) => match self.forwarder.pass(proxy, request, caller).await {
                Ok(answer) => return answer,
                Err(reason) => {
                    let (text, hint) = reason.texts(proxy);
                    sent(in_all_languages(reason.status(), &[Some(text), hint]), &wanted)
                }
            },
            Ok(Wish::Socket(accept)) => self.switch(request, &accept),
            Ok(Wish::Answer(method, path)) => sent(self.ask(method, path, request).await, &wanted),
            Ok(Wish::Nothing(status)) => {
                let response = Response::of(status);
                let response = if status == 405 { response.with("allow", "GET, HEAD, POST") } else { response };
                sent(response, &wanted)
            }
        };
        answer.map(Sent::Whole)
    }

    /// Sends whoever has forgotten that the server encrypts to the address with `https`.
    pub(super) fn redirect(&self, request: &Raw) -> hyper::Response<Sent> {
        let wanted = wanted(request);
        let rules = self.network.now();
        let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        // A page of this server cannot be what asks, so only the host counts.
        let hosts: Vec<&str> = all_of(request.headers(), &header::HOST).collect();
        let answer = match rules.access.admit(&Claims { hosts: &hosts, ..Claims::default() }) {
            Ok(()) => {
                let path = request.uri().path_and_query().map_or("/", PathAndQuery::as_str);
                Response::of(307).with("location", format!("https://{host}{path}"))
            }
            Err(refusal) => refused(&refusal),
        };
        sent(answer, &wanted).map(Sent::Whole)
    }

    /// What to do with a request. Whether it may be answered comes first.
    fn judge<'r>(&self, rules: &'r Rules, request: &Raw, caller: Caller) -> Result<Wish<'r>, Refusal> {
        let access = &rules.access;
        let headers = request.headers();
        let address = request.uri().authority().map(Authority::as_str);
        let hosts: Vec<&str> = all_of(headers, &header::HOST).collect();
        // Whoever sends the address in full sends its host twice.
        let hosts = match (address, hosts.as_slice()) {
            (Some(address), [host]) if host.eq_ignore_ascii_case(address) => vec![*host],
            (address, hosts) => hosts.iter().copied().chain(address).collect(),
        };
        let origins: Vec<&str> = all_of(headers, &header::ORIGIN).collect();
        let only = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let claims =
            Claims { hosts: &hosts, origins: &origins, site: only("sec-fetch-site"), mode: only("sec-fetch-mode") };
        access.admit(&claims)?;

        let wants_change = !matches!(*request.method(), hyper::Method::GET | hyper::Method::HEAD);
        let wants_socket = socket::is_asked_for(headers);
        // A backend may know paths of which this server would answer none.
        if let Some(proxy) = chosen(&rules.proxies, request.uri().path()) {
            Access::pass(&claims, wants_change || wants_socket)?;
            return Ok(Wish::Pass(proxy));
        }
        if wants_socket {
            access.trust(&claims, token_in(request.uri().query().unwrap_or_default()))?;
        } else if wants_change && !caller.is_near {
            return Err(Refusal::Network);
        } else if wants_change {
            access.trust(&claims, only(TOKEN_HEADER))?;
        }
        Ok(self.wish(request))
    }

    /// What a request that may be answered asks for.
    fn wish(&self, request: &Raw) -> Wish<'static> {
        let Some(path) = path::decode(request.uri().path()) else { return Wish::Nothing(404) };
        let is_upgrade = socket::is_asked_for(request.headers());
        match *request.method() {
            hyper::Method::GET if is_upgrade && path.ends_with(&self.socket) => {
                socket::accept(request.headers()).map_or(Wish::Nothing(400), Wish::Socket)
            }
            _ if is_upgrade => Wish::Nothing(404),
            hyper::Method::GET | hyper::Method::HEAD => Wish::Answer(Method::Get, path),
            hyper::Method::POST => Wish::Answer(Method::Post, path),
            _ => Wish::Nothing(405),
        }
    }

    /// Asks the content, where it may block.
    async fn ask(&self, method: Method, path: String, request: Raw) -> Response {
        let (head, body) = request.into_parts();
        let Some(body) = (match method {
            Method::Get => Some(Vec::new()),
            Method::Post => whole(body).await,
        }) else {
            return Response::of(413);
        };
        let request = Request {
            method,
            path,
            sent_path: head.uri.path().to_owned(),
            query: head.uri.query().map(ToOwned::to_owned),
            headers: understood(&head.headers),
            body,
        };
        let content = Arc::clone(&self.content);
        // A panic has been told where panics are.
        spawn_blocking(move || content.answer(&request)).await.unwrap_or_else(|_| Response::of(500))
    }

    /// Makes a socket of the connection.
    fn switch(&self, request: Raw, accept: &str) -> hyper::Response<Whole> {
        let (clients, content, ping) = (self.clients.clone(), Arc::clone(&self.content), self.ping);
        tokio::spawn(async move {
            // A browser that went away meanwhile is no client.
            if let Ok(connection) = hyper::upgrade::on(request).await {
                clients.join(socket::frames(TokioIo::new(connection)).await, content, ping);
            }
        });
        let Ok(accept) = HeaderValue::try_from(accept) else { return failed() };
        let mut response = hyper::Response::new(Whole::default());
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
        response.headers_mut().insert(header::UPGRADE, HeaderValue::from_static("websocket"));
        response.headers_mut().insert(header::SEC_WEBSOCKET_ACCEPT, accept);
        response
    }
}

/// What a request says of the answer that it wants.
fn wanted(request: &Raw) -> Wanted {
    let text = |name| text_of(request.headers(), &name);
    Wanted {
        is_head: request.method() == hyper::Method::HEAD,
        known: text(header::IF_NONE_MATCH),
        range: text(header::RANGE),
        part_of: text(header::IF_RANGE),
    }
}

/// What a request asks for.
enum Wish<'r> {
    /// What another server answers.
    Pass(&'r Proxy),
    /// A socket, with what is sent to accept it.
    Socket(String),
    /// What the content has at a path.
    Answer(Method, String),
    /// Something that there is not.
    Nothing(u16),
}

/// What somebody gets whose request is not answered: of what was sent, no more than the name of a host. Every language is
/// there, since nobody knows who reads it.
fn refused(refusal: &Refusal) -> Response {
    in_all_languages(403, &[Some(refusal.text()), refusal.hint()])
}

fn in_all_languages(status: u16, texts: &[Option<Text>]) -> Response {
    let lines = Language::ALL.map(|language| {
        let texts: Vec<_> = texts.iter().flatten().map(|text| text.in_language(language)).collect();
        texts.join("\n")
    });
    Response::text(status, lines.join("\n\n") + "\n")
}

/// All values of a header; one that is no text is empty, which fits nothing.
fn all_of<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> impl Iterator<Item = &'a str> {
    headers.get_all(name).iter().map(|value| value.to_str().unwrap_or_default())
}

/// The values of a header as one text.
fn text_of(headers: &HeaderMap, name: &header::HeaderName) -> Option<String> {
    let values: Vec<_> = all_of(headers, name).collect();
    (!values.is_empty()).then(|| values.join(", "))
}

fn token_in(query: &str) -> Option<&str> {
    query.split('&').find_map(|pair| pair.strip_prefix("token="))
}

fn understood(headers: &HeaderMap) -> Headers {
    let mut all = Headers::default();
    for (name, value) in headers {
        all.add(name.as_str(), &String::from_utf8_lossy(value.as_bytes()));
    }
    all
}

/// A body as a whole; none if it is too long, or does not come.
async fn whole(body: Incoming) -> Option<Vec<u8>> {
    let mut body = pin!(body);
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let Ok(data) = frame.ok()?.into_data() else { continue };
        if bytes.len() + data.len() > LONGEST {
            return None;
        }
        bytes.extend_from_slice(&data);
    }
    Some(bytes)
}
