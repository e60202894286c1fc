//! Business operations: what the clerks of a wholesale company do, and the company in memory, where each
//! warehouse has a thread and a lock.
//!
//! The schema is the customary one of order processing (warehouses with districts, customers, orders of
//! up to 15 lines, stock); sizes and mix are our own, and numbers say nothing of any published benchmark.
//! Nothing is written to a disk. What a warehouse keeps is bounded, so that memory does not grow with the
//! time measured.

mod company;
mod consistency;
mod counter;
mod warehouse;

pub use company::Company;
pub use consistency::Balance;

pub(crate) use company::{Drawn, Trade};
pub(crate) use counter::{CompanyCounter, FEWER_WAREHOUSES};
pub(crate) use warehouse::{
    CUSTOMERS, DELIVERED_MAX, DISTRICTS, ITEMS, LINES_MAX, Line, OPEN_MAX, PAYMENTS_MAX, RESTOCK,
    RESTOCK_BELOW, STOCK_AT_FIRST, STOCK_ORDERS, Sums, below,
};
