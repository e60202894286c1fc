//! Progress of a phase of preconditioning: a bar on a terminal, a line elsewhere.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget};
use kneepoint_core::measure::Progress;
use kneepoint_core::plan::{Plan, StopRule};
use kneepoint_core::words::number::{Iops, MibPerS, RoundedBytes, Span};
use kneepoint_core::words::units::{Bytes, Nanos};

use super::print::tell;
use super::progress::style;

/// Rates on the screen are those of the last second.
const RECENT: Nanos = Nanos::from_secs(1);

/// Shows how far a phase is.
pub(crate) struct PhaseProgress {
    bar: ProgressBar,
    /// Name of the phase's series.
    name: String,
    goal: Goal,
    interval: Nanos,
    /// Bytes written so far.
    written: u64,
}

/// What a phase goes on for.
#[derive(Debug, Clone, Copy)]
enum Goal {
    /// Bytes of all targets.
    Bytes(u64),
    /// Rounds of this length.
    Rounds(Nanos),
}

impl PhaseProgress {
    /// A phase of `plan`, its only series, begins.
    pub(crate) fn new(plan: &Plan) -> Self {
        let goal = match &plan.timing.stop {
            StopRule::Volume { target_bytes, .. } => Goal::Bytes(target_bytes.iter().sum()),
            StopRule::SteadyState(rule) => Goal::Rounds(rule.round),
            other => Goal::Rounds(other.measure_max()),
        };
        let name = plan.series[0].name.clone();
        let length = match goal {
            Goal::Bytes(bytes) => bytes,
            Goal::Rounds(_) => plan.timing.point_max().0,
        };
        let bar = match stderr().is_terminal() {
            true => {
                ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(10))
            }
            false => {
                tell(beginning(&name, goal, plan.timing.point_max()));
                ProgressBar::hidden()
            }
        };
        bar.set_style(style("{bar:40.cyan/blue} {percent:>3}%  {msg}"));
        Self { bar, name, goal, interval: plan.timing.interval, written: 0 }
    }

    /// An interval has ended.
    pub(crate) fn interval(&mut self, progress: &Progress<'_>) {
        self.written += progress.total.bytes;
        let (seen, most) = progress.collector.progress();
        let time = |intervals: usize| Nanos(self.interval.0 * intervals as u64);
        let (recent, length) = progress.collector.recent(RECENT);
        let seconds = length.as_secs_f64();
        let rates = format!(
            "{}  {}",
            Iops(recent.operations as f64 / seconds),
            MibPerS(Bytes(recent.bytes).as_mib_f64() / seconds)
        );
        let (position, left) = match self.goal {
            Goal::Bytes(bytes) => {
                (self.written.min(bytes), bytes_left(bytes, self.written, time(seen)))
            }
            Goal::Rounds(round) => (time(seen).0, rounds_left(round, time(seen), time(most))),
        };
        self.bar.set_position(position);
        self.bar.set_message(format!("{}: {rates}  {left}", self.name));
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// How a phase is announced where there is no bar.
fn beginning(name: &str, goal: Goal, longest: Nanos) -> String {
    match goal {
        Goal::Bytes(bytes) => format!("{name}: writing {}", RoundedBytes(bytes)),
        Goal::Rounds(round) => {
            format!("{name}: rounds of {round} until steady, {} at most", Span(longest))
        }
    }
}

/// Time that is left at the pace so far.
fn bytes_left(bytes: u64, written: u64, elapsed: Nanos) -> String {
    if written == 0 {
        return format!("0 of {}", RoundedBytes(bytes));
    }
    let missing = bytes.saturating_sub(written);
    let left = elapsed.as_secs_f64() * missing as f64 / written as f64;
    format!(
        "{} of {}, {} left",
        RoundedBytes(written.min(bytes)),
        RoundedBytes(bytes),
        Span(Nanos::from_secs_f64(left))
    )
}

/// The round that runs, and the time that is left if no earlier one is steady.
fn rounds_left(round: Nanos, elapsed: Nanos, longest: Nanos) -> String {
    let number = elapsed.0.saturating_sub(1) / round.0.max(1) + 1;
    let most = longest.0 / round.0.max(1);
    format!("round {number} of {most} at most, {} left at most", Span(longest - elapsed))
}
