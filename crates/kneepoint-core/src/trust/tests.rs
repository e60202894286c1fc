//! Observations that were made up, and what is concluded from them.

use super::*;
use crate::load::LoadUnit;
use crate::plan::{Caching, Engine};

const MIB: f64 = 1_048_576.0;

/// Ten seconds of one target with 1,000 reads and 500 writes of 8 KiB each per second.
fn issued() -> Issued {
    let traffic = |operations: f64| Traffic { operations, bytes: 8192.0 * operations };
    Issued {
        caching: Caching::Direct,
        engine: Engine::IoUring,
        load_unit: LoadUnit::OutstandingIos,
        seconds: 10.0,
        targets: vec![[traffic(10_000.0), traffic(5_000.0)]],
        busiest: vec![traffic(200.0)],
        errors: 0,
    }
}

/// What a quiet machine with two processors shows of it.
fn quiet() -> Observation {
    let [read, written] = issued().targets[0];
    Observation {
        window: 0..100,
        seconds: 10.0,
        processor: Some(ProcessorTime {
            capacity_s: 20.0,
            user_s: 1.0,
            system_s: 2.0,
            stolen_s: 0.0,
            own_user_s: 0.9,
            own_system_s: 1.5,
            kernel_threads_s: Some(0.3),
        }),
        workers_s: vec![2.0],
        worker_cpus: 2,
        clock_step_s: 1e-6,
        devices: vec![DeviceTraffic {
            name: "sda".to_owned(),
            targets: vec![0],
            read,
            written,
            accounting: Accounting::Exact,
            cached_bytes: Some(0),
        }],
    }
}

/// Names of the findings, those that invalidate with an exclamation mark.
fn names(issued: &Issued, observation: &Observation) -> Vec<String> {
    let name = |finding: Finding| {
        let name = finding.text.split(':').next().unwrap_or("").to_owned();
        match finding.weight {
            Weight::Notice => name,
            Weight::Invalidates => name + "!",
        }
    };
    judge(issued, observation).into_iter().map(name).collect()
}

/// What is found once the quiet machine and its load were changed.
fn check(what: &str, change: impl Fn(&mut Issued, &mut Observation), expected: &[&str]) {
    let (mut issued, mut observation) = (issued(), quiet());
    change(&mut issued, &mut observation);
    assert_eq!(names(&issued, &observation), expected, "{what}");
}

fn processor(observation: &mut Observation) -> &mut ProcessorTime {
    observation.processor.as_mut().unwrap()
}

#[test]
fn a_quiet_machine_gives_no_cause_for_doubt() {
    check("quiet", |_, _| {}, &[]);
    check(
        "nothing known",
        |_, seen| *seen = Observation { window: 0..100, ..Default::default() },
        &[],
    );
}

#[test]
fn direct_io_that_did_not_reach_the_device() {
    let none = Traffic::default();
    check("no reads", |_, seen| seen.devices[0].read = none, &["page cache suspected"]);
    check("no writes", |_, seen| seen.devices[0].written = none, &["page cache suspected"]);
    check(
        "in the cache",
        |_, seen| {
            seen.devices[0].read = none;
            seen.devices[0].cached_bytes = Some(64 << 20);
        },
        &["O_DIRECT not honoured"],
    );
    check("4 % less", |_, seen| seen.devices[0].read = seen.devices[0].read.times(0.96), &[]);
    check(
        "copies on write hide no missing reads",
        |_, seen| {
            seen.devices[0].accounting = Accounting::AtLeast;
            seen.devices[0].read = none;
            seen.devices[0].written = seen.devices[0].written.times(5.0);
        },
        &["page cache suspected"],
    );
    check(
        "failed I/Os",
        |issued, seen| {
            issued.errors = 1;
            seen.devices[0].read = none;
        },
        &[],
    );
}

#[test]
fn buffered_io_is_told_and_never_blamed_on_others() {
    check(
        "from memory",
        |issued, seen| {
            issued.caching = Caching::Buffered;
            seen.devices[0].read = Traffic::default();
        },
        &["page cache"],
    );
    check(
        "read-ahead",
        |issued, seen| {
            issued.caching = Caching::Buffered;
            seen.devices[0].read = seen.devices[0].read.times(16.0);
        },
        &[],
    );
}

#[test]
fn other_load_on_the_device() {
    let other = |operations: f64, bytes: f64| {
        move |_: &mut Issued, seen: &mut Observation| {
            seen.devices[0].written.add(Traffic { operations, bytes });
        }
    };
    check("a backup", other(100.0, 50.0 * MIB), &["other load on the device!"]);
    check("a journal", other(30.0, 0.4 * MIB), &[]);
    check("small I/Os", other(2_000.0, 4096.0 * 2_000.0), &["other load on the device!"]);
    check("splits of our own I/Os", other(2_000.0, 0.0), &[]);
    check("4 % more", other(600.0, 4.0 * MIB), &[]);
    check(
        "a file system that copies",
        |_, seen| {
            seen.devices[0].accounting = Accounting::AtLeast;
            seen.devices[0].written = seen.devices[0].written.times(3.0);
        },
        &[],
    );
    check(
        "readings that are late at the end",
        |_, seen| {
            seen.seconds = 11.0;
            seen.devices[0].read = seen.devices[0].read.times(1.1);
            seen.devices[0].written = seen.devices[0].written.times(1.1);
            seen.processor = None;
        },
        &[],
    );
}

#[test]
fn targets_on_one_device_are_taken_together() {
    check(
        "two targets",
        |issued, seen| {
            issued.targets.push(issued.targets[0]);
            issued.busiest.push(issued.busiest[0]);
            seen.devices[0].targets = vec![0, 1];
            seen.devices[0].read = seen.devices[0].read.times(2.0);
            seen.devices[0].written = seen.devices[0].written.times(2.0);
        },
        &[],
    );
}

#[test]
fn other_load_on_the_processors() {
    check("programs", |_, seen| processor(seen).user_s = 2.5, &["other load on the CPU!"]);
    check("system calls", |_, seen| processor(seen).system_s = 3.5, &["other load on the CPU!"]);
    check("below 5 %", |_, seen| processor(seen).user_s = 1.6, &[]);
    check(
        "threads of the kernel that work for us",
        |_, seen| {
            processor(seen).system_s = 9.0;
            processor(seen).kernel_threads_s = Some(7.2);
        },
        &[],
    );
    check(
        "threads of the kernel that cannot be seen",
        |_, seen| {
            processor(seen).system_s = 9.0;
            processor(seen).kernel_threads_s = None;
        },
        &[],
    );
    check("stolen", |_, seen| processor(seen).stolen_s = 2.0, &["CPU stolen!"]);
    check(
        "a few ticks of a short point",
        |_, seen| {
            let time = processor(seen);
            *time = ProcessorTime { capacity_s: 0.4, user_s: 0.09, ..ProcessorTime::default() };
        },
        &[],
    );
}

#[test]
fn a_generator_at_its_limit() {
    check("one worker", |_, seen| seen.workers_s = vec![9.5], &["generator-bound!"]);
    check("one of two", |_, seen| seen.workers_s = vec![9.5, 1.0], &["generator-bound!"]);
    check("half of it", |_, seen| seen.workers_s = vec![5.0, 5.0], &[]);
    check("many on two CPUs", |_, seen| seen.workers_s = vec![2.0; 10], &["generator-bound!"]);
    check("many with room", |_, seen| seen.workers_s = vec![1.0; 10], &[]);
    check(
        "an open loop spins",
        |issued, seen| {
            issued.load_unit = LoadUnit::OfferedIops;
            seen.workers_s = vec![10.0];
        },
        &[],
    );
    check(
        "the null target measures it",
        |issued, seen| {
            issued.engine = Engine::Null;
            seen.workers_s = vec![10.0];
        },
        &[],
    );
}

#[test]
fn a_clock_that_was_set() {
    check("forward", |_, seen| seen.clock_step_s = 0.2, &["clock stepped!"]);
    check("back", |_, seen| seen.clock_step_s = -3600.0, &["clock stepped!"]);
    check("a slow reading", |_, seen| seen.clock_step_s = 0.001, &[]);
}
