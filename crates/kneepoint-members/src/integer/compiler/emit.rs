//! Bytecode.

use super::allocate::{Place, Places, REGISTERS};
use super::lower::{Instruction, Listing, Operand, Virtual};
use super::syntax::{OPERATIONS, Operation};

/// Codes behind those of the operations.
pub(super) const LOAD: u8 = 16;
pub(super) const MOVE: u8 = 17;
pub(super) const GET: u8 = 18;
pub(super) const PUT: u8 = 19;
pub(super) const JUMP: u8 = 20;
pub(super) const JUMP_IF_ZERO: u8 = 21;
pub(super) const RETURN: u8 = 22;
pub(super) const PARAMETER: u8 = 23;

/// Registers for operands and results that have none.
const FIRST: u8 = REGISTERS as u8;
const SECOND: u8 = FIRST + 1;
const RESULT: u8 = FIRST + 2;

/// A compiled function.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) bytes: Vec<u8>,
    /// Variables that have no register.
    pub(super) slots: usize,
}

/// Writes the bytecode of a function.
pub(super) fn emit(listing: &Listing, places: &Places) -> Code {
    let mut writer = Writer { bytes: Vec::new(), places, jumps: Vec::new() };
    let mut starts = Vec::new();
    for block in 0..listing.blocks() {
        starts.push(writer.bytes.len());
        for instruction in &listing.instructions[listing.starts[block]..listing.starts[block + 1]] {
            writer.instruction(instruction, block + 1);
        }
    }
    for (place, block) in writer.jumps {
        let target = (starts[block] as u32).to_le_bytes();
        writer.bytes[place..place + 4].copy_from_slice(&target);
    }
    Code { bytes: writer.bytes, slots: places.slots }
}

struct Writer<'a> {
    bytes: Vec<u8>,
    places: &'a Places,
    /// Where the target of a jump is written, and the block to which it leads.
    jumps: Vec<(usize, usize)>,
}

impl Writer<'_> {
    /// Writes an instruction; `next` is the block that follows.
    fn instruction(&mut self, instruction: &Instruction, next: usize) {
        match *instruction {
            Instruction::Parameter { to, index } => {
                let register = self.target(to);
                self.bytes.extend([PARAMETER, register, index as u8]);
                self.keep(to);
            }
            Instruction::Copy { to, from } => self.copy(to, from),
            Instruction::Binary { operation, to, a, b } => {
                let [a, b] = [self.register(a, FIRST), self.register(b, SECOND)];
                let register = self.target(to);
                self.bytes.extend([code(operation), register, a, b]);
                self.keep(to);
            }
            Instruction::Jump(to) => self.jump(to, next),
            Instruction::Branch(condition, first, second) => {
                let register = self.register(condition, FIRST);
                self.bytes.extend([JUMP_IF_ZERO, register]);
                self.target_block(second);
                self.jump(first, next);
            }
            Instruction::Return(value) => {
                let register = self.register(value, FIRST);
                self.bytes.extend([RETURN, register]);
            }
        }
    }

    fn copy(&mut self, to: Virtual, from: Operand) {
        let target = self.target(to);
        match from {
            Operand::Variable(from) if self.places.of[from] == self.places.of[to] => return,
            Operand::Variable(from) => match self.places.of[from] {
                Place::Register(register) => self.bytes.extend([MOVE, target, register]),
                Place::Slot(_) => {
                    self.register(Operand::Variable(from), target);
                }
            },
            Operand::Constant(_) => {
                self.register(from, target);
            }
        }
        self.keep(to);
    }

    /// The register that holds an operand; `spare` if it has none.
    fn register(&mut self, operand: Operand, spare: u8) -> u8 {
        match operand {
            Operand::Constant(number) => {
                self.bytes.extend([LOAD, spare]);
                self.bytes.extend(number.to_le_bytes());
                spare
            }
            Operand::Variable(variable) => match self.places.of[variable] {
                Place::Register(register) => register,
                Place::Slot(slot) => {
                    self.bytes.extend([GET, spare]);
                    self.bytes.extend(slot.to_le_bytes());
                    spare
                }
            },
        }
    }

    fn target(&self, variable: Virtual) -> u8 {
        match self.places.of[variable] {
            Place::Register(register) => register,
            Place::Slot(_) => RESULT,
        }
    }

    /// Writes a result to its slot, if it has one.
    fn keep(&mut self, variable: Virtual) {
        if let Place::Slot(slot) = self.places.of[variable] {
            self.bytes.extend([PUT, RESULT]);
            self.bytes.extend(slot.to_le_bytes());
        }
    }

    fn jump(&mut self, to: usize, next: usize) {
        if to != next {
            self.bytes.push(JUMP);
            self.target_block(to);
        }
    }

    fn target_block(&mut self, block: usize) {
        self.jumps.push((self.bytes.len(), block));
        self.bytes.extend([0; 4]);
    }
}

fn code(operation: Operation) -> u8 {
    OPERATIONS.iter().position(|(known, _, _)| *known == operation).unwrap_or_default() as u8
}
