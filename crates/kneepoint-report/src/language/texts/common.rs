//! Words that all chapters share.

use kneepoint_core::result::{PointResult, Verdict};
use kneepoint_core::words::load::{LoadLevel, LoadUnit};
use kneepoint_core::words::number::Measured;
use kneepoint_core::words::rule::{Metric, Rule, RuleLimit};
use kneepoint_core::words::storage_class::TargetClass;
use kneepoint_core::words::units::Nanos;

use super::environment;
use crate::language::Language::{self, English, German};
use crate::page::{TableCell, Text, Tone};

texts! {
    /// Before the last item of a list.
    and: "and" | "und";
    /// The same of several of which one holds.
    or: "or" | "oder";
    none: "none" | "keine";
    not_recorded: "not recorded" | "nicht aufgezeichnet";
    range(from: &str, to: &str): "{from} to {to}" | "{from} bis {to}";
    /// A multiple of the number at a load: how many times, and the load.
    times_at(times: &str, load: &str):
        "{times} times that at load {load}"
        | "das {times}-Fache des Werts bei Last {load}";
    /// So much more than the number at a load.
    beyond(extra: &str, load: &str):
        "{extra} more than at load {load}"
        | "{extra} mehr als bei Last {load}";
    /// The same with each target's share: the unit again.
    /// What loads and throughput are of, with several targets.
    loads_of_each(targets: &str):
        "Loads are those of each of {targets} targets; throughput is that of all together."
        | "Lasten gelten für jedes von {targets} Zielen, der Durchsatz für alle zusammen.";
    each_target(what: &str): "{what} per target" | "{what} je Ziel";
    /// Heads of the load of each target and of that of all.
    per_target: "per target" | "je Ziel";
    in_total: "in total" | "insgesamt";
    total_of(total: &str): "{total} in total" | "insgesamt {total}";
    each_and_total(load: &str, total: &str):
        "{load} per target ({total} in total)"
        | "{load} je Ziel (insgesamt {total})";
    /// After a range of throughputs.
    without_disturbed(series: &str):
        " Left out: {series} whose points something else disturbed."
        | " Nicht darin: {series}, deren Messpunkte etwas anderes gestört hat.";
    nothing_measured: "No point was measured." | "Kein Messpunkt wurde gemessen.";
    what_at(what: &str, place: &str): "{what} at {place}" | "{what} bei {place}";
    at(place: &str): "at {place}" | "bei {place}";
    yes: "yes" | "ja";
    no: "no" | "nein";
    unknown: "unknown" | "unbekannt";
    failed: "failed" | "fehlgeschlagen";
    command: "The command as it was typed" | "Der Befehl, wie er eingegeben wurde";
    block_size: "Block size" | "Blockgröße";
    change: "Change" | "Änderung";
    class_word: "Class" | "Klasse";
    mean_response: "Mean response time" | "Mittlere Antwortzeit";
    peak: "Peak" | "Spitze";
    points_word: "Points" | "Messpunkte";
    significant: "Significant" | "Signifikant";
    series: "Series" | "Messreihe";
    load_word: "Load" | "Last";
    target: "Target" | "Ziel";
    throughput: "Throughput" | "Durchsatz";
    response_time: "Response time" | "Antwortzeit";
    response_metric(name: &str): "{name} response time" | "Antwortzeit {name}";
    mean: "Mean" | "Mittel";
    smallest: "Smallest" | "Kleinste";
    largest: "Largest" | "Größte";
    errors: "Errors" | "Fehler";
    verdict_word: "Verdict" | "Urteil";
    rule_word: "Rule" | "Regel";
    /// A limit of the mean response time in running text.
    within_time(limit: &str): "within {limit}" | "innerhalb von {limit}";
    within_metric(metric: &str, limit: &str):
        "with {metric} within {limit}"
        | "bei {metric} innerhalb von {limit}";
    at_the_rule(rule: &str): "at {rule}" | "bei {rule}";
}

/// This many points.
pub(crate) fn points(language: Language, count: usize) -> String {
    counted_in(language, count, [["point", "points"], ["Messpunkt", "Messpunkte"]])
}

/// This many series.
pub(crate) fn all_series(language: Language, count: usize) -> String {
    counted_in(language, count, [["series", "series"], ["Messreihe", "Messreihen"]])
}

/// This many repetitions.
pub(crate) fn repetitions(language: Language, count: usize) -> String {
    let german = ["Wiederholung", "Wiederholungen"];
    counted_in(language, count, [["repetition", "repetitions"], german])
}

/// This many rounds.
pub(crate) fn rounds(language: Language, count: usize) -> String {
    counted_in(language, count, [["round", "rounds"], ["Runde", "Runden"]])
}

/// A load, number first.
pub(crate) fn load(language: Language, value: f64, unit: LoadUnit) -> String {
    match (language, unit) {
        (German, LoadUnit::OutstandingIos) if value == 1.0 => {
            format!("{} ausstehendes I/O", German.level(value))
        }
        (German, LoadUnit::OutstandingOperations) if value == 1.0 => {
            format!("{} ausstehende Operation", German.level(value))
        }
        _ => behind_number(language, &language.level(value), value, unit),
    }
}

/// The same as it stands behind a preposition.
pub(crate) fn at_load(language: Language, value: f64, unit: LoadUnit) -> String {
    let number = language.level(value);
    match (language, unit) {
        (English, _) => load(English, value, unit),
        (German, LoadUnit::OutstandingIos) if value == 1.0 => format!("{number} ausstehenden I/O"),
        (German, LoadUnit::Users | LoadUnit::Warehouses | LoadUnit::Copies) if value == 1.0 => {
            load(German, value, unit)
        }
        (German, LoadUnit::OutstandingOperations) if value == 1.0 => {
            format!("{number} ausstehenden Operation")
        }
        (German, _) => behind(&number, unit),
    }
}

/// The unit of a load behind several numbers.
pub(crate) fn loads(language: Language, values: &str, unit: LoadUnit) -> String {
    behind_number(language, values, 2.0, unit)
}

/// The unit behind a number, or behind several, in the nominative.
fn behind_number(language: Language, number: &str, value: f64, unit: LoadUnit) -> String {
    let noun = match (language, unit) {
        (English, unit) => unit.label_of(value),
        (German, LoadUnit::OutstandingIos) => "ausstehende I/Os",
        (German, LoadUnit::OfferedIops) => "angebotene IO/s",
        (German, LoadUnit::Users) => "Benutzer",
        (German, LoadUnit::Warehouses) if value == 1.0 => "Lagerhaus",
        (German, LoadUnit::Warehouses) => "Lagerhäuser",
        (German, LoadUnit::Copies) if value == 1.0 => "Kopie",
        (German, LoadUnit::Copies) => "Kopien",
        (German, LoadUnit::OutstandingOperations) => "ausstehende Operationen",
    };
    format!("{number} {noun}")
}

pub(crate) const fn load_title(language: Language, unit: LoadUnit) -> &'static str {
    language.choose(match unit {
        LoadUnit::OutstandingIos => ["Outstanding I/Os", "Ausstehende I/Os"],
        LoadUnit::OfferedIops => ["Offered IO/s", "Angebotene IO/s"],
        LoadUnit::Users => ["Users", "Benutzer"],
        LoadUnit::Warehouses => ["Warehouses", "Lagerhäuser"],
        LoadUnit::Copies => ["Copies", "Kopien"],
        LoadUnit::OutstandingOperations => ["Outstanding operations", "Ausstehende Operationen"],
    })
}

/// The response time of a rule, short: the left side of a formula.
pub(crate) fn metric(language: Language, metric: Metric) -> String {
    match (language, metric) {
        (German, Metric::Mean) => "Mittelwert".to_owned(),
        (German, Metric::Max) => "Maximum".to_owned(),
        (_, other) => language.written(&other.to_string()),
    }
}

/// The response time of a rule at the start of a sentence.
pub(crate) fn response_of(language: Language, metric: Metric) -> String {
    let known = match metric {
        Metric::Mean => ["Mean response time", "Mittlere Antwortzeit"],
        Metric::Max => ["Largest response time", "Größte Antwortzeit"],
        Metric::P50 => ["Median response time", "Median der Antwortzeit"],
        other => {
            let name = language.written(&other.to_string());
            return response_metric(language, &name);
        }
    };
    language.choose(known).to_owned()
}

pub(crate) const fn verdict(language: Language, verdict: Verdict) -> &'static str {
    language.choose(match verdict {
        Verdict::Steady => ["steady", "stabil"],
        Verdict::TimeLimit => ["time limit", "Zeitgrenze"],
        Verdict::Fixed => ["fixed time", "feste Zeit"],
        Verdict::Drifting => ["drifting", "driftend"],
        Verdict::Failed => ["failed", "fehlgeschlagen"],
        Verdict::Disturbed => ["disturbed", "gestört"],
    })
}

/// A verdict with its share if something disturbed the point: `disturbed 13 %`.
pub(crate) fn verdict_share(
    language: Language,
    verdict: Verdict,
    disturbed_percent: Option<f64>,
) -> String {
    let word = self::verdict(language, verdict);
    match (verdict, disturbed_percent) {
        (Verdict::Disturbed, Some(percent)) => {
            let share = language.written(&format!("{:.0}%", percent.max(1.0)));
            format!("{word} {share}")
        }
        _ => word.to_owned(),
    }
}

pub(crate) const fn verdict_meaning(language: Language, verdict: Verdict) -> &'static str {
    language.choose(match verdict {
        Verdict::Steady => [
            "The accuracy that was asked for was reached.",
            "Die verlangte Genauigkeit wurde erreicht.",
        ],
        Verdict::TimeLimit => [
            "Not as accurate as was asked for within the time allowed; the confidence interval, where \
             given, says how far the number can be trusted.",
            "In der erlaubten Zeit nicht so genau wie verlangt; wie weit der Zahl zu trauen ist, sagt das \
             Konfidenzintervall, wo es angegeben ist.",
        ],
        Verdict::Fixed => [
            "Measured for the time that was asked for; the confidence interval, where given, says \
             how far the number can be trusted.",
            "So lange gemessen wie verlangt; wie weit der Zahl zu trauen ist, sagt das \
             Konfidenzintervall, wo es angegeben ist.",
        ],
        Verdict::Drifting => [
            "Throughput rose or fell while it was measured; the mean describes no steady state.",
            "Der Durchsatz stieg oder fiel während der Messung; der Mittelwert beschreibt keinen \
             stabilen Zustand.",
        ],
        Verdict::Failed => [
            "Too many I/Os failed, or none completed; in no figure and no key figure.",
            "Zu viele I/Os schlugen fehl, oder keines wurde fertig; in keiner Abbildung und keiner \
             Kennzahl.",
        ],
        Verdict::Disturbed => [
            "Something else disturbed the measurement; the number is kept and marked.",
            "Etwas anderes hat die Messung gestört; die Zahl wurde beibehalten und gekennzeichnet.",
        ],
    })
}

/// A count with its noun: `1 point`, `12 points`.
pub(crate) fn counted(language: Language, count: usize, singular: &str, plural: &str) -> String {
    format!("{} {}", language.count(count), if count == 1 { singular } else { plural })
}

/// A count with the noun of its language, English and German side by side.
pub(super) fn counted_in(language: Language, count: usize, nouns: [[&str; 2]; 2]) -> String {
    let [singular, plural] = language.choose(nouns);
    counted(language, count, singular, plural)
}

/// A load behind a preposition: the dative.
pub(super) fn behind(number: &str, unit: LoadUnit) -> String {
    let noun = match unit {
        LoadUnit::OutstandingIos => "ausstehenden I/Os",
        LoadUnit::OfferedIops => "angebotenen IO/s",
        LoadUnit::Users => "Benutzern",
        LoadUnit::Warehouses => "Lagerhäusern",
        LoadUnit::Copies => "Kopien",
        LoadUnit::OutstandingOperations => "ausstehenden Operationen",
    };
    format!("{number} {noun}")
}

/// The sign for a missing value.
pub(crate) const NOTHING: &str = "–";

/// A text, or the sign for a missing one.
pub(crate) fn known(text: Option<String>) -> String {
    text.unwrap_or_else(|| NOTHING.to_owned())
}

/// The cell of a missing value.
pub(crate) fn nothing() -> TableCell {
    TableCell::new(NOTHING).tone(Tone::Muted)
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(language: Language, items: &[String]) -> String {
    joined(and(language), items)
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn either(language: Language, items: &[String]) -> String {
    joined(or(language), items)
}

fn joined(word: &str, items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// The load of a point: `64 outstanding I/Os`.
pub(crate) fn level(language: Language, level: LoadLevel) -> String {
    load(language, level.value, level.unit)
}

/// The load of a point behind a preposition.
pub(crate) fn at_level(language: Language, level: LoadLevel) -> String {
    at_load(language, level.value, level.unit)
}

/// A limit as it was typed, with a space before the unit: `20 ms`.
pub(crate) fn limit(language: Language, limit: Nanos) -> String {
    let text = limit.to_string();
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let symbol = if &text[unit..] == "us" { "µs" } else { &text[unit..] };
    language.written(&format!("{} {symbol}", &text[..unit]))
}

/// A rule as a formula: `mean ≤ 20 ms`; a rule that cannot be read stands as it was typed.
pub(crate) fn rule(language: Language, text: &str) -> String {
    match text.parse::<Rule>() {
        Ok(rule) => {
            let metric = metric(language, rule.metric);
            let class = rule.class.map(|class| format!("{}: ", class.as_str())).unwrap_or_default();
            let limit = match rule.limit {
                RuleLimit::Time(time) => limit(language, time),
                RuleLimit::Multiple { thousandths, load } => {
                    let times = language.written(&(f64::from(thousandths) / 1e3).to_string());
                    times_at(language, &times, &language.level(f64::from(load)))
                }
                RuleLimit::Beyond { extra, load } => {
                    beyond(language, &limit(language, extra), &language.level(f64::from(load)))
                }
            };
            format!("{class}{metric}\u{a0}≤\u{a0}{limit}")
        }
        Err(_) => text.to_owned(),
    }
}

/// A rule in running text: `within 20 ms`, `p99 within 1 ms`.
pub(crate) fn within(language: Language, text: &str) -> String {
    let rule = self::rule(language, text);
    match text.parse::<Rule>() {
        Ok(Rule { metric, class: None, limit: RuleLimit::Time(time) }) => {
            let limit = limit(language, time);
            match metric {
                Metric::Mean => within_time(language, &limit),
                other => within_metric(language, &self::metric(language, other), &limit),
            }
        }
        _ => at_the_rule(language, &rule),
    }
}

/// The verdict of a point, with its share if it is disturbed: `disturbed 13 %`.
pub(crate) fn verdict_of(language: Language, point: &PointResult) -> String {
    match (point.verdict, point.load.unit) {
        (Verdict::Fixed, LoadUnit::Copies) => one_round(language).to_owned(),
        _ => verdict_share(language, point.verdict, point.disturbed_percent),
    }
}

/// The verdict of a point of copies of programs that was one round.
pub(crate) const fn one_round(language: Language) -> &'static str {
    language.choose(["one round", "eine Runde"])
}

/// The same of several of them together.
pub(crate) const fn one_round_each(language: Language) -> &'static str {
    language.choose(["one round each", "je eine Runde"])
}

/// The meaning of that verdict.
pub(crate) const fn one_round_meaning(language: Language) -> &'static str {
    language.choose([
        "Every copy did its work once; the intervals of the rounds together say how far the number can be trusted.",
        "Jede Kopie hat ihre Arbeit einmal getan; wie weit der Zahl zu trauen ist, sagen die Intervalle der Runden \
         zusammen.",
    ])
}

/// The meaning of the verdict "fixed time" where loads were visited.
pub(crate) const fn visit_meaning(language: Language) -> &'static str {
    language.choose([
        "A visit of a search, as long as the search chose, or measured for the time that was asked for; the \
         intervals of all visits together say how far a number can be trusted.",
        "Ein Besuch einer Suche, so lange wie von ihr gewählt, oder so lange gemessen wie verlangt; wie weit einer \
         Zahl zu trauen ist, sagen die Intervalle aller Besuche zusammen.",
    ])
}

/// The same at the beginning of a sentence or a heading.
pub(crate) fn within_title(language: Language, text: &str) -> String {
    let within = within(language, text);
    let mut letters = within.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => within,
    }
}

/// MiB per second, or a dash if there are none.
pub(crate) fn volume(language: Language, volume: Option<impl Into<Measured>>) -> String {
    known(volume.map(|volume| language.rate(volume)))
}

/// The colour of a verdict.
pub(crate) const fn verdict_tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Steady => Tone::Good,
        Verdict::TimeLimit | Verdict::Fixed => Tone::Plain,
        Verdict::Drifting => Tone::Caution,
        Verdict::Failed | Verdict::Disturbed => Tone::Bad,
    }
}

/// A fact's key as a name: `read_ahead_kb` becomes `Read ahead kb`, or what the language calls it.
pub(crate) fn key(language: Language, key: &str) -> String {
    if let Some(name) = environment::key(language, key) {
        return name.to_owned();
    }
    if let Some(parameter) = key.strip_prefix("param.") {
        return environment::model_parameter(language, parameter);
    }
    // A fact of a device below: `vda.scheduler`.
    if let Some((device, fact)) = key.split_once('.') {
        return format!("{device}: {}", self::key(language, fact));
    }
    let words = key.replace('_', " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}

/// A fact's value: what the language calls it, or as it was recorded.
pub(crate) fn value(language: Language, value: &str) -> Text {
    let known = environment::value(language, value).map(Text::from);
    known.unwrap_or_else(|| recorded(language, value))
}

/// Words that a run holds in English, whatever language the report has.
pub(crate) fn recorded(language: Language, words: &str) -> Text {
    match language {
        Language::English => words.into(),
        Language::German => Text::new().english(words),
    }
}

/// A class of storage, and why a target was taken for it: `flash (vda is not rotational)`.
pub(crate) fn class(language: Language, class: &TargetClass) -> Text {
    let known = environment::class_reason(language, &class.because).map(Text::from);
    let reason = known.unwrap_or_else(|| recorded(language, &class.because));
    let name = environment::class_name(language, class.class);
    Text::new().plain(format!("{name} (")).join(reason).plain(")")
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
            "Mittelwert\u{a0}≤\u{a0}das 1,5-Fache des Werts bei Last 5"
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
