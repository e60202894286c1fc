//! The end of an experiment before its time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// A request to end.
#[derive(Debug)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Listens from now on.
    pub(crate) fn listen() -> anyhow::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            flag::register(signal, Arc::clone(&asked)).context("listening for signals")?;
        }
        Ok(Self(asked))
    }

    /// Fails once a signal came.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        anyhow::ensure!(!self.0.load(Ordering::Relaxed), "interrupted; the targets are removed");
        Ok(())
    }
}
