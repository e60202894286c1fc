//! Who is on the way into a fleet: those who were given a line to join with, those who came with it, and
//! those who stay for one run.

use std::time::{Duration, Instant};

use kneepoint_core::words::fault::Fault;
use kneepoint_net::wire::{Enrolment, PROTOCOL};
use kneepoint_net::{Access, PublicKey};

use super::kept::Roster;

/// A host that was welcomed is heard under its own key within this time, or has not joined.
const CONFIRM: Duration = Duration::from_secs(60);

/// For how long a host belongs to the fleet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stay {
    /// Until it is removed, under the name that it gives itself.
    Lasting,
    /// For this run, under this name.
    Run(String),
}

/// A line that hosts can join with.
#[derive(Debug)]
struct Invitation {
    /// The public half of its token.
    token: PublicKey,
    stay: Stay,
    /// How many more hosts it is good for.
    left: usize,
}

/// A host and the key of its agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Guest {
    pub(super) host: String,
    pub(super) key: PublicKey,
}

/// A host that was welcomed, and has not been heard since.
#[derive(Debug)]
struct Joining {
    guest: Guest,
    token: PublicKey,
    since: Instant,
}

/// A host that has joined.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Joined {
    pub(super) guest: Guest,
    pub(super) stay: Stay,
}

/// Who is on the way into a fleet.
#[derive(Debug, Default)]
pub(super) struct Guests {
    invitations: Vec<Invitation>,
    joining: Vec<Joining>,
    /// Those who stay for one run.
    staying: Vec<Guest>,
}

impl Guests {
    /// Those who stay for one run, with the keys of their agents.
    pub(super) fn keys(&self) -> impl Iterator<Item = (String, PublicKey)> + '_ {
        self.staying.iter().map(|guest| (guest.host.clone(), guest.key.clone()))
    }

    /// Whoever has the other half of `token` may join; it is good for `count` hosts.
    pub(super) fn invite(&mut self, token: PublicKey, (stay, count): (Stay, usize)) {
        self.invitations.push(Invitation { token, stay, left: count });
    }

    /// Lets a host in that comes with `token`, until it is heard; `None` if there is no such token any
    /// more, even if the server still lets it in.
    pub(super) fn welcome(
        &mut self,
        token: &str,
        (enrolment, roster): (Option<Enrolment>, &Roster),
        now: Instant,
    ) -> Option<Result<(), Fault>> {
        let invitation = self.invitations.iter().position(|one| one.token.to_string() == token)?;
        let enrolment = enrolment.ok_or_else(|| {
            Fault::new("the controller does not understand this host").fix(SAME_VERSION)
        });
        let welcomed = enrolment
            .and_then(|enrolment| self.check(&self.invitations[invitation], enrolment, roster));
        Some(welcomed.map(|guest| {
            if !self.is_known(&guest, roster) {
                let token = self.invitations[invitation].token.clone();
                self.joining.push(Joining { guest, token, since: now });
            }
        }))
    }

    /// Whether a host was welcomed, or has joined, with this key.
    fn is_known(&self, guest: &Guest, roster: &Roster) -> bool {
        let mut listed = roster.hosts().iter();
        self.agents().any(|known| known == guest)
            || listed.any(|known| known.host == guest.host && known.key == guest.key)
    }

    /// The host that asks, if it may join.
    fn check(
        &self,
        invitation: &Invitation,
        Enrolment { protocol, host, key }: Enrolment,
        roster: &Roster,
    ) -> Result<Guest, Fault> {
        if protocol != PROTOCOL {
            let what = format!("{host} speaks protocol {protocol}, this controller {PROTOCOL}");
            return Err(Fault::new(what).fix(SAME_VERSION));
        }
        let guest = Guest { host, key };
        if self.is_known(&guest, roster) {
            // It asks until it hears an answer.
            return Ok(guest);
        }
        match &invitation.stay {
            Stay::Lasting => roster.check_new(&guest.host)?,
            Stay::Run(expected) if *expected == guest.host => {}
            Stay::Run(expected) => {
                return Err(Fault::new(format!("{} came in place of {expected}", guest.host)));
            }
        }
        if self.joining.iter().any(|joining| joining.guest.host == guest.host) {
            let seconds = CONFIRM.as_secs();
            return Err(Fault::new(format!("another host {} is joining just now", guest.host))
                .fix(format!("give this one another name (--name), or try again in {seconds} s")));
        }
        let under_way = self.joining.iter().filter(|joining| joining.token == invitation.token);
        match under_way.count() < invitation.left {
            true => Ok(guest),
            false => Err(Fault::new("as many hosts have joined with this line as it is good for")
                .fix("let `kneepoint hosts join` print another one")),
        }
    }

    /// A host is heard under its own key; gives it if it has joined by that.
    pub(super) fn hear(&mut self, host: &str) -> Option<Joined> {
        let place = self.joining.iter().position(|joining| joining.guest.host == host)?;
        let Joining { guest, token, .. } = self.joining.remove(place);
        let invitation = self.invitations.iter_mut().find(|one| one.token == token)?;
        let stay = invitation.stay.clone();
        invitation.left -= 1;
        self.invitations.retain(|one| one.left > 0);
        if stay != Stay::Lasting {
            self.staying.push(guest.clone());
        }
        Some(Joined { guest, stay })
    }

    /// Forgets those who were welcomed and are not heard: their line stays good. Gives their names.
    pub(super) fn forget_silent(&mut self, now: Instant) -> Vec<String> {
        let is_silent = |joining: &Joining| now.duration_since(joining.since) > CONFIRM;
        let silent = self.joining.iter().filter(|joining| is_silent(joining));
        let silent = silent.map(|joining| joining.guest.host.clone()).collect();
        self.joining.retain(|joining| !is_silent(joining));
        silent
    }

    /// Those who are let in as agents beside the hosts of the list.
    pub(super) fn agents(&self) -> impl Iterator<Item = &Guest> {
        self.joining.iter().map(|joining| &joining.guest).chain(&self.staying)
    }

    /// What lets those in who have a token of the fleet `name`.
    pub(super) fn newcomers(&self, name: &str) -> impl Iterator<Item = Access> {
        self.invitations
            .iter()
            .map(move |one| Access::Newcomer { fleet: name.to_owned(), token: one.token.clone() })
    }
}

/// How hosts of another version are mended.
const SAME_VERSION: &str = "use the same version of Kneepoint on all hosts";

#[cfg(test)]
mod tests {
    use kneepoint_net::SecretKey;

    use super::*;

    fn key() -> PublicKey {
        SecretKey::generate().public()
    }

    fn enrolment(host: &str, key: &PublicKey) -> Option<Enrolment> {
        Some(Enrolment { protocol: PROTOCOL, host: host.to_owned(), key: key.clone() })
    }

    /// A fleet, and a line to it for this number of hosts.
    struct Lab {
        guests: Guests,
        roster: Roster,
        token: String,
        now: Instant,
        _state: tempfile::TempDir,
    }

    impl Lab {
        fn new(stay: Stay, count: usize) -> Self {
            let state = tempfile::tempdir().unwrap();
            let roster = Roster::open(state.path()).unwrap();
            let (mut guests, token) = (Guests::default(), key());
            guests.invite(token.clone(), (stay, count));
            let now = Instant::now();
            Self { guests, roster, token: token.to_string(), now, _state: state }
        }

        fn welcome(&mut self, host: &str, key: &PublicKey) -> Result<(), Fault> {
            let asked = (enrolment(host, key), &self.roster);
            self.guests.welcome(&self.token, asked, self.now).expect("the token is good")
        }
    }

    #[test]
    fn a_host_has_joined_once_it_is_heard() {
        let (mut lab, own) = (Lab::new(Stay::Lasting, 1), key());
        lab.welcome("a", &own).unwrap();
        assert_eq!(lab.guests.agents().count(), 1, "it is let in");
        lab.welcome("a", &own).unwrap();
        assert!(lab.welcome("b", &key()).is_err(), "the line is good for one host");
        assert_eq!(lab.guests.hear("b"), None);
        let joined = lab.guests.hear("a").unwrap();
        assert_eq!((joined.guest.key, joined.stay), (own.clone(), Stay::Lasting));
        let asked = (enrolment("a", &own), &lab.roster);
        assert!(lab.guests.welcome(&lab.token, asked, lab.now).is_none(), "the token is used");
        assert_eq!(lab.guests.newcomers("lab").count(), 0);
    }

    #[test]
    fn a_host_that_is_not_heard_again_takes_no_name_and_no_line() {
        let mut lab = Lab::new(Stay::Lasting, 1);
        lab.welcome("a", &key()).unwrap();
        let fault = lab.welcome("a", &key()).unwrap_err();
        assert!(fault.what().contains("joining just now"), "{fault}");
        assert!(lab.guests.forget_silent(lab.now + CONFIRM).is_empty());
        lab.now += CONFIRM + Duration::from_secs(1);
        assert_eq!(lab.guests.forget_silent(lab.now), ["a"]);
        assert_eq!(lab.guests.agents().count(), 0);
        lab.welcome("a", &key()).unwrap();
        assert!(lab.guests.hear("a").is_some());
    }

    #[test]
    fn a_line_can_be_good_for_several_hosts() {
        let mut lab = Lab::new(Stay::Lasting, 2);
        for host in ["a", "b"] {
            lab.welcome(host, &key()).unwrap();
        }
        assert!(lab.welcome("c", &key()).is_err());
        assert!(lab.guests.hear("a").is_some() && lab.guests.hear("b").is_some());
        assert_eq!(lab.guests.newcomers("lab").count(), 0);
    }

    #[test]
    fn a_host_that_asks_again_is_answered_as_before() {
        let (mut lab, own) = (Lab::new(Stay::Lasting, 2), key());
        lab.welcome("a", &own).unwrap();
        let joined = lab.guests.hear("a").unwrap();
        lab.roster.add(vec![(joined.guest.host, joined.guest.key)]).unwrap();
        lab.welcome("a", &own).unwrap();
        assert_eq!(lab.guests.agents().count(), 0, "it has joined once");
        let fault = lab.welcome("a", &key()).unwrap_err();
        assert!(fault.what().contains("there is a host a in this fleet already"), "{fault}");
    }

    #[test]
    fn who_stays_for_a_run_comes_under_the_name_that_is_expected() {
        let mut lab = Lab::new(Stay::Run("far".to_owned()), 1);
        assert!(lab.welcome("near", &key()).is_err());
        lab.welcome("far", &key()).unwrap();
        assert_eq!(lab.guests.hear("far").unwrap().stay, Stay::Run("far".to_owned()));
        assert_eq!(lab.guests.agents().count(), 1, "for the run");
        let other =
            (Some(Enrolment { protocol: 0, host: "a".to_owned(), key: key() }), &lab.roster);
        assert!(lab.guests.welcome(&lab.token, other, lab.now).is_none());
    }
}
