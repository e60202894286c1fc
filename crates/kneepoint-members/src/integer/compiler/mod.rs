//! Work as a compiler does it: a small language from its text to optimised bytecode, which is run.

mod allocate;
mod emit;
mod lower;
mod machine;
mod source;
mod ssa;
mod syntax;

use crate::member::{Class, Member, Scale};
use crate::output::Output;
use crate::random::Random;
use emit::Code;
use syntax::Function;

pub(crate) const MEMBER: Member = Member {
    name: "compiler",
    class: Class::Integer,
    title: "Compilation",
    work: "compiles generated programs of a small language: words, syntax, SSA form with folding and \
           numbering of values, removal of dead code, registers by linear scan, bytecode; and runs them",
    unit: "a program of 500 functions",
    run,
};

fn run(scale: Scale) -> Output {
    let (programs, functions) = scale.choose((150, 500), (5, 500), (1, 12));
    let mut output = Output::default();
    let mut random = Random::new(0x5eed_0006);
    for _ in 0..programs {
        let text = source::program(functions, &mut random);
        match syntax::parse(&text) {
            Ok(program) => {
                output.count("source bytes", text.len() as u64);
                compile_all(&program, &mut output);
            }
            Err(error) => output.text("error", &error),
        }
    }
    output
}

fn compile_all(program: &[Function], output: &mut Output) {
    let mut bytes = Vec::new();
    let (mut spilled, mut results) = (0, 0_i64);
    for (number, function) in (1..).zip(program) {
        let code = compile(function);
        spilled += code.slots as u64;
        let arguments: Vec<i64> =
            (0..function.parameters as i64).map(|n| n * 77 - number).collect();
        results = results.rotate_left(1) ^ machine::run(&code, &arguments);
        bytes.extend_from_slice(function.name.as_bytes());
        bytes.extend_from_slice(&code.bytes);
    }
    output.content("names and bytecode", &bytes);
    output.count("spilled", spilled);
    output.count("results", results);
}

/// Compiles a function.
fn compile(function: &Function) -> Code {
    let graph = ssa::build(function);
    let listing = lower::lower(&graph);
    let places = allocate::allocate(&listing);
    emit::emit(&listing, &places)
}

#[cfg(test)]
mod tests {
    use super::syntax::{Expression, Statement};
    use super::*;

    /// Goes through the syntax as it is written: what compiled code must agree with.
    fn interpreted(function: &Function, arguments: &[i64]) -> i64 {
        let mut variables = vec![0; function.variables];
        variables[..arguments.len()].copy_from_slice(arguments);
        execute(&function.body, &mut variables);
        value(&function.result, &variables)
    }

    fn execute(body: &[Statement], variables: &mut [i64]) {
        for statement in body {
            match statement {
                Statement::Assign(variable, expression) => {
                    variables[*variable] = value(expression, variables);
                }
                Statement::While(condition, body) => {
                    while value(condition, variables) != 0 {
                        execute(body, variables);
                    }
                }
                Statement::If(condition, then, otherwise) => {
                    let taken = if value(condition, variables) != 0 { then } else { otherwise };
                    execute(taken, variables);
                }
            }
        }
    }

    fn value(expression: &Expression, variables: &[i64]) -> i64 {
        match expression {
            Expression::Number(number) => *number,
            Expression::Variable(variable) => variables[*variable],
            Expression::Binary(operation, a, b) => {
                operation.apply(value(a, variables), value(b, variables))
            }
        }
    }

    fn check(text: &str, arguments: &[i64]) -> i64 {
        let program = syntax::parse(text).unwrap();
        let expected = interpreted(&program[0], arguments);
        assert_eq!(machine::run(&compile(&program[0]), arguments), expected, "{text}");
        expected
    }

    #[test]
    fn known_functions_give_known_values() {
        let sum = "fn sum(n) { s = 0; while (n > 0) { s = s + n; n = n - 1; } return s; }";
        assert_eq!(check(sum, &[100]), 5050);
        // The variables change places in each turn.
        let fibonacci = "fn f(n) { a = 0; b = 1; \
                         while (n > 0) { t = a + b; a = b; b = t; n = n - 1; } return a; }";
        assert_eq!(check(fibonacci, &[50]), 12_586_269_025);
        let gcd =
            "fn gcd(a, b) { while (b != 0) { t = a - (a / b) * b; a = b; b = t; } return a; }";
        assert_eq!(check(gcd, &[1071, 462]), 21);
        let swap = "fn s(a, b, n) { while (n > 0) { t = a; a = b; b = t; n = n - 1; } return a * 10 + b; }";
        assert_eq!(check(swap, &[1, 2, 3]), 21);
        assert_eq!(
            check("fn c(x) { if (2 < 1) { x = 5; } else { x = x << 3; } return x; }", &[3]),
            24
        );
    }

    #[test]
    fn compiled_programs_do_what_is_written() {
        let mut random = Random::new(17);
        let mut spilled = 0;
        for round in 0..4 {
            let text = source::program(12, &mut random);
            for function in syntax::parse(&text).unwrap() {
                let code = compile(&function);
                spilled += code.slots;
                for argument in [0, 1, -5, i64::MAX, 1 << round] {
                    let arguments: Vec<i64> = (0..function.parameters as i64)
                        .map(|n| argument.wrapping_mul(n + 1))
                        .collect();
                    let expected = interpreted(&function, &arguments);
                    assert_eq!(machine::run(&code, &arguments), expected, "{}", function.name);
                }
            }
        }
        assert!(spilled > 0, "no function needed more values than there are registers");
    }

    #[test]
    fn constants_are_folded() {
        let program =
            syntax::parse("fn c() { x = 6 * 7; if (x == 42) { x = x + 0; } return x * 1; }");
        let code = compile(&program.unwrap()[0]);
        // The constant into a register, and back to the caller.
        assert_eq!(code.bytes.len(), 10 + 2);
        assert_eq!(machine::run(&code, &[]), 42);
    }
}
