//! The cases: a load on a target, through an engine, with a number of outstanding I/Os.

use std::fmt;

use clap::ValueEnum;

kneepoint_core::named! {
    /// The target of the I/O.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
    pub enum BenchTarget {
        /// Nothing: the cost of the tool alone
        Null = "null",
        /// A compressed RAM disk, filled with incompressible data (as root)
        Zram = "zram",
        /// A file in the page cache
        Cached = "cached",
        /// A file past the page cache
        Direct = "direct",
    }
}

kneepoint_core::named! {
    /// The reads and writes of a case.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Load {
        RandomRead = "4 KiB random read",
        SequentialRead = "64 KiB sequential read",
        Mixed = "8 KiB 67/33",
        RandomWrite = "4 KiB random write",
    }
}

kneepoint_core::named! {
    /// How I/O is issued; the null target has its own engine.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Engine {
        Null = "null",
        IoUring = "io_uring",
        Libaio = "libaio",
        Sync = "sync",
    }
}

/// One case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) target: BenchTarget,
    pub(super) load: Load,
    pub(super) engine: Engine,
    pub(super) outstanding: u32,
    /// I/Os per second that are offered, evenly spaced, with at most this many outstanding; `None`
    /// for as many as there can be.
    pub(super) rate: Option<u32>,
}

/// The numbers of outstanding I/Os.
const OUTSTANDING: [u32; 3] = [1, 32, 128];

/// Offered rates, in I/Os per second: well below what the file of a virtual machine gives, so that
/// no tool falls behind.
const EQUAL_RATES: [u32; 2] = [1_000, 4_000];

/// The core set; a target that is not in it has its cases below.
const CORE: [(Load, Engine, &[u32]); 6] = [
    (Load::RandomRead, Engine::IoUring, &[1, 32, 128]),
    (Load::RandomRead, Engine::Libaio, &[32, 128]),
    (Load::RandomRead, Engine::Sync, &[1]),
    (Load::SequentialRead, Engine::IoUring, &[32]),
    (Load::Mixed, Engine::IoUring, &[32]),
    (Load::RandomWrite, Engine::IoUring, &[32]),
];

impl Load {
    /// Kneepoint's profile, the pattern of fio, and the bytes of an I/O in KiB.
    pub(super) const fn terms(self) -> (&'static str, &'static str, u32) {
        match self {
            Self::RandomRead => ("random-read", "randread", 4),
            Self::SequentialRead => ("streaming", "read", 64),
            Self::Mixed => ("database", "randrw", 8),
            Self::RandomWrite => ("random-write", "randwrite", 4),
        }
    }

    /// True if nothing is written.
    pub(super) const fn is_read_only(self) -> bool {
        matches!(self, Self::RandomRead | Self::SequentialRead)
    }
}

impl Case {
    /// The cases that say most, in about a quarter of an hour.
    pub(super) fn core() -> Vec<Self> {
        let case = |target, (load, engine), outstanding| Self {
            target,
            load,
            engine,
            outstanding,
            rate: None,
        };
        let read = Load::RandomRead;
        let mut cases: Vec<Self> =
            [1, 32].map(|n| case(BenchTarget::Null, (read, Engine::Null), n)).into();
        for target in [BenchTarget::Zram, BenchTarget::Cached] {
            for (load, engine, depths) in CORE {
                if target == BenchTarget::Cached && load == Load::RandomWrite {
                    continue;
                }
                cases.extend(depths.iter().map(|n| case(target, (load, engine), *n)));
            }
            if target == BenchTarget::Zram {
                cases.push(case(target, (Load::RandomWrite, Engine::Libaio), 32));
            }
        }
        let direct = |n| case(BenchTarget::Direct, (read, Engine::IoUring), n);
        cases.extend([1, 32].map(direct));
        // Response times are compared where the rates are equal.
        cases.extend(EQUAL_RATES.map(|rate| Self { rate: Some(rate), ..direct(32) }));
        cases
    }

    /// Every case.
    pub(super) fn all() -> Vec<Self> {
        let mut cases = Vec::new();
        for target in BenchTarget::ALL {
            for load in Load::ALL {
                for engine in engines(target).iter().copied() {
                    let depths = OUTSTANDING.into_iter();
                    let depths = depths.filter(|n| *n == 1 || engine != Engine::Sync);
                    let case = |outstanding| Self { target, load, engine, outstanding, rate: None };
                    cases.extend(depths.map(case));
                }
            }
        }
        cases.extend(Self::core().into_iter().filter(|case| case.rate.is_some()));
        cases
    }
}

/// The engines that a target is driven by.
const fn engines(target: BenchTarget) -> &'static [Engine] {
    match target {
        BenchTarget::Null => &[Engine::Null],
        _ => &[Engine::IoUring, Engine::Libaio, Engine::Sync],
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, load, engine, outstanding, rate } = self;
        let [target, load, engine_name] = [target.name(), load.name(), engine.name()];
        match (engine, rate) {
            (Engine::Null, _) => write!(f, "{target}, {load}, {outstanding}"),
            (_, None) => write!(f, "{target}, {load}, {engine_name}, {outstanding}"),
            (_, Some(rate)) => write!(f, "{target}, {load}, {engine_name}, at {rate} IO/s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_set_is_part_of_all() {
        let all = Case::all();
        let core = Case::core();
        assert!(core.iter().all(|case| all.contains(case)));
        assert_eq!(core.len(), 2 + 10 + 8 + 2 + EQUAL_RATES.len());
        assert_eq!(all.len(), 4 * (3 + 3 * 7) + EQUAL_RATES.len());
    }

    #[test]
    fn sync_has_one_outstanding() {
        assert!(
            Case::all().iter().all(|case| case.engine != Engine::Sync || case.outstanding == 1)
        );
    }

    #[test]
    fn names_tell_cases_apart() {
        let mut names: Vec<String> = Case::all().iter().map(ToString::to_string).collect();
        assert_eq!(names[0], "null, 4 KiB random read, 1");
        assert_eq!(names[12], "zram, 4 KiB random read, io_uring, 1");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), Case::all().len());
    }
}
