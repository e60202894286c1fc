//! Values of options: sizes, times, percentages, and lists of them.

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::sections::Setting;

/// Most entries of a list in a value.
const ENTRIES_MAX: usize = 100;

/// A number of bytes, or a part of the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Amount {
    Bytes(u64),
    Percent(f64),
}

impl Amount {
    /// Whether it is nothing, of whatever file.
    pub(super) fn is_zero(self) -> bool {
        match self {
            Self::Bytes(bytes) => bytes == 0,
            Self::Percent(percent) => percent == 0.0,
        }
    }
}

/// Sizes of the I/Os of a direction.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sizes {
    One(u64),
    /// Any multiple of the first, up to the second.
    Range(u64, u64),
    /// Sizes with their shares in percent.
    Split(Vec<(u64, f64)>),
}

impl Sizes {
    /// Each size with its share in percent; at most one more than `most`.
    pub(super) fn shares(&self, most: usize) -> Vec<(u64, f64)> {
        match self {
            Self::One(size) => vec![(*size, 100.0)],
            Self::Split(shares) => {
                shares.iter().copied().filter(|(_, share)| *share > 0.0).collect()
            }
            Self::Range(min, max) => {
                // A size is drawn evenly from `min` to `min + max`, cut down to a multiple of `min`, and is
                // `max` at the most.
                let multiples = max / min;
                let share = 100.0 * *min as f64 / *max as f64;
                let even = (1..=multiples).take(most + 1).map(|factor| (factor * min, share));
                let mut shares: Vec<(u64, f64)> = even.collect();
                if max % min != 0 {
                    shares.push((*max, 100.0 - share * multiples as f64));
                }
                shares
            }
        }
    }

    /// The smallest one.
    pub(super) fn min(&self) -> u64 {
        match self {
            Self::One(size) | Self::Range(size, _) => *size,
            Self::Split(shares) => shares.iter().map(|(size, _)| *size).min().unwrap_or(0),
        }
    }
}

impl Setting {
    /// A fault about the value.
    fn wrong(&self, what: &str, fix: &str) -> Fault {
        let short: String = self.text().chars().take(40).collect();
        self.fault(format!("'{}' is no {what}", short.escape_debug())).fix(fix)
    }

    /// A whole number.
    pub(super) fn whole(&self) -> Result<u64, Fault> {
        let wrong = |_| self.wrong("whole number", "write it in digits");
        self.text().parse().map_err(wrong)
    }

    /// A flag: alone, or with 1 or 0.
    pub(super) fn flag(&self) -> Result<bool, Fault> {
        match self.value.as_deref() {
            None | Some("1") => Ok(true),
            Some("0") => Ok(false),
            Some(_) => Err(self.wrong("flag", "write 1 or 0")),
        }
    }

    /// A percentage, 0 to 100, with or without its sign.
    pub(super) fn percent(&self) -> Result<f64, Fault> {
        self.percent_of(self.text())
    }

    fn percent_of(&self, text: &str) -> Result<f64, Fault> {
        let number = text.trim().trim_end_matches('%').parse().ok();
        let wrong = || self.wrong("percentage", "write a number from 0 to 100");
        number.filter(|number| (0.0..=100.0).contains(number)).ok_or_else(wrong)
    }

    /// Percentages of reads and of writes; one alone is both.
    pub(super) fn percents(&self) -> Result<[f64; 2], Fault> {
        let mut parts = self.text().split(',');
        let first = self.percent_of(parts.next().unwrap_or_default())?;
        let second = parts.next().filter(|part| !part.is_empty());
        Ok([first, second.map_or(Ok(first), |part| self.percent_of(part))?])
    }

    /// A time; without a unit microseconds.
    pub(super) fn micros(&self) -> Result<Nanos, Fault> {
        match self.text().parse::<u64>().ok().and_then(|micros| micros.checked_mul(1_000)) {
            Some(nanos) => Ok(Nanos(nanos)),
            None => self.time(),
        }
    }

    /// A time in nanoseconds; without a unit seconds.
    pub(super) fn time(&self) -> Result<Nanos, Fault> {
        let text = self.text();
        let end = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
        let (digits, unit) = text.split_at(end);
        let ns: Option<u64> = match unit.to_ascii_lowercase().as_str() {
            "us" | "usec" => Some(1_000),
            "ms" | "msec" => Some(1_000_000),
            "" | "s" | "sec" => Some(1_000_000_000),
            "m" | "min" => Some(60_000_000_000),
            "h" => Some(3_600_000_000_000),
            "d" => Some(86_400_000_000_000),
            _ => None,
        };
        let time = ns.and_then(|ns| digits.parse::<u64>().ok()?.checked_mul(ns));
        time.map(Nanos).ok_or_else(|| self.wrong("time", "write it as 60, 60s, 5m or 1h"))
    }

    /// Bytes, or a percentage.
    pub(super) fn amount(&self, base: Base) -> Result<Amount, Fault> {
        match self.text().strip_suffix('%') {
            Some(_) => self.percent().map(Amount::Percent),
            None => self.bytes(base).map(Amount::Bytes),
        }
    }

    /// Bytes.
    pub(super) fn bytes(&self, base: Base) -> Result<u64, Fault> {
        self.bytes_of(self.text(), base)
    }

    /// Bytes in a part of it.
    pub(super) fn bytes_of(&self, text: &str, base: Base) -> Result<u64, Fault> {
        bytes(text.trim(), base).ok_or_else(|| {
            self.wrong("size", "write a whole number of bytes, or one with k, m, g or t")
        })
    }

    /// Sizes of reads and writes, as `4k`, `4k,8k` or `,8k`; a direction that is left out keeps `before`.
    pub(super) fn sizes(&self, base: Base, before: &[Sizes; 2]) -> Result<[Sizes; 2], Fault> {
        let one = |text: &str| self.positive(text, base).map(Sizes::One);
        self.directions(before, one)
    }

    /// Ranges of sizes of reads and writes, as `1k-4k` or `1k-4k,2k-8k`.
    pub(super) fn ranges(&self, base: Base, before: &[Sizes; 2]) -> Result<[Sizes; 2], Fault> {
        let range = |text: &str| {
            let (min, max) = text
                .split_once(['-', ':'])
                .ok_or_else(|| self.wrong("range of sizes", "write it as 1k-4k"))?;
            let (min, max) = (self.positive(min, base)?, self.positive(max, base)?);
            match min <= max {
                true => Ok(Sizes::Range(min, max)),
                false => Err(self.wrong("range of sizes", "put the smaller size first")),
            }
        };
        self.directions(before, range)
    }

    /// Sizes with shares of reads and writes, as `4k/10:64k/50:32k/40`.
    pub(super) fn splits(&self, base: Base, before: &[Sizes; 2]) -> Result<[Sizes; 2], Fault> {
        self.directions(before, |text| self.split(text, base))
    }

    fn split(&self, text: &str, base: Base) -> Result<Sizes, Fault> {
        let mut shares: Vec<(u64, Option<f64>)> = Vec::new();
        for part in text.split(':') {
            let (size, share) = part.split_once('/').unwrap_or((part, ""));
            let share = match share.is_empty() {
                true => None,
                false => Some(self.percent_of(share)?),
            };
            shares.push((self.positive(size, base)?, share));
            if shares.len() > ENTRIES_MAX {
                return Err(self.wrong("list of sizes that can be taken", "use at most 100 sizes"));
            }
        }
        let total: f64 = shares.iter().filter_map(|(_, share)| *share).sum();
        let open = shares.iter().filter(|(_, share)| share.is_none()).count();
        if total > 100.0 || open == 0 && (total - 100.0).abs() > 1e-6 {
            return Err(self
                .fault(format!("the shares add up to {total} %, not 100 %"))
                .fix("change them, or leave one out, which gets the rest"));
        }
        let rest = (100.0 - total) / open.max(1) as f64;
        let shares = shares.into_iter().map(|(size, share)| (size, share.unwrap_or(rest)));
        Ok(Sizes::Split(shares.collect()))
    }

    fn positive(&self, text: &str, base: Base) -> Result<u64, Fault> {
        match self.bytes_of(text, base)? {
            0 => Err(self.wrong("size of an I/O", "write at least 1")),
            size => Ok(size),
        }
    }

    /// Whether there is a part for trims which is not that of writes.
    pub(super) fn has_trims_of_their_own(&self) -> bool {
        let parts: Vec<&str> = self.text().split(',').map(str::trim).take(3).collect();
        matches!(parts[..], [_, write, trim] if !trim.is_empty() && trim != write)
    }

    /// What `one` makes of the part of each direction; one part alone is for both.
    fn directions(
        &self,
        before: &[Sizes; 2],
        one: impl Fn(&str) -> Result<Sizes, Fault>,
    ) -> Result<[Sizes; 2], Fault> {
        let parts: Vec<&str> = self.text().split(',').map(str::trim).take(4).collect();
        let (read, write) = (parts.first().copied().unwrap_or_default(), parts.get(1));
        let part = |text: &str, before: &Sizes| match text.is_empty() {
            true => Ok(before.clone()),
            false => one(text),
        };
        let first = part(read, &before[0])?;
        let second = match write {
            None => first.clone(),
            Some(text) => part(text, &before[1])?,
        };
        Ok([first, second])
    }
}

/// What a prefix of a unit of size stands for (`kb_base`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    /// `k` is 1024, and `kib` 1000: the default.
    Binary,
    /// `k` is 1000, and `kib` 1024.
    Decimal,
}

/// A whole number with a prefix of its unit.
fn bytes(text: &str, base: Base) -> Option<u64> {
    let end = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let unit = unit.to_ascii_lowercase();
    // Only the whole word, such as `kib`, stands for the other base.
    let (letter, is_other) = match (unit.strip_suffix("ib"), unit.strip_suffix(['b', 'i'])) {
        (Some(letter), _) => (letter, true),
        (None, letter) => (letter.unwrap_or(&unit), false),
    };
    let power = match letter {
        "" if !is_other => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        "p" => 5,
        _ => return None,
    };
    let is_binary = (base == Base::Binary) != is_other;
    let factor: u64 = if is_binary { 1024 } else { 1000 };
    digits.parse::<u64>().ok()?.checked_mul(factor.pow(power))
}

/// Names of files: separated by colons, of which those behind a backslash belong to a name.
pub(crate) fn file_names(text: &str) -> Vec<String> {
    let (mut names, mut name, mut is_escaped) = (Vec::new(), String::new(), false);
    for letter in text.chars() {
        match letter {
            '\\' if !is_escaped => is_escaped = true,
            ':' if !is_escaped => names.push(std::mem::take(&mut name)),
            letter => {
                name.push(letter);
                is_escaped = false;
            }
        }
    }
    names.push(name);
    names.retain(|name| !name.is_empty());
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_as_fio_has_them() {
        let check = |text: &str, base: Base, expected: Option<u64>| {
            assert_eq!(bytes(text, base), expected, "{text}");
        };
        check("4k", Base::Binary, Some(4096));
        check("4KB", Base::Binary, Some(4096));
        check("4Ki", Base::Binary, Some(4096));
        check("4kib", Base::Binary, Some(4000));
        check("4k", Base::Decimal, Some(4000));
        check("4KiB", Base::Decimal, Some(4096));
        check("1g", Base::Binary, Some(1 << 30));
        check("512", Base::Binary, Some(512));
        check("512b", Base::Binary, Some(512));
        check("4x", Base::Binary, None);
        check("", Base::Binary, None);
        check("99999999999p", Base::Binary, None);
    }

    #[test]
    fn a_range_is_of_multiples_of_its_smallest_size() {
        assert_eq!(Sizes::Range(4096, 8192).shares(100), [(4096, 50.0), (8192, 50.0)]);
        assert_eq!(Sizes::Range(3, 4).shares(100), [(3, 75.0), (4, 25.0)]);
        assert_eq!(Sizes::Range(1, 1_000_000).shares(100).len(), 101);
    }
}
