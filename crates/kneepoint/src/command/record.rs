//! `kneepoint record`: a script from what someone does with a viewer.

use std::path::Path;

use kneepoint_core::spec::profile::ScriptWork;
use kneepoint_core::words::fault::Fault;
use kneepoint_server::desktop::record::{Recorded, Recording};

use crate::Outcome;
use crate::cli::RecordScriptArgs;
use crate::destination::{Replace, check, is_printed, write};
use crate::output::print::{print_raw, tell};
use crate::session::Interrupt;
use crate::work::vnc_password;

/// The name of a script whose file does not give it one.
const NAME: &str = "recorded";

/// Records until the viewer leaves or the user stops it, and writes the script.
pub(crate) fn record(args: &RecordScriptArgs) -> anyhow::Result<Outcome> {
    let replace = Replace::forced(args.force.force);
    check(&args.output, replace)?;
    let interrupt = Interrupt::listen("ending the recording")?;
    let recording = Recording::open(&args.target, args.port, vnc_password())?;
    let address = recording.address()?;
    tell(format!(
        "connect your viewer to {}::{}, end as you began, and close it",
        address.ip(),
        address.port()
    ));
    let recorded = recording.run(&|| interrupt.is_asked())?.ok_or_else(|| {
        Fault::new("nothing was recorded")
            .because("no key, text or click came whose response could be timed")
            .fix("connect a viewer, and work in it")
    })?;
    let text = written(&recorded, (&args.target, &args.output));
    match is_printed(&args.output) {
        true => print_raw(&text)?,
        false => write(&args.output, replace, &text)?,
    }
    told(&recorded);
    Ok(Outcome::Done)
}

/// The text of the script's file.
fn written(recorded: &Recorded, (target, output): (&str, &Path)) -> String {
    let stem = output.file_stem().and_then(|stem| stem.to_str()).unwrap_or(NAME);
    let is_part = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '-';
    let is_name = stem.starts_with(|char: char| char.is_ascii_lowercase())
        && stem.chars().all(is_part)
        && !stem.ends_with('-')
        && stem.len() <= 40;
    let name = if is_name { stem } else { NAME };
    let work = ScriptWork {
        name: name.to_owned(),
        title: "Recorded work at a screen".to_owned(),
        script: recorded.script.clone(),
    };
    format!("# Recorded by kneepoint record at {target}.\n{}", work.to_toml())
}

/// Says what the script is like.
fn told(recorded: &Recorded) {
    let script = &recorded.script;
    let [start, work, end] = [&script.start, &script.work, &script.end].map(Vec::len);
    tell(format!("recorded {start} steps at the start, {work} of the work, {end} at the end"));
    if recorded.left_out > 0 {
        tell(format!(
            "note: {} inputs were left out, which a script cannot say or has no room for",
            recorded.left_out
        ));
    }
    if !recorded.is_round {
        tell(
            "note: the work does not end as it began, so that it cannot be repeated yet: let the last steps \
             of [[work]] undo what it did",
        );
    }
}
