//! The work, the targets and the engine: the lines above the tables of a run.

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{Environment, RunDocument, RunState, TargetEnvironment};
use kneepoint_core::spec::factor::Factors;
use kneepoint_core::words::number::RoundedBytes;
use kneepoint_core::words::printable::printable;
use kneepoint_core::words::storage_class::TargetClass;

use super::text::{Text, Tone};

/// Targets that get a line each; of more only the names are given.
const TARGETS_MAX: usize = 8;

/// Name and state of the run, then what each target is, the engine and the host.
pub(super) fn heading(document: &RunDocument) -> Text {
    let run = &document.run;
    let imported = document.environment.imported.as_ref();
    let targets: Vec<&str> = match imported {
        Some(imported) => imported.targets.iter().map(String::as_str).collect(),
        None => document.environment.targets.iter().map(|target| target.target.as_str()).collect(),
    };
    let label = if run.label.is_empty() {
        String::new()
    } else {
        format!(" \"{}\"", printable(&run.label))
    };
    let targets = targets.join(", ");
    let on =
        if targets.is_empty() { String::new() } else { format!(" on {}", printable(&targets)) };
    let mut text =
        Text::from(format!("{}{on}\nrun {}{label}, ", printable(&run.work), printable(&run.id)));
    let (tone, state) = state(document);
    text.push(tone, state);
    let facts = match imported {
        Some(imported) => format!(
            "imported: measured by {}, read from {} ({})\n",
            printable(&imported.measured_by()),
            printable(&imported.file),
            printable(&imported.format)
        ),
        None => facts(document),
    };
    text.push(Tone::Plain, format!("\n{facts}"));
    text.push(Tone::Plain, class(document));
    text
}

/// The class of storage that the rules were taken from, if neither the user nor the suite named
/// them.
fn class(document: &RunDocument) -> String {
    let class = document.plan.get("target_class").cloned();
    let class = class.and_then(|class| serde_json::from_value::<TargetClass>(class).ok());
    class.map_or_else(String::new, |class| {
        format!("target class: {}; --rule sets other rules\n", printable(&class.to_string()))
    })
}

fn state(document: &RunDocument) -> (Tone, &'static str) {
    match document.run.state {
        RunState::Complete => (Tone::Plain, "complete"),
        RunState::Interrupted if document.plan.get("file_copy").is_some() => {
            (Tone::Caution, "interrupted: not every point and every copy of the plan was measured")
        }
        RunState::Interrupted => {
            (Tone::Caution, "interrupted: not every point of the plan was measured")
        }
        RunState::Failed => (Tone::Bad, "failed"),
    }
}

/// A line for each target, and one for what measured them.
fn facts(document: &RunDocument) -> String {
    let targets = &document.environment.targets;
    let engine = engine(&document.environment);
    let file_systems = file_systems(document);
    let of_target = |target: &TargetEnvironment| target_text(target, file_systems.as_deref());
    match targets.as_slice() {
        [target] => format!("{}; {engine}\n", of_target(target)),
        targets if targets.len() <= TARGETS_MAX => {
            let line = |target: &TargetEnvironment| {
                format!("{}: {}\n", printable(&target.target), of_target(target))
            };
            targets.iter().map(line).collect::<String>() + &engine + "\n"
        }
        _ => engine + "\n",
    }
}

/// The file systems that the run varied, if it did: that of the environment is the one of a moment.
fn file_systems(document: &RunDocument) -> Option<String> {
    let factors = document.plan.get("factors")?.clone();
    let factors: Factors = serde_json::from_value(factors).ok()?;
    let varied = factors.factors.into_iter().find(|factor| factor.name == "file_system")?;
    Some(varied.levels.join("/"))
}

/// The description of a target: `64.0 MiB file on ext4, vda (SAMSUNG MZVL2512)`; on which file systems,
/// if they were varied.
fn target_text(target: &TargetEnvironment, file_systems: Option<&str>) -> String {
    let size = RoundedBytes(target.size_bytes);
    let fact = |name: &str| target.device.get(name).filter(|value| !value.is_empty());
    let kind = match target.kind {
        TargetKind::Sim if target.size_bytes == 0 => return "simulated".to_owned(),
        TargetKind::Sim => return format!("{size}, simulated"),
        TargetKind::Null => return format!("{size} of nothing"),
        TargetKind::Database => {
            return match (fact("name"), fact("version")) {
                (Some(name), Some(version)) => {
                    printable(&format!("warehouses in {name} {version}")).into_owned()
                }
                _ => "warehouses in memory".to_owned(),
            };
        }
        TargetKind::Processor => return "processors of this machine".to_owned(),
        TargetKind::Desktop => return "screens of a desktop server".to_owned(),
        TargetKind::Directory => "files of a directory",
        TargetKind::Block => "block device",
        TargetKind::File => "file",
    };
    let on = file_systems.or_else(|| target.file_system.split_whitespace().next());
    let on = on.map_or_else(String::new, |kind| format!(" on {kind}"));
    let device = match (fact("name"), fact("model")) {
        (Some(name), Some(model)) => format!(", {name} ({model})"),
        (Some(name), None) => format!(", {name}"),
        (None, Some(model)) => format!(", {model}"),
        (None, None) => String::new(),
    };
    let size = match target.kind {
        TargetKind::Directory => String::new(),
        _ => format!("{size} "),
    };
    printable(&format!("{size}{kind}{on}{device}")).into_owned()
}

/// The engine and the host: `io_uring, direct I/O, host db1`. A simulated system is the same on
/// every host.
fn engine(environment: &Environment) -> String {
    let is_simulated = environment.targets.iter().all(|target| target.kind == TargetKind::Sim);
    if is_simulated && !environment.targets.is_empty() {
        return "virtual time".to_owned();
    }
    let is_real =
        |target: &TargetEnvironment| matches!(target.kind, TargetKind::File | TargetKind::Block);
    let mut parts = Vec::new();
    if let Some(host) = environment.first_host() {
        parts.extend(host.engine.get("engine").cloned());
        if environment.targets.iter().any(is_real) {
            parts.extend(host.engine.get("caching").map(|caching| format!("{caching} I/O")));
            let is_huge = host.engine.get("memory_pages").is_some_and(|pages| pages == "huge");
            parts.extend(is_huge.then(|| "buffers in huge pages".to_owned()));
        }
    }
    let names: Vec<&str> = environment.hosts.iter().map(|host| host.host.as_str()).collect();
    parts.extend(match names.as_slice() {
        [] | [""] => None,
        [one] => Some(format!("host {one}")),
        several => Some(format!("hosts {}", several.join(", "))),
    });
    printable(&parts.join(", ")).into_owned()
}
