//! Targets that swing: throttles that refill, and write caches that fill and drain, driven by a
//! closed loop.
//!
//! What they do over a long time is known, and their swings are longer than the intervals: batches
//! that are shorter than a swing call it chance, and those in step with it see nothing.

use kneepoint_core::measure::confidence::Occupancy;

use crate::source::{Draws, INTERVAL_S, Source};
use crate::study::Study;

/// I/Os in flight.
const OUTSTANDING: f64 = 16.0;

/// A target that alternates between two rates, and begins anywhere in the cycle.
struct Swing {
    draws: Draws,
    /// Fast and slow: seconds, and I/Os per second.
    phases: [(f64, f64); 2],
    /// By how much the lengths of the phases vary: 0 for a clockwork, 1 for exponential lengths.
    randomness: f64,
    phase: usize,
    left_s: f64,
    /// Part of an I/O that is not complete yet.
    part: f64,
    /// Response times that have begun to add up.
    latency_s: f64,
}

impl Swing {
    fn new(seed: u64, phases: [(f64, f64); 2], randomness: f64) -> Self {
        let mut draws = Draws::new(seed);
        let cycle_s = phases[0].0 + phases[1].0;
        let place_s = draws.unit() * cycle_s;
        let (phase, left_s) = match place_s < phases[0].0 {
            true => (0, phases[0].0 - place_s),
            false => (1, cycle_s - place_s),
        };
        Self { draws, phases, randomness, phase, left_s, part: 0.0, latency_s: 0.0 }
    }

    /// I/Os per second over a long time.
    fn rate(phases: [(f64, f64); 2]) -> f64 {
        let [(fast_s, fast), (slow_s, slow)] = phases;
        (fast_s * fast + slow_s * slow) / (fast_s + slow_s)
    }

    fn next_phase(&mut self) {
        self.phase = 1 - self.phase;
        let length_s = self.phases[self.phase].0;
        let random_s = self.draws.exponential(length_s);
        self.left_s = self.randomness * random_s + (1.0 - self.randomness) * length_s;
    }
}

impl Source for Swing {
    fn occupancy(&self) -> Occupancy {
        let ns_per_interval = OUTSTANDING * INTERVAL_S * 1e9;
        Occupancy::Constant { outstanding: OUTSTANDING, ns_per_interval }
    }

    fn interval(&mut self) -> (u64, u128) {
        let mut left_s = INTERVAL_S;
        while left_s > 0.0 {
            let step_s = left_s.min(self.left_s);
            self.part += step_s * self.phases[self.phase].1;
            left_s -= step_s;
            self.left_s -= step_s;
            if self.left_s <= 0.0 {
                self.next_phase();
            }
        }
        // The device scatters a little by itself.
        let operations = (self.part * (1.0 + 0.02 * self.draws.normal())).max(0.0);
        let whole = operations.floor();
        self.part = (self.part - whole).clamp(0.0, 1.0);
        // A full queue: by Little's law the response times add up to the time.
        self.latency_s += OUTSTANDING * INTERVAL_S;
        let latency_s = if whole > 0.0 { std::mem::take(&mut self.latency_s) } else { 0.0 };
        (whole as u64, (latency_s * 1e9) as u128)
    }
}

fn check(
    name: &str,
    phases: [(f64, f64); 2],
    randomness: f64,
    held: std::ops::RangeInclusive<f64>,
) {
    let rate = Swing::rate(phases);
    let truth = (rate * INTERVAL_S, OUTSTANDING / rate * 1e9);
    let study = Study::of(truth, |seed| Swing::new(seed, phases, randomness));
    study.check_coverage(name, held);
}

/// A token bucket: bursts at the speed of the device, then the rate of the refill.
const THROTTLE: [(f64, f64); 2] = [(0.1, 20_000.0), (0.9, 1_000.0)];

/// A write cache: fast while it fills, slow while it drains. A swing that is longer than the shortest
/// point could not be known for one.
const CACHE: [(f64, f64); 2] = [(0.4, 10_000.0), (0.6, 1_500.0)];

#[test]
fn a_throttle_with_regular_bursts() {
    check("throttle, regular", THROTTLE, 0.0, 93.0..=100.0);
}

#[test]
fn a_throttle_with_irregular_bursts() {
    check("throttle, irregular", THROTTLE, 0.5, 93.0..=100.0);
}

#[test]
fn a_write_cache_that_fills_and_drains() {
    check("write cache", CACHE, 0.0, 93.0..=100.0);
}

#[test]
fn a_write_cache_that_fills_and_drains_irregularly() {
    check("write cache, irregular", CACHE, 0.3, 93.0..=100.0);
}
