//! `[distribution]`.

use toml::Spanned;

use super::sums_to_100;
use crate::spec::document::{Document, Entry, did_you_mean};
use crate::spec::profile::file::{BandFile, DistributionFile};
use crate::spec::profile::{BANDS_MAX, Band, Distribution, ZIPF_THETA_END};
use crate::words::fault::Fault;
use crate::words::units::Percent;

/// The kinds of distribution that can be typed.
const KINDS: [&str; 3] = ["uniform", "hot-band", "zipf"];

/// Turns what was read into a distribution.
pub(super) fn check(
    document: Document,
    given: &Spanned<DistributionFile>,
) -> Result<Distribution, Fault> {
    let file = given.get_ref();
    let kind = Entry::new(document, "kind", &file.kind);
    refuse_keys_of_other_kinds(kind, file)?;
    match kind.text() {
        "uniform" => Ok(Distribution::Uniform),
        "hot-band" => bands(kind, document, &file.bands).map(Distribution::HotBand),
        "zipf" => match &file.theta {
            Some(value) => theta(Entry::new(document, "theta", value)),
            None => {
                Err(kind.fault("zipf needs its skew").fix("add theta = 0.99 to [distribution]"))
            }
        },
        other => {
            Err(kind.fault(format!("no distribution is called '{}'", other.escape_debug())).fix(
                did_you_mean(other, KINDS).unwrap_or_else(|| format!("use {}", KINDS.join(", "))),
            ))
        }
    }
}

/// A skew without zipf or bands without hot-band would be ignored, so they are refused.
fn refuse_keys_of_other_kinds(kind: Entry, file: &DistributionFile) -> Result<(), Fault> {
    if file.theta.is_some() && kind.text() != "zipf" {
        return Err(kind.fault("only zipf has a 'theta'").fix("remove it, or set kind = \"zipf\""));
    }
    if !file.bands.is_empty() && kind.text() != "hot-band" {
        return Err(kind
            .fault("only hot-band has bands")
            .fix("remove them, or set kind = \"hot-band\""));
    }
    Ok(())
}

/// The skew of a Zipf distribution.
fn theta(entry: Entry) -> Result<Distribution, Fault> {
    let theta = entry.number()?;
    if theta > 0.0 && theta < ZIPF_THETA_END {
        Ok(Distribution::Zipf { theta })
    } else {
        Err(entry
            .fault(format!("a skew of {theta} is out of bounds"))
            .fix("use a number above 0 and below 10; 0.99 is customary"))
    }
}

/// Bands that cover the range and all random I/Os.
fn bands(kind: Entry, document: Document, files: &[BandFile]) -> Result<Vec<Band>, Fault> {
    let Some(last) = files.last() else {
        return Err(kind
            .fault("hot-band needs its bands")
            .fix("add [[distribution.band]] tables with range and access"));
    };
    let at = Entry::new(document, "range", &last.range);
    if files.len() > BANDS_MAX {
        return Err(at.fault(format!("more than {BANDS_MAX} bands")).fix("merge some"));
    }
    let bands: Vec<Band> =
        files.iter().map(|file| band(document, file)).collect::<Result<_, _>>()?;
    sums_to_100(at, "the bands' ranges", bands.iter().map(|band| band.range))?;
    let at = Entry::new(document, "access", &last.access);
    sums_to_100(at, "the bands' accesses", bands.iter().map(|band| band.access))?;
    Ok(bands)
}

/// One band: some of the range, any share of the I/Os.
fn band(document: Document, file: &BandFile) -> Result<Band, Fault> {
    let entry = Entry::new(document, "range", &file.range);
    let range = entry.percent()?;
    if range == Percent::ZERO {
        return Err(entry.fault("the band is empty").fix("remove it"));
    }
    Ok(Band { range, access: Entry::new(document, "access", &file.access).percent()? })
}
