//! Noticing that a host is lost.

use std::collections::BTreeSet;

use kneepoint_core::measure::Stop;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::number::Span;
use kneepoint_core::words::units::Nanos;

use super::Exchange;
use crate::version::There;

impl Exchange {
    /// Names of those that are lost.
    pub(in crate::fleet) fn lost_hosts(&self) -> Vec<String> {
        let lost = self.members.iter().filter(|member| member.lost.is_some());
        lost.map(|member| member.name.clone()).collect()
    }

    /// That hosts did not answer a greeting.
    pub(super) fn unanswered(&mut self, missing: &BTreeSet<usize>, wait: Nanos) -> Stop {
        let names: Vec<String> =
            missing.iter().map(|number| self.members[*number].name.clone()).collect();
        let names = names.join(", ");
        let fault = Fault::new(format!("{names} did not answer"))
            .because(format!("no agent was heard there for {}", Span(wait)))
            .fix("look after the hosts and their agents; `kneepoint resume` goes on with a run");
        for number in missing {
            self.members[*number].lost = Some(fault.clone());
        }
        Stop::Lost { host: names, fault }
    }

    /// Refuses hosts that are waited for if they say of themselves that they speak another version: they may
    /// never answer in a way that is understood here.
    pub(super) fn refuse_other_versions(&self, missing: &BTreeSet<usize>) -> Result<(), Fault> {
        let other = self.here.try_iter().find_map(|message| {
            let number = self.sender_of(&message).filter(|number| missing.contains(number))?;
            match There::decode(&message.payload)? {
                There::Same(_) => None,
                There::Other(version) => Some(version.fault(&self.members[number].name)),
            }
        });
        other.map_or(Ok(()), Err)
    }

    /// Has someone left the bus who was there?
    pub(super) fn look_for_gone(&mut self) -> Result<(), Stop> {
        let mut gone = self.gone.try_iter().filter_map(|message| self.sender_of(&message));
        let gone = gone.find(|number| {
            let member = &self.members[*number];
            member.lost.is_none() && member.nonce.is_some()
        });
        gone.map_or(
            Ok(()),
            |number| Err(self.lose(number, "its agent has left the bus".to_owned())),
        )
    }

    /// Is someone lost who was not before?
    pub(super) fn look_for_lost(&mut self, now: Nanos) -> Result<(), Stop> {
        let (since, lease) = (now.since(self.looked), self.patience.lease);
        if since < self.patience.look() {
            return Ok(());
        }
        self.looked = now;
        if since.0 > lease.0 / 2 {
            // No one was listened to for a while: silence says nothing.
            self.members.iter_mut().for_each(|member| member.heard = now);
            return Ok(());
        }
        let lost = self.members.iter().filter(|member| member.lost.is_none()).find_map(|member| {
            let silent = now.since(member.heard);
            let cause = match member.words.missing(now) > lease {
                _ if silent > lease => format!("its agent was not heard for {}", Span(silent)),
                true => "a message of its agent did not come in".to_owned(),
                false => return None,
            };
            Some((member.number, cause))
        });
        lost.map_or(Ok(()), |(number, cause)| Err(self.lose(number, cause)))
    }

    /// Notes that a host is lost, and why.
    pub(super) fn lose(&mut self, number: usize, cause: String) -> Stop {
        let member = &mut self.members[number];
        let fault = Fault::new(format!("{} is lost", member.name)).because(cause).fix(
            "look after that host and its agent; `kneepoint resume` measures the rest with all \
              of them",
        );
        member.lost = Some(fault.clone());
        Stop::Lost { host: member.name.clone(), fault }
    }

    /// Refuses to go on without a host.
    pub(super) fn refuse_lost(&self) -> Result<(), Stop> {
        let lost = self.members.iter().find_map(|member| Some((member, member.lost.clone()?)));
        match lost {
            None => Ok(()),
            Some((member, fault)) => Err(Stop::Lost { host: member.name.clone(), fault }),
        }
    }
}
