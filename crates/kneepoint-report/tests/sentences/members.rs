//! Runs of the processor suite.

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{
    Estimate, PeakGain, PointResult, ProcessorAnalysis, ProcessorScore, ProcessorStep, RunDocument,
    ThroughputUnit, Verdict,
};
use kneepoint_core::spec::factor::Combination;
use kneepoint_core::spec::profile::FlagSet;
use kneepoint_core::words::load::LoadUnit;
use serde_json::json;

use super::cases::RULE;
use super::synthetic::document;

/// What the members did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Work {
    /// One copy and two, with little work each; peak flags are faster.
    Little,
    /// The same with all of the work.
    All,
    /// Two copies alone, with peak flags that are slower.
    Slower,
    /// Two copies alone, with peak flags that make no difference.
    Alike,
    /// All of the work, and one point was disturbed.
    Disturbed,
    /// More series than the first page has room for, without a score.
    Many,
    /// A higher clock, by a third, makes programs faster by a quarter.
    Clock,
    /// The same without a difference.
    ClockAlike,
    /// The same, and programs are slower.
    ClockSlower,
    /// Two processors do more than one.
    Cpus,
    /// Two processors do as much as one.
    CpusAlike,
    /// All of it, on a machine whose two processors are threads of one core.
    Threads,
    /// All of the work, in two passes over all programs.
    Passes,
    /// Programs of the suite's file, two copies alone.
    OfFile,
    /// The same of benchmarks of a licensed tree.
    OfTree,
}

impl Work {
    /// The copies that were measured.
    const fn copies(self) -> &'static [u32] {
        match self {
            Self::Little | Self::All | Self::Passes | Self::Disturbed | Self::Threads => &[1, 2],
            Self::Slower | Self::Alike | Self::OfFile | Self::OfTree => &[2],
            _ => &[],
        }
    }

    /// By how much peak flags are faster, in percent; nothing where there is no score.
    const fn gain(self) -> Option<f64> {
        match self {
            Self::Little | Self::All | Self::Passes | Self::Disturbed | Self::Threads => Some(44.0),
            Self::Slower => Some(-8.0),
            Self::Alike => Some(1.0),
            _ => None,
        }
    }

    /// What more of the processors does.
    fn steps(self) -> Vec<ProcessorStep> {
        let (factor, [from, to], setting_percent, percent) = match self {
            Self::Clock => ("frequency", ["1.8GHz", "2.4GHz"], 33.3, 25.0),
            Self::ClockAlike => ("frequency", ["1.8GHz", "2.4GHz"], 33.3, 1.0),
            Self::ClockSlower => ("frequency", ["1.8GHz", "2.4GHz"], 33.3, -12.0),
            Self::Cpus => ("cpus", ["1", "2"], 100.0, 93.0),
            Self::CpusAlike => ("cpus", ["1", "2"], 100.0, -1.0),
            _ => return Vec::new(),
        };
        let step = |(flags, copies)| ProcessorStep {
            factor: factor.to_owned(),
            from: from.to_owned(),
            to: to.to_owned(),
            others: Combination::new(),
            class: None,
            flags: Some(flags),
            reference: None,
            copies,
            setting_percent,
            score_percent: Estimate { mean: percent, ci95: Some(3.0) },
        };
        [(FlagSet::Base, 1), (FlagSet::Base, 2), (FlagSet::Peak, 2)].map(step).into()
    }
}

/// The score of all members, of which peak flags do more by the gain.
fn score(work: Work, copies: u32, flags: Option<FlagSet>) -> ProcessorScore {
    let times = match (flags, work.gain()) {
        (Some(FlagSet::Peak), Some(percent)) => 1.0 + percent / 100.0,
        _ => 1.0,
    };
    let is_of_file = matches!(work, Work::OfFile | Work::OfTree);
    ProcessorScore {
        factors: Combination::new(),
        class: None,
        flags,
        reference: is_of_file.then(|| "the server of 2019".to_owned()),
        copies,
        members: 16,
        ratio: Estimate { mean: 0.95 * f64::from(copies) * times, ci95: Some(0.02) },
        is_short: work == Work::Little,
    }
}

/// `run` as one of the processor suite.
pub(crate) fn processor(mut run: RunDocument, work: Work) -> RunDocument {
    if work == Work::Many {
        let copies = |number: u32| {
            let name = move |point: &PointResult| PointResult {
                series: format!("{}-{number}", point.series),
                profile: format!("{}-{number}", point.profile),
                ..point.clone()
            };
            run.points.iter().map(name).collect::<Vec<_>>()
        };
        run = document((0..3).flat_map(copies).collect(), &[RULE]);
    }
    if work == Work::Passes {
        let twice = |point: &PointResult| {
            [0, 1].map(|repetition| PointResult {
                repetition,
                verdict: Verdict::Fixed,
                ..point.clone()
            })
        };
        run = document(run.points.iter().flat_map(twice).collect(), &[RULE]);
        run.plan["timing"]["stop"] = json!({"rounds": {"passes_min": 2}});
    }
    if work == Work::Threads {
        let settings = [("cores", "1"), ("processors", "2")];
        let settings = settings.map(|(name, count)| (name.to_owned(), count.to_owned()));
        run.environment.targets[0].settings.extend(settings);
    }
    if work == Work::Disturbed {
        run.points.iter_mut().take(1).for_each(|point| point.verdict = Verdict::Disturbed);
    }
    run.environment.targets[0].kind = TargetKind::Processor;
    for point in &mut run.points {
        point.load.unit = LoadUnit::Copies;
        point.rate.unit = ThroughputUnit::Ratio;
    }
    for summary in &mut run.analysis.summaries {
        summary.load_unit = LoadUnit::Copies;
    }
    let is_of_file = matches!(work, Work::OfFile | Work::OfTree);
    if is_of_file {
        let check = match work {
            Work::OfTree => json!({"check": {"runcpu": {}}}),
            _ => json!({}),
        };
        for series in run.plan["series"].as_array_mut().expect("series") {
            series["profile"]["external"] = check.clone();
        }
    }
    let score = |copies: u32, flags| score(work, copies, flags);
    if is_of_file {
        let scores = vec![score(2, None)];
        run.analysis.processor = Some(ProcessorAnalysis { scores, ..ProcessorAnalysis::default() });
        return run;
    }
    let scores = work
        .copies()
        .iter()
        .flat_map(|copies| FlagSet::ALL.map(|flags| score(*copies, Some(flags))));
    let gain = |percent| PeakGain {
        factors: Combination::new(),
        class: None,
        copies: work.copies()[0],
        percent: Estimate { mean: percent, ci95: Some(3.0) },
    };
    run.analysis.processor = Some(ProcessorAnalysis {
        scores: scores.collect(),
        gains: work.gain().map(gain).into_iter().collect(),
        steps: work.steps(),
    });
    run
}
