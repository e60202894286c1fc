//! What the report takes from the plan.
//!
//! The plan is read loosely, field by field, so that a report can be made of a run whose plan has
//! an older or newer format: what is not found is not said.

use std::collections::BTreeMap;

use kneepoint_core::words::storage_class::TargetClass;
use serde_json::Value;

/// What the report takes from the plan.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct PlanFacts {
    /// Title of the suite or profile.
    pub(super) title: Option<String>,
    /// The class of the targets that the rules were taken from, where no one named any.
    pub(super) class: Option<TargetClass>,
    /// The series in the order of the plan.
    pub(super) series: Vec<SeriesFacts>,
    /// The place of the first series of each name.
    places: BTreeMap<String, usize>,
    /// What the plan left out of the suite, and why.
    pub(super) omissions: Vec<String>,
}

/// What the plan says of one series.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct SeriesFacts {
    /// Name of the series.
    pub(super) name: String,
    /// Title of the load profile.
    pub(super) title: String,
    /// The mix, where it has more than one line.
    pub(super) mix: Vec<LineFacts>,
    /// What users do; empty for I/O.
    pub(super) operations: Vec<OperationFacts>,
    /// Mean pause of users between a response and the next operation, in milliseconds.
    pub(super) think_ms: Option<f64>,
    /// Number of planned points; `None` where the load is searched for.
    pub(super) points: Option<usize>,
    /// Used part of the target in percent of its size, where it is not all of it.
    pub(super) range_percent: Option<(f64, f64)>,
}

/// An operation of users.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OperationFacts {
    /// Its response class.
    pub(super) class: String,
    /// Share of the operations in percent.
    pub(super) share: f64,
    /// Processor time in milliseconds.
    pub(super) demand_ms: f64,
}

/// One line of a mix.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LineFacts {
    /// Share of the I/Os in percent.
    pub(super) share: f64,
    /// Bytes of each I/O.
    pub(super) block_bytes: u64,
    /// Share of reads in percent.
    pub(super) read: f64,
    /// Share of random positions in percent.
    pub(super) random: f64,
}

impl PlanFacts {
    /// Reads what is there.
    pub(super) fn read(plan: &Value) -> Self {
        let list = |key: &str| plan.get(key).and_then(Value::as_array).into_iter().flatten();
        let series: Vec<SeriesFacts> = list("series").map(series).collect();
        let mut places = BTreeMap::new();
        for (place, series) in series.iter().enumerate() {
            places.entry(series.name.clone()).or_insert(place);
        }
        Self {
            title: text(plan, "/title"),
            class: plan
                .get("target_class")
                .and_then(|class| serde_json::from_value(class.clone()).ok()),
            series,
            places,
            omissions: list("omissions").filter_map(Value::as_str).map(str::to_owned).collect(),
        }
    }

    /// What the plan says of the series `name`.
    pub(super) fn of(&self, name: &str) -> Option<&SeriesFacts> {
        self.places.get(name).map(|place| &self.series[*place])
    }

    /// Number of planned points, if the plan has any and says how many.
    pub(super) fn points(&self) -> Option<usize> {
        let points: Option<usize> = self.series.iter().map(|series| series.points).sum();
        points.filter(|points| *points > 0)
    }
}

fn series(value: &Value) -> SeriesFacts {
    let lines = value.pointer("/profile/lines").and_then(Value::as_array);
    let mix: Vec<LineFacts> = lines.into_iter().flatten().filter_map(line).collect();
    let operations = value.pointer("/profile/operations").and_then(Value::as_array);
    let levels = value.pointer("/loads/levels").and_then(Value::as_array);
    SeriesFacts {
        name: text(value, "/name").unwrap_or_default(),
        title: text(value, "/profile/title").unwrap_or_default(),
        mix: if mix.len() > 1 { mix } else { Vec::new() },
        operations: operations.into_iter().flatten().filter_map(operation).collect(),
        think_ms: number(value, "/profile/think").map(|ns| ns / 1e6),
        points: match value.pointer("/search/knee") {
            Some(_) => None,
            None => Some(levels.map_or(0, Vec::len)),
        },
        range_percent: range(value),
    }
}

fn line(value: &Value) -> Option<LineFacts> {
    Some(LineFacts {
        share: number(value, "/share")?,
        block_bytes: value.get("block_bytes")?.as_u64()?,
        read: number(value, "/read")?,
        random: number(value, "/random")?,
    })
}

fn operation(value: &Value) -> Option<OperationFacts> {
    Some(OperationFacts {
        class: text(value, "/class")?,
        share: number(value, "/share")?,
        demand_ms: number(value, "/demand")? / 1e6,
    })
}

fn range(series: &Value) -> Option<(f64, f64)> {
    let range = series.pointer("/profile/range")?;
    let ends = (number(range, "/start")?, number(range, "/end")?);
    Some(ends).filter(|ends| *ends != (0.0, 100.0))
}

fn text(value: &Value, pointer: &str) -> Option<String> {
    let text = value.pointer(pointer)?.as_str()?;
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

fn number(value: &Value, pointer: &str) -> Option<f64> {
    value.pointer(pointer)?.as_f64()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_plan_of_any_shape_is_read_as_far_as_it_goes() {
        assert_eq!(PlanFacts::read(&Value::Null), PlanFacts::default());
        assert_eq!(PlanFacts::read(&json!([1, 2])), PlanFacts::default());
        let facts = PlanFacts::read(&json!({
            "title": "A title",
            "series": [{"name": "a/8KiB", "loads": {"levels": [1.0, 2.0]},
                        "profile": {"title": "A", "range": {"start": 0.0, "end": 8.0}}}, 7],
        }));
        assert_eq!(facts.points(), Some(2));
        assert_eq!(facts.of("a/8KiB").and_then(|series| series.range_percent), Some((0.0, 8.0)));
    }
}
