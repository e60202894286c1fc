//! The simulated systems that are shipped: the files of `systems/`, embedded.

use kneepoint_core::fault::Fault;

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
    ($($name:literal)*) => {
        &[$(ShippedSystem {
            name: $name,
            path: concat!("systems/", $name, ".toml"),
            text: include_str!(concat!("../../../../systems/", $name, ".toml")),
        }),*]
    };
}

/// Every shipped system: storage subsystems first, then single drives.
pub const SHIPPED_SYSTEMS: &[ShippedSystem] = shipped! {
    "fastt900" "serveraid-m5025"
};

impl ShippedSystem {
    /// The shipped system called `name`, without `sim:`.
    pub fn find(name: &str) -> Option<&'static Self> {
        SHIPPED_SYSTEMS.iter().find(|shipped| shipped.name == name)
    }

    /// Reads the file.
    ///
    /// # Errors
    /// Never for a file that is shipped; a test reads them all.
    pub fn system(&self) -> Result<System, Fault> {
        System::parse(self.text, self.path)
    }
}
