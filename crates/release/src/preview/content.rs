//! What is sent behind the headers, piece by piece, so that a file is never in memory as a whole.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    ops::Range,
    pin::Pin,
    task::{Context, Poll},
};

use hyper::body::{Body, Bytes, Frame, SizeHint};

/// The size of a piece.
const PIECE: u64 = 64 * 1024;

/// The body of a response; empty by default.
#[derive(Debug, Default)]
pub(super) struct Content {
    source: Source,
    /// How many bytes are still to come.
    left: u64,
}

#[derive(Debug)]
enum Source {
    Memory(Bytes),
    /// A file from where it is read on.
    File(File),
}

impl Default for Source {
    fn default() -> Self {
        Self::Memory(Bytes::new())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self { left: text.len() as u64, source: Source::Memory(text.into()) }
    }
}

impl Content {
    /// A part of a file.
    pub(super) fn of_file(mut file: File, range: Range<u64>) -> io::Result<Self> {
        file.seek(SeekFrom::Start(range.start))?;
        Ok(Self { source: Source::File(file), left: range.end.saturating_sub(range.start) })
    }

    /// In bytes.
    pub(super) fn length(&self) -> u64 {
        self.left
    }

    fn next(&mut self) -> io::Result<Bytes> {
        let piece = match &mut self.source {
            Source::Memory(bytes) => std::mem::take(bytes),
            Source::File(file) => {
                let mut piece = Vec::new();
                file.take(self.left.min(PIECE)).read_to_end(&mut piece)?;
                piece.into()
            }
        };
        // What is missing at the end of a file that became shorter cannot be made up: the connection has to end.
        if piece.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left -= piece.len() as u64;
        Ok(piece)
    }
}

impl Body for Content {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        Poll::Ready(Some(self.get_mut().next().map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
