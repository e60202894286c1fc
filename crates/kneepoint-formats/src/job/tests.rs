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
        memory_pages: Some(MemoryPages::Huge),
        arrivals: Some(Arrivals::Constant),
    };
    assert_eq!(
        all.options(),
        "--time 60s --ramp 500ms --workers 2 --engine libaio --buffered --huge-pages --arrivals constant"
    );
}

#[test]
fn texts_are_utf8_or_latin1_and_not_utf16() {
    let of = |bytes: &[u8]| decoded("a.icf", bytes.to_vec());
    assert_eq!(of("gr\u{fc}n".as_bytes()).unwrap(), "gr\u{fc}n");
    assert_eq!(of(b"gr\xfcn").unwrap(), "gr\u{fc}n");
    assert_eq!((of(b"").unwrap(), of(b"a\0").unwrap()), (String::new(), "a\0".to_owned()));
    let wide = |text: &str| text.encode_utf16().collect::<Vec<_>>();
    let little: Vec<u8> =
        wide("[a]\nrw=read\n").iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = wide("\u{feff}[a]\n").iter().flat_map(|unit| unit.to_be_bytes()).collect();
    for bytes in [little, big] {
        let fault = of(&bytes).unwrap_err();
        assert_eq!(
            (fault.what(), fault.fix_hint()),
            ("cannot read a.icf", Some("save it as UTF-8"))
        );
        assert_eq!(fault.why(), Some("its text is UTF-16"));
    }
    assert_eq!(of(b"\x7fELF\xff\0").unwrap_err().why(), Some("it is no text"));
}

#[test]
fn names_in_latin1_are_those_of_jobs() {
    let latin = b"[gr\xfcn]\nrw=randread\nfilename=/d/gr\xfcn\n".to_vec();
    let text = decoded("a.fio", latin).unwrap();
    let told = JobFormat::told("a.fio", &text).unwrap();
    let job = read(told, JobText { file: "a.fio", text: &text }, &NoSurroundings).unwrap();
    assert_eq!(job.suite.profiles[0].title, "gr\u{fc}n");
    assert!(
        job.differences.iter().any(|one| one.what.starts_with("'/d/gr\u{fc}n' is not touched"))
    );
}
