//! `kneepoint size`: which simulated systems sustain a load.

use kneepoint_core::result::sizing::{Candidate, Demand, GrowthPoint, Sizing, StrokeRow};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Percent;
use kneepoint_report::sizing;
use kneepoint_sim::sizing::{ArrayShape, Found, candidate, growth, smallest, stroke_table};

use super::report;
use crate::Outcome;
use crate::cli::SizeArgs;
use crate::destination::Replace;
use crate::output::print::{print, print_page, tell};
use crate::parallel::{Workers, in_parallel};
use crate::session::command_line;
use crate::sizing::{
    STROKES_OF_PAGE, candidates_text, demand, drives_max, server, shapes_of, strokes_text,
};

/// Candidates whose throughput over drives a page shows: as many curves as can be told apart.
const CURVES_MAX: usize = 5;

/// Searches the smallest system of every kind, measures the best of them, and prints them.
pub(crate) fn size(args: &SizeArgs) -> anyhow::Result<Outcome> {
    let replace = Replace::forced(args.force.force);
    if let Some(path) = &args.output {
        report::check(path, replace)?;
    }
    let demand = demand(args)?;
    let server = server(args)?;
    let most = |shape: &ArrayShape| drives_max(args, server.as_ref(), &shape.system);
    let workers = Workers::new(args.threads, "trying systems");
    let mut found = search((&workers, &demand), &shapes_of(args)?, most);
    let all = found.len();
    found.truncate(args.top);
    if found.is_empty() {
        print("nothing of what was tried sustains this load")?;
        tell("note: allow more with --max-drives, --raid, --write-cache or another --server");
        return Ok(Outcome::CheckFailed);
    }
    let workers = Workers::new(args.threads, "measuring candidates");
    let candidates = in_parallel(&workers, &found, |found| candidate(found, &demand));
    let candidates = candidates.into_iter().collect::<Result<Vec<Candidate>, Fault>>()?;
    let mut measured: Vec<(Found, Candidate)> = found.into_iter().zip(candidates).collect();
    measured.sort_by(|(_, a), (_, b)| {
        let more_headroom = b.headroom_percent.total_cmp(&a.headroom_percent);
        a.drives.cmp(&b.drives).then(more_headroom)
    });
    let (found, candidates): (Vec<Found>, Vec<Candidate>) = measured.into_iter().unzip();
    let paper = args.page.page();
    print(candidates_text(&candidates, &demand, paper.tables).wrapped(paper.lines))?;
    let strokes = strokes(args, &found[0], &demand)?;
    if !args.strokes.is_empty() {
        print_page(paper, |width| strokes_text(&candidates[0].target, &strokes, width))?;
    }
    if let Some(path) = &args.output {
        let growth = growth_of(args, &found, &demand)?;
        let (command, version) = (command_line(), env!("CARGO_PKG_VERSION").to_owned());
        let sizing = Sizing { demand, candidates, found: all, growth, strokes, command, version };
        let page = sizing::page(&sizing, args.language.language());
        report::write_page(&page, (path, replace))?;
        tell(format!("page written to {}", path.display()));
    }
    Ok(Outcome::Done)
}

/// The best candidate at other strokes: those that are asked for, or those of a page.
fn strokes(args: &SizeArgs, best: &Found, demand: &Demand) -> Result<Vec<StrokeRow>, Fault> {
    let asked: Vec<f64> = args.strokes.iter().copied().map(Percent::get).collect();
    let strokes = match (asked.is_empty(), &args.output) {
        (true, Some(_)) => STROKES_OF_PAGE.to_vec(),
        _ => asked,
    };
    stroke_table(&best.system, demand, &strokes)
}

/// The first few candidates with other numbers of drives.
fn growth_of(
    args: &SizeArgs,
    found: &[Found],
    demand: &Demand,
) -> Result<Vec<Vec<GrowthPoint>>, Fault> {
    let workers = Workers::new(args.threads, "trying other numbers of drives");
    let curves = &found[..found.len().min(CURVES_MAX)];
    let measure = |found: &Found| growth(found, demand, args.max_drives);
    in_parallel(&workers, curves, measure).into_iter().collect()
}

/// The smallest system of each shape, those with the fewest drives first. A shape that cannot be
/// built or loaded is told and left out.
fn search(
    (workers, demand): (&Workers, &Demand),
    shapes: &[ArrayShape],
    drives_max: impl Fn(&ArrayShape) -> u32 + Sync,
) -> Vec<Found> {
    let results = in_parallel(workers, shapes, |shape| smallest(shape, demand, drives_max(shape)));
    let mut found: Vec<Found> = Vec::new();
    for (shape, result) in shapes.iter().zip(results) {
        match result {
            Ok(smallest) => found.extend(smallest),
            Err(fault) => tell(format!("note: {}: {fault}", shape.target)),
        }
    }
    found.sort_by_key(|found| found.drives);
    found
}
