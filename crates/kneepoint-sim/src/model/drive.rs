//! A drive of either kind, as the engine sees it.

use super::disk::{Class, Command, Disk, DiskModel, Service};
use super::engine::Piece;
use super::flash::{Flash, FlashModel, Span, Wear};
use crate::system::System;
use crate::system::setting::DriveKind;

/// Properties that all drives of a system share.
#[derive(Debug, Clone)]
pub(super) enum DriveModel {
    Disk(Box<DiskModel>),
    Flash(Box<FlashModel>),
}

/// The state of one drive.
#[derive(Debug)]
pub(super) enum Drive {
    Disk(Box<Disk>),
    Flash(Box<Flash>),
}

/// A drive's answer to a new command.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Answer {
    /// When the command is acknowledged, where that is known already.
    pub(super) acknowledged_at: Option<u64>,
    /// When the drive is done with the command that it began now.
    pub(super) done_at: Option<u64>,
}

impl DriveModel {
    pub(super) fn new(system: &System) -> Self {
        match system.drive.kind {
            DriveKind::Disk => Self::Disk(Box::new(DiskModel::new(system))),
            DriveKind::Flash => Self::Flash(Box::new(FlashModel::new(system))),
        }
    }

    /// A drive at rest; `seed` decides over what was written to flash before.
    pub(super) fn drive(&self, seed: u64, wear: Wear) -> Drive {
        match self {
            Self::Disk(_) => Drive::Disk(Box::default()),
            Self::Flash(model) => Drive::Flash(Box::new(Flash::new(model, seed, wear))),
        }
    }
}

impl Drive {
    /// Takes the command of the disk operation `number`.
    #[inline]
    pub(super) fn accept(
        &mut self,
        model: &DriveModel,
        (number, piece): (u32, &Piece),
        now: u64,
    ) -> Answer {
        let Piece { start, bytes, class, bias_ns, .. } = *piece;
        match (self, model) {
            (Self::Disk(disk), DriveModel::Disk(model)) => {
                let mut command = model.command(start, bytes, class);
                command.piece = number;
                command.bias_ns = bias_ns;
                let acknowledged_at = disk.accept(model, command, now);
                Answer { acknowledged_at, done_at: disk.start(model, now) }
            }
            (Self::Flash(flash), DriveModel::Flash(model)) => {
                let span = Span { start, bytes };
                let at = match class {
                    Class::Read => flash.read(model, span, now),
                    Class::Write | Class::Cached => flash.write(model, span, now),
                };
                Answer { acknowledged_at: Some(at), done_at: None }
            }
            _ => Answer::default(),
        }
    }

    /// The current command of a disk, which ends now.
    #[inline]
    pub(super) fn finish(&mut self, now: u64) -> Option<(Command, Service)> {
        match self {
            Self::Disk(disk) => Some(disk.finish(now)),
            Self::Flash(_) => None,
        }
    }

    /// A write that waited for room in a disk's cache and has it now.
    pub(super) fn admit_waiting(&mut self, model: &DriveModel, now: u64) -> Option<(u32, u64)> {
        match (self, model) {
            (Self::Disk(disk), DriveModel::Disk(model)) => disk.admit_waiting(model, now),
            _ => None,
        }
    }

    /// Begins the next command of a disk.
    #[inline]
    pub(super) fn start(&mut self, model: &DriveModel, now: u64) -> Option<u64> {
        match (self, model) {
            (Self::Disk(disk), DriveModel::Disk(model)) => disk.start(model, now),
            _ => None,
        }
    }

    /// When the written data that the drive holds in its cache is on the medium, if that is known already: of
    /// a disk with such data it is not, and the disk hurries.
    pub(super) fn flush(&mut self, now: u64) -> Option<u64> {
        match self {
            Self::Disk(disk) => (!disk.hurries(now)).then_some(now),
            Self::Flash(flash) => Some(flash.programmed_at().max(now)),
        }
    }

    /// Whether a disk still has written data in its cache that it had at `moment`.
    pub(super) fn holds_from(&self, moment: u64) -> bool {
        match self {
            Self::Disk(disk) => disk.holds_from(moment),
            Self::Flash(_) => false,
        }
    }

    /// Counts a command of a solid-state drive as done.
    pub(super) fn acknowledged(&mut self) {
        if let Self::Flash(flash) = self {
            flash.finish();
        }
    }

    /// Commands that wait or are served.
    pub(super) fn load(&self) -> usize {
        match self {
            Self::Disk(disk) => disk.load(),
            Self::Flash(flash) => flash.load(),
        }
    }

    /// Time that the drive has worked until `now`, in ns.
    pub(super) fn busy_ns(&self, now: u64) -> u64 {
        match self {
            Self::Disk(disk) => disk.busy_ns(now),
            Self::Flash(flash) => flash.busy_ns(now),
        }
    }
}
