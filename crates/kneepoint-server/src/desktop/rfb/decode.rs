//! Reads the fields of a message that may not be whole yet.

/// The bytes that have come, from the first that was not taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    taken: usize,
}

impl<'a> Fields<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, taken: 0 }
    }

    /// Bytes that were read.
    pub(super) const fn taken(&self) -> usize {
        self.taken
    }

    /// The next bytes; `None` if they have not all come.
    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.taken.checked_add(count)?;
        let bytes = self.bytes.get(self.taken..end)?;
        self.taken = end;
        Some(bytes)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    pub(super) fn i32(&mut self) -> Option<i32> {
        self.array().map(i32::from_be_bytes)
    }

    /// A challenge.
    pub(super) fn block(&mut self) -> Option<[u8; 16]> {
        self.array()
    }
}
