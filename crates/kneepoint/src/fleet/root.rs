//! Whether an agent may run as root.

use kneepoint_core::words::fault::Fault;

/// Whether the user lets an agent run as root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum RootConsent {
    /// It is refused.
    #[default]
    None,
    /// The user has said so.
    Given,
}

/// The option that gives it.
pub(crate) const ALLOW_ROOT: &str = "--allow-root";

impl RootConsent {
    /// That of an option which was typed, or was not.
    pub(crate) const fn of_option(typed: bool) -> Self {
        match typed {
            true => Self::Given,
            false => Self::None,
        }
    }

    /// Refuses to serve others as root without it.
    ///
    /// # Errors
    /// When this process runs as root, and the user has not said that it may.
    pub(crate) fn check(self) -> Result<(), Fault> {
        if self == Self::Given || !rustix::process::geteuid().is_root() {
            return Ok(());
        }
        Err(Fault::new("an agent does not run as root without being told to")
            .because("whoever may read and write the targets can measure them, and can do less harm")
            .fix(format!(
                "start it as a user that may use the targets (for disks: group disk), or say {ALLOW_ROOT}"
            )))
    }
}
