//! A script as its player needs it: one beat for each stroke.

use kneepoint_core::spec::profile::{Action, Region, Script, ScriptStep, Until, symbol_of};
use kneepoint_core::words::class::ClassName;
use kneepoint_core::words::units::Nanos;

use super::client::{KeyWay, ScreenClient};
use super::picture::Picture;

/// A script with one beat for each stroke, and with what each shows once that is known.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Playbook {
    /// Mean pause between strokes.
    pub(crate) gap: Nanos,
    /// By what share of it a pause is longer or shorter, at the most.
    pub(crate) spread: f64,
    /// How often the work is done in a session.
    pub(crate) rounds: u32,
    /// What a user sees who has logged on; `None` if that cannot be told from a black screen.
    pub(crate) logon: Option<Picture>,
    /// Beats of the start, the work and the end.
    pub(crate) acts: [Vec<Beat>; 3],
}

/// The acts of a session.
pub(crate) const START: usize = 0;
pub(crate) const WORK: usize = 1;
pub(crate) const END: usize = 2;

/// One thing that a user does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Beat {
    pub(crate) input: Input,
    /// Index of the response class; `None` if the response is not timed.
    pub(crate) class: Option<usize>,
    /// Where the response is seen.
    pub(crate) region: Region,
    /// How long it is waited for.
    pub(crate) timeout: Nanos,
    /// What the response is; `None` if nothing tells it.
    pub(crate) picture: Option<Picture>,
}

/// What is done.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Input {
    /// A key of a text: the next one follows on schedule, whatever the screen shows.
    Stroke(u32),
    /// Keys that are pressed together; the response is awaited.
    Keys(Vec<u32>),
    /// A click at a place, as shares of the screen; the response is awaited.
    Click(f64, f64),
    /// A pause.
    Pause(Nanos),
    /// What the screen shows of the input before is awaited.
    Wait(Until),
}

impl Playbook {
    /// The beats of `script`, of which no one knows yet what they show.
    pub(crate) fn of(script: &Script) -> Self {
        let classes = script.classes();
        let act = |steps: &[ScriptStep]| -> Vec<Beat> {
            steps.iter().flat_map(|step| beats(step, &classes)).collect()
        };
        Self {
            gap: script.stroke_gap(),
            spread: script.spread.fraction(),
            rounds: script.rounds,
            logon: None,
            acts: [act(&script.start), act(&script.work), act(&script.end)],
        }
    }
}

impl Input {
    /// Gives it to a server, but for pauses.
    pub(crate) fn send_to(&self, client: &mut dyn ScreenClient) {
        match self {
            Self::Stroke(symbol) => {
                client.key(*symbol, KeyWay::Down);
                client.key(*symbol, KeyWay::Up);
            }
            Self::Keys(symbols) => {
                symbols.iter().for_each(|symbol| client.key(*symbol, KeyWay::Down));
                symbols.iter().rev().for_each(|symbol| client.key(*symbol, KeyWay::Up));
            }
            Self::Click(x, y) => {
                let (width, height) = client.screen().size();
                let place = |length: u16, share: f64| {
                    (f64::from(length) * share).min(f64::from(length.saturating_sub(1))) as u16
                };
                let place = (place(width, *x), place(height, *y));
                [0, 1, 0].into_iter().for_each(|buttons| client.pointer(place, buttons));
            }
            Self::Pause(_) | Self::Wait(_) => {}
        }
    }
}

/// The waits right behind the beat at `index`.
pub(crate) fn waits_behind(beats: &[Beat], index: usize) -> &[Beat] {
    let behind = beats.get(index + 1..).unwrap_or_default();
    let count = behind.iter().take_while(|beat| matches!(beat.input, Input::Wait(_))).count();
    &behind[..count]
}

impl Beat {
    /// Whether the next beat waits for the response of this one.
    pub(crate) const fn is_awaited(&self) -> bool {
        matches!(self.input, Input::Keys(_) | Input::Click(..))
    }
}

/// The beats of a step.
fn beats(step: &ScriptStep, classes: &[ClassName]) -> Vec<Beat> {
    let class = step.class.and_then(|class| classes.iter().position(|known| *known == class));
    let beat =
        |input| Beat { input, class, region: step.region, timeout: step.timeout, picture: None };
    match &step.action {
        Action::Text(text) => {
            text.chars().map(|char| beat(Input::Stroke(symbol_of(char)))).collect()
        }
        Action::Key(chord) => vec![beat(Input::Keys(chord.symbols().to_vec()))],
        Action::Click(x, y) => vec![beat(Input::Click(x.fraction(), y.fraction()))],
        Action::Think(time) => vec![beat(Input::Pause(*time))],
        Action::Wait(until) => vec![beat(Input::Wait(*until))],
    }
}
