//! Sentences that need no page of their own here.

/// Sentences whose two cases are beside the code: module, name, and the test there.
pub(crate) const BESIDE: &[(&str, &str)] = &[
    ("advice::meaning", "every_kind_of_setting_has_its_meaning_and_its_advice"),
    ("advice::advice", "every_kind_of_setting_has_its_meaning_and_its_advice"),
    ("advice::raid", "the_fastest_raid_level_is_named_where_it_is_known"),
    ("advice::no_redundant_level", "the_fastest_raid_level_is_named_where_it_is_known"),
    ("advice::prefer_several", "of_several_levels_the_advice_is_one"),
    ("advice::none_of_disturbed", "of_disturbed_points_it_cannot_be_told"),
    ("comparison::whole_of_too_few", "of_a_run_of_bounds_the_whole_is_not_known"),
    ("factors::dots_bounds", "dots_of_bounds_say_that_they_are_bounds"),
    (
        "chapters::short_besides_programs",
        "loads_that_were_measured_for_a_short_time_are_a_first_impression",
    ),
    ("chapters::short", "loads_that_were_measured_for_a_short_time_are_a_first_impression"),
    ("comparison::warned", "warnings_of_compared_runs_are_counted_on_the_first_page"),
    ("advice::decide_together", "what_another_setting_turns_has_no_direction"),
    ("conclusions::perhaps_met", "a_rule_that_an_interval_reaches_is_perhaps_met"),
    ("conclusions::still_rising", "a_peak_that_still_rises_is_told_as_a_bound"),
    ("series::differ", "repetitions_of_the_only_load_do_not_differ_at_a_peak"),
    ("series::ratios_differ", "repetitions_of_the_only_load_do_not_differ_at_a_peak"),
    ("series::percentiles_of_all", "percentiles_of_repetitions_are_no_means"),
    ("series::percentiles_of_slowest", "percentiles_of_repetitions_are_no_means"),
    ("advice::under_limit", "what_is_the_same_under_a_limit_may_differ_without_it"),
    ("advice::raid_of_btrfs", "raid_of_a_file_system_is_explained_by_it"),
    ("omission::unreplayed", "what_of_a_trace_is_not_replayed_is_told"),
    ("omission::disorder", "what_of_a_trace_is_not_replayed_is_told"),
    ("omission::devices", "what_of_a_trace_is_not_replayed_is_told"),
];

/// How a page is to be read: these stand on every one, or below every figure or table of their kind.
pub(crate) const ALWAYS: [&str; 16] = [
    "common::verdict_meaning",
    "comparison::dots_margins",
    "comparison::curves_caption",
    "comparison::dots_note",
    "comparison::change_text",
    "comparison::significance_text",
    "comparison::open_text",
    "comparison::peak_text",
    "comparison::mean_text",
    "comparison::geometric_mean",
    "method::tool",
    "method::timing_text",
    "reproduction::intro",
    "sizing::candidates_remark",
    "sizing::candidates_caption",
    "sizing::method_text",
];
