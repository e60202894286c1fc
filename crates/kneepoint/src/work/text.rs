//! Text files that the user named, read up to a limit.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use kneepoint_core::words::number::RoundedBytes;

/// Definitions, tables of cells and notes on them are far below this.
pub(crate) const TEXT_MAX: u64 = 16 << 20;

/// The text of a file of up to `bytes_max`.
///
/// # Errors
/// When it cannot be read, is no text, or goes on after that many bytes, as devices do.
pub(crate) fn read_text(path: &Path, bytes_max: u64) -> io::Result<String> {
    let mut text = String::new();
    let length = File::open(path)?.take(bytes_max + 1).read_to_string(&mut text)?;
    if length as u64 > bytes_max {
        let limit = RoundedBytes(bytes_max);
        return Err(io::Error::other(format!("it is larger than {limit}")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused_after_the_limit() {
        let error = read_text(Path::new("/dev/zero"), 1000).unwrap_err();
        assert!(error.to_string().contains("larger than"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(&path, "1234").unwrap();
        assert_eq!(read_text(&path, 4).unwrap(), "1234");
        assert!(read_text(&path, 3).is_err());
    }
}
