//! The company: all warehouses of a point, and the transactions on them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use kneepoint_core::spec::profile::Transaction;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed::{self, Rng};

use super::consistency::Balance;
use super::warehouse::{
    CUSTOMERS, Cents, DISTRICTS, ITEMS, Line, Warehouse, below, draw_first_orders, draw_lines,
};

/// Cheapest item.
const PRICE_MIN: Cents = 100;

/// Prices lie between the cheapest and this much more.
const PRICE_RANGE: u64 = 9_900;

/// Payments are up to this.
const PAYMENT_MAX: u64 = 500_000;

/// A look at the stock asks for items with fewer units than 10 to 20.
const STOCK_LEAST: (i64, u64) = (10, 11);

/// What a company sells, and which of its warehouses supply it: all that transactions are drawn from.
#[derive(Debug)]
pub(crate) struct Trade {
    /// Price of each item.
    pub(crate) prices: Vec<Cents>,
    warehouses: u32,
    /// Share of order lines that another warehouse supplies, from 0 to 1, in parts of 2^32.
    remote: u64,
}

/// A transaction as drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drawn {
    /// The order of a customer; its lines are drawn beside it.
    NewOrder(Place),
    /// This much is paid.
    Payment(Place, Cents),
    /// The customer's last order is looked up.
    OrderStatus(Place),
    /// An order of each district is delivered.
    Delivery,
    /// In a district, items with fewer units than this are counted.
    StockLevel(usize, i64),
    /// The customer's account is written.
    CustomerReport(Place),
}

/// A customer of a warehouse: the district, and the number there.
pub(crate) type Place = (usize, u32);

/// Warehouses with their goods.
#[derive(Debug)]
pub struct Company {
    warehouses: Vec<Mutex<Warehouse>>,
    trade: Trade,
}

impl Trade {
    /// The trade of a company with this many warehouses, drawn from `seed`, where this share of the order
    /// lines (0 to 1) is supplied by another warehouse.
    ///
    /// # Errors
    /// When there is no warehouse.
    pub(crate) fn new(warehouses: u32, remote: f64, seed: u64) -> Result<Self, Fault> {
        if warehouses == 0 {
            return Err(Fault::new("a company has at least one warehouse"));
        }
        let mut rng = seed::rng(seed::derive(seed, "prices", 0));
        let price = |_| PRICE_MIN + below(&mut rng, PRICE_RANGE) as Cents;
        let prices: Vec<Cents> = (0..ITEMS).map(price).collect();
        let remote = (remote.clamp(0.0, 1.0) * (1u64 << 32) as f64) as u64;
        Ok(Self { prices, warehouses, remote })
    }

    /// Draws what a transaction at warehouse `home` is about; the lines of an order into `lines`.
    pub(crate) fn draw(
        &self,
        kind: Transaction,
        (home, rng): (u32, &mut Rng),
        lines: &mut Vec<Line>,
    ) -> Drawn {
        let district = below(rng, DISTRICTS as u64) as usize;
        let place = (district, below(rng, CUSTOMERS as u64) as u32);
        match kind {
            Transaction::NewOrder => {
                draw_lines(rng, &self.prices, lines, |rng| self.supplier(home, rng));
                Drawn::NewOrder(place)
            }
            Transaction::Payment => Drawn::Payment(place, 1 + below(rng, PAYMENT_MAX) as Cents),
            Transaction::OrderStatus => Drawn::OrderStatus(place),
            Transaction::Delivery => Drawn::Delivery,
            Transaction::StockLevel => {
                Drawn::StockLevel(district, STOCK_LEAST.0 + below(rng, STOCK_LEAST.1) as i64)
            }
            Transaction::CustomerReport => Drawn::CustomerReport(place),
        }
    }

    /// The first orders of warehouse `number`, which it supplies itself.
    pub(crate) fn first_orders(&self, number: u32, seed: u64, take: impl FnMut(Place, &[Line])) {
        let mut rng = seed::rng(seed::derive(seed, "warehouse", u64::from(number)));
        draw_first_orders(&mut rng, &self.prices, number, take);
    }

    /// The warehouse that supplies a line of an order at `home`.
    fn supplier(&self, home: u32, rng: &mut Rng) -> u32 {
        let others = u64::from(self.warehouses) - 1;
        if others == 0 || below(rng, 1 << 32) >= self.remote {
            return home;
        }
        let other = below(rng, others) as u32;
        if other >= home { other + 1 } else { other }
    }
}

impl Company {
    /// A company with `warehouses` of them, drawn from `seed`, where this share of the order lines (0 to 1)
    /// is supplied by another warehouse.
    ///
    /// # Errors
    /// When there is no warehouse.
    pub fn new(warehouses: u32, remote: f64, seed: u64) -> Result<Self, Fault> {
        let trade = Trade::new(warehouses, remote, seed)?;
        let build = |number: u32| {
            let mut warehouse = Warehouse::new(number);
            trade.first_orders(number, seed, |place, lines| warehouse.new_order(place, lines));
            Mutex::new(warehouse)
        };
        let warehouses = (0..warehouses).map(build).collect();
        Ok(Self { warehouses, trade })
    }

    /// Does a transaction for a customer of warehouse `home`; `lines` is room for those of an order.
    pub(super) fn transact(
        &self,
        kind: Transaction,
        (home, rng): (u32, &mut Rng),
        lines: &mut Vec<Line>,
    ) {
        match self.trade.draw(kind, (home, rng), lines) {
            Drawn::NewOrder(place) => self.new_order(home, place, lines),
            Drawn::Payment(place, amount) => self.at(home).payment(place, amount),
            Drawn::OrderStatus(place) => {
                std::hint::black_box(self.at(home).order_status(place));
            }
            Drawn::Delivery => {
                std::hint::black_box(self.at(home).delivery());
            }
            Drawn::StockLevel(district, least) => {
                std::hint::black_box(self.at(home).stock_level(district, least));
            }
            Drawn::CustomerReport(place) => {
                std::hint::black_box(self.at(home).customer_report(place));
            }
        }
    }

    /// Takes an order, and then its lines from the other warehouses that supply them, one lock at a time:
    /// no thread ever holds two.
    fn new_order(&self, home: u32, place: Place, lines: &[Line]) {
        self.at(home).new_order(place, lines);
        for line in lines.iter().filter(|line| line.supplier != home) {
            self.at(line.supplier).supply(line);
        }
    }

    /// Whether all accounts agree; nothing may be under way.
    pub fn balance(&self) -> Balance {
        let sums = (0..self.warehouses.len() as u32).map(|number| self.at(number).sums());
        Balance::of(&sums.collect::<Vec<_>>())
    }

    /// A warehouse. A thread that panicked in it ends the run elsewhere.
    fn at(&self, number: u32) -> MutexGuard<'_, Warehouse> {
        self.warehouses[number as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::business::warehouse::LINES_MAX;

    /// This many transactions of each kind in turn on warehouse `home`.
    fn work(company: &Company, home: u32, rounds: usize) {
        let mut rng = seed::rng(u64::from(home) + 7);
        let mut lines = Vec::with_capacity(LINES_MAX);
        for _ in 0..rounds {
            for kind in Transaction::ALL {
                company.transact(kind, (home, &mut rng), &mut lines);
            }
        }
    }

    #[test]
    fn accounts_agree_after_transactions_of_many_threads_at_once() {
        let company = Arc::new(Company::new(4, 0.3, 1).unwrap());
        let orders = company.balance().orders;
        let threads: Vec<_> = (0..4)
            .map(|home| {
                let company = Arc::clone(&company);
                std::thread::Builder::new().spawn(move || work(&company, home, 3_000)).unwrap()
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        let balance = company.balance();
        balance.check().unwrap();
        assert_eq!(balance.orders, orders + 4 * 3_000);
    }

    #[test]
    fn other_warehouses_supply_their_share_and_a_single_one_supplies_itself() {
        let lines = |count: u32, remote: f64| {
            let trade = Trade::new(count, remote, 1).unwrap();
            let mut rng = seed::rng(3);
            let suppliers: Vec<u32> = (0..20_000).map(|_| trade.supplier(0, &mut rng)).collect();
            assert!(suppliers.iter().all(|supplier| *supplier < count));
            suppliers.iter().filter(|supplier| **supplier != 0).count() as f64 / 20_000.0
        };
        assert_eq!(lines(1, 0.5), 0.0);
        assert_eq!(lines(3, 0.0), 0.0);
        assert_eq!(lines(3, 1.0), 1.0);
        assert!((0.008..0.012).contains(&lines(3, 0.01)), "{}", lines(3, 0.01));
    }

    #[test]
    fn the_same_seed_does_the_same_and_another_does_not() {
        let sums = |seed: u64| {
            let company = Company::new(2, 0.1, seed).unwrap();
            work(&company, 0, 500);
            (company.at(0).sums(), company.at(1).sums())
        };
        assert_eq!(sums(1), sums(1));
        assert_ne!(sums(1), sums(2));
    }

    #[test]
    fn what_was_done_in_part_is_noticed() {
        let company = Company::new(2, 0.0, 1).unwrap();
        let line = Line { item: 5, supplier: 1, quantity: 3, amount: 300 };
        company.at(0).new_order((0, 0), &[line]);
        let fault = company.balance().check().unwrap_err().to_string();
        assert!(fault.contains("units ordered and units supplied differ"), "{fault}");
        company.at(1).supply(&line);
        company.balance().check().unwrap();
        company.at(1).supply(&Line { quantity: 0, ..line });
        let fault = company.balance().check().unwrap_err().to_string();
        assert!(fault.contains("lines ordered and lines supplied differ"), "{fault}");
    }

    #[test]
    fn a_warehouse_keeps_no_more_however_long_it_works() {
        let company = Company::new(1, 0.0, 1).unwrap();
        let mut rng = seed::rng(1);
        let mut lines = Vec::with_capacity(LINES_MAX);
        // Nothing but orders: they are delivered all the same.
        for _ in 0..20_000 {
            company.transact(Transaction::NewOrder, (0, &mut rng), &mut lines);
        }
        let sums = company.at(0).sums();
        assert!(sums.open <= 2_000, "{} orders wait", sums.open);
        assert_eq!(sums.ordered, 300 + 20_000);
        company.balance().check().unwrap();
        assert!(Company::new(0, 0.0, 1).is_err());
    }
}
