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
        "Heavy user: 350 strokes a minute at a screen",
        "Vielschreiber: 350 Anschläge je Minute am Bildschirm",
    ),
    (
        "Light user: 100 strokes a minute at a screen",
        "Wenigschreiber: 100 Anschläge je Minute am Bildschirm",
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

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
}
