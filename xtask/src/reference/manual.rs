//! Manual pages, one per command.

use std::io;

use clap::Command;
use clap_mangen::Man;

use super::{GeneratedFile, command, visible_subcommands};

/// `kneepoint.1`, and `kneepoint-run.1` and the like for every command.
pub(super) fn files() -> io::Result<Vec<GeneratedFile>> {
    let command = command();
    std::iter::once(&command).chain(visible_subcommands(&command)).map(page).collect()
}

fn page(command: &Command) -> io::Result<GeneratedFile> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut text = Vec::new();
    let version = command.get_version().unwrap_or_default();
    let page = Man::new(command.clone()).source(format!("Kneepoint {version}")).manual("Kneepoint");
    page.render(&mut text)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(GeneratedFile::new(&format!("man/{name}.1"), text))
}
