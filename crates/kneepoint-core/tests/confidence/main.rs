//! The confidence rule on series whose truth is known: `cargo test -p kneepoint-core --test
//! confidence -- --nocapture` prints the rows of the table in the method's documentation, with
//! `--include-ignored` all of them.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod bursty;
mod collector;
mod source;
mod study;

use kneepoint_core::measure::confidence::Stability;
use kneepoint_core::plan::StopRule;
use kneepoint_core::words::units::Nanos;

use source::{INTERVAL_S, Level, Queue};
use study::{SEEDS, Study, default_rule, measure};

/// The range that the share of intervals that hold the truth must lie in, in percent.
const HELD: std::ops::RangeInclusive<f64> = 93.0..=97.5;

fn check_queue(service_s: f64, utilisation: f64, held: std::ops::RangeInclusive<f64>) {
    let operations = utilisation / service_s * INTERVAL_S;
    let latency_ns = service_s * 1e9 / (1.0 - utilisation);
    let study =
        Study::of((operations, latency_ns), |seed| Queue::new(seed, service_s, utilisation));
    study.check(&format!("M/M/1, service {} us, utilisation {utilisation}", service_s * 1e6), held);
}

#[test]
#[ignore = "a further row of the table"]
fn half_loaded_queue() {
    check_queue(1e-3, 0.5, HELD);
}

#[test]
fn half_loaded_fast_queue() {
    check_queue(2e-4, 0.5, HELD);
}

#[test]
#[ignore = "a further row of the table"]
fn queue_at_80_percent() {
    check_queue(1e-3, 0.8, HELD);
}

#[test]
#[ignore = "a further row of the table"]
fn fast_queue_at_80_percent() {
    check_queue(2e-4, 0.8, HELD);
}

#[test]
fn queue_at_90_percent() {
    check_queue(1e-3, 0.9, 90.0..=97.5);
}

fn check_level(scatter: f64, memory: f64) {
    let truth = (1000.0, INTERVAL_S * 1e9 / 1000.0);
    let study = Study::of(truth, |seed| Level::new(seed, scatter, memory));
    study.check(&format!("autoregressive, scatter {scatter}, memory {memory}"), HELD);
}

#[test]
fn independent_intervals() {
    check_level(0.1, 0.0);
}

#[test]
fn weakly_correlated_intervals() {
    check_level(0.1, 0.6);
}

#[test]
#[ignore = "a further row of the table"]
fn strongly_correlated_intervals() {
    check_level(0.05, 0.9);
}

/// After 30 s the intervals of the first reach 2.8 %, those of the last one 10 % of the mean.
#[test]
fn points_end_early_only_if_all_of_the_time_would_not_do() {
    let truth = (1000.0, INTERVAL_S * 1e9 / 1000.0);
    for (scatter, memory, ended) in
        [(0.18, 0.8, 0.0..=2.0), (0.25, 0.9, 0.0..=60.0), (0.3, 0.95, 80.0..=100.0)]
    {
        let study = Study::of(truth, |seed| Level::new(seed, scatter, memory));
        let share = study.ended_early_percent();
        study.check_coverage(&format!("scatter {scatter}, memory {memory}"), 93.0..=100.0);
        println!("| ended early: {share:.1} % |");
        assert!(ended.contains(&share), "{share} % at a scatter of {scatter}, memory {memory}");
    }
}

/// A rate of drift at which the first look, `seconds` after the ramp of half a second, sees a
/// change of 10 % of the mean, and every later look more.
fn drift_per_s(seconds: f64) -> f64 {
    0.1 / (seconds - 0.1 * (0.5 + seconds / 2.0))
}

#[test]
fn a_drift_of_a_tenth_is_not_steady() {
    for scatter in [0.02, 0.08, 0.12, 0.16] {
        let study = Study::of((1000.0, INTERVAL_S * 1e6), |seed| {
            Level::new(seed, scatter, 0.0).drifting(drift_per_s(2.0))
        });
        let steady = study.steady_percent();
        println!(
            "| 10 % drift, scatter {scatter} | {steady:.1} % steady | {:.1} s |",
            study.seconds()
        );
        assert!(steady < 5.0, "{steady} % false at a scatter of {scatter}");
    }
}

/// Points of a series in the study of drift.
const SERIES: usize = 8;

/// Share of points that were called steady (percent) and mean time (seconds), by place in the series.
type ByPlace = [(f64, f64); SERIES];

/// Series of points of which those at the places `drifting` drift.
fn series_of(seeds: u64, scatter: f64, drifting: &std::ops::Range<usize>) -> ByPlace {
    let mut found = [(0.0, 0.0); SERIES];
    for seed in 0..seeds {
        let levels = (0..SERIES).map(|place| {
            let level = Level::new(seed * SERIES as u64 + place as u64, scatter, 0.0);
            level.drifting(if drifting.contains(&place) { drift_per_s(2.0) } else { 0.0 })
        });
        for (place, point) in study::measure_series(levels).iter().enumerate() {
            let is_steady = point.assessment.stability == Stability::Steady;
            found[place].0 += f64::from(u8::from(is_steady)) * 100.0 / seeds as f64;
            found[place].1 += point.measured().as_secs_f64() / seeds as f64;
        }
    }
    found
}

fn check_series(seeds: u64, scatters: &[f64]) {
    for scatter in scatters {
        let row = |name: &str, found: &ByPlace| {
            let cell = |(steady, time): &(f64, f64)| format!(" {steady:.0} %, {time:.1} s |");
            println!("| {name}, {scatter} |{}", found.iter().map(cell).collect::<String>());
        };
        let calm = series_of(seeds, *scatter, &(0..0));
        row("no drift", &calm);
        assert!(calm.iter().all(|(steady, _)| *steady > 99.0));
        let later = calm[1..].iter().map(|(_, time)| time).sum::<f64>() / (SERIES - 1) as f64;
        // To the tenth of a second of the table: a first point of the shortest time leaves nothing to save.
        let tenths = |seconds: f64| libm::round(10.0 * seconds);
        assert!(tenths(later) <= tenths(calm[0].1), "{later} s");

        let drifting = series_of(seeds, *scatter, &(0..SERIES));
        row("all drift", &drifting);
        let steady = drifting.iter().map(|(steady, _)| steady).sum::<f64>() / SERIES as f64;
        assert!(steady < 5.0, "{steady} % false at a scatter of {scatter}");

        let from_the_fifth = series_of(seeds, *scatter, &(4..SERIES));
        row("from the fifth on", &from_the_fifth);
        assert!(from_the_fifth[SERIES - 1].0 <= 8.0, "{from_the_fifth:?}");
    }
}

#[test]
fn points_of_a_series_rule_out_drift_together() {
    check_series(SEEDS / 20, &[0.16]);
}

#[test]
#[ignore = "the whole table"]
fn drift_in_series() {
    check_series(SEEDS, &[0.02, 0.08, 0.12, 0.16, 0.25]);
}

#[test]
fn a_drift_in_a_point_of_fixed_time_is_told() {
    let stop = StopRule::FixedTime { measure: Nanos::from_secs(10) };
    let drifting = |drift_per_s: f64| {
        let level = |seed| Level::new(seed, 0.1, 0.0).drifting(drift_per_s);
        let told = |seed| measure(&mut level(seed), stop.clone()).assessment.stability;
        (0..SEEDS).filter(|seed| told(*seed) == Stability::Drifting).count()
    };
    let (told, false_alarms) = (drifting(0.01), drifting(0.0));
    println!("| fixed time | {told} of {SEEDS} drifts of 10 % | {false_alarms} false alarms |");
    assert!(told > 950, "{told} drifts of 10 % in ten seconds");
    assert!(false_alarms < 20, "{false_alarms} false alarms");
}

#[test]
fn a_slow_start_is_cut_and_nothing_else() {
    let (mut cut_s, mut late) = (0.0, 0);
    for seed in 0..SEEDS {
        let mut level = Level::new(seed, 0.05, 0.0).starting_slowly(60);
        let found = measure(&mut level, default_rule());
        assert_eq!(found.assessment.stability, Stability::Steady);
        assert!(found.ramp() >= Nanos::from_millis(1200), "seed {seed} keeps a part of the ramp");
        late += u64::from(found.ramp() > Nanos::from_millis(1500));
        cut_s += found.ramp().as_secs_f64();
    }
    println!("| slow start of 1.2 s | cut at {:.2} s, {late} late |", cut_s / SEEDS as f64);
    let mean = cut_s / SEEDS as f64;
    assert!((1.2..1.3).contains(&mean), "cut at {mean} s");
    assert!(late < 100, "{late} cuts were more than 0.3 s late");
}

#[test]
fn the_same_intervals_give_the_same_measurement() {
    let point = || measure(&mut Queue::new(7, 1e-3, 0.8), default_rule());
    assert_eq!(point(), point());
}
