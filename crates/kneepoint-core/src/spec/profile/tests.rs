//! Profiles as typed: what they mean, how they print, and that reading never panics.

use proptest::prelude::*;

use super::*;
use crate::spec::catalog;
use crate::spec::profile::Band;
use crate::words::load::LoadUnit;

/// A profile of one line with these keys behind the required ones.
fn one_line(keys: &str) -> String {
    format!(
        "name = \"p\"\ntitle = \"P\"\n\n[[line]]\nshare = 100\nsize = \"8KiB\"\nread = 67\n\
         random = 100\n{keys}"
    )
}

/// The profile of a text that is one.
#[track_caller]
fn parsed(text: &str) -> Profile {
    Profile::parse(text, "p.toml").unwrap_or_else(|fault| panic!("{fault}: {text}"))
}

fn percent(percent: f64) -> Percent {
    Percent::new(percent).unwrap()
}

#[test]
fn what_is_left_out_has_its_documented_value() {
    let profile = parsed(&one_line(""));
    let line = Line {
        share: Percent::FULL,
        size: Bytes(8192),
        read: percent(67.0),
        write: WriteKind::Data,
        random: Percent::FULL,
        burst: 1,
        delay: Nanos::ZERO,
        align: Align::Request,
        gap: Bytes(0),
    };
    assert_eq!(profile.lines, [line]);
    assert_eq!((profile.description.as_str(), profile.source.as_str()), ("", ""));
    assert_eq!((profile.loads, profile.range), (None, AddressRange::WHOLE));
    assert_eq!(profile.distribution, Distribution::Uniform);
    let nothing = DataPattern { compressible: Percent::ZERO, duplicate: Percent::ZERO };
    assert_eq!(profile.data, nothing);
}

#[test]
fn every_key_of_a_line_is_read() {
    let line = &parsed(&one_line("burst = 4\ndelay = \"1.5ms\"\nalign = \"4KiB\"\n")).lines[0];
    assert_eq!((line.burst, line.delay), (4, Nanos(1_500_000)));
    assert_eq!(line.align, Align::Size(Bytes(4096)));
    assert_eq!(parsed(&one_line("align = \"sector\"")).lines[0].align, Align::Sector);
    assert_eq!(parsed(&one_line("align = \"request\"")).lines[0].align, Align::Request);
    assert_eq!(parsed(&one_line("align = 512")).lines[0].align, Align::Size(Bytes(512)));
    assert_eq!(parsed(&one_line("delay = \"0ms\"")).lines[0].delay, Nanos::ZERO);
    let scan = one_line("gap = \"60KiB\"\n").replace("random = 100", "random = 0");
    assert_eq!(parsed(&scan).lines[0].gap, Bytes(60 << 10));
    assert!(parsed(&scan).summary().ends_with("with gaps"), "{}", parsed(&scan).summary());
}

#[test]
fn percentages_are_bare_numbers_or_texts_and_may_have_fractions() {
    let profile = parsed(&one_line("").replace("read = 67", "read = 66.5"));
    assert_eq!(profile.lines[0].read, percent(66.5));
    let profile = parsed(&one_line("").replace("read = 67", "read = \"66.5%\""));
    assert_eq!(profile.lines[0].read, percent(66.5));
}

#[test]
fn tables_narrow_the_range_heat_it_and_fill_it() {
    let range = |start, end| AddressRange { start: percent(start), end: percent(end) };
    assert_eq!(parsed(&one_line("[address]\nstroke = \"8%\"")).range, range(0.0, 8.0));
    assert_eq!(parsed(&one_line("[address]\nstart = 10\nend = 20")).range, range(10.0, 20.0));
    assert_eq!(parsed(&one_line("[address]\nstart = 10")).range, range(10.0, 100.0));
    let zipf = parsed(&one_line("[distribution]\nkind = \"zipf\"\ntheta = 0.99"));
    assert_eq!(zipf.distribution, Distribution::Zipf { theta: 0.99 });
    let bands = "[distribution]\nkind = \"hot-band\"\n[[distribution.band]]\nrange = 10\n\
                 access = 90\n[[distribution.band]]\nrange = 90\naccess = 10\n";
    let band = |range, access| Band { range: percent(range), access: percent(access) };
    let expected = Distribution::HotBand(vec![band(10.0, 90.0), band(90.0, 10.0)]);
    assert_eq!(parsed(&one_line(bands)).distribution, expected);
    let data = parsed(&one_line("[data]\ncompressible = 50\nduplicate = 12.5")).data;
    assert_eq!((data.compressible, data.duplicate), (percent(50.0), percent(12.5)));
}

#[test]
fn a_profile_may_bring_its_load() {
    let text = one_line("").replace("title", "outstanding = \"1..4\"\ntitle");
    assert_eq!(parsed(&text).loads, Some(Loads::parse("1..4", LoadUnit::OutstandingIos).unwrap()));
    let text = one_line("").replace("title", "outstanding = 3\ntitle");
    assert_eq!(parsed(&text).loads, Some(Loads::parse("3", LoadUnit::OutstandingIos).unwrap()));
    let text = one_line("").replace("title", "rate = 0.5\ntitle");
    assert_eq!(parsed(&text).loads, Some(Loads::parse("0.5", LoadUnit::OfferedIops).unwrap()));
}

#[test]
fn thirds_add_up_to_a_hundred() {
    let line = |share| format!("[[line]]\nshare = {share}\nsize = 512\nread = 0\nrandom = 0\n");
    let lines = [33.333_333_3, 33.333_333_3, 33.333_333_4].map(line).concat();
    assert_eq!(parsed(&format!("name = \"p\"\ntitle = \"P\"\n{lines}")).lines.len(), 3);
}

#[test]
fn a_block_replaces_the_one_size_and_request_alignment_follows() {
    let align = |keys: &str, block| {
        let profile = parsed(&one_line(keys)).resolve_io(block).unwrap();
        (profile.lines[0].block_bytes, profile.lines[0].align_bytes)
    };
    assert_eq!(align("", None), (8192, 8192));
    assert_eq!(align("", Some(Bytes(4096))), (4096, 4096));
    assert_eq!(align("align = \"sector\"", Some(Bytes(4096))), (4096, 512));
    assert_eq!(align("align = \"16KiB\"", Some(Bytes(4096))), (4096, 16384));
}

#[test]
fn a_block_is_refused_where_sizes_are_mixed_or_no_io_has_it() {
    let mix = parsed(&two_sizes());
    let fault = mix.resolve(Some(Bytes(4096))).unwrap_err();
    assert_eq!(fault.to_string(), "profile 'p' can't take a block size: its lines mix block sizes");
    assert!(mix.resolve(None).is_ok());
    let fault = parsed(&one_line("")).resolve(Some(Bytes(0))).unwrap_err();
    assert_eq!(fault.to_string(), "a block of 0 bytes moves nothing");
}

#[test]
fn series_are_named_after_profile_and_block() {
    let profile = parsed(&one_line(""));
    assert_eq!(profile.series_name(None), "p/8KiB");
    assert_eq!(profile.series_name(Some(Bytes(512))), "p/512B");
    assert_eq!(parsed(&two_sizes()).series_name(None), "p/mix");
}

#[test]
fn summaries_say_what_departs_from_the_defaults() {
    let check = |text: &str, summary: &str| assert_eq!(parsed(text).summary(), summary);
    check(&one_line(""), "8 KiB, 67 % read, 100 % random");
    check(
        &one_line("").replace("= 67", "= 100").replace("random = 100", "random = 0"),
        "8 KiB, 100 % read, sequential",
    );
    check(&two_sizes(), "512 B to 4 KiB (mean 2.25 KiB), 75 % read, 50 % random");
    check(
        &one_line(
            "burst = 8\ndelay = \"1ms\"\n[address]\nstroke = 8\n[distribution]\n\
                   kind = \"zipf\"\ntheta = 0.99",
        ),
        "8 KiB, 67 % read, 100 % random, from 0 % to 8 %, zipf 0.99, with pauses",
    );
}

/// Two lines of different sizes.
fn two_sizes() -> String {
    let line = |size, read, random| {
        format!("[[line]]\nshare = 50\nsize = \"{size}\"\nread = {read}\nrandom = {random}\n")
    };
    let lines = line("512B", 50, 0) + &line("4KiB", 100, 100);
    format!("name = \"p\"\ntitle = \"P\"\n{lines}")
}

/// Any percentage; half of them whole.
fn any_percent() -> impl Strategy<Value = Percent> {
    prop_oneof![(0..=100_u8).prop_map(f64::from), 0.0..=100.0_f64].prop_map(percent)
}

/// Any percentages above zero that add up to 100.
fn any_shares(count_max: usize) -> impl Strategy<Value = Vec<Percent>> {
    prop::collection::vec(1..100_u32, 1..=count_max).prop_map(|weights| {
        let sum: u32 = weights.iter().sum();
        weights.iter().map(|w| percent(f64::from(*w) * 100.0 / f64::from(sum))).collect()
    })
}

fn any_align() -> impl Strategy<Value = Align> {
    prop_oneof![
        Just(Align::Request),
        Just(Align::Sector),
        (1..=BLOCK_BYTES_MAX).prop_map(|bytes| Align::Size(Bytes(bytes))),
    ]
}

/// Any line, with a share that is yet to be replaced.
fn any_line() -> impl Strategy<Value = Line> {
    let pause = prop_oneof![Just(0), 0..=DELAY_MAX.0];
    (1..=BLOCK_BYTES_MAX, any_percent(), any_percent(), 1..=BURST_MAX, pause, any_align()).prop_map(
        |(size, read, random, burst, delay, align)| Line {
            share: Percent::FULL,
            size: Bytes(size),
            read,
            write: WriteKind::Data,
            random,
            burst,
            delay: Nanos(delay),
            align,
            gap: Bytes(0),
        },
    )
}

fn any_lines() -> impl Strategy<Value = Vec<Line>> {
    any_shares(5).prop_flat_map(|shares| {
        prop::collection::vec(any_line(), shares.len()).prop_map(move |mut lines| {
            for (line, share) in lines.iter_mut().zip(&shares) {
                line.share = *share;
            }
            lines
        })
    })
}

fn any_range() -> impl Strategy<Value = AddressRange> {
    let part = (0..100_u8, 1..=100_u8).prop_map(|(start, length)| AddressRange {
        start: percent(f64::from(start)),
        end: percent(f64::from(start + length.min(100 - start))),
    });
    prop_oneof![Just(AddressRange::WHOLE), part]
}

fn any_distribution() -> impl Strategy<Value = Distribution> {
    let bands = any_shares(4).prop_map(|shares| {
        let accesses = shares.iter().rev();
        let band = |(range, access): (&Percent, &Percent)| Band { range: *range, access: *access };
        Distribution::HotBand(shares.iter().zip(accesses).map(band).collect())
    });
    let zipf = (0.01..9.99_f64).prop_map(|theta| Distribution::Zipf { theta });
    prop_oneof![Just(Distribution::Uniform), bands, zipf]
}

/// A grid of either unit, or none.
pub(crate) fn any_loads() -> impl Strategy<Value = Option<Loads>> {
    let texts = ["auto", "rising", "1", "1,2,4", "1..121", "1..121+8", "1..512x2", "3,9..50x1.5"];
    let outstanding = |text| Loads::parse(text, LoadUnit::OutstandingIos).ok();
    prop_oneof![
        Just(None),
        prop::sample::select(texts.to_vec()).prop_map(outstanding),
        (0.01..1e6_f64)
            .prop_map(|rate| Loads::parse(&rate.to_string(), LoadUnit::OfferedIops).ok()),
    ]
}

/// Text as it can stand in a description: lines, quotes, backslashes, other scripts.
pub(crate) fn any_prose() -> impl Strategy<Value = String> {
    r#"([a-zA-Z0-9 .,'"\\#=\[\]äµ≤語\n]|""")*"#
}

/// A name that can be typed.
pub(crate) fn any_name() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9-]{0,20}[a-z0-9]"
}

/// Any profile that is valid.
pub(crate) fn any_profile() -> impl Strategy<Value = Profile> {
    let texts = (any_name(), "[a-zA-Z0-9 '\"\\\\ä]{1,40}", any_prose(), any_prose());
    let data = (any_percent(), any_percent());
    (texts, any_loads(), any_lines(), any_range(), any_distribution(), data).prop_map(
        |(texts, loads, lines, range, distribution, (compressible, duplicate))| Profile {
            name: texts.0,
            title: texts.1,
            description: texts.2,
            source: texts.3,
            loads,
            lines,
            range,
            distribution,
            data: DataPattern { compressible, duplicate },
            durability: Durability::default(),
            think: Nanos::ZERO,
            trace: None,
            work: Work::Io,
        },
    )
}

#[test]
fn durability_has_the_documented_values_where_a_key_is_left_out() {
    let read = |text: &str| {
        let text = format!(
            "name = \"p\"\ntitle = \"P\"\n[[line]]\nshare = 100\nsize = \"4KiB\"\nread = 0\nrandom = 0\n{text}"
        );
        let profile = parsed(&text);
        let resolved = profile.resolve_io(None).unwrap();
        assert_eq!(resolved.durability, profile.durability);
        (profile, resolved)
    };
    let every = |text: &str| {
        let Flushing { call, every } = read(text).1.flush().unwrap();
        (call.name(), every.get())
    };
    assert_eq!(every("[durability]\nflush = \"fsync\""), ("fsync", 1));
    assert_eq!(every("[durability]\nflush_every = 8"), ("fdatasync", 8));
    let ranges = "[durability]\nflush = \"sync_file_range_write\"\nflush_every = 2";
    assert_eq!(every(ranges), ("sync_file_range_write", 2));
    let (profile, resolved) = read("[durability]\nsync = \"dsync\"");
    assert_eq!((resolved.durability.sync, resolved.flush()), (Some(WriteSync::Dsync), None));
    assert_eq!(profile.summary(), "4 KiB, 0 % read, sequential, each write dsync");
    let (profile, resolved) = read("[durability]\nflush_every = 8");
    assert_eq!(profile.summary(), "4 KiB, 0 % read, sequential, fdatasync after every 8 writes");
    let classes = SeriesProfile::Storage(resolved).classes();
    assert_eq!(classes, [ClassName::READ, ClassName::WRITE, ClassName::FLUSH]);
    // A plan of before has none, and its hash is the same.
    let (_, plain) = read("");
    let json = serde_json::to_value(&plain).unwrap();
    assert_eq!(json.get("durability"), None);
    assert_eq!(serde_json::from_value::<ResolvedProfile>(json).unwrap(), plain);
}

proptest! {
    #[test]
    fn what_is_typed_is_what_is_read(line in any_line(), range in any_range(), prose in any_prose()) {
        let Line { size, read, random, burst, delay, .. } = line;
        let AddressRange { start, end } = range;
        let profile = parsed(&format!(
            "name = \"p\"\ntitle = \"P\"\ndescription = {}\n[[line]]\nshare = 100\n\
             size = \"{size}\"\nread = {}\nrandom = {}\nburst = {burst}\ndelay = \"{delay}\"\n\
             [address]\nstart = {}\nend = {}\n",
            toml::Value::from(prose.as_str()),
            read.get(),
            random.get(),
            start.get(),
            end.get(),
        ));
        prop_assert_eq!(&profile.lines, &[Line { align: Align::Request, ..line }]);
        prop_assert_eq!((profile.description, profile.range), (prose, range));
    }

    #[test]
    fn every_valid_profile_resolves(profile in any_profile()) {
        let resolved = profile.resolve_io(None).unwrap();
        let share: f64 = resolved.lines.iter().map(|line| line.share.get()).sum();
        prop_assert!((share - 100.0).abs() < 1e-6);
        prop_assert!(resolved.lines.iter().all(|l| l.block_bytes >= 1 && l.align_bytes >= 1));
        prop_assert_eq!(profile.resolve(Some(Bytes(512))).is_ok(), profile.block().is_some());
    }

    #[test]
    fn arbitrary_text_is_a_profile_or_a_fault(text in any::<String>()) {
        let _ = Profile::parse(&text, "p.toml");
    }

    #[test]
    fn a_profile_with_a_scratch_is_a_profile_or_a_fault(
        shipped in prop::sample::select(catalog::PROFILES),
        at in any::<prop::sample::Index>(),
        scratch in ".{0,3}",
    ) {
        let mut chars: Vec<char> = shipped.text.chars().collect();
        let at = at.index(chars.len());
        chars.splice(at..=at, scratch.chars());
        let _ = Profile::parse(&chars.into_iter().collect::<String>(), "p.toml");
    }
}

#[test]
fn what_writes_do_is_read_and_left_out_of_plans_by_default() {
    let line = |write: &str, read: u32| {
        format!(
            "name = \"p\"\ntitle = \"P\"\n[[line]]\nshare = 100\nsize = \"4KiB\"\nread = {read}\n\
             {write}random = 0\n"
        )
    };
    let resolved = |write: &str| parsed(&line(write, 0)).resolve_io(None).unwrap();
    for (write, kind) in [
        ("", WriteKind::Data),
        ("write = \"data\"\n", WriteKind::Data),
        ("write = \"trim\"\n", WriteKind::Trim),
        ("write = \"zeroes\"\n", WriteKind::Zeroes),
    ] {
        let profile = resolved(write);
        assert_eq!(profile.write_kinds(), [kind]);
        assert_eq!(profile.writes_without_data(), kind != WriteKind::Data);
        let json = serde_json::to_value(&profile).unwrap();
        assert_eq!(json["lines"][0].get("write").is_some(), kind != WriteKind::Data);
        assert_eq!(serde_json::from_value::<ResolvedProfile>(json).unwrap(), profile);
    }
    let fault = |text: &str| Profile::parse(text, "p.toml").unwrap_err();
    let unknown = fault(&line("write = \"trimm\"\n", 0));
    assert_eq!(unknown.to_string(), "p.toml:7:9: write: 'trimm' is nothing that a write does");
    assert_eq!(unknown.fix_hint(), Some("did you mean 'trim'?"));
    let nothing = fault(&line("write = \"trim\"\n", 100));
    assert_eq!(nothing.to_string(), "p.toml:7:9: write: nothing of the line is written");
    assert_eq!(parsed(&line("", 100)).resolve_io(None).unwrap().write_kinds(), []);
    let flushed = line("write = \"trim\"\n", 0) + "[durability]\nflush = \"fsync\"\n";
    let fault = fault(&flushed);
    assert!(fault.to_string().contains("writes without data are not made durable here"), "{fault}");
}
