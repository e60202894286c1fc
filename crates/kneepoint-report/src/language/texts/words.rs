//! Words that all chapters share.

use kneepoint_core::result::Verdict;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::rule::Metric;

use crate::language::Language::{self, English, German};

texts! {
    /// Before the last item of a list.
    and: "and" | "und";
    none: "none" | "keine";
    not_recorded: "not recorded" | "nicht aufgezeichnet";
    /// From one number to another.
    range(from: &str, to: &str): "{from} to {to}" | "{from} bis {to}";
    /// The unit of a load as the title of a column or an axis.
    /// A multiple of the number at a load: how many times, and the load.
    times_at(times: &str, load: &str):
        "{times} times that at load {load}"
        | "{times}-fach gegenüber Last {load}";
    /// The same with each target's share: the unit again.
    each_target(what: &str): "{what} per target" | "{what} je Ziel";
    series: "Series" | "Messreihe";
    load_word: "Load" | "Last";
    target: "Target" | "Ziel";
    throughput: "Throughput" | "Durchsatz";
    response_time: "Response time" | "Antwortzeit";
    mean: "Mean" | "Mittel";
    smallest: "Smallest" | "Kleinste";
    largest: "Largest" | "Größte";
    errors: "Errors" | "Fehler";
    verdict_word: "Verdict" | "Urteil";
    rule: "Rule" | "Regel";
}

/// This many points.
pub(crate) fn points(language: Language, count: usize) -> String {
    match language {
        English => counted(English, count, "point", "points"),
        German => counted(German, count, "Messpunkt", "Messpunkte"),
    }
}

/// A load, number first.
pub(crate) fn load(language: Language, value: f64, unit: LoadUnit) -> String {
    match language {
        English => format!("{} {}", English.level(value), noun(value, unit)),
        German => {
            let number = German.level(value);
            match unit {
                LoadUnit::OutstandingIos if value == 1.0 => format!("{number} ausstehendes I/O"),
                LoadUnit::OutstandingIos => format!("{number} ausstehende I/Os"),
                LoadUnit::OfferedIops => format!("{number} angebotene IO/s"),
                unit => format!("{number} {}", counted_noun(value, unit)),
            }
        }
    }
}

/// The same as it stands behind a preposition.
pub(crate) fn at_load(language: Language, value: f64, unit: LoadUnit) -> String {
    match language {
        English => format!("{} {}", English.level(value), noun(value, unit)),
        German => {
            let number = German.level(value);
            match unit {
                LoadUnit::OutstandingIos if value == 1.0 => format!("{number} ausstehenden I/O"),
                LoadUnit::Users | LoadUnit::Warehouses | LoadUnit::Copies if value == 1.0 => {
                    format!("{number} {}", counted_noun(value, unit))
                }
                _ => behind(&number, unit),
            }
        }
    }
}

/// The unit of a load behind several numbers.
pub(crate) fn loads(language: Language, values: &str, unit: LoadUnit) -> String {
    match language {
        English => format!("{values} {}", noun(2.0, unit)),
        German => match unit {
            LoadUnit::OutstandingIos => format!("{values} ausstehende I/Os"),
            LoadUnit::OfferedIops => format!("{values} angebotene IO/s"),
            unit => format!("{values} {}", counted_noun(2.0, unit)),
        },
    }
}

pub(crate) const fn load_title(language: Language, unit: LoadUnit) -> &'static str {
    language.choose(match unit {
        LoadUnit::OutstandingIos => ["Outstanding I/Os", "Ausstehende I/Os"],
        LoadUnit::OfferedIops => ["Offered IO/s", "Angebotene IO/s"],
        LoadUnit::Users => ["Users", "Benutzer"],
        LoadUnit::Warehouses => ["Warehouses", "Lager"],
        LoadUnit::Copies => ["Copies", "Kopien"],
    })
}

/// The response time of a rule, short: the left side of a formula.
pub(crate) fn metric(language: Language, metric: Metric) -> String {
    match language {
        English => metric.to_string(),
        German => match metric {
            Metric::Mean => "Mittelwert".to_owned(),
            Metric::Max => "Maximum".to_owned(),
            other => German.written(&other.to_string()),
        },
    }
}

/// The response time of a rule at the start of a sentence.
pub(crate) fn response_of(language: Language, metric: Metric) -> String {
    match language {
        English => match metric {
            Metric::Mean => "Mean response time".to_owned(),
            Metric::Max => "Largest response time".to_owned(),
            Metric::P50 => "Median response time".to_owned(),
            other => format!("{other} response time"),
        },
        German => match metric {
            Metric::Mean => "Mittlere Antwortzeit".to_owned(),
            Metric::Max => "Größte Antwortzeit".to_owned(),
            Metric::P50 => "Median der Antwortzeit".to_owned(),
            other => format!("Antwortzeit {}", German.written(&other.to_string())),
        },
    }
}

pub(crate) const fn verdict(language: Language, verdict: Verdict) -> &'static str {
    language.choose(match verdict {
        Verdict::Steady => ["steady", "stabil"],
        Verdict::TimeLimit => ["time limit", "Zeitgrenze"],
        Verdict::Fixed => ["fixed time", "feste Zeit"],
        Verdict::Drifting => ["drifting", "driftend"],
        Verdict::Failed => ["failed", "fehlgeschlagen"],
        Verdict::Disturbed => ["disturbed", "gestört"],
    })
}

/// A verdict with its share if something disturbed the point: `disturbed 13 %`.
pub(crate) fn verdict_share(
    language: Language,
    verdict: Verdict,
    disturbed_percent: Option<f64>,
) -> String {
    let word = self::verdict(language, verdict);
    match (verdict, disturbed_percent) {
        (Verdict::Disturbed, Some(percent)) => {
            let share = language.written(&format!("{:.0}%", percent.max(1.0)));
            format!("{word} {share}")
        }
        _ => word.to_owned(),
    }
}

pub(crate) const fn verdict_meaning(language: Language, verdict: Verdict) -> &'static str {
    language.choose(match verdict {
        Verdict::Steady => [
            "The accuracy that was asked for was reached.",
            "Die verlangte Genauigkeit wurde erreicht.",
        ],
        Verdict::TimeLimit => [
            "Measured for all of the time allowed; the confidence interval, where given, says how \
             far the number can be trusted.",
            "Über die ganze erlaubte Zeit gemessen; wie weit der Zahl zu trauen ist, sagt das \
             Konfidenzintervall, wo es angegeben ist.",
        ],
        Verdict::Fixed => [
            "Measured for the time that was asked for; the confidence interval, where given, says \
             how far the number can be trusted.",
            "So lange gemessen wie verlangt; wie weit der Zahl zu trauen ist, sagt das \
             Konfidenzintervall, wo es angegeben ist.",
        ],
        Verdict::Drifting => [
            "Throughput rose or fell while it was measured; the mean is of a moving thing.",
            "Der Durchsatz stieg oder fiel während der Messung; der Mittelwert gehört zu etwas, das \
             sich bewegt.",
        ],
        Verdict::Failed => [
            "Too many I/Os failed, or none completed; in no figure and no key figure.",
            "Zu viele I/Os schlugen fehl, oder keines wurde fertig; in keiner Abbildung und keiner \
             Kennzahl.",
        ],
        Verdict::Disturbed => [
            "Something else disturbed the measurement; the number is kept and marked.",
            "Etwas anderes hat die Messung gestört; die Zahl ist behalten und gekennzeichnet.",
        ],
    })
}

/// The name of a shipped series or run, if it has one in this language.
pub(crate) fn title(language: Language, english: &str) -> Option<&'static str> {
    match language {
        English => None,
        German => Some(match english {
            "Backup" => "Datensicherung",
            "Database (data transfer)" => "Datenbank (Datentransfer)",
            "Database (log file)" => "Datenbank (Protokolldatei)",
            "File copy" => "Dateikopie",
            "File server" => "Dateiserver",
            "File server, mix of block sizes" => "Dateiserver, Mischung von Blockgrößen",
            "Iometer default" => "Voreinstellung von Iometer",
            "Mail server" => "Mailserver",
            "Online transaction processing" => "Transaktionsverarbeitung (OLTP)",
            "Operating system" => "Betriebssystem",
            "Random read" => "Wahlfreies Lesen",
            "Random write" => "Wahlfreies Schreiben",
            "Restore" => "Wiederherstellung",
            "Single-threaded streaming read" => "Sequenzielles Lesen mit einem I/O",
            "Single-threaded streaming write" => "Sequenzielles Schreiben mit einem I/O",
            "Streaming" => "Streaming",
            "Streaming read" => "Sequenzielles Lesen",
            "Streaming write" => "Sequenzielles Schreiben",
            "Video streaming" => "Videostreaming",
            "Web server" => "Webserver",
            "Web server, mix of block sizes" => "Webserver, Mischung von Blockgrößen",
            "FAStT900" => "FAStT900",
            "ServeRAID M5025" => "ServeRAID M5025",
            "Single Disk: the standard series" => "Einzelplatte: die Standardreihe",
            "StorageBench of 2007" => "StorageBench von 2007",
            "StorageBench of 2010" => "StorageBench von 2010",
            "StorageBench: the five standard load profiles" => {
                "StorageBench: die fünf Standard-Lastprofile"
            }
            _ => return None,
        }),
    }
}

fn noun(value: f64, unit: LoadUnit) -> &'static str {
    match unit {
        LoadUnit::OutstandingIos => "outstanding",
        unit => unit.label_of(value),
    }
}

/// A count with its noun: `1 point`, `12 points`.
pub(crate) fn counted(language: Language, count: usize, singular: &str, plural: &str) -> String {
    format!("{} {}", language.count(count), if count == 1 { singular } else { plural })
}

/// A load behind a preposition: the dative.
fn behind(number: &str, unit: LoadUnit) -> String {
    match unit {
        LoadUnit::OutstandingIos => format!("{number} ausstehenden I/Os"),
        LoadUnit::OfferedIops => format!("{number} angebotenen IO/s"),
        LoadUnit::Users => format!("{number} Benutzern"),
        LoadUnit::Warehouses => format!("{number} Lagern"),
        LoadUnit::Copies => format!("{number} Kopien"),
    }
}

/// The unit that is counted, in the nominative.
const fn counted_noun(value: f64, unit: LoadUnit) -> &'static str {
    match unit {
        LoadUnit::OutstandingIos => "I/Os",
        LoadUnit::OfferedIops => "IO/s",
        LoadUnit::Users => "Benutzer",
        LoadUnit::Warehouses => "Lager",
        LoadUnit::Copies if value == 1.0 => "Kopie",
        LoadUnit::Copies => "Kopien",
    }
}
