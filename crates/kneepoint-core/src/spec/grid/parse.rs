//! From the text of a grid to its terms.

use super::{FACTOR_MIN, OUTSTANDING_MAX, RATE_MAX, RATE_MIN, Step, Term};
use crate::words::fault::Fault;
use crate::words::load::LoadUnit;

/// What a grid looks like.
const FORMS: &str = "write it as 1,2,4 or 1..121 or 1..121+8 or 1..512x2";

/// Reads the terms of `text`.
pub(super) fn terms(text: &str, unit: LoadUnit) -> Result<Vec<Term>, Fault> {
    if text.trim().is_empty() {
        return Err(Fault::new("the load grid is empty").fix(FORMS));
    }
    text.split(',')
        .map(|part| term(part.trim(), unit))
        .collect::<Result<_, _>>()
        .map_err(|fault| in_grid(text, fault))
}

/// Says which grid the fault is in.
pub(super) fn in_grid(text: &str, fault: Fault) -> Fault {
    let grid = Fault::new(format!("'{text}' is not a load grid")).because(fault.what());
    grid.fix(fault.fix_hint().unwrap_or(FORMS))
}

/// Reads one term.
fn term(text: &str, unit: LoadUnit) -> Result<Term, Fault> {
    let Some((first, rest)) = text.split_once("..") else {
        return level(text, unit).map(Term::Level);
    };
    let first = level(first.trim(), unit)?;
    let (last, step) = match (rest.split_once('x'), rest.split_once('+')) {
        (Some((last, factor)), _) => (last, times(factor.trim())?),
        (None, Some((last, step))) => (last, plus(step.trim(), unit)?),
        (None, None) => (rest, Step::One),
    };
    let last = level(last.trim(), unit)?;
    if last <= first {
        return Err(Fault::new(format!("the range {first}..{last} does not rise"))
            .fix("put the smaller number first"));
    }
    Ok(Term::Range { first, last, step })
}

/// Reads a level: within the unit's bounds, whole where the unit is.
fn level(text: &str, unit: LoadUnit) -> Result<f64, Fault> {
    let level = number(text)?;
    let (min, max, name) = match unit {
        LoadUnit::OfferedIops => (RATE_MIN, RATE_MAX, "I/Os per second"),
        counted => (1.0, OUTSTANDING_MAX, counted.label()),
    };
    if level < min {
        return Err(Fault::new(format!("{text} {name} are no load"))
            .fix(format!("start at {min} or above")));
    }
    if level > max {
        return Err(Fault::new(format!("{text} {name} are too many"))
            .fix(format!("stay at or below {max}")));
    }
    whole_where_needed(level, unit)
}

/// Refuses fractions of what is only counted in whole numbers.
fn whole_where_needed(number: f64, unit: LoadUnit) -> Result<f64, Fault> {
    if unit.is_whole() && number.fract() != 0.0 {
        return Err(Fault::new(format!("{number} is not a whole number"))
            .fix(format!("{} are whole numbers", unit.label())));
    }
    Ok(number)
}

/// Reads the step of a linear range.
fn plus(text: &str, unit: LoadUnit) -> Result<Step, Fault> {
    let step = whole_where_needed(number(text)?, unit)?;
    if step < RATE_MIN {
        return Err(
            Fault::new(format!("a step of {text} is below {RATE_MIN}")).fix("write it as 1..121+8")
        );
    }
    Ok(Step::Plus(step))
}

/// Reads the factor of a geometric range.
fn times(text: &str) -> Result<Step, Fault> {
    let factor = number(text)?;
    if factor < FACTOR_MIN {
        return Err(Fault::new(format!("a factor of {factor} is below {FACTOR_MIN}"))
            .fix("write it as 1..512x2"));
    }
    Ok(Step::Times(factor))
}

/// The number that `2k` or `1.5M` means, which is not how numbers of things are written here.
pub fn in_thousands(text: &str) -> Option<f64> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let factor = match unit {
        "k" | "K" => 1e3,
        "m" | "M" => 1e6,
        _ => return None,
    };
    Some(number(digits).ok()? * factor)
}

/// Reads a decimal number: digits, perhaps a point between them, perhaps grouped with `_`.
fn number(text: &str) -> Result<f64, Fault> {
    let allowed = |char: char| char.is_ascii_digit() || char == '.' || char == '_';
    let framed = text.starts_with(|char: char| char.is_ascii_digit())
        && text.ends_with(|char: char| char.is_ascii_digit());
    let parsed = if framed && text.chars().all(allowed) {
        text.replace('_', "").parse::<f64>().ok().filter(|number| number.is_finite())
    } else {
        None
    };
    parsed.ok_or_else(|| {
        let fault = Fault::new(format!("'{text}' is not a number"));
        match in_thousands(text) {
            Some(number) => fault.fix(format!("write it in full: {number}")),
            None if text.starts_with('-') => {
                Fault::new(format!("'{text}' is negative")).fix("use numbers above zero")
            }
            None => fault.fix(FORMS),
        }
    })
}
