//! A counter in a database: a connection on which one clerk does transactions.

use std::sync::Arc;

use kneepoint_core::spec::profile::Transaction;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed::Rng;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Statement};

use super::client::{Client, Parameters};
use super::link::{Link, fault, is_conflict};
use crate::business::{Drawn, FEWER_WAREHOUSES, LINES_MAX, Line, Trade};
use crate::clerk::Counter;

/// A transaction that conflicts with others this often in a row never gets its turn.
const ATTEMPTS_MAX: u32 = 1_000;

/// What transactions are in SQL, in the order of [`Transaction::ALL`].
const CALLS: [&str; Transaction::ALL.len()] = [
    "SELECT kneepoint.new_order($1, $2, $3, $4, $5, $6)",
    "SELECT kneepoint.payment($1, $2, $3, $4)",
    "SELECT kneepoint.order_status($1, $2, $3)",
    "SELECT kneepoint.delivery($1)",
    "SELECT kneepoint.stock_level($1, $2, $3)",
    "SELECT kneepoint.customer_report($1, $2, $3)",
];

/// A connection with its statements prepared.
pub(super) struct DatabaseCounter {
    client: Client,
    calls: Vec<Statement>,
    trade: Arc<Trade>,
    lines: Vec<Line>,
    /// Items, suppliers and quantities of an order.
    columns: [Vec<i32>; 3],
}

impl DatabaseCounter {
    /// A counter on a new connection.
    ///
    /// # Errors
    /// When the server does not let us in, or has no such functions.
    pub(super) fn open(link: &Link, trade: &Arc<Trade>) -> Result<Self, Fault> {
        let mut client = link.connect()?;
        let prepared: Result<Vec<Statement>, Error> =
            CALLS.iter().map(|call| client.prepare(call)).collect();
        let calls = prepared.map_err(|error| fault("cannot prepare the transactions", &error))?;
        let columns = std::array::from_fn(|_| Vec::with_capacity(LINES_MAX));
        let lines = Vec::with_capacity(LINES_MAX);
        Ok(Self { client, calls, trade: Arc::clone(trade), lines, columns })
    }

    /// Does a transaction at warehouse `home`.
    pub(super) fn call(&mut self, home: u32, drawn: Drawn) -> Result<(), Error> {
        let home = home as i32;
        let Self { client, calls, lines, columns, .. } = self;
        let mut call = |kind: Transaction, parameters: Parameters<'_>| {
            client.call(&calls[kind as usize], parameters).map(drop)
        };
        let of = |(district, customer): (usize, u32)| (district as i32, customer as i32);
        match drawn {
            Drawn::NewOrder(place) => {
                let (district, customer) = of(place);
                let [items, suppliers, quantities] = columns;
                let column = |into: &mut Vec<i32>, part: fn(&Line) -> u32| {
                    into.clear();
                    into.extend(lines.iter().map(|line| part(line) as i32));
                };
                column(items, |line| line.item);
                column(suppliers, |line| line.supplier);
                column(quantities, |line| line.quantity);
                let columns: [&(dyn ToSql + Sync); 3] = [items, suppliers, quantities];
                let [items, suppliers, quantities] = columns;
                call(
                    Transaction::NewOrder,
                    &[&home, &district, &customer, items, suppliers, quantities],
                )
            }
            Drawn::Payment(place, amount) => {
                let (district, customer) = of(place);
                call(Transaction::Payment, &[&home, &district, &customer, &amount])
            }
            Drawn::OrderStatus(place) => {
                let (district, customer) = of(place);
                call(Transaction::OrderStatus, &[&home, &district, &customer])
            }
            Drawn::Delivery => call(Transaction::Delivery, &[&home]),
            Drawn::StockLevel(district, least) => {
                call(Transaction::StockLevel, &[&home, &(district as i32), &least])
            }
            Drawn::CustomerReport(place) => {
                let (district, customer) = of(place);
                call(Transaction::CustomerReport, &[&home, &district, &customer])
            }
        }
    }

    /// Takes the first orders of warehouse `number`.
    ///
    /// # Errors
    /// When the server does not take them.
    pub(super) fn take_first_orders(&mut self, number: u32, seed: u64) -> Result<(), Error> {
        let trade = Arc::clone(&self.trade);
        let mut taken = Ok(());
        trade.first_orders(number, seed, |place, lines| {
            if taken.is_ok() {
                self.lines.clear();
                self.lines.extend_from_slice(lines);
                taken = self.call(number, Drawn::NewOrder(place));
            }
        });
        taken
    }

    /// SQL on the same connection.
    pub(super) fn execute(&mut self, sql: &str) -> Result<(), Error> {
        self.client.batch_execute(sql)
    }
}

impl Counter for DatabaseCounter {
    type Kind = Transaction;
    const CLERK: &'static str = "warehouse";
    const FEWER: &'static str = FEWER_WAREHOUSES;

    fn transact(&mut self, kind: Transaction, (home, rng): (u32, &mut Rng)) -> Result<u32, Fault> {
        let drawn = self.trade.draw(kind, (home, rng), &mut self.lines);
        let mut retries = 0;
        loop {
            match self.call(home, drawn) {
                Ok(()) => return Ok(retries),
                Err(error) if is_conflict(&error) && retries < ATTEMPTS_MAX => retries += 1,
                Err(error) => {
                    let what = format!("a transaction ({}) failed", kind.name());
                    return Err(fault(&what, &error));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_transaction_has_its_call() {
        for (kind, call) in Transaction::ALL.into_iter().zip(CALLS) {
            assert!(call.contains(&format!(".{}(", kind.name().replace('-', "_"))), "{call}");
            assert_eq!(CALLS[kind as usize], call);
        }
    }
}
