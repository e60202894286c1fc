//! Any text is a job of each format or a fault, and what is written of a job is read again.
//!
//! `cargo +nightly fuzz run job fuzz/corpus/job examples/jobs`

#![no_main]

use kneepoint_formats::job::{JobFormat, JobText, Surroundings, ToldBy, read, write};
use libfuzzer_sys::fuzz_target;

/// One file, which includes itself, and one variable.
struct Around<'a>(&'a str);

impl Surroundings for Around<'_> {
    fn included(&self, name: &str) -> Result<String, String> {
        if name == "self" { Ok(self.0.to_owned()) } else { Err("none".to_owned()) }
    }

    fn variable(&self, name: &str) -> Option<String> {
        (name == "TARGET").then(|| "./t.dat".to_owned())
    }
}

fuzz_target!(|text: &str| {
    let _ = JobFormat::told("fuzz", text);
    for format in [JobFormat::Iometer, JobFormat::Fio, JobFormat::Vdbench] {
        let text = JobText { file: "fuzz", text };
        let Ok(job) = read((format, ToldBy::Content), text, &Around(text.text)) else { continue };
        for other in [JobFormat::Iometer, JobFormat::Fio] {
            let Ok(written) = write(other, (&job.suite, "fuzz"), Some(job.conduct)) else { continue };
            let text = JobText { file: "again", text: &written.text };
            read((other, ToldBy::Content), text, &Around("")).expect("what was written is read");
        }
    }
});
