//! Progress on standard error: a line per finished point or copy, and bars below them on a
//! terminal; how long the rest takes, as far as one can tell.

use std::cell::Cell;
use std::io::{IsTerminal, stderr};
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use kneepoint_core::measure::search::AnswerSoFar;
use kneepoint_core::measure::{LoadDifference, NextCopy, Point, Progress, Turn};
use kneepoint_core::plan::{Engine, Plan, StopRule};
use kneepoint_core::result::{CopyResult, Estimate, PointResult, Throughput, ThroughputUnit};
use kneepoint_core::words::number::{
    Iops, Measured, MibPerS, Percentage, ResponseTime, RoundedBytes, Span,
};
use kneepoint_core::words::printable::printable;
use kneepoint_core::words::units::{Bytes, Nanos};

use super::live::known_text;
use super::print::tell;
use super::result::verdict_tone;
use super::rule::within;
use super::text::{Colours, Text, Tone};

/// Shows how far a run is.
pub(crate) struct RunProgress {
    bars: Option<Bars>,
    points_total: usize,
    points_done: usize,
    pace: Pace,
    /// When measuring began.
    begun: Instant,
    /// When the current point began.
    point_begun: Cell<Instant>,
    /// Of two sides that are measured by turns, the one that the next point belongs to.
    side: &'static str,
    /// The difference so far.
    known: String,
    /// The answers of the search that the next point belongs to.
    answers: Vec<AnswerSoFar>,
}

/// Rates on the screen are those of the last half second.
const RECENT: Nanos = Nanos::from_millis(500);

struct Bars {
    all: MultiProgress,
    total: ProgressBar,
    point: ProgressBar,
}

impl RunProgress {
    /// Progress over `points_total` points of `plan`.
    pub(crate) fn new(plan: &Plan, points_total: usize) -> Self {
        let bars = stderr().is_terminal().then(Bars::new);
        let duration = |nanos: Nanos| Duration::from_nanos(nanos.0);
        let (least, most) = (plan.timing.point_min(), plan.timing.point_max());
        // Simulated points take virtual time: only measuring tells.
        let is_real = plan.engine.engine != Engine::Sim;
        let pace = Pace::of(is_real.then(|| expected(duration(least), duration(most))));
        let now = Instant::now();
        let point_begun = Cell::new(now);
        Self {
            bars,
            points_total,
            points_done: 0,
            pace,
            begun: now,
            point_begun,
            side: "",
            known: String::new(),
            answers: Vec::new(),
        }
    }

    /// A point begins.
    pub(crate) fn begin(&self, point: &Point<'_>) {
        self.point_begun.set(Instant::now());
        if let Some(bars) = &self.bars {
            bars.point.set_message(format!("{}: starting", name(point)));
            self.update_total(bars);
        }
    }

    /// An interval of the point has ended.
    pub(crate) fn interval(&self, point: &Point<'_>, progress: &Progress<'_>) {
        let Some(bars) = &self.bars else { return };
        bars.point.tick();
        let (total, length) = progress.collector.recent(RECENT);
        let seconds = length.as_secs_f64();
        let phase = if progress.collector.is_ramping() { " (ramp)" } else { "" };
        bars.point.set_message(format!(
            "{}{phase}: {}  {}",
            name(point),
            rates(
                (ThroughputUnit::under(point.load.unit), total.operations as f64 / seconds),
                point.series.profile.storage().map(|_| Bytes(total.bytes).as_mib_f64() / seconds),
            ),
            ResponseTime(total.latency_ns_mean() / 1e6),
        ));
        self.update_total(bars);
    }

    /// The answers of the search that the point belongs to which is measured now.
    pub(crate) fn answers(&mut self, answers: &[AnswerSoFar]) {
        self.answers = answers.to_vec();
    }

    /// The side that is measured next, and the difference so far.
    pub(crate) fn turn(&mut self, turn: Turn, known: &LoadDifference) {
        self.side = turn.label();
        self.known = known_text(known);
    }

    /// A point is measured: its line stays, above the bars where there are some.
    pub(crate) fn end(&mut self, result: &PointResult) {
        self.points_done += 1;
        self.pace.add(self.point_begun.get().elapsed());
        let blank = if self.side.is_empty() { "" } else { " " };
        let line = Text::from(format!(
            "[{}/{}] {}{blank}{}, {}: {}  {}  ",
            self.points_done,
            // Disturbed points are measured again, and searches narrow brackets.
            self.points_total.max(self.points_done),
            self.side,
            printable(&result.key().to_string()),
            result.load,
            rates(
                (result.rate.unit, result.rate.estimate()),
                result.volume.map(Throughput::estimate),
            ),
            ResponseTime(result.latency_ms.estimate()),
        ))
        .with(verdict_tone(result), result.verdict_text())
        .with(Tone::Plain, answers_text(result.rate.unit, &std::mem::take(&mut self.answers)))
        .with(Tone::Plain, std::mem::take(&mut self.known));
        match &self.bars {
            Some(bars) => {
                // No one is left to hear of it where the terminal is gone.
                let _ = bars.all.println(line.rendered(Colours::of(&stderr())));
                // They come back with the next point; what is done before it may print.
                let _ = bars.all.clear();
            }
            None => tell(line),
        }
    }

    /// Takes the bars away.
    pub(crate) fn finish(&self) {
        if let Some(bars) = &self.bars {
            bars.point.finish_and_clear();
            bars.total.finish_and_clear();
            let _ = bars.all.clear();
        }
    }

    fn update_total(&self, bars: &Bars) {
        let after = self.points_total.saturating_sub(self.points_done + 1);
        let number = (self.points_done + 1).min(self.points_total);
        let place = format!("point {number} of {}", self.points_total);
        let running = self.point_begun.get().elapsed();
        match self.pace.left(running, u32::try_from(after).unwrap_or(u32::MAX)) {
            Some(left) => {
                let elapsed = self.begun.elapsed();
                bars.total.set_length((elapsed + left).as_millis() as u64);
                bars.total.set_position(elapsed.as_millis() as u64);
                let left = Span(Nanos::from_secs_f64(left.as_secs_f64()));
                bars.total.set_message(format!("{place}, about {left} left"));
            }
            None => {
                bars.total.set_length(self.points_total as u64);
                bars.total.set_position(self.points_done as u64);
                bars.total.set_message(place);
            }
        }
    }
}

impl Bars {
    fn new() -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        let total = all.add(ProgressBar::new(0));
        total.set_style(style("{bar:24.cyan/blue} {percent:>3}%  {msg}"));
        let point = all.add(ProgressBar::new_spinner());
        point.set_style(style("{spinner} {wide_msg}"));
        Self { all, total, point }
    }
}

/// The answers that a search has so far, behind the line of the load that it visited.
fn answers_text(unit: ThroughputUnit, answers: &[AnswerSoFar]) -> String {
    let answer = |answer: &AnswerSoFar| {
        let width = Percentage(answer.ci95_percent);
        let rate =
            Estimate { mean: answer.rate, ci95: Some(answer.rate * answer.ci95_percent / 100.0) };
        format!("  {}: {} +-{width}", within(&answer.rule.to_string()), unit.text(rate))
    };
    answers.iter().map(answer).collect()
}

/// Operations per second, and MiB/s where bytes count.
fn rates<N: Copy + Into<Measured>>((unit, per_s): (ThroughputUnit, N), mib_s: Option<N>) -> String {
    let mib_s = mib_s.map_or_else(String::new, |mib_s| format!("  {}", MibPerS(mib_s)));
    format!("{}{mib_s}", unit.text(per_s))
}

/// Series and load of a point.
fn name(point: &Point<'_>) -> String {
    format!("{}, {}", printable(&point.series.key().to_string()), point.load)
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A bar of that length; hidden where standard error is no terminal.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(10));
    bar.set_style(style(template));
    bar
}

/// A bar for writing a test file.
pub(crate) fn layout_bar(target: &str, size: Bytes) -> ProgressBar {
    let target = printable(target);
    let bar = bar(
        size.0,
        "writing {msg}  {bar:20.cyan/blue} {binary_bytes}/{binary_total_bytes}  {binary_bytes_per_sec}  {eta} left",
    );
    if bar.is_hidden() {
        tell(layout_text(&target, size));
    }
    bar.set_message(target.into_owned());
    bar
}

/// How the writing of a test file is announced where there is no bar.
pub(super) fn layout_text(target: &str, size: Bytes) -> String {
    format!("writing test file {target}, {}", RoundedBytes(size.0))
}

/// Rates on the screen are those of the last second.
const PHASE_RECENT: Nanos = Nanos::from_secs(1);

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

/// The goal of a phase.
#[derive(Debug, Clone, Copy)]
pub(super) enum Goal {
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
        let bar = bar(length, "{bar:40.cyan/blue} {percent:>3}%  {msg}");
        if bar.is_hidden() {
            tell(beginning(&name, goal, plan.timing.point_max()));
        }
        Self { bar, name, goal, interval: plan.timing.interval, written: 0 }
    }

    /// An interval has ended.
    pub(crate) fn interval(&mut self, progress: &Progress<'_>) {
        self.written += progress.total.bytes;
        let (seen, most) = progress.collector.progress();
        let time = |intervals: usize| Nanos(self.interval.0 * intervals as u64);
        let (recent, length) = progress.collector.recent(PHASE_RECENT);
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
pub(super) fn beginning(name: &str, goal: Goal, longest: Nanos) -> String {
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
pub(super) fn rounds_left(round: Nanos, elapsed: Nanos, longest: Nanos) -> String {
    let number = elapsed.0.saturating_sub(1) / round.0.max(1) + 1;
    let most = longest.0 / round.0.max(1);
    format!("round {number} of {most} at most, {} left at most", Span(longest - elapsed))
}

/// Shows how far the copies are; the bar goes away with it.
pub(crate) struct CopyProgress {
    bar: ProgressBar,
    total: usize,
}

impl CopyProgress {
    /// Progress over all copies of `plan`, of which `made` are made.
    pub(crate) fn new(plan: &Plan, made: usize) -> Self {
        let targets = plan.targets.iter().filter(|target| target.takes_copies()).count();
        let total = targets * plan.file_copy.as_ref().map_or(0, |copy| copy.count());
        let bar = bar(total as u64, "{bar:40.cyan/blue} {pos}/{len} copies  {msg}");
        bar.set_position(made as u64);
        Self { bar, total }
    }

    /// A copy begins.
    pub(crate) fn begin(&self, next: &NextCopy<'_>) {
        self.bar.set_message(format!("{}, {}", next.method.name(), next.cache.name()));
    }

    /// A copy has ended; `made` are made now.
    pub(crate) fn end(&self, copy: &CopyResult, made: usize) {
        let kind = format!("{}, {}", copy.method.name(), copy.cache.name());
        let line = match (&copy.error, copy.elapsed_s) {
            (Some(error), _) => format!("{kind}: failed: {error}"),
            (None, elapsed) => {
                let rate = Bytes(copy.bytes).as_mib_f64() / elapsed.unwrap_or(f64::NAN);
                format!("{kind}: {}", MibPerS(rate))
            }
        };
        let line = format!("[copy {made}/{}] {line}", self.total);
        self.bar.set_position(made as u64);
        self.bar.suspend(|| tell(line));
    }
}

impl Drop for CopyProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for writing the files that are copied; moves by bytes.
pub(crate) fn source_bar(path: &Path, (count, bytes): (u32, Bytes)) -> ProgressBar {
    let what = source_text(path, count);
    let bar = bar(
        bytes.0,
        "writing {msg}  {bar:30.cyan/blue} {binary_bytes}/{binary_total_bytes}  {eta} left",
    );
    if bar.is_hidden() {
        tell(format!("preparing {what}, {}", RoundedBytes(bytes.0)));
    }
    bar.set_message(what);
    bar
}

/// The files that are copied.
pub(super) fn source_text(path: &Path, count: u32) -> String {
    format!("{count} files of the file copy in {}", path.display())
}

/// Time that points take on the clock of the wall: those that were measured say it; before the
/// first of them the plan does.
#[derive(Debug, Clone, Copy)]
struct Pace {
    /// The expected time of a point before any is measured; `None` where only measuring tells.
    beforehand: Option<Duration>,
    points: u32,
    elapsed: Duration,
}

impl Pace {
    /// Nothing was measured yet.
    const fn of(beforehand: Option<Duration>) -> Self {
        Self { beforehand, points: 0, elapsed: Duration::ZERO }
    }

    /// A point took this long.
    fn add(&mut self, elapsed: Duration) {
        self.points += 1;
        self.elapsed += elapsed;
    }

    /// The expected time of the next point. What was expected beforehand counts as one point: a
    /// first point that was quickly steady does not make the others quick.
    fn point(&self) -> Option<Duration> {
        let known = self.points + u32::from(self.beforehand.is_some());
        let sum = self.elapsed + self.beforehand.unwrap_or_default();
        (known > 0).then(|| sum / known)
    }

    /// The time left when the current point has run for `running` and `after` points follow it.
    fn left(&self, running: Duration, after: u32) -> Option<Duration> {
        let point = self.point()?;
        Some(point * after + point.saturating_sub(running))
    }
}

/// The expected time of something that ends between `least` and `most` once it is accurate enough:
/// the geometric mean, so that it is as likely to be off by a factor to either side.
pub(crate) fn expected(least: Duration, most: Duration) -> Duration {
    Duration::from_secs_f64((least.as_secs_f64() * most.as_secs_f64()).sqrt()).clamp(least, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn secs(secs: u64) -> Duration {
        Duration::from_secs(secs)
    }

    #[test]
    fn the_plan_is_followed_by_what_points_really_take() {
        let mut pace = Pace::of(Some(expected(secs(2), secs(32))));
        assert_eq!(pace.left(Duration::ZERO, 9), Some(secs(80)));
        assert_eq!(pace.left(secs(6), 9), Some(secs(74)));
        // A point that takes longer than expected is over any moment.
        assert_eq!(pace.left(secs(20), 9), Some(secs(72)));
        for _ in 0..3 {
            pace.add(secs(4));
        }
        assert_eq!(pace.point(), Some(secs(5)));
        assert_eq!(pace.left(Duration::ZERO, 5), Some(secs(30)));
    }

    #[test]
    fn nothing_is_said_of_what_nobody_knows() {
        let mut pace = Pace::of(None);
        assert_eq!(pace.left(secs(1), 3), None);
        pace.add(secs(2));
        assert_eq!(pace.left(secs(1), 3), Some(secs(7)));
    }

    #[test]
    fn a_fixed_time_is_expected_as_it_is() {
        assert_eq!(expected(secs(10), secs(10)), secs(10));
        assert_eq!(expected(secs(2), secs(32)), secs(8));
    }
}
