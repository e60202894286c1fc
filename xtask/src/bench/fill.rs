//! Incompressible data.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Bytes written at a time.
const CHUNK_BYTES: usize = 1 << 20;

/// Fills a device that this process created.
pub(super) fn device(node: &Path, bytes: u64) -> anyhow::Result<()> {
    let file = OpenOptions::new().write(true).open(node);
    let filled = file.and_then(|file| fill(file, bytes));
    filled.with_context(|| format!("filling {}", node.display()))
}

/// Makes a file with data; one that exists stays as it is, and that is an error.
pub(super) fn new_file(path: &Path, bytes: u64) -> anyhow::Result<()> {
    let filled = File::create_new(path).and_then(|file| fill(file, bytes));
    filled.with_context(|| format!("filling {}", path.display()))
}

fn fill(mut file: File, bytes: u64) -> std::io::Result<()> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut left = bytes;
    while left > 0 {
        random.fill_bytes(&mut chunk);
        let part = chunk.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        file.write_all(&chunk[..part])?;
        left -= part as u64;
    }
    file.sync_all()
}
