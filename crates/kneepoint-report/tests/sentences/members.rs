//! Runs of the processor suite.

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{
    Estimate, PeakGain, ProcessorAnalysis, ProcessorScore, RunDocument, ThroughputUnit,
};
use kneepoint_core::spec::profile::FlagSet;
use kneepoint_core::words::load::LoadUnit;

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
}

impl Work {
    /// The copies that were measured.
    const fn copies(self) -> &'static [u32] {
        match self {
            Self::Little | Self::All => &[1, 2],
            Self::Slower | Self::Alike => &[2],
        }
    }

    /// By how much peak flags are faster, in percent.
    const fn gain(self) -> f64 {
        match self {
            Self::Little | Self::All => 44.0,
            Self::Slower => -8.0,
            Self::Alike => 1.0,
        }
    }
}

/// `run` as one of the processor suite.
pub(crate) fn processor(mut run: RunDocument, work: Work) -> RunDocument {
    run.environment.targets[0].kind = TargetKind::Processor;
    for point in &mut run.points {
        point.load.unit = LoadUnit::Copies;
        point.rate.unit = ThroughputUnit::Ratio;
    }
    for summary in &mut run.analysis.summaries {
        summary.load_unit = LoadUnit::Copies;
    }
    let score = |copies: u32, flags| ProcessorScore {
        class: None,
        flags,
        copies,
        members: 16,
        ratio: Estimate { mean: 0.95 * f64::from(copies), ci95: Some(0.02) },
        is_short: work == Work::Little,
    };
    let scores =
        work.copies().iter().flat_map(|copies| FlagSet::ALL.map(|flags| score(*copies, flags)));
    run.analysis.processor = Some(ProcessorAnalysis {
        scores: scores.collect(),
        gains: vec![PeakGain {
            class: None,
            copies: work.copies()[0],
            percent: Estimate { mean: work.gain(), ci95: Some(3.0) },
        }],
    });
    run
}
