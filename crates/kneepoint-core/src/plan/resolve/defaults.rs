//! The default of every number that a run takes.

use crate::words::class::ClassName;
use crate::words::rule::{Metric, Rule, RuleLimit};
use crate::words::units::{Bytes, GIB, KIB, MIB, Nanos};

/// The seed of all randomness.
pub const SEED: u64 = 1;

/// A point with more failed I/Os than this ends at once.
pub const ERRORS_MAX: u64 = 10;

/// Size of a test file: that of the published suites.
pub(super) const TEST_FILE: Bytes = Bytes(8 * GIB);

/// Half-width of the 95 % confidence intervals at which a point ends, in percent: the papers' own.
pub(super) const ACCURACY_PERCENT: f64 = 5.0;

/// Shortest ramp of a point that ends by its accuracy; the data can make it longer.
pub(super) const RAMP: Nanos = Nanos::from_millis(500);

/// Ramp of a point of a fixed time.
pub(super) const RAMP_FIXED: Nanos = Nanos::from_secs(1);

/// Shortest time to measure a point that ends by its accuracy.
pub(super) const MEASURE_MIN: Nanos = Nanos::from_secs(2);

/// Longest time to measure it.
pub(super) const MEASURE_MAX: Nanos = Nanos::from_secs(30);

/// What a first impression takes instead.
pub(super) mod quick {
    use super::Nanos;

    pub(in super::super) const ACCURACY_PERCENT: f64 = 10.0;
    pub(in super::super) const RAMP: Nanos = Nanos::from_millis(200);
    pub(in super::super) const MEASURE_MIN: Nanos = Nanos::from_millis(500);
    pub(in super::super) const MEASURE_MAX: Nanos = Nanos::from_secs(2);
    /// Length of a round of random writes.
    pub(in super::super) const ROUND: Nanos = Nanos::from_secs(1);
    /// Most load levels of a grid.
    pub(in super::super) const LEVELS: usize = 4;
    /// Most copies of files of each kind.
    pub(in super::super) const COPIES: u32 = 3;
}

/// No point is measured for less.
pub(super) const MEASURE_LEAST: Nanos = Nanos::from_millis(100);

/// Time that I/Os in flight get to come back after a point.
pub(super) const DRAIN_MAX: Nanos = Nanos::from_secs(30);

/// Length of the recorder's intervals: the shortest measurement has enough of them to see whether
/// neighbours are correlated.
pub(super) const INTERVAL: Nanos = Nanos::from_millis(20);

/// The same if measuring can end before [`FINE_BELOW`].
pub(super) const INTERVAL_FINE: Nanos = Nanos::from_millis(10);

/// Shorter measurements have fine intervals.
pub(super) const FINE_BELOW: Nanos = Nanos::from_secs(1);

/// Long measurements have this many longer intervals, each of at most [`INTERVAL_MAX`]: their
/// histograms are kept in memory.
pub(super) const INTERVAL_COUNT: u64 = 3_000;

/// The shortest measurement has at least this number of intervals.
pub(super) const INTERVALS_LEAST: u64 = 50;

/// Intervals are so long for each host of a fleet, if that is more: whoever merges them takes 5,000 of them in
/// a second, which is a tenth of a processor.
pub(super) const HOST_INTERVAL: Nanos = Nanos(200_000);

/// The longest intervals: progress and Ctrl-C wait for their ends.
pub(super) const INTERVAL_MAX: Nanos = Nanos::from_secs(1);

/// Buffers for the I/Os in flight in an open loop, per target.
pub(super) const IN_FLIGHT_BYTES: u64 = 64 * MIB;

/// Threads that the synchronous engine may have: beyond them they mostly wait for one another.
pub(super) const THREADS_MAX: f64 = 1024.0;

/// Rounds until steady state: the test of the SNIA Solid State Storage Performance Test
/// Specification 2.0.2, section 2.1.24.
pub(super) mod steady {
    /// Rounds that are looked at.
    pub(in super::super) const WINDOW: u32 = 5;
    /// Largest difference between two of them, in percent of their mean.
    pub(in super::super) const RANGE_PERCENT: f64 = 20.0;
    /// Largest change of the line through them, in percent of their mean.
    pub(in super::super) const SLOPE_PERCENT: f64 = 10.0;
    /// Rounds at the most.
    pub(in super::super) const ROUNDS_MAX: u32 = 25;
}

/// What is written before the first point.
pub(super) mod preparation {
    use super::{KIB, MIB, Nanos};

    /// Bytes of a sequential write: that of the SNIA test specification's preconditioning.
    pub(in super::super) const SEQUENTIAL_BLOCK_BYTES: u64 = 128 * KIB;
    /// Bytes of a random write, if the target takes so few.
    pub(in super::super) const RANDOM_BLOCK_BYTES: u64 = 4 * KIB;
    /// Outstanding writes per target: enough to keep a drive busy, few enough for any.
    pub(in super::super) const OUTSTANDING: u32 = 32;
    /// How often everything that is used is written over in sequence.
    pub(in super::super) const PASSES: u32 = 2;
    /// Length of a round of random writes.
    pub(in super::super) const ROUND: Nanos = Nanos::from_secs(60);
    /// A target that writes fewer bytes per second in sequence is broken, and given up.
    pub(in super::super) const SLOWEST_BYTES_PER_S: u64 = MIB;
    /// The sequential part never has less time than this.
    pub(in super::super) const SEQUENTIAL_TIME_MIN: Nanos = Nanos::from_secs(60);
    /// A look at the bytes comes about this often in the time that a fast target takes.
    pub(in super::super) const LOOKS: u64 = 1_000;
    /// Bytes per second of a fast target.
    pub(in super::super) const FAST_BYTES_PER_S: u64 = 4096 * MIB;
    /// Looks are never closer than this.
    pub(in super::super) const LOOK_MIN: Nanos = Nanos::from_millis(20);
    /// Looks are never further apart: progress and Ctrl-C wait for them.
    pub(in super::super) const LOOK_MAX: Nanos = Nanos::from_secs(1);
}

/// Share of the processors whose use by other programs disturbs a point of work that is bound by them, if
/// no one says: what they take, it lacks.
pub(super) const FOREIGN_CPU_PERCENT: f64 = 5.0;

/// Fewest warehouses up to which business operations are measured if no one says.
pub(super) const WAREHOUSES_MIN: u32 = 8;

/// The rule of business operations that name none: no more than twice the mean response time of one
/// warehouse.
pub(super) fn business_rules() -> Vec<Rule> {
    let limit = RuleLimit::Multiple { thousandths: 2_000, load: 1 };
    vec![Rule { class: None, metric: Metric::Mean, limit }]
}

/// The rule of operations on files that name none: no more than twice the mean response time of one
/// outstanding operation.
pub(super) fn file_rules() -> Vec<Rule> {
    business_rules()
}

/// Copies of programs.
pub(super) mod rounds {
    use super::Nanos;

    /// Passes at the least; the median of the rounds of a program, one in each pass, counts.
    pub(in super::super) const PASSES_MIN: u32 = 3;
    /// Passes at the most.
    pub(in super::super) const PASSES_MAX: u32 = 12;
    /// The same for a first impression.
    pub(in super::super) const PASSES_MAX_QUICK: u32 = 5;
    /// How often progress is told.
    pub(in super::super) const INTERVAL: Nanos = Nanos::from_millis(100);
    /// Up to this number of processors every number of copies is measured.
    pub(in super::super) const CPUS_FEW: u32 = 4;
}

/// The rule of copies of programs that name none: no more than one and a half times the mean time of one
/// copy.
pub(super) fn copies_rules() -> Vec<Rule> {
    let limit = RuleLimit::Multiple { thousandths: 1_500, load: 1 };
    vec![Rule { class: None, metric: Metric::Mean, limit }]
}

/// The rule of users that name none: no more than twice the mean response time of five users, as the
/// published measurements of terminal servers judge.
pub(super) fn user_rules() -> Vec<Rule> {
    let limit = RuleLimit::Multiple { thousandths: 2_000, load: 5 };
    vec![Rule { class: None, metric: Metric::Mean, limit }]
}

/// The rules of users at screens that name none: as those of users, but a stroke alone is judged.
pub(super) fn screen_rules() -> Vec<Rule> {
    let class = Some(ClassName::KEYSTROKE);
    user_rules().into_iter().map(|rule| Rule { class, ..rule }).collect()
}
