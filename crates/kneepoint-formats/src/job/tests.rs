//! Jobs as they are told apart, and what is never done with them.

use super::*;

#[track_caller]
fn told(name: &str, text: &str, expected: Option<(JobFormat, ToldBy)>) {
    assert_eq!(JobFormat::told(name, text), expected, "{name}: {text}");
}

#[test]
fn content_tells_the_format_before_the_ending() {
    let icf = "Version 1.1.0 \r\n'ACCESS SPECIFICATIONS ===\r\n";
    told("a.txt", icf, Some((JobFormat::Iometer, ToldBy::Content)));
    told("a.ini", "; x\n[a]\nrw=read\n", Some((JobFormat::Fio, ToldBy::Content)));
    told("a.ini", "[Unit]\nType=simple\n", None);
    told("a.fio", "[a]\n", Some((JobFormat::Fio, ToldBy::Ending)));
    told("a.txt", "* x\nsd=sd1,lun=/dev/x\n", Some((JobFormat::Vdbench, ToldBy::Content)));
    told("a.ICF", "", Some((JobFormat::Iometer, ToldBy::Ending)));
    told("a.toml", "name = \"a\"\n", None);
    told("a.txt", "Version 1.1.0\nof something else\n", None);
}

#[test]
fn a_text_of_megabytes_is_refused() {
    let text = " ".repeat(TEXT_BYTES_MAX + 1);
    let text = JobText { file: "a.icf", text: &text };
    let fault = read((JobFormat::Iometer, ToldBy::Ending), text, &NoSurroundings).unwrap_err();
    assert_eq!(fault.what(), "a.icf: the file is longer than 1 MiB");
}

#[test]
fn a_conduct_is_said_in_options_of_the_command_line() {
    assert_eq!(Conduct::default().options(), "");
    let all = Conduct {
        time: Some(Nanos::from_secs(60)),
        ramp: Some(Nanos::from_millis(500)),
        workers: Some(2),
        engine: Some(Engine::Libaio),
        caching: Some(Caching::Buffered),
        arrivals: Some(Arrivals::Constant),
    };
    assert_eq!(
        all.options(),
        "--time 60s --ramp 500ms --workers 2 --engine libaio --buffered --arrivals constant"
    );
}
