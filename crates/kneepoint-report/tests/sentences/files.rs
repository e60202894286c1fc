//! Runs of operations on files, and of I/Os that pause: what is told of them, and of them alone.

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::RunDocument;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_report::{Language, html, page};

use super::cases::Case::{self, Planned, Standard};
use super::cases::run_of;
use super::registry::{Composed, Row};

const BURSTS: Case =
    Planned("lines", r#"[{"share": 100, "read": 0, "burst": 8, "delay": 10000000}]"#);
const THINK: Case = Planned("think", "5000000");

/// Files that grow, and are reserved and synchronised.
const GROWING: Case = Planned(
    "tree",
    r#"{"count": 2000, "directories": 20, "bytes_min": 4096, "bytes_max": 16384, "append_bytes": 4096,
        "preallocation": "fallocate", "sync": "fsync", "operations": [{"kind": "append", "share": 100.0}]}"#,
);
/// Files that are only looked at.
const SEEN: Case = Planned(
    "tree",
    r#"{"count": 2000, "directories": 20, "bytes_min": 0, "bytes_max": 0, "append_bytes": 4096,
        "preallocation": "none", "sync": "none", "operations": [{"kind": "stat", "share": 100.0}]}"#,
);

/// Texts, which are found in the sources by their names.
pub(crate) const OF_FILES: &[Row] = &[
    ("profile::tree", SEEN, Standard),
    ("profile::tree_operations", SEEN, Standard),
    ("profile::appended", GROWING, SEEN),
    ("profile::reserved", GROWING, SEEN),
    ("profile::synchronised", GROWING, SEEN),
    ("profile::bursts", BURSTS, THINK),
    ("profile::think", THINK, BURSTS),
    ("profile::outstanding_less", THINK, Standard),
];

/// Sentences that are put together.
pub(crate) const COMPOSED_OF_FILES: &[Composed] = &[(
    "method::outstanding_with_pauses",
    ["unless the load profile pauses; then", "wenn das Lastprofil keine Pause macht; dann"],
    THINK,
    Standard,
)];

/// A run of operations on files.
fn files(file_system: &str) -> RunDocument {
    let mut run = run_of(Case::Business(None)).expect("a run");
    let target = &mut run.environment.targets[0];
    target.kind = TargetKind::Directory;
    (target.size_bytes, target.file_system) = (0, file_system.to_owned());
    run.points.iter_mut().for_each(|point| point.load.unit = LoadUnit::OutstandingOperations);
    let summaries = &mut run.analysis.summaries;
    summaries.iter_mut().for_each(|summary| summary.load_unit = LoadUnit::OutstandingOperations);
    run
}

#[test]
fn what_is_said_of_files_is_said_of_them_alone() {
    let words = [
        (
            Language::English,
            ["The load is set by the number of operations on files", "outstanding operations"],
            ["files of a directory on ext4", "files of a directory"],
        ),
        (
            Language::German,
            ["Die Last ist die Zahl der Operationen auf Dateien", "ausstehende Operationen"],
            ["Dateien eines Verzeichnisses auf ext4", "Dateien eines Verzeichnisses"],
        ),
    ];
    for (language, always, [on, somewhere]) in words {
        let text = |run: &RunDocument| html(&page(run, language)).replace('\u{a0}', " ");
        let known = text(&files("ext4 rw,relatime"));
        let unknown = text(&files(""));
        let other = text(&run_of(Case::Business(None)).expect("a run"));
        for word in always {
            assert!(known.contains(word) && unknown.contains(word), "{word}");
            assert!(!other.contains(word), "{word}");
        }
        assert!(known.contains(on) && !unknown.contains(on));
        assert!(unknown.contains(somewhere) && !other.contains(somewhere));
    }
}
