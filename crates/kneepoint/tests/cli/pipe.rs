//! A reader that has seen enough.

use std::io::pipe;

use crate::program::Bench;

#[test]
fn a_closed_pipe_is_success() {
    let bench = Bench::new();
    for arguments in
        [&["catalog"][..], &["catalog", "database"], &["plan", "storagebench", "null:"]]
    {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let status = bench.command(arguments).stdout(writer).status().unwrap();
        assert_eq!(status.code(), Some(0), "{arguments:?}");
    }
}
