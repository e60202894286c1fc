//! What Kneepoint ships: the load profiles and suites of the published reports, by name.

use crate::spec::campaign::Campaign;
use crate::spec::document::did_you_mean;
use crate::spec::profile::Profile;
use crate::spec::suite::Suite;
use crate::words::fault::Fault;

/// A shipped file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// The name that it is looked up by; the same as inside the file.
    pub name: &'static str,
    /// Its path in the source tree: `profiles/database.toml`.
    pub path: &'static str,
    /// Its content: TOML with comments.
    pub text: &'static str,
}

/// The files `$folder/$name.toml` of the source tree, embedded.
macro_rules! shipped {
    ($folder:literal: $($name:literal)*) => {
        &[$(Shipped {
            name: $name,
            path: concat!($folder, "/", $name, ".toml"),
            text: include_str!(concat!("../../../../", $folder, "/", $name, ".toml")),
        }),*]
    };
}

/// Every shipped load profile: the standard profiles first, then those of applications, single
/// patterns and size mixes.
pub const PROFILES: &[Shipped] = shipped! {
    "profiles":
    "database" "file-server" "file-copy" "streaming" "restore"
    "web-server" "operating-system" "log" "log-durable" "backup" "video" "mail-server" "oltp"
    "random-read" "random-write" "stream-read" "stream-write"
    "single-stream-read" "single-stream-write"
    "iometer-file-server" "iometer-web-server" "iometer-default"
    "office" "medium-230" "light" "heavy" "writer-230" "business-operations" "metadata" "small-files"
};

/// Every shipped suite.
pub const SUITES: &[Shipped] = shipped! {
    "suites":
    "storagebench" "storagebench-2007" "storagebench-2010" "single-disk" "serveraid-m5025"
    "fastt900" "processor" "users" "interference"
    "snia-iops" "snia-throughput" "snia-throughput-1m" "snia-latency" "snia-wsat"
};

/// Every shipped campaign; on the command line they are suites of several parts.
pub const CAMPAIGNS: &[Shipped] = shipped! {
    "suites":
    "server"
};

/// The shipped profile called `name`.
///
/// # Errors
/// When there is none; the fault offers names that are near.
pub fn profile(name: &str) -> Result<Profile, Fault> {
    match find(PROFILES, name) {
        Some(shipped) => Profile::parse(shipped.text, shipped.path),
        None => Err(unknown("profile", name, &[PROFILES])),
    }
}

/// The shipped suite called `name`.
///
/// # Errors
/// When there is none; the fault offers names that are near.
pub fn suite(name: &str) -> Result<Suite, Fault> {
    match find(SUITES, name) {
        Some(shipped) => Suite::parse(shipped.text, shipped.path),
        None => Err(unknown("suite", name, &[SUITES])),
    }
}

/// The shipped campaign called `name`; `None` if there is none.
///
/// # Errors
/// When its file is wrong, which tests rule out.
pub fn campaign(name: &str) -> Result<Option<Campaign>, Fault> {
    find(CAMPAIGNS, name).map(|shipped| Campaign::parse(shipped.text, shipped.path)).transpose()
}

/// The shipped suite called `name`, or the shipped profile of that name as a suite of one series.
///
/// # Errors
/// When there is neither; the fault offers names of both kinds that are near.
pub fn work(name: &str) -> Result<Suite, Fault> {
    if find(SUITES, name).is_some() {
        return suite(name);
    }
    if let Some(campaign) = campaign(name)? {
        return Err(several_parts(&campaign));
    }
    match find(PROFILES, name) {
        Some(_) => profile(name).map(Suite::of_profile),
        None => Err(unknown("suite or profile", name, &[SUITES, CAMPAIGNS, PROFILES])),
    }
}

/// The fault for a campaign where one suite is wanted.
pub fn several_parts(campaign: &Campaign) -> Fault {
    let parts: Vec<&str> = campaign.parts.iter().map(|part| part.work.as_str()).collect();
    Fault::new(format!("'{}' is a campaign of several parts", campaign.name))
        .because("here one suite or profile is measured")
        .fix(format!(
            "name one of its parts ({}), or measure all with `kneepoint run`",
            parts.join(", ")
        ))
}

/// The file called `name`.
fn find(shipped: &'static [Shipped], name: &str) -> Option<&'static Shipped> {
    shipped.iter().find(|file| file.name == name)
}

/// The fault for a name that nothing has.
fn unknown(kind: &str, name: &str, lists: &[&'static [Shipped]]) -> Fault {
    let names = lists.iter().flat_map(|list| list.iter().map(|file| file.name));
    let fault = Fault::new(format!("no {kind} is called '{}'", name.escape_debug()));
    fault.fix(did_you_mean(name, names).unwrap_or_else(|| {
        "'kneepoint catalog' lists the names; a file of your own is named by its path".to_owned()
    }))
}

#[cfg(test)]
mod tests;
