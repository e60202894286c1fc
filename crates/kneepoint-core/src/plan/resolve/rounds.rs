//! Rounds over all series until steady state: what the suite says, with the wishes applied.

use super::defaults::quick;
use super::wishes::{Search, Wishes};
use crate::plan::{Plan, RoundPlan, SeriesPlan, SteadyState};
use crate::spec::factor::Factor;
use crate::spec::grid::SearchPlan;
use crate::spec::suite::SuiteRounds;
use crate::words::fault::Fault;
use crate::words::units::Nanos;

/// The wishes with the time of the suite's rounds where they have none, and without a ramp: a round is what
/// brings the targets to their steady state.
///
/// # Errors
/// When something is wished for that rounds do not have.
pub(super) fn with_round_time(wishes: &Wishes, rounds: &SuiteRounds) -> Result<Wishes, Fault> {
    let points = [wishes.min_time, wishes.max_time, wishes.steady_state];
    let refused = if points.iter().any(Option::is_some) || wishes.accuracy.is_some() {
        Some(
            "--accuracy, --min-time, --max-time and --steady-state; --time says how long each series takes",
        )
    } else if wishes.repeat.is_some() {
        Some("--repeat; each round measures everything once")
    } else if wishes.factors.iter().any(Factor::is_varied) {
        Some(
            "--factor with several levels; measure each in its own run, with its own preconditioning",
        )
    } else if wishes.search == Search::Knee {
        Some("the search (`kneepoint knee`); each series has one load")
    } else {
        None
    };
    if let Some(refused) = refused {
        return Err(Fault::new("the suite is measured in rounds until steady state")
            .fix(format!("leave out {refused}")));
    }
    let usual = if wishes.is_quick() { quick::ROUND.min(rounds.time) } else { rounds.time };
    Ok(Wishes {
        time: Some(wishes.time.unwrap_or(usual)),
        ramp: Some(wishes.ramp.unwrap_or(Nanos::ZERO)),
        ..wishes.clone()
    })
}

/// The plan in `rounds`.
///
/// # Errors
/// When a series has several loads, or one that is tracked is not among them.
pub(super) fn in_rounds(plan: Plan, rounds: &SuiteRounds) -> Result<Plan, Fault> {
    let is_single =
        |one: &&SeriesPlan| one.search == SearchPlan::Grid && one.loads.levels.len() == 1;
    if let Some(several) = plan.series.iter().find(|one| !is_single(one)) {
        return Err(Fault::new(format!("{} has more than one load", several.name))
            .because("a round measures each series once")
            .fix("give it one load: outstanding = 32 in the suite, or --outstanding 32"));
    }
    let is_other = |one: &&SeriesPlan| one.settings != plan.series[0].settings;
    if let Some(other) = plan.series.iter().find(is_other) {
        return Err(Fault::new(format!(
            "{} has other settings than {}",
            other.name, plan.series[0].name
        ))
        .because("rounds go on with the state that the series before left")
        .fix("give all series of the suite the same settings"));
    }
    let is_there = |name: &&String| plan.series.iter().any(|one| one.name == **name);
    if let Some(missing) = rounds.tracked.iter().find(|name| !is_there(name)) {
        let why: Vec<String> = plan.omissions.iter().map(ToString::to_string).collect();
        let fault = Fault::new(format!("{missing} must be steady, and is not measured"));
        let fault = if why.is_empty() { fault } else { fault.because(why.join("; ")) };
        return Err(
            fault.fix("leave out --block, or change 'tracked' in the [rounds] of the suite")
        );
    }
    let steady_state = SteadyState {
        round: plan.timing.stop.measure_max(),
        window: rounds.window,
        range: rounds.excursion,
        slope: rounds.slope,
        rounds_max: rounds.max,
    };
    let (tracked, quantity) = (rounds.tracked.clone(), rounds.quantity);
    let rule = RoundPlan { tracked, quantity, every: rounds.every, steady_state };
    Ok(Plan { repetitions: rounds.max, rounds: Some(rule), ..plan })
}
