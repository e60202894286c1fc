//! The command as it was typed, ready to be typed again.

/// This process's command line, quoted for a shell.
pub(crate) fn command_line() -> String {
    let words: Vec<String> = std::env::args_os()
        .enumerate()
        .map(|(index, word)| match index {
            0 => "kneepoint".to_owned(),
            _ => word.to_string_lossy().into_owned(),
        })
        .collect();
    let quoted = words.iter().map(|word| shlex::try_quote(word).unwrap_or_else(|_| word.into()));
    quoted.collect::<Vec<_>>().join(" ")
}
