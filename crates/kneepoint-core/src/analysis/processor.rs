//! The processor suite: the members of a class in one number.
//!
//! As in the published suites of processor-bound programs, the number is the geometric mean of the ratios to
//! a reference machine: doubling any member's speed changes it by the same factor. The idea is theirs; the
//! programs and the reference are ours, and so the numbers cannot be compared.

use std::collections::BTreeMap;

use super::repetition::merge_repetitions;
use crate::measure::search::{ScoreGroup, geometric_means, half_width, undisturbed};
use crate::plan::{Plan, SeriesPlan};
use crate::result::{
    Estimate, PeakGain, PointResult, ProcessorAnalysis, ProcessorScore, ProcessorStep, Verdict,
};
use crate::spec::factor::{CPU_QUOTA, Combination, Factor};
use crate::spec::profile::{FlagSet, MemberClass, MemberScale};
use crate::words::distinct::distinct;
use crate::words::units::Frequency;

/// A series of copies of a program.
struct Contestant<'a> {
    series: &'a SeriesPlan,
    class: MemberClass,
    group: ScoreGroup<'a>,
    is_short: bool,
}

impl<'a> Contestant<'a> {
    /// The series as one of these; `None` for other work.
    fn of(series: &'a SeriesPlan) -> Option<Self> {
        let (group, class) = ScoreGroup::of(&series.profile)?;
        let work = series.profile.member();
        let is_short = work.is_some_and(|work| work.scale != MemberScale::Full);
        Some(Self { series, class, group, is_short })
    }
}

/// What `points` say of the member programs of `plan`; `None` if it has none.
pub(super) fn processor(points: &[PointResult], plan: &Plan) -> Option<ProcessorAnalysis> {
    let members: Vec<Contestant<'_>> = plan.series.iter().filter_map(Contestant::of).collect();
    let first = members.first()?;
    let mut analysis = ProcessorAnalysis::default();
    for factors in distinct(members.iter().map(|member| &member.series.factors)) {
        for level in &first.series.loads.levels {
            analysis.add(points, &members, (factors, *level));
        }
    }
    analysis.steps = steps(&analysis.scores, plan);
    Some(analysis)
}

impl ProcessorAnalysis {
    /// Adds the scores with this number of copies at a combination of settings.
    fn add(
        &mut self,
        points: &[PointResult],
        members: &[Contestant<'_>],
        (factors, copies): (&Combination, f64),
    ) {
        for class in [None, Some(MemberClass::Integer), Some(MemberClass::Floating)] {
            let score = |group| score(points, members, Place { factors, class, group, copies });
            let [base, peak] =
                [FlagSet::Base, FlagSet::Peak].map(|flags| score(ScoreGroup::Own(flags)));
            let gain = base.as_ref().zip(peak.as_ref()).and_then(|(base, peak)| gain(base, peak));
            self.gains.extend(gain);
            let others = groups(members).into_iter().map(score);
            let all = [base, peak].into_iter().chain(others).flatten();
            self.scores.extend(all.map(|scored| scored.score));
        }
    }
}

/// Where a score is one.
#[derive(Clone, Copy)]
struct Place<'a> {
    factors: &'a Combination,
    class: Option<MemberClass>,
    group: ScoreGroup<'a>,
    copies: f64,
}

/// The groups of programs of the user's own, in the order of their first appearance.
fn groups<'a>(members: &[Contestant<'a>]) -> Vec<ScoreGroup<'a>> {
    let mut groups = Vec::new();
    for member in members {
        if matches!(member.group, ScoreGroup::External(_)) && !groups.contains(&member.group) {
            groups.push(member.group);
        }
    }
    groups
}

/// A score, and its logarithm in each whole pass.
struct Scored {
    score: ProcessorScore,
    passes: BTreeMap<u32, f64>,
}

/// The score of the members at a place; `None` unless all of them were measured.
fn score(
    points: &[PointResult],
    members: &[Contestant<'_>],
    Place { factors, class, group, copies }: Place<'_>,
) -> Option<Scored> {
    let is_own = |member: &&Contestant<'_>| {
        member.group == group
            && member.series.factors == *factors
            && class.is_none_or(|class| member.class == class)
    };
    let own: Vec<&Contestant<'_>> = members.iter().filter(is_own).collect();
    let mut ratio = ratio(own.iter().map(|member| at(points, member.series, copies)))?;
    let series: Vec<&SeriesPlan> = own.iter().map(|member| member.series).collect();
    let passes = geometric_means(points, &series, copies);
    if let Some(width) = half_width(&passes.values().copied().collect::<Vec<_>>()) {
        ratio.ci95 = Some(ratio.mean * width);
    }
    let (flags, reference) = match group {
        ScoreGroup::Own(flags) => (Some(flags), None),
        ScoreGroup::External(machine) => (None, Some(machine.to_owned())),
    };
    let score = ProcessorScore {
        factors: factors.clone(),
        class,
        flags,
        reference,
        copies: copies as u32,
        members: own.len() as u32,
        ratio,
        is_short: own.iter().any(|member| member.is_short),
    };
    Some(Scored { score, passes })
}

/// The throughput of `series` with this number of copies; `None` without a usable point.
fn at(points: &[PointResult], series: &SeriesPlan, copies: f64) -> Option<Estimate> {
    let own: Vec<&PointResult> = points
        .iter()
        .filter(|point| point.series == series.name && point.factors == series.factors)
        .filter(|point| point.load.value == copies)
        .filter(|point| point.verdict != Verdict::Failed && point.rate.mean > 0.0)
        .collect();
    (!own.is_empty()).then(|| merge_repetitions(&undisturbed(&own)).0.rate.estimate())
}

/// The geometric mean; `None` unless there is something, and all of it is known.
fn ratio(rates: impl Iterator<Item = Option<Estimate>>) -> Option<Estimate> {
    let rates: Vec<Estimate> = rates.collect::<Option<_>>()?;
    if rates.is_empty() {
        return None;
    }
    let count = rates.len() as f64;
    let mean = libm::exp(rates.iter().map(|rate| libm::log(rate.mean)).sum::<f64>() / count);
    // Without passes members are measured apart, and their errors taken as independent; those of logarithms are
    // relative.
    let squares: Option<f64> =
        rates.iter().map(|rate| relative(rate).map(|share| share * share)).sum();
    Some(Estimate { mean, ci95: squares.map(|squares| mean * libm::sqrt(squares) / count) })
}

/// By how much `peak` is faster than `base`; `None` for different members. What a pass shares meets both alike, so
/// the error is that of their difference in each pass.
fn gain(base: &Scored, peak: &Scored) -> Option<PeakGain> {
    let differences: Vec<f64> =
        base.passes.iter().filter_map(|(pass, base)| Some(peak.passes.get(pass)? - base)).collect();
    let (base, peak) = (&base.score, &peak.score);
    if base.members != peak.members {
        return None;
    }
    let mut percent = percent(base, peak);
    if let Some(width) = half_width(&differences) {
        percent.ci95 = Some((100.0 + percent.mean) * width);
    }
    let factors = base.factors.clone();
    Some(PeakGain { factors, class: base.class, copies: base.copies, percent })
}

/// What more processors, or a higher clock, do to the scores of a plan that varies them by itself.
fn steps(scores: &[ProcessorScore], plan: &Plan) -> Vec<ProcessorStep> {
    let factors = plan.factors.iter().flat_map(|factors| &factors.factors);
    factors.flat_map(|factor| steps_of(scores, factor)).collect()
}

fn steps_of(scores: &[ProcessorScore], factor: &Factor) -> Vec<ProcessorStep> {
    let sizes = factor.levels.iter().map(|level| Some((size(&factor.name, level)?, level)));
    // `max` of a quota has no size.
    let mut levels: Vec<(f64, &String)> = match factor.commands {
        None => sizes.flatten().collect(),
        Some(_) => Vec::new(),
    };
    levels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut steps = Vec::new();
    for pair in levels.windows(2) {
        let at = |level: &String| {
            let is_there = |score: &&ProcessorScore| score.factors.get(&factor.name) == Some(level);
            scores.iter().filter(is_there).collect::<Vec<_>>()
        };
        let (before, after) = (at(pair[0].1), at(pair[1].1));
        let setting_percent = 100.0 * (pair[1].0 / pair[0].0 - 1.0);
        let found = before.iter().filter_map(|before| {
            let others = others(before, &factor.name);
            let after = after.iter().find(|after| {
                is_alike(before, after) && self::others(after, &factor.name) == others
            })?;
            Some(ProcessorStep {
                factor: factor.name.clone(),
                from: pair[0].1.clone(),
                to: pair[1].1.clone(),
                others,
                class: before.class,
                flags: before.flags,
                reference: before.reference.clone(),
                copies: before.copies,
                setting_percent,
                score_percent: percent(before, after),
            })
        });
        steps.extend(found);
    }
    steps
}

/// The size of a level of a factor that is more or less of the processors.
fn size(factor: &str, level: &str) -> Option<f64> {
    match factor {
        "cpus" => level.parse::<u32>().ok().filter(|cpus| *cpus > 0).map(f64::from),
        CPU_QUOTA => level.parse::<f64>().ok().filter(|cpus| cpus.is_finite() && *cpus > 0.0),
        "frequency" => level.parse().ok().map(|Frequency(khz)| khz as f64),
        _ => None,
    }
}

/// The settings of a score but one.
fn others(score: &ProcessorScore, name: &str) -> Combination {
    let mut others = score.factors.clone();
    others.remove(name);
    others
}

/// Whether two scores are those of the same members with as many copies.
fn is_alike(a: &ProcessorScore, b: &ProcessorScore) -> bool {
    (a.class, a.flags, &a.reference) == (b.class, b.flags, &b.reference)
        && (a.copies, a.members) == (b.copies, b.members)
}

/// By how much `after` is higher than `before`, in percent.
fn percent(before: &ProcessorScore, after: &ProcessorScore) -> Estimate {
    let quotient = after.ratio.mean / before.ratio.mean;
    let errors = relative(&before.ratio).zip(relative(&after.ratio));
    let ci95 = errors.map(|(before, after)| 100.0 * quotient * libm::hypot(before, after));
    Estimate { mean: 100.0 * (quotient - 1.0), ci95 }
}

/// The half-width of an interval as a share of the mean.
fn relative(estimate: &Estimate) -> Option<f64> {
    Some(estimate.ci95? / estimate.mean)
}

#[cfg(test)]
mod tests {
    use rand_core::Rng as _;

    use super::*;
    use crate::measure::rounds::median;
    use crate::measure::search::next_point;
    use crate::plan::StopRule;
    use crate::plan::tests::plan_of;
    use crate::result::{Throughput, ThroughputUnit};
    use crate::spec::factor::Factors;
    use crate::spec::grid::{LoadGrid, SearchPlan};
    use crate::spec::profile::{
        ExternalMember, ExternalWork, MemberWork, OutputCheck, SeriesProfile, TypedMember,
    };
    use crate::words::load::{LoadLevel, LoadUnit};
    use crate::words::seed;
    use crate::words::units::{Nanos, Percent};

    /// Series of copies of members with flags.
    fn plan(members: &[(&str, FlagSet)]) -> Plan {
        let mut plan = plan_of("cpu:", 1);
        let first = plan.series.remove(0);
        plan.series.clear();
        for (member, flags) in members {
            let typed = TypedMember {
                member: (*member).to_owned(),
                flags: *flags,
                scale: MemberScale::Full,
            };
            let name = format!("{member}-{}", flags.name());
            let work = MemberWork::new((&name, &name), &typed).unwrap();
            plan.series.push(SeriesPlan {
                name,
                profile: SeriesProfile::Member(work),
                loads: LoadGrid { unit: LoadUnit::Copies, levels: vec![1.0] },
                search: SearchPlan::Grid,
                ..first.clone()
            });
        }
        plan
    }

    fn point(series: &str, rate: f64) -> PointResult {
        let unit = ThroughputUnit::Ratio;
        PointResult {
            series: series.to_owned(),
            load: LoadLevel::copies(1),
            rate: Throughput { mean: rate, ci95: Some(rate / 10.0), unit },
            verdict: Verdict::Steady,
            ..PointResult::default()
        }
    }

    #[test]
    fn a_score_is_the_geometric_mean_of_all_members() {
        let plan =
            plan(&[("chess", FlagSet::Base), ("fft", FlagSet::Base), ("fft", FlagSet::Peak)]);
        let points = [point("chess-base", 2.0), point("fft-base", 8.0), point("fft-peak", 12.0)];
        let found = processor(&points, &plan).unwrap();
        let base = found.scores.iter().find(|score| score.class.is_none()).unwrap();
        assert!((base.ratio.mean - 4.0).abs() < 1e-12 && base.members == 2);
        // Two members with 10 % each: a tenth over the root of two.
        assert!((base.ratio.ci95.unwrap() / 4.0 - 0.1 / 2.0_f64.sqrt()).abs() < 1e-12);
        // Different members in both sets of flags say nothing of the flags, those of one class do.
        let gains: Vec<Option<MemberClass>> = found.gains.iter().map(|gain| gain.class).collect();
        assert_eq!(gains, [Some(MemberClass::Floating)]);
        assert!((found.gains[0].percent.mean - 50.0).abs() < 1e-9);
    }

    /// The series `name` of copies of a program of the user's own, with ratios to `machine`.
    fn external(name: &str, machine: &str, like: &SeriesPlan) -> SeriesPlan {
        let external = ExternalMember {
            name: name.to_owned(),
            title: name.to_owned(),
            class: MemberClass::Integer,
            build: None,
            run: vec!["true".to_owned()],
            check: OutputCheck::Command(vec!["true".to_owned()]),
            version: None,
            reference_machine: machine.to_owned(),
            reference: Nanos::from_secs(1),
        };
        let work = ExternalWork { name: name.to_owned(), title: name.to_owned(), external };
        let profile = SeriesProfile::External(Box::new(work));
        SeriesPlan { name: name.to_owned(), profile, ..like.clone() }
    }

    #[test]
    fn ratios_to_different_machines_make_no_common_score() {
        let mut plan = plan(&[("chess", FlagSet::Base)]);
        let like = plan.series[0].clone();
        for (name, machine) in [("xz", "old"), ("zstd", "old"), ("gzip", "older")] {
            plan.series.push(external(name, machine, &like));
        }
        let rates = [("chess-base", 3.0), ("xz", 2.0), ("zstd", 8.0), ("gzip", 5.0)];
        let found = processor(&rates.map(|(name, rate)| point(name, rate)), &plan).unwrap();
        let of_all = found.scores.iter().filter(|score| score.class.is_none());
        let of_all: Vec<_> = of_all
            .map(|score| (score.reference.as_deref(), score.members, score.ratio.mean.round()))
            .collect();
        assert_eq!(of_all, [(None, 1, 3.0), (Some("old"), 2, 4.0), (Some("older"), 1, 5.0)]);
        assert!(found.gains.is_empty());
    }

    #[test]
    fn more_processors_make_a_step_of_each_score() {
        let mut plan = plan(&[("chess", FlagSet::Base)]);
        let one = plan.series.remove(0);
        let at = |cpus: &str| Combination::from([("cpus".to_owned(), cpus.to_owned())]);
        let levels = ["4", "1", "2"];
        plan.series = levels.map(|cpus| SeriesPlan { factors: at(cpus), ..one.clone() }).into();
        let factor: Factor = "cpus=4,1,2".parse().unwrap();
        plan.factors = Some(Factors { factors: vec![factor], ..Factors::default() });
        let measured =
            |(cpus, rate)| PointResult { factors: at(cpus), ..point("chess-base", rate) };
        let points = [("1", 1.0), ("2", 1.9), ("4", 3.8)].map(measured);
        let found = processor(&points, &plan).unwrap();
        let of_all = found.steps.iter().filter(|step| step.class.is_none());
        let of_all: Vec<_> = of_all
            .map(|step| {
                (&*step.from, &*step.to, step.setting_percent, step.score_percent.mean.round())
            })
            .collect();
        assert_eq!(of_all, [("1", "2", 100.0, 90.0), ("2", "4", 100.0, 100.0)]);
        // What commands of the user set may be anything.
        let factors = &mut plan.factors.as_mut().unwrap().factors;
        "kernel".clone_into(&mut factors[0].name);
        assert!(processor(&points, &plan).unwrap().steps.is_empty());
        // A level without a score makes no step.
        "cpus".clone_into(&mut plan.factors.as_mut().unwrap().factors[0].name);
        let found = processor(&points[..2], &plan).unwrap();
        assert!(found.steps.iter().all(|step| step.to == "2"), "{:?}", found.steps);
    }

    #[test]
    fn a_step_of_the_clock_is_in_its_unit() {
        assert_eq!(size("frequency", "1800MHz"), Some(1.8e6));
        assert_eq!(size("frequency", "1.8"), None);
        assert_eq!((size("cpus", "0"), size("drives", "2")), (None, None));
    }

    /// The plan of all members with base flags, measured in these rounds.
    fn rounds(repetitions: u32, (rounds_max, passes_min): (u32, u32)) -> Plan {
        const MEMBERS: [&str; 16] = [
            "compression",
            "json",
            "regex",
            "database",
            "chess",
            "compiler",
            "video",
            "cryptography",
            "routes",
            "fft",
            "n-body",
            "dense",
            "sparse",
            "lattice",
            "rays",
            "molecules",
        ];
        let mut plan = plan(&MEMBERS.map(|member| (member, FlagSet::Base)));
        plan.repetitions = repetitions;
        plan.timing.stop = StopRule::Rounds {
            accuracy: Percent::new(5.0).unwrap(),
            rounds_min: rounds_max.min(3),
            rounds_max,
            passes_min,
            round: Nanos::from_secs(20),
        };
        plan
    }

    /// A machine whose speed wanders about 1 by 2 %, and is forgotten after this number of rounds; each round
    /// scatters by 0.3 % on top.
    struct Wanderer {
        rng: seed::Rng,
        rounds: f64,
        off: f64,
    }

    impl Wanderer {
        fn new(seed: u64, rounds: f64) -> Self {
            let mut wanderer = Self { rng: seed::rng(seed), rounds, off: 0.0 };
            wanderer.off = 0.02 * wanderer.normal();
            wanderer
        }

        fn normal(&mut self) -> f64 {
            let mut uniform = || ((self.rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
            (0..12).map(|_| uniform()).sum::<f64>() - 6.0
        }

        /// The throughput of a round.
        fn round(&mut self) -> f64 {
            let kept = libm::exp(-1.0 / self.rounds);
            self.off = kept * self.off + 0.02 * libm::sqrt(1.0 - kept * kept) * self.normal();
            libm::exp(self.off + 0.003 * self.normal())
        }

        /// Rounds of a point of `plan`, one after the other, until there are enough.
        fn point(&mut self, plan: &Plan) -> Estimate {
            let StopRule::Rounds { accuracy, rounds_min, rounds_max, .. } = plan.timing.stop else {
                panic!("rounds");
            };
            let mut rates = Vec::new();
            loop {
                rates.push(self.round());
                let count = rates.len() as u32;
                let width = half_width(&rates);
                let is_enough = width.is_some_and(|width| width <= accuracy.fraction());
                if count >= rounds_min && is_enough || count >= rounds_max {
                    return Estimate { mean: median(&mut rates), ci95: width };
                }
            }
        }
    }

    /// Measures `plan` as a run does.
    fn measured(plan: &Plan, mut measure: impl FnMut() -> Estimate) -> Vec<PointResult> {
        let mut points = Vec::new();
        while let Some(next) = next_point(plan, &points) {
            let Estimate { mean, ci95 } = measure();
            points.push(PointResult {
                repetition: next.repetition,
                rate: Throughput { mean, ci95, unit: ThroughputUnit::Ratio },
                ..point(&next.series.name, mean)
            });
        }
        points
    }

    /// The share of runs of `plan` whose interval of the score holds what the machine does in the mean.
    fn coverage(plan: &Plan, runs: u64, rounds: f64) -> f64 {
        let holds = |seed: u64| {
            let mut machine = Wanderer::new(seed::derive(18, "machine", seed), rounds);
            let plan = Plan { seed, ..plan.clone() };
            let points = measured(&plan, || machine.point(&plan));
            let score = processor(&points, &plan).unwrap().scores.remove(0).ratio;
            libm::log(score.mean).abs() <= score.ci95.unwrap() / score.mean
        };
        (0..runs).filter(|seed| holds(*seed)).count() as f64 / runs as f64
    }

    /// The table of docs/processor.md: rounds after which a machine has forgotten its speed, and the shares of
    /// runs whose intervals hold, with all rounds of a program in a row and in passes.
    fn check_table(runs: u64, off_max: f64) {
        let text = include_str!("../../../../docs/processor.md");
        let (in_a_row, in_passes) = (rounds(1, (12, 0)), rounds(12, (1, 3)));
        let mut off: f64 = 0.0;
        for (forgotten, before, now) in
            [(2, 80, 94), (5, 49, 93), (10, 32, 90), (20, 20, 83), (40, 14, 71), (100, 10, 56)]
        {
            let row = format!("| {forgotten} | {before} % | {now} % |");
            assert!(text.contains(&row), "docs/processor.md lacks {row}");
            let held = [(&in_a_row, before), (&in_passes, now)].map(|(plan, percent)| {
                (100.0 * coverage(plan, runs, f64::from(forgotten)), f64::from(percent))
            });
            println!("| {forgotten} | {:.1} % | {:.1} % |", held[0].0, held[1].0);
            off = held.iter().fold(off, |off, (held, percent)| off.max((held - percent).abs()));
        }
        assert!(off < off_max, "off by {off} points");
    }

    #[test]
    fn intervals_of_passes_hold_what_changes_slowly() {
        check_table(150, 12.0);
    }

    #[test]
    #[ignore = "the whole table"]
    fn passes_in_the_documents() {
        check_table(2_000, 0.5 + 1e-9);
    }

    #[test]
    fn passes_end_once_the_score_is_accurate_and_are_never_cut_short() {
        let plan = rounds(12, (1, 3));
        let count = |rates: &[f64]| {
            let mut number = 0;
            let points = measured(&plan, || {
                number += 1;
                Estimate { mean: rates[(number - 1) / 16 % rates.len()], ci95: None }
            });
            assert_eq!(points.len() % 16, 0, "whole passes");
            points.len() / 16
        };
        assert_eq!(count(&[1.0, 1.001, 1.002]), 3);
        assert_eq!(count(&[0.5, 1.5]), 12, "as many as there are at the most");
        // After three passes 5 % is not reached, later it is.
        assert!((4..12).contains(&count(&[1.0, 1.04, 1.0])));
        // Whatever there is of a pass is finished, although the passes before are alike without it.
        let all = measured(&plan, || Estimate { mean: 1.0, ci95: None });
        assert_eq!(next_point(&plan, &all[..47]).unwrap().repetition, 2);
        assert_eq!(next_point(&plan, &all), None);
    }

    #[test]
    fn the_error_of_peak_against_base_leaves_out_what_a_pass_shares() {
        let plan = plan(&[("chess", FlagSet::Base), ("chess", FlagSet::Peak)]);
        let passes = [1.0, 1.2, 0.8].into_iter().enumerate();
        let points: Vec<PointResult> = passes
            .flat_map(|(pass, speed)| {
                [("chess-base", speed), ("chess-peak", 1.5 * speed)].map(|(name, rate)| {
                    PointResult { repetition: pass as u32, ..point(name, rate) }
                })
            })
            .collect();
        let found = processor(&points, &plan).unwrap();
        assert!(found.scores[0].ratio.ci95.unwrap() > 0.3, "{:?}", found.scores[0]);
        let gain = &found.gains[0].percent;
        assert!((gain.mean - 50.0).abs() < 1e-9 && gain.ci95.unwrap() < 1e-9, "{gain:?}");
        // The median pass counts.
        assert!((found.scores[0].ratio.mean - 1.0).abs() < 1e-12);
    }

    #[test]
    fn without_one_of_its_members_a_class_has_no_score() {
        let plan = plan(&[("chess", FlagSet::Base), ("fft", FlagSet::Base)]);
        let found = processor(&[point("fft-base", 8.0)], &plan).unwrap();
        let classes: Vec<_> = found.scores.iter().map(|score| score.class).collect();
        assert_eq!(classes, [Some(MemberClass::Floating)]);
        assert_eq!(processor(&[], &plan_of("null:", 1)), None);
    }
}
