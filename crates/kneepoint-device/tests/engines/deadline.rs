//! A wait ends at its deadline, whatever the target does.

use std::os::fd::AsRawFd as _;

use kneepoint_core::load::backend::{Backend as _, Content, Direction, Io};
use kneepoint_core::plan::{Engine, MemoryPages};
use kneepoint_core::words::units::Nanos;
use kneepoint_device::buffer::BufferNeeds;
use kneepoint_device::clock::Clock;
use kneepoint_device::engine::{Descriptors, Polling, UringBackend};

use super::has;
use super::trace::plan;

/// Longer than the time between two ticks of a ring, and no multiple of it.
const WAIT: Nanos = Nanos(13_300_000);

/// Slots of the backend; more reads than one are not needed to keep it busy.
const SLOTS: u32 = 4;

#[test]
fn a_ring_returns_from_a_target_that_never_answers() {
    // A pipe that stays open and empty.
    let (reader, writer) = std::io::pipe().unwrap();
    let numbers = [reader.as_raw_fd()];
    let plan = plan("random-read", Engine::IoUring, 1);
    let needs = BufferNeeds {
        slots: SLOTS,
        profile: plan.series[0].profile.storage().unwrap(),
        pages: MemoryPages::Small,
        seed: 1,
    };
    let backend = UringBackend::new(Descriptors(&numbers), needs, Clock::default(), Polling::None);
    if !has("io_uring", &backend) {
        return;
    }
    let mut backend = backend.unwrap();
    let content = Content::Unique(0);
    let direction = Direction::Read;
    backend.submit(Io { slot: 0, target: 0, direction, offset: 0, bytes: 4096, content });
    let mut done = Vec::new();
    for _ in 0..3 {
        let deadline = backend.now() + WAIT;
        backend.wait(deadline, &mut done);
        assert!(backend.now() >= deadline, "not before the deadline");
        assert!(done.is_empty(), "nothing has completed: {done:?}");
    }
    let deadline = backend.now() + WAIT;
    backend.wait_coarse(deadline, &mut done);
    assert!(backend.now() >= deadline && done.is_empty(), "nor does a lenient wait end early");
    drop(writer);
    backend.wait(backend.now() + Nanos::from_secs(10), &mut done);
    assert_eq!(done.len(), 1, "the end of the pipe completes the read");
}
