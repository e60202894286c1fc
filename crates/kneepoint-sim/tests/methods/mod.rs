//! Other ways to find the throughput at which response time reaches a limit, on the systems of the study.

mod curve;
mod depth;

pub(crate) use curve::curve;
pub(crate) use depth::{latency_target_of_all, latency_target_of_half};
use kneepoint_core::analysis::summarize_plan;
use kneepoint_core::measure::search::{NextPoint, Visit};
use kneepoint_core::measure::{KeptPlace, Memory, Testbed, Unwatched, Venue};
use kneepoint_core::plan::resolve::Wishes;
use kneepoint_core::plan::{Plan, TypedLoads};
use kneepoint_core::result::PointResult;
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::words::load::{LoadLevel, LoadUnit};
use kneepoint_core::words::units::Nanos;

use crate::Case;

/// Most requests that the other tools keep in flight, as in the example of fio.
const IN_FLIGHT_MAX: u32 = 128;

/// What a method gave.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MethodAnswer {
    /// Operations per second; `None` if it ended without an answer.
    pub(crate) rate: Option<f64>,
    /// Time on the clock of the system, with what is cut off.
    pub(crate) seconds: f64,
}

/// Median time and the errors of answers; a dash if there are none.
pub(crate) fn cell(answers: impl Iterator<Item = MethodAnswer>, truth: f64) -> String {
    let answers: Vec<MethodAnswer> = answers.collect();
    let seconds = middle(answers.iter().map(|answer| answer.seconds));
    seconds
        .map_or_else(|| "-".to_owned(), |time| format!("{time:.0} s, {}", errors(&answers, truth)))
}

/// Median error without its sign, and the share of answers within 5 % of the `truth`. No answer counts as one
/// without bounds on its error.
pub(crate) fn errors(answers: &[MethodAnswer], truth: f64) -> String {
    let error = |answer: &MethodAnswer| {
        answer.rate.map_or(f64::INFINITY, |rate| 100.0 * (rate / truth - 1.0).abs())
    };
    let near = answers.iter().filter(|answer| error(answer) <= 5.0).count();
    let share = 100.0 * near as f64 / answers.len().max(1) as f64;
    match middle(answers.iter().map(error)).filter(|error| error.is_finite()) {
        Some(error) => format!("{error:.1} %, {share:.0} %"),
        None => "no answer".to_owned(),
    }
}

fn middle(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// 8 loads of 30 s each, the answer interpolated: outstanding I/Os doubling from 1 on, or rates from an
/// eighth of what the servers of the analytic systems can do.
pub(crate) fn sweep(case: &Case, seed: u64) -> Option<MethodAnswer> {
    let text = match case.unit.is_offered() {
        true => "125,250,375,500,625,750,875,1000",
        false => "1,2,4,8,16,32,64,128",
    };
    let loads = Loads::parse(text, case.unit).unwrap();
    let wishes = Wishes {
        seed,
        loads: Some(TypedLoads::Of(loads)),
        time: Some(Nanos::from_secs(30)),
        ..Wishes::default()
    };
    let (plan, memory) = case.measure(&wishes);
    let rate = summarize_plan(&memory.points, &plan)[0].sustained.rate;
    let seconds = memory.points.iter().map(|point| point.ramp_s + point.measured_s).sum();
    Some(MethodAnswer { rate: rate.map(|rate| rate.mean), seconds })
}

/// A system on which another tool measures one load after the other.
struct Bench {
    plan: Plan,
    testbed: Box<dyn Testbed>,
    memory: Memory,
}

impl Bench {
    fn of(case: &Case, seed: u64) -> Self {
        let testbed = case.testbed(seed);
        let loads = Loads::parse("1", LoadUnit::OutstandingIos).unwrap();
        let wishes = Wishes { seed, loads: Some(TypedLoads::Of(loads)), ..Wishes::default() };
        let plan = case.plan(testbed.as_ref(), &wishes);
        Self { plan, testbed, memory: Memory::default() }
    }

    /// The limit of the rule in milliseconds.
    fn limit_ms(&self) -> f64 {
        self.plan.rules[0].limit.as_millis_f64().unwrap()
    }

    fn measure(&mut self, load: LoadLevel, visit: Option<Visit>) -> PointResult {
        let repetition = self.memory.points.len() as u32;
        let next = NextPoint { series: &self.plan.series[0], load, repetition, visit };
        let testbed = self.testbed.as_mut();
        let mut venue = Venue { plan: &self.plan, testbed, keeper: &mut self.memory };
        venue.measure(&next, KeptPlace::After, &mut Unwatched).unwrap()
    }

    /// The answer after all that was measured.
    fn answer(&self, rate: Option<f64>) -> MethodAnswer {
        let points = self.memory.points.iter();
        let seconds = points.map(|point| point.ramp_s + point.measured_s).sum();
        MethodAnswer { rate, seconds }
    }
}
