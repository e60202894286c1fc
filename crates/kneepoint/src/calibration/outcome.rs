//! A fit, on the terminal and as a system file.

use std::fmt::Write as _;

use kneepoint_sim::cells::Score;

use super::fit::Fit;
use super::observation::Observations;
use crate::output::table::{Align, TextTable};
use crate::output::text::Text;
use crate::output::width::Width;

/// The parameters before and after, the residuals, and the errors in total.
pub(crate) fn fit_text(
    fit: &Fit,
    (fitted, held_out): (&Observations, &Observations),
    width: Width,
) -> Text {
    let mut parts = vec![
        format!("sim:{}\n", fit.system.name).into(),
        parameters(fit).fitted(width),
        residuals(&fitted.ids, &fit.errors_percent).fitted(width),
    ];
    if held_out.len() > 0 {
        let mut apart = Text::from("held out\n");
        apart.append(residuals(&held_out.ids, &fit.held_out_percent).fitted(width));
        parts.push(apart);
    }
    parts.push(scores(fit).fitted(width));
    Text::join(parts, "\n")
}

fn parameters(fit: &Fit) -> TextTable {
    let mut table = TextTable::new(&[
        ("parameter", Align::Left),
        ("before", Align::Right),
        ("after", Align::Right),
        ("unit", Align::Left),
        ("bounds", Align::Left),
        ("", Align::Left),
    ]);
    table.can_spare(&["bounds"]);
    for (free, value) in fit.free.iter().zip(&fit.values) {
        table.row(vec![
            free.name.to_owned(),
            short(free.start),
            short(*value),
            free.unit.to_owned(),
            format!("{} to {}", free.min, free.max),
            if free.is_at_bound(*value) { "at its bound".to_owned() } else { String::new() },
        ]);
    }
    table
}

fn residuals(ids: &[String], errors_percent: &[f64]) -> TextTable {
    let mut table = TextTable::new(&[("measurement", Align::Left), ("error", Align::Right)]);
    for (id, error) in ids.iter().zip(errors_percent) {
        table.row(vec![id.clone(), format!("{error:+.1} %")]);
    }
    table
}

fn scores(fit: &Fit) -> TextTable {
    let mut table = TextTable::new(&[
        ("errors", Align::Left),
        ("cells", Align::Right),
        ("mean error", Align::Right),
        ("median", Align::Right),
        ("within 10 %", Align::Right),
        ("largest", Align::Right),
    ]);
    let rows = [
        ("before the fit", &fit.errors_before_percent),
        ("after the fit", &fit.errors_percent),
        ("held out", &fit.held_out_percent),
    ];
    for (name, errors) in rows.into_iter().filter(|(_, errors)| !errors.is_empty()) {
        let score = Score::of(errors.iter().copied());
        let percent = |value: f64| format!("{value:.2} %");
        table.row(vec![
            name.to_owned(),
            score.cells.to_string(),
            percent(score.mean_abs_error_percent),
            percent(score.median_abs_error_percent),
            percent(score.within_10_percent),
            percent(score.max_abs_error_percent),
        ]);
    }
    table
}

/// Four significant digits.
fn short(value: f64) -> String {
    let digits = if value == 0.0 { 0 } else { 3 - value.abs().log10().floor() as i32 };
    format!("{value:.*}", digits.clamp(0, 6) as usize)
}

/// The system file with the fitted values, and the residuals as a comment at its end.
pub(crate) fn fitted_text(fit: &Fit, fitted: &Observations, held_out: &Observations) -> String {
    let mut text = fit.system.to_toml();
    let _ = writeln!(text, "\n# Residuals of the calibration, in percent of the measured number:");
    for (id, error) in fitted.ids.iter().zip(&fit.errors_percent) {
        let _ = writeln!(text, "# {error:+6.1}  {id}");
    }
    if held_out.len() > 0 {
        let _ = writeln!(text, "#\n# Held out of the calibration:");
    }
    for (id, error) in held_out.ids.iter().zip(&fit.held_out_percent) {
        let _ = writeln!(text, "# {error:+6.1}  {id}");
    }
    text
}
