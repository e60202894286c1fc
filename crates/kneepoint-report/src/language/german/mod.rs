//! The texts in German.

mod comparison;
mod findings;
mod page;

use super::catalog::Catalog;

/// Every text in German.
pub(super) static CATALOG: Catalog =
    Catalog { comparison: comparison::TEXTS, findings: findings::TEXTS, page: page::TEXTS };
