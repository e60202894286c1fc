//! What a plan left out: in English as core writes it, in German here.

use kneepoint_core::plan::Omission;
use kneepoint_core::plan::omission::{CopyObstacle, Left, SeriesObstacle, SettingsObstacle};
use kneepoint_core::spec::factor::combination_text;
use kneepoint_core::spec::trace::{TraceFit, Unreplayed};

use super::Language::{self, English, German};
use crate::page::Text;

/// What was left out, and why.
pub(crate) fn text(language: Language, omission: &Omission) -> Text {
    match (language, omission) {
        (English, omission) => omission.to_string().into(),
        (German, Omission::Words(words)) => Text::new().english(words),
        (German, Omission::Known(left)) => {
            Text::new().strong("weggelassen").plain(format!(": {}", german(left)))
        }
    }
}

fn german(left: &Left) -> String {
    match left {
        Left::Series { series, target, why } => match *why {
            SeriesObstacle::Alignment { multiple_bytes, block_bytes } => {
                let [multiple, block] =
                    [multiple_bytes, block_bytes].map(|bytes| German.bytes(bytes));
                format!(
                    "{series}; direkte I/Os auf {target} sind Vielfache von {multiple}, {block} ist \
                     keines"
                )
            }
            SeriesObstacle::Room { block_bytes } => {
                let block = German.bytes(block_bytes);
                format!("{series}; ein Block von {block} passt nicht in den Bereich auf {target}")
            }
            SeriesObstacle::Gap { gap_bytes } => {
                let gap = German.bytes(gap_bytes);
                format!(
                    "{series}; hinter einer Lücke von {gap} passt kein weiterer Block in den Bereich auf \
                     {target}"
                )
            }
        },
        Left::Settings { profile, settings, why } => format!(
            "die eigenen Einstellungen für {profile} ({}); {}",
            combination_text(settings),
            settings_kept(why)
        ),
        Left::FileCopy { why } => format!("die Dateikopie; {}", copies(why)),
        Left::Workers { workers, asked, cpus } => format!(
            "Worker-Threads; {workers} statt {asked} bieten die Raten an, denn jeder wartet aktiv auf \
             die nächste Ankunft, und einer der {cpus} Prozessoren bleibt für alles andere frei"
        ),
        Left::Addresses { series, target, extent_bytes, size_bytes, fit } => {
            let [extent, size] = [extent_bytes, size_bytes].map(|bytes| German.bytes(*bytes));
            let how = match fit {
                TraceFit::Modulo => "zum Rest der Adresse bei Division durch die Größe",
                TraceFit::Scale => "zur Adresse mal dem Verhältnis der Größen",
            };
            format!(
                "die Adressen von {series}; die Aufzeichnung nutzt {extent}, {target} hat {size}, und \
                 jede I/O geht {how}"
            )
        }
        Left::Rounding { series, multiple_bytes, of_trace_bytes } => {
            let [multiple, own] =
                [multiple_bytes, of_trace_bytes].map(|bytes| German.bytes(*bytes));
            format!(
                "die genauen Adressen und Längen von {series}; sie werden auf Vielfache von {multiple} \
                 gerundet (die der Aufzeichnung sind Vielfache von {own}), Adressen ab, Längen auf"
            )
        }
        Left::Unreplayed { series, what, count } => format!(
            "{} ({}); {series} wiederholt Lese- und Schreibzugriffe der Aufzeichnung",
            unreplayed(*what),
            German.count_u64(*count)
        ),
        Left::Disorder { series, count } => format!(
            "Zeiten von {series}, die in der Aufzeichnung rückwärts laufen ({}); eine solche I/O beginnt \
             zur Zeit der vorigen",
            German.count_u64(*count)
        ),
        Left::Devices { series, devices } => format!(
            "die Trennung der {devices} Geräte, die {series} aufgezeichnet hat; sie liegen auf jedem Ziel \
             hintereinander"
        ),
    }
}

/// What of a trace is not replayed.
fn unreplayed(what: Unreplayed) -> &'static str {
    match what {
        Unreplayed::Flushes => "Flushes",
        Unreplayed::Commands => "Flushes und Kommandos",
        Unreplayed::Trims => "Trims",
        Unreplayed::Empty => "I/Os ohne Bytes",
        Unreplayed::Lost => "schon beim Aufzeichnen verlorene Ereignisse",
    }
}

fn settings_kept(why: &SettingsObstacle) -> String {
    match why {
        SettingsObstacle::Varied => "sie werden variiert".to_owned(),
        SettingsObstacle::Named { target } => format!("der Name {target} sagt etwas anderes"),
        SettingsObstacle::Fixed { target } => format!(
            "{target} behält seine Einstellungen, denn eine Suite stellt nur simulierte \
             Speichersysteme ein"
        ),
    }
}

fn copies(why: &CopyObstacle) -> String {
    match why {
        CopyObstacle::NotSimulated => {
            "Kopieren mit den Funktionen eines Betriebssystems wird nicht simuliert: dafür eine Datei \
             auf einem echten Dateisystem nennen"
                .to_owned()
        }
        CopyObstacle::NoFiles => "das Null-Ziel hat keine Dateien".to_owned(),
        CopyObstacle::Device { target } => {
            format!("{target} ist ein Gerät und keine Datei auf einem Dateisystem")
        }
        CopyObstacle::KneeOnly => "gesucht wird nur der Sättigungspunkt der Messreihen".to_owned(),
        CopyObstacle::Factors => {
            "sie wird nicht für jede Stufe der Einstellungen wiederholt: die Suite auch ohne sie \
             messen"
                .to_owned()
        }
        CopyObstacle::Verified => {
            "die Daten von Kopien werden nicht geprüft: die Suite auch ohne --verify messen".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use kneepoint_core::spec::factor::Combination;

    use super::*;

    #[test]
    fn every_kind_has_its_words_in_both_languages() {
        let series = |why| Left::Series { series: "s".to_owned(), target: "t".to_owned(), why };
        let device = CopyObstacle::Device { target: "t".to_owned() };
        let copies = [
            CopyObstacle::NotSimulated,
            CopyObstacle::NoFiles,
            device,
            CopyObstacle::KneeOnly,
            CopyObstacle::Factors,
            CopyObstacle::Verified,
        ];
        let mut all: Vec<Left> = copies.into_iter().map(|why| Left::FileCopy { why }).collect();
        all.push(series(SeriesObstacle::Alignment { multiple_bytes: 4096, block_bytes: 512 }));
        all.push(series(SeriesObstacle::Room { block_bytes: 1 << 20 }));
        all.push(series(SeriesObstacle::Gap { gap_bytes: 1 << 20 }));
        all.push(Left::Workers { workers: 1, asked: 2, cpus: 2 });
        let target = || "sim:x".to_owned();
        let obstacles = [
            SettingsObstacle::Varied,
            SettingsObstacle::Named { target: target() },
            SettingsObstacle::Fixed { target: target() },
        ];
        let settings = Combination::from([("write_cache".to_owned(), "on".to_owned())]);
        let own = |why| Left::Settings { profile: "p".to_owned(), settings: settings.clone(), why };
        all.extend(obstacles.map(own));
        all.extend([TraceFit::Modulo, TraceFit::Scale].map(|fit| Left::Addresses {
            series: "s".to_owned(),
            target: "t".to_owned(),
            extent_bytes: 1 << 40,
            size_bytes: 1 << 30,
            fit,
        }));
        let (multiple_bytes, of_trace_bytes) = (4096, 512);
        all.push(Left::Rounding { series: "s".to_owned(), multiple_bytes, of_trace_bytes });
        all.extend(Unreplayed::ALL.map(|what| Left::Unreplayed {
            series: "s".to_owned(),
            what,
            count: 3,
        }));
        all.push(Left::Disorder { series: "s".to_owned(), count: 3 });
        all.push(Left::Devices { series: "s".to_owned(), devices: 2 });
        let mut known: Vec<String> = Vec::new();
        for left in all {
            let omission = Omission::from(left);
            let [english, german] = [English, German].map(|of| text(of, &omission).words());
            assert!(german.starts_with("weggelassen: "), "{german}");
            assert!(!german.contains("left out") && !english.contains("weggelassen"), "{german}");
            for words in [english, german] {
                assert!(!known.contains(&words), "two kinds say: {words}");
                known.push(words);
            }
        }
        // Of another version only the English words are known.
        let old = Omission::Words("the file copy was left out".to_owned());
        assert_eq!(text(German, &old), Text::new().english("the file copy was left out"));
    }
}
