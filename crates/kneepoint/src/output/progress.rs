//! Progress on standard error: a line per finished point, and bars below them on a terminal.

use std::cell::Cell;
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use kneepoint_core::measure::{Point, Progress};
use kneepoint_core::plan::{Engine, Plan};
use kneepoint_core::result::{PointResult, ThroughputUnit};
use kneepoint_core::words::number::{MibPerS, ResponseTime, RoundedBytes, Span};
use kneepoint_core::words::printable::printable;
use kneepoint_core::words::units::{Bytes, Nanos};

use super::pace::Pace;
use super::print::tell;
use super::text::{Colours, Text};
use super::verdict::verdict_tone;

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
        let pace = match plan.engine.engine {
            // Its points take virtual time.
            Engine::Sim => Pace::unknown(),
            _ => {
                Pace::between(duration(plan.timing.point_min()), duration(plan.timing.point_max()))
            }
        };
        let now = Instant::now();
        Self { bars, points_total, points_done: 0, pace, begun: now, point_begun: Cell::new(now) }
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

    /// A point is measured: its line stays, above the bars where there are some.
    pub(crate) fn end(&mut self, result: &PointResult) {
        self.points_done += 1;
        self.pace.add(self.point_begun.get().elapsed());
        let line = Text::from(format!(
            "[{}/{}] {}, {}: {}  {}  ",
            self.points_done,
            // Disturbed points are measured again, and searches narrow brackets.
            self.points_total.max(self.points_done),
            printable(&result.key().to_string()),
            result.load,
            rates((result.rate.unit, result.rate.mean), result.mib_s()),
            ResponseTime(result.latency_ms.mean),
        ))
        .with(verdict_tone(result), result.verdict_text());
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

/// Series and load of a point.
/// Operations per second, and MiB/s where bytes count.
fn rates((unit, per_s): (ThroughputUnit, f64), mib_s: Option<f64>) -> String {
    let mib_s = mib_s.map_or_else(String::new, |mib_s| format!("  {}", MibPerS(mib_s)));
    format!("{}{mib_s}", unit.text(per_s))
}

fn name(point: &Point<'_>) -> String {
    format!("{}, {}", printable(&point.series.key().to_string()), point.load)
}

pub(crate) fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A bar for writing a test file.
pub(crate) fn layout_bar(target: &str, size: Bytes) -> ProgressBar {
    let target = printable(target);
    if !stderr().is_terminal() {
        tell(format!("writing test file {target}, {}", RoundedBytes(size.0)));
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(size.0);
    bar.set_style(style(
        "writing {msg}  {bar:20.cyan/blue} {binary_bytes}/{binary_total_bytes}  {binary_bytes_per_sec}  {eta} left",
    ));
    bar.set_message(target.into_owned());
    bar
}
