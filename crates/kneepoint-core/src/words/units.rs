//! Units as types: a raw number never crosses a border.
//!
//! Capacity is decimal (1 TB = 10^12 bytes) where a drive is described, blocks and files are
//! binary (1 KiB = 1024 bytes), throughput is MiB/s (2^20 bytes per second), response time is
//! milliseconds (microseconds below 1 ms). Both kinds of size can be typed: `8GiB` and `8GB`.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::words::fault::Fault;

/// Bytes in one KiB.
pub const KIB: u64 = 1 << 10;
/// Bytes in one MiB.
pub const MIB: u64 = 1 << 20;
/// Bytes in one GiB.
pub const GIB: u64 = 1 << 30;

/// A time span or a point on a backend's clock, in nanoseconds (0 to 584 years).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Nanos(pub u64);

impl Nanos {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// Later than any time that a backend can reach.
    pub const MAX: Self = Self(u64::MAX);

    /// Whole milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis * 1_000_000)
    }

    /// Whole seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs * 1_000_000_000)
    }

    /// Seconds as a float, rounded to the nearest nanosecond; negative values become zero.
    pub fn from_secs_f64(secs: f64) -> Self {
        Self((secs * 1e9).round().max(0.0) as u64)
    }

    /// This span in seconds.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// This span in milliseconds.
    pub fn as_millis_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// The span from `earlier` to `self`, zero where `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Nanos {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Nanos {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.since(other)
    }
}

impl fmt::Display for Nanos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("0s"),
            n if n % 1_000_000_000 == 0 => write!(f, "{}s", n / 1_000_000_000),
            n if n >= 1_000_000_000 => write!(f, "{}s", n as f64 / 1e9),
            n if n % 1_000_000 == 0 => write!(f, "{}ms", n / 1_000_000),
            n if n >= 1_000_000 => write!(f, "{}ms", n as f64 / 1e6),
            n if n % 1_000 == 0 => write!(f, "{}us", n / 1_000),
            n => write!(f, "{n}ns"),
        }
    }
}

impl FromStr for Nanos {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let (number, unit) = split_number(text)?;
        let per_unit = match unit {
            "ns" => 1.0,
            "us" | "µs" => 1e3,
            "ms" => 1e6,
            "s" => 1e9,
            "m" | "min" => 60e9,
            "h" => 3600e9,
            _ => {
                return Err(Fault::new(format!("'{text}' is not a time span"))
                    .because(if unit.is_empty() { "the unit is missing" } else { "unknown unit" })
                    .fix("write a number with a unit: 500ms, 30s, 5m, 1h"));
            }
        };
        let nanos = number * per_unit;
        if nanos > u64::MAX as f64 / 4.0 {
            return Err(Fault::new(format!("'{text}' is too long a time span")));
        }
        Ok(Self(nanos.round() as u64))
    }
}

/// A size or an offset in bytes.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Bytes(pub u64);

impl Bytes {
    /// This size in MiB (2^20 bytes).
    pub fn as_mib_f64(self) -> f64 {
        self.0 as f64 / MIB as f64
    }
}

impl fmt::Display for Bytes {
    /// The largest binary unit that divides the size without a rest: `8KiB`, `8GiB`, `512B`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(&str, u64); 4] =
            [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
        match UNITS.iter().find(|(_, bytes)| self.0 >= *bytes && self.0.is_multiple_of(*bytes)) {
            Some((unit, bytes)) => write!(f, "{}{unit}", self.0 / bytes),
            None => write!(f, "{}B", self.0),
        }
    }
}

impl FromStr for Bytes {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let (number, unit) = split_number(text)?;
        let per_unit: u64 = match unit.to_ascii_lowercase().as_str() {
            "" | "b" => 1,
            "kib" | "k" => KIB,
            "mib" | "m" => MIB,
            "gib" | "g" => GIB,
            "tib" | "t" => 1 << 40,
            "kb" => 1_000,
            "mb" => 1_000_000,
            "gb" => 1_000_000_000,
            "tb" => 1_000_000_000_000,
            _ => {
                let fault = Fault::new(format!("'{text}' is not a size"))
                    .because(format!("unknown unit '{unit}'"));
                return Err(match unit_in_words(unit) {
                    Some(letter) => fault.fix(format!(
                        "write {number}{letter}iB (powers of 1024) or {number}{letter}B (powers of 1000)"
                    )),
                    None => fault.fix("use B, KiB, MiB, GiB, TiB (powers of 1024) or KB, MB, GB, TB (powers of 1000)"),
                });
            }
        };
        let bytes = number * per_unit as f64;
        if bytes >= (1u64 << 62) as f64 {
            return Err(Fault::new(format!("'{text}' is too large a size")));
        }
        if bytes.fract() != 0.0 {
            return Err(Fault::new(format!("'{text}' is not a whole number of bytes")));
        }
        Ok(Self(bytes as u64))
    }
}

/// A share in percent, 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Percent(f64);

impl Percent {
    /// Nothing.
    pub const ZERO: Self = Self(0.0);
    /// Everything.
    pub const FULL: Self = Self(100.0);

    /// A share of `percent` in a hundred.
    ///
    /// # Errors
    /// When the number is not between 0 and 100.
    pub fn new(percent: f64) -> Result<Self, Fault> {
        if (0.0..=100.0).contains(&percent) {
            Ok(Self(percent))
        } else {
            Err(Fault::new(format!("{percent} is not a percentage"))
                .fix("use a number from 0 to 100"))
        }
    }

    /// The share in percent, 0 to 100.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Half of the share.
    #[must_use]
    pub fn half(self) -> Self {
        Self(self.0 / 2.0)
    }

    /// The share as a fraction, 0 to 1.
    pub fn fraction(self) -> f64 {
        self.0 / 100.0
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.0)
    }
}

impl FromStr for Percent {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let (number, unit) = split_number(text)?;
        match unit {
            "%" => Self::new(number),
            _ => Err(Fault::new(format!("'{text}' is not a percentage")).fix("write it as 67%")),
        }
    }
}

/// A clock frequency in kHz, from 1 kHz to 1 THz, as the kernel counts it (cpufreq).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frequency(pub u64);

impl FromStr for Frequency {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let wrong = || {
            Fault::new(format!("'{text}' is no clock frequency"))
                .fix("write a number with its unit: 2.4GHz, 1800MHz")
        };
        let (number, unit) = split_number(text)?;
        let khz = match unit {
            "GHz" => number * 1e6,
            "MHz" => number * 1e3,
            "kHz" => number,
            _ => return Err(wrong()),
        };
        match (1.0..=1e9).contains(&khz) {
            true => Ok(Self(khz.round() as u64)),
            false => Err(wrong()),
        }
    }
}

/// The letter of a unit of size that is written as a word: `gigabytes`, `gibibyte`, `gigs`.
fn unit_in_words(unit: &str) -> Option<char> {
    const WORDS: [(char, [&str; 3]); 4] = [
        ('K', ["kilo", "kibi", "kbyte"]),
        ('M', ["meg", "mebi", "mbyte"]),
        ('G', ["gig", "gibi", "gbyte"]),
        ('T', ["tera", "tebi", "tbyte"]),
    ];
    let unit = unit.to_ascii_lowercase();
    let is_meant = |words: &[&str]| words.iter().any(|word| unit.starts_with(word));
    WORDS.iter().find(|(_, words)| is_meant(words)).map(|(letter, _)| *letter)
}

/// Splits `8GiB` into 8 and `GiB`; digits may be grouped with `_`, the number is not negative.
fn split_number(text: &str) -> Result<(f64, &str), Fault> {
    let text = text.trim();
    if text.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        return Err(Fault::new(format!("'{text}' is negative")).fix("use a number above zero"));
    }
    let end =
        text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let number = digits.replace('_', "").parse::<f64>().map_err(|_| {
        Fault::new(format!("'{text}' does not start with a number"))
            .fix("write a number with its unit, such as 8GiB, 500ms or 5%")
    })?;
    Ok((number, unit.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_binary_or_decimal_as_typed() {
        let check = |text: &str, bytes: u64| assert_eq!(text.parse::<Bytes>(), Ok(Bytes(bytes)));
        check("512", 512);
        check("8KiB", 8192);
        check("8k", 8192);
        check("0.5KiB", 512);
        check("8 GiB", 8 * GIB);
        check("8GB", 8_000_000_000);
        assert!("8XB".parse::<Bytes>().is_err());
        assert!("".parse::<Bytes>().is_err());
        assert!("0.3B".parse::<Bytes>().is_err());
        assert!("99999999TiB".parse::<Bytes>().is_err());
    }

    #[test]
    fn units_in_words_are_answered_with_the_right_spelling() {
        let fix = |text: &str| text.parse::<Bytes>().unwrap_err().fix_hint().unwrap().to_owned();
        let gigabytes = "write 8GiB (powers of 1024) or 8GB (powers of 1000)";
        assert_eq!(fix("8 gigabytes"), gigabytes);
        assert_eq!(fix("8 Gigs"), gigabytes);
        assert_eq!(fix("1.5kilobyte"), "write 1.5KiB (powers of 1024) or 1.5KB (powers of 1000)");
        assert!(fix("8 bananas").starts_with("use B, KiB"));
        assert!(fix("eight").starts_with("write a number with its unit"));
    }

    #[test]
    fn negative_numbers_are_called_negative() {
        let fault = |text: &str| text.parse::<Bytes>().unwrap_err().to_string();
        assert_eq!(fault("-8GiB"), "'-8GiB' is negative");
        assert_eq!("-1s".parse::<Nanos>().unwrap_err().to_string(), "'-1s' is negative");
        assert_eq!("-5%".parse::<Percent>().unwrap_err().to_string(), "'-5%' is negative");
    }

    #[test]
    fn sizes_print_in_the_largest_whole_unit() {
        assert_eq!(Bytes(8192).to_string(), "8KiB");
        assert_eq!(Bytes(8 * GIB).to_string(), "8GiB");
        assert_eq!(Bytes(1536).to_string(), "1536B");
        assert_eq!(Bytes(0).to_string(), "0B");
    }

    #[test]
    fn time_spans_need_a_unit() {
        assert_eq!("30s".parse(), Ok(Nanos::from_secs(30)));
        assert_eq!("1.5ms".parse(), Ok(Nanos(1_500_000)));
        assert_eq!("2m".parse(), Ok(Nanos::from_secs(120)));
        assert!("30".parse::<Nanos>().is_err());
        assert_eq!(Nanos(1_500_000).to_string(), "1.5ms");
        assert_eq!(Nanos::from_secs(2).to_string(), "2s");
    }

    #[test]
    fn frequencies_need_a_unit() {
        assert_eq!("1.8GHz".parse(), Ok(Frequency(1_800_000)));
        assert_eq!("2400 MHz".parse(), Ok(Frequency(2_400_000)));
        for wrong in ["2400", "2,4GHz", "0GHz", "9999999GHz", "fast", "1.8ghz"] {
            assert!(wrong.parse::<Frequency>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn percentages_stay_between_0_and_100() {
        assert_eq!("67%".parse::<Percent>().unwrap().get(), 67.0);
        assert!("101%".parse::<Percent>().is_err());
        assert!("67".parse::<Percent>().is_err());
    }
}
