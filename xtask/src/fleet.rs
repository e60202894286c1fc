//! What an agent costs: the same load on the same target without a fleet and with an agent on this machine,
//! over a real server, by turns.
//!
//! Runs are taken in blocks of four: without, with, with, without, or the other way round. What changes
//! steadily on the machine cancels out within a block.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context;
use clap::Args;
use serde_json::Value;

use crate::bench::round::{Progress, median};
use crate::folder::OwnFolder;
use crate::stop::Stop;
use crate::zram::Zram;

kneepoint_core::named! {
    /// What is measured.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
    pub enum FleetTarget {
        /// Nothing: the cost of the programs alone
        Null = "null",
        /// A file in memory (tmpfs)
        Memory = "memory",
        /// A file on ext4 on a compressed RAM disk (as root)
        Zram = "zram",
        /// A file in the folder that --folder names
        File = "file",
    }
}

/// `cargo xtask fleet`.
#[derive(Debug, Args)]
pub struct FleetArgs {
    /// The program to measure with
    #[arg(long, default_value = "target/release/kneepoint")]
    pub kneepoint: PathBuf,
    /// Only this target (may be repeated) [default: null, memory and zram]
    #[arg(long, value_enum)]
    pub target: Vec<FleetTarget>,
    /// Folder for the target 'file': a temporary folder is created in it, and removed at the end
    #[arg(long, default_value = "target")]
    pub folder: PathBuf,
    /// Blocks of four runs for each target
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u32).range(6..=1000))]
    pub blocks: u32,
    /// Outstanding I/Os
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    pub outstanding: u32,
    /// Time that each run measures for, behind a ramp of 500 ms
    #[arg(long, default_value = "4s")]
    pub time: String,
    /// Size of the test files
    #[arg(long, default_value = "256MiB")]
    pub size: String,
}

/// An agent may cost this part of the throughput.
const COST_MAX: f64 = 0.03;

/// Where a larger part of the runs was disturbed, the scheduler of the busy machine is measured: its share
/// for several processes that talk is another one than that for a single one.
const DISTURBED_MAX: f64 = 0.1;

/// The name of the one host.
const HOST: &str = "a";

/// Bytes of the zram device: enough for the test file as it comes.
const ZRAM_BYTES: u64 = 1 << 30;

/// Runs the experiment; the table in Markdown, and whether it shows that an agent costs 3 % at the most on
/// every target.
///
/// # Errors
/// Where a program is missing, a target cannot be made, or a run fails.
pub fn table(args: &FleetArgs) -> anyhow::Result<(String, bool)> {
    let stop = Stop::listen()?;
    let chosen = match args.target.is_empty() {
        true => vec![FleetTarget::Null, FleetTarget::Memory, FleetTarget::Zram],
        false => args.target.clone(),
    };
    let grounds: anyhow::Result<Vec<Ground>> =
        chosen.into_iter().map(|target| Ground::new(target, &args.folder)).collect();
    let lab = Lab::new(args, grounds?)?;
    let runs = 4 * args.blocks * u32::try_from(lab.grounds.len())?;
    let mut progress = Progress::new(runs)?;
    let mut rows = Vec::new();
    for ground in &lab.grounds {
        progress.begin(&ground.kind.name());
        let mut row =
            Row { kind: ground.kind, engine: String::new(), blocks: Vec::new(), disturbed: 0 };
        for number in 0..args.blocks {
            stop.check()?;
            lab.measure_block((ground, number), &mut row, &mut progress)?;
        }
        rows.push(row);
    }
    Ok(text(&rows))
}

/// A target, and what it is on.
struct Ground {
    kind: FleetTarget,
    /// As Kneepoint takes it.
    target: String,
    /// In this order: what is mounted in the folder goes before it.
    _mounted: Option<MountedZram>,
    _folder: Option<OwnFolder>,
}

impl Ground {
    fn new(kind: FleetTarget, folder: &Path) -> anyhow::Result<Self> {
        let parent = match kind {
            FleetTarget::Null => {
                let target = "null:".to_owned();
                return Ok(Self { kind, target, _mounted: None, _folder: None });
            }
            FleetTarget::Memory => Path::new("/dev/shm"),
            FleetTarget::Zram | FleetTarget::File => folder,
        };
        let folder = OwnFolder::new(parent, &format!("fleet-{}", kind.name()))?;
        let mounted = match kind {
            FleetTarget::Zram => Some(MountedZram::new(folder.path())?),
            _ => None,
        };
        let target = folder.path().join("t.dat").display().to_string();
        Ok(Self { kind, target, _mounted: mounted, _folder: Some(folder) })
    }

    const fn is_file(&self) -> bool {
        !matches!(self.kind, FleetTarget::Null)
    }
}

/// Our own zram device with a file system, mounted in a folder; both go away with the value.
struct MountedZram {
    folder: PathBuf,
    _device: Zram,
}

impl MountedZram {
    fn new(folder: &Path) -> anyhow::Result<Self> {
        let device = Zram::new(ZRAM_BYTES)?;
        told(Command::new("mkfs.ext4").args(["-q", "-F"]).arg(device.node()))?;
        told(Command::new("mount").arg(device.node()).arg(folder))?;
        Ok(Self { folder: folder.to_owned(), _device: device })
    }
}

impl Drop for MountedZram {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.folder).status();
    }
}

/// The controller and its agent.
struct Lab<'a> {
    args: &'a FleetArgs,
    kneepoint: PathBuf,
    /// Ends before the targets go that it may have open.
    _agent: Agent,
    grounds: Vec<Ground>,
    folder: OwnFolder,
}

/// The agent's process; it ends with the value.
struct Agent(Child);

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Without a fleet, or with an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Alone,
    Agent,
}

/// The runs of a block in their order; the next block has them the other way round.
const ORDER: [Side; 4] = [Side::Alone, Side::Agent, Side::Agent, Side::Alone];

/// I/Os per second of a block of four runs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Block {
    alone: [f64; 2],
    agent: [f64; 2],
}

/// What a run measured.
struct Ran {
    /// I/Os per second.
    rate: f64,
    /// How they were issued.
    engine: String,
    is_disturbed: bool,
}

/// What was measured on a target.
struct Row {
    kind: FleetTarget,
    /// How I/O was issued, by all runs alike.
    engine: String,
    blocks: Vec<Block>,
    /// Runs that other load on the machine disturbed.
    disturbed: usize,
}

impl<'a> Lab<'a> {
    /// Makes the test files, and lets an agent join that may use them.
    fn new(args: &'a FleetArgs, grounds: Vec<Ground>) -> anyhow::Result<Self> {
        let kneepoint = args.kneepoint.canonicalize().with_context(|| {
            let path = args.kneepoint.display();
            format!("{path}: build it with `cargo build --release`, or name it with --kneepoint")
        })?;
        let folder = OwnFolder::new(&args.folder, "fleet")?;
        for ground in grounds.iter().filter(|ground| ground.is_file()) {
            let mut command = controller(&kneepoint, folder.path());
            command.args(["run", "random-read", &ground.target, "--size", &args.size]);
            told(command.args(["--outstanding", "1", "--time", "100ms", "--ramp", "0s"]))?;
        }
        let agent = joined(&kneepoint, folder.path(), &grounds)?;
        Ok(Self { args, kneepoint, _agent: agent, grounds, folder })
    }

    fn measure_block(
        &self,
        (ground, number): (&Ground, u32),
        row: &mut Row,
        progress: &mut Progress,
    ) -> anyhow::Result<()> {
        let (mut alone, mut agent) = (Vec::new(), Vec::new());
        for place in ORDER {
            let side = match (number % 2, place) {
                (0, side) => side,
                (_, Side::Alone) => Side::Agent,
                (_, Side::Agent) => Side::Alone,
            };
            let Ran { rate, engine, is_disturbed } = self.run(ground, side)?;
            row.disturbed += usize::from(is_disturbed);
            match side {
                Side::Alone => alone.push(rate),
                Side::Agent => agent.push(rate),
            }
            if row.engine.is_empty() {
                row.engine.clone_from(&engine);
            }
            let other = &row.engine;
            anyhow::ensure!(engine == *other, "runs issue I/O by {engine} and by {other}");
            progress.advance();
        }
        let two = |rates: Vec<f64>| rates.try_into().map_err(|_| anyhow::anyhow!("two of each"));
        row.blocks.push(Block { alone: two(alone)?, agent: two(agent)? });
        Ok(())
    }

    /// Measures once.
    fn run(&self, ground: &Ground, side: Side) -> anyhow::Result<Ran> {
        let FleetArgs { time, .. } = self.args;
        let (target, outstanding) = (&ground.target, self.args.outstanding.to_string());
        let mut command = controller(&self.kneepoint, self.folder.path());
        command.args(["run", "random-read", "--outstanding", &outstanding, "--json", "-"]);
        command.args(["--time", time, "--ramp", "500ms"]);
        match side {
            Side::Alone => command.arg(target),
            Side::Agent => command.arg(format!("{HOST}:{target}")).args(["--hosts", HOST]),
        };
        if ground.is_file() {
            command.args(["--size", &self.args.size]);
        }
        let result: Value = serde_json::from_slice(&told(&mut command)?)?;
        let point = &result["points"][0];
        let rate = point["rate"]["mean"].as_f64().context("a rate")?;
        let is_disturbed = is_disturbed(point);
        let said = |name: &str| result["plan"]["engine"][name].as_str().context("an engine");
        let engine = format!("{}, {}", said("engine")?, said("caching")?);
        Ok(Ran { rate, engine, is_disturbed })
    }
}

/// Whether other load on the machine disturbed a point. That the processor limits it, on a host of a fleet or
/// without one, is what is wanted here.
fn is_disturbed(point: &Value) -> bool {
    let warnings = point["warnings"].as_array();
    warnings.into_iter().flatten().any(|warning| {
        warning["severity"] == "disturbs" && !warning.to_string().contains("\"generator_bound\"")
    })
}

/// A command whose state and store are of the experiment's own.
fn controller(kneepoint: &Path, folder: &Path) -> Command {
    let mut command = Command::new(kneepoint);
    command.env("KNEEPOINT_STATE", folder.join("controller"));
    command.env("KNEEPOINT_STORE", folder.join("kneepoint.db"));
    command
}

/// An agent that has joined.
fn joined(kneepoint: &Path, folder: &Path, grounds: &[Ground]) -> anyhow::Result<Agent> {
    // Free when it was asked for, and hardly taken since.
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
    let mut join = controller(kneepoint, folder);
    join.args(["hosts", "join", "--address", &address, "--valid", "60s"]);
    let mut join =
        join.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut line = String::new();
    BufReader::new(join.stdout.take().context("its output")?).read_line(&mut line)?;
    let file = folder.join("line");
    fs::write(&file, &line)?;
    let mut agent = Command::new(kneepoint);
    agent.args(["agent", "--name", HOST, "--allow-root", "--join-file"]).arg(file);
    agent.arg("--state").arg(folder.join("agent"));
    for ground in grounds.iter().filter(|ground| ground.is_file()) {
        agent.args(["--target", &ground.target]);
    }
    let agent = agent.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let agent = Agent(agent.with_context(|| kneepoint.display().to_string())?);
    anyhow::ensure!(join.wait()?.success(), "the agent has not joined");
    Ok(agent)
}

/// What a command prints, which must succeed.
fn told(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("{command:?}"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "{command:?}: {errors}");
    Ok(output.stdout)
}

impl Block {
    /// Throughput with an agent over that without one.
    fn ratio(self) -> f64 {
        let [alone, agent] = [self.alone, self.agent].map(|[one, other]| one * other);
        (agent / alone).sqrt()
    }
}

/// The median of `values` and an interval that covers the true one with 95 % or more: from the order of the
/// values alone, whatever their distribution.
fn with_interval(mut values: Vec<f64>) -> Option<(f64, [f64; 2])> {
    values.sort_by(f64::total_cmp);
    let count = values.len();
    // The true median has fewer than `rank` values below it with the chance of `below`.
    let (mut rank, mut below, mut term) = (0, 0.0, 0.5f64.powi(i32::try_from(count).ok()?));
    while below + term <= 0.025 {
        below += term;
        term *= (count - rank) as f64 / (rank + 1) as f64;
        rank += 1;
    }
    let lowest = *values.get(rank.checked_sub(1)?)?;
    Some((median(values.iter().copied())?, [lowest, *values.get(count - rank)?]))
}

/// The table, and whether every row shows that an agent costs as little as it may.
fn text(rows: &[Row]) -> (String, bool) {
    let mut text = String::from(
        "| target | I/O | blocks of four runs | disturbed runs | without a fleet, IO/s | with an agent, IO/s | ratio | 95 % | costs 3 % at the most |\n\
         |---|---|--:|--:|--:|--:|--:|---|---|\n",
    );
    let mut is_shown = true;
    for Row { kind, engine, blocks, disturbed } in rows {
        let side =
            |of: fn(&Block) -> [f64; 2]| median(blocks.iter().flat_map(of)).unwrap_or(f64::NAN);
        let ratios = with_interval(blocks.iter().map(|block| block.ratio()).collect());
        let (ratio, [low, high]) = ratios.unwrap_or((f64::NAN, [f64::NAN; 2]));
        let runs = 4 * blocks.len();
        let verdict = match (low, high) {
            _ if *disturbed as f64 > DISTURBED_MAX * runs as f64 => "the machine was busy",
            (low, _) if low >= 1.0 - COST_MAX => "yes",
            (_, high) if high < 1.0 - COST_MAX => "no",
            _ => "cannot be told",
        };
        is_shown &= verdict == "yes";
        let _ = writeln!(
            text,
            "| {} | {engine} | {} | {disturbed} | {:.0} | {:.0} | {ratio:.3} | {low:.3} to {high:.3} | {verdict} |",
            kind.name(),
            blocks.len(),
            side(|block| block.alone),
            side(|block| block.agent),
        );
    }
    (text, is_shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(ratios: &[f64]) -> Vec<Block> {
        let block = |ratio: &f64| Block { alone: [100.0; 2], agent: [100.0 * ratio; 2] };
        ratios.iter().map(block).collect()
    }

    #[test]
    fn a_point_that_the_processor_limits_is_not_disturbed() {
        let point = |warnings: &str| {
            let text = format!("{{\"verdict\": \"disturbed\", \"warnings\": [{warnings}]}}");
            is_disturbed(&serde_json::from_str(&text).unwrap())
        };
        let bound = r#"{"kind": "generator_bound", "severity": "disturbs"}"#;
        let on_host =
            r#"{"kind": "on_host", "severity": "disturbs", "data": {"kind": "generator_bound"}}"#;
        let other = r#"{"kind": "other_cpu_load", "severity": "disturbs"}"#;
        let told = r#"{"kind": "other_cpu_load", "severity": "limits"}"#;
        assert!(!point(bound) && !point(on_host) && !point(told));
        assert!(point(other) && point(&format!("{bound}, {other}")));
    }

    #[test]
    fn what_changes_steadily_cancels_out_within_a_block() {
        // Each run is 10 % slower than the one before: without, with, with, without.
        let [first, second, third, last] = [1000.0, 900.0, 810.0, 729.0];
        let block = Block { alone: [first, last], agent: [second, third] };
        assert!((block.ratio() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_interval_of_a_median_has_the_ranks_of_tables() {
        // Conover, Practical Nonparametric Statistics: the sign test at 95 %.
        for (count, low) in [(6, 1.0), (10, 2.0), (15, 4.0), (20, 6.0), (25, 8.0)] {
            let values: Vec<f64> = (1..=count).map(f64::from).collect();
            let (middle, [lowest, highest]) = with_interval(values).unwrap();
            assert_eq!((lowest, highest), (low, f64::from(count) + 1.0 - low), "{count}");
            assert_eq!(middle, f64::from(count + 1) / 2.0);
        }
        assert_eq!(with_interval(vec![1.0; 5]), None, "five say too little");
    }

    #[test]
    fn a_row_says_what_can_be_told() {
        let told = |disturbed: usize, ratios: &[f64]| {
            let engine = "null, direct".to_owned();
            let row = Row { kind: FleetTarget::Null, engine, blocks: blocks(ratios), disturbed };
            let (text, is_shown) = text(&[row]);
            let row = text.lines().last().unwrap().to_owned();
            (row.rsplit('|').nth(1).unwrap().trim().to_owned(), is_shown)
        };
        let verdict = |ratios: &[f64]| told(0, ratios);
        let good = [0.98, 0.99, 1.0, 1.01, 0.98, 0.99];
        assert_eq!(verdict(&good), ("yes".to_owned(), true));
        assert_eq!(told(2, &good), ("yes".to_owned(), true), "2 of 24 runs");
        assert_eq!(told(3, &good), ("the machine was busy".to_owned(), false));
        assert_eq!(verdict(&[0.9, 0.91, 0.92, 0.93, 0.94, 0.96]), ("no".to_owned(), false));
        let (text, is_shown) = verdict(&[0.9, 1.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!((&*text, is_shown), ("cannot be told", false));
        assert_eq!(verdict(&[1.0]).0, "cannot be told");
    }
}
