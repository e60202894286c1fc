//! Single checks of values, and how a fault names them.

use crate::words::fault::Fault;

/// Numbers that were computed in another order of additions differ by no more than this share.
const ROUNDING: f64 = 1e-6;

/// Where a value stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place(String);

impl Place {
    /// The run itself.
    pub(super) fn run() -> Self {
        Self("the run".to_owned())
    }

    /// A place with a name.
    pub(super) fn named(name: String) -> Self {
        Self(name)
    }

    /// What is to be said of a field that has a `value` other than what was `expected`.
    pub(super) fn fault(&self, field: &str, value: &str, expected: &str) -> Fault {
        Fault::new(format!("{}: {field} is {value}", self.0))
            .because(format!("expected {expected}"))
            .fix("the file was changed, or Kneepoint did not write it: export the run again")
    }

    /// Refuses what is not finite or outside of `low` to `high`.
    pub(super) fn between(
        &self,
        field: &str,
        value: f64,
        (low, high): (f64, f64),
    ) -> Result<(), Fault> {
        if value >= low && value <= high {
            return Ok(());
        }
        Err(self.fault(field, &value.to_string(), &format!("{low} to {high}")))
    }

    /// Refuses what is not finite or below `low`.
    pub(super) fn at_least(&self, field: &str, value: f64, low: f64) -> Result<(), Fault> {
        if value >= low && value.is_finite() {
            return Ok(());
        }
        Err(self.fault(field, &value.to_string(), &format!("a number of at least {low}")))
    }

    /// Refuses a half-width that is no number of at least 0.
    pub(super) fn half_width(&self, field: &str, value: Option<f64>) -> Result<(), Fault> {
        value.map_or(Ok(()), |value| self.at_least(field, value, 0.0))
    }

    /// Refuses a value that differs from `expected` by more than rounding; `what` says what that
    /// is.
    pub(super) fn equal(
        &self,
        field: &str,
        value: f64,
        (expected, what): (f64, &str),
    ) -> Result<(), Fault> {
        let scale = value.abs().max(expected.abs()).max(1e-9);
        if (value - expected).abs() <= ROUNDING * scale {
            return Ok(());
        }
        Err(self.fault(field, &value.to_string(), &format!("{expected}, {what}")))
    }

    /// Refuses values that fall from one to the next.
    pub(super) fn rising(&self, values: &[(&str, f64)]) -> Result<(), Fault> {
        for pair in values.windows(2) {
            let [(low_name, low), (name, value)] = pair else { continue };
            if *value < low * (1.0 - ROUNDING) {
                let expected = format!("at least {low}, the value of {low_name}");
                return Err(self.fault(name, &value.to_string(), &expected));
            }
        }
        Ok(())
    }
}

/// Refuses text that is no RFC 3339 time in UTC.
pub(super) fn time(place: &Place, field: &str, text: &str) -> Result<(), Fault> {
    let local = text.strip_suffix('Z').or_else(|| text.strip_suffix("+00:00")).unwrap_or_default();
    let number = |from: usize, to: usize| local.get(from..to).and_then(|part| part.parse().ok());
    let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    let is_shaped = marks.iter().all(|(at, mark)| local.as_bytes().get(*at) == Some(mark));
    let limits: [(usize, usize, u32, u32); 6] = [
        (0, 4, 1970, 9999),
        (5, 7, 1, 12),
        (8, 10, 1, 31),
        (11, 13, 0, 23),
        (14, 16, 0, 59),
        (17, 19, 0, 60),
    ];
    let is_within = limits.iter().all(|(from, to, low, high)| {
        number(*from, *to).is_some_and(|value: u32| (*low..=*high).contains(&value))
    });
    let fraction = local.get(19..).unwrap_or_default();
    let digits = fraction.strip_prefix('.').unwrap_or("0");
    let is_fraction = (fraction.is_empty() || fraction.starts_with('.'))
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_shaped && is_within && is_fraction {
        return Ok(());
    }
    let expected = "a time in UTC such as 2026-11-21T04:35:10Z (RFC 3339)";
    Err(place.fault(field, &format!("'{text}'"), expected))
}
