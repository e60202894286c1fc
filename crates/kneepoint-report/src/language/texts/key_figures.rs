//! The chapter of key figures, and where a series stands at a rule and at its peak.

use super::method;
use crate::language::Language;
use crate::page::Text;

texts! {
    heading: "Key figures" | "Kennzahlen";
    none:
        "There are none: no series has a point."
        | "Es gibt keine: Keine Messreihe hat einen Messpunkt.";
    no_rule:
        "The run has no rule, so no throughput is called sustained."
        | "Der Lauf hat keine Regel, daher heißt kein Durchsatz nutzbar.";
    /// Given the unit of every throughput in the table.
    caption(unit: &str):
        "Sustained throughput, saturation knee and peak, in {unit}"
        | "Nutzbarer Durchsatz, Sättigungspunkt und Spitze, in {unit}";
    at_set_load(unit: &str):
        "Throughput at the one load that was set, in {unit}"
        | "Durchsatz bei der einen Last, die eingestellt war, in {unit}";
    /// Over the columns of [`times_the_knee`].
    of_the_peak: "Of the peak at" | "Von der Spitze bei";
    times_the_knee(times: u32):
        "{times}\u{a0}× the knee" | "{times}-facher Last";
    /// Explains these columns; follows the explanation of the table.
    overload:
        " The last columns say how much of the peak is left at twice and at four times the load of the \
         knee; where that load was not measured, this is interpolated."
        | " Die letzten Spalten nennen, wie viel von der Spitze bei der doppelten und der vierfachen Last \
           des Sättigungspunkts bleibt; wo diese Last nicht gemessen wurde, ist interpoliert.";
    /// The same where there is one such column.
    overload_twice:
        " The last column says how much of the peak is left at twice the load of the knee; where that load was \
         not measured, this is interpolated."
        | " Die letzte Spalte nennt, wie viel von der Spitze bei der doppelten Last des Sättigungspunkts bleibt; \
           wo diese Last nicht gemessen wurde, ist interpoliert.";
    /// A rule whose reference another run has measured.
    stored_reference(rule: &str, value: &str, run: &str):
        "{rule}: the reference, {value}, was not measured in this run but in run {run}."
        | "{rule}: Der Bezugswert, {value}, wurde nicht in diesem Lauf gemessen, sondern im Lauf {run}.";
    sustained_at: "Sustained throughput" | "Nutzbarer Durchsatz";
    saturation: "Saturation knee" | "Sättigungspunkt";
    /// Begins the explanation of the table.
    reading:
        "A series is a load profile at one block size, with its settings in brackets where they were \
         varied. "
        | "Eine Messreihe ist ein Lastprofil mit einer Blockgröße, mit den Einstellungen in Klammern, \
           wo sie variiert wurden. ";
    /// The same of work other than I/O.
    reading_work:
        "A series is a load profile, with its settings in brackets where they were varied. "
        | "Eine Messreihe ist ein Lastprofil, mit den Einstellungen in Klammern, wo sie variiert wurden. ";
    /// How throughput at a rule was found where each load was measured for itself.
    between_points:
        "Sustained throughput is interpolated between two measured points on either side of the rule, or it is \
         the peak where that meets the rule. "
        | "Der nutzbare Durchsatz ist zwischen zwei Messpunkten beiderseits der Regel interpoliert oder, wo \
           die Spitze die Regel einhält, die Spitze selbst. ";
    /// The same where loads were visited.
    through_visits:
        "Sustained throughput is read off straight lines through all visits near the rule, or it is the peak \
         where that meets the rule. "
        | "Der nutzbare Durchsatz ist an Geraden durch alle Besuche in der Nähe der Regel abgelesen oder, wo \
           die Spitze die Regel einhält, die Spitze selbst. ";
    /// Ends the explanation; the chapter on the method follows.
    bounds:
        "With ≥ every load met the rule, with < none did, the lowest included. At the saturation knee \
         throughput stops rising. The words are explained under "
        | "Bei ≥ hielt jede Last die Regel ein, bei < keine, auch die kleinste nicht. Am \
           Sättigungspunkt hört der Durchsatz auf zu steigen. Was die Wörter bedeuten, steht unter ";
    range(from: &str, to: &str): "{from} to {to}" | "{from} bis {to}";
    /// The score of business operations, with the range of warehouses that it takes.
    score(series: &str, rate: &str, range: &str):
        "{series} scores {rate}: the mean throughput with {range} warehouses. The number is \
         Kneepoint's own and cannot be compared with those of published benchmarks."
        | "{series} erreicht {rate}: den mittleren Durchsatz mit {range} Lagerhäusern. Das \
           ist eine eigene Zahl von Kneepoint, nicht vergleichbar mit denen veröffentlichter Benchmarks.";
    /// Behind the scores of a run.
    score_disturbed(disturbed: &str, all: &str):
        "Disturbed points among the {all} that the scores take: {disturbed}; measure them again before you \
         rely on a score."
        | "Gestörte Messpunkte unter den {all}, auf denen die Gesamtzahlen beruhen: {disturbed}; vor einer \
           Entscheidung erneut messen.";
    /// In place of it.
    no_score(series: &str):
        "{series} has no score: it takes every number of warehouses from the expected peak to twice as \
         many."
        | "{series} hat keine Gesamtzahl: Dazu gehört jede Zahl von Lagerhäusern von der erwarteten \
           Spitze bis zum Doppelten.";
    still(response: &str): "still {response}" | "noch {response}";
    rising: "still rising at the highest load" | "steigt bei der größten Last noch";
    unknown: "unknown: no usable point" | "unbekannt: kein brauchbarer Messpunkt";
    doubt(load: &str, verdict: &str):
        "the point at {load} is {verdict}"
        | "der Messpunkt bei {load} ist {verdict}";
    /// Throughput that falls beyond the peak: by how much, and at which load; follows the load of
    /// the peak.
    collapse(percent: &str, load: &str):
        " (falls by {percent} at {load})"
        | " (fällt um {percent} bei {load})";
    /// A higher load with more throughput, which its interval does not tell from the peak: by how much,
    /// and at which load.
    above(percent: &str, load: &str):
        " (the {percent} more at {load} are within its interval)"
        | " (die {percent} mehr bei {load} liegen im Konfidenzintervall der Spitze)";
}

/// Explains the table, given what a series is and how throughput at a rule was found.
pub(crate) fn remark(language: Language, (reading, found): (&str, &str)) -> Text {
    let text = format!("{reading}{found}{}", bounds(language));
    Text::new().plain(text).link(method::heading(language), "method").plain(".")
}
