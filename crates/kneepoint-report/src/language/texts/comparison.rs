//! Several runs side by side.

use kneepoint_core::analysis::comparison::{OverallDifference, TestFamilies};

use crate::language::Language::{self, English, German};

texts! {
    /// How many points are valid, and how many warnings there are.
    warned(valid: &str, warnings: &str):
        "{valid}, and {warnings}: see the runs' own reports."
        | "{valid}, und {warnings}: siehe die Berichte der einzelnen Läufe.";
    /// Before the names of the runs, each with its id.
    run_ids: "The runs:" | "Die Läufe:";
    kind: "Storage performance comparison" | "Vergleich von Speicherleistung";
    kind_of_server: "Server performance comparison" | "Vergleich von Serverleistung";
    title(runs: &str, reference: &str): "{runs} against {reference}" | "{runs} gegen {reference}";
    /// The same of too many runs to be named.
    title_of_many(count: &str, reference: &str):
        "{count} runs against {reference}"
        | "{count} Läufe gegen {reference}";
    /// The first run among the facts.
    reference: "Reference" | "Referenz";
    /// Of all runs.
    all_simulated:
        "All numbers come from models in virtual time."
        | "Alle Zahlen stammen aus Modellen in virtueller Zeit.";
    /// Of some runs.
    some_simulated(runs: &str):
        "The numbers of {runs} come from a model in virtual time; those of the others do not."
        | "Die Zahlen von {runs} stammen aus einem Modell in virtueller Zeit; die der übrigen \
           nicht.";
    /// After either of them, if some were never fitted.
    never_fitted(systems: &str):
        "Never fitted to measurements: {systems}."
        | "Nie an Messungen angepasst: {systems}.";
    /// After either of them, given an error or the smallest and the largest.
    fitted(errors: &str):
        "The models were fitted to published measurements, with a mean error of {errors} on them."
        | "Die Modelle sind an veröffentlichte Messwerte angepasst, mit einem mittleren Fehler von \
           {errors} bei diesen.";
    /// Small print of the first page.
    sampling_error:
        " Intervals (95\u{a0}%), and what is significant, allow for the sampling error of the \
         models, not for how far they are from real systems."
        | " Die Intervalle (95\u{a0}%), und was signifikant ist, berücksichtigen den \
           Stichprobenfehler der Modelle, nicht ihren Abstand von echten Systemen.";
    /// The same of what was measured.
    intervals:
        " Each interval holds with 95\u{a0}% confidence for its number; what is significant holds \
         with 95\u{a0}% confidence for the whole comparison."
        | " Jedes Intervall gilt mit 95\u{a0}% Sicherheit für seine Größe; was signifikant ist, gilt \
           mit 95\u{a0}% Sicherheit für den ganzen Vergleich.";
    /// In place of the largest and the smallest, if their intervals overlap.
    gains_alike: "Gains too close to be told apart" | "Kaum zu unterscheidende Gewinne";
    losses_alike: "Losses too close to be told apart" | "Kaum zu unterscheidende Verluste";
    largest_gain: "Largest gain" | "Größter Gewinn";
    smallest_gain: "Smallest gain" | "Kleinster Gewinn";
    largest_loss: "Largest loss" | "Größter Verlust";
    smallest_loss: "Smallest loss" | "Kleinster Verlust";
    response: "Response time" | "Antwortzeit";
    /// The number in which runs differ on the whole, given its rule.
    in_throughput(within: &str): "in throughput {within}" | "beim Durchsatz {within}";
    /// The same of the peak.
    in_peak: "in peak throughput" | "beim Spitzendurchsatz";
    /// In place of the mean over all series where too few tell.
    whole_of_too_few(run: &str, reference: &str):
        "How {run} differs from {reference} on the whole is not known: the change of at most one series is \
         known as more than a bound."
        | "Wie sich {run} im Ganzen von {reference} unterscheidet, ist nicht bekannt: Höchstens von einer \
           Messreihe ist mehr als eine Schranke der Änderung bekannt.";
    /// Of a run of which every difference rests on points that something disturbed.
    disturbed_run(run: &str, reference: &str):
        "Whether {run} differs from {reference} cannot be told: every number compared rests on points \
         that something else disturbed."
        | "Ob sich {run} von {reference} unterscheidet, lässt sich nicht sagen: Jede verglichene Größe \
           beruht auf Messpunkten, die etwas anderes gestört hat.";
    /// After it: the geometric mean of the changes, and of how many series.
    measured_all_the_same(change: &str, series: &str):
        " What was measured all the same: {change}, the geometric mean of {series}."
        | " Gemessen wurde trotzdem: {change}, das geometrische Mittel von {series}.";
    /// The same of all runs, in place of findings.
    all_disturbed:
        "Whether the runs differ cannot be told: every number compared rests on points that something \
         else disturbed. Measure again."
        | "Ob sich die Läufe unterscheiden, lässt sich nicht sagen: Jede verglichene Größe beruht auf \
           Messpunkten, die etwas anderes gestört hat. Neu messen.";
    /// After the sentence that no difference was found.
    some_disturbed(some: &str, all: &str):
        " Of {some} of {all} it cannot be told: something else disturbed their points."
        | " Bei {some} von {all} lässt es sich nicht sagen: Etwas anderes hat ihre Messpunkte gestört.";
    /// After the mean over all series.
    mean_of(series: &str):
        " That is the geometric mean of {series}."
        | " Das ist das geometrische Mittel von {series}.";
    /// After that, of series that the mean leaves out.
    bounded(series: &str):
        " It leaves out {series}, of which only a bound is known."
        | " Nicht darin: {series}, nur als Schranke bekannt.";
    /// Small print of the ratios, of a run whose mean leaves out such series.
    partial_mean(run: &str, series: &str):
        " The mean of {run} leaves out {series}, of which only a bound is known."
        | " Nicht im Mittel von {run}: {series}, nur als Schranke bekannt.";
    first_of_profile:
        " Of each load profile the first series."
        | " Von jedem Lastprofil die erste Messreihe.";
    factors: "What differs" | "Was sich unterscheidet";
    factors_caption: "What differs between the runs" | "Was sich zwischen den Läufen unterscheidet";
    factor: "Factor" | "Faktor";
    no_factor:
        "Plans, environments and targets show no difference: the same was measured again."
        | "Pläne, Umgebungen und Ziele nennen keinen Unterschied: Dasselbe wurde noch einmal \
           gemessen.";
    /// Heading of the tables.
    heading: "Comparison" | "Vergleich";
    /// Heading of the chapter on the method.
    method: "How to read this" | "Wie dies zu lesen ist";
    side_by_side(what: &str): "{what}: the runs side by side" | "{what}: die Läufe nebeneinander";
    /// Heading of the chapter of the tables load by load.
    loads_heading: "Appendix: load by load" | "Anhang: Last für Last";
    points_caption(series: &str): "{series}: load by load" | "{series}: Last für Last";
    curves_caption(series: &str):
        "Mean response time of {series} over throughput; each point is one load, rising along the \
         curve."
        | "Mittlere Antwortzeit von {series} über dem Durchsatz; jeder Punkt ist eine Last, \
           steigend entlang der Kurve.";
    ratio_of(what: &str):
        "{what}, as a ratio to the reference"
        | "{what}, im Verhältnis zur Referenz";
    /// The name of the last row, for all series together.
    geometric_mean: "Geom. mean" | "Geom. Mittel";
    ratio_axis(reference: &str): "Ratio to {reference}" | "Verhältnis zu {reference}";
    /// Small print of the ratios, given the reference.
    dots_note(reference: &str):
        "To the right of the line a run has more than {reference}; within the grey band, less than \
         5\u{a0}% apart, the difference is of no practical importance. The tables say which \
         differences are significant."
        | "Rechts der Linie hat ein Lauf mehr als {reference}; im grauen Band, mit weniger als \
           5\u{a0}% Abstand, ist der Unterschied ohne praktische Bedeutung. Welche Unterschiede \
           signifikant sind, steht in den Tabellen.";
    /// Where there are intervals.
    dots_margins:
        " Bars, where wide enough to be seen, and numbers in brackets are 95\u{a0}% confidence \
         intervals."
        | " Striche, wo sie breit genug sind, und Zahlen in Klammern sind 95-%-Konfidenzintervalle.";
    /// Where there are hollow dots.
    dots_hollow:
        " Hollow dots are bounds, or rest on drifting or disturbed points, or leave out series."
        | " Hohle Punkte sind Schranken, beruhen auf driftenden oder gestörten Punkten oder lassen \
           Messreihen aus.";
    number: "Number" | "Größe";
    /// It is not; from so much on it would have been.
    no(detectable: &str):
        "no; a change of {detectable} would be"
        | "nein; eine Änderung von {detectable} wäre es";
    /// It is not, and even a change of this size would not have been.
    no_more_than(percent: &str):
        "no; only a change of more than {percent} would be"
        | "nein; erst eine Änderung von mehr als {percent} wäre es";
    /// Only a bound is known, and that is not significant.
    not_shown: "not shown" | "nicht gezeigt";
    /// It rests on a disturbed point.
    disturbed: "disturbed: no claim" | "gestört: keine Aussage";
    sustained(within: &str): "Sustained {within}" | "Nutzbar {within}";
    percentile(name: &str): "Response time {name}" | "Antwortzeit {name}";
    axis(quantity: &str, unit: &str): "{quantity} in {unit}" | "{quantity} in {unit}";
    at_most(number: &str): "≤\u{a0}{number}" | "≤\u{a0}{number}";
    no_less(number: &str): "≥\u{a0}{number}" | "≥\u{a0}{number}";
    at_least(number: &str): "at least {number}" | "mindestens {number}";
    change_text:
        "A change is the ratio to the reference, less one. Its 95\u{a0}% confidence interval comes \
         from those of both measurements and holds for that number alone."
        | "Eine Änderung ist das Verhältnis zur Referenz, weniger eins. Das \
           95-%-Konfidenzintervall folgt aus denen beider Messungen und gilt für diese Größe \
           allein.";
    significance_text(all: u32, figures: u32, points: u32):
        "Of many intervals some miss by chance. What is called significant is therefore corrected \
         for all {all} tests of this comparison ({figures} of series, {points} of \
         single loads; Holm 1979): with 95\u{a0}% confidence none of them is chance. Where a \
         difference is not significant, the table says how large it would have had to be to be \
         found in 80 of 100 comparisons."
        | "Von vielen Konfidenzintervallen verfehlen einige die Wahrheit durch Zufall. Was \
           signifikant heißt, ist darum um alle {all} Tests dieses Vergleichs korrigiert \
           ({figures} von Messreihen, {points} von einzelnen Lasten; Holm 1979): Mit 95\u{a0}% \
           Sicherheit ist keiner davon Zufall. Wo ein Unterschied nicht signifikant ist, nennt die \
           Tabelle, wie groß er hätte sein müssen, um in 80 von 100 Vergleichen gefunden zu \
           werden.";
    /// What stands in place of an answer.
    open_text:
        "In place of an answer stands “unknown” where a number has no confidence interval, “not shown” where \
         of a number only a bound is known and that does not show the change, and “disturbed” where \
         something else changed a measurement by as much as the change, or by an unknown share."
        | "Statt einer Antwort steht „unbekannt“, wo eine Größe kein Konfidenzintervall hat, „nicht gezeigt“, \
           wo von einer Größe nur eine Schranke bekannt ist und diese die Änderung nicht zeigt, und „gestört“, \
           wo etwas anderes eine Messung um so viel wie die Änderung oder um einen unbekannten Anteil \
           verändert hat.";
    /// Where the peak is read.
    peak_text:
        "The peak is read at the smallest load whose interval reaches the highest throughput, or in a search that \
         differs from it by no more than 1\u{a0}%; what a larger load has more than that may be chance. So a single load can have a higher number."
        | "Die Spitze ist an der kleinsten Last abgelesen, deren Intervall den höchsten Durchsatz erreicht oder \
           die sich in einer Suche um höchstens 1\u{a0}% von ihm unterscheidet; was eine größere Last mehr hat, kann Zufall sein. Darum kann bei einer einzelnen Last eine höhere \
           Zahl stehen.";
    mean_text:
        "An average over equal loads is the geometric mean over the loads that all runs measured."
        | "Ein Mittel über gleiche Lasten ist das geometrische Mittel über die Lasten, die alle \
           Läufe gemessen haben.";
    profiles_differ: "The load profiles differ" | "Die Lastprofile unterscheiden sich";
    unpaired(series: &str, runs: &str):
        "{series} was not measured in {runs}."
        | "{series} wurde in {runs} nicht gemessen.";
}

/// The method, a paragraph each.
pub(crate) fn method_texts(language: Language, tests: TestFamilies) -> [String; 5] {
    let TestFamilies { figures, points } = tests;
    [
        change_text(language).to_owned(),
        significance_text(language, figures + points, figures, points),
        open_text(language).to_owned(),
        peak_text(language).to_owned(),
        mean_text(language).to_owned(),
    ]
}

/// The mean over all series if there is nothing to tell: the run, the reference, in what they are compared, and
/// the change with its interval.
pub(crate) fn no_difference(language: Language, parts: [&str; 4]) -> String {
    let [run, reference, what, change] = parts;
    match language {
        English => format!(
            "{run} and {reference} do not differ by 5\u{a0}% or more on the whole {what}: {change}."
        ),
        German => format!(
            "{run} und {reference} unterscheiden sich im Ganzen {what} nicht um 5\u{a0}% oder mehr: \
             {change}."
        ),
    }
}

/// The same of a difference that is there, but small.
pub(crate) fn small(language: Language, parts: [&str; 4]) -> String {
    let [run, reference, what, change] = parts;
    match language {
        English => format!(
            "{run} differs from {reference} on the whole {what} by {change}; a difference of \
             5\u{a0}% or more was not shown."
        ),
        German => format!(
            "{run} unterscheidet sich im Ganzen {what} um {change} von {reference}; ein \
             Unterschied von 5\u{a0}% oder mehr zeigte sich nicht."
        ),
    }
}

/// The same if that is not known either.
pub(crate) fn undecided(language: Language, parts: [&str; 4]) -> String {
    let [run, reference, what, change] = parts;
    match language {
        English => format!(
            "No difference between {run} and {reference} is shown on the whole {what}: {change}."
        ),
        German => format!(
            "Zwischen {run} und {reference} ist im Ganzen {what} kein Unterschied gezeigt: {change}."
        ),
    }
}

/// The same without an interval.
pub(crate) fn whole_unknown(language: Language, parts: [&str; 4]) -> String {
    let [run, reference, what, change] = parts;
    match language {
        English => format!(
            "How far {run} differs from {reference} on the whole {what} is not known with confidence: \
             {change} was measured, but a number that this rests on has no confidence interval, or something \
             else disturbed it."
        ),
        German => format!(
            "Wie weit sich {run} im Ganzen {what} von {reference} unterscheidet, ist nicht sicher bekannt: \
             Gemessen wurde {change}, aber eine Größe, auf der das beruht, hat kein Konfidenzintervall, oder \
             etwas anderes hat sie gestört."
        ),
    }
}

/// In how many series a run has more than the reference, as much, and less; what is true of none is left out.
pub(crate) fn counts(language: Language, found: &OverallDifference) -> String {
    let OverallDifference { wins, ties, losses, undecided, .. } = *found;
    let all = wins + ties + losses + undecided;
    let [higher, lower, neither, open] = language.choose([
        ["higher", "lower", "without such a difference", "undecided"],
        ["höher", "niedriger", "ohne solchen Unterschied", "unentschieden"],
    ]);
    let meaning = language.choose([
        " (significantly, by at least 5\u{a0}%)",
        " (signifikant, um mindestens 5\u{a0}%)",
    ]);
    let counted = [(wins, higher), (losses, lower), (ties, neither), (undecided, open)];
    let mut parts: Vec<String> = counted
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    match parts.first_mut() {
        Some(first) if wins + losses > 0 => first.push_str(meaning),
        _ => parts.insert(
            0,
            format!(
                "{} {}{meaning}",
                language.choose(["none", "keine"]),
                language.choose(["higher or lower", "höher oder niedriger"])
            ),
        ),
    }
    let parts = parts.join(", ");
    match language {
        English => format!(" Of {all} that can be compared: {parts}."),
        German => format!(" Von {all} vergleichbaren: {parts}."),
    }
}

/// A number as the mean over equal loads.
pub(crate) fn over_loads(language: Language, what: &str, count: u32) -> String {
    match (language, count) {
        (English, 1) => format!("{what} at 1 equal load"),
        (English, _) => format!("{what}, mean of {count} equal loads"),
        (German, 1) => format!("{what} bei einer gemeinsamen Last"),
        (German, _) => format!("{what}, Mittel über {count} gleiche Lasten"),
    }
}

/// A number rests on a doubtful point: run, load, verdict as in the result format.
pub(crate) fn reservation(language: Language, run: &str, load: &str, verdict: &str) -> String {
    match (language, verdict) {
        (English, _) => format!("{run} rests on the point at {load}, which is {verdict}"),
        (German, "drifting") => {
            format!("{run} beruht auf dem Punkt bei {load}, der nicht stabil ist")
        }
        (German, "disturbed") => {
            format!("{run} beruht auf dem Punkt bei {load}, der gestört wurde")
        }
        (German, other) => format!("{run} beruht auf dem Punkt bei {load}, der {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_undecided_is_called_so() {
        let found = |undecided: u32| OverallDifference {
            percent: 59.0,
            interval_percent: None,
            series: 5,
            wins: 3,
            ties: 1,
            losses: 1,
            undecided,
        };
        let english = |undecided: u32| counts(English, &found(undecided)).replace('\u{a0}', " ");
        assert_eq!(
            english(0),
            " Of 5 that can be compared: 3 higher (significantly, by at least 5 %), 1 lower, \
             1 without such a difference."
        );
        assert!(english(2).ends_with("1 without such a difference, 2 undecided."));
        assert!(!counts(German, &found(0)).contains("unentschieden"));
        assert!(counts(German, &found(2)).ends_with(", 2 unentschieden."));
        let same = OverallDifference { wins: 0, losses: 0, ties: 4, ..found(0) };
        assert_eq!(
            counts(English, &same).replace('\u{a0}', " "),
            " Of 4 that can be compared: none higher or lower (significantly, by at least 5 %), 4 \
             without such a difference."
        );
        let less = OverallDifference { wins: 0, ties: 0, losses: 5, ..found(0) };
        assert_eq!(
            counts(English, &less).replace('\u{a0}', " "),
            " Of 5 that can be compared: 5 lower (significantly, by at least 5 %)."
        );
    }
}
