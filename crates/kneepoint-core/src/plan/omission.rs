//! What a plan left out of what was asked for, and why.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::spec::factor::{Combination, combination_text};
use crate::spec::trace::{TraceFit, Unreplayed};
use crate::words::number::{Count, RoundedBytes};
use crate::words::units::Bytes;

/// What a plan is not of what was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Omission {
    /// As data.
    Known(Left),
    /// A sentence in English, as plans of older versions have it.
    Words(String),
}

/// A part that was left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "left_out", rename_all = "snake_case")]
pub enum Left {
    /// A series that a target cannot take.
    Series {
        /// Its name.
        series: String,
        /// The target.
        target: String,
        /// Why not.
        why: SeriesObstacle,
    },
    /// Settings that the suite sets for a profile's series alone.
    Settings {
        /// Name of the profile.
        profile: String,
        /// The settings.
        settings: Combination,
        /// Why not.
        why: SettingsObstacle,
    },
    /// The file copy.
    FileCopy {
        /// Why not.
        why: CopyObstacle,
    },
    /// Workers beyond the free CPUs at an offered rate.
    Workers {
        /// How many there are instead.
        workers: u32,
        /// How many were asked for.
        asked: u32,
        /// CPUs of the host.
        cpus: u32,
    },
    /// The places of a trace's I/Os, which are elsewhere on a target of another size.
    Addresses {
        /// Name of the series.
        series: String,
        /// The target.
        target: String,
        /// Bytes that the trace uses.
        extent_bytes: u64,
        /// Bytes of the target.
        size_bytes: u64,
        /// How they come there.
        fit: TraceFit,
    },
    /// The exact offsets and lengths of a trace.
    Rounding {
        /// Name of the series.
        series: String,
        /// They are rounded to multiples of this.
        multiple_bytes: u64,
        /// Those of the trace are multiples of this.
        of_trace_bytes: u64,
    },
    /// What of a trace is no read or write, or was never in it.
    Unreplayed {
        /// Name of the series.
        series: String,
        /// What.
        what: Unreplayed,
        /// How many of them.
        count: u64,
    },
    /// Times of a trace that run backwards.
    Disorder {
        /// Name of the series.
        series: String,
        /// How many of them.
        count: u64,
    },
    /// The devices of a trace, which are one behind the other.
    Devices {
        /// Name of the series.
        series: String,
        /// How many of them.
        devices: u32,
    },
}

/// Why a target cannot take a series.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeriesObstacle {
    /// Direct I/O goes in multiples of another size.
    Alignment {
        /// The size in bytes.
        multiple_bytes: u64,
        /// What was asked for, in bytes.
        block_bytes: u64,
    },
    /// A block is larger than the address range.
    Room {
        /// Size of the block in bytes.
        block_bytes: u64,
    },
    /// Behind a block and its gap there is no room for another: always the same block would be used.
    Gap {
        /// The gap in bytes.
        gap_bytes: u64,
    },
}

/// Why a series cannot choose its settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SettingsObstacle {
    /// The run varies them.
    Varied,
    /// The target's name says otherwise.
    Named {
        /// The target.
        target: String,
    },
    /// The target keeps its settings.
    Fixed {
        /// The target.
        target: String,
    },
}

/// Why no files are copied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CopyObstacle {
    /// Simulated systems have no operating system.
    NotSimulated,
    /// The null target has no files.
    NoFiles,
    /// A target is a device.
    Device {
        /// The target.
        target: String,
    },
    /// Only the knee is searched for.
    KneeOnly,
    /// Settings are varied.
    Factors,
    /// Data is verified.
    Verified,
}

impl From<Left> for Omission {
    fn from(left: Left) -> Self {
        Self::Known(left)
    }
}

impl fmt::Display for Omission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(left) => left.fmt(f),
            Self::Words(words) => f.write_str(words),
        }
    }
}

/// Why a target cannot take a series.
fn obstacle(target: &str, why: SeriesObstacle) -> String {
    match why {
        SeriesObstacle::Alignment { multiple_bytes, block_bytes } => format!(
            "direct I/O on {target} goes in multiples of {}, not {}",
            Bytes(multiple_bytes),
            Bytes(block_bytes)
        ),
        SeriesObstacle::Room { block_bytes } => {
            format!("a block of {} does not fit the address range on {target}", Bytes(block_bytes))
        }
        SeriesObstacle::Gap { gap_bytes } => format!(
            "behind a gap of {} no other block fits the address range on {target}",
            Bytes(gap_bytes)
        ),
    }
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Series { series, target, why } => {
                write!(f, "{series} was left out: {}", obstacle(target, *why))
            }
            Self::Settings { profile, settings, why } => {
                let settings = combination_text(settings);
                write!(
                    f,
                    "the suite's own settings for {profile} were left out ({settings}): {why}"
                )
            }
            Self::FileCopy { why } => write!(f, "the file copy was left out: {why}"),
            Self::Workers { workers, asked, cpus } => {
                let offer = match workers {
                    1 => "1 worker offers".to_owned(),
                    many => format!("{many} workers offer"),
                };
                write!(
                    f,
                    "{offer} the rates instead of {asked}: a worker spins before each arrival, so \
                     one of the {cpus} CPUs is left to everything else"
                )
            }
            Self::Addresses { series, target, extent_bytes, size_bytes, fit } => {
                let how = match fit {
                    TraceFit::Modulo => "the remainder of each offset by the size",
                    TraceFit::Scale => "each offset times the ratio of the sizes",
                };
                write!(
                    f,
                    "the I/Os of {series} are elsewhere on {target}: the trace uses {}, the target has \
                     {}, and an I/O goes to {how}",
                    RoundedBytes(*extent_bytes),
                    RoundedBytes(*size_bytes)
                )
            }
            Self::Rounding { series, multiple_bytes, of_trace_bytes } => write!(
                f,
                "the I/Os of {series} are rounded to multiples of {}, those of the trace are multiples of \
                 {}: offsets down, lengths up",
                Bytes(*multiple_bytes),
                Bytes(*of_trace_bytes)
            ),
            Self::Unreplayed { series, what, count } => write!(
                f,
                "{series} replays reads and writes; left out of the trace: {} ({})",
                what.name(),
                Count(*count)
            ),
            Self::Disorder { series, count } => write!(
                f,
                "times of {series} that run backwards in the trace ({}): such an I/O is replayed at the \
                 time of the one above it",
                Count(*count)
            ),
            Self::Devices { series, devices } => write!(
                f,
                "the {devices} devices of the trace of {series} are one behind the other on each target"
            ),
        }
    }
}

impl fmt::Display for SettingsObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Varied => f.write_str("they are varied"),
            Self::Named { target } => write!(f, "the name {target} says otherwise"),
            Self::Fixed { target } => write!(
                f,
                "{target} keeps its settings; a suite sets those of simulated storage systems only"
            ),
        }
    }
}

impl fmt::Display for CopyObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSimulated => f.write_str(
                "copying by the functions of an operating system is not simulated; name a file on \
                 a real file system",
            ),
            Self::NoFiles => f.write_str("the null target has no files"),
            Self::Device { target } => {
                write!(f, "{target} is a device and not a file on a file system")
            }
            Self::KneeOnly => f.write_str("only the knee of the series is searched for"),
            Self::Factors => f.write_str(
                "it is not repeated for the levels of factors; run the suite without them, too",
            ),
            Self::Verified => f.write_str(
                "the data of copies is not verified; run the suite without --verify, too",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_of_older_versions_have_sentences() {
        let read = |json: &str| serde_json::from_str::<Omission>(json).unwrap();
        let old = read("\"the file copy was left out: the null target has no files\"");
        let new = Omission::from(Left::FileCopy { why: CopyObstacle::NoFiles });
        assert_eq!(old.to_string(), new.to_string());
        assert_eq!(old, Omission::Words(new.to_string()), "and keep their hash");
        let json = serde_json::to_string(&new).unwrap();
        assert_eq!(json, r#"{"left_out":"file_copy","why":{"kind":"no_files"}}"#);
        assert_eq!(read(&json), new);
    }
}
