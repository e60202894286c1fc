//! Runs of the processor suite.

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{
    Estimate, PeakGain, PointResult, ProcessorAnalysis, ProcessorScore, RunDocument,
    ThroughputUnit, Verdict,
};
use kneepoint_core::spec::profile::FlagSet;
use kneepoint_core::words::load::LoadUnit;
use serde_json::{Map, Value};

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
    /// Programs of the suite's file, two copies alone.
    OfFile,
}

impl Work {
    /// The copies that were measured.
    const fn copies(self) -> &'static [u32] {
        match self {
            Self::Little | Self::All | Self::Disturbed => &[1, 2],
            Self::Slower | Self::Alike | Self::OfFile => &[2],
            Self::Many => &[],
        }
    }

    /// By how much peak flags are faster, in percent; nothing where there is no score.
    const fn gain(self) -> Option<f64> {
        match self {
            Self::Little | Self::All | Self::Disturbed => Some(44.0),
            Self::Slower => Some(-8.0),
            Self::Alike => Some(1.0),
            Self::Many | Self::OfFile => None,
        }
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
    if work == Work::OfFile {
        for series in run.plan["series"].as_array_mut().expect("series") {
            series["profile"]["external"] = Value::Object(Map::new());
        }
    }
    let score = |copies: u32, flags| ProcessorScore {
        class: None,
        flags,
        reference: (work == Work::OfFile).then(|| "the server of 2019".to_owned()),
        copies,
        members: 16,
        ratio: Estimate { mean: 0.95 * f64::from(copies), ci95: Some(0.02) },
        is_short: work == Work::Little,
    };
    if work == Work::OfFile {
        let scores = vec![score(2, None)];
        run.analysis.processor = Some(ProcessorAnalysis { scores, gains: Vec::new() });
        return run;
    }
    let scores = work
        .copies()
        .iter()
        .flat_map(|copies| FlagSet::ALL.map(|flags| score(*copies, Some(flags))));
    let gain = |percent| PeakGain {
        class: None,
        copies: work.copies()[0],
        percent: Estimate { mean: percent, ci95: Some(3.0) },
    };
    run.analysis.processor = Some(ProcessorAnalysis {
        scores: scores.collect(),
        gains: work.gain().map(gain).into_iter().collect(),
    });
    run
}
