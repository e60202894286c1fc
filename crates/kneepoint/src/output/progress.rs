//! Progress on standard error: bars on a terminal, a line per point elsewhere.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use kneepoint_core::instrument::{Point, Progress};
use kneepoint_core::number::{Iops, MibPerS, ResponseTime, RoundedBytes, Span};
use kneepoint_core::result::PointResult;
use kneepoint_core::units::{Bytes, Nanos};

use super::print::tell;

/// Shows how far a run is.
pub(crate) struct RunProgress {
    bars: Option<Bars>,
    points_total: usize,
    points_done: usize,
    /// Longest time of a point.
    point_max: Nanos,
    /// Time that the points that are done took.
    done: Nanos,
    interval: Nanos,
}

/// Rates on the screen are those of the last half second.
const RECENT: Nanos = Nanos::from_millis(500);

struct Bars {
    all: MultiProgress,
    total: ProgressBar,
    point: ProgressBar,
}

impl RunProgress {
    /// Progress over `points_total` points that take `point_max` each at the most.
    pub(crate) fn new(points_total: usize, point_max: Nanos, interval: Nanos) -> Self {
        let bars = stderr().is_terminal().then(Bars::new);
        Self { bars, points_total, points_done: 0, point_max, done: Nanos::ZERO, interval }
    }

    /// A point begins.
    pub(crate) fn begin(&self, point: &Point<'_>) {
        if let Some(bars) = &self.bars {
            bars.point.set_message(format!("{}, {}: starting", point.series.key(), point.load));
            self.update_total(bars, Nanos::ZERO);
        }
    }

    /// An interval of the point has ended.
    pub(crate) fn interval(&self, point: &Point<'_>, progress: &Progress<'_>) {
        let Some(bars) = &self.bars else { return };
        let (seen, _) = progress.collector.progress();
        let (total, length) = progress.collector.recent(RECENT);
        let seconds = length.as_secs_f64();
        let phase = if progress.collector.is_ramping() { " (ramp)" } else { "" };
        bars.point.set_message(format!(
            "{}, {}{phase}: {}  {}  {}",
            point.series.key(),
            point.load,
            Iops(total.operations as f64 / seconds),
            MibPerS(Bytes(total.bytes).as_mib_f64() / seconds),
            ResponseTime(total.latency_ns_mean() / 1e6),
        ));
        self.update_total(bars, Nanos(self.interval.0 * seen as u64));
    }

    /// A point is measured.
    pub(crate) fn end(&mut self, result: &PointResult) {
        self.points_done += 1;
        self.done = self.done + Nanos::from_secs_f64(result.ramp_s + result.measured_s);
        let line = format!(
            "[{}/{}] {}, {}: {}  {}  {}",
            self.points_done,
            self.points_total,
            result.key(),
            result.load(),
            Iops(result.iops.mean),
            MibPerS(result.throughput_mib_s.mean),
            ResponseTime(result.latency_ms.mean),
        );
        match &self.bars {
            // Only trouble stays on the terminal: the table at the end has the rest.
            Some(_) => {}
            None => tell(&line),
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

    fn update_total(&self, bars: &Bars, of_point: Nanos) {
        let elapsed = self.done + of_point;
        let left = self.left(of_point);
        bars.total.set_length((elapsed + left).0 / 1_000_000);
        bars.total.set_position(elapsed.0 / 1_000_000);
        bars.total.set_message(format!(
            "point {} of {}, {} left",
            (self.points_done + 1).min(self.points_total),
            self.points_total,
            Span(left)
        ));
    }

    /// Time that is left when the current point has run for `of_point`: every point takes as long
    /// as those before it did on average, the first as long as it may.
    fn left(&self, of_point: Nanos) -> Nanos {
        let usual = match self.points_done as u64 {
            0 => self.point_max,
            done => Nanos(self.done.0 / done),
        };
        let after = self.points_total.saturating_sub(self.points_done + 1) as u64;
        Nanos(usual.0 * after) + (usual - of_point)
    }
}

impl Bars {
    fn new() -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        let total = all.add(ProgressBar::new(0));
        total.set_style(style("{bar:40.cyan/blue} {percent:>3}%  {msg}"));
        let point = all.add(ProgressBar::new_spinner());
        point.set_style(style("{spinner} {msg}"));
        point.enable_steady_tick(Duration::from_millis(250));
        Self { all, total, point }
    }
}

pub(crate) fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A bar for writing a test file.
pub(crate) fn layout_bar(target: &str, size: Bytes) -> ProgressBar {
    if !stderr().is_terminal() {
        tell(&format!("writing test file {target}, {}", RoundedBytes(size.0)));
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(size.0);
    bar.set_style(style(
        "writing {msg}  {bar:30.cyan/blue} {binary_bytes}/{binary_total_bytes}  {binary_bytes_per_sec}  {eta} left",
    ));
    bar.set_message(target.to_owned());
    bar
}
