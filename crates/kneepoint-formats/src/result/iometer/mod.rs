//! The result file of Iometer (`results.csv`): read by the names of its columns from the versions of 2003
//! on, written in the columns of 1.1.0.

mod read;
mod write;

pub use read::{is_result, read};
pub use write::write;

/// The first line of a result file.
const FIRST: &str = "'Test Type,Test Description";

/// The columns of version 1.1.0 up to the classes of response times.
const COLUMNS: [&str; 59] = [
    "'Target Type",
    "Target Name",
    "Access Specification Name",
    "# Managers",
    "# Workers",
    "# Disks",
    "IOps",
    "Read IOps",
    "Write IOps",
    "MiBps (Binary)",
    "Read MiBps (Binary)",
    "Write MiBps (Binary)",
    "MBps (Decimal)",
    "Read MBps (Decimal)",
    "Write MBps (Decimal)",
    "Transactions per Second",
    "Connections per Second",
    "Average Response Time",
    "Average Read Response Time",
    "Average Write Response Time",
    "Average Transaction Time",
    "Average Connection Time",
    "Maximum Response Time",
    "Maximum Read Response Time",
    "Maximum Write Response Time",
    "Maximum Transaction Time",
    "Maximum Connection Time",
    "Errors",
    "Read Errors",
    "Write Errors",
    "Bytes Read",
    "Bytes Written",
    "Read I/Os",
    "Write I/Os",
    "Connections",
    "Transactions per Connection",
    "Total Raw Read Response Time",
    "Total Raw Write Response Time",
    "Total Raw Transaction Time",
    "Total Raw Connection Time",
    "Maximum Raw Read Response Time",
    "Maximum Raw Write Response Time",
    "Maximum Raw Transaction Time",
    "Maximum Raw Connection Time",
    "Total Raw Run Time",
    "Starting Sector",
    "Maximum Size",
    "Queue Depth",
    "% CPU Utilization",
    "% User Time",
    "% Privileged Time",
    "% DPC Time",
    "% Interrupt Time",
    "Processor Speed",
    "Interrupts per Second",
    "CPU Effectiveness",
    "Packets/Second",
    "Packet Errors",
    "Segments Retransmitted/Second",
];

/// The classes of response times behind them, each with its upper end in microseconds.
const CLASSES: [(&str, f64); 21] = [
    ("0 to 50 uS", 50.0),
    ("50 to 100 uS", 100.0),
    ("100 to 200 uS", 200.0),
    ("200 to 500 uS", 500.0),
    ("0.5 to 1 mS", 1e3),
    ("1 to 2 mS", 2e3),
    ("2 to 5 mS", 5e3),
    ("5 to 10 mS", 10e3),
    ("10 to 15 mS", 15e3),
    ("15 to 20 mS", 20e3),
    ("20 to 30 mS", 30e3),
    ("30 to 50 mS", 50e3),
    ("50 to 100 mS", 100e3),
    ("100 to 200 mS", 200e3),
    ("200 to 500 mS", 500e3),
    ("0.5 to 1 S", 1e6),
    ("1 to 2 s", 2e6),
    ("2 to 4.7 s", 4.7e6),
    ("4.7 to 5 s", 5e6),
    ("5 to 10 s", 10e6),
    (" >= 10 s", f64::INFINITY),
];
