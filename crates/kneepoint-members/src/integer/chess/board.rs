//! The board: where pieces are, whose turn it is, and what is allowed.

use super::rays::{KING, KNIGHT, PAWN, Squares, bishop, bit, rook};

/// Kinds of pieces; also indexes.
pub(super) const PAWNS: usize = 0;
pub(super) const KNIGHTS: usize = 1;
pub(super) const BISHOPS: usize = 2;
pub(super) const ROOKS: usize = 3;
pub(super) const QUEENS: usize = 4;
pub(super) const KINGS: usize = 5;

const LETTERS: &str = "pnbrqk";

/// Castling that is still allowed, as bits; to the king's side and to the queen's, white first.
const CASTLING: &str = "KQkq";

/// A position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Board {
    /// Pieces by side (0 is white) and kind.
    pub(super) pieces: [[Squares; 6]; 2],
    /// The side that moves.
    pub(super) turn: usize,
    pub(super) castling: u8,
    /// The square behind a pawn that has just moved by two.
    pub(super) passed: Option<u8>,
    /// Hash of all of the above.
    pub(super) hash: u64,
}

/// The ways of moving that do more than put a piece elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Plain,
    Double,
    EnPassant,
    Castle,
    Promotion(u8),
}

/// A move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) kind: u8,
    pub(super) way: Way,
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for square in [self.from, self.to] {
            write!(f, "{}{}", (b'a' + square % 8) as char, square / 8 + 1)?;
        }
        match self.way {
            Way::Promotion(kind) => f.write_str(&LETTERS[kind as usize..=kind as usize]),
            _ => Ok(()),
        }
    }
}

impl Board {
    /// Reads the first four fields of the notation of Forsyth and Edwards.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut fields = text.split(' ');
        let mut board = Self { pieces: [[0; 6]; 2], turn: 0, castling: 0, passed: None, hash: 0 };
        let mut square = 56;
        for letter in fields.next()?.chars() {
            match letter {
                '/' => square -= 16,
                '1'..='8' => square += letter.to_digit(9)? as u8,
                _ => {
                    let side = usize::from(letter.is_ascii_lowercase());
                    board.toggle(side, LETTERS.find(letter.to_ascii_lowercase())?, square);
                    square += 1;
                }
            }
        }
        if fields.next()? == "b" {
            board.pass();
        }
        let rights = fields.next()?.chars().filter_map(|letter| CASTLING.find(letter));
        board.allow(rights.fold(0, |rights, index| rights | 1 << index));
        Some(board)
    }

    pub(super) fn of(&self, side: usize) -> Squares {
        self.pieces[side].iter().fold(0, |all, squares| all | squares)
    }

    pub(super) fn occupied(&self) -> Squares {
        self.of(0) | self.of(1)
    }

    /// The kind of the piece of `side` on a square.
    pub(super) fn kind_on(&self, side: usize, square: u8) -> Option<usize> {
        self.pieces[side].iter().position(|squares| squares & bit(square) != 0)
    }

    /// Whether `side` attacks a square.
    pub(super) fn attacks(&self, side: usize, square: u8) -> bool {
        let pieces = &self.pieces[side];
        let index = square as usize;
        if PAWN[1 - side][index] & pieces[PAWNS]
            | KNIGHT[index] & pieces[KNIGHTS]
            | KING[index] & pieces[KINGS]
            != 0
        {
            return true;
        }
        let occupied = self.occupied();
        rook(square, occupied) & (pieces[ROOKS] | pieces[QUEENS]) != 0
            || bishop(square, occupied) & (pieces[BISHOPS] | pieces[QUEENS]) != 0
    }

    /// Whether the king of `side` is attacked.
    pub(super) fn in_check(&self, side: usize) -> bool {
        self.attacks(1 - side, self.pieces[side][KINGS].trailing_zeros() as u8 & 63)
    }

    /// The position after a move; nothing if the own king could then be taken.
    pub(super) fn after(&self, step: Move) -> Option<Self> {
        let mut next = *self;
        let (side, kind) = (self.turn, step.kind as usize);
        if let Some(taken) = self.kind_on(1 - side, step.to) {
            next.toggle(1 - side, taken, step.to);
        }
        next.toggle(side, kind, step.from);
        next.see_passed(None);
        let home = side as u8 * 56;
        match step.way {
            Way::Promotion(promoted) => next.toggle(side, promoted as usize, step.to),
            _ => next.toggle(side, kind, step.to),
        }
        match step.way {
            Way::Double => next.see_passed(Some((step.from + step.to) / 2)),
            Way::EnPassant => next.toggle(1 - side, PAWNS, step.to ^ 8),
            Way::Castle => {
                let (from, to) = if step.to > step.from { (7, 5) } else { (0, 3) };
                next.toggle(side, ROOKS, home + from);
                next.toggle(side, ROOKS, home + to);
            }
            Way::Plain | Way::Promotion(_) => {}
        }
        next.allow(self.castling & !lost_rights(step.from) & !lost_rights(step.to));
        if next.in_check(side) {
            return None;
        }
        next.pass();
        Some(next)
    }

    /// Puts a piece on a square, or takes it away.
    fn toggle(&mut self, side: usize, kind: usize, square: u8) {
        self.pieces[side][kind] ^= bit(square);
        self.hash ^= key((side * 6 + kind) as u64 * 64 + u64::from(square));
    }

    /// Lets the other side move.
    pub(super) fn pass(&mut self) {
        self.turn = 1 - self.turn;
        self.hash ^= key(1000);
    }

    fn allow(&mut self, castling: u8) {
        if castling != self.castling {
            self.hash ^= key(1100 + u64::from(self.castling)) ^ key(1100 + u64::from(castling));
            self.castling = castling;
        }
    }

    fn see_passed(&mut self, square: Option<u8>) {
        for square in self.passed.into_iter().chain(square) {
            self.hash ^= key(1200 + u64::from(square));
        }
        self.passed = square;
    }
}

/// Castling that ends when a piece leaves or reaches a square.
const fn lost_rights(square: u8) -> u8 {
    match square {
        4 => 0b0011,
        7 => 0b0001,
        0 => 0b0010,
        60 => 0b1100,
        63 => 0b0100,
        56 => 0b1000,
        _ => 0,
    }
}

/// Random bits for a part of a position.
const fn key(number: u64) -> u64 {
    KEYS[number as usize]
}

static KEYS: [u64; 1300] = {
    let mut random = crate::random::Random::new(0x5eed_0005);
    let mut keys = [0; 1300];
    let mut index = 0;
    while index < keys.len() {
        keys[index] = random.bits();
        index += 1;
    }
    keys
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_follow_the_moves() {
        let start = Board::read("4k3/8/8/8/8/8/4P3/4K2R w K -").unwrap();
        let step = Move { from: 4, to: 6, kind: KINGS as u8, way: Way::Castle };
        let expected = Board::read("4k3/8/8/8/8/8/4P3/5RK1 b - -").unwrap();
        assert_eq!(start.after(step), Some(expected));
        assert_eq!(step.to_string(), "e1g1");
    }

    #[test]
    fn kings_do_not_walk_into_attacks() {
        let board = Board::read("4k3/8/8/8/8/8/r7/4K3 w - -").unwrap();
        let step = Move { from: 4, to: 12, kind: KINGS as u8, way: Way::Plain };
        assert_eq!(board.after(step), None);
    }
}
