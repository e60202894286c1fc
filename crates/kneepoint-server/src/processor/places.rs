//! The processors that copies are kept on, and their number as a factor.

use kneepoint_core::plan::Plan;
use kneepoint_core::spec::factor::{CPU_QUOTA, Combination, Factor};
use kneepoint_core::words::fault::Fault;

/// The factor whose levels are numbers of processors, each from 1 to those that there are.
pub(crate) const CPUS: &str = "cpus";

/// Refuses levels of `factor` that are no numbers of processors on a machine with `available`.
///
/// # Errors
/// When there is one.
pub(crate) fn check_cpus(factor: &Factor, available: usize) -> Result<(), Fault> {
    let is_wrong =
        |level: &&String| !level.parse().is_ok_and(|cpus| (1..=available).contains(&cpus));
    match factor.levels.iter().find(is_wrong) {
        None => Ok(()),
        Some(level) => Err(Fault::new(format!("copies cannot be kept on '{level}' processors"))
            .because(format!("Kneepoint may use {available} here"))
            .fix(format!("use whole numbers from 1 to {available}: {CPUS}=1,{available}"))),
    }
}

/// Those of `cpus`, the first of which are of different cores, that the copies of a point at `combination`
/// are kept on.
pub(super) fn at(plan: &Plan, combination: &Combination, mut cpus: Vec<usize>) -> Vec<usize> {
    if let Some(count) = level(plan, combination, CPUS).and_then(|level| level.parse().ok()) {
        cpus.truncate(count);
    }
    cpus
}

/// Processors whose time the copies of a point at `combination` may use together; `None` without a limit that
/// the run sets.
pub(super) fn quota(plan: &Plan, combination: &Combination) -> Option<f64> {
    let quota: f64 = level(plan, combination, CPU_QUOTA)?.parse().ok()?;
    (quota > 0.0).then_some(quota)
}

/// The level of the factor `name` that Kneepoint sets, and not commands of the user.
fn level<'a>(plan: &Plan, combination: &'a Combination, name: &str) -> Option<&'a String> {
    let mut factors = plan.factors.iter().flat_map(|factors| &factors.factors);
    let is_ours = factors.any(|factor| factor.name == name && factor.commands.is_none());
    combination.get(name).filter(|_| is_ours)
}

#[cfg(test)]
mod tests {
    use kneepoint_core::plan::TargetKind;
    use kneepoint_core::plan::resolve::Serves;
    use kneepoint_core::spec::factor::{Commands, Factors};

    use super::*;
    use crate::fixture::plan_of;

    const PROFILE: &str = "name = \"c\"\ntitle = \"C\"\nmember = \"chess\"\nflags = \"base\"\n\
        scale = \"test\"\n";

    fn factor(text: &str) -> Factor {
        text.parse().unwrap()
    }

    #[test]
    fn levels_are_numbers_of_processors_that_there_are() {
        assert_eq!(check_cpus(&factor("cpus=1,2,4"), 4), Ok(()));
        for wrong in ["cpus=0", "cpus=1,5", "cpus=half", "cpus=-1"] {
            let fault = check_cpus(&factor(wrong), 4).unwrap_err();
            assert!(fault.to_string().contains("may use 4"), "{fault}");
        }
    }

    #[test]
    fn copies_are_kept_on_the_first_ones() {
        let mut plan = plan_of(PROFILE, (TargetKind::Processor, Serves::Copies));
        let combination = Combination::from([(CPUS.to_owned(), "1".to_owned())]);
        let both = || vec![3, 7];
        assert_eq!(at(&plan, &combination, both()), [3, 7], "nothing is varied");
        let factors = |factor| Some(Factors { factors: vec![factor], ..Factors::default() });
        plan.factors = factors(factor("cpus=1,2"));
        assert_eq!(at(&plan, &combination, both()), [3]);
        assert_eq!(at(&plan, &Combination::new(), both()), [3, 7]);
        let words = || vec!["true".to_owned()];
        let commands =
            Commands { set: words(), check: words(), expect: String::new(), restore: words() };
        plan.factors = factors(Factor { commands: Some(commands), ..factor("cpus=1,2") });
        assert_eq!(at(&plan, &combination, both()), [3, 7], "commands of the user do it");
    }

    #[test]
    fn a_quota_is_that_of_the_point() {
        let mut plan = plan_of(PROFILE, (TargetKind::Processor, Serves::Copies));
        let at = |level: &str| Combination::from([(CPU_QUOTA.to_owned(), level.to_owned())]);
        assert_eq!(quota(&plan, &at("0.5")), None, "nothing is varied");
        let factors = vec![factor("cgroup.cpu_quota=0.5,max")];
        plan.factors = Some(Factors { factors, ..Factors::default() });
        assert_eq!(quota(&plan, &at("0.5")), Some(0.5));
        assert_eq!(quota(&plan, &at("max")), None);
        assert_eq!(quota(&plan, &Combination::new()), None);
    }
}
