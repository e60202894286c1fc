//! All moves of a position.

use super::board::{BISHOPS, Board, KINGS, KNIGHTS, Move, PAWNS, QUEENS, ROOKS, Way};
use super::rays::{KING, KNIGHT, PAWN, Squares, bishop, bit, each, rook};

/// The moves that are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    All,
    /// Those that take a piece or promote a pawn.
    Captures,
}

/// Counts all sequences of `length` moves.
pub(super) fn count(board: &Board, length: u32) -> u64 {
    let mut moves = Vec::with_capacity(64);
    generate(board, Wanted::All, &mut moves);
    let next = moves.iter().filter_map(|step| board.after(*step));
    if length <= 1 { next.count() as u64 } else { next.map(|next| count(&next, length - 1)).sum() }
}

/// Writes the moves of the side whose turn it is; some may leave its king attacked.
pub(super) fn generate(board: &Board, wanted: Wanted, moves: &mut Vec<Move>) {
    moves.clear();
    let side = board.turn;
    let (own, occupied) = (board.of(side), board.occupied());
    let targets = match wanted {
        Wanted::All => !own,
        Wanted::Captures => occupied & !own,
    };
    pawns(board, wanted, moves);
    for kind in [KNIGHTS, BISHOPS, ROOKS, QUEENS, KINGS] {
        for from in each(board.pieces[side][kind]) {
            for to in each(reach(kind, from, occupied) & targets) {
                moves.push(Move { from, to, kind: kind as u8, way: Way::Plain });
            }
        }
    }
    if wanted == Wanted::All {
        castling(board, moves);
    }
}

/// The squares that a piece other than a pawn attacks.
pub(super) fn reach(kind: usize, from: u8, occupied: Squares) -> Squares {
    match kind {
        KNIGHTS => KNIGHT[from as usize],
        BISHOPS => bishop(from, occupied),
        ROOKS => rook(from, occupied),
        QUEENS => rook(from, occupied) | bishop(from, occupied),
        _ => KING[from as usize],
    }
}

fn pawns(board: &Board, wanted: Wanted, moves: &mut Vec<Move>) {
    let side = board.turn;
    let occupied = board.occupied();
    let taken = board.of(1 - side) | board.passed.map_or(0, bit);
    // The ranks from which pawns move by two, and on which they are promoted next.
    let (start, last) = if side == 0 { (1, 6) } else { (6, 1) };
    for from in each(board.pieces[side][PAWNS]) {
        for to in each(PAWN[side][from as usize] & taken) {
            let way = if board.passed == Some(to) { Way::EnPassant } else { Way::Plain };
            pawn(Move { from, to, kind: PAWNS as u8, way }, last, moves);
        }
        let to = if side == 0 { from + 8 } else { from - 8 };
        let promotes = from / 8 == last;
        if occupied & bit(to) != 0 || (wanted == Wanted::Captures && !promotes) {
            continue;
        }
        pawn(Move { from, to, kind: PAWNS as u8, way: Way::Plain }, last, moves);
        let far = if side == 0 { from + 16 } else { from.wrapping_sub(16) };
        if from / 8 == start && occupied & bit(far) == 0 {
            moves.push(Move { from, to: far, kind: PAWNS as u8, way: Way::Double });
        }
    }
}

/// A move of a pawn, or its four promotions.
fn pawn(step: Move, last: u8, moves: &mut Vec<Move>) {
    if step.from / 8 != last {
        moves.push(step);
        return;
    }
    for kind in [QUEENS, ROOKS, BISHOPS, KNIGHTS] {
        moves.push(Move { way: Way::Promotion(kind as u8), ..step });
    }
}

fn castling(board: &Board, moves: &mut Vec<Move>) {
    let side = board.turn;
    let (home, rights) = (side as u8 * 56, board.castling >> (2 * side));
    let occupied = board.occupied() >> home;
    let free = |squares: Squares| occupied & squares == 0;
    let safe = |square: u8| !board.attacks(1 - side, home + square);
    let mut castle = |to: u8| {
        moves.push(Move { from: home + 4, to: home + to, kind: KINGS as u8, way: Way::Castle });
    };
    if rights & 1 != 0 && free(0b0110_0000) && safe(4) && safe(5) {
        castle(6);
    }
    if rights & 2 != 0 && free(0b0000_1110) && safe(4) && safe(3) {
        castle(2);
    }
}
