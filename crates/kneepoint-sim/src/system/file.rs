//! A system as it is in a file: strict TOML, nothing resolved yet; and as the text of a file that
//! can be read back.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kneepoint_core::words::units::{Bytes, GIB, KIB};
use serde::{Deserialize, Deserializer};

use super::setting::Calibration;
use super::{Drive, Layout, Settings, System, Validation};

/// A system file: a [`System`] but for its parameters.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SystemFile {
    pub(super) name: String,
    pub(super) title: String,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default)]
    pub(super) source: String,
    pub(super) calibration: Calibration,
    pub(super) layout: Layout,
    #[serde(default)]
    pub(super) settings: Settings,
    pub(super) drive: Drive,
    /// Free parameters by part and name.
    #[serde(default)]
    pub(super) parameters: BTreeMap<String, BTreeMap<String, ParameterFile>>,
    pub(super) validation: Option<Validation>,
}

/// Reads a number of KiB.
pub(super) fn kib<'de, D: Deserializer<'de>>(number: D) -> Result<Bytes, D::Error> {
    Ok(Bytes(u64::from(u32::deserialize(number)?) * KIB))
}

/// Reads a number of GiB, if there is one.
pub(super) fn gib<'de, D: Deserializer<'de>>(number: D) -> Result<Option<Bytes>, D::Error> {
    let bytes = |gib: f64| Bytes((gib.clamp(0.0, 1e9) * GIB as f64) as u64);
    Ok(Option::deserialize(number)?.map(bytes))
}

/// Reads a number of decimal gigabytes.
pub(super) fn gb<'de, D: Deserializer<'de>>(number: D) -> Result<Bytes, D::Error> {
    Ok(Bytes((f64::deserialize(number)?.clamp(0.0, 1e9) * 1e9) as u64))
}

pub(super) fn stripe() -> Bytes {
    Bytes(64 * KIB)
}

pub(super) fn stroke_percent() -> f64 {
    100.0
}

/// A free parameter with what is known of it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ParameterFile {
    pub(super) value: f64,
    pub(super) start: Option<f64>,
    pub(super) unit: String,
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) source: super::setting::Source,
}

/// The first of [`Settings::words`] stand in a file, this many; the others are a target's.
const SETTINGS_IN_FILE: usize = 5;

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
        text.push_str("\n[settings]\n");
        for (key, word) in &self.settings.words()[..SETTINGS_IN_FILE] {
            let _ = writeln!(text, "{key} = \"{word}\"");
        }
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
        for parameter in self.parameters.declared() {
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
