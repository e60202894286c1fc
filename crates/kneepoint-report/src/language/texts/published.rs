//! Published numbers beside simulated ones.

use crate::language::Language::{self, English, German};

texts! {
    heading: "Published and simulated" | "Veröffentlicht und simuliert";
    caption:
        "Published numbers, and what the simulation gives in their place"
        | "Veröffentlichte Zahlen und was die Simulation an ihrer Stelle ergibt";
    read_off: "Read off" | "Abgelesen";
    /// The highest number up to a load.
    highest(load: &str): "highest up to {load}" | "höchster Wert bis {load}";
    published: "Published" | "Veröffentlicht";
    simulated: "Simulated" | "Simuliert";
    error: "Error" | "Fehler";
    source: "Source" | "Quelle";
    chance:
        "± is the sampling error of the simulation (95\u{a0}% confidence interval); the error is how far the \
         simulated number is from the published one."
        | "± ist der Stichprobenfehler der Simulation (95-%-Konfidenzintervall); der Fehler sagt, wie weit \
           die simulierte Zahl von der veröffentlichten entfernt ist.";
    /// What the model was fitted to includes these numbers.
    fitted(cells: &str):
        "The parameters of the model were fitted to {cells}, among them these: the error says how well \
         the model can be made to agree, not how well it predicts what no one has measured."
        | "Die Parameter des Modells wurden an {cells} angepasst, darunter diese: Der Fehler sagt, \
           wie gut sich das Modell anpassen lässt, nicht wie gut es vorhersagt, was niemand gemessen \
           hat.";
    figure: "Error of the simulation on published numbers" | "Fehler der Simulation bei veröffentlichten Zahlen";
    figure_note:
        "To the right of the line the simulation does more than was published."
        | "Rechts der Linie leistet die Simulation mehr als veröffentlicht.";
    axis: "Error of the simulated number" | "Fehler der simulierten Zahl";
}

/// How many numbers of the run were published, and how large the errors are.
pub(crate) fn summary(
    language: Language,
    count: usize,
    [mean, largest]: [&str; 2],
    sources: &str,
) -> String {
    let number = language.count(count);
    match (language, count) {
        (English, 1) => {
            format!(
                "One number of this run was published ({sources}). The simulated one deviates by {mean}."
            )
        }
        (German, 1) => format!(
            "Eine Zahl dieses Laufs wurde veröffentlicht ({sources}). Die simulierte weicht um {mean} \
             ab."
        ),
        (English, _) => format!(
            "{number} numbers of this run were published ({sources}). The simulated ones deviate by {mean} \
             on average, and by {largest} at most."
        ),
        (German, _) => format!(
            "{number} Zahlen dieses Laufs wurden veröffentlicht ({sources}). Die simulierten weichen im \
             Mittel um {mean} ab, höchstens um {largest}."
        ),
    }
}

/// Published numbers that a model was fitted to.
pub(crate) fn cells(language: Language, count: u32) -> String {
    let number = language.count_u64(count.into());
    match (language, count) {
        (English, 0) => "published numbers".to_owned(),
        (German, 0) => "veröffentlichten Zahlen".to_owned(),
        (English, _) => format!("{number} published numbers"),
        (German, _) => format!("{number} veröffentlichten Zahlen"),
    }
}
