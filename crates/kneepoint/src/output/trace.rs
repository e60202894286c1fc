//! What is in a trace, as text.

use kneepoint_core::words::number::{
    Change, Count, Difference, Fixed, Iops, Percentage, Rate, ResponseTime, RoundedBytes, Span,
};
use kneepoint_core::words::units::{Bytes, Nanos};
use kneepoint_formats::trace::{Described, DeviceExtent, Kept, Resemblance, TouchShare};

use super::table::TextTable;
use super::text::{Text, Width};
use crate::trace::Seen;

/// Most sizes and devices that are listed.
const ROWS_MAX: usize = 12;

/// Heights of the columns of a drawing, in eighths.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// What is in a trace.
pub(crate) fn trace_text(seen: &Seen, width: Width) -> Text {
    let described = &seen.described;
    let facts = Text::from(lines(&facts(seen)));
    let mut parts = vec![facts, sizes(described).fitted(width)];
    if !described.windows.is_empty() {
        parts.push(windows(described).fitted(width));
    }
    if described.devices.len() > 1 {
        parts.push(devices(described).fitted(width));
    }
    if let Some(course) = course(described) {
        parts.push(Text::from(course));
    }
    Text::join(parts, "\n")
}

fn lines(facts: &[(&str, String)]) -> String {
    facts.iter().map(|(name, value)| format!("{name:<24} {value}\n")).collect()
}

/// The numbers that are one for the whole trace.
fn facts(seen: &Seen) -> Vec<(&'static str, String)> {
    let described = &seen.described;
    let (reads, writes) = (described.read_percent(), 100.0 - described.read_percent());
    let bytes = |bytes| RoundedBytes(bytes);
    let mut facts = vec![
        ("format", seen.format.label().to_owned()),
        ("I/Os", Count(described.ios()).to_string()),
        ("reads", format!("{}, {}", Percentage(reads), bytes(described.read_bytes))),
        ("writes", format!("{}, {}", Percentage(writes), bytes(described.write_bytes))),
        ("mean size", RoundedBytes(described.mean_bytes().round() as u64).to_string()),
        ("multiples of", Bytes(described.alignment_bytes).to_string()),
    ];
    facts.extend(times(described));
    facts.extend([
        (
            "sequential",
            format!(
                "{} continue the last I/O of their device, {} one of the last 32",
                Percentage(described.sequential_percent()),
                Percentage(described.streaming_percent())
            ),
        ),
        ("addresses up to", bytes(described.extent_bytes()).to_string()),
        ("footprint", footprint(described)),
        (
            "hottest blocks",
            format!(
                "1 % of them get {}, 10 % get {}",
                touches(described.hottest_1, " of the touches"),
                touches(described.hottest_10, "")
            ),
        ),
    ]);
    facts
}

fn times(described: &Described) -> Vec<(&'static str, String)> {
    let Some(rate) = described.rate_per_s() else {
        return vec![("times", "none: all I/Os come at once".to_owned())];
    };
    vec![
        ("length", Span(described.span).to_string()),
        (
            "rate",
            format!(
                "{} on average, {} in the busiest second",
                Iops(rate),
                Iops(described.busiest_second as f64)
            ),
        ),
        (
            "time between I/Os",
            format!(
                "median {}, 99 % within {}, standard deviation {} times the mean",
                ResponseTime(described.gap_p50.as_millis_f64()),
                ResponseTime(described.gap_p99.as_millis_f64()),
                Fixed(described.gap_variation, 2)
            ),
        ),
    ]
}

/// The footprint, with how exact it is.
fn footprint(described: &Described) -> String {
    let bytes = RoundedBytes(described.footprint_bytes);
    match described.footprint_error {
        None => format!("{bytes} in blocks of 4 KiB, counted exactly"),
        Some(error) => format!(
            "about {bytes} in blocks of 4 KiB, estimated from a sample (standard error {})",
            Percentage(error * 100.0)
        ),
    }
}

/// A share of the touches, with how exact it is.
fn touches(touches: TouchShare, whole: &str) -> String {
    let share = Percentage(touches.share * 100.0);
    match touches.error {
        None => format!("{share}{whole}"),
        Some(error) => {
            format!("about {share}{whole} (standard error {} points)", Rate(error * 100.0))
        }
    }
}

fn sizes(described: &Described) -> TextTable {
    let titles = ["Size", "I/Os", "Share", "Reads", "Sequential"];
    let mut table = TextTable::of(&titles, &titles);
    let percent =
        |part: u64, whole: u64| Percentage(part as f64 * 100.0 / whole.max(1) as f64).to_string();
    let all = described.ios();
    for size in described.sizes.iter().take(ROWS_MAX) {
        table.row(vec![
            Bytes(u64::from(size.bytes)).to_string(),
            Count(size.count()).to_string(),
            percent(size.count(), all),
            percent(size.reads.0, size.count()),
            percent(size.reads.1 + size.writes.1, size.count()),
        ]);
    }
    let shown: u64 = described.sizes.iter().take(ROWS_MAX).map(|size| size.count()).sum();
    if shown < all {
        let (rest, share) = (Count(all - shown).to_string(), percent(all - shown, all));
        table.row(vec!["others".to_owned(), rest, share, String::new(), String::new()]);
    }
    table
}

fn windows(described: &Described) -> TextTable {
    let titles = ["Working set in", "On average", "At most", "Standard error within"];
    let columns = if described.footprint_error.is_some() { 4 } else { 3 };
    let mut table = TextTable::of(&titles[..columns], &titles[1..columns]);
    for window in &described.windows {
        let mut row = vec![
            Span(window.length).to_string(),
            RoundedBytes(window.mean_bytes.round() as u64).to_string(),
            RoundedBytes(window.max_bytes).to_string(),
        ];
        row.extend(window.error.map(|error| Percentage(error * 100.0).to_string()));
        table.row(row);
    }
    table
}

fn devices(described: &Described) -> TextTable {
    let titles = ["Device", "I/Os", "Addresses up to"];
    let mut table = TextTable::of(&titles, &titles[1..]);
    let mut devices: Vec<&DeviceExtent> = described.devices.iter().collect();
    devices.sort_by_key(|device| std::cmp::Reverse(device.ios));
    for device in devices.iter().take(ROWS_MAX) {
        let (ios, end) = (Count(device.ios).to_string(), RoundedBytes(device.end).to_string());
        table.row(vec![device.name.clone(), ios, end]);
    }
    if let Some(rest) = devices.get(ROWS_MAX..).filter(|rest| !rest.is_empty()) {
        let ios = Count(rest.iter().map(|device| device.ios).sum()).to_string();
        table.row(vec![format!("{} others", rest.len()), ios, String::new()]);
    }
    table
}

/// The rate over time, drawn; `None` for a trace without times.
fn course(described: &Described) -> Option<String> {
    described.rate_per_s()?;
    let most = described.course.iter().copied().max().filter(|most| *most > 0)?;
    let column = |count: &u64| match count {
        0 => ' ',
        count => HEIGHTS[((count * HEIGHTS.len() as u64).div_ceil(most) - 1) as usize],
    };
    let drawn: String = described.course.iter().map(column).collect();
    let highest = most as f64 / described.slice.as_secs_f64();
    Some(format!(
        "I/Os over time, {} a column, the highest {}:\n{drawn}\n",
        length_text(described.slice),
        Iops(highest)
    ))
}

/// A length of time as it is typed, or in words from a minute on.
fn length_text(length: Nanos) -> String {
    match length < Nanos::from_secs(60) {
        true => format!("{:.3} s", length.as_secs_f64()),
        false => Span(length).to_string(),
    }
}

/// How well a profile resembles its trace.
pub(crate) fn resemblance_text(resemblance: &Resemblance, seen: &Seen, width: Width) -> Text {
    let titles = ["What", "Trace", "Profile", "Missed by"];
    let mut table = TextTable::of(&titles, &titles[1..]);
    for kept in &resemblance.kept {
        let number = |value| format!("{} {}", Rate(value), kept.unit).trim_end().to_owned();
        table.row(vec![
            kept.what.to_owned(),
            number(kept.trace),
            number(kept.profile),
            missed(kept),
        ]);
    }
    let drawn = Count(resemblance.drawn);
    let all = match resemblance.drawn == seen.described.ios() {
        true => format!("as many I/Os as the trace has ({drawn})"),
        false => format!("{drawn} I/Os"),
    };
    let heading = Text::from(format!(
        "The profile {} beside the trace: {all} were drawn from it and described in the same way\n",
        resemblance.profile.name
    ));
    Text::join(vec![heading, table.fitted(width)], "\n")
}

/// How far the profile is from the trace: in points of percentages, otherwise as a share, or by how much if that
/// is many times more.
fn missed(kept: &Kept) -> String {
    let off = kept.profile - kept.trace;
    match kept.unit {
        "%" => format!("{} points", Fixed(off, 1)),
        _ if kept.trace == 0.0 => String::new(),
        // Percentages of next to nothing say nothing.
        _ if off.abs() > 10.0 * kept.trace.abs() => {
            format!("{} {}", Difference(off, 2), kept.unit).trim_end().to_owned()
        }
        _ => Change(off * 100.0 / kept.trace).to_string(),
    }
}
