//! `kneepoint plan`: what run would do.

use kneepoint_core::number::{RoundedBytes, Span};
use kneepoint_core::plan::{Plan, SeriesPlan, Timing};
use kneepoint_core::units::{Bytes, Nanos};
use kneepoint_device::consent::Decision;

use crate::Outcome;
use crate::cli::PlanArgs;
use crate::output::print::print;
use crate::output::table::{Align, TextTable};
use crate::work::{Prepared, RealTarget, TargetSetup, prepare};

/// Prints the resolved plan; touches nothing.
pub(crate) fn plan(args: &PlanArgs) -> anyhow::Result<Outcome> {
    let prepared = prepare(&args.measure)?;
    let text = match args.json {
        true => serde_json::to_string_pretty(&prepared.plan)?,
        false => plan_text(&prepared),
    };
    print(&text)?;
    Ok(Outcome::Done)
}

fn plan_text(prepared: &Prepared) -> String {
    let plan = &prepared.plan;
    let parts = [
        format!("{} ({}), plan {}\n", plan.work, plan.title, &plan.hash()[..12]),
        targets_text(prepared),
        series_text(plan),
        points_text(plan),
        cost_text(prepared),
        plan.omissions.iter().map(|omission| format!("note: {omission}\n")).collect(),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

fn targets_text(prepared: &Prepared) -> String {
    let mut table = TextTable::new(&[
        ("Target", Align::Left),
        ("Used", Align::Right),
        ("Aligned to", Align::Right),
        ("Before measuring", Align::Left),
        ("May be written", Align::Left),
    ]);
    for (target, setup) in prepared.plan.targets.iter().zip(&prepared.targets) {
        let real = match setup {
            TargetSetup::Real(real) => Some(real),
            TargetSetup::Sim(_) | TargetSetup::Null => None,
        };
        table.row(vec![
            target.target.clone(),
            Bytes(target.size_bytes).to_string(),
            Bytes(target.alignment_bytes).to_string(),
            real.map_or_else(|| "nothing".to_owned(), |real| layout_text(real)),
            real.map_or_else(|| "it is not real".to_owned(), |real| consent_text(prepared, real)),
        ]);
    }
    table.text()
}

fn layout_text(real: &RealTarget) -> String {
    match real.layout.bytes() {
        Bytes(0) => "nothing".to_owned(),
        bytes => format!("{} are written", RoundedBytes(bytes.0)),
    }
}

fn consent_text(prepared: &Prepared, real: &RealTarget) -> String {
    let needed = prepared.plan.writes() || real.layout.bytes() > Bytes(0);
    match (real.judgement.decision(), needed) {
        (_, false) => "is only read".to_owned(),
        (Decision::Allowed(consent), true) => format!("yes: {}", consent.ground().name()),
        (Decision::Refused, true) => "NO: run would refuse, `kneepoint inspect` says why".to_owned(),
    }
}

fn series_text(plan: &Plan) -> String {
    let mut table = TextTable::new(&[
        ("Series", Align::Left),
        ("Read", Align::Right),
        ("Random", Align::Right),
        ("Load levels", Align::Left),
        ("Points", Align::Right),
    ]);
    for series in &plan.series {
        table.row(vec![
            series.name.clone(),
            format!("{}%", series.profile.read_percent()),
            format!("{}%", series.profile.random_percent()),
            levels_text(series),
            series.loads.levels.len().to_string(),
        ]);
    }
    table.text()
}

/// The levels in full where they fit on a line, otherwise the ends.
fn levels_text(series: &SeriesPlan) -> String {
    let levels: Vec<String> = series.loads.levels.iter().map(ToString::to_string).collect();
    let shown = match levels.as_slice() {
        [first, second, .., last] if levels.len() > 12 => format!("{first}, {second}, ... {last}"),
        all => all.join(", "),
    };
    format!("{shown} {}", series.loads.unit.label())
}

fn points_text(plan: &Plan) -> String {
    let Timing { ramp, .. } = &plan.timing;
    let rules: Vec<String> = plan.rules.iter().map(ToString::to_string).collect();
    let engine = &plan.engine;
    format!(
        "each point: {ramp} ramp, {} measured\nrules: {}\nengine: {}, {} I/O, {} worker{}, seed {}\n",
        plan.timing.stop.measure_max(),
        rules.join(", "),
        engine.engine.name(),
        engine.caching.name(),
        engine.workers,
        if engine.workers == 1 { "" } else { "s" },
        plan.seed,
    )
}

/// Bytes and time.
fn cost_text(prepared: &Prepared) -> String {
    let plan = &prepared.plan;
    let point = plan.timing.point_max().0;
    let layout: u64 = prepared.targets.iter().map(layout_bytes).sum();
    let writing: usize = plan
        .series
        .iter()
        .filter(|series| series.profile.writes())
        .map(|series| series.loads.levels.len())
        .sum();
    let measured = match writing {
        0 => "measuring writes nothing".to_owned(),
        _ => format!(
            "measuring writes at the target's own pace for {}",
            Span(Nanos(point * writing as u64))
        ),
    };
    format!(
        "time: {} points in {}{}\nwritten: {} of test files ({layout} bytes); {measured}\n",
        plan.point_count(),
        Span(Nanos(point * plan.point_count() as u64)),
        if layout > 0 { ", and the time to write the test files" } else { "" },
        RoundedBytes(layout),
    )
}

fn layout_bytes(setup: &TargetSetup) -> u64 {
    match setup {
        TargetSetup::Real(real) => real.layout.bytes().0,
        TargetSetup::Sim(_) | TargetSetup::Null => 0,
    }
}
