//! A system as it is in a file: strict TOML, nothing resolved yet; and as the text of a file that
//! can be read back.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kneepoint_core::words::units::{GIB, KIB};
use serde::Deserialize;

use super::setting::{Calibration, DriveKind, RaidLevel};
use super::{Settings, System, Validation};

/// A system file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SystemFile {
    /// Name that it is called by.
    pub(super) name: String,
    /// Its title for people.
    pub(super) title: String,
    /// Its description.
    #[serde(default)]
    pub(super) description: String,
    /// Where the facts come from.
    #[serde(default)]
    pub(super) source: String,
    /// The calibration of its parameters.
    pub(super) calibration: Calibration,
    /// Drives and how they form arrays.
    pub(super) layout: LayoutFile,
    /// Settings, each with its default.
    #[serde(default)]
    pub(super) settings: Settings,
    /// The drive.
    pub(super) drive: DriveFile,
    /// Free parameters by part and name.
    #[serde(default)]
    pub(super) parameters: BTreeMap<String, BTreeMap<String, ParameterFile>>,
    /// The cells that the system was fitted to and compared with, written by a calibration.
    #[serde(default)]
    pub(super) validation: Option<Validation>,
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

impl System {
    /// The system as TOML, one line per free parameter.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        for (key, value) in [("name", &self.name), ("title", &self.title)] {
            let _ = writeln!(text, "{key} = {}", quoted(value));
        }
        for (key, value) in [("description", &self.description), ("source", &self.source)] {
            if !value.is_empty() {
                let _ = writeln!(text, "{key} = \"\"\"\n{}\"\"\"", escaped(value));
            }
        }
        let _ = writeln!(text, "calibration = \"{}\"", self.calibration);
        self.print_layout(&mut text);
        self.print_settings(&mut text);
        self.print_drive(&mut text);
        self.print_validation(&mut text);
        self.print_parameters(&mut text);
        text
    }

    fn print_layout(&self, text: &mut String) {
        let layout = &self.layout;
        let _ = writeln!(
            text,
            "\n[layout]\ndrives = {}\ndrives_per_array = {}\nraid = \"{}\"\nstripe_kib = {}\n\
             stroke_percent = {:?}",
            layout.drives,
            layout.drives_per_array,
            layout.raid,
            layout.stripe.0 / KIB,
            layout.stroke_percent,
        );
        if let Some(file) = layout.file {
            let _ = writeln!(text, "file_gib = {:?}", file.0 as f64 / GIB as f64);
        }
    }

    fn print_settings(&self, text: &mut String) {
        let settings = &self.settings;
        let _ = writeln!(
            text,
            "\n[settings]\nwrite_cache = \"{}\"\nread_ahead = \"{}\"\nio_policy = \"{}\"\n\
             disk_cache = \"{}\"\nhost = \"{}\"",
            settings.write_cache,
            settings.read_ahead,
            settings.io_policy,
            settings.disk_cache,
            settings.host,
        );
    }

    fn print_drive(&self, text: &mut String) {
        let drive = &self.drive;
        let _ = writeln!(
            text,
            "\n[drive]\nkind = \"{}\"\ncapacity_gb = {:?}\ninterface = {}",
            drive.kind,
            drive.capacity.0 as f64 / 1e9,
            quoted(&drive.interface),
        );
        if let Some(inches) = drive.form_factor_in {
            let _ = writeln!(text, "form_factor_in = {inches:?}");
        }
    }

    fn print_validation(&self, text: &mut String) {
        if let Some(validation) = &self.validation {
            let _ = writeln!(
                text,
                "\n[validation]\nfitted_cells = {}\nmean_error_percent = {:?}\nheld_out = {}",
                validation.fitted_cells,
                validation.mean_error_percent,
                quoted(&validation.held_out),
            );
        }
    }

    fn print_parameters(&self, text: &mut String) {
        let mut last_part = "";
        for parameter in self.parameters() {
            let Some((part, name)) = parameter.name.split_once('.') else { continue };
            if part != last_part {
                let _ = writeln!(text, "\n[parameters.{part}]");
                last_part = part;
            }
            let start = parameter.start.map(|start| format!(" start = {start:?},"));
            let _ = writeln!(
                text,
                "{name} = {{ value = {:?},{} unit = \"{}\", min = {:?}, max = {:?}, source = \"{}\" }}",
                parameter.value,
                start.unwrap_or_default(),
                parameter.unit,
                parameter.min,
                parameter.max,
                parameter.source,
            );
        }
    }
}

/// `text` as a TOML string on one line.
fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text).replace('\n', "\\n"))
}

/// `text` with what has a meaning in a TOML string made harmless.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '"' | '\\' => result.extend(['\\', char]),
            '\n' | '\t' => result.push(char),
            char if char.is_control() => {
                let _ = write!(result, "\\u{:04x}", u32::from(char));
            }
            char => result.push(char),
        }
    }
    result
}
