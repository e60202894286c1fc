//! Who measures: Kneepoint, fio, and fio's program for peak rates.

use std::fmt;
use std::path::PathBuf;

use super::case::{Case, Engine, Load, TargetKind};
use super::target::Place;

/// A tool with its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    Kneepoint,
    /// With its defaults.
    Fio,
    /// In batches, with registered buffers and files where the engine has them.
    FioBatched,
    /// In batches of at most this many.
    Uring(u32),
}

/// The programs, and how they are run.
#[derive(Debug)]
pub(super) struct Programs {
    pub(super) kneepoint: PathBuf,
    pub(super) fio: PathBuf,
    /// `t/io_uring`, where it was found.
    pub(super) uring: Option<PathBuf>,
    pub(super) cpu: u32,
    pub(super) seconds: u32,
}

/// Kneepoint's warm-up.
const RAMP: &str = "300ms";

/// I/Os that fio submits at a time when it runs in batches.
const FIO_BATCH: u32 = 16;

impl Tool {
    /// The tools for a case, in the order in which they take turns.
    pub(super) fn of(case: &Case, programs: &Programs) -> Vec<Self> {
        let mut tools = vec![Self::Kneepoint, Self::Fio];
        if case.rate.is_some() {
            return tools;
        }
        if matches!(case.engine, Engine::IoUring | Engine::Libaio) {
            tools.push(Self::FioBatched);
        }
        let reads = case.engine == Engine::IoUring && case.load == Load::RandomRead;
        if reads && programs.uring.is_some() {
            tools.extend([Self::Uring(16), Self::Uring(32)]);
        }
        tools
    }

    /// The command, pinned to the CPU.
    pub(super) fn command(self, case: &Case, place: &Place, programs: &Programs) -> Vec<String> {
        let mut words = vec!["taskset".to_owned(), "-c".to_owned(), programs.cpu.to_string()];
        words.extend(match self {
            Self::Kneepoint => kneepoint(case, place, programs),
            Self::Fio => fio(case, place, programs),
            Self::FioBatched => {
                let mut words = fio(case, place, programs);
                words.extend(fio_batches(case));
                words
            }
            Self::Uring(batch) => uring(case, place, (programs, batch)),
        });
        words
    }
}

/// `kneepoint run`.
fn kneepoint(case: &Case, place: &Place, programs: &Programs) -> Vec<String> {
    let profile = match case.load {
        Load::RandomRead => "random-read",
        Load::RandomWrite => "random-write",
        Load::Mixed => "database",
        Load::SequentialRead => "streaming",
    };
    let target = place.kneepoint_target(case.target);
    let mut words = vec![
        programs.kneepoint.display().to_string(),
        "run".to_owned(),
        profile.to_owned(),
        target.clone(),
        format!("--block={}KiB", case.load.block_kib()),
        match case.rate {
            Some(rate) => format!("--rate={rate}"),
            None => format!("--outstanding={}", case.outstanding),
        },
        format!("--time={}s", programs.seconds),
        format!("--ramp={RAMP}"),
        format!("--store={}", place.store().display()),
        "--json=-".to_owned(),
    ];
    if case.engine != Engine::Null {
        words.push(format!("--engine={}", case.engine));
    }
    if case.rate.is_some() {
        words.push("--arrivals=constant".to_owned());
    }
    match case.target {
        TargetKind::Cached => words.push("--buffered".to_owned()),
        TargetKind::Zram if !case.load.is_read_only() => {
            words.push(format!("--overwrite={target}"));
        }
        _ => {}
    }
    words
}

/// fio as it comes.
fn fio(case: &Case, place: &Place, programs: &Programs) -> Vec<String> {
    let pattern = match case.load {
        Load::RandomRead => "randread",
        Load::RandomWrite => "randwrite",
        Load::Mixed => "randrw",
        Load::SequentialRead => "read",
    };
    let engine = match case.engine {
        Engine::Null => "null",
        Engine::IoUring => "io_uring",
        Engine::Libaio => "libaio",
        Engine::Sync => "psync",
    };
    let mut words = vec![
        programs.fio.display().to_string(),
        "--name=bench".to_owned(),
        format!("--ioengine={engine}"),
        format!("--iodepth={}", case.outstanding),
        format!("--rw={pattern}"),
        format!("--bs={}k", case.load.block_kib()),
        "--size=1g".to_owned(),
        "--time_based".to_owned(),
        format!("--runtime={}", programs.seconds),
        // One histogram, as by default, but of the time that Kneepoint takes, too.
        "--lat_percentiles=1".to_owned(),
        "--clat_percentiles=0".to_owned(),
        "--output-format=json".to_owned(),
    ];
    if let Some(rate) = case.rate {
        words.push(format!("--rate_iops={rate}"));
    }
    if case.load == Load::Mixed {
        words.extend(["--rwmixread=67", "--unified_rw_reporting=1"].map(str::to_owned));
    }
    if case.target != TargetKind::Null {
        words.push(format!("--filename={}", place.fio_file(case).display()));
        words.push(format!("--direct={}", u32::from(case.target != TargetKind::Cached)));
    }
    if case.target == TargetKind::Cached {
        words.push("--invalidate=0".to_owned());
    }
    if case.load.is_read_only() {
        words.push("--readonly".to_owned());
    }
    words
}

/// What fio offers against the cost of an I/O, with its accounting left alone.
fn fio_batches(case: &Case) -> Vec<String> {
    let mut words = vec![
        format!("--iodepth_batch_submit={}", FIO_BATCH.min(case.outstanding)),
        "--iodepth_batch_complete_min=1".to_owned(),
        format!("--iodepth_batch_complete_max={}", case.outstanding),
    ];
    if case.engine == Engine::IoUring {
        words.extend(["--fixedbufs", "--registerfiles"].map(str::to_owned));
    }
    words
}

/// `t/io_uring`; its last second goes without a line, so it gets one more.
fn uring(case: &Case, place: &Place, (programs, batch): (&Programs, u32)) -> Vec<String> {
    let program = programs.uring.as_ref().map(|path| path.display().to_string());
    let batch = batch.min(case.outstanding);
    let direct = u32::from(case.target != TargetKind::Cached);
    let options = format!(
        "-d {} -s {batch} -c {batch} -b {} -p 0 -B 1 -F 1 -O {direct} -r {}",
        case.outstanding,
        case.load.block_kib() * 1024,
        programs.seconds + 1,
    );
    let words = program.into_iter().chain(options.split(' ').map(str::to_owned));
    words.chain([place.fio_file(case).display().to_string()]).collect()
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kneepoint => f.write_str("Kneepoint"),
            Self::Fio => f.write_str("fio"),
            Self::FioBatched => f.write_str("fio batched"),
            Self::Uring(batch) => write!(f, "t/io_uring, {batch} at a time"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn programs() -> Programs {
        Programs {
            kneepoint: "kneepoint".into(),
            fio: "fio".into(),
            uring: Some("t_io_uring".into()),
            cpu: 1,
            seconds: 2,
        }
    }

    fn command(tool: Tool, case: Case) -> String {
        let place = Place { folder: "/x".into(), zram: None };
        tool.command(&case, &place, &programs()).join(" ")
    }

    fn check(tool: Tool, case: Case, expected: &str) {
        assert_eq!(command(tool, case), expected);
    }

    const READ: Case = Case {
        target: TargetKind::Cached,
        load: Load::RandomRead,
        engine: Engine::IoUring,
        outstanding: 8,
        rate: None,
    };

    #[test]
    fn commands_are_what_would_be_typed() {
        check(
            Tool::Kneepoint,
            READ,
            "taskset -c 1 kneepoint run random-read /x/cached.dat --block=4KiB --outstanding=8 \
             --time=2s --ramp=300ms --store=/x/kneepoint.db --json=- --engine=io_uring --buffered",
        );
        check(
            Tool::FioBatched,
            READ,
            "taskset -c 1 fio --name=bench --ioengine=io_uring --iodepth=8 --rw=randread --bs=4k \
             --size=1g --time_based --runtime=2 --lat_percentiles=1 \
             --clat_percentiles=0 --output-format=json \
             --filename=/x/cached.dat --direct=0 --invalidate=0 --readonly \
             --iodepth_batch_submit=8 --iodepth_batch_complete_min=1 \
             --iodepth_batch_complete_max=8 --fixedbufs --registerfiles",
        );
        check(
            Tool::Uring(16),
            READ,
            "taskset -c 1 t_io_uring -d 8 -s 8 -c 8 -b 4096 -p 0 -B 1 -F 1 -O 0 -r 3 \
             /x/cached.dat",
        );
    }

    #[test]
    fn an_offered_rate_is_evenly_spaced_by_both() {
        let case = Case { rate: Some(4_000), ..READ };
        let ours = command(Tool::Kneepoint, case);
        assert!(ours.contains("--rate=4000") && ours.contains("--arrivals=constant"), "{ours}");
        assert!(!ours.contains("--outstanding"), "{ours}");
        let fio = command(Tool::Fio, case);
        assert!(fio.contains("--iodepth=8") && fio.contains("--rate_iops=4000"), "{fio}");
        assert_eq!(Tool::of(&case, &programs()), [Tool::Kneepoint, Tool::Fio]);
    }

    #[test]
    fn fio_writes_to_a_file_of_its_own() {
        let case = Case { load: Load::Mixed, engine: Engine::Libaio, ..READ };
        check(
            Tool::Fio,
            case,
            "taskset -c 1 fio --name=bench --ioengine=libaio --iodepth=8 --rw=randrw --bs=8k \
             --size=1g --time_based --runtime=2 --lat_percentiles=1 \
             --clat_percentiles=0 --output-format=json \
             --rwmixread=67 --unified_rw_reporting=1 --filename=/x/cached-fio.dat --direct=0 \
             --invalidate=0",
        );
    }
}
