//! `kneepoint compare --live`: two targets, measured by turns until their difference is decided.

use std::path::Path;

use kneepoint_core::measure::LoadDifference;
use kneepoint_core::plan::Plan;
use kneepoint_core::result::RunState;
use kneepoint_core::spec::grid::SearchPlan;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Percent;
use kneepoint_sim::SimTarget;
use schemars::JsonSchema;
use serde::Serialize;

use super::run::{inputs, parties};
use crate::Outcome;
use crate::cli::CompareArgs;
use crate::destination::{Replace, check, is_printed, is_same, json, write};
use crate::fleet::Way;
use crate::output::live::live_text;
use crate::output::print::{print_page, tell};
use crate::session::{
    Interrupt, Kept, LOOKING, LiveEnded, MEASURING, Vigil, measure_live, rescue, store_option,
};
use crate::work::{Asked, ResolvedRun, prepare};

/// Schema of a [`LiveDocument`].
pub const LIVE_SCHEMA: &str = "kneepoint.live/1";

/// A comparison by turns, as `compare --live --json` writes it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LiveDocument {
    /// `kneepoint.live/1`.
    schema: String,
    /// Both targets; the second is compared with the first.
    sides: [LiveSide; 2],
    /// Differences of up to this share do not matter, in percent.
    band_percent: f64,
    /// The difference at every load that was measured.
    differences: Vec<LoadDifference>,
}

/// One of the targets of a [`LiveDocument`].
#[derive(Debug, Serialize, JsonSchema)]
pub struct LiveSide {
    /// As it was typed.
    target: String,
    /// The id of its run; `null` if nothing was measured of it.
    run: Option<String>,
}

/// Measures both targets, keeps both runs, and prints what was decided.
pub(super) fn compare(args: &CompareArgs) -> anyhow::Result<Outcome> {
    let interrupt = Interrupt::listen(MEASURING)?;
    let [first, second] = args.runs.as_slice() else {
        let fault = Fault::new(format!("--live compares two targets, not {}", args.runs.len()));
        return Err(fault.fix("name two; compare the stored runs for more").into());
    };
    check_names(args, [first, second])?;
    let vigil = Vigil::keep(LOOKING, Some(&interrupt));
    let prepared = [prepared(args, first)?, prepared(args, second)?];
    check_plans([&prepared[0].plan, &prepared[1].plan])?;
    drop(vigil);
    tell(format!("A: {first}\nB: {second}"));
    let band = args.live.band;
    let LiveEnded { state, differences, kept } =
        measure_live(prepared, (&args.store.store, band), &interrupt)?;
    let sides = [first, second].into_iter().zip(&kept);
    for (target, kept) in sides.clone() {
        tell(where_kept(target, kept.as_ref(), &args.store.store));
    }
    let side = |(target, kept): (&String, &Option<Kept>)| LiveSide {
        target: target.clone(),
        run: kept.as_ref().map(|kept| kept.document.run.id.clone()),
    };
    let sides: Vec<LiveSide> = sides.map(side).collect();
    let sides = <[LiveSide; 2]>::try_from(sides).expect("there are two");
    let (schema, band_percent) = (LIVE_SCHEMA.to_owned(), band.get());
    show(args, &LiveDocument { schema, sides, band_percent, differences }, band)?;
    Ok(if state? == RunState::Complete { Outcome::Done } else { Outcome::CheckFailed })
}

/// Refuses the same target on both sides, and files that would be written in two roles.
fn check_names(args: &CompareArgs, [first, second]: [&String; 2]) -> anyhow::Result<()> {
    let is_real = |name: &str| name != "null:" && !SimTarget::is_named_by(name);
    if is_real(first) && is_real(second) && is_same(Path::new(first), Path::new(second)) {
        return Err(Fault::new(format!("{first} would be compared with itself"))
            .fix("name two targets, for example two files on two file systems")
            .into());
    }
    let mut parties = parties(&args.store.store, (&args.runs, &inputs(&args.live.work)));
    parties.output("--json", args.json.as_deref());
    parties.check()?;
    Ok(args.json.iter().try_for_each(|path| check(path, Replace::forced(args.force.force)))?)
}

fn prepared(args: &CompareArgs, target: &str) -> Result<ResolvedRun, Fault> {
    let names = [target.to_owned()];
    let live = &args.live;
    let others = args.runs.iter().filter(|name| *name != target);
    let is_of_other = |permission: &&String| others.clone().any(|name| permits(permission, name));
    let overwrite: Vec<String> =
        live.overwrite.iter().filter(|text| !is_of_other(text)).cloned().collect();
    let asked = Asked { names: &names, overwrite: &overwrite, hosts: None, way: Way::default() };
    let mut prepared = prepare(&live.work, asked, &live.wishes()?)?;
    prepared.plan.series.iter_mut().for_each(|series| series.search = SearchPlan::ByTurns);
    if prepared.plan.series.iter().any(|series| series.together.is_some()) {
        return Err(Fault::new(format!("{} cannot be compared live", live.work))
            .because("it measures several series at the same moment, and a live comparison one")
            .fix("name a suite without [[together]], or compare two stored runs"));
    }
    match prepared.plan.factors.is_some() || prepared.plan.file_copy.is_some() {
        false => Ok(prepared),
        true => Err(Fault::new(format!("{} cannot be compared live", live.work))
            .because("it varies settings or copies files, and a live comparison does neither")
            .fix("name a suite or profile without them, or compare two stored runs")),
    }
}

/// Whether the text of an `--overwrite` names `target`.
pub(super) fn permits(permission: &str, target: &str) -> bool {
    permission.strip_prefix(target).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

/// Refuses plans that differ in what is measured.
fn check_plans([first, second]: [&Plan; 2]) -> Result<(), Fault> {
    let loads = |plan: &Plan| -> Vec<_> {
        plan.series.iter().map(|series| (series.key().to_string(), series.loads.clone())).collect()
    };
    match loads(first) == loads(second) {
        true => Ok(()),
        false => Err(Fault::new("the two targets cannot be loaded alike")
            .because("something of the work was left out for one of them")
            .fix("see what `kneepoint plan` says of each")),
    }
}

/// Where the run of `target` is.
fn where_kept(target: &str, kept: Option<&Kept>, store: &Path) -> String {
    let Some(kept) = kept else { return format!("nothing was measured of {target}") };
    let id = &kept.document.run.id;
    match &kept.rescue {
        None => {
            format!("{target} kept as run {id}; see `kneepoint show {id}{}`", store_option(store))
        }
        Some(_) => match rescue(&kept.document, &kept.histograms, store) {
            Ok(file) => format!("{target} kept in {}, not in the store", file.display()),
            Err(fault) => format!("note: {fault}"),
        },
    }
}

/// Prints the table, or the JSON, and writes the file that was asked for.
fn show(args: &CompareArgs, document: &LiveDocument, band: Percent) -> anyhow::Result<()> {
    let path = args.json.as_deref();
    if let Some(path) = path {
        write(path, Replace::forced(args.force.force), json("the comparison", document)?)?;
    }
    if path.is_some_and(is_printed) || document.differences.is_empty() {
        return Ok(());
    }
    print_page(args.page.page(), |width| live_text(&document.differences, band, width))?;
    let is_simulated = |side: &&LiveSide| SimTarget::is_named_by(&side.target);
    if document.sides.iter().filter(is_simulated).count() == 1 {
        tell("note: one of the targets is simulated: its numbers are those of a model");
    }
    Ok(())
}
