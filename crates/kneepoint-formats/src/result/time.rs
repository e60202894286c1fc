//! Moments as text: seconds since 1970 in UTC, and back.

/// Seconds of a day.
const DAY_S: i64 = 86_400;

/// RFC 3339 in UTC of a moment in milliseconds since 1970; `None` beyond the year 9999.
pub fn rfc3339(epoch_ms: i64) -> Option<String> {
    let (seconds, ms) = (epoch_ms.div_euclid(1000), epoch_ms.rem_euclid(1000));
    let (days, second) = (seconds.div_euclid(DAY_S), seconds.rem_euclid(DAY_S));
    let (year, month, day) = civil(days);
    if !(1970..=9999).contains(&year) {
        return None;
    }
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let fraction = if ms == 0 { String::new() } else { format!(".{ms:03}") };
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z"))
}

/// Milliseconds since 1970 of an RFC 3339 time in UTC; `None` if it is none.
pub fn epoch_ms(text: &str) -> Option<i64> {
    let text = text.strip_suffix('Z').or_else(|| text.strip_suffix("+00:00"))?;
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let fraction = text.get(19..)?;
    let ms = match fraction.strip_prefix('.') {
        None => 0,
        Some(digits) => {
            let digits: String = digits.chars().chain("000".chars()).take(3).collect();
            digits.parse::<i64>().ok()?
        }
    };
    let seconds = days(year, month, day) * DAY_S + hour * 3600 + minute * 60 + second;
    seconds.checked_mul(1000)?.checked_add(ms)
}

/// Year, month and day of a number of days since 1970-01-01 (proleptic Gregorian calendar). Years are
/// counted from March, so that the leap day is the last of its year.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// The number of days since 1970-01-01 of a day.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_and_read() {
        let check = |ms: i64, text: &str| {
            assert_eq!(rfc3339(ms).as_deref(), Some(text));
            assert_eq!(epoch_ms(text), Some(ms));
        };
        check(0, "1970-01-01T00:00:00Z");
        check(951_782_400_000, "2000-02-29T00:00:00Z");
        check(1_564_907_970_022, "2019-08-04T08:39:30.022Z");
        check(253_402_300_799_000, "9999-12-31T23:59:59Z");
        assert_eq!(rfc3339(253_402_300_800_000), None);
        assert_eq!(rfc3339(-1), None);
        assert_eq!(epoch_ms("2019-08-04T08:39:30.0229Z"), Some(1_564_907_970_022));
        for text in ["", "yesterday", "2019-13-04T08:39:30Z", "2019-08-04T08:39:30", "2019-08-0éZ"]
        {
            assert_eq!(epoch_ms(text), None, "{text}");
        }
    }
}
