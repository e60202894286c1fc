//! A row, understood.

use kneepoint_core::plan::ResolvedProfile;

use super::criterion::Criterion;
use super::row::Row;
use super::single_drive::DriveCatalog;
use super::subsystem::Subsystem;
use super::words::{squash, tokens};
use super::workload;

/// A number of a published table that can be simulated.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The simulated system with its settings: `sim:fastt900?drives=60&raid=raid5&...`.
    pub target: String,
    /// The load.
    pub profile: ResolvedProfile,
    /// The condition that the number was read off at.
    pub criterion: Criterion,
    /// Most outstanding I/Os per array of the paper.
    pub outstanding_max: u32,
    /// The number.
    pub published: Published,
    /// Where the published number is a share of what another target does: that target.
    pub relative_to: Option<String>,
}

/// The published number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Published {
    /// I/Os per second.
    Iops(f64),
    /// Throughput, MiB/s; for rows that publish nothing else.
    MibPerS(f64),
}

/// Words for numbers that are shares of others.
const SHARE_WORDS: [&str; 5] = ["multiplier", "relative", "scaling", "factor", "ratio"];

/// A published number above this is a rate, whatever the row calls it.
const SHARE_MAX: f64 = 5.0;

/// The stroke that the FAStT900 paper's multipliers are relative to, in percent of the capacity.
const STROKE_OF_MULTIPLIERS: f64 = 8.0;

impl Cell {
    /// What a row describes.
    ///
    /// # Errors
    /// A sentence that says what in the row was not understood or cannot be simulated.
    pub fn of(row: &Row, catalog: &DriveCatalog) -> Result<Self, String> {
        let subsystem = Subsystem::of(row, catalog)?;
        let criterion = Criterion::of(row)?;
        let published = Published::of(row)?;
        let relative_to = relative_to(row, &subsystem, published);
        Ok(Self {
            profile: workload::profile(row, subsystem.server_loads)?,
            target: subsystem.target,
            outstanding_max: subsystem.outstanding_max,
            criterion,
            published,
            relative_to,
        })
    }
}

impl Published {
    /// The number of a row: `iops`, or else `mbps`.
    fn of(row: &Row) -> Result<Self, String> {
        match (number(row, "iops")?, number(row, "mbps")?) {
            (Some(iops), _) => Ok(Self::Iops(iops)),
            (None, Some(mib_s)) => Ok(Self::MibPerS(mib_s)),
            (None, None) => Err("there is no published number".to_owned()),
        }
    }

    /// The number as I/Os per second, for a load of this mean block size.
    pub fn iops(self, block_bytes_mean: f64) -> f64 {
        match self {
            Self::Iops(iops) => iops,
            Self::MibPerS(mib_s) => mib_s * 1_048_576.0 / block_bytes_mean,
        }
    }
}

/// A positive number of a column, if there is one.
fn number(row: &Row, column: &str) -> Result<Option<f64>, String> {
    let text = row.get(column);
    if ["", "na", "n a", "nan", "null"].contains(&squash(text).as_str()) {
        return Ok(None);
    }
    let plain: String = text.chars().filter(|c| !matches!(c, ',' | ' ' | '_' | '~')).collect();
    match plain.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(Some(number)),
        _ => Err(format!("'{text}' in the column {column} is no positive number")),
    }
}

/// The target that a multiplier is relative to: the same system at the stroke of the other tables.
fn relative_to(row: &Row, subsystem: &Subsystem, published: Published) -> Option<String> {
    let Published::Iops(share) = published else { return None };
    let columns = ["criterion", "workload", "table", "access", "note", "id"];
    let is_called_share = columns.iter().any(|column| {
        tokens(row.get(column)).iter().any(|token| token.is_any(&SHARE_WORDS))
            || SHARE_WORDS
                .iter()
                .any(|word| squash(row.get(column)).contains(&format!("stroke{word}")))
    });
    let percent = subsystem.stroke_percent?;
    (is_called_share && share <= SHARE_MAX).then(|| {
        let given = format!("stroke={percent}%");
        subsystem.target.replace(&given, &format!("stroke={STROKE_OF_MULTIPLIERS}%"))
    })
}
