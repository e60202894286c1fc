//! The same four I/Os in every format, what is refused, and any bytes.

use kneepoint_core::spec::trace::{
    LeftOut, TraceEvent, TraceFit, TracePart, TraceReading, Unreplayed,
};
use kneepoint_core::words::units::Nanos;
use proptest::prelude::*;

use super::*;

/// Time in microseconds, device, whether it writes, offset and bytes.
type Short = (u64, u32, bool, u64, u32);

/// What every text of [`EACH`] says.
const EXPECTED: [Short; 4] = [
    (0, 0, false, 4096, 4096),
    (1_000, 1, true, 512, 8192),
    (1_000, 0, false, 8192, 4096),
    (2_500, 0, true, 1_048_576, 512),
];

/// A text in each format.
const EACH: [(&str, TraceFormat); 8] = [
    (
        "fio version 2 iolog\na add\na open\nb add\na read 4096 4096\na wait 1000\nb write 512 8192\n\
         a sync 0 0\na read 8192 4096\na wait 1500 0\na write 1048576 512\na close\n",
        TraceFormat::FioIolog,
    ),
    (
        "fio version 3 iolog\r\n0 a add\r\n5 a open\r\n7 a read 4096 4096\r\n1007 b write 512 8192\r\n\
         1007 a read 8192 4096\r\n2507 a write 1048576 512\r\n2600 a close\r\n",
        TraceFormat::FioIolog,
    ),
    (
        "128166372003061629,hm,0,Read,4096,4096,413\n128166372003071629,hm,1,Write,512,8192,99\n\
         128166372003071629,hm,0,Read,8192,4096,1\n128166372003086629,hm,0,Write,1048576,512,1",
        TraceFormat::Msr,
    ),
    (
        "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\n10,x,0,Read,4096,4096,1\n\
         10010,x,1,write,512,8192,2\n10010,x,0,read,8192,4096,3\n25010,x,0,WRITE,1048576,512,4\n",
        TraceFormat::Msr,
    ),
    (
        "# units count blocks\n0,8,4096,R,0.551706\n1,1,8192,w,0.552706,9,x\n0,16,4096,r,0.552706\n\
         0,2048,512,W,0.554206\n",
        TraceFormat::Spc,
    ),
    (
        "0.551000 0 8 8 1\n1.551000 1 1 16 0\n1.551000 0 16 8 1\n3.051000 0 2048 1 00\n",
        TraceFormat::DiskSim,
    ),
    (
        "1000 0 8 8 1\n1001000 1 1 16 0\n1001000 0 16 8 1\n2501000 0 2048 1 0\n",
        TraceFormat::DiskSim,
    ),
    (
        "  8,0    0        1     0.000000000   697  Q   R 8 + 8 [fio]\n\
         \x20 8,0    0        2     0.000001000   697  G   R 8 + 8 [fio]\n\
         \x20 8,0    0        3     0.000002000   697  D   R 8 + 8 [fio]\n\
         \x20 8,16   1        1     0.001002000   697  D  WS 1 + 16 [fio]\n\
         \x20 8,0    1        2     0.001002000   697  D  RA 16 + 8 [fio]\n\
         \x20 8,0    1        3     0.001002500     0  C   R 16 + 8 [0]\n\
         \x20 8,0    1        4     0.001003000   697  D   D 16 + 8 [fstrim]\n\
         \x20 8,0    1        5     0.001003000   697  D  FN [kworker]\n\
         \x20 8,0    1        6     0.001004000   697  m   N cfq697S / alloced\n\
         \x20 8,0    0        7     0.002502000   697  D  WM 2048 + 1 [fio]\n\
         CPU0 (8,0):\n Reads Queued:           1,        4KiB\n",
        TraceFormat::Blkparse,
    ),
];

fn reader(bytes: &[u8]) -> Result<TraceReader<&[u8]>, kneepoint_core::words::fault::Fault> {
    TraceReader::new("t", bytes, TraceEvent::Issued)
}

fn all(bytes: &[u8]) -> Vec<Short> {
    let short = |io: TraceIo| {
        let us = io.at.0 / 1_000;
        (us, io.device, io.direction == Direction::Write, io.offset, io.bytes)
    };
    reader(bytes).unwrap().map(|io| short(io.unwrap())).collect()
}

/// The fault that a trace ends with, and its advice.
fn refused(bytes: &[u8]) -> String {
    let fault = match reader(bytes) {
        Err(fault) => fault,
        Ok(mut reader) => reader.find_map(Result::err).expect("a fault"),
    };
    format!("{fault}; {}", fault.fix_hint().expect("advice"))
}

#[test]
fn every_format_says_the_same() {
    for (text, format) in EACH {
        assert_eq!(reader(text.as_bytes()).unwrap().format(), format, "{text}");
        assert_eq!(all(text.as_bytes()), EXPECTED, "{text}");
    }
}

#[test]
fn names_of_columns_and_a_first_time_of_zero_are_read() {
    let spc = "ASU,LBA,Size,Opcode,Timestamp\n0,8,4096,R,0.5\n";
    assert_eq!(all(spc.as_bytes()), [(0, 0, false, 4096, 4096)]);
    let milliseconds = all(b"0 0 8 8 1\n0.6 0 8 8 1\n");
    assert_eq!(milliseconds.iter().map(|io| io.0).collect::<Vec<_>>(), [0, 600]);
    let nanoseconds = all(b"0 0 8 8 1\n0 0 8 8 1\n6000 0 8 8 1\n");
    assert_eq!(nanoseconds.iter().map(|io| io.0).collect::<Vec<_>>(), [0, 0, 6]);
}

#[test]
fn what_is_left_out_is_counted() {
    let (text, _) = EACH[7];
    let mut blkparse = reader(text.as_bytes()).unwrap();
    assert_eq!(blkparse.by_ref().count(), 4);
    let left = |what, count| LeftOut { what, count };
    assert_eq!(blkparse.left_out(), [left(Unreplayed::Commands, 1), left(Unreplayed::Trims, 1)]);
    assert_eq!(blkparse.devices(), ["8,0", "8,16"]);
    let text = "0,8,4096,R,2.0\n0,8,0,R,1.0\n0,8,512,R,1.0\n0,8,512,R,3.0\n";
    let mut spc = reader(text.as_bytes()).unwrap();
    let times: Vec<u64> = spc.by_ref().map(|io| io.unwrap().at.0).collect();
    assert_eq!(times, [0, 0, 1_000_000_000]);
    assert_eq!((spc.disordered(), spc.left_out()), (1, vec![left(Unreplayed::Empty, 1)]));
}

#[test]
fn commands_in_the_text_of_blkparse_are_left_out_as_those_in_its_binary() {
    let text = "  8,0 0 1 0.0 1 D R 36 (12 00 00 00 24 00 ..) [fio]\n  8,0 0 2 0.1 1 D R 36 [fio]\n\
                  8,0 0 3 0.2 1 D N 0 (00 ..) [fio]\n  8,0 0 4 0.3 1 D W [fio]\n\
                  8,0 0 5 0.4 1 D R 8 + 8 [fio]\n";
    let mut blkparse = reader(text.as_bytes()).unwrap();
    assert_eq!(blkparse.by_ref().map(|io| io.unwrap().offset).collect::<Vec<_>>(), [4096]);
    assert_eq!(blkparse.left_out(), [LeftOut { what: Unreplayed::Commands, count: 4 }]);
}

#[test]
fn nothing_is_lost_behind_the_summary_of_blkparse() {
    let output = "  8,0 0 1 0.0 1 D R 8 + 8 [x]\nCPU0 (8,0):\n Reads Queued: 1, 4KiB\n\n\
                  Total (8,0):\nThroughput (R/W): 0KiB/s / 0KiB/s\nEvents (8,0): 1 entries\n\
                  Skips: 0 forward (0 -   0.0%)\n";
    assert_eq!(all(output.as_bytes()).len(), 1);
    let said = refused(format!("{output}{output}").as_bytes());
    assert!(said.starts_with("t:9: an event follows the summary"), "{said}");
}

/// A record of blktrace in either byte order, with bytes that its driver added.
fn record(is_big: bool, words: &[(usize, u64, usize)], added: u16) -> Vec<u8> {
    let mut bytes = vec![0; 48];
    let mut put = |at: usize, value: u64, length: usize| {
        let little = value.to_le_bytes();
        let mut part = little[..length].to_vec();
        if is_big {
            part.reverse();
        }
        bytes[at..at + length].copy_from_slice(&part);
    };
    put(0, 0x6561_7407, 4);
    words.iter().for_each(|(at, value, length)| put(*at, *value, *length));
    put(46, u64::from(added), 2);
    bytes.extend(std::iter::repeat_n(7, usize::from(added)));
    bytes
}

/// An event: its action with its kind, time in microseconds, sector, bytes, device.
fn event(is_big: bool, action: u64, (us, sector, bytes, minor): (u64, u64, u64, u64)) -> Vec<u8> {
    let device = 8 << 20 | minor;
    let words =
        [(8, us * 1_000, 8), (16, sector, 8), (24, bytes, 4), (28, action, 4), (36, device, 4)];
    record(is_big, &words, if minor == 16 { 5 } else { 0 })
}

const READ: u64 = 1 << 16;
const WRITE: u64 = 1 << 17;

#[test]
fn binaries_are_read_in_both_byte_orders() {
    for is_big in [false, true] {
        let event = |action, io| event(is_big, action, io);
        let trace = [
            event(1 << 26, (0, 0, 0, 0)),
            event(READ | 1, (5, 8, 4096, 0)),
            event(READ | 7, (7, 8, 4096, 0)),
            event(WRITE | 7, (1_007, 1, 8192, 16)),
            event(READ | 7, (1_007, 16, 4096, 0)),
            event(READ | 8, (1_008, 16, 4096, 0)),
            event(WRITE | 1 << 29 | 7, (1_009, 16, 4096, 0)),
            event(WRITE | 7, (1_010, 0, 0, 0)),
            event(WRITE | 7, (2_507, 2048, 512, 0)),
        ];
        let trace = trace.concat();
        assert_eq!(all(&trace), EXPECTED);
        let queued = TraceReader::new("t", trace.as_slice(), TraceEvent::Queued).unwrap();
        assert_eq!(queued.count(), 1);
        let cut = refused(&trace[..trace.len() - 1]);
        assert!(cut.starts_with("t: at byte 389: the last record is cut off"), "{cut}");
    }
}

#[test]
fn a_recording_says_what_it_lost() {
    let is_big = cfg!(target_endian = "big");
    let io = event(is_big, READ | 7, (7, 8, 4096, 0));
    let message = |text: &[u8]| {
        let mut record = record(is_big, &[(28, 1 << 26 | 2, 4)], text.len() as u16);
        record.truncate(48);
        [record.as_slice(), text].concat()
    };
    let others = [message(b"fio kneepoint: lost events: 3"), message(&[b'x'; 300])].concat();
    let left_out = |trace: &[u8]| {
        let mut reader = reader(trace).unwrap();
        assert_eq!(reader.by_ref().filter_map(Result::ok).count(), 1);
        reader.left_out()
    };
    assert_eq!(left_out(&[io.clone(), others.clone()].concat()), []);
    let lost = LeftOut { what: Unreplayed::Lost, count: 1_234 };
    assert_eq!(left_out(&[io, others, lost_events(1_234, (8, 0), Nanos(9))].concat()), [lost]);
}

#[test]
fn what_cannot_be_read_is_refused_with_its_place_and_what_to_do() {
    let check = |text: &str, part: &str| {
        let said = refused(text.as_bytes());
        assert!(said.contains(part), "{text:?}: {said}");
    };
    check("", "t is no trace: it is empty; name an I/O log");
    check("hello\n", "line 1 ('hello') is not that of a known format");
    assert!(refused(&[0xff, 0, 1]).contains("its first bytes are not those of a known format"));
    let packed = refused(&[0x1f, 0x8b, 8, 0]);
    assert!(
        packed.starts_with("t is packed by gzip") && packed.contains("gzip -dc t |"),
        "{packed}"
    );
    check("[global]\nrw=read\n", "t is no trace");
    check("fio version 1 iolog\n", "t:1: version '1' of the I/O log is not read; record it again");
    check(
        "fio version 2 iolog\na fly 1 2\n",
        "t:2: 'fly' is no action of an I/O log; known are add",
    );
    check("fio version 3 iolog\n1 a wait 5\n", "t:2: 'wait' is no action");
    check("fio version 2 iolog\na read 1\n", "t:2: a read has an offset and a length");
    check("fio version 2 iolog\na read 1 x\n", "t:2: the length 'x' is no whole number");
    check("fio version 2 iolog\na add\n", "t: there is no read or write in it");
    check("1,h,0,Read,1,2,3\n1,h,0,Trim,1,2\n", "t:2: 'Trim' is neither a read nor a write");
    check(
        "1,h,0,Read,1,2,3\n1,h,0\n",
        "t:2: the line has fewer than 6 fields; fields are Timestamp",
    );
    check("0,8,512,R,0\n0,8,512,R\n", "t:2: the line has fewer than 5 fields");
    check("0,8,512,R,0\n0,8,512,R,-1\n", "t:2: the time '-1' is no number");
    check("0,8,2000000000,R,0\n", "t:1: an I/O of 2000000000 bytes is larger than 1 GiB");
    check(
        "0,18446744073709551615,512,R,0\n",
        "t:1: the address '18446744073709551615' is too large",
    );
    check("0,9007199254740991,512,R,0\n", "t:1: the offset of 4611686018427387392 bytes is beyond");
    check("0 0 8 8 1\n0 0 8 8 z\n", "t:2: the flags 'z' are no hexadecimal number");
    check(
        "  8,0 0 1 0.0 1 Q R 8 + 8 [x]\n",
        "t: no I/O was handed to a device (event D); take the",
    );
    check(
        "  8,0 0 1 0.0 1 C R 8 + 8 [0]\n",
        "t: it tells only when I/Os completed (event C), not when they were asked for; record",
    );
    check(
        "  8,0 0 1 0.0 1 D R 8 + 8 [x]\nfoo\n",
        "t:2: the line is neither an event nor the summary",
    );
    check("  8,0 0 1 0.0 1 D R 8 x 8\n", "t:1: an I/O has its sector, a plus sign");
    let long = format!("0,8,512,R,0\n{}\n", "9".repeat(70_000));
    check(&long, "t:2: the line is longer than 64 KiB");
    let binary = [b"0,8,512,R,0\n".as_slice(), &[0xff, 0xfe, b'\n']].concat();
    assert!(refused(&binary).starts_with("t:2: the line is no text in UTF-8"));
    let version = refused(&record(false, &[(0, 0x6561_7406, 4)], 0));
    assert!(version.contains("records of version 6 are not read"), "{version}");
}

#[test]
fn a_reader_ends_after_its_first_fault() {
    let mut reader = reader(b"0,8,512,R,0\nx\n0,8,512,R,0\n").unwrap();
    assert!(reader.next().unwrap().is_ok());
    assert!(reader.next().unwrap().is_err());
    assert!(reader.next().is_none());
}

#[test]
fn devices_stand_one_behind_the_other_in_a_replay() {
    let (text, _) = EACH[4];
    let part = TracePart::default();
    let description = |part: TracePart| {
        let mut ios = PartOfTrace::new(reader(text.as_bytes()).unwrap(), part);
        let mut description = Description::default();
        ios.by_ref().for_each(|io| description.count(&io.unwrap()));
        description.described(ios.reader().devices())
    };
    let described = description(part);
    assert_eq!(described.extent_bytes(), 1_049_088 + 8704);
    let with = |part: TracePart| {
        let reader = reader(text.as_bytes()).unwrap();
        replayed(reader, ("t", part, TraceFit::Modulo), &described.devices).unwrap()
    };
    let work = with(part);
    let offsets: Vec<u64> = work.loaded().unwrap().iter().map(|io| io.offset).collect();
    assert_eq!(offsets, [4096, 1_049_088 + 512, 8192, 1_048_576]);
    assert_eq!((work.ios, work.writes, work.span), (4, 2, Nanos(2_500_000)));
    let part = TracePart { from: Nanos(1), until: Some(Nanos(2_500_000)), ..part };
    assert_eq!((with(part).ios, description(part).ios()), (2, 2));
    assert_eq!(with(part).reading, TraceReading { devices_joined: 2, ..TraceReading::default() });
    assert_eq!(description(part).span, Nanos::ZERO);
}

/// A trace of one I/O each millisecond: a quarter writes of 64 KiB, each of them behind the last write, the
/// rest reads of 4 KiB, most of them in the first tenth of 1 GiB.
fn mixed() -> String {
    let mut text = String::new();
    let mut end = 1 << 20;
    for number in 0..20_000u64 {
        let scattered = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let (sector, bytes, kind) = match number % 4 {
            0 => (end, 65_536, 'W'),
            1..=2 => (scattered % 26_000 * 8, 4096, 'R'),
            _ => (scattered % 262_000 * 8, 4096, 'R'),
        };
        if kind == 'W' {
            end += 128;
        }
        text += &format!("0,{sector},{bytes},{kind},{}.{:03}\n", number / 1_000, number % 1_000);
    }
    text
}

#[test]
fn a_profile_resembles_its_trace_as_far_as_it_says() {
    let text = mixed();
    let mut reader = reader(text.as_bytes()).unwrap();
    let mut description = Description::default();
    reader.by_ref().for_each(|io| description.count(&io.unwrap()));
    let described = description.described(reader.devices());
    let resemblance = Resemblance::of(&described, "some/mixed.spc").unwrap();
    assert_eq!((resemblance.profile.name.as_str(), resemblance.drawn), ("mixed", 20_000));
    let kept = |what: &str| *resemblance.kept.iter().find(|kept| kept.what == what).unwrap();
    let near = |what: &str, trace: f64, miss: f64| {
        let kept = kept(what);
        assert!((kept.trace - trace).abs() < 0.01 * trace + 1e-9, "{kept:?}");
        assert!((kept.profile - kept.trace).abs() <= miss, "{kept:?}");
    };
    near("Reads", 75.0, 1.5);
    near("Mean size", 19.0, 0.6);
    near("Mean rate", 1000.0, 25.0);
    near("Continue one of the last 32 I/Os", 25.0, 25.0);
    // A constant pace becomes independent arrivals, and that is said.
    let variation = kept("Variation of the time between I/Os");
    assert!(variation.trace < 0.01 && (variation.profile - 1.0).abs() < 0.05, "{variation:?}");
    assert!(resemblance.toml.contains("rate = \"1000\""), "{}", resemblance.toml);
}

#[test]
fn a_trace_without_times_has_a_profile_without_a_rate() {
    let text = "fio version 2 iolog\na read 0 4096\na write 8192 4096\n";
    let mut reader = reader(text.as_bytes()).unwrap();
    let mut description = Description::default();
    reader.by_ref().for_each(|io| description.count(&io.unwrap()));
    let (toml, profile) = profile_of(&description.described(reader.devices()), "1.log").unwrap();
    assert!(
        !toml.contains("\nrate = ") && !toml.contains("mean rate") && profile.lines.len() == 2,
        "{toml}"
    );
    assert_eq!(profile.name, "job-1");
}

/// Time in microseconds, device, whether it writes, first sector and sectors.
type AnyIo = (u64, u8, bool, u64, u64);

/// An I/O as the formats can say it.
fn any_io() -> impl Strategy<Value = AnyIo> {
    (0..1_000_000u64, 0..3u8, any::<bool>(), 0..1u64 << 40, 1..4096u64)
}

fn in_spc((us, device, writes, sector, sectors): &AnyIo) -> String {
    let (kind, bytes) = (if *writes { 'w' } else { 'R' }, sectors * 512);
    format!("{device},{sector},{bytes},{kind},{}.{:06}\n", us / 1_000_000, us % 1_000_000)
}

fn in_msr((us, device, writes, sector, sectors): &AnyIo) -> String {
    let kind = if *writes { "Write" } else { "Read" };
    format!("{},h,{device},{kind},{},{},0\n", us * 10, sector * 512, sectors * 512)
}

fn in_disksim((us, device, writes, sector, sectors): &AnyIo) -> String {
    let flags = u8::from(!*writes);
    format!("{}.{:03} {device} {sector} {sectors} {flags}\n", us / 1_000, us % 1_000)
}

fn in_iolog((us, device, writes, sector, sectors): &AnyIo) -> String {
    let kind = if *writes { "write" } else { "read" };
    format!("{us} f{device} {kind} {} {}\n", sector * 512, sectors * 512)
}

proptest! {
    #[test]
    fn what_is_written_in_a_format_is_read(mut ios in proptest::collection::vec(any_io(), 1..40)) {
        ios.sort_by_key(|io| io.0);
        let first = ios[0].0;
        let expected: Vec<(u64, bool, u64, u32)> = ios
            .iter()
            .map(|(us, _, writes, sector, sectors)| (us - first, *writes, sector * 512, *sectors as u32 * 512))
            .collect();
        let text = |line: &dyn Fn(&AnyIo) -> String| -> String {
            ios.iter().map(line).collect()
        };
        let iolog = format!("fio version 3 iolog\n{}", text(&in_iolog));
        for text in [text(&in_spc), text(&in_msr), text(&in_disksim), iolog] {
            let read: Vec<_> =
                all(text.as_bytes()).into_iter().map(|io| (io.0, io.2, io.3, io.4)).collect();
            prop_assert_eq!(&read, &expected);
        }
    }

    #[test]
    fn any_text_is_a_trace_or_a_fault(
        first in proptest::sample::select(EACH.map(|(text, _)| text).to_vec()), rest in "[0-9a-zA-Z,. +\n-]{0,200}",
        cut in 0..200usize,
    ) {
        let cut = (0..=cut.min(first.len())).rev().find(|at| first.is_char_boundary(*at)).unwrap_or(0);
        consume(format!("{}{rest}", &first[..cut]).as_bytes());
        consume(format!("{first}{rest}").as_bytes());
    }

    #[test]
    fn any_bytes_are_a_trace_or_a_fault(mut bytes in proptest::collection::vec(any::<u8>(), 0..400), is_blk in any::<bool>()) {
        if is_blk && bytes.len() >= 4 {
            bytes[..4].copy_from_slice(&0x6561_7407u32.to_le_bytes());
        }
        consume(&bytes);
    }
}

/// Reads to the end, describes, and makes a profile.
fn consume(bytes: &[u8]) {
    let Ok(mut reader) = reader(bytes) else { return };
    let mut description = Description::default();
    let mut last = Nanos::ZERO;
    for io in reader.by_ref() {
        let Ok(io) = io else { return };
        assert!(io.at >= last && io.bytes > 0 && io.end() < OFFSET_END);
        last = io.at;
        description.count(&io);
    }
    let described = description.described(reader.devices());
    if described.ios() > 0 {
        let _ = profile_of(&described, "any");
    }
}
