//! The title, what must be known first, and the abstract.

use super::words::counted;
use crate::language::Language::English;
use crate::language::catalog::{AbstractTexts, FrontTexts};
use crate::page::Text;

pub(super) const FRONT: FrontTexts = FrontTexts {
    kind: "Storage performance report",
    work: "Work",
    targets: "Targets",
    date: "Date",
    run: "Run",
    measured_by: "Measured by",
    more: |count| format!(" and {} more", English.count(count)),
    nothing_measured: "No point was measured",
    interrupted: "This run was interrupted",
    failed: "This run failed",
    ended_before_a_point: "The run ended before a point was measured. What is known of the run \
                           follows.",
    interrupted_before_a_point: "It ended before a point was measured. What is known of the run \
                                 follows.",
    failed_before_a_point: "It was ended by errors before a point was measured. What is known of \
                            the run follows.",
    interrupted_after: |points| {
        format!(
            "It ended after {points}. The numbers below stand for what was measured, not for all \
             of what was planned."
        )
    },
    failed_after: |points| {
        format!(
            "It was ended by errors after {points}. The numbers below stand for what was \
             measured, not for all of what was planned."
        )
    },
    simulated: "Simulated storage",
    simulated_text: "The numbers come from a model of a storage system in virtual time. No device \
                     was measured.",
    null: "No storage behind the numbers",
    null_text: "The null target completes every I/O at once: the numbers show what the load \
                generator itself can do.",
};

pub(super) const ABSTRACT: AbstractTexts = AbstractTexts {
    heading: "Abstract",
    run_of: |work| Text::new().plain("This report describes one run of ").code(work),
    against_one: |target, what| {
        Text::new().plain(" against ").code(target).plain(format!(" ({what}). "))
    },
    against_many: |count, names| {
        Text::new()
            .plain(format!(" against {} targets at once (", English.count(count)))
            .join(names)
            .plain("). ")
    },
    nothing_measured: "No point was measured.",
    one_point: "One point was measured.",
    measured: |points, series, duration| {
        let points = counted(points, "point", "points");
        let series = counted(series, "series", "series");
        format!("{points} in {series} were measured{duration}.")
    },
    duration: |span| format!(" in {span}, warm-up included"),
    virtual_duration: |span| format!(" in {span} of virtual time, warm-up included"),
    interrupted_after: |points| format!(" The run was interrupted after {points}."),
    failed_after: |points| format!(" The run failed after {points}."),
    progress: |measured, planned| match planned {
        Some(planned) => {
            format!("{} of {} planned points", English.count(measured), English.count(planned))
        }
        None => counted(measured, "point", "points"),
    },
    sustained: |rule, load| format!(" sustained at {rule} with {load}"),
    sustained_somewhere: |rule| format!(" sustained at {rule}"),
    missed: |rules, how| format!("at {rules}, {how}"),
    peak: "peak ",
    at_peak: |load, response| format!(" at {load} with a mean response time of {response}."),
    many_series: |count, id| {
        Text::new()
            .plain(format!("The results of all {} series are in ", English.count(count)))
            .link("Key figures", id)
            .plain(".")
    },
    suspect: |suspect, points| match suspect {
        0 if points == 0 => "There is no point to judge".to_owned(),
        0 => "No point is drifting, failed or disturbed".to_owned(),
        1 => format!("1 of {} points is drifting, failed or disturbed", English.count(points)),
        some => format!(
            "{} of {} points are drifting, failed or disturbed",
            English.count(some),
            English.count(points)
        ),
    },
    errors: |errors| match errors {
        0 => "no I/O failed".to_owned(),
        1 => "1 I/O failed".to_owned(),
        some => format!("{} I/Os failed", English.count_u64(some)),
    },
    warnings: |warnings| match warnings {
        0 => "there is no warning".to_owned(),
        1 => "there is 1 warning".to_owned(),
        some => format!("there are {} warnings", English.count(some)),
    },
    trust: |[suspect, errors, warnings], id| {
        Text::new()
            .plain(format!("{suspect}, {errors}, and {warnings}: see "))
            .link("Trust", id)
            .plain(".")
    },
    file: |size, system| match system {
        "" => format!("a file of {size}"),
        system => format!("a file of {size} on {system}"),
    },
    block_device: |size| format!("a block device of {size}"),
    simulated_system: |size| format!("a simulated storage system of {size}"),
    null_target: "no device at all: I/Os complete at once",
};
