//! The storage performance lab, as a program.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    kneepoint::main()
}
