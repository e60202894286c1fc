//! A backend that notes what it is asked for, and the plans that are driven on it.

use std::collections::BTreeMap;

use kneepoint_core::load::backend::{Backend, Completion, Content, Direction, Flush, Io};
use kneepoint_core::load::drive::{Flow, Watch, WorkerTask, drive};
use kneepoint_core::load::record::interval::IntervalRecord;
use kneepoint_core::load::stream::{Stream, assign};
use kneepoint_core::plan::{
    Arrivals, Caching, Engine, EnginePlan, OpenLoop, PLAN_SCHEMA, Plan, SeriesPlan, StopRule,
    TargetKind, TargetPlan, Timing,
};
use kneepoint_core::spec::catalog;
use kneepoint_core::spec::grid::{LoadGrid, SearchPlan};
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::units::Nanos;

/// Bytes of every target.
pub(crate) const SIZE: u64 = 8 << 20;

/// What a traced I/O was: target, direction, offset, bytes, content.
pub(crate) type Issued = (u32, Direction, u64, u32, Content);

/// A plan of one series of a shipped profile on files of [`SIZE`].
pub(crate) fn plan(profile: &str, engine: Engine, target_count: usize) -> Plan {
    let profile = catalog::profile(profile).unwrap().resolve(None).unwrap();
    let target = TargetPlan {
        target: "file".to_owned(),
        host: String::new(),
        kind: TargetKind::File,
        size_bytes: SIZE,
        alignment_bytes: 1,
    };
    let loads = LoadGrid { unit: LoadLevel::outstanding(1).unit, levels: vec![1.0] };
    Plan {
        schema: PLAN_SCHEMA.to_owned(),
        work: "test".to_owned(),
        title: "Test".to_owned(),
        seed: 3,
        targets: vec![target; target_count],
        first_target: 0,
        share: kneepoint_core::plan::HostShare::WHOLE,
        engine: EnginePlan { engine, caching: Caching::Buffered, memory_pages: None, workers: 1 },
        series: vec![SeriesPlan {
            name: "test".to_owned(),
            profile,
            factors: BTreeMap::new(),
            settings: BTreeMap::new(),
            loads,
            search: SearchPlan::Grid,
            together: None,
        }],
        factors: None,
        repetitions: 1,
        rounds: None,
        rules: Vec::new(),
        reference: None,
        target_class: None,
        open_loop: OpenLoop { arrivals: Arrivals::Exponential, in_flight_max: 64 },
        precondition: None,
        verification: None,
        timing: Timing {
            ramp: Nanos::ZERO,
            interval: Nanos::from_millis(20),
            stop: StopRule::FixedTime { measure: Nanos::from_millis(100) },
            drain_max: Nanos::from_secs(10),
        },
        errors_max: 0,
        foreign_cpu_max: None,
        file_copy: None,
        omissions: Vec::new(),
    }
}

/// Notes what is issued.
struct Tracing<B> {
    inner: B,
    issued: Vec<Issued>,
}

impl<B: Backend> Backend for Tracing<B> {
    fn now(&self) -> Nanos {
        self.inner.now()
    }

    fn submit(&mut self, io: Io) {
        self.issued.push((io.target, io.direction, io.offset, io.bytes, io.content));
        self.inner.submit(io);
    }

    fn flush(&mut self, flush: Flush) {
        self.inner.flush(flush);
    }

    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        self.inner.wait(deadline, done);
    }
}

/// Stops once enough I/Os have completed, however long that takes.
struct Enough {
    left: u64,
}

impl Watch for Enough {
    fn interval(&mut self, record: IntervalRecord) -> Flow {
        self.left = self.left.saturating_sub(record.total().operations);
        if self.left == 0 { Flow::Stop } else { Flow::Continue }
    }
}

/// The first I/Os that `backend` is asked for by `plan` at `slots` outstanding I/Os.
pub(crate) fn trace<B: Backend>(
    backend: std::io::Result<B>,
    plan: &Plan,
    slots: u32,
) -> Vec<Issued> {
    let workers = assign(plan, LoadLevel::outstanding(slots), 11);
    let profile = plan.series[0].profile.storage().unwrap();
    let streams = workers[0].streams.iter().map(|s| Stream::new(profile, s).unwrap()).collect();
    let mut backend = Tracing { inner: backend.unwrap(), issued: Vec::new() };
    let epoch = backend.now();
    let duty = WorkerTask::new(plan, &workers[0], epoch);
    let driven = drive(&mut backend, &duty, streams, &mut Enough { left: 200 });
    assert_eq!(driven.errors.count(), 0);
    assert_eq!(driven.lost, 0);
    backend.issued
}
