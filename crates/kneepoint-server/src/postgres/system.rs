//! Settings of a whole running server that a run varies: set by ALTER SYSTEM, and put back.
//!
//! Before a setting is changed, Kneepoint's own schema has on stable storage what ALTER SYSTEM had of it, and what
//! the run is about to set; so the next run in that database can put back what a run has left that was killed. A
//! value that someone else has set since is theirs: it is left, and that is said.

use std::thread;
use std::time::{Duration, Instant};

use kneepoint_core::words::fault::Fault;
use tokio_postgres::Error;

use super::client::{Client, Parameters};
use super::link::fault;
use super::setting;

/// A server reads its settings again within this time.
const RELOAD: Duration = Duration::from_secs(10);

/// How often it is looked whether it has.
const LOOK: Duration = Duration::from_millis(20);

/// Notes a former value, which stays as it is, and one more of ours.
const NOTE: &str =
    "INSERT INTO kneepoint.altered (name, former, ours) VALUES ($1, $2, ARRAY[$3::text])
    ON CONFLICT (name) DO UPDATE SET ours = altered.ours || excluded.ours";

/// The notes, if they are there and were made by the user of this session: another one could have us set anything.
const OWN_NOTES: &str =
    "SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = 'kneepoint' AND c.relname = 'altered' AND c.relkind = 'r'
    AND pg_get_userbyid(c.relowner) = current_user AND pg_get_userbyid(n.nspowner) = current_user";

/// What ALTER SYSTEM has of a setting.
const IN_FILE: &str = "SELECT setting FROM pg_file_settings
    WHERE name = $1 AND sourcefile LIKE '%/postgresql.auto.conf' ORDER BY seqno DESC LIMIT 1";

/// Whether a setting has the value that ALTER SYSTEM gave it.
const IN_FORCE: &str =
    "SELECT coalesce(sourcefile, '') LIKE '%/postgresql.auto.conf' AND NOT pending_restart
    FROM pg_settings WHERE name = $1";

/// Sets `name`, which the server reads again while it runs, to `level`.
///
/// # Errors
/// When the server refuses, or someone else has set it.
pub(super) fn alter(client: &mut Client, name: &str, level: &str) -> Result<(), Fault> {
    let what = format!("cannot set {name} of the server to {level}");
    let failed = |error: Error| fault(&what, &error);
    let found = in_file(client, name).map_err(failed)?;
    let noted =
        client.query_opt("SELECT former, ours FROM kneepoint.altered WHERE name = $1", &[&name]);
    if let Some(noted) = noted.map_err(failed)? {
        let (former, ours): (Option<String>, Vec<String>) = (noted.get(0), noted.get(1));
        if of(found.as_deref(), former.as_deref(), &ours) == Whose::Theirs {
            return Err(Fault::new(&what).because("someone else has set it since the run began"));
        }
    }
    note(client, &[&name, &found, &level]).map_err(failed)?;
    client.batch_execute(&setting::set(name, level, "ALTER SYSTEM SET")).map_err(failed)?;
    reload(client).map_err(failed)?;
    let row = client.query_one(IN_FORCE, &[&name]).map_err(failed)?;
    match row.get(0) {
        true => Ok(()),
        false => Err(Fault::new(what).because(
            "the server has another value from its command line, or needs a restart for it",
        )),
    }
}

/// Notes a former value and one of ours on stable storage.
fn note(client: &mut Client, noted: Parameters<'_>) -> Result<(), Error> {
    client.batch_execute("BEGIN; SET LOCAL synchronous_commit TO on")?;
    let done = client.execute(NOTE, noted).and_then(|_| client.batch_execute("COMMIT"));
    if done.is_err() {
        let _ = client.batch_execute("ROLLBACK");
    }
    done
}

/// Puts back what a run has set, if there is a note of it; gives what was left because someone else has set it.
///
/// # Errors
/// When the server refuses.
pub(super) fn put_back(client: &mut Client) -> Result<Vec<String>, Fault> {
    let failed = |error: Error| fault("cannot put back the settings of the server", &error);
    if client.query_opt(OWN_NOTES, &[]).map_err(failed)?.is_none() {
        return Ok(Vec::new());
    }
    let rows = client.query("SELECT name, former, ours FROM kneepoint.altered ORDER BY name", &[]);
    let mut left = Vec::new();
    for row in rows.map_err(failed)? {
        let (name, former, ours): (String, Option<String>, Vec<String>) =
            (row.get(0), row.get(1), row.get(2));
        if !setting::is_name(&name) {
            continue;
        }
        let found = in_file(client, &name).map_err(failed)?;
        match of(found.as_deref(), former.as_deref(), &ours) {
            Whose::Former => {}
            Whose::Theirs => left.push(format!(
                "{name} of the server is left as it is: someone else has set it since ({})",
                found.as_deref().unwrap_or("its default")
            )),
            Whose::Ours => {
                let back = match &former {
                    Some(value) => setting::set(&name, value, "ALTER SYSTEM SET"),
                    None => format!("ALTER SYSTEM RESET {name}"),
                };
                client.batch_execute(&back).map_err(failed)?;
                reload(client).map_err(failed)?;
            }
        }
        client
            .execute("DELETE FROM kneepoint.altered WHERE name = $1", &[&name])
            .map_err(failed)?;
    }
    Ok(left)
}

/// Whose value it is that the server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// The one before.
    Former,
    /// One that the run has set.
    Ours,
    /// Another one.
    Theirs,
}

/// Whose the value `found` is.
fn of(found: Option<&str>, former: Option<&str>, ours: &[String]) -> Whose {
    match found {
        found if found == former => Whose::Former,
        Some(value) if ours.iter().any(|own| own == value) => Whose::Ours,
        _ => Whose::Theirs,
    }
}

fn in_file(client: &mut Client, name: &str) -> Result<Option<String>, Error> {
    Ok(client.query_opt(IN_FILE, &[&name])?.and_then(|row| row.get(0)))
}

/// Lets the server read its settings again, and waits until it has.
fn reload(client: &mut Client) -> Result<(), Error> {
    let loaded = |client: &mut Client| -> Result<String, Error> {
        Ok(client.query_one("SELECT pg_conf_load_time()::text", &[])?.get(0))
    };
    let before = loaded(client)?;
    client.query_one("SELECT pg_reload_conf()", &[])?;
    let begun = Instant::now();
    while loaded(client)? == before && begun.elapsed() < RELOAD {
        thread::sleep(LOOK);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_the_former_one_ours_or_of_someone_else() {
        let ours = ["1min".to_owned(), "2min".to_owned()];
        let check = |found, former, expected| assert_eq!(of(found, former, &ours), expected);
        check(None, None, Whose::Former);
        check(Some("5min"), Some("5min"), Whose::Former);
        check(Some("1min"), None, Whose::Ours);
        check(Some("2min"), Some("5min"), Whose::Ours);
        check(Some("3min"), None, Whose::Theirs);
        check(None, Some("5min"), Whose::Theirs);
        // A level can be what was there before.
        check(Some("1min"), Some("1min"), Whose::Former);
    }
}
