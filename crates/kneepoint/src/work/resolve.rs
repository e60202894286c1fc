//! The plan, resolved: no defaults left.

use kneepoint_core::fault::Fault;
use kneepoint_core::grid::Grid;
use kneepoint_core::plan::{
    Engine, EnginePlan, PLAN_SCHEMA, Plan, ResolvedProfile, SeriesPlan, TargetKind, TargetPlan,
};
use kneepoint_core::suite::{Overrides, Suite};
use kneepoint_device::consent::Overwrite;
use kneepoint_device::{allowed_cpus, engine::choose_engine};

use super::blocks::leave_out_impossible;
use super::definition;
use super::target::{SeriesAccess, TargetSetup, TargetWishes};
use super::timing::timing;
use crate::cli::MeasureArgs;

/// Most load levels of a series with `--quick`.
const QUICK_LEVELS: usize = 4;

/// A plan, and the targets as they were found.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// What the run will do.
    pub(crate) plan: Plan,
    /// The targets in the plan's order.
    pub(crate) targets: Vec<TargetSetup>,
}

/// Resolves what the user typed; looks at the targets but changes nothing.
pub(crate) fn prepare(args: &MeasureArgs) -> Result<Prepared, Fault> {
    let suite = definition::find(&args.work)?;
    let overrides = overrides(args)?;
    let mut series = suite.resolve(&overrides)?;
    if args.quick {
        series.iter_mut().for_each(thin_out);
    }
    let targets = find_targets(args, &suite, &series)?;
    let target_plans: Vec<TargetPlan> = args
        .targets
        .iter()
        .zip(&targets)
        .map(|(name, setup)| setup.plan(name, args.caching()))
        .collect();
    let kind = common_kind(&target_plans)?;
    let (series, omissions) = leave_out_impossible(series, &target_plans)?;
    let engine = engine_plan(args, kind, &series[0].profile, target_plans.len())?;
    let plan = Plan {
        schema: PLAN_SCHEMA.to_owned(),
        work: suite.name.clone(),
        title: suite.title.clone(),
        seed: args.seed,
        targets: target_plans,
        engine,
        series,
        rules: suite.rules_with(&overrides),
        timing: timing(args)?,
        errors_max: args.max_errors,
        omissions,
    };
    Ok(Prepared { plan, targets })
}

fn overrides(args: &MeasureArgs) -> Result<Overrides, Fault> {
    let loads = args.outstanding.as_deref().map(Grid::outstanding).transpose()?;
    Ok(Overrides { blocks: args.block.clone(), loads, rules: args.rule.clone() })
}

/// Keeps at most [`QUICK_LEVELS`] load levels, the first and the last among them.
fn thin_out(series: &mut SeriesPlan) {
    let levels = &mut series.loads.levels;
    if levels.len() > QUICK_LEVELS {
        let last = levels.len() - 1;
        let kept = (0..QUICK_LEVELS).map(|index| levels[index * last / (QUICK_LEVELS - 1)]);
        *levels = kept.collect();
    }
}

fn find_targets(
    args: &MeasureArgs,
    suite: &Suite,
    series: &[SeriesPlan],
) -> Result<Vec<TargetSetup>, Fault> {
    let overwrites: Vec<Overwrite> =
        args.overwrite.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    let access = match series.iter().any(|series| series.profile.writes()) {
        true => SeriesAccess::Writing,
        false => SeriesAccess::ReadOnly,
    };
    let wishes = TargetWishes {
        size: args.size,
        suite_size: suite.size,
        access,
        overwrites: &overwrites,
    };
    args.targets.iter().map(|name| TargetSetup::find(name, &wishes)).collect()
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
