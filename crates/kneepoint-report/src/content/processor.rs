//! The processor suite as a whole: what its members amount to together.

use kneepoint_core::result::{PeakGain, ProcessorAnalysis, ProcessorScore};
use kneepoint_core::spec::profile::{FlagSet, MemberClass};

use super::view::RunView;
use crate::language::Language;
use crate::language::texts::{common, processor};
use crate::page::{Block, Column, Table, TableCell};

/// The table of scores with what is to be known of them; nothing for other work, and unless all members of a
/// class were measured.
pub(super) fn scores(survey: &RunView<'_>) -> Vec<Block> {
    let Some(analysis) = &survey.document.analysis.processor else { return Vec::new() };
    if analysis.scores.is_empty() {
        return Vec::new();
    }
    let language = survey.language;
    let mut blocks = vec![Block::Table(table(language, analysis))];
    let is_short = analysis.scores.iter().any(|score| score.is_short);
    blocks.extend(is_short.then(|| Block::paragraph(processor::short(language))));
    blocks.push(Block::paragraph(processor::not_comparable(language)));
    blocks
}

/// A row for each class and number of copies.
fn table(language: Language, analysis: &ProcessorAnalysis) -> Table {
    let columns = vec![
        Column::words(processor::class(language)),
        Column::numbers(processor::copies(language)),
        Column::numbers(processor::members(language)),
        Column::numbers(FlagSet::Base.name()),
        Column::numbers(FlagSet::Peak.name()),
        Column::numbers(processor::gain(language)),
    ];
    let mut keys: Vec<(Option<MemberClass>, u32)> = Vec::new();
    for score in &analysis.scores {
        let key = (score.class, score.copies);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let row = |(class, copies): (Option<MemberClass>, u32)| {
        let own = |score: &&ProcessorScore| score.class == class && score.copies == copies;
        let scores: Vec<&ProcessorScore> = analysis.scores.iter().filter(own).collect();
        let of = |flags: FlagSet| scores.iter().find(|score| score.flags == flags);
        let ratio = |flags| common::known(of(flags).map(|score| language.rate(score.ratio)));
        let gain = analysis.gains.iter().find(|gain| gain.class == class && gain.copies == copies);
        let members = scores.first().map_or(0, |score| score.members);
        vec![
            TableCell::new(match class {
                None => processor::all(language),
                Some(MemberClass::Integer) => processor::integer(language),
                Some(MemberClass::Floating) => processor::floating(language),
            }),
            TableCell::new(language.count_u64(copies.into())),
            TableCell::new(language.count_u64(members.into())),
            TableCell::new(ratio(FlagSet::Base)),
            TableCell::new(ratio(FlagSet::Peak)),
            TableCell::new(common::known(gain.map(|gain| percent(language, gain)))),
        ]
    };
    let rows: Vec<Vec<TableCell>> = keys.into_iter().map(row).collect();
    Table::plain(processor::caption(language).to_owned(), columns).filled(rows)
}

/// A gain with its interval: `+44 % ±3`.
fn percent(language: Language, gain: &PeakGain) -> String {
    let sign = if gain.percent.mean < 0.0 { "\u{2212}" } else { "+" };
    let size = language.percent(gain.percent.mean.abs());
    let width = gain.percent.ci95.map(|width| format!(" ±{}", language.percent(width)));
    format!("{sign}{size}{}", width.unwrap_or_default())
}
