//! A device or file as probing sees it: bytes at offsets.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// A readable device or file of known size.
pub(in crate::consent) struct Image<'a> {
    file: &'a File,
    size_bytes: u64,
}

impl<'a> Image<'a> {
    /// Looks at the first `size_bytes` of an open file.
    pub(in crate::consent) const fn new(file: &'a File, size_bytes: u64) -> Self {
        Self { file, size_bytes }
    }

    /// Size in bytes.
    pub(super) const fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// `length` bytes at `offset`; nothing where they lie beyond the end.
    pub(super) fn bytes(&self, offset: u64, length: usize) -> io::Result<Option<Vec<u8>>> {
        let end = offset.checked_add(length as u64);
        if end.is_none_or(|end| end > self.size_bytes) {
            return Ok(None);
        }
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, offset)?;
        Ok(Some(bytes))
    }

    /// Whether exactly these bytes stand at `offset`.
    pub(super) fn holds(&self, offset: u64, magic: &[u8]) -> io::Result<bool> {
        Ok(self.bytes(offset, magic.len())?.is_some_and(|bytes| bytes == magic))
    }
}
