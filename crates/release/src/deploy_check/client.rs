//! Requests over the network.

use std::time::Duration;

use url::Url;

use portalgen_base::{
    system,
    text::{Text, text},
};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How much of a body is looked at; documents are smaller.
const LONGEST_BODY: u64 = 16 * 1024 * 1024;

/// Asks servers, and follows no redirect by itself.
#[derive(Debug)]
pub struct Client {
    direct: ureq::Agent,
    /// Over the proxy that the environment names, if it does.
    usual: ureq::Agent,
}

/// What a server answered.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body as text; empty where none was asked for.
    pub body: String,
}

impl Answer {
    /// The value of a header; that of several with one name joined, as HTTP takes them.
    pub fn header(&self, name: &str) -> Option<String> {
        let values: Vec<&str> =
            self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }
}

impl Default for Client {
    fn default() -> Self {
        let config = || {
            ureq::Agent::config_builder()
                .http_status_as_error(false)
                .max_redirects(0)
                .max_redirects_will_error(false)
                .timeout_global(Some(PATIENCE))
                .user_agent(concat!("portalgen/", env!("CARGO_PKG_VERSION")))
        };
        Self { direct: config().proxy(None).build().new_agent(), usual: config().build().new_agent() }
    }
}

impl Client {
    /// Asks for `url`. The body is read only of a `GET`.
    ///
    /// # Errors
    /// Nobody answers, or not in HTTP; in the words of the system.
    pub fn ask(&self, method: &str, url: &Url, headers: &[(&str, &str)]) -> Result<Answer, Text> {
        let is_local =
            url.host_str().is_some_and(|host| host == "localhost" || host.starts_with("127.") || host == "[::1]");
        let agent = if is_local { &self.direct } else { &self.usual };
        let mut request = ureq::http::Request::builder().method(method).uri(url.as_str());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(()).map_err(|error| told(&error.into()))?;
        let mut response = agent.run(request).map_err(|error| told(&error))?;
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
        let (status, headers) = (response.status().as_u16(), headers.collect());
        let body = match method {
            "GET" => {
                response.body_mut().with_config().limit(LONGEST_BODY).read_to_vec().map_err(|error| told(&error))?
            }
            _ => Vec::new(),
        };
        Ok(Answer { status, headers, body: String::from_utf8_lossy(&body).into_owned() })
    }
}

/// Why there is no answer, as a clause that follows a colon.
fn told(error: &ureq::Error) -> Text {
    match error {
        ureq::Error::Io(error) => system::explain(error),
        ureq::Error::HostNotFound => text!("the host was not found", "找不到这个主机"),
        ureq::Error::ConnectionFailed => text!("no connection", "无法连接"),
        ureq::Error::Timeout(_) => text!("{error}", "超时"),
        ureq::Error::TooManyRedirects => text!("{error}", "跳转次数太多"),
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => text!("{error}", "无法建立加密连接"),
        _ => text!("{error}", "回应不符合 HTTP 规范"),
    }
}
