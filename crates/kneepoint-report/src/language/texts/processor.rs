//! Texts on the processor suite.

use kneepoint_core::spec::profile::MemberClass;

use crate::language::Language::{self, English, German};

texts! {
    caption:
        "The processor suite: geometric means of the ratios to the reference machine (x ref), by class of the \
         members and copies that worked at the same time; one copy is the speed, more are a rate"
        | "Die Prozessorsuite: geometrische Mittel der Verhältnisse zur Bezugsmaschine (x ref), nach Klasse der \
           Programme und Zahl der Kopien, die zugleich arbeiteten; eine Kopie gibt die Geschwindigkeit an, \
           mehrere den Durchsatz";
    /// What peak flags do to the programs of a class, by a clear share.
    faster(percent: &str, class: &str, copies: &str):
        "Peak flags make programs {percent} faster than base flags ({class}; {copies})."
        | "Mit Spitzeneinstellungen laufen Programme um {percent} schneller als mit Basiseinstellungen \
           ({class}; {copies}).";
    slower(percent: &str, class: &str, copies: &str):
        "Peak flags make programs {percent} slower than base flags ({class}; {copies})."
        | "Mit Spitzeneinstellungen laufen Programme um {percent} langsamer als mit Basiseinstellungen \
           ({class}; {copies}).";
    no_gain(percent: &str, class: &str, copies: &str):
        "No difference between peak and base flags can be told ({percent}; {class}; {copies})."
        | "Ein Unterschied zwischen Spitzeneinstellungen (peak) und Basiseinstellungen (base) ist nicht zu erkennen \
           ({percent}; {class}; {copies}).";
    /// How much more several copies do together, with base flags.
    scaled(copies: &str, times: &str, class: &str):
        "{copies} do {times} times the work of one ({class}; base flags)."
        | "{copies} leisten {times}-mal so viel wie eine ({class}; Basiseinstellungen).";
    /// A higher limit of the clock, by a share of the lower one.
    clock_step(from: &str, to: &str, percent: &str):
        "A clock of at most {to} in place of {from} (+{percent})"
        | "Ein Takt von höchstens {to} statt {from} (+{percent})";
    share_of_step(share: &str): "{share} of the step" | "{share} des Schritts";
    clock(step: &str, percent: &str, context: &str):
        "{step} makes programs {percent} faster ({context})."
        | "{step} macht die Programme um {percent} schneller ({context}).";
    slower_clock(step: &str, percent: &str, context: &str):
        "{step} makes programs {percent} slower ({context})."
        | "{step} macht die Programme um {percent} langsamer ({context}).";
    no_clock(step: &str, percent: &str, context: &str):
        "{step} makes no difference that can be told ({percent}; {context})."
        | "{step} macht keinen erkennbaren Unterschied ({percent}; {context}).";
    /// More processors.
    cpus_step(from: &str, to: &str): "{to} in place of {from}" | "{to} statt {from}";
    cpus(step: &str, times: &str, context: &str):
        "{step} do {times} times the work ({context})."
        | "{step} leisten {times}-mal so viel ({context}).";
    no_cpus(step: &str, percent: &str, context: &str):
        "{step} make no difference that can be told ({percent}; {context})."
        | "{step} machen keinen erkennbaren Unterschied ({percent}; {context}).";
    /// A larger quota of processor time, in processors.
    quota_step(from: &str, to: &str):
        "The time of at most {to} processors in place of {from}"
        | "Die Zeit von höchstens {to} Prozessoren statt {from}";
    quota(step: &str, times: &str, context: &str):
        "{step} gives {times} times the work ({context})."
        | "{step} ergibt {times}-mal so viel Arbeit ({context}).";
    flags_of(flags: &str): "{flags} flags" | "{flags}";
    settings: "Settings" | "Einstellungen";
    /// The members side by side.
    by_member(copies: &str):
        "Ratio to the reference machine by member, {copies}"
        | "Verhältnis zur Bezugsmaschine nach Programm, {copies}";
    ratio_axis: "Ratio to the reference machine (x ref)" | "Verhältnis zur Bezugsmaschine (x ref)";
    over_copies(class: &str):
        "Geometric mean over the number of copies ({class})"
        | "Geometrisches Mittel über der Zahl der Kopien ({class})";
    linear_note:
        " Thin line: what base flags would give if every copy did as much as one alone."
        | " Dünne Linie: was die Basiseinstellungen ergäben, wenn jede Kopie so viel leistete wie eine allein.";
    linear: "as much as one alone each" | "je so viel wie eine allein";
    class: "Class" | "Klasse";
    copies: "Copies" | "Kopien";
    members: "Members" | "Programme";
    gain: "Peak against base" | "peak gegen base";
    all: "all" | "alle";
    integer: "integer" | "Ganzzahlen";
    floating: "floating point" | "Gleitkommazahlen";
    short:
        "Every copy had little work, for a first impression: the numbers are not those of the whole suite."
        | "Jede Kopie hatte wenig Arbeit, für einen ersten Eindruck: Die Zahlen sind nicht die der ganzen Suite.";
    /// What the unit of ratios means.
    ratio_unit:
        "x ref: times as fast as one copy with base flags on the reference machine."
        | "x ref: Vielfaches des Tempos einer Kopie mit Basiseinstellungen auf der Bezugsmaschine.";
    not_comparable:
        "Programs and reference are Kneepoint's own: the numbers cannot be compared with those of published \
         benchmarks."
        | "Programme und Bezugsmaschine sind die von Kneepoint selbst: Die Zahlen sind nicht vergleichbar mit \
           denen veröffentlichter Benchmarks.";
    ratio: "Ratio" | "Verhältnis";
    /// The machine that ratios refer to, as the user calls it.
    caption_of_file(machine: &str):
        "Programs of the suite's file: geometric means of the ratios to {machine} (x ref), by class of the \
         programs and copies that worked at the same time; one copy is the speed, more are a rate"
        | "Programme der Datei der Suite: geometrische Mittel der Verhältnisse zu {machine} (x ref), nach Klasse \
           der Programme und Zahl der Kopien, die zugleich arbeiteten; eine Kopie gibt die Geschwindigkeit an, \
           mehrere den Durchsatz";
    of_file:
        "Programs, expected outputs and reference times are those of the suite's file: the numbers can be \
         compared with runs of the same file and the same versions of the programs."
        | "Programme, erwartete Ausgaben und Bezugszeiten sind die der Datei der Suite: Die Zahlen sind mit \
           Läufen derselben Datei und derselben Fassungen der Programme vergleichbar.";
    of_tree:
        "Benchmarks of a licensed tree were built, run and verified by its own runcpu, once for each round and not by \
         its rules for results that may be published: these numbers are none of its metrics, and cannot be compared \
         with published ones."
        | "Benchmarks eines lizenzierten Baums hat dessen eigenes runcpu übersetzt, ausgeführt und geprüft, einmal je \
           Runde und nicht nach den Regeln für Ergebnisse, die veröffentlicht werden dürfen: Diese Zahlen sind keine \
           seiner Metriken und mit veröffentlichten nicht vergleichbar.";
}

/// From which number of copies on they share cores as hyper-threads.
pub(crate) fn threads(language: Language, cores: u32, cpus: u32) -> String {
    let from = language.count_u64(u64::from(cores) + 1);
    let [cores, cpus] = [cores, cpus].map(|count| language.count_u64(count.into()));
    match language {
        English => format!(
            " The {cpus} processors are threads of {cores} cores: from {from} copies on, copies share a core as \
             hyper-threads."
        ),
        German => format!(
            " Die {cpus} Prozessoren sind Threads von {cores} Kernen: Ab {from} Kopien teilen sich Kopien einen \
             Kern als Hyper-Threads."
        ),
    }
}

/// A number of copies: `one copy`, `2 copies`.
pub(crate) fn copies_of(language: Language, copies: u32) -> String {
    let count = language.count_u64(copies.into());
    match (language, copies) {
        (English, 1) => "one copy".to_owned(),
        (English, _) => format!("{count} copies"),
        (German, 1) => "eine Kopie".to_owned(),
        (German, _) => format!("{count} Kopien"),
    }
}

/// A number of processors: `one processor`, `2 processors`.
pub(crate) fn cpus_of(language: Language, level: &str) -> String {
    match (language, level) {
        (English, "1") => "one processor".to_owned(),
        (English, _) => format!("{level} processors"),
        (German, "1") => "eines Prozessors".to_owned(),
        (German, _) => format!("{level} Prozessoren"),
    }
}

/// The programs of a class, or all of them, within a sentence.
pub(crate) const fn members_of(language: Language, class: Option<MemberClass>) -> &'static str {
    match (language, class) {
        (English, None) => "all members",
        (English, Some(MemberClass::Integer)) => "integer members",
        (English, Some(MemberClass::Floating)) => "floating-point members",
        (German, None) => "alle Programme",
        (German, Some(MemberClass::Integer)) => "Ganzzahlprogramme",
        (German, Some(MemberClass::Floating)) => "Gleitkommaprogramme",
    }
}
