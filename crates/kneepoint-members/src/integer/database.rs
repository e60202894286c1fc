//! A database kernel: SQLite in memory, with writes, look-ups, joins and aggregates.

use rusqlite::{Connection, Result, params};

use crate::member::{Class, Member, Scale};
use crate::output::Output;
use crate::random::Random;

pub(crate) const MEMBER: Member = Member {
    name: "database",
    class: Class::Integer,
    title: "Database kernel",
    work: "fills tables of SQLite in memory, with indexes, and changes, looks up, joins, sums and sorts \
           their rows",
    unit: "a database of 20,000 orders through all statements",
    run,
};

const SCHEMA: &str = "
    PRAGMA temp_store = MEMORY;
    CREATE TABLE customer (id INTEGER PRIMARY KEY, region INTEGER NOT NULL, name TEXT NOT NULL);
    CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, day INTEGER NOT NULL,
                           cents INTEGER NOT NULL, note TEXT NOT NULL);
    CREATE INDEX purchase_customer ON purchase (customer, day);
    CREATE INDEX purchase_day ON purchase (day);
";

/// Questions to all rows: name and statement.
const QUERIES: [(&str, &str); 5] = [
    (
        "regions",
        "SELECT region, count(*), sum(cents) FROM purchase JOIN customer ON customer.id = customer
         GROUP BY region ORDER BY region",
    ),
    (
        "days",
        "SELECT day, sum(cents), max(cents) FROM purchase GROUP BY day ORDER BY 2 DESC LIMIT 20",
    ),
    (
        "best",
        "SELECT id, sum, rank FROM (SELECT customer AS id, sum(cents) AS sum,
           row_number() OVER (ORDER BY sum(cents) DESC, customer) AS rank
           FROM purchase GROUP BY customer) WHERE rank <= 30",
    ),
    (
        "notes",
        "SELECT substr(note, 1, 2) AS start, count(*), sum(length(note)) FROM purchase
         WHERE note LIKE '%7%' GROUP BY start ORDER BY start LIMIT 40",
    ),
    (
        "absent",
        "SELECT count(*), min(id), max(id) FROM customer
         WHERE NOT EXISTS (SELECT 1 FROM purchase WHERE customer = customer.id AND day < 30)",
    ),
];

/// What a database is filled with.
#[derive(Debug, Clone, Copy)]
struct Size {
    customers: u64,
    purchases: u64,
    transactions: u64,
}

fn run(scale: Scale) -> Output {
    let full = Size { customers: 2000, purchases: 20_000, transactions: 1000 };
    let test = Size { customers: 20, purchases: 80, transactions: 8 };
    let mut output = Output::default();
    let mut random = Random::new(0x5eed_0004);
    for _ in 0..scale.choose(420, 15, 1) {
        if let Err(error) = database(scale.choose(full, full, test), &mut random, &mut output) {
            output.text("error", &error.to_string());
        }
    }
    output
}

/// Goes through the life of a database.
fn database(size: Size, random: &mut Random, output: &mut Output) -> Result<()> {
    let mut connection = Connection::open_in_memory()?;
    connection.execute_batch(SCHEMA)?;
    fill(&mut connection, size, random)?;
    output.count("looked up", transactions(&mut connection, size, random)?);
    for (name, statement) in QUERIES {
        output.content(name, rows(&connection, statement)?.as_bytes());
    }
    let whole: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    output.text("integrity", &whole);
    Ok(())
}

fn fill(connection: &mut Connection, size: Size, random: &mut Random) -> Result<()> {
    let transaction = connection.transaction()?;
    {
        let mut customer = transaction.prepare("INSERT INTO customer VALUES (?1, ?2, ?3)")?;
        for id in 0..size.customers {
            let name = format!("customer {:08x}", random.bits() >> 32);
            customer.execute(params![id as i64, random.below(12) as i64, name])?;
        }
        let mut purchase =
            transaction.prepare("INSERT INTO purchase VALUES (?1, ?2, ?3, ?4, ?5)")?;
        for id in 0..size.purchases {
            let customer = random.below(size.customers) as i64;
            let [day, cents] = [365, 100_000].map(|limit| random.below(limit) as i64);
            let note = format!("{:x}", random.bits());
            purchase.execute(params![id as i64, customer, day, cents, note])?;
        }
    }
    transaction.commit()
}

/// Short transactions, of which each changes or looks up a few rows; the sum of what was looked up.
fn transactions(connection: &mut Connection, size: Size, random: &mut Random) -> Result<i64> {
    let mut sum = 0;
    for _ in 0..size.transactions {
        let customer = random.below(size.customers) as i64;
        let id = random.below(size.purchases) as i64;
        let transaction = connection.transaction()?;
        sum += transaction
            .prepare_cached(
                "SELECT ifnull(sum(cents), 0) FROM purchase WHERE customer = ?1 AND day < 180",
            )?
            .query_row([customer], |row| row.get::<_, i64>(0))?;
        transaction
            .prepare_cached(
                "UPDATE purchase SET cents = cents + 1, day = (day + 7) % 365 WHERE id = ?1",
            )?
            .execute([id])?;
        transaction
            .prepare_cached("DELETE FROM purchase WHERE customer = ?1 AND day = ?2")?
            .execute([customer, id % 365])?;
        // What is taken back leaves no trace.
        if id % 8 == 0 { transaction.rollback()? } else { transaction.commit()? }
    }
    Ok(sum)
}

/// The rows of a question, three numbers or texts each.
fn rows(connection: &Connection, statement: &str) -> Result<String> {
    let mut statement = connection.prepare(statement)?;
    let mut rows = statement.query([])?;
    let mut text = String::new();
    while let Some(row) = rows.next()? {
        for column in 0..3 {
            text.push_str(&match row.get_ref(column)?.as_i64() {
                Ok(number) => number.to_string(),
                Err(_) => row.get::<_, Option<String>>(column)?.unwrap_or_default(),
            });
            text.push(' ');
        }
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums by day, counted here instead of by SQLite.
    #[test]
    fn sums_are_those_of_the_rows() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(SCHEMA).unwrap();
        let size = Size { customers: 10, purchases: 60, transactions: 0 };
        fill(&mut connection, size, &mut Random::new(5)).unwrap();
        let mut statement = connection.prepare("SELECT day, cents FROM purchase").unwrap();
        let all = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)));
        let mut days = std::collections::BTreeMap::<i64, (i64, i64)>::new();
        for (day, cents) in all.unwrap().map(Result::unwrap) {
            let entry = days.entry(day).or_default();
            *entry = (entry.0 + cents, entry.1.max(cents));
        }
        let mut days: Vec<_> = days.into_iter().map(|(day, (sum, max))| (sum, day, max)).collect();
        days.sort_unstable_by_key(|(sum, _, _)| -sum);
        let expected: String =
            days[..20].iter().map(|(sum, day, max)| format!("{day} {sum} {max} \n")).collect();
        assert_eq!(rows(&connection, QUERIES[1].1).unwrap(), expected);
    }

    #[test]
    fn databases_are_whole() {
        let output = run(Scale::Test);
        let text = String::from_utf8(output.as_bytes().to_vec()).unwrap();
        assert!(text.contains("integrity ok\n"), "{text}");
        assert!(!text.contains("error"), "{text}");
    }
}
