//! Settings that a suite sets for some of its series alone: those that the targets can have, and what is said
//! of the others.

use super::wishes::{FoundTarget, Settable};
use crate::plan::omission::{Left, SettingsObstacle};
use crate::plan::{Omission, SeriesPlan};
use crate::spec::factor::{Combination, Factors};

/// The series with the settings that they can have as their own. What is varied comes before them, and so does
/// what the name of a target says; targets that are not simulated keep their settings.
pub(super) fn own_settings(
    mut series: Vec<SeriesPlan>,
    (factors, targets): (Option<&Factors>, &[FoundTarget]),
) -> (Vec<SeriesPlan>, Vec<Omission>) {
    let mut omissions: Vec<Omission> = Vec::new();
    for series in &mut series {
        let mut left_out: Vec<(SettingsObstacle, Combination)> = Vec::new();
        series.settings.retain(|name, level| {
            let Some(why) = obstacle((name.as_str(), level.as_str()), (factors, targets)) else {
                return true;
            };
            let setting = (name.clone(), level.clone());
            match left_out.iter_mut().find(|(known, _)| *known == why) {
                Some((_, settings)) => settings.extend([setting]),
                None => left_out.push((why, Combination::from([setting]))),
            }
            false
        });
        let profile = series.profile.name();
        let told = left_out.into_iter().map(|(why, settings)| {
            Omission::from(Left::Settings { profile: profile.to_owned(), settings, why })
        });
        let new: Vec<Omission> = told.filter(|omission| !omissions.contains(omission)).collect();
        omissions.extend(new);
    }
    (series, omissions)
}

/// Why a series cannot have a setting as its own.
fn obstacle(
    (name, level): (&str, &str),
    (factors, targets): (Option<&Factors>, &[FoundTarget]),
) -> Option<SettingsObstacle> {
    let mut varied = factors.into_iter().flat_map(|factors| &factors.factors);
    if varied.any(|factor| factor.name == name) {
        return Some(SettingsObstacle::Varied);
    }
    targets.iter().find_map(|found| {
        let target = &found.plan.target;
        // All arrays of a system have its settings.
        let whole = target.split('#').next().unwrap_or(target).to_owned();
        match &found.settable {
            Settable::No => Some(SettingsObstacle::Fixed { target: whole }),
            Settable::BySeries(named) => named
                .get(name)
                .is_some_and(|named| named != level)
                .then_some(SettingsObstacle::Named { target: whole }),
        }
    })
}
