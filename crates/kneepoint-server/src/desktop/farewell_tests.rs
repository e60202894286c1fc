//! Sessions that the server ends when it is asked to, in virtual time.

use std::sync::Arc;

use kneepoint_core::measure::Observer;
use kneepoint_core::spec::profile::{Profile, SeriesProfile};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::client::{Door, Event, FAREWELL, KeyWay, Leave, ScreenClient};
use super::fake::{FakeModel, FakeRfb, LOG_OFF, Obeys};
use super::floor::Floor;
use super::playbook::Playbook;
use super::rehearsal::rehearse;
use super::rfb;
use super::screen::Screen;
use super::user::{Ending, Response};

struct Patient;

impl Observer for Patient {}

/// A door whose users log off by a key.
struct Polite;

struct PoliteClient(rfb::Client);

impl Door for Polite {
    fn client(&self, _user: usize) -> Result<Box<dyn ScreenClient>, Fault> {
        Ok(Box::new(PoliteClient(rfb::Client::new(None))))
    }
}

impl ScreenClient for PoliteClient {
    fn screen(&self) -> &Screen {
        self.0.screen()
    }

    fn take_output(&mut self) -> Vec<u8> {
        self.0.take_output()
    }

    fn key(&mut self, symbol: u32, way: KeyWay) {
        self.0.key(symbol, way);
    }

    fn pointer(&mut self, place: (u16, u16), buttons: u8) {
        self.0.pointer(place, buttons);
    }

    fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Event>, Fault> {
        self.0.feed(bytes)
    }

    fn leave(&mut self) -> Leave {
        self.0.key(LOG_OFF, KeyWay::Down);
        self.0.key(LOG_OFF, KeyWay::Up);
        Leave::Await
    }
}

/// Logons within ten minutes of a user with sessions of one round, at a server that `obeys` or not.
fn logons(obeys: Obeys) -> Vec<Response> {
    let text = "name = \"short\"\ntitle = \"Short\"\nrounds = 1\n[[work]]\ntext = \"the quick\"\n\
                region = [0, 12.5, 100, 100]\n[[work]]\nkey = \"ctrl+a\"\n[[work]]\nkey = \"delete\"\n\
                region = [0, 12.5, 100, 100]\n";
    let script = match Profile::parse(text, "a.toml").unwrap().resolve(None).unwrap() {
        SeriesProfile::Script(work) => work.script,
        other => panic!("{other:?}"),
    };
    let mut net = FakeRfb::new(FakeModel { obeys, ..FakeModel::default() }, 1);
    let mut book = Playbook::of(&script);
    rehearse(&mut book, (&mut net, &Polite, 0), &Patient).unwrap();
    let mut floor = Floor::new(net, Arc::new(Polite));
    floor.seat(1, (&Arc::new(book), 1));
    floor.settle(&Patient).unwrap();
    let responses = floor.play_for(Nanos::from_secs(600)).unwrap();
    assert!(responses.iter().all(|response| response.end == Ending::Seen));
    responses.into_iter().filter(|response| response.class == 0).collect()
}

#[test]
fn a_session_ends_when_the_server_has_ended_it_or_its_time_is_over() {
    let (prompt, stubborn) = (logons(Obeys::Yes).len(), logons(Obeys::No).len());
    // Each session takes the same time but for its end.
    let lengths = [prompt, stubborn].map(|count| 600.0 / count as f64);
    let longer = lengths[1] - lengths[0];
    let expected = FAREWELL.0 as f64 / 1e9;
    assert!((longer - expected).abs() < 1.0, "{lengths:?}: {longer} s longer, not {expected}");
}
