//! The user that this process acts as.
#![allow(unsafe_code)]

/// The effective user, to whom new files belong.
pub fn effective_user() -> u32 {
    // SAFETY: the call takes nothing and always succeeds (geteuid(2)).
    unsafe { libc::geteuid() }
}
