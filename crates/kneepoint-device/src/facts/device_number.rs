//! The number by which the kernel knows a device.

use std::fmt;
use std::str::FromStr;

use kneepoint_core::words::fault::Fault;

/// Major and minor number of a device, printed as sysfs does: `8:16`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceNumber {
    /// The driver's number; 0 for file systems without a block device of their own.
    pub major: u32,
    /// The device's number with that driver.
    pub minor: u32,
}

impl DeviceNumber {
    /// Splits the number as `stat` returns it.
    pub fn from_raw(raw: u64) -> Self {
        Self { major: rustix::fs::major(raw), minor: rustix::fs::minor(raw) }
    }

    /// Whether the number stands for no block device: btrfs, overlayfs, network file systems.
    pub const fn is_anonymous(self) -> bool {
        self.major == 0
    }
}

impl fmt::Display for DeviceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}

impl FromStr for DeviceNumber {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        text.split_once(':')
            .and_then(|(major, minor)| {
                Some(Self { major: major.parse().ok()?, minor: minor.parse().ok()? })
            })
            .ok_or_else(|| Fault::new(format!("'{text}' is not a device number")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_and_print_alike() {
        let number: DeviceNumber = "259:3".parse().unwrap();
        assert_eq!((number.major, number.minor), (259, 3));
        assert_eq!(number.to_string(), "259:3");
        assert!("259".parse::<DeviceNumber>().is_err());
        assert!("0:43".parse::<DeviceNumber>().unwrap().is_anonymous());
    }
}
