//! The texts in English.

mod page;

use super::catalog::Catalog;

/// Every text in English.
pub(super) static CATALOG: Catalog = Catalog { page: page::TEXTS };
