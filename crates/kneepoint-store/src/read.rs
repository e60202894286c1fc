//! Reading from the store.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use kneepoint_core::result::{PointResult, RUN_SCHEMA, RunAnalysis, RunDocument};
use kneepoint_core::words::fault::Fault;
use rusqlite::{Connection, OptionalExtension, Row};

use crate::error::StoreError;
use crate::name::RunName;
use crate::point::{CopyRow, Histograms, PointRow, StoredPoint};
use crate::record::{Record, RunNumber};
use crate::run::{RunOverview, RunRow};
use crate::store::Store;
use crate::{name, record, run};

impl Store {
    /// All runs, the newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn runs(&self) -> Result<Vec<RunOverview>, Fault> {
        self.read("list the runs of", overviews)
    }

    /// The run that the user means.
    ///
    /// # Errors
    /// When there is none of that name or more than one; the message lists those that come near.
    pub fn find(&self, name: &RunName) -> Result<RunOverview, Fault> {
        name::find(self.runs()?, name)
    }

    /// Everything measured by the run `id`, without its analysis. Loads that were measured several
    /// times have their response times in full, because percentiles are read from all of them
    /// together.
    ///
    /// # Errors
    /// When there is no such run, or it is not as it was written.
    pub fn load(&self, id: &str) -> Result<RunDocument, Fault> {
        self.read("load a run from", |connection| {
            let (number, run) = existing(connection, id)?;
            let mut points =
                PointRow::of_run(connection, number, |row| row.stored().map(|point| point.result))?;
            add_histograms(connection, number, &mut points)?;
            Ok(RunDocument {
                schema: RUN_SCHEMA.to_owned(),
                run: run.header()?,
                environment: run.environment()?,
                plan: run.plan()?,
                points,
                copies: CopyRow::of_run(connection, number, |row| row.stored())?,
                analysis: RunAnalysis::default(),
                warnings: run.warnings()?,
            })
        })
    }

    /// The plan of the run `id`.
    ///
    /// # Errors
    /// When there is no such run, or it is not as it was written.
    pub fn plan(&self, id: &str) -> Result<serde_json::Value, Fault> {
        self.read("load a plan from", |connection| existing(connection, id)?.1.plan())
    }

    /// The points of the run `id` in the order measured.
    ///
    /// # Errors
    /// When there is no such run, or a point is not as it was written.
    pub fn points(&self, id: &str) -> Result<Vec<StoredPoint>, Fault> {
        self.read("load points from", |connection| {
            PointRow::of_run(connection, existing(connection, id)?.0, |row| row.stored())
        })
    }

    /// The response times of one point of the run `id`; empty for imported points.
    ///
    /// # Errors
    /// When there is no such point, or it is not as it was written.
    pub fn histograms(&self, id: &str, ordinal: u32) -> Result<Histograms, Fault> {
        self.read("load response times from", |connection| {
            let (number, _) = existing(connection, id)?;
            histograms(connection, number, ordinal)?
                .ok_or_else(|| Fault::new(format!("run {id} has no point {ordinal}")).into())
        })
    }
}

/// The response times of one point, if there is such a point.
fn histograms(
    connection: &Connection,
    run: RunNumber,
    ordinal: u32,
) -> Result<Option<Histograms>, StoreError> {
    let mut query =
        connection.prepare_cached("SELECT * FROM points WHERE run = ?1 AND ordinal = ?2")?;
    let found = query.query_row((run, ordinal), PointRow::read).optional()?;
    found.map(|(row, seal)| row.verified(&seal)?.histograms()).transpose()
}

/// Adds the response times of loads that were measured several times to their `points`, which are
/// those of a run in the order measured.
fn add_histograms(
    connection: &Connection,
    run: RunNumber,
    points: &mut [PointResult],
) -> Result<(), StoreError> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let key = |point: &PointResult| format!("{} {}", point.key().encoded(), point.load);
    points.iter().for_each(|point| *counts.entry(key(point)).or_default() += 1);
    for (ordinal, point) in (0..).zip(points) {
        let is_repeated = counts.get(&key(point)).is_some_and(|count| *count > 1);
        let found = if is_repeated { histograms(connection, run, ordinal)? } else { None };
        if let Some(found) = found {
            point.histograms = found.in_full()?;
        }
    }
    Ok(())
}

/// Number and row of a run that has to be there.
pub(crate) fn existing(
    connection: &Connection,
    id: &str,
) -> Result<(RunNumber, RunRow), StoreError> {
    match RunRow::by_id(connection, id)? {
        Some(found) => Ok(found),
        None => Err(name::unknown(&overviews(connection)?, id).into()),
    }
}

/// All runs, the newest first; of those that started at the same time, the one that came last.
fn overviews(connection: &Connection) -> Result<Vec<RunOverview>, StoreError> {
    let mut query = connection.prepare_cached(
        "SELECT number, id, label, work, state, owner, started_at, finished_at, environment,
           (SELECT count(*) FROM points WHERE points.run = runs.number) AS points
         FROM runs ORDER BY number DESC",
    )?;
    let mut rows = query.query([])?;
    let (mut runs, mut last) = (Vec::new(), None);
    while let Some(row) = rows.next()? {
        let number = row.get::<_, RunNumber>("number")?;
        record::check_order(&mut last, Reverse(number), || format!("the run of number {number}"))?;
        runs.push(overview(row)?);
    }
    runs.sort_by(|left, right| {
        Reverse(run::time_key(&left.started_at)).cmp(&Reverse(run::time_key(&right.started_at)))
    });
    Ok(runs)
}

fn overview(row: &Row<'_>) -> Result<RunOverview, StoreError> {
    // A list shows what can be read; what cannot is told where the run itself is asked for.
    let environment = run::environment(&row.get::<_, String>("environment")?).unwrap_or_default();
    Ok(RunOverview {
        id: row.get("id")?,
        label: row.get("label")?,
        work: row.get("work")?,
        state: run::state(&row.get::<_, String>("state")?)?,
        owner: run::owner(row.get::<_, Option<String>>("owner")?.as_deref())?,
        started_at: row.get("started_at")?,
        finished_at: row.get("finished_at")?,
        points: row.get::<_, u32>("points")?.into(),
        host: environment.first_host().map(|host| host.host.clone()).unwrap_or_default(),
        targets: environment.targets.into_iter().map(|target| target.target).collect(),
    })
}
