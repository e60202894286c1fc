//! Layout and settings by the names of a target's query, overridden and told:
//! `sim:fastt900?drives=140&raid=raid10&param.disk.rpm=10000`.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Bytes;

use super::setting::{Calibration, DriveKind};
use super::shipped::ShippedSystem;
use super::{Drive, Layout, System};

/// Keys before `=`, with their meanings.
pub const QUERY_KEYS: &[(&str, &str)] = &[
    ("drives", "drives of all arrays"),
    ("drives_per_array", "drives of each array"),
    ("raid", "jbod, raid0, raid1, raid1e, raid5, raid6, raid10, raid50, raid60"),
    ("stripe", "bytes on one drive before the next one follows: 64KiB"),
    ("stroke", "share of each drive's capacity that is used: 8%"),
    ("size", "bytes of each array that are used, where less than the stroke: 32GiB"),
    ("write_cache", "off, on, mirrored"),
    ("read_ahead", "off, on, adaptive"),
    ("io_policy", "direct, cached"),
    ("disk_cache", "off, on"),
    ("host", "windows, linux"),
    ("condition", "optimal, degraded, rebuilding"),
    ("flash_state", "steady, fresh"),
    ("drive", "a drive of the catalog, by its name without drive/"),
    ("param.NAME", "value of a free parameter: param.disk.rpm=10000"),
];

impl System {
    /// Applies the overrides of a target's name; `target` is what faults call it.
    ///
    /// # Errors
    /// When a key is not known, or a value cannot be used.
    pub fn with_query(&self, target: &str, query: &str) -> Result<Self, Fault> {
        let mut system = self.clone();
        let values = Query::parse(target, query)?;
        // The drive first: the free parameters of the query hold for the new one.
        if let Some(name) = values.get("drive") {
            system.change_drive(name)?;
        }
        for (key, text) in values.pairs() {
            system.apply(&values, key, text)?;
        }
        system.check().map_err(|fault| {
            let why = fault.to_string();
            let placed = Fault::new(format!("cannot simulate '{target}'")).because(why);
            fault.fix_hint().map_or(placed.clone(), |fix| placed.fix(fix))
        })?;
        Ok(system)
    }

    fn change_drive(&mut self, name: &str) -> Result<(), Fault> {
        let name = format!("drive/{}", name.strip_prefix("drive/").unwrap_or(name));
        let shipped = ShippedSystem::find(&name).ok_or_else(|| {
            Fault::new(format!("there is no '{name}' in the catalog"))
                .fix("`kneepoint catalog drives` lists the drives")
        })?;
        let other = shipped.system()?;
        if self.drive != other.drive {
            // Both may have been fitted, but never together: each with what the other one does besides.
            self.calibration = Calibration::Uncalibrated;
            self.validation = None;
        }
        self.drive = other.drive;
        self.parameters.adopt(&other.parameters, &["disk", "flash"]);
        let link = super::parameter::Key::LinkDrive;
        self.parameters.set(link.definition().name, other.parameters.get(link))
    }

    fn apply(&mut self, query: &Query<'_>, key: &str, text: &str) -> Result<(), Fault> {
        let Self { layout, settings, .. } = self;
        match key {
            "drive" => {}
            "drives" => layout.drives = query.read(key, text)?,
            "drives_per_array" => layout.drives_per_array = query.read(key, text)?,
            "raid" => layout.raid = query.read(key, text)?,
            "stripe" => layout.stripe = query.read(key, text)?,
            // With or without its sign.
            "stroke" => {
                layout.stroke_percent = query.read(key, text.strip_suffix('%').unwrap_or(text))?;
            }
            "size" => layout.file = Some(query.read::<Bytes>(key, text)?),
            "write_cache" => settings.write_cache = query.read(key, text)?,
            "read_ahead" => settings.read_ahead = query.read(key, text)?,
            "io_policy" => settings.io_policy = query.read(key, text)?,
            "disk_cache" => settings.disk_cache = query.read(key, text)?,
            "host" => settings.host = query.read(key, text)?,
            "condition" => settings.condition = query.read(key, text)?,
            "flash_state" => settings.flash_state = query.read(key, text)?,
            _ => match key.strip_prefix("param.") {
                Some(name) => {
                    self.parameters.set(name, query.read(key, text)?)?;
                    self.validation = None;
                }
                None => {
                    let known: Vec<&str> = QUERY_KEYS.iter().map(|(name, _)| *name).collect();
                    let fix = format!("use one of: {}", known.join(", "));
                    return Err(query.unknown(key).fix(fix));
                }
            },
        }
        Ok(())
    }
}

impl System {
    /// Layout and settings by name, as `sim:NAME?name=value` would set them. Free parameters are
    /// left out.
    pub fn facts(&self) -> BTreeMap<String, String> {
        let Layout { drives, drives_per_array, raid, stripe, stroke_percent, file } = self.layout;
        let is_flash = self.drive.kind == DriveKind::Flash;
        let words = self.settings.words().into_iter();
        let words = words.filter(|(name, _)| is_flash || *name != "flash_state");
        let layout = [
            ("drives", drives.to_string()),
            ("drives_per_array", drives_per_array.to_string()),
            ("raid", raid.to_string()),
            ("stripe", stripe.to_string()),
            ("stroke", format!("{stroke_percent}%")),
        ];
        let size = file.map(|size| ("size", size.to_string()));
        let facts = layout.into_iter().chain(size);
        facts
            .chain(words.map(|(name, word)| (name, word.to_owned())))
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

impl Drive {
    /// Capacity and interface: `18.2 GB, FC`.
    pub fn words(&self) -> String {
        let capacity = format!("{} GB", (self.capacity.0 as f64 / 1e8).round() / 10.0);
        match self.interface.to_uppercase() {
            none if none.is_empty() => capacity,
            interface => format!("{capacity}, {interface}"),
        }
    }
}

/// Keys with their values, none of them twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Query<'a> {
    /// The target's name in faults.
    target: &'a str,
    pairs: BTreeMap<&'a str, &'a str>,
}

impl<'a> Query<'a> {
    /// Reads `key=value&key=value`; `target` is the name that it stands in.
    pub(crate) fn parse(target: &'a str, text: &'a str) -> Result<Self, Fault> {
        let mut pairs = BTreeMap::new();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').ok_or_else(|| {
                Fault::new(format!("'{pair}' in '{target}' has no value"))
                    .fix("write parameters as ?key=value&key=value")
            })?;
            if pairs.insert(key, value).is_some() {
                return Err(Fault::new(format!("'{key}' is given twice in '{target}'")));
            }
        }
        Ok(Self { target, pairs })
    }

    /// The pairs in the order of their keys.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.pairs.iter().map(|(key, text)| (*key, *text))
    }

    /// The text of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.pairs.get(key).copied()
    }

    /// Takes a key out; `default` is its text where it is not given.
    pub(crate) fn take<T>(&mut self, key: &str, default: &str) -> Result<T, Fault>
    where
        T: FromStr<Err: Display>,
    {
        let text = self.pairs.remove(key).unwrap_or(default);
        self.read(key, text)
    }

    /// The value that the text of a key stands for.
    pub(crate) fn read<T: FromStr<Err: Display>>(&self, key: &str, text: &str) -> Result<T, Fault> {
        text.parse().map_err(|why| {
            Fault::new(format!("'{key}={text}' in '{}' cannot be used", self.target)).because(why)
        })
    }

    pub(crate) fn unknown(&self, key: &str) -> Fault {
        Fault::new(format!("'{}' has no parameter '{key}'", self.target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facts_say_what_the_query_set() {
        let system = System::shipped("serveraid-m5025").unwrap();
        let query = "drives=24&raid=raid10&write_cache=on&stroke=8%";
        let facts = system.with_query("sim:x", query).unwrap().facts();
        for pair in query.split('&') {
            let (name, value) = pair.split_once('=').unwrap();
            assert_eq!(facts[name], value, "{name}");
        }
        assert_eq!(system.facts()["write_cache"], system.settings.write_cache.name());
    }

    #[test]
    fn the_error_of_a_fit_goes_with_what_was_fitted() {
        let fastt900 =
            |query: &str| System::shipped("fastt900").unwrap().with_query("sim:x", query).unwrap();
        let shipped = fastt900("raid=raid10&drives=40");
        assert!(shipped.validation.is_some());
        assert_eq!(shipped.drive.words(), "18.2 GB, FC");
        let other = fastt900("drive=hdd-sas25-10k-450");
        assert_eq!((other.validation, other.calibration), (None, Calibration::Uncalibrated));
        // A drive that was fitted alone was not fitted behind this controller.
        let fitted = fastt900("drive=hdd-sas25-15k-146");
        let alone = System::shipped("drive/hdd-sas25-15k-146").unwrap();
        assert_eq!(alone.calibration, Calibration::Calibrated);
        assert_eq!((fitted.validation, fitted.calibration), (None, Calibration::Uncalibrated));
        assert_eq!(fastt900("param.disk.rpm=10000").validation, None);
    }
}
