use super::*;

fn levels(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn numbers_of_one_unit_are_an_axis() {
    let check = |texts: &[&str], expected: Option<(&str, &[f64])>| {
        let texts = levels(texts);
        let found = NumericFactor::of("size", &texts);
        let numbers = found.as_ref().map(|factor| {
            (factor.unit.as_str(), factor.levels.iter().map(|(_, number)| *number).collect())
        });
        let expected = expected.map(|(unit, numbers)| (unit, numbers.to_vec()));
        assert_eq!(numbers, expected, "{texts:?}");
    };
    check(&["40", "20", "60"], Some(("", &[20.0, 40.0, 60.0])));
    check(&["8%", "30%", "100%"], Some(("%", &[8.0, 30.0, 100.0])));
    check(&["512MiB", "1GiB", "2GiB"], Some(("GiB", &[0.5, 1.0, 2.0])));
    check(&["1", "2"], None);
    check(&["raid0", "raid5", "raid10"], None);
    check(&["10", "20", "off"], None);
    check(&["8%", "30", "100"], None);
    check(&["1", "1.0", "2"], None);
    check(&["5ms", "10ms", "20ms"], None);
}

const DRIVES: [(f64, f64, &str); 6] = [
    (20.0, 2_000.0, "drives"),
    (40.0, 4_000.0, "drives"),
    (60.0, 5_900.0, "drives"),
    (100.0, 9_200.0, "drives"),
    (140.0, 10_500.0, "controllers"),
    (180.0, 10_600.0, "controllers"),
];

fn scaling_curve(steps: &[(f64, f64, &str)]) -> ScalingCurve {
    let step = |(level, mean, part): &(f64, f64, &str)| ScalingStep {
        level: *level,
        throughput: Estimate { mean: *mean, ci95: None },
        printed: Estimate { mean: *mean, ci95: None },
        part: (!part.is_empty()).then(|| (*part).to_owned()),
        is_disturbed: false,
    };
    ScalingCurve {
        name: "oltp/4KiB".to_owned(),
        judge: PrimaryMetric::ALL[0],
        steps: steps.iter().map(step).collect(),
    }
}

fn said(steps: &[(f64, f64, &str)], language: Language) -> String {
    let levels = levels(&["20", "40", "60"]);
    let factor = NumericFactor::of("drives", &levels).unwrap();
    let said = sentence(&scaling_curve(steps), &factor, None, language);
    said.replace(['\u{a0}', '\u{202f}'], " ")
}

#[test]
fn of_disturbed_points_no_scaling_is_told() {
    let levels = levels(&["20", "40", "60"]);
    let factor = NumericFactor::of("drives", &levels).unwrap();
    let mut curve = scaling_curve(&DRIVES);
    curve.steps[2].is_disturbed = true;
    let said = sentence(&curve, &factor, None, Language::English);
    let expected = "oltp/4KiB, peak: how far more of them help cannot be told, because something else \
                    disturbed the points.";
    assert_eq!(said, expected);
}

#[test]
fn a_sentence_says_how_far_more_drives_help_and_what_stops_them() {
    assert_eq!(
        said(&DRIVES, Language::English),
        "oltp/4KiB, peak: within 10 % of linear up to 100 drives; from 140 on, limited by \
         controllers."
    );
    assert_eq!(
        said(&DRIVES, Language::German),
        "oltp/4KiB, Spitze: bis 100 Laufwerke auf 10 % genau linear; ab 140 begrenzt durch \
         Controller."
    );
}

#[test]
fn what_scales_to_the_end_has_no_limit() {
    let linear = &DRIVES[..4];
    assert_eq!(
        said(linear, Language::English),
        "oltp/4KiB, peak: within 10 % of linear over all levels, up to 100 drives."
    );
}

#[test]
fn a_limit_is_only_named_where_a_part_is_busy_up_to_the_last_level() {
    let mut unknown = DRIVES;
    unknown[5].2 = "";
    let text = said(&unknown, Language::English);
    assert_eq!(text, "oltp/4KiB, peak: within 10 % of linear up to 100 drives.");
    let mut drives = DRIVES;
    drives[4].2 = "drives";
    drives[5].2 = "drives";
    assert!(!said(&drives, Language::English).contains("limit"));
}

#[test]
fn what_never_was_linear_is_not_called_so() {
    let steps = [(20.0, 2_000.0, ""), (40.0, 5_000.0, ""), (60.0, 9_000.0, "")];
    assert_eq!(
        said(&steps, Language::English),
        "oltp/4KiB, peak: 4.50 times as much from 20 to 60 drives."
    );
    let flat = [(20.0, 2_000.0, ""), (40.0, 2_000.0, ""), (60.0, 2_000.0, "")];
    assert!(said(&flat, Language::English).contains("1.00 times"));
}

#[test]
fn zones_part_the_axis_between_levels() {
    let zones = scaling_curve(&DRIVES).zones(Language::English);
    let found: Vec<(&str, [f64; 2])> =
        zones.iter().map(|zone| (zone.label.as_str(), zone.ends)).collect();
    assert_eq!(found, [("drives", [20.0, 120.0]), ("controllers", [120.0, 180.0])]);
    let unknown = [(20.0, 1.0, ""), (40.0, 2.0, ""), (60.0, 3.0, "")];
    assert_eq!(scaling_curve(&unknown).zones(Language::English), Vec::new());
}
