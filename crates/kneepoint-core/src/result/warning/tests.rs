//! Every kind of warning, as results have it and as it was before it had its values.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;

/// Warnings of every kind, with the texts that they have.
fn samples() -> Vec<Value> {
    serde_json::from_str(include_str!("../../../tests/data/warnings.json")).unwrap()
}

fn read(written: &Value) -> Warning {
    serde_json::from_value(written.clone()).unwrap()
}

#[test]
fn every_kind_reads_back_as_it_was_written() {
    for written in samples() {
        let warning = read(&written);
        assert!(!matches!(warning, Warning::Other(_)), "{written}");
        assert_eq!(serde_json::to_value(&warning).unwrap(), written);
        assert_eq!(warning.kind(), written["kind"]);
        assert_eq!(warning.disturbed_percent().is_some(), {
            warning.severity() == Severity::Disturbs
                && written["data"]["disturbed_percent"].is_number()
        });
    }
}

#[test]
fn a_limit_that_is_a_number_has_the_unit_of_its_file() {
    let text = |limit: &str, file: &str| {
        let [limit, file] = [limit, file].map(str::to_owned);
        Warning::IoLimited { limit, device: "loop0".to_owned(), file }.text()
    };
    let folder = "/sys/fs/cgroup/blkio/blkio.throttle";
    let iops = text("200", &format!("{folder}.read_iops_device"));
    assert!(iops.contains("is held to 200 IO/s for loop0"), "{iops}");
    let bytes = text("1048576", &format!("{folder}.write_bps_device"));
    assert!(bytes.contains("is held to 1048576 bytes/s for loop0"), "{bytes}");
    let both = text("rbps=max wbps=1048576", "/sys/fs/cgroup/a/io.max");
    assert!(both.contains("held to rbps=max wbps=1048576 for"), "{both}");
}

#[test]
fn the_samples_have_every_kind() {
    // An unknown kind is refused with the names of all.
    let refused = Warning::deserialize(json!({"kind": "?"})).unwrap_err().to_string();
    let known: BTreeSet<&str> = refused.split('`').skip(3).step_by(2).collect();
    let samples = samples();
    let sampled = samples.iter().map(|sample| sample["kind"].as_str().unwrap());
    assert_eq!(sampled.collect::<BTreeSet<_>>(), known);
}

#[test]
fn what_this_version_does_not_know_stays_as_it_is() {
    let check = |kind: &str, severity: &str, data: Value| {
        let text = "a name: what was seen";
        let written = json!({"kind": kind, "severity": severity, "data": data, "text": text});
        let warning = read(&written);
        assert!(matches!(warning, Warning::Other(_)), "{written}");
        assert_eq!(warning.text(), text);
        assert_eq!(serde_json::to_value(&warning).unwrap(), written);
    };
    check("moon_phase", "note", json!({"phase": "full"}));
    check("other", "note", json!({}));
    // A value that is missing, of another type, or one too many; another severity.
    check("write_cache_on", "note", json!({}));
    check("write_cache_on", "note", json!({"device": 1}));
    check("write_cache_on", "note", json!({"device": "sda", "since": "2024"}));
    check("write_cache_on", "limits", json!({"device": "sda"}));
    check("page_cache", "note", json!({"device": "sda", "direction": "read"}));
    check("nothing_completed", "limits", json!({"why": "?"}));
}

#[test]
fn a_sentence_of_version_1_has_the_kind_that_it_begins_with() {
    let check = |text: &str, kind: &str| {
        let sentence = Recorded::sentence(Severity::Limits, text);
        assert_eq!((sentence.kind.as_str(), sentence.text.as_str()), (kind, text));
    };
    check("other load on the CPU: 40 %", "other_cpu_load");
    check("I/O errors: 3 I/Os failed", "io_errors");
    check("write cache on: vda", "write_cache_on");
    check("no colon here", "no_colon_here");
}

#[test]
fn a_warning_that_disturbs_by_little_is_a_note() {
    let stolen = |disturbed_percent| Warning::CpuStolen { stolen_percent: 9.0, disturbed_percent };
    assert_eq!(stolen(None).severity(), Severity::Note);
    assert_eq!(stolen(Some(8.0)).severity(), Severity::Disturbs);
    assert_eq!(Warning::GeneratorBound { used_percent: 95.0 }.disturbed_percent(), None);
}

#[test]
fn the_documents_name_every_kind() {
    let method = include_str!("../../../../../docs/method.md");
    for sample in samples() {
        let kind = sample["kind"].as_str().unwrap();
        assert!(method.contains(&format!("`{kind}`")), "{kind}");
    }
}

/// Whoever looks for a kind finds it whether or not a host has it.
#[test]
fn a_warning_of_a_host_is_judged_by_what_it_is() {
    for own in samples().iter().map(read).filter(|warning| warning.host().is_none()) {
        let of_host = Warning::OnHost { host: "b".to_owned(), warning: Box::new(own.clone()) };
        assert_eq!((of_host.host(), of_host.bare()), (Some("b"), &own));
        assert_eq!(own.bare(), &own);
        assert_eq!(of_host.severity(), own.severity());
        assert_eq!(of_host.disturbed_percent(), own.disturbed_percent());
        assert_eq!(of_host.makes_the_numbers(), own.makes_the_numbers());
    }
}
