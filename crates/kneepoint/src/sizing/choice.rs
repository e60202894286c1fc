//! What the user asks for and lets choose, resolved.

use kneepoint_core::spec::profile::ResolvedProfile;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::{MIB, Percent};
use kneepoint_sim::System;
use kneepoint_sim::sizing::{Choice, Demand, Server, Shape, servers, shapes};
use kneepoint_sim::system::shipped::SHIPPED_SYSTEMS;

use crate::cli::SizeArgs;
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
pub(crate) fn shapes_of(args: &SizeArgs) -> Result<Vec<Shape>, Fault> {
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
