//! The flushes of points whose writes are made durable.

use kneepoint_core::analysis::points_of_table;
use kneepoint_core::result::{FLUSH, PointResult};
use kneepoint_core::words::number::{Rate, ResponseTime};

use super::table::{Align, TextTable};
use super::text::{Text, Tone, Width};

/// A line for each point with flushes; nothing if there are none.
pub(crate) fn flushes_text(points: &[PointResult], width: Width) -> Option<Text> {
    let right = Align::Right;
    let mut table = TextTable::new(&[
        ("Flushes of", Align::Left),
        ("Load", right),
        ("flush/s", right),
        ("mean", right),
        ("p50", right),
        ("p99", right),
        ("p99.9", right),
        ("max", right),
    ]);
    table.can_spare(&["p99.9", "p50", "max"]);
    let mut is_empty = true;
    for point in points_of_table(points).iter().filter(|point| point.flushes()) {
        let Some(class) = point.class(FLUSH) else { continue };
        let time = |ms: f64| ResponseTime(ms).to_string();
        let maybe = |ms: Option<f64>| ms.map_or_else(String::new, time);
        is_empty = false;
        table.row(vec![
            point.key().to_string(),
            point.load.to_string(),
            Rate(class.rate).to_string(),
            time(class.latency_ms.mean),
            maybe(class.latency_ms.p50),
            maybe(class.latency_ms.p99),
            maybe(class.latency_ms.p99_9),
            time(class.latency_ms.max),
        ]);
    }
    if is_empty {
        return None;
    }
    let mut text = table.fitted(width);
    text.push(Tone::Plain, FLUSHES_NOTE);
    Some(text)
}

/// What flushes are beside I/Os.
const FLUSHES_NOTE: &str = "Flushes have a part of the load and none of the throughput; a rule names them as flush.p99<=10ms\n";
