//! Typed wishes to a plan: no defaults left.
//!
//! In two steps, for what is asked of a target must be known before it is looked at: a [`Draft`] is
//! the suite with the wishes applied; with the targets as they were found it becomes a [`Plan`].

mod dataless;
mod defaults;
mod durability;
mod engine;
mod omission;
mod part;
mod reference;
mod replay;
mod rounds;
mod settings;
mod timing;
mod together;
mod verification;
mod wishes;

use std::borrow::Cow;
use std::collections::BTreeSet;

pub use defaults::{ERRORS_MAX, SEED};
pub use timing::timing;
pub use wishes::{
    Access, ChooseEngine, Contents, Durable, Extent, FoundTarget, Search, Serves, Settable, Site,
    TargetRequest, TraceWishes, Wishes, named_twice, no_longer, not_together,
};

use self::dataless::check_dataless;
use self::durability::check_durability;
use self::engine::{
    check_pacing, check_pauses, check_threads, engine_plan, leave_a_cpu_free, open_loop,
};
use super::{
    EnginePlan, HostShare, Overrides, PLAN_SCHEMA, Plan, SeriesPlan, StopRule, TargetKind,
    TargetPlan,
};
use crate::spec::factor::Factors;
use crate::spec::grid::{KneeGoal, KneePlan, LoadGrid, Loads, SearchPlan};
use crate::spec::profile::{MemberScale, SeriesProfile};
use crate::spec::suite::Suite;
use crate::words::class::ClassName;
use crate::words::distinct::distinct;
use crate::words::fault::Fault;
use crate::words::load::LoadUnit;
use crate::words::rule::Rule;
use crate::words::storage_class::TargetClass;
use crate::words::units::{Nanos, Percent};
use omission::{file_copy, leave_out_impossible};
use reference::referred;
use replay::{check_traces, trace_levels, with_traces};
use rounds::{in_rounds, with_round_time};
use settings::own_settings;
use timing::{accuracy, passes, precondition, rounds, timing_by};
use together::{check_groups, check_search, keep_measured};
use verification::verification;

/// A suite as it is to be measured, for targets that are not known yet.
#[derive(Debug, Clone)]
pub struct Draft<'a> {
    suite: Cow<'a, Suite>,
    wishes: Cow<'a, Wishes>,
    overrides: Overrides,
    series: Vec<SeriesPlan>,
}

impl<'a> Draft<'a> {
    /// Applies `wishes` to `suite`.
    ///
    /// # Errors
    /// When the suite can't be resolved so, or the accuracy is out of range.
    pub fn new(suite: &'a Suite, wishes: &'a Wishes) -> Result<Self, Fault> {
        let wishes = match &suite.rounds {
            None => Cow::Borrowed(wishes),
            Some(rounds) => Cow::Owned(with_round_time(wishes, rounds)?),
        };
        let overrides = overrides(&wishes)?;
        let mut series = suite.resolve(&overrides)?;
        if wishes.search == Search::Knee {
            check_search(&series)?;
            series.iter_mut().for_each(|series| search_knee(series, &overrides));
        }
        if wishes.is_quick() {
            series.iter_mut().for_each(thin_out);
            keep_measured(&mut series);
        }
        if let StopRule::Confidence { accuracy, .. } = timing(&wishes, suite.steady_state)?.stop {
            series.iter_mut().for_each(|series| visit(series, accuracy));
        }
        Ok(Self { suite: Cow::Borrowed(suite), wishes, overrides, series })
    }

    /// Series that are resolved already, under a name and a title; the rules are those of the wishes.
    ///
    /// # Errors
    /// When the accuracy is out of range.
    pub fn of_series(
        (name, title): (&str, &str),
        series: Vec<SeriesPlan>,
        wishes: &'a Wishes,
    ) -> Result<Self, Fault> {
        let suite = Suite::of_nothing(name, title);
        let overrides = overrides(wishes)?;
        Ok(Self { suite: Cow::Owned(suite), wishes: Cow::Borrowed(wishes), overrides, series })
    }

    /// What is asked of every target.
    pub fn target_request(&self) -> TargetRequest {
        TargetRequest {
            size: self.wishes.size,
            test_file: self.suite.size.unwrap_or(defaults::TEST_FILE),
            access: Access::of(&self.series),
            contents: match self.wishes.is_verified {
                true => Contents::Verified,
                false => Contents::AsFound,
            },
        }
    }

    /// Whether files are copied, where the targets take copies.
    pub fn copies_files(&self) -> bool {
        self.suite.file_copy.is_some()
    }

    /// What is varied; `None` if nothing is.
    ///
    /// # Errors
    /// When the wishes vary what the suite does.
    pub fn factors(&self) -> Result<Option<Factors>, Fault> {
        factors(&self.wishes, &self.suite)
    }

    /// The plan for the targets of `site`.
    ///
    /// # Errors
    /// When the targets can't take what is asked, or the wishes contradict one another.
    pub fn resolve(self, site: &Site<'_>) -> Result<Plan, Fault> {
        let Self { suite, wishes, overrides, series } = self;
        let wishes: &Wishes = &wishes;
        let kind = site.kind()?;
        let targets: Vec<TargetPlan> =
            site.targets.iter().map(|found| found.plan.clone()).collect();
        check_work(&series, &site.targets)?;
        let series = with_warehouses(series, (wishes, site.cpus))?;
        let series = with_files(with_copies(series, (wishes, site.cpus)))?;
        let (series, changes) = with_traces(series, &targets);
        let (series, mut omissions) = leave_out_impossible(series, &targets)?;
        omissions.extend(changes);
        let factors = factors(wishes, &suite)?;
        if let Some(factors) = &factors {
            check_kinds(targets[0].kind, factors)?;
        }
        let (series, left_out) = own_settings(series, (factors.as_ref(), &site.targets));
        omissions.extend(left_out);
        let series = match &factors {
            None => series,
            Some(factors) => factors.expand(&series)?,
        };
        let mut engine = engine_plan(wishes, (kind, site), &series)?;
        check_series(&series, &engine, site)?;
        if series.iter().any(|series| series.loads.unit == LoadUnit::OfferedIops) {
            omissions.extend(leave_a_cpu_free(&mut engine, site.cpus));
        }
        let (rules, target_class) = rules(suite.rules_with(&overrides), site);
        check_rules(&rules, &series)?;
        check_groups(&series, &targets, &rules)?;
        let (rules, reference) = referred(rules, (&series, kind), wishes.reference.as_deref())?;
        let series = with_references(series, &rules)?;
        let repetitions = wishes.repeat.or(suite.repeat);
        let hosts = distinct(targets.iter().map(|target| &target.host)).len();
        let plan = Plan {
            schema: PLAN_SCHEMA.to_owned(),
            work: suite.name.clone(),
            title: suite.title.clone(),
            seed: wishes.seed,
            targets,
            first_target: 0,
            share: HostShare::WHOLE,
            engine,
            open_loop: open_loop(wishes, &series),
            series: series.clone(),
            factors,
            repetitions: match kind {
                TargetKind::Processor => passes(wishes, (&series, repetitions)),
                _ => repetitions.unwrap_or(1),
            },
            rounds: None,
            rules,
            reference,
            target_class,
            file_copy: None,
            precondition: None,
            verification: None,
            timing: match kind {
                TargetKind::Processor => rounds((wishes, repetitions), (&series, site.cpus))?,
                _ => timing_by(hosts, (wishes, suite.steady_state))?,
            },
            errors_max: wishes.errors_max,
            foreign_cpu_max: wishes.foreign_cpu_max.or_else(|| foreign_cpu_max(kind)),
            omissions,
        };
        completed(plan, &suite, wishes)
    }
}

/// The plan in the rounds of `suite`, with what is written before the first point and copied after the last.
fn completed(plan: Plan, suite: &Suite, wishes: &Wishes) -> Result<Plan, Fault> {
    let mut plan = match &suite.rounds {
        None => plan,
        Some(rounds) => in_rounds(plan, rounds)?,
    };
    plan.precondition = precondition(wishes, &plan, suite)?;
    plan.verification = wishes.is_verified.then(|| verification(&plan)).transpose()?;
    let (file_copy, left_out) = file_copy(suite.file_copy.as_ref(), wishes, &plan);
    plan.file_copy = file_copy;
    plan.omissions.extend(left_out);
    Ok(plan)
}

/// Refuses series that the engine cannot carry out on the targets of `site`.
fn check_series(series: &[SeriesPlan], engine: &EnginePlan, site: &Site<'_>) -> Result<(), Fault> {
    check_pacing(engine, series)?;
    check_pauses(series)?;
    check_threads(engine, series, site.targets.len())?;
    check_traces(engine, series, site.targets.len())?;
    check_dataless(engine, series, &site.targets)?;
    check_durability(engine, series, &site.targets)
}

impl Access {
    /// What `series` do.
    pub fn of(series: &[SeriesPlan]) -> Self {
        match series.iter().any(|series| series.profile.writes()) {
            true => Self::Writing,
            false => Self::ReadOnly,
        }
    }
}

fn overrides(wishes: &Wishes) -> Result<Overrides, Fault> {
    Ok(Overrides {
        blocks: wishes.blocks.clone(),
        loads: wishes.loads.clone(),
        rules: wishes.rules.clone(),
        tolerance: accuracy(wishes)?.half(),
    })
}

/// The series with the loads that rules have their references at.
fn with_references(mut series: Vec<SeriesPlan>, rules: &[Rule]) -> Result<Vec<SeriesPlan>, Fault> {
    for rule in rules {
        let Some(load) = rule.reference_load() else { continue };
        for loads in series.iter_mut().map(|series| &mut series.loads) {
            if loads.unit.is_offered() {
                return Err(Fault::new(format!(
                    "the rule {rule} has its reference at a load of {load}"
                ))
                .because("the loads here are offered rates, and a low rate says little")
                .fix("give a time as the limit, or measure with --outstanding"));
            }
            let place = loads.levels.partition_point(|level| *level < load);
            if loads.levels.get(place) != Some(&load) {
                loads.levels.insert(place, load);
            }
        }
    }
    Ok(series)
}

/// Refuses a rule on a class of responses that no series has.
fn check_rules(rules: &[Rule], series: &[SeriesPlan]) -> Result<(), Fault> {
    let known: BTreeSet<ClassName> =
        series.iter().flat_map(|series| series.profile.classes()).collect();
    let unknown = |rule: &&Rule| rule.class.is_some_and(|class| !known.contains(&class));
    let Some(rule) = rules.iter().find(unknown) else { return Ok(()) };
    let known: Vec<&str> = known.iter().map(ClassName::as_str).collect();
    Err(Fault::new(format!("nothing that is measured can meet or break the rule {rule}"))
        .because("no profile of this work has responses of that class")
        .fix(format!("name one of {}, or leave the class out", known.join(", "))))
}

/// The rules that were `given`, or else those of the targets' class, or those of users.
fn rules(given: Vec<Rule>, site: &Site<'_>) -> (Vec<Rule>, Option<TargetClass>) {
    if !given.is_empty() {
        return (given, None);
    }
    if site.targets.iter().all(|found| found.serves == Serves::Users) {
        return (defaults::user_rules(), None);
    }
    if site.targets.iter().all(|found| found.serves == Serves::Screens) {
        return (defaults::screen_rules(), None);
    }
    if site.targets.iter().all(|found| found.serves == Serves::Business) {
        return (defaults::business_rules(), None);
    }
    if site.targets.iter().all(|found| found.serves == Serves::Files) {
        return (defaults::file_rules(), None);
    }
    if site.targets.iter().all(|found| found.serves == Serves::Copies) {
        return (defaults::copies_rules(), None);
    }
    let classes: Vec<TargetClass> =
        site.targets.iter().filter_map(|found| found.serves.class().cloned()).collect();
    let class = TargetClass::of_all(&classes);
    (class.as_ref().map_or_else(Vec::new, |class| class.class.rules()), class)
}

/// Refuses work on what does not serve it.
fn check_work(series: &[SeriesPlan], targets: &[FoundTarget]) -> Result<(), Fault> {
    for found in targets {
        let wrong = series.iter().find(|series| !is_served(&series.profile, &found.serves));
        if let Some(series) = wrong {
            let (target, name) = (&found.plan.target, series.profile.name());
            let serves = match found.serves {
                Serves::Io(_) => "it takes I/O",
                Serves::Users => "it serves users",
                Serves::Screens => "it serves users at screens",
                Serves::Business => "it does business operations",
                Serves::Copies => "copies of programs work on it",
                Serves::Files => "files are created and deleted in it",
            };
            let (wants, fix) = match series.profile {
                SeriesProfile::Storage(_) => ("does I/O", "name a file or a device"),
                SeriesProfile::Users(_) => (
                    "is the work of users",
                    "name a target that serves users, such as sim:analytic/desktop",
                ),
                SeriesProfile::Script(_) => (
                    "is the script of users at screens",
                    "name a target that has screens, such as vnc://HOST:5901",
                ),
                SeriesProfile::Business(_) => ("is business operations", "name the target memory:"),
                SeriesProfile::Files(_) => (
                    "is operations on files",
                    "name a directory that Kneepoint makes, such as files:/mnt/data/kneepoint",
                ),
                SeriesProfile::Member(_) | SeriesProfile::External(_) => {
                    ("is copies of a program", "name the target cpu:")
                }
            };
            return Err(Fault::new(format!("{target} cannot be loaded with '{name}'"))
                .because(format!("{serves}, and the profile {wants}"))
                .fix(fix));
        }
    }
    match targets {
        [_, second, ..] if second.serves == Serves::Screens && are_one(targets) => Ok(()),
        [_, second, ..] if matches!(second.serves, Serves::Users | Serves::Screens) => {
            Err(Fault::new("users work on one target").fix("measure each in its own run"))
        }
        [_, second, ..] if second.serves == Serves::Business => {
            Err(Fault::new("business operations are measured on one target")
                .fix("measure each in its own run"))
        }
        [_, second, ..] if second.serves == Serves::Copies => {
            Err(Fault::new("copies of programs work on one target").fix("name cpu: alone"))
        }
        _ => Ok(()),
    }
}

/// Whether all hosts of a fleet have the same target, each once.
fn are_one(targets: &[FoundTarget]) -> bool {
    let names = distinct(targets.iter().map(|found| found.plan.at_home().target));
    let hosts = distinct(targets.iter().map(|found| found.plan.host.as_str()));
    names.len() == 1 && hosts.len() == targets.len() && !hosts.contains(&"")
}

const fn is_served(profile: &SeriesProfile, serves: &Serves) -> bool {
    match profile {
        SeriesProfile::Storage(_) => matches!(serves, Serves::Io(_)),
        SeriesProfile::Users(_) => matches!(serves, Serves::Users),
        SeriesProfile::Script(_) => matches!(serves, Serves::Screens),
        SeriesProfile::Business(_) => matches!(serves, Serves::Business),
        SeriesProfile::Files(_) => matches!(serves, Serves::Files),
        SeriesProfile::Member(_) | SeriesProfile::External(_) => matches!(serves, Serves::Copies),
    }
}

/// The series with the number of warehouses at which business operations are expected to be fastest, by
/// default that of the processors; those that rise do so up to twice as many.
fn with_warehouses(
    mut series: Vec<SeriesPlan>,
    (wishes, cpus): (&Wishes, usize),
) -> Result<Vec<SeriesPlan>, Fault> {
    let peak = wishes.peak_warehouses.unwrap_or(cpus.max(1) as u32);
    let mut has_warehouses = false;
    for series in &mut series {
        let SeriesProfile::Business(work) = &mut series.profile else { continue };
        has_warehouses = true;
        work.peak_warehouses = peak;
        let least = if wishes.is_quick() { 1 } else { defaults::WAREHOUSES_MIN };
        rise(series, 1..=least.max(2 * peak));
    }
    match wishes.peak_warehouses {
        Some(_) if !has_warehouses => Err(Fault::new("there are no warehouses")
            .because("--peak-warehouses is for business operations")
            .fix("leave it out, or run business-operations")),
        _ => Ok(series),
    }
}

/// The series of copies of programs for this number of processors: from one copy to two for each processor, and
/// little work where a first impression is enough.
fn with_copies(mut series: Vec<SeriesPlan>, (wishes, cpus): (&Wishes, usize)) -> Vec<SeriesPlan> {
    for series in &mut series {
        match &mut series.profile {
            SeriesProfile::Member(work) => {
                if wishes.is_quick() && work.scale == MemberScale::Full {
                    *work = work.clone().at(MemberScale::Quick);
                }
            }
            SeriesProfile::External(_) => {}
            _ => continue,
        }
        rise(series, copies(cpus.max(1) as u32, wishes.extent));
    }
    series
}

/// The series of operations on files whose loads leave each thread a file: levels that are searched end
/// there.
fn with_files(mut series: Vec<SeriesPlan>) -> Result<Vec<SeriesPlan>, Fault> {
    for series in &mut series {
        let Some(count) = series.profile.files().map(|work| work.tree.count) else { continue };
        let levels = &mut series.loads.levels;
        if series.search != SearchPlan::Grid {
            levels.retain(|level| *level <= f64::from(count));
        }
        if let Some(level) = levels.iter().find(|level| **level > f64::from(count)) {
            return Err(Fault::new(format!(
                "{} cannot have {level} outstanding operations",
                series.name
            ))
            .because(format!(
                "each has a thread with its own files, and there are {count} files at the start"
            ))
            .fix(
                "use fewer outstanding operations, or a larger 'count' in [files] of the profile",
            ));
        }
    }
    Ok(series)
}

/// Measures a series at all of `levels` if its load is to rise until throughput no longer does.
fn rise(series: &mut SeriesPlan, levels: impl IntoIterator<Item = u32>) {
    if let SearchPlan::Knee(KneePlan { goal: KneeGoal::Saturation, .. }) = series.search {
        let levels = levels.into_iter().map(f64::from).collect();
        series.loads = LoadGrid { unit: series.loads.unit, levels };
        series.search = SearchPlan::Grid;
    }
}

/// How many copies are measured on `cpus` processors.
fn copies(cpus: u32, extent: Extent) -> BTreeSet<u32> {
    let doubling = || std::iter::successors(Some(1), |copies: &u32| copies.checked_mul(2));
    match extent {
        Extent::Quick => BTreeSet::from([1, cpus]),
        Extent::Whole if cpus <= defaults::rounds::CPUS_FEW => (1..=2 * cpus).collect(),
        Extent::Whole => {
            let ends = [cpus, cpus.saturating_mul(3) / 2, cpus.saturating_mul(2)];
            doubling().take_while(|copies| *copies < cpus).chain(ends).collect()
        }
    }
}

/// Share of the processors whose use by others disturbs work on such targets.
fn foreign_cpu_max(kind: TargetKind) -> Option<Percent> {
    match kind {
        TargetKind::Database
        | TargetKind::Processor
        | TargetKind::Desktop
        | TargetKind::Directory => Percent::new(defaults::FOREIGN_CPU_PERCENT).ok(),
        TargetKind::File | TargetKind::Block | TargetKind::Sim | TargetKind::Null => None,
    }
}

/// The factors of the suite and of the wishes; `None` if nothing is varied.
fn factors(wishes: &Wishes, suite: &Suite) -> Result<Option<Factors>, Fault> {
    let mut factors = suite.factors.clone();
    for factor in &wishes.factors {
        factors.add(factor.clone())?;
    }
    factors.design = wishes.design.unwrap_or(factors.design);
    factors.order = wishes.order.unwrap_or(factors.order);
    Ok((!factors.factors.is_empty()).then_some(factors))
}

/// Refuses what makes no sense for the kind of the targets.
fn check_kinds(kind: TargetKind, factors: &Factors) -> Result<(), Fault> {
    let plain = || factors.factors.iter().filter(|factor| factor.commands.is_none());
    if kind == TargetKind::Null
        && let Some(factor) = plain().next()
    {
        return Err(Fault::new(format!("null: has no setting {}", factor.name))
            .fix("vary settings of files, devices and simulated systems"));
    }
    if kind == TargetKind::Sim
        && let Some(factor) = plain().find(|factor| factor.settle > Nanos::ZERO)
    {
        return Err(Fault::new(format!("the factor '{}' cannot wait", factor.name))
            .because("a simulated system is rebuilt at every level and is settled at once")
            .fix("leave out 'settle'"));
    }
    Ok(())
}

/// Searches for the rules alone, as far up as it takes where the command line names no levels.
fn search_knee(series: &mut SeriesPlan, overrides: &Overrides) {
    if overrides.loads.is_none() {
        series.loads =
            trace_levels(series).unwrap_or_else(|| Loads::Auto(series.loads.unit).resolve());
    }
    let tolerance = overrides.tolerance;
    series.search = SearchPlan::Knee(KneePlan { goal: KneeGoal::Rules, tolerance, answer: None });
}

/// Lets a search for rules visit loads until its answers are known within `accuracy`. Users pause for
/// longer than a visit takes.
const fn visit(series: &mut SeriesPlan, accuracy: Percent) {
    let is_io = matches!(series.loads.unit, LoadUnit::OutstandingIos | LoadUnit::OfferedIops);
    if let SearchPlan::Knee(knee) = &mut series.search
        && is_io
        && !matches!(knee.goal, KneeGoal::Saturation)
    {
        knee.answer = Some(accuracy);
    }
}

/// Keeps at most [`defaults::quick::LEVELS`] levels of a grid, the first and the last among them, and every
/// other level where the load rises until throughput no longer does.
fn thin_out(series: &mut SeriesPlan) {
    let levels = &mut series.loads.levels;
    let kept: Vec<f64> = match series.search {
        SearchPlan::Grid if levels.len() > defaults::quick::LEVELS => {
            let last = levels.len() - 1;
            (0..defaults::quick::LEVELS)
                .map(|index| levels[index * last / (defaults::quick::LEVELS - 1)])
                .collect()
        }
        SearchPlan::Knee(KneePlan { goal: KneeGoal::Saturation, .. }) => {
            levels.iter().copied().step_by(2).collect()
        }
        SearchPlan::Grid | SearchPlan::Knee(_) | SearchPlan::ByTurns => return,
    };
    *levels = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_rise_to_two_for_each_processor() {
        let check = |cpus: u32, extent: Extent, expected: &[u32]| {
            let found: Vec<u32> = copies(cpus, extent).into_iter().collect();
            assert_eq!(found, expected, "{cpus} processors");
        };
        check(1, Extent::Whole, &[1, 2]);
        check(2, Extent::Whole, &[1, 2, 3, 4]);
        check(4, Extent::Whole, &[1, 2, 3, 4, 5, 6, 7, 8]);
        check(12, Extent::Whole, &[1, 2, 4, 8, 12, 18, 24]);
        check(64, Extent::Whole, &[1, 2, 4, 8, 16, 32, 64, 96, 128]);
        check(1, Extent::Quick, &[1]);
        check(64, Extent::Quick, &[1, 64]);
    }
}
