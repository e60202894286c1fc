//! Settings of a simulated system: words with a closed set of values.

use std::fmt;
use std::str::FromStr;

use kneepoint_core::words::fault::Fault;
use serde::Deserialize;

macro_rules! setting {
    ($(
        $(#[$doc:meta])*
        $name:ident $what:literal { $($(#[$variant_doc:meta])* $variant:ident $word:literal,)* }
    )*) => {$(
        kneepoint_core::named! {
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
            #[serde(try_from = "String")]
            pub enum $name { $($(#[$variant_doc])* $variant = $word,)* }
        }

        impl FromStr for $name {
            type Err = Fault;

            fn from_str(text: &str) -> Result<Self, Fault> {
                Self::ALL.into_iter().find(|value| value.name() == text).ok_or_else(|| {
                    let words = Self::ALL.map(Self::name);
                    Fault::new(format!("'{text}' is no {}", $what))
                        .fix(format!("use one of: {}", words.join(", ")))
                })
            }
        }

        impl TryFrom<String> for $name {
            type Error = Fault;

            fn try_from(text: String) -> Result<Self, Fault> {
                text.parse()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    )*};
}

setting! {
    /// How the drives of an array hold its data.
    RaidLevel "RAID level" {
        /// One drive after the other; with one drive, that drive.
        #[default]
        Jbod "jbod",
        /// Striped.
        Raid0 "raid0",
        /// Mirrored pairs without striping over more than one pair.
        Raid1 "raid1",
        /// Striped with every strip mirrored on the next drive.
        Raid1E "raid1e",
        /// Striped with rotating parity.
        Raid5 "raid5",
        /// Striped with two rotating parities.
        Raid6 "raid6",
        /// Striped over mirrored pairs.
        Raid10 "raid10",
        /// Striped over RAID-5 groups.
        Raid50 "raid50",
        /// Striped over RAID-6 groups.
        Raid60 "raid60",
    }

    /// The controller's handling of writes.
    WriteCache "write cache setting" {
        /// Write-through: acknowledged when the disks have it.
        #[default]
        Off "off",
        /// Write-back: acknowledged when the cache has it.
        On "on",
        /// Write-back with a copy in the partner's cache.
        Mirrored "mirrored",
    }

    /// Reading ahead by the controller.
    ReadAhead "read-ahead setting" {
        /// Nothing.
        #[default]
        Off "off",
        /// On after every read.
        On "on",
        /// On after reads that follow each other.
        Adaptive "adaptive",
    }

    /// The path of reads: through the controller's cache or past it.
    IoPolicy "I/O policy" {
        /// Past it.
        #[default]
        Direct "direct",
        /// Through it: a block that was read is found there for a while.
        Cached "cached",
    }

    /// The write cache of the drives.
    DiskCache "disk cache setting" {
        /// Written data is acknowledged when it is on the medium.
        #[default]
        Off "off",
        /// Written data is acknowledged when it is in the drive's buffer.
        On "on",
    }

    /// The operating system that issues the I/O.
    Host "host" {
        /// Offsets begin where the array begins.
        #[default]
        Windows "windows",
        /// Offsets begin in a partition of the older kind (sector 63).
        Linux "linux",
    }

    /// The condition of the arrays.
    Condition "condition" {
        /// All drives work.
        #[default]
        Optimal "optimal",
        /// The first drive of every array has failed.
        Degraded "degraded",
        /// It is being rebuilt onto a new one.
        Rebuilding "rebuilding",
    }

    /// The medium that stores the data.
    DriveKind "kind of drive" {
        /// A hard disk.
        #[default]
        Disk "disk",
        /// A solid-state drive.
        Flash "flash",
    }

    /// The state of a solid-state drive's cells.
    FlashState "state of a solid-state drive" {
        /// Written over and over: garbage is collected.
        #[default]
        Steady "steady",
        /// Erased: no garbage yet.
        Fresh "fresh",
    }

    /// The calibration of a system's parameters: whether they were fitted to measurements.
    Calibration "state of calibration" {
        /// Fitted to published measurements of that system.
        #[default]
        Calibrated "calibrated",
        /// Estimated from data sheets and similar parts.
        Uncalibrated "uncalibrated",
    }

    /// Where a parameter's value comes from.
    Source "source of a value" {
        /// The maker's data sheet.
        #[default]
        DataSheet "data sheet",
        /// The report with the measurements.
        Paper "paper",
        /// Fitted to measurements.
        Fitted "fitted",
        /// Concluded from something else.
        Inferred "inferred",
    }
}
