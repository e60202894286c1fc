//! `kneepoint inspect`: what a target is, and whether it may be written.

use std::path::Path;

use kneepoint_core::words::fault::Fault;
use kneepoint_device::consent::{Overwrite, inspection};
use kneepoint_device::testbed::{inspect_target, refuse_misspelt};
use kneepoint_server::desktop::DesktopTestbed;
use kneepoint_server::files::FilesTestbed;
use kneepoint_server::postgres::DatabaseTestbed;
use kneepoint_sim::{Model, SYSTEMS, SimTarget};

use crate::Outcome;
use crate::cli::InspectArgs;
use crate::output::print::print_page;
use crate::output::text::Page;
use crate::session::{LOOKING, Vigil};
use crate::work::{database_testbed, desktop_testbed, files_testbed, system_file};

/// Prints facts and judgement of every target.
pub(crate) fn inspect(args: &InspectArgs) -> anyhow::Result<Outcome> {
    let overwrites: Vec<Overwrite> = args
        .overwrite
        .iter()
        .filter(|text| !DatabaseTestbed::is_named_by(text))
        .map(|text| text.parse())
        .collect::<Result<_, Fault>>()?;
    let databases: Vec<String> =
        args.overwrite.iter().filter(|text| DatabaseTestbed::is_named_by(text)).cloned().collect();
    let vigil = Vigil::keep(LOOKING, None);
    for path in &args.targets {
        vigil.moved();
        let text = match path.to_str().filter(|name| DatabaseTestbed::is_named_by(name)) {
            Some(name) => database(name, &databases)?,
            None => text(path, &overwrites)?,
        };
        print_page(Page::of_output(), |_| text)?;
    }
    Ok(Outcome::Done)
}

fn text(path: &Path, overwrites: &[Overwrite]) -> Result<String, Fault> {
    match path.to_str() {
        Some("null:") => return Ok(lines(&[("target", "null:"), ("kind", "no I/O at all")])),
        Some(name) if SimTarget::is_named_by(name) => return simulated(name),
        Some(name) if DesktopTestbed::is_named_by(name) => return desktop(name),
        Some(name) if FilesTestbed::is_named_by(name) => return directory(name),
        Some(name) => refuse_misspelt(name)?,
        None => {}
    }
    let (facts, judgement) = inspect_target(path, overwrites)?;
    Ok(inspection(&facts, &judgement))
}

/// The description of a database.
fn database(name: &str, overwrite: &[String]) -> Result<String, Fault> {
    let named: Vec<String> = overwrite.iter().filter(|other| *other == name).cloned().collect();
    let testbed = database_testbed(&[name.to_owned()], &named)?;
    let (what, may) = (testbed.description(), testbed.consent());
    Ok(lines(&[
        ("target", name),
        ("kind", "database"),
        ("server", &what),
        ("may be written", &may),
    ]))
}

/// The description of a directory in which files are created and deleted.
fn directory(name: &str) -> Result<String, Fault> {
    let testbed = files_testbed(&[name.to_owned()])?;
    let file_system = testbed.file_system();
    Ok(lines(&[
        ("target", name),
        ("kind", "directory"),
        ("file system", file_system),
        ("may be written", "yes: Kneepoint makes it for a run, and removes it"),
    ]))
}

/// The description of a desktop server.
fn desktop(name: &str) -> Result<String, Fault> {
    let what = desktop_testbed(&[name.to_owned()])?.description();
    Ok(lines(&[
        ("target", name),
        ("kind", "desktop server"),
        ("what it is", &what),
        ("may be written", "only by what users type there"),
    ]))
}

/// The description of a simulated system.
fn simulated(name: &str) -> Result<String, Fault> {
    let target = SimTarget::parse_with(name, &system_file)?;
    let arrays = SimTarget::expand(name, &system_file)?;
    let (what, size) = (what(&target), target.size.to_string());
    let mut shown = vec![("target", name), ("kind", "simulated system"), ("what it is", &what)];
    let listed = arrays.join(" ");
    if arrays.len() > 1 {
        shown.push(("arrays", &listed));
    }
    shown.push((if arrays.len() > 1 { "size of each" } else { "size" }, &size));
    let settings = target.settings();
    shown.extend(settings.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    shown.push(("may be written", "yes: no device or file is touched"));
    Ok(lines(&shown))
}

fn what(target: &SimTarget) -> String {
    match &target.model {
        Model::Array { system, .. } => format!("{} ({})", system.title, system.calibration),
        Model::Analytic(_) | Model::Desktop(_) => {
            let is_named = |name: &str| {
                target.name.strip_prefix("sim:").is_some_and(|rest| rest.starts_with(name))
            };
            let entry = SYSTEMS.iter().find(|(name, _)| is_named(name));
            entry.map_or_else(String::new, |(_, description)| (*description).to_owned())
        }
    }
}

fn lines(shown: &[(&str, &str)]) -> String {
    shown.iter().map(|(key, value)| format!("{:<24} {value}\n", key.replace('_', " "))).collect()
}
