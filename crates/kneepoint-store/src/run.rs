//! Runs as the store takes them, lists them, and keeps them as rows of the table `runs`. Times are
//! text, checked and put in order; nothing here knows what time it is.

use kneepoint_core::result::{
    Environment, RunHeader, RunState, Warning, upgrade_environment, upgrade_warnings,
};
use kneepoint_core::words::fault::Fault;
use rusqlite::{Connection, OptionalExtension, named_params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::StoreError;
use crate::record::{Record, RunNumber, record};

/// A run that begins.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRun {
    /// Its header in results, under a unique id ([`crate::Store::free_id`]). Its state and its end
    /// come with [`Ending`].
    pub header: RunHeader,
    /// The plan as resolved.
    pub plan: serde_json::Value,
    /// The machine and the targets, as far as they are known yet.
    pub environment: Environment,
    /// The process that measures.
    pub owner: Owner,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// Its final state.
    pub state: RunState,
    /// RFC 3339, UTC.
    pub finished_at: String,
    /// Warnings about the whole run; added to the warnings before.
    pub warnings: Vec<Warning>,
}

/// A process that measures: enough to tell later whether it still lives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Owner {
    /// Name of the host.
    pub host: String,
    /// The kernel's id of the host's boot.
    pub boot_id: String,
    /// Process id.
    pub pid: u32,
    /// When the process started, in clock ticks since boot (field 22 of `/proc/PID/stat`), because
    /// process ids are used again.
    pub started_ticks: u64,
    /// Inode of the namespace that the process id belongs to (`/proc/self/ns/pid`); nothing if it
    /// is not known, as in stores of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid_namespace: Option<u64>,
}

/// The fate of the process that measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunFate {
    /// It is still at work.
    Alive,
    /// It has ended without saying so: the run was interrupted.
    Gone,
    /// It belongs to another host, or to another namespace of processes on this one, of which
    /// nothing is known here.
    Unknown,
}

impl Owner {
    /// The fate of this process, as seen from the process `here`.
    ///
    /// `started_ticks` tells when the process of that id on this host started; nothing where there
    /// is no such process.
    pub fn fate(&self, here: &Self, started_ticks: impl FnOnce(u32) -> Option<u64>) -> RunFate {
        if self.host != here.host {
            return RunFate::Unknown;
        }
        if self.boot_id != here.boot_id {
            return RunFate::Gone;
        }
        if self.is_elsewhere(here) {
            return RunFate::Unknown;
        }
        if started_ticks(self.pid) == Some(self.started_ticks) {
            RunFate::Alive
        } else {
            RunFate::Gone
        }
    }

    /// True if the process id means another process here: a container has ids of its own.
    fn is_elsewhere(&self, here: &Self) -> bool {
        let both = self.pid_namespace.zip(here.pid_namespace);
        both.is_some_and(|(there, here)| there != here)
    }
}

/// A run as a line of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOverview {
    /// Unique name.
    pub id: String,
    /// The user's own name for it; may be empty.
    pub label: String,
    /// Name of the suite or profile.
    pub work: String,
    /// How it ended; `Interrupted` where it has not.
    pub state: RunState,
    /// The process that measures; nothing once the run has ended. Whether it lives,
    /// [`Owner::fate`] tells.
    pub owner: Option<Owner>,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// RFC 3339, UTC; empty while the run goes on.
    pub finished_at: String,
    /// Points saved.
    pub points: u64,
    /// The targets as the user named them; empty where they are not known.
    pub targets: Vec<String>,
    /// Name of the host that measured; empty where it is not known.
    pub host: String,
}

/// The state of a run that goes on; every other state is one of [`RunState`].
pub(crate) const RUNNING: &str = "running";

record! {
    /// A run, column by column.
    RunRow in "runs" called |run| format!("the entry of run {}", run.id);
    id: String,
    label: String,
    work: String,
    state: String,
    owner: Option<String>,
    started_at: String,
    finished_at: String,
    plan: String,
    plan_hash: String,
    seed: String,
    version: String,
    command: String,
    environment: String,
    warnings: String,
}

impl RunRow {
    /// The row of a run that begins.
    pub(crate) fn begun(run: &NewRun) -> Result<Self, StoreError> {
        let row = Self::ended(&run.header, (&run.plan, &run.environment, &[]))?;
        let (state, owner) = (RUNNING.to_owned(), Some(encode(&run.owner)?));
        Ok(Self { state, owner, finished_at: String::new(), ..row })
    }

    /// The row of a run that goes on no more.
    pub(crate) fn ended(
        header: &RunHeader,
        (plan, environment, warnings): (&Value, &Environment, &[Warning]),
    ) -> Result<Self, StoreError> {
        let header = header.clone();
        Ok(Self {
            id: header.id,
            label: header.label,
            work: header.work,
            state: header.state.name().to_owned(),
            owner: None,
            started_at: header.started_at,
            finished_at: header.finished_at,
            plan: encode(plan)?,
            plan_hash: header.plan_hash,
            seed: header.seed.to_string(),
            version: header.version,
            command: header.command,
            environment: encode(environment)?,
            warnings: encode(warnings)?,
        })
    }

    /// The row and number of the run `id`, if there is one.
    pub(crate) fn by_id(
        connection: &Connection,
        id: &str,
    ) -> Result<Option<(RunNumber, Self)>, StoreError> {
        let mut query = connection.prepare_cached("SELECT * FROM runs WHERE id = ?1")?;
        query
            .query_row([id], |row| Ok((row.get("number")?, Self::read(row)?)))
            .optional()?
            .map(|(number, (row, written))| Ok((number, row.verified(&written)?)))
            .transpose()
    }

    /// Writes what may change in the life of a run.
    pub(crate) fn update(
        &self,
        connection: &Connection,
        number: RunNumber,
    ) -> Result<(), StoreError> {
        connection.execute(
            "UPDATE runs SET label = :label, state = :state, owner = :owner, finished_at = :finished_at,
               environment = :environment, warnings = :warnings, seal = :seal
             WHERE number = :number",
            named_params! {
                ":label": self.label, ":state": self.state, ":owner": self.owner,
                ":finished_at": self.finished_at, ":environment": self.environment, ":warnings": self.warnings,
                ":seal": self.seal(), ":number": number,
            },
        )?;
        Ok(())
    }

    /// The run as results describe it: one that goes on counts as interrupted.
    pub(crate) fn header(&self) -> Result<RunHeader, StoreError> {
        Ok(RunHeader {
            id: self.id.clone(),
            label: self.label.clone(),
            work: self.work.clone(),
            state: state(&self.state)?,
            started_at: self.started_at.clone(),
            finished_at: self.finished_at.clone(),
            plan_hash: self.plan_hash.clone(),
            seed: self.seed.parse().map_err(|_| self.odd("seed"))?,
            version: self.version.clone(),
            command: self.command.clone(),
        })
    }

    /// The plan.
    pub(crate) fn plan(&self) -> Result<serde_json::Value, StoreError> {
        decode(&self.plan).ok_or_else(|| self.odd("plan"))
    }

    /// The environment.
    pub(crate) fn environment(&self) -> Result<Environment, StoreError> {
        environment(&self.environment).ok_or_else(|| self.odd("environment"))
    }

    /// The warnings.
    pub(crate) fn warnings(&self) -> Result<Vec<Warning>, StoreError> {
        decode::<Value>(&self.warnings)
            .and_then(|warnings| serde_json::from_value(upgrade_warnings(warnings)).ok())
            .ok_or_else(|| self.odd("warnings"))
    }

    /// Adds warnings, in order.
    pub(crate) fn warn(&mut self, warnings: &[Warning]) -> Result<(), StoreError> {
        let all = [self.warnings()?.as_slice(), warnings].concat();
        self.warnings = encode(&all)?;
        Ok(())
    }

    fn odd(&self, column: &str) -> StoreError {
        StoreError::Damage(format!("the {column} of run {} cannot be understood", self.id))
    }
}

/// A state of the table as results have it.
pub(crate) fn state(text: &str) -> Result<RunState, StoreError> {
    if text == RUNNING {
        return Ok(RunState::Interrupted);
    }
    RunState::ALL
        .into_iter()
        .find(|state| state.name() == text)
        .ok_or_else(|| StoreError::Damage(format!("a run is in a state '{text}'")))
}

/// The environment that the column has, of whatever format.
pub(crate) fn environment(text: &str) -> Option<Environment> {
    serde_json::from_value(upgrade_environment(decode(text)?)).ok()
}

/// The process that the column `owner` names.
pub(crate) fn owner(text: Option<&str>) -> Result<Option<Owner>, StoreError> {
    text.map(|text| {
        decode(text)
            .ok_or_else(|| StoreError::Damage("the owner of a run is unreadable".to_owned()))
    })
    .transpose()
}

/// `value` as JSON.
pub(crate) fn encode<T: Serialize + ?Sized>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value)
        .map_err(|error| StoreError::Sql(rusqlite::Error::ToSqlConversionFailure(error.into())))
}

/// A value from JSON.
pub(crate) fn decode<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}

/// A key that sorts times: seconds as text, then the fraction without its trailing zeros.
type TimeKey<'a> = (&'a str, &'a str);

/// The shape of a time to the second; `0` stands for any digit.
const SHAPE: &[u8; 19] = b"0000-00-00T00:00:00";

/// The sort key of an RFC 3339 time in UTC; nothing where the text is no such time.
pub(crate) fn time_key(text: &str) -> Option<TimeKey<'_>> {
    let local = text.strip_suffix('Z').or_else(|| text.strip_suffix("+00:00"))?;
    let (seconds, rest) = local.split_at_checked(SHAPE.len())?;
    let fits = seconds.bytes().zip(SHAPE).all(|(byte, shape)| match shape {
        b'0' => byte.is_ascii_digit(),
        literal => byte == *literal,
    });
    let fraction = match rest.strip_prefix('.') {
        Some(digits) if !digits.is_empty() => digits,
        None if rest.is_empty() => "",
        _ => return None,
    };
    let digits = fraction.bytes().all(|byte| byte.is_ascii_digit());
    (fits && digits).then_some((seconds, fraction.trim_end_matches('0')))
}

/// Refuses text that is not an RFC 3339 time in UTC.
pub(crate) fn check_time(text: &str) -> Result<(), Fault> {
    time_key(text).map(drop).ok_or_else(|| {
        Fault::new(format!("'{text}' is not a time"))
            .because("times are kept as RFC 3339 text in UTC, such as 2026-11-21T04:35:10Z")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_told_from_a_later_one_with_its_id() {
        let owner = |host: &str, boot: &str| Owner {
            host: host.to_owned(),
            boot_id: boot.to_owned(),
            pid: 7,
            started_ticks: 100,
            pid_namespace: Some(1),
        };
        let here = Owner { pid: 9, ..owner("a", "1") };
        let check = |owner: Owner, ticks: Option<u64>, fate: RunFate| {
            assert_eq!(owner.fate(&here, |_| ticks), fate);
        };
        check(owner("a", "1"), Some(100), RunFate::Alive);
        check(owner("a", "1"), Some(200), RunFate::Gone);
        check(owner("a", "1"), None, RunFate::Gone);
        check(owner("a", "0"), Some(100), RunFate::Gone);
        check(owner("b", "1"), Some(100), RunFate::Unknown);
        let elsewhere = |boot: &str| Owner { pid_namespace: Some(2), ..owner("a", boot) };
        check(elsewhere("1"), None, RunFate::Unknown);
        check(elsewhere("1"), Some(200), RunFate::Unknown);
        check(elsewhere("0"), None, RunFate::Gone);
        check(Owner { pid_namespace: None, ..owner("a", "1") }, Some(100), RunFate::Alive);
    }
}

#[cfg(test)]
mod timestamp_tests {
    use super::*;

    #[test]
    fn utc_times_are_accepted() {
        for text in
            ["2026-11-21T04:35:10Z", "2026-11-21T04:35:10.250Z", "2026-11-21T04:35:10+00:00"]
        {
            assert!(check_time(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn other_text_is_not() {
        for text in [
            "",
            "yesterday",
            "2026-11-21",
            "2026-11-21T04:35:10",
            "2026-11-21T04:35:10+02:00",
            "2026-11-21 04:35:10Z",
            "2026-11-21T04:35:10.Z",
            "2026-11-21T04:35:10.1x4Z",
            "2026-11-2éT04:35:10Z",
        ] {
            assert!(check_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn fractions_sort_by_value_and_not_by_letter() {
        let times = [
            "2026-11-21T04:35:10Z",
            "2026-11-21T04:35:10.05Z",
            "2026-11-21T04:35:10.5Z",
            "2026-11-21T04:35:11+00:00",
        ];
        assert!(times.is_sorted_by_key(|time| time_key(time)));
        assert_eq!(time_key("2026-11-21T04:35:10.50Z"), time_key("2026-11-21T04:35:10.5Z"));
    }
}
