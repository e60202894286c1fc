//! Other programs before a point: what keeps the machine from being quiet.

use super::device::OPERATIONS_MIN;
use super::{OTHERS_SHARE_MAX, Observation};

/// In the last 10 s something waited for a processor for more than this share of the time, in
/// percent: points that begin now are likely to be disturbed.
const PRESSURE_PERCENT_MAX: f64 = 10.0;

/// What other programs do on a machine on which nothing is measured, in words; `None` if that can
/// disturb a point by no more than points tolerate.
///
/// Quiet is a machine whose processors others use for at most 5 % of their time, and whose devices
/// serve fewer I/Os per second than a machine makes by itself.
pub fn unrest(observation: &Observation) -> Option<String> {
    let processor = observation.processor.as_ref().filter(|time| time.capacity_s > 0.0);
    let share = processor.map_or(0.0, |time| (time.others_s() / time.capacity_s).min(1.0));
    let mut seen = Vec::new();
    if share > OTHERS_SHARE_MAX {
        let percent = 100.0 * share;
        seen.push(format!("other programs use {percent:.0} % of the processor time"));
    }
    for device in observation.devices.iter().filter(|_| observation.seconds > 0.0) {
        let rate = (device.read.operations + device.written.operations) / observation.seconds;
        if rate > OPERATIONS_MIN {
            seen.push(format!("{} serves {rate:.0} IO/s of others", device.name));
        }
    }
    (!seen.is_empty()).then(|| seen.join(", "))
}

/// What is said before the first point of a machine on which programs waited for a processor for
/// this share of the last 10 s, in percent; `None` if that was little.
pub fn pressure_note(waited_percent: f64) -> Option<String> {
    (waited_percent > PRESSURE_PERCENT_MAX).then(|| {
        format!(
            "the machine is busy: in the last 10 s programs waited for a processor for \
             {waited_percent:.0} % of the time, and points may be disturbed; --wait-quiet 60s waits \
             until it is quiet"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Accounting, DeviceTraffic, ProcessorTime, Traffic};
    use super::*;

    /// Two seconds on two processors of which others used `user_s`, with `operations` of others.
    fn watched(user_s: f64, operations: f64) -> Observation {
        let read = Traffic { operations, bytes: operations * 4096.0 };
        let processor = ProcessorTime { capacity_s: 4.0, user_s, ..ProcessorTime::default() };
        let device = DeviceTraffic {
            name: "sda".to_owned(),
            targets: vec![0],
            read,
            written: Traffic::default(),
            accounting: Accounting::Exact,
            needs_kernel_threads: false,
            cached_bytes: None,
        };
        Observation {
            seconds: 2.0,
            processor: Some(processor),
            devices: vec![device],
            ..Observation::default()
        }
    }

    #[test]
    fn a_quiet_machine_is_one_with_little_of_others() {
        let check = |user_s, operations, expected: Option<&str>| {
            assert_eq!(unrest(&watched(user_s, operations)).as_deref(), expected);
        };
        check(0.0, 0.0, None);
        check(0.19, 100.0, None);
        check(1.0, 0.0, Some("other programs use 25 % of the processor time"));
        check(0.0, 400.0, Some("sda serves 200 IO/s of others"));
        let both = "other programs use 50 % of the processor time, sda serves 100 IO/s of others";
        check(2.0, 200.0, Some(both));
        assert_eq!(unrest(&Observation::default()), None);
    }

    #[test]
    fn only_a_busy_machine_is_told_of() {
        assert_eq!(pressure_note(0.0), None);
        assert_eq!(pressure_note(10.0), None);
        let note = pressure_note(43.2).unwrap();
        assert!(note.contains("for 43 % of the time"), "{note}");
    }
}
