//! Static single assignment: each value is computed in one place, and known ones are not computed.

use std::collections::{BTreeMap, BTreeSet};

use super::syntax::{Expression, Function, Operation, Statement};

/// A value, by its number.
pub(super) type Value = usize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Node {
    Constant(i64),
    Parameter(usize),
    Binary(Operation, Value, Value),
    /// The value that came with the block before; see [`Block::joins`].
    Join,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum End {
    Jump(usize),
    /// To the first block if the value is not 0, else to the second.
    Branch(Value, usize, usize),
    Return(Value),
}

/// Instructions without branches.
#[derive(Debug)]
pub(super) struct Block {
    /// Values that are computed here, in order.
    pub(super) values: Vec<Value>,
    /// Values that depend on the block before: each with pairs of such a block and its value.
    pub(super) joins: Vec<(Value, Vec<(usize, Value)>)>,
    pub(super) end: End,
}

/// A function as blocks; the first one is the entry.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) blocks: Vec<Block>,
}

/// Brings a function into this form.
pub(super) fn build(function: &Function) -> Graph {
    let mut builder = Builder::default();
    let entry = builder.block();
    builder.current = entry;
    let zero = builder.constant(0);
    for index in 0..function.variables {
        let value =
            if index < function.parameters { builder.add(Node::Parameter(index)) } else { zero };
        builder.variables.push(value);
    }
    builder.statements(&function.body);
    let result = builder.expression(&function.result);
    builder.end(End::Return(result));
    Graph { nodes: builder.nodes, blocks: builder.blocks }
}

#[derive(Debug, Default)]
struct Builder {
    nodes: Vec<Node>,
    blocks: Vec<Block>,
    /// The block that is written.
    current: usize,
    /// The values of the variables here.
    variables: Vec<Value>,
    constants: BTreeMap<i64, Value>,
    /// Values that are computed in blocks through which every way leads here.
    known: BTreeMap<(Operation, Value, Value), Value>,
    /// What became known last, to be forgotten where a branch ends.
    learned: Vec<(Operation, Value, Value)>,
}

impl Builder {
    fn block(&mut self) -> usize {
        self.blocks.push(Block { values: Vec::new(), joins: Vec::new(), end: End::Return(0) });
        self.blocks.len() - 1
    }

    fn end(&mut self, end: End) {
        self.blocks[self.current].end = end;
    }

    fn add(&mut self, node: Node) -> Value {
        self.nodes.push(node);
        let value = self.nodes.len() - 1;
        self.blocks[self.current].values.push(value);
        value
    }

    fn constant(&mut self, number: i64) -> Value {
        let nodes = &mut self.nodes;
        *self.constants.entry(number).or_insert_with(|| {
            nodes.push(Node::Constant(number));
            nodes.len() - 1
        })
    }

    fn number(&self, value: Value) -> Option<i64> {
        match self.nodes[value] {
            Node::Constant(number) => Some(number),
            _ => None,
        }
    }

    fn expression(&mut self, expression: &Expression) -> Value {
        match expression {
            Expression::Number(number) => self.constant(*number),
            Expression::Variable(variable) => self.variables[*variable],
            Expression::Binary(operation, a, b) => {
                let a = self.expression(a);
                let b = self.expression(b);
                self.binary(*operation, a, b)
            }
        }
    }

    fn binary(&mut self, operation: Operation, a: Value, b: Value) -> Value {
        let (a, b) = if operation.commutes() && b < a { (b, a) } else { (a, b) };
        if let Some(value) = self.simplified(operation, a, b) {
            return value;
        }
        let key = (operation, a, b);
        if let Some(value) = self.known.get(&key) {
            return *value;
        }
        let value = self.add(Node::Binary(operation, a, b));
        self.known.insert(key, value);
        self.learned.push(key);
        value
    }

    /// The value of an operation that need not be computed.
    fn simplified(&mut self, operation: Operation, a: Value, b: Value) -> Option<Value> {
        use Operation::{
            Add, And, Divide, Equal, Less, Multiply, Or, ShiftLeft, ShiftRight, Subtract, Unequal,
            Xor,
        };
        let numbers = (self.number(a), self.number(b));
        if let (Some(a), Some(b)) = numbers {
            return Some(self.constant(operation.apply(a, b)));
        }
        match (operation, numbers) {
            (Add | Or | Xor, (Some(0), _)) | (Multiply, (Some(1), _)) => Some(b),
            (Add | Or | Xor | Subtract | ShiftLeft | ShiftRight, (_, Some(0))) => Some(a),
            (Multiply | Divide, (_, Some(1))) => Some(a),
            (Multiply | And, (Some(0), _) | (_, Some(0))) | (Divide, (Some(0), _)) => {
                Some(self.constant(0))
            }
            (And | Or, _) if a == b => Some(a),
            (Subtract | Xor | Less | Unequal, _) if a == b => Some(self.constant(0)),
            (Equal, _) if a == b => Some(self.constant(1)),
            _ => None,
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Assign(variable, expression) => {
                    self.variables[*variable] = self.expression(expression);
                }
                Statement::While(condition, body) => self.repeat(condition, body),
                Statement::If(condition, then, otherwise) => {
                    let condition = self.expression(condition);
                    match self.number(condition) {
                        Some(0) => self.statements(otherwise),
                        Some(_) => self.statements(then),
                        None => self.branch(condition, then, otherwise),
                    }
                }
            }
        }
    }

    fn branch(&mut self, condition: Value, then: &[Statement], otherwise: &[Statement]) {
        let before = self.variables.clone();
        let from = self.current;
        let [first, second, join] = [(); 3].map(|()| self.block());
        self.blocks[from].end = End::Branch(condition, first, second);
        let first_end = self.arm(first, then, join);
        let after_first = std::mem::replace(&mut self.variables, before);
        let second_end = self.arm(second, otherwise, join);
        self.current = join;
        for (variable, one) in after_first.into_iter().enumerate() {
            let other = self.variables[variable];
            if one != other {
                let value = self.join();
                self.blocks[join].joins.push((value, vec![(first_end, one), (second_end, other)]));
                self.variables[variable] = value;
            }
        }
    }

    /// Writes an arm of a branch; the block in which it ends.
    fn arm(&mut self, block: usize, statements: &[Statement], join: usize) -> usize {
        let learned = self.learned.len();
        self.current = block;
        self.statements(statements);
        self.end(End::Jump(join));
        self.forget(learned);
        self.current
    }

    fn repeat(&mut self, condition: &Expression, body: &[Statement]) {
        let before = self.current;
        let [header, first, after] = [(); 3].map(|()| self.block());
        self.end(End::Jump(header));
        let mut changed = BTreeSet::new();
        assigned(body, &mut changed);
        for variable in &changed {
            let value = self.join();
            self.blocks[header].joins.push((value, vec![(before, self.variables[*variable])]));
            self.variables[*variable] = value;
        }
        self.current = header;
        let condition = self.expression(condition);
        self.end(End::Branch(condition, first, after));
        let at_header = self.variables.clone();
        let last = self.arm(first, body, header);
        for (join, variable) in changed.iter().enumerate() {
            let value = self.variables[*variable];
            self.blocks[header].joins[join].1.push((last, value));
        }
        self.variables = at_header;
        self.current = after;
    }

    fn join(&mut self) -> Value {
        self.nodes.push(Node::Join);
        self.nodes.len() - 1
    }

    fn forget(&mut self, learned: usize) {
        for key in self.learned.drain(learned..) {
            self.known.remove(&key);
        }
    }
}

/// The variables to which statements give values.
fn assigned(statements: &[Statement], variables: &mut BTreeSet<usize>) {
    for statement in statements {
        match statement {
            Statement::Assign(variable, _) => {
                variables.insert(*variable);
            }
            Statement::While(_, body) => assigned(body, variables),
            Statement::If(_, then, otherwise) => {
                assigned(then, variables);
                assigned(otherwise, variables);
            }
        }
    }
}
