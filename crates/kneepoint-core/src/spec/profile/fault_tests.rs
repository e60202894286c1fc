//! What faults of a profile say, word for word: place, what, why and fix.

use super::Profile;

/// A profile of two lines; tests replace one of its lines.
const TEXT: &str = r#"name = "mine"
title = "Mine"

[[line]]
share = 90
size = "8KiB"
read = 67
random = 100

[[line]]
share = 10
size = "8KiB"
read = 0
random = 0
"#;

/// Replaces `from` by `to` in [`TEXT`] and expects this fault, its fix on its own line.
#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    assert!(TEXT.contains(from), "{from}");
    let fault = Profile::parse(&TEXT.replacen(from, to, 1), "my.toml").unwrap_err();
    let fix = fault.fix_hint().unwrap_or_default();
    assert_eq!(format!("{fault}\n{fix}"), expected);
}

#[test]
fn unknown_keys_are_named_with_the_one_that_was_meant() {
    check(
        "random = 100",
        "randon = 100",
        "my.toml:8:1: unknown key 'randon'\ndid you mean 'random'?",
    );
    check(
        "title =",
        "colour = 3\ntitle =",
        "my.toml:2:1: unknown key 'colour'\nthe keys that can stand here are name, title, \
         description, source, outstanding, rate, users, warehouses, copies, member, flags, \
         scale, remote, transaction, think, operation, pace, spread, rounds, start, \
         work, end, line, address, distribution, data, durability, files",
    );
    check(
        "[[line]]\nshare = 90",
        "[address]\nstrok = 8\n[[line]]\nshare = 90",
        "my.toml:5:1: unknown key 'strok'\ndid you mean 'stroke'?",
    );
}

#[test]
fn missing_keys_are_named() {
    check("size = \"8KiB\"\n", "", "my.toml:4:1: 'size' is missing\nadd 'size = ...'");
    check("title = \"Mine\"\n", "", "my.toml:1:1: 'title' is missing\nadd 'title = ...'");
}

#[test]
fn what_is_not_toml_says_where() {
    let fault = Profile::parse(&TEXT.replacen("share = 90", "share =", 1), "my.toml").unwrap_err();
    assert_eq!(fault.what(), "my.toml:5:8: this is not valid TOML");
    check(
        "read = 67",
        "read = 67\nread = 68",
        "my.toml:8:1: a key is set twice: duplicate key\nkeep one of the two",
    );
    check(
        "share = 90",
        "share = [90]",
        "my.toml:5:9: a value of the wrong kind: invalid type: sequence, expected a number or a \
         text\n",
    );
}

#[test]
fn a_line_in_single_brackets_is_told_of_the_double_ones() {
    let text = "name = \"a\"\ntitle = \"A\"\n[line]\nshare = 100\n";
    let fault = Profile::parse(text, "my.toml").unwrap_err();
    assert_eq!(fault.what(), "my.toml:3:1: a value of the wrong kind");
    let fix = "write the name of the table in double brackets, as in [[line]]";
    assert_eq!(fault.fix_hint(), Some(fix));
}

#[test]
fn percentages_out_of_bounds_are_refused() {
    check(
        "read = 67",
        "read = 120",
        "my.toml:7:8: read: 120 is not a percentage\nuse a number from 0 to 100",
    );
    check(
        "read = 67",
        "read = -1",
        "my.toml:7:8: read: -1 is not a percentage\nuse a number from 0 to 100",
    );
    check(
        "read = 67",
        "read = nan",
        "my.toml:7:8: read: NaN is not a percentage\nuse a number from 0 to 100",
    );
    check(
        "read = 67",
        "read = \"67\"",
        "my.toml:7:8: read: '67' is not a percentage\nwrite it as 67%",
    );
}

#[test]
fn shares_add_up_to_a_hundred() {
    check(
        "share = 90",
        "share = 80",
        "my.toml:11:9: share: the shares add up to 90 %, not 100 %\nadd 10 %",
    );
    check(
        "share = 90",
        "share = 90.25",
        "my.toml:11:9: share: the shares add up to 100.25 %, not 100 %\ntake 0.25 % away",
    );
    check(
        "share = 90",
        "share = 0",
        "my.toml:5:9: share: no I/O would follow this line\nremove the line",
    );
}

#[test]
fn sizes_are_those_that_an_io_can_have() {
    check("\"8KiB\"", "0", "my.toml:6:8: size: a block of 0 bytes moves nothing\nuse 1B to 1GiB");
    check(
        "\"8KiB\"",
        "\"2GiB\"",
        "my.toml:6:8: size: a block of 2GiB is too large\nuse 1B to 1GiB",
    );
    check(
        "\"8KiB\"",
        "\"8XB\"",
        "my.toml:6:8: size: '8XB' is not a size: unknown unit 'XB'\nuse B, KiB, MiB, GiB, TiB \
         (powers of 1024) or KB, MB, GB, TB (powers of 1000)",
    );
}

#[test]
fn pauses_need_a_burst_and_end() {
    check(
        "random = 100",
        "random = 100\ndelay = \"5ms\"",
        "my.toml:9:9: delay: a delay without a burst: the delay is the pause after each burst of \
         I/Os\nadd burst = 1 to pause after every I/O, or remove the delay",
    );
    check(
        "random = 100",
        "random = 100\nburst = 1\ndelay = 5",
        "my.toml:10:9: delay: '5' is not a time span: the unit is missing\nwrite a number with a \
         unit: 500ms, 30s, 5m, 1h",
    );
    check(
        "random = 100",
        "random = 100\nburst = 1\ndelay = \"2h\"",
        "my.toml:10:9: delay: 7200s is too long\nuse at most 1h",
    );
    check(
        "random = 100",
        "random = 100\nburst = 0",
        "my.toml:9:9: burst: a burst of 0 I/Os\nuse 1 to 1000000",
    );
    check(
        "random = 100",
        "random = 100\nburst = 1.5",
        "my.toml:9:9: burst: '1.5' is not a whole number\nwrite it as 8",
    );
}

#[test]
fn alignments_are_words_or_sizes() {
    check(
        "random = 100",
        "random = 100\nalign = \"page\"",
        "my.toml:9:9: align: 'page' is no alignment\nuse \"request\", \"sector\" or a size from \
         1B to 1GiB, such as \"4KiB\"",
    );
}

#[test]
fn names_and_titles_can_be_typed_and_read() {
    check(
        "\"mine\"",
        "\"My Profile\"",
        "my.toml:1:8: name: 'My Profile' can't be a name: names are lower-case letters, digits \
         and hyphens, a letter first, at most 64\nwrite it as file-server",
    );
    check("\"Mine\"", "\"\"", "my.toml:2:9: title: it is empty\nsay in a few words what is loaded");
    check(
        "\"Mine\"",
        "\"\\u001b[31m\"",
        "my.toml:2:9: title: a control character is in it\nwrite it on one line",
    );
}

#[test]
fn loads_are_one_grid() {
    check(
        "title =",
        "outstanding = \"8..1\"\ntitle =",
        "my.toml:2:15: outstanding: '8..1' is not a load grid: the range 8..1 does not rise\nput \
         the smaller number first",
    );
    check(
        "title =",
        "outstanding = 1\nrate = 100\ntitle =",
        "my.toml:3:8: rate: a load has one unit: outstanding I/Os, an offered rate, users, \
         warehouses or copies\nkeep one of 'outstanding', 'rate', 'users', 'warehouses' and 'copies'",
    );
}

#[test]
fn ranges_have_a_length_and_one_form() {
    check(
        "title =",
        "address = { start = 50, end = 50 }\ntitle =",
        "my.toml:2:11: [address] is empty: it starts at 50% and ends at 50%\nlet it end above \
         its start",
    );
    check(
        "title =",
        "address = { start = 50, stroke = 8 }\ntitle =",
        "my.toml:2:11: [address] has a stroke and a start or an end\nkeep 'stroke', or 'start' \
         and 'end'",
    );
}

#[test]
fn gaps_are_between_sequential_ios() {
    check(
        "random = 100\n",
        "random = 100\ngap = \"4KiB\"\n",
        "my.toml:9:7: gap: no I/O of the line is sequential: the gap is left out before an I/O that continues where \
         the last one ended\nremove 'gap', or lower 'random'",
    );
    check(
        "random = 0\n",
        "random = 0\ngap = \"2GiB\"\n",
        "my.toml:15:7: gap: a gap of 2GiB is too large\nuse at most 1GiB",
    );
}

#[test]
fn distributions_have_what_their_kind_needs_and_nothing_else() {
    check(
        "title =",
        "distribution = { kind = \"zip\" }\ntitle =",
        "my.toml:2:25: kind: no distribution is called 'zip'\ndid you mean 'zipf'?",
    );
    check(
        "title =",
        "distribution = { kind = \"zipf\" }\ntitle =",
        "my.toml:2:25: kind: zipf needs its skew\nadd theta = 0.99 to [distribution]",
    );
    check(
        "title =",
        "distribution = { kind = \"zipf\", theta = 0 }\ntitle =",
        "my.toml:2:41: theta: a skew of 0 is out of bounds\nuse a number above 0 and below 10; \
         0.99 is customary",
    );
    check(
        "title =",
        "distribution = { kind = \"uniform\", theta = 1 }\ntitle =",
        "my.toml:2:25: kind: only zipf has a 'theta'\nremove it, or set kind = \"zipf\"",
    );
    check(
        "title =",
        "distribution = { kind = \"pareto\" }\ntitle =",
        "my.toml:2:25: kind: pareto needs the share of its hot positions\nadd h = 0.2 to [distribution]: a fifth \
         of the positions get four fifths of the I/Os",
    );
    check(
        "title =",
        "distribution = { kind = \"pareto\", h = 0.8 }\ntitle =",
        "my.toml:2:39: h: a share of 0.8 is out of bounds\nuse a number above 0 and at most 0.5, at which all \
         positions are alike",
    );
    check(
        "title =",
        "distribution = { kind = \"zipf\", theta = 1, h = 0.2 }\ntitle =",
        "my.toml:2:25: kind: only pareto has an 'h'\nremove it, or set kind = \"pareto\"",
    );
    check(
        "title =",
        "distribution = { kind = \"hot-band\" }\ntitle =",
        "my.toml:2:25: kind: hot-band needs its bands\nadd [[distribution.band]] tables with \
         range and access",
    );
    check(
        "title =",
        "distribution = { kind = \"hot-band\", band = [{ range = 10, access = 100 }] }\ntitle =",
        "my.toml:2:55: range: the bands' ranges add up to 10 %, not 100 %\nadd 90 %",
    );
}

#[test]
fn lines_are_neither_none_nor_too_many() {
    let fault = Profile::parse("name = \"a\"\ntitle = \"A\"\n", "my.toml").unwrap_err();
    assert_eq!(fault.to_string(), "my.toml:1:8: the profile has no [[line]]");
    let line = "[[line]]\nshare = 1\nsize = 512\nread = 0\nrandom = 0\n";
    let text = |lines| format!("name = \"a\"\ntitle = \"A\"\n{}", line.repeat(lines));
    assert!(Profile::parse(&text(100), "my.toml").is_ok());
    let fault = Profile::parse(&text(101), "my.toml").unwrap_err();
    assert_eq!(fault.to_string(), "my.toml:504:9: more than 100 lines");
}

/// Expects a fault in a profile of users in which `from` was replaced by `to`.
#[track_caller]
fn check_users(from: &str, to: &str, expected: &str) {
    let text = "name = \"mine\"\ntitle = \"Mine\"\nthink = \"1s\"\n[[operation]]\nclass = \"key\"\n\
                share = 100\ndemand = \"5ms\"\n";
    assert!(Profile::parse(text, "my.toml").is_ok());
    let fault = Profile::parse(&text.replacen(from, to, 1), "my.toml").unwrap_err();
    let found = format!("{}\n{}", fault.what(), fault.fix_hint().unwrap_or_default());
    assert!(found.contains(expected), "{found}");
}

#[test]
fn users_do_operations_and_no_io() {
    check_users("think = \"1s\"\n", "", "the profile does not say how long");
    check_users("think = \"1s\"", "think = \"0s\"", "my.toml:3:9: think: it is no time at all");
    check_users("think = \"1s\"", "think = \"2h\"", "is too long\nuse at most");
    check_users("\"key\"", "\"Key\"", "my.toml:5:9: class: 'Key' can't be a response class");
    check_users("share = 100", "share = 90", "the shares add up to 90 %");
    check_users("share = 100", "share = 0", "users would never do it");
    check_users("think", "outstanding = 1\nthink", "cannot be loaded by outstanding I/Os");
    check_users(
        "[[op",
        "[address]\nstroke = 8\n[[op",
        "keys of I/O and those of other work\nmake two profiles",
    );
    let twice = "[[operation]]\nclass = \"key\"\nshare = 1\ndemand = \"5ms\"\n[[op";
    check_users("[[op", twice, "two operations are of the class 'key'");
    let thinking = "name = \"mine\"\ntitle = \"Mine\"\nthink = \"1s\"\n";
    let fault = Profile::parse(thinking, "my.toml").unwrap_err();
    assert!(fault.what().contains("only users and I/Os pause to think"), "{fault}");
    let line = "[[line]]\nshare = 100\nsize = \"4KiB\"\nread = 100\nrandom = 0\n";
    let profile = Profile::parse(&format!("{thinking}{line}"), "my.toml").unwrap();
    assert_eq!(profile.think, crate::words::units::Nanos::from_secs(1));
    assert_eq!(profile.summary(), "4 KiB, 100 % read, sequential, 1s of think time");
    let none = format!("{thinking}{line}").replace("1s", "0s");
    let fault = Profile::parse(&none, "my.toml").unwrap_err();
    assert!(fault.what().contains("it is no time at all"), "{fault}");
}

/// The fault of business operations in which `from` is written as `to`.
fn check_business(from: &str, to: &str, why: &str) {
    let text = "name = \"mine\"\ntitle = \"Mine\"\nremote = 5\n[[transaction]]\nclass = \"payment\"\n\
                share = 40\n[[transaction]]\nclass = \"new-order\"\nshare = 60\n";
    let parse = |text: &str| Profile::parse(text, "mine.toml");
    let right = parse(text).unwrap();
    assert_eq!(right.load_unit(), crate::words::load::LoadUnit::Warehouses);
    assert_eq!(right.summary(), "warehouses; payment 40 %, new-order 60 %");
    let fault = parse(&text.replacen(from, to, 1)).unwrap_err().to_string();
    assert!(fault.contains(why) && fault.contains("mine.toml:"), "{fault}");
}

#[test]
fn warehouses_do_transactions_and_no_other_work() {
    check_business("payment", "refund", "'refund' is no transaction");
    check_business("new-order", "payment", "'payment' is there twice");
    check_business("share = 60", "share = 50", "the shares");
    check_business("share = 40", "share = 0", "it would never be done");
    check_business("remote = 5", "remote = 101", "101");
    check_business("remote = 5", "outstanding = 1", "cannot be loaded by");
    let line = "[[line]]\nshare = 100\nsize = \"4KiB\"\nread = 1\nrandom = 1\n[[tr";
    check_business("[[tr", line, "keys of I/O and those of other work");
    let user = "[[operation]]\nclass = \"key\"\nshare = 100\ndemand = \"5ms\"\n[[tr";
    check_business("[[tr", &format!("think = \"1s\"\n{user}"), "and a [[transaction]]");
    let alone = "name = \"p\"\ntitle = \"P\"\nremote = 5\n[[line]]\nshare = 100\nsize = \"4KiB\"\n\
                 read = 1\nrandom = 1\n";
    let fault = Profile::parse(alone, "p.toml").unwrap_err().to_string();
    assert!(fault.contains("only orders have lines from other warehouses"), "{fault}");
}

#[test]
fn durability_that_cannot_be_is_refused() {
    let durability = |text: &str| format!("random = 0\n\n[durability]\n{text}");
    let check = |text: &str, expected: &str| check("random = 0", &durability(text), expected);
    check(
        "",
        "my.toml:16:1: [durability] says nothing\nadd sync = \"dsync\" or flush = \"fdatasync\", or remove it",
    );
    check(
        "flush = \"fdatasnyc\"",
        "my.toml:17:9: flush: 'fdatasnyc' is no way to make writes durable\ndid you mean 'fdatasync'?",
    );
    check(
        "sync = \"always\"",
        "my.toml:17:8: sync: 'always' is no way to make writes durable\nuse dsync or sync",
    );
    check(
        "sync = \"dsync\"\nflush = \"sync_file_range\"",
        "my.toml:16:1: sync_file_range has nothing to flush: with sync = \"dsync\" no write leaves anything in the page \
         cache that is not on the device, too\nremove 'sync' or 'flush'",
    );
    check(
        "flush_every = 0",
        "my.toml:17:15: flush_every: a flush after every 0 writes\nuse 1 to 1000000",
    );
}

#[test]
fn durability_of_what_is_only_read_is_refused() {
    let reads = TEXT.replace("read = 67", "read = 100").replace("read = 0", "read = 100");
    let text = format!("{reads}\n[durability]\nflush = \"fsync\"\n");
    let fault = Profile::parse(&text, "my.toml").unwrap_err();
    assert!(
        fault.to_string().ends_with("nothing is written that could be made durable"),
        "{fault}"
    );
    assert_eq!(fault.fix_hint(), Some("remove [durability], or lower 'read' of a line"));
}

#[test]
fn flush_is_no_response_class_of_users() {
    let text = "name = \"u\"\ntitle = \"U\"\nthink = \"1s\"\n\n[[operation]]\nclass = \"flush\"\n\
                share = 100\ndemand = \"1ms\"\n";
    let fault = Profile::parse(text, "my.toml").unwrap_err();
    assert!(fault.to_string().contains("'flush' can't be a response class"), "{fault}");
    assert!(Profile::parse(&text.replace("\"flush\"", "\"flushes\""), "my.toml").is_ok());
}
