//! Connections that were handed over to another protocol: bytes go to and fro until either side ends it.

use std::time::Duration;

use tokio::{
    io::{self, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    time::timeout,
};

/// How long one side has to end a connection that the other one has ended.
const FAREWELL: Duration = Duration::from_secs(5);

/// How a connection has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// As it should, or because the browser has gone.
    Usual,
    /// The backend broke it.
    Broken,
}

/// Which side did not go along.
enum Side {
    From,
    To,
}

/// Carries bytes between a browser and a backend until either is gone. Both connections are closed then.
pub(super) async fn carry(
    browser: impl AsyncRead + AsyncWrite + Unpin,
    backend: impl AsyncRead + AsyncWrite + Unpin,
) -> End {
    let ((from_browser, to_browser), (from_backend, to_backend)) = (io::split(browser), io::split(backend));
    let (mut up, mut down) = (Box::pin(pour(from_browser, to_backend)), Box::pin(pour(from_backend, to_browser)));
    tokio::select! {
        ended = &mut up => match ended {
            Err(Side::To) => End::Broken,
            Err(Side::From) => End::Usual,
            Ok(()) => {
                // Whatever it still says, there is nobody to be told of its end.
                let _ = timeout(FAREWELL, down).await;
                End::Usual
            }
        },
        ended = &mut down => match ended {
            Err(Side::From) => End::Broken,
            Err(Side::To) => End::Usual,
            Ok(()) => {
                let _ = timeout(FAREWELL, up).await;
                End::Usual
            }
        },
    }
}

/// Carries bytes in one direction until there are no more, which the other side is told.
async fn pour(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin) -> Result<(), Side> {
    let mut buffer = vec![0; 16 << 10];
    loop {
        let count = from.read(&mut buffer).await.map_err(|_| Side::From)?;
        let Some(bytes) = buffer.get(..count).filter(|bytes| !bytes.is_empty()) else { break };
        to.write_all(bytes).await.map_err(|_| Side::To)?;
        to.flush().await.map_err(|_| Side::To)?;
    }
    to.shutdown().await.map_err(|_| Side::To)
}
