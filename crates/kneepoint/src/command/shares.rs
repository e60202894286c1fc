//! What each host of a fleet gets: its targets with their loads, and what is written to them.

use kneepoint_core::plan::{Plan, SeriesPlan, TargetKind, TargetPlan};
use kneepoint_core::spec::grid::SearchPlan;
use kneepoint_core::words::load::LoadPer;
use kneepoint_core::words::number::{Level, RoundedBytes};
use kneepoint_net::Fleet;

use super::plan::size_text;
use crate::output::table::TextTable;
use crate::output::text::{Text, Width};
use crate::work::ResolvedRun;

/// The hosts of a plan with their targets, loads and bytes; empty where one machine measures.
pub(super) fn shares_text(prepared: &ResolvedRun, width: Width) -> Text {
    let Some(fleet) = prepared.place.fleet() else { return Text::new() };
    let plan = &prepared.plan;
    let mut table = TextTable::of(&["Host", "Target", "Load", "Laid out"], &["Laid out"]);
    table.may_break(&["Load"]);
    let mut notes = String::new();
    for host in plan.hosts() {
        let share = Share::of(plan, fleet, host);
        share.rows(plan).into_iter().for_each(|row| table.row(row));
        notes.push_str(&share.written(plan));
    }
    Text::join(vec![table.fitted(width), notes.into()], "")
}

/// The row of a target that a host of a fleet drives, and on which so much is written before.
pub(super) fn on_host(target: &TargetPlan, layout_bytes: Option<u64>) -> Vec<String> {
    let is_real = matches!(target.kind, TargetKind::File | TargetKind::Block);
    vec![
        target.target.clone(),
        size_text(target, target.size_bytes),
        size_text(target, target.alignment_bytes),
        match layout_bytes {
            None | Some(0) => "nothing".to_owned(),
            Some(bytes) => format!("{} are written", RoundedBytes(bytes)),
        },
        match target.kind {
            TargetKind::Desktop => "only by what users type",
            _ if is_real => "its agent decides",
            _ => "it is not real",
        }
        .to_owned(),
    ]
}

/// The targets of one host.
struct Share<'a> {
    host: &'a str,
    targets: Vec<(&'a TargetPlan, u64)>,
}

impl<'a> Share<'a> {
    fn of(plan: &'a Plan, fleet: &Fleet, host: &'a str) -> Self {
        let layout = fleet.layout_bytes().iter().copied().chain(std::iter::repeat(0));
        let own = plan.targets.iter().zip(layout).filter(|(target, _)| target.host == host);
        Self { host, targets: own.collect() }
    }

    /// A row for each target, and one for all of them if there are several.
    fn rows(&self, plan: &Plan) -> Vec<Vec<String>> {
        let row = |name: String, (count, laid_out): (usize, u64)| {
            vec![self.host.to_owned(), name, loads_text(plan, count), bytes_text(laid_out)]
        };
        let of_each =
            |(target, laid_out): &(&TargetPlan, u64)| row(target.at_home().target, (1, *laid_out));
        let mut rows: Vec<_> = self.targets.iter().map(of_each).collect();
        if self.targets.len() > 1 {
            let count = self.targets.len();
            rows.push(row(format!("all {count}"), (count, self.laid_out())));
        }
        rows
    }

    fn laid_out(&self) -> u64 {
        self.targets.iter().map(|(_, bytes)| bytes).sum()
    }

    /// What is written on the host.
    fn written(&self, plan: &Plan) -> String {
        let is_real =
            |target: &TargetPlan| matches!(target.kind, TargetKind::File | TargetKind::Block);
        if self.targets.iter().any(|(target, _)| target.kind == TargetKind::Desktop) {
            return format!("{}: only what its users type is written\n", self.host);
        }
        if !self.targets.iter().any(|(target, _)| is_real(target)) {
            return format!("{}: nothing is written\n", self.host);
        }
        let laid_out = RoundedBytes(self.laid_out());
        let used: u64 = self.targets.iter().map(|(target, _)| target.size_bytes).sum();
        let preconditioning = match &plan.precondition {
            None => String::new(),
            Some(given) => format!(
                "; preconditioning writes {} in order{}",
                RoundedBytes(used * u64::from(given.sequential.passes)),
                match given.random {
                    None => "",
                    Some(_) => ", and then at random until that is steady",
                }
            ),
        };
        let measuring = match plan.writes() {
            true => "measuring writes at the pace of its targets",
            false => "measuring writes nothing",
        };
        format!(
            "{}: {laid_out} of test files are laid out{preconditioning}; {measuring}\n",
            self.host
        )
    }
}

/// Levels that are shown in full, at the most.
const LEVELS_MAX: usize = 8;

/// The loads of `count` targets of a host, each text once; of a load that all hosts have together it is
/// said.
fn loads_text(plan: &Plan, count: usize) -> String {
    let mut texts: Vec<String> = Vec::new();
    for series in &plan.series {
        let text = load_text(series, count);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join("; ")
}

fn load_text(series: &SeriesPlan, count: usize) -> String {
    let unit = series.loads.unit;
    let (factor, of_all) = match unit.per() {
        LoadPer::Target => (count as f64, ""),
        LoadPer::Run => (1.0, " on all hosts together"),
    };
    let levels: Vec<String> =
        series.loads.levels.iter().map(|level| Level(factor * level).to_string()).collect();
    let shown = match levels.as_slice() {
        [first, second, .., last] if levels.len() > LEVELS_MAX => {
            format!("{first}, {second}, ... {last}")
        }
        all => all.join(", "),
    };
    let searched = match series.search {
        SearchPlan::Grid | SearchPlan::ByTurns => "",
        SearchPlan::Knee(_) => "searched among ",
    };
    format!("{searched}{shown} {}{of_all}", unit.label())
}

fn bytes_text(bytes: u64) -> String {
    match bytes {
        0 => "-".to_owned(),
        bytes => RoundedBytes(bytes).to_string(),
    }
}
