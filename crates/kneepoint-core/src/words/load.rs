//! Load levels: what is raised until the response time gives way.
//!
//! Search, rules, summaries and figures speak of a level with a unit, never of disks, so that an
//! instrument that loads something else only adds a unit.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

crate::named! {
    /// What a load level counts.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum LoadUnit {
        /// Closed loop: requests in flight per target; a completion is replaced at once.
        OutstandingIos = "outstanding_ios",
        /// Open loop: I/Os offered per second to each target, whatever the target answers.
        OfferedIops = "offered_iops",
        /// Users that work at the same time, each with pauses between operations.
        Users = "users",
        /// Warehouses of business operations.
        Warehouses = "warehouses",
        /// Copies of a program that run at the same time.
        Copies = "copies",
        /// Closed loop: operations on files in flight per target.
        OutstandingOperations = "outstanding_operations",
    }
}

crate::named! {
    /// What one level of load is applied to.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum LoadPer {
        /// Each target has it.
        Target = "target",
        /// All targets have it together.
        Run = "run",
    }
}

impl LoadUnit {
    /// The unit that has this name in results.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.name() == name)
    }

    /// The unit as a column head or an axis label.
    pub const fn label(self) -> &'static str {
        match self {
            Self::OutstandingIos => "outstanding I/Os",
            Self::OfferedIops => "offered IO/s",
            Self::Users => "users",
            Self::Warehouses => "warehouses",
            Self::Copies => "copies",
            Self::OutstandingOperations => "outstanding operations",
        }
    }

    /// As [`Self::label`], in the singular for a level of one.
    pub fn label_of(self, value: f64) -> &'static str {
        match self {
            Self::OutstandingIos if value == 1.0 => "outstanding I/O",
            Self::Users if value == 1.0 => "user",
            Self::Warehouses if value == 1.0 => "warehouse",
            Self::Copies if value == 1.0 => "copy",
            Self::OutstandingOperations if value == 1.0 => "outstanding operation",
            unit => unit.label(),
        }
    }

    /// Whether only whole numbers are levels of this unit.
    pub const fn is_whole(self) -> bool {
        !self.is_offered()
    }

    /// Whether a rate is offered, whatever is delivered (open loop).
    pub const fn is_offered(self) -> bool {
        matches!(self, Self::OfferedIops)
    }

    /// What a level is applied to.
    pub const fn per(self) -> LoadPer {
        match self {
            Self::OutstandingIos | Self::OfferedIops | Self::OutstandingOperations => {
                LoadPer::Target
            }
            Self::Users | Self::Warehouses | Self::Copies => LoadPer::Run,
        }
    }
}

/// One level of load: a positive number of `unit`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(from = "WrittenLevel", into = "WrittenLevel")]
pub struct LoadLevel {
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: LoadUnit,
}

/// A load level as results have it.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "LoadLevel")]
struct WrittenLevel {
    /// How much.
    value: f64,
    /// Of what.
    unit: LoadUnit,
    /// What has that much: each target, or all together. Follows from the unit.
    per: LoadPer,
}

impl From<WrittenLevel> for LoadLevel {
    fn from(WrittenLevel { value, unit, .. }: WrittenLevel) -> Self {
        Self { value, unit }
    }
}

impl From<LoadLevel> for WrittenLevel {
    fn from(LoadLevel { value, unit }: LoadLevel) -> Self {
        Self { value, unit, per: unit.per() }
    }
}

impl JsonSchema for LoadLevel {
    fn schema_name() -> Cow<'static, str> {
        WrittenLevel::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        WrittenLevel::json_schema(generator)
    }
}

impl Default for LoadLevel {
    fn default() -> Self {
        Self::outstanding(1)
    }
}

impl LoadLevel {
    /// `count` requests in flight per target.
    pub fn outstanding(count: u32) -> Self {
        Self { value: f64::from(count), unit: LoadUnit::OutstandingIos }
    }

    /// `rate` I/Os per second offered to each target.
    pub const fn offered(rate: f64) -> Self {
        Self { value: rate, unit: LoadUnit::OfferedIops }
    }

    /// `count` warehouses.
    pub fn warehouses(count: u32) -> Self {
        Self { value: f64::from(count), unit: LoadUnit::Warehouses }
    }

    /// `count` copies of a program.
    pub fn copies(count: u32) -> Self {
        Self { value: f64::from(count), unit: LoadUnit::Copies }
    }

    /// `count` operations on files in flight per target.
    pub fn outstanding_operations(count: u32) -> Self {
        Self { value: f64::from(count), unit: LoadUnit::OutstandingOperations }
    }

    /// `count` users of all targets together.
    pub fn users(count: u32) -> Self {
        Self { value: f64::from(count), unit: LoadUnit::Users }
    }
}

impl fmt::Display for LoadLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.value, self.unit.label_of(self.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_outstanding_io_is_singular() {
        assert_eq!(LoadLevel::outstanding(1).to_string(), "1 outstanding I/O");
        assert_eq!(LoadLevel::outstanding(2).to_string(), "2 outstanding I/Os");
        let operations = LoadLevel::outstanding_operations;
        assert_eq!(operations(1).to_string(), "1 outstanding operation");
        assert_eq!(operations(2).to_string(), "2 outstanding operations");
        assert_eq!(LoadLevel::offered(1.0).to_string(), "1 offered IO/s");
    }
    #[test]
    fn a_level_is_written_with_what_has_it() {
        let written = |level: LoadLevel| serde_json::to_string(&level).unwrap();
        let outstanding = r#"{"value":3.0,"unit":"outstanding_ios","per":"target"}"#;
        assert_eq!(written(LoadLevel::outstanding(3)), outstanding);
        assert_eq!(written(LoadLevel::users(1)), r#"{"value":1.0,"unit":"users","per":"run"}"#);
        assert_eq!(
            serde_json::from_str::<LoadLevel>(outstanding).unwrap(),
            LoadLevel::outstanding(3)
        );
        assert!(LoadUnit::ALL.iter().all(|unit| LoadUnit::named(unit.name()) == Some(*unit)));
    }
}
