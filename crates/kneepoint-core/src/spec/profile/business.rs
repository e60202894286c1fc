//! Business operations: what the warehouses of a company do.

use serde::{Deserialize, Serialize};

use crate::words::class::ClassName;
use crate::words::units::Percent;

crate::named! {
    /// What a clerk of a warehouse does, each a response class.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize,
    )]
    #[serde(rename_all = "kebab-case")]
    pub enum Transaction {
        /// Takes the order of a customer, and the goods from the stock.
        NewOrder = "new-order",
        /// Takes the payment of a customer.
        Payment = "payment",
        /// Looks up the last order of a customer.
        OrderStatus = "order-status",
        /// Delivers the oldest order of each district.
        Delivery = "delivery",
        /// Counts goods of the last orders that run short.
        StockLevel = "stock-level",
        /// Writes the account of a customer.
        CustomerReport = "customer-report",
    }
}

impl Transaction {
    /// The response class of that name.
    pub fn class(self) -> ClassName {
        ClassName::new(self.name()).unwrap_or(ClassName::READ)
    }
}

/// How often a transaction is done.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransactionShare {
    /// The transaction.
    pub kind: Transaction,
    /// Its share of all of them.
    pub share: Percent,
}

/// Business operations as typed.
#[derive(Debug, Clone, PartialEq)]
pub struct TypedBusiness {
    /// Share of order lines that another warehouse supplies.
    pub remote: Percent,
    /// One to six transactions whose shares add up to 100 %.
    pub transactions: Vec<TransactionShare>,
}

/// Business operations with nothing left open. Each warehouse has a clerk, who does one transaction after
/// the other without a pause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BusinessWork {
    /// The profile's name.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// Share of order lines that another warehouse supplies.
    pub remote: Percent,
    /// The number of warehouses at which throughput is expected to be highest: the score is the mean from
    /// there to twice as many.
    pub peak_warehouses: u32,
    /// One for each response class; their shares add up to 100 %.
    pub transactions: Vec<TransactionShare>,
}

impl BusinessWork {
    /// The response classes, in the order of the transactions.
    pub fn classes(&self) -> Vec<ClassName> {
        self.transactions.iter().map(|part| part.kind.class()).collect()
    }
}
