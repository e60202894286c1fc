//! The processor time that a control group may use: `cpu.cfs_quota_us` of the first version, `cpu.max` of the
//! second, for each period (Linux, Documentation/scheduler/sched-bwc.rst and admin-guide/cgroup-v2.rst).
//!
//! A level is a number of processors: `0.5` is half of the time of one. The group is the one that Kneepoint runs
//! in, and so all that it starts.

use std::path::{Path, PathBuf};

use kneepoint_core::measure::journal::{Form, SettingPlace};
use kneepoint_core::spec::factor::{CPU_QUOTA, Factor};
use kneepoint_core::words::fault::Fault;

use super::find::folder;
use super::place::NO_LIMIT;
use super::{VariedSetting, What};
use crate::facts::SysRoot;

/// Files of both versions.
const OLD: &str = "cpu.cfs_quota_us";
const OLD_PERIOD: &str = "cpu.cfs_period_us";
const NEW: &str = "cpu.max";

/// The least that the kernel takes, in microseconds.
const LEAST_US: f64 = 1_000.0;

/// More processors than a machine has.
const PROCESSORS_MAX: f64 = 100_000.0;

/// The quota of the group that this process is in.
///
/// # Errors
/// When it is in none that has one, or a level is no number of processors.
pub(super) fn find(root: &SysRoot, factor: &Factor) -> Result<VariedSetting, Fault> {
    let file = file_of(root).ok_or_else(|| {
        Fault::new("this process is in no control group whose processor time can be limited")
            .because(format!("neither {NEW} nor {OLD} is there for it"))
            .fix(
                "run in a group below the root with the cpu controller (systemd-run --scope -p CPUQuota=1000% \
                 kneepoint run ...)",
            )
    })?;
    let place = SettingPlace {
        factor: CPU_QUOTA.to_owned(),
        device: "this control group".to_owned(),
        file: file.to_string_lossy().into_owned(),
        form: Form::Quota,
    };
    let period_us = period_us(root, &file)?;
    let value = |level: &String| Ok((level.clone(), quota(level, period_us)?));
    let levels = factor.levels.iter().map(value).collect::<Result<_, Fault>>()?;
    Ok(VariedSetting { factor: factor.name.clone(), what: What::Place(place), levels })
}

fn file_of(root: &SysRoot) -> Option<PathBuf> {
    let first = folder(root, ("cgroup", "cpu")).map(|folder| folder.join(OLD));
    let second = folder(root, ("cgroup2", "")).map(|folder| folder.join(NEW));
    [first, second].into_iter().flatten().find(|file| root.path(file).exists())
}

fn period_us(root: &SysRoot, file: &Path) -> Result<f64, Fault> {
    let text = match is_new(&file.to_string_lossy()) {
        true => root.text(file).and_then(|text| Some(text.split_once(' ')?.1.to_owned())),
        false => root.text(file.with_file_name(OLD_PERIOD)),
    };
    let period: Option<f64> = text.and_then(|text| text.trim().parse().ok());
    period.filter(|period| *period > 0.0).ok_or_else(|| {
        Fault::new(format!("cannot tell the period of the quota in {}", file.display()))
    })
}

/// The value for a level, as `read_value` of its place gives it.
fn quota(level: &str, period_us: f64) -> Result<String, Fault> {
    if level == NO_LIMIT {
        return Ok(level.to_owned());
    }
    let processors: Option<f64> = level.parse().ok();
    let processors = processors.filter(|count| (0.0..PROCESSORS_MAX).contains(count));
    let us = processors.map(|count| (count * period_us).round()).filter(|us| *us >= LEAST_US);
    us.map(|us| us.to_string()).ok_or_else(|| {
        Fault::new(format!("'{level}' is no level of {CPU_QUOTA}"))
            .because(format!(
                "it is the time of that many processors, of which the kernel gives no less than {}",
                LEAST_US / period_us
            ))
            .fix(format!("use numbers such as 0.5, 1 or 2, or {NO_LIMIT}"))
    })
}

/// True if `file` is one of the second version.
pub(super) fn is_new(file: &str) -> bool {
    file.rsplit('/').next() == Some(NEW)
}

/// True if `file` has a quota.
pub(super) fn is_quota(file: &str) -> bool {
    [OLD, NEW].iter().any(|name| file.rsplit('/').next() == Some(*name)) && !file.contains("..")
}

/// A quota as it is in its file.
pub(super) fn read(text: &str) -> String {
    match text.split_whitespace().next().unwrap_or_default() {
        "-1" => NO_LIMIT.to_owned(),
        quota => quota.to_owned(),
    }
}

/// The text to write to `file` for a quota; the period stays.
pub(super) fn text_for(file: &str, value: &str) -> String {
    match (value, is_new(file)) {
        (NO_LIMIT, false) => "-1".to_owned(),
        (value, _) => value.to_owned(),
    }
}
