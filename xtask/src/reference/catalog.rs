//! The shipped load profiles, suites and simulated systems as Markdown.

use kneepoint_core::spec::catalog::{self, PROFILES, SUITES};
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::spec::profile::{
    AddressRange, Align, Distribution, Line, Profile, TypedUsers, UserOperation,
};
use kneepoint_core::spec::suite::{Series, Suite};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::units::{Nanos, Percent};

use super::{GeneratedFile, system};

/// What stands before the profiles.
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
    text.push_str(&system::sections()?);
    Ok(GeneratedFile::new("catalog.md", text))
}

fn profile_section(profile: &Profile) -> String {
    let mut text =
        format!("\n### {}\n\n**{}**: {}\n\n", profile.name, profile.title, profile.summary());
    text.push_str(&paragraph(&profile.description));
    match &profile.users {
        Some(users) => text.push_str(&operations(users)),
        None => {
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

/// What users do.
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

/// What departs from the defaults outside the lines.
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
    let note = series.note.split_whitespace().collect::<Vec<_>>().join(" ");
    let load = format!("{loads} {}", loads.unit().label());
    format!("| {} | {blocks} | {load} | {note} |\n", series.profile)
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
