//! Campaigns in TOML, and what faults of them say.

use super::*;

const TEXT: &str = r#"name = "mine"
title = "Mine"

[[part]]
work = "business-operations"
target = "memory:"

[[part]]
work = "database"
"#;

#[test]
fn parts_have_their_own_targets_or_those_of_the_command_line() {
    let campaign = Campaign::parse(TEXT, "my.toml").unwrap();
    assert!(Campaign::is_in(TEXT) && !Campaign::is_in("[[series]]"));
    assert_eq!((campaign.name.as_str(), campaign.title.as_str()), ("mine", "Mine"));
    assert_eq!(campaign.summary(), "2 parts");
    let part = |work: &str, target: Option<&str>| CampaignPart {
        work: work.to_owned(),
        target: target.map(str::to_owned),
        needs: Vec::new(),
    };
    let expected = [part("business-operations", Some("memory:")), part("database", None)];
    assert_eq!(campaign.parts, expected);
}

#[test]
fn parts_may_need_programs() {
    let text = TEXT.replace("target", "needs = [\"Xvnc\", \"openbox\"]\ntarget");
    let campaign = Campaign::parse(&text, "my.toml").unwrap();
    assert_eq!(campaign.parts[0].needs, ["Xvnc", "openbox"]);
    assert!(campaign.parts[1].needs.is_empty());
    check(
        "target",
        "needs = [\"/bin/a\"]\ntarget",
        "my.toml:6:10: needs: it is a path\nwrite the name of a program on the PATH",
    );
}

/// Replaces `from` by `to` in [`TEXT`] and expects this fault, its fix on its own line.
#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    assert!(TEXT.contains(from), "{from}");
    let fault = Campaign::parse(&TEXT.replacen(from, to, 1), "my.toml").unwrap_err();
    assert_eq!(format!("{fault}\n{}", fault.fix_hint().unwrap_or_default()), expected);
}

#[test]
fn faults_name_the_place_and_the_way_out() {
    check(
        "work = \"database\"",
        "work = \" \"",
        "my.toml:9:8: work: it is empty\nwrite one such as \"processor\"",
    );
    check(
        "work = \"database\"",
        "work = \"database\"\ntarget = \"null:\"",
        "my.toml:1:8: no [[part]] measures the targets of the command line\nleave 'target' out of one \
         part",
    );
    check("target", "targte", "my.toml:6:1: unknown key 'targte'\ndid you mean 'target'?");
    let many = "[[part]]\nwork = \"log\"\n".repeat(PARTS_MAX);
    check(
        "[[part]]",
        &format!("{many}[[part]]"),
        "my.toml:1:8: 28 parts are more than 26\nmake several campaigns",
    );
}
