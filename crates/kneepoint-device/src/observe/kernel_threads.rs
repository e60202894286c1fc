//! CPU time of the kernel's own threads: on loop, md and dm devices they carry out our I/Os.

use std::fs;

use super::waits::run_delay;

/// The flag of a thread of the kernel (`PF_KTHREAD` in include/linux/sched.h).
const KERNEL_THREAD: u64 = 0x0020_0000;

/// All threads of the kernel together, since the machine started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct KernelThreads {
    /// Clock ticks that they used.
    pub(super) ticks: u64,
    /// Nanoseconds for which they were ready to run and had no processor; `None` where the kernel
    /// does not tell.
    pub(super) wait_ns: Option<u64>,
}

impl KernelThreads {
    /// What they used so far; nothing where none is visible, as within a container. Takes some
    /// 10 us for every process of the machine, so it is for before and after a point.
    pub(super) fn now() -> Option<Self> {
        let entries = fs::read_dir("/proc").ok()?;
        let numbered = entries.filter_map(|entry| {
            let name = entry.ok()?.file_name();
            name.to_str()?.parse::<u32>().ok()
        });
        let mut sum: Option<Self> = None;
        for pid in numbered {
            let read = |name: &str| fs::read_to_string(format!("/proc/{pid}/{name}")).ok();
            let Some(ticks) = read("stat").and_then(|stat| ticks(&stat)) else { continue };
            let wait_ns = read("schedstat").and_then(|text| run_delay(&text));
            let before = sum.unwrap_or(Self { ticks: 0, wait_ns: Some(0) });
            let wait_ns = before.wait_ns.zip(wait_ns).map(|(sum, wait)| sum + wait);
            sum = Some(Self { ticks: before.ticks + ticks, wait_ns });
        }
        sum
    }
}

/// The time in a line of `/proc/PID/stat` where it is a kernel thread's: flags are field 9, times
/// fields 14 and 15 (man 5 proc). The second field is the name in parentheses and may hold spaces.
fn ticks(stat: &str) -> Option<u64> {
    let mut fields = stat[stat.rfind(')')? + 1..].split_whitespace();
    let flags: u64 = fields.nth(9 - 3)?.parse().ok()?;
    let user: u64 = fields.nth(14 - 9 - 1)?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    (flags & KERNEL_THREAD != 0).then_some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_the_kernel_are_told_by_their_flag() {
        let kernel = "2 (kworker/0:1 (x)) I 2 0 0 0 -1 69238880 1 2 3 4 7 35 0 0 20 0 1 0 9 0 0";
        let program = "9 (a b) S 1 9 9 0 -1 4194560 1 2 3 4 7 35 0 0 20 0 1 0 9 0 0";
        assert_eq!(ticks(kernel), Some(42));
        assert_eq!(ticks(program), None);
        assert_eq!(ticks("9 (a"), None);
    }
}
