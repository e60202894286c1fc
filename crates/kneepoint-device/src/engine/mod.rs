//! Engines: the system interfaces that issue I/O, and which of them works here.

mod aio;
mod dataless;
mod durable;
mod null;
mod ring;
mod submit_policy;
mod sync;
mod uring;

pub use aio::AioBackend;
pub use null::NullBackend;
pub use sync::SyncBackend;
pub use uring::{Polling, UringBackend};

use std::collections::BTreeMap;
use std::os::fd::RawFd;

use kneepoint_core::load::backend::Backend;
use kneepoint_core::plan::{Caching, Engine, MemoryPages};
use kneepoint_core::spec::profile::ResolvedProfile;
use kneepoint_core::words::fault::Fault;

use crate::buffer::{BufferNeeds, Buffers, ReadSample};
use crate::clock::Clock;

/// Open targets as a backend sees them: file descriptors by the plan's target index.
///
/// They stay open for as long as any backend of the run lives.
#[derive(Debug, Clone, Copy)]
pub struct Descriptors<'a>(pub &'a [RawFd]);

/// What a worker asks of its backend beside I/O.
pub(crate) trait WorkerBackend: Backend {
    /// From now on this many I/Os are in flight if the queue is full; what was learned of another load
    /// is forgotten.
    fn change_load(&mut self, _slots: u32) {}

    /// The result of the last reads.
    fn read_sample(&self) -> ReadSample;

    /// Where its I/Os read to and write from; `None` if it does none.
    fn buffers(&mut self) -> Option<&mut Buffers> {
        None
    }
}

/// The negative error number of the last failed system call.
fn last_errno() -> i32 {
    -std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
}

/// The engine to use where the user asked for `asked`, or for the best one with `None`.
///
/// Prefers io_uring, then libaio (which is asynchronous for direct I/O only), then sync.
///
/// # Errors
/// When the engine that was asked for does not work on this machine.
pub fn choose_engine(
    asked: Option<Engine>,
    caching: Caching,
    profile: &ResolvedProfile,
) -> Result<Engine, Fault> {
    match asked {
        Some(engine) => match try_engine(engine, profile) {
            Ok(()) => Ok(engine),
            Err(error) => Err(Fault::new(format!("engine {} cannot be used", engine.name()))
                .because(error)
                .fix("leave --engine at auto, which takes the best one that works")),
        },
        None => Ok(best_engine(caching, profile)),
    }
}

fn best_engine(caching: Caching, profile: &ResolvedProfile) -> Engine {
    if profile.writes_without_data() {
        return Engine::Sync;
    }
    if try_engine(Engine::IoUring, profile).is_ok() {
        Engine::IoUring
    } else if caching == Caching::Direct && try_engine(Engine::Libaio, profile).is_ok() {
        Engine::Libaio
    } else {
        Engine::Sync
    }
}

/// Opens the engine without a target.
fn try_engine(engine: Engine, profile: &ResolvedProfile) -> std::io::Result<()> {
    let needs = BufferNeeds { slots: 1, profile, pages: MemoryPages::Small, seed: 0 };
    match engine {
        Engine::IoUring | Engine::IoUringSqPoll | Engine::IoUringIoPoll => {
            UringBackend::new(Descriptors(&[]), needs, Clock::default(), Polling::of(engine))
                .map(drop)
        }
        Engine::Libaio => AioBackend::new(Descriptors(&[]), needs, Clock::default()).map(drop),
        Engine::Sync | Engine::Null | Engine::Sim | Engine::Threads | Engine::Processes => Ok(()),
    }
}

/// The facts about the engine for the result.
pub fn engine_facts(engine: Engine, profile: &ResolvedProfile) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::from([("engine".to_owned(), engine.name().to_owned())]);
    let needs = BufferNeeds { slots: 1, profile, pages: MemoryPages::Small, seed: 0 };
    let polling = Polling::of(engine);
    let is_ring = engine == Engine::IoUring || polling != Polling::None;
    if is_ring
        && let Ok(backend) = UringBackend::new(Descriptors(&[]), needs, Clock::default(), polling)
    {
        let granted = backend.granted();
        let yes_no = |granted: bool| if granted { "yes" } else { "no" }.to_owned();
        facts.insert("registered_buffers".to_owned(), yes_no(granted.registered_buffers));
        facts.insert("ring_setup".to_owned(), format!("{:?}", granted.setup));
    }
    facts
}
