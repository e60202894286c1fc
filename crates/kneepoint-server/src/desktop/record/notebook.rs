//! What a recording notes: inputs as steps of a script, and where the screen answers them.

use kneepoint_core::spec::profile::{
    Action, Chord, Region, SCRIPT_TEXT_MAX, STEP_TIME_MAX, STEPS_MAX, Script, ScriptStep, symbol_of,
};
use kneepoint_core::words::class::ClassName;
use kneepoint_core::words::units::{Nanos, Percent};

use super::super::client::KeyWay;
use super::super::picture::{self, CHANGED_MAX, Thin};
use super::super::screen::Screen;
use super::viewer::{ViewerInput, bounds};

/// A stroke this long after the one before begins a new text.
const BREAK: Nanos = Nanos::from_secs(3);
/// Pauses shorter than this are no steps.
const PAUSE: Nanos = Nanos::from_secs(1);
/// Pauses are kept to this much.
const PAUSE_STEP: u64 = 100_000_000;
/// A pointer that moves further than this while its button is pressed drags, in pixels.
const DRAG: u16 = 4;
/// How long a response of a recorded step is waited for.
const TIMEOUT: Nanos = Nanos::from_secs(10);
/// Strokes a minute of a recording in which hardly anything is typed.
const PACE: u32 = 230;
/// Pauses between strokes of people differ by about this much, in percent.
const SPREAD: f64 = 50.0;
/// Rounds of a session that is played.
const ROUNDS: u32 = 10;

/// Keys that change what others do, by their symbols in X: each with that of the left one.
const MODIFIERS: [(u32, u32); 8] = [
    (0xffe1, SHIFT),
    (0xffe2, SHIFT),
    (0xffe3, 0xffe3),
    (0xffe4, 0xffe3),
    (0xffe9, 0xffe9),
    (0xffea, 0xffe9),
    (0xffeb, 0xffeb),
    (0xffec, 0xffeb),
];
const SHIFT: u32 = 0xffe1;
/// Locks and the like, which are no input by themselves.
const SILENT: [u32; 6] = [0xffe5, 0xff7f, 0xff14, 0xfe03, 0xffe7, 0xffe8];
const RETURN: u32 = 0xff0d;

/// What was done in a step.
#[derive(Debug, Clone, PartialEq)]
enum Done {
    Text(String),
    Keys(Chord),
    Click(Percent, Percent),
}

/// A step whose response is there.
#[derive(Debug)]
struct Noted {
    /// The pause before it.
    pause: Nanos,
    done: Done,
    /// Where the screen has changed; `None` if nowhere.
    region: Option<Region>,
    /// The screen before it and after it.
    before: Thin,
    after: Thin,
}

/// A step that may still go on.
#[derive(Debug)]
struct Open {
    pause: Nanos,
    done: Done,
    last: Nanos,
    before: Screen,
}

/// A recording as far as it has come.
#[derive(Debug, Default)]
pub struct Notebook {
    steps: Vec<Noted>,
    open: Option<Open>,
    held: Vec<u32>,
    /// Where the first button went down.
    pressed: Option<(u16, u16)>,
    buttons: u8,
    /// Pauses between strokes of texts.
    gaps: Vec<Nanos>,
    last_change: Nanos,
    left_out: usize,
}

/// What became of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// The script.
    pub script: Script,
    /// Inputs that no script can say.
    pub left_out: usize,
    /// Whether the work ends as it began, as is needed for playing it again and again.
    pub is_round: bool,
}

impl Notebook {
    /// Notes that the screen has changed at `at`.
    pub fn changed(&mut self, at: Nanos) {
        self.last_change = at;
    }

    /// Notes an input at `at`, while this was on the screen.
    pub fn input(&mut self, input: ViewerInput, at: Nanos, screen: &Screen) {
        match input {
            ViewerInput::Key(symbol, way) => self.key((symbol, way), at, screen),
            ViewerInput::Pointer(place, buttons) => self.pointer((place, buttons), at, screen),
        }
    }

    fn key(&mut self, (symbol, way): (u32, KeyWay), at: Nanos, screen: &Screen) {
        let modifier = MODIFIERS.iter().find(|(key, _)| *key == symbol).map(|(_, left)| *left);
        if let Some(modifier) = modifier {
            self.held.retain(|held| *held != modifier);
            if way == KeyWay::Down {
                self.held.push(modifier);
            }
            return;
        }
        if way == KeyWay::Up || SILENT.contains(&symbol) {
            return;
        }
        let is_plain = self.held.iter().all(|held| *held == SHIFT);
        match char_of(symbol).filter(|_| is_plain) {
            // A key that ends a line of a text; alone it is one for itself.
            Some('\n') if !self.is_typing(at) => self.chord(symbol, at, screen),
            Some(char) => self.stroke(char, at, screen),
            None => self.chord(symbol, at, screen),
        }
    }

    /// Whether a text goes on at `at`.
    fn is_typing(&self, at: Nanos) -> bool {
        self.open.as_ref().is_some_and(|open| {
            matches!(&open.done, Done::Text(text) if text.chars().count() < SCRIPT_TEXT_MAX)
                && at.since(open.last) < BREAK
        })
    }

    fn stroke(&mut self, char: char, at: Nanos, screen: &Screen) {
        if self.is_typing(at)
            && let Some(Open { done: Done::Text(text), last, .. }) = &mut self.open
        {
            text.push(char);
            self.gaps.push(at.since(*last));
            *last = at;
            return;
        }
        self.begin(Done::Text(char.to_string()), at, screen);
    }

    fn chord(&mut self, symbol: u32, at: Nanos, screen: &Screen) {
        let symbols: Vec<u32> = self.held.iter().copied().chain([symbol]).collect();
        match Chord::of_symbols(&symbols) {
            Some(chord) => self.begin(Done::Keys(chord), at, screen),
            None => self.left_out += 1,
        }
    }

    fn pointer(&mut self, (place, buttons): ((u16, u16), u8), at: Nanos, screen: &Screen) {
        let before = std::mem::replace(&mut self.buttons, buttons);
        let new = buttons & !before;
        // The second, the third and the wheel.
        self.left_out += usize::from(new & !1 != 0);
        if new & 1 != 0 {
            self.pressed = Some(place);
        }
        let is_released = before & 1 != 0 && buttons & 1 == 0;
        let Some((x, y)) = self.pressed.filter(|_| is_released) else { return };
        self.pressed = None;
        if x.abs_diff(place.0) > DRAG || y.abs_diff(place.1) > DRAG {
            self.left_out += 1;
            return;
        }
        let (width, height) = screen.size();
        let share = |place: u16, length: u16| {
            // In the middle of the pixel, in thousandths of a percent.
            let percent = 100.0 * (f64::from(place) + 0.5) / f64::from(length.max(1));
            Percent::new(((percent * 1e3).round() / 1e3).min(100.0)).unwrap_or(Percent::FULL)
        };
        self.begin(Done::Click(share(x, width), share(y, height)), at, screen);
    }

    /// Ends the step that is open, and begins one.
    fn begin(&mut self, done: Done, at: Nanos, screen: &Screen) {
        let last = self.open.as_ref().map(|open| open.last);
        self.close(screen);
        // Of what is before the first step no one knows how long it has to be.
        let pause = last.map_or(Nanos::ZERO, |last| at.since(last.max(self.last_change)));
        self.open = Some(Open { pause, done, last: at, before: screen.clone() });
    }

    /// Ends the step that is open: this is what the screen shows after it.
    fn close(&mut self, screen: &Screen) {
        let Some(Open { pause, done, before, .. }) = self.open.take() else { return };
        self.steps.push(Noted {
            pause,
            done,
            region: region(&before, screen),
            before: Thin::of(&before),
            after: Thin::of(screen),
        });
    }

    /// The script, once all was done and this is on the screen; `None` if nothing that could be timed was done.
    pub fn finish(mut self, screen: &Screen) -> Option<Recorded> {
        self.close(screen);
        let (pace, left_out) = (self.pace(), self.left_out);
        let (first, last, is_round) = round(&self.steps);
        let mut steps = self.steps.into_iter();
        let mut act = |count: usize| -> Vec<ScriptStep> {
            steps.by_ref().take(count).flat_map(script_steps).collect()
        };
        let (mut start, mut work, mut end) = (act(first), act(last - first), act(usize::MAX));
        let kept = |steps: &mut Vec<ScriptStep>, room: usize| {
            let left = steps.len().saturating_sub(room);
            steps.truncate(room);
            left
        };
        let mut dropped = kept(&mut start, STEPS_MAX);
        dropped += kept(&mut work, STEPS_MAX - start.len());
        dropped += kept(&mut end, STEPS_MAX - start.len() - work.len());
        let is_timed = work.iter().any(|step| step.class.is_some());
        is_timed.then(|| Recorded {
            script: Script {
                pace,
                spread: Percent::new(SPREAD).unwrap_or(Percent::ZERO),
                rounds: ROUNDS,
                start,
                work,
                end,
            },
            left_out: left_out + dropped,
            is_round: is_round && dropped == 0,
        })
    }

    /// Strokes a minute while texts were typed.
    fn pace(&self) -> u32 {
        let mut gaps = self.gaps.clone();
        gaps.sort_unstable();
        match gaps.get(gaps.len() / 2) {
            Some(median) if gaps.len() >= 10 => {
                (60e9 / median.0.max(1) as f64).round().clamp(1.0, 6_000.0) as u32
            }
            _ => PACE,
        }
    }
}

/// The first step of the longest part with something to time that ends with the screen as it began, and the
/// number of steps up to its end; all steps, and that they are no such part, if there is none.
fn round(steps: &[Noted]) -> (usize, usize, bool) {
    let ends = |first: usize| {
        let is_same =
            |last: &usize| steps[first].before.differs_by(&steps[*last].after) <= CHANGED_MAX;
        (first..steps.len()).rev().find(is_same).map(|last| (first, last + 1))
    };
    let is_timed = |(first, last): &(usize, usize)| {
        steps[*first..*last].iter().any(|step| step.region.is_some())
    };
    let parts = (0..steps.len()).filter_map(ends).filter(is_timed);
    // Of equals the first.
    let longest = parts.min_by_key(|(first, last)| steps.len() - (last - first));
    longest.map_or((0, steps.len(), false), |(first, last)| (first, last, true))
}

/// A step as scripts have it, behind the pause before it.
fn script_steps(noted: Noted) -> Vec<ScriptStep> {
    let pause = Nanos(noted.pause.0 / PAUSE_STEP * PAUSE_STEP).min(STEP_TIME_MAX);
    let (action, class) = match noted.done {
        Done::Text(text) => (Action::Text(text), Some(ClassName::KEYSTROKE)),
        Done::Keys(chord) => (Action::Key(chord), ClassName::new("key")),
        Done::Click(x, y) => (Action::Click(x, y), ClassName::new("click")),
    };
    let is_text = matches!(action, Action::Text(_));
    let step = ScriptStep {
        action,
        // What was not seen to be answered is not timed.
        class: class.filter(|_| is_text || noted.region.is_some()),
        region: noted.region.unwrap_or(Region::WHOLE),
        timeout: TIMEOUT,
    };
    let think = ScriptStep {
        action: Action::Think(pause),
        class: None,
        region: Region::WHOLE,
        timeout: TIMEOUT,
    };
    let think = (pause >= PAUSE).then_some(think);
    think.into_iter().chain([step]).collect()
}

/// The part of the screen that has changed clearly; `None` if none has.
fn region(before: &Screen, after: &Screen) -> Option<Region> {
    if before.size() != after.size() {
        return Some(Region::WHOLE);
    }
    let rect = bounds(before, after, picture::is_other)?;
    let (width, height) = after.size();
    // Outwards to a tenth of a percent.
    let edge = |place: u32, length: u16, round: fn(f64) -> f64| {
        let tenths = round(1e3 * f64::from(place) / f64::from(length));
        Percent::new((tenths / 10.0).clamp(0.0, 100.0)).unwrap_or(Percent::FULL)
    };
    let [x, y] = [rect.x, rect.y].map(u32::from);
    Some(Region {
        left: edge(x, width, f64::floor),
        top: edge(y, height, f64::floor),
        right: edge(x + u32::from(rect.width), width, f64::ceil),
        bottom: edge(y + u32::from(rect.height), height, f64::ceil),
    })
}

/// The character that a key types, by its symbol in X; `None` if it types none.
fn char_of(symbol: u32) -> Option<char> {
    if symbol == RETURN {
        return Some('\n');
    }
    let char = match symbol {
        0x20..=0x7e | 0xa0..=0xff => char::from_u32(symbol),
        0x0100_0000.. => char::from_u32(symbol & 0x00ff_ffff),
        _ => None,
    };
    char.filter(|char| !char.is_control() && symbol_of(*char) == symbol)
}

#[cfg(test)]
mod tests {
    use kneepoint_core::spec::profile::{Profile, ScriptWork, SeriesProfile};
    use proptest::prelude::*;

    use super::*;

    /// A black screen with these rectangles of white: left, top, width, height.
    fn screen(rects: &[(u16, u16, u16, u16)]) -> Screen {
        let mut client = super::super::super::rfb::Client::new(None);
        let mut bytes = b"RFB 003.008\n\x01\x01\0\0\0\0\0\xc8\0\x64".to_vec();
        bytes.extend([0; 20]);
        client.feed(&bytes).unwrap();
        for (x, y, width, height) in rects {
            let mut update = vec![0, 0, 0, 1];
            [x, y, width, height].iter().for_each(|number| update.extend(number.to_be_bytes()));
            update.extend([0; 4]);
            update.extend([0xff, 0xff, 0xff, 0].repeat(usize::from(*width) * usize::from(*height)));
            client.feed(&update).unwrap();
        }
        client.screen().clone()
    }

    fn ms(time: u64) -> Nanos {
        Nanos::from_millis(time)
    }

    fn press(notebook: &mut Notebook, symbol: u32, at: Nanos, screen: &Screen) {
        notebook.input(ViewerInput::Key(symbol, KeyWay::Down), at, screen);
        notebook.input(ViewerInput::Key(symbol, KeyWay::Up), at, screen);
    }

    fn click(notebook: &mut Notebook, place: (u16, u16), at: Nanos, screen: &Screen) {
        for buttons in [0, 1, 0] {
            notebook.input(ViewerInput::Pointer(place, buttons), at, screen);
        }
    }

    #[test]
    fn inputs_become_steps_with_the_regions_that_answer() {
        let (empty, window) = (screen(&[]), screen(&[(20, 10, 100, 50)]));
        let text = screen(&[(20, 10, 100, 50), (150, 80, 10, 10)]);
        let mut notebook = Notebook::default();
        click(&mut notebook, (10, 10), ms(0), &empty);
        let typed = "Hi\nyou";
        for (index, char) in typed.chars().enumerate() {
            press(&mut notebook, symbol_of(char), ms(4_000 + 200 * index as u64), &window);
        }
        notebook.input(ViewerInput::Key(0xffe4, KeyWay::Down), ms(5_500), &text);
        press(&mut notebook, u32::from(b'z'), ms(5_510), &text);
        notebook.input(ViewerInput::Key(0xffe4, KeyWay::Up), ms(5_520), &text);
        press(&mut notebook, 0xff1b, ms(7_500), &window);
        let recorded = notebook.finish(&empty).unwrap();
        let script = recorded.script;
        assert!(recorded.is_round && recorded.left_out == 0);
        let steps: Vec<&ScriptStep> = script.steps().collect();
        let actions: Vec<&Action> = steps.iter().map(|step| &step.action).collect();
        let key = |keys: &str| Action::Key(keys.parse().unwrap());
        assert_eq!(
            actions[1..],
            [
                &Action::Think(ms(4_000)),
                &Action::Text(typed.to_owned()),
                &key("ctrl+z"),
                &Action::Think(ms(1_900)),
                &key("escape"),
            ]
        );
        assert!(matches!(actions[0], Action::Click(x, _) if x.get() == 5.25), "{actions:?}");
        let edges = |region: Region| {
            [region.left, region.top, region.right, region.bottom].map(Percent::get)
        };
        assert_eq!(edges(steps[0].region), [10.0, 10.0, 60.0, 60.0]);
        assert_eq!(edges(steps[2].region), [75.0, 80.0, 80.0, 90.0]);
        assert_eq!(steps[3].class, ClassName::new("key"));
    }

    #[test]
    fn the_work_is_what_ends_as_it_began() {
        let (empty, window) = (screen(&[]), screen(&[(20, 10, 100, 50)]));
        let text = screen(&[(20, 10, 100, 50), (150, 80, 10, 10)]);
        let mut notebook = Notebook::default();
        // The window stays: only what is between its opening and the last key is a round.
        press(&mut notebook, 0xffbe, ms(0), &empty);
        press(&mut notebook, u32::from(b'a'), ms(500), &window);
        press(&mut notebook, 0xffff, ms(900), &text);
        press(&mut notebook, 0xffbf, ms(1_200), &window);
        let recorded = notebook.finish(&text).unwrap();
        let lengths =
            [&recorded.script.start, &recorded.script.work, &recorded.script.end].map(Vec::len);
        assert_eq!((lengths, recorded.is_round), ([1, 2, 1], true));
        let mut notebook = Notebook::default();
        press(&mut notebook, u32::from(b'a'), ms(0), &empty);
        assert!(!notebook.finish(&window).unwrap().is_round);
        assert_eq!(Notebook::default().finish(&empty), None);
    }

    #[test]
    fn what_no_script_can_say_is_counted() {
        let empty = screen(&[]);
        let mut notebook = Notebook::default();
        press(&mut notebook, u32::from(b'a'), ms(0), &empty);
        // A drag, the third button, the wheel, and a key without a name.
        for (place, buttons) in [((0, 0), 1), ((50, 50), 1), ((50, 50), 0)] {
            notebook.input(ViewerInput::Pointer(place, buttons), ms(10), &empty);
        }
        notebook.input(ViewerInput::Pointer((1, 1), 4), ms(20), &empty);
        notebook.input(ViewerInput::Pointer((1, 1), 16), ms(30), &empty);
        press(&mut notebook, 0x1008_ff13, ms(40), &empty);
        assert_eq!(notebook.finish(&empty).unwrap().left_out, 4);
    }

    proptest! {
        #[test]
        fn whatever_is_done_becomes_a_script_that_is_read(
            inputs in proptest::collection::vec((any::<bool>(), 0..0xffffu32, 0..8u8, 0..5_000u64), 1..80),
        ) {
            let screens = [screen(&[]), screen(&[(20, 10, 100, 50)])];
            let mut notebook = Notebook::default();
            press(&mut notebook, u32::from(b'a'), ms(0), &screens[0]);
            let mut at = 0;
            for (is_key, number, buttons, gap) in inputs {
                at += gap;
                let on = &screens[usize::from(number % 3 == 0)];
                match is_key {
                    true => press(&mut notebook, number, ms(at), on),
                    false => notebook.input(
                        ViewerInput::Pointer((number as u16, buttons.into()), buttons),
                        ms(at),
                        on,
                    ),
                }
            }
            if let Some(recorded) = notebook.finish(&screens[1]) {
                let work = ScriptWork {
                    name: "recorded".to_owned(),
                    title: "Recorded".to_owned(),
                    script: recorded.script,
                };
                let text = work.to_toml();
                let read = Profile::parse(&text, "a.toml").unwrap().resolve(None).unwrap();
                prop_assert_eq!(read, SeriesProfile::Script(Box::new(work)));
            }
        }
    }
}
