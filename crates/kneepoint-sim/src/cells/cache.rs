//! The caches as a row calls them.

use super::words::{is_unsaid, squash, take};

/// A cache that a row speaks of, or does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Caches {
    /// The controller's write cache.
    pub(super) write: Option<Switch>,
    /// A second copy of the write cache in the other controller.
    pub(super) mirror: Option<Switch>,
    /// The drives' own write caches.
    pub(super) disk: Option<Switch>,
    /// Read-ahead of the controller.
    pub(super) read_ahead: Option<Switch>,
}

/// The state of a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Switch {
    /// In use.
    On,
    /// Switched off.
    Off,
}

impl Switch {
    /// The value of a target's parameter.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
        }
    }
}

/// Spellings of one cache: those that switch it off are looked for first.
struct Spelling {
    off: &'static [&'static str],
    on: &'static [&'static str],
}

const MIRROR: Spelling = Spelling {
    off: &[
        "nocachemirroring",
        "nomirroring",
        "nomirror",
        "withoutcachemirroring",
        "withoutmirroring",
        "cachemirroringoff",
        "cachemirroringdisabled",
        "mirroringoff",
        "mirroringdisabled",
        "mirroroff",
        "unmirrored",
    ],
    on: &[
        "withcachemirroring",
        "withmirroring",
        "cachemirroringon",
        "cachemirroringenabled",
        "mirroringon",
        "mirroringenabled",
        "mirroron",
        "cachemirroring",
        "mirroring",
        "mirrored",
    ],
};

const DISK: Spelling = Spelling {
    off: &[
        "diskcacheoff",
        "diskcachedisabled",
        "drivecacheoff",
        "withoutdiskcache",
        "nodiskcache",
        "dcoff",
    ],
    on: &["diskcacheon", "diskcacheenabled", "drivecacheon", "withdiskcache", "diskcache", "dcon"],
};

const READ_AHEAD: Spelling = Spelling {
    off: &["noreadahead", "readaheadoff", "readaheaddisabled", "readcacheoff", "readcachedisabled"],
    on: &[
        "adaptivereadahead",
        "readaheadon",
        "readaheadenabled",
        "readahead",
        "readcacheon",
        "readcacheenabled",
    ],
};

const WRITE: Spelling = Spelling {
    off: &[
        "writecacheoff",
        "writecachedisabled",
        "writecachesoff",
        "writecachesdisabled",
        "writethrough",
        "nowritecache",
        "withoutwritecache",
        "wcoff",
        "wcdisabled",
        "wcd",
        "wt",
    ],
    on: &[
        "writecacheon",
        "writecacheenabled",
        "writecacheson",
        "writecachesenabled",
        "writeback",
        "withwritecache",
        "writecache",
        "wcon",
        "wcenabled",
        "wce",
        "wb",
    ],
};

/// Every cache at once.
const ALL: Spelling = Spelling {
    off: &[
        "allcachesdisabled",
        "allcachesoff",
        "allcacheoff",
        "allcachedisabled",
        "alloff",
        "alldisabled",
        "cachesoff",
        "cachesdisabled",
        "cacheoff",
        "cachedisabled",
        "nocaches",
        "nocache",
        "disabled",
        "none",
        "off",
    ],
    on: &[
        "allcachesenabled",
        "allcacheson",
        "allcacheon",
        "allcacheenabled",
        "allon",
        "allenabled",
        "cacheson",
        "cachesenabled",
        "cacheon",
        "cacheenabled",
        "enabled",
        "on",
    ],
};

impl Spelling {
    fn take_from(&self, text: &mut String) -> Option<Switch> {
        if take(text, self.off) {
            return Some(Switch::Off);
        }
        take(text, self.on).then_some(Switch::On)
    }
}

impl Caches {
    /// The caches of `text`: `all_off`, `write_cache_on`, `Write Cache Enabled, no mirroring`.
    ///
    /// # Errors
    /// A sentence's end that says what was not understood.
    pub(super) fn of(text: &str) -> Result<Self, String> {
        if is_unsaid(text) || squash(text) == "default" {
            return Ok(Self::default());
        }
        let mut rest = squash(text);
        let mut caches = Self {
            mirror: MIRROR.take_from(&mut rest),
            disk: DISK.take_from(&mut rest),
            read_ahead: READ_AHEAD.take_from(&mut rest),
            write: WRITE.take_from(&mut rest),
        };
        let is_told = caches != Self::default();
        let all = if is_told { None } else { ALL.take_from(&mut rest) };
        if let Some(all) = all {
            caches.write = Some(all);
        } else if !is_told {
            return Err(format!("the cache setting '{text}' is not understood"));
        }
        Ok(caches)
    }

    /// Whether a remark speaks of mirrored caches.
    pub(super) fn mirror_of(remark: &str) -> Option<Switch> {
        MIRROR.take_from(&mut squash(remark))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Switch::{Off, On};

    #[test]
    fn write_caches_are_understood_however_they_are_written() {
        let write = |text: &str| Caches::of(text).unwrap().write;
        for text in [
            "write_cache_on",
            "Write Cache Enabled",
            "write-back",
            "wc_on",
            "all_on",
            "caches_on",
            "WB",
            "on",
            "write_cache_on_no_mirroring",
        ] {
            assert_eq!(write(text), Some(On), "{text}");
        }
        for text in [
            "all_off",
            "All Caches Disabled",
            "caches_off",
            "write_through",
            "wc_off",
            "none",
            "WT",
        ] {
            assert_eq!(write(text), Some(Off), "{text}");
        }
    }

    #[test]
    fn the_other_caches_are_told_apart() {
        let disk = Caches::of("disk_cache_on_inferred").unwrap();
        assert_eq!((disk.disk, disk.write), (Some(On), None));
        let mirrored = Caches::of("write cache on, cache mirroring on").unwrap();
        assert_eq!((mirrored.write, mirrored.mirror), (Some(On), Some(On)));
        let plain = Caches::of("write_cache_on_mirroring_off").unwrap();
        assert_eq!((plain.write, plain.mirror), (Some(On), Some(Off)));
        let both = Caches::of("WB, disk cache off").unwrap();
        assert_eq!((both.write, both.disk), (Some(On), Some(Off)));
        assert_eq!(Caches::of("adaptive read-ahead").unwrap().read_ahead, Some(On));
        for text in ["", "n/a", "default", "not stated"] {
            assert_eq!(Caches::of(text).unwrap(), Caches::default(), "{text}");
        }
        assert!(Caches::of("lukewarm").unwrap_err().contains("lukewarm"));
    }
}
