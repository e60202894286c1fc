//! Kneepoint's own schema in a database: made, filled, checked and dropped.
//!
//! It is known by its comment. One of that name without the mark belongs to someone else and is left alone;
//! ours is dropped by the names of what we put there, so that the server refuses if anything else is in it
//! or depends on it.

use std::collections::BTreeMap;
use std::sync::Arc;

use kneepoint_core::measure::{Observer, Stop};
use kneepoint_core::spec::factor::Combination;
use kneepoint_core::words::fault::Fault;
use tokio_postgres::Error;

use super::client::Client;
use super::counter::DatabaseCounter;
use super::link::{Link, fault};
use super::server_time::{ServerPlace, ServerProcess};
use super::setting::{self, Holder};
use super::system;
use crate::business::{
    Balance, CUSTOMERS, DELIVERED_MAX, DISTRICTS, ITEMS, OPEN_MAX, PAYMENTS_MAX, RESTOCK,
    RESTOCK_BELOW, STOCK_AT_FIRST, STOCK_ORDERS, Sums, Trade,
};

/// What makes the schema.
const SCHEMA: &str = include_str!("schema.sql");

/// The sizes that are filled into it.
const SIZES: [(&str, i64); 8] = [
    ("{stock_at_first}", STOCK_AT_FIRST),
    ("{delivered_max}", DELIVERED_MAX as i64),
    ("{restock_below}", RESTOCK_BELOW),
    ("{restock}", RESTOCK),
    ("{open_max}", OPEN_MAX as i64),
    ("{payments_max}", PAYMENTS_MAX as i64),
    ("{districts}", DISTRICTS as i64),
    ("{stock_orders}", STOCK_ORDERS as i64),
];

/// What the comment of our schema begins with.
const MARK: &str = "made by kneepoint";

/// The lock that a run holds on the database: "kneepoin" in ASCII.
const LOCK: i64 = 0x6b6e_6565_706f_696e;

/// The tables, those that others need last.
const TABLES: [&str; 7] =
    ["order_line", "orders", "stock", "customer", "district", "warehouse", "item"];

/// The table of settings of the server that were set, which is not filled.
const ALTERED: &str = "altered";

/// The functions.
const FUNCTIONS: [&str; 8] = [
    "sums()",
    "customer_report(integer, integer, integer)",
    "stock_level(integer, integer, bigint)",
    "delivery(integer)",
    "order_status(integer, integer, integer)",
    "payment(integer, integer, integer, bigint)",
    "new_order(integer, integer, integer, integer[], integer[], integer[])",
    "deliver(integer, integer)",
];

/// Settings of the server that say what was measured.
const SETTINGS: [&str; 24] = [
    "autovacuum",
    "bgwriter_delay",
    "checkpoint_completion_target",
    "checkpoint_timeout",
    "commit_delay",
    "data_checksums",
    "effective_io_concurrency",
    "fsync",
    "full_page_writes",
    "huge_pages",
    "jit",
    "max_connections",
    "max_wal_size",
    "min_wal_size",
    "server_version",
    "shared_buffers",
    "synchronous_commit",
    "synchronous_standby_names",
    "track_io_timing",
    "wal_buffers",
    "wal_compression",
    "wal_level",
    "wal_sync_method",
    "work_mem",
];

/// The schema of a database, and the connection that keeps it.
pub(super) struct Books {
    link: Link,
    client: Client,
    is_made: bool,
    /// Settings of the whole server that were set, at their levels.
    altered: Combination,
    /// What is to be said of those that were not put back.
    left: Vec<String>,
}

/// A schema of our name, as it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// There is none.
    Nothing,
    /// One that an earlier run has left.
    Ours,
    /// One of someone else.
    Theirs,
}

impl Books {
    /// Connects and looks, but changes nothing.
    ///
    /// # Errors
    /// When there is no server, or it cannot be written.
    pub(super) fn open(link: Link) -> Result<Self, Fault> {
        let client = link.connect()?;
        let (altered, left) = (Combination::new(), Vec::new());
        let mut books = Self { link, client, is_made: false, altered, left };
        books.look()?;
        Ok(books)
    }

    /// Looks whether a schema can be made here.
    fn look(&mut self) -> Result<Found, Fault> {
        let refused = |why: String| {
            Fault::new("business operations cannot be measured in this database").because(why)
        };
        let asked = "SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only')::boolean, \
                     has_database_privilege(current_database(), 'CREATE'), current_user::text";
        let row = self.client.query_one(asked, &[]).map_err(|error| cannot_look(&error))?;
        let [is_standby, is_read_only, may_create]: [bool; 3] =
            [row.get(0), row.get(1), row.get(2)];
        if is_standby || is_read_only {
            return Err(refused("it is a standby, or read-only".to_owned()));
        }
        let found = self.found().map_err(|error| cannot_look(&error))?;
        match found {
            Found::Theirs => Err(refused(
                "it has a schema kneepoint that Kneepoint did not make, or that belongs to another user"
                    .to_owned(),
            )
            .fix("name another database: nothing of that schema is touched")),
            _ if !may_create => {
                let user: String = row.get(3);
                Err(refused(format!("{user} may not make a schema in it"))
                    .fix("GRANT CREATE ON DATABASE to this user"))
            }
            found => Ok(found),
        }
    }

    fn found(&mut self) -> Result<Found, Error> {
        let asked = "SELECT coalesce(obj_description(oid, 'pg_namespace'), ''), \
                     pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'kneepoint'";
        Ok(match self.client.query_opt(asked, &[])? {
            None => Found::Nothing,
            Some(row) => {
                let (comment, is_owner): (String, bool) = (row.get(0), row.get(1));
                if is_owner && comment.starts_with(MARK) { Found::Ours } else { Found::Theirs }
            }
        })
    }

    /// Makes the schema, unless it was made already; one that an earlier run has left goes before.
    ///
    /// # Errors
    /// When another run works in the database, or the server refuses.
    pub(super) fn make(&mut self) -> Result<(), Fault> {
        if self.is_made {
            return Ok(());
        }
        let what = "cannot make the schema kneepoint";
        let failed = |error: Error| fault(what, &error);
        self.lock(what)?;
        // It may have been made since it was looked for.
        if self.look()? == Found::Ours {
            self.drop_schema()?;
        }
        let schema = SIZES
            .iter()
            .fold(SCHEMA.to_owned(), |text, (name, size)| text.replace(name, &size.to_string()));
        let make = format!(
            "BEGIN; {schema} COMMENT ON SCHEMA kneepoint IS '{MARK} for a run of business operations; it \
             is dropped at the end of the run, and may be dropped when none is under way'; COMMIT"
        );
        self.client.batch_execute(&make).map_err(failed)?;
        self.is_made = true;
        Ok(())
    }

    /// Keeps other runs out of the database as long as the connection lasts.
    fn lock(&mut self, what: &str) -> Result<(), Fault> {
        let locked = self.client.query_one("SELECT pg_try_advisory_lock($1)", &[&LOCK]);
        match locked.map_err(|error| fault(what, &error))?.get(0) {
            true => Ok(()),
            false => Err(Fault::new(what)
                .because("another run of Kneepoint works in this database")
                .fix("wait until it has ended, or name another database")),
        }
    }

    /// Fills the tables again with this many warehouses, drawn from `seed`.
    ///
    /// # Errors
    /// When the server refuses, or the observer asks to stop.
    pub(super) fn fill(
        &mut self,
        trade: &Arc<Trade>,
        (warehouses, seed): (u32, u64),
        observer: &dyn Observer,
    ) -> Result<(), Stop> {
        let failed = |error: Error| fault("cannot fill the schema kneepoint", &error);
        let tables = all_tables();
        let rows = format!(
            "TRUNCATE {tables};
             INSERT INTO kneepoint.warehouse SELECT generate_series(0, {warehouses} - 1);
             INSERT INTO kneepoint.district SELECT warehouse, district
                 FROM kneepoint.warehouse, generate_series(0, {DISTRICTS} - 1) AS district;
             INSERT INTO kneepoint.customer SELECT warehouse, district, customer
                 FROM kneepoint.district, generate_series(0, {CUSTOMERS} - 1) AS customer;
             INSERT INTO kneepoint.stock SELECT warehouse, item
                 FROM kneepoint.warehouse, generate_series(0, {ITEMS} - 1) AS item"
        );
        self.client.batch_execute(&rows).map_err(failed)?;
        let items = "INSERT INTO kneepoint.item SELECT number - 1, price \
                     FROM unnest($1::bigint[]) WITH ORDINALITY AS goods (price, number)";
        self.client.execute(items, &[&trade.prices]).map_err(failed)?;
        let mut counter = DatabaseCounter::open(&self.link, trade)?;
        for number in 0..warehouses {
            observer.go_on()?;
            counter.execute("BEGIN").map_err(failed)?;
            counter.take_first_orders(number, seed).map_err(failed)?;
            counter.execute("COMMIT").map_err(failed)?;
        }
        counter.execute(&format!("VACUUM ANALYZE {tables}")).map_err(failed)?;
        Ok(())
    }

    /// Whether the accounts agree; nothing may be under way.
    ///
    /// # Errors
    /// When the server does not tell.
    pub(super) fn balance(&mut self) -> Result<Balance, Fault> {
        let rows = self
            .client
            .query("SELECT * FROM kneepoint.sums()", &[])
            .map_err(|error| fault("cannot look whether the accounts agree", &error))?;
        let sums = rows.iter().map(|row| {
            let sum = |name: &str| row.get::<_, i64>(name);
            let count = |name: &str| u64::try_from(sum(name)).unwrap_or(u64::MAX);
            Sums {
                received: sum("received"),
                received_by_districts: sum("received_by_districts"),
                received_by_customers: sum("received_by_customers"),
                owed: sum("owed"),
                delivered_amount: sum("delivered_amount"),
                deliveries: count("deliveries"),
                ordered: count("ordered"),
                delivered: count("delivered"),
                open: count("open"),
                units_ordered: sum("units_ordered"),
                lines_ordered: count("lines_ordered"),
                units_taken: sum("units_taken"),
                lines_supplied: count("lines_supplied"),
                stock_at_first: sum("stock_at_first"),
            }
        });
        Ok(Balance::of(&sums.collect::<Vec<_>>()))
    }

    /// The settings of the server that say what was measured.
    ///
    /// # Errors
    /// When it does not tell.
    pub(super) fn settings(&mut self) -> Result<BTreeMap<String, String>, Fault> {
        let asked = "SELECT name, current_setting(name) FROM pg_settings WHERE name = ANY($1)";
        let rows = self.client.query(asked, &[&SETTINGS.as_slice()]);
        let rows = rows.map_err(|error| cannot_look(&error))?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    /// Where the server's processes are.
    ///
    /// # Errors
    /// When the server does not tell.
    pub(super) fn server(&mut self) -> Result<ServerPlace, Fault> {
        if !self.link.login.is_local() {
            return Ok(ServerPlace::Elsewhere);
        }
        let row = self.client.query_one("SELECT pg_backend_pid()", &[]);
        let row = row.map_err(|error| cannot_look(&error))?;
        Ok(ServerPlace::Here(ServerProcess::of_backend(row.get(0))))
    }

    /// Lets all sessions from now on begin with these settings, and sets those of the whole server; the schema is
    /// made.
    ///
    /// # Errors
    /// When the server refuses.
    pub(super) fn set(&mut self, settings: &Combination) -> Result<(), Fault> {
        self.link.settings.clear();
        for (name, level) in settings {
            match setting::holder(&mut self.client, name)? {
                Holder::Session => {
                    self.link.settings.insert(name.clone(), level.clone());
                }
                Holder::Server if self.altered.get(name) == Some(level) => {}
                Holder::Server => {
                    system::alter(&mut self.client, name, level)?;
                    self.altered.insert(name.clone(), level.clone());
                }
            }
        }
        Ok(())
    }

    /// What is to be said of settings that were not put back.
    pub(super) fn take_left(&mut self) -> Vec<String> {
        std::mem::take(&mut self.left)
    }

    /// How counters reach the server.
    pub(super) const fn link(&self) -> &Link {
        &self.link
    }

    /// Drops the schema if it was made here.
    ///
    /// # Errors
    /// When it is still there, and why.
    pub(super) fn close(&mut self) -> Result<(), Fault> {
        if !self.is_made {
            return Ok(());
        }
        let dropped = self.drop_again();
        dropped.map_err(|why| {
            let login = &self.link.login;
            let because = why.why().map_or_else(|| why.to_string(), str::to_owned);
            let fault = Fault::new(format!("the schema kneepoint is still in {login}"));
            match self.altered.is_empty() {
                true => fault.because(because),
                false => {
                    let names: Vec<&str> = self.altered.keys().map(String::as_str).collect();
                    fault.because(format!(
                        "{because}; the next run in this database puts back {}",
                        names.join(", ")
                    ))
                }
            }
        })?;
        self.is_made = false;
        Ok(())
    }

    /// Drops the schema, by another connection if this one is lost.
    fn drop_again(&mut self) -> Result<(), Fault> {
        if self.client.is_closed() || self.client.batch_execute("ROLLBACK").is_err() {
            self.client = self.link.connect()?;
            self.lock("cannot drop the schema kneepoint")?;
            if self.look()? != Found::Ours {
                return Ok(());
            }
        }
        self.drop_schema()
    }

    fn drop_schema(&mut self) -> Result<(), Fault> {
        self.left.extend(system::put_back(&mut self.client)?);
        self.altered.clear();
        let functions = FUNCTIONS.map(|name| format!("kneepoint.{name}")).join(", ");
        let tables = all_tables();
        // Without CASCADE: whatever is not ours keeps the schema.
        let drop = format!(
            "BEGIN; SET LOCAL lock_timeout = '10s'; DROP FUNCTION IF EXISTS {functions}; \
             DROP TABLE IF EXISTS {tables}, kneepoint.{ALTERED}; DROP SCHEMA kneepoint; COMMIT"
        );
        let dropped = self.client.batch_execute(&drop);
        dropped.map_err(|error| {
            let fault = fault("cannot drop the schema kneepoint", &error);
            // What failed leaves a transaction open.
            let _ = self.client.batch_execute("ROLLBACK");
            fault
        })
    }
}

fn all_tables() -> String {
    TABLES.map(|name| format!("kneepoint.{name}")).join(", ")
}

fn cannot_look(error: &Error) -> Fault {
    fault("cannot look at the database", error)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands behind `CREATE` and a kind, up to the next sign.
    fn created(kind: &str) -> Vec<String> {
        let start = format!("CREATE {kind} kneepoint.");
        let name = |rest: &str| rest.split([' ', '(']).next().unwrap_or_default().to_owned();
        let mut names: Vec<String> = SCHEMA.split(&start).skip(1).map(name).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn the_comparison_with_pgbench_has_the_same_sizes() {
        let script = include_str!("../../../../examples/pgbench/compare.sh");
        for (name, size) in SIZES {
            assert!(script.contains(&format!("s/{name}/{size}/g")), "{name}");
        }
        for (what, last) in
            [("district", DISTRICTS - 1), ("customer", CUSTOMERS - 1), ("item", ITEMS - 1)]
        {
            let rows = format!("generate_series(0, {last}) AS {what}");
            assert!(script.contains(&rows), "{rows}");
        }
    }

    #[test]
    fn all_that_is_made_is_dropped() {
        let mut tables: Vec<&str> = TABLES.into_iter().chain([ALTERED]).collect();
        tables.sort_unstable();
        assert_eq!(created("TABLE"), tables);
        let mut functions = FUNCTIONS.map(|name| name.split('(').next().unwrap().to_owned());
        functions.sort_unstable();
        assert_eq!(created("FUNCTION"), functions);
        for other in ["TYPE", "VIEW", "SEQUENCE", "PROCEDURE", "TRIGGER"] {
            assert!(!SCHEMA.contains(&format!("CREATE {other}")), "{other}");
        }
    }
}
