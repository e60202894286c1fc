//! The file set, the order of the copies, and their summary.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::analysis::summarize_copies;
use crate::measure::{NextCopy, next_copy};
use crate::plan::tests::plan_of;
use crate::plan::{FileSet, Plan, TargetKind, TargetPlan};
use crate::result::CopyResult;

/// The set of the suite of 2007.
const SET_2007: FileSetPlan = FileSetPlan { bytes: 500 << 20, files: 712, directories: 64 };

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Everything that must hold for any set.
fn check_set(plan: &FileSetPlan, seed: u64) -> FileSet {
    let set = FileSet::new(plan, seed);
    assert_eq!(set.bytes(), plan.bytes);
    assert_eq!(
        (set.files.len(), set.directories.len()),
        (plan.files as usize, plan.directories as usize)
    );
    assert!(set.files.iter().all(|file| file.bytes >= 1));
    let mut known = BTreeSet::from([""]);
    for directory in &set.directories {
        assert!(known.contains(parent(directory)), "{directory} comes after its parent");
        assert!(known.insert(directory), "{directory} is there once");
    }
    let used: BTreeSet<&str> = set.files.iter().map(|file| parent(&file.path)).collect();
    assert!(used.iter().all(|directory| !directory.is_empty() && known.contains(directory)));
    assert_eq!(used.len(), used.len().max(plan.directories.min(plan.files) as usize));
    let names: BTreeSet<&str> = set.files.iter().map(|file| file.path.as_str()).collect();
    let contents: BTreeSet<u64> = set.files.iter().map(|file| file.seed).collect();
    assert_eq!((names.len(), contents.len()), (set.files.len(), set.files.len()));
    assert_eq!(FileSet::new(plan, seed), set);
    set
}

#[test]
fn the_set_of_2007_is_what_it_always_was() {
    let set = check_set(&SET_2007, 1);
    assert_ne!(set, FileSet::new(&SET_2007, 2));
    let sizes: Vec<u64> = set.files.iter().map(|file| file.bytes).collect();
    let (min, max) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
    let first = &set.files[0];
    assert_eq!(
        (first.path.as_str(), first.bytes, *min, *max),
        ("d00/f000.dat", 347_960, 1_408, 5_727_789),
    );
}

#[test]
fn sizes_spread_evenly_over_the_powers_of_two() {
    let set = FileSet::new(&FileSetPlan { bytes: 1 << 30, files: 12_000, directories: 1 }, 7);
    let smallest = set.files.iter().map(|file| file.bytes).min().unwrap();
    let mut powers: BTreeMap<u32, usize> = BTreeMap::new();
    for file in &set.files {
        *powers.entry((file.bytes / smallest).ilog2()).or_default() += 1;
    }
    assert!((12..=13).contains(&powers.len()), "{powers:?}");
    let inner = powers.iter().filter(|(power, _)| (1..11).contains(*power));
    assert!(inner.clone().all(|(_, count)| (800..1200).contains(count)), "{powers:?}");
}

proptest! {
    #[test]
    fn any_set_adds_up(
        (files, directories) in (1..300_u32, 1..80_u32),
        more in 0..BYTES_MAX / 2,
        seed: u64,
    ) {
        check_set(&FileSetPlan { bytes: u64::from(files) + more, files, directories }, seed);
    }
}

/// A plan that copies three times on two files, with a device between them.
fn plan() -> Plan {
    let mut plan = plan_of("/a", 3);
    plan.targets[0].kind = TargetKind::File;
    plan.targets[1] = TargetPlan {
        target: "/dev/b".to_owned(),
        kind: TargetKind::Block,
        ..plan.targets[1].clone()
    };
    plan.targets[2] =
        TargetPlan { target: "/c".to_owned(), kind: TargetKind::File, ..plan.targets[2].clone() };
    plan.file_copy = Some(FileCopy {
        set: SET_2007,
        methods: CopyMethod::ALL.to_vec(),
        caches: CopyCache::ALL.to_vec(),
        repetitions: 3,
    });
    plan
}

fn made(plan: &Plan, next: &NextCopy<'_>, elapsed_s: f64) -> CopyResult {
    CopyResult {
        target: plan.targets[next.target].target.clone(),
        method: next.method,
        cache: next.cache,
        repetition: next.repetition,
        started_at: String::new(),
        files: 712,
        directories: 64,
        bytes: 500 << 20,
        elapsed_s: Some(elapsed_s),
        error: None,
        warnings: Vec::new(),
    }
}

#[test]
fn every_kind_is_copied_as_often_as_the_plan_says_and_only_beside_files() {
    let plan = plan();
    let mut copies: Vec<CopyResult> = Vec::new();
    while let Some(next) = next_copy(&plan, &copies) {
        let elapsed = 2.0 + f64::from(next.repetition);
        copies.push(made(&plan, &next, elapsed));
        assert!(copies.len() <= 36);
    }
    assert_eq!(copies.len(), 2 * plan.file_copy.as_ref().unwrap().count());
    assert!(copies[..18].iter().all(|copy| copy.target == "/a"));
    assert!(copies[..6].iter().all(|copy| copy.repetition == 0), "round by round");
    let order = |round: usize| -> Vec<_> {
        copies[6 * round..6 * round + 6].iter().map(|copy| (copy.method, copy.cache)).collect()
    };
    assert_ne!(order(0), order(1), "rounds have orders of their own");
    let summaries = summarize_copies(&copies);
    assert_eq!(summaries.len(), 12);
    assert_eq!(summaries[0].target, "/a");
    assert_eq!(
        (summaries[1].cache, summaries[1].method),
        (CopyCache::Cached, CopyMethod::Sendfile)
    );
    let rates = summaries[11].rates.unwrap();
    assert_eq!(summaries[11].copies, 3);
    assert!((rates.elapsed_s.mean - 3.0).abs() < 1e-12);
    // Student's t of 2 degrees of freedom times 1 s over the root of 3.
    assert!((rates.elapsed_s.ci95.unwrap() - 4.3027 / libm::sqrt(3.0)).abs() < 1e-3);
    assert!((rates.throughput_mib_s_median - 500.0 / 3.0).abs() < 1e-9);
    assert!(
        (rates.files_per_s.mean - 712.0 * (1.0 / 2.0 + 1.0 / 3.0 + 1.0 / 4.0) / 3.0).abs() < 1e-9
    );
}

#[test]
fn a_kind_that_failed_is_not_tried_again_and_keeps_its_reason() {
    let plan = plan();
    let mut copies: Vec<CopyResult> = Vec::new();
    while let Some(next) = next_copy(&plan, &copies) {
        let mut copy = made(&plan, &next, 2.0);
        if next.method == CopyMethod::CopyFileRange {
            copy.elapsed_s = None;
            copy.error = Some("not supported".to_owned());
        }
        copies.push(copy);
    }
    assert_eq!(copies.len(), 2 * (2 + 4 * 3));
    let failed = &summarize_copies(&copies)[0];
    assert_eq!((failed.copies, failed.rates), (0, None));
    assert_eq!(failed.error.as_deref(), Some("not supported"));
    let single = summarize_copies(&copies[..1]);
    assert!(single[0].rates.is_none_or(|rates| rates.elapsed_s.ci95.is_none()));
}
