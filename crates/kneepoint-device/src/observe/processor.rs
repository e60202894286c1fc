//! The line of all processors in `/proc/stat` (man 5 proc).
#![allow(unsafe_code)]

/// Time of all processors since the machine started, in clock ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ProcessorTicks {
    /// Programs, whatever their priority.
    pub(super) user: u64,
    /// The kernel on behalf of threads.
    pub(super) system: u64,
    /// Taken by the hypervisor.
    pub(super) stolen: u64,
    /// All of these, idle time, waiting and interrupts.
    pub(super) all: u64,
}

impl ProcessorTicks {
    /// Reads the first line: user, nice, system, idle, iowait, irq, softirq, steal; the guests'
    /// times that follow are contained in the first two.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let line = text.lines().next()?.strip_prefix("cpu ")?;
        let fields: Vec<u64> =
            line.split_whitespace().map(|field| field.parse().ok()).collect::<Option<_>>()?;
        let [user, nice, system, ..] = *fields.first_chunk::<4>()?;
        Some(Self {
            user: user + nice,
            system,
            stolen: fields.get(7).copied().unwrap_or(0),
            all: fields.iter().take(8).sum(),
        })
    }
}

/// Clock ticks per second in `/proc`.
pub(super) fn ticks_per_s() -> f64 {
    // SAFETY: the call takes a number and gives one.
    let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    // 100 on every Linux that is in use.
    if ticks > 0 { ticks as f64 } else { 100.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_all_processors() {
        let text = "cpu  100 20 30 1000 5 6 7 8 90 9\ncpu0 1 2 3 4\n";
        let ticks = ProcessorTicks { user: 120, system: 30, stolen: 8, all: 1176 };
        assert_eq!(ProcessorTicks::parse(text), Some(ticks));
        let old = ProcessorTicks { user: 3, system: 3, stolen: 0, all: 10 };
        assert_eq!(ProcessorTicks::parse("cpu 1 2 3 4"), Some(old));
        assert_eq!(ProcessorTicks::parse("cpu0 1 2 3 4"), None);
        assert_eq!(ProcessorTicks::parse("cpu a b c d"), None);
        assert_eq!(ProcessorTicks::parse(""), None);
    }
}
