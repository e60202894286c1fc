//! `kneepoint catalog`: load profiles, suites and simulated systems.

use kneepoint_core::catalog::{self, PROFILES, SUITES, Shipped};
use kneepoint_core::fault::Fault;
use kneepoint_sim::SYSTEMS;

use crate::Outcome;
use crate::cli::CatalogArgs;
use crate::output::print::print;
use crate::output::table::{Align, TextTable};

/// Lists everything, one kind, or shows one entry.
pub(crate) fn catalog(args: &CatalogArgs) -> anyhow::Result<Outcome> {
    let words: Vec<&str> = args.what.iter().map(String::as_str).collect();
    let text = match words.as_slice() {
        [] => [profiles()?, suites()?, systems()].join("\n"),
        ["profiles"] => profiles()?,
        ["suites"] => suites()?,
        ["systems"] => systems(),
        [name] => entry(name)?,
        ["profiles", name] => definition(PROFILES, name).map_or_else(|| entry(name), Ok)?,
        ["suites", name] => definition(SUITES, name).map_or_else(|| entry(name), Ok)?,
        ["systems", name] => system(name)?,
        [kind, ..] => {
            return Err(Fault::new(format!("'{kind}' is no part of the catalog"))
                .fix("use profiles, suites or systems")
                .into());
        }
    };
    print(&text)?;
    Ok(Outcome::Done)
}

fn profiles() -> Result<String, Fault> {
    let mut table = TextTable::new(&[("Load profile", Align::Left), ("What it does", Align::Left)]);
    for shipped in PROFILES {
        let profile = catalog::profile(shipped.name)?;
        table.row(vec![shipped.name.to_owned(), profile.summary()]);
    }
    Ok(table.text())
}

fn suites() -> Result<String, Fault> {
    let mut table = TextTable::new(&[
        ("Suite", Align::Left),
        ("Extent", Align::Left),
        ("What it is", Align::Left),
    ]);
    for shipped in SUITES {
        let suite = catalog::suite(shipped.name)?;
        table.row(vec![shipped.name.to_owned(), suite.summary()?, suite.title]);
    }
    Ok(table.text())
}

fn systems() -> String {
    let mut table =
        TextTable::new(&[("Simulated system", Align::Left), ("What it is", Align::Left)]);
    for system in SYSTEMS {
        table.row(vec![format!("sim:{}", system.name), system.description.to_owned()]);
    }
    table.text()
}

/// The definition of a profile, suite or system.
fn entry(name: &str) -> Result<String, Fault> {
    let shipped = definition(SUITES, name).or_else(|| definition(PROFILES, name));
    match shipped {
        Some(text) => Ok(text),
        None => system(name).or_else(|_| catalog::work(name).map(|suite| suite.title)),
    }
}

/// The TOML text of a shipped file, ready to be saved and changed.
fn definition(list: &[Shipped], name: &str) -> Option<String> {
    list.iter().find(|shipped| shipped.name == name).map(|shipped| shipped.text.to_owned())
}

fn system(name: &str) -> Result<String, Fault> {
    let name = name.strip_prefix("sim:").unwrap_or(name);
    match SYSTEMS.iter().find(|system| system.name == name) {
        Some(system) => Ok(format!("sim:{}\n  {}\n", system.name, system.description)),
        None => Err(Fault::new(format!("there is no simulated system '{name}'"))
            .fix("`kneepoint catalog systems` lists them")),
    }
}
