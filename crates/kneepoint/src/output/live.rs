//! A comparison by turns as text: the table of differences, and what follows from each.

use kneepoint_core::measure::confidence::{PairDecision, PairedRatio};
use kneepoint_core::measure::{ComparedBy, LoadDifference, Turn};
use kneepoint_core::result::ThroughputUnit;
use kneepoint_core::words::number::{Change, Level, Percentage, ResponseTime};
use kneepoint_core::words::units::Percent;

use super::table::TextTable;
use super::text::{Text, Width};

/// The differences of all loads.
pub(crate) fn live_text(differences: &[LoadDifference], band: Percent, width: Width) -> Text {
    let offered = differences.first().is_some_and(|found| found.load.unit.is_offered());
    let load = if offered { "Offered IO/s" } else { "Outstanding" };
    let titles = ["Series", load, "A", "B", "B against A", "95 % interval", "Pairs", "Result"];
    let numbers = [load, "A", "B", "B against A", "95 % interval", "Pairs"];
    let mut table = TextTable::of(&titles, &numbers);
    table.can_spare(&["Pairs"]);
    table.may_break(&["Result"]);
    for found in differences {
        let [first, second] = found.means.map(|mean| number_text(found, mean));
        let (change, interval, pairs) = match &found.ratio {
            None => (String::new(), String::new(), String::new()),
            Some(ratio) => (change(ratio.ratio), interval_text(ratio), ratio.pairs.to_string()),
        };
        let load = Level(found.load.value).to_string();
        let result = result_text(found, band);
        table.row(vec![found.series.clone(), load, first, second, change, interval, pairs, result]);
    }
    let disturbed: usize = differences.iter().map(|found| found.disturbed_pairs).sum();
    let mut parts = vec![table.fitted(width)];
    if disturbed > 0 {
        parts.push(
            format!("Left out, because other programs disturbed them: {disturbed} pairs.\n").into(),
        );
    }
    Text::join(parts, "\n")
}

/// What is known of the difference, behind the line of a visit.
pub(crate) fn known_text(found: &LoadDifference) -> String {
    let ratio = found.ratio.as_ref();
    ratio.map_or_else(String::new, |ratio| {
        let label = Turn::Second.label();
        format!("  {label}: {} ({})", change(ratio.ratio), interval_text(ratio))
    })
}

fn number_text(found: &LoadDifference, mean: f64) -> String {
    match found.number {
        ComparedBy::Rate => ThroughputUnit::under(found.load.unit).text(mean),
        ComparedBy::ResponseTime => ResponseTime(mean).to_string(),
    }
}

fn change(ratio: f64) -> String {
    Change(100.0 * (ratio - 1.0)).to_string()
}

fn interval_text(ratio: &PairedRatio) -> String {
    format!("{} to {}", change(ratio.low), change(ratio.high))
}

/// What follows from the difference.
fn result_text(found: &LoadDifference, band: Percent) -> String {
    let undecided = || format!("undecided after {} pairs", found.pairs);
    let Some(ratio) = found.ratio else { return undecided() };
    // A response time is the better the shorter it is.
    let is_rate = found.number == ComparedBy::Rate;
    match ratio.decision {
        PairDecision::Same => format!("no practical difference ({})", Percentage(band.get())),
        PairDecision::Open => undecided(),
        PairDecision::Larger if is_rate => "B is faster".to_owned(),
        PairDecision::Smaller if !is_rate => "B is faster".to_owned(),
        PairDecision::Larger | PairDecision::Smaller => "B is slower".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use kneepoint_core::words::load::LoadLevel;

    use super::*;
    use crate::output::text::Colours;

    fn found(number: ComparedBy, decision: Option<PairDecision>) -> LoadDifference {
        let ratio = |decision| PairedRatio { ratio: 1.1, low: 1.0, high: 1.2, pairs: 12, decision };
        LoadDifference {
            series: "s".to_owned(),
            load: LoadLevel::outstanding(4),
            number,
            means: [100.0, 110.0],
            ratio: decision.map(ratio),
            pairs: 12,
            disturbed_pairs: 0,
        }
    }

    #[test]
    fn each_result_has_its_own_sentence() {
        let band = Percent::new(5.0).expect("a share");
        let text = |number, decision| result_text(&found(number, decision), band);
        let (rate, time) = (ComparedBy::Rate, ComparedBy::ResponseTime);
        assert_eq!(text(rate, Some(PairDecision::Larger)), "B is faster");
        assert_eq!(text(rate, Some(PairDecision::Smaller)), "B is slower");
        assert_eq!(text(time, Some(PairDecision::Larger)), "B is slower");
        assert_eq!(text(time, Some(PairDecision::Smaller)), "B is faster");
        assert_eq!(text(rate, Some(PairDecision::Same)), "no practical difference (5%)");
        assert_eq!(text(rate, Some(PairDecision::Open)), "undecided after 12 pairs");
        assert_eq!(text(rate, None), "undecided after 12 pairs");
    }

    #[test]
    fn pairs_that_were_left_out_are_told_of_only_where_there_are_any() {
        let band = Percent::new(5.0).expect("a share");
        let said = |disturbed_pairs| {
            let found = found(ComparedBy::Rate, Some(PairDecision::Larger));
            let found = LoadDifference { disturbed_pairs, ..found };
            live_text(&[found], band, Width::Unlimited).rendered(Colours::Off)
        };
        assert!(!said(0).contains("Left out"), "{}", said(0));
        assert!(said(3).contains("disturbed them: 3 pairs"), "{}", said(3));
        assert_eq!(known_text(&found(ComparedBy::Rate, None)), "");
    }
}
