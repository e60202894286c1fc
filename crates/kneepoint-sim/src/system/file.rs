//! A system as it is in a file: strict TOML, nothing resolved yet.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::setting::{
    Calibration, DiskCache, DriveKind, Host, IoPolicy, RaidLevel, ReadAhead, WriteCache,
};

/// A system file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SystemFile {
    /// Name that it is called by.
    pub(super) name: String,
    /// Its title for people.
    pub(super) title: String,
    /// What it is.
    #[serde(default)]
    pub(super) description: String,
    /// Where the facts come from.
    #[serde(default)]
    pub(super) source: String,
    /// Whether its parameters were fitted to measurements.
    pub(super) calibration: Calibration,
    /// Drives and how they form arrays.
    pub(super) layout: LayoutFile,
    /// Settings, each with its default.
    #[serde(default)]
    pub(super) settings: SettingsFile,
    /// The drive.
    pub(super) drive: DriveFile,
    /// Free parameters by part and name.
    #[serde(default)]
    pub(super) parameters: BTreeMap<String, BTreeMap<String, ParameterFile>>,
    /// What the system was fitted to and compared with, written by a calibration.
    #[serde(default)]
    pub(super) validation: Option<ValidationFile>,
}

/// How the drives form arrays.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LayoutFile {
    pub(super) drives: u32,
    pub(super) drives_per_array: u32,
    pub(super) raid: RaidLevel,
    #[serde(default = "stripe_kib")]
    pub(super) stripe_kib: u32,
    #[serde(default = "stroke_percent")]
    pub(super) stroke_percent: f64,
    /// Size of the measurement file on each array in GiB, where it is smaller.
    #[serde(default)]
    pub(super) file_gib: Option<f64>,
}

fn stripe_kib() -> u32 {
    64
}

fn stroke_percent() -> f64 {
    100.0
}

/// Settings that can be varied.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SettingsFile {
    pub(super) write_cache: WriteCache,
    pub(super) read_ahead: ReadAhead,
    pub(super) io_policy: IoPolicy,
    pub(super) disk_cache: DiskCache,
    pub(super) host: Host,
}

/// The drive of a system.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DriveFile {
    pub(super) kind: DriveKind,
    /// Decimal gigabytes.
    pub(super) capacity_gb: f64,
    /// `fc`, `sas` or `sata`; of no meaning for the model.
    #[serde(default)]
    pub(super) interface: String,
    /// Inches; of no meaning for the model.
    #[serde(default)]
    pub(super) form_factor_in: Option<f64>,
}

/// A free parameter with what is known of it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ParameterFile {
    pub(super) value: f64,
    #[serde(default)]
    pub(super) start: Option<f64>,
    pub(super) unit: String,
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) source: super::setting::Source,
}

/// What a calibration says about its result.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ValidationFile {
    /// Cells that the parameters were fitted to.
    pub(super) fitted_cells: u32,
    /// Their mean absolute error in percent.
    pub(super) mean_error_percent: f64,
    /// What was held out, in words.
    pub(super) held_out: String,
}
