//! The texts in German.

mod grids;
mod page;

use super::catalog::Catalog;

/// Every text in German.
pub(super) static CATALOG: Catalog = Catalog { grids: grids::TEXTS, page: page::TEXTS };
