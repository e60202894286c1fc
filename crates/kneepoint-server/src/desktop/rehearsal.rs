//! The rehearsal: one user plays the script slowly, and what the screen shows after each beat is what a
//! response to it looks like.

use kneepoint_core::measure::{Observer, Stop};
use kneepoint_core::spec::profile::Region;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::client::{Door, Event, FAREWELL, Leave, ScreenClient};
use super::net::{Arrival, Net, What};
use super::picture::{CHANGED_MAX, Moment, Picture, difference};
use super::playbook::{Beat, END, Input, Playbook, START, WORK, waits_behind};
use super::screen::Screen;

/// How long the screen stands still once a stroke is shown, and once anything else is.
const STROKE_QUIET: Nanos = Nanos::from_millis(60);
const STEP_QUIET: Nanos = Nanos::from_millis(400);
/// The same where applications begin and end.
const ACT_QUIET: Nanos = Nanos::from_secs(2);
/// How long a change is waited for that may never come.
const STROKE_PATIENCE: Nanos = Nanos::from_secs(2);
/// However much a screen moves, it is taken as it is after this time.
const RESTLESS: Nanos = Nanos::from_secs(10);
/// Between the strokes of a round that only brings the application to where the next one begins.
const HASTE: Nanos = Nanos::from_millis(15);

/// The one who rehearses.
struct Rehearsal<'a> {
    net: &'a mut dyn Net,
    observer: &'a dyn Observer,
    client: Box<dyn ScreenClient>,
}

/// How long a screen is watched.
#[derive(Debug, Clone, Copy)]
struct Patience {
    /// Until it has stood still for so long.
    quiet: Nanos,
    /// So long at the most if it does not change at all.
    patience: Nanos,
}

/// Learns what each beat of `book` shows at the screen of the first user here, who has this number among all.
///
/// # Errors
/// When the screen cannot be reached, does not show what is timed, or the observer asks to stop.
pub(crate) fn rehearse(
    book: &mut Playbook,
    (net, door, number): (&mut dyn Net, &dyn Door, usize),
    observer: &dyn Observer,
) -> Result<(), Stop> {
    let client = door.client(number)?;
    net.connect(0)?;
    let mut rehearsal = Rehearsal { net, observer, client };
    rehearsal.answer();
    let learnt = rehearsal.learn(book);
    let left = rehearsal.leave();
    rehearsal.net.close(0);
    learnt.and(left)
}

impl Rehearsal<'_> {
    fn learn(&mut self, book: &mut Playbook) -> Result<(), Stop> {
        let waiting = Patience { quiet: ACT_QUIET, patience: Nanos::from_secs(30) };
        self.settle(waiting)?;
        let desktop = self.client.screen().clone();
        let (width, height) = desktop.size();
        let black = Screen::new(width, height)
            .ok_or_else(|| Fault::new("the server sent no screen within 30 s"))?;
        book.logon = Picture::of_change((&black, &desktop, &desktop), Region::WHOLE);
        let [start, work, end] = &mut book.acts;
        self.act(start, START)?;
        self.hasten(work)?;
        let before = self.client.screen().clone();
        self.act(work, WORK)?;
        let after = self.client.screen();
        let changed = difference(&before, after);
        if changed > CHANGED_MAX {
            return Err(Fault::new("the script's work does not end as it began")
                .because(format!(
                    "after a round {:.1} % of the screen differ from what was there before it",
                    100.0 * changed
                ))
                .fix("let the [[work]] undo what it did, with ctrl+a and delete for example")
                .into());
        }
        self.act(end, END)
    }

    /// Sends what the client has to say.
    fn answer(&mut self) {
        let output = self.client.take_output();
        if !output.is_empty() {
            self.net.send(0, &output);
        }
    }

    /// Leaves the session; what the server says of its end is no matter.
    fn leave(&mut self) -> Result<(), Stop> {
        if self.client.leave() == Leave::Close {
            return Ok(());
        }
        self.answer();
        let deadline = self.net.now() + FAREWELL;
        while self.net.now() < deadline {
            self.observer.go_on()?;
            let until = self.net.now() + STEP_QUIET;
            if self.watch(until.min(deadline)).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Plays the beats of an act, and learns what each shows.
    fn act(&mut self, beats: &mut [Beat], act: usize) -> Result<(), Stop> {
        // What was there before the last beat, and after it.
        let mut last: Option<(usize, Screen, Screen)> = None;
        for index in 0..beats.len() {
            if let Input::Pause(_) | Input::Wait(_) = beats[index].input {
                continue;
            }
            let before = self.client.screen().clone();
            self.input(&beats[index].input);
            let waits = waits_behind(beats, index);
            self.settle(patience(&beats[index], waits, act))?;
            let after = self.client.screen().clone();
            waits.iter().try_for_each(|wait| check_wait(wait, (&before, &after)))?;
            // Its response is whatever comes.
            let is_open = !waits.is_empty() && beats[index].class.is_none();
            if let Some((stroke, before, shown)) = last.take() {
                learn_beat(&mut beats[stroke], (&before, &shown, &after))?;
            }
            // The picture of a stroke lasts while the next ones are typed.
            let is_followed = |beat: &Beat| matches!(beat.input, Input::Stroke(_));
            let next_too = beats.get(index + 1).is_some_and(is_followed);
            if is_followed(&beats[index]) && next_too {
                last = Some((index, before, after));
            } else if !is_open {
                learn_beat(&mut beats[index], (&before, &after, &after))?;
            }
        }
        Ok(())
    }

    /// Plays a round without learning from it.
    fn hasten(&mut self, beats: &[Beat]) -> Result<(), Stop> {
        for (index, beat) in beats.iter().enumerate() {
            self.input(&beat.input);
            match beat.input {
                Input::Stroke(_) if index + 1 < beats.len() => {
                    let until = self.net.now() + HASTE;
                    self.watch(until)?;
                }
                Input::Pause(_) | Input::Wait(_) => {}
                _ => self.settle(patience(beat, waits_behind(beats, index), WORK))?,
            }
        }
        self.settle(Patience { quiet: STEP_QUIET, patience: STEP_QUIET })
    }

    /// Does what a user does.
    fn input(&mut self, input: &Input) {
        input.send_to(&mut *self.client);
        self.answer();
    }

    /// Watches the screen until it stands still; a change that may come is waited for.
    fn settle(&mut self, Patience { quiet, patience }: Patience) -> Result<(), Stop> {
        let begun = self.net.now();
        let mut last = None;
        loop {
            self.observer.go_on()?;
            let now = self.net.now();
            let until = last.map_or(begun + patience, |last| last + quiet);
            if now >= until || last.is_some() && now.since(begun) > RESTLESS + patience {
                return Ok(());
            }
            if self.watch(until.min(now + STEP_QUIET))? {
                last = Some(self.net.now());
            }
        }
    }

    /// Takes what comes until `deadline`, or until the screen has changed; gives whether it has.
    fn watch(&mut self, deadline: Nanos) -> Result<bool, Fault> {
        let mut arrivals: Vec<Arrival> = Vec::new();
        self.net.wait(deadline, &mut arrivals);
        let mut has_changed = false;
        for arrival in arrivals {
            let bytes = match arrival.what {
                What::Bytes(bytes) => bytes,
                What::Closed(why) => {
                    return Err(Fault::new("the server ended the session of the rehearsal")
                        .because(why)
                        .fix("look at the server's log: it has ended, or takes no more sessions"));
                }
            };
            has_changed |= self.client.feed(&bytes)?.contains(&Event::Updated);
            self.answer();
        }
        Ok(has_changed)
    }
}

/// How long the screen is watched after a beat with these waits behind it.
fn patience(beat: &Beat, waits: &[Beat], act: usize) -> Patience {
    if let Some(longest) = waits.iter().map(|wait| wait.timeout).max() {
        return Patience { quiet: ACT_QUIET, patience: longest.max(beat.timeout) };
    }
    match (&beat.input, act) {
        (Input::Stroke(_), _) => Patience { quiet: STROKE_QUIET, patience: STROKE_PATIENCE },
        (_, WORK) => Patience { quiet: STEP_QUIET, patience: beat.timeout },
        _ => Patience { quiet: ACT_QUIET, patience: beat.timeout },
    }
}

/// Refuses a wait that is timed if nothing of its region changes.
fn check_wait(wait: &Beat, (before, after): (&Screen, &Screen)) -> Result<(), Fault> {
    let is_seen = Moment::of(before, wait.region).differs_from(after, wait.region);
    match is_seen || wait.class.is_none() {
        true => Ok(()),
        false => Err(not_shown(wait)),
    }
}

/// That nothing tells a response which is timed.
fn not_shown(beat: &Beat) -> Fault {
    Fault::new("the screen does not show a response that is timed")
        .because(format!("nothing changed in its region within {}", beat.timeout))
        .fix(
            "look at the screen with a viewer: a server that lets no one in shows that alone (is the password \
             right?). Otherwise leave out the class of the step, or correct its region or its keys",
        )
}

/// Keeps what a beat shows.
fn learn_beat(beat: &mut Beat, screens: (&Screen, &Screen, &Screen)) -> Result<(), Fault> {
    beat.picture = Picture::of_change(screens, beat.region);
    let is_key = !matches!(beat.input, Input::Stroke(_));
    if is_key && beat.class.is_some() && beat.picture.is_none() {
        return Err(not_shown(beat));
    }
    Ok(())
}
