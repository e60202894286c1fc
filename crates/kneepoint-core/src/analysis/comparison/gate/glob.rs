//! Names with `*` for any letters and `?` for any one.

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
    use super::matches;

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
