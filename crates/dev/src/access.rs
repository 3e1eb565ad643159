//! Which requests may be answered.
//!
//! A page of any site that is open in a browser can send requests to this machine, and by a name of its own that leads
//! here it could even read the answers. So a request is answered only if it was sent to an address under which the server
//! was announced, and if it does not come from a page that is somebody else's. What changes something, and the socket, needs
//! the token besides, which stands in documents of this server and nowhere else.
//!
//! Everything is decided from what a request says, before anybody looks at what it asks for.

use std::{fmt, net::IpAddr};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use portalgen_base::text::{Text, text};
use portalgen_release::preview::names::Authority;

/// The header in which requests that change something carry the token.
pub const TOKEN_HEADER: &str = "x-portalgen-token";

/// Who may ask.
#[derive(Clone, Debug)]
pub struct Access {
    origins: Vec<Origin>,
    hosts: Vec<String>,
    token: Token,
}

/// An origin as browsers tell it apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Whether its scheme is `https`, and not `http`.
    pub is_secure: bool,
    /// The name in small letters, or the address; one of IPv6 is in brackets.
    pub host: String,
    /// The port, even if it is the usual one.
    pub port: u16,
}

/// A secret of this process, by which its own pages are known.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// What a request says of where it was sent, and where it comes from. A header that cannot be read is there as an empty one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claims<'a> {
    /// Every `Host`, and the host of an address that was sent in full.
    pub hosts: &'a [&'a str],
    /// Every `Origin`.
    pub origins: &'a [&'a str],
    /// `Sec-Fetch-Site`: how the page that asks is related to the server, as the browser sees it.
    pub site: Option<&'a str>,
    /// `Sec-Fetch-Mode`: what the answer is for.
    pub mode: Option<&'a str>,
}

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It was sent to a host that this server does not answer for, or does not say to which one.
    Host(String),
    /// A page of another origin sent it.
    Origin(String),
    /// A page of another site wants to use what is here as a part of itself.
    Embedding,
    /// It wants to change something, and was sent to an address that others in the network can reach: all of them can read
    /// the token.
    Network,
    /// It wants to change something, or a socket, and does not prove that it comes from a page of this server.
    Token,
}

impl Access {
    /// Admits requests to the origins under which the server is announced, and to the `hosts` that were allowed besides: to
    /// those under every scheme and port, since a proxy stands between.
    pub fn new(origins: Vec<Origin>, hosts: Vec<String>, token: Token) -> Self {
        let hosts = hosts.into_iter().map(|host| host.to_ascii_lowercase()).collect();
        Self { origins, hosts, token }
    }

    /// Whether a request may be answered at all.
    ///
    /// # Errors
    /// It may not.
    pub fn admit(&self, claims: &Claims<'_>) -> Result<(), Refusal> {
        let [host] = claims.hosts else { return Err(Refusal::Host(claims.hosts.join(", "))) };
        if !self.is_own_host(host) {
            return Err(Refusal::Host((*host).to_owned()));
        }
        if let Some(foreign) = claims.origins.iter().find(|origin| !self.is_own_origin(origin)) {
            return Err(Refusal::Origin((*foreign).to_owned()));
        }
        // Classic scripts, styles and images are asked for without an origin. Links from elsewhere may be followed.
        let is_foreign = claims.site.is_some_and(|site| !matches!(site, "same-origin" | "none"));
        // Of sockets, browsers do not agree: they compare `ws:` with `http:`. Those have an origin and a token.
        let is_free = matches!(claims.mode, Some("navigate" | "websocket"));
        if is_foreign && !is_free { Err(Refusal::Embedding) } else { Ok(()) }
    }

    /// Whether a request that was admitted may change something, or become a socket.
    ///
    /// # Errors
    /// It may not.
    pub fn trust(&self, claims: &Claims<'_>, token: Option<&str>) -> Result<(), Refusal> {
        let has_origin = claims.origins.len() == 1;
        let is_own = token.is_some_and(|token| self.token.is(token));
        if has_origin && is_own { Ok(()) } else { Err(Refusal::Token) }
    }

    /// Whether a request that was admitted may be passed on to a backend, which knows neither the token nor whose pages are
    /// whose. Browsers name the origin of whatever changes something; what has none is from a program, unless they say
    /// that a page of another site sent it.
    ///
    /// # Errors
    /// It may not.
    pub fn pass(claims: &Claims<'_>, is_change: bool) -> Result<(), Refusal> {
        let is_foreign = claims.site.is_some_and(|site| !matches!(site, "same-origin" | "none"));
        if is_change && is_foreign && claims.origins.is_empty() { Err(Refusal::Origin(String::new())) } else { Ok(()) }
    }

    fn is_own_host(&self, header: &str) -> bool {
        let Some(Authority { name, port }) = Authority::parse(header) else { return false };
        let is_announced = |origin: &Origin| origin.host == name && origin.port == port.unwrap_or(origin.usual_port());
        self.origins.iter().any(is_announced) || self.hosts.contains(&name)
    }

    fn is_own_origin(&self, header: &str) -> bool {
        Origin::parse(header).is_some_and(|origin| self.origins.contains(&origin) || self.hosts.contains(&origin.host))
    }
}

impl Origin {
    /// An origin without encryption.
    pub fn http(host: impl Into<String>, port: u16) -> Self {
        Self { is_secure: false, host: host.into(), port }
    }

    /// The origin of an address.
    pub fn at(address: IpAddr, port: u16, is_secure: bool) -> Self {
        let host = match address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        Self { is_secure, host, port }
    }

    /// Reads an origin in the spelling of browsers, which is the only one: `null` and everything else is none.
    pub fn parse(text: &str) -> Option<Self> {
        let (scheme, authority) = text.split_once("://")?;
        let is_secure = match scheme {
            "http" => false,
            "https" => true,
            _ => return None,
        };
        let Authority { name: host, port } = Authority::parse(authority)?;
        let usual = if is_secure { 443 } else { 80 };
        let origin = Self { is_secure, host, port: port.unwrap_or(usual) };
        (origin.to_string() == text).then_some(origin)
    }

    fn usual_port(&self) -> u16 {
        if self.is_secure { 443 } else { 80 }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { is_secure, host, port } = self;
        let scheme = if *is_secure { "https" } else { "http" };
        write!(formatter, "{scheme}://{host}")?;
        if *port == self.usual_port() { Ok(()) } else { write!(formatter, ":{port}") }
    }
}

impl Token {
    /// A token that nobody can guess.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// The token as it is written into documents: letters, digits, `-` and `_`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is what was sent. How long that takes does not tell how much of it was right.
    fn is(&self, sent: &str) -> bool {
        let (own, sent) = (self.0.as_bytes(), sent.as_bytes());
        let difference = own.iter().zip(sent).fold(0, |difference, (own, sent)| difference | (own ^ sent));
        own.len() == sent.len() && difference == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token")
    }
}

impl Refusal {
    /// What to tell, without anything that was sent.
    pub fn text(&self) -> Text {
        match self {
            Self::Host(_) => {
                text!("this server does not accept requests for this host name", "不接受发往这个主机名的请求")
            }
            Self::Origin(_) => text!("the request came from a page of another origin", "请求来自其他来源的页面"),
            Self::Embedding => {
                text!(
                    "a page of another website tried to load a file from this server",
                    "其他网站的页面试图加载这里的文件"
                )
            }
            Self::Network => text!(
                "changes are allowed only from this machine: open the portal at its `localhost` address",
                "只能在本机上修改：请通过 `localhost` 的网址打开门户"
            ),
            Self::Token => text!(
                "the request did not come from a page of this server; reload the page after a restart",
                "请求不是由本服务器的页面发出的；如果服务器重新启动过，请刷新页面"
            ),
        }
    }

    /// What to do if the request was right.
    pub fn hint(&self) -> Option<Text> {
        let (Self::Host(host) | Self::Origin(host)) = self else { return None };
        let authority = host.split_once("://").map_or(host.as_str(), |(_, authority)| authority);
        let name = Authority::parse(authority)?.name;
        Some(text!(
            "to allow it, start `portalgen dev --allow-host {name}`, or write `hosts = [\"{name}\"]` under `[dev]` in \
            routes.toml",
            "要允许它，请用 `portalgen dev --allow-host {name}` 启动，或者在 routes.toml 的 `[dev]` 下写 `hosts = \
            [\"{name}\"]`"
        ))
    }
}

#[cfg(test)]
mod tests;
