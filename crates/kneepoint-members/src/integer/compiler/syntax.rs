//! Words and syntax: from a text to functions.

use std::collections::BTreeMap;

/// What is computed of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Less,
    Equal,
    Unequal,
}

/// All operations in the order of their codes, with their sign and how tightly they bind.
pub(super) const OPERATIONS: [(Operation, &str, u8); 12] = [
    (Operation::Add, "+", 5),
    (Operation::Subtract, "-", 5),
    (Operation::Multiply, "*", 6),
    (Operation::Divide, "/", 6),
    (Operation::And, "&", 3),
    (Operation::Or, "|", 1),
    (Operation::Xor, "^", 2),
    (Operation::ShiftLeft, "<<", 4),
    (Operation::ShiftRight, ">>", 4),
    (Operation::Less, "<", 0),
    (Operation::Equal, "==", 0),
    (Operation::Unequal, "!=", 0),
];

impl Operation {
    /// The result. Numbers wrap; what is divided by 0 is 0; shifts take six bits.
    pub(super) const fn apply(self, a: i64, b: i64) -> i64 {
        match self {
            Self::Add => a.wrapping_add(b),
            Self::Subtract => a.wrapping_sub(b),
            Self::Multiply => a.wrapping_mul(b),
            Self::Divide => {
                if b == 0 {
                    0
                } else {
                    a.wrapping_div(b)
                }
            }
            Self::And => a & b,
            Self::Or => a | b,
            Self::Xor => a ^ b,
            Self::ShiftLeft => a.wrapping_shl((b & 63) as u32),
            Self::ShiftRight => a.wrapping_shr((b & 63) as u32),
            Self::Less => (a < b) as i64,
            Self::Equal => (a == b) as i64,
            Self::Unequal => (a != b) as i64,
        }
    }

    /// Whether both operands may change places.
    pub(super) const fn commutes(self) -> bool {
        use Operation::{Add, And, Equal, Multiply, Or, Unequal, Xor};
        matches!(self, Add | Multiply | And | Or | Xor | Equal | Unequal)
    }
}

#[derive(Debug)]
pub(super) enum Expression {
    Number(i64),
    Variable(usize),
    Binary(Operation, Box<Expression>, Box<Expression>),
}

#[derive(Debug)]
pub(super) enum Statement {
    Assign(usize, Expression),
    While(Expression, Vec<Statement>),
    If(Expression, Vec<Statement>, Vec<Statement>),
}

/// A function; its variables are numbered, the parameters first.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: usize,
    pub(super) variables: usize,
    pub(super) body: Vec<Statement>,
    pub(super) result: Expression,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word<'a> {
    Name(&'a str),
    Number(i64),
    Sign(&'a str),
    End,
}

/// Splits a text into words.
fn words(text: &str) -> Result<Vec<Word<'_>>, String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = |part: fn(char) -> bool| rest.find(|c| !part(c)).unwrap_or(rest.len());
        let (word, length) = match first {
            _ if rest.starts_with("//") => {
                rest = rest.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
                continue;
            }
            '0'..='9' => {
                let length = length(|c| c.is_ascii_digit());
                let number =
                    rest[..length].parse().map_err(|_| "a number is too large".to_owned())?;
                (Word::Number(number), length)
            }
            _ if first.is_ascii_alphabetic() => {
                let length = length(|c| c.is_ascii_alphanumeric() || c == '_');
                (Word::Name(&rest[..length]), length)
            }
            _ => {
                let sign = ["<<", ">>", "==", "!="].iter().find(|sign| rest.starts_with(**sign));
                let length = sign.map_or(first.len_utf8(), |sign| sign.len());
                (Word::Sign(&rest[..length]), length)
            }
        };
        words.push(word);
        rest = rest[length..].trim_start();
    }
    Ok(words)
}

/// Reads a program.
pub(super) fn parse(text: &str) -> Result<Vec<Function>, String> {
    let words = words(text)?;
    let mut parser = Parser { words: &words, place: 0, names: BTreeMap::new() };
    let mut functions = Vec::new();
    while parser.peek() != Word::End {
        functions.push(parser.function()?);
    }
    Ok(functions)
}

struct Parser<'a> {
    words: &'a [Word<'a>],
    place: usize,
    names: BTreeMap<&'a str, usize>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Word<'a> {
        self.words.get(self.place).copied().unwrap_or(Word::End)
    }

    fn next(&mut self) -> Word<'a> {
        let word = self.peek();
        self.place += 1;
        word
    }

    fn takes(&mut self, sign: &str) -> bool {
        let there = self.peek() == Word::Sign(sign);
        self.place += usize::from(there);
        there
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.takes(sign) {
            Ok(())
        } else {
            Err(format!("'{sign}' is missing before {:?}", self.peek()))
        }
    }

    fn name(&mut self) -> Result<&'a str, String> {
        match self.next() {
            Word::Name(name) => Ok(name),
            word => Err(format!("a name is missing before {word:?}")),
        }
    }

    fn variable(&mut self, name: &'a str) -> usize {
        let next = self.names.len();
        *self.names.entry(name).or_insert(next)
    }

    fn function(&mut self) -> Result<Function, String> {
        self.names.clear();
        if self.name()? != "fn" {
            return Err("a function begins with fn".to_owned());
        }
        let name = self.name()?.to_owned();
        self.expect("(")?;
        while !self.takes(")") {
            let name = self.name()?;
            self.variable(name);
            self.takes(",");
        }
        let parameters = self.names.len();
        self.expect("{")?;
        let mut body = Vec::new();
        while self.peek() != Word::Name("return") {
            body.push(self.statement()?);
        }
        self.next();
        let result = self.expression(0)?;
        self.expect(";")?;
        self.expect("}")?;
        Ok(Function { name, parameters, variables: self.names.len(), body, result })
    }

    fn statement(&mut self) -> Result<Statement, String> {
        match self.name()? {
            "while" => {
                let condition = self.operand()?;
                Ok(Statement::While(condition, self.block()?))
            }
            "if" => {
                let condition = self.operand()?;
                let then = self.block()?;
                let has_else = self.peek() == Word::Name("else");
                self.place += usize::from(has_else);
                let otherwise = if has_else { self.block()? } else { Vec::new() };
                Ok(Statement::If(condition, then, otherwise))
            }
            name => {
                self.expect("=")?;
                let expression = self.expression(0)?;
                self.expect(";")?;
                Ok(Statement::Assign(self.variable(name), expression))
            }
        }
    }

    fn block(&mut self) -> Result<Vec<Statement>, String> {
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.takes("}") {
            statements.push(self.statement()?);
        }
        Ok(statements)
    }

    /// An expression of operations that bind at least as tightly as `least`.
    fn expression(&mut self, least: u8) -> Result<Expression, String> {
        let mut left = self.operand()?;
        while let Word::Sign(sign) = self.peek() {
            // There is no greater: it is less, the other way round.
            let turned = sign == ">";
            let sign = if turned { "<" } else { sign };
            let known = OPERATIONS.iter().find(|(_, known, _)| *known == sign);
            let Some((operation, _, strength)) =
                known.filter(|(_, _, strength)| *strength >= least)
            else {
                break;
            };
            self.next();
            let right = self.expression(strength + 1)?;
            let (a, b) = if turned { (right, left) } else { (left, right) };
            left = Expression::Binary(*operation, Box::new(a), Box::new(b));
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expression, String> {
        match self.next() {
            Word::Number(number) => Ok(Expression::Number(number)),
            Word::Name(name) => Ok(Expression::Variable(self.variable(name))),
            Word::Sign("(") => {
                let inner = self.expression(0)?;
                self.expect(")")?;
                Ok(inner)
            }
            word => Err(format!("an operand is missing before {word:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_bind_as_listed() {
        let program = parse("fn f(a) { return 1 + 2 * 3 << a & 7 > 0; } // end").unwrap();
        let shown = format!("{:?}", program[0].result);
        let expected = "Binary(Less, Number(0), Binary(And, Binary(ShiftLeft, Binary(Add, Number(1), \
                        Binary(Multiply, Number(2), Number(3))), Variable(0)), Number(7)))";
        assert_eq!(shown, expected);
    }

    #[test]
    fn mistakes_are_told() {
        for text in [
            "f",
            "fn f( { }",
            "fn f(a) { a = ; return a; }",
            "fn f() { return 99999999999999999999; }",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
