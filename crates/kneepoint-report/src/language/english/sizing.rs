//! The sizing of systems.

use crate::language::catalog::{SizingHeads, SizingTexts};

pub(super) const TEXTS: SizingTexts = SizingTexts {
    kind: "Sizing of storage systems",
    title: |iops, rule| format!("{iops} at {rule}"),
    load: "Load",
    sequential: "sequential",
    random: "random",
    load_of: |block, read, order| format!("{block}, {read} read, {order}"),
    asked_for: "Asked for",
    rule: "Rule",
    capacity: "Usable capacity",
    simulated_by: "Simulated by",
    uncalibrated_title: |some, all| format!("{some} of {all} candidates are uncalibrated"),
    uncalibrated: "Their parameters come from data sheets and similar drives. Measure such a system \
                   before anything depends on it.",
    abstract_title: "Abstract",
    nothing: "Nothing of what was tried sustains this load.",
    fewest: "The fewest drives that sustain the load are ",
    winner: |first| {
        format!(
            "{} ({}) in {} on {}, write cache {}",
            first.drives, first.drive, first.raid, first.system, first.write_cache
        )
    },
    outcome: |first| {
        format!(
            ". At the load that was asked for the {} response time is {}; at the rule the system \
             sustains {} ({}), where this is busiest: {}. The load was tried with a margin of {} on \
             top.",
            first.metric,
            first.response,
            first.sustained,
            first.headroom,
            first.limit,
            first.margin
        )
    },
    own_drive: "the system's own",
    candidates: "Candidates",
    candidates_remark: "Stroke: share of each drive that holds the data. Headroom: what is sustained \
                        at the rule above what was asked for. Margin: the mean error of the model on \
                        the published numbers that it was fitted to, or 20 % where there were none; \
                        the candidate sustains the load with it on top.",
    as_targets: "The candidates as targets of kneepoint run",
    strokes: "Other disk strokes",
    method: "Method",
    method_text: "For each kind of drive, RAID level and setting of the write cache the smallest \
                  number of drives was searched that holds the capacity and meets the rule. Each \
                  trial offers the load at random intervals, with the margin on top. What a candidate \
                  sustains is read off a closed loop of rising load, without the margin. Everything \
                  is simulated: prices, power and the time of a rebuild are not in it.",
    command: "The command as it was typed",
    candidates_caption: |iops, profile, rule| {
        format!("What sustains {iops} of {profile} at {rule}, fewest drives first.")
    },
    heads: SizingHeads {
        number: "No.",
        system: "System",
        drives: "Drives",
        count: "count",
        drive: "drive",
        write_cache: "write cache",
        usable: "usable",
        stroke: "stroke",
        at_load: "At the load asked for",
        at_rule: "At the rule",
        sustained: "sustained",
        headroom: "headroom",
        saturates: "saturates first",
        model: "Model",
        margin: "margin",
        data: "data",
        multiplier: "multiplier",
    },
    response: |metric| format!("{metric} response time"),
    uncalibrated_cell: "uncalibrated",
    enclosures: "enclosures",
    and_more: |names, more| format!("{names} and {more} more"),
    part: |part| part,
    strokes_caption: [
        "What ",
        " would sustain with its data spread over more or less of each drive. The multiplier is the \
         share of the first row.",
    ],
    growth_title: "Sustained throughput over the number of drives",
    growth_caption: "What candidates sustain with fewer drives and with more, their data spread over \
                     all of them. Rings are the candidates of the table; the line is the load that \
                     was asked for.",
    drives_axis: "Drives",
    sustained_axis: "Sustained throughput in IO/s",
    growth_point: |name, drives, iops| format!("{name}: {drives} drives, {iops}"),
    growth_mark: |name| format!("{name}: the candidate"),
    stroke_title: "Sustained throughput over the disk stroke",
    stroke_axis: "Share of each drive's capacity in %",
    stroke_point: |stroke, iops| format!("{stroke} stroke: {iops}"),
    stroke_caption: |stroke, bytes| {
        format!(
            "The first candidate with its data on more or less of each drive; at {stroke} it holds \
             {bytes}."
        )
    },
    asked_line: |iops| format!("asked for: {iops}"),
    source: |profile, rule| format!("Simulated: {profile} at {rule}"),
};
