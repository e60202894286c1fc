//! Phrases: how the parts of a result read in a sentence of the report's language.

use kneepoint_core::result::{PointResult, Verdict};
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::rule::{Limit, Rule};
use kneepoint_core::words::storage_class::TargetClass;
use kneepoint_core::words::units::Nanos;

use crate::language::{Language, texts};
use crate::page::{Text, Tone};

/// The sign for a missing value.
pub(super) const NOTHING: &str = "–";

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed(language: Language, items: &[String]) -> String {
    let and = texts::words::and(language);
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}

/// The load of a point: `64 outstanding`.
pub(super) fn level(language: Language, level: LoadLevel) -> String {
    texts::words::load(language, level.value, level.unit)
}

/// The load of a point behind a preposition.
pub(super) fn at_level(language: Language, level: LoadLevel) -> String {
    texts::words::at_load(language, level.value, level.unit)
}

/// A limit as it was typed, with a space before the unit: `20 ms`.
pub(super) fn limit(language: Language, limit: Nanos) -> String {
    let text = limit.to_string();
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let symbol = if &text[unit..] == "us" { "µs" } else { &text[unit..] };
    language.written(&format!("{} {symbol}", &text[..unit]))
}

/// A rule as a formula: `mean ≤ 20 ms`; a rule that cannot be read stands as it was typed.
pub(crate) fn rule(language: Language, text: &str) -> String {
    match text.parse::<Rule>() {
        Ok(rule) => {
            let metric = texts::words::metric(language, rule.metric);
            let class = rule.class.map(|class| format!("{}: ", class.as_str())).unwrap_or_default();
            let limit = match rule.limit {
                Limit::Time(time) => limit(language, time),
                Limit::Multiple { thousandths, load } => {
                    let times = language.written(&(f64::from(thousandths) / 1e3).to_string());
                    texts::words::times_at(language, &times, &language.level(f64::from(load)))
                }
            };
            format!("{class}{metric}\u{a0}≤\u{a0}{limit}")
        }
        Err(_) => text.to_owned(),
    }
}

/// The verdict of a point, with its share if it is disturbed: `disturbed 13 %`.
pub(super) fn verdict(language: Language, point: &PointResult) -> String {
    texts::words::verdict_share(language, point.verdict, point.disturbed_percent)
}

/// MiB per second, or a dash if there are none.
pub(super) fn volume(language: Language, volume: Option<f64>) -> String {
    volume.map_or_else(|| NOTHING.to_owned(), |volume| language.rate(volume))
}

/// The colour of a verdict.
pub(super) const fn verdict_tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Steady => Tone::Good,
        Verdict::TimeLimit | Verdict::Fixed => Tone::Plain,
        Verdict::Drifting => Tone::Caution,
        Verdict::Failed | Verdict::Disturbed => Tone::Bad,
    }
}

/// A fact's key as a name: `read_ahead_kb` becomes `Read ahead kb`, or what the language calls it.
pub(super) fn key(language: Language, key: &str) -> String {
    if let Some(name) = texts::environment::key(language, key) {
        return name.to_owned();
    }
    let words = key.replace('_', " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}

/// A fact's value: what the language calls it, or as it was recorded.
pub(super) fn value(language: Language, value: &str) -> Text {
    match texts::environment::value(language, value) {
        Some(known) => known.into(),
        None => recorded(language, value),
    }
}

/// Words that a run holds in English, whatever language the report has.
pub(super) fn recorded(language: Language, words: &str) -> Text {
    match language {
        Language::English => words.into(),
        Language::German => Text::new().english(words),
    }
}

/// A class of storage, and why a target was taken for it: `flash (vda is not rotational)`.
pub(super) fn class(language: Language, class: &TargetClass) -> Text {
    let reason = match texts::environment::class_reason(language, &class.because) {
        Some(known) => known.into(),
        None => recorded(language, &class.because),
    };
    let name = texts::environment::class_name(language, class.class);
    Text::new().plain(format!("{name} (")).join(reason).plain(")")
}

/// The title of a profile or suite: in the report's language where it is a shipped one.
pub(super) fn title(language: Language, title: &str) -> Text {
    match texts::words::title(language, title) {
        Some(known) => known.into(),
        None => recorded(language, title),
    }
}

#[cfg(test)]
mod tests {
    use kneepoint_core::words::storage_class::StorageClass;

    use super::*;
    use crate::language::Language::{English, German};
    use crate::page::Inline;

    #[test]
    fn rules_read_as_formulas() {
        assert_eq!(rule(English, "mean<=20ms"), "mean\u{a0}≤\u{a0}20\u{a0}ms");
        assert_eq!(rule(German, "mean<=20ms"), "Mittelwert\u{a0}≤\u{a0}20\u{a0}ms");
        assert_eq!(rule(English, "p99.9<=1.5ms"), "p99.9\u{a0}≤\u{a0}1.5\u{a0}ms");
        assert_eq!(rule(German, "p99.9<=1.5ms"), "p99,9\u{a0}≤\u{a0}1,5\u{a0}ms");
        assert_eq!(rule(English, "fast enough"), "fast enough");
        assert_eq!(rule(English, "write.p99<=5ms"), "write: p99\u{a0}≤\u{a0}5\u{a0}ms");
        assert_eq!(rule(English, "mean<=1.5x@5"), "mean\u{a0}≤\u{a0}1.5 times that at load 5");
        assert_eq!(
            rule(German, "mean<=1.5x@5"),
            "Mittelwert\u{a0}≤\u{a0}1,5-fach gegenüber Last 5"
        );
    }

    #[test]
    fn lists_end_with_and() {
        let items = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(listed(English, &items), "a, b and c");
        assert_eq!(listed(German, &items), "a, b und c");
        assert_eq!(listed(English, &items[..1]), "a");
    }

    #[test]
    fn a_class_has_its_reason_in_the_language_of_the_report() {
        let check = |because: &str, german: &str| {
            let found = TargetClass { class: StorageClass::Flash, because: because.to_owned() };
            assert_eq!(class(English, &found).words(), format!("flash ({because})"));
            let text = class(German, &found);
            assert_eq!(text.words(), format!("Flash ({german})"));
            let is_english = text.0.iter().any(|inline| matches!(inline, Inline::English(_)));
            assert_eq!(is_english, because == german);
        };
        check("vda is not rotational", "vda rotiert nicht");
        check("assumed: nfs shows no drive", "angenommen: nfs zeigt kein Laufwerk");
        check("assumed: no drive is known", "angenommen: kein Laufwerk ist bekannt");
        check(
            "sda is rotational; vda is not rotational; together they are as slow as the disks",
            "sda rotiert; vda rotiert nicht; zusammen sind sie so langsam wie die Platten",
        );
        check("its file system is in memory", "sein Dateisystem liegt im Arbeitsspeicher");
        check("vda hums; simulated flash", "vda hums; simulated flash");
    }
}
