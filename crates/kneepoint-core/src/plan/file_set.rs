//! The files that are copied: names, tree and sizes, all drawn from the plan's seed.

use rand_core::Rng as _;

use crate::spec::file_copy::FileSetPlan;
use crate::words::seed::{self, Rng};

/// The largest file of a set is up to two to this power as large as the smallest.
const SPREAD_POWERS: u64 = 12;
/// Steps between two powers of two.
const STEPS: u64 = 1024;

/// Directories and files, with paths relative to the root of the set.
///
/// How it is drawn, so that anybody can draw it again (generators and derived seeds are those of
/// [`seed`]; a number below n is the next 64 bits modulo n):
///
/// 1. Directory i of n (`d00`, `d01`, ...) is in the root or in an earlier directory, each of
///    the i + 1 equally likely. The root is not counted.
/// 2. File i is in directory i while there is one, so none is empty if there are enough files;
///    every further file is in any directory, each equally likely.
/// 3. The weight of a file is 2^k (1024 + f): k below 12, f below 1024, each equally likely. So
///    every doubling of the size holds as many files as any other, over a range of 1 to 4096.
/// 4. Every file has one byte; the others go to the files in proportion to their weights, by
///    rounding down the running sum. The sizes so add up to exactly the bytes of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSet {
    /// Relative paths, every directory after the one that it is in.
    pub directories: Vec<String>,
    /// The files.
    pub files: Vec<SetFile>,
}

/// One file of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetFile {
    /// Relative path.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Its content: what a generator of this seed gives.
    pub seed: u64,
}

impl FileSet {
    /// The set of `plan` that `seed` draws.
    pub fn new(plan: &FileSetPlan, seed: u64) -> Self {
        let directories = directories(plan.directories.max(1), seed);
        let mut places = seed::rng(seed::derive(seed, "file-copy places", 0));
        let sizes = sizes(plan, seed);
        let digits = digits(plan.files);
        let files = (0..plan.files).zip(sizes).map(|(index, bytes)| {
            let place = match directories.get(index as usize) {
                Some(_) => index as usize,
                None => below(&mut places, directories.len() as u64) as usize,
            };
            SetFile {
                path: format!("{}/f{index:0digits$}.dat", directories[place]),
                bytes,
                seed: seed::derive(seed, "file-copy content", u64::from(index)),
            }
        });
        let files = files.collect();
        Self { directories, files }
    }

    /// Bytes of all files together.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// The paths of the directories.
fn directories(count: u32, seed: u64) -> Vec<String> {
    let mut rng = seed::rng(seed::derive(seed, "file-copy tree", 0));
    let digits = digits(count);
    let mut paths: Vec<String> = Vec::with_capacity(count as usize);
    for index in 0..count {
        let name = format!("d{index:0digits$}");
        let parent = below(&mut rng, u64::from(index) + 1);
        paths.push(match parent.checked_sub(1) {
            None => name,
            Some(parent) => format!("{}/{name}", paths[parent as usize]),
        });
    }
    paths
}

/// The sizes of the files, whose sum is the plan's.
fn sizes(plan: &FileSetPlan, seed: u64) -> Vec<u64> {
    let mut rng = seed::rng(seed::derive(seed, "file-copy sizes", 0));
    let weight = |rng: &mut Rng| (STEPS + below(rng, STEPS)) << below(rng, SPREAD_POWERS);
    let weights: Vec<u64> = (0..plan.files).map(|_| weight(&mut rng)).collect();
    let total: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
    let shared = u128::from(plan.bytes.saturating_sub(u64::from(plan.files)));
    let (mut sum, mut given) = (0_u128, 0_u128);
    let mut share = |weight: u64| {
        sum += u128::from(weight);
        let until = shared * sum / total;
        let bytes = until - given;
        given = until;
        1 + bytes as u64
    };
    weights.into_iter().map(&mut share).collect()
}

/// A number below `end`, which is far below 2^64.
fn below(rng: &mut Rng, end: u64) -> u64 {
    rng.next_u64() % end
}

/// Digits of the largest index of `count` things, at least two.
fn digits(count: u32) -> usize {
    count.saturating_sub(1).to_string().len().max(2)
}
