//! What settings do, what that means, and what to do.

use kneepoint_core::result::Bound;
use kneepoint_core::spec::factor::Combination;
use kneepoint_core::words::number::Difference;

use super::common::{self, listed};
use super::scaling;
use crate::language::Language::{self, English, German};

texts! {
    meaning_label: "What it means" | "Bedeutung";
    advice_label: "Advice" | "Empfehlung";
    /// Behind the name of a series that is judged by its peak.
    at_peak: " (peak)" | " (Spitze)";
    /// Behind the series with the largest effects: this many more.
    more_series(count: &str): " and {count} more" | " und {count} weitere";
    /// Behind several changes of which each depends on the same setting.
    all_depending(other: &str):
        "; these are means, they depend on the {other}"
        | "; dies sind Mittelwerte, die Wirkung ist je nach {other} verschieden";
    /// The same where others are not named.
    named_depending(other: &str):
        "; those named are means, they depend on the {other}"
        | "; die genannten sind Mittelwerte, die Wirkung ist je nach {other} verschieden";
    times(times: &str): "{times} times as much" | "das {times}-Fache";
    instead_of(level: &str, base: &str): "{level} instead of {base}" | "{level} statt {base}";
    same_for(series: &str):
        "no practical difference for {series}"
        | "kein praktischer Unterschied bei {series}";
    unclear_for(series: &str):
        "no difference of 5\u{a0}% or more was shown for {series}"
        | "bei {series} zeigte sich kein Unterschied von 5\u{a0}% oder mehr";
    /// Of series for which the direction depends on another setting.
    turning_for(series: &str, other: &str):
        "faster or slower for {series}, depending on the {other}"
        | "bei {series} je nach {other} schneller oder langsamer";
    /// In place of advice, if that is so of all series that it matters for.
    decide_together:
        "Decide together with the other settings: they turn the effect from faster to slower."
        | "Zusammen mit den anderen Einstellungen entscheiden: Von ihnen hängt ab, ob es schneller oder \
           langsamer wird.";
    disturbed_for(series: &str):
        "of {series} it cannot be told, because something else disturbed the points"
        | "bei {series} lässt es sich nicht sagen, weil etwas anderes die Messpunkte gestört hat";
    /// Behind the fastest RAID level, if that has no redundancy.
    no_redundant_level:
        "Of the levels with redundancy, none was shown to be faster throughout: choose by workload, \
         capacity and safety."
        | "Unter den Stufen mit Redundanz erwies sich keine als durchweg schneller: nach Last, \
           Kapazität und Sicherheit wählen.";
    /// Behind what RAID levels mean, if the file system makes them.
    raid_of_btrfs:
        " btrfs lays RAID-1 out in large pieces, each on two drives, and one process reads a piece from one \
         of them by default: more drives make a small file no faster."
        | " btrfs legt RAID-1 in großen Stücken an, jedes auf zwei Laufwerken, und ein Prozess liest ein \
           Stück normalerweise nur von einem davon: Eine kleine Datei wird durch mehr Laufwerke nicht \
           schneller.";
    /// Behind the advice on what makes no difference, if the rate of I/Os was limited.
    under_limit:
        " But I/O was limited from outside in this run: what would be faster than that cannot be seen."
        | " Die I/Os dieses Laufs waren aber von außen begrenzt: Was schneller wäre, ist nicht zu sehen.";
    /// In place of advice, behind the name of the setting.
    none_of_disturbed:
        "No preference: something else disturbed the points of this run. Measure again."
        | "Ohne Präferenz: Etwas anderes hat die Messpunkte dieses Laufs gestört. Neu messen.";
}

/// Kinds of settings that something is known of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Knob {
    DiskCache,
    WriteCache,
    ReadAhead,
    Raid,
    Stroke,
    Drives,
    Scheduler,
    Engine,
    /// Anything else.
    Other,
}

impl Knob {
    /// The kind of the setting with this name.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "disk_cache" => Self::DiskCache,
            "write_cache" => Self::WriteCache,
            "read_ahead" | "read_ahead_kb" | "read_ahead_kib" => Self::ReadAhead,
            "raid" => Self::Raid,
            "stroke" => Self::Stroke,
            "drives" => Self::Drives,
            "scheduler" => Self::Scheduler,
            "engine" => Self::Engine,
            _ => Self::Other,
        }
    }

    /// True if it can be on or off.
    pub(crate) const fn is_switch(self) -> bool {
        matches!(self, Self::DiskCache | Self::WriteCache | Self::ReadAhead)
    }
}

/// Which of two levels is to be preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The level that the other is compared with.
    Base,
    /// The other.
    Level,
    /// Each is faster for some series.
    ByWorkload,
    /// Each is faster at some level of another setting.
    ByOther,
    /// There is no difference that matters.
    Neither,
    /// Too little is known.
    Unknown,
    /// The same, because something disturbed the points.
    Disturbed,
}

/// A setting by the name that people call it.
pub(crate) fn setting(language: Language, factor: &str) -> String {
    common::key(language, factor)
}

/// The same within a sentence: `write cache`, `RAID level`.
pub(crate) fn noun(language: Language, factor: &str) -> String {
    let name = setting(language, factor);
    let mut letters = name.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if language == English && second.is_lowercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => name,
    }
}

/// A setting at one of its levels: `Write cache on`, `RAID-5`.
pub(crate) fn at_level(language: Language, factor: &str, level: &str) -> String {
    let value = self::level(language, factor, level);
    match Knob::of(factor) {
        Knob::Raid => value,
        Knob::Drives => format!("{value} {}", scaling::setting(language, factor)),
        _ => format!("{} {value}", setting(language, factor)),
    }
}

/// The same within a sentence, behind `at`: `write cache on`, `12 drives`.
pub(crate) fn at_level_within(language: Language, factor: &str, level: &str) -> String {
    let value = self::level(language, factor, level);
    match (Knob::of(factor), language) {
        (Knob::Raid, _) => value,
        (Knob::Drives, English) => format!("{value} drives"),
        (Knob::Drives, German) => format!("{value} Laufwerken"),
        _ => format!("{} {value}", noun(language, factor)),
    }
}

/// Several settings at their levels: `RAID-10, Write cache on`.
pub(crate) fn combination(language: Language, levels: &Combination) -> String {
    let one = |(factor, level): (&String, &String)| at_level(language, factor, level);
    levels.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A level as people write it: `RAID-5`, `8 %`, `on`.
pub(crate) fn level(language: Language, factor: &str, level: &str) -> String {
    match Knob::of(factor) {
        Knob::Raid => raid_level(level),
        // Names that the kernel has, "none" among them.
        Knob::Scheduler => level.to_owned(),
        _ if level.ends_with('%') => language.written(level),
        _ => common::value(language, level).words(),
    }
}

/// `raid10` as it is written: `RAID-10`.
pub(crate) fn raid_level(level: &str) -> String {
    match level.strip_prefix("raid") {
        Some(number) => format!("RAID-{}", number.to_uppercase()),
        None => level.to_uppercase(),
    }
}

/// `Disk cache on instead of off`, `RAID-5 instead of RAID-0`, `60 drives instead of 20`.
pub(crate) fn instead(language: Language, factor: &str, level: &str, base: &str) -> String {
    instead_of(language, &at_level(language, factor, level), &self::level(language, factor, base))
}

/// From this change in percent on, multiples say more than percent.
const TIMES_FROM_PERCENT: f64 = 100.0;

/// A change with its interval: `+63 % (+57 % to +69 %)`, `4.5 times (4.3 to 4.7)`.
pub(crate) fn change(language: Language, percent: f64, interval: Option<[f64; 2]>) -> String {
    let is_multiple = percent >= TIMES_FROM_PERCENT;
    let number = |percent: f64| match is_multiple {
        true => language.written(&format!("{:.1}", 1.0 + percent / 100.0)),
        false => language.written(&format!("{}%", Difference(percent, 0))),
    };
    let size = match is_multiple {
        true => times(language, &number(percent)),
        false => number(percent),
    };
    match interval.map(|ends| ends.map(number)) {
        Some([low, high]) if low != high => {
            format!("{size} ({})", common::range(language, &low, &high))
        }
        _ => size,
    }
}

/// The change with a note that it is a mean, because it depends on another setting.
pub(crate) fn depending(language: Language, change: &str, other: &str) -> String {
    let note = match language {
        English => format!("a mean, it depends on the {other}"),
        German => format!("ein Mittel, je nach {other} verschieden"),
    };
    match change.strip_suffix(')') {
        Some(start) => format!("{start}; {note})"),
        None => format!("{change} ({note})"),
    }
}

/// A change of which a bound is known, rounded to its own side: `at least 44 % less`, `at least 2.3 times`.
pub(crate) fn bounded_change(language: Language, percent: f64, bound: Bound) -> String {
    let rounding = bound.rounding();
    let is_multiple = percent >= TIMES_FROM_PERCENT;
    let percent = match is_multiple {
        true => 100.0 * (rounding.at(1.0 + percent / 100.0, 1) - 1.0),
        false => rounding.at(percent, 0),
    };
    // At most -44 % is at least 44 % less.
    let is_from_below = match bound {
        Bound::Exact => return change(language, percent, None),
        Bound::AtLeast => percent >= 0.0,
        Bound::AtMost => percent < 0.0,
    };
    let limit = language.choose(match is_from_below {
        true => ["at least", "mindestens"],
        false => ["at most", "höchstens"],
    });
    let size = match (is_multiple, language.choose([["more", "less"], ["mehr", "weniger"]])) {
        (true, _) => change(language, percent, None),
        (false, [more, less]) => {
            let than = if percent < 0.0 { less } else { more };
            format!("{} {than}", language.written(&format!("{:.0}%", percent.abs())))
        }
    };
    format!("{limit} {size}")
}

pub(crate) fn same(language: Language, series: &[String]) -> String {
    same_for(language, &listed(language, series))
}

pub(crate) fn unclear(language: Language, series: &[String]) -> String {
    unclear_for(language, &listed(language, series))
}

pub(crate) fn disturbed(language: Language, series: &[String]) -> String {
    disturbed_for(language, &listed(language, series))
}

/// What a kind of setting does, whatever was measured; nothing where nothing is known.
pub(crate) const fn meaning(language: Language, knob: Knob) -> Option<&'static str> {
    Some(language.choose(match knob {
        Knob::DiskCache => [
            "With its cache on, a drive acknowledges a write once the data are in its memory, and \
             writes them later in an order that saves movements of the arm.",
            "Mit eingeschaltetem Cache quittiert ein Laufwerk einen Schreibvorgang, sobald die \
             Daten in seinem Speicher stehen, und schreibt sie später in einer Reihenfolge, die \
             Armbewegungen spart.",
        ],
        Knob::WriteCache => [
            "With the write cache on, a write is acknowledged once the data are in the cache, and \
             reaches the drives later.",
            "Mit eingeschaltetem Schreibcache wird ein Schreibvorgang quittiert, sobald die Daten \
             im Cache stehen; auf die Laufwerke kommen sie später.",
        ],
        Knob::ReadAhead => [
            "Read-ahead reads on beyond what was asked for. That pays where the next request asks \
             for just that: sequential reading.",
            "Vorauslesen liest über das Verlangte hinaus. Das lohnt sich, wo der nächste Zugriff \
             genau danach fragt: bei sequenziellem Lesen.",
        ],
        Knob::Raid => [
            "RAID-0 spreads data over drives without redundancy. RAID-1 and RAID-10 keep each block \
             twice: a write takes two disk operations. RAID-5 keeps one parity block per stripe and \
             RAID-6 two: a small write takes up to four and six disk operations, fewer where a cache \
             or a file system gathers writes into whole stripes.",
            "RAID-0 verteilt Daten ohne Redundanz auf die Laufwerke. RAID-1 und RAID-10 halten jeden \
             Block zweimal: Ein Schreibvorgang braucht zwei Plattenzugriffe. RAID-5 hält je Streifen \
             einen Paritätsblock, RAID-6 zwei: Ein kleiner Schreibvorgang braucht bis zu vier und \
             sechs Plattenzugriffe, weniger, wo ein Cache oder ein Dateisystem ganze Streifen \
             sammelt.",
        ],
        Knob::Stroke => [
            "The stroke is the part of each drive that is used. The smaller it is, the shorter the \
             way of the arm.",
            "Genutzt wird nur dieser Teil jedes Laufwerks. Je kleiner er ist, desto kürzer ist der \
             Weg des Arms.",
        ],
        Knob::Drives => [
            "Random I/O is spread over all drives. More drives serve more requests at the same \
             time, until a controller or a link limits.",
            "Wahlfreie Zugriffe verteilen sich auf alle Laufwerke. Mehr Laufwerke bedienen mehr \
             Anfragen zugleich, bis ein Controller oder eine Verbindung begrenzt.",
        ],
        Knob::Scheduler => [
            "The I/O scheduler of the kernel decides in which order requests reach the device.",
            "Der I/O-Scheduler des Kernels bestimmt, in welcher Reihenfolge Anfragen das Gerät \
             erreichen.",
        ],
        Knob::Engine => [
            "The engine is the interface of the operating system through which I/O is issued; the \
             device is the same.",
            "Die I/O-Schnittstelle ist die des Betriebssystems, über die I/Os ausgegeben werden; \
             das Gerät ist dasselbe.",
        ],
        Knob::Other => return None,
    }))
}

/// What to do about a setting other than the RAID level: its name, which of base and level is to be
/// preferred, the two, and the series for which the level is faster and slower.
pub(crate) fn advice(
    language: Language,
    factor: &str,
    (choice, levels): (Choice, [&str; 2]),
    [faster, slower]: &[Vec<String>; 2],
) -> String {
    let knob = Knob::of(factor);
    let [base, level] = levels.map(|name| self::level(language, factor, name));
    let [faster, slower] = [faster, slower].map(|names| listed(language, names));
    let sentence = match (choice, language) {
        (Choice::Unknown, English) => {
            return "No preference: this run shows no significant difference that matters."
                .to_owned();
        }
        (Choice::Unknown, German) => {
            return "Ohne Präferenz: Dieser Lauf zeigt keinen signifikanten Unterschied von Gewicht."
                .to_owned();
        }
        (Choice::ByOther, _) => return decide_together(language).to_owned(),
        (Choice::Disturbed, _) => return none_of_disturbed(language).to_owned(),
        (Choice::Neither, _) => return indifferent(language, knob).to_owned(),
        (Choice::ByWorkload, English) => {
            format!("Choose by workload: {level} for {faster}; {base} for {slower}.")
        }
        (Choice::ByWorkload, German) => {
            format!("Nach der Last wählen: {level} für {faster}; {base} für {slower}.")
        }
        (Choice::Level, _) => prefer(language, knob, (levels[1], &level)),
        (Choice::Base, _) => prefer(language, knob, (levels[0], &base)),
    };
    let is_on = match choice {
        Choice::Base => levels[0] != "off",
        _ => levels[1] != "off" || levels[0] != "off" && choice == Choice::ByWorkload,
    };
    match risk(language, knob).filter(|_| is_on || !knob.is_switch()) {
        Some(risk) => format!("{sentence} {risk}"),
        None => sentence,
    }
}

/// That one of several levels is to be preferred.
pub(crate) fn prefer_several(language: Language, factor: &str, levels: &[&str]) -> String {
    let levels: Vec<String> = levels.iter().map(|name| level(language, factor, name)).collect();
    let (last, others) = levels.split_last().expect("several levels");
    let others = others.join(", ");
    match language {
        English => format!(
            "Prefer {others} or {last}: none of them was shown to be faster than the others."
        ),
        German => format!(
            "{others} oder {last} vorziehen: Keine davon erwies sich als schneller als die anderen."
        ),
    }
}

/// That a level is to be preferred, given as in the plan and as people write it.
fn prefer(language: Language, knob: Knob, (typed, level): (&str, &str)) -> String {
    let [english, german] = match knob {
        Knob::DiskCache => ["the disk cache", "Den Cache der Laufwerke"],
        Knob::WriteCache => ["the write cache", "Den Schreibcache"],
        Knob::ReadAhead => ["read-ahead", "Das Vorauslesen"],
        Knob::Stroke => {
            return match language {
                English => format!("For throughput, use {level} of each drive."),
                German => format!("Für Durchsatz {level} jedes Laufwerks nutzen."),
            };
        }
        Knob::Drives => {
            return match language {
                English => format!("For throughput, use {level} drives."),
                German => format!("Für Durchsatz {level} Laufwerke einsetzen."),
            };
        }
        _ => {
            return match language {
                English => format!("Prefer {level}."),
                German => format!("{level} vorziehen."),
            };
        }
    };
    match (language, typed) {
        (English, "on" | "off") => format!("Turn {english} {typed}."),
        (English, _) => format!("Set {english} to {level}."),
        (German, "on") => format!("{german} einschalten."),
        (German, "off") => format!("{german} ausschalten."),
        (German, _) => format!("{german} auf {level} stellen."),
    }
}

/// The cost of the faster level.
const fn risk(language: Language, knob: Knob) -> Option<&'static str> {
    Some(language.choose(match knob {
        Knob::DiskCache => [
            "Risk: data that were acknowledged are lost in a power failure; use an uninterruptible \
             power supply.",
            "Risiko: Bei Stromausfall gehen quittierte Daten verloren; eine unterbrechungsfreie \
             Stromversorgung verwenden.",
        ],
        Knob::WriteCache => [
            "Risk: without a battery or flash behind the cache, data that were acknowledged are \
             lost in a power failure.",
            "Risiko: Ohne Batterie oder Flash hinter dem Cache gehen bei Stromausfall quittierte \
             Daten verloren.",
        ],
        Knob::Stroke => [
            "Cost: the capacity that is not used.",
            "Preis: die Kapazität, die nicht genutzt wird.",
        ],
        _ => return None,
    }))
}

/// What to do where the level makes no difference.
const fn indifferent(language: Language, knob: Knob) -> &'static str {
    language.choose(match knob {
        Knob::DiskCache | Knob::WriteCache => [
            "Leave it off: on makes no practical difference here, and off is the safer.",
            "Ausgeschaltet lassen: Eingeschaltet macht er hier keinen praktischen Unterschied, und \
             aus ist sicherer.",
        ],
        Knob::Stroke => [
            "Use all of the capacity that is needed: the stroke makes no practical difference here.",
            "So viel Kapazität nutzen wie nötig: Hier macht das keinen praktischen Unterschied.",
        ],
        _ => [
            "Choose by other criteria: it makes no practical difference here.",
            "Nach anderen Kriterien wählen: Hier macht es keinen praktischen Unterschied.",
        ],
    })
}

/// True if a RAID level survives the failure of a drive.
pub(crate) fn is_redundant(level: &str) -> bool {
    !matches!(level, "raid0" | "jbod" | "single")
}

/// The capacity that a RAID level takes, behind the advice to use it; nothing where that is another for
/// each number of copies.
fn cost(language: Language, level: &str) -> &'static str {
    let [english, german] = match level {
        "RAID-10" => [" Cost: half of the capacity.", " Preis: die Hälfte der Kapazität."],
        "RAID-5" => [
            " Cost: the capacity of one drive per array.",
            " Preis: die Kapazität eines Laufwerks je Verbund.",
        ],
        "RAID-6" => [
            " Cost: the capacity of two drives per array.",
            " Preis: die Kapazität zweier Laufwerke je Verbund.",
        ],
        _ => ["", ""],
    };
    language.choose([english, german])
}

/// What to do about the RAID level: the fastest of all, the fastest of those with redundancy if there are
/// several, and whether all of them have it.
pub(crate) fn raid(
    language: Language,
    fastest: Option<String>,
    redundant: Option<Option<String>>,
    is_all_redundant: bool,
) -> String {
    let mut sentences = Vec::new();
    let is_safe = fastest.as_deref().is_some_and(is_redundant);
    if let Some(level) = fastest.as_deref().map(raid_level) {
        sentences.push(match (language, is_safe) {
            (English, true) => format!("For throughput, choose {level}.{}", cost(language, &level)),
            (German, true) => format!("Für Durchsatz {level} wählen.{}", cost(language, &level)),
            (English, false) => format!(
                "{level} is the fastest, but loses all data with one drive: only for data that can \
                 be restored from elsewhere."
            ),
            (German, false) => format!(
                "{level} ist am schnellsten, verliert aber mit einem Laufwerk alle Daten: nur für \
                 Daten, die wiederbeschafft werden können."
            ),
        });
    }
    let other = redundant.filter(|_| !is_safe && !is_all_redundant);
    if let Some(best) = other {
        sentences.push(match (language, best.as_deref().map(raid_level)) {
            (English, Some(level)) => format!(
                "Of the levels with redundancy, {level} is the fastest.{}",
                cost(language, &level)
            ),
            (German, Some(level)) => format!(
                "Unter den Stufen mit Redundanz ist {level} die schnellste.{}",
                cost(language, &level)
            ),
            (_, None) => no_redundant_level(language).to_owned(),
        });
    }
    if fastest.is_none() && sentences.iter().all(|text| text == no_redundant_level(language)) {
        sentences.clear();
        let text = [
            "No level was shown to be faster throughout: choose by workload, capacity and safety.",
            "Keine Stufe erwies sich als durchweg schneller: nach Last, Kapazität und Sicherheit wählen.",
        ];
        sentences.push(language.choose(text).to_owned());
    }
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name of a setting of each kind, and its levels: the base first.
    const fn example(knob: Knob) -> (&'static str, [&'static str; 2]) {
        match knob {
            Knob::DiskCache => ("disk_cache", ["off", "on"]),
            Knob::WriteCache => ("write_cache", ["off", "on"]),
            Knob::ReadAhead => ("read_ahead", ["off", "on"]),
            Knob::Raid => ("raid", ["raid5", "raid10"]),
            Knob::Stroke => ("stroke", ["100%", "30%"]),
            Knob::Drives => ("drives", ["20", "40"]),
            Knob::Scheduler => ("scheduler", ["none", "mq-deadline"]),
            Knob::Engine => ("engine", ["sync", "io_uring"]),
            Knob::Other => ("colour", ["red", "blue"]),
        }
    }

    const KNOBS: [Knob; 9] = [
        Knob::DiskCache,
        Knob::WriteCache,
        Knob::ReadAhead,
        Knob::Raid,
        Knob::Stroke,
        Knob::Drives,
        Knob::Scheduler,
        Knob::Engine,
        Knob::Other,
    ];

    const CHOICES: [Choice; 7] = [
        Choice::Base,
        Choice::Level,
        Choice::ByWorkload,
        Choice::ByOther,
        Choice::Neither,
        Choice::Unknown,
        Choice::Disturbed,
    ];

    /// How the advice begins in both languages, where it is the same for every setting.
    const fn start(choice: Choice) -> [&'static str; 2] {
        match choice {
            Choice::ByWorkload => ["Choose by workload: ", "Nach der Last wählen: "],
            Choice::ByOther => ["Decide together with ", "Zusammen mit den anderen "],
            Choice::Unknown => ["No preference: this run", "Ohne Präferenz: Dieser Lauf"],
            Choice::Disturbed => ["No preference: something", "Ohne Präferenz: Etwas"],
            Choice::Base | Choice::Level | Choice::Neither => ["", ""],
        }
    }

    #[test]
    fn every_kind_of_setting_has_its_meaning_and_its_advice() {
        for knob in KNOBS {
            let (name, levels) = example(knob);
            assert_eq!(Knob::of(name), knob);
            for language in [English, German] {
                assert_eq!(meaning(language, knob).is_some(), knob != Knob::Other);
                let of = |choice| {
                    let series = [vec!["a".to_owned()], vec!["b".to_owned()]];
                    advice(language, name, (choice, levels), &series)
                };
                let said = CHOICES.map(of);
                for (choice, said) in CHOICES.into_iter().zip(&said) {
                    assert!(said.starts_with(language.choose(start(choice))), "{said}");
                    // What is not known has neither a price nor a winner.
                    let is_known =
                        !matches!(choice, Choice::ByOther | Choice::Unknown | Choice::Disturbed);
                    let is_told = risk(language, knob).is_some_and(|risk| said.contains(risk));
                    let is_for_level = matches!(choice, Choice::Level | Choice::ByWorkload);
                    assert!(!is_told || is_known, "{said}");
                    assert_eq!(
                        is_told && is_for_level,
                        risk(language, knob).is_some() && is_for_level
                    );
                }
                for (index, one) in said.iter().enumerate() {
                    assert!(!said[..index].contains(one), "two choices say: {one}");
                }
            }
        }
    }
}
