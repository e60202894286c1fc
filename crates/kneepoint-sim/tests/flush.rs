//! Flushes: reference systems with known answers, and what subsystems must have done when one ends.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod rig;

use kneepoint_core::load::backend::{Backend, Completion, Content, Direction, Flush, Io};
use kneepoint_core::plan::resolve::{Draft, Durable, FoundTarget, Serves, Settable, Site, Wishes};
use kneepoint_core::plan::{Engine, TargetKind, TargetPlan};
use kneepoint_core::result::{FLUSH, PointResult};
use kneepoint_core::spec::catalog;
use kneepoint_core::spec::profile::Profile;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::storage_class::{StorageClass, TargetClass};
use kneepoint_core::words::units::Nanos;
use kneepoint_core::{measure::Testbed, plan::Plan};
use kneepoint_sim::{SimTarget, SimTestbed, System, SystemBackend, Wear};
use rig::{Load, measure};

const MS: u64 = 1_000_000;

/// The shipped profile of a log, with this number of outstanding I/Os.
const fn log(outstanding: u32) -> Load {
    Load { profile: "log-durable", block: None, outstanding }
}

/// Whether two numbers are the same within 0.2 %.
fn near(value: f64, expected: f64) -> bool {
    (value / expected - 1.0).abs() < 0.002
}

#[test]
fn a_reference_system_writes_and_flushes_in_turns() {
    for outstanding in [1, 4, 16] {
        let target = "sim:analytic/fixed?service=1ms&flush=3ms";
        let (point, _) = measure(target, log(outstanding), 20);
        let flush = point.class(FLUSH).unwrap();
        // N / (S + F) of each.
        let expected = f64::from(outstanding) / 4e-3;
        assert!(near(point.rate.mean, expected), "{} IO/s, not {expected}", point.rate.mean);
        assert!(near(flush.rate, expected), "{} flushes/s, not {expected}", flush.rate);
        assert_eq!((point.latency_ms.mean, flush.latency_ms.mean), (1.0, 3.0));
        assert!(near(flush.latency_ms.p99.unwrap(), 3.0));
        assert_eq!((point.classes.len(), flush.volume), (2, None));
        assert_eq!(point.operations, point.class("write").unwrap().operations);
        let achieved = point.storage.unwrap().achieved_outstanding;
        assert!(near(achieved, f64::from(outstanding)), "{achieved} of {outstanding}");
        assert!(point.warnings.is_empty(), "{:?}", point.warnings);
        assert!(point.intervals.iter().all(|interval| near(interval.rate, expected)));
    }
}

#[test]
fn flushes_leave_the_servers_to_the_ios() {
    // One server at 1 ms is busy all the time if others flush meanwhile.
    let (point, _) = measure("sim:analytic/md1?service=1ms&flush=3ms", log(8), 20);
    assert!(near(point.rate.mean, 1000.0), "{}", point.rate.mean);
}

/// The plan of a profile of writes with this durability, on `target`.
fn resolved(durability: &str, target: &str) -> Result<Plan, Fault> {
    let profile = format!(
        "name = \"w\"\ntitle = \"W\"\n[[line]]\nshare = 100\nsize = \"4KiB\"\nread = 0\nrandom = 0\n\
         [durability]\n{durability}\n"
    );
    let suite = Suite::of_profile(Profile::parse(&profile, "w.toml").unwrap());
    let wishes = Wishes::default();
    let testbed = SimTestbed::new(&[target.to_owned()]).unwrap();
    Draft::new(&suite, &wishes).unwrap().resolve(&testbed.site(&wishes))
}

#[test]
fn what_a_target_does_not_know_is_refused() {
    let check = |durability: &str, target: &str, what: &str| {
        let fault = resolved(durability, target).unwrap_err();
        assert_eq!(fault.what(), what);
        assert!(fault.fix_hint().is_some());
    };
    check(
        "flush = \"fdatasync\"",
        "sim:analytic/md1",
        "sim:analytic/md1 does not know what a flush costs",
    );
    check(
        "sync = \"dsync\"",
        "sim:drive/hdd-sas-15k-600",
        "sim:drive/hdd-sas-15k-600 does not know what a write costs that is durable at once",
    );
    assert!(resolved("flush = \"fsync\"", "sim:drive/hdd-sas-15k-600").is_ok());
    assert!(resolved("flush = \"fsync\"", "sim:analytic/md1?flush=1ms").is_ok());
}

#[test]
fn an_engine_that_polls_for_completions_is_refused() {
    let suite = Suite::of_profile(catalog::profile("log-durable").unwrap());
    let wishes = Wishes::default();
    let resolve = |engine: Engine| {
        let plan = TargetPlan {
            target: "k.dat".to_owned(),
            host: String::new(),
            kind: TargetKind::File,
            size_bytes: 1 << 30,
            alignment_bytes: 512,
        };
        let class = TargetClass { class: StorageClass::Flash, because: "nvme".to_owned() };
        let serves = Serves::Io(class);
        let targets = vec![FoundTarget {
            plan,
            serves,
            durable: Durable::WritesAndFlushes,
            settable: Settable::No,
        }];
        let site = Site { targets, cpus: 2, engine: Box::new(move |_| Ok(engine)) };
        Draft::new(&suite, &wishes).unwrap().resolve(&site)
    };
    let fault = resolve(Engine::IoUringIoPoll).unwrap_err();
    assert_eq!(fault.what(), "engine io_uring_iopoll cannot flush");
    assert_eq!(fault.fix_hint(), Some("use --engine io_uring"));
    assert!(resolve(Engine::IoUring).is_ok());
}

/// A system that is driven by hand.
struct Hand {
    backend: SystemBackend,
    done: Vec<Completion>,
    seed: u64,
}

impl Hand {
    fn new(target: &str) -> Self {
        let name = target.trim_start_matches("sim:");
        let (name, query) = name.split_once('?').unwrap_or((name, ""));
        let system = System::shipped(name).unwrap().with_query(target, query).unwrap();
        let mut backend = SystemBackend::default();
        let array = backend.add_system(&system, Wear::Random);
        backend.add_target(array);
        assert!(SimTarget::parse(target).unwrap().durable().knows_flushes());
        Self { backend, done: Vec::new(), seed: 1 }
    }

    /// Submits an I/O of 8 KiB anywhere in the first 8 GiB.
    fn submit(&mut self, slot: u32, direction: Direction) {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let offset = (self.seed >> 20) % (1 << 20) * 8192;
        let content = Content::Unique(1);
        self.backend.submit(Io { slot, target: 0, direction, offset, bytes: 8192, content });
    }

    /// Writes so much at random, one after the other, and waits for each.
    fn write(&mut self, count: u32) {
        for _ in 0..count {
            self.submit(0, Direction::Write);
            assert_eq!(self.until(0).result, 8192);
        }
    }

    /// Goes on until the I/O of `slot` completes.
    fn until(&mut self, slot: u32) -> Completion {
        loop {
            self.done.clear();
            let before = self.backend.now();
            self.backend.wait(before + Nanos::from_secs(100), &mut self.done);
            assert!(!self.done.is_empty(), "slot {slot} never completes");
            if let Some(found) = self.done.iter().find(|done| done.slot == slot) {
                return *found;
            }
        }
    }

    /// The same while others read without end, in all other slots; gives how many reads came back.
    fn beside_reads(&mut self, slot: u32) -> (Nanos, usize) {
        let mut reads = 0;
        loop {
            self.done.clear();
            let before = self.backend.now();
            self.backend.wait(before + Nanos::from_secs(100), &mut self.done);
            let mut found = None;
            for done in std::mem::take(&mut self.done) {
                if done.slot == slot {
                    found = Some(done.at);
                    continue;
                }
                reads += 1;
                self.submit(done.slot, Direction::Read);
            }
            if let Some(at) = found {
                return (at, reads);
            }
        }
    }

    /// How long a flush takes, in nanoseconds.
    fn flush(&mut self) -> u64 {
        let before = self.backend.now();
        self.backend.flush(Flush { slot: 1, target: 0 });
        let Completion { at, result, .. } = self.until(1);
        assert_eq!(result, 0);
        at.since(before).0
    }
}

#[test]
fn a_flush_empties_the_cache_of_the_controller() {
    for cache in ["on", "mirrored"] {
        let mut hand = Hand::new(&format!("sim:fastt900?drives=20&write_cache={cache}"));
        hand.write(200);
        assert!(hand.backend.fill_mean() > 0.0, "the writes were acknowledged by the cache");
        let long = hand.flush();
        assert_eq!(hand.backend.fill_mean(), 0.0);
        assert_eq!(hand.backend.in_flight(), 0, "no row is on its way");
        let short = hand.flush();
        assert!(long > 10 * MS && short < MS, "{long} ns, then {short} ns");
    }
}

#[test]
fn without_a_cache_a_flush_has_nothing_to_wait_for() {
    let mut hand = Hand::new("sim:fastt900?drives=20&write_cache=off");
    hand.write(50);
    assert!(hand.flush() < MS);
}

#[test]
fn a_flush_does_not_wait_for_writes_that_come_after_it() {
    let mut hand = Hand::new("sim:fastt900?drives=20&write_cache=on");
    hand.write(200);
    let alone = hand.flush();
    hand.write(200);
    let before = hand.backend.now();
    hand.backend.flush(Flush { slot: 1, target: 0 });
    // Others go on writing, without end.
    let mut flushed = None;
    (2..6).for_each(|slot| hand.submit(slot, Direction::Write));
    while flushed.is_none() {
        hand.done.clear();
        let now = hand.backend.now();
        hand.backend.wait(now + Nanos::from_secs(100), &mut hand.done);
        for done in std::mem::take(&mut hand.done) {
            match done.slot {
                1 => flushed = Some(done.at.since(before).0),
                slot => hand.submit(slot, Direction::Write),
            }
        }
    }
    let beside = flushed.unwrap();
    assert!(beside < 1_000 * alone, "{beside} ns, {alone} ns alone");
    assert!(hand.backend.fill_mean() > 0.0, "what came later is still there");
}

#[test]
fn a_flush_empties_the_cache_of_a_disk() {
    let mut hand = Hand::new("sim:drive/hdd-sas-15k-600?disk_cache=on");
    hand.write(30);
    let (long, short) = (hand.flush(), hand.flush());
    // The last of the writes is on its way still, which takes the arm and the platter some time.
    assert!(long > 2 * MS && short < MS, "{long} ns, then {short} ns");
}

#[test]
fn a_flush_of_a_disk_is_not_put_off_by_others_that_read() {
    let mut hand = Hand::new("sim:drive/hdd-sas-15k-600?disk_cache=on");
    (2..10).for_each(|slot| hand.submit(slot, Direction::Read));
    for _ in 0..8 {
        hand.submit(0, Direction::Write);
        hand.beside_reads(0);
    }
    let before = hand.backend.now();
    hand.backend.flush(Flush { slot: 1, target: 0 });
    let (at, reads) = hand.beside_reads(1);
    let long = at.since(before).0;
    assert!(reads > 0 && long > 2 * MS, "{reads} reads in {long} ns");
    assert!(long < 1_000 * MS, "it is not put off: {long} ns");
}

#[test]
fn a_flush_waits_for_the_cells_of_a_solid_state_drive() {
    let mut hand = Hand::new("sim:drive/ssd-sata25-32");
    hand.write(4);
    let (long, short) = (hand.flush(), hand.flush());
    assert!(short < long, "{long} ns, then {short} ns");
}

/// Flushes and writes per second, and the mean time of a flush in milliseconds.
fn log_on(target: &str, outstanding: u32) -> (PointResult, f64, f64) {
    let (point, outcome) = measure(target, log(outstanding), 4);
    assert_eq!((outcome.lost, outcome.error_count()), (0, 0));
    let flush = *point.class(FLUSH).unwrap();
    (point, flush.rate, flush.latency_ms.mean)
}

#[test]
fn a_log_on_a_subsystem_is_the_same_every_time() {
    let target = "sim:fastt900?drives=20&write_cache=on";
    let (first, rate, mean) = log_on(target, 4);
    assert_eq!(first, log_on(target, 4).0);
    assert!(near(rate, first.rate.mean), "{rate} flushes/s after {} writes/s", first.rate.mean);
    // A write waits for the cache, its flush for a disk.
    assert!(mean > 5.0 * first.latency_ms.mean, "{mean} ms, {} ms", first.latency_ms.mean);
}
