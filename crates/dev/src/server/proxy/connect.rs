//! Connections to backends.

use std::{io, net::Ipv4Addr, net::Ipv6Addr, sync::Arc};

use portalgen_portal::Backend;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpStream, lookup_host},
};
use tokio_rustls::TlsConnector;

use super::failure::Reason;

/// A connection, encrypted or not.
pub(super) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// Makes encrypted connections to servers that one of `roots` vouches for.
pub(super) fn connector(roots: RootCertStore) -> io::Result<TlsConnector> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?;
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Connects to a backend.
pub(super) async fn connect(backend: &Backend, tls: &TlsConnector) -> Result<Box<dyn Stream>, Reason> {
    let stream = reach(backend).await?;
    // A message that waits for the last one to be acknowledged comes 40 ms late.
    let _ = stream.set_nodelay(true);
    if !backend.is_secure {
        return Ok(Box::new(stream));
    }
    let name = backend.host.trim_matches(['[', ']']).to_owned();
    let name = ServerName::try_from(name).map_err(|_| Reason::UnknownHost)?;
    let stream = tls.connect(name, stream).await.map_err(Reason::of_connection)?;
    Ok(Box::new(stream))
}

async fn reach(backend: &Backend) -> Result<TcpStream, Reason> {
    let Backend { host, port, .. } = backend;
    // What `localhost` is differs, and programs listen on either of its addresses.
    if host == "localhost" {
        return match TcpStream::connect((Ipv4Addr::LOCALHOST, *port)).await {
            Ok(stream) => Ok(stream),
            Err(error) => match TcpStream::connect((Ipv6Addr::LOCALHOST, *port)).await {
                Ok(stream) => Ok(stream),
                Err(_) => Err(Reason::of_connection(error)),
            },
        };
    }
    let found = lookup_host((host.trim_matches(['[', ']']), *port)).await.map_err(|_| Reason::UnknownHost)?;
    let mut last = Reason::UnknownHost;
    for address in found {
        match TcpStream::connect(address).await {
            Ok(stream) => return Ok(stream),
            Err(error) => last = Reason::of_connection(error),
        }
    }
    Err(last)
}
