//! From the profile as typed to the one that a plan holds.

use super::check::check_block;
use super::{Align, Line, Profile, SECTOR_BYTES};
use crate::spec::profile::{ResolvedLine, ResolvedProfile, SeriesProfile, UserWork};
use crate::words::fault::Fault;
use crate::words::units::Bytes;

impl Profile {
    /// The profile with nothing left open; `block` replaces the size of a profile that has one.
    ///
    /// # Errors
    /// When `block` is given for a profile that mixes sizes, or is not 1 byte to 1 GiB.
    pub fn resolve(&self, block: Option<Bytes>) -> Result<SeriesProfile, Fault> {
        if let Some(block) = block {
            self.check_replacement(block)?;
        }
        if let Some(users) = &self.users {
            return Ok(SeriesProfile::Users(UserWork {
                name: self.name.clone(),
                title: self.title.clone(),
                think: users.think,
                operations: users.operations.clone(),
            }));
        }
        let lines = self.lines.iter().map(|line| line.resolve(block.unwrap_or(line.size)));
        Ok(SeriesProfile::Storage(ResolvedProfile {
            name: self.name.clone(),
            title: self.title.clone(),
            lines: lines.collect(),
            range: self.range,
            distribution: self.distribution.clone(),
            data: self.data,
        }))
    }

    /// The same for a profile of I/Os.
    ///
    /// # Errors
    /// As [`Self::resolve`], and when the profile is the work of users.
    pub fn resolve_io(&self, block: Option<Bytes>) -> Result<ResolvedProfile, Fault> {
        match self.resolve(block)? {
            SeriesProfile::Storage(profile) => Ok(profile),
            SeriesProfile::Users(_) => {
                Err(Fault::new(format!("profile '{}' does no I/O", self.name))
                    .because("it is the work of users")
                    .fix("choose a profile of I/Os: `kneepoint catalog profiles`"))
            }
        }
    }

    /// Name of the series that the profile makes with `block`: `database/8KiB`; a profile that
    /// mixes sizes makes `iometer-file-server/mix`, and the work of users has its own name.
    pub fn series_name(&self, block: Option<Bytes>) -> String {
        match block.or_else(|| self.block()) {
            None if self.users.is_some() => self.name.clone(),
            Some(size) => format!("{}/{size}", self.name),
            None => format!("{}/mix", self.name),
        }
    }

    /// Refuses block sizes that can't take the place of the profile's own.
    fn check_replacement(&self, block: Bytes) -> Result<(), Fault> {
        if self.users.is_some() {
            return Err(Fault::new(format!("profile '{}' can't take a block size", self.name))
                .because("users work, and nothing is read or written in blocks")
                .fix("leave the block size out"));
        }
        if self.block().is_none() {
            return Err(Fault::new(format!("profile '{}' can't take a block size", self.name))
                .because("its lines mix block sizes")
                .fix("leave the block size out, or choose a profile that has one size"));
        }
        check_block(block).map(|_| ())
    }
}

impl Line {
    /// The line with blocks of `size`.
    fn resolve(&self, size: Bytes) -> ResolvedLine {
        ResolvedLine {
            share: self.share,
            block_bytes: size.0,
            read: self.read,
            random: self.random,
            burst: self.burst,
            delay: self.delay,
            align_bytes: match self.align {
                Align::Request => size.0,
                Align::Sector => SECTOR_BYTES,
                Align::Size(bytes) => bytes.0,
            },
        }
    }
}
