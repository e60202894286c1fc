//! Standard output. A closed pipe is success: whoever read has seen enough.

use std::io::{self, Write};

/// Prints text and ends the line where it does not end in one.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
    let written = out.write_all(text.as_bytes()).and_then(|()| out.write_all(end.as_bytes()));
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Tells something on standard error, on a line of its own.
pub(crate) fn tell(text: &str) {
    // Nobody is left to hear of it where standard error is closed.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
