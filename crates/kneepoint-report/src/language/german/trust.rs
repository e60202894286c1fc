//! What limits the trust in the results, and what follows from them.

use super::words::counted;
use crate::language::catalog::{ConclusionTexts, TrustTexts};
use crate::page::Text;

pub(super) const TRUST: TrustTexts = TrustTexts {
    heading: "Aussagekraft",
    verdicts: "Urteile über die Messpunkte",
    points: "Messpunkte",
    meaning: "Bedeutung",
    reservations: "Einige Kennzahlen beruhen auf Messpunkten mit Vorbehalt",
    reservation: |series, rule, doubt| format!("{series} bei {rule}: {doubt}"),
    peak_reservation: |series, doubt| format!("{series} an der Spitze: {doubt}"),
    many_reservations: |count| {
        format!("Es sind {count}; jede ist dort gekennzeichnet, wo sie steht, mit ihrem Messpunkt.")
    },
    run_warnings: "Warnungen zum ganzen Lauf",
    point_warnings: "Warnungen zu Messpunkten",
    point_warnings_caption: "Warnungen zu Messpunkten",
    warning: "Warnung",
    io_errors: "I/O-Fehler",
    io_errors_caption: "I/O-Fehler",
    first_errors: "die ersten",
    omissions: "Vom Plan aus der Suite weggelassen",
};

pub(super) const CONCLUSIONS: ConclusionTexts = ConclusionTexts {
    heading: "Schlussfolgerungen",
    nothing: "Aus diesem Lauf folgt nichts: Er hat keinen brauchbaren Messpunkt.",
    one: |rule, throughput, (series, id)| {
        Text::new()
            .plain(format!("Bei {rule} leistet das Ziel dauerhaft "))
            .strong(throughput)
            .plain(" mit ")
            .link(series, id)
            .plain(".")
    },
    between: |rule, (low, (first, first_id)), (high, (last, last_id))| {
        Text::new()
            .plain(format!("Bei {rule} liegt der dauerhafte Durchsatz zwischen "))
            .strong(low)
            .plain(" mit ")
            .link(first, first_id)
            .plain(" und ")
            .strong(high)
            .plain(" mit ")
            .link(last, last_id)
            .plain(".")
    },
    beyond_last: |count, rule| {
        let verb = if count == 1 { "hält" } else { "halten" };
        format!(
            "{} {verb} {rule} bei jeder Last ein: Dauerhaft möglich ist dort mindestens der höchste \
             gemessene Durchsatz.",
            counted(count, "Messreihe", "Messreihen")
        )
    },
    below_first: |count, rule| {
        let verb = if count == 1 { "verletzt" } else { "verletzen" };
        format!(
            "{} {verb} {rule} bei jeder Last, schon bei der kleinsten: Dauerhaft möglich ist dort \
             weniger als der Durchsatz bei ihr.",
            counted(count, "Messreihe", "Messreihen")
        )
    },
    beyond_the_rule: |(series, id), [more, rule, response]| {
        Text::new()
            .plain(
                "Jenseits der Regel wächst das Warten schneller als der Durchsatz: Die Spitze von ",
            )
            .link(series, id)
            .plain(format!(
                " liegt {more} über dem, was bei {rule} dauerhaft möglich ist, bei einer mittleren \
                 Antwortzeit von {response}."
            ))
    },
    again: |count, id| {
        let points = counted(count, "Messpunkt", "Messpunkte");
        let verb = if count == 1 { "sollte" } else { "sollten" };
        Text::new()
            .plain(format!(
                "{points} {verb} erneut gemessen werden, bevor Entscheidungen darauf beruhen: siehe "
            ))
            .link("Aussagekraft", id)
            .plain(".")
    },
    nothing_doubtful: |points| {
        format!(
            "{points}: keiner davon ist driftend, fehlgeschlagen oder gestört, und keiner trägt eine Warnung."
        )
    },
};
