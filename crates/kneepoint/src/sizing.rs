//! Which systems sustain a load: what is tried, and how the candidates are shown on the terminal.

use kneepoint_core::result::sizing::{Candidate, Demand, StrokeRow};
use kneepoint_core::spec::profile::ResolvedProfile;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::number::{Difference, Iops, Rate, ResponseTime, RoundedBytes};
use kneepoint_core::words::units::{Bytes, MIB, Percent};
use kneepoint_sim::System;
use kneepoint_sim::sizing::{ArrayShape, Choice, Server, servers, shapes};
use kneepoint_sim::system::shipped::SHIPPED_SYSTEMS;

use crate::cli::SizeArgs;
use crate::output::rule::within;
use crate::output::table::{Align, TextTable};
use crate::output::text::{Text, Width};
use crate::work::find_suite;

/// The system on which drives of the catalog are tried where the user names none.
const HOST_OF_DRIVES: &str = "serveraid-m5025";

/// Drives of the catalog that are tried where the user names none: those that are for sale on
/// their own, not the ones of a published subsystem.
const DRIVES_TRIED: [&str; 2] = ["drive/hdd-", "drive/ssd-"];

/// The demand of a command line.
pub(crate) fn demand(args: &SizeArgs) -> Result<Demand, Fault> {
    let profile = profile(args)?;
    if args.rule.line_ms().is_none() {
        return Err(Fault::new(format!("'{}' is no rule to size by", args.rule))
            .because("a system is chosen by the response time of all I/Os, and a time as its limit")
            .fix("write it as mean<=20ms or p95<=50ms"));
    }
    let iops = match (args.iops, args.throughput) {
        (Some(iops), _) => iops,
        (None, Some(mib_s)) => mib_s * MIB as f64 / profile.block_bytes_mean(),
        (None, None) => 0.0,
    };
    Ok(Demand {
        profile,
        iops,
        rule: args.rule,
        capacity: args.capacity,
        stroke_percent: args.stroke.map(Percent::get),
        margin_percent: args.margin.map(Percent::get),
    })
}

/// The one load of a profile.
fn profile(args: &SizeArgs) -> Result<ResolvedProfile, Fault> {
    let suite = find_suite(&args.profile)?;
    let [series] = suite.series.as_slice() else {
        return Err(Fault::new(format!("'{}' is a suite of several loads", args.profile))
            .fix("name one load profile; `kneepoint catalog profiles` lists them"));
    };
    suite.profile(&series.profile)?.resolve_io(args.block)
}

/// Everything that is tried.
pub(crate) fn shapes_of(args: &SizeArgs) -> Result<Vec<ArrayShape>, Fault> {
    let names: Vec<String> =
        args.drives.iter().filter(|text| count(text).is_none()).cloned().collect();
    let own = |systems: Vec<String>, drives: Vec<String>| Choice {
        systems,
        drives,
        raid: args.raid.clone(),
        write_cache: args.write_cache.clone(),
    };
    let named = |name: &str| name.strip_prefix("drive/").unwrap_or(name).to_owned();
    let names: Vec<String> = names.iter().map(|name| named(name)).collect();
    match (args.systems.is_empty(), names.is_empty()) {
        (false, _) => shapes(&own(args.systems.clone(), names)),
        (true, false) => shapes(&own(vec![HOST_OF_DRIVES.to_owned()], names)),
        (true, true) => {
            let is_drive = |name: &str| name.starts_with("drive/");
            let shipped = SHIPPED_SYSTEMS.iter().map(|shipped| shipped.name);
            let systems = shipped.clone().filter(|name| !is_drive(name)).map(str::to_owned);
            let tried = |name: &&str| DRIVES_TRIED.iter().any(|start| name.starts_with(start));
            let drives = shipped.filter(tried).map(named).collect();
            let mut all = shapes(&own(systems.collect(), Vec::new()))?;
            all.extend(shapes(&own(vec![HOST_OF_DRIVES.to_owned()], drives))?);
            Ok(all)
        }
    }
}

/// A number among the drives' names.
fn count(text: &str) -> Option<u32> {
    text.parse().ok()
}

/// Most drives of the kind of `system`'s that the user and the server allow.
pub(crate) fn drives_max(args: &SizeArgs, server: Option<&Server>, system: &System) -> u32 {
    let named = args.drives.iter().filter_map(|text| count(text)).max();
    let most = named.unwrap_or(args.max_drives);
    server.map_or(most, |server| most.min(server.drives_max(system)))
}

/// The server that everything has to fit into, where the user names one.
pub(crate) fn server(args: &SizeArgs) -> Result<Option<Server>, Fault> {
    let Some(name) = &args.server else { return Ok(None) };
    let all = servers()?;
    let found = all.iter().find(|server| server.name.eq_ignore_ascii_case(name));
    found.cloned().map(Some).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|server| server.name.as_str()).collect();
        Fault::new(format!("there is no server '{name}'"))
            .fix(format!("use one of: {}", names.join(", ")))
    })
}

/// Characters of the longest bar.
const BAR_CHARS: f64 = 40.0;

/// The candidates as a table, as a chart, and as names of targets.
pub(crate) fn candidates_text(candidates: &[Candidate], demand: &Demand, width: Width) -> Text {
    let names: String = (1..)
        .zip(candidates)
        .map(|(number, candidate)| format!("{number:>3}  {}\n", candidate.target))
        .collect();
    let parts = vec![
        heading(demand).into(),
        candidate_table(candidates, demand).fitted(width),
        chart(candidates, demand).into(),
        format!("as targets of `kneepoint run`:\n{names}").into(),
    ];
    Text::join(parts, "\n")
}

fn heading(demand: &Demand) -> String {
    let capacity = demand
        .capacity
        .map_or_else(String::new, |capacity| format!(", {} usable", RoundedBytes(capacity.0)));
    let rule = within(&demand.rule.to_string());
    format!("{}: {} {rule}{capacity}\n", demand.profile.name, Iops(demand.iops))
}

fn candidate_table(candidates: &[Candidate], demand: &Demand) -> TextTable {
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
        table.row(vec![
            number.to_string(),
            candidate.system.clone(),
            candidate.drives.to_string(),
            candidate.drive.clone().unwrap_or_else(|| "its own".to_owned()),
            candidate.raid.clone(),
            candidate.write_cache.clone(),
            RoundedBytes(candidate.usable.0).to_string(),
            format!("{:.0} %", candidate.stroke_percent),
            ResponseTime(candidate.response_ms).to_string(),
            Iops(candidate.sustained_iops).to_string(),
            format!("{} %", Difference(candidate.headroom_percent, 0)),
            format!("{:.0} %", candidate.margin_percent),
            candidate.limit.clone(),
            room(candidate),
        ]);
    }
    table
}

/// The servers with room for a candidate in words.
fn room(candidate: &Candidate) -> String {
    let names = candidate.servers.join(", ");
    match (candidate.servers.is_empty(), candidate.more_servers) {
        (true, _) => "enclosures".to_owned(),
        (false, 0) => names,
        (false, more) => format!("{names} and {more} more"),
    }
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

/// The throughput that a candidate sustains at other strokes.
pub(crate) fn strokes_text(target: &str, rows: &[StrokeRow], width: Width) -> Text {
    let mut table = TextTable::of(
        &["stroke", "data", "sustains", "multiplier"],
        &["stroke", "data", "sustains", "multiplier"],
    );
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

/// Strokes that a page shows where none are asked for, in percent: those of the FAStT900 paper.
pub(crate) const STROKES_OF_PAGE: [f64; 5] = [8.0, 15.0, 30.0, 60.0, 90.0];
