//! Values of parameters: lists in parentheses, ranges of numbers and names, sizes.

/// Most values of a list, ranges counted in full.
pub(super) const VALUES_MAX: usize = 1000;

/// The parts of a list: `(a,b)` and `a` alike.
pub(super) fn parts(value: &str) -> Vec<&str> {
    let inner = value.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(value);
    inner.split(',').map(str::trim).filter(|part| !part.is_empty()).take(VALUES_MAX + 1).collect()
}

/// Bytes: a number with k, m, g or t, which are powers of 1024.
pub(super) fn bytes(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let text = text.strip_suffix('b').unwrap_or(&text);
    let power = match text.chars().last()? {
        'k' => 1,
        'm' => 2,
        'g' => 3,
        't' => 4,
        _ => 0,
    };
    let digits = if power > 0 { &text[..text.len() - 1] } else { text };
    digits.parse::<u64>().ok()?.checked_mul(1024_u64.pow(power))
}

/// Numbers as `5`, `(1,2,4)`, `(1-64,d)` for doubling or `(10-100,10)` for steps; rising, each once.
pub(super) fn numbers(value: &str) -> Option<Vec<f64>> {
    let parts = parts(value);
    let mut numbers: Vec<f64> = match parts.as_slice() {
        [range, step] if range.contains('-') => {
            let (first, last) = range.split_once('-')?;
            let (first, last) = (positive(first)?, positive(last)?);
            stepped(first.min(last), first.max(last), step)?
        }
        parts => parts.iter().map(|part| positive(part)).collect::<Option<_>>()?,
    };
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    (!numbers.is_empty() && numbers.len() <= VALUES_MAX).then_some(numbers)
}

fn stepped(first: f64, last: f64, step: &str) -> Option<Vec<f64>> {
    let (factor, summand) = match step {
        "d" | "double" => (2.0, 0.0),
        step => (1.0, positive(step)?),
    };
    let numbers = std::iter::successors(Some(first), |number| Some(number * factor + summand));
    Some(numbers.take_while(|number| *number <= last).take(VALUES_MAX + 1).collect())
}

fn positive(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0)
}

/// Names as `sd1`, `(sd1,sd3)` or `(sd1-sd8)`; `None` for too many, or ranges that lead nowhere.
pub(super) fn names(value: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for part in parts(value) {
        match range_of_names(part) {
            Some((stem, first, last)) => {
                let count = last.checked_sub(first)?;
                if count as usize > VALUES_MAX {
                    return None;
                }
                names.extend((first..=last).map(|number| format!("{stem}{number}")));
            }
            None => names.push(part.to_owned()),
        }
        if names.len() > VALUES_MAX {
            return None;
        }
    }
    (!names.is_empty()).then_some(names)
}

/// `sd1-sd8` as its stem and numbers.
fn range_of_names(part: &str) -> Option<(&str, u32, u32)> {
    let (first, last) = part.split_once('-')?;
    let split = |name: &'_ str| name.trim_end_matches(|char: char| char.is_ascii_digit()).len();
    let (stem, number) = first.split_at(split(first));
    let (other, end) = last.split_at(split(last));
    let is_range = stem == other || other.is_empty();
    is_range.then(|| Some((stem, number.parse().ok()?, end.parse().ok()?))).flatten()
}

/// Whether a name is meant by a pattern, in which `*` stands for any text.
pub(super) fn is_meant(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((begin, end)) => {
            name.len() >= begin.len() + end.len() && name.starts_with(begin) && name.ends_with(end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_ranges_and_names() {
        assert_eq!(numbers("(1-64,d)").unwrap(), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]);
        assert_eq!(numbers("(10-30,10)").unwrap(), [10.0, 20.0, 30.0]);
        assert_eq!(numbers("(4,1,4)").unwrap(), [1.0, 4.0]);
        assert_eq!(numbers("7").unwrap(), [7.0]);
        assert_eq!(numbers("(1-1000000,1)"), None);
        assert_eq!(numbers("(a)"), None);
        assert_eq!(names("(sd1-sd3,sd9)").unwrap(), ["sd1", "sd2", "sd3", "sd9"]);
        assert_eq!(names("sd").unwrap(), ["sd"]);
        assert_eq!(names("(sd1-sd4000000000)"), None);
        assert_eq!(names("(sd3-sd1)"), None);
        assert_eq!(bytes("8k"), Some(8192));
        assert_eq!(bytes("512"), Some(512));
        assert_eq!(bytes("1G"), Some(1 << 30));
        assert_eq!(bytes("k"), None);
        assert_eq!(bytes("99999999999t"), None);
    }

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(is_meant("sd*", "sd12"));
        assert!(is_meant("*", "sd12"));
        assert!(is_meant("sd1", "sd1"));
        assert!(!is_meant("sd1", "sd12"));
        assert!(!is_meant("sd*2", "sd"));
    }
}
