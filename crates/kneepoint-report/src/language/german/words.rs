//! Words that all chapters share.

use kneepoint_core::result::Verdict;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::rule::Metric;

use crate::language::Language::German;
use crate::language::catalog::Words;

pub(super) const TEXTS: Words = Words {
    and: "und",
    none: "keine",
    not_recorded: "nicht aufgezeichnet",
    points: |count| counted(count, "Messpunkt", "Messpunkte"),
    range: |from, to| format!("{from} bis {to}"),
    load: |value, unit| {
        let number = German.level(value);
        match unit {
            LoadUnit::OutstandingIos if value == 1.0 => format!("{number} ausstehendes I/O"),
            LoadUnit::OutstandingIos => format!("{number} ausstehende I/Os"),
            LoadUnit::OfferedIops => format!("{number} angebotene IO/s"),
            unit => format!("{number} {}", counted_noun(value, unit)),
        }
    },
    at_load: |value, unit| {
        let number = German.level(value);
        match unit {
            LoadUnit::OutstandingIos if value == 1.0 => format!("{number} ausstehenden I/O"),
            LoadUnit::Users | LoadUnit::Warehouses | LoadUnit::Copies if value == 1.0 => {
                format!("{number} {}", counted_noun(value, unit))
            }
            _ => behind(&number, unit),
        }
    },
    loads: |values, unit| match unit {
        LoadUnit::OutstandingIos => format!("{values} ausstehende I/Os"),
        LoadUnit::OfferedIops => format!("{values} angebotene IO/s"),
        unit => format!("{values} {}", counted_noun(2.0, unit)),
    },
    times_at: |times, load| format!("{times}-fach gegenüber Last {load}"),
    load_title: |unit| match unit {
        LoadUnit::OutstandingIos => "Ausstehende I/Os",
        LoadUnit::OfferedIops => "Angebotene IO/s",
        LoadUnit::Users => "Benutzer",
        LoadUnit::Warehouses => "Lager",
        LoadUnit::Copies => "Kopien",
    },
    each_target: |what| format!("{what} je Ziel"),
    metric: |metric| match metric {
        Metric::Mean => "Mittelwert".to_owned(),
        Metric::Max => "Maximum".to_owned(),
        other => German.written(&other.to_string()),
    },
    response_of: |metric| match metric {
        Metric::Mean => "Mittlere Antwortzeit".to_owned(),
        Metric::Max => "Größte Antwortzeit".to_owned(),
        Metric::P50 => "Median der Antwortzeit".to_owned(),
        other => format!("Antwortzeit {}", German.written(&other.to_string())),
    },
    verdict: |verdict| match verdict {
        Verdict::Steady => "stabil",
        Verdict::TimeLimit => "Zeitgrenze",
        Verdict::Fixed => "feste Zeit",
        Verdict::Drifting => "driftend",
        Verdict::Failed => "fehlgeschlagen",
        Verdict::Disturbed => "gestört",
    },
    verdict_meaning: meaning,
    title,
    series: "Messreihe",
    load_word: "Last",
    target: "Ziel",
    throughput: "Durchsatz",
    response_time: "Antwortzeit",
    mean: "Mittel",
    smallest: "Kleinste",
    largest: "Größte",
    errors: "Fehler",
    verdict_word: "Urteil",
    rule: "Regel",
};

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

/// What is counted, in the nominative.
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

/// `1 Messpunkt`, `12 Messpunkte`.
pub(in crate::language) fn counted(count: usize, singular: &str, plural: &str) -> String {
    format!("{} {}", German.count(count), if count == 1 { singular } else { plural })
}

const fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Steady => "Die verlangte Genauigkeit wurde erreicht.",
        Verdict::TimeLimit => {
            "Über die ganze erlaubte Zeit gemessen; wie weit der Zahl zu trauen ist, sagt das \
             Konfidenzintervall, wo es angegeben ist."
        }
        Verdict::Fixed => {
            "So lange gemessen wie verlangt; wie weit der Zahl zu trauen ist, sagt das \
             Konfidenzintervall, wo es angegeben ist."
        }
        Verdict::Drifting => {
            "Der Durchsatz stieg oder fiel während der Messung; der Mittelwert gehört zu etwas, \
             das sich bewegt."
        }
        Verdict::Failed => {
            "Zu viele I/Os schlugen fehl, oder keines wurde fertig; in keiner Abbildung und \
             keiner Kennzahl."
        }
        Verdict::Disturbed => {
            "Etwas anderes hat die Messung gestört; die Zahl ist behalten und gekennzeichnet."
        }
    }
}

/// German names of the profiles and suites that the program ships.
fn title(english: &str) -> Option<&'static str> {
    Some(match english {
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
    })
}
