//! `kneepoint catalog`: load profiles, suites, simulated systems and drives.

use kneepoint_core::spec::catalog::{self, CAMPAIGNS, PROFILES, SUITES, Shipped};
use kneepoint_core::words::fault::Fault;
use kneepoint_sim::SYSTEMS;
use kneepoint_sim::system::overrides::QUERY_KEYS;
use kneepoint_sim::system::parameter::DEFINITIONS;
use kneepoint_sim::system::shipped::{SHIPPED_SYSTEMS, ShippedSystem};

use crate::Outcome;
use crate::cli::CatalogArgs;
use crate::output::print::{print, print_page};
use crate::output::table::TextTable;
use crate::output::text::Text;

/// Lists everything, one kind, or shows one entry.
pub(crate) fn catalog(args: &CatalogArgs) -> anyhow::Result<Outcome> {
    let words: Vec<&str> = args.what.iter().map(String::as_str).collect();
    let tables = match words.as_slice() {
        [] => vec![profiles()?, suites()?, systems()?],
        ["profiles"] => vec![profiles()?],
        ["suites"] => vec![suites()?],
        ["systems"] => vec![systems()?, overrides()],
        ["drives"] => vec![drives()?],
        ["parameters"] => vec![parameters()],
        _ => {
            // A file to be saved and changed: its lines stay as they are.
            print(named(&words)?)?;
            return Ok(Outcome::Done);
        }
    };
    print_page(args.page.page(), |width| {
        Text::join(tables.iter().map(|table| table.fitted(width)).collect(), "\n")
    })?;
    Ok(Outcome::Done)
}

/// One entry, of any kind or of the one that is named before it.
fn named(words: &[&str]) -> Result<String, Fault> {
    match words {
        [name] => entry(name),
        ["profiles", name] => definition(PROFILES, name).map_or_else(|| entry(name), Ok),
        ["suites", name] => {
            let text = definition(SUITES, name).or_else(|| definition(CAMPAIGNS, name));
            text.map_or_else(|| entry(name), Ok)
        }
        ["systems", name] => system(name),
        ["drives", name] => system(&format!("drive/{}", drive_name(name))),
        _ => Err(Fault::new(format!("'{}' is no part of the catalog", words[0]))
            .fix("use profiles, suites, systems, drives or parameters")),
    }
}

fn profiles() -> Result<TextTable, Fault> {
    let mut table = TextTable::of(&["Load profile", "What it does"], &[]);
    for shipped in PROFILES {
        let profile = catalog::profile(shipped.name)?;
        table.row(vec![shipped.name.to_owned(), profile.summary()]);
    }
    Ok(table)
}

fn suites() -> Result<TextTable, Fault> {
    let mut table = TextTable::of(&["Suite", "Extent", "What it is"], &[]);
    for shipped in SUITES {
        let suite = catalog::suite(shipped.name)?;
        table.row(vec![shipped.name.to_owned(), suite.summary()?, suite.title]);
    }
    for shipped in CAMPAIGNS {
        if let Some(campaign) = catalog::campaign(shipped.name)? {
            table.row(vec![shipped.name.to_owned(), campaign.summary(), campaign.title]);
        }
    }
    Ok(table)
}

fn systems() -> Result<TextTable, Fault> {
    let mut table = TextTable::of(&["Simulated system", "What it is"], &[]);
    for (name, description) in SYSTEMS {
        table.row(vec![format!("sim:{name}"), description.to_owned()]);
    }
    for shipped in SHIPPED_SYSTEMS.iter().filter(|shipped| !is_drive(shipped)) {
        table.row(shipped_row(shipped)?);
    }
    let drives = SHIPPED_SYSTEMS.iter().filter(|shipped| is_drive(shipped)).count();
    table.row(vec![
        "sim:drive/NAME".to_owned(),
        format!("a single drive; `kneepoint catalog drives` lists all {drives}"),
    ]);
    Ok(table)
}

fn is_drive(shipped: &ShippedSystem) -> bool {
    shipped.name.starts_with("drive/")
}

fn drive_name(name: &str) -> &str {
    name.strip_prefix("sim:").unwrap_or(name).trim_start_matches("drive/")
}

/// The overrides that may follow the name of a storage system.
fn overrides() -> TextTable {
    let mut table = TextTable::of(&["Override", "Value"], &[]);
    for (key, meaning) in QUERY_KEYS {
        table.row(vec![format!("?{key}="), (*meaning).to_owned()]);
    }
    table
}

fn drives() -> Result<TextTable, Fault> {
    let mut table = TextTable::of(&["Simulated drive", "What it is"], &[]);
    for shipped in SHIPPED_SYSTEMS.iter().filter(|shipped| is_drive(shipped)) {
        table.row(shipped_row(shipped)?);
    }
    Ok(table)
}

fn shipped_row(shipped: &ShippedSystem) -> Result<Vec<String>, Fault> {
    let system = shipped.system()?;
    let title = format!("{} ({})", system.title, system.calibration);
    Ok(vec![format!("sim:{}", shipped.name), title])
}

/// The free parameters of the model.
fn parameters() -> TextTable {
    let mut table = TextTable::of(&["Parameter", "Unit", "Limits", "Meaning"], &[]);
    table.can_spare(&["Limits"]);
    table.may_break(&["Meaning"]);
    for definition in DEFINITIONS {
        table.row(vec![
            definition.name.to_owned(),
            definition.unit.to_owned(),
            format!("{} to {}", definition.floor, definition.ceiling),
            definition.meaning.to_owned(),
        ]);
    }
    table
}

/// The definition of a profile, suite or system.
fn entry(name: &str) -> Result<String, Fault> {
    match [SUITES, CAMPAIGNS, PROFILES].into_iter().find_map(|list| definition(list, name)) {
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
    if let Some(shipped) = ShippedSystem::find(name) {
        return Ok(shipped.text.to_owned());
    }
    match SYSTEMS.iter().find(|(known, _)| *known == name) {
        Some((name, description)) => Ok(format!("sim:{name}\n  {description}\n")),
        None => Err(Fault::new(format!("there is no simulated system '{name}'"))
            .fix("`kneepoint catalog systems` lists them")),
    }
}
