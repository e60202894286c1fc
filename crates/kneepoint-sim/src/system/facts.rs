//! What a simulated system is set to, by the names that a target's query uses.

use std::collections::BTreeMap;

use kneepoint_core::words::units::Bytes;

use super::setting::DriveKind;
use super::{Layout, Settings, System};

impl System {
    /// Layout and settings by name, as `sim:NAME?name=value` would set them. Free parameters are
    /// left out.
    pub fn facts(&self) -> BTreeMap<String, String> {
        let Layout { drives, drives_per_array, raid, stripe, stroke_percent, file } = self.layout;
        let Settings {
            write_cache,
            read_ahead,
            io_policy,
            disk_cache,
            host,
            condition,
            flash_state,
        } = self.settings;
        let mut facts = BTreeMap::from([
            ("drives", drives.to_string()),
            ("drives_per_array", drives_per_array.to_string()),
            ("raid", raid.to_string()),
            ("stripe", stripe.to_string()),
            ("stroke", format!("{stroke_percent}%")),
            ("write_cache", write_cache.to_string()),
            ("read_ahead", read_ahead.to_string()),
            ("io_policy", io_policy.to_string()),
            ("disk_cache", disk_cache.to_string()),
            ("host", host.to_string()),
            ("condition", condition.to_string()),
        ]);
        if let Some(Bytes(bytes)) = file {
            facts.insert("size", Bytes(bytes).to_string());
        }
        if self.drive.kind == DriveKind::Flash {
            facts.insert("flash_state", flash_state.to_string());
        }
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facts_say_what_the_query_set() {
        let system = System::shipped("serveraid-m5025").unwrap();
        let query = "drives=24&raid=raid10&write_cache=on&stroke=8%";
        let facts = system.with_query("sim:x", query).unwrap().facts();
        for pair in query.split('&') {
            let (name, value) = pair.split_once('=').unwrap();
            assert_eq!(facts[name], value, "{name}");
        }
        assert_eq!(system.facts()["write_cache"], system.settings.write_cache.word());
    }
}
