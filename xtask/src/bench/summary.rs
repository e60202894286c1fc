//! What the rounds of a case come to.

use super::reading::Response;
use super::round::{Measured, Runs, Sample};
use super::tool::Tool;

/// Medians of a tool, and how Kneepoint compares.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Summary {
    pub(super) tool: Tool,
    pub(super) ios_per_s: f64,
    pub(super) user_ns_per_io: f64,
    pub(super) system_ns_per_io: f64,
    pub(super) response: Option<Response>,
    /// Kneepoint's rate over this tool's; `None` for Kneepoint itself.
    pub(super) ratio: Option<Ratio>,
}

/// Ratios of the rates of the same round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ratio {
    pub(super) median: f64,
    pub(super) min: f64,
    pub(super) max: f64,
}

/// The middle of some values; `None` of none.
pub(super) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let (below, above) = (values.len().checked_sub(1)? / 2, values.len() / 2);
    Some(f64::midpoint(values[below], values[above]))
}

impl Measured {
    /// Every tool that gave a sample; of the settings of `t/io_uring` only the better.
    pub(super) fn summaries(&self) -> Vec<Summary> {
        let own = self.runs.iter().find(|runs| runs.tool == Tool::Kneepoint);
        let mut summaries: Vec<Summary> =
            self.runs.iter().filter_map(|runs| summary(runs, own)).collect();
        let peak = |summary: &Summary| matches!(summary.tool, Tool::Uring(_));
        let rates = summaries.iter().filter(|summary| peak(summary)).map(|s| s.ios_per_s);
        let best = rates.fold(0.0, f64::max);
        summaries.retain(|summary| !peak(summary) || summary.ios_per_s >= best);
        summaries
    }

    /// The tools that failed in every round.
    pub(super) fn without_sample(&self) -> impl Iterator<Item = Tool> {
        let failed = self.runs.iter().filter(|runs| runs.samples.iter().all(Option::is_none));
        failed.map(|runs| runs.tool)
    }
}

fn summary(runs: &Runs, own: Option<&Runs>) -> Option<Summary> {
    let samples = || runs.samples.iter().flatten();
    let of = |value: fn(&Sample) -> f64| median(samples().map(value));
    let responses = || samples().filter_map(|sample| sample.reading.response);
    let of_responses = |value: fn(Response) -> f64| median(responses().map(value));
    let response = || {
        Some(Response {
            mean_ns: of_responses(|response| response.mean_ns)?,
            p99_ns: of_responses(|response| response.p99_ns)?,
            outstanding: of_responses(|response| response.outstanding)?,
        })
    };
    Some(Summary {
        tool: runs.tool,
        ios_per_s: of(|sample| sample.reading.ios_per_s)?,
        user_ns_per_io: of(|sample| sample.user_ns_per_io)?,
        system_ns_per_io: of(|sample| sample.system_ns_per_io)?,
        response: response(),
        ratio: own.filter(|own| own.tool != runs.tool).and_then(|own| ratio(own, runs)),
    })
}

/// Over the rounds in which both gave a sample.
fn ratio(own: &Runs, other: &Runs) -> Option<Ratio> {
    let pairs = own.samples.iter().zip(&other.samples);
    let ratios: Vec<f64> = pairs
        .filter_map(|pair| match pair {
            (Some(own), Some(other)) => Some(own.reading.ios_per_s / other.reading.ios_per_s),
            _ => None,
        })
        .collect();
    Some(Ratio {
        median: median(ratios.iter().copied())?,
        min: ratios.iter().copied().fold(f64::INFINITY, f64::min),
        max: ratios.iter().copied().fold(0.0, f64::max),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::bench::case::{Case, Engine, Load, TargetKind};
    use crate::bench::reading::Reading;

    fn runs(tool: Tool, rates: [Option<f64>; 3]) -> Runs {
        let sample = |ios_per_s: f64| {
            let response = Response { mean_ns: 8e9 / ios_per_s, p99_ns: 2e6, outstanding: 8.0 };
            let response = (!matches!(tool, Tool::Uring(_))).then_some(response);
            Sample {
                reading: Reading { ios_per_s, ios: ios_per_s, response },
                user_ns_per_io: 100.0,
                system_ns_per_io: 1900.0,
            }
        };
        Runs { tool, command: "x y".to_owned(), samples: rates.map(|rate| rate.map(sample)).into() }
    }

    /// A case with every kind of tool.
    pub(in crate::bench) fn measured() -> Measured {
        let all = |rates: [f64; 3]| rates.map(Some);
        Measured {
            case: Case {
                target: TargetKind::Zram,
                load: Load::RandomRead,
                engine: Engine::IoUring,
                outstanding: 8,
                rate: None,
            },
            runs: vec![
                runs(Tool::Kneepoint, all([400e3, 300e3, 500e3])),
                runs(Tool::Fio, [Some(200e3), None, Some(200e3)]),
                runs(Tool::FioBatched, [None; 3]),
                runs(Tool::Uring(16), all([500e3, 400e3, 500e3])),
                runs(Tool::Uring(32), all([410e3, 410e3, 410e3])),
            ],
            failures: vec!["zram, 4 KiB random read, io_uring, 8, fio: no".to_owned()],
        }
    }

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median([3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median([]), None);
    }

    #[test]
    fn ratios_are_of_the_same_round() {
        let summaries = measured().summaries();
        let tools: Vec<Tool> = summaries.iter().map(|summary| summary.tool).collect();
        assert_eq!(tools, [Tool::Kneepoint, Tool::Fio, Tool::Uring(16)]);
        assert_eq!(summaries[0].ios_per_s, 400e3);
        assert_eq!(summaries[0].ratio, None);
        assert_eq!(summaries[1].ratio, Some(Ratio { median: 2.25, min: 2.0, max: 2.5 }));
        assert_eq!(summaries[2].ratio, Some(Ratio { median: 0.8, min: 0.75, max: 1.0 }));
    }

    #[test]
    fn a_tool_that_always_failed_has_no_summary() {
        let mut measured = measured();
        measured.runs[0].samples.fill(None);
        let summaries = measured.summaries();
        assert_eq!(summaries.len(), 2);
        assert_eq!(summaries[0].ratio, None);
        let failed: Vec<Tool> = measured.without_sample().collect();
        assert_eq!(failed, [Tool::Kneepoint, Tool::FioBatched]);
    }
}
