//! A warehouse: what one thread works on under one lock.

use std::collections::VecDeque;
use std::fmt::Write as _;

use kneepoint_core::words::seed::Rng;
use rand_core::Rng as _;

/// Districts of a warehouse.
pub(crate) const DISTRICTS: usize = 10;

/// Customers of a district.
pub(crate) const CUSTOMERS: usize = 300;

/// Different goods of the company, all of them in stock in every warehouse.
pub(crate) const ITEMS: usize = 2_000;

/// Most lines of an order; the fewest are [`LINES_MIN`].
pub(crate) const LINES_MAX: usize = 15;

/// Fewest lines of an order.
pub(super) const LINES_MIN: usize = 5;

/// Most orders of a district that wait to be delivered: with one more, the oldest is delivered at once.
pub(crate) const OPEN_MAX: usize = 200;

/// Delivered orders that a district keeps.
pub(crate) const DELIVERED_MAX: usize = 100;

/// Orders of a district at the start, all of them waiting.
const OPEN_AT_FIRST: usize = 30;

/// Payments that a customer's account keeps.
pub(crate) const PAYMENTS_MAX: usize = 8;

/// Orders that a look at the stock goes through.
pub(crate) const STOCK_ORDERS: usize = 20;

/// Units of an item at the start.
pub(crate) const STOCK_AT_FIRST: i64 = 100;

/// An item is ordered from its maker if fewer units than this would be left.
pub(crate) const RESTOCK_BELOW: i64 = 10;

/// Units that come then.
pub(crate) const RESTOCK: i64 = 91;

/// Money in cents.
pub(crate) type Cents = i64;

/// A line of an order that is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    /// Number of the item.
    pub(crate) item: u32,
    /// The warehouse that supplies it.
    pub(crate) supplier: u32,
    /// Units.
    pub(crate) quantity: u32,
    /// Price of them all.
    pub(crate) amount: Cents,
}

/// An order.
#[derive(Debug, Clone)]
struct Order {
    customer: u32,
    lines: Box<[Line]>,
}

impl Order {
    fn amount(&self) -> Cents {
        self.lines.iter().map(|line| line.amount).sum()
    }
}

/// A customer's account.
#[derive(Debug, Clone, Default)]
struct Customer {
    /// What was delivered less what was paid.
    owes: Cents,
    paid: Cents,
    deliveries: u64,
    payments: VecDeque<Cents>,
}

/// Stock of an item.
#[derive(Debug, Clone, Copy)]
struct Stock {
    units: i64,
    /// Units that were taken, from the start.
    taken: i64,
    /// Units that came from the maker, from the start.
    restocked: i64,
    /// Order lines that were supplied.
    lines: u64,
}

/// A district with its customers and orders.
#[derive(Debug)]
struct District {
    customers: Vec<Customer>,
    received: Cents,
    /// Orders from the start.
    ordered: u64,
    delivered: u64,
    /// What orders that were delivered cost.
    delivered_amount: Cents,
    /// Units of all orders from the start.
    units: i64,
    /// Lines of all orders from the start.
    lines: u64,
    /// Orders that wait to be delivered, the oldest first.
    open: VecDeque<Order>,
    /// The last ones that were.
    done: VecDeque<Order>,
}

/// A warehouse.
#[derive(Debug)]
pub(super) struct Warehouse {
    number: u32,
    received: Cents,
    districts: Vec<District>,
    stock: Vec<Stock>,
    /// What the last report said: the text stays allocated.
    report: String,
}

/// Sums of a warehouse, from which it is told whether its accounts agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sums {
    /// Payments by the warehouse's own account.
    pub(crate) received: Cents,
    /// The same by its districts'.
    pub(crate) received_by_districts: Cents,
    /// The same by its customers'.
    pub(crate) received_by_customers: Cents,
    /// Debts of customers.
    pub(crate) owed: Cents,
    /// What was delivered cost.
    pub(crate) delivered_amount: Cents,
    /// Deliveries by the customers' accounts.
    pub(crate) deliveries: u64,
    /// Orders from the start.
    pub(crate) ordered: u64,
    /// Those that were delivered.
    pub(crate) delivered: u64,
    /// Those that wait.
    pub(crate) open: u64,
    /// Units of all orders from the start.
    pub(crate) units_ordered: i64,
    /// Lines of all orders from the start.
    pub(crate) lines_ordered: u64,
    /// Units that its stock has supplied.
    pub(crate) units_taken: i64,
    /// Lines that its stock has supplied.
    pub(crate) lines_supplied: u64,
    /// Units in stock, less those that came from makers, plus those that were supplied.
    pub(crate) stock_at_first: i64,
}

impl Sums {
    /// Units in stock of a warehouse at the start.
    pub(super) const STOCK_AT_FIRST: i64 = STOCK_AT_FIRST * ITEMS as i64;
}

impl Warehouse {
    /// A warehouse without orders.
    pub(super) fn new(number: u32) -> Self {
        let stock = Stock { units: STOCK_AT_FIRST, taken: 0, restocked: 0, lines: 0 };
        let district = || District {
            customers: vec![Customer::default(); CUSTOMERS],
            received: 0,
            ordered: 0,
            delivered: 0,
            delivered_amount: 0,
            units: 0,
            lines: 0,
            open: VecDeque::with_capacity(OPEN_MAX + 1),
            done: VecDeque::with_capacity(DELIVERED_MAX + 1),
        };
        Self {
            number,
            received: 0,
            districts: (0..DISTRICTS).map(|_| district()).collect(),
            stock: vec![stock; ITEMS],
            report: String::new(),
        }
    }

    /// Takes the order of a customer, and what it needs of the stock here.
    pub(super) fn new_order(&mut self, (district, customer): (usize, u32), lines: &[Line]) {
        let number = self.number;
        for line in lines.iter().filter(|line| line.supplier == number) {
            self.supply(line);
        }
        let district = &mut self.districts[district];
        district.ordered += 1;
        district.lines += lines.len() as u64;
        district.units += lines.iter().map(|line| i64::from(line.quantity)).sum::<i64>();
        district.open.push_back(Order { customer, lines: lines.into() });
        if district.open.len() > OPEN_MAX {
            district.deliver();
        }
    }

    /// Supplies a line of an order, of whichever warehouse.
    pub(super) fn supply(&mut self, line: &Line) {
        let stock = &mut self.stock[line.item as usize];
        let quantity = i64::from(line.quantity);
        stock.units -= quantity;
        stock.taken += quantity;
        stock.lines += 1;
        if stock.units < RESTOCK_BELOW {
            stock.units += RESTOCK;
            stock.restocked += RESTOCK;
        }
    }

    /// A customer pays.
    pub(super) fn payment(&mut self, (district, customer): (usize, u32), amount: Cents) {
        self.received += amount;
        let district = &mut self.districts[district];
        district.received += amount;
        let customer = &mut district.customers[customer as usize];
        customer.owes -= amount;
        customer.paid += amount;
        if customer.payments.len() == PAYMENTS_MAX {
            customer.payments.pop_front();
        }
        customer.payments.push_back(amount);
    }

    /// What a customer's last order comes to; `None` if none is kept.
    pub(super) fn order_status(&self, (district, customer): (usize, u32)) -> Option<Cents> {
        let district = &self.districts[district];
        let mut orders = district.open.iter().rev().chain(district.done.iter().rev());
        orders.find(|order| order.customer == customer).map(Order::amount)
    }

    /// Delivers the oldest order of each district that has one; gives how many.
    pub(super) fn delivery(&mut self) -> usize {
        self.districts.iter_mut().map(District::deliver).filter(|is_done| *is_done).count()
    }

    /// How many different items of a district's last orders have fewer units here than `least`.
    pub(super) fn stock_level(&self, district: usize, least: i64) -> usize {
        let district = &self.districts[district];
        let orders = district.open.iter().rev().chain(district.done.iter().rev());
        let lines = orders.take(STOCK_ORDERS).flat_map(|order| order.lines.iter());
        let mut items: Vec<u32> = lines.map(|line| line.item).collect();
        items.sort_unstable();
        items.dedup();
        items.iter().filter(|item| self.stock[**item as usize].units < least).count()
    }

    /// Writes the account of a customer as text; gives its length in bytes.
    pub(super) fn customer_report(&mut self, (number, customer): (usize, u32)) -> usize {
        let mut text = std::mem::take(&mut self.report);
        text.clear();
        let district = &self.districts[number];
        let account = &district.customers[customer as usize];
        // Writing to a text cannot fail.
        let _ = write!(
            text,
            "<account warehouse=\"{}\" district=\"{number}\" customer=\"{customer}\" owes=\"{}\" \
             paid=\"{}\" deliveries=\"{}\">",
            self.number, account.owes, account.paid, account.deliveries
        );
        for payment in &account.payments {
            let _ = write!(text, "<payment amount=\"{payment}\"/>");
        }
        let orders = district.open.iter().chain(&district.done);
        for order in orders.filter(|order| order.customer == customer) {
            let _ = write!(text, "<order amount=\"{}\">", order.amount());
            for Line { item, supplier, quantity, amount } in &order.lines {
                let _ = write!(
                    text,
                    "<line item=\"{item}\" supplier=\"{supplier}\" quantity=\"{quantity}\" \
                     amount=\"{amount}\"/>"
                );
            }
            text.push_str("</order>");
        }
        text.push_str("</account>");
        self.report = text;
        self.report.len()
    }

    /// The sums of its accounts.
    pub(super) fn sums(&self) -> Sums {
        let mut sums = Sums { received: self.received, ..Sums::default() };
        for district in &self.districts {
            sums.received_by_districts += district.received;
            sums.delivered_amount += district.delivered_amount;
            sums.ordered += district.ordered;
            sums.delivered += district.delivered;
            sums.open += district.open.len() as u64;
            sums.units_ordered += district.units;
            sums.lines_ordered += district.lines;
            for customer in &district.customers {
                sums.received_by_customers += customer.paid;
                sums.owed += customer.owes;
                sums.deliveries += customer.deliveries;
            }
        }
        for stock in &self.stock {
            sums.units_taken += stock.taken;
            sums.lines_supplied += stock.lines;
            sums.stock_at_first += stock.units - stock.restocked + stock.taken;
        }
        sums
    }
}

impl District {
    /// Delivers the oldest order, and forgets the oldest that was delivered once enough are kept; whether
    /// there was one.
    fn deliver(&mut self) -> bool {
        let Some(order) = self.open.pop_front() else { return false };
        let amount = order.amount();
        let customer = &mut self.customers[order.customer as usize];
        customer.owes += amount;
        customer.deliveries += 1;
        self.delivered += 1;
        self.delivered_amount += amount;
        self.done.push_back(order);
        if self.done.len() > DELIVERED_MAX {
            self.done.pop_front();
        }
        true
    }
}

/// Draws the orders with which warehouse `number` begins, and which it supplies itself.
pub(super) fn draw_first_orders(
    rng: &mut Rng,
    prices: &[Cents],
    number: u32,
    mut take: impl FnMut((usize, u32), &[Line]),
) {
    let mut lines = Vec::with_capacity(LINES_MAX);
    for place in 0..DISTRICTS * OPEN_AT_FIRST {
        draw_lines(rng, prices, &mut lines, |_| number);
        let customer = below(rng, CUSTOMERS as u64) as u32;
        take((place % DISTRICTS, customer), &lines);
    }
}

/// Draws the lines of an order into `lines`; `supplier` says which warehouse supplies each.
pub(super) fn draw_lines(
    rng: &mut Rng,
    prices: &[Cents],
    lines: &mut Vec<Line>,
    mut supplier: impl FnMut(&mut Rng) -> u32,
) {
    lines.clear();
    let count = LINES_MIN as u64 + below(rng, (LINES_MAX - LINES_MIN + 1) as u64);
    for _ in 0..count {
        let item = below(rng, prices.len() as u64) as u32;
        let quantity = 1 + below(rng, 10) as u32;
        let amount = prices[item as usize] * Cents::from(quantity);
        lines.push(Line { item, supplier: supplier(rng), quantity, amount });
    }
}

/// A number below `end`, each as likely as any other to one part in 2^32 or better.
pub(crate) fn below(rng: &mut Rng, end: u64) -> u64 {
    // Multiply and shift: the bias is end / 2^64.
    ((u128::from(rng.next_u64()) * u128::from(end)) >> 64) as u64
}
