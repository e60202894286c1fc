//! The targets, prepared before the first round and gone after the last.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::case::{BenchTarget, Case};
use crate::folder::OwnFolder;
use crate::zram::Zram;

/// Bytes of every target: 1 GiB.
pub(super) const TARGET_BYTES: u64 = 1 << 30;

/// Where the targets are.
#[derive(Debug, Default)]
pub(super) struct Place {
    pub(super) folder: PathBuf,
    /// The device's node.
    pub(super) zram: Option<PathBuf>,
}

impl Place {
    /// The target as Kneepoint takes it.
    pub(super) fn kneepoint_target(&self, kind: BenchTarget) -> String {
        match kind {
            BenchTarget::Null => "null:".to_owned(),
            _ => self.file(kind).display().to_string(),
        }
    }

    /// The file for fio: the same, except for writes to a file, for which it has its own.
    pub(super) fn fio_file(&self, case: &Case) -> PathBuf {
        match case.target {
            BenchTarget::Cached | BenchTarget::Direct if !case.load.is_read_only() => {
                self.folder.join(format!("{}-fio.dat", case.target.name()))
            }
            kind => self.file(kind),
        }
    }

    /// Kneepoint's store.
    pub(super) fn store(&self) -> PathBuf {
        self.folder.join("kneepoint.db")
    }

    fn file(&self, kind: BenchTarget) -> PathBuf {
        match (kind, &self.zram) {
            (BenchTarget::Zram, Some(node)) => node.clone(),
            _ => self.folder.join(format!("{}.dat", kind.name())),
        }
    }
}

/// The prepared targets; they end with the value.
#[derive(Debug)]
pub(super) struct Targets {
    pub(super) place: Place,
    zram: Option<Zram>,
    _folder: OwnFolder,
}

impl Targets {
    /// A folder for targets in `parent`, with no target yet.
    pub(super) fn new(parent: &Path) -> anyhow::Result<Self> {
        let folder = OwnFolder::new(parent, "bench")?;
        let place = Place { folder: folder.path().to_owned(), zram: None };
        Ok(Self { place, zram: None, _folder: folder })
    }

    /// Makes the zram device.
    pub(super) fn add_zram(&mut self) -> anyhow::Result<()> {
        let device = Zram::new(TARGET_BYTES)?;
        let node = device.node().to_owned();
        // From here on the device goes away with the targets, even if filling it fails.
        self.zram = Some(device);
        fill(&node, OpenOptions::new().write(true).open(&node))?;
        self.place.zram = Some(node);
        Ok(())
    }

    /// Lets Kneepoint lay out its test file.
    pub(super) fn add_file(&self, kind: BenchTarget, kneepoint: &Path) -> anyhow::Result<()> {
        let mut command = Command::new(kneepoint);
        command.args(["run", "random-read", &self.place.kneepoint_target(kind), "--size=1GiB"]);
        command.args(["--outstanding=1", "--time=100ms", "--ramp=0s", "--json=-"]);
        command.arg(format!("--store={}", self.place.store().display()));
        if kind == BenchTarget::Cached {
            command.arg("--buffered");
        }
        let output = command.stdin(Stdio::null()).output();
        let output = output.with_context(|| kneepoint.display().to_string())?;
        let errors = String::from_utf8_lossy(&output.stderr);
        anyhow::ensure!(output.status.success(), "laying out the {} file: {errors}", kind.name());
        Ok(())
    }

    /// Brings the files of a case to where its rounds expect them: fio's own file is there, and
    /// what should be in the page cache is.
    pub(super) fn make_ready(&self, case: &Case) -> anyhow::Result<()> {
        let file = self.place.fio_file(case);
        let is_file = matches!(case.target, BenchTarget::Cached | BenchTarget::Direct);
        if is_file && !file.exists() {
            fill(&file, File::create_new(&file))?;
        }
        if case.target == BenchTarget::Cached {
            for path in [file, self.place.kneepoint_target(case.target).into()] {
                read_through(&path)?;
            }
        }
        Ok(())
    }
}

/// Reads a file from start to end, so that it is in the page cache.
fn read_through(path: &Path) -> anyhow::Result<()> {
    let copy = || io::copy(&mut File::open(path)?, &mut io::sink());
    copy().with_context(|| format!("reading {}", path.display()))?;
    Ok(())
}

/// Bytes written at a time.
const CHUNK_BYTES: usize = 1 << 20;

/// Fills a device that this process created, or a file that it has just made.
fn fill(path: &Path, file: io::Result<File>) -> anyhow::Result<()> {
    let filled = file.and_then(|file| write_random(file, TARGET_BYTES));
    filled.with_context(|| format!("filling {}", path.display()))
}

fn write_random(mut file: File, bytes: u64) -> io::Result<()> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut left = bytes;
    while left > 0 {
        random.fill_bytes(&mut chunk);
        let part = chunk.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        file.write_all(&chunk[..part])?;
        left -= part as u64;
    }
    file.sync_all()
}
