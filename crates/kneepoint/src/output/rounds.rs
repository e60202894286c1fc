//! Rounds over all series until steady state: the test, and what counts.

use std::borrow::Cow;

use kneepoint_core::analysis::points_of_rounds;
use kneepoint_core::result::{PointResult, RoundsAnalysis, RunDocument, TrackedSeries};
use kneepoint_core::spec::suite::TrackedQuantity;
use kneepoint_core::words::number::{Fixed, Rate, ResponseTime};

/// The points for the tables: of rounds one for each series, over those that count.
pub(super) fn told_points(document: &RunDocument) -> Cow<'_, [PointResult]> {
    points_of_rounds(&document.points, document.analysis.rounds.as_ref())
}

/// Whether the rounds became steady, and the test of each tracked series; nothing for a run without rounds.
pub(super) fn rounds_text(document: &RunDocument) -> Option<String> {
    let found = document.analysis.rounds.as_ref()?;
    let rounds = match found.rounds {
        1 => "1 round".to_owned(),
        count => format!("{count} rounds"),
    };
    let window = found.window.first().zip(found.window.last());
    let Some((first, last)) = window else {
        return Some(format!(
            "not steady: {rounds} are too few for the test, and the numbers are means over all of them\n"
        ));
    };
    let word = if found.attained { "steady after" } else { "not steady after" };
    let mut text = format!(
        "{word} {rounds}; the numbers are means over {} of them, from round {} to round {}\n",
        found.window.len(),
        first + 1,
        last + 1,
    );
    found.tracked.iter().for_each(|one| text.push_str(&tracked_text(found, one)));
    Some(text)
}

fn tracked_text(found: &RoundsAnalysis, one: &TrackedSeries) -> String {
    let mean = match found.quantity {
        TrackedQuantity::Rate => format!("{} IO/s", Rate(one.mean)),
        TrackedQuantity::Mean => ResponseTime(one.mean).to_string(),
    };
    let beyond = if one.is_steady { "" } else { ", beyond a limit" };
    format!(
        "  {}: {mean}, range {}% of {}% allowed, line changes by {}% of {}% allowed{beyond}\n",
        one.series,
        Fixed(one.range_percent, 1),
        Fixed(found.range_percent_max, 1),
        Fixed(one.slope_percent, 1),
        Fixed(found.slope_percent_max, 1),
    )
}
