//! The texts in English.

mod comparison;
mod findings;
mod page;

use super::catalog::Catalog;

/// Every text in English.
pub(super) static CATALOG: Catalog =
    Catalog { comparison: comparison::TEXTS, findings: findings::TEXTS, page: page::TEXTS };
