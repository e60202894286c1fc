//! Points judged by rules.

use super::PointResult;
use crate::words::rule::Rule;

impl Rule {
    /// The number of a point that the rule looks at, in milliseconds; `None` if the point has no
    /// operations of the class, or the number is not known of it.
    pub fn value_ms(&self, point: &PointResult) -> Option<f64> {
        let latency = match &self.class {
            None => &point.latency_ms,
            Some(class) => &point.class(class.as_str())?.latency_ms,
        };
        latency.of(self.metric)
    }

    /// The same rule with a time as its limit, from the `points` of a series; `None` if the load of
    /// its reference was not measured, or had no such operations.
    pub fn resolved<'a>(&self, points: impl IntoIterator<Item = &'a PointResult>) -> Option<Self> {
        let Some(load) = self.reference_load() else { return Some(*self) };
        let reference = points.into_iter().find(|point| point.load.value == load)?;
        self.against(self.value_ms(reference)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::Latency;
    use crate::words::load::LoadLevel;

    #[test]
    fn a_reference_becomes_a_time_once_it_is_measured() {
        let point = |load: u32, mean: f64| PointResult {
            load: LoadLevel::outstanding(load),
            latency_ms: Latency { mean, ..Latency::default() },
            ..PointResult::default()
        };
        let points = [point(1, 2.0), point(5, 3.0)];
        let rule: Rule = "mean<=2x@5".parse().unwrap();
        assert_eq!(rule.resolved(&points).unwrap().to_string(), "mean<=6ms");
        assert_eq!(rule.resolved(&points[..1]), None);
        let more: Rule = "mean<=+100ms@1".parse().unwrap();
        assert_eq!(more.resolved(&points).unwrap().to_string(), "mean<=102ms");
        let absolute: Rule = "mean<=20ms".parse().unwrap();
        assert_eq!(absolute.resolved(&points[..0]), Some(absolute));
        let of_class: Rule = "write.mean<=20ms".parse().unwrap();
        assert_eq!(of_class.value_ms(&points[0]), None);
    }
}
