//! The sizing of systems.

use kneepoint_core::result::sizing::Candidate;
use kneepoint_core::words::rule::Metric;

use super::{advice, common};
use crate::language::Language::{self, English, German};

texts! {
    kind: "Sizing of storage systems" | "Auslegung von Speichersystemen";
    sequential: "sequential" | "sequenziell";
    random: "random" | "wahlfrei";
    load_of(block: &str, read: &str, order: &str):
        "{block}, {read} read, {order}"
        | "{block}, {read} Lesen, {order}";
    asked_for: "Asked for" | "Gefordert";
    capacity: "Usable capacity" | "Nutzbare Kapazität";
    simulated_by: "Simulated by" | "Simuliert mit";
    uncalibrated_title(some: &str, all: &str):
        "{some} of the {all} candidates in the table are uncalibrated"
        | "{some} von {all} Kandidaten der Tabelle sind nicht kalibriert";
    uncalibrated:
        "Their parameters come from data sheets and similar drives. Measure such a system before \
         anything depends on it."
        | "Ihre Parameter stammen aus Datenblättern und von ähnlichen Laufwerken. Messen Sie ein \
           solches System, bevor etwas davon abhängt.";
    nothing:
        "Nothing of what was tried sustains this load."
        | "Nichts von dem, was versucht wurde, hält diese Last aus.";
    /// Stands before the first candidate, if it is a single array.
    fewest:
        "The fewest drives found to sustain the load are "
        | "Die kleinste gefundene Zahl von Laufwerken, die die Last aushält, ist ";
    /// The same if it has several arrays, of which only whole ones are tried.
    fewest_whole:
        "The fewest drives in whole arrays that sustain the load are "
        | "Die kleinste Zahl von Laufwerken in ganzen Verbünden, die die Last aushält, ist ";
    own_drive: "the system's own" | "die des Systems";
    candidates: "Candidates" | "Kandidaten";
    candidates_remark:
        "Stroke: share of each drive that holds the data. Headroom: what is sustained at the rule \
         above what was asked for. Margin: the mean error of the model on the published numbers \
         that it was fitted to, or 20 % where there were none of the system with these drives; the candidate \
         sustains the load with it on top."
        | "Bereich: Anteil jedes Laufwerks, auf dem die Daten liegen. Reserve: nutzbarer \
           Durchsatz an der Regel über das Geforderte hinaus. Zuschlag: der mittlere Fehler des \
           Modells bei den veröffentlichten Zahlen, an die es angepasst wurde, oder 20 %, wo es \
           für das System mit diesen Laufwerken keine gab; der Kandidat hält die Last mit diesem Zuschlag aus.";
    as_targets:
        "The candidates as targets of kneepoint run"
        | "Die Kandidaten als Ziele von kneepoint run";
    strokes: "Other disk strokes" | "Andere Bereiche der Laufwerke";
    method: "Method" | "Methode";
    method_text:
        "For each kind of drive, RAID level and setting of the write cache the smallest number of \
         drives was searched that holds the capacity and meets the rule: a single array of any size \
         that the level takes, or several whole arrays. Each trial offers the \
         load at random intervals, with the margin on top. What a candidate sustains is read off \
         a closed loop of rising load, without the margin. Everything is simulated. Prices, power \
         and the time of a rebuild are not considered."
        | "Für jede Art von Laufwerk, jede RAID-Stufe und jede Einstellung des Schreibcaches \
           wurde die kleinste Zahl von Laufwerken gesucht, die die Kapazität fasst und die Regel \
           einhält: ein einzelner Verbund jeder Größe, die die Stufe zulässt, oder mehrere ganze \
           Verbünde. Jeder Versuch bietet die Last in zufälligen Abständen an, mit dem Zuschlag. \
           Der nutzbare Durchsatz eines Kandidaten ist an einer geschlossenen Schleife mit \
           steigender Last abgelesen, ohne den Zuschlag. Alles ist simuliert. Preise, Stromverbrauch und die \
           Zeit eines Wiederaufbaus sind nicht berücksichtigt.";
    /// Behind it, given the whole arrays of each system that has several.
    steps(steps: &str):
        " Systems of several arrays were tried in steps of whole arrays: {steps}. Numbers of drives between two \
         steps were not tried."
        | " Systeme mit mehreren Verbünden wurden in Schritten ganzer Verbünde versucht: {steps}. Zahlen von \
           Laufwerken zwischen zwei Schritten wurden nicht versucht.";
    step(drives: &str, system: &str): "{drives} drives in {system}" | "{drives} Laufwerke in {system}";
    candidates_caption(iops: &str, profile: &str, rule: &str):
        "What sustains {iops} of {profile} {rule}, fewest drives first."
        | "Was {iops} von {profile} {rule} aushält, die wenigsten Laufwerke zuerst.";
    /// Behind it where the table does not show all that was found.
    first_of(shown: &str, all: &str):
        " The first {shown} of {all} systems that were found."
        | " Die ersten {shown} von {all} gefundenen Systemen.";
    uncalibrated_cell: "uncalibrated" | "nicht kalibriert";
    enclosures: "drives in enclosures" | "Laufwerke in Gehäusen";
    and_more(names: &str, more: &str): "{names} and {more} more" | "{names} und {more} weitere";
    growth_title:
        "Sustained throughput over the number of drives"
        | "Nutzbarer Durchsatz über der Zahl der Laufwerke";
    /// With a capacity that was asked for.
    growth_of_data:
        "What candidates sustain with fewer drives and with more, the data that were asked for \
         spread over all of them."
        | "Nutzbarer Durchsatz der Kandidaten mit weniger und mit mehr Laufwerken, die geforderten \
           Daten über alle verteilt.";
    /// Where more drives hold more data.
    growth_of_stroke(percent: &str):
        "What candidates sustain with fewer drives and with more, the data on {percent} of each \
         drive: the more drives, the more data."
        | "Nutzbarer Durchsatz der Kandidaten mit weniger und mit mehr Laufwerken, die Daten auf \
           {percent} jedes Laufwerks: je mehr Laufwerke, desto mehr Daten.";
    growth_rings:
        " Rings are the candidates of the table; the line is the load that was asked for."
        | " Ringe sind die Kandidaten der Tabelle; die Linie ist die geforderte Last.";
    /// Where the figure does not show all of the table.
    growth_some_rings(shown: &str):
        " Rings are the first {shown} candidates of the table; the line is the load that was asked for."
        | " Ringe sind die ersten {shown} Kandidaten der Tabelle; die Linie ist die geforderte Last.";
    sustained_axis: "Sustained throughput in IO/s" | "Nutzbarer Durchsatz in IO/s";
    growth_point(name: &str, drives: &str, iops: &str):
        "{name}: {drives} drives, {iops}"
        | "{name}: {drives} Laufwerke, {iops}";
    with_drives(drives: &str): "{drives} drives" | "{drives} Laufwerken";
    growth_mark(name: &str): "{name}: the candidate" | "{name}: der Kandidat";
    stroke_title:
        "Sustained throughput over the disk stroke"
        | "Nutzbarer Durchsatz über dem genutzten Bereich der Laufwerke";
    stroke_axis:
        "Share of each drive's capacity in %"
        | "Anteil an der Kapazität jedes Laufwerks in %";
    stroke_point(stroke: &str, iops: &str): "{stroke} stroke: {iops}" | "{stroke} Bereich: {iops}";
    stroke_caption(stroke: &str, bytes: &str):
        "The first candidate with its data on more or less of each drive; at {stroke} it holds \
         {bytes}."
        | "Der erste Kandidat mit seinen Daten auf einem größeren oder kleineren Teil jedes \
           Laufwerks; bei {stroke} fasst er {bytes}.";
    asked_line(iops: &str): "asked for: {iops}" | "gefordert: {iops}";
    source(profile: &str, rule: &str):
        "Simulated: {profile} {rule}"
        | "Simuliert: {profile} {rule}";
}

/// Titles of the columns and of their groups.
pub(crate) mod heads {
    texts! {
        number: "No." | "Nr.";
        system: "System" | "System";
        drives: "Drives" | "Laufwerke";
        count: "count" | "Anzahl";
        drive: "drive" | "Laufwerk";
        write_cache: "write cache" | "Schreibcache";
        usable: "usable" | "nutzbar";
        stroke: "stroke" | "Bereich";
        at_load: "At the load asked for" | "Bei der geforderten Last";
        at_rule: "At the rule" | "An der Regel";
        sustained: "sustained" | "nutzbar";
        headroom: "headroom" | "Reserve";
        saturates: "saturates first" | "zuerst ausgelastet";
        model: "Model" | "Modell";
        margin: "margin" | "Zuschlag";
        data: "data" | "Daten";
        multiplier: "multiplier" | "Faktor";
    }
}

/// The first candidate, and the name of its drive.
pub(crate) fn winner(language: Language, first: &Candidate, drive: &str) -> String {
    let system = &first.system;
    let raid = advice::raid_level(&first.raid);
    let write_cache = advice::level(language, "write_cache", &first.write_cache);
    let [drives, arrays, of] = [first.drives, first.arrays, first.drives / first.arrays.max(1)]
        .map(|count| language.count_u64(u64::from(count)));
    let is_own = first.drive.is_none();
    let kind = match (language, first.arrays) {
        (_, 0 | 1) => drive.to_owned(),
        (English, _) if is_own => format!("{arrays} arrays of {of} of the system's own drives"),
        (German, _) if is_own => {
            format!("{arrays} Verbünde zu je {of} Laufwerken des Systems")
        }
        (English, _) => format!("{arrays} arrays of {of} {drive}"),
        (German, _) => format!("{arrays} Verbünde zu je {of} {drive}"),
    };
    match language {
        English => format!("{drives} ({kind}) in {raid} on {system}, write cache {write_cache}"),
        German => format!("{drives} ({kind}) als {raid} in {system}, Schreibcache {write_cache}"),
    }
}

/// The performance of the first candidate, its response time by the metric of the rule, and the
/// part that limits it.
pub(crate) fn outcome(
    language: Language,
    metric: Metric,
    (first, limit): (&Candidate, &str),
) -> String {
    let response = language.response_time(first.response_ms);
    let sustained = language.iops(first.sustained_iops);
    let headroom = language.change(first.headroom_percent);
    let margin = language.percent(first.margin_percent);
    let busy = limit.rsplit_once(' ').map(|(part, busy)| match language {
        English => format!("{part} ({busy} busy)"),
        German => format!("{part} (zu {busy} beschäftigt)"),
    });
    let limit = busy.unwrap_or_else(|| limit.to_owned());
    match language {
        English => format!(
            ". At the load that was asked for the {metric} response time is {response}; at the \
             rule the system sustains {sustained} ({headroom}), limited by {limit}. The load was tried with a margin of {margin} on top."
        ),
        German => format!(
            ". {} bei der geforderten Last: {response}. An der Regel sind {sustained} nutzbar \
             ({headroom}), begrenzt durch {limit}. Die Last wurde \
             mit einem Zuschlag von {margin} versucht.",
            common::response_of(German, metric)
        ),
    }
}

/// How many other candidates have as few drives as the first.
pub(crate) fn as_few(language: Language, count: usize) -> String {
    let number = language.count(count);
    match (language, count) {
        (English, 1) => {
            " 1 other candidate needs as many drives, and has no more headroom: see the table."
                .to_owned()
        }
        (English, _) => format!(
            " {number} other candidates need as many drives, and have no more headroom: see the table."
        ),
        (German, 1) => {
            " 1 weiterer Kandidat braucht ebenso viele Laufwerke, hat aber keine größere Reserve: \
                         siehe die Tabelle."
                .to_owned()
        }
        (German, _) => format!(
            " {number} weitere Kandidaten brauchen ebenso viele Laufwerke, haben aber keine größere Reserve: \
             siehe die Tabelle."
        ),
    }
}

pub(crate) fn response(language: Language, metric: Metric) -> String {
    match language {
        English => format!("{metric} response time"),
        German => match metric {
            Metric::Mean => "mittlere Antwortzeit".to_owned(),
            Metric::Max => "größte Antwortzeit".to_owned(),
            other => common::response_of(German, other),
        },
    }
}

/// Text before and behind the target in the caption of the strokes.
pub(crate) const fn strokes_caption(language: Language) -> [&'static str; 2] {
    match language {
        English => [
            "What ",
            " would sustain with its data spread over more or less of each drive. The multiplier \
             is the share of the first row.",
        ],
        German => [
            "Nutzbarer Durchsatz von ",
            ", wenn die Daten auf einem größeren oder kleineren Teil jedes \
             Laufwerks lägen. Der Faktor ist das Verhältnis zur ersten Zeile.",
        ],
    }
}
