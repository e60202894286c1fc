//! Runs of the processor suite.

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{
    Estimate, PeakGain, ProcessorAnalysis, ProcessorScore, RunDocument, ThroughputUnit,
};
use kneepoint_core::spec::profile::FlagSet;
use kneepoint_core::words::load::LoadUnit;

/// How much each copy of a program does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Work {
    Little,
    All,
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
    let ratio = Estimate { mean: 1.9, ci95: Some(0.02) };
    let score = |flags| ProcessorScore {
        class: None,
        flags,
        copies: 2,
        members: 16,
        ratio,
        is_short: work == Work::Little,
    };
    run.analysis.processor = Some(ProcessorAnalysis {
        scores: FlagSet::ALL.map(score).to_vec(),
        gains: vec![PeakGain {
            class: None,
            copies: 2,
            percent: Estimate { mean: 44.0, ci95: None },
        }],
    });
    run
}
