//! Profiles and suites as jobs of other tools, where it can be said.

mod conduct;
mod fio;
mod icf;

use kneepoint_core::spec::factor::combination_text;
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::spec::profile::{Line, ResolvedProfile};
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;

use super::{Conduct, Difference, JobFormat};
use conduct::WrittenConduct;

/// Most jobs or specifications that are written.
const PARTS_MAX: usize = 1000;

/// A job that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenJob {
    /// Its text.
    pub text: String,
    /// What is not the same there.
    pub differences: Vec<Difference>,
}

/// Writes `suite`, which is that of the file `name`, in another format. How it is measured is said by the job
/// that it was read from; `None` for profiles and suites, which do not say.
///
/// # Errors
/// When something in it cannot be said in the format, or does no I/O.
pub fn write(
    format: JobFormat,
    (suite, name): (&Suite, &str),
    conduct: Option<Conduct>,
) -> Result<WrittenJob, Fault> {
    let mut told = Told { name, differences: Vec::new() };
    let series = all_series(suite, name)?;
    if let Some(group) = suite.together.first() {
        let part = format!("the [[together]] '{}'", group.name);
        return Err(told.refused(&part, "series at the same moment are not written"));
    }
    if suite.file_copy.is_some() {
        return Err(told.refused("the copies of files", "other tools copy none"));
    }
    if !suite.factors.factors.is_empty() {
        return Err(told.refused("the factors", "settings are varied by Kneepoint alone"));
    }
    for series in suite.series.iter().filter(|series| !series.settings.is_empty()) {
        let settings = combination_text(&series.settings);
        told.differ(format!("settings of {} are left out: {settings}", series.profile));
    }
    if suite.steady_state.is_some() {
        told.differ("rounds until steady state are left out");
    }
    if suite.rounds.is_some() {
        told.differ("rounds over all series until steady state, and what is written before them, are left out");
    }
    if suite.repeat.is_some_and(|repeat| repeat > 1) {
        told.differ("it is measured once; repeat is left out");
    }
    if !suite.rules.is_empty() {
        told.differ("rules are left out: what sustains them is to be read off the results");
    }
    let text = match format {
        JobFormat::Iometer => {
            let conduct = WrittenConduct::of(conduct, "test", &mut told);
            icf::text((suite, &conduct), &series, &mut told)?
        }
        JobFormat::Fio => {
            let conduct = WrittenConduct::of(conduct, "job", &mut told);
            fio::text((suite, &conduct), &series, &mut told)?
        }
        JobFormat::Vdbench => {
            return Err(Fault::new(format!(
                "{name} cannot be written as a vdbench parameter file"
            ))
            .because("only Iometer configurations and fio job files are written")
            .fix("end the output's name in .icf or .fio"));
        }
    };
    Ok(WrittenJob { text, differences: told.differences })
}

/// A series with nothing left open but its load.
struct WrittenSeries {
    /// `database/8KiB`.
    name: String,
    profile: ResolvedProfile,
    loads: Loads,
}

/// Every series of a suite, each block size by itself.
fn all_series(suite: &Suite, name: &str) -> Result<Vec<WrittenSeries>, Fault> {
    let mut all = Vec::new();
    for series in &suite.series {
        let profile = suite.profile(&series.profile)?;
        let blocks: Vec<_> = match series.blocks.as_slice() {
            [] => vec![None],
            blocks => blocks.iter().copied().map(Some).collect(),
        };
        let is_dataless = |line: &Line| !line.write.is_data();
        if profile.lines.iter().any(is_dataless) {
            return Err(Fault::new(format!(
                "{name}: the trims or zeroes of '{}' cannot be said in that format",
                profile.name
            ))
            .because("its writes carry data")
            .fix("change the profile, or measure it with Kneepoint"));
        }
        for block in blocks {
            let loads = series.loads.as_ref().or(profile.loads.as_ref()).or(suite.loads.as_ref());
            all.push(WrittenSeries {
                name: profile.series_name(block),
                profile: profile.resolve_io(block)?,
                loads: loads.cloned().unwrap_or(Loads::standard(LoadUnit::OutstandingIos)),
            });
        }
    }
    match all.len() <= PARTS_MAX {
        true => Ok(all),
        false => {
            Err(Fault::new(format!("{name}: more than {PARTS_MAX} series")).fix("split the suite"))
        }
    }
}

/// What is told of a conversion.
struct Told<'a> {
    /// The file that is converted.
    name: &'a str,
    differences: Vec<Difference>,
}

impl Told<'_> {
    /// Each difference once.
    fn differ(&mut self, what: impl Into<String>) {
        let difference = Difference { place: self.name.to_owned(), what: what.into() };
        if !self.differences.contains(&difference) {
            self.differences.push(difference);
        }
    }

    /// A part that cannot be said.
    fn refused(&self, part: &str, why: &str) -> Fault {
        Fault::new(format!("{}: {part} cannot be said in that format", self.name))
            .because(why)
            .fix("change the profile, or measure it with Kneepoint")
    }

    /// A percentage as a whole number.
    fn whole(&self, percent: f64, what: &str) -> Result<u64, Fault> {
        match percent.fract() == 0.0 {
            true => Ok(percent as u64),
            false => Err(self
                .refused(&format!("{what} of {percent} %"), "percentages are whole numbers there")),
        }
    }
}

#[cfg(test)]
mod tests;
