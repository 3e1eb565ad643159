//! What keeps a backend from answering, for the page that asked and for the terminal.

use std::{error::Error as _, io};

use portalgen_base::{
    system,
    text::{Text, text},
};
use portalgen_portal::Proxy;

/// Why a backend has not answered.
#[derive(Debug)]
pub(crate) enum Reason {
    /// There is no such host.
    UnknownHost,
    /// Nobody listens there.
    Refused,
    /// The connection could not be made.
    NoConnection(io::Error),
    /// It could not be made within so many seconds.
    SlowConnection(u64),
    /// What the backend shows to prove who it is does not do so.
    Certificate(String),
    /// Encryption could not be agreed on.
    Encryption(String),
    /// What it says is no answer in HTTP/1.1.
    OtherProtocol,
    /// It has ended the connection.
    Broken,
    /// It has not answered within so many seconds.
    SlowAnswer(u64),
    /// It is this server itself.
    Circle,
    /// The browser has gone away while it was sending.
    Abandoned,
}

impl Reason {
    /// What a connection that could not be made has failed for.
    pub(super) fn of_connection(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Self::Refused,
            io::ErrorKind::ConnectionReset | io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe => Self::Broken,
            _ => match error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
                Some(rustls::Error::InvalidCertificate(reason)) => Self::Certificate(reason.to_string()),
                Some(rustls::Error::AlertReceived(rustls::AlertDescription::NoApplicationProtocol)) => {
                    Self::OtherProtocol
                }
                Some(other) => Self::Encryption(other.to_string()),
                None => Self::NoConnection(error),
            },
        }
    }

    /// What a request on a connection has failed for.
    pub(super) fn of_request(error: &hyper::Error) -> Self {
        if error.is_user() {
            Self::Abandoned
        } else if error.is_parse() {
            Self::OtherProtocol
        } else {
            // Alerts may come after the handshake, which for the client is over earlier.
            let inner = error.source().and_then(|source| source.downcast_ref::<io::Error>());
            let alert = inner.and_then(|inner| inner.get_ref()?.downcast_ref::<rustls::Error>());
            alert.map_or(Self::Broken, |alert| Self::Encryption(alert.to_string()))
        }
    }

    /// The status of the answer in place of the backend's.
    pub(crate) fn status(&self) -> u16 {
        if matches!(self, Self::SlowConnection(_) | Self::SlowAnswer(_)) { 504 } else { 502 }
    }

    fn text(&self) -> Text {
        match self {
            Self::UnknownHost => text!("the host was not found", "找不到这个主机"),
            Self::Refused => text!("nothing is listening there", "那里没有程序在监听"),
            Self::NoConnection(error) => {
                let error = system::explain(error);
                text!("no connection: {error}", "无法连接：{error}", error)
            }
            Self::SlowConnection(seconds) => text!("no connection within {seconds} s", "{seconds} 秒内没有连接上"),
            Self::Certificate(reason) => {
                text!("its certificate is not trusted ({reason})", "它的证书不受信任")
            }
            Self::Encryption(reason) => text!("no encrypted connection ({reason})", "无法建立加密连接"),
            Self::OtherProtocol => text!("its answer is not HTTP/1.1", "它的响应不是 HTTP/1.1"),
            Self::Broken => text!("it closed the connection", "它中断了连接"),
            Self::SlowAnswer(seconds) => text!("no answer within {seconds} s", "{seconds} 秒内没有响应"),
            Self::Circle => text!("this is the development server itself", "这是开发服务器自己"),
            Self::Abandoned => text!("the browser closed the connection", "浏览器已断开连接"),
        }
    }

    fn hint(&self) -> Option<Text> {
        match self {
            Self::Certificate(_) => Some(text!(
                "use an `http://` address for the backend, or a certificate from a public authority",
                "请使用后端的 `http://` 地址，或者由公共机构签发的证书"
            )),
            Self::Circle => Some(text!(
                "change the port in `[dev.proxy]`, or start `portalgen dev` on another one",
                "请修改 `[dev.proxy]` 里的端口，或者让 `portalgen dev` 使用其他端口"
            )),
            _ => None,
        }
    }

    /// Whether anybody wants to know of it.
    pub(crate) fn is_news(&self) -> bool {
        !matches!(self, Self::Abandoned)
    }

    /// What to tell of a request that this proxy could not pass on: a sentence, and perhaps what to do.
    pub(crate) fn texts(&self, proxy: &Proxy) -> (Text, Option<Text>) {
        let (Proxy { path, backend }, reason) = (proxy, self.text());
        (text!("proxy {path} → {backend}: {reason}", "代理 {path} → {backend}：{reason}", reason), self.hint())
    }
}
