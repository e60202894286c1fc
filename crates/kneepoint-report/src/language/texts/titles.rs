//! Titles of what is shipped, by their German names.

use std::borrow::Cow;

use super::common::recorded;
use crate::language::Language::{self, German};
use crate::page::Text;

/// German names of shipped series and runs.
const SHIPPED_TITLES: &[(&str, &str)] = &[
    ("Backup", "Datensicherung"),
    ("Database (data transfer)", "Datenbank (Datentransfer)"),
    ("Database (log file)", "Datenbank (Protokolldatei)"),
    (
        "Database (log file, each write flushed)",
        "Datenbank (Protokolldatei, Flush nach jedem Schreiben)",
    ),
    ("File copy", "Dateikopie"),
    ("File server", "Dateiserver"),
    ("File server, mix of block sizes", "Dateiserver, Mischung von Blockgrößen"),
    (
        "Interference: a database beside a backup and a restore",
        "Gegenseitige Störung: eine Datenbank neben Datensicherung und Wiederherstellung",
    ),
    ("Iometer default", "Voreinstellung von Iometer"),
    ("Mail server", "Mailserver"),
    ("Online transaction processing", "Transaktionsverarbeitung (OLTP)"),
    ("Operating system", "Betriebssystem"),
    ("Random read", "Wahlfreies Lesen"),
    ("Random write", "Wahlfreies Schreiben"),
    ("Restore", "Rücksicherung"),
    ("Single-threaded streaming read", "Sequenzielles Lesen mit einem I/O"),
    ("Single-threaded streaming write", "Sequenzielles Schreiben mit einem I/O"),
    ("Streaming", "Streaming"),
    ("Streaming read", "Sequenzielles Lesen"),
    ("Streaming write", "Sequenzielles Schreiben"),
    ("Video streaming", "Videostreaming"),
    ("Web server", "Webserver"),
    ("Web server, mix of block sizes", "Webserver, Mischung von Blockgrößen"),
    ("Random read, 100 %", "Wahlfreies Lesen, 100 %"),
    ("Random, 95 % read and 5 % write", "Wahlfrei, 95 % Lesen und 5 % Schreiben"),
    ("Random, 65 % read and 35 % write", "Wahlfrei, 65 % Lesen und 35 % Schreiben"),
    ("Random, 50 % read and 50 % write", "Wahlfrei, 50 % Lesen und 50 % Schreiben"),
    ("Random, 35 % read and 65 % write", "Wahlfrei, 35 % Lesen und 65 % Schreiben"),
    ("Random, 5 % read and 95 % write", "Wahlfrei, 5 % Lesen und 95 % Schreiben"),
    ("Random write, 100 %", "Wahlfreies Schreiben, 100 %"),
    (
        "Solid-state drives: random I/O at steady state",
        "Solid-State-Laufwerke: wahlfreie I/Os im eingeschwungenen Zustand",
    ),
    (
        "Solid-state drives: throughput of 128 KiB sequences at steady state",
        "Solid-State-Laufwerke: Durchsatz von Folgen zu 128 KiB im eingeschwungenen Zustand",
    ),
    (
        "Solid-state drives: throughput of 1 MiB sequences at steady state",
        "Solid-State-Laufwerke: Durchsatz von Folgen zu 1 MiB im eingeschwungenen Zustand",
    ),
    (
        "Solid-state drives: response time of one outstanding I/O at steady state",
        "Solid-State-Laufwerke: Antwortzeit mit einem I/O im eingeschwungenen Zustand",
    ),
    ("Solid-state drives: write saturation", "Solid-State-Laufwerke: Schreibsättigung"),
    ("FAStT900", "FAStT900"),
    ("ServeRAID M5025", "ServeRAID M5025"),
    ("Single Disk: the standard series", "Einzelplatte: die Standardreihe"),
    ("StorageBench of 2007", "StorageBench von 2007"),
    ("StorageBench of 2010", "StorageBench von 2010"),
    (
        "StorageBench: the five standard load profiles",
        "StorageBench: die fünf Standard-Lastprofile",
    ),
    (
        "A server: processor, business operations, storage, users",
        "Ein Server: Prozessor, Geschäftsvorgänge, Speicher, Benutzer",
    ),
    (
        "Business operations (orders, payments, deliveries, reports)",
        "Geschäftsvorgänge (Bestellungen, Zahlungen, Lieferungen, Berichte)",
    ),
    (
        "Metadata of files (create, look up, rename, delete, list)",
        "Metadaten von Dateien (Anlegen, Nachschlagen, Umbenennen, Löschen, Auflisten)",
    ),
    (
        "Small files (create, append, read, delete)",
        "Kleine Dateien (Anlegen, Anhängen, Lesen, Löschen)",
    ),
    (
        "Heavy user: 350 strokes a minute at a screen",
        "Vielschreiber: 350 Anschläge je Minute am Bildschirm",
    ),
    (
        "Light user: 100 strokes a minute at a screen",
        "Wenigschreiber: 100 Anschläge je Minute am Bildschirm",
    ),
    (
        "Medium user of LibreOffice Writer: 230 strokes a minute at a screen",
        "Mittlerer Benutzer von LibreOffice Writer: 230 Anschläge je Minute am Bildschirm",
    ),
    (
        "Medium user: 230 strokes a minute at a screen",
        "Mittlerer Benutzer: 230 Anschläge je Minute am Bildschirm",
    ),
    ("Users at screens", "Benutzer an Bildschirmen"),
    ("Office users (terminal server)", "Bürobenutzer (Terminalserver)"),
    (
        "Processor suite: sixteen programs, base and peak flags",
        "Prozessorsuite: sechzehn Programme, Basis- und Spitzeneinstellungen",
    ),
    ("Bodies", "Himmelskörper"),
    ("Chess", "Schach"),
    ("Compiler", "Compiler"),
    ("Compression", "Datenkompression"),
    ("Cryptography", "Kryptographie"),
    ("Database in memory", "Datenbank im Speicher"),
    ("Dense matrices", "Dichte Matrizen"),
    ("Fluid on a lattice", "Flüssigkeit auf einem Gitter"),
    ("Fourier transform", "Fourier-Transformation"),
    ("JSON documents", "JSON-Dokumente"),
    ("Molecules", "Moleküle"),
    ("Ray tracing", "Strahlverfolgung"),
    ("Regular expressions", "Reguläre Ausdrücke"),
    ("Routes", "Routen"),
    ("Sparse matrix", "Dünn besetzte Matrix"),
    ("Video coding", "Videokodierung"),
];

/// What stands behind the title of a program that was built with a set of flags.
const FLAGS: [(&str, &str); 2] =
    [(", base flags", ", Basiseinstellungen"), (", peak flags", ", Spitzeneinstellungen")];

/// The title of a profile or suite: in the report's language where it is a shipped one.
pub(crate) fn title(language: Language, title: &str) -> Text {
    match (language, german(title)) {
        (German, Some(german)) => german.into_owned().into(),
        _ => recorded(language, title),
    }
}

fn german(title: &str) -> Option<Cow<'static, str>> {
    let named = |title: &str| {
        SHIPPED_TITLES.iter().find(|(english, _)| *english == title).map(|(_, german)| *german)
    };
    let flagged = || {
        let (title, flags) = FLAGS
            .iter()
            .find_map(|(english, german)| Some((title.strip_suffix(english)?, german)))?;
        Some(Cow::from(format!("{}{flags}", named(title)?)))
    };
    named(title).map(Cow::from).or_else(flagged)
}

/// Words in the titles of simulated systems, by their German ones. What is longer stands first.
const SYSTEM_WORDS: &[(&str, &str)] = &[
    ("Fibre Channel drives", "Fibre-Channel-Laufwerken"),
    ("SATA drives", "SATA-Laufwerken"),
    ("SAS drives", "SAS-Laufwerken"),
    ("solid-state drive", "SSD"),
    ("hard disk", "Festplatte"),
    ("capacity assumed", "Kapazität angenommen"),
    (" with ", " mit "),
    (" inch", "\u{a0}Zoll"),
    (" rpm", "/min"),
];

/// The title of a simulated system: names stay as they are, words and numbers are written in the language.
pub(crate) fn system(language: Language, title: &str) -> String {
    if language != German {
        return title.to_owned();
    }
    // What the drives are stands before how fast they turn.
    let turned = title.split_once(" with ").and_then(|(name, drives)| {
        let (speed, kind) = drives.split_once(" rpm ")?;
        Some(format!("{name} with {kind}, {speed} rpm"))
    });
    let title = turned.unwrap_or_else(|| title.to_owned());
    let words =
        SYSTEM_WORDS.iter().fold(title, |title, (english, german)| title.replace(english, german));
    let letters: Vec<char> = words.chars().collect();
    let digit = |place: Option<usize>| {
        place.and_then(|place| letters.get(place)).is_some_and(char::is_ascii_digit)
    };
    let written = letters.iter().enumerate().map(|(place, letter)| {
        let is_inside = digit(place.checked_sub(1)) && digit(Some(place + 1));
        match letter {
            ',' if is_inside => '\u{202f}',
            '.' if is_inside => ',',
            other => *other,
        }
    });
    written.collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::language::Language::English;

    #[test]
    fn whatever_is_shipped_has_a_german_title() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for folder in ["profiles", "suites"] {
            for entry in fs::read_dir(root.join(folder)).unwrap() {
                let path = entry.unwrap().path();
                let text = fs::read_to_string(&path).unwrap_or_default();
                let titles = text.lines().filter_map(|line| line.trim().strip_prefix("title = "));
                for title in titles.map(|title| title.trim_matches('"')) {
                    assert!(german(title).is_some(), "{title} of {}", path.display());
                }
            }
        }
    }

    #[test]
    fn titles_of_users_stay_as_they_are() {
        assert_eq!(german("My load, base flags"), None);
        assert_eq!(german("Chess, other flags"), None);
    }

    #[test]
    fn systems_have_german_titles() {
        let check = |title: &str, expected: &str| {
            assert_eq!(system(English, title), title);
            let german = system(German, title).replace(['\u{a0}', '\u{202f}'], " ");
            assert_eq!(german, expected);
        };
        check(
            "IBM FAStT900 with 15,000 rpm Fibre Channel drives",
            "IBM FAStT900 mit Fibre-Channel-Laufwerken, 15 000/min",
        );
        check(
            "Seagate ST3146855SS, SAS, 3.5 inch, 15,000 rpm, 146 GB",
            "Seagate ST3146855SS, SAS, 3,5 Zoll, 15 000/min, 146 GB",
        );
        check("EP solid-state drive, SATA, 2.5 inch, 64 GB", "EP SSD, SATA, 2,5 Zoll, 64 GB");
        // A name of the user's own stays as it is, but for its numbers.
        check("My array, v2, 3.5", "My array, v2, 3,5");
    }
}
