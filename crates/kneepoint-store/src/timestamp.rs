//! Times as text: checked, and put in order. Nothing here knows what time it is.

use kneepoint_core::words::fault::Fault;

/// A key that sorts times: seconds as text, then the fraction without its trailing zeros.
pub(crate) type TimeKey<'a> = (&'a str, &'a str);

/// The shape of a time to the second; `0` stands for any digit.
const SHAPE: &[u8; 19] = b"0000-00-00T00:00:00";

/// The sort key of an RFC 3339 time in UTC; nothing where the text is no such time.
pub(crate) fn key(text: &str) -> Option<TimeKey<'_>> {
    let local = text.strip_suffix('Z').or_else(|| text.strip_suffix("+00:00"))?;
    let (seconds, rest) = local.split_at_checked(SHAPE.len())?;
    let fits = seconds.bytes().zip(SHAPE).all(|(byte, shape)| match shape {
        b'0' => byte.is_ascii_digit(),
        literal => byte == *literal,
    });
    let fraction = match rest.strip_prefix('.') {
        Some(digits) if !digits.is_empty() => digits,
        None if rest.is_empty() => "",
        _ => return None,
    };
    let digits = fraction.bytes().all(|byte| byte.is_ascii_digit());
    (fits && digits).then_some((seconds, fraction.trim_end_matches('0')))
}

/// Refuses text that is not an RFC 3339 time in UTC.
pub(crate) fn check(text: &str) -> Result<(), Fault> {
    key(text).map(drop).ok_or_else(|| {
        Fault::new(format!("'{text}' is not a time"))
            .because("times are kept as RFC 3339 text in UTC, such as 2026-11-21T04:35:10Z")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utc_times_are_accepted() {
        for text in
            ["2026-11-21T04:35:10Z", "2026-11-21T04:35:10.250Z", "2026-11-21T04:35:10+00:00"]
        {
            assert!(check(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn other_text_is_not() {
        for text in [
            "",
            "yesterday",
            "2026-11-21",
            "2026-11-21T04:35:10",
            "2026-11-21T04:35:10+02:00",
            "2026-11-21 04:35:10Z",
            "2026-11-21T04:35:10.Z",
            "2026-11-21T04:35:10.1x4Z",
            "2026-11-2éT04:35:10Z",
        ] {
            assert!(check(text).is_err(), "{text}");
        }
    }

    #[test]
    fn fractions_sort_by_value_and_not_by_letter() {
        let times = [
            "2026-11-21T04:35:10Z",
            "2026-11-21T04:35:10.05Z",
            "2026-11-21T04:35:10.5Z",
            "2026-11-21T04:35:11+00:00",
        ];
        assert!(times.is_sorted_by_key(|time| key(time)));
        assert_eq!(key("2026-11-21T04:35:10.50Z"), key("2026-11-21T04:35:10.5Z"));
    }
}
