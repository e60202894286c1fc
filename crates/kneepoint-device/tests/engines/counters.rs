//! What we say we wrote is what the kernel says the device was asked for.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};

use kneepoint_core::load::backend::{Backend, Direction};
use kneepoint_core::plan::{Engine, MemoryPages, Plan};
use kneepoint_device::buffer::BufferNeeds;
use kneepoint_device::clock::Clock;
use kneepoint_device::engine::{AioBackend, Descriptors, Polling, SyncBackend, UringBackend};
use kneepoint_device::facts::{DeviceCounters, SysRoot, target};

use crate::loop_bench::{Bench, Loop};
use crate::trace::{Issued, SIZE, plan, trace};

/// The kernel's counters of a loop device.
fn counters(device: &Loop) -> DeviceCounters {
    let root = SysRoot::default();
    let numbers = target(&root, &device.node).unwrap().counted_devices();
    let line = std::fs::read_to_string(format!("/sys/dev/block/{}/stat", numbers[0])).unwrap();
    DeviceCounters::parse(&line).unwrap()
}

/// Bytes of one direction among the issued I/Os.
fn bytes(issued: &[Issued], direction: Direction) -> u64 {
    issued.iter().filter(|io| io.1 == direction).map(|io| u64::from(io.3)).sum()
}

/// Drives `plan` and holds our sums against the kernel's.
fn check<B: Backend>(device: &Loop, backend: std::io::Result<B>, plan: &Plan, slots: u32) {
    let before = counters(device);
    let issued = trace(backend, plan, slots);
    let after = counters(device);
    let name = plan.series[0].profile.name();
    let read = after.bytes_read() - before.bytes_read();
    let written = after.bytes_written() - before.bytes_written();
    assert_eq!(read, bytes(&issued, Direction::Read), "{name}: bytes read");
    assert_eq!(written, bytes(&issued, Direction::Write), "{name}: bytes written");
}

#[test]
fn the_kernel_counts_the_same_bytes() {
    let Some(bench) = Bench::new(&[]) else { return };
    let image = bench.image("counted", 16);
    File::options().write(true).open(&image).unwrap().write_all_at(&[1; 4096], 0).unwrap();
    let device = Loop::attach(&image, &[]);
    let file = File::options()
        .read(true)
        .write(true)
        .custom_flags(libc::O_DIRECT | libc::O_EXCL)
        .open(&device.node)
        .unwrap();
    assert!(std::fs::metadata(&image).unwrap().len() >= SIZE);
    let numbers = [file.as_raw_fd()];
    let descriptors = Descriptors(&numbers);
    for profile in ["database", "restore", "random-read", "file-copy"] {
        let plan = plan(profile, Engine::IoUring, 1);
        let needs = |slots| BufferNeeds {
            slots,
            profile: plan.series[0].profile.storage().unwrap(),
            pages: MemoryPages::Small,
            seed: 1,
        };
        check(&device, SyncBackend::new(descriptors, needs(1), Clock::default()), &plan, 1);
        check(&device, AioBackend::new(descriptors, needs(4), Clock::default()), &plan, 4);
        check(
            &device,
            UringBackend::new(descriptors, needs(4), Clock::default(), Polling::None),
            &plan,
            4,
        );
    }
}
