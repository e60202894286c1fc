use kneepoint_core::result::{Interaction, Optimum, RunDocument, TargetEnvironment};
use serde_json::json;

use super::*;

fn level(name: &str, change: f64, half: f64, significance: Significance) -> LevelEffect {
    LevelEffect {
        ci95: [None; 2],
        level: name.to_owned(),
        before: 100.0,
        after: 100.0 + change,
        before_bound: Bound::Exact,
        after_bound: Bound::Exact,
        change_percent: change,
        ci95_percent: Some(half),
        pairs: 1,
        significance,
    }
}

fn effects(series: &str, factor: &str, base: &str, levels: Vec<LevelEffect>) -> Effects {
    Effects {
        series: series.to_owned(),
        measure: EffectOn::Sustained("mean<=20ms".to_owned()),
        factors: vec![FactorEffect { factor: factor.to_owned(), base: base.to_owned(), levels }],
        interactions: Vec::new(),
        optimum: Optimum {
            combination: Default::default(),
            iops: Default::default(),
            bound: Bound::Exact,
            ties: Vec::new(),
            is_indifferent: false,
            significance: Significance::Unknown,
        },
    }
}

/// The words of the part on the only factor.
fn words(effects: Vec<Effects>) -> String {
    words_of(effects, |_| {})
}

/// The same of a run that is changed before.
fn words_of(effects: Vec<Effects>, change: impl Fn(&mut RunDocument)) -> String {
    let document = json!({
        "schema": "kneepoint.run/2",
        "run": {"id": "r", "label": "", "work": "w", "state": "complete", "started_at": "",
                "finished_at": "", "plan_hash": "", "seed": 1, "version": "", "command": ""},
        "environment": {"hosts": [], "targets": []}, "plan": null, "points": [],
        "analysis": {"summaries": []}, "copies": [], "warnings": []
    });
    let mut document: RunDocument = serde_json::from_value(document).unwrap();
    document.analysis.effects = effects;
    change(&mut document);
    let survey = RunView::new(&document, Language::English);
    let sections = sections(&survey);
    let [section] = sections.as_slice() else { panic!("{sections:?}") };
    let words = section.blocks.iter().flat_map(|block| match block {
        Block::List(items) => items.iter().map(Text::words).collect(),
        Block::Paragraph(text) => vec![text.words()],
        other => panic!("{other:?}"),
    });
    words.collect::<Vec<_>>().join("\n").replace('\u{a0}', " ")
}

use Significance::{NotSignificant, Significant};

#[test]
fn an_effect_that_depends_on_another_setting_is_called_a_mean() {
    let of = |interactions: Vec<Interaction>| {
        let on = vec![level("on", 41.0, 1.0, Significant)];
        words(vec![Effects { interactions, ..effects("restore", "write_cache", "off", on) }])
    };
    let depends = of(vec![Interaction {
        factor: "raid".to_owned(),
        level: "raid5".to_owned(),
        other: "write_cache".to_owned(),
        at_base: ("off".to_owned(), -91.0),
        at_level: ("on".to_owned(), -25.0),
        of_other: None,
    }]);
    let mean = "+41 % (+40 % to +42 %; a mean, it depends on the RAID level)";
    assert!(depends.contains(mean), "{depends}");
    assert!(!of(Vec::new()).contains("depends"));
}

#[test]
fn what_all_effects_depend_on_is_told_once() {
    let interaction = Interaction {
        factor: "raid".to_owned(),
        level: "raid5".to_owned(),
        other: "write_cache".to_owned(),
        at_base: ("off".to_owned(), -91.0),
        at_level: ("on".to_owned(), -25.0),
        of_other: None,
    };
    let of = |series: &str, change, interactions: Vec<Interaction>| {
        let on = vec![level("on", change, 1.0, Significant)];
        Effects { interactions, ..effects(series, "write_cache", "off", on) }
    };
    let all = words(vec![
        of("restore", 41.0, vec![interaction.clone()]),
        of("database", 20.0, vec![interaction.clone()]),
    ]);
    let told = "+20 % (+19 % to +21 %); these are means, they depend on the RAID level.";
    assert!(all.contains(told) && !all.contains("a mean"), "{all}");
    let one = words(vec![of("restore", 41.0, vec![interaction]), of("database", 20.0, Vec::new())]);
    assert!(one.contains("a mean, it depends") && !one.contains("these are means"), "{one}");
}

#[test]
fn what_another_setting_turns_has_no_direction() {
    let of = |setting: &str, [base, other]: [&str; 2], at_level: f64| {
        let interaction = Interaction {
            factor: setting.to_owned(),
            level: other.to_owned(),
            other: "disk_cache".to_owned(),
            at_base: ("off".to_owned(), -27.0),
            at_level: ("on".to_owned(), at_level),
            of_other: None,
        };
        let unclear = vec![level(other, -5.0, 4.9, NotSignificant)];
        let turned = effects("file-server", setting, base, unclear);
        let slower = vec![level(other, -25.0, 4.0, Significant)];
        let turned = Effects { interactions: vec![interaction], ..turned };
        [turned, effects("database", setting, base, slower)]
    };
    let turning = "faster or slower for file-server, depending on the disk cache";
    let raid = ["raid0", "raid1"];
    let turned = words(of("raid", raid, 12.0).to_vec());
    assert!(turned.contains(turning), "{turned}");
    assert!(turned.contains("Advice: No level was shown to be faster throughout"), "{turned}");
    let same_way = words(of("raid", raid, -1.0).to_vec());
    assert!(!same_way.contains(turning) && same_way.contains("was shown for file-server"));
    assert!(same_way.contains("Advice: RAID-0 is the fastest"), "{same_way}");
    let [alone, _] = of("host", ["windows", "linux"], 12.0);
    let alone = words(vec![alone]);
    assert!(alone.contains("Advice: Decide together with the other settings"), "{alone}");
    let [alone, _] = of("host", ["windows", "linux"], -1.0);
    let alone = words(vec![alone]);
    assert!(alone.contains("Advice: No preference") && !alone.contains("Decide together"));
}

#[test]
fn a_difference_must_be_significant_and_matter() {
    let check = |change: f64, half: f64, significance, outcome| {
        let found = Outcome::of(&level("on", change, half, significance));
        assert_eq!(found, outcome, "{change} ± {half}");
    };
    check(63.0, 6.0, Significant, Outcome::Faster);
    check(-41.0, 1.0, Significant, Outcome::Slower);
    // Significant, but too small to matter.
    check(3.0, 1.0, Significant, Outcome::Same);
    check(4.0, 3.0, Significant, Outcome::Unclear);
    // Large, but it could be chance.
    check(30.0, 40.0, NotSignificant, Outcome::Unclear);
    check(1.0, 2.0, NotSignificant, Outcome::Same);
    let unknown = LevelEffect { ci95_percent: None, ..level("on", 0.0, 0.0, NotSignificant) };
    assert_eq!(Outcome::of(&unknown), Outcome::Unclear);
}

#[test]
fn a_cache_that_pays_is_turned_on_with_its_risk() {
    let of = |change| vec![level("on", change, 2.0, Significant)];
    let text = words(vec![
        effects("file-server", "disk_cache", "off", of(63.0)),
        effects("restore", "disk_cache", "off", of(350.0)),
        effects("streaming", "disk_cache", "off", vec![level("on", 0.0, 1.0, NotSignificant)]),
    ]);
    let finding = "Disk cache on instead of off: restore (within 20 ms) 4.5 times";
    assert!(text.starts_with(finding), "{text}");
    assert!(text.contains("file-server (within 20 ms) +63 % (+61 % to +65 %); no practical"));
    assert!(text.contains("Advice: Turn the disk cache on. Risk: data that"), "{text}");
    // Seen from the other side it is the same.
    let text = words(vec![effects(
        "restore",
        "disk_cache",
        "on",
        vec![level("off", -60.0, 2.0, Significant)],
    )]);
    assert!(text.contains("Turn the disk cache on. Risk"), "{text}");
}

#[test]
fn of_several_levels_the_advice_is_one() {
    let advice = |factor: &str, base: &str, levels: &[(&str, f64, f64)]| {
        let levels =
            levels.iter().map(|(name, change, half)| level(name, *change, *half, Significant));
        let text = words(vec![effects("oltp", factor, base, levels.collect())]);
        text.split_once("Advice: ").expect("an advice").1.to_owned()
    };
    // More drives than 100 were not shown to be faster.
    let drives = [("60", 200.0, 13.0), ("100", 380.0, 20.0), ("140", 384.0, 20.0)];
    assert_eq!(advice("drives", "20", &drives), "For throughput, use 100 drives.");
    let drives = [("60", 200.0, 13.0), ("100", 380.0, 20.0), ("140", 484.0, 20.0)];
    assert_eq!(advice("drives", "20", &drives), "For throughput, use 140 drives.");
    let names = [("bfq", 40.0, 5.0), ("mq", 41.0, 5.0), ("kyber", 0.0, 1.0)];
    let both = "Prefer bfq or mq: none of them was shown to be faster than the others.";
    assert_eq!(advice("scheduler", "none", &names), both);
    let names = [("bfq", 40.0, 5.0), ("mq", 80.0, 5.0), ("kyber", -20.0, 1.0)];
    assert_eq!(advice("scheduler", "none", &names), "Prefer mq.");
}

#[test]
fn nothing_is_advised_that_was_not_shown() {
    let of = |change, half, significance| {
        let levels = vec![level("on", change, half, significance)];
        words(vec![effects("database", "write_cache", "off", levels)])
    };
    let unclear = of(30.0, 40.0, NotSignificant);
    assert!(unclear.contains("no difference of 5 % or more was shown for database"), "{unclear}");
    assert!(unclear.contains("Advice: No preference"), "{unclear}");
    let same = of(1.0, 1.0, Significant);
    assert!(same.contains("no practical difference for database"), "{same}");
    assert!(same.contains("Advice: Leave it off") && !same.contains("Turn"), "{same}");
    let slower = of(-20.0, 1.0, Significant);
    assert!(slower.contains("Turn the write cache off."), "{slower}");
    for text in [unclear, same, slower] {
        assert!(!text.contains("Risk"), "{text}");
    }
}

#[test]
fn what_is_the_same_under_a_limit_may_differ_without_it() {
    let limit = |document: &mut RunDocument| {
        let [limit, device, file] = ["400", "loop0", "io.max"].map(str::to_owned);
        document.warnings = vec![Warning::IoLimited { limit, device, file }];
    };
    let of = |change| {
        vec![effects(
            "database",
            "file_system",
            "ext4",
            vec![level("xfs", change, 1.0, Significant)],
        )]
    };
    let sentence = "I/O was limited from outside in this run";
    assert!(words_of(of(1.0), limit).contains(sentence));
    assert!(!words(of(1.0)).contains(sentence) && words(of(1.0)).contains("Choose by other"));
    assert!(!words_of(of(-30.0), limit).contains(sentence), "there is a difference");
}

#[test]
fn raid_of_a_file_system_is_explained_by_it() {
    let on = |file_system: &'static str| {
        move |document: &mut RunDocument| {
            document.environment.targets = vec![TargetEnvironment {
                file_system: file_system.to_owned(),
                ..serde_json::from_value(json!({
                    "target": "t", "kind": "file", "size_bytes": 1, "file_system": "",
                    "device": {}, "settings": {}
                }))
                .unwrap()
            }];
        }
    };
    let of = |factor: &str, base: &str, name: &str| {
        vec![effects("database", factor, base, vec![level(name, -75.0, 1.0, Significant)])]
    };
    let sentence = "btrfs lays RAID-1 out in large pieces";
    assert!(words_of(of("raid", "raid0", "raid1"), on("btrfs")).contains(sentence));
    let other = words_of(of("raid", "raid0", "raid1"), on("ext4"));
    assert!(!other.contains(sentence) && other.contains("a write takes two disk operations"));
    assert!(!words_of(of("write_cache", "off", "on"), on("btrfs")).contains(sentence));
}

#[test]
fn bounds_are_told_on_their_side_of_zero() {
    let check = |percent: f64, bound: Bound, english: &str, german: &str| {
        let said = [Language::English, Language::German].map(|language| {
            advice::bounded_change(language, percent, bound).replace('\u{a0}', " ")
        });
        assert_eq!(said, [english, german]);
    };
    check(-44.2, Bound::AtMost, "at least 44 % less", "mindestens 44 % weniger");
    check(-44.2, Bound::AtLeast, "at most 45 % less", "höchstens 45 % weniger");
    check(44.2, Bound::AtLeast, "at least 44 % more", "mindestens 44 % mehr");
    check(44.2, Bound::AtMost, "at most 45 % more", "höchstens 45 % mehr");
    check(1655.0, Bound::AtLeast, "at least 17.5 times as much", "mindestens das 17,5-Fache");
    check(44.2, Bound::Exact, "+44 %", "+44 %");
}

#[test]
fn of_disturbed_points_it_cannot_be_told() {
    let of = |factor: &str, base: &str, name: &str, change, significance| {
        let levels = vec![level(name, change, 1.0, significance)];
        words(vec![effects("database", factor, base, levels)])
    };
    let cache = of("write_cache", "off", "on", -75.0, Significance::Disturbed);
    let sentence = "of database it cannot be told, because something else disturbed the points.";
    assert!(cache.contains(sentence), "{cache}");
    assert!(cache.contains("Advice: No preference: something else"), "{cache}");
    assert!(!cache.contains("significant") && !cache.contains("75"), "{cache}");
    let raid = of("raid", "raid0", "raid5", -75.0, Significance::Disturbed);
    assert!(raid.contains("Advice: No preference: something else"), "{raid}");
    assert!(!raid.contains("shown to be faster"), "{raid}");
    let known = of("write_cache", "off", "on", -75.0, Significant);
    assert!(known.contains("−75 %") && !known.contains("disturbed"), "{known}");
}

#[test]
fn the_fastest_raid_level_is_named_where_it_is_known() {
    let raid = |raid5: f64, raid10: f64| {
        let levels = vec![
            level("raid5", raid5, 2.0, Significant),
            level("raid10", raid10, 2.0, Significant),
        ];
        words(vec![effects("oltp", "raid", "raid0", levels)])
    };
    let text = raid(-41.0, -19.0);
    assert!(text.contains("RAID-5 instead of RAID-0: oltp"), "{text}");
    assert!(text.contains("RAID-0 is the fastest, but loses all data"), "{text}");
    assert!(text.contains("with redundancy, RAID-10 is the fastest. Cost: half"), "{text}");
    // Their intervals overlap: neither is said to be the faster.
    let text = raid(-20.0, -19.0);
    assert!(text.contains("RAID-0 is the fastest"), "{text}");
    assert!(text.contains("with redundancy, none was shown to be faster"), "{text}");
    let text = raid(10.0, 11.0);
    assert!(!text.contains("with redundancy"), "{text}");
    assert!(text.contains("No level was shown to be faster throughout"), "{text}");
}

#[test]
fn what_bounds_leave_open_at_a_rule_is_told_of_the_peak() {
    let open = LevelEffect {
        before_bound: Bound::AtLeast,
        after_bound: Bound::AtLeast,
        ..level("raid5", -41.0, 2.0, Significance::Unknown)
    };
    let at_rule = effects("oltp", "raid", "raid0", vec![open]);
    let known = vec![level("raid5", -30.0, 2.0, Significant)];
    let peak = Effects { measure: EffectOn::Peak, ..effects("oltp", "raid", "raid0", known) };
    let text = words(vec![at_rule, peak]);
    assert!(text.contains("oltp (peak) −30 %") && !text.contains("41"), "{text}");
    assert!(!text.contains("no difference of"), "{text}");
}

/// Two levels of which one never breaks the rule: it is known to be better by a bound.
#[test]
fn bounds_of_changes_are_told_as_bounds() {
    let bounded = |level: LevelEffect| LevelEffect { before_bound: Bound::AtLeast, ..level };
    let levels = vec![bounded(level("raid5", -41.0, 2.0, Significant))];
    let text = words(vec![effects("oltp", "raid", "raid0", levels)]);
    assert!(text.contains("oltp (within 20 ms) at least 41 % less."), "{text}");
    assert!(text.contains("RAID-0 is the fastest"), "{text}");
    // Where both are bounds, nothing is known of the change.
    let open = LevelEffect {
        after_bound: Bound::AtLeast,
        ..bounded(level("raid5", -41.0, 2.0, Significance::Unknown))
    };
    let text = words(vec![effects("oltp", "raid", "raid0", vec![open])]);
    assert!(!text.contains("41 %") && !text.contains("fastest"), "{text}");
    assert!(text.contains("No level was shown to be faster throughout"), "{text}");
}

#[test]
fn what_helps_some_and_hurts_others_is_chosen_by_workload() {
    let of = |change| vec![level("deadline", change, 2.0, Significant)];
    let text = words(vec![
        effects("database", "scheduler", "none", of(20.0)),
        effects("streaming", "scheduler", "none", of(-20.0)),
    ]);
    let advice = "Choose by workload: deadline for database; none for streaming.";
    assert!(text.contains(advice), "{text}");
    assert!(!text.contains("Prefer"), "{text}");
}

/// Beside a level that never breaks the rule the others are known by bounds alone, which say nothing of
/// each other: their peaks do.
#[test]
fn levels_that_bounds_leave_open_are_compared_by_their_peaks() {
    let advice = |peaks: [f64; 2]| {
        let of = |name: &str, change| level(name, change, 1.0, Significant);
        let bounded = |name: &str, change: f64| LevelEffect {
            before_bound: Bound::AtLeast,
            ..of(name, change)
        };
        let at_rule = vec![bounded("raid5", -44.0), bounded("raid10", -20.0)];
        let at_peak = vec![of("raid5", peaks[0]), of("raid10", peaks[1])];
        let peak = Effects { measure: EffectOn::Peak, ..effects("oltp", "raid", "raid0", at_peak) };
        words(vec![effects("oltp", "raid", "raid0", at_rule), peak])
    };
    let told = advice([-41.0, -19.0]);
    assert!(told.contains("with redundancy, RAID-10 is the fastest"), "{told}");
    let told = advice([-20.0, -19.0]);
    assert!(told.contains("with redundancy, none was shown to be faster"), "{told}");
}
