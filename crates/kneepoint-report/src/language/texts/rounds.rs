//! Rounds over all series until steady state.

use kneepoint_core::result::RoundsAnalysis;
use kneepoint_core::spec::suite::TrackedQuantity;

use super::common;
use crate::language::Language::{self, English, German};

texts! {
    heading: "Steady state" | "Eingeschwungener Zustand";
    others:
        "The numbers of all other chapters are those of these rounds alone; every round is in the result."
        | "Die Zahlen aller anderen Kapitel sind die dieser Runden allein; im Ergebnis ist jede Runde.";
    series: "Series" | "Messreihe";
    mean: "Mean of the window" | "Mittel des Fensters";
    range: "Range" | "Spannweite";
    range_max: "Allowed" | "Erlaubt";
    slope: "Change of the line" | "Änderung der Geraden";
    slope_max: "Allowed, up or down" | "Erlaubt, auf oder ab";
    verdict: "Steady" | "Stabil";
    yes: "yes" | "ja";
    no: "no" | "nein";
    determination: "Determination of the steady state" | "Prüfung auf eingeschwungenen Zustand";
    reading:
        "The range is the largest less the smallest value of the window, the change that of the \
         least-squares line from its first round to its last; both are shares of the mean."
        | "Die Spannweite ist der größte weniger der kleinste Wert des Fensters, die Änderung die der \
           Ausgleichsgeraden von seiner ersten bis zu seiner letzten Runde; beide sind Anteile des Mittels.";
    round: "Round" | "Runde";
    share_of_mean: "% of the mean of the window" | "% des Mittels des Fensters";
    beside_mean: "% above or below the mean" | "% über oder unter dem Mittel";
    convergence: "Convergence: the tracked series in all rounds" | "Konvergenz: die beobachteten Messreihen in allen Runden";
    window_of(series: &str): "Window of {series}" | "Fenster von {series}";
    line: "Least-squares line" | "Ausgleichsgerade";
    mean_line: "Mean" | "Mittel";
    upper(half: &str): "+{half}" | "+{half}";
    lower(half: &str): "\u{2212}{half}" | "\u{2212}{half}";
    band(half: &str):
        "The level lines are the mean and {half} above and below it: values within that band meet the limit of \
         the range."
        | "Die waagerechten Linien sind das Mittel und {half} darüber und darunter: Werte in diesem Band halten \
           die Grenze der Spannweite ein.";
    in_round(series: &str, round: &str, value: &str):
        "{series}, round {round}: {value}"
        | "{series}, Runde {round}: {value}";
    written: "Written (GiB)" | "Geschrieben (GiB)";
    over_written(series: &str):
        "Throughput (IO/s) of {series} over what the rounds wrote"
        | "Durchsatz (IO/s) von {series} über das von den Runden Geschriebene";
    after_writing(written: &str, value: &str): "after {written}: {value}" | "nach {written}: {value}";
    rates: "IO/s, mean of the rounds that count" | "IO/s, Mittel der Runden, die zählen";
    means:
        "Mean response time (ms) over the rounds that count"
        | "Mittlere Antwortzeit (ms) über die Runden, die zählen";
    longest:
        "Longest response time (ms) in the rounds that count"
        | "Längste Antwortzeit (ms) in den Runden, die zählen";
    cells: "All series over the rounds that count" | "Alle Messreihen über die Runden, die zählen";
    mean_ms: "Mean response time (ms)" | "Mittlere Antwortzeit (ms)";
    max_ms: "Longest (ms)" | "Längste (ms)";
    profile: "Load profile" | "Lastprofil";
    method:
        "The method is that of the SNIA Solid State Storage Performance Test Specification 2.0.x as far as \
         it is known here; conformance is not claimed."
        | "Die Methode ist die der SNIA Solid State Storage Performance Test Specification 2.0.x, soweit sie \
           hier bekannt ist; Konformität wird nicht behauptet.";
    not_purged:
        "Kneepoint purged nothing before: what the drives held and how worn they were is part of the numbers."
        | "Kneepoint hat vorher nichts gelöscht (Purge): Was die Laufwerke enthielten und wie abgenutzt sie \
           waren, gehört zu den Zahlen.";
    set_before(settings: &str):
        "Before anything was written, commands of the user set {settings}; whether that purges a drive is for their \
         author to say."
        | "Bevor etwas geschrieben wurde, setzten Befehle des Anwenders {settings}; ob das ein Laufwerk löscht (Purge), \
           weiß, wer sie geschrieben hat.";
    simulated:
        "The drives are simulated, and every series began with the state that the one before had left."
        | "Die Laufwerke sind simuliert, und jede Messreihe begann mit dem Zustand, den die vorige hinterlassen \
           hatte.";
}

/// How long each series took in a round, if it is not the minute of the specification.
pub(crate) fn shortened(language: Language, time: &str) -> String {
    match language {
        English => format!(
            "Each series took {time} in a round, not a minute: the numbers are for practice, and cannot be \
             compared with those of the specification."
        ),
        German => format!(
            "Jede Messreihe dauerte {time} je Runde statt einer Minute: Die Zahlen sind zur Übung und mit \
             denen der Spezifikation nicht vergleichbar."
        ),
    }
}

/// Whether the rounds became steady, and which of them count.
pub(crate) fn outcome(language: Language, found: &RoundsAnalysis) -> String {
    let rounds = common::rounds(language, found.rounds as usize);
    let (window, first, last) = (
        language.count(found.window.len()),
        found.window.first().map_or(0, |round| u64::from(*round) + 1),
        found.window.last().map_or(0, |round| u64::from(*round) + 1),
    );
    let [first, last] = [first, last].map(|round| language.count_u64(round));
    let what = match (language, found.quantity) {
        (English, TrackedQuantity::Rate) => "the throughput",
        (English, TrackedQuantity::Mean) => "the mean response time",
        (German, TrackedQuantity::Rate) => "der Durchsatz",
        (German, TrackedQuantity::Mean) => "die mittlere Antwortzeit",
    };
    match (language, found.window.is_empty(), found.attained) {
        (English, true, _) => format!(
            "Not steady: {rounds} are too few for the test. The numbers are means over all of them."
        ),
        (English, false, true) => format!(
            "Steady after {rounds}: {what} of every tracked series is within both limits over {window} rounds \
             from round {first} to round {last}. The numbers are means over these."
        ),
        (English, false, false) => format!(
            "Not steady: after {rounds}, {what} of at least one tracked series is beyond a limit over {window} \
             rounds from round {first} to round {last}. The numbers are means over these, and more rounds may \
             change them."
        ),
        (German, true, _) => format!(
            "Nicht stabil: {rounds} sind zu wenige für die Prüfung. Die Zahlen sind Mittel über alle."
        ),
        (German, false, true) => format!(
            "Stabil nach {rounds}: {what} jeder beobachteten Messreihe hält über {window} Runden von Runde \
             {first} bis Runde {last} beide Grenzen ein. Die Zahlen sind Mittel über diese."
        ),
        (German, false, false) => format!(
            "Nicht stabil: Nach {rounds} ist {what} mindestens einer beobachteten Messreihe über {window} \
             Runden von Runde {first} bis Runde {last} jenseits einer Grenze. Die Zahlen sind Mittel über \
             diese, und weitere Runden können sie ändern."
        ),
    }
}
