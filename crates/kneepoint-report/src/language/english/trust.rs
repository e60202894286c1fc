//! What limits the trust in the results, and what follows from them.

use super::words::counted;
use crate::language::catalog::{ConclusionTexts, TrustTexts};
use crate::page::Text;

pub(super) const TRUST: TrustTexts = TrustTexts {
    heading: "Trust",
    verdicts: "Verdicts on the points",
    points: "Points",
    meaning: "Meaning",
    reservations: "Some key figures rest on points with a reservation",
    reservation: |series, rule, doubt| format!("{series} at {rule}: {doubt}"),
    peak_reservation: |series, doubt| format!("{series} at its peak: {doubt}"),
    many_reservations: |count| {
        format!("{count} of them do; each is marked where it is printed, with its point.")
    },
    run_warnings: "Warnings on the whole run",
    point_warnings: "Warnings on points",
    point_warnings_caption: "Warnings on points",
    warning: "Warning",
    io_errors: "I/O errors",
    io_errors_caption: "I/O errors",
    first_errors: "the first",
    omissions: "Left out of the suite by the plan",
};

pub(super) const CONCLUSIONS: ConclusionTexts = ConclusionTexts {
    heading: "Conclusions",
    nothing: "Nothing follows from this run: it has no usable point.",
    one: |rule, throughput, (series, id)| {
        Text::new()
            .plain(format!("At {rule}, the throughput that "))
            .link(series, id)
            .plain(" sustains is ")
            .strong(throughput)
            .plain(".")
    },
    between: |rule, (low, (first, first_id)), (high, (last, last_id))| {
        Text::new()
            .plain(format!("At {rule}, sustained throughput lies between "))
            .strong(low)
            .plain(" for ")
            .link(first, first_id)
            .plain(" and ")
            .strong(high)
            .plain(" for ")
            .link(last, last_id)
            .plain(".")
    },
    beyond_last: |count, rule| {
        let verb = if count == 1 { "meets" } else { "meet" };
        format!(
            "{} {verb} {rule} at every load: what is sustained there is at least the highest \
             throughput that was measured.",
            counted(count, "series", "series")
        )
    },
    below_first: |count, rule| {
        let verb = if count == 1 { "breaks" } else { "break" };
        format!(
            "{} {verb} {rule} at every load, the lowest included: what is sustained there is less \
             than the throughput at the lowest.",
            counted(count, "series", "series")
        )
    },
    beyond_the_rule: |(series, id), [more, rule, response]| {
        Text::new()
            .plain("Beyond the rule, waiting grows faster than throughput: the peak of ")
            .link(series, id)
            .plain(format!(
                " is {more} above what it sustains at {rule}, with a mean response time of \
                 {response}."
            ))
    },
    again: |count, id| {
        let points = counted(count, "point", "points");
        Text::new()
            .plain(format!("{points} should be measured again before decisions rest on them: see "))
            .link("Trust", id)
            .plain(".")
    },
    nothing_doubtful: |points| {
        format!("Of {points}, none is drifting, failed or disturbed, and none carries a warning.")
    },
};
