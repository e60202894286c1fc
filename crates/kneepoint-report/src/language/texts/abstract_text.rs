//! The abstract.

use super::words::counted;
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
    match language {
        English => Text::new().plain("This report describes one run of ").code(work),
        German => Text::new().plain("Dieser Bericht beschreibt einen Lauf von ").code(work),
    }
}

/// The target, and what it is.
pub(crate) fn against_one(language: Language, target: &str, what: &str) -> Text {
    match language {
        English => Text::new().plain(" against ").code(target).plain(format!(" ({what}). ")),
        German => Text::new().plain(" auf ").code(target).plain(format!(" ({what}). ")),
    }
}

/// How many targets, and their names.
pub(crate) fn against_many(language: Language, count: usize, names: Text) -> Text {
    match language {
        English => Text::new()
            .plain(format!(" against {} targets at once (", English.count(count)))
            .join(names)
            .plain("). "),
        German => Text::new()
            .plain(format!(" auf {} Zielen zugleich (", German.count(count)))
            .join(names)
            .plain("). "),
    }
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
    match language {
        English => match planned {
            Some(planned) => {
                format!("{} of {} planned points", English.count(measured), English.count(planned))
            }
            None => counted(English, measured, "point", "points"),
        },
        German => match planned {
            Some(planned) => format!(
                "{} von {} geplanten Messpunkten",
                German.count(measured),
                German.count(planned)
            ),
            None => counted(German, measured, "Messpunkt", "Messpunkten"),
        },
    }
}

/// Where the results of this many series are.
pub(crate) fn many_series(language: Language, count: usize, id: &str) -> Text {
    match language {
        English => Text::new()
            .plain(format!("The results of all {} series are in ", English.count(count)))
            .link("Key figures", id)
            .plain("."),
        German => Text::new()
            .plain(format!("Die Ergebnisse aller {} Messreihen stehen unter ", German.count(count)))
            .link("Kennzahlen", id)
            .plain("."),
    }
}

/// Points with a reservation, of all points.
pub(crate) fn suspect(language: Language, suspect: usize, points: usize) -> String {
    match language {
        English => match suspect {
            0 if points == 0 => "There is no point to judge".to_owned(),
            0 => "No point is drifting, failed or disturbed".to_owned(),
            1 => format!("1 of {} points is drifting, failed or disturbed", English.count(points)),
            some => format!(
                "{} of {} points are drifting, failed or disturbed",
                English.count(some),
                English.count(points)
            ),
        },
        German => match suspect {
            0 if points == 0 => "Es gibt keinen Messpunkt zu beurteilen".to_owned(),
            0 => "Kein Messpunkt ist driftend, fehlgeschlagen oder gestört".to_owned(),
            1 => format!(
                "1 von {} Messpunkten ist driftend, fehlgeschlagen oder gestört",
                German.count(points)
            ),
            some => format!(
                "{} von {} Messpunkten sind driftend, fehlgeschlagen oder gestört",
                German.count(some),
                German.count(points)
            ),
        },
    }
}

pub(crate) fn errors(language: Language, errors: u64) -> String {
    match language {
        English => match errors {
            0 => "no I/O failed".to_owned(),
            1 => "1 I/O failed".to_owned(),
            some => format!("{} I/Os failed", English.count_u64(some)),
        },
        German => match errors {
            0 => "kein I/O schlug fehl".to_owned(),
            1 => "1 I/O schlug fehl".to_owned(),
            some => format!("{} I/Os schlugen fehl", German.count_u64(some)),
        },
    }
}

/// The same of operations that are no I/Os.
pub(crate) fn operation_errors(language: Language, errors: u64) -> String {
    match language {
        English => match errors {
            0 => "no operation failed".to_owned(),
            1 => "1 operation failed".to_owned(),
            some => format!("{} operations failed", English.count_u64(some)),
        },
        German => match errors {
            0 => "kein Vorgang schlug fehl".to_owned(),
            1 => "1 Vorgang schlug fehl".to_owned(),
            some => format!("{} Vorgänge schlugen fehl", German.count_u64(some)),
        },
    }
}

pub(crate) fn warnings(language: Language, warnings: usize) -> String {
    match language {
        English => match warnings {
            0 => "there is no warning".to_owned(),
            1 => "there is 1 warning".to_owned(),
            some => format!("there are {} warnings", English.count(some)),
        },
        German => match warnings {
            0 => "es gibt keine Warnung".to_owned(),
            1 => "es gibt 1 Warnung".to_owned(),
            some => format!("es gibt {} Warnungen", German.count(some)),
        },
    }
}

/// The three before, and where more is said.
pub(crate) fn trust(language: Language, [suspect, errors, warnings]: [&str; 3], id: &str) -> Text {
    match language {
        English => Text::new()
            .plain(format!("{suspect}, {errors}, and {warnings}: see "))
            .link("Trust", id)
            .plain("."),
        German => Text::new()
            .plain(format!("{suspect}, {errors}, und {warnings}: siehe "))
            .link("Aussagekraft", id)
            .plain("."),
    }
}

/// What targets are, with their sizes.
pub(crate) fn file(language: Language, size: &str, system: &str) -> String {
    match language {
        English => match system {
            "" => format!("a file of {size}"),
            system => format!("a file of {size} on {system}"),
        },
        German => match system {
            "" => format!("eine Datei von {size}"),
            system => format!("eine Datei von {size} auf {system}"),
        },
    }
}
