//! Bounds by transformation: the optimiser moves freely, the parameter stays between its bounds.

use kneepoint_sim::system::Parameter;

/// The optimiser starts at least this far from both bounds, as a share of their distance: at a
/// bound itself no step would change anything.
const MARGIN: f64 = 0.02;

/// A parameter that a calibration moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Free {
    /// Its name, `disk.seek_average`.
    pub(crate) name: &'static str,
    /// Unit of values and bounds.
    pub(crate) unit: &'static str,
    /// Value that the fit starts from: where the last one started, or else the value.
    pub(crate) start: f64,
    /// Smallest value.
    pub(crate) min: f64,
    /// Largest value.
    pub(crate) max: f64,
}

impl Free {
    pub(crate) fn of(parameter: &Parameter) -> Self {
        let Parameter { name, value, start, unit, min, max, .. } = *parameter;
        Self { name, unit, start: start.unwrap_or(value), min, max }
    }

    /// The optimiser's coordinate of the start: the logit of the place between the bounds. Bounds
    /// and values may be zero, which a logarithm of the value would not survive.
    pub(crate) fn start_coordinate(&self) -> f64 {
        let place = (self.start - self.min) / (self.max - self.min);
        let place = place.clamp(MARGIN, 1.0 - MARGIN);
        (place / (1.0 - place)).ln()
    }

    /// The value at a coordinate, to a millionth of the distance of the bounds: what is written to
    /// a file is what was measured with.
    pub(crate) fn value(&self, coordinate: f64) -> f64 {
        let exact = self.min + (self.max - self.min) / (1.0 + (-coordinate).exp());
        let digits = 10_f64.powi(6 - (self.max - self.min).log10().ceil() as i32);
        ((exact * digits).round() / digits).clamp(self.min, self.max)
    }

    /// Whether a value is as good as at one of the bounds.
    pub(crate) fn is_at_bound(&self, value: f64) -> bool {
        let place = (value - self.min) / (self.max - self.min);
        !(MARGIN..=1.0 - MARGIN).contains(&place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_between_their_bounds_and_move_from_zero() {
        let free = Free { name: "a.b", unit: "us", start: 0.0, min: 0.0, max: 60.0 };
        let start = free.start_coordinate();
        assert!((free.value(start) - 1.2).abs() < 1e-9);
        assert!(free.value(start + 0.3) > 1.3 * free.value(start));
        assert!(free.value(-50.0) >= 0.0 && free.value(50.0) <= 60.0);
        assert!(free.is_at_bound(0.5) && !free.is_at_bound(30.0));
    }
}
