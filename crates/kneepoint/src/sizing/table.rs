//! Candidates on the terminal: a table, and a chart of what they sustain.

use kneepoint_core::words::number::{Iops, Rate, ResponseTime, RoundedBytes};
use kneepoint_core::words::units::Bytes;
use kneepoint_sim::sizing::{Candidate, Demand, Found, StrokeRow, servers};

use crate::output::table::{Align, TextTable};
use crate::output::text::Text;
use crate::output::width::Width;

/// Characters of the longest bar.
const BAR_CHARS: f64 = 40.0;

/// Servers that are named in a row.
const SERVERS_SHOWN: usize = 3;

/// The candidates as a table, as a chart, and as names of targets.
pub(crate) fn candidates_text(
    candidates: &[Candidate],
    demand: &Demand,
    width: Width,
) -> anyhow::Result<Text> {
    let names: String = (1..)
        .zip(candidates)
        .map(|(number, candidate)| format!("{number:>3}  {}\n", candidate.found.target))
        .collect();
    let parts = vec![
        heading(demand).into(),
        table(candidates, demand)?.fitted(width),
        chart(candidates, demand).into(),
        format!("as targets of `kneepoint run`:\n{names}").into(),
    ];
    Ok(Text::join(parts, "\n"))
}

fn heading(demand: &Demand) -> String {
    let capacity = demand
        .capacity
        .map_or_else(String::new, |capacity| format!(", {} usable", RoundedBytes(capacity.0)));
    format!("{}: {} at {}{capacity}\n", demand.profile.name, Iops(demand.iops), demand.rule)
}

fn table(candidates: &[Candidate], demand: &Demand) -> anyhow::Result<TextTable> {
    let response = demand.rule.metric.to_string();
    let mut table = TextTable::new(&[
        ("", Align::Right),
        ("system", Align::Left),
        ("drives", Align::Right),
        ("of", Align::Left),
        ("raid", Align::Left),
        ("write cache", Align::Left),
        ("usable", Align::Right),
        ("stroke", Align::Right),
        (&response, Align::Right),
        ("sustains", Align::Right),
        ("headroom", Align::Right),
        ("margin", Align::Right),
        ("limited by", Align::Left),
        ("fits into", Align::Left),
    ]);
    // The chart has what is sustained, and the names of the targets what is left out here of them.
    table.can_spare(&[
        "margin",
        "stroke",
        "fits into",
        "usable",
        "limited by",
        "headroom",
        "sustains",
    ]);
    for (number, candidate) in (1..).zip(candidates) {
        let found = &candidate.found;
        let system = &found.system;
        table.row(vec![
            number.to_string(),
            system.name.clone(),
            found.drives.to_string(),
            found.drive.clone(),
            system.layout.raid.to_string(),
            system.settings.write_cache.to_string(),
            RoundedBytes(found.usable.0).to_string(),
            format!("{:.0} %", found.stroke_percent),
            ResponseTime(candidate.response_ms).to_string(),
            Iops(candidate.sustained_iops).to_string(),
            format!("{:+.0} %", candidate.headroom_percent),
            format!("{:.0} %", found.margin_percent),
            candidate.limit.clone(),
            room(found)?,
        ]);
    }
    Ok(table)
}

/// The smallest servers with room for the drives of a system, and how many more there are.
pub(super) fn servers_with_room(found: &Found) -> anyhow::Result<(Vec<String>, usize)> {
    let mut fitting: Vec<(u32, String)> = servers()?
        .into_iter()
        .map(|server| (server.drives_max(&found.system), server.name))
        .filter(|(most, _)| *most >= found.drives)
        .collect();
    fitting.sort();
    let more = fitting.len().saturating_sub(SERVERS_SHOWN);
    Ok((fitting.into_iter().map(|(_, name)| name).take(SERVERS_SHOWN).collect(), more))
}

/// The same in words.
fn room(found: &Found) -> anyhow::Result<String> {
    let (names, more) = servers_with_room(found)?;
    Ok(match (names.is_empty(), more) {
        (true, _) => "enclosures".to_owned(),
        (false, 0) => names.join(", "),
        (false, more) => format!("{} and {more} more", names.join(", ")),
    })
}

/// A bar for what each candidate sustains; the part that is asked for is solid.
fn chart(candidates: &[Candidate], demand: &Demand) -> String {
    let largest =
        candidates.iter().map(|candidate| candidate.sustained_iops).fold(demand.iops, f64::max);
    let chars = |iops: f64| (BAR_CHARS * iops / largest).round() as usize;
    let asked = chars(demand.iops);
    let bar = |candidate: &Candidate| {
        let all = chars(candidate.sustained_iops);
        format!("{}{}", "#".repeat(all.min(asked)), "-".repeat(all.saturating_sub(asked)))
    };
    let mut text = format!("     {:<40}  # asked for, - headroom\n", "sustained");
    for (number, candidate) in (1..).zip(candidates) {
        let iops = Iops(candidate.sustained_iops);
        text.push_str(&format!("{number:>3}  {:<40}  {iops}\n", bar(candidate)));
    }
    text
}

/// What a candidate sustains at other strokes.
pub(crate) fn strokes_text(target: &str, rows: &[StrokeRow], width: Width) -> Text {
    let mut table = TextTable::new(&[
        ("stroke", Align::Right),
        ("data", Align::Right),
        ("sustains", Align::Right),
        ("multiplier", Align::Right),
    ]);
    for row in rows {
        let Bytes(data) = row.data;
        table.row(vec![
            format!("{:.0} %", row.stroke_percent),
            RoundedBytes(data).to_string(),
            Iops(row.sustained_iops).to_string(),
            Rate(row.multiplier).to_string(),
        ]);
    }
    let mut text = Text::from(format!("\n{target} at other strokes:\n"));
    text.append(table.fitted(width));
    text
}
