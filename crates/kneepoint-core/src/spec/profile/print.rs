//! A profile as TOML again.

use serde::{Serialize, Serializer};

use super::{Align, Line, Profile};
use crate::spec::document;
use crate::spec::grid::Loads;
use crate::spec::profile::{AddressRange, Band, DataPattern, Distribution};
use crate::words::load::LoadUnit;
use crate::words::units::{Nanos, Percent};

impl Profile {
    /// The profile in TOML, without what is left to its default; reads back as the same profile.
    pub fn to_toml(&self) -> String {
        document::print(&ProfileText::new(self))
    }
}

/// A profile's keys in the order in which they are written.
#[derive(Serialize)]
pub(crate) struct ProfileText<'a> {
    name: &'a str,
    title: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    source: &'a str,
    #[serde(flatten)]
    loads: LoadsText,
    #[serde(rename = "line")]
    lines: Vec<LineText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<AddressText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distribution: Option<DistributionText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<DataText>,
}

impl<'a> ProfileText<'a> {
    /// The text of `profile`.
    pub(crate) fn new(profile: &'a Profile) -> Self {
        Self {
            name: &profile.name,
            title: &profile.title,
            description: &profile.description,
            source: &profile.source,
            loads: LoadsText::new(profile.loads.as_ref()),
            lines: profile.lines.iter().map(LineText::new).collect(),
            address: AddressText::new(profile.range),
            distribution: DistributionText::new(&profile.distribution),
            data: DataText::new(profile.data),
        }
    }
}

/// `outstanding` or `rate`.
#[derive(Serialize)]
pub(crate) struct LoadsText {
    #[serde(skip_serializing_if = "Option::is_none")]
    outstanding: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate: Option<String>,
}

impl LoadsText {
    /// The text of `loads` under the key of their unit.
    pub(crate) fn new(loads: Option<&Loads>) -> Self {
        let of = |unit| loads.filter(|loads| loads.unit() == unit).map(Loads::to_string);
        Self { outstanding: of(LoadUnit::OutstandingIos), rate: of(LoadUnit::OfferedIops) }
    }
}

/// A percentage as a bare number, whole where it is.
struct Bare(Percent);

impl Serialize for Bare {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let percent = self.0.get();
        if percent.fract() == 0.0 {
            serializer.serialize_u8(percent as u8)
        } else {
            serializer.serialize_f64(percent)
        }
    }
}

#[derive(Serialize)]
struct LineText {
    share: Bare,
    size: String,
    read: Bare,
    random: Bare,
    #[serde(skip_serializing_if = "Option::is_none")]
    burst: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delay: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    align: Option<String>,
}

impl LineText {
    fn new(line: &Line) -> Self {
        let pauses = line.delay > Nanos::ZERO;
        Self {
            share: Bare(line.share),
            size: line.size.to_string(),
            read: Bare(line.read),
            random: Bare(line.random),
            burst: (pauses || line.burst != 1).then_some(line.burst),
            delay: pauses.then(|| line.delay.to_string()),
            align: match line.align {
                Align::Request => None,
                Align::Sector => Some("sector".to_owned()),
                Align::Size(size) => Some(size.to_string()),
            },
        }
    }
}

#[derive(Serialize)]
struct AddressText {
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Bare>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Bare>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stroke: Option<Bare>,
}

impl AddressText {
    fn new(range: AddressRange) -> Option<Self> {
        let AddressRange { start, end } = range;
        let (start, end, stroke) = match range {
            AddressRange::WHOLE => return None,
            _ if start == Percent::ZERO => (None, None, Some(Bare(end))),
            _ => (Some(Bare(start)), Some(Bare(end)), None),
        };
        Some(Self { start, end, stroke })
    }
}

#[derive(Serialize)]
struct DistributionText<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    theta: Option<f64>,
    #[serde(rename = "band", skip_serializing_if = "Vec::is_empty")]
    bands: Vec<BandText<'a>>,
}

impl<'a> DistributionText<'a> {
    fn new(distribution: &'a Distribution) -> Option<Self> {
        match distribution {
            Distribution::Uniform => None,
            Distribution::HotBand(bands) => Some(Self {
                kind: "hot-band",
                theta: None,
                bands: bands.iter().map(BandText).collect(),
            }),
            Distribution::Zipf { theta } => {
                Some(Self { kind: "zipf", theta: Some(*theta), bands: Vec::new() })
            }
        }
    }
}

struct BandText<'a>(&'a Band);

impl Serialize for BandText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Keys {
            range: Bare,
            access: Bare,
        }
        Keys { range: Bare(self.0.range), access: Bare(self.0.access) }.serialize(serializer)
    }
}

#[derive(Serialize)]
struct DataText {
    compressible: Bare,
    duplicate: Bare,
}

impl DataText {
    fn new(data: DataPattern) -> Option<Self> {
        let written = data.compressible != Percent::ZERO || data.duplicate != Percent::ZERO;
        let DataPattern { compressible, duplicate } = data;
        written.then_some(Self { compressible: Bare(compressible), duplicate: Bare(duplicate) })
    }
}
