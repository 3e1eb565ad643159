//! Pages that are connected by a WebSocket, and what is sent to them.

use std::{
    collections::BTreeMap,
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_util::{SinkExt as _, StreamExt as _};
use hyper::{
    HeaderMap,
    header::{CONNECTION, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE},
};
use sha1::{Digest as _, Sha1};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::{Notify, mpsc},
    task::{AbortHandle, spawn_blocking},
    time::{Instant, interval_at},
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Message, Utf8Bytes,
        protocol::{CloseFrame, Role, WebSocketConfig, frame::coding::CloseCode},
    },
};

use crate::content::{ClientId, Content};

/// How many messages may wait for a client. One that does not take them is cut off, and takes the newest state when it
/// comes back.
const WAITING: usize = 256;
/// How many messages of a client may wait to be received.
const UNREAD: usize = 64;
/// The longest message that is taken, in bytes.
const LONGEST: usize = 1 << 20;
/// How long clients have to take their leave when the server ends.
const FAREWELL: Duration = Duration::from_millis(250);

/// The pages that are connected. Clones are of the same pages.
#[derive(Clone, Debug, Default)]
pub struct Clients(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Told whenever a client is gone.
    left: Notify,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    /// Of the newest message.
    generation: u64,
    all: BTreeMap<ClientId, Client>,
    is_over: bool,
}

#[derive(Debug)]
struct Client {
    queue: mpsc::Sender<Utf8Bytes>,
    conversation: AbortHandle,
}

impl Clients {
    /// Sends a message to all clients. Every client gets what is broadcast in the same order. A message of an earlier
    /// generation than the last one is dropped: what it tells does not hold any more.
    pub fn broadcast(&self, generation: u64, message: impl Into<String>) {
        let message = Utf8Bytes::from(message.into());
        let mut state = self.state();
        if generation < state.generation {
            return;
        }
        state.generation = generation;
        state.all.retain(|_, client| client.send(&message));
    }

    /// Sends a message to one client, behind those that were broadcast. One that is gone gets none.
    pub fn send(&self, client: ClientId, message: impl Into<String>) {
        let message = Utf8Bytes::from(message.into());
        let mut state = self.state();
        if state.all.get(&client).is_some_and(|client| !client.send(&message)) {
            state.all.remove(&client);
        }
    }

    /// How many are connected.
    pub fn count(&self) -> usize {
        self.state().all.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a conversation with a client. Must be called within the runtime.
    pub(crate) fn join<S>(&self, stream: WebSocketStream<S>, content: Arc<dyn Content>, ping: Duration)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let mut state = self.state();
        if state.is_over {
            return;
        }
        let id = ClientId(state.next);
        state.next += 1;
        let (queue, waiting) = mpsc::channel(WAITING);
        let conversation = tokio::spawn(converse(stream, id, Arc::clone(&content), waiting, ping));
        state.all.insert(id, Client { queue, conversation: conversation.abort_handle() });
        let clients = self.clone();
        tokio::spawn(async move {
            // Whether it ended, was cut off or failed: the client is gone.
            let _ = conversation.await;
            clients.state().all.remove(&id);
            clients.0.left.notify_one();
            let _ = spawn_blocking(move || content.left(id)).await;
        });
    }

    /// Takes leave of all clients.
    pub(crate) async fn end(&self) {
        {
            let mut state = self.state();
            state.is_over = true;
            // A queue that is closed ends its conversation, once it is empty.
            for client in state.all.values_mut() {
                client.queue = mpsc::channel(1).0;
            }
        }
        let all_left = async {
            while self.count() > 0 {
                self.0.left.notified().await;
            }
        };
        let _ = tokio::time::timeout(FAREWELL, all_left).await;
    }
}

impl Client {
    /// Whether there was room for the message. If not, the client is cut off.
    fn send(&self, message: &Utf8Bytes) -> bool {
        let is_taken = self.queue.try_send(message.clone()).is_ok();
        if !is_taken {
            self.conversation.abort();
        }
        is_taken
    }
}

/// Talks to a client until either side ends it.
async fn converse<S>(
    mut stream: WebSocketStream<S>,
    id: ClientId,
    content: Arc<dyn Content>,
    mut waiting: mpsc::Receiver<Utf8Bytes>,
    ping: Duration,
) where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let greeter = Arc::clone(&content);
    let Ok(greeting) = spawn_blocking(move || greeter.joined(id)).await else { return };
    if stream.send(Message::text(greeting)).await.is_err() {
        return;
    }
    let (unread, inbox) = mpsc::channel(UNREAD);
    tokio::spawn(receive(inbox, id, content));

    let mut clock = interval_at(Instant::now() + ping, ping);
    let mut is_alive = true;
    let code = loop {
        tokio::select! {
            message = waiting.recv() => match message {
                None => break CloseCode::Away,
                Some(message) => if stream.send(Message::Text(message)).await.is_err() { return },
            },
            message = stream.next() => match message {
                None | Some(Err(_)) => return,
                Some(Ok(Message::Binary(_))) => break CloseCode::Unsupported,
                Some(Ok(message)) => {
                    is_alive = true;
                    if let Message::Text(text) = message && unread.try_send(text).is_err() {
                        break CloseCode::Policy;
                    }
                }
            },
            _ = clock.tick() => {
                if !std::mem::take(&mut is_alive) || stream.send(Message::Ping(Vec::new().into())).await.is_err() {
                    return;
                }
            }
        }
    };
    // That it does not listen any more is nothing to tell.
    let _ = stream.close(Some(CloseFrame { code, reason: Utf8Bytes::default() })).await;
}

/// Hands the messages of a client over, one after the other.
async fn receive(mut inbox: mpsc::Receiver<Utf8Bytes>, id: ClientId, content: Arc<dyn Content>) {
    while let Some(message) = inbox.recv().await {
        let content = Arc::clone(&content);
        // A panic has been told, and the next message may be a better one.
        let _ = spawn_blocking(move || content.received(id, &message)).await;
    }
}

/// Whether a socket is asked for. Other protocols may be offered along with any request, and need not be taken.
pub(crate) fn is_asked_for(headers: &HeaderMap) -> bool {
    let mut offers = headers.get_all(UPGRADE).iter().filter_map(|value| value.to_str().ok());
    offers.any(|offer| offer.to_ascii_lowercase().contains("websocket"))
}

/// What a request for a socket is answered with, if it is one by RFC 6455: the value of `Sec-WebSocket-Accept`.
pub(crate) fn accept(headers: &HeaderMap) -> Option<String> {
    /// By which servers show that they know what a socket is.
    const PROOF: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    let value = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let has = |name, word: &str| {
        value(name).is_some_and(|words| words.split(',').any(|other| other.trim().eq_ignore_ascii_case(word)))
    };
    let is_one = has(UPGRADE, "websocket") && has(CONNECTION, "upgrade") && has(SEC_WEBSOCKET_VERSION, "13");
    let key = value(SEC_WEBSOCKET_KEY).filter(|_| is_one)?;
    Some(STANDARD.encode(Sha1::digest(format!("{key}{PROOF}"))))
}

/// Frames on a connection whose handshake is done.
pub(crate) fn frames<S>(connection: S) -> impl Future<Output = WebSocketStream<S>>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let settings = WebSocketConfig::default().max_message_size(Some(LONGEST)).max_frame_size(Some(LONGEST));
    WebSocketStream::from_raw_socket(connection, Role::Server, Some(settings))
}

#[cfg(test)]
mod tests {
    use hyper::HeaderMap;

    use super::accept;

    fn asked(headers: &[(&'static str, &'static str)]) -> Option<String> {
        let all = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        accept(&all.collect::<HeaderMap>())
    }

    #[test]
    fn sockets_are_asked_for_as_the_standard_says() {
        let key = ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
        let version = ("sec-websocket-version", "13");
        let connection = ("connection", "keep-alive, Upgrade");
        let upgrade = ("upgrade", "websocket");
        assert_eq!(asked(&[key, version, connection, upgrade]).as_deref(), Some("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
        assert_eq!(asked(&[version, connection, upgrade]), None);
        assert_eq!(asked(&[key, connection, upgrade]), None);
        assert_eq!(asked(&[key, version, upgrade]), None);
        assert_eq!(asked(&[key, version, connection]), None);
        assert_eq!(asked(&[key, version, connection, ("upgrade", "h2c")]), None);
    }
}
