//! From the beginning of a run to its end, and what is refused on the way.

use kneepoint_core::result::{CopyResult, PointResult, RUN_SCHEMA, RunDocument, RunState, Warning};
use kneepoint_core::words::load::LoadLevel;
use kneepoint_store::{Histograms, NewPoint, NewRun, RunName, Store, StoreAccess};
use tempfile::TempDir;

use crate::sample;

/// A new store, and the directory that it lives in.
fn lab() -> (Store, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("k.db"), StoreAccess::ReadWrite).unwrap();
    (store, directory)
}

/// A new store with the run `a`, which has points at 1, 2 and 4.
fn lab_with_run() -> (Store, TempDir) {
    let (mut store, directory) = lab();
    store.begin(&sample::run("a")).unwrap();
    for outstanding in [1, 2, 4] {
        sample::save(&mut store, "a", outstanding).unwrap();
    }
    (store, directory)
}

#[test]
fn an_id_that_is_taken_is_drawn_again() {
    let (mut store, _directory) = lab();
    let draws = |numbers: &'static [u64]| {
        let mut numbers = numbers.iter().copied();
        move || numbers.next().unwrap()
    };
    let id = store.free_id(sample::STARTED, draws(&[0x7f3a])).unwrap();
    assert_eq!(id, "20261121-043510-7f3a");
    let run = sample::run(&id);
    assert_eq!(store.begin_under_free_id(&run, draws(&[])).unwrap(), id);
    // The same second, the same four digits.
    let other = store.free_id(sample::STARTED, draws(&[0x7f3a, 0x7f3a, 0x0001])).unwrap();
    assert_eq!(other, "20261121-043510-0001");
    // Another process was quicker.
    let other = store.begin_under_free_id(&run, draws(&[0x7f3a, 0x0002])).unwrap();
    assert_eq!(other, "20261121-043510-0002");
    // Nothing but one number: it gets longer.
    let longer = store.begin_under_free_id(&run, || 0x7f3a).unwrap();
    assert_eq!(longer, "20261121-043510-00007f3a");
    let runs = store.runs().unwrap();
    let ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
    assert_eq!(ids, [&longer, &other, &id]);
    assert_eq!(store.find(&"20261121-043510-7".parse().unwrap()).unwrap().id, id);
    assert_eq!(store.find(&"20261121-043510-00007".parse().unwrap()).unwrap().id, longer);
    assert_eq!(store.load(&id).unwrap().run.id, id);
    let longest = store.begin_under_free_id(&run, || 0x7f3a).unwrap();
    assert_eq!(longest, "20261121-043510-0000000000007f3a");
    let fault = store.begin_under_free_id(&run, || 0x7f3a).unwrap_err();
    assert_eq!(fault.what(), "there is no free id for the run");
    assert_eq!(store.check().unwrap(), [""; 0]);
}

#[test]
fn a_run_comes_back_as_it_was_saved() {
    let (mut store, _directory) = lab_with_run();
    store.finish("a", &sample::ending(RunState::Complete)).unwrap();
    let document = store.load("a").unwrap();
    let run = sample::run("a");
    assert_eq!(document.schema, RUN_SCHEMA);
    assert_eq!((document.run.id, document.run.seed), (run.header.id, u64::MAX));
    assert_eq!(document.run.state, RunState::Complete);
    assert_eq!(document.run.command, run.header.command);
    assert_eq!(document.run.finished_at, "2026-11-21T05:00:00.5Z");
    assert_eq!(document.plan, run.plan);
    assert_eq!(store.plan("a").unwrap(), run.plan);
    assert_eq!(document.environment, run.environment);
    assert_eq!(document.points, [1, 2, 4].map(sample::point));
    assert_eq!(document.warnings, [sample::note("the write cache was on")]);
    assert!(document.analysis.summaries.is_empty());
    assert_eq!(store.histograms("a", 2).unwrap(), sample::histograms(2));
    assert_eq!(store.check().unwrap(), [""; 0]);
}

#[test]
fn copies_of_files_come_back_in_order_and_go_with_their_run() {
    let (mut store, _directory) = lab_with_run();
    let copies = [sample::copy(0), sample::copy(1)];
    for copy in (0..).zip(&copies) {
        store.save_copy("a", copy).unwrap();
    }
    let fault = store.save_copy("a", (1, &copies[0])).unwrap_err();
    assert!(fault.to_string().contains("already has one"), "{fault}");
    let nan = CopyResult { elapsed_s: Some(f64::NAN), ..sample::copy(2) };
    assert!(store.save_copy("a", (2, &nan)).is_err());
    assert_eq!(store.load("a").unwrap().copies, copies);
    store.finish("a", &sample::ending(RunState::Complete)).unwrap();
    assert!(store.save_copy("a", (2, &copies[0])).is_err(), "the run has ended");
    let mut document = store.load("a").unwrap();
    assert_eq!(document.copies, copies);
    document.run.id = "b".to_owned();
    store.import(&document).unwrap();
    assert_eq!(store.load("b").unwrap().copies, copies);
    assert_eq!(store.check().unwrap(), [""; 0]);
    store.delete("a").unwrap();
    assert_eq!(store.load("b").unwrap().copies, copies);
}

#[test]
fn a_run_that_goes_on_counts_as_interrupted_and_names_its_owner() {
    let (mut store, _directory) = lab_with_run();
    let run = &store.runs().unwrap()[0];
    assert_eq!((run.state, run.points), (RunState::Interrupted, 3));
    assert_eq!(run.owner, Some(sample::owner(7)));
    assert_eq!(store.load("a").unwrap().run.state, RunState::Interrupted);
    store.finish("a", &sample::ending(RunState::Failed)).unwrap();
    let run = &store.runs().unwrap()[0];
    assert_eq!((run.state, &run.owner), (RunState::Failed, &None));
}

#[test]
fn warnings_can_be_added_later() {
    let (mut store, _directory) = lab_with_run();
    store.add_warnings("a", &[sample::note("one")]).unwrap();
    store.add_warnings("a", &["two", "three"].map(sample::note)).unwrap();
    let document = store.load("a").unwrap();
    let texts: Vec<String> = document.warnings.iter().map(Warning::text).collect();
    assert_eq!(texts, ["one", "two", "three"]);
}

#[test]
fn measured_points_can_be_skipped() {
    let (mut store, _directory) = lab_with_run();
    let result = sample::point(2);
    let histograms = Histograms::default();
    let again = NewPoint { ordinal: 5, repetition: 1, result: &result, histograms: &histograms };
    store.save_point("a", &again).unwrap();
    let offered = PointResult { load: LoadLevel::offered(0.1), ..sample::point(1) };
    let open_loop = NewPoint { ordinal: 6, repetition: 0, result: &offered, ..again };
    store.save_point("a", &open_loop).unwrap();
    let measured = store.points("a").unwrap();
    let has = |load: LoadLevel, repetition: u32| {
        measured.iter().any(|point| {
            let is_of_load = point.result.key() == result.key() && point.result.load == load;
            is_of_load && point.repetition == repetition
        })
    };
    assert_eq!(measured.len(), 5);
    assert!(has(LoadLevel::outstanding(2), 0) && has(LoadLevel::outstanding(2), 1));
    assert!(has(LoadLevel::offered(0.1), 0));
    assert!(!has(LoadLevel::outstanding(3), 0) && !has(LoadLevel::offered(1.0), 0));
    let ordinals: Vec<u32> = measured.iter().map(|p| p.ordinal).collect();
    assert_eq!(ordinals, [1, 2, 4, 5, 6]);
}

#[test]
fn a_point_is_saved_once() {
    let (mut store, _directory) = lab_with_run();
    let (result, histograms) = (sample::point(2), Histograms::default());
    for (ordinal, repetition) in [(9, 0), (2, 9)] {
        let point = NewPoint { ordinal, repetition, result: &result, histograms: &histograms };
        let fault = store.save_point("a", &point).unwrap_err();
        assert!(fault.why().unwrap().contains("already has a point"), "{fault}");
    }
    assert_eq!(store.load("a").unwrap().points.len(), 3);
}

#[test]
fn numbers_that_cannot_be_kept_are_refused() {
    let (mut store, _directory) = lab_with_run();
    let odd = [
        PointResult { cpu_percent: Some(f64::NAN), ..sample::point(8) },
        PointResult { ramp_s: f64::INFINITY, ..sample::point(8) },
        PointResult { load: LoadLevel::offered(f64::NAN), ..sample::point(8) },
        PointResult { load: LoadLevel::outstanding(0), ..sample::point(8) },
    ];
    for result in &odd {
        let histograms = &Histograms::default();
        let point = NewPoint { ordinal: 8, repetition: 0, result, histograms };
        let fault = store.save_point("a", &point).unwrap_err();
        assert!(fault.why().unwrap().contains("not finite"), "{fault}");
    }
    assert_eq!(store.check().unwrap(), [""; 0]);
}

#[test]
fn a_run_that_has_ended_takes_no_points_until_it_is_resumed() {
    let (mut store, _directory) = lab_with_run();
    store.finish("a", &sample::ending(RunState::Interrupted)).unwrap();
    let fault = sample::save(&mut store, "a", 8).unwrap_err();
    assert_eq!(fault.to_string(), "run a does not go on: it has ended, interrupted");
    assert!(store.finish("a", &sample::ending(RunState::Complete)).is_err());
    store.resume("a", None, &sample::owner(8)).unwrap();
    assert_eq!(store.load("a").unwrap().run.finished_at, "");
    sample::save(&mut store, "a", 8).unwrap();
    store.finish("a", &sample::ending(RunState::Complete)).unwrap();
    let fault = store.resume("a", None, &sample::owner(8)).unwrap_err();
    assert_eq!(fault.why(), Some("it is complete"));
}

#[test]
fn a_run_is_taken_up_by_one_process_only() {
    let (mut store, _directory) = lab_with_run();
    let gone = sample::owner(7);
    store.resume("a", Some(&gone), &sample::owner(8)).unwrap();
    let fault = store.resume("a", Some(&gone), &sample::owner(9)).unwrap_err();
    assert!(fault.why().unwrap().contains("another process"), "{fault}");
    assert_eq!(store.runs().unwrap()[0].owner, Some(sample::owner(8)));
}

#[test]
fn odd_runs_are_refused() {
    let (mut store, _directory) = lab_with_run();
    let mut check = |change: &dyn Fn(&mut NewRun), part: &str| {
        let mut run = sample::run("b");
        change(&mut run);
        let fault = store.begin(&run).unwrap_err();
        assert!(fault.to_string().contains(part), "{fault}");
    };
    check(&|run| run.header.id = "a".to_owned(), "there is a run a already");
    check(&|run| run.header.id = "last".to_owned(), "cannot be the id of a run");
    check(&|run| run.header.started_at = "today".to_owned(), "is not a time");
    assert_eq!(store.runs().unwrap().len(), 1);
}

#[test]
fn a_deleted_run_takes_its_points_along() {
    let (mut store, _directory) = lab_with_run();
    store.begin(&sample::run("b")).unwrap();
    sample::save(&mut store, "b", 1).unwrap();
    store.delete("a").unwrap();
    assert!(store.delete("a").is_err());
    let fault = store.load("a").unwrap_err();
    assert_eq!(fault.what(), "there is no run 'a'");
    assert_eq!(store.load("b").unwrap().points.len(), 1);
    // A later run must not inherit points.
    store.begin(&sample::run("a")).unwrap();
    assert!(store.load("a").unwrap().points.is_empty());
    assert_eq!(store.check().unwrap(), [""; 0]);
}

#[test]
fn the_newest_run_is_the_last_started() {
    let (mut store, _directory) = lab();
    for (id, second) in [("b", "10"), ("d", "11.5"), ("c", "11"), ("a", "10")] {
        let mut run = sample::run(id);
        run.header.started_at = format!("2026-11-21T04:35:{second}Z");
        run.header.label = "same".to_owned();
        store.begin(&run).unwrap();
    }
    let ids: Vec<String> = store.runs().unwrap().into_iter().map(|run| run.id).collect();
    assert_eq!(ids, ["d", "c", "a", "b"]);
    assert_eq!(store.find(&RunName::Last).unwrap().id, "d");
    assert_eq!(store.find(&"same".parse().unwrap()).unwrap().id, "d");
    assert_eq!(store.find(&"b".parse().unwrap()).unwrap().id, "b");
}

#[test]
fn an_imported_run_comes_back_without_response_times() {
    let (mut store, _directory) = lab_with_run();
    let mut document = store.load("a").unwrap();
    assert!(store.import(&document).unwrap_err().what().contains("there is a run a already"));
    document.run.id = "b".to_owned();
    document.points.push(sample::point(4));
    store.import(&document).unwrap();
    assert_eq!(store.load("b").unwrap(), document);
    assert_eq!(store.histograms("b", 0).unwrap(), Histograms::default());
    assert_eq!(store.points("b").unwrap()[3].repetition, 1);
    assert!(store.histograms("b", 4).unwrap_err().what().contains("no point 4"));
}

#[test]
fn a_document_is_imported_entirely_or_not_at_all() {
    let (mut store, _directory) = lab_with_run();
    let sound = store.load("a").unwrap();
    let mut check = |change: &dyn Fn(&mut RunDocument)| {
        let mut document = sound.clone();
        document.run.id = "b".to_owned();
        change(&mut document);
        assert!(store.import(&document).is_err());
        assert_eq!(store.runs().unwrap().len(), 1);
    };
    check(&|document| document.schema = "kneepoint.run/9".to_owned());
    check(&|document| document.run.started_at.clear());
    check(&|document| document.run.finished_at = "soon".to_owned());
    check(&|document| document.run.id.clear());
    check(&|document| document.points[2].ramp_s = f64::NAN);
}

#[test]
fn a_run_gets_another_label_and_nothing_else_of_it_changes() {
    let (mut store, _directory) = lab_with_run();
    let before = store.load("a").unwrap();
    store.relabel("a", "after the update").unwrap();
    let mut after = store.load("a").unwrap();
    assert_eq!(after.run.label, "after the update");
    after.run.label = before.run.label.clone();
    assert_eq!(after, before);
    // A run that goes on can be labelled, too, and ends as any other.
    store.finish("a", &sample::ending(RunState::Complete)).unwrap();
    assert_eq!(store.load("a").unwrap().run.label, "after the update");
    assert_eq!(store.find(&"after the update".parse().unwrap()).unwrap().id, "a");
    assert_eq!(store.check().unwrap(), [""; 0]);
    for label in ["last", "a\u{1b}[2J"] {
        assert!(store.relabel("a", label).is_err(), "{label:?}");
        let mut run = sample::run("b");
        run.header.label = label.to_owned();
        assert!(store.begin(&run).is_err(), "{label:?}");
    }
    assert!(store.relabel("c", "x").is_err());
}
