//! Instructions in order: from SSA form to a list, without what has no effect.

use super::ssa::{Block, End, Graph, Node, Value};
use super::syntax::Operation;

/// A variable of the machine, before it has a register.
pub(super) type Virtual = usize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    Variable(Virtual),
    Constant(i64),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Instruction {
    Parameter {
        to: Virtual,
        index: usize,
    },
    Copy {
        to: Virtual,
        from: Operand,
    },
    Binary {
        operation: Operation,
        to: Virtual,
        a: Operand,
        b: Operand,
    },
    /// To a block.
    Jump(usize),
    /// To the first block if the operand is not 0, else to the second.
    Branch(Operand, usize, usize),
    Return(Operand),
}

impl Instruction {
    /// The variable that it writes.
    pub(super) const fn written(&self) -> Option<Virtual> {
        match self {
            Self::Parameter { to, .. } | Self::Copy { to, .. } | Self::Binary { to, .. } => {
                Some(*to)
            }
            Self::Jump(_) | Self::Branch(..) | Self::Return(_) => None,
        }
    }

    /// The variables that it reads.
    pub(super) fn read(&self) -> impl Iterator<Item = Virtual> {
        let operands = match *self {
            Self::Copy { from: a, .. } | Self::Branch(a, ..) | Self::Return(a) => [Some(a), None],
            Self::Binary { a, b, .. } => [Some(a), Some(b)],
            Self::Parameter { .. } | Self::Jump(_) => [None, None],
        };
        operands.into_iter().flatten().filter_map(|operand| match operand {
            Operand::Variable(variable) => Some(variable),
            Operand::Constant(_) => None,
        })
    }
}

/// Instructions, and where each block begins.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) instructions: Vec<Instruction>,
    /// The first instruction of each block, and the number of all.
    pub(super) starts: Vec<usize>,
    pub(super) variables: usize,
}

impl Listing {
    pub(super) fn blocks(&self) -> usize {
        self.starts.len() - 1
    }

    /// The blocks that may follow a block.
    pub(super) fn next(&self, block: usize) -> impl Iterator<Item = usize> {
        let next = match self.instructions[self.starts[block + 1] - 1] {
            Instruction::Jump(to) => [Some(to), None],
            Instruction::Branch(_, first, second) => [Some(first), Some(second)],
            _ => [None, None],
        };
        next.into_iter().flatten()
    }
}

/// Writes the instructions of a function.
pub(super) fn lower(graph: &Graph) -> Listing {
    let live = live(graph);
    let values = graph.nodes.len();
    let mut listing =
        Listing { instructions: Vec::new(), starts: Vec::new(), variables: 2 * values };
    for (number, block) in graph.blocks.iter().enumerate() {
        listing.starts.push(listing.instructions.len());
        let list = &mut listing.instructions;
        // Joins happen at once: each goes through its own second variable, so that none reads another
        // too late.
        let joins = block.joins.iter().filter(|(value, _)| live[*value]);
        list.extend(
            joins
                .map(|(to, _)| Instruction::Copy { to: *to, from: Operand::Variable(values + to) }),
        );
        for value in block.values.iter().filter(|value| live[**value]) {
            list.push(instruction(graph, *value));
        }
        for next in following(block) {
            let joins = graph.blocks[next].joins.iter().filter(|(value, _)| live[*value]);
            for (to, sources) in joins {
                let source = sources.iter().find(|(from, _)| *from == number);
                let from = source.map(|(_, value)| operand(graph, *value));
                list.extend(from.map(|from| Instruction::Copy { to: values + to, from }));
            }
        }
        list.push(match block.end {
            End::Jump(to) => Instruction::Jump(to),
            End::Branch(value, first, second) => {
                Instruction::Branch(operand(graph, value), first, second)
            }
            End::Return(value) => Instruction::Return(operand(graph, value)),
        });
    }
    listing.starts.push(listing.instructions.len());
    listing
}

fn following(block: &Block) -> impl Iterator<Item = usize> {
    let next = match block.end {
        End::Jump(to) => [Some(to), None],
        End::Branch(_, first, second) => [Some(first), Some(second)],
        End::Return(_) => [None, None],
    };
    next.into_iter().flatten()
}

fn instruction(graph: &Graph, value: Value) -> Instruction {
    match graph.nodes[value] {
        Node::Binary(operation, a, b) => {
            Instruction::Binary { operation, to: value, a: operand(graph, a), b: operand(graph, b) }
        }
        Node::Parameter(index) => Instruction::Parameter { to: value, index },
        Node::Constant(_) | Node::Join => {
            Instruction::Copy { to: value, from: operand(graph, value) }
        }
    }
}

fn operand(graph: &Graph, value: Value) -> Operand {
    match graph.nodes[value] {
        Node::Constant(number) => Operand::Constant(number),
        _ => Operand::Variable(value),
    }
}

/// The values on which results and branches depend.
fn live(graph: &Graph) -> Vec<bool> {
    let mut sources = vec![Vec::new(); graph.nodes.len()];
    let mut open = Vec::new();
    for block in &graph.blocks {
        for (value, from) in &block.joins {
            sources[*value].extend(from.iter().map(|(_, value)| *value));
        }
        if let End::Branch(value, ..) | End::Return(value) = block.end {
            open.push(value);
        }
    }
    let mut live = vec![false; graph.nodes.len()];
    while let Some(value) = open.pop() {
        if std::mem::replace(&mut live[value], true) {
            continue;
        }
        open.append(&mut sources[value]);
        if let Node::Binary(_, a, b) = graph.nodes[value] {
            open.extend([a, b]);
        }
    }
    live
}
