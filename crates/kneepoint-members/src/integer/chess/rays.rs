//! The squares that pieces reach, as sets of 64 bits: bit 0 is a1, bit 7 h1, bit 63 h8.

/// A set of squares.
pub(super) type Squares = u64;

/// The set of one square.
pub(super) const fn bit(square: u8) -> Squares {
    1 << square
}

/// The squares of a set in ascending order.
pub(super) fn each(mut squares: Squares) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = (squares != 0).then_some(squares.trailing_zeros() as u8)?;
        squares &= squares - 1;
        Some(square)
    })
}

/// Lines through each square, without the square.
const FILES: [Squares; 64] = lines(0, 1);
const RANKS: [Squares; 64] = lines(1, 0);
const DIAGONALS: [Squares; 64] = lines(1, 1);
const ANTIDIAGONALS: [Squares; 64] = lines(1, -1);

/// Squares one leap away.
pub(super) const KNIGHT: [Squares; 64] =
    leaps([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
pub(super) const KING: [Squares; 64] =
    leaps([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);

/// Squares that pawns attack, white ones first.
pub(super) const PAWN: [[Squares; 64]; 2] = [
    leaps([(-1, 1), (1, 1), (-1, 1), (1, 1), (-1, 1), (1, 1), (-1, 1), (1, 1)]),
    leaps([(-1, -1), (1, -1), (-1, -1), (1, -1), (-1, -1), (1, -1), (-1, -1), (1, -1)]),
];

const fn on_board(file: i8, rank: i8) -> bool {
    file >= 0 && file < 8 && rank >= 0 && rank < 8
}

const fn lines(right: i8, up: i8) -> [Squares; 64] {
    let mut lines = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut sign = -1;
        while sign <= 1 {
            let mut file = square as i8 % 8 + sign * right;
            let mut rank = square as i8 / 8 + sign * up;
            while on_board(file, rank) {
                lines[square] |= 1 << (rank * 8 + file);
                file += sign * right;
                rank += sign * up;
            }
            sign += 2;
        }
        square += 1;
    }
    lines
}

const fn leaps(steps: [(i8, i8); 8]) -> [Squares; 64] {
    let mut leaps = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut index = 0;
        while index < 8 {
            let file = square as i8 % 8 + steps[index].0;
            let rank = square as i8 / 8 + steps[index].1;
            if on_board(file, rank) {
                leaps[square] |= 1 << (rank * 8 + file);
            }
            index += 1;
        }
        square += 1;
    }
    leaps
}

/// Squares that are reached on a line: subtraction carries through empty squares up to the first piece.
const fn slide(square: u8, occupied: Squares, line: Squares) -> Squares {
    let from = 1 << square;
    let blocking = occupied & line;
    let up = blocking.wrapping_sub(from << 1);
    let mirrored = (from as Squares).reverse_bits();
    let down = blocking.reverse_bits().wrapping_sub(mirrored << 1).reverse_bits();
    (up ^ down) & line
}

pub(super) const fn rook(square: u8, occupied: Squares) -> Squares {
    slide(square, occupied, FILES[square as usize])
        | slide(square, occupied, RANKS[square as usize])
}

pub(super) const fn bishop(square: u8, occupied: Squares) -> Squares {
    slide(square, occupied, DIAGONALS[square as usize])
        | slide(square, occupied, ANTIDIAGONALS[square as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps in four directions until a piece is met.
    fn walked(square: u8, occupied: Squares, steps: [(i8, i8); 4]) -> Squares {
        let mut reached = 0;
        for (right, up) in steps {
            let (mut file, mut rank) = (square as i8 % 8 + right, square as i8 / 8 + up);
            while on_board(file, rank) {
                let to = bit((rank * 8 + file) as u8);
                reached |= to;
                if occupied & to != 0 {
                    break;
                }
                (file, rank) = (file + right, rank + up);
            }
        }
        reached
    }

    #[test]
    fn lines_end_at_the_first_piece() {
        let mut random = crate::random::Random::new(1);
        for square in 0..64 {
            for _ in 0..50 {
                let occupied = random.bits() & random.bits() | bit(square);
                let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
                assert_eq!(rook(square, occupied), walked(square, occupied, straight));
                let oblique = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
                assert_eq!(bishop(square, occupied), walked(square, occupied, oblique));
            }
        }
    }

    #[test]
    fn leaps_stay_on_the_board() {
        assert_eq!(KNIGHT[0], bit(10) | bit(17));
        assert_eq!(KING[63].count_ones(), 3);
        assert_eq!(PAWN[0][8], bit(17));
        assert_eq!(PAWN[1][8], bit(1));
    }
}
