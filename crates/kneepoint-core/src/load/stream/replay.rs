//! A stream that replays a trace on a target of any size.

use std::sync::Arc;

use super::sequence::{Drawn, Source, StreamPlan};
use crate::load::backend::{Content, Direction};
use crate::spec::trace::{TraceFit, TraceRecord, TraceWork};
use crate::words::fault::Fault;
use crate::words::units::{Bytes, Nanos};

/// Nanoseconds of a second.
const SECOND: f64 = 1e9;

/// The I/Os of a trace one after the other, from the first again after the last.
#[derive(Debug, Clone)]
pub struct Replay {
    records: Arc<Vec<TraceRecord>>,
    next: usize,
    place: Place,
    pace: Pace,
    serial: u64,
}

/// What becomes of the gaps between I/Os.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Pace {
    /// They are left out: a completion is replaced at once.
    Closed,
    /// They are multiplied by this, so that their mean is a second.
    Recorded(f64),
    /// All of them are a second: the trace has no times.
    Constant,
}

/// Where the offsets of a trace come to be on a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    fit: TraceFit,
    /// A power of two, in bytes.
    align: u64,
    /// Bytes of the trace's devices.
    extent: u64,
    /// Bytes of the target, a multiple of `align`.
    size: u64,
}

impl Replay {
    /// The I/Os of `trace` for the target of `plan`.
    ///
    /// # Errors
    /// When they are not in memory, the target is smaller than the largest of them, or several streams would
    /// share it.
    pub(super) fn new(trace: &TraceWork, plan: &StreamPlan) -> Result<Self, Fault> {
        let align = trace.replay_align_bytes();
        let size = plan.size_bytes / align * align;
        let largest = trace.issued_bytes_max();
        if size < largest {
            return Err(Fault::new(format!("the target is too small for {}", trace.file))
                .because(format!("its largest I/O has {}", Bytes(largest)))
                .fix("use a larger target"));
        }
        if plan.share_count > 1 {
            return Err(Fault::new(format!("{} is one sequence of I/Os", trace.file))
                .because("several workers would share the target, and each would issue all of it")
                .fix("leave out --workers"));
        }
        let pace = match (plan.arrivals, trace.rate_per_s()) {
            (None, _) => Pace::Closed,
            (Some(_), Some(rate_per_s)) => Pace::Recorded(rate_per_s),
            (Some(_), None) => Pace::Constant,
        };
        let place = Place { fit: trace.fit, align, extent: trace.extent_bytes.max(1), size };
        let serial = u64::from(plan.target) << 48;
        Ok(Self { records: trace.loaded()?, next: 0, place, pace, serial })
    }
}

impl Place {
    /// First byte and length of an I/O.
    #[inline]
    fn of(self, record: &TraceRecord) -> (u64, u64) {
        let mask = self.align - 1;
        let bytes = (u64::from(record.bytes) + mask) & !mask;
        let offset = match self.fit {
            TraceFit::Modulo => record.offset % self.size,
            TraceFit::Scale => {
                (u128::from(record.offset) * u128::from(self.size) / u128::from(self.extent)) as u64
            }
        };
        // What would reach beyond the end is moved back.
        ((offset & !mask).min(self.size - bytes), bytes)
    }
}

impl Source for Replay {
    // Never a part of the loop that draws from a profile.
    #[inline(never)]
    fn draw(&mut self) -> Drawn {
        let record = &self.records[self.next];
        self.next += 1;
        if self.next == self.records.len() {
            self.next = 0;
        }
        let (offset, bytes) = self.place.of(record);
        let delay = match self.pace {
            Pace::Closed => Nanos::ZERO,
            Pace::Recorded(rate_per_s) => Nanos((record.gap.0 as f64 * rate_per_s) as u64),
            Pace::Constant => Nanos(SECOND as u64),
        };
        let (direction, content) = match record.is_write {
            false => (Direction::Read, Content::Unique(0)),
            true => {
                self.serial += 1;
                (Direction::Write, Content::Unique(self.serial))
            }
        };
        Drawn { direction, offset, bytes: bytes as u32, content, delay }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::load::stream::ArrivalPlan;
    use crate::plan::Arrivals;
    use crate::spec::trace::{TracePart, TraceReading, TraceRecords};

    fn record(offset: u64, bytes: u32, gap: u64) -> TraceRecord {
        TraceRecord { offset, bytes, gap: Nanos(gap), is_write: offset.is_multiple_of(1024) }
    }

    fn trace(records: Vec<TraceRecord>, (fit, align_bytes): (TraceFit, u64)) -> TraceWork {
        let end = |record: &TraceRecord| record.offset + u64::from(record.bytes);
        let gaps = records.iter().map(|record| record.gap.0);
        TraceWork {
            file: "a.trace".to_owned(),
            part: TracePart::default(),
            digest: String::new(),
            ios: records.len() as u64,
            writes: records.iter().filter(|record| record.is_write).count() as u64,
            span: Nanos(gaps.take(records.len().saturating_sub(1)).sum()),
            extent_bytes: records.iter().map(end).max().unwrap_or(0),
            bytes_max: records.iter().map(|record| u64::from(record.bytes)).max().unwrap_or(0),
            trace_align_bytes: 512,
            align_bytes,
            fit,
            reading: TraceReading::default(),
            records: TraceRecords::new(records),
        }
    }

    fn plan(size_bytes: u64, rate_per_s: Option<f64>) -> StreamPlan {
        let spacing = Arrivals::Recorded;
        StreamPlan {
            seat: crate::load::stream::Seat::alone(0),
            number: 0,
            target: 0,
            size_bytes,
            share: 0,
            share_count: 1,
            slots: 4,
            arrivals: rate_per_s.map(|rate_per_s| ArrivalPlan { rate_per_s, spacing }),
            seed: 1,
        }
    }

    #[track_caller]
    fn check(trace: &TraceWork, size: u64, expected: &[(u64, u32)]) {
        let mut replay = Replay::new(trace, &plan(size, None)).unwrap();
        let drawn: Vec<_> = expected.iter().map(|_| replay.draw()).collect();
        let places: Vec<_> = drawn.iter().map(|io| (io.offset, io.bytes)).collect();
        assert_eq!(places, expected);
        assert!(drawn.iter().all(|io| io.delay == Nanos::ZERO));
    }

    #[test]
    fn offsets_come_onto_targets_of_other_sizes() {
        let records = vec![record(0, 512, 1), record(7680, 1024, 1), record(15872, 512, 1)];
        let with = |how| trace(records.clone(), how);
        let modulo = with((TraceFit::Modulo, 512));
        check(&modulo, 1 << 20, &[(0, 512), (7680, 1024), (15872, 512), (0, 512)]);
        check(&modulo, 8192, &[(0, 512), (7168, 1024), (7680, 512)]);
        check(&with((TraceFit::Scale, 512)), 8192, &[(0, 512), (3584, 1024), (7680, 512)]);
        check(&with((TraceFit::Modulo, 4096)), 8192, &[(0, 4096), (4096, 4096), (4096, 4096)]);
    }

    #[test]
    fn an_aligned_trace_stays_aligned_on_targets_of_other_sizes() {
        let records = vec![record(0, 4096, 1), record(8192, 8192, 1), record(20480, 4096, 1)];
        for fit in [TraceFit::Scale, TraceFit::Modulo] {
            let aligned =
                TraceWork { trace_align_bytes: 4096, ..trace(records.clone(), (fit, 512)) };
            let places = match fit {
                TraceFit::Scale => [(0, 4096), (4096, 8192), (12288, 4096)],
                TraceFit::Modulo => [(0, 4096), (8192, 8192), (4096, 4096)],
            };
            check(&aligned, 16384 + 1536, &places);
        }
        // Those of a trace of single sectors go to any sector.
        let scaled = trace(records, (TraceFit::Scale, 512));
        check(&scaled, 16384 + 1536, &[(0, 4096), (5632, 8192), (13824, 4096)]);
    }

    #[test]
    fn gaps_are_those_of_one_io_per_second() {
        let records = vec![record(0, 512, 1_000), record(512, 512, 3_000), record(0, 512, 2_000)];
        let trace = trace(records, (TraceFit::Modulo, 512));
        let mut replay = Replay::new(&trace, &plan(4096, Some(10.0))).unwrap();
        let gaps: Vec<u64> = (0..4).map(|_| replay.draw().delay.0).collect();
        assert_eq!(gaps, [500_000_000, 1_500_000_000, 1_000_000_000, 500_000_000]);
    }

    #[test]
    fn a_trace_without_times_has_a_constant_pace() {
        let trace = trace(vec![record(0, 512, 0); 3], (TraceFit::Modulo, 512));
        let mut replay = Replay::new(&trace, &plan(4096, Some(10.0))).unwrap();
        assert_eq!(replay.draw().delay, Nanos::from_secs(1));
    }

    #[test]
    fn what_cannot_be_replayed_is_refused() {
        let mut trace = trace(vec![record(0, 8192, 1)], (TraceFit::Modulo, 4096));
        let refused = |trace: &TraceWork, plan: &StreamPlan| {
            Replay::new(trace, plan).err().map(|fault| fault.to_string()).unwrap_or_default()
        };
        let small = refused(&trace, &plan(4096, None));
        assert!(small.contains("too small for a.trace: its largest I/O has 8KiB"), "{small}");
        let shared = StreamPlan { share_count: 2, ..plan(1 << 20, None) };
        assert!(refused(&trace, &shared).contains("one sequence of I/Os"));
        trace.records = TraceRecords::default();
        assert!(refused(&trace, &plan(1 << 20, None)).contains("not in memory"));
    }

    proptest! {
        #[test]
        fn ios_stay_inside_and_aligned(
            offsets in proptest::collection::vec((0..1u64 << 62, 1..1u32 << 20), 1..20),
            size in (1u64 << 21)..(1 << 45), align in 0..13u32, scale in any::<bool>(),
        ) {
            let records = offsets.iter().map(|(offset, bytes)| record(*offset, *bytes, 1)).collect();
            let fit = if scale { TraceFit::Scale } else { TraceFit::Modulo };
            let mut replay =
                Replay::new(&trace(records, (fit, 1 << align)), &plan(size, None)).unwrap();
            for _ in 0..offsets.len() {
                let io = replay.draw();
                prop_assert!(io.offset + u64::from(io.bytes) <= size);
                prop_assert_eq!((io.offset | u64::from(io.bytes)) % (1 << align), 0);
            }
        }
    }
}
