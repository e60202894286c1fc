//! The languages that reports are written in: numbers, dates and all texts.
//!
//! Numbers come from [`kneepoint_core::words::number`], the one formatter of the program; here only
//! the signs change. Between a number and its unit, the percent sign included, stands a no-break
//! space. German groups digits by a narrow no-break space, as technical texts do, because a dot
//! could be taken for the decimal sign. Times are stored as RFC 3339 in UTC and stay in UTC.

pub(crate) mod omission;
pub(crate) mod texts;
mod warning;

use kneepoint_core::result::ThroughputUnit;
use kneepoint_core::words::number::{
    Change, Count, Iops, Level, Measured, MibPerS, Percentage, Rate, ResponseTime, RoundedBytes,
    Span,
};
use kneepoint_core::words::units::{Bytes, Nanos};

pub(crate) use warning::warning;

kneepoint_core::named! {
    /// A language that reports are written in.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub enum Language {
        /// English, with a decimal point.
        #[default]
        English = "english",
        /// German, with a decimal comma.
        German = "german",
    }
}

impl Language {
    /// What this language has, of English and German side by side.
    pub(crate) const fn choose<T: Copy>(self, [english, german]: [T; 2]) -> T {
        match self {
            Self::English => english,
            Self::German => german,
        }
    }

    /// The code of the language (BCP 47): `en`, `de`.
    pub const fn code(self) -> &'static str {
        self.choose(["en", "de"])
    }
}

/// Stands between a number and its unit.
const SPACE: char = '\u{a0}';
/// Stands before negative numbers.
const MINUS: char = '\u{2212}';
/// Groups digits in German.
const THIN_SPACE: char = '\u{202f}';

impl Language {
    /// A rate of any unit, as a bare number: `53.2`, `14,320`.
    pub fn rate(self, value: impl Into<Measured>) -> String {
        self.written(&Rate::<Measured>(value.into()).to_string())
    }

    /// A throughput with its unit.
    pub fn throughput(self, value: impl Into<Measured>, unit: ThroughputUnit) -> String {
        match unit {
            ThroughputUnit::Iops => self.iops(value),
            ThroughputUnit::MibPerS => self.mib_per_s(value),
            ThroughputUnit::OperationsPerS | ThroughputUnit::Ratio => {
                format!("{}\u{a0}{}", self.rate(value), unit.symbol())
            }
        }
    }

    /// I/Os per second: `14,320 IO/s`.
    pub fn iops(self, value: impl Into<Measured>) -> String {
        self.written(&Iops::<Measured>(value.into()).to_string())
    }

    /// Throughput in units of 2^20 bytes per second: `112 MiB/s`.
    pub fn mib_per_s(self, value: impl Into<Measured>) -> String {
        self.written(&MibPerS::<Measured>(value.into()).to_string())
    }

    /// A response time given in milliseconds, in the unit that suits it: `850 µs`, `12.3 ms`.
    pub fn response_time(self, ms: impl Into<Measured>) -> String {
        let text = ResponseTime::<Measured>(ms.into()).to_string();
        match text.strip_suffix(" us") {
            Some(number) => self.written(&format!("{number} µs")),
            None => self.written(&text),
        }
    }

    /// An exact count: `1,234,567`.
    pub fn count(self, value: usize) -> String {
        self.count_u64(value as u64)
    }

    /// An exact count of 64 bits.
    pub fn count_u64(self, value: u64) -> String {
        self.written(&Count(value).to_string())
    }

    /// A load level, exact where it was set: `64`, `23.4`.
    pub fn level(self, value: f64) -> String {
        self.written(&Level(value).to_string())
    }

    /// A percentage: `3.4 %`.
    pub fn percent(self, value: f64) -> String {
        self.written(&Percentage(value).to_string())
    }

    /// A difference in percent with its sign: `+5.2 %`.
    pub fn change(self, percent: f64) -> String {
        self.written(&Change(percent).to_string())
    }

    /// A size in a binary unit, exact where it is round: `8 GiB`; rounded where it is not: `10.7
    /// KiB`.
    pub fn bytes(self, bytes: u64) -> String {
        let exact = Bytes(bytes).to_string();
        match exact.find(|letter: char| letter.is_ascii_alphabetic()) {
            Some(unit) if unit <= 4 && !(bytes > 1024 && exact.ends_with("0B")) => {
                self.written(&format!("{} {}", &exact[..unit], &exact[unit..]))
            }
            _ => self.written(&RoundedBytes(bytes).to_string()),
        }
    }

    /// A time span in at most two units: `4 min 10 s`.
    pub fn span(self, seconds: f64) -> String {
        self.written(&Span(Nanos::from_secs_f64(seconds)).to_string())
    }

    /// A rule in running text: `within 20 ms`, `with p99 within 1 ms`; one that cannot be read as typed.
    pub fn within(self, rule: &str) -> String {
        texts::common::within(self, rule)
    }

    /// A number that was printed with decimal point and grouping commas, and may have a unit, as
    /// this language writes it.
    pub fn written(self, text: &str) -> String {
        let mut written = String::with_capacity(text.len() + 4);
        let text = match text
            .strip_prefix('-')
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        {
            Some(positive) => {
                written.push(MINUS);
                positive
            }
            None => text,
        };
        for character in text.chars() {
            match (character, self) {
                (' ', _) => written.push(SPACE),
                ('%', _) => written.extend([SPACE, '%']),
                (',', Self::German) => written.push(THIN_SPACE),
                ('.', Self::German) => written.push(','),
                (other, _) => written.push(other),
            }
        }
        match self {
            Self::German if written == "n/a" => "k.\u{a0}A.".to_owned(),
            _ => written,
        }
    }
}

impl Language {
    /// The day of an RFC 3339 time: `2026-03-12`, `12.03.2026`; nothing where it is not one.
    pub fn day(self, time: &str) -> Option<String> {
        let (day, _) = moment(time)?;
        let mut parts = day.splitn(3, '-');
        let (year, month, day_of_month) = (parts.next()?, parts.next()?, parts.next()?);
        Some(match self {
            Self::English => day.to_owned(),
            Self::German => format!("{day_of_month}.{month}.{year}"),
        })
    }

    /// From start to end, to the minute: `2026-03-12, 10:15 to 10:41 UTC`.
    pub fn period(self, start: &str, end: &str) -> String {
        let at = |time: &str| Some((self.day(time)?, moment(time)?.1.to_owned()));
        let [unknown, from, until, to] = match self {
            Self::English => ["not recorded", "from", "until", "to"],
            Self::German => ["nicht aufgezeichnet", "ab", "bis", "bis"],
        };
        match (at(start), at(end)) {
            (None, None) => unknown.to_owned(),
            (Some((day, time)), None) => format!("{day}, {from} {time} UTC"),
            (None, Some((day, time))) => format!("{day}, {until} {time} UTC"),
            (Some(start), Some(end)) if start == end => format!("{}, {} UTC", start.0, start.1),
            (Some(start), Some(end)) if start.0 == end.0 => {
                format!("{}, {} {to} {} UTC", start.0, start.1, end.1)
            }
            (Some(start), Some(end)) => {
                format!("{} {} {to} {} {} UTC", start.0, start.1, end.0, end.1)
            }
        }
    }
}

/// Day and minute of an RFC 3339 time in UTC.
fn moment(time: &str) -> Option<(&str, &str)> {
    let (day, clock) = time.split_once('T')?;
    Some((day, clock.get(..5)?))
}

#[cfg(test)]
mod tests {
    use super::Language::{English, German};

    #[test]
    fn every_language_has_its_own_signs() {
        assert_eq!(English.iops(14_323.0), "14,320\u{a0}IO/s");
        assert_eq!(German.iops(14_323.0), "14\u{202f}320\u{a0}IO/s");
        assert_eq!(German.mib_per_s(53.21), "53,2\u{a0}MiB/s");
        assert_eq!(English.percent(67.0), "67\u{a0}%");
        assert_eq!(German.change(5.24), "+5,2\u{a0}%");
        assert_eq!(English.change(-5.24), "\u{2212}5.2\u{a0}%");
        assert_eq!(German.rate(f64::NAN), "k.\u{a0}A.");
        assert_eq!(German.bytes(8 << 30), "8\u{a0}GiB");
        assert_eq!(German.span(250.0), "4\u{a0}min\u{a0}10\u{a0}s");
    }

    #[test]
    fn microseconds_have_their_letter() {
        assert_eq!(English.response_time(0.85), "850\u{a0}µs");
        assert_eq!(German.response_time(0.00853), "8,53\u{a0}µs");
        assert_eq!(German.response_time(12.34), "12,3\u{a0}ms");
    }

    #[test]
    fn block_sizes_are_exact_where_they_are_round() {
        let check = |bytes: u64, text: &str| assert_eq!(English.bytes(bytes), text);
        check(8192, "8\u{a0}KiB");
        check(512, "512\u{a0}B");
        check(1 << 20, "1\u{a0}MiB");
        check(10_936, "10.7\u{a0}KiB");
    }

    #[test]
    fn periods_name_the_day_once() {
        let check = |start: &str, end: &str, english: &str, german: &str| {
            assert_eq!(English.period(start, end), english);
            assert_eq!(German.period(start, end), german);
        };
        check(
            "2026-03-12T10:15:01Z",
            "2026-03-12T10:41:00Z",
            "2026-03-12, 10:15 to 10:41 UTC",
            "12.03.2026, 10:15 bis 10:41 UTC",
        );
        check(
            "2026-03-12T23:15:01Z",
            "2026-03-13T00:41:00Z",
            "2026-03-12 23:15 to 2026-03-13 00:41 UTC",
            "12.03.2026 23:15 bis 13.03.2026 00:41 UTC",
        );
        check("2026-03-12T10:15:01Z", "", "2026-03-12, from 10:15 UTC", "12.03.2026, ab 10:15 UTC");
        check("", "", "not recorded", "nicht aufgezeichnet");
        check("soon", "later", "not recorded", "nicht aufgezeichnet");
    }
}
