//! The outcome of conditions as JUnit XML, the format that CI servers read.
//!
//! One test suite for each run, one test case for each condition on each series and rule. What
//! cannot be told is a skipped test, or a failure if nothing of the condition could be told.

use std::fmt::Write as _;

use kneepoint_core::analysis::comparison::{Check, Comparison, GateOutcome};

use super::comparison::{GateJudgement, Undecided, check_name, reason};

/// The checks of `comparison` as a file; without checks an empty one.
pub(crate) fn junit(comparison: &Comparison, undecided: Undecided) -> String {
    let judgement = comparison.gate.as_ref().map(|gate| GateJudgement::of(gate, undecided));
    let judgement = judgement.as_ref();
    let checks = comparison.gate.as_ref().map_or(&[][..], |gate| &gate.checks);
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let (failures, skipped) = counts(checks.iter(), judgement);
    // Writing to a string cannot fail.
    let _ = writeln!(
        xml,
        "<testsuites name=\"kneepoint compare\" tests=\"{}\" failures=\"{failures}\" skipped=\"{skipped}\">",
        checks.len()
    );
    for (index, run) in comparison.runs.iter().enumerate().skip(1) {
        let of_run: Vec<&Check> =
            checks.iter().filter(|check| check.run as usize == index).collect();
        let (failures, skipped) = counts(of_run.iter().copied(), judgement);
        let name = format!("{} against {}", run.name(), comparison.runs[0].name());
        let _ = writeln!(
            xml,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">",
            escaped(&name),
            of_run.len()
        );
        of_run.iter().for_each(|check| test_case(&mut xml, check, judgement));
        xml.push_str("  </testsuite>\n");
    }
    xml + "</testsuites>\n"
}

/// Failures and skipped tests.
fn counts<'a>(
    checks: impl Iterator<Item = &'a Check>,
    judgement: Option<&GateJudgement<'_>>,
) -> (usize, usize) {
    checks.fold((0, 0), |(failures, skipped), check| match judged(check, judgement) {
        GateOutcome::Passed => (failures, skipped),
        GateOutcome::Undecided => (failures, skipped + 1),
        GateOutcome::Failed => (failures + 1, skipped),
    })
}

fn judged(check: &Check, judgement: Option<&GateJudgement<'_>>) -> GateOutcome {
    judgement.map_or(check.outcome, |judgement| judgement.outcome(check))
}

fn test_case(xml: &mut String, check: &Check, judgement: Option<&GateJudgement<'_>>) {
    let (series, name) = (escaped(&check.series), escaped(&check_name(check)));
    let _ = write!(xml, "    <testcase classname=\"{series}\" name=\"{name}\"");
    let reason = escaped(&reason(check));
    let told = if check.outcome == GateOutcome::Undecided { "cannot tell: " } else { "" };
    let _ = match judged(check, judgement) {
        GateOutcome::Passed => writeln!(xml, "><system-out>{reason}</system-out></testcase>"),
        GateOutcome::Undecided => {
            writeln!(xml, "><skipped message=\"{told}{reason}\"/></testcase>")
        }
        GateOutcome::Failed => writeln!(xml, "><failure message=\"{told}{reason}\"/></testcase>"),
    };
}

/// Text for an attribute or an element; what XML 1.0 has no place for becomes a space.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a<b & \"c\"\u{1}'d'>"), "a&lt;b &amp; &quot;c&quot; &apos;d&apos;&gt;");
    }
}
