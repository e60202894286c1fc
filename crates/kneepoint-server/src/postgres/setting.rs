//! Settings of a server that a run varies.
//!
//! Of a server that is not ours, what a session may set is set in each of ours and goes with it, so that nothing has
//! to be put back; what the server reads again while it runs is set by ALTER SYSTEM and put back ([`super::system`]);
//! what needs a restart is refused. The run's own server is made again with other settings.

use kneepoint_core::plan::Plan;
use kneepoint_core::spec::factor::{Combination, Factor};
use kneepoint_core::words::fault::Fault;

use super::client::Client;
use super::link::{Link, fault};

/// Contexts of settings that a session may set; the second is for those whom the server lets (view pg_settings).
const OF_SESSIONS: [&str; 2] = ["user", "superuser"];

/// The context of those that the server reads again while it runs.
const OF_SERVER: &str = "sighup";

/// What has a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    /// Each session.
    Session,
    /// The whole server.
    Server,
}

/// What has the setting `name` of a server that runs.
///
/// # Errors
/// When it cannot be varied there.
pub(super) fn holder(client: &mut Client, name: &str) -> Result<Holder, Fault> {
    let what = format!("cannot vary {name} of this server");
    let asked = "SELECT context, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) \
                 FROM pg_settings WHERE name = $1";
    let row = client.query_opt(asked, &[&name]).map_err(|error| fault(&what, &error))?;
    let Some(row) = row else { return Err(Fault::new(what).because("it has no such setting")) };
    let (context, is_administrator): (String, bool) = (row.get(0), row.get(1));
    match context.as_str() {
        context if OF_SESSIONS.contains(&context) => Ok(Holder::Session),
        OF_SERVER if is_administrator => Ok(Holder::Server),
        OF_SERVER => Err(Fault::new(what)
            .because("it is one of the whole server, for which ALTER SYSTEM needs a superuser")
            .fix("connect as one, or vary it with postgres:temp")),
        _ => Err(Fault::new(what)
            .because("it is one of the whole server that needs a restart, and Kneepoint did not start it")
            .fix("vary it with postgres:temp, or set it yourself and compare two runs")),
    }
}

/// The factors of a plan that are settings: those that the user's commands do not set.
fn factors(plan: &Plan) -> impl Iterator<Item = &Factor> {
    let all = plan.factors.iter().flat_map(|factors| &factors.factors);
    all.filter(|factor| factor.commands.is_none())
}

/// Those levels of a combination that are settings of the server.
pub(super) fn of_point(plan: &Plan, combination: &Combination) -> Combination {
    let is_setting = |name: &String| factors(plan).any(|factor| factor.name == *name);
    let own = combination.iter().filter(|(name, _)| is_setting(name));
    own.map(|(name, level)| (name.clone(), level.clone())).collect()
}

/// Refuses settings that have no name that a server could have.
///
/// # Errors
/// When there is one.
pub(super) fn check_names(plan: &Plan) -> Result<(), Fault> {
    match factors(plan).find(|factor| !is_name(&factor.name)) {
        None => Ok(()),
        Some(factor) => Err(Fault::new(format!("PostgreSQL has no setting '{}'", factor.name))
            .because("its settings have names of lower-case letters, digits and underlines")
            .fix("name it as in postgresql.conf: synchronous_commit=on,off")),
    }
}

/// Whether a setting could be called `name`.
pub(super) fn is_name(name: &str) -> bool {
    let is_letter = |letter: char| {
        letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_.".contains(letter)
    };
    name.chars().all(is_letter)
}

/// Refuses what cannot be varied on a running server, without changing anything.
///
/// # Errors
/// When there is such a setting or level, or the server cannot be asked.
pub(super) fn check_sessions(plan: &Plan, link: &Link) -> Result<(), Fault> {
    if factors(plan).next().is_none() {
        return Ok(());
    }
    let mut client = link.connect()?;
    factors(plan).try_for_each(|factor| check_factor(&mut client, factor))
}

fn check_factor(client: &mut Client, factor: &Factor) -> Result<(), Fault> {
    let name = &factor.name;
    let what = format!("cannot vary {name} of this server");
    if holder(client, name)? == Holder::Server {
        // Only ALTER SYSTEM itself tells whether it takes a level.
        return Ok(());
    }
    for level in &factor.levels {
        let tried = format!("BEGIN; {}; ROLLBACK", set(name, level, "SET LOCAL"));
        client.batch_execute(&tried).map_err(|error| fault(&what, &error))?;
    }
    Ok(())
}

/// The statement that sets `name`, which has passed [`check_names`].
pub(super) fn set(name: &str, level: &str, command: &str) -> String {
    format!("{command} {name} TO '{}'", level.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_one_literal() {
        assert_eq!(set("work_mem", "4MB", "SET"), "SET work_mem TO '4MB'");
        assert_eq!(set("a", "x'; DROP TABLE t; --", "SET"), "SET a TO 'x''; DROP TABLE t; --'");
    }
}
