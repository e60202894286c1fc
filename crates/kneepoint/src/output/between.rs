//! What a search found beside earlier searches of the same plan, as text.

use kneepoint_core::analysis::between::BetweenRuns;
use kneepoint_core::words::number::Percentage;

use super::rule::within;
use super::text::Text;

/// One line for each answer; nothing where there is no earlier one.
pub(crate) fn between_text(found: &[BetweenRuns]) -> Option<Text> {
    let text: String = found.iter().map(line).collect();
    (!text.is_empty()).then(|| Text::from(text))
}

fn line(between: &BetweenRuns) -> String {
    let BetweenRuns { series, rule, unit, runs, since, .. } = between;
    let verdict = match between.differ {
        true => {
            "they differ by more than their intervals allow for: something changed between the runs, \
             and the interval of one does not contain it"
        }
        false => "they agree within their intervals",
    };
    format!(
        "{series} {}, {runs} searches of this plan that answered it, since {since}: {} to {}, standard \
         deviation {}; {verdict}\n",
        within(rule),
        unit.text(between.lowest),
        unit.text(between.highest),
        Percentage(between.deviation_percent),
    )
}
