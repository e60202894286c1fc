//! The simulated systems and drives as Markdown, with what each was calibrated on.

use kneepoint_core::words::fault::Fault;
use kneepoint_sim::system::setting::{Calibration, DriveKind, Source};
use kneepoint_sim::system::shipped::SHIPPED_SYSTEMS;
use kneepoint_sim::{SYSTEMS, System};

use super::catalog::{paragraph, source};

/// What stands before the systems.
const SYSTEMS_HEAD: &str = "
## Simulated systems

Targets `sim:NAME`. The errors are those on the cells that the parameters were fitted to: how well
the model can be made to fit, not how well it predicts. [Validation](../validation.md) says how to
hold a system against other numbers.
";

/// What stands before the drives.
const DRIVES_HEAD: &str = "
## Simulated drives

Targets `sim:drive/NAME`, and values of `drive=NAME` in a storage system. *Calibrated on* counts the
published cells that the drive's parameters were fitted to, with their mean absolute error; a drive
without them takes its parameters from data sheets and similar drives, and runs on it warn.

| drive | what it is | interface | calibrated on | never compared with | source |
|---|---|---|---|---|---|
";

/// What stands before the systems of queueing theory.
const ANALYTIC_HEAD: &str = "
## Reference systems of queueing theory

Targets with known answers, for checking the measurer.

| target | what it is |
|---|---|
";

/// Everything that can follow `sim:`.
pub(super) fn sections() -> Result<String, Fault> {
    let mut text = SYSTEMS_HEAD.to_owned();
    let mut drives = DRIVES_HEAD.to_owned();
    for shipped in SHIPPED_SYSTEMS {
        let system = shipped.system()?;
        match shipped.name.strip_prefix("drive/") {
            Some(name) => drives.push_str(&drive_row(name, &system)),
            None => text.push_str(&section(&system)),
        }
    }
    text.push_str(&drives);
    text.push_str(ANALYTIC_HEAD);
    for system in SYSTEMS {
        text.push_str(&format!("| `sim:{}` | {} |\n", system.name, system.description));
    }
    Ok(text)
}

fn section(system: &System) -> String {
    let mut text = format!("\n### sim:{}\n\n**{}**\n\n", system.name, system.title);
    text.push_str(&paragraph(&system.description));
    text.push_str("| | |\n|---|---|\n");
    for (name, value) in facts(system) {
        text.push_str(&format!("| {name} | {value} |\n"));
    }
    text.push('\n');
    text.push_str(&source(&system.source));
    text
}

/// What a system is where nothing is overridden, and what it was calibrated on.
fn facts(system: &System) -> Vec<(&'static str, String)> {
    let System { layout, settings, drive, .. } = system;
    let arrays = match system.array_count() {
        1 => "one array".to_owned(),
        count => format!("{count} arrays"),
    };
    vec![
        ("drives", format!("{} in {arrays}, {}", layout.drives, drive_words(system))),
        (
            "layout",
            format!(
                "{}, stripe unit {}, {} % of each drive",
                layout.raid, layout.stripe, layout.stroke_percent
            ),
        ),
        (
            "settings",
            format!(
                "write cache {}, read-ahead {}, disk cache {}, host {}",
                settings.write_cache, settings.read_ahead, settings.disk_cache, settings.host
            ),
        ),
        ("interface", drive.interface.to_uppercase()),
        ("calibrated on", calibrated_on(system)),
        ("never compared with", held_out(system)),
        ("parameters", parameter_counts(system)),
    ]
}

fn drive_row(name: &str, system: &System) -> String {
    format!(
        "| `{name}` | {} | {} | {} | {} | {} |\n",
        system.title,
        system.drive.interface.to_uppercase(),
        calibrated_on(system),
        held_out(system),
        one_line(&system.source),
    )
}

/// `18.2 GB hard disks`.
fn drive_words(system: &System) -> String {
    let kind = match system.drive.kind {
        DriveKind::Disk => "hard disks",
        DriveKind::Flash => "solid-state drives",
    };
    format!("{kind} of {} GB", system.drive.capacity.0 as f64 / 1e9)
}

fn calibrated_on(system: &System) -> String {
    match (&system.validation, system.calibration) {
        (Some(validation), Calibration::Calibrated) => format!(
            "{} cells, mean error {:.2} %",
            validation.fitted_cells, validation.mean_error_percent
        ),
        _ => "nothing: uncalibrated".to_owned(),
    }
}

fn held_out(system: &System) -> String {
    let words = system.validation.as_ref().map(|validation| validation.held_out.trim());
    words.filter(|words| !words.is_empty()).map_or_else(|| "anything".to_owned(), str::to_owned)
}

/// `13 fitted, 20 from the paper, ...`.
fn parameter_counts(system: &System) -> String {
    let parameters = system.parameters();
    let sources = [Source::Fitted, Source::Paper, Source::DataSheet, Source::Inferred];
    let count = |source: &Source| {
        let count = parameters.iter().filter(|parameter| parameter.source == *source).count();
        (count > 0).then(|| format!("{count} {source}"))
    };
    sources.iter().filter_map(count).collect::<Vec<_>>().join(", ")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
