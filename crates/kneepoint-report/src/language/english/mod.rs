//! The texts in English.

mod grids;
mod page;

use super::catalog::Catalog;

/// Every text in English.
pub(super) static CATALOG: Catalog = Catalog { grids: grids::TEXTS, page: page::TEXTS };
