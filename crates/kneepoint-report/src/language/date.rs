//! Dates as a language writes them. Times are stored as RFC 3339 in UTC and stay in UTC.

use super::Language;

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
