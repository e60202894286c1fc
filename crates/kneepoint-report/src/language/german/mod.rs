//! The texts in German.

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
pub(super) mod words;

use super::catalog::Catalog;

/// Every text in German.
pub(super) static CATALOG: Catalog = Catalog {
    abstract_text: front::ABSTRACT,
    boxes: method::BOXES,
    comparison: comparison::TEXTS,
    conclusions: trust::CONCLUSIONS,
    copies: copies::TEXTS,
    data: data::DATA,
    environment: environment::TEXTS,
    factors: factors::TEXTS,
    figures: figures::TEXTS,
    findings: findings::TEXTS,
    front: front::FRONT,
    grids: grids::TEXTS,
    key_figures: results::KEY_FIGURES,
    method: method::METHOD,
    page: page::TEXTS,
    profile: results::PROFILE,
    reproduction: data::REPRODUCTION,
    series: results::SERIES,
    sizing: sizing::TEXTS,
    standing: results::STANDING,
    trust: trust::TRUST,
    words: words::TEXTS,
};
