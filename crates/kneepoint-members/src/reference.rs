//! The machine that ratios refer to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What members took on the reference machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Name of the machine and its measurement.
    pub name: String,
    /// The processor.
    pub cpu: String,
    /// The kernel.
    pub kernel: String,
    /// The compiler of the programs.
    pub compiler: String,
    /// The day of the measurement.
    pub date: String,
    /// The profile that ratios refer to.
    pub flags: String,
    /// Runs of each member, of which `seconds` has the median.
    pub runs: u32,
    /// The kind of time: `processor` is user and system time of the process.
    pub time: String,
    /// Programs that ran at the same time; `None` of measurements that were not made by `cargo xtask`, as below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_once: Option<u32>,
    /// By how much the runs of a member at full scale differed at most, in percent of their median.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread_percent: Option<f64>,
    /// The most that a run at full scale took of wall time for its processor time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_per_processor_time: Option<f64>,
    /// Seconds of each member at full scale with the profile of `flags`.
    pub seconds: BTreeMap<String, f64>,
    /// The same with the profile `peak`.
    pub peak_seconds: BTreeMap<String, f64>,
    /// The machine and the day of what follows, where they are not those of the seconds at full scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quick_cpu: Option<String>,
    /// Seconds of each member at the scale `quick` with the profile of `flags`.
    pub quick_seconds: BTreeMap<String, f64>,
    /// The same at the scale `test`.
    pub test_seconds: BTreeMap<String, f64>,
}

/// The reference machine, as it is kept in `reference.json`.
pub fn reference() -> Reference {
    serde_json::from_str(include_str!("../reference.json")).expect("a test reads the file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, MEMBERS, member};

    /// The geometric mean of base over peak, of the members that are wanted.
    fn gain(wanted: impl Fn(Class) -> bool) -> f64 {
        let reference = reference();
        let ratios =
            reference.seconds.iter().filter(|(name, _)| wanted(member(name).unwrap().class));
        let logs: Vec<f64> =
            ratios.map(|(name, base)| libm::log(base / reference.peak_seconds[name])).collect();
        libm::exp(logs.iter().sum::<f64>() / logs.len() as f64)
    }

    #[test]
    fn every_member_was_measured() {
        let reference = reference();
        assert!(reference.runs >= 3);
        for seconds in [&reference.seconds, &reference.peak_seconds] {
            assert_eq!(seconds.len(), MEMBERS.len());
            assert!(seconds.keys().all(|name| member(name).is_some()));
        }
        for (name, seconds) in &reference.seconds {
            assert!((20.0..=60.0).contains(seconds), "{name}: {seconds}");
        }
    }

    /// The document says what the file says.
    #[test]
    fn the_gain_of_peak_is_as_documented() {
        let text = include_str!("../../../docs/processor.md");
        let sentence = format!(
            "Peak is {:.2} times as fast as base: {:.2} times for integers, {:.2} times for floating point",
            gain(|_| true),
            gain(|class| class == Class::Integer),
            gain(|class| class == Class::Floating),
        );
        assert!(text.contains(&sentence), "docs/processor.md lacks: {sentence}");
        let reference = reference();
        assert!(text.contains(&format!("median of {} run", reference.runs)));
        let numbers =
            [reference.spread_percent, reference.wall_per_processor_time].map(Option::unwrap);
        for said in [
            format!("{}, {} runs of each member", reference.date, reference.runs),
            format!("| processor | {} |", reference.cpu),
            format!("Linux {}, {}", reference.kernel, reference.compiler),
            format!("differed by {} % at most", numbers[0]),
            format!("was {} times the processor time at most", numbers[1]),
        ] {
            assert!(text.contains(&said), "docs/processor.md lacks: {said}");
        }
        for (name, base) in &reference.seconds {
            let peak = reference.peak_seconds[name];
            let row = format!("| `{name}` | {base:.1} | {peak:.1} | {:.2} |", base / peak);
            assert!(text.contains(&row), "docs/processor.md lacks: {row}");
        }
        assert!(gain(|_| true) > 1.0);
    }
}
