//! Runs of users who type at screens.

use kneepoint_core::result::warning::{MemoryFit, Metered};
use kneepoint_core::result::{
    ClassResult, HostResult, RunAnalysis, RunDocument, TargetLatency, Verdict, Warning,
};
use kneepoint_core::words::load::LoadUnit;
use serde_json::json;

use super::synthetic::summarize;

/// What such a run is judged by, and what is known of the sessions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Typed {
    /// The rule that was asked for.
    pub(crate) rule: &'static str,
    pub(crate) takes: Takes,
    pub(crate) yardstick: Yardstick,
}

/// Where the reference of its rule was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Yardstick {
    Here,
    Elsewhere,
}

/// What sessions take most of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Takes {
    Processors,
    Memory,
    Little,
    /// Nothing is known of it.
    Unknown,
    /// Someone on the server's machine has metered this part of it.
    Server(Metered),
}

const CROSSED: &str = "keystroke.mean<=14ms";

/// All processors of the machine.
const PROCESSORS: f64 = 8.0;

/// A run whose crossing was measured.
pub(crate) const CARRIES: Typed = typed(CROSSED, Takes::Processors);
/// The same with other sessions; these may use all processors.
pub(crate) const IN_MEMORY: Typed = typed(CROSSED, Takes::Memory);
pub(crate) const AT_EASE: Typed = typed(CROSSED, Takes::Little);
/// Runs at a server that was metered.
pub(crate) const AT_MACHINE: Typed = typed(CROSSED, Takes::Server(Metered::Machine));
pub(crate) const AT_SESSIONS: Typed = typed(CROSSED, Takes::Server(Metered::Sessions));
pub(crate) const AT_ACCOUNTS: Typed = typed(CROSSED, Takes::Server(Metered::Accounts));
pub(crate) const UNCOUNTED: Typed = typed(CROSSED, Takes::Unknown);
/// Runs of which only a bound, or nothing, is known.
pub(crate) const ALL_KEEP: Typed = typed("keystroke.mean<=9s", Takes::Unknown);
pub(crate) const NONE_KEEPS: Typed = typed("keystroke.mean<=1ms", Takes::Unknown);
pub(crate) const NO_REFERENCE: Typed = typed("keystroke.mean<=2x@5", Takes::Unknown);

/// A run whose reference was measured in another one.
pub(crate) const BORROWED: Typed =
    Typed { yardstick: Yardstick::Elsewhere, ..typed(CROSSED, Takes::Unknown) };

const fn typed(rule: &'static str, takes: Takes) -> Typed {
    Typed { rule, takes, yardstick: Yardstick::Here }
}

/// `run` as if users had typed in its first series.
pub(crate) fn typing(mut run: RunDocument, Typed { rule, takes, yardstick }: Typed) -> RunDocument {
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
    if yardstick == Yardstick::Elsewhere {
        run.plan["reference"] = json!({
            "origin": {"run": "20250101-1", "label": "quiet", "started_at": "2025-01-01T00:00:00Z",
                "target": "vnc:temp"},
            "rules": ["keystroke.mean<=2x@5"],
            "values": [{"load": 5.0, "class": "keystroke", "operations": 50, "ms": {"mean": 7.0}}],
        });
    }
    summarize(&mut run, &[rule]);
    run.analysis.users = RunAnalysis::of(&run).expect("an analysis").users;
    run
}

/// The part of a host in a point.
pub(crate) fn part_of(host: &str, (rate, latency_ms): (f64, TargetLatency)) -> HostResult {
    let (users, cpu_percent, start) = (None, None, None);
    HostResult { host: host.to_owned(), rate, latency_ms, users, cpu_percent, start }
}

/// `run` as if two hosts had played its users.
pub(crate) fn played_from(mut run: RunDocument, latency_ms: TargetLatency) -> RunDocument {
    for point in &mut run.points {
        let part = |host| part_of(host, (point.rate.mean / 2.0, latency_ms));
        point.hosts = ["lab-1", "lab-2"].map(part).into();
        for host in &mut point.hosts {
            (host.users, host.cpu_percent) = (Some(4), Some(1.6));
        }
    }
    run
}

/// What is told of this number of sessions.
fn notes(users: f64, takes: Takes) -> Vec<Warning> {
    let (share, session_bytes) = match takes {
        Takes::Processors | Takes::Server(_) => (0.06, 80e6),
        Takes::Memory => (0.01, 5e9),
        Takes::Little => (0.01, 80e6),
        Takes::Unknown => return Vec::new(),
    };
    let of = match takes {
        Takes::Server(of) => of,
        _ => Metered::OwnSessions,
    };
    let is_own = of == Metered::OwnSessions;
    if of == Metered::Machine && users == 1.0 {
        return vec![Warning::ServerNotMetered { reason: "lab-9 is lost".to_owned() }];
    }
    let fit = MemoryFit { base_bytes: 1e9, session_bytes, error_percent: 2.0 };
    let sessions = users as u64;
    let mut notes = vec![
        Warning::SessionMemory {
            sessions,
            bytes: (fit.base_bytes + users * session_bytes) as u64,
            fit: Some(fit),
            of,
            machine_bytes: (!is_own).then_some(16 << 30),
        },
        Warning::SessionProcessor {
            sessions,
            used: (users * share).min(1.0),
            available: if takes == Takes::Memory { PROCESSORS } else { 1.0 },
            stalled_percent: Some(users),
            of,
        },
    ];
    if !is_own {
        let (interfaces, received_per_s) = ("eth0".to_owned(), 100.0 * users);
        let sent_per_s = 3.0 * received_per_s;
        notes.push(Warning::ServerNetwork {
            users: sessions,
            received_per_s,
            sent_per_s,
            interfaces,
        });
        notes = notes.into_iter().map(|note| note.on_host("lab-9")).collect();
    }
    notes
}
