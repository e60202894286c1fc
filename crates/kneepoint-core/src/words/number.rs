//! How numbers read to people: the one formatter of terminal and report.
//!
//! Each type wraps a plain number and prints it. Measured values carry three or four significant
//! digits, because no storage measurement is truer than that, and fewer if their interval justifies
//! fewer: see [`Measured`]. Counts are exact. Digits are grouped in threes with a comma and the
//! decimal sign is a point, in every locale. All types honour the width and alignment of the format
//! string, so that columns line up: `{:>8}`.
//!
//! A number that is not finite prints as `n/a`.

use std::fmt;

use crate::words::units::Nanos;

/// What is printed in place of a number that does not exist.
const NOT_A_NUMBER: &str = "n/a";

/// From here on powers of ten are easier to read than groups of zeros.
const SCIENTIFIC_FROM: f64 = 1e15;

/// Makes types that wrap a number and print it by a function.
macro_rules! printed {
    ($($(#[$attribute:meta])* $name:ident($number:ty) = $print:expr;)+) => {$(
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
        pub struct $name(pub $number);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let print: fn($number) -> String = $print;
                f.pad(&print(self.0))
            }
        }
    )+};
}

/// A measured number with the half-width of its 95 % confidence interval, if that is known.
///
/// The number is printed down to the place of the half-width's second significant digit: 801 within
/// 130 as `800`, 14,323 within 40 as `14,320`. It keeps at least two significant digits, and has
/// never more than a number without interval.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Measured {
    /// The number.
    pub value: f64,
    /// The half-width, in the unit of the number.
    pub ci95: Option<f64>,
}

impl Measured {
    /// The half-width of an interval, printed like the number that it belongs to: with two
    /// significant digits.
    pub const fn margin(half_width: f64) -> Self {
        Self { value: half_width, ci95: Some(half_width) }
    }

    /// The same in another unit, `factor` of which are one of this.
    pub fn scaled(self, factor: f64) -> Self {
        Self { value: self.value * factor, ci95: self.ci95.map(|half| half * factor) }
    }

    /// The number that is printed of this one as a bound: no higher, or no lower, than it is.
    #[must_use]
    pub fn rounded(self, rounding: Rounding) -> Self {
        let place = |value: f64| printed_place(value.abs(), Self { value, ..self });
        Self { value: settled(self.value, rounding, place), ..self }
    }

    /// The power of ten of the last digit that the interval justifies.
    fn last_place(self) -> Option<i32> {
        let half_width = self.ci95.filter(|half| half.is_finite() && *half > 0.0)?;
        (self.value != 0.0).then(|| second_place(half_width).min(second_place(self.value)))
    }
}

/// To which side a number is rounded. A bound must not be printed on the wrong side of what is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest: of a number that is no bound.
    Nearest,
    /// Towards minus infinity: of a bound from below.
    Down,
    /// Towards infinity: of a bound from above.
    Up,
}

impl Rounding {
    /// `value` with `decimals` decimals; with a negative number of them, in tens, hundreds and so on.
    pub fn at(self, value: f64, decimals: i32) -> f64 {
        let unit = (0..decimals.abs()).fold(1.0, |unit, _| unit * 10.0);
        let scaled = if decimals >= 0 { value * unit } else { value / unit };
        let nearest = scaled.round();
        // What has that number of decimals but for the last bits of its fraction stays as it is.
        let is_there = (scaled - nearest).abs() <= 1e-9 * scaled.abs().max(1.0);
        let rounded = match self {
            Self::Down if !is_there => scaled.floor(),
            Self::Up if !is_there => scaled.ceil(),
            _ => nearest,
        };
        if decimals >= 0 { rounded / unit } else { rounded * unit }
    }
}

/// A number rounded to the place to which it is printed: the place can change as it is rounded, at
/// powers of ten.
fn settled(value: f64, rounding: Rounding, place: impl Fn(f64) -> i32) -> f64 {
    if rounding == Rounding::Nearest || !value.is_finite() || value.abs() >= SCIENTIFIC_FROM {
        return value;
    }
    // Just below a power of ten there may be one digit more than its rounding has.
    let mut digits = place(value * (1.0 - PLACE_SHARE)).min(place(value));
    let mut settled = value;
    for _ in 0..PLACES_MAX {
        let next = rounding.at(settled, -digits);
        let printed = place(next);
        if next == settled && printed == digits {
            break;
        }
        (settled, digits) = (next, printed);
    }
    settled
}

/// More than half a unit of the last place of any number.
const PLACE_SHARE: f64 = 0.006;
/// Rounding moves a number over a power of ten once, and then once to its new place.
const PLACES_MAX: usize = 4;

impl From<f64> for Measured {
    fn from(value: f64) -> Self {
        Self { value, ci95: None }
    }
}

/// Makes types that wrap a measured number, or a plain one, and print it by a function.
macro_rules! measured {
    ($($(#[$attribute:meta])* $name:ident = $print:expr;)+) => {$(
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
        pub struct $name<N = f64>(pub N);

        impl<N: Copy + Into<Measured>> fmt::Display for $name<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let print: fn(Measured) -> String = $print;
                f.pad(&print(self.0.into()))
            }
        }
    )+};
}

measured! {
    /// A rate of any unit, as a bare number: `3.25`, `53.2`, `532`, `5,321`, `14,320`.
    ///
    /// Three significant digits below 1,000 (at most three decimals), four from there on; fewer if
    /// its interval justifies fewer.
    Rate = |rate| signed(rate.value, |size| justified(size, rate));

    /// I/Os per second: `14,320 IO/s`.
    Iops = |rate| format!("{} IO/s", Rate(rate));

    /// Throughput in units of 2^20 bytes per second: `112 MiB/s`.
    MibPerS = |rate| format!("{} MiB/s", Rate(rate));

    /// A response time given in milliseconds, in the unit that suits it: `850 us`, `12.3 ms`,
    /// `1.25 s`.
    ResponseTime = |time| signed(time.value, |ms| response_time(ms, time));
}

printed! {
    /// An exact count: `1,234,567`.
    Count(u64) = |count| grouped(&count.to_string());

    /// A load level: `64` where it was set, `23.4` where it was interpolated, `1,200` for a rate.
    Level(f64) = |level| {
        let exact = level.fract() == 0.0 && level.abs() < SCIENTIFIC_FROM;
        signed(level, if exact { whole } else { significant })
    };

    /// A percentage: `0.04%`, `3.4%`, `67%`; whole numbers have no decimals.
    Percentage(f64) = |percent| signed(percent, percentage);

    /// A difference in percent, always with its sign: `+5.2%`, `-12%`, `0%`.
    Change(f64) = |percent| {
        let sign = if percent > 0.0 && percent.is_finite() { "+" } else { "" };
        format!("{sign}{}", Percentage(percent))
    };

    /// A size rounded to a binary unit: `8.0 GiB`, `931 GiB`, `512 B`.
    RoundedBytes(u64) = size;

    /// A time span that someone waits for, in at most two units: `10 s`, `4 min 10 s`, `2 h 5 min`.
    ///
    /// Whole seconds below an hour, so that a countdown does not flicker.
    Span(Nanos) = |time| span(time.as_secs_f64());
}

impl Percentage {
    /// The percentage that is printed of this one as a bound.
    pub fn rounded(self, rounding: Rounding) -> Self {
        Self(settled(self.0, rounding, |value| -percentage_decimals(value.abs())))
    }
}

impl Change {
    /// The change that is printed of this one as a bound.
    pub fn rounded(self, rounding: Rounding) -> Self {
        Self(Percentage(self.0).rounded(rounding).0)
    }
}

/// A number with this many decimals, whatever it is: `12.0`, `-0.5`. What rounds to zero has no sign.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Fixed(pub f64, pub usize);

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value, decimals) = *self;
        f.pad(&signed(value, |size| format!("{size:.decimals$}")))
    }
}

/// A difference with this many decimals and always with its sign: `+12.0`, `-0.5`. What rounds to zero has
/// none: nothing was seen on either side.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Difference(pub f64, pub usize);

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Fixed(self.0, self.1).to_string();
        let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
        let is_more = self.0 > 0.0 && self.0.is_finite() && !is_zero;
        f.pad(&if is_more { format!("+{text}") } else { text })
    }
}

/// Prints the sign and leaves the magnitude to `print`; a negative zero has no sign.
fn signed(value: f64, print: impl Fn(f64) -> String) -> String {
    if !value.is_finite() {
        return NOT_A_NUMBER.to_owned();
    }
    let text = print(value.abs());
    let is_zero = text.bytes().all(|byte| !byte.is_ascii_digit() || byte == b'0');
    if value < 0.0 && !is_zero { format!("-{text}") } else { text }
}

/// The power of ten of the last digit that is printed of a measured number, given its size.
fn printed_place(size: f64, measured: Measured) -> i32 {
    let justified = measured.last_place().filter(|_| size < SCIENTIFIC_FROM);
    justified.map_or(usual_place(size), |place| place.max(usual_place(size)))
}

/// The size of a measured number with the digits that its interval justifies.
fn justified(size: f64, measured: Measured) -> String {
    match measured.last_place().filter(|place| *place > usual_place(size)) {
        Some(place) if size < SCIENTIFIC_FROM => rounded_at(size, place),
        _ => significant(size),
    }
}

/// The power of ten of the second significant digit of a number, rounded to two.
fn second_place(value: f64) -> i32 {
    exponent(&format!("{value:.1e}")) - 1
}

/// The power of ten of the first digit of a number in scientific notation.
fn exponent(scientific: &str) -> i32 {
    let exponent = scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok());
    exponent.unwrap_or(0)
}

/// The power of ten of the last digit that is printed of a number without interval.
fn usual_place(size: f64) -> i32 {
    match size {
        v if v >= 999.5 => exponent(&format!("{:e}", rounded_to_four_digits(v))) - 3,
        v if v >= 99.95 => 0,
        v if v >= 9.995 => -1,
        v if v >= 0.9995 => -2,
        _ => -3,
    }
}

/// A number rounded at a power of ten.
fn rounded_at(size: f64, place: i32) -> String {
    let decimals = usize::try_from(-place).unwrap_or(0);
    let unit = (0..place).fold(1.0, |unit, _| unit * 10.0);
    grouped(&format!("{:.decimals$}", if place > 0 { (size / unit).round() * unit } else { size }))
}

/// Three significant digits below 1,000, four above; `value` is not negative.
fn significant(value: f64) -> String {
    if value >= SCIENTIFIC_FROM {
        return format!("{value:.2e}");
    }
    if value >= 999.5 {
        return whole(rounded_to_four_digits(value));
    }
    if value > 0.0 && value < 0.0005 {
        return "<0.001".to_owned();
    }
    if value > 0.0 && value < 0.9995 {
        return format!("{value:.3}");
    }
    three_digits(value)
}

/// Rounds away what four significant digits don't hold.
fn rounded_to_four_digits(value: f64) -> f64 {
    let mut unit = 1.0;
    while value / unit >= 9999.5 {
        unit *= 10.0;
    }
    (value / unit).round() * unit
}

/// Three significant digits of a number from 1 to 1,000; below 1 two decimals.
fn three_digits(value: f64) -> String {
    let decimals = match value {
        v if v == 0.0 || v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    grouped(&format!("{value:.decimals$}"))
}

/// No decimals.
fn whole(value: f64) -> String {
    grouped(&format!("{value:.0}"))
}

/// The unit steps up where three digits of the smaller unit would round to 1,000.
fn response_time(ms: f64, time: Measured) -> String {
    let within = |factor: f64| justified(ms * factor, time.scaled(factor));
    match ms {
        0.0 => "0 ms".to_owned(),
        ms if ms < 0.000_999_5 => format!("{:.0} ns", ms * 1e6),
        ms if ms < 0.999_5 => format!("{} us", within(1e3)),
        ms if ms < 999.5 => format!("{} ms", within(1.0)),
        _ => format!("{} s", within(1e-3)),
    }
}

/// One decimal below 10 unless the number is whole; two below 0.1.
fn percentage(value: f64) -> String {
    let decimals = percentage_decimals(value) as usize;
    if decimals == 2 && value < 0.005 {
        return "<0.01%".to_owned();
    }
    if value >= SCIENTIFIC_FROM {
        return format!("{value:.2e}%");
    }
    format!("{}%", grouped(&format!("{value:.decimals$}")))
}

fn percentage_decimals(value: f64) -> i32 {
    match value {
        v if v.fract() == 0.0 || v >= 9.95 => 0,
        v if v >= 0.095 => 1,
        _ => 2,
    }
}

/// One decimal below 100 of a unit, none above; whole bytes are exact.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = bytes as f64;
    let mut index = 0;
    while index + 1 < UNITS.len() && value >= 1023.5 {
        value /= 1024.0;
        index += 1;
    }
    let decimals = usize::from(index > 0 && value < 99.95);
    format!("{} {}", grouped(&format!("{value:.decimals$}")), UNITS[index])
}

/// The two largest units of a time span in seconds.
fn span(secs: f64) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    let rounded = |unit: u64| (secs / unit as f64).round() as u64 * unit;
    if secs == 0.0 {
        "0 s".to_owned()
    } else if rounded(1) < 1 {
        "<1 s".to_owned()
    } else if rounded(1) < HOUR {
        two_units(rounded(1), (MINUTE, "min"), (1, "s"))
    } else if rounded(MINUTE) < DAY {
        two_units(rounded(MINUTE), (HOUR, "h"), (MINUTE, "min"))
    } else {
        two_units(rounded(HOUR), (DAY, "d"), (HOUR, "h"))
    }
}

/// `4 min 10 s`, without the part that is zero.
fn two_units(secs: u64, large: (u64, &str), small: (u64, &str)) -> String {
    let (whole, rest) = (secs / large.0, secs % large.0 / small.0);
    match (whole, rest) {
        (0, rest) => format!("{rest} {}", small.1),
        (whole, 0) => format!("{} {}", Count(whole), large.1),
        (whole, rest) => format!("{} {} {rest} {}", Count(whole), large.1, small.1),
    }
}

/// Groups the digits before the decimal point in threes.
fn grouped(digits: &str) -> String {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut text = String::with_capacity(digits.len() + whole.len() / 3 + 1);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rates_have_three_or_four_significant_digits() {
        let check = |value: f64, text: &str| assert_eq!(Rate(value).to_string(), text);
        check(0.0, "0");
        check(-0.0, "0");
        check(0.000_04, "<0.001");
        check(0.25, "0.250");
        check(0.9996, "1.00");
        check(3.249, "3.25");
        check(9.996, "10.0");
        check(53.21, "53.2");
        check(99.96, "100");
        check(532.4, "532");
        check(999.6, "1,000");
        check(5_321.4, "5,321");
        check(14_323.0, "14,320");
        check(99_996.0, "100,000");
        check(1_234_567.0, "1,235,000");
        check(-14_323.0, "-14,320");
        check(2.5e18, "2.50e18");
        check(f64::NAN, "n/a");
        check(f64::INFINITY, "n/a");
    }

    /// Each number with its half-width.
    #[test]
    fn the_interval_of_a_number_decides_on_its_digits() {
        let check = |value: f64, half: f64, text: &str| {
            let measured = Measured { value, ci95: Some(half) };
            assert_eq!(Rate(measured).to_string(), text, "{value} within {half}");
        };
        check(801.0, 128.0, "800");
        check(801.0, 12.0, "801");
        check(14_323.0, 40.0, "14,320");
        check(14_323.0, 1_500.0, "14,300");
        check(-14_323.0, 1_500.0, "-14,300");
        check(5_321.0, 99.4, "5,321");
        check(5_321.0, 99.6, "5,320");
        check(3.249, 0.4, "3.25");
        check(3.249, 1.2, "3.2");
        check(0.2512, 0.11, "0.25");
        check(9.96, 2.0, "10.0");
        check(9.96, 12.0, "10");
        check(99.96, 12.0, "100");
        // Two digits are kept, however little is known, and never more than without interval.
        check(801.0, 5_000.0, "800");
        check(47.0, 1e9, "47");
        check(1_234_567.0, 1e9, "1,200,000");
        check(0.000_04, 1.0, "<0.001");
        check(1_234_567.0, 1e-9, "1,235,000");
        check(801.4, 0.0, "801");
        check(801.4, f64::NAN, "801");
        check(801.4, f64::INFINITY, "801");
        check(0.0, 5.0, "0");
        check(f64::NAN, 5.0, "n/a");
        check(2.54e18, 2e17, "2.54e18");
        assert_eq!(Rate(Measured { value: 801.4, ci95: None }).to_string(), "801");
        assert_eq!(Iops(Measured { value: 801.0, ci95: Some(128.0) }).to_string(), "800 IO/s");
    }

    #[test]
    fn half_widths_have_two_digits() {
        let check =
            |half: f64, text: &str| assert_eq!(Rate(Measured::margin(half)).to_string(), text);
        check(128.2, "130");
        check(40.3, "40");
        check(4.44, "4.4");
        check(0.4444, "0.44");
        check(0.004_44, "0.004");
        check(0.0, "0");
    }

    #[test]
    fn response_times_follow_their_interval_in_their_unit() {
        let check = |ms: f64, half: f64, text: &str| {
            let measured = Measured { value: ms, ci95: Some(half) };
            assert_eq!(ResponseTime(measured).to_string(), text, "{ms} within {half}");
        };
        check(12.34, 0.4, "12.3 ms");
        check(12.34, 10.0, "12 ms");
        check(0.8512, 0.2, "850 us");
        check(0.008_53, 0.000_4, "8.53 us");
        check(0.008_53, 0.02, "8.5 us");
        check(1_252.0, 2_000.0, "1.3 s");
    }

    #[test]
    fn rates_can_carry_their_unit() {
        assert_eq!(Iops(14_323.0).to_string(), "14,320 IO/s");
        assert_eq!(MibPerS(111.9).to_string(), "112 MiB/s");
    }

    #[test]
    fn response_times_choose_their_unit() {
        let check = |ms: f64, text: &str| assert_eq!(ResponseTime(ms).to_string(), text);
        check(0.0, "0 ms");
        check(0.000_35, "350 ns");
        check(0.000_999_7, "1.00 us");
        check(0.008_53, "8.53 us");
        check(0.85, "850 us");
        check(0.999_6, "1.00 ms");
        check(12.34, "12.3 ms");
        check(123.4, "123 ms");
        check(999.7, "1.00 s");
        check(1_250.0, "1.25 s");
        check(3_600_000.0, "3,600 s");
        check(f64::NAN, "n/a");
    }

    #[test]
    fn levels_are_exact_where_they_were_set() {
        let check = |value: f64, text: &str| assert_eq!(Level(value).to_string(), text);
        check(1.0, "1");
        check(64.0, "64");
        check(23.44, "23.4");
        check(12_345.0, "12,345");
    }

    #[test]
    fn percentages_keep_what_can_be_told_apart() {
        let check = |value: f64, text: &str| assert_eq!(Percentage(value).to_string(), text);
        check(0.0, "0%");
        check(0.001, "<0.01%");
        check(0.04, "0.04%");
        check(3.44, "3.4%");
        check(5.0, "5%");
        check(9.97, "10%");
        check(66.7, "67%");
        check(1_600.0, "1,600%");
        assert_eq!(Change(5.24).to_string(), "+5.2%");
        assert_eq!(Change(-12.3).to_string(), "-12%");
        assert_eq!(Change(0.0).to_string(), "0%");
    }

    #[test]
    fn differences_that_round_to_zero_have_no_sign() {
        let check = |value: f64, decimals: usize, texts: [&str; 2]| {
            let [fixed, difference] = texts;
            assert_eq!(Fixed(value, decimals).to_string(), fixed);
            assert_eq!(Difference(value, decimals).to_string(), difference);
        };
        check(1.25, 3, ["1.250", "+1.250"]);
        check(-1.25, 1, ["-1.2", "-1.2"]);
        check(-0.000_5, 3, ["-0.001", "-0.001"]);
        for nothing in [0.0, -0.0, 0.000_04, -0.000_04, -0.000_49] {
            check(nothing, 3, ["0.000", "0.000"]);
            check(nothing, 0, ["0", "0"]);
        }
        check(f64::NAN, 1, ["n/a", "n/a"]);
        check(f64::INFINITY, 1, ["n/a", "n/a"]);
        assert_eq!(format!("{:>7}|", Difference(0.2, 1)), "   +0.2|");
    }

    #[test]
    fn sizes_round_to_one_decimal() {
        let check = |bytes: u64, text: &str| assert_eq!(RoundedBytes(bytes).to_string(), text);
        check(0, "0 B");
        check(512, "512 B");
        check(1023, "1,023 B");
        check(8 << 30, "8.0 GiB");
        check((8 << 30) - 1, "8.0 GiB");
        check((1 << 40) - 1, "1.0 TiB");
        check(1_000_204_886_016, "932 GiB");
        check(u64::MAX, "16.0 EiB");
    }

    #[test]
    fn spans_have_at_most_two_units() {
        let check = |secs: f64, text: &str| {
            assert_eq!(Span(Nanos::from_secs_f64(secs)).to_string(), text);
        };
        check(0.0, "0 s");
        check(0.3, "<1 s");
        check(10.2, "10 s");
        check(59.7, "1 min");
        check(250.0, "4 min 10 s");
        check(3_599.8, "1 h");
        check(7_500.0, "2 h 5 min");
        check(86_399.0, "1 d");
        check(277_000.0, "3 d 5 h");
    }

    #[test]
    fn bounds_are_rounded_to_their_own_side() {
        let check = |value: f64, ci95: Option<f64>, [down, up]: [&str; 2]| {
            let rate = |rounding| Rate(Measured { value, ci95 }.rounded(rounding)).to_string();
            assert_eq!([rate(Rounding::Down), rate(Rounding::Up)], [down, up], "{value}");
        };
        check(84_606.0, None, ["84,600", "84,610"]);
        check(84_610.0, None, ["84,610", "84,610"]);
        check(801.4, Some(128.0), ["800", "810"]);
        check(99.96, None, ["99.9", "100"]);
        check(9_999.6, None, ["9,999", "10,000"]);
        check(10_007.0, None, ["10,000", "10,010"]);
        check(99.9, None, ["99.9", "99.9"]);
        check(0.000_3, None, ["0", "0.001"]);
        assert_eq!(Change(-41.3).rounded(Rounding::Up).to_string(), "-41%");
        assert_eq!(Change(-41.3).rounded(Rounding::Down).to_string(), "-42%");
        assert_eq!(Percentage(9.97).rounded(Rounding::Down).to_string(), "9.9%");
        assert_eq!(Percentage(60.4).rounded(Rounding::Nearest), Percentage(60.4));
    }

    /// What a text says, without its unit.
    fn read(text: &str) -> f64 {
        text.trim_end_matches('%').replace(',', "").parse().unwrap()
    }

    #[test]
    fn columns_line_up() {
        assert_eq!(
            format!("{:>8}|{:<7}|", Rate(14_323.0), ResponseTime(0.85)),
            "  14,320|850 us |"
        );
    }

    proptest! {
        #[test]
        fn what_is_printed_is_within_half_a_percent(value in 1.0..1e12_f64) {
            let read: f64 = Rate(value).to_string().replace(',', "").parse().unwrap();
            prop_assert!((read - value).abs() <= value * 0.005_001, "{value} printed as {read}");
        }

        #[test]
        fn what_an_interval_takes_away_is_less_than_a_tenth_of_it(
            value in 1.0..1e12_f64,
            share in 0.001..0.5_f64,
        ) {
            let measured = Measured { value, ci95: Some(value * share) };
            let read: f64 = Rate(measured).to_string().replace(',', "").parse().unwrap();
            let usual = value * 0.005_001;
            prop_assert!((read - value).abs() <= usual.max(value * share / 10.0), "{read}");
        }

        #[test]
        fn a_bound_is_never_printed_on_the_wrong_side(
            value in 0.001..1e9_f64,
            share in proptest::option::of(0.0001..0.6_f64),
            percent in -99.0..2_000.0_f64,
        ) {
            let measured = Measured { value, ci95: share.map(|share| share * value) };
            let rate = |rounding| read(&Rate(measured.rounded(rounding)).to_string());
            let [down, up] = [Rounding::Down, Rounding::Up].map(rate);
            prop_assert!(down <= value * (1.0 + 1e-9) && value <= up * (1.0 + 1e-9), "{down} {up}");
            let nearest = read(&Rate(measured).to_string());
            prop_assert!(down <= nearest && nearest <= up, "{down} {nearest} {up}");
            let change = |rounding| read(&Change(percent).rounded(rounding).to_string());
            let [down, up] = [Rounding::Down, Rounding::Up].map(change);
            prop_assert!(down <= percent + 1e-7 && percent <= up + 1e-7, "{down} {up}");
            prop_assert!(up - down <= 1.0 + 1e-7, "{down} {up}");
        }

        #[test]
        fn a_larger_rate_never_reads_smaller(value in 0.01..1e9_f64, more in 1.0..2.0_f64) {
            let read = |v: f64| Rate(v).to_string().replace(',', "").parse::<f64>().unwrap();
            prop_assert!(read(value * more) >= read(value));
        }
    }
}
