//! How many host I/Os the simulator does in a second of processor time.
//!
//! Each case is one point of a release build in its own process; its processor time is the
//! kernel's count, start and end of the program included. Time that others use does not count, but
//! what they do to caches and to the processor's other half does: the best round says most.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Context;
use serde_json::Value;

use super::bench::machine::ProcessorTime;

/// The cases by name: that of the goal, one that hardly queues, and one with a write cache.
const CASES: [(&str, &str); 3] = [
    (
        "60 drives, RAID-5, OLTP 8 KiB, 30 per array",
        "oltp sim:fastt900?drives=60 --block 8KiB --outstanding 30 --time 300s --ramp 1s",
    ),
    (
        "20 drives, RAID-5, OLTP 8 KiB, 4 per array",
        "oltp sim:fastt900?drives=20 --block 8KiB --outstanding 4 --time 600s --ramp 1s",
    ),
    (
        "120 drives, RAID-5, write-back, OLTP 8 KiB, 30 per array",
        "oltp sim:serveraid-m5025?drives=120 --block 8KiB --outstanding 30 --time 60s --ramp 1s",
    ),
];

/// Measures every case `rounds` times; the table, ready to be printed.
///
/// # Errors
/// When the program cannot be run or says something else than its result.
pub fn table(kneepoint: &Path, rounds: u32) -> anyhow::Result<String> {
    let folder = std::env::temp_dir().join(format!("kneepoint-simulator-{}", std::process::id()));
    fs::create_dir(&folder).with_context(|| folder.display().to_string())?;
    let measured = measured(kneepoint, rounds, &folder.join("kneepoint.db"));
    fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    measured
}

fn measured(kneepoint: &Path, rounds: u32, store: &Path) -> anyhow::Result<String> {
    let mut text = String::from("million host I/Os per second of processor time\n");
    for (name, words) in CASES {
        let mut rates = Vec::new();
        for _ in 0..rounds {
            rates.push(rate(kneepoint, words, store).context(name)? / 1e6);
        }
        let best = rates.iter().copied().fold(0.0, f64::max);
        let all: Vec<String> = rates.iter().map(|rate| format!("{rate:.2}")).collect();
        writeln!(text, "{best:6.2}  {name}  (rounds: {})", all.join(", "))?;
    }
    Ok(text)
}

/// I/Os per second of processor time of one round.
fn rate(kneepoint: &Path, words: &str, store: &Path) -> anyhow::Result<f64> {
    let before = ProcessorTime::of_children()?;
    let output = Command::new(kneepoint)
        .arg("run")
        .args(words.split(' '))
        .args(["--json", "-", "--store"])
        .arg(store)
        .output()
        .with_context(|| {
            let path = kneepoint.display();
            format!("{path}: build it with `cargo build --release`, or name it with --kneepoint")
        })?;
    let said = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "it ended with {}: {said}", output.status);
    let used = ProcessorTime::of_children()?.since(before);
    let result: Value = serde_json::from_slice(&output.stdout)?;
    let operations = result["points"][0]["operations"].as_f64().context("no operations")?;
    Ok(operations / (used.user_s + used.system_s))
}
