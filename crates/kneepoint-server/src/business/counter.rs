//! Where a clerk does business in memory.

use std::sync::Arc;

use kneepoint_core::spec::profile::Transaction;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed::Rng;

use super::company::Company;
use super::warehouse::{LINES_MAX, Line};
use crate::clerk::Counter;

/// What helps if there are more warehouses than threads can be had.
pub(crate) const FEWER_WAREHOUSES: &str =
    "use fewer --warehouses, or raise the limit of processes (ulimit -u)";

/// The counter of a company in memory.
#[derive(Debug)]
pub(crate) struct CompanyCounter {
    company: Arc<Company>,
    /// Room for the lines of an order.
    lines: Vec<Line>,
}

impl CompanyCounter {
    /// A counter of `company`.
    pub(crate) fn of(company: &Arc<Company>) -> Self {
        Self { company: Arc::clone(company), lines: Vec::with_capacity(LINES_MAX) }
    }
}

impl Counter for CompanyCounter {
    type Kind = Transaction;
    const CLERK: &'static str = "warehouse";
    const FEWER: &'static str = FEWER_WAREHOUSES;

    fn transact(&mut self, kind: Transaction, at: (u32, &mut Rng)) -> Result<u32, Fault> {
        self.company.transact(kind, at, &mut self.lines);
        Ok(0)
    }
}
