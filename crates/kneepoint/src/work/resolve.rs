//! The plan, resolved: no defaults left.

use kneepoint_core::fault::Fault;
use kneepoint_core::grid::Loads;
use kneepoint_core::load::LoadUnit;
use kneepoint_core::plan::{
    Engine, EnginePlan, KneeGoal, KneePlan, OpenLoop, PLAN_SCHEMA, Plan, ResolvedProfile,
    SearchPlan, SeriesPlan, TargetKind, TargetPlan,
};
use kneepoint_core::rule::Rule;
use kneepoint_core::storage_class::TargetClass;
use kneepoint_core::suite::Overrides;
use kneepoint_core::units::{Bytes, Nanos};
use kneepoint_device::consent::Overwrite;
use kneepoint_device::settings::Varied;
use kneepoint_device::{allowed_cpus, engine::choose_engine};
use kneepoint_sim::SimTarget;

use super::blocks::leave_out_impossible;
use super::definition;
use super::factors::{factors, has_commands, varied};
use super::file_copy::{Extent, file_copy};
use super::precondition::precondition;
use super::target::{SeriesAccess, TargetSetup, TargetWishes};
use super::timing::{accuracy, timing};
use crate::cli::MeasureArgs;

/// Most load levels of a series with `--quick`.
const QUICK_LEVELS: usize = 4;

/// Buffers for the I/Os in flight in an open loop, per target.
const IN_FLIGHT_BYTES: u64 = 64 << 20;

/// A plan, and the targets as they were found.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// What the run will do.
    pub(crate) plan: Plan,
    /// The targets in the plan's order.
    pub(crate) targets: Vec<TargetSetup>,
    /// The settings that are varied, and where they stand; empty for simulated systems.
    pub(crate) varied: Vec<Varied>,
}

/// How the load levels are to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Search {
    /// As the work and the options say.
    AsGiven,
    /// Only as far as it takes to find where each rule is met.
    Knee,
}

/// Resolves what the user typed; looks at the targets but changes nothing.
pub(crate) fn prepare(args: &MeasureArgs, search: Search) -> Result<Prepared, Fault> {
    let suite = definition::find(&args.work)?;
    let overrides = overrides(args)?;
    let mut series = suite.resolve(&overrides)?;
    if search == Search::Knee {
        series.iter_mut().for_each(|series| search_knee(series, &overrides));
    }
    if args.quick {
        series.iter_mut().for_each(thin_out);
    }
    let wishes = wishes(args.size, suite.size, &series);
    let names = expand_targets(&args.targets)?;
    let targets = find_targets(&names, &wishes, &args.overwrite)?;
    let target_plans: Vec<TargetPlan> =
        names.iter().zip(&targets).map(|(name, setup)| setup.plan(name, args.caching())).collect();
    let kind = common_kind(&target_plans)?;
    let (series, omissions) = leave_out_impossible(series, &target_plans)?;
    let factors = factors(args, &suite)?;
    let series = match &factors {
        None => series,
        Some(factors) => factors.expand(&series)?,
    };
    let mut omissions = omissions;
    let mut engine = engine_plan(args, kind, &series[0].profile, target_plans.len())?;
    check_pacing(&engine, &series)?;
    check_threads(&engine, &series, target_plans.len())?;
    let open_loop = open_loop(args, &series);
    if series.iter().any(|series| series.loads.unit == LoadUnit::OfferedIops) {
        omissions.extend(leave_a_cpu_free(&mut engine, allowed_cpus().len()));
    }
    let (rules, target_class) = rules(suite.rules_with(&overrides), (&names, &targets));
    let mut plan = Plan {
        schema: PLAN_SCHEMA.to_owned(),
        work: suite.name.clone(),
        title: suite.title.clone(),
        seed: args.seed,
        targets: target_plans,
        engine,
        series,
        factors,
        repetitions: args.repeat.or(suite.repeat).unwrap_or(1),
        rules,
        target_class,
        open_loop,
        file_copy: None,
        precondition: None,
        timing: timing(args, suite.steady_state)?,
        errors_max: args.max_errors,
        foreign_cpu_max: args.max_foreign_cpu,
        omissions,
    };
    plan.precondition = precondition(args, &plan, suite.steady_state)?;
    let wanted = (suite.file_copy.as_ref(), extent(args, search));
    let (file_copy, left_out) = file_copy(wanted, &plan, &targets)?;
    plan.file_copy = file_copy;
    plan.omissions.extend(left_out);
    let varied = varied(&plan, &targets)?;
    Ok(Prepared { plan, targets, varied })
}

/// How much of the suite is wanted besides its series.
fn extent(args: &MeasureArgs, search: Search) -> Extent {
    match (search, args.quick) {
        (Search::Knee, _) => Extent::Series,
        (Search::AsGiven, true) => Extent::Quick,
        (Search::AsGiven, false) => Extent::Whole,
    }
}

/// The rules that were `given`, or else those of the targets' class.
fn rules(
    given: Vec<Rule>,
    (names, targets): (&[String], &[TargetSetup]),
) -> (Vec<Rule>, Option<TargetClass>) {
    if !given.is_empty() {
        return (given, None);
    }
    let classes: Vec<TargetClass> =
        names.iter().zip(targets).map(|(name, setup)| setup.storage_class(name)).collect();
    let class = TargetClass::of_all(&classes);
    (class.as_ref().map_or_else(Vec::new, |class| class.class.rules()), class)
}

fn overrides(args: &MeasureArgs) -> Result<Overrides, Fault> {
    let parsed = |text: &Option<String>, unit| text.as_ref().map(|text| Loads::parse(text, unit));
    let loads = parsed(&args.outstanding, LoadUnit::OutstandingIos)
        .or_else(|| parsed(&args.rate, LoadUnit::OfferedIops))
        .transpose()?;
    let tolerance = accuracy(args)?.half();
    Ok(Overrides { blocks: args.block.clone(), loads, rules: args.rule.clone(), tolerance })
}

/// Searches for the rules alone, as far up as it takes where the command line names no levels.
fn search_knee(series: &mut SeriesPlan, overrides: &Overrides) {
    if overrides.loads.is_none() {
        series.loads = Loads::Auto(series.loads.unit).resolve();
    }
    let knee = KneePlan { goal: KneeGoal::Rules, tolerance: overrides.tolerance };
    series.search = SearchPlan::Knee(knee);
}

/// How I/Os arrive where a rate is offered; the buffers of what is in flight stay bounded.
fn open_loop(args: &MeasureArgs, series: &[SeriesPlan]) -> OpenLoop {
    let block_max = series.iter().map(|series| series.profile.block_bytes_max()).max();
    let fitting = IN_FLIGHT_BYTES / block_max.unwrap_or(1).max(1);
    OpenLoop { arrivals: args.arrivals.into(), in_flight_max: fitting.clamp(16, 1024) as u32 }
}

/// Keeps at most [`QUICK_LEVELS`] levels of a grid, the first and the last among them, and every
/// other level where the load rises until throughput no longer does.
fn thin_out(series: &mut SeriesPlan) {
    let levels = &mut series.loads.levels;
    let kept: Vec<f64> = match series.search {
        SearchPlan::Grid if levels.len() > QUICK_LEVELS => {
            let last = levels.len() - 1;
            (0..QUICK_LEVELS).map(|index| levels[index * last / (QUICK_LEVELS - 1)]).collect()
        }
        SearchPlan::Knee(KneePlan { goal: KneeGoal::Saturation, .. }) => {
            levels.iter().copied().step_by(2).collect()
        }
        SearchPlan::Grid | SearchPlan::Knee(_) => return,
    };
    *levels = kept;
}

/// What is asked of all targets.
fn wishes(size: Option<Bytes>, suite_size: Option<Bytes>, series: &[SeriesPlan]) -> TargetWishes {
    let access = match series.iter().any(|series| series.profile.writes()) {
        true => SeriesAccess::Writing,
        false => SeriesAccess::ReadOnly,
    };
    TargetWishes { size, suite_size, access }
}

/// A simulated system stands for one target per array.
fn expand_targets(names: &[String]) -> Result<Vec<String>, Fault> {
    let mut expanded = Vec::with_capacity(names.len());
    for name in names {
        match SimTarget::is_named_by(name) {
            true => expanded.extend(SimTarget::expand_with(name, &definition::system_file)?),
            false => expanded.push(name.clone()),
        }
    }
    Ok(expanded)
}

fn find_targets(
    names: &[String],
    wishes: &TargetWishes,
    overwrite: &[String],
) -> Result<Vec<TargetSetup>, Fault> {
    let overwrites: Vec<Overwrite> =
        overwrite.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    let mut targets = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            return Err(named_twice(format!("{name} is named twice")));
        }
        targets.push(TargetSetup::find(name, wishes, &overwrites)?);
    }
    check_distinct(names, &targets)?;
    Ok(targets)
}

/// Refuses a file or device that is there under two names: it would count twice.
fn check_distinct(names: &[String], targets: &[TargetSetup]) -> Result<(), Fault> {
    for (index, target) in targets.iter().enumerate() {
        if let Some(first) = targets[..index].iter().position(|other| other.is_same_as(target)) {
            let (first, second) = (&names[first], &names[index]);
            return Err(named_twice(format!("{first} and {second} are the same file or device")));
        }
    }
    Ok(())
}

fn named_twice(what: String) -> Fault {
    Fault::new(what).fix("name each target once; --workers spreads one target over several threads")
}

/// Takes a stored plan up again; looks at the targets but changes nothing.
pub(crate) fn prepare_again(plan: Plan, overwrite: &[String]) -> Result<Prepared, Fault> {
    let targets = targets_again(&plan, overwrite)?;
    let varied = varied(&plan, &targets)?;
    Ok(Prepared { plan, targets, varied })
}

/// Looks at the targets of a plan again: they must be what they were.
pub(crate) fn targets_again(plan: &Plan, overwrite: &[String]) -> Result<Vec<TargetSetup>, Fault> {
    let mut targets = Vec::with_capacity(plan.targets.len());
    for planned in &plan.targets {
        let name = &planned.target;
        let size = match planned.kind {
            TargetKind::File | TargetKind::Block => Some(Bytes(planned.size_bytes)),
            TargetKind::Sim | TargetKind::Null => None,
        };
        let wishes = wishes(size, None, &plan.series);
        let mut found = find_targets(std::slice::from_ref(name), &wishes, overwrite)?;
        let setup = found.remove(0);
        let mut now = setup.plan(name, plan.engine.caching);
        if has_commands(plan) && is_aligned(plan, now.alignment_bytes) {
            // A command may have put another file system there.
            now.alignment_bytes = planned.alignment_bytes;
        }
        if now != *planned {
            return Err(Fault::new(format!("{name} is no longer what the run was begun on"))
                .because("its kind, size or alignment has changed")
                .fix("begin a new run"));
        }
        targets.push(setup);
    }
    let names: Vec<String> = plan.targets.iter().map(|target| target.target.clone()).collect();
    check_distinct(&names, &targets)?;
    Ok(targets)
}

/// Whether every I/O of the plan suits that alignment.
fn is_aligned(plan: &Plan, alignment_bytes: u64) -> bool {
    let mut lines = plan.series.iter().flat_map(|series| &series.profile.lines);
    lines.all(|line| {
        line.block_bytes.is_multiple_of(alignment_bytes)
            && line.align_bytes.is_multiple_of(alignment_bytes)
    })
}

/// The kind of all targets: real, simulated and null targets cannot be mixed.
fn common_kind(targets: &[TargetPlan]) -> Result<TargetKind, Fault> {
    let group = |kind: TargetKind| match kind {
        TargetKind::File | TargetKind::Block => TargetKind::Block,
        other => other,
    };
    let first = group(targets[0].kind);
    match targets.iter().find(|target| group(target.kind) != first) {
        None => Ok(first),
        Some(other) => Err(Fault::new(format!(
            "{} and {} cannot be measured together",
            targets[0].target, other.target
        ))
        .because("real, simulated and null targets have different clocks")
        .fix("measure them in runs of their own")),
    }
}

/// Refuses what the synchronous engine cannot do: one thread per I/O cannot keep a common pace.
fn check_pacing(engine: &EnginePlan, series: &[SeriesPlan]) -> Result<(), Fault> {
    if engine.engine != Engine::Sync {
        return Ok(());
    }
    let is_paced = |series: &&SeriesPlan| {
        let delays = series.profile.lines.iter().any(|line| line.delay > Nanos::ZERO);
        delays || series.loads.unit == LoadUnit::OfferedIops
    };
    match series.iter().find(is_paced) {
        None => Ok(()),
        Some(series) => {
            Err(Fault::new(format!("the sync engine cannot keep the pace of {}", series.name))
                .because("its threads each wait for an I/O of their own")
                .fix("use --engine io_uring or libaio for offered rates and for delays"))
        }
    }
}

/// Threads that the synchronous engine may have: beyond them they mostly wait for one another.
const THREADS_MAX: f64 = 1024.0;

/// Refuses more threads of the synchronous engine than a machine can bear.
fn check_threads(
    engine: &EnginePlan,
    series: &[SeriesPlan],
    target_count: usize,
) -> Result<(), Fault> {
    let loads = series.iter().flat_map(|series| &series.loads.levels);
    let threads = target_count as f64 * loads.copied().fold(0.0, f64::max);
    if engine.engine != Engine::Sync || threads <= THREADS_MAX {
        return Ok(());
    }
    Err(Fault::new(format!("the sync engine would need {threads} threads"))
        .because(format!("it has one for each I/O in flight, and {THREADS_MAX} at the most"))
        .fix("use --engine io_uring or libaio, or fewer outstanding I/Os"))
}

/// Limits the workers of an open loop to one fewer than the `cpus` that it may use, and says so:
/// each of them spins before every arrival, and two that share a CPU delay each other, so that the
/// run would measure its own lateness.
fn leave_a_cpu_free(engine: &mut EnginePlan, cpus: usize) -> Option<String> {
    let most = cpus.saturating_sub(1).max(1) as u32;
    if engine.engine == Engine::Sim || engine.workers <= most {
        return None;
    }
    let asked = std::mem::replace(&mut engine.workers, most);
    let workers =
        if most == 1 { "1 worker offers".to_owned() } else { format!("{most} workers offer") };
    Some(format!(
        "{workers} the rates instead of {asked}: a worker spins before each arrival, so one of the \
         {cpus} CPUs is left to everything else"
    ))
}

fn engine_plan(
    args: &MeasureArgs,
    kind: TargetKind,
    profile: &ResolvedProfile,
    target_count: usize,
) -> Result<EnginePlan, Fault> {
    let cpus = allowed_cpus().len().max(1);
    let (engine, workers_default) = match kind {
        TargetKind::Sim => (Engine::Sim, 1),
        TargetKind::Null => (Engine::Null, 1),
        TargetKind::File | TargetKind::Block => {
            let engine = choose_engine(args.engine.engine(), args.caching(), profile)?;
            (engine, target_count.min(cpus))
        }
    };
    let workers = match (kind, args.workers) {
        (TargetKind::Sim, Some(2..)) => {
            return Err(Fault::new("a simulated system is driven by one worker")
                .fix("leave out --workers for sim: targets"));
        }
        (_, workers) => workers.unwrap_or(workers_default as u32),
    };
    Ok(EnginePlan { engine, caching: args.caching(), workers })
}

#[cfg(test)]
mod tests {
    use kneepoint_core::plan::Caching;

    use super::*;

    #[test]
    fn workers_of_an_open_loop_leave_a_cpu_free() {
        let check = |(engine, asked): (Engine, u32), cpus: usize, left: u32| {
            let mut plan = EnginePlan { engine, caching: Caching::Direct, workers: asked };
            let said = leave_a_cpu_free(&mut plan, cpus);
            assert_eq!(plan.workers, left, "{asked} workers on {cpus} CPUs");
            assert_eq!(said.is_some(), asked != left, "{said:?}");
        };
        check((Engine::Null, 2), 2, 1);
        check((Engine::IoUring, 8), 4, 3);
        check((Engine::IoUring, 3), 4, 3);
        check((Engine::Libaio, 1), 1, 1);
        check((Engine::Libaio, 2), 1, 1);
        check((Engine::Sim, 1), 1, 1);
    }
}
