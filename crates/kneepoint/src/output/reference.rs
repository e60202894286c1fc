//! The reference of a run that another one has measured.

use kneepoint_core::plan::Reference;
use kneepoint_core::result::RunDocument;
use kneepoint_core::words::number::ResponseTime;

use super::rule::within;

/// A line for each rule that refers to another run; nothing if the run has measured its own reference.
pub(crate) fn reference_text(document: &RunDocument) -> Option<String> {
    let found = document.plan.get("reference")?.clone();
    let reference: Reference = serde_json::from_value(found).ok()?;
    let run = &reference.origin.run;
    let label = match reference.origin.label.as_str() {
        "" => String::new(),
        label => format!(" ({label})"),
    };
    let line = |rule| {
        let value = ResponseTime(reference.value_ms(rule)?);
        let rule = within(&rule.to_string());
        Some(format!(
            "{rule}: its reference, {value}, was not measured here but in run {run}{label}\n"
        ))
    };
    let lines: String = reference.rules.iter().filter_map(line).collect();
    (!lines.is_empty()).then_some(lines)
}
