//! The drive as a row calls it.

use super::words::{Token, squash, tokens};

/// What a row says about its drives; nothing is assumed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct DriveText {
    /// Spinning or flash.
    pub(super) kind: Option<DriveKind>,
    /// What it is attached by.
    pub(super) interface: Option<Interface>,
    /// Line rate of the interface, Gbit/s.
    pub(super) link_gbit: Option<f64>,
    /// Form factor, inches.
    pub(super) form_factor_in: Option<f64>,
    /// Revolutions per minute.
    pub(super) rpm: Option<f64>,
    /// Capacity, decimal GB.
    pub(super) capacity_gb: Option<f64>,
    /// Class of the drive.
    pub(super) class: Option<Class>,
}

/// Spinning or flash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DriveKind {
    Hdd,
    Ssd,
}

/// What a drive is attached by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interface {
    Sas,
    Sata,
    FibreChannel,
}

/// Class of a drive (Fujitsu, Single Disk Performance, 2011): economic, business critical,
/// extended performance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Eco,
    Bc,
    Ep,
}

impl DriveText {
    /// What `text` says: `EP HDD SAS 6 Gbit/s 2.5in 15000 rpm 146 GB`.
    pub(super) fn of(text: &str) -> Self {
        let words = tokens(&plain(text));
        let has = |names: &[&str]| words.iter().any(|token| token.is_any(names));
        let first = |pairs: &[(&[&str], f64)]| {
            pairs.iter().find_map(|(units, factor)| Some(before(&words, units)? * factor))
        };
        let interface = match () {
            () if has(&["sata"]) => Some(Interface::Sata),
            () if has(&["sas"]) => Some(Interface::Sas),
            () if has(&["fc", "fibre", "fiber"]) => Some(Interface::FibreChannel),
            () => None,
        };
        let class = CLASSES.into_iter().find_map(|(class, names)| has(names).then_some(class));
        let (gigabits, gigabytes) = gigas(&words);
        Self {
            kind: kind(&words, text),
            interface,
            link_gbit: first(&[(&["gbit", "gbps", "gbits", "g"], 1.0)]).or(gigabits),
            form_factor_in: first(&[(&["in", "inch", "inches", "zoll", "sff", "lff"], 1.0)]),
            rpm: first(&[(&["rpm", "umin", "krpm"], 1.0), (&["k"], 1000.0)]).map(in_rpm),
            capacity_gb: gigabytes.or_else(|| first(&[(&["tb"], 1000.0)])),
            class,
        }
    }
}

/// Words for the classes.
const CLASSES: [(Class, &[&str]); 3] = [
    (Class::Eco, &["eco", "economic", "economy"]),
    (Class::Bc, &["bc", "business", "critical"]),
    (Class::Ep, &["ep", "extended"]),
];

/// Numbers of gigabytes up to this are rates of links: no drive of the papers is that small.
const LINK_GBIT_MAX: f64 = 12.0;

/// The rate of a link in Gbit/s and the capacity in GB of what is written with `gb` in both: `6Gb/s`,
/// `146 GB`.
fn gigas(words: &[Token]) -> (Option<f64>, Option<f64>) {
    let places = words.iter().enumerate().skip(1).filter(|(_, word)| word.is_any(&["gb"]));
    let numbers = places.filter_map(|(at, _)| {
        let number = words[at - 1].number()?;
        let is_rate = words.get(at + 1).is_some_and(|next| next.is_any(&["s", "sec", "ps"]));
        Some((number, is_rate || number <= LINK_GBIT_MAX))
    });
    let numbers: Vec<(f64, bool)> = numbers.collect();
    let first = |wanted: bool| {
        numbers.iter().find(|(_, is_rate)| *is_rate == wanted).map(|(number, _)| *number)
    };
    (first(true), first(false))
}

/// The text with inches in a word, decimal points, and no separators in thousands: `2,5"` is
/// `2.5 in`, `15,000` and `15 000` are `15000`.
fn plain(text: &str) -> String {
    let text = text.replace(['"', '\u{2033}', '\u{201d}'], " in ");
    let chars: Vec<char> = text.chars().collect();
    let digits_after =
        |at: usize| chars[at + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
    let is_zeros = |at: usize| chars[at + 1..].iter().take(3).all(|c| *c == '0');
    let mut out = String::with_capacity(text.len());
    for (at, c) in chars.iter().enumerate() {
        let follows_digit = at > 0 && chars[at - 1].is_ascii_digit();
        match (c, digits_after(at)) {
            (',', 3) if follows_digit => {}
            (' ', 3) if follows_digit && is_zeros(at) => {}
            (',', 1 | 2) if follows_digit => out.push('.'),
            _ => out.push(*c),
        }
    }
    out
}

fn kind(words: &[Token], text: &str) -> Option<DriveKind> {
    let has = |names: &[&str]| words.iter().any(|token| token.is_any(names));
    if has(&["ssd", "flash", "slc", "mlc"]) || squash(text).contains("solidstate") {
        return Some(DriveKind::Ssd);
    }
    has(&["hdd", "rpm", "krpm", "disk"]).then_some(DriveKind::Hdd)
}

/// `15 krpm` as well as `15000 rpm`.
fn in_rpm(number: f64) -> f64 {
    if number < 100.0 { number * 1000.0 } else { number }
}

/// The number before one of `units`.
fn before(words: &[Token], units: &[&str]) -> Option<f64> {
    words.windows(2).find_map(|pair| pair[0].number().filter(|_| pair[1].is_any(units)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_of_a_drive_is_found() {
        let drive = DriveText::of("EP HDD SAS 6 Gbit/s 2.5in 15000 rpm 146 GB");
        let expected = DriveText {
            kind: Some(DriveKind::Hdd),
            interface: Some(Interface::Sas),
            link_gbit: Some(6.0),
            form_factor_in: Some(2.5),
            rpm: Some(15_000.0),
            capacity_gb: Some(146.0),
            class: Some(Class::Ep),
        };
        assert_eq!(drive, expected);
        let old = DriveText::of("FC HDD 18.2 GB 15k rpm (EXP700)");
        assert_eq!((old.interface, old.rpm), (Some(Interface::FibreChannel), Some(15_000.0)));
        assert_eq!(old.capacity_gb, Some(18.2));
        let large = DriveText::of("BC HDD SATA 3 Gbit/s 3.5in 7200 rpm 1 TB");
        assert_eq!((large.capacity_gb, large.class), (Some(1000.0), Some(Class::Bc)));
        let flash = DriveText::of("EP SSD SATA 3 Gbit/s 2.5in 64 GB");
        assert_eq!((flash.kind, flash.rpm), (Some(DriveKind::Ssd), None));
        assert_eq!(DriveText::of("SAS 3Gbps HDD 15000 rpm").link_gbit, Some(3.0));
        assert_eq!(DriveText::of("SAS 10 krpm").rpm, Some(10_000.0));
        assert_eq!(DriveText::of(""), DriveText::default());
    }

    #[test]
    fn numbers_are_understood_however_they_are_written() {
        for text in ["SAS 6Gb/s 15,000 rpm 2.5\" 146GB", "SAS 6Gb 15 000 rpm 2,5 Zoll 146 GB"] {
            let drive = DriveText::of(text);
            let facts = (drive.link_gbit, drive.rpm, drive.form_factor_in, drive.capacity_gb);
            assert_eq!(facts, (Some(6.0), Some(15_000.0), Some(2.5), Some(146.0)), "{text}");
        }
        assert_eq!(DriveText::of("15.000 rpm").rpm, Some(15_000.0));
        let slow = DriveText::of("SAS 3Gb/s HDD 15K RPM");
        assert_eq!((slow.link_gbit, slow.capacity_gb), (Some(3.0), None));
        assert_eq!(DriveText::of("business critical, SATA").class, Some(Class::Bc));
    }
}
