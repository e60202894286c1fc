//! The options of `compare --live`.

use clap::Args;
use kneepoint_core::plan::TypedLoads;
use kneepoint_core::plan::resolve::{SEED, Wishes};
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::units::{Bytes, Nanos, Percent};

use super::run::{typed, usable_size};

/// The options of `kneepoint compare --live`.
#[derive(Debug, Args)]
pub(crate) struct LiveArgs {
    /// Measure two targets by turns until their difference is decided
    #[arg(long, help_heading = "Live", conflicts_with_all = ["points", "different_profiles", "fail_if"])]
    pub(crate) live: bool,

    /// Suite or load profile: a name from `kneepoint catalog`, or a TOML file
    #[arg(
        long,
        value_name = "SUITE|PROFILE|FILE.toml",
        default_value = "database",
        requires = "live",
        help_heading = "Live"
    )]
    pub(crate) work: String,

    /// Outstanding I/Os: a list 1,2,4, or a range 1..16x2; each load is decided on its own
    #[arg(long, visible_aliases = ["queue-depth", "qd"], value_name = "LEVELS", default_value = "16", requires = "live", help_heading = "Live")]
    pub(crate) outstanding: String,

    /// I/Os per second to offer whatever the targets answer, instead of outstanding I/Os: then
    /// response times are compared
    #[arg(
        long,
        value_name = "RATES",
        conflicts_with = "outstanding",
        requires = "live",
        help_heading = "Live"
    )]
    pub(crate) rate: Option<String>,

    /// Differences of up to this share do not matter
    #[arg(long, value_name = "PERCENT", value_parser = typed::<Percent>, default_value = "5%", requires = "live", help_heading = "Live")]
    pub(crate) band: Percent,

    /// Measure for exactly this time on each visit, after the ramp (default: from 0.8 s on, as long as
    /// it takes)
    #[arg(long, value_name = "TIME", value_parser = typed::<Nanos>, requires = "live", help_heading = "Live")]
    pub(crate) time: Option<Nanos>,

    /// Bytes of each target to use; test files are made this large
    #[arg(long, value_name = "SIZE", value_parser = usable_size, requires = "live", help_heading = "Live")]
    pub(crate) size: Option<Bytes>,

    /// Seed of all randomness
    #[arg(long, value_name = "N", default_value_t = SEED, requires = "live", help_heading = "Live")]
    pub(crate) seed: u64,

    /// Permit writing to exactly this target, as for `run`
    #[arg(long, value_name = "TARGET[=SERIAL|UUID]", requires = "live", help_heading = "Live")]
    pub(crate) overwrite: Vec<String>,
}

impl LiveArgs {
    /// The wishes, as typed values.
    ///
    /// # Errors
    /// When load levels can't be read.
    pub(crate) fn wishes(&self) -> Result<Wishes, Fault> {
        let loads = match &self.rate {
            Some(rates) => Loads::parse(rates, LoadUnit::OfferedIops),
            None => Loads::parse(&self.outstanding, LoadUnit::OutstandingIos),
        }?;
        if !matches!(loads, Loads::Grid(..)) {
            return Err(Fault::new("a live comparison needs load levels to compare at")
                .fix("name them, e.g. --outstanding 1,16; for knees, compare two stored runs"));
        }
        Ok(Wishes {
            size: self.size,
            loads: Some(TypedLoads::Of(loads)),
            time: self.time,
            seed: self.seed,
            ..Wishes::default()
        })
    }
}
