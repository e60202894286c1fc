//! The texts in German.

mod page;

use super::catalog::Catalog;

/// Every text in German.
pub(super) static CATALOG: Catalog = Catalog { page: page::TEXTS };
