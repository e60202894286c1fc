//! The machine that runs bytecode.

use super::emit::{Code, GET, JUMP, JUMP_IF_ZERO, LOAD, MOVE, PARAMETER, PUT, RETURN};
use super::syntax::OPERATIONS;

/// Runs a function. Code that is none ends with 0.
pub(super) fn run(code: &Code, arguments: &[i64]) -> i64 {
    let mut registers = [0_i64; 16];
    let mut slots = vec![0_i64; code.slots];
    let bytes = &code.bytes;
    let mut place = 0;
    while let Some(&instruction) = bytes.get(place) {
        let byte = |offset: usize| usize::from(bytes[place + offset]);
        let slot = || byte(2) | byte(3) << 8;
        let target = |offset: usize| {
            (0..4).fold(0, |target, index| target | byte(offset + index) << (8 * index))
        };
        match instruction {
            LOAD => {
                let number =
                    (0..8).fold(0, |number, index| number | byte(2 + index) << (8 * index));
                registers[byte(1)] = number as i64;
                place += 10;
            }
            MOVE => {
                registers[byte(1)] = registers[byte(2)];
                place += 3;
            }
            GET => {
                registers[byte(1)] = slots[slot()];
                place += 4;
            }
            PUT => {
                slots[slot()] = registers[byte(1)];
                place += 4;
            }
            PARAMETER => {
                registers[byte(1)] = arguments[byte(2)];
                place += 3;
            }
            JUMP => place = target(1),
            JUMP_IF_ZERO => place = if registers[byte(1)] == 0 { target(2) } else { place + 6 },
            RETURN => return registers[byte(1)],
            _ => {
                let (operation, _, _) = OPERATIONS[usize::from(instruction)];
                registers[byte(1)] = operation.apply(registers[byte(2)], registers[byte(3)]);
                place += 4;
            }
        }
    }
    0
}
