//! Runs of users who type at screens.

use kneepoint_core::result::warning::MemoryFit;
use kneepoint_core::result::{ClassResult, RunAnalysis, RunDocument, Verdict, Warning};
use kneepoint_core::words::load::LoadUnit;
use serde_json::json;

use super::synthetic::summarize;

/// What such a run is judged by, and what is known of the sessions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Typed {
    /// The rule that was asked for.
    pub(crate) rule: &'static str,
    pub(crate) takes: Takes,
}

/// What sessions take most of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Takes {
    Processors,
    Memory,
    Little,
    /// Nothing is known of it.
    Unknown,
}

const CROSSED: &str = "keystroke.mean<=14ms";

/// A run whose crossing was measured.
pub(crate) const CARRIES: Typed = typed(CROSSED, Takes::Processors);
/// The same with other sessions.
pub(crate) const IN_MEMORY: Typed = typed(CROSSED, Takes::Memory);
pub(crate) const AT_EASE: Typed = typed(CROSSED, Takes::Little);
pub(crate) const UNCOUNTED: Typed = typed(CROSSED, Takes::Unknown);
/// Runs of which only a bound, or nothing, is known.
pub(crate) const ALL_KEEP: Typed = typed("keystroke.mean<=9s", Takes::Unknown);
pub(crate) const NONE_KEEPS: Typed = typed("keystroke.mean<=1ms", Takes::Unknown);
pub(crate) const NO_REFERENCE: Typed = typed("keystroke.mean<=2x@5", Takes::Unknown);

const fn typed(rule: &'static str, takes: Takes) -> Typed {
    Typed { rule, takes }
}

/// `run` as if users had typed in its first series.
pub(crate) fn typing(mut run: RunDocument, Typed { rule, takes }: Typed) -> RunDocument {
    let name = run.points[0].series.clone();
    run.points.retain(|point| point.series == name);
    for point in &mut run.points {
        point.load.unit = LoadUnit::Users;
        point.verdict = Verdict::Steady;
        let class = |operations| ClassResult {
            operations,
            latency_ms: point.latency_ms,
            ..ClassResult::default()
        };
        let classes = [("keystroke", class(50)), ("logon", class(5))];
        point.classes = classes.map(|(name, class)| (name.to_owned(), class)).into();
        point.warnings = notes(point.load.value, takes);
    }
    run.environment.hosts[0].memory_bytes = 24 << 30;
    run.plan["rules"] = json!([rule]);
    summarize(&mut run, &[rule]);
    run.analysis.users = RunAnalysis::of(&run).expect("an analysis").users;
    run
}

/// What is told of this number of sessions.
fn notes(users: f64, takes: Takes) -> Vec<Warning> {
    let (share, session_bytes) = match takes {
        Takes::Processors => (0.06, 80e6),
        Takes::Memory => (0.01, 5e9),
        Takes::Little => (0.01, 80e6),
        Takes::Unknown => return Vec::new(),
    };
    let fit = MemoryFit { base_bytes: 1e9, session_bytes, error_percent: 2.0 };
    vec![
        Warning::SessionMemory {
            sessions: users as u64,
            bytes: (fit.base_bytes + users * session_bytes) as u64,
            fit: Some(fit),
        },
        Warning::SessionProcessor {
            sessions: users as u64,
            used: (users * share).min(1.0),
            available: 1.0,
            stalled_percent: Some(users),
        },
    ]
}
