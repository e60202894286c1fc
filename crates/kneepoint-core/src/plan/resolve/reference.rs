//! A reference of a stored run in place of one that is measured.

use crate::plan::reference::limit_of;
use crate::plan::{
    Reference, ReferenceRun, ReferenceSeries, ReferenceValue, SeriesPlan, TargetKind,
};
use crate::words::fault::Fault;
use crate::words::number::Level;
use crate::words::rule::Rule;

/// The `rules` of `series` with the limits that the stored run gives them, and what was taken from it.
///
/// # Errors
/// When the rules need no reference, or the run does not have it.
pub(super) fn referred(
    rules: Vec<Rule>,
    (series, kind): (&[SeriesPlan], TargetKind),
    stored: Option<&ReferenceRun>,
) -> Result<(Vec<Rule>, Option<Reference>), Fault> {
    let Some(stored) = stored else { return Ok((rules, None)) };
    let run = &stored.origin.run;
    if rules.iter().all(|rule| rule.reference_load().is_none()) {
        return Err(Fault::new(format!("there is no use for the reference of run {run}"))
            .because("no rule has its limit at the response time of another load")
            .fix("leave --reference out, or ask for a rule such as keystroke.mean<=2x@5"));
    }
    let [series] = series else {
        return Err(Fault::new("a stored reference is for work of one series")
            .because(format!("there are {} here, and each needs its own reference", series.len()))
            .fix("leave --reference out, or run one profile"));
    };
    let found = alike(stored, (series, kind))?;
    let limit =
        |rule: &Rule| limit_of(&found.values, rule).ok_or_else(|| missing(rule, found, run));
    let limits = rules.iter().map(limit).collect::<Result<Vec<Rule>, Fault>>()?;
    let is_used = |value: &&ReferenceValue| {
        rules.iter().filter_map(Rule::reference_load).any(|load| load == value.load)
    };
    let values = found.values.iter().filter(is_used).cloned().collect();
    Ok((limits, Some(Reference { origin: stored.origin.clone(), rules, values })))
}

/// The series of the stored run that did the same work.
fn alike<'s>(
    stored: &'s ReferenceRun,
    (series, kind): (&SeriesPlan, TargetKind),
) -> Result<&'s ReferenceSeries, Fault> {
    let run = &stored.origin.run;
    let name = series.profile.name();
    let same_name = |other: &&ReferenceSeries| other.profile.name() == name;
    let mut same = stored
        .series
        .iter()
        .filter(|other| other.profile == series.profile && other.unit == series.loads.unit);
    let refused = |why: String| {
        Err(Fault::new(format!("run {run} has no reference for '{name}'")).because(why).fix(
            "measure one with the same work: the rule finds it in the same run without --reference",
        ))
    };
    if stored.kind != Some(kind) {
        return refused(format!("it measured a target of another kind, {}", stored.origin.target));
    }
    match (same.next(), same.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => refused("it measured it with several settings".to_owned()),
        (None, _) if stored.series.iter().any(|other| same_name(&other)) => {
            refused(format!("what it calls '{name}' is not what is to be measured"))
        }
        (None, _) => {
            let names: Vec<&str> = stored.series.iter().map(|other| other.profile.name()).collect();
            refused(format!("it measured {}", names.join(", ")))
        }
    }
}

/// That a reference was not measured.
fn missing(rule: &Rule, found: &ReferenceSeries, run: &str) -> Fault {
    let load = rule.reference_load().unwrap_or_default();
    let level = Level(load);
    let fault = Fault::new(format!("run {run} has no reference for the rule {rule}"));
    let (why, fix) = if found.doubtful.contains(&load) {
        (
            format!("what it measured at load {level} was disturbed, or drifted"),
            format!("measure it again: kneepoint resume {run} --disturbed"),
        )
    } else if found.values.iter().any(|value| value.load == load) {
        (
            format!("at load {level} it has no such response times"),
            "ask for another class or number".to_owned(),
        )
    } else {
        (
            format!("it did not measure at load {level}"),
            "name another run, or leave --reference out".to_owned(),
        )
    };
    fault.because(why).fix(fix)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::plan::ReferenceOrigin;
    use crate::spec::catalog;
    use crate::spec::grid::{LoadGrid, SearchPlan};
    use crate::words::class::ClassName;
    use crate::words::load::LoadUnit;

    fn series(name: &str) -> SeriesPlan {
        SeriesPlan {
            name: name.to_owned(),
            profile: catalog::profile(name).unwrap().resolve(None).unwrap(),
            factors: BTreeMap::new(),
            settings: BTreeMap::new(),
            loads: LoadGrid { unit: LoadUnit::Users, levels: vec![10.0] },
            search: SearchPlan::Grid,
            together: None,
        }
    }

    /// A run of medium-230 that measured 5 users, and 8 badly.
    fn stored() -> ReferenceRun {
        let value = ReferenceValue {
            load: 5.0,
            class: Some(ClassName::KEYSTROKE),
            operations: 90,
            ms: [("mean".to_owned(), 10.000_4), ("p95".to_owned(), 14.0)].into(),
        };
        let series = series("medium-230");
        ReferenceRun {
            origin: ReferenceOrigin { run: "r1".to_owned(), ..ReferenceOrigin::default() },
            kind: Some(TargetKind::Desktop),
            series: vec![ReferenceSeries {
                profile: series.profile,
                factors: BTreeMap::new(),
                unit: LoadUnit::Users,
                values: vec![value],
                doubtful: vec![8.0],
            }],
        }
    }

    fn of(
        rule: &str,
        name: &str,
        run: &ReferenceRun,
    ) -> Result<(Vec<Rule>, Option<Reference>), Fault> {
        let rules = vec![rule.parse().unwrap()];
        referred(rules, (&[series(name)], TargetKind::Desktop), Some(run))
    }

    #[test]
    fn limits_come_from_the_stored_run() {
        let (rules, reference) = of("keystroke.mean<=2x@5", "medium-230", &stored()).unwrap();
        assert_eq!(rules[0].to_string(), "keystroke.mean<=20ms");
        let reference = reference.unwrap();
        assert_eq!(reference.rules[0].to_string(), "keystroke.mean<=2x@5");
        let p95 = "keystroke.p95<=+100ms@5".parse().unwrap();
        assert_eq!(reference.limit_of(&p95).unwrap().to_string(), "keystroke.p95<=114ms");
        let json = serde_json::to_string(&reference).unwrap();
        assert_eq!(serde_json::from_str::<Reference>(&json).unwrap(), reference);
        let absolute = vec!["keystroke.mean<=20ms".parse().unwrap()];
        let (same, none) = referred(absolute.clone(), (&[], TargetKind::Desktop), None).unwrap();
        assert_eq!((same, none), (absolute, None));
    }

    #[test]
    fn what_the_stored_run_lacks_is_said() {
        let check = |rule: &str, name: &str, run: &ReferenceRun, why: &str| {
            let fault = of(rule, name, run).unwrap_err().to_string();
            assert!(fault.contains(why), "{fault}");
        };
        let (rule, name) = ("keystroke.mean<=2x@5", "medium-230");
        check("keystroke.mean<=20ms", name, &stored(), "no use for the reference of run r1");
        check("keystroke.mean<=2x@6", name, &stored(), "it did not measure at load 6");
        check("keystroke.mean<=2x@8", name, &stored(), "at load 8 was disturbed");
        check("menu.mean<=2x@5", name, &stored(), "at load 5 it has no such response times");
        check(rule, "light", &stored(), "it measured medium-230");
        let mut other = stored();
        other.series[0].profile = match other.series[0].profile.clone() {
            crate::spec::profile::SeriesProfile::Script(mut work) => {
                work.script.rounds += 1;
                crate::spec::profile::SeriesProfile::Script(work)
            }
            same => same,
        };
        check(rule, name, &other, "is not what is to be measured");
        let mut several = stored();
        several.series.push(several.series[0].clone());
        check(rule, name, &several, "with several settings");
        let mut simulated = stored();
        simulated.kind = Some(TargetKind::Sim);
        check(rule, name, &simulated, "a target of another kind");
        let two = [series(name), series("light")];
        let rules = vec![rule.parse().unwrap()];
        let fault = referred(rules, (&two, TargetKind::Desktop), Some(&stored())).unwrap_err();
        assert!(fault.to_string().contains("work of one series"), "{fault}");
    }
}
