//! The plan of a run, and the targets as they were found.

use kneepoint_core::fault::Fault;
use kneepoint_core::plan::resolve::{Access, Draft, FoundTarget, Site, TargetWishes, Wishes};
use kneepoint_core::plan::{Plan, TargetKind};
use kneepoint_core::units::Bytes;
use kneepoint_device::consent::Overwrite;
use kneepoint_device::file_copy::look;
use kneepoint_device::settings::Varied;
use kneepoint_device::{allowed_cpus, engine::choose_engine};
use kneepoint_sim::SimTarget;

use super::definition;
use super::factors::{has_commands, varied};
use super::target::{TargetSetup, ground};

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

/// Resolves what the user asks of `work` on the targets called `names`; looks at them but changes
/// nothing.
pub(crate) fn prepare(
    work: &str,
    (names, overwrite): (&[String], &[String]),
    wishes: &Wishes,
) -> Result<Prepared, Fault> {
    let suite = definition::find(work)?;
    let draft = Draft::new(&suite, wishes)?;
    let names = expand_targets(names)?;
    let targets = find_targets(&names, &draft.target_wishes(), overwrite)?;
    let found = names.iter().zip(&targets).map(|(name, setup)| FoundTarget {
        plan: setup.plan(name, wishes.caching),
        class: setup.storage_class(name),
    });
    let plan = draft.resolve(&Site {
        targets: found.collect(),
        cpus: allowed_cpus().len(),
        engine: &|profile| choose_engine(wishes.engine, wishes.caching, profile),
    })?;
    if plan.file_copy.is_some() {
        for path in targets.iter().filter_map(ground) {
            look(&path)?;
        }
    }
    let varied = varied(&plan, &targets)?;
    Ok(Prepared { plan, targets, varied })
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
        let wishes = TargetWishes { size, test_file: Bytes(0), access: Access::of(&plan.series) };
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
