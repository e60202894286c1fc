//! `kneepoint run`: from the plan to the report.

use std::path::{Path, PathBuf};

use kneepoint_core::analysis::reference::reference_run;
use kneepoint_core::plan::resolve::Search;
use kneepoint_core::result::{RunDocument, RunState};
use kneepoint_core::words::fault::Fault;
use kneepoint_server::desktop::{DesktopTestbed, Metering};
use kneepoint_server::files::FilesTestbed;
use kneepoint_server::postgres::DatabaseTestbed;
use kneepoint_server::testbed::ServerTestbed;

use super::between::between;
use super::{campaign, report};
use crate::cli::{MeasureArgs, OutputArgs, RunArgs};
use crate::destination::{Parties, Replace, check, is_printed, json, write};
use crate::fleet::{AskedHosts, Way};
use crate::output::print::{points, print_page, tell};
use crate::output::result::run_text_beside;
use crate::session::{
    Ended, Interrupt, Kept, LOOKING, MEASURING, Vigil, measure, quoted, rescue, store_option,
};
use crate::work::{Asked, ResolvedRun, find_campaign, is_path, prepare};
use crate::{Outcome, command};

/// Measures and shows the result.
pub(crate) fn run(args: &RunArgs) -> anyhow::Result<Outcome> {
    match find_campaign(&args.measure.work)? {
        Some(found) => campaign::run(args, found),
        None => run_with(args, Search::AsGiven),
    }
}

/// Searches where the rules are met and shows the result.
pub(crate) fn knee(args: &RunArgs) -> anyhow::Result<Outcome> {
    run_with(args, Search::Knee)
}

fn run_with(args: &RunArgs, search: Search) -> anyhow::Result<Outcome> {
    let interrupt = Interrupt::listen(MEASURING)?;
    let vigil = Vigil::keep(LOOKING, Some(&interrupt));
    check_outputs(&args.output, (&args.measure.targets, &inputs(&args.measure.work)))?;
    let store = &args.output.store.store;
    let prepared = match prepare_as_typed(&args.measure, (search, store), Some(&interrupt)) {
        Err(_) if interrupt.is_asked() => return finish(None, &args.output),
        prepared => prepared?,
    };
    drop(vigil);
    let asked = (&args.output, args.patience.wait_quiet);
    let ended = measure(prepared, asked, &interrupt)?;
    finish(ended, &args.output)
}

/// The plan for what was typed; looks at the targets but changes nothing.
pub(super) fn prepare_as_typed(
    args: &MeasureArgs,
    (search, store): (Search, &Path),
    interrupt: Option<&Interrupt>,
) -> anyhow::Result<ResolvedRun> {
    let server = args.nats.server()?;
    let way = Way { server: server.as_ref(), root: args.root.consent(), interrupt };
    let hosts = args.hosts.as_ref().map(|hosts| AskedHosts { hosts, wait: args.wait_hosts, way });
    let is_metered = args.targets.iter().any(|target| Metering::of(target).is_some());
    if hosts.is_none() && server.is_some() && !is_metered {
        return Err(Fault::new("--nats is for a fleet, and no hosts are named")
            .fix("name the hosts whose agents are on that server: --hosts a,b")
            .into());
    }
    let (names, overwrite) = (&args.targets, &args.overwrite);
    let mut wishes = args.wishes(search)?;
    if let Some(name) = &args.reference {
        wishes.reference = Some(Box::new(reference_run(&command::load_run(store, name)?)?));
    }
    Ok(prepare(&args.work, Asked { names, overwrite, hosts, way }, &wishes)?)
}

/// Shows what a run gave, and how it ended.
pub(super) fn finish(ended: Option<Ended>, output: &OutputArgs) -> anyhow::Result<Outcome> {
    match ended {
        Some(ended) => conclude(ended, output)?.outcome,
        None => {
            tell("interrupted before anything was measured; nothing was kept");
            Ok(Outcome::CheckFailed)
        }
    }
}

/// A run that was shown.
pub(super) struct Concluded {
    /// All of it.
    pub(super) document: RunDocument,
    /// How it ended, or what went wrong at its end.
    pub(super) outcome: anyhow::Result<Outcome>,
}

/// Shows what a run gave, and where it is kept.
pub(super) fn conclude(
    Ended { state, kept }: Ended,
    output: &OutputArgs,
) -> anyhow::Result<Concluded> {
    let store = &output.store.store;
    let (document, place) = found_again(kept, store)?;
    let shown = show(&document, output);
    let outcome = outcome(state, (&document, place, store), shown);
    Ok(Concluded { document, outcome })
}

/// Says where a run is kept; the first error is the one that ended it.
fn outcome(
    state: Result<RunState, Fault>,
    (document, place, store): (&RunDocument, KeptIn, &Path),
    shown: anyhow::Result<()>,
) -> anyhow::Result<Outcome> {
    match place {
        KeptIn::Store => tell(where_kept(document, store)),
        KeptIn::File(file) => tell(where_rescued(document, (&file, store))),
        // What ended the run is the first error.
        KeptIn::Nothing(fault) if state.is_ok() => return Err(fault.into()),
        KeptIn::Nothing(fault) => tell(format!("note: {fault}")),
    }
    let state = state?;
    shown?;
    match state {
        RunState::Complete if document.copies.iter().any(|copy| copy.error.is_some()) => {
            Ok(Outcome::CheckFailed)
        }
        RunState::Complete => Ok(Outcome::Done),
        RunState::Interrupted | RunState::Failed => Ok(Outcome::CheckFailed),
    }
}

/// Where a run is that has ended.
enum KeptIn {
    /// In the store, all of it.
    Store,
    /// In its own file.
    File(PathBuf),
    /// Nowhere but in what is printed, and why.
    Nothing(Fault),
}

/// A run that has ended, with its summaries: from the store if all of it is there, otherwise from
/// memory, and with a file that has it.
fn found_again(mut kept: Kept, store: &Path) -> anyhow::Result<(RunDocument, KeptIn)> {
    let found = command::load_run(store, &kept.document.run.id);
    // The store gives the response times of repeated loads in full as well.
    kept.document.leave_out_histograms();
    let is_whole = |found: &RunDocument| {
        let mut found = found.clone();
        found.leave_out_histograms();
        found.points == kept.document.points && found.copies == kept.document.copies
    };
    if let Ok(found) = found
        && kept.rescue.is_none()
        && is_whole(&found)
    {
        return Ok((found, KeptIn::Store));
    }
    for (point, histograms) in kept.document.points.iter_mut().zip(&kept.histograms) {
        point.histograms = histograms.in_full()?;
    }
    let mut document = command::analysed(kept.document)?;
    document.leave_out_histograms();
    let place =
        rescue(&document, &kept.histograms, store).map_or_else(KeptIn::Nothing, KeptIn::File);
    Ok((document, place))
}

/// The files that describe the work.
pub(super) fn inputs(work: &str) -> Vec<PathBuf> {
    is_path(work).then(|| PathBuf::from(work)).into_iter().collect()
}

/// Refuses before a long run what could not be written after it, and files that would be written in
/// two roles.
pub(super) fn check_outputs(
    output: &OutputArgs,
    (targets, inputs): (&[String], &[PathBuf]),
) -> anyhow::Result<()> {
    let replace = Replace::forced(output.force.force);
    let mut parties = parties(&output.store.store, (targets, inputs));
    parties.output("--json", output.json.as_deref());
    output.report.iter().for_each(|path| report::add(&mut parties, "--report", path));
    parties.check()?;
    if let Some(path) = &output.report {
        report::check(path, replace)?;
    }
    Ok(output.json.iter().try_for_each(|path| check(path, replace))?)
}

/// The store, the inputs and the targets of a command that measures; files of simulated systems are
/// inputs.
pub(super) fn parties(store: &Path, (targets, inputs): (&[String], &[PathBuf])) -> Parties {
    let mut parties = Parties::with_store(store);
    inputs.iter().for_each(|path| parties.input(path));
    let is_file = |target: &&String| {
        *target != "null:"
            && !ServerTestbed::is_named_by(target)
            && !FilesTestbed::is_named_by(target)
            && !DatabaseTestbed::is_named_by(target)
            && !DesktopTestbed::is_named_by(target)
    };
    for target in targets.iter().filter(is_file) {
        match target.strip_prefix("sim:") {
            None => parties.target(Path::new(target)),
            Some(system) => {
                parties.input(Path::new(system.split('?').next().unwrap_or_default()));
            }
        }
    }
    parties
}

/// Prints the tables, or the JSON, and writes the files that were asked for.
fn show(document: &RunDocument, output: &OutputArgs) -> anyhow::Result<()> {
    let replace = Replace::forced(output.force.force);
    let is_json_printed = output.json.as_deref().is_some_and(is_printed);
    if !is_json_printed {
        let earlier = between(document, &output.store.store);
        print_page(output.page.page(), |width| run_text_beside(document, &earlier, width))?;
    }
    if let Some(path) = &output.json {
        let mut plain = document.clone();
        plain.leave_out_histograms();
        write(path, replace, json("the run", &plain)?)
            .map_err(|error| unwritten((&error, path), (document, output, "export")))?;
    }
    if let Some(path) = &output.report {
        report::write_page(&report::page_of(document, output.language), (path, replace))
            .map_err(|error| unwritten((&error, path), (document, output, "report")))?;
        tell(format!("report written to {}", path.display()));
    }
    Ok(())
}

/// Why an output was not written, and the command that writes it from the store.
fn unwritten(
    (error, path): (&anyhow::Error, &Path),
    (document, output, command): (&RunDocument, &OutputArgs, &str),
) -> Fault {
    let causes: Vec<String> = error.chain().skip(1).map(ToString::to_string).collect();
    let cause = if causes.is_empty() { error.to_string() } else { causes.join(": ") };
    let store = store_option(&output.store.store);
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    Fault::new(format!("cannot write {}", path.display())).because(cause).fix(format!(
        "nothing that was measured is lost: `kneepoint {command} {}{store} -o {}` writes it again",
        document.run.id,
        quoted(&file)
    ))
}

/// Where the run is, and how to see it again.
fn where_kept(document: &RunDocument, store: &Path) -> String {
    let id = &document.run.id;
    let option = store_option(store);
    let copies = match document.copies.len() {
        0 => String::new(),
        count => format!(" and {count} copies of files"),
    };
    let points = points(document.points.len());
    let resume = match document.run.state {
        RunState::Complete => String::new(),
        RunState::Interrupted | RunState::Failed => {
            format!("; `kneepoint resume {id}{option}` measures the rest")
        }
    };
    let store = store.display();
    format!(
        "{points}{copies} kept as run {id} in {store}; see `kneepoint show {id}{option}`{resume}"
    )
}

/// Where a run is that the store has not, and how to bring it there.
fn where_rescued(document: &RunDocument, (file, store): (&Path, &Path)) -> String {
    let points = points(document.points.len());
    format!(
        "{points} kept in {file}, because the store {store} does not have the run as it was \
         measured; `kneepoint import {file_quoted} --store STORE` takes it into another store",
        file = file.display(),
        store = store.display(),
        file_quoted = quoted(&file.to_string_lossy())
    )
}
