//! Runs a shipped suite on a simulated system, follows it, and prints what each series sustains.
//!
//!     cargo run --release -p kneepoint-sim --example suite

use std::error::Error;
use std::io::{Write, stdout};

use kneepoint_core::analysis::summarize_plan;
use kneepoint_core::measure::{Memory, Observer, Run, Testbed};
use kneepoint_core::plan::resolve::{Draft, Extent, Wishes};
use kneepoint_core::result::{PointResult, SustainedStatus};
use kneepoint_core::spec::catalog;
use kneepoint_sim::SimTestbed;

/// Writes a line for each point.
struct Lines<'a>(&'a mut dyn Write);

impl Observer for Lines<'_> {
    fn result(&mut self, point: &PointResult) {
        let (iops, mean) = (point.rate.mean, point.latency_ms.mean);
        let line = format!("{}, {}: {iops:.0} IO/s, {mean:.1} ms", point.key(), point.load);
        // A pipe that is closed does not end the run.
        let _ = writeln!(self.0, "{line}");
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&["sim:rx100s4-sas".to_owned()], &mut stdout())
}

/// Runs `storagebench` on the systems called `names`.
pub(crate) fn run(names: &[String], out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let suite = catalog::suite("storagebench")?;
    let wishes = Wishes { extent: Extent::Quick, ..Wishes::default() };
    let mut testbed = SimTestbed::new(names)?;
    let plan = Draft::new(&suite, &wishes)?.resolve(&testbed.site(&wishes))?;
    let mut memory = Memory::default();
    Run::new(&plan).measure(&mut testbed, &mut memory, &mut Lines(out))?;
    for summary in summarize_plan(&memory.points, &plan) {
        let rate = summary.sustained.rate.map_or(0.0, |rate| rate.mean);
        let sustained = match summary.sustained.status {
            SustainedStatus::Met => format!("{rate:.0} IO/s"),
            SustainedStatus::AllMeet => format!("at least {rate:.0} IO/s"),
            SustainedStatus::NoneMeets | SustainedStatus::Unknown => "nothing".to_owned(),
        };
        writeln!(out, "{} at {}: {sustained}", summary.series, summary.rule)?;
    }
    Ok(())
}
