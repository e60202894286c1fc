//! What a tool printed about its run.

use std::time::Duration;

use anyhow::Context;
use serde_json::Value;

use super::tool::Tool;

/// Rates and response times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reading {
    pub(super) ios_per_s: f64,
    /// I/Os of the whole run, those before the measured time included.
    pub(super) ios: f64,
    /// Response times, where the tool takes them.
    pub(super) response: Option<Response>,
}

/// Response times and what they say about the queue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Response {
    pub(super) mean_ns: f64,
    pub(super) p99_ns: f64,
    /// I/Os outstanding on average: rate times mean (Little's law).
    pub(super) outstanding: f64,
}

impl Response {
    fn new(ios_per_s: f64, mean_ns: f64, p99_ns: f64) -> Self {
        Self { mean_ns, p99_ns, outstanding: ios_per_s * mean_ns * 1e-9 }
    }
}

impl Tool {
    /// Reads what the tool printed; it ran for `wall`.
    pub(super) fn read(self, printed: &str, wall: Duration) -> anyhow::Result<Reading> {
        match self {
            Self::Kneepoint => kneepoint(printed),
            Self::Fio | Self::FioBatched => fio(printed),
            Self::Uring(_) => uring(printed, wall),
        }
    }
}

/// The JSON in a text; fio may print notes before it.
fn json(printed: &str) -> anyhow::Result<Value> {
    let start = printed.find('{').context("it printed no JSON")?;
    serde_json::from_str(&printed[start..]).context("it printed broken JSON")
}

/// A number in JSON.
fn number(value: &Value, pointer: &str) -> anyhow::Result<f64> {
    let found = value.pointer(pointer).and_then(Value::as_f64);
    found.with_context(|| format!("its JSON has no number at {pointer}"))
}

fn kneepoint(printed: &str) -> anyhow::Result<Reading> {
    let result = json(printed)?;
    let point = result.pointer("/points/0").context("its JSON has no point")?;
    let ios_per_s = number(point, "/rate/mean")?;
    let (ramp_s, measured_s) = (number(point, "/ramp_s")?, number(point, "/measured_s")?);
    let mut response = Response::new(
        ios_per_s,
        number(point, "/latency_ms/mean")? * 1e6,
        number(point, "/latency_ms/p99")? * 1e6,
    );
    response.outstanding = number(point, "/storage/achieved_outstanding")?;
    let ios = number(point, "/operations")? * (ramp_s + measured_s) / measured_s;
    anyhow::ensure!(ios_per_s > 0.0, "it did no I/O");
    Ok(Reading { ios_per_s, ios, response: Some(response) })
}

fn fio(printed: &str) -> anyhow::Result<Reading> {
    let result = json(printed)?;
    let job = result.pointer("/jobs/0").context("its JSON has no job")?;
    anyhow::ensure!(number(job, "/error")? == 0.0, "its job ended with an error");
    let busy = |direction: &&Value| number(direction, "/total_ios").is_ok_and(|ios| ios > 0.0);
    let mut directions = ["mixed", "read", "write"].iter().filter_map(|name| job.get(name));
    let side = directions.find(busy).context("it did no I/O")?;
    let ios_per_s = number(side, "/iops")?;
    let response = Response::new(
        ios_per_s,
        number(side, "/lat_ns/mean")?,
        number(side, "/lat_ns/percentile/99.000000")?,
    );
    Ok(Reading { ios_per_s, ios: number(side, "/total_ios")?, response: Some(response) })
}

/// The mean of the lines that it prints every second.
fn uring(printed: &str, wall: Duration) -> anyhow::Result<Reading> {
    let rates: Vec<f64> = printed.lines().filter_map(uring_rate).collect();
    anyhow::ensure!(!rates.is_empty(), "it printed no rate");
    let ios_per_s = rates.iter().sum::<f64>() / rates.len() as f64;
    anyhow::ensure!(ios_per_s > 0.0, "it did no I/O");
    Ok(Reading { ios_per_s, ios: ios_per_s * wall.as_secs_f64(), response: None })
}

/// The rate in a line such as `IOPS=388.16K, BW=1516MiB/s, IOS/call=16/16`.
fn uring_rate(line: &str) -> Option<f64> {
    let word = line.trim().strip_prefix("IOPS=")?.split(',').next()?;
    let (digits, unit) = match word.strip_suffix(['K', 'M']) {
        Some(digits) if word.ends_with('K') => (digits, 1e3),
        Some(digits) => (digits, 1e6),
        None => (word, 1.0),
    };
    Some(digits.parse::<f64>().ok()? * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tool: Tool, printed: &str, expected: (f64, f64, Option<[f64; 3]>)) {
        let reading = tool.read(printed, Duration::from_secs(2)).unwrap();
        let (ios_per_s, ios, response) = expected;
        assert_eq!((reading.ios_per_s, reading.ios), (ios_per_s, ios));
        let seen = reading.response.map(|r| [r.mean_ns, r.p99_ns, r.outstanding].map(f64::round));
        assert_eq!(seen, response);
    }

    #[test]
    fn kneepoint_counts_the_ramp() {
        let printed = r#"{"points": [{"ramp_s": 0.5, "measured_s": 1.0, "operations": 1000,
            "rate": {"mean": 1000.0}, "latency_ms": {"mean": 0.5, "p99": 0.75},
            "storage": {"achieved_outstanding": 4.0}}]}"#;
        check(Tool::Kneepoint, printed, (1000.0, 1500.0, Some([500_000.0, 750_000.0, 4.0])));
    }

    #[test]
    fn fio_reads_the_direction_that_was_used() {
        let side = |ios: u32| {
            format!(
                r#"{{"iops": {ios}.0, "total_ios": {ios},
                "lat_ns": {{"mean": 2e6, "percentile": {{"99.000000": 3000000}}}}}}"#
            )
        };
        let printed = format!(
            r#"note: something
            {{"jobs": [{{"error": 0, "read": {}, "write": {}}}]}}"#,
            side(0),
            side(4000)
        );
        check(Tool::Fio, &printed, (4000.0, 4000.0, Some([2e6, 3e6, 8.0])));
        let printed = format!(r#"{{"jobs": [{{"error": 0, "mixed": {}}}]}}"#, side(500));
        check(Tool::FioBatched, &printed, (500.0, 500.0, Some([2e6, 3e6, 1.0])));
    }

    #[test]
    fn uring_has_rates_only() {
        let printed = "polled=0, fixedbufs=1, register_files=1, buffered=1, QD=32\n\
             IOPS=400.00K, BW=1562MiB/s, IOS/call=16/16\n\
             IOPS=1.20M, BW=1562MiB/s, IOS/call=16/16\n\
             Exiting on timeout\nMaximum IOPS=1.20M\n";
        check(Tool::Uring(16), printed, (800_000.0, 1_600_000.0, None));
        check(Tool::Uring(16), "IOPS=99, BW=1MiB/s", (99.0, 198.0, None));
    }

    #[test]
    fn nothing_readable_is_an_error_that_says_what_is_missing() {
        let error = |tool: Tool, text| tool.read(text, Duration::ZERO).unwrap_err().to_string();
        assert_eq!(error(Tool::Fio, "fio: no"), "it printed no JSON");
        assert_eq!(error(Tool::Fio, r#"{"jobs": [{"error": 0}]}"#), "it did no I/O");
        assert_eq!(error(Tool::Kneepoint, "{}"), "its JSON has no point");
        assert_eq!(error(Tool::Uring(32), "Zero file/device size?"), "it printed no rate");
    }
}
