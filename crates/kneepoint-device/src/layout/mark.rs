//! The mark at the end of a test file: Kneepoint made it.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use kneepoint_core::seed;
use kneepoint_core::units::Bytes;

/// Length of the mark in bytes: enough for direct I/O everywhere.
pub const MARK_BYTES: u64 = 4096;

/// First line of every mark.
const MAGIC: &str = "KNEEPOINT TEST FILE 1";

/// What a test file says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Bytes of data before the mark.
    pub size: Bytes,
    /// Whether all of them were written.
    pub complete: bool,
}

impl Mark {
    /// The mark as text: readable with `tail -c 4096`.
    fn to_text(self) -> String {
        let state = if self.complete { "complete" } else { "filling" };
        let body = format!("{MAGIC}\nsize={}\nstate={state}\n", self.size.0);
        format!("{body}check={:016x}\n", seed::derive(0, &body, self.size.0))
    }

    /// Reads a mark from the last bytes of a file; `None` for anything that is not exactly one.
    fn from_text(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next() != Some(MAGIC) {
            return None;
        }
        let size = lines.next()?.strip_prefix("size=")?.parse().ok()?;
        let complete = lines.next()?.strip_prefix("state=")? == "complete";
        let mark = Self { size: Bytes(size), complete };
        (mark.to_text() == text).then_some(mark)
    }
}

/// Reads the mark of `file`; `None` where it has none, or one for another length than its own.
///
/// # Errors
/// When the file cannot be read.
pub fn read_mark(file: &File) -> io::Result<Option<Mark>> {
    let length = file.metadata()?.len();
    let Some(start) = length.checked_sub(MARK_BYTES) else { return Ok(None) };
    // The file may be open for direct I/O, which wants an aligned buffer of whole blocks.
    let mut block = AlignedBlock::zeroed();
    file.read_exact_at(&mut block.0, start)?;
    let text = block.0.split(|byte| *byte == 0).next().unwrap_or_default();
    let mark = std::str::from_utf8(text).ok().and_then(Mark::from_text);
    Ok(mark.filter(|mark| mark.size.0 == start))
}

/// Writes the mark behind the data and makes it durable.
///
/// # Errors
/// When the file cannot be written.
pub fn write_mark(file: &File, mark: Mark) -> io::Result<()> {
    let text = mark.to_text();
    let mut block = AlignedBlock::zeroed();
    block.0[..text.len()].copy_from_slice(text.as_bytes());
    file.write_all_at(&block.0, mark.size.0)?;
    file.sync_all()
}

/// One block on a boundary that direct I/O takes.
#[repr(align(4096))]
struct AlignedBlock([u8; MARK_BYTES as usize]);

impl AlignedBlock {
    fn zeroed() -> Box<Self> {
        Box::new(Self([0; MARK_BYTES as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_back_and_only_where_it_belongs() {
        let file = tempfile::tempfile().unwrap();
        assert_eq!(read_mark(&file).unwrap(), None);
        let mark = Mark { size: Bytes(8192), complete: true };
        write_mark(&file, mark).unwrap();
        assert_eq!(read_mark(&file).unwrap(), Some(mark));
        file.set_len(8192 + MARK_BYTES + 1).unwrap();
        assert_eq!(read_mark(&file).unwrap(), None);
    }

    #[test]
    fn a_changed_mark_is_no_mark() {
        let text = Mark { size: Bytes(8192), complete: false }.to_text();
        assert!(Mark::from_text(&text).is_some());
        assert_eq!(Mark::from_text(&text.replace("8192", "8193")), None);
        assert_eq!(Mark::from_text(&text.replace("filling", "complete")), None);
        assert_eq!(Mark::from_text(&format!("{text}x")), None);
        assert_eq!(Mark::from_text(""), None);
    }
}
