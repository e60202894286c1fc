//! The storage performance lab, as a program.

use std::process::ExitCode;

fn main() -> ExitCode {
    kneepoint::main()
}
