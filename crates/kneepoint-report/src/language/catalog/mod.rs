//! The catalog: every text that a report can print, as fields that each language must fill.
//!
//! A chapter's texts are a struct of words and of functions that build sentences around values.
//! The values come as text that the language has already written; numbers that decide over singular
//! and plural come as numbers. A text that one language lacks does not compile.

mod comparison;
mod copies;
mod data;
mod environment;
mod factors;
mod figures;
mod findings;
mod front;
mod grids;
mod method;
mod page;
mod results;
mod sizing;
mod trust;
mod words;

pub(crate) use comparison::ComparisonTexts;
pub(crate) use copies::{CopySetWords, CopyTexts};
pub(crate) use data::{DataTexts, ReproductionTexts};
pub(crate) use environment::EnvironmentTexts;
pub(crate) use factors::{FactorPlan, FactorTexts, InteractionWords};
pub(crate) use figures::FigureTexts;
pub(crate) use findings::{
    Amount, ChangeWords, ChangedWhat, ContrastWords, FindingTexts, SaturationWords,
};
pub(crate) use front::{AbstractTexts, FrontTexts};
pub(crate) use grids::GridTexts;
pub(crate) use method::{BoxTexts, MethodTexts};
pub(crate) use page::PageTexts;
pub(crate) use results::{KeyFigureTexts, ProfileTexts, SeriesTexts, StandingTexts};
pub(crate) use sizing::{
    Heads as SizingHeads, Outcome as SizingOutcome, SizingTexts, Winner as SizingWinner,
};
pub(crate) use trust::{ConclusionTexts, TrustTexts};
pub(crate) use words::Words;

/// A sentence around one text.
pub(crate) type Of1 = fn(&str) -> String;
/// A sentence around two texts.
pub(crate) type Of2 = fn(&str, &str) -> String;
/// A sentence around three texts.
pub(crate) type Of3 = fn(&str, &str, &str) -> String;
/// A sentence that a count decides over.
pub(crate) type OfCount = fn(usize) -> String;

/// Every text of one language.
#[derive(Debug)]
pub(crate) struct Catalog {
    pub(crate) abstract_text: AbstractTexts,
    pub(crate) boxes: BoxTexts,
    pub(crate) comparison: ComparisonTexts,
    pub(crate) conclusions: ConclusionTexts,
    pub(crate) copies: CopyTexts,
    pub(crate) data: DataTexts,
    pub(crate) environment: EnvironmentTexts,
    pub(crate) factors: FactorTexts,
    pub(crate) figures: FigureTexts,
    pub(crate) findings: FindingTexts,
    pub(crate) front: FrontTexts,
    pub(crate) grids: GridTexts,
    pub(crate) key_figures: KeyFigureTexts,
    pub(crate) method: MethodTexts,
    pub(crate) page: PageTexts,
    pub(crate) profile: ProfileTexts,
    pub(crate) reproduction: ReproductionTexts,
    pub(crate) series: SeriesTexts,
    pub(crate) sizing: SizingTexts,
    pub(crate) standing: StandingTexts,
    pub(crate) trust: TrustTexts,
    pub(crate) words: Words,
}
