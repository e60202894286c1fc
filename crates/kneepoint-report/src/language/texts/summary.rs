//! The first page.

use super::common::{all_series, listed};
use super::findings;
use crate::language::Language::{self, English, German};

texts! {
    /// Before the series whose results can hardly be true.
    implausible: "Hardly plausible: " | "Kaum plausibel: ";
    heading: "Summary" | "Zusammenfassung";
    simulated: "Simulated" | "Simuliert";
    partly_simulated: "Partly simulated" | "Teils simuliert";
    measured: "Measured" | "Gemessen";
    null: "No storage" | "Kein Speicher";
    measured_text: "Every number comes from I/O on the target." | "Jede Zahl stammt aus I/Os auf dem Ziel.";
    /// The same of work other than I/O.
    measured_work:
        "Every number comes from work that this machine did."
        | "Jede Zahl stammt aus Arbeit, die diese Maschine getan hat.";
    simulated_text:
        "A model in virtual time; no device was measured."
        | "Ein Modell in virtueller Zeit; kein Gerät wurde gemessen.";
    never_fitted:
        "It was never fitted to measurements."
        | "Es wurde nie an Messungen angepasst.";
    /// Of several models, or of a model at several settings.
    partly_fitted:
        "Only some of what was simulated was ever fitted to measurements."
        | "Nur ein Teil des Simulierten wurde je an Messungen angepasst.";
    /// After it, if sequential access to a server was simulated.
    unfitted_streams:
        "None of them was of sequential access: what the model says of that was never fitted."
        | "Keine davon betraf sequenziellen Zugriff: Was das Modell darüber sagt, wurde nie angepasst.";
    fitted(cells: &str, error: &str):
        "Fitted to {cells} published measurements (mean error {error}; elsewhere unknown)."
        | "Angepasst an {cells} veröffentlichte Messwerte (mittlerer Fehler {error}; sonst unbekannt).";
    /// Of several models, or of one whose parameters were changed since.
    fitted_somehow:
        "It was fitted to measurements, but its error in this form is not known."
        | "Es ist an Messungen angepasst, doch in dieser Form ist sein Fehler nicht bekannt.";
    system: "System" | "System";
    drives: "Drives" | "Laufwerke";
    settings: "Settings" | "Einstellungen";
    software: "Software" | "Software";
    stroke(share: &str): "{share} of each used" | "je Laufwerk {share} genutzt";
    /// The first finding where it holds of every point.
    all_disturbed:
        "What the target does by itself cannot be told: something else disturbed every point."
        | "Was das Ziel für sich leistet, lässt sich nicht sagen: Etwas anderes hat jeden Messpunkt \
           gestört.";
    /// Levels that a setting was varied over.
    varied(levels: &str): "varied ({levels})" | "variiert ({levels})";
    /// Heads the settings that were varied and are named nowhere else at the top.
    varied_settings: "Varied" | "Variiert";
    /// Heads the settings that profiles have as their own and that are named nowhere else at the top.
    own_settings: "Own settings of" | "Eigene Einstellungen von";
    /// Behind the value of a setting, in brackets: the profiles that have it at another level.
    own_level(level: &str, profiles: &str): "{profiles}: {level}" | "{profiles}: {level}";
    /// In place of the size used, the settings that decide on it.
    varies_with(settings: &str): "varies with {settings}" | "je nach {settings}";
    up_to(size: &str): "up to {size}" | "bis zu {size}";
    size_of(size: &str, targets: &str): "{size} on {targets} targets" | "{size} auf {targets} Zielen";
    /// Follows the name of a series.
    collapse(percent: &str, load: &str):
        ": throughput falls by {percent} from its peak when overloaded (at {load})."
        | ": Bei Überlast fällt der Durchsatz um {percent} unter seine Spitze (bei {load}).";
    best_of_profile:
        " Of each load profile the best series."
        | " Von jedem Lastprofil die beste Messreihe.";
    /// Behind it, where there are more than the table has room for.
    first_rows(shown: &str, all: &str):
        " The first {shown} of {all}."
        | " Die ersten {shown} von {all}.";
    /// What the numbers of the table are.
    at_set_load:
        "Throughput at the one load that was set."
        | "Durchsatz bei der einen Last, die eingestellt war.";
    at_peak: "Peak throughput." | "Höchster Durchsatz.";
    sustained(within: &str):
        "Throughput sustained {within}."
        | "Nutzbarer Durchsatz {within}.";
    /// Series have different rules, which are beside their names.
    sustained_by_own:
        "Throughput sustained at the first rule of each series."
        | "Nutzbarer Durchsatz bei der ersten Regel jeder Messreihe.";
    /// Begins a list of ranges.
    sustained_range(within: &str): "Sustained {within}" | "Nutzbarer Durchsatz {within}";
    /// Between the ends of a range.
    to: " to " | " bis ";
    /// Heads the share of the best of the same unit.
    of_best: "Of the best" | "Anteil am besten";
    once:
        "Intervals (±, 95\u{a0}%) hold within this run, which measured everything once."
        | "Intervalle (±, 95\u{a0}%) gelten innerhalb dieses Laufs, der alles einmal gemessen hat.";
    repeated(count: &str):
        "Intervals (±, 95\u{a0}%) come from {count} measurements of each load in this run."
        | "Intervalle (±, 95\u{a0}%) beruhen auf {count} Messungen jeder Last in diesem Lauf.";
    scatter_of_model:
        "Intervals (±, 95\u{a0}%) are the scatter of the model; they say nothing of how near it is \
         to a real system."
        | "Intervalle (±, 95\u{a0}%) sind die Streuung des Modells; wie nah es einem wirklichen \
           System kommt, sagen sie nicht.";
}

/// For how many of all series a plateau was shown, and the parts that limit them.
pub(crate) fn saturated(
    language: Language,
    some: usize,
    all: usize,
    limits: &[(String, usize)],
) -> String {
    let count = language.count(some);
    let series = all_series(language, all);
    let limit = |(part, of): &(String, usize)| {
        format!("{} ({})", findings::part(language, part), language.count(*of))
    };
    let limits = listed(language, &limits.iter().map(limit).collect::<Vec<_>>());
    match (language, limits.is_empty()) {
        (English, true) => {
            format!("A plateau was shown for {count} of {series}: more load adds nothing there.")
        }
        (English, false) => {
            format!("A plateau was shown for {count} of {series}, limited by {limits}.")
        }
        (German, true) => {
            format!(
                "Für {count} von {series} zeigte sich ein Plateau: Mehr Last bringt dort nichts."
            )
        }
        (German, false) => {
            format!("Für {count} von {series} zeigte sich ein Plateau, begrenzt durch {limits}.")
        }
    }
}
