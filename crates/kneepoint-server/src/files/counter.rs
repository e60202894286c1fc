//! Where a thread does operations on files.

use kneepoint_core::load::files::{FileCalls, ThreadFiles};
use kneepoint_core::spec::profile::FileOperation;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed::Rng;

use crate::clerk::Counter;

/// The files of a thread, and what does operations on them.
pub(crate) struct FileCounter {
    pub(super) own: ThreadFiles,
    pub(super) calls: Box<dyn FileCalls>,
}

impl Counter for FileCounter {
    type Kind = FileOperation;
    const CLERK: &'static str = "outstanding operation";
    const FEWER: &'static str =
        "use fewer --outstanding, or raise the limit of processes (ulimit -u)";

    fn turn(&self, drawn: FileOperation) -> FileOperation {
        self.own.turn(drawn)
    }

    fn transact(&mut self, kind: FileOperation, (_, rng): (u32, &mut Rng)) -> Result<u32, Fault> {
        self.own.act(kind, (&mut *self.calls, rng)).map(|()| 0)
    }
}
