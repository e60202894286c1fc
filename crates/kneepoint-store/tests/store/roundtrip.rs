//! Whatever is saved loads equal, to the last bit of every number.

use std::collections::BTreeMap;

use kneepoint_core::result::warning::{Recorded, Severity};
use kneepoint_core::result::{
    ClassResult, IntervalClass, IntervalResult, Latency, OpenLoopResult, PercentileIntervals,
    PointResult, PointTrends, ProcessorTimeResult, RoundResult, SteadyStateResult, SteadyWindow,
    StorageResult, TargetLatency, TargetResult, Throughput, ThroughputUnit, TrendResult, Verdict,
    Warning,
};
use kneepoint_core::words::load::{LoadLevel, LoadUnit};
use kneepoint_store::{Histograms, NewPoint, Store, StoreAccess, StoredPoint, check_label};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::sample;

/// Values to fill results with, each used in turn.
#[derive(Debug, Clone)]
struct Values {
    numbers: Vec<f64>,
    counts: Vec<u64>,
    texts: Vec<String>,
    next: usize,
}

impl Values {
    fn number(&mut self) -> f64 {
        self.next += 1;
        self.numbers[self.next % self.numbers.len()]
    }

    fn count(&mut self) -> u64 {
        self.next += 1;
        self.counts[self.next % self.counts.len()]
    }

    fn text(&mut self) -> String {
        self.next += 1;
        self.texts[self.next % self.texts.len()].clone()
    }

    fn maybe(&mut self) -> Option<f64> {
        let number = self.number();
        self.count().is_multiple_of(2).then_some(number)
    }

    fn latency(&mut self) -> Latency {
        Latency {
            mean: self.number(),
            ci95: self.maybe(),
            min: Some(self.number()),
            p50: Some(self.number()),
            p90: Some(self.number()),
            p95: Some(self.number()),
            p99: Some(self.number()),
            p99_9: Some(self.number()),
            p99_99: Some(self.number()),
            max: self.number(),
            percentiles_ci95: self.maybe().map(|end| PercentileIntervals {
                p50: Some([0.0, end]),
                ..PercentileIntervals::default()
            }),
        }
    }

    fn class_result(&mut self) -> ClassResult {
        ClassResult {
            operations: self.count(),
            rate: self.number(),
            volume: self.maybe(),
            latency_ms: self.latency(),
        }
    }

    fn target(&mut self) -> TargetResult {
        let (mean, min, max) = (self.number(), self.number(), self.number());
        TargetResult {
            target: self.text(),
            host: self.text(),
            rate: self.number(),
            volume: self.maybe(),
            latency_ms: TargetLatency { mean, min, max },
            errors: self.count(),
        }
    }

    fn interval(&mut self) -> IntervalResult {
        IntervalResult {
            start_s: self.number(),
            length_s: self.number(),
            rate: self.number(),
            volume: self.maybe(),
            latency_mean_ms: self.number(),
            latency_max_ms: self.number(),
            latency_p50_ms: self.maybe(),
            latency_p99_ms: self.maybe(),
            classes: BTreeMap::from([(self.text(), self.class())]),
        }
    }

    fn class(&mut self) -> IntervalClass {
        IntervalClass {
            rate: self.number(),
            volume: self.maybe(),
            latency_mean_ms: self.number(),
            latency_p50_ms: self.number(),
            latency_p99_ms: self.number(),
            latency_max_ms: self.number(),
        }
    }

    fn load(&mut self) -> LoadLevel {
        let unit = LoadUnit::ALL[(self.count() % 5) as usize];
        LoadLevel { value: self.number().abs().max(f64::MIN_POSITIVE), unit }
    }

    fn throughput(&mut self, unit: ThroughputUnit) -> Throughput {
        Throughput { mean: self.number(), ci95: self.maybe(), unit }
    }

    fn warning(&mut self) -> Warning {
        let data = BTreeMap::from([(self.text(), serde_json::json!(self.number()))]);
        let (kind, text) = (self.text(), self.text());
        Recorded { kind, severity: Severity::Limits, data, text }.into()
    }

    fn verdict(&mut self) -> Verdict {
        use Verdict::{Disturbed, Drifting, Failed, Fixed, Steady, TimeLimit};
        [Steady, TimeLimit, Fixed, Drifting, Failed, Disturbed][(self.count() % 6) as usize]
    }

    fn open_loop(&mut self) -> OpenLoopResult {
        OpenLoopResult {
            offered_rate: self.number(),
            delivered_rate: self.number(),
            overloaded: self.count().is_multiple_of(2),
            lag_mean_ms: self.number(),
            lag_max_ms: self.number(),
            service_mean_ms: self.number(),
        }
    }

    fn steady_state(&mut self) -> SteadyStateResult {
        let round = RoundResult {
            start_s: self.number(),
            rate: self.number(),
            volume: self.maybe(),
            latency_mean_ms: self.number(),
        };
        SteadyStateResult {
            attained: self.count().is_multiple_of(2),
            round_s: self.number(),
            rounds: vec![round],
            window: Some(SteadyWindow {
                first_round: self.count() as u32,
                rate_mean: self.number(),
                range_percent: self.number(),
                slope_percent: self.number(),
            }),
        }
    }

    fn trend(&mut self) -> TrendResult {
        let (percent_per_s, standard_error) = (self.number(), self.number());
        TrendResult { percent_per_s, standard_error, dof: self.count() as u32 }
    }

    fn point(&mut self) -> PointResult {
        PointResult {
            series: self.text(),
            profile: self.text(),
            factors: BTreeMap::from([(self.text(), self.text())]),
            settings: BTreeMap::from([(self.text(), self.text())]),
            beside: Vec::new(),
            load: self.load(),
            repetition: self.count() as u32,
            open_loop: Some(self.open_loop()),
            verdict: self.verdict(),
            disturbed_percent: None,
            started_at: self.text(),
            ramp_s: self.number(),
            measured_s: self.number(),
            operations: self.count(),
            errors: self.count(),
            error_samples: vec![self.text()],
            rate: self.throughput(ThroughputUnit::OperationsPerS),
            volume: Some(self.throughput(ThroughputUnit::MibPerS)),
            latency_ms: self.latency(),
            classes: BTreeMap::from([(self.text(), self.class_result())]),
            storage: Some(StorageResult {
                block_bytes: self.count(),
                read_percent: self.number(),
                random_percent: self.number(),
                achieved_outstanding: self.number(),
                ..StorageResult::default()
            }),
            hosts: Vec::new(),
            cpu_percent: Some(self.number()),
            processor_time: Some(ProcessorTimeResult {
                elapsed_s: self.number(),
                capacity_s: self.number(),
                user_s: self.number(),
                system_s: self.number(),
                load_user_s: self.number(),
                load_system_s: self.number(),
                stolen_s: self.number(),
                waited_s: Some(self.number()),
            }),
            targets: vec![self.target(), self.target()],
            intervals: vec![self.interval(), self.interval()],
            histograms: None,
            steady_state: Some(self.steady_state()),
            simulated: None,
            trends: Some(PointTrends { rate: Some(self.trend()), latency_ms: None }),
            warnings: vec![self.warning()],
        }
    }
}

fn values() -> impl Strategy<Value = Values> {
    use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    let numbers = vec(NORMAL | SUBNORMAL | ZERO | POSITIVE | NEGATIVE, 1..40);
    let counts = vec(any::<u64>(), 1..10);
    let texts = vec(any::<String>(), 1..10);
    (numbers, counts, texts).prop_map(|(numbers, counts, texts)| Values {
        numbers,
        counts,
        texts,
        next: 0,
    })
}

fn histograms() -> impl Strategy<Value = Histograms> {
    let classes = proptest::collection::btree_map("[a-z-]{0,20}", vec(any::<u8>(), 0..300), 0..4);
    classes.prop_map(Histograms)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 100,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn points_load_as_they_were_saved(
        mut values in values(),
        histograms in histograms(),
        ordinal in any::<u32>(),
        repetition in any::<u32>(),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let mut store = Store::open(&directory.path().join("k.db"), StoreAccess::ReadWrite).unwrap();
        let mut run = sample::run("a");
        run.header.seed = values.count();
        // Some texts are refused as labels; a run without one is as good.
        let label = Some(values.text()).filter(|text| check_label(text).is_ok());
        run.header.label = label.unwrap_or_default();
        run.plan = serde_json::json!({"seed": values.count(), values.text(): values.number()});
        store.begin(&run).unwrap();
        let result = values.point();
        let point = NewPoint { ordinal, repetition, result: &result, histograms: &histograms };
        store.save_point("a", &point).unwrap();
        let document = store.load("a").unwrap();
        prop_assert_eq!(document.run.seed, run.header.seed);
        prop_assert_eq!(document.run.label, run.header.label);
        prop_assert_eq!(document.plan, run.plan);
        prop_assert_eq!(document.points, [result.clone()]);
        prop_assert_eq!(store.histograms("a", ordinal).unwrap(), histograms);
        let points = store.points("a").unwrap();
        let same = StoredPoint { ordinal, repetition, result };
        prop_assert_eq!(points, [same]);
        prop_assert!(store.check().unwrap().is_empty());
    }
}
