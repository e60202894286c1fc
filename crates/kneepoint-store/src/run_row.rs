//! Runs as rows of the table `runs`.

use kneepoint_core::result::{
    Environment, RunHeader, RunState, Warning, upgrade_environment, upgrade_warnings,
};
use rusqlite::{Connection, OptionalExtension, named_params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::record::{Record, RunNumber, record};
use crate::run::{NewRun, Owner};
use crate::trouble::Trouble;

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
    pub(crate) fn begun(run: &NewRun) -> Result<Self, Trouble> {
        Ok(Self {
            id: run.id.clone(),
            label: run.label.clone(),
            work: run.work.clone(),
            state: RUNNING.to_owned(),
            owner: Some(encode(&run.owner)?),
            started_at: run.started_at.clone(),
            finished_at: String::new(),
            plan: encode(&run.plan)?,
            plan_hash: run.plan_hash.clone(),
            seed: run.seed.to_string(),
            version: run.version.clone(),
            command: run.command.clone(),
            environment: encode(&run.environment)?,
            warnings: encode::<[Warning]>(&[])?,
        })
    }

    /// The row and number of the run `id`, if there is one.
    pub(crate) fn by_id(
        connection: &Connection,
        id: &str,
    ) -> Result<Option<(RunNumber, Self)>, Trouble> {
        let mut query = connection.prepare_cached("SELECT * FROM runs WHERE id = ?1")?;
        query
            .query_row([id], |row| Ok((row.get("number")?, Self::read(row)?)))
            .optional()?
            .map(|(number, (row, written))| Ok((number, row.verified(&written)?)))
            .transpose()
    }

    /// Writes what may change in the life of a run.
    pub(crate) fn update(&self, connection: &Connection, number: RunNumber) -> Result<(), Trouble> {
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
    pub(crate) fn header(&self) -> Result<RunHeader, Trouble> {
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
    pub(crate) fn plan(&self) -> Result<serde_json::Value, Trouble> {
        decode(&self.plan).ok_or_else(|| self.odd("plan"))
    }

    /// The environment.
    pub(crate) fn environment(&self) -> Result<Environment, Trouble> {
        environment(&self.environment).ok_or_else(|| self.odd("environment"))
    }

    /// The warnings.
    pub(crate) fn warnings(&self) -> Result<Vec<Warning>, Trouble> {
        decode::<Value>(&self.warnings)
            .and_then(|warnings| serde_json::from_value(upgrade_warnings(warnings)).ok())
            .ok_or_else(|| self.odd("warnings"))
    }

    /// Adds warnings, in order.
    pub(crate) fn warn(&mut self, warnings: &[Warning]) -> Result<(), Trouble> {
        let all = [self.warnings()?.as_slice(), warnings].concat();
        self.warnings = encode(&all)?;
        Ok(())
    }

    fn odd(&self, column: &str) -> Trouble {
        Trouble::Damage(format!("the {column} of run {} cannot be understood", self.id))
    }
}

/// A state of the table as results have it.
pub(crate) fn state(text: &str) -> Result<RunState, Trouble> {
    if text == RUNNING {
        return Ok(RunState::Interrupted);
    }
    [RunState::Complete, RunState::Interrupted, RunState::Failed]
        .into_iter()
        .find(|state| state.name() == text)
        .ok_or_else(|| Trouble::Damage(format!("a run is in a state '{text}'")))
}

/// The environment that the column has, of whatever format.
pub(crate) fn environment(text: &str) -> Option<Environment> {
    serde_json::from_value(upgrade_environment(decode(text)?)).ok()
}

/// The process that the column `owner` names.
pub(crate) fn owner(text: Option<&str>) -> Result<Option<Owner>, Trouble> {
    text.map(|text| {
        decode(text).ok_or_else(|| Trouble::Damage("the owner of a run is unreadable".to_owned()))
    })
    .transpose()
}

/// `value` as JSON.
pub(crate) fn encode<T: Serialize + ?Sized>(value: &T) -> Result<String, Trouble> {
    serde_json::to_string(value)
        .map_err(|error| Trouble::Sql(rusqlite::Error::ToSqlConversionFailure(error.into())))
}

/// A value from JSON.
pub(crate) fn decode<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}
