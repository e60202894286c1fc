//! The processor time of child processes, as the kernel counts it for their parent.

use std::fs;

use anyhow::Context;

/// Ticks per second of the times in `/proc/PID/stat`: `USER_HZ`, 100 on every architecture that
/// matters here (proc_pid_stat(5), asm-generic/param.h).
const TICKS_PER_S: f64 = 100.0;

/// Our own line.
const STAT: &str = "/proc/self/stat";

/// Processor time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ProcessorTime {
    pub(crate) user_s: f64,
    pub(crate) system_s: f64,
}

impl ProcessorTime {
    /// What all children used, and theirs, that have been waited for.
    pub(crate) fn of_children() -> anyhow::Result<Self> {
        let line = fs::read_to_string(STAT).context(STAT)?;
        Self::parse(&line).with_context(|| format!("{STAT}: no times of children in {line:?}"))
    }

    /// `cutime` and `cstime`, the 16th and 17th field; the second may contain spaces.
    fn parse(line: &str) -> Option<Self> {
        let (_, after_name) = line.rsplit_once(')')?;
        let mut fields = after_name.split_whitespace().skip(13);
        let mut seconds = || Some(fields.next()?.parse::<f64>().ok()? / TICKS_PER_S);
        Some(Self { user_s: seconds()?, system_s: seconds()? })
    }

    /// The time since `earlier`.
    pub(crate) fn since(self, earlier: Self) -> Self {
        Self { user_s: self.user_s - earlier.user_s, system_s: self.system_s - earlier.system_s }
    }
}

#[test]
fn the_times_of_children_are_found_behind_any_name() {
    let line = "42 (a ) b) S 1 1 1 0 -1 4194304 100 0 0 0 7 8 150 25 20 0 1 0 487435 0";
    let time = ProcessorTime { user_s: 1.5, system_s: 0.25 };
    assert_eq!(ProcessorTime::parse(line), Some(time));
    assert_eq!(ProcessorTime::parse("42 (x) S 1"), None);
}
