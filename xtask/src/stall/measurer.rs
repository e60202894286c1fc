//! Who measures: Kneepoint, and fio in the ways in which it offers a rate.

use std::fmt;
use std::path::Path;

use anyhow::Context;
use serde_json::Value;

use super::loop_device::LoopDevice;

/// A program and where its result tells response times.
#[derive(Debug)]
pub(super) struct Measurer {
    /// Its name in the table.
    pub(super) name: &'static str,
    /// The command.
    pub(super) words: Vec<String>,
    format: Format,
}

/// Whose JSON it is.
#[derive(Debug, Clone, Copy)]
enum Format {
    Kneepoint,
    Fio,
}

/// Response times in milliseconds.
#[derive(Debug)]
pub(super) struct Reading {
    ios: u64,
    /// Mean, p50, p90, p95, p99, p99.9, max.
    times_ms: [f64; 7],
}

/// What every run of fio has.
const FIO: [&str; 11] = [
    "fio",
    "--name=stall",
    "--readonly",
    "--direct=1",
    "--rw=randread",
    "--bs=4k",
    "--time_based",
    "--runtime=10",
    "--rate_iops=1000",
    "--lat_percentiles=1",
    "--output-format=json",
];

/// Ways to have fio offer a rate.
const FIO_WAYS: [(&str, &[&str]); 5] = [
    ("fio, io_uring, depth 1", &["--ioengine=io_uring", "--iodepth=1"]),
    ("fio, io_uring, depth 32", &["--ioengine=io_uring", "--iodepth=32"]),
    ("fio, io_uring, depth 2048", &["--ioengine=io_uring", "--iodepth=2048"]),
    ("fio, offload, depth 1", &["--ioengine=psync", "--iodepth=1", "--io_submit_mode=offload"]),
    ("fio, offload, depth 32", &["--ioengine=psync", "--iodepth=32", "--io_submit_mode=offload"]),
];

/// All measurers, on the device.
pub(super) fn all(kneepoint: &Path, device: &LoopDevice) -> Vec<Measurer> {
    let node = device.node().display().to_string();
    let store = device.folder().join("kneepoint.db").display().to_string();
    let program = kneepoint.display().to_string();
    let options = "--block 4KiB --rate 1000 --arrivals constant --time 10s --json -";
    let words = [&program, "run", "random-read", &node, "--store", &store];
    let words = words.into_iter().chain(options.split(' '));
    let own = Measurer {
        name: "Kneepoint",
        words: words.map(str::to_owned).collect(),
        format: Format::Kneepoint,
    };
    let file = format!("--filename={node}");
    let file = [file.as_str()];
    let peers = FIO_WAYS.iter().map(|(name, way)| {
        let words = FIO.iter().chain(&file).chain(*way);
        Measurer {
            name,
            words: words.map(|word| (*word).to_owned()).collect(),
            format: Format::Fio,
        }
    });
    std::iter::once(own).chain(peers).collect()
}

impl Measurer {
    /// The command as it would be typed.
    pub(super) fn command_line(&self) -> String {
        self.words.join(" ")
    }

    /// The response times in what it printed.
    pub(super) fn read(&self, printed: &[u8]) -> anyhow::Result<Reading> {
        // fio may print notes before its JSON.
        let start = printed.iter().position(|byte| *byte == b'{').unwrap_or_default();
        let json = &printed[start..];
        let result: Value = serde_json::from_slice(json).context(self.command_line())?;
        let (times, names, ios, unit_ms) = match self.format {
            Format::Kneepoint => {
                let point = &result["points"][0];
                let names = ["mean", "p50", "p90", "p95", "p99", "p99_9", "max"];
                (&point["latency_ms"], names, &point["operations"], 1.0)
            }
            Format::Fio => {
                let read = &result["jobs"][0]["read"];
                let names = [
                    "mean",
                    "50.000000",
                    "90.000000",
                    "95.000000",
                    "99.000000",
                    "99.900000",
                    "max",
                ];
                (&read["lat_ns"], names, &read["total_ios"], 1e-6)
            }
        };
        let number = |name: &str| {
            let value = times.get(name).or_else(|| times["percentile"].get(name));
            value.and_then(Value::as_f64).map(|time| time * unit_ms)
        };
        let mut times_ms = [0.0; 7];
        for (time, name) in times_ms.iter_mut().zip(names) {
            *time = number(name).with_context(|| format!("{}: no {name}", self.command_line()))?;
        }
        Ok(Reading { ios: ios.as_u64().context("a number of I/Os")?, times_ms })
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.ios)?;
        self.times_ms.iter().try_for_each(|time| match *time {
            time if time < 10.0 => write!(f, " | {time:.3} ms"),
            time => write!(f, " | {time:.0} ms"),
        })
    }
}
