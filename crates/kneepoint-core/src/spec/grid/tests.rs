//! Grids as typed, their levels, and what is refused.

use proptest::prelude::*;

use super::*;

fn outstanding(text: &str) -> Result<LoadGrid, Fault> {
    LoadGrid::parse(text, LoadUnit::OutstandingIos)
}

fn offered(text: &str) -> Result<LoadGrid, Fault> {
    LoadGrid::parse(text, LoadUnit::OfferedIops)
}

/// The levels of a grid of outstanding I/Os.
#[track_caller]
fn check(text: &str, levels: &[u32]) {
    let grid = outstanding(text).unwrap();
    let expected: Vec<f64> = levels.iter().map(|level| f64::from(*level)).collect();
    assert_eq!(grid.levels, expected, "{text}");
}

/// The fault of a grid of outstanding I/Os, with its fix.
#[track_caller]
fn check_refused(text: &str, what: &str, fix: &str) {
    let fault = outstanding(text).unwrap_err();
    assert_eq!((fault.to_string().as_str(), fault.fix_hint()), (what, Some(fix)));
}

const FORMS: &str = "write it as 1,2,4 or 1..121 or 1..121+8 or 1..512x2";

#[test]
fn grids_expand_to_their_levels() {
    check("1", &[1]);
    check("1,2,4", &[1, 2, 4]);
    check(" 1, 2 ,4 ", &[1, 2, 4]);
    check("1..5", &[1, 2, 3, 4, 5]);
    check("1 .. 5", &[1, 2, 3, 4, 5]);
    check("1..512x2", &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
    check("1..121+40", &[1, 41, 81, 121]);
    check("1,3,8,16..64x2", &[1, 3, 8, 16, 32, 64]);
    check("1_000..3_000+1_000", &[1000, 2000, 3000]);
    assert_eq!(outstanding("1..121").unwrap().levels.len(), 121);
}

#[test]
fn a_range_includes_its_end_even_where_no_step_falls_on_it() {
    check("1..100x2", &[1, 2, 4, 8, 16, 32, 64, 100]);
    check("1..10+4", &[1, 5, 9, 10]);
    check("1..2x10", &[1, 2]);
}

#[test]
fn factors_between_whole_numbers_round_and_repeat_nothing() {
    check("1..10x1.5", &[1, 2, 3, 5, 8, 10]);
    check("1..4x1.01", &[1, 2, 3, 4]);
}

#[test]
fn rates_may_have_fractions() {
    assert_eq!(offered("0.5,2.25").unwrap().levels, [0.5, 2.25]);
    assert_eq!(offered("100..1000x2.5").unwrap().levels, [100.0, 250.0, 625.0, 1000.0]);
    let plan = offered("1000,2000").unwrap();
    assert_eq!((plan.unit, plan.levels), (LoadUnit::OfferedIops, vec![1000.0, 2000.0]));
}

#[test]
fn what_is_no_grid_is_refused_with_the_reason_and_a_fix() {
    check_refused("", "the load grid is empty", FORMS);
    check_refused(" ", "the load grid is empty", FORMS);
    check_refused("1,,2", "'1,,2' is not a load grid: '' is not a number", FORMS);
    check_refused("a..b", "'a..b' is not a load grid: 'a' is not a number", FORMS);
    check_refused("1e3", "'1e3' is not a load grid: '1e3' is not a number", FORMS);
    check_refused("-1", "'-1' is not a load grid: '-1' is negative", "use numbers above zero");
    check_refused("2k", "'2k' is not a load grid: '2k' is not a number", "write it in full: 2000");
    check_refused("NaN", "'NaN' is not a load grid: 'NaN' is not a number", FORMS);
    check_refused(
        "0,1",
        "'0,1' is not a load grid: 0 outstanding I/Os are no load",
        "start at 1 or above",
    );
    check_refused(
        "1.5",
        "'1.5' is not a load grid: 1.5 is not a whole number",
        "outstanding I/Os are whole numbers",
    );
    check_refused(
        "70000",
        "'70000' is not a load grid: 70000 outstanding I/Os are too many",
        "stay at or below 65536",
    );
}

#[test]
fn levels_that_do_not_rise_are_refused() {
    check_refused(
        "4,2",
        "'4,2' is not a load grid: 2 comes after 4, but levels must rise",
        "put the levels in rising order, each once",
    );
    check_refused(
        "1..8,8",
        "'1..8,8' is not a load grid: 8 comes after 8, but levels must rise",
        "put the levels in rising order, each once",
    );
    check_refused(
        "8..1",
        "'8..1' is not a load grid: the range 8..1 does not rise",
        "put the smaller number first",
    );
}

#[test]
fn steps_that_lead_nowhere_are_refused() {
    check_refused(
        "1..8+0",
        "'1..8+0' is not a load grid: a step of 0 is below 0.001",
        "write it as 1..121+8",
    );
    check_refused(
        "1..8x1",
        "'1..8x1' is not a load grid: a factor of 1 is below 1.01",
        "write it as 1..512x2",
    );
    check_refused(
        "1..65536",
        "'1..65536' is not a load grid: it has more than 10000 levels",
        "take larger steps: 1..65536+16 or 1..65536x2",
    );
    assert!(offered("1..1000000000+0.001").is_err());
    assert!(offered("0.000001..1000000000+0.000000000001").is_err());
    assert_eq!(outstanding("1..10000").unwrap().levels.len(), LEVELS_MAX);
}

#[test]
fn loads_print_as_they_are_typed() {
    for text in ["1", "1,2,4", "1..121", "1..512x2", "rising", "auto"] {
        assert_eq!(Loads::parse(text, LoadUnit::OutstandingIos).unwrap().to_string(), text);
    }
}

proptest! {
    #[test]
    fn any_text_is_a_grid_or_a_fault(text in "[0-9.,x+_ a-c-]{0,24}") {
        for unit in [LoadUnit::OutstandingIos, LoadUnit::OfferedIops] {
            let Ok(grid) = LoadGrid::parse(&text, unit) else { continue };
            let levels = grid.levels;
            prop_assert!(levels.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", levels);
            prop_assert!(levels.iter().all(|level| *level > 0.0 && *level <= RATE_MAX));
            prop_assert!((1..=LEVELS_MAX).contains(&levels.len()));
        }
    }

    #[test]
    fn ranges_start_at_their_first_and_end_at_their_last_level(
        first in 1_u32..500, more in 1_u32..500, step in 1_u32..50, factor in 1.01_f64..10.0,
    ) {
        let last = first + more;
        for step in [String::new(), format!("+{step}"), format!("x{factor}")] {
            let grid = outstanding(&format!("{first}..{last}{step}")).unwrap();
            prop_assert_eq!(grid.levels.first(), Some(&f64::from(first)));
            prop_assert_eq!(grid.levels.last(), Some(&f64::from(last)));
            prop_assert!(grid.levels.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(grid.levels.iter().all(|level| level.fract() == 0.0));
        }
    }
}
