//! Findings as sentences.

use kneepoint_core::load::backend::Direction;
use kneepoint_core::result::{
    Between, Bottleneck, Change, Contrast, Estimate, Order, PRACTICAL_PERCENT, Place, Plateau,
    Quantity, Step,
};
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::number::{Measured, Percentage, Rounding};
use kneepoint_core::words::rule::Metric;

use super::common;
use super::comparison::at_least;
use crate::language::Language::{self, English, German};

texts! {
    heading: "Findings" | "Befunde";
    /// How far the findings of a run can be trusted, and from which difference on there are any.
    confidence(practical: &str):
        "Each finding holds with 95\u{a0}% confidence and rests on no point that something else \
         disturbed. What the data do not show is not here, nor is a difference below {practical}: \
         it is no practical one."
        | "Jeder Befund gilt mit 95\u{a0}% Sicherheit und beruht auf keinem gestörten Messpunkt. \
           Was die Daten nicht zeigen, steht hier nicht, und auch kein Unterschied unter \
           {practical}: Er ist ohne praktische Bedeutung.";
    /// Where the mean of few long waits is among them.
    waits_untested:
        "That few long waits make a mean is read off the percentiles of a point, and no interval tests \
         it."
        | "Dass wenige lange Wartezeiten einen Mittelwert ausmachen, ist an den Perzentilen eines \
           Messpunkts abgelesen und mit keinem Intervall geprüft.";
    factor(name: &str, from: &str, to: &str): "{name} {from} → {to}" | "{name} {from} → {to}";
    /// Caption and heads of the table of series that are saturated.
    saturated:
        "Series whose throughput no longer rises; throughput is the mean over all loads from there on"
        | "Messreihen, deren Durchsatz nicht weiter steigt; der Durchsatz ist über alle Lasten von dort an gemittelt";
    /// The same where limits are known.
    saturated_by:
        "Series whose throughput no longer rises, with the part of the simulated system that \
         limits them, where known, and the share of the time that it is busy; throughput is the mean over all loads \
         from there on"
        | "Messreihen, deren Durchsatz nicht weiter steigt, mit dem Teil des simulierten Systems, \
           der sie begrenzt, wo er bekannt ist, und wie viel der Zeit er beschäftigt ist; der Durchsatz ist über alle \
           Lasten von dort an gemittelt";
    saturated_from: "Saturated from" | "Gesättigt ab";
    limited_by: "Limited by" | "Begrenzt durch";
    /// Orders of access as adjectives.
    sequential: "sequential" | "sequenzieller";
    random: "random" | "wahlfreier";
    order(fast: &str, slow: &str, times: &str):
        "at the peak, {fast} access moves {times} as much data as {slow} access."
        | "In der Spitze bewegt {fast} Zugriff {times} so viele Daten wie {slow} Zugriff.";
    order_at_load(fast: &str, slow: &str, times: &str):
        "at the load that was set, {fast} access moves {times} as much data as {slow} access."
        | "Bei der eingestellten Last bewegt {fast} Zugriff {times} so viele Daten wie {slow} Zugriff.";
    reading: "reads" | "Lesen";
    writing: "writes" | "Schreiben";
    direction(fast: &str, slow: &str, times: &str):
        "peak {fast} are {times} as fast as peak {slow}."
        | "In der Spitze ist {fast} {times} so schnell wie {slow}.";
    /// The same of series of one load.
    direction_at_load(fast: &str, slow: &str, times: &str):
        "at the load that was set, {fast} are {times} as fast as {slow}."
        | "Bei der eingestellten Last ist {fast} {times} so schnell wie {slow}.";
    /// Blocks of one size against another: many I/Os, or bytes.
    block_sizes(faster: &str, slower: &str, many: &str):
        "at the peak, blocks of {faster} reach {many} as blocks of {slower}."
        | "In der Spitze erreichen Blöcke von {faster} {many} wie Blöcke von {slower}.";
    block_sizes_at_load(faster: &str, slower: &str, many: &str):
        "at the load that was set, blocks of {faster} reach {many} as blocks of {slower}."
        | "Bei der eingestellten Last erreichen Blöcke von {faster} {many} wie Blöcke von {slower}.";
    as_many(times: &str, unit: &str): "{times} as many {unit}" | "{times} so viele {unit}";
    times(ratio: &str, low: &str, high: &str):
        "{ratio} times ({low} to {high})"
        | "{ratio}-mal ({low} bis {high})";
    times_only(ratio: &str): "{ratio} times" | "{ratio}-mal";
    /// Behind a finding that can hardly be.
    unusual:
        "This is unusual: look at read-ahead, at caches and, in a simulation, at the model before you \
         rely on it."
        | "Das ist ungewöhnlich: Vorauslesen, Caches und bei einer Simulation das Modell prüfen, bevor \
           man sich darauf verlässt.";
    /// In place of a sentence for each series: how many of all of them, and by how much.
    still_rising(some: &str, all: &str, range: &str):
        "{some} of {all} still gain throughput at the highest load ({range}): their saturation knees \
         are at that load or beyond it."
        | "Bei {some} von {all} steigt der Durchsatz bei der größten Last noch ({range}): Ihre \
           Sättigungspunkte liegen bei dieser Last oder darüber.";
    /// Behind the fall of throughput to a point that drifts.
    drifting_there: " It was still drifting there." | " Dort driftete er noch.";
    none_between:
        "No significant difference was found. That does not prove that there is none: the tables \
         say how large one would have had to be."
        | "Ein signifikanter Unterschied wurde nicht gefunden. Das beweist nicht, dass es keinen \
           gibt: Die Tabellen nennen, wie groß er hätte sein müssen.";
}

/// A mean response time at a load that few long waits make: the mean, the median, and what one I/O in a hundred
/// takes at the least. Of other series only their number is told.
pub(crate) fn few_waits(
    language: Language,
    load: &str,
    [mean, p50, p99]: [&str; 3],
    others: usize,
) -> String {
    let said = match language {
        English => format!(
            "at {load}, a few long waits make the mean response time of {mean}: half of the I/Os take {p50} at \
             most, nine in ten less than the mean, and one in a hundred {p99} or more."
        ),
        German => format!(
            "Bei {load} geht die mittlere Antwortzeit von {mean} auf wenige lange Wartezeiten zurück: Die Hälfte \
             der I/Os dauert höchstens {p50}, neun von zehn dauern kürzer als das Mittel, eins von hundert dauert \
             {p99} oder länger."
        ),
    };
    let more = match (language, others) {
        (_, 0) => return said,
        (English, 1) => "The same holds for one other series.".to_owned(),
        (English, others) => format!("The same holds for {others} other series."),
        (German, 1) => "Dasselbe gilt für eine weitere Messreihe.".to_owned(),
        (German, others) => format!("Dasselbe gilt für {others} weitere Messreihen."),
    };
    format!("{said} {more}")
}

/// Whether loads are those of each of several targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoadOf {
    /// The only target.
    All,
    /// Each target.
    Each,
}

impl LoadOf {
    /// A load in words, followed by what it is of.
    pub(crate) fn words(self, language: Language, load: String) -> String {
        match self {
            Self::All => load,
            Self::Each => common::each_target(language, &load),
        }
    }
}

/// A load in words.
pub(crate) fn load(language: Language, value: f64, unit: LoadUnit) -> String {
    match (language, unit) {
        (English, LoadUnit::OfferedIops) => format!("{} IO/s offered", English.level(value)),
        (English, unit) => common::load(English, value, unit),
        (German, unit) => common::at_load(German, value, unit),
    }
}

/// Throughput no longer rises, and stays; follows the name of the series and a colon.
pub(crate) fn saturation(language: Language, found: &Plateau, of: LoadOf) -> String {
    let from = of.words(language, load(language, found.from_load, found.unit));
    let to = language.level(found.to_load);
    let (rate, volume) = found.ci95.throughput(found.rate, found.volume);
    let rate = language.throughput(rate, found.rate_unit);
    let plateau = match volume {
        Some(volume) => format!("{rate} ({})", language.mib_per_s(volume)),
        None => rate,
    };
    let within = practical(language);
    let limit = found.bottleneck.as_ref().map(|part| bottleneck(language, part));
    let limit = limit.unwrap_or_default();
    match language {
        English => format!(
            "throughput no longer rises from {from} on: up to {to} it stays at about {plateau}, \
             within {within}.{limit}"
        ),
        German => format!(
            "Ab {from} steigt der Durchsatz nicht weiter: Bis {to} bleibt er bei etwa {plateau}, \
             auf {within} genau.{limit}"
        ),
    }
}

/// From which difference on there is a finding.
pub(crate) fn practical(language: Language) -> String {
    language.percent(PRACTICAL_PERCENT)
}

/// Throughput still rises at the highest load; follows the name of the series and a colon.
pub(crate) fn gain(language: Language, found: &Step, of: LoadOf) -> String {
    let steps = steps(language, found, of);
    match language {
        English => format!("throughput still rises at the highest load, from {steps}."),
        German => format!("Der Durchsatz steigt bei der größten Last noch, von {steps}."),
    }
}

/// Throughput falls beyond its peak; follows the name of the series and a colon.
pub(crate) fn collapse(language: Language, found: &Step, of: LoadOf) -> String {
    let steps = steps(language, found, of);
    match language {
        English => format!("throughput falls from {steps}."),
        German => format!("Der Durchsatz fällt von {steps}."),
    }
}

/// From where to where: `16,270 IO/s at 64 to 11,820 IO/s (-27 %) at 256 outstanding I/Os`.
fn steps(language: Language, found: &Step, of: LoadOf) -> String {
    let throughput =
        |mean: f64, ci95| language.throughput(Estimate { mean, ci95 }, found.rate_unit);
    let (from, to) = (throughput(found.from, found.ci95[0]), throughput(found.to, found.ci95[1]));
    let (change, lower) = (language.change(found.percent), language.level(found.from_load));
    let higher = of.words(language, load(language, found.to_load, found.unit));
    match language {
        English => format!("{from} at {lower} to {to} ({change}) at {higher}"),
        German => format!("{from} bei {lower} auf {to} ({change}) bei {higher}"),
    }
}

/// The limit of a simulated system, behind the sentence on its saturation.
fn bottleneck(language: Language, found: &Bottleneck) -> String {
    let (part, count) = (part(language, &found.part), found.count);
    let busy = language.percent(found.busy_percent);
    match (language, count) {
        (English, 1) => {
            format!(" The simulated system is limited by its {part}, busy {busy} of the time.")
        }
        (English, _) => format!(
            " The simulated system is limited by its {part}: the busiest of {count} is busy {busy} of \
             the time."
        ),
        (German, 1) => {
            format!(
                " Begrenzt ist das simulierte System durch {part}, {busy} der Zeit beschäftigt."
            )
        }
        (German, _) => format!(
            " Begrenzt ist das simulierte System durch {part}: Von {count} ist das am stärksten belastete Teil \
             {busy} der Zeit beschäftigt."
        ),
    }
}

/// Two series that differ in one thing; follows their names and a colon.
pub(crate) fn contrast(language: Language, found: &Contrast) -> String {
    let said = difference(language, found);
    match found.is_unusual() {
        true => format!("{said} {}", unusual(language)),
        false => said,
    }
}

fn difference(language: Language, found: &Contrast) -> String {
    let [low, high] = found.interval.map(|end| language.rate(end));
    let ratio = language.rate(found.ratio);
    let times = match low == high && low == ratio {
        true => times_only(language, &ratio),
        false => times(language, &ratio, &low, &high),
    };
    let is_peak = found.measure.place == Place::Peak;
    match found.between {
        Between::Order { faster } => {
            let mut names = [sequential(language), random(language)];
            if faster == Order::Random {
                names.reverse();
            }
            let said = if is_peak { order } else { order_at_load };
            said(language, names[0], names[1], &times)
        }
        Between::Direction { faster } => {
            let mut names = [reading(language), writing(language)];
            if faster == Direction::Write {
                names.reverse();
            }
            let said = if is_peak { direction } else { direction_at_load };
            said(language, names[0], names[1], &times)
        }
        Between::BlockSize { faster_bytes, slower_bytes } => {
            let [faster, slower] = [faster_bytes, slower_bytes].map(|bytes| language.bytes(bytes));
            let unit = match found.measure.quantity {
                Quantity::Iops => "IO/s",
                Quantity::Throughput | Quantity::Latency(_) => "MiB/s",
            };
            let said = if is_peak { block_sizes } else { block_sizes_at_load };
            said(language, &faster, &slower, &as_many(language, &times, unit))
        }
    }
}

/// A run against the reference, given the names of all runs; follows the name of the series and a
/// colon.
pub(crate) fn change(language: Language, found: &Change, runs: &[&str]) -> String {
    let [reference, run] = [0, found.run].map(|run| runs.get(run).copied().unwrap_or_default());
    let rule = found.rule.as_deref().map(|rule| common::within(language, rule)).unwrap_or_default();
    let (by, is_time) = (amount(language, found), is_time(found));
    match (language, found.measure.place) {
        (English, Place::Sustained) => format!("{run} sustains {by} {reference} {rule}."),
        (English, Place::Peak) => format!("at its peak {run} reaches {by} {reference}."),
        (English, Place::EqualLoad) if is_time => {
            let time = mean_or_percentile(language, found);
            format!("at equal load the {time} of {run} is {by} that of {reference}.")
        }
        (English, Place::EqualLoad) => format!("at equal load {run} does {by} {reference}."),
        (German, Place::Sustained) => format!("{run} leistet {rule} {by} {reference}."),
        (German, Place::Peak) => format!("In der Spitze erreicht {run} {by} {reference}."),
        (German, Place::EqualLoad) if is_time => {
            let time = mean_or_percentile(language, found);
            format!("Bei gleicher Last ist die {time} von {run} {by} die von {reference}.")
        }
        (German, Place::EqualLoad) => format!("Bei gleicher Last leistet {run} {by} {reference}."),
    }
}

/// From this change in percent on, multiples say more than percent.
pub(super) const TIMES_FROM_PERCENT: f64 = 100.0;

/// By how much: `5 % (3 % to 7 %) more than`.
fn amount(language: Language, found: &Change) -> String {
    let is_multiple = found.percent >= TIMES_FROM_PERCENT;
    let end = |percent: f64| match is_multiple {
        true => language.rate(1.0 + percent / 100.0),
        false => language.percent(percent.abs()),
    };
    let mut interval = found.interval_percent.map(end);
    if found.percent < 0.0 {
        interval.reverse();
    }
    let ([low, high], size) = (interval, end(found.percent));
    let (um, [more, less, equal]) = match (language, is_time(found)) {
        (English, true) => ("", ["longer than", "shorter than", "as long as"]),
        (English, false) => ("", ["more than", "less than", "as much as"]),
        (German, true) => ("um ", ["länger als", "kürzer als", "so lang wie"]),
        (German, false) => ("", ["mehr als", "weniger als", "so viel wie"]),
    };
    let than = if found.percent >= 0.0 { more } else { less };
    if !found.bound.is_exact() {
        let size = match is_multiple {
            true => {
                language.rate(Measured::from(1.0 + found.percent / 100.0).rounded(Rounding::Down))
            }
            false => language.percent(Percentage(found.percent.abs()).rounded(Rounding::Down).0),
        };
        let size = at_least(language, &size);
        return match is_multiple {
            true if low == high => format!("{} {equal}", times_only(language, &size)),
            true => format!("{} {equal}", times(language, &size, &low, &high)),
            false if low == high => format!("{um}{size} {than}"),
            false => format!("{um}{size} ({}) {than}", common::range(language, &low, &high)),
        };
    }
    if is_multiple {
        return format!("{} {equal}", times(language, &size, &low, &high));
    }
    match low == high {
        true => format!("{um}{size} {than}"),
        false => format!("{um}{size} ({}) {than}", common::range(language, &low, &high)),
    }
}

/// The response time that is compared, behind an article.
fn mean_or_percentile(language: Language, found: &Change) -> String {
    let Quantity::Latency(metric) = found.measure.quantity else { return String::new() };
    match (language, metric) {
        (English, Metric::Mean) => "mean response time".to_owned(),
        (German, Metric::Mean) => "mittlere Antwortzeit".to_owned(),
        (_, metric) => common::response_of(language, metric),
    }
}

/// True if response times are compared: those at equal load.
fn is_time(found: &Change) -> bool {
    found.measure.place == Place::EqualLoad
        && matches!(found.measure.quantity, Quantity::Latency(_))
}

/// A kind of part of a simulated system.
pub(crate) fn part(language: Language, part: &str) -> &str {
    match (language, part) {
        (German, "drives") => "Laufwerke",
        (German, "controllers") => "Controller",
        (German, "links to drives") => "Verbindungen zu den Laufwerken",
        (German, "host links, writing") => "Host-Verbindungen, schreibend",
        (German, "host links, reading") => "Host-Verbindungen, lesend",
        (_, other) => other,
    }
}

#[cfg(test)]
mod tests {
    use kneepoint_core::result::{Bound, HalfWidths, ThroughputUnit};

    use super::*;

    #[test]
    fn a_change_of_which_a_bound_is_known_says_at_least() {
        let change = |percent: f64, bound: Bound| {
            let found = Change {
                series: "s".to_owned(),
                measure: "sustained.iops".parse().unwrap(),
                rule: Some("mean<=20ms".to_owned()),
                run: 1,
                percent,
                interval_percent: [percent - 2.0, percent + 2.0],
                bound,
                factor: None,
            };
            amount(English, &found).replace('\u{a0}', " ")
        };
        assert_eq!(change(60.0, Bound::AtLeast), "at least 60 % (58 % to 62 %) more than");
        assert_eq!(change(-40.0, Bound::AtMost), "at least 40 % (38 % to 42 %) less than");
        assert_eq!(change(160.0, Bound::AtLeast), "at least 2.60 times (2.58 to 2.62) as much as");
        assert_eq!(change(60.0, Bound::Exact), "60 % (58 % to 62 %) more than");
    }

    #[test]
    fn what_storage_hardly_ever_does_is_called_unusual() {
        let said = |between: Between, measure: &str, low: f64| {
            let found = Contrast {
                between,
                faster: "a".to_owned(),
                slower: "b".to_owned(),
                measure: measure.parse().unwrap(),
                ratio: low + 0.1,
                interval: [low, low + 0.2],
            };
            contrast(English, &found).contains("unusual")
        };
        let [writes, reads] =
            [Direction::Write, Direction::Read].map(|faster| Between::Direction { faster });
        assert!(said(writes, "peak.throughput", 3.7));
        assert!(!said(writes, "peak.throughput", 1.5));
        // Random writes into a cache are often faster than reads.
        assert!(!said(writes, "peak.iops", 3.7));
        assert!(!said(reads, "peak.throughput", 3.7));
        let [random, sequential] =
            [Order::Random, Order::Sequential].map(|faster| Between::Order { faster });
        assert!(said(random, "peak.throughput", 1.1));
        assert!(!said(sequential, "peak.throughput", 50.0));
    }

    #[test]
    fn a_plateau_a_gain_and_a_collapse_have_a_sentence_each() {
        let step = |to_load: f64, to: f64| Step {
            series: "s".to_owned(),
            unit: LoadUnit::OutstandingIos,
            from_load: 64.0,
            to_load,
            rate_unit: ThroughputUnit::Iops,
            from: 16_270.0,
            to,
            percent: 100.0 * (to / 16_270.0 - 1.0),
            interval_percent: [0.0, 0.0],
            ci95: [Some(100.0); 2],
        };
        let wide = Step { ci95: [Some(2_000.0), None], ..step(256.0, 11_820.0) };
        let fall = step(256.0, 11_820.0);
        let plain = |text: String| text.replace(['\u{a0}', '\u{202f}'], " ");
        assert!(plain(collapse(English, &fall, LoadOf::All)).starts_with(
            "throughput falls from 16,270 IO/s at 64 to 11,820 IO/s (−27 %) at 256 outstanding I/Os"
        ));
        assert_eq!(
            plain(collapse(German, &fall, LoadOf::All)),
            "Der Durchsatz fällt von 16 270 IO/s bei 64 auf 11 820 IO/s (−27 %) bei 256 \
             ausstehenden I/Os."
        );
        assert!(plain(gain(English, &step(128.0, 18_000.0), LoadOf::All)).starts_with(
            "throughput still rises at the highest load, from 16,270 IO/s at 64 to 18,000 IO/s \
             (+11 %) at 128 outstanding I/Os"
        ));
        let plateau = Plateau {
            series: "s".to_owned(),
            unit: LoadUnit::OutstandingIos,
            from_load: 16.0,
            to_load: 64.0,
            rise_percent_max: 3.0,
            rate_unit: ThroughputUnit::Iops,
            rate: 701.0,
            volume: None,
            bottleneck: None,
            ci95: HalfWidths::default(),
        };
        let text = plain(saturation(English, &plateau, LoadOf::All));
        assert!(text.ends_with("up to 64 it stays at about 701 IO/s, within 5 %."), "{text}");
        // No more digits than the interval justifies.
        let ci95 = HalfWidths { rate: Some(128.0), ..HalfWidths::default() };
        let text = plain(saturation(English, &Plateau { ci95, ..plateau }, LoadOf::Each));
        assert!(text.contains("from 16 outstanding I/Os per target on"), "{text}");
        assert!(text.contains("stays at about 700 IO/s"), "{text}");
        let text = plain(collapse(English, &wide, LoadOf::All));
        assert!(text.contains("from 16,300 IO/s at 64 to 11,820 IO/s"), "{text}");
    }
}
