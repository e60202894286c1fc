//! Numbers in words, as a reader takes them: with what was rounded away.

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Percent,
    /// `3.1 times` and `× 3.1`.
    Times,
    /// One of [`RATES`].
    Rate,
    Other,
}

/// Units of throughput.
pub(crate) const RATES: [&str; 4] = ["IO/s", "MiB/s", "op/s", "x ref"];

/// A number in words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number {
    pub(crate) value: f64,
    /// Half of the last place that is printed.
    pub(crate) half: f64,
    pub(crate) unit: Unit,
    /// True if a sign is printed.
    pub(crate) is_signed: bool,
    /// True of `≥`, `at least` and the like.
    pub(crate) is_bound: bool,
    /// True behind a bracket that is not closed.
    pub(crate) is_aside: bool,
    /// Where it begins, in characters.
    pub(crate) at: usize,
}

impl Number {
    /// What it may have been before it was rounded; bounds are rounded to their own side.
    pub(crate) fn range(self) -> [f64; 2] {
        let half = if self.is_bound { 2.0 * self.half } else { self.half };
        [self.value - half, self.value + half]
    }

    /// The ratio that a change or a multiple stands for, `less` than one or more.
    pub(crate) fn ratio(self, less: Less) -> [f64; 2] {
        let [low, high] = self.range();
        match (self.unit, less) {
            (Unit::Percent, Less::Yes) if !self.is_signed => {
                [1.0 - high / 100.0, 1.0 - low / 100.0]
            }
            (Unit::Percent, _) => [1.0 + low / 100.0, 1.0 + high / 100.0],
            _ => [low, high],
        }
    }

    /// What its quotient with another number may be.
    pub(crate) fn over(self, other: Self) -> [f64; 2] {
        let ([low, high], [least, most]) = (self.range(), other.range());
        if least <= 0.0 {
            return [low / most, f64::INFINITY];
        }
        [low / most, high / least]
    }
}

/// If words tell of less without a sign: `27 % less than`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Less {
    Yes,
    No,
}

/// True if both can be the same number.
pub(crate) fn meet(one: [f64; 2], other: [f64; 2]) -> bool {
    let slack = 1e-9 * one[1].abs().max(other[1].abs()).max(1.0);
    one[0] <= other[1] + slack && other[0] <= one[1] + slack
}

/// The words with plain signs and single spaces.
pub(crate) fn plain(words: &str) -> String {
    let signs =
        words.replace(['\u{a0}', '\n'], " ").replace('\u{202f}', "").replace('\u{2212}', "-");
    signs.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The numbers of English words, but for those within names: `RAID-10`, `p99`, `8KiB`, `drives=20`.
pub(crate) fn numbers(words: &str) -> Vec<Number> {
    let letters: Vec<char> = words.chars().collect();
    let mut found = Vec::new();
    let (mut at, mut depth) = (0, 0_i32);
    while at < letters.len() {
        match letters[at] {
            '(' => depth += 1,
            ')' => depth -= 1,
            letter if letter.is_ascii_digit() => {
                let end = end_of_digits(&letters, at);
                found.extend(number(&letters, (at, end), depth));
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Where the digits end that begin there, with their groups and decimals.
fn end_of_digits(letters: &[char], start: usize) -> usize {
    let digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
    let mut end = start;
    loop {
        while digit(end) {
            end += 1;
        }
        let is_group =
            letters.get(end) == Some(&',') && (1..=3).all(|n| digit(end + n)) && !digit(end + 4);
        let is_fraction = letters.get(end) == Some(&'.') && digit(end + 1);
        if !is_group && !is_fraction {
            return end;
        }
        end += 1;
    }
}

fn number(letters: &[char], (start, end): (usize, usize), depth: i32) -> Option<Number> {
    let before: String = letters[..start].iter().collect();
    let after: String = letters[end..].iter().collect();
    let sign = before.chars().last().filter(|sign| ['+', '-'].contains(sign));
    let head = sign.map_or(before.as_str(), |sign| before.strip_suffix(sign).unwrap_or(&before));
    let is_apart = head.chars().last().is_none_or(|letter| " (×≥≤<→±".contains(letter));
    if !is_apart || after.starts_with(|letter: char| letter.is_alphabetic()) {
        return None;
    }
    let rest = after.trim_start();
    let unit = match rest {
        _ if rest.starts_with('%') => Unit::Percent,
        _ if rest.starts_with("times") || head.trim_end().ends_with('×') => Unit::Times,
        _ if RATES.iter().any(|unit| rest.starts_with(unit)) => Unit::Rate,
        _ => Unit::Other,
    };
    let digits: String = letters[start..end].iter().filter(|letter| **letter != ',').collect();
    let size: f64 = digits.parse().ok()?;
    let places = match digits.split_once('.') {
        Some((_, decimals)) => -i32::try_from(decimals.len()).ok()?,
        // Zeros at the end of a large number may be no digits of it.
        None if size > if unit == Unit::Percent { 1_000.0 } else { 100.0 } => {
            i32::try_from(digits.len() - digits.trim_end_matches('0').len()).ok()?
        }
        None => 0,
    };
    let bounds = ["≥", "≤", "<", "at least", "at most"];
    Some(Number {
        value: if sign == Some('-') { -size } else { size },
        half: 0.5 * 10f64.powi(places),
        unit,
        is_signed: sign.is_some(),
        is_bound: bounds.iter().any(|bound| head.trim_end().ends_with(bound)),
        is_aside: depth > 0,
        at: start,
    })
}

/// The first number of a cell.
pub(crate) fn first(cell: &str) -> Option<Number> {
    numbers(cell).first().copied()
}
