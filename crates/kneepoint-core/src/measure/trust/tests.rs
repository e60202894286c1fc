//! Observations that were made up, and what is concluded from them.

use super::*;
use crate::plan::{Caching, Engine};
use crate::result::{ClockOffset, Severity};
use crate::words::load::LoadUnit;

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
        foreign_cpu_max: None,
        is_durable: false,
        errors: 0,
    }
}

#[test]
fn what_a_file_system_writes_for_durable_writes_is_not_blamed_on_others() {
    let durable = Issued { is_durable: true, ..issued() };
    let mut observation = quiet();
    observation.devices[0].written.bytes *= 2.0;
    observation.devices[0].written.operations *= 2.0;
    assert!(names(&durable, &observation).is_empty());
    assert!(!names(&issued(), &observation).is_empty(), "without it, they are others'");
    let mut observation = quiet();
    observation.devices[0].read.bytes *= 2.0;
    observation.devices[0].read.operations *= 2.0;
    assert!(!names(&durable, &observation).is_empty(), "reads are still others'");
}

/// What a quiet machine with two processors shows of it.
fn quiet() -> Observation {
    let [read, written] = issued().targets[0];
    Observation {
        host: String::new(),
        machine: String::new(),
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
        waits: Waits { workers_s: Some(0.02), kernel_threads_s: Some(0.1), any_s: Some(0.5) },
        worker_cpus: 2,
        clock_step_s: 1e-6,
        devices: vec![DeviceTraffic {
            name: "sda".to_owned(),
            targets: vec![0],
            read,
            written,
            accounting: Accounting::Exact,
            needs_kernel_threads: false,
            cached_bytes: Some(0),
        }],
    }
}

/// Names of the findings: those that disturb with their share, those that spoil with an exclamation
/// mark.
fn names(issued: &Issued, observation: &Observation) -> Vec<String> {
    let name = |finding: Warning| match (finding.severity(), finding.disturbed_percent()) {
        (Severity::Disturbs, Some(percent)) => format!("{} {percent:.0} %", finding.kind()),
        (Severity::Disturbs, None) => finding.kind() + "!",
        (Severity::Note | Severity::Limits, _) => finding.kind(),
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
    check("no reads", |_, seen| seen.devices[0].read = none, &["page_cache_suspected"]);
    check("no writes", |_, seen| seen.devices[0].written = none, &["page_cache_suspected"]);
    check(
        "in the cache",
        |_, seen| {
            seen.devices[0].read = none;
            seen.devices[0].cached_bytes = Some(64 << 20);
        },
        &["o_direct_not_honoured"],
    );
    check("4 % less", |_, seen| seen.devices[0].read = seen.devices[0].read.times(0.96), &[]);
    check(
        "copies on write hide no missing reads",
        |_, seen| {
            seen.devices[0].accounting = Accounting::AtLeast;
            seen.devices[0].read = none;
            seen.devices[0].written = seen.devices[0].written.times(5.0);
        },
        &["page_cache_suspected"],
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
        &["page_cache"],
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
    check("a backup", other(100.0, 50.0 * MIB), &["other_device_load 30 %"]);
    check("a journal", other(30.0, 0.4 * MIB), &[]);
    check("small I/Os", other(2_000.0, 4096.0 * 2_000.0), &["other_device_load 12 %"]);
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

/// Other programs use `others_s` of 20 s.
fn busy(seen: &mut Observation, others_s: f64) {
    processor(seen).user_s = 0.9 + others_s;
    processor(seen).system_s = 1.8;
}

#[test]
fn other_load_on_the_processors_disturbs_as_far_as_it_made_the_ios_wait() {
    check("one of two CPUs", |_, seen| busy(seen, 10.0), &["other_cpu_load"]);
    check("below 5 %", |_, seen| busy(seen, 0.9), &[]);
    check(
        "the generator waited",
        |_, seen| {
            busy(seen, 10.0);
            seen.waits.workers_s = Some(1.3);
        },
        &["other_cpu_load 13 %"],
    );
    check(
        "no one waits for others longer than they ran",
        |_, seen| {
            busy(seen, 1.5);
            seen.waits.workers_s = Some(9.0);
        },
        &["other_cpu_load 15 %"],
    );
    check(
        "threads of the kernel waited that our I/Os do not need",
        |_, seen| {
            busy(seen, 10.0);
            seen.waits.kernel_threads_s = Some(5.0);
        },
        &["other_cpu_load"],
    );
    check(
        "threads of the kernel that carry out our I/Os waited, and the generator, too",
        |_, seen| {
            busy(seen, 10.0);
            seen.waits.workers_s = Some(1.0);
            seen.waits.kernel_threads_s = Some(5.0);
            seen.devices[0].needs_kernel_threads = true;
        },
        &["other_cpu_load 55 %"],
    );
    check(
        "threads of the kernel that work for us",
        |_, seen| {
            processor(seen).system_s = 9.0;
            processor(seen).kernel_threads_s = Some(7.2);
        },
        &[],
    );
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
fn where_the_kernel_does_not_tell_who_waited_only_a_busy_machine_disturbs() {
    let blind = |others_s: f64, any_s: Option<f64>| {
        move |_: &mut Issued, seen: &mut Observation| {
            busy(seen, others_s);
            seen.waits = Waits { any_s, ..Waits::default() };
        }
    };
    check("half busy", blind(7.0, Some(4.0)), &["other_cpu_load"]);
    check("busy", blind(16.5, Some(4.0)), &["other_cpu_load 40 %"]);
    check("busy, without pressure", blind(16.5, None), &["other_cpu_load 100 %"]);
}

#[test]
fn a_limit_for_other_programs_holds_whatever_they_changed() {
    let limited = |limit: f64| {
        move |issued: &mut Issued, seen: &mut Observation| {
            busy(seen, 4.0);
            issued.foreign_cpu_max = Some(limit);
        }
    };
    check("below", limited(0.25), &["other_cpu_load"]);
    check("above", limited(0.15), &["other_cpu_load 20 %"]);
    check("none", limited(0.0), &["other_cpu_load 20 %"]);
}

#[test]
fn stolen_time_is_charged_by_what_the_generator_used() {
    check("all ours", |_, seen| processor(seen).stolen_s = 2.0, &["cpu_stolen 18 %"]);
    check("a little", |_, seen| processor(seen).stolen_s = 0.4, &[]);
    check(
        "that of others",
        |_, seen| {
            busy(seen, 15.0);
            processor(seen).stolen_s = 2.0;
        },
        &["other_cpu_load", "cpu_stolen"],
    );
}

#[test]
fn what_disturbs_together_leaves_the_product() {
    let share = |changes: &[fn(&mut Observation)]| {
        let mut seen = quiet();
        changes.iter().for_each(|change| change(&mut seen));
        disturbed_percent(&judge(&issued(), &seen))
    };
    let cpu: fn(&mut Observation) = |seen| {
        busy(seen, 10.0);
        seen.waits.workers_s = Some(2.0);
    };
    let device: fn(&mut Observation) = |seen| {
        let all = Traffic { operations: 15_000.0, bytes: 8192.0 * 15_000.0 };
        seen.devices[0].written.add(all);
    };
    let clock: fn(&mut Observation) = |seen| seen.clock_step_s = 1.0;
    assert_eq!(share(&[]), None);
    assert_eq!(share(&[cpu]), Some(20.0));
    assert_eq!(share(&[cpu, device]), Some(60.0));
    assert_eq!(share(&[cpu, clock]), None);
}

#[test]
fn a_generator_at_its_limit() {
    check("one worker", |_, seen| seen.workers_s = vec![9.5], &["generator_bound!"]);
    check("one of two", |_, seen| seen.workers_s = vec![9.5, 1.0], &["generator_bound!"]);
    check("half of it", |_, seen| seen.workers_s = vec![5.0, 5.0], &[]);
    check("many on two CPUs", |_, seen| seen.workers_s = vec![2.0; 10], &["generator_bound!"]);
    check("many with room", |_, seen| seen.workers_s = vec![1.0; 10], &[]);
    check(
        "an open loop spins",
        |issued, seen| {
            issued.load_unit = LoadUnit::OfferedIops;
            seen.workers_s = vec![10.0];
        },
        &[],
    );
    let users = |used_s: f64| {
        move |issued: &mut Issued, seen: &mut Observation| {
            issued.load_unit = LoadUnit::Users;
            seen.workers_s = vec![used_s];
        }
    };
    check("plays users", users(5.5), &["generator_busy!"]);
    check("plays few of them", users(4.5), &[]);
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
    check("forward", |_, seen| seen.clock_step_s = 0.2, &["clock_stepped!"]);
    check("back", |_, seen| seen.clock_step_s = -3600.0, &["clock_stepped!"]);
    check("a slow reading", |_, seen| seen.clock_step_s = 0.001, &[]);
}

#[test]
fn a_host_begins_together_with_the_others_or_the_point_is_disturbed() {
    let interval = Nanos::from_millis(100);
    let kinds = |late: Nanos, clock_bound: Nanos| -> Vec<String> {
        let clock = ClockOffset { offset_us: 0.0, bound_us: clock_bound.0 as f64 / 1e3 };
        let start = HostStart { host: "a".to_owned(), late, clock, drift: None, cpu_percent: 0.0 };
        let found = uncommon_start(&start, interval);
        assert!(found.iter().all(|warning| warning.severity() == Severity::Disturbs));
        found.iter().map(|warning| warning.text()[..16].to_owned()).collect()
    };
    assert!(kinds(interval, interval).is_empty());
    let longer = interval + Nanos(1);
    assert_eq!(kinds(longer, interval), ["on a: began late"]);
    assert_eq!(kinds(interval, longer), ["on a: clock unce"]);
}
