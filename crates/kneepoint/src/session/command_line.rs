//! The command as it was typed, and commands to be typed: quoted for a shell.

use std::path::Path;

/// This process's command line, quoted for a shell.
pub(crate) fn command_line() -> String {
    let words: Vec<String> = std::env::args_os()
        .enumerate()
        .map(|(index, word)| match index {
            0 => "kneepoint".to_owned(),
            _ => word.to_string_lossy().into_owned(),
        })
        .collect();
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell takes it for one.
pub(crate) fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into)
}

/// The option that names `store` in a command to be typed; nothing for the usual store.
pub(crate) fn store_option(store: &Path) -> String {
    match store == Path::new("kneepoint.db") {
        true => String::new(),
        false => format!(" --store {}", quoted(&store.to_string_lossy())),
    }
}
