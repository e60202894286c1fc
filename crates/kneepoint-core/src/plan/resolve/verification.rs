//! Which data can be verified.

use crate::plan::{Plan, TargetKind, TargetPlan, Verification, outstanding_max};
use crate::spec::profile::ResolvedProfile;
use crate::words::fault::Fault;
use crate::words::units::Percent;

/// A unit is as large as that at the most, in bytes: targets have whole ones.
const UNIT_MAX: u64 = 4096;

/// A unit has at least one sector, in bytes.
const UNIT_MIN: u64 = 512;

/// I/Os in flight on a target, which the journal counts for each unit.
const IN_FLIGHT_MAX: f64 = 32_000.0;

/// How the data of `plan` is verified.
///
/// # Errors
/// When it cannot be.
pub(super) fn verification(plan: &Plan) -> Result<Verification, Fault> {
    check_place(plan)?;
    for profile in plan.io_profiles() {
        check_profile(profile)?;
    }
    let is_offered = plan.series.iter().any(|series| series.loads.unit.is_offered());
    if !is_offered && outstanding_max(&plan.series) > IN_FLIGHT_MAX {
        return Err(cannot("more than 32,000 outstanding I/Os")
            .because("the journal counts no more in flight on one place")
            .fix("use fewer with --outstanding"));
    }
    let blocks = plan.io_profiles().flat_map(|profile| &profile.lines);
    let sizes = blocks.flat_map(|line| [line.block_bytes, line.align_bytes]);
    let unit_bytes =
        sizes.fold(UNIT_MAX, |unit, bytes| unit.min(1u64 << bytes.trailing_zeros().min(63)));
    match unit_bytes >= UNIT_MIN {
        true => Ok(Verification { unit_bytes }),
        false => Err(cannot("blocks that are no multiples of 512 bytes")
            .because("what is verified is written and read in whole sectors")
            .fix("choose other block sizes with --block, or leave --verify out")),
    }
}

/// Refuses targets whose data is not there, or not here.
fn check_place(plan: &Plan) -> Result<(), Fault> {
    let is_real =
        |target: &&TargetPlan| matches!(target.kind, TargetKind::File | TargetKind::Block);
    if let Some(other) = plan.targets.iter().find(|target| !is_real(target)) {
        return Err(cannot(&other.target)
            .because("only files and block devices hold the data that is written to them")
            .fix("name a file or a device, or leave --verify out"));
    }
    if !plan.hosts().is_empty() {
        return Err(cannot("a fleet")
            .because("the journal of what was written belongs to one machine")
            .fix("verify on each host by itself, or leave --verify out"));
    }
    match plan.has_commands() {
        false => Ok(()),
        true => Err(cannot("a run that starts commands of its own")
            .because("they may change what is on the targets")
            .fix("leave --verify or the factors with commands out")),
    }
}

/// Refuses traces, and data that is the same in many places.
fn check_profile(profile: &ResolvedProfile) -> Result<(), Fault> {
    if profile.trace.is_some() {
        return Err(cannot(&format!("the trace '{}'", profile.name))
            .because("its I/Os begin and end where they were recorded, not at whole units of the journal")
            .fix("verify a load profile that resembles it (`kneepoint trace describe -o`), or leave --verify out"));
    }
    if profile.writes_without_data() {
        return Err(cannot(&format!("the profile '{}'", profile.name))
            .because("some of its writes carry no data that could be looked at")
            .fix("leave 'write' out of its lines, or leave --verify out"));
    }
    match profile.data.duplicate > Percent::ZERO {
        false => Ok(()),
        true => Err(cannot(&format!("the profile '{}'", profile.name))
            .because("it writes duplicate data, and what is verified says where it belongs")
            .fix("leave 'duplicate' out of the profile, or leave --verify out")),
    }
}

/// That the data of something can't be verified.
fn cannot(what: &str) -> Fault {
    Fault::new(format!("--verify is not for {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::{io_profile, plan_of};

    fn real_plan() -> Plan {
        let mut plan = plan_of("/data/k.dat", 1);
        plan.targets[0].kind = TargetKind::File;
        plan
    }

    #[test]
    fn the_unit_divides_all_blocks_and_alignments() {
        let check = |block_bytes: u64, align_bytes: u64, unit: Option<u64>| {
            let mut plan = real_plan();
            let line = &mut io_profile(&mut plan).lines[0];
            (line.block_bytes, line.align_bytes) = (block_bytes, align_bytes);
            let found = verification(&plan).ok().map(|found| found.unit_bytes);
            assert_eq!(found, unit, "blocks of {block_bytes} at {align_bytes}");
        };
        check(4096, 4096, Some(4096));
        check(65536, 65536, Some(4096));
        check(65536, 512, Some(512));
        check(6144, 6144, Some(2048));
        check(1000, 1000, None);
        check(4096, 1, None);
    }

    #[test]
    fn what_cannot_be_verified_is_refused_with_a_reason() {
        let refused = |plan: &Plan| verification(plan).unwrap_err().to_string();
        assert!(refused(&plan_of("null:", 1)).starts_with("--verify is not for null:"));
        let mut plan = real_plan();
        plan.targets[0] = plan.targets[0].clone().on_host("a");
        assert!(refused(&plan).starts_with("--verify is not for a fleet"));
        let mut plan = real_plan();
        io_profile(&mut plan).data.duplicate = Percent::FULL;
        assert!(refused(&plan).contains("duplicate data"));
        let mut plan = real_plan();
        plan.series[0].loads.levels = vec![1.0, 64_000.0];
        assert!(refused(&plan).contains("more than 32,000 outstanding I/Os"));
    }
}
