//! Where random I/Os fall: the distribution of a profile, as typed.

use serde::Deserialize;
use toml::Spanned;

use super::check::{Value, some, sums_to_100};
use super::{BANDS_MAX, Band, Distribution, PARETO_H_MAX, ZIPF_THETA_END};
use crate::spec::document::{Document, Entry, did_you_mean};
use crate::words::fault::Fault;

/// The kinds of distribution that can be typed.
const KINDS: [&str; 4] = ["uniform", "hot-band", "zipf", "pareto"];

/// Turns what was read into a distribution.
pub(super) fn distribution(
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
        "pareto" => match &file.h {
            Some(value) => share_of_hot(Entry::new(document, "h", value)),
            None => Err(kind
                .fault("pareto needs the share of its hot positions")
                .fix("add h = 0.2 to [distribution]: a fifth of the positions get four fifths of the I/Os")),
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
    if file.h.is_some() && kind.text() != "pareto" {
        return Err(kind
            .fault("only pareto has an 'h'")
            .fix("remove it, or set kind = \"pareto\""));
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

/// The share of hot positions of a Pareto distribution.
fn share_of_hot(entry: Entry) -> Result<Distribution, Fault> {
    let h = entry.number()?;
    if h > 0.0 && h <= PARETO_H_MAX {
        Ok(Distribution::Pareto { h })
    } else {
        Err(entry
            .fault(format!("a share of {h} is out of bounds"))
            .fix("use a number above 0 and at most 0.5, at which all positions are alike"))
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
    let range = some(Entry::new(document, "range", &file.range), "the band is empty", "it")?;
    Ok(Band { range, access: Entry::new(document, "access", &file.access).percent()? })
}

/// `[distribution]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DistributionFile {
    pub(super) kind: Value,
    pub(super) theta: Option<Value>,
    pub(super) h: Option<Value>,
    #[serde(default, rename = "band")]
    pub(super) bands: Vec<BandFile>,
}

/// `[[distribution.band]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BandFile {
    pub(super) range: Value,
    pub(super) access: Value,
}
