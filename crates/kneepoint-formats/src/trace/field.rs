//! Fields of lines, as numbers.

use kneepoint_core::load::backend::Direction;

use super::reader::Wrong;

/// Bytes of the sectors that traces count in.
pub(super) const SECTOR: u64 = 512;

/// A whole number.
pub(super) fn whole(field: &str, what: &str) -> Result<u64, Wrong> {
    field.trim().parse().map_err(|_| {
        Wrong::new(
            format!("the {what} '{}' is no whole number", shown(field)),
            "correct the line, or remove it",
        )
    })
}

/// A number of sectors, in bytes.
pub(super) fn sectors(field: &str, what: &str) -> Result<u64, Wrong> {
    whole(field, what)?.checked_mul(SECTOR).ok_or_else(|| {
        Wrong::new(
            format!("the {what} '{}' is too large", shown(field)),
            "addresses and lengths are counted in sectors of 512 bytes",
        )
    })
}

/// A time as a decimal number in units of 10^`digits` nanoseconds.
pub(super) fn time(field: &str, digits: u32) -> Result<u64, Wrong> {
    let field = field.trim();
    let scaled = match field.contains(['e', 'E']) {
        true => scientific(field, digits),
        false => decimal(field, digits),
    };
    scaled.ok_or_else(|| {
        Wrong::new(
            format!("the time '{}' is no number from 0 to 584 years", shown(field)),
            "correct the line, or remove it",
        )
    })
}

/// A decimal number times 10^`digits`; what is behind the last of these digits is cut off.
fn decimal(field: &str, digits: u32) -> Option<u64> {
    let (whole, fraction) = field.split_once('.').unwrap_or((field, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() && fraction.is_empty() || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let digit = |place: usize| fraction.as_bytes().get(place).map_or(0, |byte| byte - b'0');
    let mut scaled: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    for place in 0..digits as usize {
        scaled = scaled.checked_mul(10)?.checked_add(u64::from(digit(place)))?;
    }
    Some(scaled)
}

/// The same of a number with an exponent.
fn scientific(field: &str, digits: u32) -> Option<u64> {
    let number: f64 = field.parse().ok()?;
    let scaled = number * libm::exp10(f64::from(digits));
    (scaled >= 0.0 && scaled < u64::MAX as f64).then_some(scaled as u64)
}

/// A direction by the first letter of its name.
pub(super) fn direction(field: &str) -> Result<Direction, Wrong> {
    match field.trim().as_bytes().first() {
        Some(b'r' | b'R') => Ok(Direction::Read),
        Some(b'w' | b'W') => Ok(Direction::Write),
        _ => Err(Wrong::new(
            format!("'{}' is neither a read nor a write", shown(field)),
            "correct the line, or remove it",
        )),
    }
}

/// The beginning of a field, printable.
pub(super) fn shown(field: &str) -> String {
    const CHARS: usize = 40;
    let start: String = field.chars().take(CHARS).collect();
    let more = if field.chars().nth(CHARS).is_some() { "..." } else { "" };
    format!("{}{more}", start.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact_to_the_nanosecond() {
        let check = |text: &str, digits: u32, expected: u64| {
            assert_eq!(time(text, digits).unwrap(), expected, "{text}");
        };
        check("0.551706", 9, 551_706_000);
        check("12", 9, 12_000_000_000);
        check("1.0000000019", 9, 1_000_000_001);
        check(".5", 6, 500_000);
        check("3.", 6, 3_000_000);
        check("1e-05", 9, 10_000);
        check(" 7 ", 0, 7);
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in ["", ".", "-1", "1.2.3", "x", "nan", "1e99", "inf", "99999999999", "0x1"] {
            assert!(time(text, 9).is_err(), "{text}");
        }
    }
}
