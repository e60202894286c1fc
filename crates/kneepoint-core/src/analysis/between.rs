//! Runs of one plan, one after the other: by how much the answers of their searches differ.
//!
//! The interval of a search contains what changed while it lasted. What changes over hours, or with
//! a cache, a neighbour or a setting, shows between runs alone.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::plan::TargetKind;
use crate::result::{Estimate, RunDocument, RunState, Summary, ThroughputUnit};

/// Half the width of the 95 % interval of a normal distribution, in standard deviations.
const NORMAL_95: f64 = 1.959_964;

/// The quantile of the standard normal distribution that 5 % lie beyond.
const NORMAL_ONE_SIDED_95: f64 = 1.644_854;

/// The key of the seed in a plan.
const SEED: &str = "seed";

/// What runs of one plan found for one rule of one series.
#[derive(Debug, Clone, PartialEq)]
pub struct BetweenRuns {
    /// The series with its factors, as tables name it.
    pub series: String,
    /// The rule.
    pub rule: String,
    /// What the answers are in.
    pub unit: ThroughputUnit,
    /// Runs that have an answer with an interval, the last one included; at least 2.
    pub runs: u32,
    /// When the first of them began: RFC 3339, UTC.
    pub since: String,
    /// The lowest answer, per second.
    pub lowest: Estimate,
    /// The highest answer, per second.
    pub highest: Estimate,
    /// The standard deviation of the answers, in percent of their mean.
    pub deviation_percent: f64,
    /// Whether they differ by more than their intervals allow for, with 95 % confidence.
    pub differ: bool,
}

/// Whether two plans differ in nothing but the seed.
pub fn asks_the_same(a: &Value, b: &Value) -> bool {
    let without_seed = |plan: &Value| {
        let mut plan = plan.clone();
        plan.as_object_mut().map(|keys| keys.remove(SEED));
        plan
    };
    a.is_object() && without_seed(a) == without_seed(b)
}

/// How the searches of `last` and of the complete ones among `earlier` differ that have its plan and
/// its hosts. A series is left out unless two runs have an answer that no disturbed or drifting point
/// carries.
pub fn between_runs(last: &RunDocument, earlier: &[RunDocument]) -> Vec<BetweenRuns> {
    let hosts = |run: &RunDocument| -> Vec<String> {
        run.environment.hosts.iter().map(|host| host.host.clone()).collect()
    };
    let is_alike = |run: &&RunDocument| {
        run.run.state == RunState::Complete
            && run.run.id != last.run.id
            && asks_the_same(&run.plan, &last.plan)
            && hosts(run) == hosts(last)
    };
    let mut runs: Vec<&RunDocument> = earlier.iter().filter(is_alike).chain([last]).collect();
    if is_simulated(last) {
        // The same seed gives the same again: that tells nothing.
        let mut seeds = BTreeSet::from([last.run.seed]);
        runs.retain(|run| run.run.id == last.run.id || seeds.insert(run.run.seed));
    }
    let searched = last.analysis.summaries.iter().filter(|summary| answer(summary).is_some());
    searched.filter_map(|summary| of_series(summary, (last, &runs))).collect()
}

fn is_simulated(run: &RunDocument) -> bool {
    run.environment.targets.iter().any(|target| target.kind == TargetKind::Sim)
}

/// The answer of a search that can be relied on.
fn answer(summary: &Summary) -> Option<Estimate> {
    summary.search.as_ref()?;
    let rate = summary.sustained.met()?.rate?;
    (summary.doubts.is_empty() && rate.ci95.is_some_and(|width| width > 0.0)).then_some(rate)
}

fn of_series(like: &Summary, (last, runs): (&RunDocument, &[&RunDocument])) -> Option<BetweenRuns> {
    let same = |other: &&Summary| other.key() == like.key() && other.rule == like.rule;
    let found = runs.iter().filter_map(|run| {
        let summary = run.analysis.summaries.iter().find(same)?;
        Some((run.run.started_at.as_str(), answer(summary)?))
    });
    let found: Vec<(&str, Estimate)> = found.collect();
    let answers: Vec<Estimate> = found.iter().map(|(_, answer)| *answer).collect();
    if answers.len() < 2 {
        return None;
    }
    let by_mean = |a: &&Estimate, b: &&Estimate| a.mean.total_cmp(&b.mean);
    Some(BetweenRuns {
        series: like.key().to_string(),
        rule: like.rule.clone(),
        unit: last
            .points
            .iter()
            .find(|point| point.key() == like.key())
            .map_or(ThroughputUnit::Iops, |point| point.rate.unit),
        runs: answers.len() as u32,
        since: found.iter().map(|(began, _)| *began).min()?.to_owned(),
        lowest: *answers.iter().min_by(by_mean)?,
        highest: *answers.iter().max_by(by_mean)?,
        deviation_percent: deviation_percent(&answers),
        differ: differ(&answers),
    })
}

fn deviation_percent(answers: &[Estimate]) -> f64 {
    let count = answers.len() as f64;
    let mean = answers.iter().map(|answer| answer.mean).sum::<f64>() / count;
    let square = |answer: &Estimate| (answer.mean - mean) * (answer.mean - mean);
    let variance = answers.iter().map(square).sum::<f64>() / (count - 1.0);
    libm::sqrt(variance) / mean * 100.0
}

/// Cochran's test of homogeneity: the squares of the distances from the weighted mean, each over the
/// square of its standard error, add up to more than chance explains (W. G. Cochran, Biometrics 10,
/// 1954).
fn differ(answers: &[Estimate]) -> bool {
    let weighted = answers.iter().filter_map(|answer| {
        let error = answer.ci95? / NORMAL_95;
        Some((answer.mean, 1.0 / (error * error)))
    });
    let weighted: Vec<(f64, f64)> = weighted.collect();
    let weight: f64 = weighted.iter().map(|(_, weight)| weight).sum();
    let mean = weighted.iter().map(|(mean, weight)| mean * weight).sum::<f64>() / weight;
    let sum: f64 =
        weighted.iter().map(|(answer, weight)| (answer - mean) * (answer - mean) * weight).sum();
    sum > chi_square_95(weighted.len() as f64 - 1.0)
}

/// The 95 % quantile of the chi-square distribution with `dof` degrees of freedom, 1 or more, within
/// 4 % (E. B. Wilson, M. M. Hilferty, Proceedings of the National Academy of Sciences 17, 1931).
fn chi_square_95(dof: f64) -> f64 {
    let a = 2.0 / (9.0 * dof);
    let root = 1.0 - a + NORMAL_ONE_SIDED_95 * libm::sqrt(a);
    dof * root * root * root
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;
    use crate::result::{
        Environment, RunAnalysis, RunHeader, SearchResult, Sustained, SustainedStatus,
    };
    use crate::words::load::LoadUnit;

    /// A run whose search found `mean` with a half-width of `ci95`.
    fn run(id: &str, mean: f64, ci95: f64) -> RunDocument {
        let mut run = RunDocument {
            schema: String::new(),
            run: RunHeader {
                id: id.to_owned(),
                label: String::new(),
                work: "database".to_owned(),
                state: RunState::Complete,
                started_at: format!("2026-11-0{id}T00:00:00Z"),
                finished_at: String::new(),
                plan_hash: String::new(),
                seed: 1,
                version: String::new(),
                command: String::new(),
            },
            environment: Environment::default(),
            plan: json!({"work": "database", "seed": id}),
            points: Vec::new(),
            copies: Vec::new(),
            analysis: RunAnalysis::default(),
            warnings: Vec::new(),
        };
        run.analysis.summaries = vec![Summary {
            series: "database/8KiB".to_owned(),
            factors: BTreeMap::new(),
            load_unit: LoadUnit::OutstandingIos,
            rule: "mean<=1ms".to_owned(),
            sustained: Sustained {
                rate: Some(Estimate { mean, ci95: Some(ci95) }),
                volume: None,
                load: Some(60.0),
                bracket: None,
                below: None,
                status: SustainedStatus::Met,
            },
            peak: None,
            saturation: None,
            overload: Vec::new(),
            score: None,
            search: Some(SearchResult {
                points: 20,
                stopped_because: "known".to_owned(),
                disturbed_loads: Vec::new(),
            }),
            variation: None,
            doubts: Vec::new(),
        }];
        run
    }

    #[test]
    fn runs_that_exclude_each_other_differ_and_others_do_not() {
        let two = |a: f64, b: f64| between_runs(&run("2", b, 3_000.0), &[run("1", a, 3_000.0)]);
        let apart = two(60_000.0, 73_000.0);
        assert!(apart[0].differ);
        assert_eq!(apart[0].runs, 2);
        assert_eq!(apart[0].since, "2026-11-01T00:00:00Z");
        assert_eq!([apart[0].lowest.mean, apart[0].highest.mean], [60_000.0, 73_000.0]);
        assert!((apart[0].deviation_percent - 13.82).abs() < 0.01);
        assert!(!two(70_000.0, 73_000.0)[0].differ);
    }

    #[test]
    fn other_plans_hosts_and_unfinished_runs_do_not_count() {
        let last = run("2", 70_000.0, 3_000.0);
        assert_eq!(between_runs(&last, &[]), []);
        let mut other_plan = run("1", 60_000.0, 3_000.0);
        other_plan.plan = json!({"work": "database", "size": 1, "seed": 7});
        let mut unfinished = run("1", 60_000.0, 3_000.0);
        unfinished.run.state = RunState::Interrupted;
        let mut doubtful = run("1", 60_000.0, 3_000.0);
        doubtful.analysis.summaries[0].sustained.status = SustainedStatus::AllMeet;
        let mut swept = run("1", 60_000.0, 3_000.0);
        swept.analysis.summaries[0].search = None;
        let other_host = {
            let mut run = run("1", 60_000.0, 3_000.0);
            run.environment.hosts.push(Default::default());
            run
        };
        for earlier in [other_plan, unfinished, doubtful, swept, other_host, last.clone()] {
            assert_eq!(between_runs(&last, &[earlier]), []);
        }
    }

    #[test]
    fn chance_alone_differs_in_five_percent() {
        // Ten answers each, normal by the sum of twelve uniform numbers.
        let mut state = 1_u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut beyond = 0;
        for _ in 0..4_000 {
            let answer = |normal: f64| Estimate { mean: 1_000.0 + 10.0 * normal, ci95: Some(19.6) };
            let answers: Vec<Estimate> =
                (0..10).map(|_| answer((0..12).map(|_| uniform()).sum::<f64>() - 6.0)).collect();
            beyond += u32::from(differ(&answers));
        }
        assert!((120..=280).contains(&beyond), "{beyond} of 4000");
    }
}
