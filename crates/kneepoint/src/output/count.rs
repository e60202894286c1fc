//! Numbers of things, in words.

/// `1 point`, `7 points`.
pub(crate) fn points(count: usize) -> String {
    match count {
        1 => "1 point".to_owned(),
        count => format!("{count} points"),
    }
}
