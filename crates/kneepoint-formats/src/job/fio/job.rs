//! What a job asks for, from its options.

use std::num::NonZeroU32;

use kneepoint_core::plan::{Engine, MemoryPages};
use kneepoint_core::spec::document::did_you_mean;
use kneepoint_core::spec::profile::{
    Band, Distribution, Durability, FLUSH_EVERY_MAX, FlushCall, Flushing, GAP_BYTES_MAX,
    PARETO_H_MAX, WriteKind, WriteSync, ZIPF_THETA_END,
};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::{Nanos, Percent};

use super::option::{asks_for_nothing, is_left_out, refusal};
use super::sections::{Section, Setting};
use super::value::{Amount, Base, Sizes, file_names};

/// Bytes of an I/O where nothing else is said.
const SIZE: u64 = 4096;
/// Share of reads in a mix where nothing else is said, in percent.
const MIXED: f64 = 50.0;

/// A job.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FioJob {
    /// File and line of its name.
    pub(super) place: String,
    pub(super) name: String,
    /// Where its files are, if it says.
    pub(super) files: Option<FioFiles>,
    pub(super) description: String,
    /// What it does; jobs that do the same differ in nothing but what is above.
    pub(super) work: FioWork,
    /// Whether it begins when those before it have ended.
    pub(super) is_after: bool,
    /// Options that do not matter.
    pub(super) left_out: Vec<String>,
}

/// The files of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FioFiles {
    /// Those that it names, each with its directory.
    Named(Named),
    /// The directory in which fio makes a file for each job and each clone.
    Made(Named),
}

/// A text of a file about files, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    /// File and line.
    pub(super) place: String,
    pub(super) text: String,
}

impl FioFiles {
    /// Where files are put, and the names in them; `None` if neither is said.
    fn of(directory: Option<Named>, names: Option<Named>) -> Option<Self> {
        let (directory, names) = match (directory, names) {
            (None, names) => return names.map(Self::Named),
            (directory, None) => return directory.map(Self::Made),
            (Some(directory), Some(names)) => (directory, names),
        };
        // Of several directories, named files are in the first.
        let directories = file_names(&directory.text);
        let directory = directories.first().map_or("", |first| first.trim_end_matches('/'));
        let full = |name: &String| format!("{directory}/{}", name.trim_start_matches('/'));
        let full: Vec<String> = file_names(&names.text).iter().map(full).collect();
        Some(Self::Named(Named { place: names.place, text: full.join(":") }))
    }

    /// What it says, and where.
    pub(super) const fn named(&self) -> &Named {
        match self {
            Self::Named(named) | Self::Made(named) => named,
        }
    }
}

/// What a job does.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FioWork {
    /// Share of reads, in percent.
    pub(super) read: f64,
    /// What its writes are, each with the same share of them.
    pub(super) writes: &'static [WriteKind],
    pub(super) order: Order,
    /// Bytes that are left out between two sequential I/Os.
    pub(super) gap: u64,
    /// Sizes of reads and of writes.
    pub(super) sizes: [Sizes; 2],
    /// Whether trims have sizes of their own.
    pub(super) trims_differ: bool,
    /// What random positions are multiples of, if it says.
    pub(super) align: Option<u64>,
    pub(super) size: Option<Amount>,
    pub(super) file_size: Option<u64>,
    pub(super) offset: Option<Amount>,
    pub(super) depth: u64,
    pub(super) clones: u64,
    pub(super) time: Option<Nanos>,
    pub(super) ramp: Option<Nanos>,
    /// Whether only the time ends it.
    pub(super) is_time_based: bool,
    pub(super) loops: u64,
    pub(super) is_direct: bool,
    pub(super) memory_pages: MemoryPages,
    pub(super) engine: FioEngine,
    /// I/Os per second of reads and of writes that are not exceeded.
    pub(super) rate: [Option<u64>; 2],
    pub(super) is_poisson: bool,
    pub(super) distribution: Distribution,
    /// Whether positions may repeat before all were used.
    pub(super) may_repeat: bool,
    /// Percent of written data that compresses, and of blocks that repeat.
    pub(super) data: (f64, f64),
    /// How written data is made durable.
    pub(super) durability: Durability,
    /// Pause of the job after each I/O; zero for none.
    pub(super) think: Nanos,
}

/// In which order positions follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Order {
    Sequential,
    /// Shares of reads and of writes at random positions, in percent.
    Random([f64; 2]),
    /// A random position after this number of I/Os.
    RandomAfter(u64),
}

/// How a job issues I/O.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FioEngine {
    /// Its name; empty if the job does not say.
    pub(super) name: String,
    /// The same here, if there is one.
    pub(super) engine: Option<Engine>,
    /// Whether it has one I/O in flight, whatever the depth.
    pub(super) is_synchronous: bool,
}

impl FioJob {
    /// The job of a section.
    pub(super) fn of(section: &Section) -> Result<Self, Fault> {
        let mut reader = Reader::of(section);
        for setting in &section.settings {
            reader.read(setting)?;
        }
        reader.finish()
    }
}

/// A job, with what depends on the order of its options.
struct Reader {
    job: FioJob,
    base: Base,
    /// Which way its word for the direction has, with the word's setting.
    ways: Ways,
    /// Share of reads in a mix.
    mixed: f64,
    /// Shares of random positions, if it says.
    random: Option<[f64; 2]>,
    /// The limit of the rate.
    rate: Option<Setting>,
    /// The names of its files, and where they are.
    file_names: Option<Named>,
    directory: Option<Named>,
}

/// The ways of a word such as `randrw:8`.
#[derive(Debug, Clone, Copy)]
struct Ways {
    does_read: Option<bool>,
    writes: &'static [WriteKind],
    is_random: bool,
    /// I/Os in a row before another random position.
    row: u64,
    /// Bytes that are left out between two sequential I/Os.
    gap: u64,
}

impl Reader {
    fn of(section: &Section) -> Self {
        // The base of prefixes applies to options before it, too.
        let is_decimal = section
            .settings
            .iter()
            .rev()
            .find(|setting| setting.key == "kb_base")
            .is_some_and(|setting| setting.text() == "1000");
        let work = FioWork {
            read: 100.0,
            writes: &[WriteKind::Data],
            order: Order::Sequential,
            gap: 0,
            sizes: [Sizes::One(SIZE), Sizes::One(SIZE)],
            trims_differ: false,
            align: None,
            size: None,
            file_size: None,
            offset: None,
            depth: 1,
            clones: 1,
            time: None,
            ramp: None,
            is_time_based: false,
            loops: 1,
            is_direct: false,
            memory_pages: MemoryPages::Small,
            engine: FioEngine {
                name: String::new(),
                engine: Some(Engine::Sync),
                is_synchronous: true,
            },
            rate: [None, None],
            is_poisson: false,
            distribution: Distribution::Uniform,
            may_repeat: false,
            data: (0.0, 0.0),
            durability: Durability::default(),
            think: Nanos::ZERO,
        };
        Self {
            job: FioJob {
                place: section.place.clone(),
                name: section.name.clone(),
                files: None,
                description: String::new(),
                work,
                is_after: false,
                left_out: Vec::new(),
            },
            base: if is_decimal { Base::Decimal } else { Base::Binary },
            ways: Ways {
                does_read: Some(true),
                writes: &[WriteKind::Data],
                is_random: false,
                row: 1,
                gap: 0,
            },
            mixed: MIXED,
            random: None,
            rate: None,
            file_names: None,
            directory: None,
        }
    }

    fn read(&mut self, setting: &Setting) -> Result<(), Fault> {
        let work = &mut self.job.work;
        match setting.key.as_str() {
            "rw" | "readwrite" => self.ways = ways(setting, self.base)?,
            "rwmixread" => self.mixed = setting.percent()?,
            "rwmixwrite" => self.mixed = 100.0 - setting.percent()?,
            "bs" | "blocksize" => {
                work.sizes = setting.sizes(self.base, &work.sizes)?;
                work.trims_differ = setting.has_trims_of_their_own();
            }
            "bsrange" | "blocksize_range" => {
                work.sizes = setting.ranges(self.base, &work.sizes)?;
                work.trims_differ = setting.has_trims_of_their_own();
            }
            "bssplit" => {
                work.sizes = setting.splits(self.base, &work.sizes)?;
                work.trims_differ = setting.has_trims_of_their_own();
            }
            "blockalign" | "ba" => work.align = Some(setting.bytes(self.base)?),
            // A size of 0 is that of the file.
            "size" => work.size = Some(setting.amount(self.base)?).filter(|size| !size.is_zero()),
            "filesize" => work.file_size = Some(setting.bytes(self.base)?).filter(|size| *size > 0),
            "offset" => {
                work.offset = Some(setting.amount(self.base)?).filter(|offset| !offset.is_zero());
            }
            "filename" => self.file_names = Some(named(setting)),
            "directory" => self.directory = Some(named(setting)),
            "iodepth" => work.depth = setting.whole()?,
            "numjobs" => work.clones = setting.whole()?,
            "runtime" | "timeout" => work.time = Some(setting.time()?),
            "ramp_time" => work.ramp = Some(setting.time()?),
            "time_based" => work.is_time_based = setting.flag()?,
            "loops" => work.loops = setting.whole()?,
            "direct" => work.is_direct = setting.flag()?,
            "buffered" => work.is_direct = !setting.flag()?,
            "mem" | "iomem" => work.memory_pages = memory_pages(setting)?,
            "ioengine" => work.engine = engine(setting)?,
            "rate_iops" => self.rate = Some(setting.clone()),
            "rate_process" => work.is_poisson = is_poisson(setting)?,
            "random_distribution" => work.distribution = distribution(setting)?,
            "percentage_random" => self.random = Some(setting.percents()?),
            "norandommap" => work.may_repeat = setting.flag()?,
            "buffer_compress_percentage" => work.data.0 = setting.percent()?,
            "dedupe_percentage" => work.data.1 = setting.percent()?,
            "sync" => work.durability.sync = sync(setting)?,
            "fsync" => flush(&mut work.durability, (FlushCall::Fsync, setting))?,
            "fdatasync" => flush(&mut work.durability, (FlushCall::Fdatasync, setting))?,
            "thinktime" => work.think = setting.micros()?,
            "sync_file_range" => range_flush(&mut work.durability, setting)?,
            "stonewall" | "wait_for_previous" => self.job.is_after = setting.flag()?,
            _ => return self.other(setting),
        }
        Ok(())
    }

    /// An option that is not taken over.
    fn other(&mut self, setting: &Setting) -> Result<(), Fault> {
        let key = setting.key.as_str();
        if key == "description" {
            self.job.description = setting.text().to_owned();
        }
        if is_left_out(key) {
            self.job.left_out.push(key.to_owned());
            return Ok(());
        }
        if asks_for_nothing(key, setting.text()) {
            return Ok(());
        }
        let remove = || "remove the line".to_owned();
        // An option that fio has is not a misspelled one: another in its place would change the job.
        let (why, fix) = match refusal(key) {
            Some(why) => (why, remove()),
            None => (
                "Kneepoint does not know what it would change",
                did_you_mean(key, KNOWN).unwrap_or_else(remove),
            ),
        };
        Err(setting.fault("the option cannot be converted").because(why).fix(fix))
    }

    fn finish(mut self) -> Result<FioJob, Fault> {
        let work = &mut self.job.work;
        let Ways { does_read, writes, is_random, row, gap } = self.ways;
        self.job.files = FioFiles::of(self.directory, self.file_names);
        if let (Some(Amount::Bytes(size)), Some(FioFiles::Named(files))) =
            (work.size, &self.job.files)
        {
            // The files of a job share its size.
            work.size = Some(Amount::Bytes(size / file_names(&files.text).len().max(1) as u64));
        }
        (work.writes, work.gap) = (writes, gap);
        work.read = match does_read {
            Some(true) => 100.0,
            Some(false) => 0.0,
            None => self.mixed,
        };
        work.order = match (is_random, row) {
            (false, _) => Order::Sequential,
            (true, 0 | 1) => Order::Random(self.random.unwrap_or([100.0, 100.0])),
            (true, row) => Order::RandomAfter(row),
        };
        if let Some(setting) = &self.rate {
            work.rate = rates(setting)?;
            if does_read.is_none() && work.rate != [None, None] {
                return Err(setting
                    .fault("the rate of a mix of reads and writes cannot be converted")
                    .because("the limits of reads and of writes are apart; here the rate is that of all I/Os")
                    .fix("remove the line, and name the rate on the command line: --rate"));
            }
        }
        Ok(self.job)
    }
}

/// Options that are taken over, for advice on misspelled ones.
const KNOWN: [&str; 39] = [
    "rw",
    "readwrite",
    "rwmixread",
    "rwmixwrite",
    "bs",
    "blocksize",
    "bsrange",
    "bssplit",
    "blockalign",
    "size",
    "filesize",
    "offset",
    "filename",
    "directory",
    "iodepth",
    "numjobs",
    "runtime",
    "ramp_time",
    "time_based",
    "loops",
    "direct",
    "buffered",
    "mem",
    "iomem",
    "ioengine",
    "rate_iops",
    "rate_process",
    "random_distribution",
    "percentage_random",
    "norandommap",
    "buffer_compress_percentage",
    "dedupe_percentage",
    "sync",
    "fsync",
    "fdatasync",
    "sync_file_range",
    "thinktime",
    "stonewall",
    "group_reporting",
];

fn named(setting: &Setting) -> Named {
    Named { place: setting.place.clone(), text: setting.text().to_owned() }
}

fn ways(setting: &Setting, base: Base) -> Result<Ways, Fault> {
    let (word, row) = match setting.text().split_once(':') {
        Some((word, row)) => (word, Some(row)),
        None => (setting.text(), None),
    };
    let writes: &[WriteKind] = match word {
        "trim" | "randtrim" => &[WriteKind::Trim],
        "trimwrite" | "randtrimwrite" => &[WriteKind::Trim, WriteKind::Data],
        _ => &[WriteKind::Data],
    };
    let (does_read, is_random) = match word {
        "read" => (Some(true), false),
        "write" | "trim" | "trimwrite" => (Some(false), false),
        "rw" | "readwrite" => (None, false),
        "randread" => (Some(true), true),
        "randwrite" | "randtrim" | "randtrimwrite" => (Some(false), true),
        "randrw" => (None, true),
        _ => {
            return Err(setting
                .fault(format!("'{}' cannot be converted", word.escape_debug()))
                .because("only reads, writes and trims, in order or at random, are known here")
                .fix("use read, write, rw, trim, randread, randwrite, randrw or randtrim"));
        }
    };
    let (row, gap) = match (row, is_random) {
        (None, _) => (1, 0),
        (Some(row), true) => {
            let row = row.parse().map_err(|_| {
                setting
                    .fault("the number of I/Os in a row is no number")
                    .fix("write it as randread:8")
            })?;
            (row, 0)
        }
        (Some(gap), false) => (1, gap_of(setting, gap, base)?),
    };
    Ok(Ways { does_read, writes, is_random, row, gap })
}

/// Where the buffers lie; a file that huge pages come from may follow.
fn memory_pages(setting: &Setting) -> Result<MemoryPages, Fault> {
    let kind = setting.text().split_once(':').map_or(setting.text(), |(kind, _)| kind);
    match kind {
        "malloc" | "shm" | "mmap" => Ok(MemoryPages::Small),
        "mmaphuge" | "shmhuge" => Ok(MemoryPages::Huge),
        _ => Err(setting
            .fault(format!("buffers in '{}' cannot be converted", kind.escape_debug()))
            .because("they lie in memory of the program's own here, in small or in huge pages")
            .fix("use malloc or mmaphuge, or remove the line")),
    }
}

fn engine(setting: &Setting) -> Result<FioEngine, Fault> {
    let name = setting.text();
    let (engine, is_synchronous) = match name {
        "libaio" => (Some(Engine::Libaio), false),
        "io_uring" => (Some(Engine::IoUring), false),
        "sync" | "psync" | "vsync" | "pvsync" | "pvsync2" => (Some(Engine::Sync), true),
        "posixaio" | "windowsaio" | "solarisaio" => (None, false),
        _ => {
            let fault =
                setting.fault(format!("the engine '{}' cannot be converted", name.escape_debug()));
            return Err(match name {
                "null" => fault
                    .because("it transfers nothing")
                    .fix("remove the line, and name the target that transfers nothing: null:"),
                _ => fault
                    .because("I/O goes to files and block devices here, by io_uring, libaio or synchronous calls")
                    .fix("remove the line, and name a file or block device that has the same storage"),
            });
        }
    };
    Ok(FioEngine { name: name.to_owned(), engine, is_synchronous })
}

/// How far a write has come when it completes.
fn sync(setting: &Setting) -> Result<Option<WriteSync>, Fault> {
    match setting.text() {
        "none" | "0" => Ok(None),
        "sync" | "1" => Ok(Some(WriteSync::Sync)),
        "dsync" => Ok(Some(WriteSync::Dsync)),
        _ => Err(setting.fault("the value is not known").fix("use none, sync or dsync")),
    }
}

/// Adds flushes by `call`; none of 0 writes.
fn flush(durability: &mut Durability, (call, setting): (FlushCall, &Setting)) -> Result<(), Fault> {
    flush_after(durability, (call, setting.whole()?), setting)
}

/// The word of fio for the flags of a call that flushes the page cache.
pub(in crate::job) const fn range_word(call: FlushCall) -> Option<&'static str> {
    match call {
        FlushCall::Fdatasync | FlushCall::Fsync => None,
        FlushCall::SyncFileRange => Some("wait_before,write,wait_after"),
        FlushCall::SyncFileRangeWrite => Some("write"),
    }
}

/// Adds flushes of the page cache: flags and a number of writes, as in `write:8`.
fn range_flush(durability: &mut Durability, setting: &Setting) -> Result<(), Fault> {
    let (flags, writes) = setting.text().split_once(':').unwrap_or((setting.text(), ""));
    let sorted = |flags: &str| {
        let mut flags: Vec<String> = flags.split(',').map(|flag| flag.trim().to_owned()).collect();
        flags.sort();
        flags
    };
    let is_of =
        |call: &FlushCall| range_word(*call).is_some_and(|word| sorted(word) == sorted(flags));
    let Some(call) = FlushCall::ALL.into_iter().find(is_of) else {
        return Err(setting
            .fault("the flags cannot be converted")
            .because("the page cache is flushed with all three flags here, or with write alone")
            .fix("use wait_before,write,wait_after:N or write:N, or remove the line"));
    };
    let writes = writes.trim().parse().map_err(|_| {
        setting
            .fault("the number of writes is not known")
            .fix("write it in digits behind the flags, as in write:8")
    })?;
    flush_after(durability, (call, writes), setting)
}

fn flush_after(
    durability: &mut Durability,
    (call, writes): (FlushCall, u64),
    setting: &Setting,
) -> Result<(), Fault> {
    let known = durability.flush.filter(|known| known.call != call);
    let Some(every) = u32::try_from(writes).ok().map(NonZeroU32::new) else {
        return Err(too_rare(setting));
    };
    match (known, every) {
        (Some(_), Some(_)) => Err(setting
            .fault("several kinds of flushes together cannot be converted")
            .because("writes are flushed by one call here")
            .fix("keep one of the two lines")),
        (Some(_), None) => Ok(()),
        (None, Some(every)) if every.get() > FLUSH_EVERY_MAX => Err(too_rare(setting)),
        (None, every) => {
            durability.flush = every.map(|every| Flushing { call, every });
            Ok(())
        }
    }
}

fn too_rare(setting: &Setting) -> Fault {
    setting
        .fault("the flushes are too rare")
        .fix(format!("flush after at most {FLUSH_EVERY_MAX} writes, or remove the line"))
}

fn is_poisson(setting: &Setting) -> Result<bool, Fault> {
    match setting.text() {
        "linear" => Ok(false),
        "poisson" => Ok(true),
        _ => Err(setting.fault("the spacing is not known").fix("use linear or poisson")),
    }
}

/// The limits of reads and of writes; one alone is for each of them.
fn rates(setting: &Setting) -> Result<[Option<u64>; 2], Fault> {
    let wrong =
        || setting.fault("the limit is no whole number").fix("write it as 1000 or 1000,500");
    let rate = |text: &str| match text.trim() {
        "" | "0" => Ok(None),
        text => text.parse().map(Some).map_err(|_| wrong()),
    };
    let mut parts = setting.text().split(',');
    let first = rate(parts.next().unwrap_or_default())?;
    let second = parts.next().map_or(Ok(first), rate)?;
    Ok([first, second])
}

/// The bytes that are left out between two sequential I/Os.
fn gap_of(setting: &Setting, text: &str, base: Base) -> Result<u64, Fault> {
    match setting.bytes_of(text, base)? {
        gap if gap <= GAP_BYTES_MAX => Ok(gap),
        gap => Err(setting
            .fault(format!("a gap of {gap} bytes between sequential I/Os cannot be converted"))
            .fix("use at most 1 GiB")),
    }
}

fn distribution(setting: &Setting) -> Result<Distribution, Fault> {
    let text = setting.text();
    let (kind, value) = text.split_once(':').unwrap_or((text, ""));
    match kind {
        "random" => Ok(Distribution::Uniform),
        "zipf" => {
            let theta = if value.is_empty() { Ok(1.1) } else { value.parse() };
            match theta {
                Ok(theta) if theta > 0.0 && theta < ZIPF_THETA_END => {
                    Ok(Distribution::Zipf { theta })
                }
                _ => Err(setting
                    .fault(format!("'{}' is no skew that can be converted", value.escape_debug()))
                    .fix("write it as zipf:1.2, above 0 and below 10, without a centre")),
            }
        }
        "pareto" => {
            let h = if value.is_empty() { Ok(0.2) } else { value.parse() };
            match h {
                Ok(h) if h > 0.0 && h <= PARETO_H_MAX => Ok(Distribution::Pareto { h }),
                _ => Err(setting
                    .fault(format!("'{}' is no share that can be converted", value.escape_debug()))
                    .fix("write it as pareto:0.2, above 0 and at most 0.5, without a centre")),
            }
        }
        "zoned" => bands(setting, value),
        _ => Err(setting
            .fault(format!("the distribution '{}' cannot be converted", kind.escape_debug()))
            .because("random positions are uniform, by Zipf's law, by Pareto's, or in bands here")
            .fix("use random, zipf:THETA, pareto:H, or zoned:ACCESS/RANGE:... in percent")),
    }
}

/// `60/10:30/20:8/30:2/40`: percent of accesses in percent of the range.
fn bands(setting: &Setting, text: &str) -> Result<Distribution, Fault> {
    let wrong = || {
        setting
            .fault("the zones cannot be converted")
            .because("bands are the same for reads and writes here, and cover all accesses and the range")
            .fix("write them as zoned:60/10:40/90, with sums of 100")
    };
    let mut bands = Vec::new();
    for part in text.split(':').take(kneepoint_core::spec::profile::BANDS_MAX + 1) {
        let (access, range) = part.split_once('/').ok_or_else(wrong)?;
        let percent = |text: &str| {
            text.parse().ok().and_then(|number| Percent::new(number).ok()).ok_or_else(wrong)
        };
        let band = Band { range: percent(range)?, access: percent(access)? };
        if band.range == Percent::ZERO {
            return Err(wrong());
        }
        bands.push(band);
    }
    let sum = |of: &dyn Fn(&Band) -> Percent| bands.iter().map(|band| of(band).get()).sum::<f64>();
    let is_whole = |sum: f64| (sum - 100.0).abs() <= 1e-6;
    let is_complete = is_whole(sum(&|band| band.access)) && is_whole(sum(&|band| band.range));
    match is_complete && bands.len() <= kneepoint_core::spec::profile::BANDS_MAX {
        true => Ok(Distribution::HotBand(bands)),
        false => Err(wrong()),
    }
}
