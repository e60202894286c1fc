//! Names of runs that sort by time and can be read aloud.

use kneepoint_core::words::fault::Fault;

/// Longest id in bytes.
const LENGTH_MAX: usize = 64;

/// The name that stands for the newest run, and can therefore not be an id.
pub(crate) const LAST: &str = "last";

/// Hexadecimal digits of each id that is drawn, until one is free.
const DRAWS: [usize; 8] = [4, 4, 4, 4, 8, 8, 16, 16];

/// Ids for a run that started at `started_at` (RFC 3339, UTC), one as good as the other:
/// `20261121-043510-7f3a`, and longer ones if many are taken.
///
/// The last digits come from `entropy` and keep apart runs that start in the same second.
pub(crate) fn drawn(
    started_at: &str,
    mut entropy: impl FnMut() -> u64,
) -> impl Iterator<Item = String> {
    let digits = started_at.chars().filter(char::is_ascii_digit).chain(std::iter::repeat('0'));
    let time: String = digits.take(14).collect();
    DRAWS.into_iter().map(move |digits| {
        let (date, clock) = time.split_at(8);
        format!("{date}-{clock}-{:0digits$x}", folded(entropy(), digits))
    })
}

/// All of `entropy` in a number of this many hexadecimal digits.
fn folded(entropy: u64, digits: usize) -> u64 {
    let (bits, parts) = (4 * digits, 16 / digits);
    let mask = u64::MAX >> (64 - bits);
    (0..parts).fold(0, |mix, part| mix ^ (entropy >> (part * bits)) & mask)
}

/// Refuses ids that could not be typed, or be part of a file name.
pub(crate) fn check(id: &str) -> Result<(), Fault> {
    let plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    let starts_well = id.starts_with(|first: char| first.is_ascii_alphanumeric());
    if plain && starts_well && id.len() <= LENGTH_MAX && id != LAST {
        return Ok(());
    }
    Err(Fault::new(format!("'{id}' cannot be the id of a run")).because(format!(
        "an id has 1 to {LENGTH_MAX} letters, digits, '-', '_' or '.', starts with a letter or \
         digit, and is not '{LAST}'"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_shows_the_time_and_ends_in_entropy() {
        let id = |started_at, entropy| drawn(started_at, || entropy).next().unwrap();
        assert_eq!(id("2026-11-21T04:35:10Z", 0x7f3a), "20261121-043510-7f3a");
        assert_eq!(id("2026-11-21T04:35:10.123Z", 0x1_0000_0000_0001), "20261121-043510-0000");
        assert_eq!(id("2026-11-21T04:35:10Z", 0x7f00_003a_0000_0000), "20261121-043510-7f3a");
        let all: Vec<String> = drawn("2026-11-21T04:35:10Z", || 0x1234_5678_9abc_def0).collect();
        assert_eq!(all[3..5], ["20261121-043510-0000", "20261121-043510-88888888"]);
        assert_eq!(all[7], "20261121-043510-123456789abcdef0");
    }

    #[test]
    fn every_text_gives_an_id_that_is_allowed() {
        for text in ["", "2026", "no time at all", "2026-11-21T04:35:10.123456789+00:00"] {
            assert!(drawn(text, || u64::MAX).all(|id| check(&id).is_ok()), "{text}");
        }
    }

    #[test]
    fn odd_ids_are_refused() {
        let long = "x".repeat(65);
        for id in ["", "last", "a b", "../etc", "-o", "ü", "a/b", long.as_str()] {
            assert!(check(id).is_err(), "{id}");
        }
        assert!(check("node-7_2026.1").is_ok());
    }
}
