//! The drive as a row calls it, and the simulated drive that stands for it.

use std::cmp::Reverse;

use kneepoint_core::words::fault::Fault;

use super::row::{Spellings, Token, number_before, squash, tokens};
use crate::system::System;
use crate::system::parameter::Key;
use crate::system::setting::DriveKind;
use crate::system::shipped::SHIPPED_SYSTEMS;

/// Numbers of gigabytes up to this are rates of links: no drive of the papers is that small.
const LINK_GBIT_MAX: f64 = 12.0;

/// Capacities that differ by less than this are the same.
const CAPACITY_TOLERANCE: f64 = 0.03;

/// Spinning or flash.
const DRIVE_KINDS: Spellings = Spellings(&[(SSD, "ssd flash slc mlc"), (HDD, "hdd rpm krpm disk")]);

/// A hard disk in a description.
const HDD: &str = "hard disk";

/// A solid-state drive in a description.
pub(super) const SSD: &str = "solid-state drive";

/// Interfaces of drives, as a description calls them.
const INTERFACES: Spellings =
    Spellings(&[("SATA", "sata"), ("SAS", "sas"), ("Fibre Channel", "fc fibre fiber")]);

/// Classes of drives (Fujitsu, Single Disk Performance, 2011): economic, business critical,
/// extended performance.
const CLASSES: Spellings = Spellings(&[
    ("eco", "eco economic economy"),
    ("bc", "bc business critical"),
    ("ep", "ep extended"),
]);

/// A row's facts about its drives; nothing is assumed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct DriveText {
    /// Spinning or flash, what it is attached by, and its class, as the spellings call them.
    pub(super) kind: Option<&'static str>,
    pub(super) interface: Option<&'static str>,
    class: Option<&'static str>,
    /// Line rate of the interface, Gbit/s.
    pub(super) link_gbit: Option<f64>,
    form_factor_in: Option<f64>,
    /// Revolutions per minute.
    pub(super) rpm: Option<f64>,
    /// Capacity, decimal GB.
    pub(super) capacity_gb: Option<f64>,
}

impl DriveText {
    /// Reads `text`: `EP HDD SAS 6 Gbit/s 2.5in 15000 rpm 146 GB`.
    pub(super) fn of(text: &str) -> Self {
        let words = tokens(&plain(text));
        let number = |units: &str| number_before(&words, units);
        let (gigabits, gigabytes) = gigas(&words);
        let is_flash = squash(text).contains("solidstate");
        let rpm = number("rpm umin krpm").or_else(|| Some(number("k")? * 1000.0));
        Self {
            kind: if is_flash { Some(SSD) } else { DRIVE_KINDS.among(&words) },
            interface: INTERFACES.among(&words),
            class: CLASSES.among(&words),
            link_gbit: number("gbit gbps gbits g").or(gigabits),
            form_factor_in: number("in inch inches zoll sff lff"),
            // `15 krpm` as well as `15000 rpm`.
            rpm: rpm.map(|number| if number < 100.0 { number * 1000.0 } else { number }),
            capacity_gb: gigabytes.or_else(|| Some(number("tb")? * 1000.0)),
        }
    }

    /// The facts of a shipped drive; its class is part of its name or of its title.
    fn of_shipped(system: &System, name: &str) -> Self {
        let class = |text: &str| Self::of(text).class;
        let is_disk = system.drive.kind == DriveKind::Disk;
        Self {
            kind: Some(if is_disk { HDD } else { SSD }),
            interface: Self::of(&system.drive.interface).interface,
            class: class(&name.replace(['/', '-'], " ")).or_else(|| class(&system.title)),
            link_gbit: Some(system.value(Key::LinkDrive) / 100.0),
            form_factor_in: system.drive.form_factor_in,
            rpm: is_disk.then(|| system.value(Key::DiskRpm)),
            capacity_gb: Some(system.drive.capacity.0 as f64 / 1e9),
        }
    }

    /// True if a drive with these facts contradicts nothing of `wanted`.
    fn fits(&self, wanted: &Self) -> bool {
        let word = |own: Option<&str>, given: Option<&str>| given.is_none() || own == given;
        let same = |own: Option<f64>, given: Option<f64>, tolerance: f64| match (own, given) {
            (Some(own), Some(given)) => (given / own - 1.0).abs() <= tolerance,
            _ => true,
        };
        word(self.kind, wanted.kind)
            && word(self.interface, wanted.interface)
            && same(self.form_factor_in, wanted.form_factor_in, 0.01)
            && same(self.rpm, wanted.rpm, 0.01)
            && same(self.capacity_gb, wanted.capacity_gb, CAPACITY_TOLERANCE)
    }

    /// How much of what may differ is the same; more is better.
    fn likeness(&self, wanted: &Self) -> (u8, bool) {
        // A drive of no class is more like than one of another class.
        let class = match (wanted.class, self.class) {
            (Some(wanted), Some(own)) => 2 * u8::from(wanted == own),
            _ => 1,
        };
        (class, wanted.link_gbit.is_some() && wanted.link_gbit == self.link_gbit)
    }

    /// The facts in words, as far as they are known.
    fn description(&self) -> String {
        let number = |value: Option<f64>, unit: &str| value.map(|value| format!("{value} {unit}"));
        let words = [
            self.kind.map(str::to_owned),
            self.interface.map(str::to_owned),
            number(self.form_factor_in, "inch"),
            number(self.rpm, "rpm"),
            number(self.capacity_gb, "GB"),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        if words.is_empty() { "nothing is said of it".to_owned() } else { words.join(", ") }
    }
}

/// The drives that can be simulated on their own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DriveCatalog {
    /// Names after `sim:` and facts.
    drives: Vec<(&'static str, DriveText)>,
}

impl DriveCatalog {
    /// The shipped drives.
    ///
    /// # Errors
    /// Never for files that are shipped; a test reads them all.
    pub fn shipped() -> Result<Self, Fault> {
        let drives = SHIPPED_SYSTEMS.iter().filter(|shipped| shipped.name.starts_with("drive/"));
        let drives = drives.map(|shipped| {
            Ok((shipped.name, DriveText::of_shipped(&shipped.system()?, shipped.name)))
        });
        Ok(Self { drives: drives.collect::<Result<_, Fault>>()? })
    }

    /// The simulated drive that is as `wanted` says, by its name after `sim:`; or why there is none.
    pub(super) fn find(&self, wanted: &DriveText) -> Result<&'static str, String> {
        let fitting = self.drives.iter().filter(|(_, facts)| facts.fits(wanted));
        // Equal drives of several classes are told apart by the class, then by the link; later
        // names lose ties.
        let best = fitting.max_by_key(|(name, facts)| (facts.likeness(wanted), Reverse(name)));
        best.map(|(name, _)| *name)
            .ok_or_else(|| format!("the catalog has no such drive: {}", wanted.description()))
    }
}

/// The rate of a link in Gbit/s and the capacity in GB of what is written with `gb` in both:
/// `6Gb/s`, `146 GB`.
fn gigas(words: &[Token]) -> (Option<f64>, Option<f64>) {
    let places = words.iter().enumerate().skip(1).filter(|(_, word)| word.is("gb"));
    let numbers = places.filter_map(|(at, _)| {
        let number = words[at - 1].number()?;
        let is_rate = words.get(at + 1).is_some_and(|next| next.is("s sec ps"));
        Some((number, is_rate || number <= LINK_GBIT_MAX))
    });
    let (rates, capacities): (Vec<_>, Vec<_>) = numbers.partition(|(_, is_rate)| *is_rate);
    let first = |numbers: Vec<(f64, bool)>| numbers.first().map(|(number, _)| *number);
    (first(rates), first(capacities))
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
