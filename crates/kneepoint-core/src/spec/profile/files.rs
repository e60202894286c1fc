//! File operations: files are created, extended, read, looked up, renamed, deleted and listed.

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::check::{ProfileFile, Value, refuse_io, some, sums_to_100};
use super::percent;
use crate::spec::document::{Document, Entry, did_you_mean};
use crate::words::class::ClassName;
use crate::words::fault::Fault;
use crate::words::units::{Bytes, GIB, Percent};

/// Most files of a target at the start of a point.
pub(super) const TREE_FILES_MAX: u32 = 10_000_000;
/// Most directories that they are in.
pub(super) const TREE_DIRECTORIES_MAX: u32 = 1_000;
/// Largest file that is created, and most bytes that are appended at once (1 GiB).
pub(super) const TREE_FILE_BYTES_MAX: u64 = GIB;

crate::named! {
    /// An operation on files, each a response class.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize,
    )]
    #[serde(rename_all = "kebab-case")]
    pub enum FileOperation {
        /// Makes a new file with its first bytes: open, write, close.
        Create = "create",
        /// Writes behind the end of a file: open, write, close.
        Append = "append",
        /// Reads a whole file: open, read, close.
        Read = "read",
        /// Looks up size, owner and times of a file by its name.
        Stat = "stat",
        /// Gives a file a new name in its directory.
        Rename = "rename",
        /// Removes a file (unlink).
        Delete = "delete",
        /// Reads all names of a directory (readdir).
        List = "list",
    }
}

impl FileOperation {
    /// The response class of that name.
    pub fn class(self) -> ClassName {
        ClassName::new(self.name()).unwrap_or(ClassName::READ)
    }

    /// Whether it changes something on the target.
    pub const fn changes(self) -> bool {
        !matches!(self, Self::Read | Self::Stat | Self::List)
    }
}

crate::named! {
    /// Whether the blocks of a file are reserved before they are written.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Preallocation {
        /// They are not.
        #[default]
        None = "none",
        /// By fallocate(2).
        Fallocate = "fallocate",
    }
}

crate::named! {
    /// How what was written is made durable before a file is closed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum FileSync {
        /// It is left to the kernel.
        #[default]
        None = "none",
        /// The data and what it takes to find it again.
        Fdatasync = "fdatasync",
        /// The times of the file, too.
        Fsync = "fsync",
    }
}

/// How often an operation is done.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileOperationShare {
    /// The operation.
    pub kind: FileOperation,
    /// Its share of all of them.
    pub share: Percent,
}

/// The files of a target and what is done with them, the same as typed and with nothing left open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileTree {
    /// Files of each target at the start of every point.
    pub count: u32,
    /// Directories that they are spread over.
    pub directories: u32,
    /// Fewest bytes of a file that is created.
    pub bytes_min: u64,
    /// Most bytes of one; sizes are drawn alike from the fewest to the most.
    pub bytes_max: u64,
    /// Bytes of an append.
    pub append_bytes: u64,
    /// Whether blocks are reserved before they are written.
    pub preallocation: Preallocation,
    /// How what is written is made durable.
    pub sync: FileSync,
    /// One for each response class; their shares add up to 100 %.
    pub operations: Vec<FileOperationShare>,
}

impl FileTree {
    /// The share of an operation; none if it is never done.
    pub fn share_of(&self, kind: FileOperation) -> Percent {
        let part = self.operations.iter().find(|part| part.kind == kind);
        part.map_or(Percent::ZERO, |part| part.share)
    }

    /// Bytes of the files at the start of a point, on average.
    pub const fn bytes(&self) -> u64 {
        (self.count as u64).saturating_mul(u64::midpoint(self.bytes_min, self.bytes_max))
    }

    /// The work in one line: `2000 files; create 20 %, stat 80 %`.
    pub(super) fn summary(&self) -> String {
        let operation = |part: &FileOperationShare| {
            format!("{} {}", part.kind.name(), percent(part.share.get()))
        };
        let operations: Vec<String> = self.operations.iter().map(operation).collect();
        format!("{} files; {}", self.count, operations.join(", "))
    }

    /// The work with all that its files are: `2000 files in 20 directories, 4KiB to 16KiB; create 20 %, append 80 % by
    /// 4KiB; fallocate; fsync before a file is closed`.
    pub fn details(&self) -> String {
        let [low, high, more] = [self.bytes_min, self.bytes_max, self.append_bytes].map(Bytes);
        let sizes = if low == high { low.to_string() } else { format!("{low} to {high}") };
        let operation = |part: &FileOperationShare| {
            let by = match part.kind {
                FileOperation::Append => format!(" by {more}"),
                _ => String::new(),
            };
            format!("{} {}{by}", part.kind.name(), percent(part.share.get()))
        };
        let operations: Vec<String> = self.operations.iter().map(operation).collect();
        let begun = format!("{} files in {} directories, {sizes}", self.count, self.directories);
        let reserved =
            (self.preallocation != Preallocation::None).then(|| self.preallocation.name());
        let sync = (self.sync != FileSync::None)
            .then(|| format!("{} before a file is closed", self.sync.name()));
        let parts = [Some(begun), Some(operations.join(", ")), reserved.map(str::to_owned), sync];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

/// File operations with nothing left open. As many threads as there are outstanding operations do one after
/// the other without a pause, each on its own files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilesWork {
    /// The profile's name.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// The files, and what is done with them.
    pub tree: FileTree,
}

impl FilesWork {
    /// The response classes, in the order of the operations.
    pub fn classes(&self) -> Vec<ClassName> {
        self.tree.operations.iter().map(|part| part.kind.class()).collect()
    }
}

/// `[files]` of a profile; `None` if there is none.
///
/// # Errors
/// When a value is out of bounds, the operations would empty the directory or fill it without end, or the
/// profile has keys of other work as well.
pub(super) fn files(document: Document, file: &ProfileFile) -> Result<Option<FileTree>, Fault> {
    let Some(given) = &file.files else { return Ok(None) };
    refuse_io(document, file)?;
    if !file.operations.is_empty() || !file.transactions.is_empty() {
        return Err(document
            .fault(given.span(), "the profile has [files] and the operations of other work")
            .fix("make two profiles; operations on files are [[files.operation]]"));
    }
    let values = given.get_ref();
    let entry = |key, value| Entry::new(document, key, value);
    let (bytes_min, bytes_max) = sizes(document, values)?;
    let operations = operations(document, values)?;
    let tree = FileTree {
        count: counted(entry("count", &values.count), TREE_FILES_MAX)?,
        directories: counted(entry("directories", &values.directories), TREE_DIRECTORIES_MAX)?,
        bytes_min,
        bytes_max,
        append_bytes: append(document, (values, &operations))?,
        preallocation: word(
            document,
            ("preallocation", &values.preallocation),
            Preallocation::ALL,
        )?,
        sync: word(document, ("sync", &values.sync), FileSync::ALL)?,
        operations,
    };
    check_balance(document, values, &tree)?;
    check_writes(document, values, &tree)?;
    Ok(Some(tree))
}

/// The sizes of files that are created, from the fewest to the most bytes.
fn sizes(document: Document, values: &FilesFile) -> Result<(u64, u64), Fault> {
    let Some(size) = &values.size else {
        return match &values.size_max {
            None => Ok((0, 0)),
            Some(most) => Err(Entry::new(document, "size_max", most)
                .fault("the largest size is given, and not the smallest")
                .fix("add size, the bytes of the smallest file that is created")),
        };
    };
    let bytes_min = file_bytes(Entry::new(document, "size", size))?;
    let Some(most) = &values.size_max else { return Ok((bytes_min, bytes_min)) };
    let entry = Entry::new(document, "size_max", most);
    let bytes_max = file_bytes(entry)?;
    if bytes_max < bytes_min {
        return Err(entry
            .fault("the largest file is smaller than the smallest")
            .fix(format!("use at least {}", Bytes(bytes_min))));
    }
    Ok((bytes_min, bytes_max))
}

/// Bytes of a file, up to [`TREE_FILE_BYTES_MAX`].
fn file_bytes(entry: Entry) -> Result<u64, Fault> {
    let bytes: Bytes = entry.parse()?;
    match bytes.0 {
        0..=TREE_FILE_BYTES_MAX => Ok(bytes.0),
        _ => Err(entry.fault(format!("{bytes} are too many")).fix("use 0B to 1GiB")),
    }
}

/// Bytes of an append, which only profiles that append have.
fn append(
    document: Document,
    (values, operations): (&FilesFile, &[FileOperationShare]),
) -> Result<u64, Fault> {
    let part = operations.iter().position(|part| part.kind == FileOperation::Append);
    match (part, &values.append) {
        (None, None) => Ok(0),
        (None, Some(append)) => Err(Entry::new(document, "append", append)
            .fault("no operation appends")
            .fix("add a [[files.operation]] with class = \"append\", or leave 'append' out")),
        (Some(index), None) => Err(Entry::new(document, "class", &values.operations[index].class)
            .fault("the profile appends, and does not say how much")
            .fix("add append = \"4KiB\" to [files]")),
        (Some(_), Some(append)) => {
            let entry = Entry::new(document, "append", append);
            match file_bytes(entry)? {
                0 => Err(entry.fault("nothing would be appended").fix("use 1B to 1GiB")),
                bytes => Ok(bytes),
            }
        }
    }
}

/// The operations, each once, whose shares add up to 100 %.
fn operations(document: Document, values: &FilesFile) -> Result<Vec<FileOperationShare>, Fault> {
    let Some(last) = values.operations.last() else {
        return Err(document
            .fault(values.count.span(), "[files] has no [[files.operation]]")
            .fix("add a [[files.operation]] with class = \"stat\" and share = 100"));
    };
    let mut operations: Vec<FileOperationShare> = Vec::new();
    for given in &values.operations {
        let class = Entry::new(document, "class", &given.class);
        let is_named = |kind: &FileOperation| kind.name() == class.text();
        let kind = FileOperation::ALL.into_iter().find(is_named).ok_or_else(|| {
            let names = FileOperation::ALL.map(FileOperation::name);
            class
                .fault(format!("'{}' is no operation on files", class.text().escape_debug()))
                .fix(format!("use one of {}", names.join(", ")))
        })?;
        if operations.iter().any(|known| known.kind == kind) {
            return Err(class
                .fault(format!("'{}' is there twice", kind.name()))
                .fix("name each operation once"));
        }
        let share = Entry::new(document, "share", &given.share);
        let share = some(share, "it would never be done", "the [[files.operation]]")?;
        operations.push(FileOperationShare { kind, share });
    }
    let shares = operations.iter().map(|part| part.share);
    sums_to_100(Entry::new(document, "share", &last.share), "the shares", shares)?;
    Ok(operations)
}

/// Refuses operations after which there would be ever more files, ever fewer, or ever larger ones.
fn check_balance(document: Document, values: &FilesFile, tree: &FileTree) -> Result<(), Fault> {
    let share = |kind| tree.share_of(kind);
    let (created, deleted) = (share(FileOperation::Create), share(FileOperation::Delete));
    let at = |kind: FileOperation| {
        let index = tree.operations.iter().position(|part| part.kind == kind);
        let part = &values.operations[index.unwrap_or(0)];
        Entry::new(document, "share", &part.share)
    };
    if (created.get() - deleted.get()).abs() > 1e-6 {
        let (kind, change) = match created.get() > deleted.get() {
            true => (FileOperation::Create, "more"),
            false => (FileOperation::Delete, "fewer"),
        };
        return Err(at(kind)
            .fault(format!(
                "{} of the operations create files and {} delete them",
                percent(created.get()),
                percent(deleted.get())
            ))
            .because(format!(
                "there would be ever {change} files, and a point would have no steady state"
            ))
            .fix("give 'create' and 'delete' the same share"));
    }
    if share(FileOperation::Append) > Percent::ZERO && deleted == Percent::ZERO {
        return Err(at(FileOperation::Append)
            .fault("files are appended to and never deleted")
            .because("they would grow without end, and a point would have no steady state")
            .fix("add 'create' and 'delete' with the same share"));
    }
    Ok(())
}

/// Refuses what is said of writes if nothing is written.
fn check_writes(document: Document, values: &FilesFile, tree: &FileTree) -> Result<(), Fault> {
    let creates = tree.share_of(FileOperation::Create) > Percent::ZERO;
    let writes = creates && tree.bytes_max > 0 || tree.append_bytes > 0;
    let refuse = |key, value: &Option<Value>, why: &str| match value {
        None => Ok(()),
        Some(value) => {
            Err(Entry::new(document, key, value).fault(why).fix(format!("leave '{key}' out")))
        }
    };
    if !writes {
        let why = "no operation writes data whose blocks could be reserved";
        refuse("preallocation", &values.preallocation, why)?;
    }
    match creates || writes {
        true => Ok(()),
        false => refuse("sync", &values.sync, "no operation writes anything to be made durable"),
    }
}

/// A number of files or directories.
fn counted(entry: Entry, most: u32) -> Result<u32, Fault> {
    match entry.whole()? {
        count if (1..=most).contains(&count) => Ok(count),
        count => {
            Err(entry.fault(format!("{count} is out of bounds")).fix(format!("use 1 to {most}")))
        }
    }
}

/// A word that names one of `all`; the first of them if it is left out.
fn word<T: WordOfFiles, const N: usize>(
    document: Document,
    (key, value): (&'static str, &Option<Value>),
    all: [T; N],
) -> Result<T, Fault> {
    let word = document.optional(key, value, |entry| {
        let found = all.into_iter().find(|known| known.word() == entry.text());
        found.ok_or_else(|| {
            let text = entry.text();
            let names = all.map(WordOfFiles::word);
            entry.fault(format!("'{}' is unknown", text.escape_debug())).fix(
                did_you_mean(text, names).unwrap_or_else(|| format!("use {}", names.join(" or "))),
            )
        })
    })?;
    Ok(word.unwrap_or_default())
}

/// Something of `[files]` that is said by a word.
trait WordOfFiles: Copy + Default {
    /// The word.
    fn word(self) -> &'static str;
}

impl WordOfFiles for Preallocation {
    fn word(self) -> &'static str {
        self.name()
    }
}

impl WordOfFiles for FileSync {
    fn word(self) -> &'static str {
        self.name()
    }
}

/// `[files]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FilesFile {
    count: Value,
    directories: Value,
    size: Option<Value>,
    size_max: Option<Value>,
    append: Option<Value>,
    preallocation: Option<Value>,
    sync: Option<Value>,
    #[serde(default, rename = "operation")]
    operations: Vec<FileOperationFile>,
}

/// `[[files.operation]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileOperationFile {
    class: Value,
    share: Value,
}

/// `[files]` as it is read.
pub(super) type GivenFiles = Option<Spanned<FilesFile>>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::catalog;
    use crate::spec::grid::Loads;
    use crate::spec::profile::{Profile, SeriesProfile, Work};
    use crate::words::load::LoadUnit;

    const TEXT: &str = "name = \"mine\"\ntitle = \"Mine\"\noutstanding = \"1,2\"\n[files]\n\
        count = 100\ndirectories = 5\nsize = \"4KiB\"\nsize_max = \"8KiB\"\nappend = \"1KiB\"\n\
        preallocation = \"fallocate\"\nsync = \"fsync\"\n\
        [[files.operation]]\nclass = \"create\"\nshare = 30\n\
        [[files.operation]]\nclass = \"delete\"\nshare = 30\n\
        [[files.operation]]\nclass = \"append\"\nshare = 40\n";

    /// The fault of [`TEXT`] in which `from` is written as `to`.
    #[track_caller]
    fn check(from: &str, to: &str, expected: &str) {
        assert!(TEXT.contains(from), "{from}");
        let fault = Profile::parse(&TEXT.replacen(from, to, 1), "my.toml").unwrap_err();
        let told = format!("{fault}\n{}", fault.fix_hint().unwrap_or_default());
        assert!(told.contains(expected), "{told}");
    }

    #[test]
    fn files_have_sizes_and_operations_with_shares() {
        let profile = Profile::parse(TEXT, "my.toml").unwrap();
        let Work::Files(tree) = &profile.work else { panic!("{profile:?}") };
        assert_eq!((tree.count, tree.directories, tree.append_bytes), (100, 5, 1024));
        assert_eq!((tree.bytes_min, tree.bytes_max, tree.bytes()), (4096, 8192, 614_400));
        assert_eq!((tree.preallocation, tree.sync), (Preallocation::Fallocate, FileSync::Fsync));
        assert_eq!(profile.summary(), "100 files; create 30 %, delete 30 %, append 40 %");
        assert_eq!(profile.series_name(None), "mine");
        let unit = LoadUnit::OutstandingOperations;
        assert_eq!(profile.loads, Some(Loads::parse("1,2", unit).unwrap()));
        let series = profile.resolve(None).unwrap();
        let classes: Vec<String> = series.classes().iter().map(ToString::to_string).collect();
        assert_eq!(classes, ["create", "delete", "append"]);
        assert!(series.writes() && series.storage().is_none());
        let written = serde_json::to_string(&series).unwrap();
        assert_eq!(serde_json::from_str::<SeriesProfile>(&written).unwrap(), series);
    }

    #[test]
    fn shipped_profiles_keep_the_number_of_files() {
        for (name, writes) in [("metadata", false), ("small-files", true)] {
            let Work::Files(tree) = catalog::profile(name).unwrap().work else { panic!("{name}") };
            let (created, deleted) = (FileOperation::Create, FileOperation::Delete);
            assert_eq!(tree.share_of(created), tree.share_of(deleted));
            assert_eq!(tree.bytes_max > 0, writes);
        }
    }

    #[test]
    fn a_directory_that_would_fill_or_run_empty_is_refused_with_its_place() {
        check(
            "share = 30\n[[files.operation]]\nclass = \"delete\"\nshare = 30",
            "share = 40\n[[files.operation]]\nclass = \"delete\"\nshare = 20",
            "my.toml:14:9: share: 40 % of the operations create files and 20 % delete them",
        );
        check(
            "share = 30\n[[files.operation]]\nclass = \"delete\"\nshare = 30",
            "share = 20\n[[files.operation]]\nclass = \"delete\"\nshare = 40",
            "there would be ever fewer files",
        );
        let growing = "name = \"a\"\ntitle = \"A\"\n[files]\ncount = 1\ndirectories = 1\n\
            append = \"1B\"\n[[files.operation]]\nclass = \"append\"\nshare = 100\n";
        let fault = Profile::parse(growing, "a.toml").unwrap_err().to_string();
        assert!(fault.contains("files are appended to and never deleted"), "{fault}");
    }

    #[test]
    fn values_out_of_bounds_and_words_that_mean_nothing_are_refused() {
        check(
            "count = 100",
            "count = 0",
            "my.toml:5:9: count: 0 is out of bounds\nuse 1 to 10000000",
        );
        check("directories = 5", "directories = 1001", "use 1 to 1000");
        check("size = \"4KiB\"", "size = \"2GiB\"", "use 0B to 1GiB");
        check("size_max = \"8KiB\"", "size_max = \"1KiB\"", "smaller than the smallest");
        check("size = \"4KiB\"\n", "", "add size, the bytes of the smallest file");
        check("append = \"1KiB\"\n", "", "the profile appends, and does not say how much");
        check("append = \"1KiB\"", "append = \"0B\"", "nothing would be appended");
        check("\"fallocate\"", "\"falocate\"", "did you mean 'fallocate'?");
        check("\"fsync\"", "\"always\"", "use none or fdatasync or fsync");
        check("\"delete\"", "\"unlink\"", "'unlink' is no operation on files");
        check("\"delete\"", "\"create\"", "'create' is there twice");
        check("share = 40", "share = 30", "the shares add up to 90 %, not 100 %");
        check("share = 40", "share = 0", "it would never be done");
        check("outstanding = \"1,2\"", "users = 3", "cannot be loaded by users");
        check("outstanding = \"1,2\"", "rate = 3", "cannot be loaded by offered IO/s");
        check("[files]", "[address]\nstroke = 8\n[files]", "keys of I/O and those of other work");
        let other = "[[transaction]]\nclass = \"payment\"\nshare = 100\n[files]";
        check("[files]", other, "[files] and the operations of other work");
    }

    #[test]
    fn what_is_said_of_writes_needs_writes() {
        let looking = "name = \"a\"\ntitle = \"A\"\n[files]\ncount = 1\ndirectories = 1\n@\
            [[files.operation]]\nclass = \"stat\"\nshare = 100\n";
        let told = |key: &str| Profile::parse(&looking.replace('@', key), "a.toml");
        assert!(told("").is_ok());
        let fault = told("sync = \"fsync\"\n").unwrap_err().to_string();
        assert!(fault.contains("no operation writes anything to be made durable"), "{fault}");
        let fault = told("preallocation = \"fallocate\"\n").unwrap_err().to_string();
        assert!(fault.contains("no operation writes data"), "{fault}");
        let fault = told("append = \"1KiB\"\n").unwrap_err().to_string();
        assert!(fault.contains("no operation appends"), "{fault}");
    }
}
