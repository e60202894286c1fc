//! The name that was probably meant.

/// Most names that are offered.
const NEAREST_MAX: usize = 3;

/// The names most like `typed`, the nearest first; none when nothing is near.
///
/// Near is an edit distance of at most a third of the typed name's length, or one name being part
/// of the other.
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let typed = typed.to_lowercase();
    let reach = (typed.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &str)> = names
        .into_iter()
        .filter_map(|name| Some((distance_within(&typed, name, reach)?, name)))
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.truncate(NEAREST_MAX);
    near.into_iter().map(|(_, name)| name).collect()
}

/// `did you mean 'a' or 'b'?`, where something is near.
pub fn did_you_mean<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let quoted: Vec<String> =
        nearest(typed, names).iter().map(|name| format!("'{name}'")).collect();
    match quoted.as_slice() {
        [] => None,
        names => Some(format!("did you mean {}?", names.join(" or "))),
    }
}

/// How far `name` is from `typed`, where it is near.
fn distance_within(typed: &str, name: &str, reach: usize) -> Option<usize> {
    const PART_CHARS_MIN: usize = 3;
    let part_of_other = typed.len().min(name.len()) >= PART_CHARS_MIN
        && (name.contains(typed) || typed.contains(name));
    if typed.len().abs_diff(name.len()) > 4 * reach && !part_of_other {
        return None;
    }
    let distance = edit_distance(typed, name);
    match (distance <= reach, part_of_other) {
        (true, _) => Some(distance),
        (false, true) => Some(reach + distance),
        (false, false) => None,
    }
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, right) in b.iter().enumerate() {
            let replaced = last[j] + usize::from(left != right);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *left == b[j - 1] && a[i - 1] == *right {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] = ["database", "file-server", "file-copy", "random-read", "oltp"];

    #[test]
    fn slips_of_the_finger_find_the_name() {
        let check = |typed: &str, meant: &[&str]| assert_eq!(nearest(typed, NAMES), meant);
        check("databse", &["database"]);
        check("Database", &["database"]);
        check("file_server", &["file-server"]);
        check("ltop", &[]);
        check("otlp", &["oltp"]);
        check("file", &["file-copy", "file-server"]);
        check("iometer-oltp", &["oltp"]);
        check("zzz", &[]);
        check("", &[]);
    }

    #[test]
    fn the_question_offers_what_is_near() {
        assert_eq!(did_you_mean("otlp", NAMES).as_deref(), Some("did you mean 'oltp'?"));
        assert_eq!(did_you_mean("zzz", NAMES), None);
    }

    #[test]
    fn swapped_neighbours_are_one_edit() {
        assert_eq!(edit_distance("raed", "read"), 1);
        assert_eq!(edit_distance("read", "read"), 0);
        assert_eq!(edit_distance("", "read"), 4);
        assert_eq!(edit_distance("sitting", "kitten"), 3);
        assert_eq!(edit_distance("über", "uber"), 1);
    }
}
