//! The shipped load profiles, suites and simulated systems and drives as Markdown; the systems with
//! what each was calibrated on.

use kneepoint_core::spec::campaign::Campaign;
use kneepoint_core::spec::catalog::{self, CAMPAIGNS, PROFILES, SUITES};
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::spec::profile::{
    AddressRange, Align, Distribution, Line, Profile, TypedUsers, UserOperation, Work,
};
use kneepoint_core::spec::suite::{Member, Series, Suite, Together};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::units::{Nanos, Percent};
use kneepoint_sim::system::setting::{Calibration, DriveKind, Source};
use kneepoint_sim::system::shipped::SHIPPED_SYSTEMS;
use kneepoint_sim::{SYSTEMS, System};

use super::GeneratedFile;

/// Text before the profiles.
const HEAD: &str = "\
# Catalog

The load profiles, suites and simulated systems that Kneepoint ships, generated from
`profiles/*.toml`, `suites/*.toml` and `systems/` by `cargo xtask generate`. `kneepoint catalog
NAME` prints the file of one of them, ready to be saved and changed; [profiles](../profiles.md) and
[the simulator](../simulator.md) explain the formats.
";

/// `catalog.md`.
pub(super) fn file() -> Result<GeneratedFile, Fault> {
    let mut text = HEAD.to_owned();
    text.push_str("\n## Load profiles\n");
    for shipped in PROFILES {
        text.push_str(&profile_section(&catalog::profile(shipped.name)?));
    }
    text.push_str("\n## Suites\n");
    for shipped in SUITES {
        text.push_str(&suite_section(&catalog::suite(shipped.name)?)?);
    }
    for shipped in CAMPAIGNS {
        if let Some(campaign) = catalog::campaign(shipped.name)? {
            text.push_str(&campaign_section(&campaign));
        }
    }
    text.push_str(&sections()?);
    Ok(GeneratedFile::new("catalog.md", text))
}

fn campaign_section(campaign: &Campaign) -> String {
    let mut text =
        format!("\n### {}\n\n**{}**: {}\n\n", campaign.name, campaign.title, campaign.summary());
    text.push_str(&paragraph(&campaign.description));
    text.push_str("| part | target |\n|---|---|\n");
    for part in &campaign.parts {
        let target = part.target.as_deref();
        let target =
            target.map_or_else(|| "of the command line".to_owned(), |own| format!("`{own}`"));
        text.push_str(&format!("| `{}` | {target} |\n", part.work));
    }
    text.push('\n');
    text.push_str(&source(&campaign.source));
    text
}

fn profile_section(profile: &Profile) -> String {
    let mut text =
        format!("\n### {}\n\n**{}**: {}\n\n", profile.name, profile.title, profile.summary());
    text.push_str(&paragraph(&profile.description));
    match &profile.work {
        Work::Users(users) => text.push_str(&operations(users)),
        Work::Script(_)
        | Work::Business(_)
        | Work::Member(_)
        | Work::External(_)
        | Work::Files(_) => {}
        Work::Io => {
            text.push_str("| share | block | read | random | burst | pause | random positions |\n");
            text.push_str("|--:|--:|--:|--:|--:|--:|---|\n");
            profile.lines.iter().for_each(|line| text.push_str(&line_row(line)));
        }
    }
    text.push('\n');
    text.push_str(&profile_rest(profile));
    text.push_str(&source(&profile.source));
    text
}

/// Operations of users.
fn operations(users: &TypedUsers) -> String {
    let mut text = "| class | share | processor time |\n|---|--:|--:|\n".to_owned();
    for operation in &users.operations {
        let UserOperation { class, share, demand } = operation;
        text.push_str(&format!("| {class} | {share} | {demand} |\n"));
    }
    text
}

fn line_row(line: &Line) -> String {
    let pause = match line.delay {
        Nanos::ZERO => "none".to_owned(),
        delay => delay.to_string(),
    };
    let align = match line.align {
        Align::Request => "multiples of the block".to_owned(),
        Align::Sector => "multiples of 512B".to_owned(),
        Align::Size(size) => format!("multiples of {size}"),
    };
    let Line { share, size, read, random, burst, .. } = line;
    format!("| {share} | {size} | {read} | {random} | {burst} | {pause} | {align} |\n")
}

/// Departures from the defaults outside the lines.
fn profile_rest(profile: &Profile) -> String {
    let mut facts = Vec::new();
    if let Some(loads) = &profile.loads {
        facts.push(format!("{}: {loads}", loads.unit().label()));
    }
    if profile.range != AddressRange::WHOLE {
        facts.push(format!("address range: {} to {}", profile.range.start, profile.range.end));
    }
    match &profile.distribution {
        Distribution::Uniform => {}
        Distribution::HotBand(bands) => {
            let bands: Vec<String> =
                bands.iter().map(|band| format!("{} in {}", band.access, band.range)).collect();
            facts.push(format!("random I/Os: {}", bands.join(", ")));
        }
        Distribution::Zipf { theta } => facts.push(format!("random I/Os: zipf {theta}")),
        Distribution::Pareto { h } => facts.push(format!("random I/Os: pareto {h}")),
    }
    for (number, line) in (1..).zip(&profile.lines).filter(|(_, line)| line.gap.0 > 0) {
        facts.push(format!("line {number}: {} left out between sequential I/Os", line.gap));
    }
    if profile.data.compressible != Percent::ZERO || profile.data.duplicate != Percent::ZERO {
        let data = profile.data;
        facts
            .push(format!("data: {} compressible, {} repeated", data.compressible, data.duplicate));
    }
    match facts.is_empty() {
        true => String::new(),
        false => format!("{}.\n\n", facts.join("; ")),
    }
}

fn suite_section(suite: &Suite) -> Result<String, Fault> {
    let mut text =
        format!("\n### {}\n\n**{}**: {}.\n\n", suite.name, suite.title, suite.summary()?);
    text.push_str(&paragraph(&suite.description));
    let rules: Vec<String> = suite.rules.iter().map(|rule| format!("`{rule}`")).collect();
    let rules = match rules.is_empty() {
        true => "by the class of the target".to_owned(),
        false => rules.join(", "),
    };
    text.push_str(&format!("Rules: {rules}.\n\n"));
    text.push_str("| profile | blocks | load | note |\n|---|---|---|---|\n");
    suite.series.iter().for_each(|series| text.push_str(&series_row(suite, series)));
    suite.together.iter().for_each(|group| text.push_str(&group_rows(group)));
    text.push('\n');
    text.push_str(&source(&suite.source));
    Ok(text)
}

fn series_row(suite: &Suite, series: &Series) -> String {
    let of_profile = || {
        let own = suite.profiles.iter().find(|profile| profile.name == series.profile).cloned();
        let profile = own.or_else(|| catalog::profile(&series.profile).ok());
        profile.and_then(|profile| profile.loads)
    };
    let own = series.loads.clone().or_else(of_profile).or_else(|| suite.loads.clone());
    let loads = own.unwrap_or_else(|| Loads::standard(LoadUnit::OutstandingIos));
    let blocks: Vec<String> = series.blocks.iter().map(ToString::to_string).collect();
    let blocks = if blocks.is_empty() { "the profile's own".to_owned() } else { blocks.join(", ") };
    let note = one_line(&series.note);
    let load = format!("{loads} {}", loads.unit().label());
    format!("| {} | {blocks} | {load} | {note} |\n", series.profile)
}

/// The members of a group, a row each.
fn group_rows(group: &Together) -> String {
    let row = |member: &Member| {
        let levels: Vec<String> = member.loads.levels.iter().map(ToString::to_string).collect();
        let block =
            member.block.map_or_else(|| "the profile's own".to_owned(), |size| size.to_string());
        let load = format!("{} {}", levels.join(","), member.loads.unit.label());
        let note = format!("At the same moment ({}). {}", group.name, one_line(&group.note));
        format!("| {} | {block} | {load} | {} |\n", member.profile, note.trim_end())
    };
    group.members.iter().map(row).collect()
}

/// Where something comes from, as a paragraph; nothing for no text.
pub(super) fn source(source: &str) -> String {
    match source.trim() {
        "" => String::new(),
        source => format!("*Source:* {}", paragraph(source).trim_end()) + "\n",
    }
}

/// A paragraph, with the empty line after it; nothing for no text.
pub(super) fn paragraph(text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        text => format!("{text}\n\n"),
    }
}

/// Text before the systems.
const SYSTEMS_HEAD: &str = "
## Simulated systems

Targets `sim:NAME`. The errors are those on the cells that the parameters were fitted to: how well
the model can be made to fit, not how well it predicts. [Validation](../validation.md) says how to
hold a system against other numbers.
";

/// Text before the drives.
const DRIVES_HEAD: &str = "
## Simulated drives

Targets `sim:drive/NAME`, and values of `drive=NAME` in a storage system. *Calibrated on* counts the
published cells that the drive's parameters were fitted to, with their mean absolute error; a drive
without them takes its parameters from data sheets and similar drives, and runs on it warn.

| drive | what it is | interface | calibrated on | never compared with | source |
|---|---|---|---|---|---|
";

/// Text before the systems of queueing theory.
const ANALYTIC_HEAD: &str = "
## Reference systems of queueing theory

Targets with known answers, for checking the measurer.

| target | what it is |
|---|---|
";

/// Everything that can follow `sim:`.
fn sections() -> Result<String, Fault> {
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
    for (name, description) in SYSTEMS {
        text.push_str(&format!("| `sim:{name}` | {description} |\n"));
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

/// Facts of a system without overrides, and the numbers that it was calibrated on.
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
    let parameters = system.parameters.declared();
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
