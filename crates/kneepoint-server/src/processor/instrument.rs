//! Measures points of copies: rounds in which all of them begin together.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use kneepoint_core::load::drive::{Flow, Watch};
use kneepoint_core::load::record::interval::{IntervalRecord, Shape};
use kneepoint_core::measure::measurement::Measurement;
use kneepoint_core::measure::rounds::Round;
use kneepoint_core::measure::{Coordinator, Instrument, Observer, Outcome, Point, Stop};
use kneepoint_core::plan::{Plan, StopRule};
use kneepoint_core::spec::profile::{MemberWork, SeriesProfile};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::number::Span;
use kneepoint_core::words::units::Nanos;

use super::attempts::{Attempt, Attempts, Enough};
use super::copy::{Contestant, Right, Said, StartedCopy, Word};
use super::external::OutsideMember;
use super::own::OwnMember;
use super::places;
use super::programs::Programs;
use super::waits::{DoneCopy, Waits, spread};
use super::workshop::{Workshop, check_programs};
use crate::instrument::observed;
use crate::testbed::{Surroundings, Watcher};

/// Copies that are started are ready within this time.
const READY: Duration = Duration::from_secs(60);

/// A copy hangs after this many times the seconds of the reference machine, times the copies that share a
/// processor: machines of today are at most some ten times slower.
const HANGING_TIMES: u32 = 30;

/// No copy hangs before.
const HANGING_LEAST: Duration = Duration::from_secs(600);

/// The same where it is not known how long the work takes.
const HANGING_UNKNOWN: Duration = Duration::from_secs(86_400);

/// The processors as an instrument.
pub(crate) struct ProcessorInstrument<'a> {
    surroundings: &'a dyn Surroundings,
    /// Kneepoint's own programs, once they are found.
    programs: OnceCell<Programs>,
    /// The folders of the user's own programs, once these are ready.
    workshop: Option<Workshop>,
    /// What the result says of the latter.
    facts: BTreeMap<String, String>,
}

impl<'a> ProcessorInstrument<'a> {
    /// An instrument on a machine that `surroundings` know.
    pub(crate) const fn new(surroundings: &'a dyn Surroundings) -> Self {
        Self { surroundings, programs: OnceCell::new(), workshop: None, facts: BTreeMap::new() }
    }

    /// Looks for the programs of `plan`; starts none but Kneepoint's own.
    ///
    /// # Errors
    /// When one is missing.
    pub(crate) fn check(&self, plan: &Plan) -> Result<(), Fault> {
        if plan.series.iter().any(|series| series.profile.member().is_some()) {
            self.programs()?;
        }
        plan.external_members().try_for_each(check_programs)
    }

    fn programs(&self) -> Result<&Programs, Fault> {
        match self.programs.get() {
            Some(programs) => Ok(programs),
            None => {
                let found = Programs::find()?;
                Ok(self.programs.get_or_init(|| found))
            }
        }
    }

    /// Builds what the programs of `plan` need that are the user's own.
    ///
    /// # Errors
    /// When a command fails, or the observer asks to stop.
    pub(crate) fn make_ready(
        &mut self,
        plan: &Plan,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        if self.workshop.is_some() || plan.external_members().next().is_none() {
            return Ok(());
        }
        let workshop = Workshop::make()?;
        let mut go_on = || !observer.is_stop_asked();
        for member in plan.external_members() {
            if !workshop.build(member, &mut go_on)? {
                return Err(Stop::Asked);
            }
            let facts = workshop.facts(member, &mut go_on)?.ok_or(Stop::Asked)?;
            self.facts.extend(facts);
        }
        self.workshop = Some(workshop);
        Ok(())
    }

    /// How the programs were compiled, and which ones those of the user are, for the environment of a result.
    pub(crate) fn facts(&self) -> BTreeMap<String, String> {
        let own = self.programs.get().map(Programs::facts).unwrap_or_default();
        own.into_iter().chain(self.facts.clone()).collect()
    }

    /// The program of which a series has copies.
    fn contestant<'b>(
        &'b self,
        profile: &'b SeriesProfile,
        copies: usize,
    ) -> Result<Box<dyn Contestant + 'b>, Fault> {
        if let Some(work) = profile.member() {
            let program = self.programs()?.get(work.program);
            return Ok(Box::new(OwnMember { program, work, surroundings: self.surroundings }));
        }
        match (profile.external(), &self.workshop) {
            (Some(work), Some(workshop)) => Ok(Box::new(OutsideMember {
                member: &work.external,
                workshop,
                reap: self.surroundings.reaper(),
                copies,
                results: RefCell::default(),
            })),
            _ => Err(Fault::new("the work of the series is no program that is ready")),
        }
    }
}

impl Instrument for ProcessorInstrument<'_> {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        let StopRule::Rounds { accuracy: wanted, rounds_min, rounds_max, .. } =
            point.plan.timing.stop
        else {
            return Err(Fault::new("copies of programs are measured in rounds").into());
        };
        let copies = point.load.value as usize;
        let (profile, factors) = (&point.series.profile, &point.series.factors);
        let cpus = places::at(point.plan, factors, self.surroundings.cpus());
        let quota = places::quota(point.plan, factors);
        let bench = Bench {
            contestant: self.contestant(profile, copies)?,
            longest: longest(
                Nanos::from_secs_f64(profile.weight()),
                copies,
                quota.unwrap_or(f64::MAX).min(cpus.len() as f64),
            ),
            cpus,
            interval: Duration::from_nanos(point.plan.timing.interval.0),
        };
        let mut overseer = Coordinator::new(point, observer);
        overseer.ready()?;
        let mut watcher = self.surroundings.watch();
        watcher.read(0);
        let mut intervals = 0;
        let mut attempts =
            Attempts::new(Enough { accuracy: wanted.fraction(), rounds_min, rounds_max });
        while !attempts.are_enough() {
            let mut own = self.surroundings.watch();
            own.read(0);
            let Some(done) = bench.round(copies, (&mut overseer, &mut intervals))? else {
                return Err(Stop::Asked);
            };
            own.read(1);
            attempts.push(Attempt {
                round: Round { copies: done.iter().map(|copy| copy.elapsed).collect() },
                waits: Waits::of(&done, bench.cpus.len(), quota),
                seen: own.finish(0..1),
            });
            watcher.read(attempts.len());
        }
        Ok(outcome(&attempts, wanted.fraction(), watcher))
    }
}

/// What the rounds that count come to; `whole` has watched the machine during all rounds.
fn outcome(attempts: &Attempts, accuracy: f64, whole: Box<dyn Watcher>) -> Outcome {
    let measurement =
        Measurement::of_rounds(&attempts.rounds(), MemberWork::class_name(), accuracy);
    let left_out = attempts.left_out();
    let mut outcome = match &left_out {
        // Short rounds are seen only together.
        None => observed(measurement, whole),
        Some(_) => {
            let (seen, cpu_percent) = attempts.seen().unzip();
            let observations = seen.into_iter().collect();
            let cpu_percent = cpu_percent.unwrap_or_default();
            Outcome { cpu_percent, observations, ..Outcome::new(measurement, &[]) }
        }
    };
    if left_out.is_none() {
        for seen in &mut outcome.observations {
            let waits = attempts.counted().map(|attempt| &attempt.waits);
            let window = seen.window.clone();
            Waits::sum(waits.skip(window.start).take(window.len())).tell(seen);
        }
    }
    outcome.warnings.extend(left_out);
    outcome.warnings.extend(attempts.waits().warning());
    outcome
}

/// How long a round may take with this number of copies and the time of as many processors, of which one takes
/// `reference` on the reference machine.
fn longest(reference: Nanos, copies: usize, cpus: f64) -> Duration {
    let turns = (copies as f64 / cpus.max(0.001)).ceil() as u32;
    match reference {
        Nanos::ZERO => HANGING_UNKNOWN,
        Nanos(once) => (HANGING_TIMES * turns * Duration::from_nanos(once)).max(HANGING_LEAST),
    }
}

/// What a round needs.
struct Bench<'a> {
    contestant: Box<dyn Contestant + 'a>,
    cpus: Vec<usize>,
    interval: Duration,
    /// Copies that take longer hang.
    longest: Duration,
}

impl Bench<'_> {
    /// Lets `copies` work once, and judges what they have computed; `None` if the observer asks to stop.
    fn round(
        &self,
        copies: usize,
        told: (&mut Coordinator<'_>, &mut u64),
    ) -> Result<Option<Vec<DoneCopy>>, Stop> {
        let (sender, words) = channel();
        let processes = self.contestant.processes(copies);
        let mut started: Vec<Box<dyn StartedCopy>> = Vec::with_capacity(processes);
        for number in 0..processes {
            let cpu = number % self.cpus.len().max(1);
            // A harness spreads its copies over all processors itself.
            let cpus =
                if processes == copies { self.cpus.get(cpu..=cpu) } else { Some(&*self.cpus) };
            let cpus = cpus.unwrap_or_default();
            started.push(self.contestant.start(number, cpus, sender.clone())?);
        }
        drop(sender);
        let (overseer, intervals) = told;
        let mut hall = Hall { bench: self, words, overseer, intervals };
        if !hall.wait_until_ready(processes)? {
            return Ok(None);
        }
        let begun = Instant::now();
        started.iter_mut().for_each(|copy| copy.release());
        let Some(mut done) = hall.wait_until_done(processes, begun)? else { return Ok(None) };
        for (number, copy) in done.iter_mut().enumerate() {
            let mut go_on = || hall.overseer.look(Nanos::ZERO) != Flow::Stop;
            match self.contestant.check(number, &copy.report, &mut go_on)? {
                None => return Ok(None),
                Some(Right::AsSeen) => {}
                Some(Right::Took(time)) => copy.elapsed = time,
            }
        }
        Ok(Some(spread(done, copies)))
    }

    fn hangs(&self, copy: usize) -> Fault {
        Fault::new(format!("copy {} of the member '{}' hangs", copy + 1, self.contestant.member()))
            .because(format!(
                "it had no result after {}, and was ended",
                Span(Nanos::from_secs_f64(self.longest.as_secs_f64()))
            ))
            .fix(format!("run it by itself: {}", self.contestant.by_itself(copy)))
    }
}

/// Where copies are listened to.
struct Hall<'a, 'b, 'c> {
    bench: &'a Bench<'b>,
    words: Receiver<Word>,
    overseer: &'a mut Coordinator<'c>,
    /// Intervals of the point so far.
    intervals: &'a mut u64,
}

impl Hall<'_, '_, '_> {
    /// The next word; `None` if none came for an interval.
    fn hear(&self) -> Option<Word> {
        self.words.recv_timeout(self.bench.interval).ok()
    }

    /// Whether all copies are ready to begin; not if the observer asks to stop.
    fn wait_until_ready(&mut self, copies: usize) -> Result<bool, Fault> {
        let begun = Instant::now();
        let mut ready = 0;
        while ready < copies {
            match self.hear() {
                Some(Word { said: Said::Ready, .. }) => ready += 1,
                Some(Word { said: Said::Failed(fault), .. }) => return Err(fault),
                Some(Word { said: Said::Done(_), .. }) => return Err(out_of_turn()),
                None if begun.elapsed() > READY => {
                    return Err(Fault::new("copies of a program do not begin")
                        .because(format!("{ready} of {copies} were ready after {READY:?}"))
                        .fix("use fewer --copies, or look at what else the machine does"));
                }
                None => {}
            }
            if self.overseer.look(Nanos::ZERO) == Flow::Stop {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What all copies did since `begun`; `None` if the observer asks to stop.
    fn wait_until_done(
        &mut self,
        copies: usize,
        begun: Instant,
    ) -> Result<Option<Vec<DoneCopy>>, Stop> {
        let mut done: Vec<Option<DoneCopy>> = (0..copies).map(|_| None).collect();
        let mut told = Instant::now();
        while done.iter().any(Option::is_none) {
            match self.hear() {
                Some(Word { copy, said: Said::Done(report), at }) => {
                    let elapsed = at.saturating_duration_since(begun).as_nanos();
                    let elapsed = Nanos(u64::try_from(elapsed).unwrap_or(u64::MAX));
                    done[copy] = Some(DoneCopy { elapsed, report });
                }
                Some(Word { said: Said::Failed(fault), .. }) => return Err(fault.into()),
                Some(Word { said: Said::Ready, .. }) => return Err(out_of_turn().into()),
                None => {}
            }
            if begun.elapsed() > self.bench.longest
                && let Some(hanging) = done.iter().position(Option::is_none)
            {
                return Err(self.bench.hangs(hanging).into());
            }
            while told.elapsed() >= self.bench.interval {
                told += self.bench.interval;
                // Only that time goes by: what counts is a round.
                let shape = Shape { targets: 1, classes: 1, uncounted: 0 };
                let record = IntervalRecord::empty(*self.intervals, shape);
                *self.intervals += 1;
                self.overseer.interval(record);
                if self.overseer.is_stopped() {
                    return Ok(None);
                }
            }
        }
        Ok(Some(done.into_iter().flatten().collect()))
    }
}

/// The fault of a copy that is ready twice, or done before it has begun.
fn out_of_turn() -> Fault {
    Fault::new("a copy does not do as it is told")
        .because("it says something out of turn")
        .fix("build the programs again by `cargo xtask members`")
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use kneepoint_core::analysis::summarize_plan;
    use kneepoint_core::measure::point::point_result;
    use kneepoint_core::plan::TargetKind;
    use kneepoint_core::plan::resolve::Serves;
    use kneepoint_core::result::{PointResult, SaturationStatus};
    use kneepoint_core::words::load::LoadLevel;

    use super::*;
    use crate::fixture::{Impatient, Unknown, plan_of, point};

    #[test]
    fn how_long_a_copy_may_take_follows_from_its_work() {
        let mut work = plan_of(PROFILE, WHAT).series[0].profile.member().unwrap().clone();
        let check = |work: &MemberWork, copies: usize, seconds: u64| {
            assert_eq!(
                longest(work.reference, copies, 2.0),
                Duration::from_secs(seconds),
                "{copies} copies"
            );
        };
        check(&work, 4, 600);
        work.reference = Nanos::from_secs(30);
        check(&work, 2, 900);
        check(&work, 3, 1_800);
        work.reference = Nanos::ZERO;
        check(&work, 1, 86_400);
    }

    const PROFILE: &str = "name = \"c\"\ntitle = \"C\"\nmember = \"chess\"\nflags = \"base\"\n\
        scale = \"test\"\n";

    const WHAT: (TargetKind, Serves) = (TargetKind::Processor, Serves::Copies);

    /// Both programs in `folder`, whose copies never end.
    fn sleepers(folder: &Path) {
        for flags in ["base", "peak"] {
            let (version, path) = (env!("CARGO_PKG_VERSION"), format!("kneepoint-members-{flags}"));
            let path = folder.join(path);
            let about = format!(
                "{{\"version\":\"{version}\",\"profile\":\"{flags}\",\"compiler\":\"\",\"target_cpu\":\"\",\
                 \"flags\":{{\"opt_level\":\"\",\"rustflags\":\"\",\"cflags\":\"\"}}}}"
            );
            let script = format!(
                "#!/bin/sh\nif [ \"$1\" = about ]; then echo '{about}'; exit; fi\n\
                 echo '{{\"ready\":true}}'; read -r line; exec sleep 1000\n"
            );
            std::fs::write(&path, script).unwrap();
            std::fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        }
    }

    #[test]
    fn a_copy_that_hangs_is_ended_and_said() {
        let folder = tempfile::tempdir().unwrap();
        sleepers(folder.path());
        let programs = Programs::in_folder(folder.path()).unwrap();
        let plan = plan_of(PROFILE, WHAT);
        let point = point(&plan, LoadLevel::copies(2));
        let work = point.series.profile.member().unwrap();
        let bench = Bench {
            contestant: Box::new(OwnMember {
                program: programs.get(work.program),
                work,
                surroundings: &Unknown,
            }),
            cpus: vec![0, 1],
            interval: Duration::from_millis(10),
            longest: Duration::from_millis(50),
        };
        let mut observer = Impatient(u32::MAX);
        let mut overseer = Coordinator::new(&point, &mut observer);
        let Err(stop) = bench.round(2, (&mut overseer, &mut 0)) else { panic!("they sleep") };
        assert!(stop.to_string().contains("copy 1 of the member 'chess' hangs"), "{stop}");
    }

    /// What copies on as many processors come to, of which each has work for a second: the load of the knee, if
    /// throughput stops rising there, and the load up to which a copy takes no more than 1.5 times as long as one.
    fn knee(cpus: usize) -> (f64, SaturationStatus, Option<f64>) {
        let plan = plan_of(&format!("{PROFILE}copies = \"1..4\"\n"), WHAT);
        let of = |copies: u32| {
            let round = |off: f64| {
                let sharing = |copy: usize| (copies as usize - copy % cpus).div_ceil(cpus) as f64;
                let elapsed = |copy| Nanos::from_secs_f64(off * sharing(copy));
                Round { copies: (0..copies as usize).map(elapsed).collect() }
            };
            let rounds = [1.0, 1.001, 0.999].map(round);
            let name = MemberWork::class_name();
            let measurement = Measurement::of_rounds(&rounds, name, 0.05);
            let point = point(&plan, LoadLevel::copies(copies));
            point_result(&point, &Outcome::new(measurement, &[]))
        };
        let points: Vec<PointResult> = (1..=4).map(of).collect();
        let summary = summarize_plan(&points, &plan).remove(0);
        let saturation = summary.saturation.unwrap();
        (saturation.load, saturation.status, summary.sustained.load)
    }

    #[test]
    fn copies_have_their_knee_at_the_number_of_processors() {
        assert_eq!(knee(2), (2.0, SaturationStatus::Reached, Some(2.0)));
        // Between one copy and two that take twice as long, the curve meets 1.5 times in the middle.
        assert_eq!(knee(1), (1.0, SaturationStatus::Reached, Some(1.5)));
        let (load, status, sustained) = knee(4);
        assert_eq!((load, status), (4.0, SaturationStatus::Rising), "no knee among 4 copies");
        assert_eq!(sustained, Some(4.0));
    }
}
