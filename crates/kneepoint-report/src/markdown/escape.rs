//! Text in which no character is taken for markup.

/// Words as running text.
pub(super) fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len() + 8);
    for character in words.chars() {
        match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '&' | '~' | '$' | '!' => {
                out.extend(['\\', character]);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    if starts_list(&out) {
        out.insert(0, '\u{200b}');
    }
    out
}

/// Whether a paragraph that starts so would be taken for a list, a rule or a heading's underline.
fn starts_list(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.chars().next() {
        Some('-' | '+' | '=') => rest.len() == text.len(),
        Some('.' | ')') => rest.len() < text.len() && rest[1..].starts_with(' '),
        _ => false,
    }
}

/// Words in which every character counts, within a line.
pub(super) fn code(words: &str) -> String {
    let words: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if words.trim().is_empty() {
        return String::new();
    }
    let fence = "`".repeat(longest_run(&words) + 1);
    let pad = if words.starts_with('`') || words.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{words}{pad}{fence}")
}

/// A block of lines in which every character counts.
pub(super) fn listing(text: &str) -> String {
    let fence = "`".repeat((longest_run(text) + 1).max(3));
    format!("{fence}\n{}\n{fence}", text.trim_end_matches('\n'))
}

/// Length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_for_markup() {
        assert_eq!(escaped("a_b <b> *c* [d]"), "a\\_b \\<b\\> \\*c\\* \\[d\\]");
        assert_eq!(escaped("1. first"), "\u{200b}1. first");
        assert_eq!(escaped("- first"), "\u{200b}- first");
        assert_eq!(escaped("3.5 ms"), "3.5 ms");
    }

    #[test]
    fn fences_are_longer_than_what_they_hold() {
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`a`"), "`` `a` ``");
        assert_eq!(listing("x\n```\n"), "````\nx\n```\n````");
    }
}
