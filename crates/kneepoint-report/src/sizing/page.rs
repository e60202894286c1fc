//! The sizing as a page.

use super::{Calibration, Candidate, Demand, Sizing, chart, table};
use crate::language::Language;
use crate::page::{Block, Fact, Fold, Listing, Note, Page, Section, Text, Tone};

/// The page; its texts are English.
pub fn page(sizing: &Sizing) -> Page {
    let language = Language::English;
    let demand = &sizing.demand;
    let mut sections = vec![abstract_section(sizing, language), candidates(sizing, language)];
    sections.extend(strokes(sizing, language));
    sections.push(method(sizing));
    Page {
        language,
        kind: "Sizing of storage systems".to_owned(),
        title: format!("{} at {}", language.iops(demand.iops), demand.rule),
        date: String::new(),
        facts: facts(sizing, language),
        notes: notes(&sizing.candidates),
        contents_after: 1,
        sections,
    }
    .numbered()
}

fn facts(sizing: &Sizing, language: Language) -> Vec<Fact> {
    let Demand { profile, load, iops, mib_s, rule, capacity_bytes, .. } = &sizing.demand;
    let load_words = format!("{profile}: {load}");
    let mut facts = vec![
        Fact::new("Load", load_words),
        Fact::new("Asked for", format!("{}, {}", language.iops(*iops), language.mib_per_s(*mib_s))),
        Fact::new("Rule", Text::new().code(rule)),
    ];
    facts.extend(capacity_bytes.map(|bytes| Fact::new("Usable capacity", language.bytes(bytes))));
    facts.push(Fact::new("Simulated by", format!("Kneepoint {}", sizing.version)));
    facts
}

fn notes(candidates: &[Candidate]) -> Vec<Note> {
    let is_uncalibrated =
        |candidate: &&Candidate| candidate.calibration == Calibration::Uncalibrated;
    let uncalibrated = candidates.iter().filter(is_uncalibrated).count();
    if uncalibrated == 0 {
        return Vec::new();
    }
    vec![Note {
        tone: Tone::Caution,
        title: format!("{uncalibrated} of {} candidates are uncalibrated", candidates.len()),
        text: "Their parameters come from data sheets and similar drives. Measure such a system before \
               anything depends on it."
            .into(),
    }]
}

fn abstract_section(sizing: &Sizing, language: Language) -> Section {
    let blocks =
        match sizing.candidates.first() {
            None => vec![Block::paragraph("Nothing of what was tried sustains this load.")],
            Some(first) => vec![Block::paragraph(
            Text::new()
                .plain("The fewest drives that sustain the load are ")
                .strong(format!(
                    "{} ({}) in {} on {}, write cache {}",
                    first.drives, drive_words(first), first.raid, first.system, first.write_cache
                ))
                .plain(format!(
                    ". At the load that was asked for the {} response time is {}; at the rule the \
                     system sustains {} ({}), where this is busiest: {}. The load was tried with a \
                     margin of {} on top.",
                    sizing.demand.metric,
                    language.response_time(first.response_ms),
                    language.iops(first.sustained_iops),
                    language.change(first.headroom_percent),
                    first.limit,
                    language.percent(first.margin_percent),
                )),
        )],
        };
    Section::new("abstract", "Abstract", blocks)
}

fn drive_words(candidate: &Candidate) -> &str {
    match candidate.drive.as_str() {
        "its own" => "the system's own",
        drive => drive,
    }
}

fn candidates(sizing: &Sizing, language: Language) -> Section {
    let mut blocks = vec![
        Block::Table(table::candidates(&sizing.candidates, &sizing.demand, language)),
        Block::remark(
            "Stroke: share of each drive that holds the data. Headroom: what is sustained at the rule \
             above what was asked for. Margin: the mean error of the model on the published numbers \
             that it was fitted to, or 20 % where there were none; the candidate sustains the load \
             with it on top.",
        ),
    ];
    blocks.extend(chart::growth(sizing, language).map(|figure| Block::Figures(vec![figure])));
    let targets: Vec<&str> =
        sizing.candidates.iter().map(|candidate| candidate.target.as_str()).collect();
    blocks.push(Block::Listing(Listing {
        title: "The candidates as targets of kneepoint run".to_owned(),
        text: targets.join("\n"),
        fold: Fold::Open,
    }));
    Section::new("candidates", "Candidates", blocks)
}

fn strokes(sizing: &Sizing, language: Language) -> Option<Section> {
    let first = sizing.candidates.first().filter(|_| !sizing.strokes.is_empty())?;
    let mut blocks = vec![Block::Table(table::strokes(&sizing.strokes, &first.target, language))];
    blocks.extend(chart::strokes(sizing, language).map(|figure| Block::Figures(vec![figure])));
    Some(Section::new("strokes", "Other disk strokes", blocks))
}

fn method(sizing: &Sizing) -> Section {
    let blocks = vec![
        Block::paragraph(
            "For each kind of drive, RAID level and setting of the write cache the smallest number of \
             drives was searched that holds the capacity and meets the rule. Each trial offers the \
             load at random intervals, with the margin on top. What a candidate sustains is read off a \
             closed loop of rising load, without the margin. Everything is simulated: prices, power \
             and the time of a rebuild are not in it.",
        ),
        Block::Listing(Listing {
            title: "The command as it was typed".to_owned(),
            text: sizing.command.clone(),
            fold: Fold::Open,
        }),
    ];
    Section::new("method", "Method", blocks)
}
