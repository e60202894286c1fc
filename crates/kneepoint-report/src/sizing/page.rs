//! The sizing as a page.

use super::{Calibration, Candidate, Demand, Order, Sizing, chart, limit, table, texts};
use crate::content::words;
use crate::language::Language;
use crate::language::catalog::{SizingOutcome, SizingWinner};
use crate::page::{Block, Fact, Fold, Listing, Note, Page, Section, Text, Tone};

/// The page in a language.
pub fn page(sizing: &Sizing, language: Language) -> Page {
    let demand = &sizing.demand;
    let mut sections = vec![abstract_section(sizing, language), candidates(sizing, language)];
    sections.extend(strokes(sizing, language));
    sections.push(method(sizing, language));
    Page {
        language,
        kind: texts(language).kind.to_owned(),
        title: (texts(language).title)(
            &language.iops(demand.iops),
            &words::rule(language, &demand.rule),
        ),
        date: String::new(),
        facts: facts(sizing, language),
        notes: notes(&sizing.candidates, language),
        contents_after: 1,
        sections,
    }
    .numbered()
}

fn facts(sizing: &Sizing, language: Language) -> Vec<Fact> {
    let Demand { profile, block_bytes, read_percent, order, iops, mib_s, .. } = &sizing.demand;
    let texts = texts(language);
    let block = format!("{:.4}", block_bytes / 1024.0);
    let block = block.trim_end_matches('0').trim_end_matches('.');
    let order = match order {
        Order::Sequential => texts.sequential,
        Order::Random => texts.random,
    };
    let load = (texts.load_of)(
        &language.written(&format!("{block} KiB")),
        &language.written(&format!("{read_percent:.0}%")),
        order,
    );
    let asked = format!("{}, {}", language.iops(*iops), language.mib_per_s(*mib_s));
    let mut facts = vec![
        Fact::new(texts.load, format!("{profile}: {load}")),
        Fact::new(texts.asked_for, asked),
        Fact::new(texts.rule, Text::new().code(&sizing.demand.rule)),
    ];
    let capacity = sizing.demand.capacity_bytes;
    facts.extend(capacity.map(|bytes| Fact::new(texts.capacity, language.bytes(bytes))));
    facts.push(Fact::new(texts.simulated_by, format!("Kneepoint {}", sizing.version)));
    facts
}

fn notes(candidates: &[Candidate], language: Language) -> Vec<Note> {
    let is_uncalibrated =
        |candidate: &&Candidate| candidate.calibration == Calibration::Uncalibrated;
    let uncalibrated = candidates.iter().filter(is_uncalibrated).count();
    if uncalibrated == 0 {
        return Vec::new();
    }
    vec![Note {
        tone: Tone::Caution,
        title: (texts(language).uncalibrated_title)(
            &language.count(uncalibrated),
            &language.count(candidates.len()),
        ),
        text: texts(language).uncalibrated.into(),
    }]
}

fn abstract_section(sizing: &Sizing, language: Language) -> Section {
    let texts = texts(language);
    let abstract_text = match sizing.candidates.first() {
        None => Text::new().plain(texts.nothing),
        Some(first) => Text::new()
            .plain(texts.fewest)
            .strong((texts.winner)(&SizingWinner {
                drives: &language.count_u64(u64::from(first.drives)),
                drive: table::drive(first, language),
                raid: &first.raid,
                system: &first.system,
                write_cache: &first.write_cache,
            }))
            .plain((texts.outcome)(&SizingOutcome {
                metric: sizing.demand.metric,
                response: &language.response_time(first.response_ms),
                sustained: &language.iops(first.sustained_iops),
                headroom: &language.change(first.headroom_percent),
                limit: &limit(&first.limit, language),
                margin: &language.percent(first.margin_percent),
            })),
    };
    Section::new("abstract", texts.abstract_title, vec![Block::paragraph(abstract_text)])
}

fn candidates(sizing: &Sizing, language: Language) -> Section {
    let mut blocks = vec![
        Block::Table(table::candidates(&sizing.candidates, &sizing.demand, language)),
        Block::remark(texts(language).candidates_remark),
    ];
    blocks.extend(chart::growth(sizing, language).map(|figure| Block::Figures(vec![figure])));
    let targets: Vec<&str> =
        sizing.candidates.iter().map(|candidate| candidate.target.as_str()).collect();
    blocks.push(Block::Listing(Listing {
        title: texts(language).as_targets.to_owned(),
        text: targets.join("\n"),
        fold: Fold::Open,
    }));
    Section::new("candidates", texts(language).candidates, blocks)
}

fn strokes(sizing: &Sizing, language: Language) -> Option<Section> {
    let first = sizing.candidates.first().filter(|_| !sizing.strokes.is_empty())?;
    let mut blocks = vec![Block::Table(table::strokes(&sizing.strokes, &first.target, language))];
    blocks.extend(chart::strokes(sizing, language).map(|figure| Block::Figures(vec![figure])));
    Some(Section::new("strokes", texts(language).strokes, blocks))
}

fn method(sizing: &Sizing, language: Language) -> Section {
    let texts = texts(language);
    let blocks = vec![
        Block::paragraph(texts.method_text),
        Block::Listing(Listing {
            title: texts.command.to_owned(),
            text: sizing.command.clone(),
            fold: Fold::Open,
        }),
    ];
    Section::new("method", texts.method, blocks)
}
