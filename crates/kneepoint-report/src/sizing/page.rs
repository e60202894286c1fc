//! The sizing as a page.

use super::{Calibration, Candidate, Demand, Order, Sizing, chart, limit, table};
use crate::content::words;
use crate::language::Language;
use crate::language::texts;
use crate::language::texts::sizing::{Outcome, Winner};
use crate::page::{Block, Fact, Fold, Listing, Note, Page, Section, Text, Tone};

/// The page in a language.
pub fn page(sizing: &Sizing, language: Language) -> Page {
    let demand = &sizing.demand;
    let mut sections = vec![abstract_section(sizing, language), candidates(sizing, language)];
    sections.extend(strokes(sizing, language));
    sections.push(method(sizing, language));
    Page {
        language,
        kind: texts::sizing::kind(language).to_owned(),
        title: texts::sizing::title(
            language,
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
    let block = format!("{:.4}", block_bytes / 1024.0);
    let block = block.trim_end_matches('0').trim_end_matches('.');
    let order = match order {
        Order::Sequential => texts::sizing::sequential(language),
        Order::Random => texts::sizing::random(language),
    };
    let load = texts::sizing::load_of(
        language,
        &language.written(&format!("{block} KiB")),
        &language.written(&format!("{read_percent:.0}%")),
        order,
    );
    let asked = format!("{}, {}", language.iops(*iops), language.mib_per_s(*mib_s));
    let mut facts = vec![
        Fact::new(texts::sizing::load(language), format!("{profile}: {load}")),
        Fact::new(texts::sizing::asked_for(language), asked),
        Fact::new(texts::sizing::rule(language), Text::new().code(&sizing.demand.rule)),
    ];
    let capacity = sizing.demand.capacity_bytes;
    facts.extend(
        capacity.map(|bytes| Fact::new(texts::sizing::capacity(language), language.bytes(bytes))),
    );
    facts.push(Fact::new(
        texts::sizing::simulated_by(language),
        format!("Kneepoint {}", sizing.version),
    ));
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
        title: texts::sizing::uncalibrated_title(
            language,
            &language.count(uncalibrated),
            &language.count(candidates.len()),
        ),
        text: texts::sizing::uncalibrated(language).into(),
    }]
}

fn abstract_section(sizing: &Sizing, language: Language) -> Section {
    let abstract_text = match sizing.candidates.first() {
        None => Text::new().plain(texts::sizing::nothing(language)),
        Some(first) => Text::new()
            .plain(texts::sizing::fewest(language))
            .strong(texts::sizing::winner(
                language,
                &Winner {
                    drives: &language.count_u64(u64::from(first.drives)),
                    drive: table::drive(first, language),
                    raid: &first.raid,
                    system: &first.system,
                    write_cache: &first.write_cache,
                },
            ))
            .plain(texts::sizing::outcome(
                language,
                &Outcome {
                    metric: sizing.demand.metric,
                    response: &language.response_time(first.response_ms),
                    sustained: &language.iops(first.sustained_iops),
                    headroom: &language.change(first.headroom_percent),
                    limit: &limit(&first.limit, language),
                    margin: &language.percent(first.margin_percent),
                },
            )),
    };
    Section::new(
        "abstract",
        texts::sizing::abstract_title(language),
        vec![Block::paragraph(abstract_text)],
    )
}

fn candidates(sizing: &Sizing, language: Language) -> Section {
    let mut blocks = vec![
        Block::Table(table::candidates(&sizing.candidates, &sizing.demand, language)),
        Block::remark(texts::sizing::candidates_remark(language)),
    ];
    blocks.extend(chart::growth(sizing, language).map(|figure| Block::Figures(vec![figure])));
    let targets: Vec<&str> =
        sizing.candidates.iter().map(|candidate| candidate.target.as_str()).collect();
    blocks.push(Block::Listing(Listing {
        title: texts::sizing::as_targets(language).to_owned(),
        text: targets.join("\n"),
        fold: Fold::Open,
    }));
    Section::new("candidates", texts::sizing::candidates(language), blocks)
}

fn strokes(sizing: &Sizing, language: Language) -> Option<Section> {
    let first = sizing.candidates.first().filter(|_| !sizing.strokes.is_empty())?;
    let mut blocks = vec![Block::Table(table::strokes(&sizing.strokes, &first.target, language))];
    blocks.extend(chart::strokes(sizing, language).map(|figure| Block::Figures(vec![figure])));
    Some(Section::new("strokes", texts::sizing::strokes(language), blocks))
}

fn method(sizing: &Sizing, language: Language) -> Section {
    let blocks = vec![
        Block::paragraph(texts::sizing::method_text(language)),
        Block::Listing(Listing {
            title: texts::sizing::command(language).to_owned(),
            text: sizing.command.clone(),
            fold: Fold::Open,
        }),
    ];
    Section::new("method", texts::sizing::method(language), blocks)
}
