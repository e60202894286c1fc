//! Campaigns: several suites one after the other, each a run in the store, and one report on all.

use kneepoint_core::plan::resolve::{Search, Wishes};
use kneepoint_core::result::RunDocument;
use kneepoint_core::spec::campaign::CampaignPart;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_server::desktop::bound_obstacle;

use super::live::permits;
use super::plan::plan_text;
use super::report;
use super::run::{check_outputs, conclude, inputs};
use crate::Outcome;
use crate::cli::{MeasureArgs, OutputArgs, PlanArgs, RunArgs};
use crate::destination::Replace;
use crate::fleet::Way;
use crate::output::print::{print_json, print_page, tell};
use crate::output::text::Text;
use crate::session::{Interrupt, LOOKING, MEASURING, Vigil, measure, quoted, store_option};
use crate::work::{Asked, FoundCampaign, ResolvedRun, prepare_suite};

/// Measures all parts, shows each, and writes one report.
pub(super) fn run(args: &RunArgs, found: FoundCampaign) -> anyhow::Result<Outcome> {
    let found = &without_missing(found);
    let output = &args.output;
    if output.json.is_some() {
        return Err(Fault::new("--json writes one run, and every part of a campaign is one")
            .fix("leave it out; `kneepoint export RUN -o FILE.json` writes each of them")
            .into());
    }
    let interrupt = Interrupt::listen(MEASURING)?;
    let vigil = Vigil::keep(LOOKING, Some(&interrupt));
    let targets: Vec<String> = targets(&args.measure, found).cloned().collect();
    check_outputs(output, (&targets, &inputs(&args.measure.work)))?;
    let prepared = prepare_parts(&args.measure, found)?;
    drop(vigil);
    let measured = measure_parts(prepared, args, &interrupt)?;
    told(&measured, output, &found.campaign.title)?;
    measured.outcome
}

/// Shows what `run` would do in each part; touches nothing.
pub(super) fn plan(args: &PlanArgs, found: FoundCampaign) -> anyhow::Result<Outcome> {
    let found = &without_missing(found);
    let vigil = Vigil::keep(LOOKING, None);
    let prepared = prepare_parts(&args.measure, found)?;
    drop(vigil);
    if args.json {
        let plans: Vec<_> = prepared.iter().map(|part| &part.plan).collect();
        print_json(&serde_json::to_string_pretty(&plans)?)?;
        return Ok(Outcome::Done);
    }
    let count = prepared.len();
    print_page(args.page.page(), |width| {
        let parts = prepared.iter().enumerate().flat_map(|(index, part)| {
            [Text::from(format!("== part {} of {count}\n", index + 1)), plan_text(part, width)]
        });
        Text::join(parts.collect(), "\n")
    })?;
    Ok(Outcome::Done)
}

/// The campaign without the parts whose programs this machine does not have, which it says.
fn without_missing(found: FoundCampaign) -> FoundCampaign {
    let FoundCampaign { mut campaign, suites } = found;
    let (mut parts, mut present) = (Vec::new(), Vec::new());
    for (part, suite) in campaign.parts.into_iter().zip(suites) {
        match obstacle(&part) {
            None => {
                parts.push(part);
                present.push(suite);
            }
            Some(why) => tell(format!("part {} is left out: {why}", part.work)),
        }
    }
    campaign.parts = parts;
    FoundCampaign { campaign, suites: present }
}

/// Why this machine cannot measure a part; `None` if nothing is known to be in the way. Only parts that say what
/// they need are left out.
fn obstacle(part: &CampaignPart) -> Option<String> {
    let names = part.needs.iter().map(String::as_str);
    let missing: Vec<&str> = names.filter(|name| !is_program(name)).collect();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        return Some(format!("it needs {missing}, which this machine does not have"));
    }
    let target = part.target.as_ref().filter(|_| !part.needs.is_empty())?;
    bound_obstacle(target).map(|why| format!("its sessions cannot be bounded, since {why}"))
}

/// Whether the PATH has a program of this name.
fn is_program(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// Everything that the parts measure.
fn targets<'a>(
    measure: &'a MeasureArgs,
    found: &'a FoundCampaign,
) -> impl Iterator<Item = &'a String> {
    let own = found.campaign.parts.iter().filter_map(|part| part.target.as_ref());
    measure.targets.iter().chain(own)
}

/// The plans of all parts, before the first is measured.
fn prepare_parts(measure: &MeasureArgs, found: &FoundCampaign) -> Result<Vec<ResolvedRun>, Fault> {
    if measure.hosts.is_some() {
        return Err(Fault::new(format!("'{}' is measured on one machine", found.campaign.name))
            .because("it is a campaign, and --hosts measures one suite on several machines")
            .fix("leave --hosts out, or name one of its parts that does I/O"));
    }
    if measure.every.is_some() {
        return Err(Fault::new("--every is not for campaigns")
            .because("it would set the time of points of all parts, and only users come one by one")
            .fix("leave it out, or run the part with users by itself"));
    }
    if measure.reference.is_some() {
        return Err(Fault::new("--reference is not for campaigns")
            .because("each part has rules and references of its own")
            .fix("leave it out, or run the part by itself"));
    }
    let wishes = measure.wishes(Search::AsGiven)?;
    wishes.check_parts(&found.campaign, &found.suites)?;
    let parts = found.campaign.parts.iter().zip(&found.suites);
    parts.map(|part| prepare_part(measure, (found, &wishes), part)).collect()
}

fn prepare_part(
    measure: &MeasureArgs,
    (found, wishes): (&FoundCampaign, &Wishes),
    (part, suite): (&CampaignPart, &Suite),
) -> Result<ResolvedRun, Fault> {
    let names =
        part.target.as_ref().map_or_else(|| measure.targets.clone(), |own| vec![own.clone()]);
    let others: Vec<&String> =
        targets(measure, found).filter(|name| !names.contains(name)).collect();
    let is_of_other = |permission: &&String| others.iter().any(|name| permits(permission, name));
    let overwrite: Vec<String> =
        measure.overwrite.iter().filter(|text| !is_of_other(text)).cloned().collect();
    let asked = Asked { names: &names, overwrite: &overwrite, hosts: None, way: Way::default() };
    prepare_suite(suite, asked, &wishes.for_part(part, suite))
}

/// What was measured of a campaign.
struct Measured {
    /// The runs, in the order of the parts.
    documents: Vec<RunDocument>,
    /// How many parts were to be measured.
    planned: usize,
    /// Whether all is well, or the first thing that is not.
    outcome: anyhow::Result<Outcome>,
}

/// Measures part after part, until the user stops it; what one part lacks does not keep the next from being
/// measured.
fn measure_parts(
    prepared: Vec<ResolvedRun>,
    args: &RunArgs,
    interrupt: &Interrupt,
) -> anyhow::Result<Measured> {
    let planned = prepared.len();
    let mut measured = Measured { documents: Vec::new(), planned, outcome: Ok(Outcome::Done) };
    for (index, part) in prepared.into_iter().enumerate() {
        if interrupt.is_asked() {
            measured.add(Ok(Outcome::CheckFailed));
            break;
        }
        let work = part.plan.work.clone();
        tell(format!("part {} of {planned}: {work}", index + 1));
        let output = output_of_part(&args.output, &work);
        match measure(part, (&output, args.patience.wait_quiet), interrupt) {
            Err(fault) => measured.add(Err(fault.into())),
            Ok(None) => measured.add(Ok(Outcome::CheckFailed)),
            Ok(Some(ended)) => {
                let concluded = conclude(ended, &output)?;
                measured.documents.push(concluded.document);
                measured.add(concluded.outcome);
            }
        }
    }
    Ok(measured)
}

impl Measured {
    /// Notes how a part ended. The first error is the one that the program ends with; others are told at
    /// once.
    fn add(&mut self, outcome: anyhow::Result<Outcome>) {
        match (&self.outcome, outcome) {
            (Err(_), Err(error)) => tell(format!("{error:#}")),
            (Err(_), Ok(_)) | (Ok(Outcome::CheckFailed), Ok(_)) => {}
            (Ok(_), outcome) => self.outcome = outcome,
        }
    }
}

/// Where the results of a part go: nothing is written of it alone, and its label names it.
fn output_of_part(output: &OutputArgs, work: &str) -> OutputArgs {
    let label = match output.label.as_str() {
        "" => String::new(),
        label => format!("{label}: {work}"),
    };
    OutputArgs { label, report: None, json: None, ..output.clone() }
}

/// Writes the report that was asked for, and says how it is written again.
fn told(measured: &Measured, output: &OutputArgs, title: &str) -> anyhow::Result<()> {
    let documents: Vec<&RunDocument> = measured.documents.iter().collect();
    if documents.is_empty() {
        return Ok(());
    }
    if let Some(path) = &output.report {
        let replace = Replace::forced(output.force.force);
        let page = report::chapters_page(&documents, output.language);
        report::write_page(&page, (path, replace))?;
        tell(format!("report on {} written to {}", title, path.display()));
    }
    let ids: Vec<&str> = documents.iter().map(|document| document.run.id.as_str()).collect();
    tell(format!(
        "{} of {} parts measured; `kneepoint report {} --chapters{} -o {}` writes one report on them",
        documents.len(),
        measured.planned,
        ids.join(" "),
        store_option(&output.store.store),
        quoted("report.html"),
    ));
    Ok(())
}
