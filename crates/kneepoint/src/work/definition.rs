//! What the user named: a suite, a profile or a system, and text files of bounded length.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use kneepoint_core::spec::catalog;
use kneepoint_core::spec::profile::Profile;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::number::RoundedBytes;

/// Finds `work`: a name of the catalog, or a TOML file. A profile becomes a suite of one series.
pub(crate) fn find(work: &str) -> Result<Suite, Fault> {
    let is_path = Path::new(work).extension().is_some_and(|ending| ending == "toml");
    if !is_path && !work.contains('/') {
        return catalog::work(work).and_then(without_commands);
    }
    own(Path::new(work))
}

/// The suite or profile in a file of the user's own.
pub(crate) fn own(path: &Path) -> Result<Suite, Fault> {
    let work = &path.to_string_lossy();
    let text = read_text(path, TEXT_MAX).map_err(|error| {
        Fault::new(format!("cannot read {work}"))
            .because(error)
            .fix("name a suite or profile of `kneepoint catalog`, or an existing TOML file")
    })?;
    parse(&text, work)
}

/// Refuses commands that the user has not written: only a file named on the command line may have
/// them.
fn without_commands(suite: Suite) -> Result<Suite, Fault> {
    match suite.factors.factors.iter().find(|factor| factor.commands.is_some()) {
        None => Ok(suite),
        Some(factor) => Err(Fault::new(format!("the factor '{}' would run commands", factor.name))
            .because(format!(
                "the suite '{}' is shipped, and commands run from your own files only",
                suite.name
            ))
            .fix("save it with `kneepoint catalog NAME`, read it, and name the file")),
    }
}

/// The text of the system file at `path`.
pub(crate) fn system_file(path: &str) -> Result<String, Fault> {
    read_text(Path::new(path), TEXT_MAX).map_err(|error| {
        Fault::new(format!("cannot read {path}"))
            .because(error)
            .fix("name a system of `kneepoint catalog systems`, or an existing TOML file")
    })
}

/// A file with `[[series]]` is a suite, any other a profile.
fn parse(text: &str, file_name: &str) -> Result<Suite, Fault> {
    let is_suite = text.lines().any(|line| line.trim_start().starts_with("[[series]]"));
    if is_suite {
        Suite::parse(text, file_name)
    } else {
        Profile::parse(text, file_name).map(Suite::of_profile)
    }
}

/// Definitions, tables of cells and notes on them are far below this.
pub(crate) const TEXT_MAX: u64 = 16 << 20;

/// The text of a file of up to `bytes_max`.
///
/// # Errors
/// When it cannot be read, is no text, or goes on after that many bytes, as devices do.
pub(crate) fn read_text(path: &Path, bytes_max: u64) -> io::Result<String> {
    let mut text = String::new();
    let length = File::open(path)?.take(bytes_max + 1).read_to_string(&mut text)?;
    if length as u64 > bytes_max {
        let limit = RoundedBytes(bytes_max);
        return Err(io::Error::other(format!("it is larger than {limit}")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused_after_the_limit() {
        let error = read_text(Path::new("/dev/zero"), 1000).unwrap_err();
        assert!(error.to_string().contains("larger than"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(&path, "1234").unwrap();
        assert_eq!(read_text(&path, 4).unwrap(), "1234");
        assert!(read_text(&path, 3).is_err());
    }
}
