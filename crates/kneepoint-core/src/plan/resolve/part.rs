//! What of the wishes for a campaign is for one of its parts.

use super::Wishes;
use crate::plan::TypedLoads;
use crate::spec::campaign::{Campaign, CampaignPart};
use crate::spec::suite::Suite;
use crate::words::fault::Fault;
use crate::words::load::LoadUnit;

impl Wishes {
    /// The wishes for a part of a campaign, whose work is `suite`. Load levels, and whatever only one kind of
    /// work knows, are for work of that kind; what is said of targets is for the parts that measure those of
    /// the command line; the rest is for all.
    #[must_use]
    pub fn for_part(&self, part: &CampaignPart, suite: &Suite) -> Self {
        let unit = load_unit(suite);
        let own = |loads: &TypedLoads| typed_unit(loads).is_some_and(|typed| is_alike(typed, unit));
        let loads = self.loads.clone().filter(own);
        let peak_warehouses = self.peak_warehouses.filter(|_| unit == LoadUnit::Warehouses);
        let wishes = Self { loads, peak_warehouses, ..self.clone() };
        let wishes = if unit == LoadUnit::Copies { wishes.without_times() } else { wishes };
        match part.target {
            None => wishes,
            Some(_) => wishes.without_targets(),
        }
    }

    /// The wishes but for times of points, which copies of programs do not have.
    fn without_times(self) -> Self {
        Self { time: None, min_time: None, max_time: None, ramp: None, steady_state: None, ..self }
    }

    /// The wishes but for what is said of targets and of how I/O is issued.
    fn without_targets(self) -> Self {
        let nothing = Self::default();
        Self {
            size: nothing.size,
            blocks: nothing.blocks,
            arrivals: nothing.arrivals,
            rules: nothing.rules,
            steady_state: nothing.steady_state,
            factors: nothing.factors,
            design: nothing.design,
            order: nothing.order,
            is_preconditioned: nothing.is_preconditioned,
            engine: nothing.engine,
            caching: nothing.caching,
            memory_pages: nothing.memory_pages,
            workers: nothing.workers,
            ..self
        }
    }

    /// Refuses wishes that none of the parts of a campaign would heed.
    ///
    /// # Errors
    /// When there is one; the fault names it.
    pub fn check_parts(&self, campaign: &Campaign, suites: &[Suite]) -> Result<(), Fault> {
        let is_there = |unit: LoadUnit| suites.iter().any(|suite| is_alike(unit, load_unit(suite)));
        let name = &campaign.name;
        match self.loads.as_ref().map(typed_unit) {
            Some(None) => {
                return Err(Fault::new(format!(
                    "the parts of '{name}' have loads of several kinds"
                ))
                .because("--load does not say of which")
                .fix("name the kind: --outstanding, --rate, --users, --warehouses or --copies"));
            }
            Some(Some(unit)) if !is_there(unit) => {
                return Err(Fault::new(format!(
                    "no part of '{name}' has loads in {}",
                    unit.label()
                ))
                .fix(format!("leave them out; `kneepoint catalog {name}` shows the parts")));
            }
            _ => {}
        }
        match self.peak_warehouses {
            Some(_) if !is_there(LoadUnit::Warehouses) => {
                Err(Fault::new(format!("no part of '{name}' has warehouses"))
                    .because("--peak-warehouses is for business operations")
                    .fix("leave it out"))
            }
            _ => Ok(()),
        }
    }
}

/// The unit of load levels that were typed, if they have one.
fn typed_unit(loads: &TypedLoads) -> Option<LoadUnit> {
    match loads {
        TypedLoads::Of(loads) => Some(loads.unit()),
        TypedLoads::OfAnyUnit(_) => None,
    }
}

/// Whether loads of both units can be those of one profile.
fn is_alike(a: LoadUnit, b: LoadUnit) -> bool {
    let general = |unit| match unit {
        LoadUnit::OfferedIops | LoadUnit::OutstandingOperations => LoadUnit::OutstandingIos,
        other => other,
    };
    general(a) == general(b)
}

/// The unit of the loads of a suite's first series, or that of I/O if its profile is not known.
fn load_unit(suite: &Suite) -> LoadUnit {
    let first = suite.series.first().and_then(|series| suite.profile(&series.profile).ok());
    first.map_or(LoadUnit::OutstandingIos, |profile| profile.load_unit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::catalog;
    use crate::spec::grid::Loads;
    use crate::words::units::{Bytes, GIB, Nanos};

    fn wishes(unit: LoadUnit) -> Wishes {
        Wishes {
            size: Some(Bytes(GIB)),
            loads: Some(TypedLoads::Of(Loads::parse("1,2", unit).unwrap())),
            repeat: Some(3),
            time: Some(Nanos::from_secs(1)),
            ..Wishes::default()
        }
    }

    fn server() -> (Campaign, Vec<Suite>) {
        let campaign = catalog::campaign("server").unwrap().unwrap();
        let suites = campaign.parts.iter().map(|part| catalog::work(&part.work).unwrap());
        let suites = suites.collect();
        (campaign, suites)
    }

    #[test]
    fn each_part_gets_what_is_for_it() {
        let (campaign, suites) = server();
        for (unit, expected) in [
            (LoadUnit::Copies, [true, false, false, false]),
            (LoadUnit::Warehouses, [false, true, false, false]),
            (LoadUnit::OutstandingIos, [false, false, true, false]),
            (LoadUnit::OfferedIops, [false, false, true, false]),
            (LoadUnit::Users, [false, false, false, true]),
        ] {
            let all = wishes(unit);
            all.check_parts(&campaign, &suites).unwrap();
            for ((part, suite), is_for_it) in campaign.parts.iter().zip(&suites).zip(expected) {
                let own = all.for_part(part, suite);
                assert_eq!(own.loads.is_some(), is_for_it, "{unit:?} {}", part.work);
                assert_eq!(own.size.is_some(), part.target.is_none(), "{}", part.work);
                assert_eq!(own.repeat, Some(3));
                assert_eq!(own.time.is_some(), part.work != "processor", "{}", part.work);
            }
        }
    }

    #[test]
    fn what_no_part_would_heed_is_refused() {
        let (mut campaign, mut suites) = server();
        let said = |wishes: &Wishes, (campaign, suites): (&Campaign, &[Suite])| {
            wishes.check_parts(campaign, suites).unwrap_err().to_string()
        };
        let users = wishes(LoadUnit::Users);
        users.check_parts(&campaign, &suites).unwrap();
        let last = campaign.parts.len() - 1;
        let fewer = Campaign { parts: campaign.parts[..last].to_vec(), ..campaign.clone() };
        assert!(
            said(&users, (&fewer, &suites[..last]))
                .contains("no part of 'server' has loads in users")
        );
        let any =
            Wishes { loads: Some(TypedLoads::OfAnyUnit("1".to_owned())), ..Wishes::default() };
        assert!(said(&any, (&campaign, &suites)).contains("several kinds"));
        let peak = Wishes { peak_warehouses: Some(2), ..Wishes::default() };
        peak.check_parts(&campaign, &suites).unwrap();
        campaign.parts.remove(1);
        suites.remove(1);
        assert!(said(&peak, (&campaign, &suites)).contains("has warehouses"));
    }
}
