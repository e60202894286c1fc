//! Texts of figures over several block sizes, and of series side by side.

/// Titles, captions and labels.
#[derive(Debug)]
pub(crate) struct GridTexts {
    /// The axis of block sizes.
    pub(crate) block_size: &'static str,
    /// The axis of loads, given the unit of the load.
    pub(crate) outstanding: &'static str,
    pub(crate) offered: &'static str,
    /// An axis of throughput, given its unit.
    pub(crate) throughput_in: fn(&str) -> String,
    /// An axis of sustained and peak throughput, given its unit.
    pub(crate) sustained_in: fn(&str) -> String,
    /// Title of the heat map, given the profile.
    pub(crate) heat: fn(&str) -> String,
    /// Small print of the heat map.
    pub(crate) heat_note: &'static str,
    /// Where cells have a reservation.
    pub(crate) heat_reservation: &'static str,
    /// Title of throughput over block size, given the profile.
    pub(crate) over_block_size: fn(&str) -> String,
    /// Small print of throughput over block size.
    pub(crate) over_block_size_note: &'static str,
    /// A block size and a load.
    pub(crate) at: fn(&str, &str) -> String,
    /// A load: so many outstanding I/Os, so many offered I/Os per second.
    pub(crate) load_outstanding: fn(&str) -> String,
    pub(crate) load_offered: fn(&str) -> String,
    /// Title of the bars of series with random, and with sequential access.
    pub(crate) bars_random: &'static str,
    pub(crate) bars_other: &'static str,
    pub(crate) bars_sequential: &'static str,
    /// Small print of the bars.
    pub(crate) bars_note: &'static str,
    /// If there are hollow bars.
    pub(crate) bars_bounds: &'static str,
    /// Sustained at a rule, and the peak.
    pub(crate) at_rule: fn(&str) -> String,
    pub(crate) peak: &'static str,
}
