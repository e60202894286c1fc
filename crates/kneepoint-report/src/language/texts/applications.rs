//! What applications get from configurations.

use kneepoint_core::result::Bound;
use kneepoint_core::words::number::{Measured, Percentage};

use super::findings;
use crate::language::Language;

texts! {
    heading: "Applications" | "Anwendungen";
    application: "Application" | "Anwendung";
    /// After what the numbers of the table are.
    bars:
        " Bars are shares of the best configuration of the row."
        | " Balken sind Anteile an der besten Konfiguration der Zeile.";
    /// Heads the list of sentences below the table.
    caches: "Best cache settings" | "Beste Cache-Einstellungen";
    no_difference: "no practical difference" | "kein praktischer Unterschied";
    /// Behind others, of settings of which none of them was shown.
    not_shown: "no difference was shown" | "es zeigte sich kein Unterschied";
    first_is_best(first: &str): "{first} is best" | "{first} ist am besten";
    more_than(gain: &str, base: &str): ", {gain} more than with {base}" | ", {gain} mehr als mit {base}";
    as_much(times: &str, base: &str):
        ", {times} times as much as with {base}"
        | ", {times}-mal so viel wie mit {base}";
    at_least(gain: &str): "at least {gain}" | "mindestens {gain}";
}

kneepoint_core::named! {
    /// An application that a load profile stands for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) enum Application {
        Database = "database",
        Oltp = "oltp",
        Mail = "mail-server",
        FileServer = "file-server",
        MixedFileServer = "iometer-file-server",
        WebServer = "web-server",
        MixedWebServer = "iometer-web-server",
        Log = "log",
        Backup = "backup",
        Restore = "restore",
        Video = "video",
        Streaming = "streaming",
        OperatingSystem = "operating-system",
        Office = "office",
        FileCopy = "file-copy",
    }
}

impl Application {
    /// The application of a load profile.
    pub(crate) fn of(profile: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|application| application.name() == profile)
    }

    /// What people call it.
    pub(crate) const fn title(self, language: Language) -> &'static str {
        language.choose(match self {
            Self::Database => ["Database", "Datenbank"],
            Self::Oltp => ["Database (OLTP)", "Datenbank (OLTP)"],
            Self::Mail => ["Mail server", "Mailserver"],
            Self::FileServer | Self::MixedFileServer => ["File server", "Dateiserver"],
            Self::WebServer | Self::MixedWebServer => ["Web server", "Webserver"],
            Self::Log => ["Log", "Protokoll (Log)"],
            Self::Backup => ["Backup", "Datensicherung"],
            Self::Restore => ["Restore", "Rücksicherung"],
            Self::Video => ["Video", "Video"],
            Self::Streaming => ["Streaming", "Streaming"],
            Self::OperatingSystem => ["Operating system", "Betriebssystem"],
            Self::Office => ["Office users", "Bürobenutzer"],
            Self::FileCopy => ["File copying", "Dateikopie"],
        })
    }
}

/// The best setting, and by how much it exceeds another, in percent.
pub(crate) fn better(
    language: Language,
    best: &str,
    (percent, bound): (f64, Bound),
    base: &str,
) -> String {
    let is_multiple = percent >= findings::TIMES_FROM_PERCENT;
    let rounding = bound.rounding();
    let size = match is_multiple {
        true => language.rate(Measured::from(1.0 + percent / 100.0).rounded(rounding)),
        false => language.percent(Percentage(percent).rounded(rounding).0),
    };
    let size = match bound {
        Bound::Exact => size,
        Bound::AtLeast | Bound::AtMost => at_least(language, &size),
    };
    let more = match is_multiple {
        true => as_much(language, &size, base),
        false => more_than(language, &size, base),
    };
    format!("{best}{more}")
}

/// The block size of a series as people write it: `8 KiB`.
pub(crate) fn block(language: Language, name: &str) -> String {
    match name.find(|c: char| c.is_ascii_alphabetic()) {
        Some(unit) => language.written(&format!("{} {}", &name[..unit], &name[unit..])),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language::{English, German};

    #[test]
    fn a_gain_is_a_percentage_a_multiple_or_a_bound() {
        let said = |gain| better(English, "on", gain, "off").replace('\u{a0}', " ");
        assert_eq!(said((63.0, Bound::Exact)), "on, 63 % more than with off");
        assert_eq!(said((350.0, Bound::AtLeast)), "on, at least 4.50 times as much as with off");
        assert!(better(German, "an", (63.0, Bound::Exact), "aus").contains("mehr als mit aus"));
        assert_eq!(block(English, "8KiB").replace('\u{a0}', " "), "8 KiB");
    }

    #[test]
    fn synthetic_loads_are_no_application() {
        assert_eq!(Application::of("database"), Some(Application::Database));
        assert_eq!(Application::of("random-read"), None);
    }
}
