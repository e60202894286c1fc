//! Rounds over all series on simulated drives, which keep what each series does to them.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use kneepoint_core::analysis::comparison::{CompareOptions, compare};
use kneepoint_core::analysis::counted_points;
use kneepoint_core::measure::search::next_point;
use kneepoint_core::measure::{Memory, Run, Stop, Testbed, Unwatched};
use kneepoint_core::plan::Plan;
use kneepoint_core::plan::resolve::{Draft, Wishes};
use kneepoint_core::result::{PointResult, RunAnalysis, RunDocument};
use kneepoint_core::spec::suite::Suite;
use kneepoint_sim::SimTestbed;

const DRIVE: &str = "sim:drive/ssd-sata25-32?flash_state=fresh";

/// A suite of one series that is tracked, with the last keys of `[rounds]`.
fn suite(profile: &str, precondition: &str, more: &str) -> Suite {
    let text = format!(
        "name = \"a\"\ntitle = \"A\"\noutstanding = \"8\"\n{precondition}\n[rounds]\ntracked = \
         [\"{profile}/4KiB\"]\n{more}\n[[series]]\nprofile = \"{profile}\"\nblock = [\"4KiB\"]\n"
    );
    Suite::parse(&text, "a.toml").unwrap()
}

/// Measures `suite` on the drive.
fn measured(suite: &Suite) -> (Plan, Vec<PointResult>) {
    let wishes = Wishes::default();
    let mut testbed = SimTestbed::new(&[DRIVE.to_owned()]).unwrap();
    let plan = Draft::new(suite, &wishes).unwrap().resolve(&testbed.site(&wishes)).unwrap();
    let mut memory = Memory::default();
    Run::new(&plan).measure(&mut testbed, &mut memory, &mut Unwatched).unwrap();
    (plan, memory.points)
}

/// A run of these points, with its analysis.
fn run_of(plan: &Plan, points: &[PointResult]) -> RunDocument {
    let document = serde_json::json!({
        "schema": "kneepoint.run/2",
        "run": {"id": "r", "label": "", "work": "w", "state": "complete", "started_at": "",
                "finished_at": "", "plan_hash": "", "seed": 1, "version": "", "command": ""},
        "environment": {"hosts": [], "targets": []}, "plan": plan, "points": points,
        "copies": [], "warnings": []
    });
    let mut document: RunDocument = serde_json::from_value(document).unwrap();
    document.analysis = RunAnalysis::of(&document).unwrap();
    document
}

fn analysis(plan: &Plan, points: &[PointResult]) -> RunAnalysis {
    run_of(plan, points).analysis
}

#[test]
fn writes_after_a_sequence_become_steady_once_garbage_is_collected() {
    let suite = suite("random-write", "[precondition]\nblock = \"128KiB\"", "time = \"30s\"");
    let (plan, points) = measured(&suite);
    let rates: Vec<f64> = points.iter().map(|point| point.rate.mean).collect();
    println!("{rates:?}");
    assert!(rates.len() > 5, "the state of the drive changes from round to round: {rates:?}");
    let last = rates[rates.len() - 1];
    assert!(rates[0] > 1.3 * last, "{rates:?}");
    let found = analysis(&plan, &points);
    assert!(found.warnings().is_empty(), "{:?}", found.warnings());
    let rounds = found.rounds.unwrap();
    assert!(rounds.attained && rounds.rounds as usize == rates.len());
    // The numbers are those of the window alone.
    let mean = rates[rates.len() - 5..].iter().sum::<f64>() / 5.0;
    assert!((rounds.cells[0].rate - mean).abs() < 1e-6 * mean);
    assert!((found.summaries[0].peak.unwrap().rate.mean - mean).abs() < 1e-6 * mean);
    assert_eq!(counted_points(&points, Some(&rounds)).len(), 5);
    // And so are those of comparisons.
    let run = run_of(&plan, &points);
    let compared = compare(&[&run, &run], &CompareOptions::default()).unwrap();
    let peak =
        compared.series[0].figures.iter().find(|figure| figure.measure.name() == "peak.iops");
    let reading = peak.unwrap().readings[1].as_ref().unwrap();
    assert!((reading.value - mean).abs() < 1e-6 * mean, "{reading:?} {mean}");
}

#[test]
fn reads_are_steady_at_once() {
    let suite = suite("random-read", "", "time = \"1s\"");
    let (plan, points) = measured(&suite);
    assert_eq!(points.len(), 5);
    assert!(analysis(&plan, &points).rounds.unwrap().attained);
}

#[test]
fn rounds_that_end_before_they_are_steady_say_so() {
    let suite =
        suite("random-write", "[precondition]\nblock = \"128KiB\"", "time = \"30s\"\nmax = 5");
    let (plan, points) = measured(&suite);
    assert_eq!((points.len(), next_point(&plan, &points)), (5, None));
    let found = analysis(&plan, &points);
    let kinds: Vec<String> = found.warnings().iter().map(|warning| warning.kind()).collect();
    assert_eq!(kinds, ["rounds_not_steady"]);
    assert!(!found.rounds.unwrap().attained);
    let few = analysis(&plan, &points[..3]);
    let text = few.warnings()[0].text();
    assert!(text.contains("3 rounds are too few"), "{text}");
}

#[test]
fn a_simulated_drive_does_not_resume_in_the_middle_of_its_rounds() {
    let suite = suite("random-read", "", "time = \"1s\"");
    let (plan, points) = measured(&suite);
    let mut testbed = SimTestbed::new(&[DRIVE.to_owned()]).unwrap();
    let mut memory = Memory { points: points[..3].to_vec(), ..Memory::default() };
    let stop = Run::new(&plan).measure(&mut testbed, &mut memory, &mut Unwatched).unwrap_err();
    let Stop::Fault(fault) = stop else { panic!("{stop:?}") };
    assert_eq!(fault.what(), "the rounds of a simulated system cannot be resumed");
}
