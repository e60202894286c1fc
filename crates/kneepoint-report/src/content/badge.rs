//! The badge of a page: whether its numbers were measured or simulated, and how near the models come.

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{ModelFit, ModelOrigin, Warning};

use super::setup;
use super::view::{PrimaryMetric, RunView};
use crate::language::Language;
use crate::language::texts::{common, comparison, front, summary};
use crate::page::{Note, Tone};

/// The badge of the report on one run.
pub(super) fn of_run(survey: &RunView<'_>) -> Note {
    let language = survey.language;
    if is(survey, TargetKind::Sim) {
        let text = match survey.is_io() {
            true => {
                let fit = fit(survey).words(language).unwrap_or_default();
                let streams = if has_unfitted_streams(survey) {
                    format!(" {}", summary::unfitted_streams(language))
                } else {
                    String::new()
                };
                format!("{} {fit}{streams}", summary::simulated_text(language))
            }
            false => front::simulated_users_text(language).to_owned(),
        };
        return Note::new(Tone::Caution, summary::simulated(language), text.trim_end());
    }
    real(std::slice::from_ref(survey), language)
}

/// The badge of a comparison of runs with these names; of the models that were never fitted, it
/// has the names.
pub(super) fn of_runs(
    surveys: &[RunView<'_>],
    (names, language): (&[&str], Language),
    never_fitted: &[&str],
) -> Note {
    let named = names.iter().zip(surveys).filter(|(_, survey)| is(survey, TargetKind::Sim));
    let (names, simulated): (Vec<&str>, Vec<&RunView<'_>>) = named.unzip();
    if simulated.is_empty() {
        return real(surveys, language);
    }
    let (title, who) = match simulated.len() == surveys.len() {
        true => (summary::simulated(language), comparison::all_simulated(language).to_owned()),
        false => (
            summary::partly_simulated(language),
            comparison::some_simulated(language, &names.join(", ")),
        ),
    };
    let fits: Vec<FitState> = simulated.iter().map(|survey| fit(survey)).collect();
    let fitted = match never_fitted {
        [] => errors(language, &fits),
        systems => Some(comparison::never_fitted(language, &systems.join(", "))),
    };
    let text = fitted.map_or(who.clone(), |fitted| format!("{who} {fitted}"));
    Note::new(Tone::Caution, title, text)
}

/// The badge of runs none of which is simulated.
fn real(surveys: &[RunView<'_>], language: Language) -> Note {
    if surveys.iter().any(|survey| is(survey, TargetKind::Null)) {
        return Note::new(Tone::Caution, summary::null(language), front::null_text(language));
    }
    let text = match surveys.iter().all(RunView::is_io) {
        true => summary::measured_text(language),
        false => summary::measured_work(language),
    };
    Note::new(Tone::Good, summary::measured(language), text)
}

fn is(survey: &RunView<'_>, kind: TargetKind) -> bool {
    setup::targets_are(survey, kind)
}

/// How far the models of a run were fitted to measurements.
#[derive(Debug, Clone, Copy, PartialEq)]
enum FitState {
    /// Nothing is known of it.
    Unknown,
    Never,
    /// Of several systems, or where a setting changes the system.
    Partly,
    /// With its mean error on that many published numbers.
    Known {
        cells: u32,
        error_percent: f64,
    },
    /// Fitted, with an error that is not known.
    Somehow,
}

impl FitState {
    /// A sentence on the models of one run.
    fn words(self, language: Language) -> Option<String> {
        match self {
            Self::Unknown => None,
            Self::Never => Some(summary::never_fitted(language).to_owned()),
            Self::Partly => Some(summary::partly_fitted(language).to_owned()),
            Self::Known { cells, error_percent } => {
                let cells = language.count(cells as usize);
                Some(summary::fitted(language, &cells, &error(language, error_percent)))
            }
            Self::Somehow => Some(summary::fitted_somehow(language).to_owned()),
        }
    }
}

fn error(language: Language, percent: f64) -> String {
    language.written(&format!("{percent:.1}%"))
}

/// The errors of the models of several runs, if all of them are known.
fn errors(language: Language, fits: &[FitState]) -> Option<String> {
    let known = fits.iter().map(|fit| match fit {
        FitState::Known { error_percent, .. } => Some(*error_percent),
        _ => None,
    });
    let mut known: Vec<f64> = known.collect::<Option<_>>()?;
    known.sort_by(f64::total_cmp);
    let [low, high] = [*known.first()?, *known.last()?].map(|percent| error(language, percent));
    let range = if low == high { low } else { common::range(language, &low, &high) };
    Some(comparison::fitted(language, &range))
}

fn fit(survey: &RunView<'_>) -> FitState {
    let points = &survey.document.points;
    let is_uncalibrated =
        |warning: &Warning| matches!(warning.bare(), Warning::Uncalibrated { .. });
    let uncalibrated =
        points.iter().filter(|point| point.warnings.iter().any(is_uncalibrated)).count();
    let models = models(survey);
    let is_one_fitted = models.iter().any(|model| model.fit.is_some());
    match models.as_slice() {
        _ if uncalibrated > 0 && (uncalibrated < points.len() || is_one_fitted) => FitState::Partly,
        _ if uncalibrated > 0 => FitState::Never,
        [] => FitState::Unknown,
        _ if !is_one_fitted => FitState::Never,
        all if all.iter().any(|model| model.fit.is_none()) => FitState::Partly,
        [ModelOrigin { fit: Some(ModelFit { cells, mean_error_percent: Some(error) }), .. }] => {
            FitState::Known { cells: *cells, error_percent: *error }
        }
        _ => FitState::Somehow,
    }
}

/// Whether sequential access to a fitted storage server was simulated: no published number of it is among
/// those that servers were fitted to (docs/validation.md).
fn has_unfitted_streams(survey: &RunView<'_>) -> bool {
    let has_streams = survey.series.iter().any(|series| series.judge == PrimaryMetric::Volume);
    is_fitted_server(survey) && has_streams
}

/// Whether the models of a run are of storage servers, and were fitted.
fn is_fitted_server(survey: &RunView<'_>) -> bool {
    let parts = models(survey).into_iter().filter_map(|model| model.parts.as_ref());
    let is_server = parts.map(|parts| parts.drives).max() > Some(1);
    is_server && matches!(fit(survey), FitState::Known { .. } | FitState::Somehow)
}

/// The models of all targets, each once.
pub(super) fn models<'a>(survey: &RunView<'a>) -> Vec<&'a ModelOrigin> {
    let mut models: Vec<&ModelOrigin> = Vec::new();
    for model in survey.targets().iter().filter_map(|target| target.model.as_ref()) {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    models
}
