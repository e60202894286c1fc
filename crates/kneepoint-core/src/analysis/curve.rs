//! A series of one run as a curve whose numbers know their errors.

use std::collections::BTreeMap;

use super::estimate::{RelativeError, Value};
use super::mark::{Bound, Mark, Reservation, is_doubtful};
use super::repetition::merge_repetitions;
use super::sustained::SustainedAt;
use crate::measure::search::{
    Answer, Fit, breaks, counted, full_queue_ms, is_always_full, is_visited, mean_of, resolved,
    undisturbed,
};
use crate::result::{Measure, Place, PointResult, Quantity, Variation, Verdict};
use crate::words::distinct::distinct;
use crate::words::load::LoadUnit;
use crate::words::rule::{Metric, Rule};

/// The usable points of a series by rising load.
#[derive(Debug)]
pub(super) struct Curve<'a> {
    loads: Vec<Load<'a>>,
    /// The relative standard deviation of one measurement between repetitions, from all loads
    /// together: a load alone is measured too few times. Nothing where none was repeated.
    between: BTreeMap<Quantity, RelativeError>,
    /// The visits of a search in the order measured; nothing if each load was measured as a whole.
    visits: Vec<&'a PointResult>,
    /// Whether there are visits, and their queue was always full.
    is_full: bool,
    /// Rules that a stricter one stands in for, each with that one.
    held: BTreeMap<Rule, Rule>,
}

/// All points of one load.
#[derive(Debug)]
struct Load<'a> {
    repetitions: Vec<&'a PointResult>,
    merged: PointResult,
    variation: Option<Variation>,
}

/// An interval wider than this share of the throughput says that little is known of it, not that it
/// reaches a higher one: the widest accuracy that a first impression asks for.
const INTERVAL_MAX: f64 = 0.1;

/// Loads of a search whose throughput differs by no more than this share are taken to have the same: it
/// is what no visit sees, and half of the narrowest interval of an answer.
const VISITED_EQUAL: f64 = 0.01;

impl<'a> Curve<'a> {
    /// The curve of `points`, all of one series; those that failed are left out.
    pub(super) fn of(points: impl Iterator<Item = &'a PointResult>) -> Self {
        let mut usable: Vec<&PointResult> =
            points.filter(|point| point.verdict != Verdict::Failed).collect();
        let visits = if is_visited(&usable) { counted(&usable) } else { Vec::new() };
        let is_full = !visits.is_empty() && is_always_full(&visits);
        usable.sort_by(|a, b| a.load.value.total_cmp(&b.load.value));
        let same_load = |a: &&PointResult, b: &&PointResult| a.load == b.load;
        let load = |same: &[&'a PointResult]| {
            let counts =
                |point: &&&PointResult| visits.iter().any(|one| std::ptr::eq(*one, **point));
            let counted: Vec<&PointResult> = same.iter().filter(counts).copied().collect();
            let repetitions = if counted.is_empty() { undisturbed(same) } else { counted };
            let (mut merged, variation) = merge_repetitions(&repetitions);
            if !visits.is_empty() {
                weigh(&mut merged, &repetitions);
                if is_full && merged.rate.mean > 0.0 {
                    merged.latency_ms.mean = full_queue_ms(&merged);
                    let relative = merged.rate.ci95.map(|width| width / merged.rate.mean);
                    merged.latency_ms.ci95 = relative.map(|width| width * merged.latency_ms.mean);
                }
            }
            Load { merged, variation, repetitions }
        };
        let loads: Vec<Load<'_>> = usable.chunk_by(same_load).map(load).collect();
        let spread = |quantity| Some((quantity, between(&loads, quantity)?));
        let quantities = distinct(Measure::all().map(|measure| measure.quantity));
        let between = quantities.into_iter().filter_map(spread).collect();
        Self { loads, between, visits, is_full, held: BTreeMap::new() }
    }

    /// The same curve read at `rules`: what is sustained at one is sustained at every looser one, too.
    /// The crossings of a search come from other visits for each rule, and scatter: the looser rule is
    /// read at the stricter one if its own number is lower.
    pub(super) fn under(mut self, rules: &[Rule]) -> Self {
        let rate = |rule: &Rule| {
            let mark = self.sustained(rule, Quantity::Iops)?;
            mark.bound.is_exact().then_some((*rule, mark.value.number))
        };
        let known: Vec<(Rule, f64)> = distinct(rules.iter()).into_iter().filter_map(rate).collect();
        let best = |(rule, own): &(Rule, f64)| {
            let higher = known.iter().filter(|(_, rate)| rate > own);
            let stricter = higher.filter(|(other, _)| self.implies(other, rule));
            let (other, _) = stricter.max_by(|a, b| a.1.total_cmp(&b.1))?;
            Some((*rule, *other))
        };
        let held = known.iter().filter_map(best).collect();
        self.held = held;
        self
    }

    /// The rule that what is sustained at `rule` is read at: itself, or a stricter one.
    pub(super) fn held<'r>(&'r self, rule: &'r Rule) -> &'r Rule {
        self.held.get(rule).unwrap_or(rule)
    }

    /// Whether what is sustained at the rule `strict` meets `rule`: its limit is no higher, and it looks at
    /// the same operations, and at the same number or at one that is no lower. A mean can be above a
    /// percentile, so there the mean at the answer decides.
    fn implies(&self, strict: &Rule, rule: &Rule) -> bool {
        let limit = |rule: &Rule| self.resolved(rule)?.limit.as_millis_f64();
        let (Some(tight), Some(loose)) = (limit(strict), limit(rule)) else { return false };
        let mean_there = || {
            let mean = Quantity::Latency(Metric::Mean);
            Some(self.mark_at(self.sustained_at(strict)?, (strict, mean))?.value.number)
        };
        let is_met = match (rule.metric, strict.metric) {
            (one, other) if one == other => true,
            (Metric::Mean, _) => {
                rule.class.is_none() && mean_there().is_some_and(|mean| mean <= loose)
            }
            (lower, higher) => higher != Metric::Mean && lower < higher,
        };
        strict.class == rule.class && tight <= loose && is_met
    }

    /// `rule` with a time as its limit, as it is read on this curve.
    fn resolved(&self, rule: &Rule) -> Option<Rule> {
        match self.visits.is_empty() {
            true => rule.resolved(self.points()),
            false => resolved(rule, &self.visits),
        }
    }

    /// Whether there is no usable point.
    pub(super) const fn is_empty(&self) -> bool {
        self.loads.is_empty()
    }

    /// What the loads count; `None` without points.
    pub(super) fn unit(&self) -> Option<LoadUnit> {
        self.loads.first().map(|load| load.merged.load.unit)
    }

    /// The points by rising load, repetitions merged.
    pub(super) fn points(&self) -> Vec<&PointResult> {
        self.loads.iter().map(|load| &load.merged).collect()
    }

    /// The points by rising load; one of several measurements has the interval that their scatter
    /// gives, as the numbers read off the curve have.
    pub(super) fn into_points(self) -> Vec<PointResult> {
        self.loads.iter().map(|load| self.with_scatter(load)).collect()
    }

    fn with_scatter(&self, load: &Load<'_>) -> PointResult {
        let mut point = load.merged.clone();
        if load.repetitions.len() > 1 {
            let width = |quantity| self.value(load, quantity).and_then(Value::ci95);
            point.rate.ci95 = width(Quantity::Iops);
            point.latency_ms.ci95 = width(Quantity::Latency(Metric::Mean));
            if let Some(volume) = &mut point.volume {
                volume.ci95 = width(Quantity::Throughput);
            }
        }
        point
    }

    /// The loads that were measured, rising.
    pub(super) fn levels(&self) -> Vec<f64> {
        self.loads.iter().map(|load| load.merged.load.value).collect()
    }

    /// Whether there are flushes between its I/Os.
    pub(super) fn flushes(&self) -> bool {
        self.loads.iter().any(|load| load.merged.flushes())
    }

    /// Whether sequential access prevails.
    pub(super) fn is_sequential(&self) -> bool {
        self.loads.first().is_some_and(|load| load.merged.is_sequential())
    }

    /// The loads from `level` on.
    fn loads_from(&self, level: f64) -> &[Load<'a>] {
        &self.loads[self.loads.partition_point(|load| load.merged.load.value < level)..]
    }

    fn load(&self, level: f64) -> Option<&Load<'a>> {
        self.loads_from(level).first().filter(|load| load.merged.load.value == level)
    }

    /// The point at one load, repetitions merged.
    pub(super) fn point(&self, level: f64) -> Option<&PointResult> {
        self.load(level).map(|load| &load.merged)
    }

    /// The point at one load, if it was measured once.
    pub(super) fn only(&self, level: f64) -> Option<&PointResult> {
        let load = self.load(level)?;
        load.variation.is_none().then_some(&load.merged)
    }

    /// A number at one load.
    pub(super) fn at(&self, level: f64, quantity: Quantity) -> Option<Mark> {
        self.mark(self.load(level)?, quantity, Bound::Exact)
    }

    /// A number at the highest throughput or at a rule.
    pub(super) fn read(
        &self,
        place: Place,
        quantity: Quantity,
        rule: Option<&Rule>,
    ) -> Option<Mark> {
        match (place, rule) {
            (Place::Peak, _) => self.peak(quantity),
            (Place::Sustained, Some(rule)) => self.sustained(rule, quantity),
            (Place::Sustained, None) | (Place::EqualLoad, _) => None,
        }
    }

    fn peak(&self, quantity: Quantity) -> Option<Mark> {
        let load = self.loads.get(self.peak_index()?)?;
        self.mark(load, quantity, Bound::Exact)
    }

    /// The smallest load whose throughput, with its 95 % confidence interval (at most a tenth of
    /// it), reaches the highest throughput of the curve: what lies above it costs waiting and buys
    /// nothing that can be told from chance. No smaller load has a higher throughput.
    pub(super) fn peak_index(&self) -> Option<usize> {
        let highest = self.loads.iter().map(|load| load.merged.rate.mean).reduce(f64::max)?;
        let mut record = f64::NEG_INFINITY;
        self.loads.iter().position(|load| {
            let is_record = load.merged.rate.mean >= record;
            record = record.max(load.merged.rate.mean);
            is_record && self.upper(load).is_some_and(|upper| upper >= highest)
        })
    }

    /// The upper end of the throughput that a load may have. A load that a search visits a few times has
    /// an interval so wide that it says little: there a fixed share counts.
    fn upper(&self, load: &Load<'_>) -> Option<f64> {
        let found = self.value(load, Quantity::Iops)?;
        let width = match self.visits.is_empty() {
            true => found.ci95().unwrap_or(0.0).min(INTERVAL_MAX * found.number),
            false => VISITED_EQUAL * found.number,
        };
        Some(found.number + width)
    }

    /// Whether a claim can rest on a load by itself: in a search by visits, not on one that was visited once.
    /// A single short visit may show what the load before it left in caches, of which its own interval knows
    /// nothing.
    pub(super) fn is_grounded(&self, level: f64) -> bool {
        self.visits.is_empty() || self.load(level).is_some_and(|load| load.repetitions.len() > 1)
    }

    /// How the repetitions of the peak vary; visits of a search are none.
    pub(super) fn peak_variation(&self) -> Option<Variation> {
        self.loads[self.peak_index()?].variation.filter(|_| self.visits.is_empty())
    }

    /// The highest throughput that meets the rule. If every load meets it, or none does, that is a
    /// bound. A throughput is no higher than the peak: what exceeds it cannot be told from it.
    pub(super) fn sustained(&self, rule: &Rule, quantity: Quantity) -> Option<Mark> {
        let own = |rule: &Rule| self.mark_at(self.sustained_there(rule)?, (rule, quantity));
        let held = self.held(rule);
        let mut mark = own(held)?;
        if held != rule && mark.value.spread.is_none() {
            mark.value = own(rule).map_or(mark.value, |own| own.value.raised_to(mark.value.number));
        }
        let is_rate = matches!(quantity, Quantity::Iops | Quantity::Throughput);
        if is_rate && let Some(peak) = self.peak(quantity) {
            mark.value.number = mark.value.number.min(peak.value.number);
        }
        Some(mark)
    }

    fn mark_at(&self, place: SustainedAt<'_>, (rule, quantity): (&Rule, Quantity)) -> Option<Mark> {
        let load_of = |point: &PointResult| {
            let mut loads = self.loads_from(point.load.value).iter();
            loads.find(|load| load.merged.load == point.load)
        };
        let mark = |point, bound| self.mark(load_of(point)?, quantity, bound);
        match place {
            SustainedAt::Point(point) => mark(point, Bound::Exact),
            SustainedAt::AtLeast(point) => mark(point, Bound::AtLeast),
            SustainedAt::Below(point) => mark(point, Bound::AtMost),
            SustainedAt::Crossing(crossing) => {
                let ends = (load_of(crossing.meets)?, load_of(crossing.breaks)?);
                self.crossing(ends, crossing.part, (rule, quantity))
            }
            SustainedAt::Fitted(fit) => self.fitted(&fit, quantity),
        }
    }

    /// Where the rule is sustained: in a grid at the peak, if the peak meets the rule and what is
    /// higher cannot be told from it.
    pub(super) fn sustained_at(&self, rule: &Rule) -> Option<SustainedAt<'_>> {
        self.sustained_there(self.held(rule))
    }

    /// The same of the rule itself, whatever a stricter one says.
    fn sustained_there(&self, rule: &Rule) -> Option<SustainedAt<'_>> {
        if let Some(answer) = self.answered(rule) {
            return Some(answer);
        }
        let points = self.points();
        let found = SustainedAt::of(&points, rule)?;
        let rule = &rule.resolved(points.iter().copied()).unwrap_or(*rule);
        let peak = self.peak_index().map(|index| &self.loads[index].merged);
        let is_lower = |peak: &&PointResult| peak.rate.mean < found.iops() && !breaks(peak, rule);
        Some(match (peak.filter(is_lower), found) {
            (Some(peak), SustainedAt::AtLeast(_)) => SustainedAt::AtLeast(peak),
            (Some(peak), SustainedAt::Point(_) | SustainedAt::Crossing(_)) => {
                SustainedAt::Point(peak)
            }
            (_, found) => found,
        })
    }

    /// The same from the visits of a search; `None` if there are none, or not enough of them.
    fn answered(&self, rule: &Rule) -> Option<SustainedAt<'_>> {
        let rule = resolved(rule, &self.visits)?;
        Some(match Answer::of(&self.visits, &rule)? {
            // A load above it may meet the rule all the same: read as in a grid.
            Answer::Below(_) if self.points().iter().any(|point| !breaks(point, &rule)) => {
                return None;
            }
            Answer::Below(load) => SustainedAt::Below(self.point(load)?),
            Answer::AtLeast(load) => SustainedAt::AtLeast(self.point(load)?),
            Answer::At(load) => SustainedAt::Point(self.point(load)?),
            Answer::Crossing(fit) => {
                self.peak_before(&fit, &rule).map_or(SustainedAt::Fitted(fit), SustainedAt::Point)
            }
        })
    }

    /// The peak, where it meets the rule and little is known of the crossing, which is no higher.
    fn peak_before(&self, fit: &Fit<'_>, rule: &Rule) -> Option<&PointResult> {
        let crossing = fit.at(|visit| Some(visit.rate.mean))?;
        let peak = &self.loads[self.peak_index()?].merged;
        let is_vague = crossing.relative_width() > INTERVAL_MAX;
        let is_lower = peak.load.value < fit.load && !breaks(peak, rule);
        (is_vague && is_lower && peak.rate.mean > crossing.mean).then_some(peak)
    }

    /// A number where the line through visits crosses a rule.
    fn fitted(&self, fit: &Fit<'_>, quantity: Quantity) -> Option<Mark> {
        let found = fit.at(|visit| quantity.of(visit).map(|number| number.mean))?;
        let loads = || {
            let is_visited =
                |load: &&Load<'_>| fit.visits().iter().any(|visit| visit.load == load.merged.load);
            self.loads.iter().filter(is_visited)
        };
        // Rates and response times both move the crossing.
        let shift = loads().map(|load| 2.0 * load.shift(quantity)).fold(0.0, f64::max);
        let reservations = loads().filter_map(Load::reservation).collect();
        Some(Mark { value: Value::estimated(found), bound: Bound::Exact, reservations, shift })
    }

    /// A number `part` of the way from the load that meets a rule to the one that breaks it.
    fn crossing(
        &self,
        (low, high): (&Load<'a>, &Load<'a>),
        part: f64,
        (rule, quantity): (&Rule, Quantity),
    ) -> Option<Mark> {
        let (below, above) = (rule.value_ms(&low.merged)?, rule.value_ms(&high.merged)?);
        let (near, far) = (self.value(low, quantity)?, self.value(high, quantity)?);
        let number = near.number + part * (far.number - near.number);
        let slope = (far.number - near.number) / (above - below);
        // Of a class no interval is known.
        let time = |load: &Load<'_>| match rule.class {
            None => self.value(load, Quantity::Latency(rule.metric)),
            Some(_) => Some(Value { number: rule.value_ms(&load.merged)?, spread: None }),
        };
        let (low_time, high_time) = (time(low)?, time(high)?);
        let shares = [(low, near, low_time, 1.0 - part), (high, far, high_time, part)];
        let errors: Option<Vec<RelativeError>> = shares
            .iter()
            .map(|(_, rate, time, share)| {
                crossing_error(*rate, *time, slope).map(|error| RelativeError {
                    relative: share * error / number,
                    ..rate.spread.unwrap_or(RelativeError { relative: 0.0, dof: 1.0 })
                })
            })
            .collect();
        let spread = errors.filter(|_| number > 0.0).map(|errors| RelativeError::combined(&errors));
        let reservations = [low, high].into_iter().filter_map(Load::reservation).collect();
        // By as much as a disturbance changed rates and times it moves the crossing along the curve.
        let disturbed = shares.iter().map(|(load, rate, time, share)| {
            let part = 1.0 - libm::exp(-load.shift(Quantity::Latency(rule.metric)));
            share * part * (rate.number + slope.abs() * time.number) / number.max(f64::MIN_POSITIVE)
        });
        let shift = -libm::log(1.0 - disturbed.sum::<f64>().clamp(0.0, 1.0));
        let value = Value { number, spread };
        Some(Mark { value, bound: Bound::Exact, reservations, shift })
    }

    fn mark(&self, load: &Load<'_>, quantity: Quantity, bound: Bound) -> Option<Mark> {
        let reservations = load.reservation().into_iter().collect();
        let value = self.value(load, quantity)?;
        Some(Mark { value, bound, reservations, shift: load.shift(quantity) })
    }

    /// A number of a load with its error: that of its points, or that between repetitions where it
    /// is larger.
    fn value(&self, load: &Load<'_>, quantity: Quantity) -> Option<Value> {
        let count = load.repetitions.len();
        let between = self.between.get(&quantity).map(|spread| RelativeError {
            relative: spread.relative / libm::sqrt(count as f64),
            ..*spread
        });
        let is_of_queue = self.is_full && quantity == Quantity::Latency(Metric::Mean);
        let number = |visit: &PointResult| match is_of_queue && visit.rate.mean > 0.0 {
            true => Some(full_queue_ms(visit)),
            false => quantity.of(visit).map(|number| number.mean),
        };
        let visited = (!self.visits.is_empty()).then(|| mean_of(&load.repetitions, number));
        Some(match visited.flatten().filter(|found| found.error.is_some()) {
            // One number for one load, and percentiles are those of all visits together.
            Some(found) if matches!(quantity, Quantity::Latency(_)) => {
                let number = quantity.of(&load.merged).map_or(found.mean, |merged| merged.mean);
                Value { number, ..Value::estimated(found) }
            }
            Some(found) => Value::estimated(found),
            None => Value::measured(quantity.of(&load.merged)?, count).widened_by(between),
        })
    }
}

/// Gives a point the throughput of its `visits` by their times: some of them are far shorter than others.
fn weigh(merged: &mut PointResult, visits: &[&PointResult]) {
    let mean = |number: fn(&PointResult) -> Option<f64>| mean_of(visits, number);
    if let Some(found) = mean(|visit| Some(visit.rate.mean)) {
        merged.rate.mean = found.mean;
    }
    if let (Some(volume), Some(found)) = (&mut merged.volume, mean(PointResult::mib_s)) {
        volume.mean = found.mean;
    }
}

/// The relative standard deviation of one measurement of `quantity` between the repetitions of all
/// `loads`.
fn between(loads: &[Load<'_>], quantity: Quantity) -> Option<RelativeError> {
    let (mut squares, mut dof) = (0.0, 0.0);
    for load in loads.iter().filter(|load| load.repetitions.len() > 1) {
        let mean = quantity.of(&load.merged).map_or(0.0, |merged| merged.mean);
        if mean <= 0.0 {
            continue;
        }
        dof += (load.repetitions.len() - 1) as f64;
        squares += load
            .repetitions
            .iter()
            .filter_map(|point| Some(quantity.of(point)?.mean / mean - 1.0))
            .map(|deviation| deviation * deviation)
            .sum::<f64>();
    }
    (dof > 0.0).then(|| RelativeError { relative: libm::sqrt(squares / dof), dof })
}

/// How far the errors of one neighbouring point move the crossing, if all of them count. With a
/// fixed number of outstanding I/Os a point with too high a throughput has too low a response time,
/// and both move the crossing up; so they are added, not taken as independent.
fn crossing_error(rate: Value, time: Value, slope: f64) -> Option<f64> {
    Some(rate.error()? + slope.abs() * time.error()?)
}

impl Load<'_> {
    fn reservation(&self) -> Option<Reservation> {
        let verdict = self.merged.verdict;
        is_doubtful(verdict).then_some(Reservation {
            load: self.merged.load.value,
            verdict,
            disturbed_percent: self.merged.disturbed_percent,
        })
    }

    /// What something else can have changed at this load, as in [`Mark::shift`]; a percentile can be
    /// off by more than throughput and mean response time.
    fn shift(&self, quantity: Quantity) -> f64 {
        let is_mean = match quantity {
            Quantity::Latency(metric) => metric == Metric::Mean,
            _ => true,
        };
        match (self.merged.verdict, self.merged.disturbed_percent) {
            (Verdict::Disturbed, Some(percent)) if is_mean => {
                -libm::log(1.0 - (percent / 100.0).clamp(0.0, 1.0))
            }
            (Verdict::Disturbed, _) => f64::INFINITY,
            _ => 0.0,
        }
    }
}

/// The quantity that a series is judged by.
pub(super) fn judged_by(curve: &Curve<'_>) -> Quantity {
    if curve.is_sequential() { Quantity::Throughput } else { Quantity::Iops }
}

/// The response times that are compared at equal load.
pub(super) const RESPONSE_TIMES: [Metric; 2] = [Metric::Mean, Metric::P99];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{Estimate, Latency, StorageResult, Throughput};
    use crate::words::load::LoadLevel;

    /// The nth visit of a load: I/Os per second, mean and p99 in milliseconds.
    fn visit(number: u32, load: u32, [iops, mean, p99]: [f64; 3]) -> PointResult {
        let achieved_outstanding = iops * mean / 1e3;
        PointResult {
            repetition: 1_000 * number,
            load: LoadLevel::outstanding(load),
            rate: Throughput::iops(Estimate { mean: iops, ci95: Some(0.02 * iops) }),
            latency_ms: Latency { mean, p99: Some(p99), ..Latency::default() },
            storage: Some(StorageResult { achieved_outstanding, ..StorageResult::default() }),
            measured_s: 0.2,
            ..PointResult::default()
        }
    }

    fn sustained(points: &[PointResult], rule: &str) -> Mark {
        let rule: Rule = rule.parse().unwrap();
        Curve::of(points.iter()).sustained(&rule, Quantity::Iops).unwrap()
    }

    #[test]
    fn a_peak_that_meets_the_rule_is_sustained_where_little_is_known_of_the_crossing() {
        let at = |crossing: [f64; 2]| {
            let [low, high] = crossing;
            [
                visit(0, 8, [1_500.0, 5.3, 9.0]),
                visit(0, 16, [low, 16e3 / low, 20.0]),
                visit(0, 32, [high, 32e3 / high, 40.0]),
                visit(1, 16, [high, 16e3 / high, 20.0]),
            ]
        };
        let found = sustained(&at([1_500.0, 1_300.0]), "mean<=15ms");
        assert_eq!((found.value.number, found.bound), (1_500.0, Bound::Exact));
        // A crossing that is known well is the answer, whatever a single visit has shown before it.
        let visits = |load, iops: f64| {
            (0..8).map(move |number| visit(number, load, [iops, f64::from(load) * 1e3 / iops, 9.0]))
        };
        let known: Vec<PointResult> = [visit(0, 8, [1_500.0, 5.3, 9.0])]
            .into_iter()
            .chain(visits(16, 1_440.0))
            .chain(visits(32, 1_450.0))
            .collect();
        let found = sustained(&known, "mean<=15ms").value.number;
        assert!((1_440.0..1_450.0).contains(&found), "{found}");
    }

    #[test]
    fn a_visited_load_that_meets_the_rule_counts_if_a_lower_one_breaks_it() {
        let points = [
            visit(0, 1, [300.0, 1.0, 3.6]),
            visit(0, 2, [1_460.0, 1.3, 1.6]),
            visit(0, 4, [1_500.0, 2.6, 9.0]),
            visit(1, 1, [300.0, 1.0, 3.6]),
        ];
        let found = sustained(&points, "p99<=2ms");
        assert!(found.value.number >= 1_460.0 && found.bound == Bound::Exact, "{found:?}");
        let none = sustained(&points, "p99<=1ms");
        assert_eq!((none.value.number, none.bound), (300.0, Bound::AtMost));
    }

    #[test]
    fn the_response_time_of_a_visited_load_is_that_of_its_full_queue() {
        // An I/O issued before the visit completed in it, so that 1.5 seem to be in flight where 1 was set.
        let of = |first: f64| {
            let points = [
                visit(0, 1, [2_000.0, first, 1.0]),
                visit(0, 16, [8_000.0, 2.0, 3.0]),
                visit(1, 16, [8_000.0, 2.0, 3.0]),
            ];
            let mark = Curve::of(points.iter()).at(1.0, Quantity::Latency(Metric::Mean)).unwrap();
            mark.value.number
        };
        assert_eq!(of(0.75), 0.5);
        // A queue that was never full says nothing.
        assert_eq!(of(30.0), 30.0);
    }
}
