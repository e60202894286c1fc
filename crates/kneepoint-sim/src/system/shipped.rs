//! The simulated systems that are shipped: the files of `systems/`, embedded.

use kneepoint_core::words::fault::Fault;

use super::System;

/// A shipped system file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShippedSystem {
    /// The name after `sim:`; the same as inside the file.
    pub name: &'static str,
    /// Its path in the source tree: `systems/fastt900.toml`.
    pub path: &'static str,
    /// Its content.
    pub text: &'static str,
}

macro_rules! shipped {
    ($($folder:literal: $($name:literal)*;)*) => {
        &[$($(ShippedSystem {
            name: concat!($folder, $name),
            path: concat!("systems/", $folder, $name, ".toml"),
            text: include_str!(concat!("../../../../systems/", $folder, $name, ".toml")),
        }),*),*]
    };
}

/// Every shipped system: storage subsystems first, then single drives.
pub const SHIPPED_SYSTEMS: &[ShippedSystem] = shipped! {
    "":
        "fastt900" "fastt700" "serveraid-m5025" "sx940-lsi1064" "sx940-lsi1078" "rx100s4-sata"
        "rx100s4-sas";
    "drive/":
        "fastt-10k-36" "fastt-15k-18"
        "hdd-eco-sata25-5k4-160" "hdd-eco-sata25-5k4-320" "hdd-eco-sata25-5k4-500"
        "hdd-eco-sata35-7k2-250"
        "hdd-sas25-10k-146" "hdd-sas25-10k-300" "hdd-sas25-10k-450" "hdd-sas25-10k-600"
        "hdd-sas25-15k-146" "hdd-sas25-15k-73"
        "hdd-sas35-15k-146" "hdd-sas35-15k-300" "hdd-sas35-15k-450" "hdd-sas35-15k-600"
        "hdd-sata25-7k2-1000" "hdd-sata25-7k2-160" "hdd-sata25-7k2-500"
        "hdd-sata35-7k2-1000" "hdd-sata35-7k2-2000" "hdd-sata35-7k2-250" "hdd-sata35-7k2-500"
        "m5025-15k-146-3g" "m5025-15k-146" "sp2504c" "sphd080hj" "ssd-sata25-32" "ssd-sata25-64"
        "st3146755ss" "st3146855ss" "st336754ss" "st373355ss" "st373455ss" "st973402ss"
        "st973451ss" "sx940-10k-146" "sx940-15k-36" "wd1600jj" "wd5000ks";
};

impl ShippedSystem {
    /// The shipped system called `name`, without `sim:`. A drive may be called without its form
    /// factor, `drive/hdd-sas-15k-600` for `drive/hdd-sas35-15k-600`, if one drive alone is meant.
    pub fn find(name: &str) -> Option<&'static Self> {
        let exact = SHIPPED_SYSTEMS.iter().find(|shipped| shipped.name == name);
        let meant = |shipped: &&Self| without_form_factor(shipped.name).as_deref() == Some(name);
        let mut others = SHIPPED_SYSTEMS.iter().filter(meant);
        exact.or_else(|| others.next().filter(|_| others.next().is_none()))
    }

    /// Reads the file.
    ///
    /// # Errors
    /// Never for a file that is shipped; a test reads them all.
    pub fn system(&self) -> Result<System, Fault> {
        System::parse(self.text, self.path)
    }
}

/// The name of a drive without the digits behind its interface: `drive/hdd-sas-15k-600` of
/// `drive/hdd-sas35-15k-600`; `None` for names that have none.
fn without_form_factor(name: &str) -> Option<String> {
    let (kind, rest) = name.strip_prefix("drive/")?.split_once('-')?;
    let (interface, rest) = rest.split_once('-')?;
    let plain = interface.trim_end_matches(|char: char| char.is_ascii_digit());
    (plain != interface && !plain.is_empty()).then(|| format!("drive/{kind}-{plain}-{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drive_is_found_without_its_form_factor_if_it_is_the_only_one() {
        let found = |name: &str| ShippedSystem::find(name).map(|shipped| shipped.name);
        assert_eq!(found("drive/hdd-sas-15k-600"), Some("drive/hdd-sas35-15k-600"));
        assert_eq!(found("drive/hdd-sas25-15k-146"), Some("drive/hdd-sas25-15k-146"));
        assert_eq!(found("drive/hdd-sas-15k-146"), None, "there are two");
        assert_eq!(found("drive/hdd-sas-15k-1"), None);
        assert_eq!(found("fastt900"), Some("fastt900"));
    }
}
