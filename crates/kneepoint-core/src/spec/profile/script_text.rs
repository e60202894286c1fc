//! A script as the text of a profile: what a recording is written as.

use std::fmt::Write as _;

use super::script::{Action, Region, ScriptStep, ScriptWork, TIMEOUT};
use crate::words::class::ClassName;

impl ScriptWork {
    /// The text of a profile that is read as this work.
    pub fn to_toml(&self) -> String {
        let Self { name, title, script } = self;
        let mut text = format!("name = {}\ntitle = {}\n", quoted(name), quoted(title));
        let _ = writeln!(text, "pace = {}\nspread = {}", script.pace, script.spread.get());
        let _ = writeln!(text, "rounds = {}", script.rounds);
        let acts = [("start", &script.start), ("work", &script.work), ("end", &script.end)];
        for (act, steps) in acts {
            steps.iter().for_each(|step| push_step(&mut text, act, step));
        }
        text
    }
}

fn push_step(text: &mut String, act: &str, step: &ScriptStep) {
    let _ = writeln!(text, "\n[[{act}]]");
    let _ = match &step.action {
        Action::Text(typed) => writeln!(text, "text = {}", quoted(typed)),
        Action::Key(chord) => writeln!(text, "key = {}", quoted(&chord.to_string())),
        Action::Click(x, y) => writeln!(text, "click = [{}, {}]", x.get(), y.get()),
        Action::Think(time) => writeln!(text, "think = {}", quoted(&time.to_string())),
        Action::Wait(until) => writeln!(text, "wait = {}", quoted(until.name())),
    };
    let is_text = matches!(step.action, Action::Text(_));
    if let Some(class) = step.class.filter(|class| !is_text || *class != ClassName::KEYSTROKE) {
        let _ = writeln!(text, "class = {}", quoted(class.as_str()));
    }
    if step.region != Region::WHOLE {
        let Region { left, top, right, bottom } = step.region;
        let edges = [left, top, right, bottom].map(|edge| edge.get().to_string());
        let _ = writeln!(text, "region = [{}]", edges.join(", "));
    }
    if step.timeout != TIMEOUT {
        let _ = writeln!(text, "timeout = {}", quoted(&step.timeout.to_string()));
    }
}

/// Text in quotes, as TOML has it on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for char in text.chars() {
        match char {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            char if char.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(char));
            }
            char => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::script::{Script, Until};
    use super::super::{Profile, SeriesProfile};
    use super::*;
    use crate::words::units::{Nanos, Percent};

    fn percent() -> impl Strategy<Value = Percent> {
        (0..=1_000u32).prop_map(|tenths| Percent::new(f64::from(tenths) / 10.0).unwrap())
    }

    fn region() -> impl Strategy<Value = Region> {
        let pair = || (0..999u32, 1..=1_000u32).prop_filter("empty", |(low, high)| low < high);
        (pair(), pair()).prop_map(|((left, right), (top, bottom))| {
            let edge = |tenths: u32| Percent::new(f64::from(tenths) / 10.0).unwrap();
            Region { left: edge(left), top: edge(top), right: edge(right), bottom: edge(bottom) }
        })
    }

    fn time() -> impl Strategy<Value = Nanos> {
        (1..=600_000u64).prop_map(Nanos::from_millis)
    }

    fn class() -> impl Strategy<Value = Option<ClassName>> {
        proptest::option::of("[a-z][a-z0-9-]{0,10}".prop_map(|name| ClassName::new(&name).unwrap()))
    }

    /// An input, and perhaps a wait for what it shows, or a pause.
    fn steps() -> impl Strategy<Value = Vec<ScriptStep>> {
        let action = prop_oneof![
            "[ -~äß€\n]{1,30}".prop_map(Action::Text),
            prop_oneof![Just("ctrl+s"), Just("alt+page-down"), Just("ü"), Just("ctrl+plus")]
                .prop_map(|keys| Action::Key(keys.parse().unwrap())),
            (percent(), percent()).prop_map(|(x, y)| Action::Click(x, y)),
        ];
        let behind = prop_oneof![
            Just(Action::Wait(Until::Changed)),
            Just(Action::Wait(Until::Stable)),
            time().prop_map(Action::Think),
        ];
        let one = |action, class: Option<ClassName>, (region, timeout)| {
            let class = match &action {
                Action::Text(_) => class.or(Some(ClassName::KEYSTROKE)),
                Action::Think(_) => None,
                _ => class,
            };
            ScriptStep { action, class, region, timeout }
        };
        let step = (action, proptest::option::of(behind), class(), region(), time()).prop_map(
            move |(input, behind, class, region, timeout)| {
                let behind = behind.map(|action| one(action, class, (region, timeout)));
                std::iter::once(one(input, class, (region, timeout))).chain(behind).collect()
            },
        );
        let pairs = proptest::collection::vec(step, 0..5);
        pairs.prop_map(|pairs: Vec<Vec<ScriptStep>>| pairs.concat())
    }

    proptest! {
        #[test]
        fn a_script_is_read_as_it_was_written(
            (start, mut work, end) in (steps(), steps(), steps()),
            (pace, rounds, spread) in (1..=6_000u32, 1..=10_000u32, percent()),
            title in "[!-~][ -~]{0,20}",
        ) {
            work.push(ScriptStep {
                action: Action::Text("timed".to_owned()),
                class: Some(ClassName::KEYSTROKE),
                region: Region::WHOLE,
                timeout: TIMEOUT,
            });
            let script = Script { pace, spread, rounds, start, work, end };
            let work = ScriptWork { name: "recorded".to_owned(), title, script };
            let text = work.to_toml();
            let read = Profile::parse(&text, "a.toml").unwrap().resolve(None).unwrap();
            prop_assert_eq!(read, SeriesProfile::Script(Box::new(work)));
        }

        #[test]
        fn no_step_is_too_strange_to_be_refused(
            keys in proptest::collection::vec(
                ("(text|key|click|think|wait|class|region|timeout)", "(\"[^\"\\\\]{0,12}\"|[0-9.]{1,5}|\\[[0-9, ]{0,9}\\])"),
                0..6,
            ),
        ) {
            let keys: String = keys.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
            let text = format!("name = \"a\"\ntitle = \"A\"\n[[work]]\ntext = \"a\"\n[[work]]\n{keys}");
            let _ = Profile::parse(&text, "a.toml");
        }
    }
}
