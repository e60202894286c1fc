//! Numbers of users under the rules that the run was asked for and under the standard ones.

use kneepoint_core::result::{SustainedStatus, UserCount};
use kneepoint_core::spec::factor::Combination;
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::number::{Level, ResponseTime};

use super::rule::within;
use super::table::{Align, TextTable};
use super::text::{Text, Tone, Width};

/// Fewer responses than these say little of a mean.
const FEW: u64 = 30;

/// A table for each series; nothing for other work.
pub(crate) fn user_counts_text(counts: &[UserCount], width: Width) -> Vec<Text> {
    let series = distinct(counts.iter().map(|count| (count.series.as_str(), &count.factors)));
    let of = |(name, factors): (&str, &Combination)| {
        let own = |count: &&UserCount| count.series == name && count.factors == *factors;
        let own: Vec<&UserCount> = counts.iter().filter(own).collect();
        table(name, &own, width)
    };
    series.into_iter().map(of).collect()
}

fn table(series: &str, counts: &[&UserCount], width: Width) -> Text {
    let columns = [
        (format!("Users of {series}"), Align::Left),
        ("at most".to_owned(), Align::Right),
        ("between".to_owned(), Align::Right),
        ("Limit".to_owned(), Align::Right),
        (String::new(), Align::Left),
    ];
    let mut table = TextTable::new(&columns);
    for count in counts {
        table.row(vec![
            within(&count.rule),
            users(count),
            count.bracket.map_or_else(String::new, |[low, high]| {
                format!("{} and {}", Level(low), Level(high))
            }),
            count.limit_ms.map_or_else(String::new, |ms| ResponseTime(ms).to_string()),
            remark(count).to_owned(),
        ]);
    }
    let mut text = table.fitted(width);
    text.push(
        Tone::Plain,
        "All rules are read off the same points; where none breaks a rule, the number is only a bound\n",
    );
    text
}

/// The number of users, or what is known of it.
fn users(count: &UserCount) -> String {
    let whole = count.users.map(|users| Level(users.floor()));
    match (count.status, whole) {
        (SustainedStatus::Met, Some(users)) => users.to_string(),
        (SustainedStatus::AllMeet, Some(users)) => format!(">= {users}"),
        (SustainedStatus::NoneMeets, Some(users)) => format!("< {users}"),
        _ => "unknown".to_owned(),
    }
}

fn remark(count: &UserCount) -> &'static str {
    match (count.status, count.is_asked) {
        (SustainedStatus::Unknown, _) => "its reference was not measured",
        (_, true) => "asked for",
        (_, false) if count.responses < FEW => "few responses",
        _ => "",
    }
}
