//! The two streams that are written to: what the command was run for, and what is said beside it.

use std::io::{self, Write};

use super::shown::inert;

/// Says something to whoever started the command. That they may have left is no reason to fail.
pub(super) fn say(text: &str) {
    draw(&inert(text));
}

/// The same for text that steers the terminal.
pub(super) fn draw(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes to standard output. Whoever reads it may leave before the end: `head` does.
pub(super) fn print_all(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(bytes).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
