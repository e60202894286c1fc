//! Whether the accounts of a company agree: what a transaction did in part, or twice, shows here.

use kneepoint_core::words::fault::Fault;

use super::warehouse::Sums;

/// The conditions that must hold while nothing is under way, each with both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    conditions: Vec<Condition>,
    /// Orders since the company began, its first ones among them.
    pub orders: u64,
}

/// Two sums that must be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Condition {
    what: &'static str,
    one: i128,
    other: i128,
}

impl Balance {
    /// The conditions over the sums of all warehouses.
    pub(crate) fn of(warehouses: &[Sums]) -> Self {
        let mut conditions = Vec::new();
        let mut check = |what, one: i128, other: i128| {
            conditions.push(Condition { what, one, other });
        };
        for sums in warehouses {
            let received = i128::from(sums.received);
            let by_districts = i128::from(sums.received_by_districts);
            check("payments of a warehouse and of its districts", received, by_districts);
            let by_customers = i128::from(sums.received_by_customers);
            check("payments of a warehouse and of its customers", received, by_customers);
            let owed = i128::from(sums.delivered_amount) - received;
            check(
                "debts of customers and what they got less what they paid",
                sums.owed.into(),
                owed,
            );
            let known = sums.delivered + sums.open;
            check("orders and those that are delivered or wait", sums.ordered.into(), known.into());
            let by_accounts = sums.deliveries.into();
            check("deliveries and those of the accounts", sums.delivered.into(), by_accounts);
            let at_first = Sums::STOCK_AT_FIRST.into();
            check(
                "stock, brought back to the start, and that",
                sums.stock_at_first.into(),
                at_first,
            );
        }
        let all = |part: fn(&Sums) -> i128| warehouses.iter().map(part).sum();
        let taken: i128 = all(|sums| sums.units_taken.into());
        check("units ordered and units supplied", all(|sums| sums.units_ordered.into()), taken);
        let supplied: i128 = all(|sums| sums.lines_supplied.into());
        check("lines ordered and lines supplied", all(|sums| sums.lines_ordered.into()), supplied);
        Self { conditions, orders: warehouses.iter().map(|sums| sums.ordered).sum() }
    }

    /// That all conditions hold.
    ///
    /// # Errors
    /// With the first that does not, and both of its sides.
    pub fn check(&self) -> Result<(), Fault> {
        match self.conditions.iter().find(|condition| condition.one != condition.other) {
            None => Ok(()),
            Some(Condition { what, one, other }) => {
                Err(broken(format!("{what} differ: {one} and {other}")))
            }
        }
    }

    /// That all conditions hold, and that this many orders were taken from the start.
    ///
    /// # Errors
    /// With what does not.
    pub(crate) fn check_with(&self, orders: u64) -> Result<(), Fault> {
        self.check()?;
        if self.orders == orders {
            return Ok(());
        }
        let because = format!("{orders} orders were taken, and {} are in the books", self.orders);
        Err(broken(because))
    }
}

/// That accounts do not agree.
fn broken(because: String) -> Fault {
    Fault::new("the business operations did not keep their accounts")
        .because(because)
        .fix("this is an error of Kneepoint, of the machine's memory or of the database: report it")
}
