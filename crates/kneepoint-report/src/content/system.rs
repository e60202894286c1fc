//! What was measured in words, for the top of the page.

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{HostEnvironment, ModelOrigin, TargetEnvironment};
use kneepoint_core::spec::factor::{Combination, Factor};
use kneepoint_core::words::distinct::distinct;

use super::setup::FILE_SYSTEM;
use super::view::RunView;
use super::{badge, factors, recorded, setup};
use crate::language::texts::{advice as advice_text, common, environment, front, summary, titles};
use crate::page::{Fact, Text};

/// What was measured in words: the system, its drives, its settings, its size, and the software.
pub(super) fn facts(survey: &RunView<'_>) -> Vec<Fact> {
    let language = survey.language;
    let Some(first) = survey.targets().first() else {
        return vec![Fact::new(common::target(language), setup::target_names(survey))];
    };
    let mut facts = Vec::new();
    let models = badge::models(survey);
    if models.is_empty() {
        let name = match survey.targets().len() {
            1 => common::target(language),
            _ => front::targets(language),
        };
        let what = match survey.targets() {
            [only] => format!(" ({})", setup::target_description(survey, only)),
            _ => String::new(),
        };
        facts.push(Fact::new(name, setup::target_names(survey).plain(what)));
        let devices = of_all(survey.targets(), device);
        let devices = devices.map(|devices| common::recorded(language, &devices));
        facts.extend(devices.map(|devices| Fact::new(environment::device(language), devices)));
    } else {
        let title = |model: &&ModelOrigin| titles::system(language, &model.title);
        let titles = distinct(models.iter().map(title)).join("; ");
        let name = match survey.targets() {
            [only] => Text::new().plain(" (").code(&only.target).plain(")"),
            _ => Text::new(),
        };
        facts.push(Fact::new(summary::system(language), Text::new().plain(titles).join(name)));
        let drives = of_all(survey.targets(), |target| drives(survey, target));
        facts.extend(drives.map(|drives| Fact::new(summary::drives(language), drives)));
    }
    let caches = of_all(survey.targets(), |target| caches(survey, target));
    facts.extend(caches.map(|caches| Fact::new(summary::settings(language), caches)));
    facts.extend(others(survey, first));
    facts.extend(own_of_others(survey, first));
    facts.extend(size(survey));
    facts.extend(software(survey));
    facts
}

/// More different things than these are not told one by one.
const DIFFERENT_MAX: usize = 3;

/// What is told of all of them: each that differs from the others once.
fn of_all<T>(all: &[T], of: impl Fn(&T) -> Option<String>) -> Option<String> {
    let told = distinct(all.iter().filter_map(of));
    let more = if told.len() > DIFFERENT_MAX { "; …" } else { "" };
    let first = told.iter().take(DIFFERENT_MAX).map(String::as_str).collect::<Vec<_>>().join("; ");
    (!told.is_empty()).then(|| format!("{first}{more}"))
}

/// The drive of a real target.
fn device(target: &TargetEnvironment) -> Option<String> {
    let known = ["model", "name", "capacity"].map(|key| target.device.get(key));
    let [model, name, capacity] = known;
    let parts = [model.or(name), capacity].into_iter().flatten();
    let parts = distinct(parts.map(String::as_str)).join(", ");
    (!parts.is_empty()).then_some(parts)
}

/// How many drives of which kind, and how they hold the data.
fn drives(survey: &RunView<'_>, target: &TargetEnvironment) -> Option<String> {
    let (language, model) = (survey.language, target.model.as_ref()?);
    let drives = setting(survey, target, "drives")?;
    let drive: Vec<String> = model.drive.split(", ").map(|part| language.written(part)).collect();
    let mut parts = match model.drive.as_str() {
        "" => vec![drives],
        _ => vec![format!("{drives}\u{a0}×\u{a0}{}", drive.join(", "))],
    };
    let named = |key: &str, value: String| match varied(survey, key).is_some() {
        true => format!("{} {value}", common::key(language, key)),
        false if key == "stroke" => summary::stroke(language, &value),
        false => value,
    };
    for key in ["raid", "stroke"] {
        let value = setting(survey, target, key).filter(|value| !value.starts_with("100"));
        parts.extend(value.map(|value| named(key, value)));
    }
    Some(parts.join(", "))
}

/// Settings that decide over the results.
const CACHES: [&str; 5] = ["write_cache", "disk_cache", "read_ahead", "read_ahead_kb", "scheduler"];

/// Whether a setting is a number of KiB by its name.
fn is_kib(key: &str) -> bool {
    key.starts_with("read_ahead_k")
}

fn caches(survey: &RunView<'_>, target: &TargetEnvironment) -> Option<String> {
    let language = survey.language;
    let mut told: Vec<String> = Vec::new();
    let parts = CACHES.iter().filter_map(|key| {
        // Two facts can be of one setting.
        if let Some(factor) = factor_of(survey, key) {
            if told.contains(&factor.name) {
                return None;
            }
            told.push(factor.name);
        }
        let value = setting(survey, target, key)?;
        Some(match target.settings.get(*key).and_then(|value| value.parse().ok()) {
            Some(kib) if is_kib(key) && varied(survey, key).is_none() => {
                let name = common::key(language, "read_ahead");
                format!("{name} {}\u{a0}KiB", language.count_u64(kib))
            }
            _ => format!("{} {value}", common::key(language, key)),
        })
    });
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Whether a setting is in one of the other facts, if it is known of the target.
fn is_told(survey: &RunView<'_>, target: &TargetEnvironment, name: &str) -> bool {
    match name {
        "drives" | "raid" | "stroke" => {
            setting(survey, target, "drives").is_some_and(|_| target.model.is_some())
        }
        FILE_SYSTEM => survey.targets().len() == 1 && target.kind == TargetKind::File,
        _ => CACHES.contains(&name),
    }
}

/// Settings that were varied and are in none of the other facts.
fn others(survey: &RunView<'_>, target: &TargetEnvironment) -> Option<Fact> {
    let language = survey.language;
    let factors = factors::of_plan(survey.document)?.factors.into_iter();
    let others =
        factors.filter(|factor| factor.is_varied() && !is_told(survey, target, &factor.name));
    let told = others.map(|factor| {
        let level = |level: &String| advice_text::level(language, &factor.name, level);
        let levels: Vec<String> = factor.levels.iter().map(level).collect();
        format!("{} ({})", advice_text::setting(language, &factor.name), levels.join(", "))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| Fact::new(summary::varied_settings(language), told.join(", ")))
}

/// The settings that profiles have as their own, each profile once.
pub(super) fn own_settings<'d>(survey: &RunView<'d>) -> Vec<(&'d str, &'d Combination)> {
    let points = survey.document.points.iter().filter(|point| !point.settings.is_empty());
    distinct(points.map(|point| (point.profile.as_str(), &point.settings)))
}

/// Settings that profiles have as their own and that are in none of the other facts.
fn own_of_others(survey: &RunView<'_>, target: &TargetEnvironment) -> Option<Fact> {
    let language = survey.language;
    let told = own_settings(survey).into_iter().filter_map(|(profile, settings)| {
        let others = settings.iter().filter(|(name, _)| {
            !is_told(survey, target, name) || !target.settings.contains_key(*name)
        });
        let others = others.map(|(name, level)| {
            let name = advice_text::noun(language, name);
            format!("{name} {}", recorded::level(language, &name, level))
        });
        let others: Vec<String> = others.collect();
        (!others.is_empty()).then(|| format!("{profile} ({})", others.join(", ")))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| Fact::new(summary::own_settings(language), told.join("; ")))
}

/// The levels at which profiles have a setting as their own: `on: stream-read`.
fn own_levels(survey: &RunView<'_>, key: &str) -> Vec<String> {
    let language = survey.language;
    let with_key = own_settings(survey).into_iter();
    let mut levels: Vec<(String, Vec<String>)> = Vec::new();
    for (profile, level) in with_key.filter_map(|(name, own)| Some((name, own.get(key)?))) {
        let level = recorded::level(language, key, level);
        match levels.iter_mut().find(|(known, _)| *known == level) {
            Some((_, profiles)) => profiles.push(profile.to_owned()),
            None => levels.push((level, vec![profile.to_owned()])),
        }
    }
    let told = levels.into_iter().map(|(level, profiles)| {
        summary::own_level(language, &level, &common::listed(language, &profiles))
    });
    told.collect()
}

/// A setting of the target, or the levels that it was varied over; where profiles have it as their own, that,
/// too.
pub(super) fn setting(
    survey: &RunView<'_>,
    target: &TargetEnvironment,
    key: &str,
) -> Option<String> {
    let language = survey.language;
    let level = |level: &String| advice_text::level(language, key, level);
    match varied(survey, key) {
        Some(levels) => {
            let levels: Vec<String> = levels.iter().map(level).collect();
            Some(summary::varied(language, &levels.join(", ")))
        }
        None => {
            let base = target.settings.get(key).map(level)?;
            Some(match own_levels(survey, key) {
                own if own.is_empty() => base,
                own => format!("{base} ({})", own.join(", ")),
            })
        }
    }
}

/// Whether a setting is the same for everything that was measured.
pub(super) fn is_one(survey: &RunView<'_>, key: &str) -> bool {
    let own = || own_settings(survey).into_iter().any(|(_, own)| own.contains_key(key));
    varied(survey, key).is_none() && !own()
}

/// The levels that a setting was varied over, if it was.
pub(super) fn varied(survey: &RunView<'_>, key: &str) -> Option<Vec<String>> {
    factor_of(survey, key).filter(Factor::is_varied).map(|factor| factor.levels)
}

/// The name of a simulated target without the settings that were varied: it has a level of each, which is not
/// the one of every point.
pub(super) fn without_levels(survey: &RunView<'_>, target: &str) -> String {
    let Some((system, rest)) = target.split_once('?').filter(|_| target.starts_with("sim:")) else {
        return target.to_owned();
    };
    let (query, number) = match rest.split_once('#') {
        Some((query, number)) => (query, format!("#{number}")),
        None => (rest, String::new()),
    };
    let is_fixed = |setting: &&str| {
        let name = setting.split_once('=').map_or(*setting, |(name, _)| name);
        varied(survey, name).is_none()
    };
    let fixed: Vec<&str> = query.split('&').filter(is_fixed).collect();
    match fixed.is_empty() {
        true => format!("{system}{number}"),
        false => format!("{system}?{}{number}", fixed.join("&")),
    }
}

/// The factor that a setting is, by the name of its fact: that of a device below stands behind the
/// name of the device, and facts with a unit in their names are of settings without it.
fn factor_of(survey: &RunView<'_>, key: &str) -> Option<Factor> {
    let name = key.rsplit_once('.').map_or(key, |(_, name)| name);
    let name = if name.starts_with("read_ahead_k") { "read_ahead" } else { name };
    let mut factors = factors::of_plan(survey.document)?.factors.into_iter();
    factors.find(|factor| factor.name == key || factor.name == name)
}

/// Settings that decide on how much of a simulated system is used ...
const SIZING: [&str; 4] = ["drives_per_array", "raid", SIZE, "stroke"];
/// ... if this one does not, which decides alone.
const SIZE: &str = "size";

/// In place of the size used, what it varies with, if a simulation varied that.
pub(super) fn size_varies(survey: &RunView<'_>) -> Option<String> {
    let language = survey.language;
    let is_set = survey.targets().iter().all(|target| target.settings.contains_key(SIZE));
    let varied = SIZING.iter().filter(|key| !is_one(survey, key) && (!is_set || **key == SIZE));
    let names: Vec<String> = varied.map(|key| advice_text::noun(language, key)).collect();
    (setup::targets_are(survey, TargetKind::Sim) && !names.is_empty())
        .then(|| summary::varies_with(language, &common::listed(language, &names)))
}

fn size(survey: &RunView<'_>) -> Option<Fact> {
    let language = survey.language;
    let targets = survey.targets();
    let bytes: u64 = targets.iter().map(|target| target.size_bytes).sum();
    let size = language.bytes(bytes);
    let text = match (size_varies(survey), targets.len()) {
        (Some(settings), _) => settings,
        (None, 1) => size,
        (None, many) => {
            let size = summary::size_of(language, &size, &language.count(many));
            // The targets are those of the largest number of drives.
            match varied(survey, "drives") {
                Some(_) => summary::up_to(language, &size),
                None => size,
            }
        }
    };
    (bytes > 0).then(|| Fact::new(environment::size(language), text))
}

/// Kernel and engine of a measurement; a simulation has none.
pub(super) fn software(survey: &RunView<'_>) -> Option<Fact> {
    let language = survey.language;
    if setup::targets_are(survey, TargetKind::Sim) {
        return None;
    }
    let of_host = |host: &HostEnvironment| {
        let system = host.facts.get("operating_system").map(String::as_str);
        let kernel = host.kernel.split(' ').next();
        let engine = host.engine.get("engine").map(String::as_str);
        let parts = [system, kernel, engine].into_iter().flatten().filter(|part| !part.is_empty());
        let parts = parts.collect::<Vec<_>>().join(", ");
        (!parts.is_empty()).then_some(parts)
    };
    let parts = of_all(&survey.document.environment.hosts, of_host)?;
    Some(Fact::new(summary::software(language), common::recorded(language, &parts)))
}
