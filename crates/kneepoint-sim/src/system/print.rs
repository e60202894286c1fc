//! A system as the text of a file that can be read back.

use std::fmt::Write as _;

use kneepoint_core::words::units::{GIB, KIB};

use super::System;

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
