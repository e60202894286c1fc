//! `kneepoint plan`: what run would do, the matrix of factors and the commands included.

mod rounds;

use std::path::Path;
use std::time::Duration;

use kneepoint_core::measure::search::{PROBE_TIME, VISIT_TIME, longest, usual};
use kneepoint_core::plan::resolve::Search;
use kneepoint_core::plan::{
    Caching, Engine, MemoryPages, Plan, SeriesPlan, StopRule, TargetKind, TargetPlan, Timing,
    blocks,
};
use kneepoint_core::spec::factor::{Factors, combination_text};
use kneepoint_core::spec::file_copy::FileCopy;
use kneepoint_core::spec::grid::{KneeGoal, KneePlan, SearchPlan};
use kneepoint_core::spec::profile::{OutputCheck, ResolvedProfile};
use kneepoint_core::words::number::{RoundedBytes, Span};
use kneepoint_core::words::printable::printable;
use kneepoint_core::words::units::{Bytes, Nanos};
use kneepoint_device::buffer::buffer_bytes;
use kneepoint_device::consent::Decision;
use kneepoint_device::file_copy::{SourceWork, source_work};
use kneepoint_device::settings::{VariedSetting, What};
use kneepoint_device::testbed::RealTarget;
use kneepoint_net::Fleet;

use self::rounds::{precondition_text, rounds_text, series_rounds_text};
use super::campaign;
use super::remarks::{
    dataless_text, durability_text, files_text, metering_text, own_settings_text, together_text,
    writes,
};
use super::run::prepare_as_typed;
use super::shares::{on_host, shares_text};
use crate::Outcome;
use crate::cli::PlanArgs;
use crate::output::print::{points, print_json, print_page};
use crate::output::progress::expected;
use crate::output::table::TextTable;
use crate::output::text::{Text, Width};
use crate::session::{LOOKING, Vigil, plan_warnings};
use crate::work::{AnyTestbed, ResolvedRun, find_campaign};

/// Prints the resolved plan; touches nothing.
pub(crate) fn plan(args: &PlanArgs) -> anyhow::Result<Outcome> {
    if let Some(found) = find_campaign(&args.measure.work)? {
        return campaign::plan(args, found);
    }
    let vigil = Vigil::keep(LOOKING, None);
    let prepared = prepare_as_typed(&args.measure, (Search::AsGiven, &args.store.store), None)?;
    drop(vigil);
    match args.json {
        true => print_json(&serde_json::to_string_pretty(&prepared.plan)?)?,
        false => print_page(args.page.page(), |width| plan_text(&prepared, width))?,
    }
    Ok(Outcome::Done)
}

/// What a plan is, in tables and sentences.
pub(super) fn plan_text(prepared: &ResolvedRun, width: Width) -> Text {
    let plan = &prepared.plan;
    let parts = [
        format!("{} ({}), plan {}\n", plan.work, plan.title, &plan.hash()[..12]).into(),
        targets(prepared).fitted(width),
        series(plan).fitted(width),
        together_text(plan).into(),
        files_text(plan).into(),
        durability_text(plan).into(),
        dataless_text(plan).into(),
        own_settings_text(plan).into(),
        metering_text(plan).into(),
        shares_text(prepared, width),
        factors_text(prepared, width),
        members_text(plan).into(),
        points_text(plan).into(),
        precondition_text(plan).into(),
        cost_text(prepared).into(),
        copies_text(prepared).into(),
        notes_text(plan).into(),
    ];
    let parts = parts.into_iter().filter(|part: &Text| !part.is_empty());
    Text::join(parts.collect(), "\n")
}

/// Notes on work that is left out, and on profiles that do not do what their names say.
fn notes_text(plan: &Plan) -> String {
    let notes = plan_warnings(plan);
    notes.iter().map(|note| format!("note: {}\n", printable(&note.text()))).collect()
}

fn targets(prepared: &ResolvedRun) -> TextTable {
    let mut table = TextTable::of(
        &["Target", "Used", "Aligned to", "Before measuring", "May be written"],
        &["Used", "Aligned to"],
    );
    table.can_spare(&["Aligned to"]);
    let real = prepared.place.real_targets();
    for (index, target) in prepared.plan.targets.iter().enumerate() {
        let real = real.get(index);
        if let Some(fleet) = prepared.place.fleet() {
            table.row(on_host(target, fleet.layout_bytes().get(index).copied()));
            continue;
        }
        table.row(vec![
            target.target.clone(),
            size_text(target, target.size_bytes),
            size_text(target, target.alignment_bytes),
            real.map_or_else(|| "nothing".to_owned(), |real| layout_text(real)),
            match (real, target.kind) {
                (Some(real), _) => consent_text(prepared, real),
                (None, TargetKind::Database) if prepared.place.database().is_some() => {
                    prepared.place.database().map_or_else(String::new, |place| place.consent())
                }
                (None, TargetKind::Desktop) => "only by what users type".to_owned(),
                (None, TargetKind::Directory) => "yes: Kneepoint makes and removes it".to_owned(),
                (None, TargetKind::Database | TargetKind::Processor) => "nothing is".to_owned(),
                (None, _) => "it is not real".to_owned(),
            },
        ]);
    }
    table
}

/// Bytes of a target; a dash for one that has none.
pub(super) fn size_text(target: &TargetPlan, bytes: u64) -> String {
    match target.size_bytes {
        0 if matches!(
            target.kind,
            TargetKind::Sim | TargetKind::Database | TargetKind::Desktop | TargetKind::Directory
        ) =>
        {
            "-".to_owned()
        }
        _ => Bytes(bytes).to_string(),
    }
}

fn layout_text(real: &RealTarget) -> String {
    match real.layout.bytes() {
        Bytes(0) => "nothing".to_owned(),
        bytes => format!("{} are written", RoundedBytes(bytes.0)),
    }
}

fn consent_text(prepared: &ResolvedRun, real: &RealTarget) -> String {
    let needed = prepared.plan.writes() || real.layout.bytes() > Bytes(0);
    match (real.judgement.decision(), needed) {
        (_, false) => "is only read".to_owned(),
        (Decision::Allowed(consent), true) => format!("yes: {}", consent.ground().name()),
        (Decision::Refused, true) => {
            "NO: run would refuse, `kneepoint inspect` says why".to_owned()
        }
    }
}

fn series(plan: &Plan) -> TextTable {
    let mut table = TextTable::of(
        &["Series", "Read", "Random", "Load levels", "Points"],
        &["Read", "Random", "Points"],
    );
    // With factors every combination has the same series.
    let first = plan.series.first().map(|series| &series.factors);
    for series in plan.series.iter().filter(|series| Some(&series.factors) == first) {
        table.row(vec![
            series.name.clone(),
            share(series, ResolvedProfile::read_percent),
            share(series, ResolvedProfile::random_percent),
            levels_text(series),
            series.loads.levels.len().to_string(),
        ]);
    }
    table
}

/// A share of the I/Os; a dash for work that is no I/O.
fn share(series: &SeriesPlan, percent: impl Fn(&ResolvedProfile) -> f64) -> String {
    series
        .profile
        .storage()
        .map_or_else(|| "-".to_owned(), |profile| format!("{}%", percent(profile)))
}

/// The levels in full where they fit on a line, otherwise the ends.
pub(super) fn levels_text(series: &SeriesPlan) -> String {
    let levels: Vec<String> = series.loads.levels.iter().map(ToString::to_string).collect();
    let shown = match levels.as_slice() {
        [first, second, .., last] if levels.len() > 12 => format!("{first}, {second}, ... {last}"),
        all => all.join(", "),
    };
    let unit = match series.loads.levels.as_slice() {
        [one] => series.loads.unit.label_of(*one),
        _ => series.loads.unit.label(),
    };
    match &series.search {
        SearchPlan::Grid | SearchPlan::ByTurns => format!("{shown} {unit}"),
        SearchPlan::Knee(KneePlan { goal: KneeGoal::Saturation, .. }) => {
            let (first, rest) = levels.split_at(levels.len().min(3));
            let last = rest.last().map_or_else(String::new, |last| format!(" ... {last}"));
            format!("{}{last} {unit}, until throughput stops rising", first.join(", "))
        }
        SearchPlan::Knee(_) => format!("searched among {shown} {unit} and between"),
    }
}

fn points_text(plan: &Plan) -> String {
    let rules: Vec<String> = plan.rules.iter().map(ToString::to_string).collect();
    let reference = plan.reference.as_ref().map_or_else(String::new, |reference| {
        let asked: Vec<String> = reference.rules.iter().map(ToString::to_string).collect();
        format!("\nreference: that of run {}, for {}", reference.origin.run, asked.join(", "))
    });
    let class = plan.target_class.as_ref();
    let class = class.map_or_else(String::new, |class| format!("\ntarget class: {class}"));
    format!(
        "{}rules: {}{reference}{class}\nengine: {}, seed {}\n",
        phases_of_all(plan),
        rules.join(", "),
        engine_text(plan),
        plan.seed,
    )
}

/// The engine that issues the I/Os; nothing unreal has a page cache to pass by.
fn engine_text(plan: &Plan) -> String {
    let engine = &plan.engine;
    let is_of = |kind| plan.targets.iter().any(|target| target.kind == kind);
    let workers =
        format!("{} worker{}", engine.workers, if engine.workers == 1 { "" } else { "s" });
    match engine.engine {
        Engine::Sim => format!("{} in virtual time", engine.engine.name()),
        Engine::Null => format!("{}, {workers}", engine.engine.name()),
        Engine::Threads if is_of(TargetKind::Desktop) => "a thread for all users".to_owned(),
        Engine::Threads if is_of(TargetKind::Directory) => {
            "a thread for each outstanding operation".to_owned()
        }
        Engine::Threads => "a thread for each warehouse".to_owned(),
        Engine::Processes => "a process for each copy".to_owned(),
        Engine::IoUring
        | Engine::IoUringSqPoll
        | Engine::IoUringIoPoll
        | Engine::Libaio
        | Engine::Sync => {
            let pages = match engine.memory_pages {
                Some(MemoryPages::Huge) => ", buffers in huge pages",
                Some(MemoryPages::Small) | None => "",
            };
            format!("{}, {} I/O{pages}, {workers}", engine.engine.name(), engine.caching.name())
        }
    }
}

/// The phases of points, and of searches by visits; a line for each that there is.
fn phases_of_all(plan: &Plan) -> String {
    let (searched, others): (Vec<&SeriesPlan>, Vec<&SeriesPlan>) =
        plan.series.iter().partition(|series| plan.answers_of(series).is_some());
    let mut text = String::new();
    if !others.is_empty() {
        text.push_str(&format!("each point: {}\n", phases_text(&plan.timing, plan.repetitions)));
    }
    if let Some(rounds) = &plan.rounds {
        text.push_str(&series_rounds_text(rounds));
    }
    if let (Some(_), StopRule::Confidence { accuracy, .. }) = (searched.first(), &plan.timing.stop)
    {
        text.push_str(&format!(
            "each search: loads visited for {PROBE_TIME} or longer on the way up, then for \
             {VISIT_TIME} or longer around each answer, until it is within {accuracy} with 95 % confidence\n"
        ));
    }
    text
}

/// The ramp, and how long is measured after it; `repetitions` are those of the plan.
fn phases_text(timing: &Timing, repetitions: u32) -> String {
    let ramp = timing.ramp;
    match &timing.stop {
        StopRule::FixedTime { measure } => format!("{ramp} ramp, {measure} measured"),
        StopRule::Confidence { accuracy, drift, measure_min, measure_max } => format!(
            "{ramp} ramp or longer, {measure_min} to {measure_max} measured, until within \
             {accuracy} with 95 % confidence and drifting by less than {drift}"
        ),
        StopRule::SteadyState(rule) => rounds_text(ramp, rule),
        StopRule::Volume { target_bytes, measure_max } => format!(
            "{ramp} ramp, {} moved in {measure_max} at most",
            RoundedBytes(target_bytes.iter().sum())
        ),
        StopRule::Rounds { accuracy, rounds_min, rounds_max, passes_min: 0, .. } => format!(
            "{rounds_min} to {rounds_max} rounds of all copies, until within {accuracy} with 95 % confidence"
        ),
        StopRule::Rounds { accuracy, passes_min, .. } if *passes_min < repetitions => format!(
            "one round of all copies in each of {passes_min} to {repetitions} passes over all of them, until \
             the scores are within {accuracy} with 95 % confidence"
        ),
        StopRule::Rounds { passes_min, .. } => {
            format!("one round of all copies in each of {passes_min} passes over all of them")
        }
    }
}

/// Bytes and time.
fn cost_text(prepared: &ResolvedRun) -> String {
    let plan = &prepared.plan;
    let real = prepared.place.real_targets();
    let layout: u64 = match prepared.place.fleet() {
        Some(fleet) => fleet.layout_bytes().iter().sum(),
        None => real.iter().map(|real| real.layout.bytes().0).sum(),
    };
    let is_real = |target: &TargetPlan| matches!(target.kind, TargetKind::File | TargetKind::Block);
    if !plan.targets.iter().any(is_real) {
        let preparation = preparation_text(plan, 0);
        let time = time_text(plan);
        let (settle, again) = (settle_text(plan), again_text(plan));
        let written = match prepared.place.database() {
            Some(_) => "its tables are filled again before each, and dropped at the end",
            None if plan.targets.iter().any(|target| target.kind == TargetKind::Desktop) => {
                "the script is rehearsed before the first; only what users type is written"
            }
            None if plan.targets.iter().any(|target| target.kind == TargetKind::Directory) => {
                "the files are made before each, and removed after it"
            }
            None => "nothing is written",
        };
        return format!("{time}{settle}{preparation}{again}; {written}\n");
    }
    let measured = match plan.writes() {
        false => "measuring writes nothing".to_owned(),
        true => format!("measuring writes at the target's own pace for {}", writing_time(plan)),
    };
    format!(
        "{}{}{}{}\nwritten: {} {} ({layout} bytes); {measured}\nmemory: {} of buffers at \
         the highest load\n",
        time_text(plan),
        settle_text(plan),
        preparation_text(plan, layout),
        again_text(plan),
        RoundedBytes(layout),
        match plan.verification {
            None => "of test files",
            Some(_) => "of data to be verified",
        },
        RoundedBytes(buffer_bytes(plan).0),
    )
}

/// How many points, and how long they take on the target's clock. How soon a point becomes steady
/// is not known before it is measured, so what is expected is said to be that, beside the time that
/// they take if none is steady early.
fn time_text(plan: &Plan) -> String {
    let clock = if plan.engine.engine == Engine::Sim { " of simulated time" } else { "" };
    let goals = goals(plan);
    let about = match goals.as_slice() {
        [] => "",
        goals if goals.iter().all(|goal| *goal == KneeGoal::Saturation) => "up to ",
        _ => "about ",
    };
    let points = points(plan.point_count());
    let times: Vec<[Nanos; 2]> = plan.series.iter().map(|series| times_of(plan, series)).collect();
    let sum = |index: usize| repeated(plan.repetitions, times.iter().map(|times| times[index]));
    let (usual, longest) = (sum(0), sum(1));
    if plan.repetitions_min() < plan.repetitions {
        let least = repeated(plan.repetitions_min(), times.iter().map(|times| times[0]));
        return format!(
            "time: {points} or more, expected to take {}{clock} ({} if all {} {} are needed)",
            Span(roughly(least)),
            Span(roughly(usual)),
            plan.repetitions,
            if plan.rounds.is_some() { "rounds" } else { "passes" },
        );
    }
    if usual == longest {
        return format!("time: {about}{points} in {}{clock}", Span(longest));
    }
    format!(
        "time: {about}{points}, expected to take {}{clock} ({} if each takes its longest)",
        Span(roughly(usual)),
        Span(longest),
    )
}

/// The sum of the times of series in this number of repetitions.
fn repeated(repetitions: u32, times: impl Iterator<Item = Nanos>) -> Nanos {
    let once: u64 = times.map(|time| time.0).sum();
    Nanos(once.saturating_mul(u64::from(repetitions.max(1))))
}

/// The expected and the longest time of a series in one repetition.
fn times_of(plan: &Plan, series: &SeriesPlan) -> [Nanos; 2] {
    if series.is_companion() {
        return [Nanos::ZERO; 2];
    }
    if let Some(times) = usual(plan, series).zip(longest(plan, series)) {
        return times.into();
    }
    let (least, most) = (plan.timing.point_min(), plan.timing.point_max());
    let point = expected(Duration::from_nanos(least.0), Duration::from_nanos(most.0));
    let count = series.loads.levels.len() as u64;
    [point.as_nanos() as u64, most.0].map(|time| Nanos(time.saturating_mul(count)))
}

/// The goals of the searches for loads.
fn goals(plan: &Plan) -> Vec<KneeGoal> {
    let goal = |series: &SeriesPlan| match &series.search {
        SearchPlan::Grid | SearchPlan::ByTurns => None,
        SearchPlan::Knee(knee) => Some(knee.goal),
    };
    plan.series.iter().filter_map(goal).collect()
}

/// That a search may take more points; nothing disturbs a simulated system, and visits are many
/// anyway.
fn again_text(plan: &Plan) -> &'static str {
    let is_visited = plan.series.iter().all(|series| plan.answers_of(series).is_some());
    match plan.engine.engine == Engine::Sim || goals(plan).is_empty() || is_visited {
        true => "",
        false => "; a point that something disturbs is measured again, at most twice",
    }
}

/// A time that no one knows to the second: rounded up to two digits or so.
fn roughly(time: Nanos) -> Nanos {
    let secs = time.0.div_ceil(Nanos::from_secs(1).0);
    let unit = match secs {
        0..60 => 1,
        60..600 => 10,
        600..3600 => 60,
        _ => 600,
    };
    Nanos::from_secs(secs.next_multiple_of(unit))
}

/// The time on top of that of the points.
const fn preparation_text(plan: &Plan, layout: u64) -> &'static str {
    if plan.verification.is_some() {
        return match plan.precondition {
            None => ", and the time to write the targets from end to end",
            Some(_) => {
                ", and the time to write the targets from end to end and to precondition them"
            }
        };
    }
    match (layout > 0, plan.precondition.is_some()) {
        (false, false) => "",
        (true, false) => ", and the time to write the test files",
        (false, true) => ", and the time of the preconditioning",
        (true, true) => ", and the time to write the test files and to precondition them",
    }
}

/// How long the series that write take: from the shortest to the longest time if they differ; a
/// search by visits has no shortest one but the usual.
fn writing_time(plan: &Plan) -> String {
    let writing = || plan.series.iter().filter(|series| writes(plan, series));
    let shortest = |series: &SeriesPlan| {
        let points = series.loads.levels.len() as u64;
        let least = Nanos(plan.timing.point_min().0.saturating_mul(points));
        usual(plan, series).unwrap_or(least)
    };
    let least = repeated(plan.repetitions_min(), writing().map(shortest));
    let most = repeated(plan.repetitions, writing().map(|series| times_of(plan, series)[1]));
    match least == most {
        true => Span(most).to_string(),
        false => format!("{} to {}", Span(least), Span(most)),
    }
}

/// The copies, how and where they are made, and their bytes; empty if nothing is copied.
pub(super) fn copies_text(prepared: &ResolvedRun) -> String {
    let plan = &prepared.plan;
    let Some(copy) = &plan.file_copy else { return String::new() };
    let mut text = kinds_text(copy);
    if prepared.place.fleet().is_some() {
        for target in plan.targets.iter().filter(|target| target.takes_copies()) {
            text.push_str(&format!(
                "  beside {}: {} of source, which stay; {} copies write {} in all, each removed \
                 before the next\n",
                target.target,
                RoundedBytes(copy.set.bytes),
                copy.count(),
                RoundedBytes(copy.set.bytes.saturating_mul(copy.count() as u64)),
            ));
        }
    }
    for (target, real) in plan.targets.iter().zip(prepared.place.real_targets()) {
        if target.takes_copies() {
            let path = real.ground();
            let work = source_work(&path, copy.set, plan.seed);
            text.push_str(&place_text(&path, copy, work));
        }
    }
    text
}

fn kinds_text(copy: &FileCopy) -> String {
    let methods: Vec<&str> = copy.methods.iter().map(|method| method.name()).collect();
    let caches: Vec<&str> = copy.caches.iter().map(|cache| cache.name()).collect();
    format!(
        "file copy: {} files in {} directories, {} ({} bytes), after the points\n  by {}; {}; {} \
         copies of each\n",
        copy.set.files,
        copy.set.directories,
        RoundedBytes(copy.set.bytes),
        copy.set.bytes,
        methods.join(", "),
        caches.join(" and "),
        copy.repetitions,
    )
}

fn place_text(path: &Path, copy: &FileCopy, work: SourceWork) -> String {
    let bytes = RoundedBytes(copy.set.bytes);
    let source = match work {
        SourceWork::Reuse => "the source is there".to_owned(),
        SourceWork::Write => format!("{bytes} of source are written, and stay"),
    };
    format!(
        "  in {}: {source}; {} copies write {} in all, each removed before the next\n",
        path.display(),
        copy.count(),
        RoundedBytes(copy.set.bytes.saturating_mul(copy.count() as u64)),
    )
}

/// Blocks that are listed one by one.
const BLOCKS_MAX: usize = 64;

/// Everything about the factors; empty where nothing is varied.
pub(super) fn factors_text(prepared: &ResolvedRun, width: Width) -> Text {
    let plan = &prepared.plan;
    let Some(factors) = &plan.factors else { return Text::new() };
    let parts = [
        factor_levels(prepared, factors).fitted(width),
        matrix_text(plan, factors).into(),
        commands_text(&prepared.varied).into(),
        safety_text(prepared).into(),
    ];
    let parts = parts.into_iter().filter(|part: &Text| !part.is_empty());
    Text::join(parts.collect(), "\n")
}

/// The factors with their levels, and the places where they are set.
fn factor_levels(prepared: &ResolvedRun, factors: &Factors) -> TextTable {
    let mut table = TextTable::of(&["Factor", "Levels", "Set at", "Settles"], &["Settles"]);
    table.can_spare(&["Settles"]);
    for factor in &factors.factors {
        let of_factor = |varied: &&VariedSetting| varied.factor == factor.name;
        let here = prepared.varied.iter().filter(of_factor).map(|varied| varied.place_text("your"));
        let on_hosts = prepared.place.fleet().map(Fleet::settings).unwrap_or_default();
        let there = on_hosts.into_iter().filter(|(name, _)| *name == factor.name);
        let places: Vec<String> = here.chain(there.map(|(_, place)| place)).collect();
        let places = match places.is_empty() {
            true => match prepared.place.database() {
                Some(database) => database.place_of_settings().to_owned(),
                None if matches!(prepared.place, AnyTestbed::Server(_)) => {
                    "the copies, kept on processors".to_owned()
                }
                None => "the simulated system".to_owned(),
            },
            false => places.join(", "),
        };
        let settle = match factor.settle {
            Nanos::ZERO => "-".to_owned(),
            time => time.to_string(),
        };
        table.row(vec![factor.name.clone(), factor.levels.join(", "), places, settle]);
    }
    table
}

/// The blocks in the order in which they run.
fn matrix_text(plan: &Plan, factors: &Factors) -> String {
    let blocks = blocks(plan);
    let repetitions = plan.repetitions.max(1) as usize;
    let once = plan.point_count() / plan.repetitions_min() as usize;
    let points = once * repetitions / blocks.len().max(1);
    let up_to = if plan.repetitions_min() < plan.repetitions { "up to " } else { "" };
    let mut text = format!(
        "{up_to}{} blocks of {points} points each, design {}, order {}:\n",
        blocks.len(),
        factors.design.name(),
        factors.order.name(),
    );
    for (number, block) in blocks.iter().enumerate().take(BLOCKS_MAX) {
        let levels = combination_text(block.combination);
        let repetition = match plan.repetitions {
            0 | 1 => String::new(),
            count => format!(" (repetition {} of {up_to}{count})", block.repetition + 1),
        };
        text.push_str(&format!("{:>4}  {levels}{repetition}\n", number + 1));
    }
    if blocks.len() > BLOCKS_MAX {
        text.push_str(&format!("      and {} more\n", blocks.len() - BLOCKS_MAX));
    }
    text
}

/// The user's own commands, word for word.
fn commands_text(varied: &[VariedSetting]) -> String {
    let mut text = String::new();
    for setting in varied {
        let What::Commands { commands, target } = &setting.what else { continue };
        let level = setting.levels.first().map_or("", |(level, _)| level);
        text.push_str(&format!(
            "commands of {}, here at '{level}':\n  set      {:?}\n  check    {:?} prints {:?}\n  \
             restore  {:?}\n",
            setting.name(),
            commands.set_for(level, target),
            commands.check_for(level, target),
            commands.expected(level, target),
            commands.restore_for(target),
        ));
    }
    text
}

/// The commands of members of the user's own, word for word.
fn members_text(plan: &Plan) -> String {
    let mut text = String::new();
    for member in plan.external_members() {
        let verify = match &member.check {
            OutputCheck::Command(words) => Some(words),
            OutputCheck::Digest(_) | OutputCheck::Runcpu(_) => None,
        };
        let commands = [
            ("build", member.build.as_ref()),
            ("run", Some(&member.run)),
            ("verify", verify),
            ("version", member.version.as_ref()),
        ];
        text.push_str(&format!("commands of {}:\n", member.name));
        for (name, words) in commands {
            let Some(words) = words else { continue };
            text.push_str(&format!("  {name:<8} {words:?}\n"));
        }
    }
    text
}

/// The consequences of changing settings for the machine.
fn safety_text(prepared: &ResolvedRun) -> String {
    let is_place = |varied: &&VariedSetting| matches!(varied.what, What::Place(_));
    let mut text = String::new();
    if prepared.place.fleet().is_some_and(|fleet| !fleet.settings().is_empty()) {
        text.push_str(
            "settings: each agent sets them on its host, reads them back, and gives each its former \
             value at the end, also where it loses its controller\n",
        );
    }
    if prepared.varied.iter().any(|varied| is_place(&varied)) {
        text.push_str(
            "settings: changing them needs root; only the files above are written, each is read \
             back, and each gets its former value at the end\n",
        );
    }
    let mut changed = prepared.varied.iter().filter(is_place);
    let is_read_ahead = changed.any(|varied| varied.factor == "read_ahead");
    if is_read_ahead && prepared.plan.engine.caching == Caching::Direct {
        text.push_str("note: read_ahead acts on buffered reads; direct I/O passes it by\n");
    }
    text
}

/// The time that changes take on top of the points.
fn settle_text(plan: &Plan) -> String {
    let Some(factors) = &plan.factors else { return String::new() };
    let longest = factors.factors.iter().map(|factor| factor.settle).max().unwrap_or(Nanos::ZERO);
    let blocks = blocks(plan).len() as u64;
    let settle = match longest {
        Nanos::ZERO => String::new(),
        time => format!(", up to {} for changes to settle", Span(Nanos(time.0 * blocks))),
    };
    let has_commands = factors.factors.iter().any(|factor| factor.commands.is_some());
    let commands = if has_commands { ", and the time of your commands" } else { "" };
    format!("{settle}{commands}")
}
