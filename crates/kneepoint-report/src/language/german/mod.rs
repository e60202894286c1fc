//! The texts in German.

mod data;
mod environment;
mod figures;
mod front;
mod method;
mod page;
mod results;
mod trust;
mod words;

use super::catalog::Catalog;

/// Every text in German.
pub(super) static CATALOG: Catalog = Catalog {
    abstract_text: front::ABSTRACT,
    boxes: method::BOXES,
    conclusions: trust::CONCLUSIONS,
    data: data::DATA,
    environment: environment::TEXTS,
    figures: figures::TEXTS,
    front: front::FRONT,
    key_figures: results::KEY_FIGURES,
    method: method::METHOD,
    page: page::TEXTS,
    profile: results::PROFILE,
    reproduction: data::REPRODUCTION,
    series: results::SERIES,
    standing: results::STANDING,
    trust: trust::TRUST,
    words: words::TEXTS,
};
