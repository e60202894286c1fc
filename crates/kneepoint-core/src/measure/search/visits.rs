//! A search by visits: short measurements, each of a load that may be visited again.
//!
//! One visit of each level, rising, brackets the rules and the peak. Then time goes where the answer
//! needs it: to a load just below and one just above the place where response time reaches the
//! limit, in an order drawn from the seed, until the interval of the answer is as narrow as asked
//! for. Loads closer together are never told apart, for that would buy nothing: the answer comes
//! from a line through all visits near it. Visits of several rules, and of the peak, serve all.
//!
//! A target that changes over minutes changes between visits, so its changes are part of the
//! scatter that the interval is made of.

use serde::{Deserialize, Serialize};

use super::answer::{Answer, counted, fastest, is_faster, resolved};
use super::fit::{Level, Sides, levels, mean_of, sides};
use super::knee::{PEAK_GAIN_MIN, SearchEnd};
use super::time::{enough, longest};
use crate::plan::{Plan, SeriesPlan, StopRule, Timing};
use crate::result::{PointResult, Verdict};
use crate::spec::grid::{KneeGoal, KneePlan, SearchPlan};
use crate::words::load::LoadLevel;
use crate::words::rule::Rule;
use crate::words::seed;
use crate::words::units::{Nanos, Percent};

/// Fewest visits that an answer rests on: with fewer their scatter is too little known.
const VISITS_MIN: usize = 12;

/// Fewest visits of one load that a number of that load alone rests on.
const VISITS_OF_LOAD_MIN: usize = 5;

/// The load below the crossing is lower by at least this share, the one above higher.
const STEP: f64 = 0.06;

/// Most visits of the load at the peak: a target that swings at its peak is told of by the interval.
const VISITS_OF_PEAK_MAX: usize = 20;

/// Throughputs that differ by less than this share are about the same.
const PEAK_ALIKE: f64 = 0.02;

/// Both sides of a crossing were visited alike if their times differ by no more than this share: the
/// seed decides which comes next.
const EVEN: f64 = 0.2;

/// A search whose time is over settles for answers whose intervals are no wider than this many times what
/// was asked for...
const SETTLED_MAX: f64 = 3.0;

/// ... and goes on after it only where such an interval comes within this many times that time.
const PATIENCE: f64 = 1.5;

/// This share of the longest time is enough if most visits are disturbed.
const DISTURBED_SHARE: f64 = 0.25;

/// An interval that is wider than this says nothing yet, in percent.
const CI95_PERCENT_MAX: f64 = 100.0;

/// Shortest visit of a level on the way up.
const PROBE: Visit = Visit {
    start: VisitStart::InFlight,
    ramp: Nanos::from_millis(20),
    ramp_from_rest: Nanos::from_millis(40),
    measure: PROBE_TIME,
};

/// Shortest time that counts of such a visit.
pub const PROBE_TIME: Nanos = Nanos::from_millis(200);

/// Shortest visit that an answer rests on: before it the load was another one.
const VISIT: Visit = Visit {
    start: VisitStart::InFlight,
    ramp: Nanos::from_millis(40),
    ramp_from_rest: Nanos::from_millis(120),
    measure: VISIT_TIME,
};

/// The same of what writes: caches notice that the load was another one.
const VISIT_OF_WRITES: Visit = Visit {
    start: VisitStart::InFlight,
    ramp: Nanos::from_millis(80),
    ramp_from_rest: Nanos::from_millis(240),
    measure: VISIT_TIME,
};

/// Shortest time that counts of such a visit.
pub const VISIT_TIME: Nanos = Nanos::from_millis(800);

/// Operations of a visit, at least: its mean scatters by a tenth or less, if response times scatter
/// as much as exponential ones do.
const OPERATIONS_MIN: f64 = 100.0;

/// Operations of a visit that are expected beyond a percentile of a rule, at least.
const BEYOND_MIN: f64 = 20.0;

/// A change of load has settled after this many times the time that a request takes to come
/// around...
const ROUNDS_OF_RAMP: f64 = 1.0;

/// ... and not before the requests of the former load are back, which takes this many times their mean
/// response time.
const FORMER_OF_RAMP: f64 = 1.5;

/// A visit lasts for this many times the time that a request takes to come around, at least.
const ROUNDS_OF_VISIT: f64 = 8.0;

/// A queue that is empty at first has settled after this many times the time that a request takes to
/// come around.
const ROUNDS_FROM_REST: f64 = 3.0;

/// In an open loop a queue takes longer to forget: this many times its mean response time...
const RESPONSES_OF_RAMP: f64 = 50.0;

/// ... and a visit lasts for this many...
const RESPONSES_OF_VISIT: f64 = 200.0;

/// ... or this many for a rule on a percentile: busy spells come together, and a short visit that has none
/// of them or is full of them has too low a percentile.
const RESPONSES_OF_PERCENTILE: f64 = 600.0;

/// In an open loop the requests of the former load are gone by the end of the ramp if their mean response
/// time was no more than this share of it.
const FORMER_SHARE: f64 = 0.1;

/// In an open loop a visit is no longer than for this many times the limit of the rules as its mean
/// response time: what is that slow is no answer, however slow it is.
const LIMITS_OF_VISIT: f64 = 2.0;

/// How a visit begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum VisitStart {
    /// With what the visit before of its series left in flight.
    #[default]
    InFlight,
    /// With nothing in flight: the visit before left a queue that would take long to empty.
    AtRest,
}

/// A short measurement of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    /// How it begins.
    pub start: VisitStart,
    /// Time in which the change of load settles, if requests of the former load are in flight.
    pub ramp: Nanos,
    /// The same if nothing is in flight at first; not shorter.
    pub ramp_from_rest: Nanos,
    /// Time that counts.
    pub measure: Nanos,
}

impl Visit {
    /// The shortest visit of `series` that an answer rests on.
    pub(crate) fn shortest(series: &SeriesPlan) -> Self {
        if series.profile.writes() { VISIT_OF_WRITES } else { VISIT }
    }

    /// The same visit if nothing is in flight at its start.
    #[must_use]
    pub const fn from_rest(self) -> Self {
        Self { ramp: self.ramp_from_rest, ..self }
    }

    /// The same visit with a ramp of at least `least`, in whole intervals of `timing`.
    fn with_ramp(self, least: Nanos, timing: &Timing) -> Self {
        let interval = timing.interval.0.max(1);
        let ramp = self.ramp.max(Nanos(least.0.div_ceil(interval) * interval));
        Self { ramp, ramp_from_rest: self.ramp_from_rest.max(ramp), ..self }
    }

    /// `plan` with the timing of the visit.
    pub fn planned(self, plan: &Plan) -> Plan {
        let stop = StopRule::FixedTime { measure: self.measure };
        let timing = Timing { ramp: self.ramp, stop, ..plan.timing.clone() };
        Plan { timing, ..plan.clone() }
    }

    /// A visit as long as `point` of `series` was; `None` if the series is not measured by visits.
    pub(crate) fn again(series: &SeriesPlan, point: &PointResult) -> Option<Self> {
        let SearchPlan::Knee(KneePlan { answer: Some(_), .. }) = series.search else { return None };
        let ramp = Nanos::from_secs_f64(point.ramp_s);
        let measure = Nanos::from_secs_f64(point.measured_s);
        Some(Self { start: VisitStart::InFlight, ramp, ramp_from_rest: ramp, measure })
    }
}

/// A search by visits, as far as it has come.
pub(super) struct VisitSearch<'a> {
    series: &'a SeriesPlan,
    timing: &'a Timing,
    goal: KneeGoal,
    accuracy: Percent,
    rules: Vec<Rule>,
    /// Loads that rules have their references at.
    references: Vec<f64>,
    /// All visits of the series that did not fail, and those that count.
    all: Vec<&'a PointResult>,
    visits: Vec<&'a PointResult>,
    levels: Vec<Level<'a>>,
    seed: u64,
    target_count: f64,
    /// The time after which it settles for what it knows.
    enough: Nanos,
    /// The most time that it may take.
    longest: Nanos,
}

impl<'a> VisitSearch<'a> {
    /// The search of `series` that `measured` belong to, until its answers are known within
    /// `accuracy`.
    pub(super) fn new(
        plan: &'a Plan,
        (series, knee, accuracy): (&'a SeriesPlan, &KneePlan, Percent),
        measured: &[&'a PointResult],
    ) -> Self {
        let visits = counted(measured);
        let rules = plan.rules.iter().filter_map(|rule| resolved(rule, &visits)).collect();
        Self {
            series,
            timing: &plan.timing,
            goal: knee.goal,
            accuracy,
            rules,
            references: plan.rules.iter().filter_map(Rule::reference_load).collect(),
            all: measured.to_vec(),
            levels: levels(&visits),
            visits,
            seed: seed::derive(plan.seed, &series.name, 0),
            target_count: target_count(plan, measured),
            enough: enough(plan, series).unwrap_or_default(),
            longest: longest(plan, series).unwrap_or_default(),
        }
    }

    /// The next load, and how it is visited; `None` once every answer is known, or the time is up.
    pub(super) fn next(&self) -> Option<(LoadLevel, Visit)> {
        if self.is_time_up() {
            return None;
        }
        let at = |value| LoadLevel { value, unit: self.series.loads.unit };
        let visit = |value, shortest| (at(value), self.visit(at(value), shortest));
        let probe = self.next_level().map(|value| visit(value, PROBE));
        probe.or_else(|| self.next_load().map(|value| visit(value, Visit::shortest(self.series))))
    }

    /// Why the search for `rule` ended, or that it has not.
    pub(super) fn end(&self, rule: &Rule) -> SearchEnd {
        let Some(rule) = resolved(rule, &self.visits) else {
            return if self.next().is_none() { SearchEnd::Unjudged } else { SearchEnd::Open };
        };
        let is_settled = self.wanted(&rule).is_none();
        match Answer::of(&self.visits, &rule) {
            Some(Answer::Below(_)) if is_settled => SearchEnd::BelowFirst,
            Some(Answer::AtLeast(_)) if is_settled => SearchEnd::BeyondLast,
            Some(_) if is_settled => SearchEnd::Known,
            _ if self.is_time_up() && self.is_disturbed() => SearchEnd::Disturbed,
            _ if self.is_time_up() => SearchEnd::TimeUp,
            None if self.next().is_none() => SearchEnd::Unjudged,
            _ => SearchEnd::Open,
        }
    }

    /// The loads of disturbed visits that the answer for `rule` rests on.
    pub(super) fn disturbed(&self, rule: &Rule) -> Vec<f64> {
        let answer = resolved(rule, &self.visits).and_then(|rule| Answer::of(&self.visits, &rule));
        let rests_on = answer.map(|answer| answer.visits(&self.visits)).unwrap_or_default();
        let mut loads: Vec<f64> = rests_on
            .iter()
            .filter(|visit| visit.verdict == Verdict::Disturbed)
            .map(|visit| visit.load.value)
            .collect();
        loads.sort_by(f64::total_cmp);
        loads.dedup();
        loads
    }

    /// The next of the plan's levels, as long as a rule or the peak needs a higher load.
    fn next_level(&self) -> Option<f64> {
        let highest = self.all.iter().map(|visit| visit.load.value).fold(0.0, f64::max);
        let is_bracketed = |rule| sides(&self.levels, rule).is_some_and(|at| at.breaks.is_some());
        let wants_more = !self.rules.iter().all(is_bracketed)
            || self.goal == KneeGoal::RulesAndPeak && !self.has_peak();
        let mut planned = self.series.loads.levels.iter().copied();
        planned.find(|level| *level > highest && (highest == 0.0 || wants_more))
    }

    /// Whether throughput has stopped rising: neither of the two highest levels of the plan gains
    /// [`PEAK_GAIN_MIN`] over those below.
    fn has_peak(&self) -> bool {
        let planned = |level: &&Level<'_>| self.series.loads.levels.contains(&level.load);
        let rates: Vec<f64> =
            self.levels.iter().filter(planned).map(|level| level.rate().mean).collect();
        let [below @ .., before, last] = rates.as_slice() else { return false };
        let best = below.iter().copied().fold(0.0, f64::max);
        before.max(*last) < best * (1.0 + PEAK_GAIN_MIN)
    }

    /// A load that makes an answer better known: each has its time, and what is left then goes to those
    /// that are not known yet.
    fn next_load(&self) -> Option<f64> {
        let wanted = |(_, rule): (usize, &Rule)| self.wanted(rule);
        let in_time = || {
            let rules = self.rules.iter().enumerate();
            rules.filter(|(index, rule)| !self.has_had_its_time(*index, rule)).find_map(wanted)
        };
        let reference = || {
            let few = |load: &f64| self.visits_of(*load) < VISITS_OF_LOAD_MIN;
            self.references.iter().copied().find(few)
        };
        let peak = || (self.goal == KneeGoal::RulesAndPeak).then(|| self.wanted_at_peak())?;
        let afterwards = || self.rules.iter().enumerate().find_map(wanted);
        reference().or_else(in_time).or_else(peak).or_else(afterwards)
    }

    /// Whether the other answers have to wait no longer for the rule with this number: its equal part of the
    /// time, and those of the rules before it, are over, and it settles for what it knows.
    fn has_had_its_time(&self, index: usize, rule: &Rule) -> bool {
        let taken = self.taken_s();
        let share = (index + 1) as f64 / self.answers() as f64;
        taken >= share * self.enough.as_secs_f64() && self.is_settled(rule, taken)
    }

    /// How many answers it looks for.
    fn answers(&self) -> usize {
        self.rules.len() + usize::from(self.goal == KneeGoal::RulesAndPeak)
    }

    /// Seconds that it took until now, ramps included.
    fn taken_s(&self) -> f64 {
        self.all.iter().map(|visit| visit.ramp_s + visit.measured_s).sum()
    }

    fn visits_of(&self, load: f64) -> usize {
        self.visits.iter().filter(|visit| visit.load.value == load).count()
    }

    /// The load that makes the answer for `rule` better known; `None` once it is known.
    fn wanted(&self, rule: &Rule) -> Option<f64> {
        let sides = sides(&self.levels, rule)?;
        match Answer::of(&self.visits, rule) {
            Some(Answer::Below(load)) => (!self.surely_breaks(load, rule)).then_some(load),
            Some(Answer::AtLeast(load)) => (!self.is_rate_known(load)).then_some(load),
            Some(Answer::At(load)) => {
                (!self.is_rate_known(load)).then(|| self.by_turns(load, &sides))
            }
            Some(Answer::Crossing(fit)) => {
                let answer = Answer::Crossing(fit.clone());
                if let Some(load) = self.perhaps_faster(&answer, &sides) {
                    return Some(load);
                }
                let looked_at = due(fit.visits.len()).and_then(|count| fit.first(count));
                let is_known = looked_at.is_some_and(|fit| self.is_known(&Answer::Crossing(fit)));
                let crossing = fit.load.clamp(sides.meets?, sides.breaks?);
                (!is_known).then(|| self.beside(crossing))
            }
            None => Some(self.beside(sides.crossing?)),
        }
    }

    /// A load that meets the rule and seems to be faster than the crossing, if too few visits say so.
    fn perhaps_faster(&self, answer: &Answer<'_>, sides: &Sides) -> Option<f64> {
        let crossing = answer.at(&self.visits, |visit| Some(visit.rate.mean))?;
        let level = fastest(&self.levels, sides)?;
        let is_open =
            is_faster(level.rate().mean, crossing.mean) && !self.is_rate_known(level.load);
        is_open.then(|| self.by_turns(level.load, sides))
    }

    /// `load`, or a load beside the crossing that it is compared with if it was visited last: both
    /// have to meet the same changes.
    fn by_turns(&self, load: f64, sides: &Sides) -> f64 {
        let is_last = self.all.last().is_some_and(|last| last.load.value == load);
        match sides.crossing {
            Some(crossing) if is_last => self.beside(crossing),
            _ => load,
        }
    }

    /// Whether throughput and load of an answer are known as accurately as asked for.
    fn is_known(&self, answer: &Answer<'_>) -> bool {
        let known = |number: &dyn Fn(&PointResult) -> f64| {
            let estimated = answer.at(&self.visits, |visit| Some(number(visit)));
            estimated.is_some_and(|found| found.relative_width() <= self.accuracy.fraction())
        };
        // An offered rate is the throughput, and the better known the one, the better the other.
        let is_offered = self.series.loads.unit.is_offered();
        known(&|visit| visit.rate.mean) && (is_offered || known(&|visit| visit.load.value))
    }

    fn is_rate_known(&self, load: f64) -> bool {
        let level = self.levels.iter().find(|level| level.load == load);
        level.is_some_and(|level| {
            level.visits.len() >= VISITS_OF_LOAD_MIN
                && level.rate().relative_width() <= self.accuracy.fraction()
        })
    }

    /// Whether the lowest load breaks the rule beyond chance, or is as well known as asked for.
    fn surely_breaks(&self, load: f64, rule: &Rule) -> bool {
        let Some(level) = self.levels.iter().find(|level| level.load == load) else { return false };
        let value = mean_of(&level.visits, |visit| rule.value_ms(visit));
        let limit = rule.limit.as_millis_f64().unwrap_or_default();
        let is_above = value.is_some_and(|value| value.end(-1.0) > limit);
        level.visits.len() >= 3 && is_above || self.is_rate_known(load)
    }

    /// A load beside `crossing`: below it or above it, on the side that was visited less.
    fn beside(&self, crossing: f64) -> f64 {
        let [low, high] = [crossing * (1.0 - STEP), crossing * (1.0 + STEP)];
        let [low, high] = match self.series.loads.unit.is_whole() {
            true => [low.round().min(crossing.floor()), high.round().max(crossing.floor() + 1.0)],
            false => [tidy(low), tidy(high)],
        };
        let first = self.series.loads.levels.first().copied().unwrap_or(1.0);
        let last = self.series.loads.levels.last().copied().unwrap_or(1.0);
        let (low, high) = (self.visited(low.max(first)), self.visited(high.min(last)));
        let seconds = |is_here: &dyn Fn(f64) -> bool| -> f64 {
            let here = self.levels.iter().filter(|level| is_here(level.load));
            here.map(Level::seconds).sum()
        };
        let below = seconds(&|load| (low..=crossing).contains(&load));
        let above = seconds(&|load| load > crossing && load <= high);
        let is_even = (below - above).abs() <= EVEN * below.max(above);
        let is_drawn = seed::derive(self.seed, "side", self.all.len() as u64) & 1 == 0;
        let is_low = if is_even { is_drawn } else { below < above };
        let (next, other) = if is_low { (low, high) } else { (high, low) };
        // However it stands: what changes meanwhile must not pass for what the load does.
        let is_third = self.all.len() > 1
            && self.all.iter().rev().take(2).all(|visit| visit.load.value == next);
        if is_third { other } else { next }
    }

    /// A load that was visited and is as good as `load`, or `load` itself.
    fn visited(&self, load: f64) -> f64 {
        let distance = |level: &&Level<'_>| (level.load / load - 1.0).abs();
        let nearest = self.levels.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.filter(|level| distance(level) < STEP / 2.0).map_or(load, |level| level.load)
    }

    /// The lowest load with about the highest throughput, as long as it is not known well enough.
    fn wanted_at_peak(&self) -> Option<f64> {
        let rate = |level: &Level<'_>| level.rate().mean;
        let highest = self.levels.iter().map(rate).fold(0.0, f64::max);
        let is_alike = |level: &&Level<'_>| rate(level) >= highest * (1.0 - PEAK_ALIKE);
        let peak = self.levels.iter().find(is_alike)?;
        let is_enough = peak.visits.len() >= VISITS_OF_PEAK_MAX || self.is_rate_known(peak.load);
        (!is_enough).then_some(peak.load)
    }

    /// Whether the series has taken the most time that it may, or settles for what it knows.
    fn is_time_up(&self) -> bool {
        let taken = self.taken_s();
        let share = if self.is_disturbed() { DISTURBED_SHARE } else { 1.0 };
        taken >= share * self.longest.as_secs_f64()
            || taken >= self.enough.as_secs_f64()
                && self.next_level().is_none()
                && self.rules.iter().all(|rule| self.is_settled(rule, taken))
    }

    /// Whether the answer for `rule` is settled for after `taken` seconds: it is known well enough, or
    /// will not be so in time. The width of an interval falls with the square root of the time.
    fn is_settled(&self, rule: &Rule, taken: f64) -> bool {
        let settled = SETTLED_MAX * self.accuracy.fraction();
        self.width(rule).is_some_and(|width| {
            let times = width / settled;
            times <= 1.0 || taken * times * times > PATIENCE * self.enough.as_secs_f64()
        })
    }

    /// The relative half-width of the answer for `rule`; `None` if too few visits say it.
    fn width(&self, rule: &Rule) -> Option<f64> {
        let answer = Answer::of(&self.visits, rule)?;
        let is_enough = match &answer {
            Answer::Crossing(fit) => fit.visits.len() >= VISITS_MIN,
            Answer::Below(load) | Answer::AtLeast(load) | Answer::At(load) => {
                self.visits_of(*load) >= VISITS_OF_LOAD_MIN
            }
        };
        let rate = answer.at(&self.visits, |visit| Some(visit.rate.mean))?;
        Some(rate.relative_width()).filter(|width| is_enough && width.is_finite())
    }

    /// Whether something else disturbed most visits: more of them would tell no more.
    fn is_disturbed(&self) -> bool {
        let disturbed = self.all.iter().filter(|visit| visit.verdict == Verdict::Disturbed);
        2 * disturbed.count() > self.all.len()
    }

    /// The time after which the requests of the last visit are back. In an open loop they are few, or
    /// the next visit begins with nothing in flight ([`Self::start`]).
    fn former_back(&self) -> Nanos {
        match self.all.last() {
            Some(last) if !last.load.unit.is_offered() => {
                Nanos::from_secs_f64(FORMER_OF_RAMP * last.latency_ms.mean / 1e3)
            }
            _ => Nanos::ZERO,
        }
    }

    /// How `load` is visited, from what the nearest visited load says of it.
    fn visit(&self, load: LoadLevel, shortest: Visit) -> Visit {
        let distance = |level: &&Level<'_>| libm::log(level.load / load.value).abs();
        let nearest = self.levels.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let seen = nearest.map(|level| Seen {
            load: level.load,
            rate: level.rate().mean,
            response_s: level.mean(|visit| visit.latency_ms.mean) / 1e3,
        });
        let asked = Asked {
            timing: self.timing,
            rules: &self.rules,
            target_count: self.target_count,
            shortest,
        };
        let visit = asked.visit(load, seen).with_ramp(self.former_back(), self.timing);
        Visit { start: self.start(&visit, asked.slowest_s()), ..visit }
    }

    /// How the next visit begins: in an open loop at rest if the last one left so long a queue that the
    /// ramp would not see the end of it.
    fn start(&self, next: &Visit, slowest_s: f64) -> VisitStart {
        let slow = (FORMER_SHARE * next.ramp.as_millis_f64()).min(1e3 * slowest_s);
        let leaves_queue =
            |last: &PointResult| last.load.unit.is_offered() && last.latency_ms.mean > slow;
        match self.all.last().is_some_and(|last| leaves_queue(last)) {
            true => VisitStart::AtRest,
            false => VisitStart::InFlight,
        }
    }
}

/// What was seen at a load like the one that is visited.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    /// The load.
    pub(crate) load: f64,
    /// Operations per second.
    pub(crate) rate: f64,
    /// Mean response time.
    pub(crate) response_s: f64,
}

impl Seen {
    /// What `point` saw.
    pub(crate) fn of(point: &PointResult) -> Self {
        let response_s = point.latency_ms.mean / 1e3;
        Self { load: point.load.value, rate: point.rate.mean, response_s }
    }
}

/// What is asked of a visit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// The timing of the plan.
    pub(crate) timing: &'a Timing,
    /// What its percentiles are judged by.
    pub(crate) rules: &'a [Rule],
    pub(crate) target_count: f64,
    pub(crate) shortest: Visit,
}

impl Asked<'_> {
    /// How `load` is visited: as long as what was `seen` says that it takes.
    pub(crate) fn visit(&self, load: LoadLevel, seen: Option<Seen>) -> Visit {
        let whole = |time: Nanos| {
            let interval = self.timing.interval.0.max(1);
            Nanos(time.0.div_ceil(interval) * interval)
        };
        let Some(Seen { load: seen_load, rate, response_s }) = seen else {
            let ramp = self.timing.ramp;
            let measure = whole(self.shortest.measure);
            return Visit { ramp, ramp_from_rest: ramp, measure, ..self.shortest };
        };
        let response_s = response_s.min(self.slowest_s());
        let rate = rate.max(f64::MIN_POSITIVE);
        let longest = Nanos(self.timing.stop.measure_max().0 / 4);
        let percents = self.rules.iter().filter_map(|rule| rule.metric.percent());
        let rarest = percents.fold(0.0, f64::max);
        let (ramp_s, from_rest_s, rounds_s) = match load.unit.is_offered() {
            true => {
                let ramp_s = RESPONSES_OF_RAMP * response_s;
                let responses =
                    if rarest > 0.0 { RESPONSES_OF_PERCENTILE } else { RESPONSES_OF_VISIT };
                (ramp_s, ramp_s, responses * response_s)
            }
            false => {
                // Little's law: the time between two requests of one stream.
                let round_s = self.target_count * load.value.max(seen_load) / rate;
                let rounds = [ROUNDS_OF_RAMP, ROUNDS_FROM_REST, ROUNDS_OF_VISIT];
                rounds.map(|rounds| rounds * round_s).into()
            }
        };
        let operations = OPERATIONS_MIN.max(BEYOND_MIN / (1.0 - rarest / 100.0) - BEYOND_MIN);
        let measure = Nanos::from_secs_f64(rounds_s.max(operations / rate).min(1e6));
        let measure = measure.clamp(self.shortest.measure, longest.max(self.shortest.measure));
        let ramp = |seconds: f64, shortest: Nanos| {
            let ramp = Nanos::from_secs_f64(seconds.min(1e6)).min(self.timing.ramp.max(measure));
            whole(ramp.max(shortest))
        };
        Visit {
            start: self.shortest.start,
            ramp: ramp(ramp_s, self.shortest.ramp),
            ramp_from_rest: ramp(from_rest_s, self.shortest.ramp_from_rest),
            measure: whole(measure),
        }
    }

    /// The longest mean response time that a visit takes its time from; without an end if there is no
    /// rule.
    fn slowest_s(&self) -> f64 {
        let limits = self.rules.iter().filter_map(|rule| rule.limit.as_millis_f64());
        let highest = limits.fold(f64::NEG_INFINITY, f64::max);
        if highest > 0.0 { LIMITS_OF_VISIT * highest / 1e3 } else { f64::INFINITY }
    }
}

/// How many targets were `measured`, or else are planned: a factor may leave some of them out.
fn target_count(plan: &Plan, measured: &[&PointResult]) -> f64 {
    let seen = measured.first().map_or(0, |point| point.targets.len());
    let count = if seen > 0 { seen } else { plan.targets.len() };
    count.max(1) as f64
}

/// How many of `count` visits an answer is looked at with, `None` for too few: a fifth more each time,
/// for one that is looked at all the time is taken when its scatter happens to look small.
fn due(count: usize) -> Option<usize> {
    let next = |due: &usize| Some(due + due / 5);
    std::iter::successors(Some(VISITS_MIN), next).take_while(|due| *due <= count).last()
}

/// What a search by visits knows so far of one of its answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnswerSoFar {
    /// The rule that it is for.
    pub rule: Rule,
    /// Operations per second that are sustained.
    pub rate: f64,
    /// Half-width of the 95 % confidence interval, in percent of the rate.
    pub ci95_percent: f64,
}

/// The answers of a search of `series` by visits, from what was `measured` of all series: those that
/// are no bounds, and have an interval already. None of a series that is not searched so.
pub(crate) fn answers_so_far(
    plan: &Plan,
    series: &SeriesPlan,
    measured: &[PointResult],
) -> Vec<AnswerSoFar> {
    if plan.answers_of(series).is_none() {
        return Vec::new();
    }
    let here = measured.iter().filter(|point| point.key() == series.key());
    let visits = counted(&here.collect::<Vec<_>>());
    let answer = |rule: &Rule| {
        let answer = Answer::of(&visits, &resolved(rule, &visits)?)?;
        let is_bound = matches!(answer, Answer::Below(_) | Answer::AtLeast(_));
        let rate = answer.at(&visits, |visit| Some(visit.rate.mean)).filter(|_| !is_bound)?;
        let ci95_percent = 100.0 * rate.relative_width();
        let is_known = ci95_percent < CI95_PERCENT_MAX;
        is_known.then_some(AnswerSoFar { rule: *rule, rate: rate.mean, ci95_percent })
    };
    plan.rules.iter().filter_map(answer).collect()
}

/// A load with three digits.
fn tidy(load: f64) -> f64 {
    let scale = libm::pow(10.0, libm::floor(libm::log10(load)) - 2.0);
    (load / scale).round() * scale
}
