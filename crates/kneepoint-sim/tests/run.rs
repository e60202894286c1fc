//! The run loop on simulated systems: what it keeps and how it ends.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::{
    Instrument, Memory, Observer, Outcome, Point, Progress, Ready, Run, Stop, Testbed, Unwatched,
};
use kneepoint_core::plan::resolve::{Draft, Site, Wishes};
use kneepoint_core::plan::{Plan, TypedLoads};
use kneepoint_core::result::warning::{ExpectedSetting, FoundSetting, SettingChange};
use kneepoint_core::result::{Environment, PointResult, Verdict};
use kneepoint_core::spec::catalog;
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::units::Nanos;
use kneepoint_sim::SimTestbed;

#[path = "../examples/suite.rs"]
#[allow(dead_code, reason = "its main is not called")]
mod suite;

#[test]
fn the_example_prints_points_and_summaries() {
    let mut text = Vec::new();
    suite::run(&["sim:analytic/fixed?service=1ms".to_owned()], &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("database/8KiB, 4 outstanding I/Os: 4000 IO/s, 1.0 ms\n"), "{text}");
    assert!(text.contains("\ndatabase/8KiB at mean<=20ms: at least 256000 IO/s\n"), "{text}");
}

/// What goes wrong from the second point on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    None,
    Errors,
    ForeignSetting,
}

/// A simulated system with some trouble.
struct Troubled {
    systems: SimTestbed<'static>,
    trouble: Trouble,
    points: u32,
}

impl Testbed for Troubled {
    fn site<'a>(&'a self, wishes: &'a Wishes) -> Site<'a> {
        self.systems.site(wishes)
    }

    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        // The first point is made ready for twice: before the run begins, too.
        self.points += 1;
        if self.points > 2 && self.trouble == Trouble::Errors {
            return Ok(Ready { plan, instrument: self });
        }
        self.systems.prepare(plan, next, observer)
    }

    fn environment(&self, plan: &Plan) -> Environment {
        self.systems.environment(plan)
    }

    fn foreign_settings(&self) -> Vec<SettingChange> {
        let is_changed = self.points > 2 && self.trouble == Trouble::ForeignSetting;
        let change = || SettingChange {
            setting: "scheduler of sda".to_owned(),
            found: FoundSetting::OtherDevice,
            expected: ExpectedSetting::AsBefore("none".to_owned()),
        };
        is_changed.then(change).into_iter().collect()
    }
}

impl Instrument for Troubled {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        let next = NextPoint { series: point.series, load: point.load, repetition: 0, visit: None };
        let ready = self.systems.prepare(point.plan, &next, observer)?;
        let outcome = ready.instrument.run_point(point, observer)?;
        Ok(Outcome { errors: vec![1000], ..outcome })
    }
}

/// Three loads on a system that answers after 1 ms.
fn measured(trouble: Trouble, observer: &mut dyn Observer) -> (Result<(), Stop>, Memory) {
    let mut memory = Memory::default();
    let ended = measure_into(&mut memory, trouble, observer);
    (ended, memory)
}

fn measure_into(
    memory: &mut Memory,
    trouble: Trouble,
    observer: &mut dyn Observer,
) -> Result<(), Stop> {
    let systems = SimTestbed::new(&["sim:analytic/fixed".to_owned()]).unwrap();
    let mut testbed = Troubled { systems, trouble, points: 0 };
    let suite = Suite::of_profile(catalog::profile("database").unwrap());
    let wishes = Wishes {
        loads: Some(TypedLoads::Of(Loads::parse("1,2,4", LoadUnit::OutstandingIos).unwrap())),
        time: Some(Nanos::from_secs(1)),
        ..Wishes::default()
    };
    let plan = Draft::new(&suite, &wishes)?.resolve(&testbed.site(&wishes))?;
    Run::new(&plan).with_disturbed_again(&memory.points).measure(&mut testbed, memory, observer)
}

fn loads(memory: &Memory) -> Vec<f64> {
    memory.points.iter().map(|point| point.load.value).collect()
}

#[test]
fn every_point_is_kept() {
    let (ended, memory) = measured(Trouble::None, &mut Unwatched);
    assert_eq!((ended, loads(&memory)), (Ok(()), vec![1.0, 2.0, 4.0]));
    assert_eq!(memory.warnings, []);
}

#[test]
fn a_run_ends_with_a_point_that_failed() {
    let (ended, memory) = measured(Trouble::Errors, &mut Unwatched);
    assert_eq!(loads(&memory), [1.0, 2.0]);
    let Err(Stop::Failed(fault)) = ended else { panic!("{ended:?}") };
    assert!(fault.what().ends_with(" 2 outstanding I/Os failed"), "{fault}");
    assert_eq!(memory.points[1].verdict, Verdict::Failed);
}

#[test]
fn a_run_ends_with_a_setting_that_someone_else_changed() {
    let (ended, mut memory) = measured(Trouble::ForeignSetting, &mut Unwatched);
    let Err(Stop::Fault(fault)) = ended else { panic!("{ended:?}") };
    assert_eq!(fault.why(), Some("scheduler of sda: another device, or none, has that name now"));
    assert_eq!(memory.points[1].verdict, Verdict::Disturbed);
    // The disturbed point is measured again, in its place, and then what is missing.
    assert_eq!(measure_into(&mut memory, Trouble::None, &mut Unwatched), Ok(()));
    assert_eq!(loads(&memory), [1.0, 2.0, 4.0]);
    assert_eq!(memory.points[1].verdict, Verdict::Fixed);
    assert!(memory.warnings[0].text().contains("was measured again"), "{:?}", memory.warnings);
}

/// Asks to stop in the middle of the second point.
#[derive(Default)]
struct Impatient {
    results: usize,
    intervals: usize,
}

impl Observer for Impatient {
    fn is_stop_asked(&self) -> bool {
        self.intervals > 5
    }

    fn interval(&mut self, _point: &Point<'_>, _progress: &Progress<'_>) {
        self.intervals += self.results;
    }

    fn result(&mut self, _result: &PointResult) {
        self.results += 1;
    }
}

#[test]
fn a_point_that_was_stopped_is_not_kept() {
    let (ended, memory) = measured(Trouble::None, &mut Impatient::default());
    assert_eq!((ended, loads(&memory)), (Err(Stop::Asked), vec![1.0]));
}
