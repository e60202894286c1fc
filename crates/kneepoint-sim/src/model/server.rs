//! A serial resource: a processor or a link that does one thing at a time, in the order of asking.

/// A serial resource with its reservations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Server {
    free_at: u64,
    busy_ns: u64,
}

impl Server {
    /// Reserves `work_ns` from `now` on, or from when the resource is free; returns the end.
    #[inline]
    pub(super) fn reserve(&mut self, now: u64, work_ns: u64) -> u64 {
        self.free_at = self.free_at.max(now) + work_ns;
        self.busy_ns += work_ns;
        self.free_at
    }

    /// Time that the resource has worked until `now`, in ns.
    pub(super) fn busy_ns(&self, now: u64) -> u64 {
        self.busy_ns.saturating_sub(self.free_at.saturating_sub(now))
    }
}

/// Time per byte of a rate in MB/s (10^6 bytes), as a multiple of 2^-20 ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ByteTime(u64);

impl ByteTime {
    /// From a rate in MB/s, above zero.
    pub(super) fn of_rate(mb_per_s: f64) -> Self {
        Self((1e3 / mb_per_s * f64::from(1 << 20)) as u64)
    }

    /// From a time per KiB in microseconds.
    pub(super) fn of_us_per_kib(us: f64) -> Self {
        Self((us * 1e3 / 1024.0 * f64::from(1 << 20)) as u64)
    }

    /// The time that `bytes` take, in ns.
    #[inline]
    pub(super) fn of(self, bytes: u32) -> u64 {
        (self.0 * u64::from(bytes)) >> 20
    }
}

/// A time in ns from one in us.
pub(super) fn ns_of_us(us: f64) -> u64 {
    (us * 1e3) as u64
}

/// A time in ns from one in ms.
pub(super) fn ns_of_ms(ms: f64) -> i64 {
    (ms * 1e6) as i64
}
