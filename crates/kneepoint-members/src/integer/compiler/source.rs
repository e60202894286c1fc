//! Generated programs. Every loop counts down in its own variable, so that all of them end.

use std::fmt::Write as _;

use crate::random::Random;

const OPERATIONS: [&str; 12] = ["+", "-", "*", "/", "&", "|", "^", "<<", ">>", "<", "==", "!="];

/// Writes a program.
pub(super) fn program(functions: usize, random: &mut Random) -> String {
    let mut writer = Writer { text: String::new(), random, variables: Vec::new(), loops: 0 };
    for number in 0..functions {
        writer.function(number);
    }
    writer.text
}

struct Writer<'a> {
    text: String,
    random: &'a mut Random,
    /// Variables that have a value.
    variables: Vec<String>,
    loops: usize,
}

impl Writer<'_> {
    fn function(&mut self, number: usize) {
        let parameters = 1 + self.random.index(4);
        self.variables = (0..parameters).map(|index| format!("p{index}")).collect();
        self.loops = 0;
        let list = self.variables.join(", ");
        let _ = writeln!(self.text, "// Function {number}.\nfn work_{number}({list}) {{");
        for index in 0..3 + self.random.index(12) {
            let name = format!("value{index}");
            self.assign(&name, 1);
            self.variables.push(name);
        }
        let statements = 8 + self.random.index(16);
        self.statements(statements, 1);
        let result = self.expression(4);
        let _ = writeln!(self.text, "    return {result};\n}}\n");
    }

    fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            match self.random.below(10) {
                0 | 1 if depth < 4 => self.branch(depth),
                2 if depth < 3 => self.repeat(depth),
                _ => {
                    let index = self.random.index(self.variables.len());
                    let name = self.variables[index].clone();
                    self.assign(&name, depth);
                }
            }
        }
    }

    fn assign(&mut self, name: &str, depth: usize) {
        let expression = self.expression(3);
        let _ = writeln!(self.text, "{:1$}{name} = {expression};", "", depth * 4);
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.expression(2);
        let _ = writeln!(self.text, "{:1$}if ({condition}) {{", "", depth * 4);
        self.inner(depth);
        if self.random.once_in(2) {
            let _ = writeln!(self.text, "{:1$}}} else {{", "", depth * 4);
            self.inner(depth);
        }
        let _ = writeln!(self.text, "{:1$}}}", "", depth * 4);
    }

    fn repeat(&mut self, depth: usize) {
        let name = format!("count{}", self.loops);
        self.loops += 1;
        let turns = 1 + self.random.below(6);
        let _ = writeln!(self.text, "{:1$}{name} = {turns};", "", depth * 4);
        let _ = writeln!(self.text, "{:1$}while ({name} > 0) {{", "", depth * 4);
        let _ = writeln!(self.text, "{:1$}{name} = {name} - 1;", "", depth * 4 + 4);
        self.inner(depth);
        let _ = writeln!(self.text, "{:1$}}}", "", depth * 4);
    }

    fn inner(&mut self, depth: usize) {
        let count = 1 + self.random.index(5);
        self.statements(count, depth + 1);
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.once_in(5) {
            return self.operand();
        }
        let operation = OPERATIONS[self.random.index(OPERATIONS.len())];
        let a = self.expression(depth - 1);
        let b = self.expression(depth - 1);
        if self.random.once_in(2) {
            format!("({a} {operation} {b})")
        } else {
            format!("{a} {operation} {b}")
        }
    }

    fn operand(&mut self) -> String {
        if self.random.once_in(3) {
            let limit = if self.random.once_in(4) { 1 << 40 } else { 16 };
            return self.random.below(limit).to_string();
        }
        let index = self.random.index(self.variables.len());
        self.variables[index].clone()
    }
}
