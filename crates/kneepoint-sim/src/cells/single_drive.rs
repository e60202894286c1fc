//! The simulated drive that stands for a single disk of a row.

use kneepoint_core::words::fault::Fault;

use super::drive::{Class, DriveKind, DriveText, Interface};
use crate::system::parameter::Key;
use crate::system::shipped::SHIPPED_SYSTEMS;
use crate::system::{System, setting};

/// Capacities that differ by less than this are the same.
const CAPACITY_TOLERANCE: f64 = 0.03;

/// The drives that can be simulated on their own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DriveCatalog {
    drives: Vec<CatalogDrive>,
}

/// A drive of the catalog.
#[derive(Debug, Clone, PartialEq)]
struct CatalogDrive {
    /// Name after `sim:`.
    name: &'static str,
    facts: DriveText,
}

impl DriveCatalog {
    /// The shipped drives.
    ///
    /// # Errors
    /// Never for files that are shipped; a test reads them all.
    pub fn shipped() -> Result<Self, Fault> {
        let drives = SHIPPED_SYSTEMS.iter().filter(|shipped| shipped.name.starts_with("drive/"));
        let drives = drives.map(|shipped| {
            let system = shipped.system()?;
            Ok(CatalogDrive { name: shipped.name, facts: facts(&system, shipped.name) })
        });
        Ok(Self { drives: drives.collect::<Result<_, Fault>>()? })
    }

    /// The simulated drive that is as `wanted` says; its name after `sim:`.
    ///
    /// # Errors
    /// A sentence's end that says why there is none.
    pub(super) fn find(&self, wanted: &DriveText) -> Result<&'static str, String> {
        let fitting = self.drives.iter().filter(|drive| drive.fits(wanted));
        // Equal drives of several classes are told apart by the class, then by the link.
        let best = fitting.max_by_key(|drive| drive.likeness(wanted));
        best.map(|drive| drive.name)
            .ok_or_else(|| format!("the catalog has no such drive: {}", wanted.description()))
    }
}

impl CatalogDrive {
    /// Whether the drive contradicts nothing of `wanted`.
    fn fits(&self, wanted: &DriveText) -> bool {
        let Self { facts, .. } = self;
        let same = |own: Option<f64>, given: Option<f64>, tolerance: f64| match (own, given) {
            (Some(own), Some(given)) => (given / own - 1.0).abs() <= tolerance,
            _ => true,
        };
        let is_disk = facts.kind == Some(DriveKind::Hdd);
        wanted.kind.is_none_or(|kind| facts.kind == Some(kind))
            && wanted.interface.is_none_or(|interface| facts.interface == Some(interface))
            && same(facts.form_factor_in, wanted.form_factor_in, 0.01)
            && same(facts.rpm.filter(|_| is_disk), wanted.rpm, 0.01)
            && same(facts.capacity_gb, wanted.capacity_gb, CAPACITY_TOLERANCE)
    }

    /// How much of what may differ is the same; more is better, later names lose ties.
    fn likeness(&self, wanted: &DriveText) -> (u8, bool, std::cmp::Reverse<&'static str>) {
        // A drive of no class is more like than one of another class.
        let class = match (wanted.class, self.facts.class) {
            (Some(wanted), Some(own)) if wanted == own => 2,
            (Some(_), Some(_)) => 0,
            _ => 1,
        };
        let link = wanted.link_gbit.is_some() && wanted.link_gbit == self.facts.link_gbit;
        (class, link, std::cmp::Reverse(self.name))
    }
}

impl DriveText {
    /// The facts in words, as far as they are known.
    fn description(&self) -> String {
        let number = |value: Option<f64>, unit: &str| value.map(|value| format!("{value} {unit}"));
        let words = [
            self.kind.map(|kind| match kind {
                DriveKind::Hdd => "hard disk".to_owned(),
                DriveKind::Ssd => "solid-state drive".to_owned(),
            }),
            self.interface.map(|interface| match interface {
                Interface::Sas => "SAS".to_owned(),
                Interface::Sata => "SATA".to_owned(),
                Interface::FibreChannel => "Fibre Channel".to_owned(),
            }),
            number(self.form_factor_in, "inch"),
            number(self.rpm, "rpm"),
            number(self.capacity_gb, "GB"),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        if words.is_empty() { "nothing is said of it".to_owned() } else { words.join(", ") }
    }
}

/// The facts of a shipped drive; its class is part of its name.
fn facts(system: &System, name: &str) -> DriveText {
    let named = DriveText::of(&name.replace(['/', '-'], " "));
    let is_disk = system.drive.kind == setting::DriveKind::Disk;
    DriveText {
        kind: Some(if is_disk { DriveKind::Hdd } else { DriveKind::Ssd }),
        interface: DriveText::of(&system.drive.interface).interface,
        link_gbit: Some(system.value(Key::LinkDrive) / 100.0),
        form_factor_in: system.drive.form_factor_in,
        rpm: is_disk.then(|| system.value(Key::DiskRpm)),
        capacity_gb: Some(system.drive.capacity.0 as f64 / 1e9),
        class: named.class.or_else(|| class_of(&system.title)),
    }
}

fn class_of(title: &str) -> Option<Class> {
    DriveText::of(title).class
}
