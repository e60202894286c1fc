//! A profile in one line.

use super::{Line, Profile, TypedUsers, UserOperation};
use crate::spec::profile::{AddressRange, Distribution};
use crate::words::units::{Bytes, KIB, MIB, Nanos};

impl Profile {
    /// The profile in one line: `8 KiB, 67 % read, 100 % random`.
    ///
    /// Shares are means over the lines; for a mix of sizes the smallest, the largest and the mean
    /// size are given. What departs from the defaults is named behind.
    pub fn summary(&self) -> String {
        if let Some(users) = &self.users {
            return of_users(users);
        }
        let mut parts = vec![self.sizes(), format!("{} read", percent(self.mean(reads)))];
        parts.push(match self.mean(randoms) {
            0.0 => "sequential".to_owned(),
            random => format!("{} random", percent(random)),
        });
        parts.extend(self.place());
        if self.lines.iter().any(|line| line.delay > Nanos::ZERO) {
            parts.push("with pauses".to_owned());
        }
        parts.join(", ")
    }

    /// The block size, or the sizes of a mix.
    fn sizes(&self) -> String {
        if let Some(size) = self.block() {
            return bytes(size.0 as f64);
        }
        let sizes = || self.lines.iter().map(|line| line.size);
        let end = |size: Option<Bytes>| bytes(size.map_or(0.0, |size| size.0 as f64));
        let mean = bytes(self.mean(|line| line.size.0 as f64));
        format!("{} to {} (mean {mean})", end(sizes().min()), end(sizes().max()))
    }

    /// Where on the target I/O falls, as far as it isn't everywhere alike.
    fn place(&self) -> Vec<String> {
        let AddressRange { start, end } = self.range;
        let range = match self.range {
            AddressRange::WHOLE => None,
            _ => Some(format!("from {} to {}", percent(start.get()), percent(end.get()))),
        };
        let distribution = match &self.distribution {
            Distribution::Uniform => None,
            Distribution::HotBand(bands) => Some(format!("in {} bands", bands.len())),
            Distribution::Zipf { theta } => Some(format!("zipf {theta}")),
        };
        range.into_iter().chain(distribution).collect()
    }

    /// Mean of `value` over the lines, weighted by share.
    fn mean(&self, value: impl Fn(&Line) -> f64) -> f64 {
        self.lines.iter().map(|line| line.share.fraction() * value(line)).sum()
    }
}

/// The work of users: `users pause 250ms; keystroke 95 %, open 5 %`.
fn of_users(users: &TypedUsers) -> String {
    let operation = |operation: &UserOperation| {
        format!("{} {}", operation.class, percent(operation.share.get()))
    };
    let operations: Vec<String> = users.operations.iter().map(operation).collect();
    format!("users pause {}; {}", users.think, operations.join(", "))
}

/// Share of reads in percent.
fn reads(line: &Line) -> f64 {
    line.read.get()
}

/// Share of random I/Os in percent.
fn randoms(line: &Line) -> f64 {
    line.random.get()
}

/// A percentage with at most two decimals: `67 %`, `66.67 %`.
fn percent(percent: f64) -> String {
    format!("{} %", two_decimals(percent))
}

/// A size with at most two decimals: `512 B`, `11.08 KiB`.
fn bytes(bytes: f64) -> String {
    match bytes {
        bytes if bytes >= MIB as f64 => format!("{} MiB", two_decimals(bytes / MIB as f64)),
        bytes if bytes >= KIB as f64 => format!("{} KiB", two_decimals(bytes / KIB as f64)),
        bytes => format!("{} B", two_decimals(bytes)),
    }
}

/// Rounded to at most two decimals.
fn two_decimals(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
