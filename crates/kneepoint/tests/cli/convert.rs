//! Jobs of other tools: converted, and as work.

use crate::program::Bench;

/// A job file of two jobs that name a file that must not be touched.
const JOB: &str = "[global]\nfilename=precious.dat\nioengine=libaio\ndirect=1\nsize=16m\ntime_based\nruntime=1\n\
                   ramp_time=1\nnorandommap\n[read]\nrw=randread\nbs=4k\niodepth=2\n[write]\nstonewall\n\
                   rw=write\nbs=64k\nnumjobs=2\n";

const ICF: &str = "Version 1.1.0 \r\n'TEST SETUP ====\r\n'Run Time\r\n\t0 0 1\r\n'Ramp Up Time (s)\r\n\t1\r\n\
                   'Queue Depth Cycling\r\n\t1 4 2 EXPONENTIAL\r\n'Test Type\r\n\tCYCLE_OUTSTANDING_IOS\r\n\
                   'END test setup\r\n'ACCESS SPECIFICATIONS ====\r\n\
                   'Access specification name,default assignment\r\n\tPages,ALL\r\n\
                   'size,% of size,% reads,% random,delay,burst,align,reply\r\n\
                   \t8192,100,67,100,0,1,0,0\r\n'END access specifications\r\nVersion 1.1.0 \r\n";

const PLAIN: &str = "name = \"plain\"\ntitle = \"Plain\"\n[[line]]\nshare = 100\nsize = 4096\nread = 100\n\
                     random = 100\n";

const PARAMETERS: &str = "* a study\nsd=sd1,lun=precious.dat,size=16m,openflags=o_direct,threads=2\n\
                          wd=wd1,sd=sd1,xfersize=4k,rdpct=100\nrd=rd1,wd=wd1,iorate=max,elapsed=1,warmup=1\n";

#[test]
fn a_converted_job_is_a_suite_that_runs() {
    let bench = Bench::new();
    bench.write("job.fio", JOB);
    let said = bench.succeed(&["convert", "job.fio", "-o", "job.toml"]);
    assert_eq!(said.stdout, "");
    let first = "job.fio: by its content it is a fio job file that is measured with --time 1s --ramp 1s \
                 --workers 2 --engine libaio\n";
    assert!(said.stderr.starts_with(first), "{}", said.stderr);
    let note =
        "note: job.fio:2: 'precious.dat' is not touched: the command line names the targets\n";
    assert!(said.stderr.contains(note), "{}", said.stderr);
    let plan = bench.json(&["plan", "./job.toml", "null:", "--json"]);
    assert_eq!(plan["series"][0]["name"], "read/4KiB");
    assert_eq!(plan["series"][1]["name"], "write/64KiB");
    assert!(bench.read("job.toml").starts_with("# Converted by Kneepoint\n"));
    bench.succeed(&["convert", "job.fio", "-o", "job.toml"]);
    assert_eq!(bench.names(), ["job.fio", "job.toml"], "the named file is not made");
}

#[test]
fn jobs_are_work_that_is_measured_as_its_file_says() {
    let bench = Bench::new();
    bench.write("job.fio", JOB);
    bench.write("old.icf", ICF);
    bench.write("params.vdb", PARAMETERS);
    let plan = bench.json(&["plan", "job.fio", "./k.dat", "--buffered", "--json"]);
    assert_eq!(plan["engine"]["workers"], 2);
    assert_eq!(plan["targets"][0]["target"], "./k.dat");
    assert_eq!(plan["series"][0]["loads"]["levels"], serde_json::json!([2.0]));
    let plan = bench.json(&["plan", "old.icf", "null:", "--json"]);
    assert_eq!(plan["series"][0]["name"], "pages/8KiB");
    assert_eq!(plan["series"][0]["loads"]["levels"], serde_json::json!([1.0, 2.0, 4.0]));
    let plan = bench.json(&["plan", "params.vdb", "null:", "--json", "--outstanding", "7"]);
    assert_eq!(plan["series"][0]["loads"]["levels"], serde_json::json!([7.0]));
    assert_eq!(bench.names(), ["job.fio", "old.icf", "params.vdb"]);
}

#[test]
fn jobs_run_on_simulated_targets() {
    let bench = Bench::new();
    bench.write("old.icf", ICF);
    bench.write("job.fio", JOB);
    bench.write("precious.dat", "mine");
    let target = "sim:analytic/mm1?service=1ms";
    bench.succeed(&["run", "job.fio", target]);
    assert_eq!(bench.read("precious.dat"), "mine", "a job names no target");
    let run = bench.json(&["run", "old.icf", target, "--json", "-"]);
    assert_eq!(run["points"].as_array().unwrap().len(), 3);
    assert_eq!(run["points"][0]["verdict"], "fixed");
    bench.succeed(&["knee", "old.icf", target, "--rule", "mean<=5ms"]);
}

#[test]
fn profiles_become_jobs_of_other_tools() {
    let bench = Bench::new();
    bench.write("own.toml", include_str!("own.toml"));
    bench.write("old.icf", ICF);
    let said = bench.succeed(&["convert", "old.icf", "-o", "again.icf"]);
    assert!(!said.stderr.contains("each test takes"), "its own time: {}", said.stderr);
    assert!(bench.read("again.icf").contains("\t0          0          1\n"), "one second");
    let plan =
        |file: &str| bench.json(&["plan", file, "null:", "--json"])["series"][0]["profile"].clone();
    assert_eq!(plan("again.icf")["lines"], plan("old.icf")["lines"]);
    bench.succeed(&["convert", "old.icf", "-o", "again.fio"]);
    assert!(bench.read("again.fio").starts_with("; Converted by Kneepoint\n"));
    bench.succeed(&["convert", "old.icf", "-o", "again.fio"]);
    assert!(bench.read("again.fio").contains("\nruntime=1\nramp_time=1\n"));
    bench.write("plain.toml", PLAIN);
    let said = bench.succeed(&["convert", "plain.toml", "-o", "plain.icf"]);
    assert!(said.stderr.contains("note: plain.toml: each test takes 30 s"), "{}", said.stderr);
}

#[test]
fn what_is_no_job_is_refused_with_advice() {
    let bench = Bench::new();
    bench.write("diary.txt", "today\n");
    bench.write("own.toml", include_str!("own.toml"));
    bench.write("bad.fio", "[a]\nrw=randread\nverify=md5\n");
    bench.write("tty.fio", "[a]\ninclude /dev/stdin\n");
    bench.write("folder.fio", "[a]\ninclude .\n");
    let list = "'MANAGER LIST\r\n'End target\r\n'END manager list\r\n";
    bench.write("doubled.icf", format!("{ICF}{list}"));
    let fails = |arguments: &[&str], what: &str| {
        let said = bench.run(arguments);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains(what), "{what}: {}", said.stderr);
    };
    fails(&["convert", "diary.txt", "-o", "x.toml"], "error: diary.txt is no job of a known tool");
    fails(&["convert", "own.toml"], "error: own.toml is no job of a known tool");
    fails(&["convert", "none.fio"], "error: cannot read none.fio");
    fails(&["convert", "bad.fio"], "error: bad.fio:3: verify: the option cannot be converted");
    let wide: Vec<u8> = "[a]\nrw=read\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    bench.write("wide.fio", wide);
    fails(&["convert", "wide.fio"], "fix: save it as UTF-8");
    bench.write("latin.fio", b"[gr\xfcn]\nrw=read\n");
    bench.succeed(&["convert", "latin.fio", "-o", "latin.toml"]);
    fails(&["convert", "tty.fio"], "why: only files beside the job");
    fails(&["convert", "folder.fio"], "why: it is no regular file");
    fails(&["convert", "doubled.icf"], "remove line 20, or add what is missing before it");
    fails(&["convert", "bad.fio", "-o", "bad.fio"], "are the same file");
    fails(
        &["convert", "bad.fio", "-o", "diary.txt"],
        "the ending of diary.txt names no known format",
    );
    fails(
        &["run", "bad.fio", "./k.dat"],
        "error: bad.fio:3: verify: the option cannot be converted",
    );
    assert!(bench.names().iter().all(|name| name != "k.dat" && name != "kneepoint.db"));
}
