//! Business operations in memory: a wholesale company with warehouses, a thread and a lock for each.
//!
//! The schema is the customary one of order processing (warehouses with districts, customers, orders of
//! up to 15 lines, stock); sizes and mix are our own, and numbers say nothing of any published benchmark.
//! Nothing is written to a disk. What a warehouse keeps is bounded, so that memory does not grow with the
//! time measured.

mod clerk;
mod company;
mod consistency;
mod warehouse;

pub use company::Company;
pub use consistency::Balance;

pub(crate) use clerk::Clerk;
