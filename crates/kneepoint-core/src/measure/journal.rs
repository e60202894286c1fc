//! The journal of changed settings: what has to be undone, even after the process was killed.
//!
//! A text file of one record per line, each with a digest before it. A record is on stable storage
//! before that which it announces is done, so a line that was cut off announces nothing that
//! happened: reading ends there. What is here is the format alone; files are the device's business.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The version of the journal's format.
pub const JOURNAL_SCHEMA: &str = "kneepoint.journal/2";

/// The version before: it says neither which start of the machine nor which devices it is about.
const SCHEMA_BEFORE: &str = "kneepoint.journal/1";

/// Hexadecimal digits of the digest before each record.
const DIGEST_DIGITS: usize = 16;

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Record {
    /// The first line.
    Begin(Origin),
    /// A setting that may be changed, and how it is brought back. Its number is its place among
    /// these records, from 0.
    Setting(Undo),
    /// A setting is about to be changed.
    Change {
        /// Which setting.
        setting: usize,
        /// What it will be.
        change: SettingEvent,
    },
    /// The last change of a setting was read back.
    Verified {
        /// Which setting.
        setting: usize,
    },
    /// A setting is as it was, or was left to whoever changed it since.
    Settled {
        /// Which setting.
        setting: usize,
    },
}

/// Which run changes settings, and where.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// [`JOURNAL_SCHEMA`].
    pub schema: String,
    /// Name of the run.
    pub run: String,
    /// Name of the host.
    pub host: String,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// Where commands run.
    pub directory: String,
    /// The kernel's id of the host's boot; empty where it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub boot_id: String,
}

/// How a setting is brought back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Undo {
    /// By writing its former value.
    Write {
        /// Where it stands.
        place: SettingPlace,
        /// What it was.
        previous: String,
        /// Whose setting it was; nothing where that is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        identity: Option<SettingIdentity>,
    },
    /// By the user's own command.
    Run {
        /// Name of the factor.
        factor: String,
        /// Program and arguments.
        restore: Vec<String>,
        /// The block device that it names, if it names one: after a restart of the machine that may
        /// be another.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        device: Option<String>,
    },
}

/// What tells a device, as long as the machine is not restarted, from others that have its name
/// before or after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingIdentity {
    /// Inode of the setting's file.
    pub inode: u64,
    /// `MAJOR:MINOR`.
    pub number: String,
    /// The number that the kernel gave to the disk or to its medium when it came, and gives to no
    /// other (`diskseq`, Linux 5.15).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
}

/// A setting of the kernel: a file, and where in it the value stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingPlace {
    /// Name of the factor.
    pub factor: String,
    /// Kernel name of the device.
    pub device: String,
    /// Absolute path of the file.
    pub file: String,
    /// How the value is in it.
    pub form: Form,
}

/// How a value is in a file of the kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Form {
    /// It is the file's content.
    Plain,
    /// The word in brackets among all that are possible.
    Choice,
    /// `write back` for on, `write through` for off.
    WriteCache,
    /// Control groups, first version: a line `MAJOR:MINOR VALUE`; none means no limit.
    Throttle {
        /// Number of the device.
        number: String,
    },
    /// Control groups, second version: a line `MAJOR:MINOR key=value ...`; none means no limit.
    Limit {
        /// Number of the device.
        number: String,
        /// `riops`, `wiops`, `rbps` or `wbps`.
        key: String,
    },
    /// Control groups: microseconds of processor time in each period, in `cpu.cfs_quota_us` (first version) or
    /// `cpu.max` (second); `max` means no limit.
    Quota,
}

/// What a setting is brought to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SettingEvent {
    /// A value of the kernel, as it reads back.
    Value(String),
    /// What the user's own command is to bring about.
    Level {
        /// The level.
        level: String,
        /// The command that tells what the setting is.
        check: Vec<String>,
        /// What it then has to print.
        expect: String,
    },
}

/// A journal as it was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Journal {
    /// Which run; `None` where not even the first line is whole: then nothing was changed.
    pub origin: Option<Origin>,
    /// The settings, in the order of their numbers.
    pub settings: Vec<Left>,
    /// Whether something follows the last line that is whole and is not just one that was cut off.
    pub is_damaged: bool,
}

/// A setting of a journal, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// How it is brought back.
    pub undo: Undo,
    /// What it may have been brought to: the last change, and the one before as long as the last
    /// was not read back. Empty where it was never touched.
    pub changes: Vec<SettingEvent>,
    /// Whether the last change was read back.
    pub verified: bool,
    /// Whether it is done with.
    pub settled: bool,
}

impl Left {
    /// Whether there is something to bring back.
    pub fn is_open(&self) -> bool {
        !self.settled && !self.changes.is_empty()
    }
}

impl Record {
    /// The record as a line, with its digest and its end.
    pub fn line(&self) -> String {
        let json = serde_json::to_string(self).expect("a record is plain data");
        format!("{} {json}\n", digest(&json))
    }
}

impl Journal {
    /// Reads a journal as far as it is whole; never fails.
    pub fn parse(text: &[u8]) -> Self {
        let mut journal = Self::default();
        let mut lines = text.split_inclusive(|byte| *byte == b'\n');
        for line in lines.by_ref() {
            let is_taken = record(line).is_some_and(|record| journal.take(record));
            if !is_taken {
                // A line without an end was cut off; anything else is damage.
                journal.is_damaged = line.last() == Some(&b'\n') || lines.next().is_some();
                break;
            }
        }
        journal
    }

    /// Whether there is something to bring back.
    pub fn is_open(&self) -> bool {
        self.settings.iter().any(Left::is_open)
    }

    /// Whether something of it is brought back by a command.
    pub fn has_commands(&self) -> bool {
        let mut open = self.settings.iter().filter(|left| left.is_open());
        open.any(|left| matches!(left.undo, Undo::Run { .. }))
    }

    /// Adds a record; tells whether it fits.
    pub fn take(&mut self, record: Record) -> bool {
        match (record, &self.origin) {
            (Record::Begin(origin), None)
                if [JOURNAL_SCHEMA, SCHEMA_BEFORE].contains(&origin.schema.as_str()) =>
            {
                self.origin = Some(origin);
            }
            (_, None) | (Record::Begin(_), Some(_)) => return false,
            (Record::Setting(undo), Some(_)) => {
                let left = Left { undo, changes: Vec::new(), verified: false, settled: false };
                self.settings.push(left);
            }
            (Record::Change { setting, change }, Some(_)) => {
                let Some(left) = self.settings.get_mut(setting) else { return false };
                if left.verified {
                    left.changes.drain(..left.changes.len().saturating_sub(1));
                }
                left.changes.push(change);
                (left.verified, left.settled) = (false, false);
            }
            (Record::Verified { setting }, Some(_)) => {
                let Some(left) = self.settings.get_mut(setting) else { return false };
                left.changes.drain(..left.changes.len().saturating_sub(1));
                left.verified = true;
            }
            (Record::Settled { setting }, Some(_)) => {
                let Some(left) = self.settings.get_mut(setting) else { return false };
                left.settled = true;
            }
        }
        true
    }
}

/// The record of a whole line with the right digest.
fn record(line: &[u8]) -> Option<Record> {
    let text = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (sum, json) = text.split_once(' ')?;
    (sum == digest(json)).then(|| serde_json::from_str(json).ok())?
}

fn digest(json: &str) -> String {
    let bytes = Sha256::digest(json.as_bytes());
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    hex[..DIGEST_DIGITS].to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn begin() -> Record {
        let schema = JOURNAL_SCHEMA.to_owned();
        Record::Begin(Origin { schema, run: "r1".to_owned(), ..Origin::default() })
    }

    fn write(previous: &str) -> Record {
        let place = SettingPlace {
            factor: "scheduler".to_owned(),
            device: "sda".to_owned(),
            file: "/sys/block/sda/queue/scheduler".to_owned(),
            form: Form::Choice,
        };
        let identity =
            Some(SettingIdentity { inode: 7, number: "8:0".to_owned(), sequence: Some(u64::MAX) });
        Record::Setting(Undo::Write { place, previous: previous.to_owned(), identity })
    }

    fn change(setting: usize, value: &str) -> Record {
        Record::Change { setting, change: SettingEvent::Value(value.to_owned()) }
    }

    fn text(records: &[Record]) -> String {
        records.iter().map(Record::line).collect()
    }

    #[test]
    fn changes_are_forgotten_once_a_later_one_was_read_back() {
        let mut records = vec![begin(), write("none"), change(0, "bfq")];
        let values = |records: &[Record]| Journal::parse(text(records).as_bytes()).settings;
        assert_eq!(values(&records)[0].changes, [SettingEvent::Value("bfq".to_owned())]);
        records.push(Record::Verified { setting: 0 });
        records.push(change(0, "kyber"));
        let both = ["bfq", "kyber"].map(|word| SettingEvent::Value(word.to_owned()));
        assert_eq!(values(&records)[0].changes, both);
        assert!(!values(&records)[0].verified);
        records.push(Record::Verified { setting: 0 });
        assert_eq!(values(&records)[0].changes, both[1..]);
        records.push(Record::Settled { setting: 0 });
        assert!(!Journal::parse(text(&records).as_bytes()).is_open());
    }

    #[test]
    fn a_journal_of_the_version_before_is_read() {
        let lines = [
            r#"{"begin":{"schema":"kneepoint.journal/1","run":"r1","host":"h","started_at":"","directory":"/"}}"#,
            r#"{"setting":{"write":{"place":{"factor":"scheduler","device":"sda","file":"/sys/block/sda/queue/scheduler","form":"choice"},"previous":"none"}}}"#,
            r#"{"setting":{"run":{"factor":"raid","restore":["true"]}}}"#,
            r#"{"change":{"setting":0,"change":{"value":"bfq"}}}"#,
        ];
        let text: String = lines.map(|json| format!("{} {json}\n", digest(json))).concat();
        let journal = Journal::parse(text.as_bytes());
        assert!(journal.is_open() && !journal.is_damaged, "{journal:?}");
        assert_eq!(journal.origin.unwrap().boot_id, "");
        let identity = |left: &Left| match &left.undo {
            Undo::Write { identity, .. } => identity.is_some(),
            Undo::Run { device, .. } => device.is_some(),
        };
        assert_eq!(journal.settings.iter().map(identity).collect::<Vec<_>>(), [false, false]);
    }

    #[test]
    fn what_does_not_fit_is_damage() {
        let check = |text: &str, expected: bool| {
            let journal = Journal::parse(text.as_bytes());
            assert_eq!(journal.is_damaged, expected, "{text}");
        };
        let good = text(&[begin(), write("none")]);
        check(&good, false);
        check(&good[..good.len() - 1], false);
        check(&good.replace("none", "bfq"), true);
        check(&format!("{good}{}", change(1, "bfq").line()), true);
        check(&write("none").line(), true);
        check(&format!("{good}garbage\n"), true);
        check("", false);
    }

    fn any_record() -> impl Strategy<Value = Record> {
        prop_oneof![
            "[ -~]{0,12}".prop_map(|previous| write(&previous)),
            ("[a-z]{1,5}", prop::collection::vec("[ -~]{0,9}", 1..4)).prop_map(
                |(factor, restore)| {
                    Record::Setting(Undo::Run { factor, restore, device: None })
                }
            ),
            (0..4_usize, "[ -~]{0,9}").prop_map(|(setting, value)| change(setting, &value)),
            (0..4_usize).prop_map(|setting| Record::Verified { setting }),
            (0..4_usize).prop_map(|setting| Record::Settled { setting }),
        ]
    }

    proptest! {
        #[test]
        fn a_journal_cut_off_anywhere_is_what_was_whole(
            records in prop::collection::vec(any_record(), 0..12), at in any::<prop::sample::Index>(),
        ) {
            let mut all = vec![begin()];
            // Only records that fit what is before them: as the program writes them.
            for record in records {
                let mut journal = Journal::parse(text(&all).as_bytes());
                if journal.take(record.clone()) {
                    all.push(record);
                }
            }
            let whole = text(&all);
            let cut = at.index(whole.len() + 1);
            let found = Journal::parse(&whole.as_bytes()[..cut]);
            let lines = whole.as_bytes()[..cut].iter().filter(|byte| **byte == b'\n').count();
            prop_assert_eq!(&found, &Journal::parse(text(&all[..lines]).as_bytes()));
            prop_assert!(!found.is_damaged);
        }

        #[test]
        fn bytes_of_any_kind_are_read(bytes in any::<Vec<u8>>()) {
            let _ = Journal::parse(&bytes);
        }

        #[test]
        fn a_scratched_journal_keeps_what_is_before_the_scratch(
            at in any::<prop::sample::Index>(), byte in any::<u8>(),
        ) {
            let all = [begin(), write("none"), change(0, "bfq"), Record::Verified { setting: 0 }];
            let mut bytes = text(&all).into_bytes();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let lines = text(&all).as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
            let found = Journal::parse(&bytes);
            prop_assert!(found.settings.len() >= lines.saturating_sub(1).min(1));
        }
    }
}
