//! The machine that the numbers are of, and the programs on its PATH.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::available_parallelism;
use std::{env, fs};

use anyhow::Context;
use jiff::Zoned;
use serde_json::{Value, json};

use super::tool::Programs;

/// What a table of results names.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) cpu: String,
    pub(super) cores: usize,
    pub(super) kernel: String,
    pub(super) fio: String,
    pub(super) kneepoint: String,
    pub(super) date: String,
}

impl Machine {
    /// This machine, now.
    pub(super) fn here(programs: &Programs) -> anyhow::Result<Self> {
        let cpu_info = fs::read_to_string("/proc/cpuinfo").context("/proc/cpuinfo")?;
        let kernel = "/proc/sys/kernel/osrelease";
        Ok(Self {
            cpu: cpu_model(&cpu_info).unwrap_or("unknown CPU").to_owned(),
            cores: available_parallelism().context("number of cores")?.get(),
            kernel: fs::read_to_string(kernel).context(kernel)?.trim().to_owned(),
            fio: version(&programs.fio)?,
            kneepoint: version(&programs.kneepoint)?,
            date: Zoned::now().date().to_string(),
        })
    }

    /// One line.
    pub(super) fn line(&self) -> String {
        let Self { cpu, cores, kernel, fio, kneepoint, date } = self;
        format!("{cpu}, {cores} cores, Linux {kernel}, {fio}, {kneepoint}, {date}")
    }

    /// For tracking.
    pub(super) fn json(&self) -> Value {
        let Self { cpu, cores, kernel, fio, kneepoint, date } = self;
        json!({
            "cpu": cpu, "cores": cores, "kernel": kernel, "fio": fio, "kneepoint": kneepoint,
            "date": date,
        })
    }
}

/// The name of the first CPU; not every architecture gives one.
fn cpu_model(cpu_info: &str) -> Option<&str> {
    let mut lines = cpu_info.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(key, _)| key.trim() == "model name").map(|(_, name)| name.trim())
}

#[test]
fn the_cpu_has_a_name_where_the_kernel_knows_it() {
    let text = "processor\t: 0\nmodel\t\t: 2\nmodel name\t: Some CPU 9\nflags\t\t: fpu\n";
    assert_eq!(cpu_model(text), Some("Some CPU 9"));
    assert_eq!(cpu_model("processor\t: 0\n"), None);
}

/// The first file of one of these names in a folder of PATH.
pub(super) fn find_program(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let paths = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    paths.into_iter().find(|path| path.is_file())
}

/// The first line of what `--version` prints.
fn version(program: &Path) -> anyhow::Result<String> {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .with_context(|| format!("{} --version", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().next().unwrap_or_default().to_owned())
}
