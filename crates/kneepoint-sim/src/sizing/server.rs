//! Which servers have room for the drives of a candidate.

use kneepoint_core::spec::document::Document;
use kneepoint_core::words::fault::Fault;
use serde::Deserialize;

use crate::system::System;

/// The shipped table of servers.
const SERVERS: &str = include_str!("../../../../systems/data/servers.toml");

/// A server and what fits into it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Its name.
    pub name: String,
    /// Blade, rack, tower.
    pub group: String,
    /// Bays for 3.5-inch drives.
    #[serde(default)]
    pub bays_3_5: u32,
    /// Largest capacity with SAS drives in them, decimal TB.
    #[serde(default)]
    pub sas_tb_3_5: Option<f64>,
    /// The same with SATA drives.
    #[serde(default)]
    pub sata_tb_3_5: Option<f64>,
    /// Bays for 2.5-inch drives.
    #[serde(default)]
    pub bays_2_5: u32,
    /// Largest capacity with SAS drives in them, decimal TB.
    #[serde(default)]
    pub sas_tb_2_5: Option<f64>,
    /// The same with SATA drives.
    #[serde(default)]
    pub sata_tb_2_5: Option<f64>,
    /// What is peculiar about it.
    #[serde(default)]
    pub note: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    server: Vec<Server>,
}

/// All shipped servers.
///
/// # Errors
/// Never for the shipped table; a test reads it.
pub fn servers() -> Result<Vec<Server>, Fault> {
    let file: File = Document::new("systems/data/servers.toml", SERVERS).read()?;
    Ok(file.server)
}

impl Server {
    /// Most drives of the kind of `system`'s that fit; zero where that kind is not offered.
    pub fn drives_max(&self, system: &System) -> u32 {
        let is_small = system.drive.form_factor_in.is_some_and(|inches| inches < 3.0);
        let (bays, sas_tb, sata_tb) = match is_small {
            true => (self.bays_2_5, self.sas_tb_2_5, self.sata_tb_2_5),
            false => (self.bays_3_5, self.sas_tb_3_5, self.sata_tb_3_5),
        };
        let largest_tb = match system.drive.interface.as_str() {
            "sas" => sas_tb,
            "sata" => sata_tb,
            _ => None,
        };
        let capacity_tb = system.drive.capacity.0 as f64 / 1e12;
        // Capacities are printed with two digits: a little more than printed still fits.
        let by_capacity = largest_tb.map_or(0.0, |tb| ((tb * 1.05) / capacity_tb).floor());
        bays.min(by_capacity as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_can_be_read() {
        let servers = servers().unwrap();
        assert_eq!(servers.len(), 24);
        let tower = servers.iter().find(|server| server.name == "TX300 S6").unwrap();
        assert_eq!((tower.bays_2_5, tower.bays_3_5), (20, 8));
    }

    #[test]
    fn bays_and_capacities_limit_the_drives() {
        let servers = servers().unwrap();
        let most = |server: &str, drive: &str| {
            let server = servers.iter().find(|found| found.name == server).unwrap();
            server.drives_max(&System::shipped(drive).unwrap())
        };
        assert_eq!(most("TX300 S6", "drive/hdd-sas25-10k-600"), 20);
        assert_eq!(most("TX300 S6", "drive/hdd-sata35-7k2-2000"), 8);
        assert_eq!(most("BX922 S2", "drive/hdd-sas25-10k-600"), 0);
        assert_eq!(most("RX600 S6", "drive/hdd-sata25-7k2-1000"), 0);
        assert_eq!(most("RX600 S6", "drive/hdd-sata25-7k2-500"), 1);
        assert_eq!(most("TX300 S6", "fastt900"), 0);
    }
}
