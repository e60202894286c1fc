//! The free parameters of one system, with bounds and sources.

use std::collections::BTreeMap;

use kneepoint_core::spec::document::nearest;
use kneepoint_core::words::fault::Fault;

use super::file::ParameterFile;
use super::parameter::{DEFINITIONS, Key};
use super::setting::Source;

/// A free parameter of a system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Part and name, `disk.seek_average`.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// Where the calibration that gave the value began, and begins again; `None` where it was not
    /// calibrated.
    pub start: Option<f64>,
    /// Unit of value and bounds.
    pub unit: &'static str,
    /// Smallest value that a calibration may try.
    pub min: f64,
    /// Largest value that a calibration may try.
    pub max: f64,
    /// Where the value comes from.
    pub source: Source,
}

impl Parameter {
    /// Whether a calibration moves it.
    pub fn is_fitted(&self) -> bool {
        self.source == Source::Fitted
    }
}

/// The free parameters of one system; what its file leaves out is neutral.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    values: Vec<f64>,
    declared: Vec<Option<Declared>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Declared {
    start: Option<f64>,
    min: f64,
    max: f64,
    source: Source,
}

impl Parameters {
    /// Reads what a file says, against the model's list.
    pub(super) fn resolve(
        parts: BTreeMap<String, BTreeMap<String, ParameterFile>>,
    ) -> Result<Self, Fault> {
        let mut parameters = Self {
            values: DEFINITIONS.iter().map(|definition| definition.neutral).collect(),
            declared: vec![None; DEFINITIONS.len()],
        };
        for (part, entries) in parts {
            for (name, entry) in entries {
                parameters.declare(&format!("{part}.{name}"), &entry)?;
            }
        }
        Ok(parameters)
    }

    fn declare(&mut self, name: &str, entry: &ParameterFile) -> Result<(), Fault> {
        let key = find(name)?;
        let definition = key.definition();
        if entry.unit != definition.unit {
            return Err(Fault::new(format!("{name} is not in '{}'", entry.unit))
                .fix(format!("give it in '{}'", definition.unit)));
        }
        let ParameterFile { start, min, max, source, .. } = *entry;
        let ordered = definition.floor <= min && min <= max && max <= definition.ceiling;
        if !ordered {
            return Err(Fault::new(format!("the bounds {min} to {max} of {name} cannot be used"))
                .because(format!(
                    "the model takes {} to {} {}",
                    definition.floor, definition.ceiling, definition.unit
                )));
        }
        if let Some(start) = start.filter(|start| !(min..=max).contains(start)) {
            return Err(Fault::new(format!("{name} cannot start from {start}"))
                .because(format!("its bounds are {min} to {max} {}", definition.unit)));
        }
        self.set(name, entry.value)?;
        self.declared[key as usize] = Some(Declared { start, min, max, source });
        Ok(())
    }

    /// Gives the parameter called `name` another value, which no calibration has led to.
    ///
    /// # Errors
    /// When the name is not known, or the value is outside of the model's limits.
    pub(super) fn set(&mut self, name: &str, value: f64) -> Result<(), Fault> {
        let key = find(name)?;
        let definition = key.definition();
        if !(definition.floor..=definition.ceiling).contains(&value) {
            return Err(Fault::new(format!("{value} cannot be the value of {name}")).because(
                format!(
                    "the model takes {} to {} {}",
                    definition.floor, definition.ceiling, definition.unit
                ),
            ));
        }
        self.values[key as usize] = value;
        if let Some(declared) = &mut self.declared[key as usize] {
            declared.start = None;
        }
        Ok(())
    }

    /// The value of a parameter.
    pub fn get(&self, key: Key) -> f64 {
        self.values[key as usize]
    }

    /// Takes over the value and the declaration of every parameter of `parts` from `other`.
    pub(super) fn adopt(&mut self, other: &Self, parts: &[&str]) {
        for key in Key::ALL {
            let part = key.definition().name.split('.').next().unwrap_or_default();
            if parts.contains(&part) {
                self.values[*key as usize] = other.values[*key as usize];
                self.declared[*key as usize] = other.declared[*key as usize];
            }
        }
    }

    /// Notes that these declared parameters were fitted, and from which values.
    pub(super) fn mark_fitted(&mut self, starts: &[(&str, f64)]) {
        for (key, declared) in Key::ALL.iter().zip(&mut self.declared) {
            let name = key.definition().name;
            let fitted = starts.iter().find(|(fitted, _)| *fitted == name);
            if let (Some(declared), Some((_, start))) = (declared.as_mut(), fitted) {
                declared.source = Source::Fitted;
                declared.start = Some(*start);
            }
        }
    }

    /// The parameters that the file names, in the order of the model's list.
    pub(super) fn declared(&self) -> Vec<Parameter> {
        let with_key = Key::ALL.iter().zip(&self.declared);
        with_key
            .filter_map(|(key, declared)| {
                let Declared { start, min, max, source } = (*declared)?;
                let definition = key.definition();
                Some(Parameter {
                    name: definition.name,
                    value: self.get(*key),
                    start,
                    unit: definition.unit,
                    min,
                    max,
                    source,
                })
            })
            .collect()
    }
}

fn find(name: &str) -> Result<Key, Fault> {
    Key::find(name).ok_or_else(|| {
        let fault = Fault::new(format!("there is no parameter '{name}'"));
        let known = DEFINITIONS.iter().map(|definition| definition.name);
        match nearest(name, known).first() {
            Some(near) => fault.fix(format!("did you mean '{near}'?")),
            None => fault.fix("docs/simulator.md lists the parameters"),
        }
    })
}
