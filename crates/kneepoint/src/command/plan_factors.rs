//! What `kneepoint plan` says of factors: the matrix, what is set where, and the commands.

use kneepoint_core::plan::{Block, Caching, Plan, blocks};
use kneepoint_core::spec::factor::{Factors, combination_text};
use kneepoint_core::words::number::Span;
use kneepoint_core::words::units::Nanos;
use kneepoint_device::settings::{VariedSetting, What};

use crate::output::table::{Align, TextTable};
use crate::output::text::Text;
use crate::output::width::Width;
use crate::work::ResolvedRun;

/// Blocks that are listed one by one.
const BLOCKS_MAX: usize = 64;

/// Everything about the factors; empty where nothing is varied.
pub(super) fn factors_text(prepared: &ResolvedRun, width: Width) -> Text {
    let plan = &prepared.plan;
    let Some(factors) = &plan.factors else { return Text::new() };
    let parts = [
        levels(prepared, factors).fitted(width),
        matrix_text(plan, factors).into(),
        commands_text(&prepared.varied).into(),
        safety_text(prepared).into(),
    ];
    let parts = parts.into_iter().filter(|part: &Text| !part.is_empty());
    Text::join(parts.collect(), "\n")
}

/// The factors with their levels, and the places where they are set.
fn levels(prepared: &ResolvedRun, factors: &Factors) -> TextTable {
    let mut table = TextTable::new(&[
        ("Factor", Align::Left),
        ("Levels", Align::Left),
        ("Set at", Align::Left),
        ("Settles", Align::Right),
    ]);
    table.can_spare(&["Settles"]);
    for factor in &factors.factors {
        let of_factor = |varied: &&VariedSetting| varied.factor == factor.name;
        let places: Vec<String> = prepared.varied.iter().filter(of_factor).map(place).collect();
        let places = match places.is_empty() {
            true => "the simulated system".to_owned(),
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

fn place(varied: &VariedSetting) -> String {
    match &varied.what {
        What::Place(place) => place.file.clone(),
        What::Commands { target, .. } if target.is_empty() => "your commands".to_owned(),
        What::Commands { target, .. } => format!("your commands for {target}"),
    }
}

/// The blocks in the order in which they run.
fn matrix_text(plan: &Plan, factors: &Factors) -> String {
    let blocks = blocks(plan);
    let points = plan.point_count() / blocks.len().max(1);
    let mut text = format!(
        "{} blocks of {points} points each, design {}, order {}:\n",
        blocks.len(),
        factors.design.name(),
        factors.order.name(),
    );
    for (number, block) in blocks.iter().enumerate().take(BLOCKS_MAX) {
        text.push_str(&format!("{:>4}  {}\n", number + 1, block_text(plan, block)));
    }
    if blocks.len() > BLOCKS_MAX {
        text.push_str(&format!("      and {} more\n", blocks.len() - BLOCKS_MAX));
    }
    text
}

fn block_text(plan: &Plan, block: &Block<'_>) -> String {
    let levels = combination_text(block.combination);
    match plan.repetitions {
        0 | 1 => levels,
        count => format!("{levels} (repetition {} of {count})", block.repetition + 1),
    }
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

/// What changing settings means for the machine.
fn safety_text(prepared: &ResolvedRun) -> String {
    let is_place = |varied: &&VariedSetting| matches!(varied.what, What::Place(_));
    let mut text = String::new();
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
pub(super) fn settle_text(plan: &Plan) -> String {
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
