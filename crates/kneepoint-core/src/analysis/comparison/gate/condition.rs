//! Conditions as they are typed: `[SERIES:] MEASURE [<|>] CHANGE%`.

use std::fmt;
use std::str::FromStr;

use crate::result::Measure;
use crate::words::fault::Fault;

/// A change that makes a comparison fail: `sustained.iops < -5%`, `latency.p99 > +10%`.
///
/// Before a colon may stand which series are meant, `*` for any letters: `database/*: iops < -5%`.
/// Without `<` or `>` the sign says the side: `iops -5%` fails below -5 %, `latency.mean +10%`
/// above +10 %.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// Which series; all of them where it is empty.
    series: String,
    /// The number that is compared.
    pub measure: Measure,
    /// On which side of the limit a change fails.
    pub side: Side,
    /// The limit of the change in percent, above -100.
    pub limit_percent: f64,
}

/// A side of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Less than the limit.
    Below,
    /// More than the limit.
    Above,
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Below => Self::Above,
            Self::Above => Self::Below,
        }
    }
}

impl Condition {
    /// Whether the condition is about the series called `name`.
    pub fn concerns(&self, name: &str) -> bool {
        self.series.is_empty() || matches(&self.series, name)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.series.is_empty() {
            write!(f, "{}: ", self.series)?;
        }
        let side = match self.side {
            Side::Below => '<',
            Side::Above => '>',
        };
        let sign = if self.limit_percent > 0.0 { "+" } else { "" };
        write!(f, "{} {side} {sign}{}%", self.measure, self.limit_percent)
    }
}

impl FromStr for Condition {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let bad = |why: String| {
            Fault::new(format!("'{text}' is not a condition"))
                .because(why)
                .fix("write it as 'sustained.iops < -5%', 'latency.p99 > +10%' or 'database/*: iops -5%'")
        };
        let (series, rest) = match text.rsplit_once(':') {
            Some((series, rest)) => (series.trim(), rest.trim()),
            None => ("", text.trim()),
        };
        if series.is_empty() && text.contains(':') {
            return Err(bad("there is no series before the colon".to_owned()));
        }
        let end = rest.find(|letter: char| letter.is_whitespace() || "<>+-".contains(letter));
        let (name, change) = rest.split_at(end.unwrap_or(rest.len()));
        let measure: Measure = name.parse().map_err(|fault: Fault| match fault.fix_hint() {
            Some(hint) => bad(format!("{fault}; {hint}")),
            None => bad(fault.to_string()),
        })?;
        let change = change.trim();
        let (side, number) = match change.chars().next() {
            Some('<') => (Some(Side::Below), &change[1..]),
            Some('>') => (Some(Side::Above), &change[1..]),
            _ => (None, change),
        };
        let limit_percent = limit(number.trim()).map_err(&bad)?;
        let side = match side {
            Some(side) => side,
            None if limit_percent < 0.0 => Side::Below,
            None if limit_percent > 0.0 => Side::Above,
            None => return Err(bad("0% has no side; write < 0% or > 0%".to_owned())),
        };
        Ok(Self { series: series.to_owned(), measure, side, limit_percent })
    }
}

/// A change in percent with its sign, above -100 % and up to 1,000,000 %.
fn limit(text: &str) -> Result<f64, String> {
    let Some(number) = text.strip_suffix('%') else {
        return Err(format!("'{text}' is no change in percent: the % is missing"));
    };
    let number = number.trim_end();
    let digits = number.strip_prefix(['+', '-']).unwrap_or(number);
    let is_plain = digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    let value: f64 = match number.parse() {
        Ok(value) if is_plain => value,
        _ => return Err(format!("'{number}' is no number")),
    };
    if digits.len() == number.len() && value != 0.0 {
        return Err(format!("'{number}%' has no sign; write +{number}% or -{number}%"));
    }
    if !(-99.999..=1e6).contains(&value) {
        return Err(format!(
            "{number}% is no change that can be beyond: it lies outside of -99.999% to +1000000%"
        ));
    }
    // Without the sign of a negative zero.
    Ok(value + 0.0)
}

/// Whether `name` is meant by `pattern`.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut next) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while next < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at + 1, next));
                at += 1;
            }
            Some(letter) if *letter == '?' || *letter == name[next] => {
                at += 1;
                next += 1;
            }
            _ => match star {
                // The last star takes one letter more.
                Some((after, taken)) => {
                    star = Some((after, taken + 1));
                    (at, next) = (after, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|letter| *letter == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn conditions_are_read_and_printed_in_full() {
        let check = |text: &str, printed: &str| {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.to_string(), printed);
            assert_eq!(printed.parse::<Condition>().unwrap(), condition);
        };
        check("sustained.iops < -5%", "sustained.iops < -5%");
        check("iops -5%", "iops < -5%");
        check("iops<-5%", "iops < -5%");
        check("  latency.p99.9+10% ", "latency.p99.9 > +10%");
        check("latency.mean > 0%", "latency.mean > 0%");
        check("database/*: peak.iops < -2.5 %", "database/*: peak.iops < -2.5%");
        check("iops > -0%", "iops > 0%");
    }

    #[test]
    fn what_is_no_condition_is_refused_with_the_reason() {
        let check = |text: &str, why: &str| {
            let fault = text.parse::<Condition>().unwrap_err();
            assert!(fault.to_string().contains(why), "{fault}");
        };
        check("", "nothing that runs are compared by");
        check("speed < -5%", "sustained.iops");
        check("iops < 5", "% is missing");
        check("iops < 5%", "has no sign");
        check("iops 0%", "no side");
        check("iops < -100%", "no change that can be beyond");
        check("iops < -inf%", "no number");
        check(": iops -5%", "no series before the colon");
    }

    proptest! {
        #[test]
        fn any_text_is_a_condition_or_a_fault(text in ".{0,40}") {
            if let Ok(condition) = text.parse::<Condition>() {
                prop_assert_eq!(condition.to_string().parse::<Condition>().unwrap(), condition);
            }
        }

        #[test]
        fn every_condition_survives_printing(
            series in "[a-z*?/0-9]{0,12}",
            measure in proptest::sample::select(Measure::all().collect::<Vec<_>>()),
            is_below in any::<bool>(),
            limit_percent in -99.9..1000.0_f64,
        ) {
            let side = if is_below { Side::Below } else { Side::Above };
            let condition = Condition { series, measure, side, limit_percent };
            prop_assert_eq!(condition.to_string().parse::<Condition>().unwrap(), condition);
        }
    }

    #[test]
    fn stars_stand_for_any_letters() {
        let check = |pattern, name, expected| {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        };
        check("database/8KiB", "database/8KiB", true);
        check("database/*", "database/8KiB", true);
        check("*", "database/8KiB", true);
        check("*/?KiB", "database/8KiB", true);
        check("*/?KiB", "database/64KiB", false);
        check("*a*b*", "xxaxxbxx", true);
        check("*ab", "aab", true);
        check("data", "database/8KiB", false);
        check("", "database/8KiB", false);
        check("**", "", true);
    }
}
