//! The highest clock frequency of the processors: `scaling_max_freq` of each policy of cpufreq, in kHz (Linux,
//! Documentation/admin-guide/pm/cpufreq.rst). A policy has the processors that share a clock.

use std::path::{Path, PathBuf};

use kneepoint_core::measure::journal::{Form, SettingPlace};
use kneepoint_core::spec::factor::Factor;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Frequency;

use super::{VariedSetting, What};
use crate::facts::SysRoot;

/// The name of the factor.
pub const FREQUENCY: &str = "frequency";

/// The folder of all policies.
const POLICIES: &str = "/sys/devices/system/cpu/cpufreq";

/// The file of a policy with its limit.
const LIMIT: &str = "scaling_max_freq";

/// The limits of all processors, each policy once.
///
/// # Errors
/// When the kernel offers no limit, or a level is outside of what the processors can do.
pub(super) fn find(root: &SysRoot, factor: &Factor) -> Result<Vec<VariedSetting>, Fault> {
    let names = root.dir(POLICIES).names().unwrap_or_default();
    let mut policies: Vec<String> =
        names.into_iter().filter(|name| number_of(name).is_some()).collect();
    policies.sort_by_key(|name| number_of(name));
    policies.retain(|name| root.path(file_of(name)).exists());
    if policies.is_empty() {
        return Err(Fault::new("the clock frequency of the processors cannot be varied")
            .because(format!("the kernel has no limit of it in {POLICIES}"))
            .fix("of a virtual machine vary it on the host; on a machine of your own load the cpufreq driver"));
    }
    policies.iter().map(|policy| varied(root, factor, policy)).collect()
}

fn number_of(policy: &str) -> Option<u32> {
    policy.strip_prefix("policy")?.parse().ok()
}

fn file_of(policy: &str) -> PathBuf {
    Path::new(POLICIES).join(policy).join(LIMIT)
}

fn varied(root: &SysRoot, factor: &Factor, policy: &str) -> Result<VariedSetting, Fault> {
    let bound = |name: &str| root.dir(Path::new(POLICIES).join(policy)).value(name);
    let ends = [bound("cpuinfo_min_freq"), bound("cpuinfo_max_freq")];
    let value = |level: &String| Ok((level.clone(), khz_of(level, ends)?.to_string()));
    let levels = factor.levels.iter().map(value).collect::<Result<_, Fault>>()?;
    let place = SettingPlace {
        factor: FREQUENCY.to_owned(),
        device: policy.to_owned(),
        file: file_of(policy).to_string_lossy().into_owned(),
        form: Form::Plain,
    };
    Ok(VariedSetting { factor: factor.name.clone(), what: What::Place(place), levels })
}

/// The kHz of a level, which the processors can do between `ends`.
fn khz_of(level: &str, [least, most]: [Option<u64>; 2]) -> Result<u64, Fault> {
    let Frequency(khz) = level.parse()?;
    let is_possible = least.is_none_or(|least| khz >= least) && most.is_none_or(|most| khz <= most);
    match (is_possible, least, most) {
        (false, Some(least), Some(most)) => {
            Err(Fault::new(format!("the processors cannot be limited to {level}"))
                .because(format!("they do {least} to {most} kHz"))
                .fix("use levels between"))
        }
        (false, ..) => Err(Fault::new(format!("the processors cannot be limited to {level}"))),
        (true, ..) => Ok(khz),
    }
}

/// True if `file` is the limit of a policy.
pub(super) fn is_limit(file: &str) -> bool {
    let policy = file.strip_prefix(POLICIES).and_then(|rest| rest.strip_prefix('/'));
    let policy = policy.and_then(|rest| rest.strip_suffix(LIMIT)?.strip_suffix('/'));
    policy.is_some_and(|policy| number_of(policy).is_some())
}
