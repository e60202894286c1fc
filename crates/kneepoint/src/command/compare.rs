//! `kneepoint compare`: two or more stored runs side by side.

use kneepoint_core::analysis::comparison::{
    CompareOptions, Comparison, GateOutcome, Profiles, compare as compare_runs,
};
use kneepoint_core::result::RunDocument;
use kneepoint_core::words::fault::Fault;

use crate::cli::CompareArgs;
use crate::destination::{Parties, Replace, check, is_printed, json, write};
use crate::output::comparison::{Detail, GateJudgement, Undecided, comparison_text};
use crate::output::junit::junit;
use crate::output::print::print_page;
use crate::{Outcome, command};

use super::live;

/// Prints the comparison and checks the conditions; with `--live`, measures first.
pub(crate) fn compare(args: &CompareArgs) -> anyhow::Result<Outcome> {
    if args.live.live {
        return live::compare(args);
    }
    let replace = Replace::forced(args.force.force);
    check_outputs(args, replace)?;
    let documents = command::load_runs(&args.store.store, &args.runs)?;
    let documents: Vec<&RunDocument> = documents.iter().collect();
    let comparison = compare_runs(&documents, &options(args))?;
    let undecided = undecided(args);
    if let Some(path) = &args.junit {
        write(path, replace, junit(&comparison, undecided))?;
    }
    if let Some(path) = &args.json {
        write(path, replace, json("the comparison", &comparison)?)?;
    }
    if !args.json.as_deref().is_some_and(is_printed) {
        let detail = if args.points { Detail::Points } else { Detail::Series };
        print_page(args.page.page(), |width| comparison_text(&comparison, detail, width))?;
    }
    Ok(outcome(&comparison, undecided))
}

/// Refuses before the comparison what could not be written after it.
fn check_outputs(args: &CompareArgs, replace: Replace) -> Result<(), Fault> {
    let outputs = [("--json", args.json.as_deref()), ("--junit", args.junit.as_deref())];
    let mut parties = Parties::with_store(&args.store.store);
    outputs.iter().for_each(|(option, path)| parties.output(option, *path));
    parties.check()?;
    outputs.into_iter().filter_map(|(_, path)| path).try_for_each(|path| check(path, replace))
}

fn undecided(args: &CompareArgs) -> Undecided {
    match (args.allow_undecided, args.fail_if_undecided) {
        (true, _) => Undecided::Passes,
        (false, true) => Undecided::Fails,
        (false, false) => Undecided::FailsIfNowhere,
    }
}

fn options(args: &CompareArgs) -> CompareOptions {
    CompareOptions {
        profiles: if args.different_profiles { Profiles::Different } else { Profiles::Same },
        conditions: args.fail_if.clone(),
    }
}

fn outcome(comparison: &Comparison, undecided: Undecided) -> Outcome {
    let Some(gate) = &comparison.gate else { return Outcome::Done };
    let judgement = GateJudgement::of(gate, undecided);
    match gate.checks.iter().any(|check| judgement.outcome(check) == GateOutcome::Failed) {
        true => Outcome::CheckFailed,
        false => Outcome::Done,
    }
}
