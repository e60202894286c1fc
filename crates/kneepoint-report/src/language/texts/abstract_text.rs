//! The abstract.

use super::common::counted;
use super::key_figures;
use crate::language::Language::{self, English, German};
use crate::page::Text;

texts! {
    heading: "Abstract" | "Zusammenfassung";
    nothing_measured: "No point was measured." | "Kein Messpunkt wurde gemessen.";
    one_point: "One point was measured." | "Ein Messpunkt wurde gemessen.";
    /// How long the points took.
    duration(span: &str): " in {span}, warm-up included" | ", Dauer mit Vorlauf {span}";
    virtual_duration(span: &str):
        " in {span} of virtual time, warm-up included"
        | ", Dauer mit Vorlauf {span} virtueller Zeit";
    interrupted_after(points: &str):
        " The run was interrupted after {points}."
        | " Der Lauf wurde nach {points} unterbrochen.";
    failed_after(points: &str):
        " The run failed after {points}."
        | " Der Lauf schlug nach {points} fehl.";
    /// Rule and load of a sustained throughput.
    sustained(rule: &str, load: &str):
        " sustained at {rule} with {load}"
        | " dauerhaft bei {rule} mit {load}";
    /// Rule of a sustained throughput whose load is not known.
    sustained_somewhere(rule: &str): " sustained at {rule}" | " dauerhaft bei {rule}";
    /// Rules, and how they are missed.
    missed(rules: &str, how: &str): "at {rules}, {how}" | "bei {rules}: {how}";
    peak: "peak " | "Spitze ";
    /// Load and response time of a peak.
    at_peak(load: &str, response: &str):
        " at {load} with a mean response time of {response}."
        | " bei {load} mit einer mittleren Antwortzeit von {response}.";
    /// Targets, with their sizes.
    file(size: &str): "a file of {size}" | "eine Datei von {size}";
    file_on(size: &str, system: &str): "a file of {size} on {system}" | "eine Datei von {size} auf {system}";
    block_device(size: &str): "a block device of {size}" | "ein Blockgerät von {size}";
    simulated_server: "a simulated server" | "ein simulierter Server";
    simulated_system(size: &str):
        "a simulated storage system of {size}"
        | "ein simuliertes Speichersystem von {size}";
    null_target:
        "no device at all: I/Os complete at once"
        | "überhaupt kein Gerät: I/Os sind sofort fertig";
}

/// The work.
pub(crate) fn run_of(language: Language, work: &str) -> Text {
    let text = ["This report describes one run of ", "Dieser Bericht beschreibt einen Lauf von "];
    Text::new().plain(language.choose(text)).code(work)
}

/// The target, and what it is.
pub(crate) fn against_one(language: Language, target: &str, what: &str) -> Text {
    let against = language.choose([" against ", " auf "]);
    Text::new().plain(against).code(target).plain(format!(" ({what}). "))
}

/// How many targets, and their names.
pub(crate) fn against_many(language: Language, count: usize, names: Text) -> Text {
    let count = language.count(count);
    let targets = match language {
        English => format!(" against {count} targets at once ("),
        German => format!(" auf {count} Zielen zugleich ("),
    };
    Text::new().plain(targets).join(names).plain("). ")
}

/// Points, series, and how long it took.
pub(crate) fn measured(language: Language, points: usize, series: usize, duration: &str) -> String {
    match language {
        English => {
            let points = counted(English, points, "point", "points");
            let series = counted(English, series, "series", "series");
            format!("{points} in {series} were measured{duration}.")
        }
        German => {
            let points = counted(German, points, "Messpunkt", "Messpunkte");
            let series = counted(German, series, "Messreihe", "Messreihen");
            format!("{points} in {series} wurden gemessen{duration}.")
        }
    }
}

/// Points that were measured, of those that were planned.
pub(crate) fn progress(language: Language, measured: usize, planned: Option<usize>) -> String {
    let count = language.count(measured);
    match (language, planned.map(|planned| language.count(planned))) {
        (English, Some(planned)) => format!("{count} of {planned} planned points"),
        (German, Some(planned)) => format!("{count} von {planned} geplanten Messpunkten"),
        (English, None) => counted(English, measured, "point", "points"),
        (German, None) => counted(German, measured, "Messpunkt", "Messpunkten"),
    }
}

/// Where the results of this many series are.
pub(crate) fn many_series(language: Language, count: usize, id: &str) -> Text {
    let count = language.count(count);
    let place = match language {
        English => format!("The results of all {count} series are in "),
        German => format!("Die Ergebnisse aller {count} Messreihen stehen unter "),
    };
    Text::new().plain(place).link(key_figures::heading(language), id).plain(".")
}

/// Points with a reservation, of all points.
pub(crate) fn suspect(language: Language, suspect: usize, points: usize) -> String {
    let all = language.count(points);
    match (language, suspect) {
        (English, 0) if points == 0 => "There is no point to judge".to_owned(),
        (German, 0) if points == 0 => "Es gibt keinen Messpunkt zu beurteilen".to_owned(),
        (English, 0) => "No point is drifting, failed or disturbed".to_owned(),
        (German, 0) => "Kein Messpunkt ist driftend, fehlgeschlagen oder gestört".to_owned(),
        (English, some) => {
            let verb = if some == 1 { "is" } else { "are" };
            let some = language.count(some);
            format!("{some} of {all} points {verb} drifting, failed or disturbed")
        }
        (German, some) => {
            let verb = if some == 1 { "ist" } else { "sind" };
            let some = language.count(some);
            format!("{some} von {all} Messpunkten {verb} driftend, fehlgeschlagen oder gestört")
        }
    }
}

/// How many there are: none, one, or the number within a sentence.
fn counted_in(language: Language, count: u64, [none, one, some]: [&'static str; 3]) -> String {
    match count {
        0 => none.to_owned(),
        1 => one.to_owned(),
        count => some.replace("{}", &language.count_u64(count)),
    }
}

pub(crate) fn errors(language: Language, errors: u64) -> String {
    let texts = match language {
        English => ["no I/O failed", "1 I/O failed", "{} I/Os failed"],
        German => ["kein I/O schlug fehl", "1 I/O schlug fehl", "{} I/Os schlugen fehl"],
    };
    counted_in(language, errors, texts)
}

/// The same of operations that are no I/Os.
pub(crate) fn operation_errors(language: Language, errors: u64) -> String {
    let texts = match language {
        English => ["no operation failed", "1 operation failed", "{} operations failed"],
        German => {
            ["kein Vorgang schlug fehl", "1 Vorgang schlug fehl", "{} Vorgänge schlugen fehl"]
        }
    };
    counted_in(language, errors, texts)
}

pub(crate) fn warnings(language: Language, warnings: usize) -> String {
    let texts = match language {
        English => ["there is no warning", "there is 1 warning", "there are {} warnings"],
        German => ["es gibt keine Warnung", "es gibt 1 Warnung", "es gibt {} Warnungen"],
    };
    counted_in(language, warnings as u64, texts)
}

/// The three before, and where more is said.
pub(crate) fn trust(language: Language, [suspect, errors, warnings]: [&str; 3], id: &str) -> Text {
    let [and, see] = match language {
        English => ["and", "see"],
        German => ["und", "siehe"],
    };
    Text::new()
        .plain(format!("{suspect}, {errors}, {and} {warnings}: {see} "))
        .link(super::trust::heading(language), id)
        .plain(".")
}
