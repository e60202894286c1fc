//! How the program was compiled.

use serde::Serialize;

/// The settings of one of the workspace's profiles; a test compares them with `Cargo.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Flags {
    /// `opt-level`.
    pub opt_level: &'static str,
    /// `lto`, if the profile is known.
    pub lto: Option<&'static str>,
    /// `codegen-units`, if the profile is known.
    pub codegen_units: Option<u32>,
    /// `RUSTFLAGS`.
    pub rustflags: &'static str,
    /// `CFLAGS`, for the database.
    pub cflags: &'static str,
}

/// What `kneepoint-members about` prints.
#[derive(Debug, Clone, Serialize)]
pub struct About {
    /// Name of the program.
    pub program: &'static str,
    /// Version.
    pub version: &'static str,
    /// The set of flags: the profile by which it was compiled (`base`, `peak`, or another of cargo's).
    pub profile: &'static str,
    /// Its settings.
    pub flags: Flags,
    /// The compiler with its version.
    pub compiler: &'static str,
    /// The platform.
    pub target: &'static str,
    /// The processor that code was generated for; `default` is that of the platform (x86-64: without AVX).
    pub target_cpu: &'static str,
    /// What that processor has, as the compiler calls it.
    pub target_features: Vec<&'static str>,
}

/// Profiles of which more is known than cargo tells: name, `lto`, `codegen-units`.
pub const PROFILES: [(&str, &str, u32); 2] = [("base", "off", 16), ("peak", "fat", 1)];

/// How this program was compiled.
pub fn about() -> About {
    let profile = env!("KNEEPOINT_MEMBERS_PROFILE");
    let known = PROFILES.iter().find(|(name, _, _)| *name == profile);
    let features = env!("KNEEPOINT_MEMBERS_FEATURES").split(',');
    About {
        program: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        profile,
        flags: Flags {
            opt_level: env!("KNEEPOINT_MEMBERS_OPT_LEVEL"),
            lto: known.map(|(_, lto, _)| *lto),
            codegen_units: known.map(|(_, _, units)| *units),
            rustflags: env!("KNEEPOINT_MEMBERS_RUSTFLAGS"),
            cflags: env!("KNEEPOINT_MEMBERS_CFLAGS"),
        },
        compiler: env!("KNEEPOINT_MEMBERS_COMPILER"),
        target: env!("KNEEPOINT_MEMBERS_TARGET"),
        target_cpu: env!("KNEEPOINT_MEMBERS_TARGET_CPU"),
        target_features: features.filter(|name| !name.is_empty()).collect(),
    }
}
