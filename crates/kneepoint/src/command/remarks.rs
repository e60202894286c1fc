//! Remarks of `plan` on series that are more than a row of a table.

use kneepoint_core::plan::{Member, Plan, SeriesPlan};
use kneepoint_core::spec::factor::combination_text;
use kneepoint_core::spec::profile::WriteKind;
use kneepoint_core::words::distinct::distinct;
use kneepoint_server::desktop::Metering;

use super::plan::levels_text;
use crate::fleet::HERE;

/// What is measured at the same moment, a line for each member of each group.
pub(super) fn together_text(plan: &Plan) -> String {
    let lines = |lead: &SeriesPlan| {
        let members = plan.members(lead, lead.loads.levels().next()?);
        let group = &lead.together.as_ref().filter(|_| members.len() > 1)?.group;
        let lines = members.iter().map(|member| {
            let number = |number: &u32| &*plan.targets[*number as usize].target;
            let targets: Vec<&str> = member.targets.iter().map(number).collect();
            let (_, name) = member.series.name.split_once('/').unwrap_or_default();
            let load = match member.series.loads.levels.len() {
                1 => member.load.to_string(),
                _ => levels_text(member.series),
            };
            let rules: Vec<String> = match &member.series.together {
                Some(together) => together.rules.iter().map(ToString::to_string).collect(),
                None => Vec::new(),
            };
            let own = if rules.is_empty() { "" } else { ", judged by " };
            format!("  {name} with {load} on {}{own}{}\n", targets.join(", "), rules.join(" and "))
        });
        Some(format!("at the same moment ({group}):\n{}", lines.collect::<String>()))
    };
    distinct(plan.series.iter().filter_map(lines)).concat()
}

/// The files of series of operations on files, and what is done with them, a line for each profile.
pub(super) fn files_text(plan: &Plan) -> String {
    let line = |series: &SeriesPlan| {
        let work = series.profile.files()?;
        Some(format!("files: {}, {}\n", work.name, work.tree.details()))
    };
    distinct(plan.series.iter().filter_map(line)).concat()
}

/// How writes are made durable, or the page cache is flushed, a line for each series that does.
pub(super) fn durability_text(plan: &Plan) -> String {
    let line = |series: &SeriesPlan| {
        let durability = series.profile.storage()?.durability;
        let how: Vec<String> = durability.phrases().collect();
        let what = if durability.writeback().is_some() { "page cache" } else { "durable" };
        (!how.is_empty()).then(|| format!("{what}: {}, {}\n", series.name, how.join(", ")))
    };
    distinct(plan.series.iter().filter_map(line)).concat()
}

/// The series that write without data, a line each.
pub(super) fn dataless_text(plan: &Plan) -> String {
    let line = |series: &SeriesPlan| {
        let kinds = series.profile.storage()?.write_kinds();
        let told: Vec<&str> = kinds.iter().filter_map(|kind| dataless(*kind)).collect();
        let all = if told.len() == kinds.len() { "writes" } else { "some writes" };
        (!told.is_empty()).then(|| {
            format!("without data: {all} of {}, which {}\n", series.name, told.join(" or "))
        })
    };
    distinct(plan.series.iter().filter_map(line)).concat()
}

/// What becomes of the blocks of a write without data.
const fn dataless(kind: WriteKind) -> Option<&'static str> {
    match kind {
        WriteKind::Data => None,
        WriteKind::Trim => Some("give blocks back"),
        WriteKind::Zeroes => Some("set blocks to zero"),
    }
}

/// The settings that series have as their own, a line for each profile.
pub(super) fn own_settings_text(plan: &Plan) -> String {
    let line = |series: &SeriesPlan| {
        let settings = combination_text(&series.settings);
        let name = series.profile.name();
        (!settings.is_empty()).then(|| format!("settings of {name} alone: {settings}\n"))
    };
    distinct(plan.series.iter().filter_map(line)).concat()
}

/// Who meters the server that users work at.
pub(super) fn metering_text(plan: &Plan) -> String {
    let Some(found) = plan.targets.iter().find_map(|target| Metering::of(&target.target)) else {
        return String::new();
    };
    let who = match found.host == HERE {
        true => "this machine",
        false => &found.host,
    };
    format!(
        "metered: {who} tells what users take of {}: processors, memory, network\n",
        found.server
    )
}

/// Whether points of `series`, or what is measured at the same moment, write; those of companions are not
/// counted twice.
pub(super) fn writes(plan: &Plan, series: &SeriesPlan) -> bool {
    let writes = |member: &Member<'_>| member.series.profile.writes();
    let mut loads = series.loads.levels();
    !series.is_companion() && loads.any(|load| plan.members(series, load).iter().any(writes))
}
