//! Result files of `runcpu` of a licensed tree: lines of a name and a value, of which those of one benchmark are
//! read.
//!
//! ```text
//! spec.cpu2017.results.505_mcf_r.base.000.copies: 2
//! spec.cpu2017.results.505_mcf_r.base.000.reference: 1616
//! spec.cpu2017.results.505_mcf_r.base.000.reported_time: 412.5
//! spec.cpu2017.results.505_mcf_r.base.000.valid: S
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use kneepoint_core::spec::profile::Runcpu;
use kneepoint_core::words::printable::printable;
use kneepoint_core::words::units::Nanos;

/// Larger than any result file, in bytes.
const FILE_MAX: u64 = 16 << 20;

/// What a run that went well and was verified has in `valid`.
const VALID: &str = "S";

/// Reference times that differ by no more than this share are one.
const REFERENCE_SHARE_MAX: f64 = 0.005;

/// Result files below the output root of a tree.
pub(super) fn result_files(root: &Path) -> BTreeSet<OsString> {
    let entries = fs::read_dir(root.join("result")).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    names.filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "rsf")).collect()
}

/// The only result file below `root` that was not there `before`.
///
/// # Errors
/// When there is none, or more than one.
pub(super) fn new_file(root: &Path, before: &BTreeSet<OsString>) -> Result<PathBuf, String> {
    let now = result_files(root);
    let mut new = now.difference(before);
    match (new.next(), new.next()) {
        (Some(name), None) => Ok(root.join("result").join(name)),
        (None, _) => Err("runcpu wrote no result file".to_owned()),
        (Some(_), Some(_)) => Err("runcpu wrote several result files".to_owned()),
    }
}

/// The time that `copies` copies of a benchmark took by a result file; `reference` is the time that the suite's
/// file says of the reference machine.
///
/// # Errors
/// When the file does not say so, or says that something was wrong.
pub(super) fn time_in(
    file: &Path,
    benchmark: &Runcpu,
    (copies, reference): (usize, Nanos),
) -> Result<Nanos, String> {
    let mut text = String::new();
    let opened = File::open(file).map_err(|error| error.to_string())?;
    opened.take(FILE_MAX).read_to_string(&mut text).map_err(|error| error.to_string())?;
    time_of(&text, benchmark, (copies, reference))
}

fn time_of(
    text: &str,
    Runcpu { benchmark, tune, size, .. }: &Runcpu,
    (copies, reference): (usize, Nanos),
) -> Result<Nanos, String> {
    let values = values(text, &format!(".results.{}.{tune}.000.", benchmark.replace('.', "_")))?;
    let value = |name: &str| {
        let found = values.get(name).copied();
        found.ok_or_else(|| format!("its result file has no '{name}' of {benchmark}, {tune}"))
    };
    let number = |name: &str| {
        let text = value(name)?;
        let number: Option<f64> = text.parse().ok();
        number.filter(|number| number.is_finite() && *number > 0.0).ok_or_else(|| {
            format!("its result file has '{}' as '{name}' of {benchmark}", printable(text))
        })
    };
    let valid = value("valid")?;
    if valid != VALID {
        let said = values.get("errors").copied().unwrap_or_default();
        return Err(format!(
            "runcpu says '{}' of {benchmark} {}",
            printable(valid),
            printable(said)
        )
        .trim_end()
        .to_owned());
    }
    let (found, wanted) = (number("copies")?, copies as f64);
    if (found - wanted).abs() > 0.0 {
        return Err(format!(
            "runcpu has run {found} copies of {benchmark}, and was to run {wanted}"
        ));
    }
    let (found, wanted) = (number("reference")?, reference.as_secs_f64());
    let is_one = (found / wanted - 1.0).abs() <= REFERENCE_SHARE_MAX;
    // Smaller work has other times, or none.
    if size == "ref" && !is_one {
        return Err(format!(
            "the tree's reference time of {benchmark} is {found} s, and reference_seconds is {wanted}"
        ));
    }
    Ok(Nanos::from_secs_f64(number("reported_time")?))
}

/// The values behind names that have `place` in them, by the rest of their names.
fn values<'a>(text: &'a str, place: &str) -> Result<BTreeMap<&'a str, &'a str>, String> {
    let mut values = BTreeMap::new();
    for line in text.lines() {
        let Some((name, value)) = line.split_once(':') else { continue };
        let Some((suite, field)) = name.split_once(place) else { continue };
        if !suite.starts_with("spec.") {
            continue;
        }
        if values.insert(field, value.trim()).is_some() {
            return Err(format!("its result file has '{}' twice", printable(name)));
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn benchmark(size: &str) -> Runcpu {
        Runcpu {
            tree: "/tree".to_owned(),
            config: "mine.cfg".to_owned(),
            benchmark: "505.mcf_r".to_owned(),
            tune: "base".to_owned(),
            size: size.to_owned(),
        }
    }

    const RIGHT: &str = "spec.cpu2017.name: CPU\n\
        spec.cpu2017.results.505_mcf_r.base.000.benchmark: 505.mcf_r\n\
        spec.cpu2017.results.505_mcf_r.base.000.copies: 2\n\
        spec.cpu2017.results.505_mcf_r.base.000.errors:\n\
        spec.cpu2017.results.505_mcf_r.base.000.reference: 1616\n\
        spec.cpu2017.results.505_mcf_r.base.000.reported_time: 412.5\n\
        spec.cpu2017.results.505_mcf_r.base.000.valid: S\n\
        spec.cpu2017.results.505_mcf_r.peak.000.reported_time: 99\n";

    fn time(text: &str) -> Result<Nanos, String> {
        time_of(text, &benchmark("ref"), (2, Nanos::from_secs(1616)))
    }

    #[test]
    fn the_time_of_verified_copies_is_read() {
        assert_eq!(time(RIGHT), Ok(Nanos::from_secs_f64(412.5)));
        let small = time_of(RIGHT, &benchmark("test"), (2, Nanos::from_secs(3)));
        assert_eq!(small, Ok(Nanos::from_secs_f64(412.5)), "no reference of small work");
    }

    #[test]
    fn what_is_wrong_with_a_result_is_said() {
        for (from, to, expected) in [
            ("valid: S", "valid: VE", "runcpu says 'VE' of 505.mcf_r"),
            ("errors:", "errors: miscompare", "412.5"),
            ("copies: 2", "copies: 1", "has run 1 copies of 505.mcf_r, and was to run 2"),
            ("reference: 1616", "reference: 1700", "reference time of 505.mcf_r is 1700 s"),
            ("reported_time: 412.5", "reported_time: --", "has '--' as 'reported_time'"),
            ("reported_time: 412.5", "reported_time: 0", "has '0' as 'reported_time'"),
            ("reported_time: 412.5", "x: 1", "has no 'reported_time' of 505.mcf_r, base"),
            ("base.000.benchmark", "base.000.valid", "' twice"),
            ("505_mcf_r.base", "500_perlbench_r.base", ""),
        ] {
            let said = match time(&RIGHT.replacen(from, to, 1)) {
                Ok(time) => time.as_secs_f64().to_string(),
                Err(said) => said,
            };
            assert!(said.contains(expected), "{to}: {said}");
        }
        let other = RIGHT.replace("505_mcf_r", "500_perlbench_r");
        assert!(time(&other).unwrap_err().contains("no 'valid' of 505.mcf_r"));
        let failed = RIGHT.replace("valid: S", "valid: RE").replace("errors:", "errors: died");
        assert!(time(&failed).unwrap_err().contains("'RE' of 505.mcf_r died"));
    }

    #[test]
    fn the_new_file_is_the_one_that_is_read() {
        let root = tempfile::tempdir().unwrap();
        let file = |name: &str| fs::write(root.path().join("result").join(name), "").unwrap();
        assert!(result_files(root.path()).is_empty(), "there is no folder yet");
        fs::create_dir(root.path().join("result")).unwrap();
        file("CPU2017.001.intrate.rsf");
        let before = result_files(root.path());
        assert!(new_file(root.path(), &before).unwrap_err().contains("no result file"));
        file("CPU2017.002.log");
        file("CPU2017.002.intrate.rsf");
        let new = new_file(root.path(), &before).unwrap();
        assert!(new.ends_with("result/CPU2017.002.intrate.rsf"));
        file("CPU2017.003.intrate.rsf");
        assert!(new_file(root.path(), &before).unwrap_err().contains("several"));
    }
}
