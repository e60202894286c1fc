//! The wall clock against the monotonic clock.
#![allow(unsafe_code)]

use crate::clock::monotonic;

/// Two readings of the monotonic clock around one of the wall clock are at most this far apart, in
/// nanoseconds, unless the thread was interrupted.
const UNDISTURBED_NS: i64 = 20_000;

/// Attempts to read the clocks without an interruption.
const ATTEMPTS: u32 = 5;

/// Nanoseconds by which the wall clock is ahead of the monotonic clock.
pub(super) fn clock_offset() -> i64 {
    let mut best = (i64::MAX, 0);
    for _ in 0..ATTEMPTS {
        let before = monotonic().0.cast_signed();
        let wall = wall_clock();
        let width = monotonic().0.cast_signed() - before;
        if width < best.0 {
            best = (width, wall - before - width / 2);
        }
        if width <= UNDISTURBED_NS {
            break;
        }
    }
    best.1
}

fn wall_clock() -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid timespec, and CLOCK_REALTIME exists on every Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_readings_differ_by_less_than_a_step() {
        let difference = clock_offset() - clock_offset();
        assert!(difference.abs() < 5_000_000, "{difference} ns");
    }
}
