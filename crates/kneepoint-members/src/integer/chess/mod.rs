//! A game search: chess on bitboards, moves counted and moves searched.

mod board;
mod moves;
mod rays;
mod search;

use crate::member::{Class, Member, Scale};
use crate::output::Output;
use board::Board;
use search::Search;

pub(crate) const MEMBER: Member = Member {
    name: "chess",
    class: Class::Integer,
    title: "Game search",
    work: "counts all sequences of moves of chess to a given length, and looks for the best move of several \
           positions (alpha-beta with a table of positions)",
    unit: "1 million positions searched or counted",
    run,
};

/// Positions in the notation of Forsyth and Edwards: the start, and those by which the Chess Programming
/// Wiki tests generators of moves.
const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -",
];

/// Lengths to which the moves of each position are counted.
const COUNTED: [u32; 6] = [5, 5, 6, 5, 4, 4];

/// Moves that the search looks ahead in each position.
const SEARCHED: [i32; 6] = [9, 9, 9, 9, 9, 8];

fn run(scale: Scale) -> Output {
    let mut output = Output::default();
    for ((position, length), depth) in POSITIONS.iter().zip(COUNTED).zip(SEARCHED) {
        let board = Board::read(position).expect("a test reads the positions");
        let length = scale.choose(length, length - 1, 2);
        output.text("position", position);
        output.count("sequences", moves::count(&board, length));
        let mut search = Search::new(scale.choose(20, 20, 12));
        for depth in 1..=scale.choose(depth, depth - 2, 2) {
            let found = search.best(&board, depth);
            output.text(
                "best",
                &found.best.map_or_else(|| "none".to_owned(), |best| best.to_string()),
            );
            output.count("score", found.score);
            output.count("nodes", search.nodes());
        }
    }
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published counts: <https://www.chessprogramming.org/Perft_Results>.
    #[test]
    fn counts_are_the_published_ones() {
        let published: [&[u64]; 6] = [
            &[20, 400, 8902, 197_281],
            &[48, 2039, 97_862],
            &[14, 191, 2812, 43_238],
            &[6, 264, 9467],
            &[44, 1486, 62_379],
            &[46, 2079, 89_890],
        ];
        for (position, counts) in POSITIONS.iter().zip(published) {
            let board = Board::read(position).unwrap();
            for (length, expected) in (1..).zip(counts) {
                assert_eq!(moves::count(&board, length), *expected, "{position} {length}");
            }
        }
    }

    #[test]
    fn mates_are_found() {
        let board = Board::read("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -").unwrap();
        let found = Search::new(10).best(&board, 2);
        assert_eq!(found.best.unwrap().to_string(), "a1a8");
        assert!(found.score > 20_000);
    }

    #[test]
    fn a_table_changes_no_score() {
        for position in POSITIONS {
            let board = Board::read(position).unwrap();
            let small = Search::new(0).best(&board, 3).score;
            assert_eq!(Search::new(14).best(&board, 3).score, small, "{position}");
        }
    }
}
