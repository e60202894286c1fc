//! What faults of a suite say, word for word: place, what, why and fix.

use super::Suite;

/// A suite of two series; tests replace one of its lines.
const TEXT: &str = r#"name = "mine"
title = "Mine"
size = "8GiB"
rules = ["mean<=20ms"]
outstanding = "1..64x2"

[[series]]
profile = "database"
block = ["8KiB"]

[[series]]
profile = "log"
"#;

/// Replaces `from` by `to` in [`TEXT`] and expects this fault, its fix on its own line.
#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    assert!(TEXT.contains(from), "{from}");
    let fault = Suite::parse(&TEXT.replacen(from, to, 1), "my.toml").unwrap_err();
    let fix = fault.fix_hint().unwrap_or_default();
    assert_eq!(format!("{fault}\n{fix}"), expected);
}

#[test]
fn profiles_that_do_not_exist_are_named_with_the_one_that_was_meant() {
    check(
        "\"database\"",
        "\"databse\"",
        "my.toml:8:11: profile: no profile is called 'databse'\ndid you mean 'database'?",
    );
    check(
        "\"log\"",
        "\"qqqqqq\"",
        "my.toml:12:11: profile: no profile is called 'qqqqqq'\n'kneepoint catalog' lists the \
         names; a file of your own is named by its path",
    );
    check(
        "\"log\"\n",
        "\"tinny\"\n[[profile]]\nname = \"tiny\"\ntitle = \"T\"\n[[profile.line]]\nshare = 100\n\
         size = 1\nread = 0\nrandom = 0\n",
        "my.toml:12:11: profile: no profile is called 'tinny'\ndid you mean 'tiny'?",
    );
}

#[test]
fn settings_of_a_series_have_a_name_and_one_level() {
    check(
        "profile = \"log\"\n",
        "profile = \"log\"\nsettings = { write_cache = \"on,off\" }\n",
        "my.toml:13:28: settings: 'on,off' cannot be a level: it is empty, or has a comma, a control \
         character or blanks at its ends\nname the levels plainly: none,mq-deadline",
    );
    check(
        "profile = \"log\"\n",
        "profile = \"log\"\nsettings = { \"write cache\" = \"on\" }\n",
        "my.toml:13:30: settings: 'write cache' cannot be the name of a factor\nuse letters, digits, \
         '.', '_' and '-'",
    );
    check(
        "profile = \"log\"\n",
        "profile = \"log\"\nsettings = { write_cache = true }\n",
        "my.toml:13:28: a value of the wrong kind: invalid type: boolean 'true', expected a number or \
         a text\n",
    );
}

#[test]
fn keys_are_checked() {
    check("size =", "sise =", "my.toml:3:1: unknown key 'sise'\ndid you mean 'size'?");
    check("block =", "blocks =", "my.toml:9:1: unknown key 'blocks'\ndid you mean 'block'?");
    check("profile = \"log\"\n", "", "my.toml:11:1: 'profile' is missing\nadd 'profile = ...'");
    check(
        "[\"8KiB\"]",
        "\"8KiB\"",
        "my.toml:9:9: a value of the wrong kind: invalid type: string \"8KiB\", expected a \
         sequence\nput it in brackets: [...]",
    );
}

#[test]
fn values_are_checked() {
    check(
        "\"8GiB\"",
        "\"0GiB\"",
        "my.toml:3:8: size: a test file of 0B\nuse 1B to 1024TiB, such as 8GiB",
    );
    check(
        "\"8GiB\"",
        "\"8GiB\"\nsteady_state = \"10ms\"",
        "my.toml:4:16: steady_state: rounds of 10ms\nuse 100ms to 1h; 60s is customary",
    );
    check(
        "mean<=20ms",
        "mean<20ms",
        "my.toml:4:10: rules: 'mean<20ms' is not a rule: there is no '<=' in it\nwrite it as \
         mean<=20ms, p99.9<=50ms, of one class as write.p99<=5ms, or against the response time at \
         another load as mean<=2x@5 or mean<=+100ms@5",
    );
    check(
        "[\"mean<=20ms\"]",
        "[\"mean<=20ms\", \"mean <= 20ms\"]",
        "my.toml:4:24: rules: mean<=20ms is there twice\nremove one",
    );
    check("mean<=20ms", "mean<=2h", "my.toml:4:10: rules: 7200s is too long\nuse at most 1h");
    check(
        "[\"mean<=20ms\"]",
        "[]",
        "my.toml:1:8: the suite has an empty list of rules\nwrite rules = [\"mean<=20ms\"], or \
         leave 'rules' out for those of the target's class",
    );
    check(
        "1..64x2",
        "0..64x2",
        "my.toml:5:15: outstanding: '0..64x2' is not a load grid: 0 outstanding I/Os are no \
         load\nstart at 1 or above",
    );
    check(
        "[\"8KiB\"]",
        "[\"8KiB\", 0]",
        "my.toml:9:18: block: a block of 0 bytes moves nothing\nuse 1B to 1GiB",
    );
}

#[test]
fn a_file_copy_is_checked() {
    let copy = |text: &str| format!("profile = \"log\"\n[file_copy]\n{text}\n");
    let check_copy =
        |text: &str, expected: &str| check("profile = \"log\"\n", &copy(text), expected);
    check_copy(
        "bytes = \"11B\"\nfiles = 12\ndirectories = 1",
        "my.toml:14:9: bytes: 11B in 12 files\nuse at least a byte for each file and at most 1TiB, \
         such as 500MiB",
    );
    check_copy(
        "bytes = \"1MiB\"\nfiles = 0\ndirectories = 1",
        "my.toml:15:9: files: 0 of them\nuse 1 to 100000",
    );
    check_copy(
        "bytes = \"1MiB\"\nfiles = 2\ndirectories = 1\nmethods = [\"sendfil\"]",
        "my.toml:17:12: methods: there is no 'sendfil'\ndid you mean 'sendfile'?",
    );
    check_copy(
        "bytes = \"1MiB\"\nfiles = 2\ndirectories = 1\ncaches = [\"cached\", \"cached\"]",
        "my.toml:17:21: caches: 'cached' is there twice\nremove one",
    );
}

#[test]
fn series_have_names_of_their_own() {
    check(
        "\"log\"",
        "\"database\"",
        "my.toml:12:11: profile: two series are called 'database/8KiB'\nremove one, or give it \
         another block size",
    );
    check(
        "[\"8KiB\"]",
        "[\"8KiB\", 8192]",
        "my.toml:8:11: profile: two series are called 'database/8KiB'\nremove one, or give it \
         another block size",
    );
}

#[test]
fn mixes_take_no_block() {
    check(
        "\"database\"",
        "\"iometer-web-server\"",
        "my.toml:8:11: profile: profile 'iometer-web-server' can't take a block size: its lines \
         mix block sizes\nleave the block size out, or choose a profile that has one size",
    );
}

#[test]
fn series_are_neither_none_nor_too_many() {
    let fault = Suite::parse("name = \"a\"\ntitle = \"A\"\n", "my.toml").unwrap_err();
    assert_eq!(fault.to_string(), "my.toml:1:8: the suite has no [[series]]");
    let series = "[[series]]\nprofile = \"log\"\n".repeat(1001);
    let text = format!("name = \"a\"\ntitle = \"A\"\n{series}");
    let fault = Suite::parse(&text, "my.toml").unwrap_err();
    assert_eq!(fault.to_string(), "my.toml:1:8: 1001 series are more than 1000");
}

#[test]
fn own_profiles_have_names_of_their_own() {
    let own = "[[profile]]\nname = \"own\"\ntitle = \"T\"\n[[profile.line]]\nshare = 100\n\
               size = 1\nread = 0\nrandom = 0\n";
    check(
        "profile = \"log\"\n",
        &format!("profile = \"log\"\n{own}{own}"),
        "my.toml:22:8: two profiles are called 'own'\nrename one",
    );
    check(
        "profile = \"log\"\n",
        &format!("profile = \"log\"\n{}", own.replace("read = 0", "read = 101")),
        "my.toml:19:8: read: 101 is not a percentage\nuse a number from 0 to 100",
    );
}

/// A group of two members, in place of the second series of [`TEXT`].
const GROUP: &str = r#"[[together]]
name = "pair"
[[together.member]]
profile = "database"
outstanding = "1,2"
[[together.member]]
profile = "log"
outstanding = 1
"#;

/// Replaces `from` by `to` in [`GROUP`] behind [`TEXT`].
#[track_caller]
fn check_group(from: &str, to: &str, expected: &str) {
    assert!(GROUP.contains(from), "{from}");
    let text = format!("{TEXT}{}", GROUP.replacen(from, to, 1));
    let fault = Suite::parse(&text, "my.toml").unwrap_err();
    let fix = fault.fix_hint().unwrap_or_default();
    assert_eq!(format!("{fault}\n{fix}"), expected);
}

#[test]
fn faults_of_a_group_name_the_line() {
    check_group(
        "\"log\"",
        "\"lg\"",
        "my.toml:19:11: profile: no profile is called 'lg'\ndid you mean 'log'?",
    );
    check_group(
        "outstanding = 1\n",
        "",
        "my.toml:19:11: profile: the member has no load\nadd outstanding = 1, or rate = 1000",
    );
    check_group(
        "outstanding = 1\n",
        "rate = \"auto\"\n",
        "my.toml:20:8: rate: 'auto' is no load of a member: what is measured at the same moment is \
         known before\nwrite a number, or levels such as \"1,2,4\"",
    );
    check_group(
        "outstanding = 1\n",
        "rate = \"10,20\"\n",
        "my.toml:14:8: name: the loads of several members have more than one level\nraise the load of \
         one member, and give each of the others a single level",
    );
    check_group(
        "outstanding = 1\n",
        "outstanding = 1\ntarget = 0\n",
        "my.toml:21:10: target: targets are counted from 1\nwrite 1 for the first one",
    );
    check_group(
        "\"log\"\n",
        "\"database\"\n",
        "my.toml:19:11: profile: two members of 'pair' are called 'database/8KiB'\ngive one of them its \
         own name: name = \"reader\"",
    );
    check_group(
        "\"log\"\n",
        "\"office\"\n",
        "my.toml:19:11: profile: profile 'office' does no I/O: users work, and nothing is read or \
         written in blocks\nchoose a profile of I/Os: `kneepoint catalog profiles`",
    );
    check_group(
        "[[together.member]]\nprofile = \"log\"\noutstanding = 1\n",
        "",
        "my.toml:14:8: name: the group has 1 of the two members that it needs\nadd a \
         [[together.member]] with a profile and its load for each, or make it a [[series]]",
    );
    check_group(
        "[[together]]\n",
        "[[together]]\nname = \"pair\"\n[[together.member]]\nprofile = \"log\"\nrate = 1\n\
         [[together.member]]\nprofile = \"database\"\nrate = 1\n[[together]]\n",
        "my.toml:22:8: name: two [[together]] are called 'pair'\nrename one",
    );
}

#[test]
fn faults_of_the_rules_of_a_member_name_the_line() {
    let check = |rules: &str, expected: &str| {
        check_group("outstanding = 1\n", &format!("outstanding = 1\nrules = {rules}\n"), expected);
    };
    check(
        "[]",
        "my.toml:19:11: the member has an empty list of rules\nwrite rules = [\"mean<=20ms\"], or leave \
         'rules' out for those of the suite",
    );
    check(
        "[\"p99<=1ms\", \"p99<=1ms\"]",
        "my.toml:21:22: rules: p99<=1ms is there twice\nremove one",
    );
    check(
        "[\"mean<=2x@1\"]",
        "my.toml:21:10: rules: the rule mean<=2x@1 has no reference in a group: its reference would be \
         another load at the same moment\ngive a time as the limit",
    );
    // A log is only written.
    check(
        "[\"max<=1s\", \"read.p99<=1ms\"]",
        "my.toml:21:21: rules: 'log' can neither meet nor break the rule read.p99<=1ms: it has no \
         responses of that class\nname one of write, or leave the class out",
    );
}

#[test]
fn a_group_makes_a_series_of_each_member_at_each_load() {
    let suite = Suite::parse(&format!("{TEXT}{GROUP}"), "my.toml").unwrap();
    let plans = suite.resolve(&crate::plan::Overrides::none()).unwrap();
    let of_group = plans.iter().filter(|plan| plan.together.is_some());
    let told: Vec<(&str, &[f64])> =
        of_group.map(|plan| (plan.name.as_str(), plan.loads.levels.as_slice())).collect();
    let expected: [(&str, &[f64]); 3] = [
        ("pair/database/8KiB", &[1.0, 2.0]),
        ("pair@1/log/64KiB", &[1.0]),
        ("pair@2/log/64KiB", &[1.0]),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_member_has_its_own_rules_unless_others_are_asked_for() {
    let group =
        GROUP.replace("outstanding = 1\n", "outstanding = 1\nrules = [\"write.p99<=5ms\"]\n");
    let suite = Suite::parse(&format!("{TEXT}{group}"), "my.toml").unwrap();
    let told = |overrides: &crate::plan::Overrides| -> Vec<Vec<String>> {
        let plans = suite.resolve(overrides).unwrap();
        let of_group = plans.iter().filter(|plan| plan.together.is_some());
        let rules = suite.rules_with(overrides);
        of_group
            .map(|plan| plan.rules_or(&rules).iter().map(ToString::to_string).collect())
            .collect()
    };
    let suites = vec!["mean<=20ms".to_owned()];
    let own = vec!["write.p99<=5ms".to_owned()];
    assert_eq!(told(&crate::plan::Overrides::none()), [suites, own.clone(), own]);
    let asked = crate::plan::Overrides {
        rules: vec!["max<=1s".parse().unwrap()],
        ..crate::plan::Overrides::none()
    };
    assert_eq!(told(&asked), [["max<=1s"], ["max<=1s"], ["max<=1s"]]);
}
