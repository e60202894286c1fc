//! The search for the best move: alpha-beta with a table of positions, captures to their end.

use super::board::{Board, KINGS, Move, PAWNS, Way};
use super::moves::{Wanted, generate, reach};
use super::rays::{Squares, each};

/// The score of a mate; less for each move until then.
const MATE: i32 = 30_000;

/// Values of pieces.
const VALUES: [i32; 6] = [100, 320, 330, 500, 900, 0];

/// What a search found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) best: Option<Move>,
    /// In hundredths of a pawn, for the side that moves.
    pub(super) score: i32,
}

/// A position that was searched.
#[derive(Debug, Clone, Copy)]
struct Entry {
    hash: u64,
    best: Option<Move>,
    score: i32,
    depth: i32,
    bound: Bound,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// Scores between which the search has to tell differences.
#[derive(Debug, Clone, Copy)]
struct Window {
    low: i32,
    high: i32,
}

/// How far a position is from where the search began, and from where it ends.
#[derive(Debug, Clone, Copy)]
struct Depth {
    gone: i32,
    left: i32,
}

/// A search with what it remembers.
#[derive(Debug)]
pub(super) struct Search {
    /// A power of two, by the lowest bits of the hash.
    table: Vec<Option<Entry>>,
    /// How often a quiet move was too good, by its piece and target.
    history: [[i32; 64]; 6],
    nodes: u64,
}

impl Search {
    /// A search with a table of 2^`bits` positions.
    pub(super) fn new(bits: u32) -> Self {
        Self { table: vec![None; 1 << bits], history: [[0; 64]; 6], nodes: 0 }
    }

    /// Positions that were looked at since the beginning.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The best move after looking `depth` moves ahead.
    pub(super) fn best(&mut self, board: &Board, depth: i32) -> Found {
        let score = self.search(
            board,
            Depth { gone: 0, left: depth },
            Window { low: -2 * MATE, high: 2 * MATE },
        );
        let best = self.remembered(board).and_then(|entry| entry.best);
        Found { best, score }
    }

    fn slot(&self, board: &Board) -> usize {
        board.hash as usize & (self.table.len() - 1)
    }

    fn remembered(&self, board: &Board) -> Option<Entry> {
        self.table[self.slot(board)].filter(|entry| entry.hash == board.hash)
    }

    fn search(&mut self, board: &Board, depth: Depth, window: Window) -> i32 {
        if depth.left <= 0 {
            return self.captures(board, window);
        }
        self.nodes += 1;
        let known = self.remembered(board);
        // A mate is counted from the root, so scores of other heights say nothing about it.
        let usable =
            known.filter(|entry| entry.depth == depth.left && entry.score.abs() < MATE - 1000);
        if let Some(score) =
            usable.and_then(|entry| settled(entry, window)).filter(|_| depth.gone > 0)
        {
            return score;
        }
        let mut moves = Vec::with_capacity(64);
        generate(board, Wanted::All, &mut moves);
        self.order(board, &mut moves, known.and_then(|entry| entry.best));
        let deeper = Depth { gone: depth.gone + 1, left: depth.left - 1 };
        let (mut best, mut score, mut low) = (None, -2 * MATE, window.low);
        for step in moves {
            let Some(next) = board.after(step) else { continue };
            let further = Window { low: -window.high, high: -low };
            let value = -self.search(&next, deeper, further);
            if value > score || best.is_none() {
                (best, score) = (Some(step), value);
            }
            low = low.max(value);
            if low >= window.high {
                self.remember_quiet(board, step, depth.left);
                break;
            }
        }
        if best.is_none() {
            return if board.in_check(board.turn) { depth.gone - MATE } else { 0 };
        }
        let bound = match score {
            _ if score >= window.high => Bound::AtLeast,
            _ if score > window.low => Bound::Exact,
            _ => Bound::AtMost,
        };
        let slot = self.slot(board);
        self.table[slot] = Some(Entry { hash: board.hash, best, score, depth: depth.left, bound });
        score
    }

    /// The score when only captures go on, and each side may stop.
    fn captures(&mut self, board: &Board, window: Window) -> i32 {
        self.nodes += 1;
        let mut score = evaluate(board);
        let mut low = window.low.max(score);
        if low >= window.high {
            return score;
        }
        let mut moves = Vec::with_capacity(32);
        generate(board, Wanted::Captures, &mut moves);
        self.order(board, &mut moves, None);
        for step in moves {
            let Some(next) = board.after(step) else { continue };
            score = score.max(-self.captures(&next, Window { low: -window.high, high: -low }));
            low = low.max(score);
            if low >= window.high {
                break;
            }
        }
        score
    }

    /// Puts the moves first that are likely to be good.
    fn order(&self, board: &Board, moves: &mut [Move], known: Option<Move>) {
        moves.sort_by_cached_key(|step| {
            let taken = board.kind_on(1 - board.turn, step.to);
            let promise = match taken {
                _ if known == Some(*step) => 1 << 30,
                Some(kind) => (1 << 28) + VALUES[kind] * 10 - VALUES[step.kind as usize],
                None if matches!(step.way, Way::Promotion(_)) => 1 << 27,
                None => self.history[step.kind as usize][step.to as usize],
            };
            -promise
        });
    }

    fn remember_quiet(&mut self, board: &Board, step: Move, depth: i32) {
        if board.kind_on(1 - board.turn, step.to).is_none() {
            let count = &mut self.history[step.kind as usize][step.to as usize];
            *count = (*count + depth * depth).min(1 << 26);
        }
    }
}

/// The score that a position in the table has, if it is enough.
fn settled(entry: Entry, window: Window) -> Option<i32> {
    let enough = match entry.bound {
        Bound::Exact => true,
        Bound::AtLeast => entry.score >= window.high,
        Bound::AtMost => entry.score <= window.low,
    };
    enough.then_some(entry.score)
}

/// Material, freedom to move and closeness to the centre, for the side that moves.
fn evaluate(board: &Board) -> i32 {
    let occupied = board.occupied();
    let score = side(board, 0, occupied) - side(board, 1, occupied);
    if board.turn == 0 { score } else { -score }
}

fn side(board: &Board, side: usize, occupied: Squares) -> i32 {
    let mut score = 0;
    for (kind, squares) in board.pieces[side].iter().enumerate() {
        for square in each(*squares) {
            let [file, rank] = [square % 8, square / 8].map(i32::from);
            let centre = 6 - (2 * file - 7).abs() / 2 - (2 * rank - 7).abs() / 2;
            let forward = if side == 0 { rank } else { 7 - rank };
            score += VALUES[kind]
                + match kind {
                    PAWNS => forward * forward + centre,
                    KINGS => -2 * forward,
                    _ => 3 * reach(kind, square, occupied).count_ones() as i32 + 2 * centre,
                };
        }
    }
    score
}
