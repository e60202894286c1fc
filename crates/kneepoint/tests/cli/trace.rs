//! Recorded traces: described, resembled, and replayed in virtual time.

use serde_json::json;

use crate::program::Bench;
use crate::snapshot::check_in;

/// 3,000 reads of 4 KiB, one each millisecond, each behind the last one but for every tenth.
fn reads() -> String {
    let line = |number: u64| {
        let sector = if number.is_multiple_of(10) { number * 800 } else { number * 8 };
        format!("0,{sector},4096,R,{}.{:03}\n", number / 1_000, number % 1_000)
    };
    (0..3_000).map(line).collect()
}

/// Bursts of 10 I/Os at once every 100 ms for 2 s, half of them writes of 64 KiB on a second device.
fn bursts() -> String {
    let line = |number: u64| {
        let time = 128_166_372_000_000_000 + number / 10 * 1_000_000;
        match number % 2 {
            0 => format!("{time},host,0,Read,{},8192,100\n", number * 1_048_576),
            _ => format!("{time},host,1,Write,{},65536,100\n", number * 65_536),
        }
    };
    (0..200).map(line).collect()
}

#[test]
fn a_trace_is_described() {
    let bench = Bench::new();
    bench.write("bursts.csv", bursts());
    bench.write(
        "short.log",
        "fio version 2 iolog\nk.dat add\nk.dat open\nk.dat read 0 4096\nk.dat datasync 0 0\nk.dat close\n",
    );
    bench.write("wrong.spc", "0,8,4096,R,0\n0,8,4096,R\n");
    bench.write("no.txt", "nothing\n");
    check_in(
        &bench,
        "trace",
        &[
            "trace describe bursts.csv -o like.toml",
            "trace describe short.log",
            "trace describe wrong.spc",
            "trace describe no.txt",
            "trace describe bursts.csv -o bursts.csv",
            "plan like.toml null:",
        ],
    );
}

#[test]
fn a_few_hot_blocks_of_many_are_seen_and_what_is_estimated_says_so() {
    let bench = Bench::new();
    // 5 GiB read once, and 256 blocks read 4,096 times each, which are 44 % of the touches.
    let cold = |number: u64| format!("0,{},1073741824,R,{number}\n", number << 21);
    let hot = |number: u64| format!("0,{},1048576,R,{}\n", 6u64 << 21, number + 5);
    bench.write("hot.spc", (0..5).map(cold).chain((0..4_096).map(hot)).collect::<String>());
    let text = bench.succeed(&["trace", "describe", "hot.spc"]).stdout;
    let line = text.lines().find(|line| line.starts_with("hottest blocks")).unwrap();
    assert!(line.contains("1 % of them get about 45% of the touches"), "{line}");
    assert!(line.contains("10 % get about 50%") && line.contains("(standard error "), "{line}");
    let columns = ["Working set in", "On average", "At most", "Standard error within"];
    assert!(columns.iter().all(|column| text.contains(column)), "{text}");
}

#[test]
fn a_trace_is_replayed_at_its_own_times() {
    let bench = Bench::new();
    bench.write("reads.spc", reads());
    let target = "sim:analytic/md1?service=500us";
    let run = bench.json(&["run", "reads.spc", target, "--json", "-", "--speed", "0.5,1,4"]);
    let points = run["points"].as_array().unwrap();
    let of = |key: &str| points.iter().map(|point| point[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("verdict")[..2], [json!("fixed"), json!("fixed")]);
    // 2,999 gaps in 2.999 s; 6 s hold all of them at half of that rate.
    assert_eq!(points[0]["load"]["value"], 500.0);
    assert_eq!(points[1]["load"]["value"], 1000.0);
    assert_eq!(points[0]["measured_s"], 6.0);
    assert_eq!(points[0]["operations"], 3_000);
    assert_eq!(points[1]["operations"], 6_000);
    // Every I/O finds the server idle, until there are more than it can do.
    assert_eq!(points[1]["latency_ms"]["max"], 0.5);
    assert!(points[2]["latency_ms"]["mean"].as_f64().unwrap() > 100.0);
    assert_eq!(points[1]["classes"]["write"], json!(null));
    let trace = &run["plan"]["series"][0]["profile"]["trace"];
    assert_eq!(
        (&trace["file"], &trace["fit"], &trace["ios"]),
        (&json!("reads.spc"), &json!("modulo"), &json!(3_000))
    );
    assert_eq!(run["plan"]["open_loop"]["arrivals"], "recorded");
}

#[test]
fn bursts_stay_bursts_at_any_rate() {
    let bench = Bench::new();
    bench.write("bursts.csv", bursts());
    let run = |target: &str| {
        let run = bench.json(&["run", "bursts.csv", target, "--json", "-", "--time", "2s"]);
        run["points"][0]["latency_ms"]["mean"].as_f64().unwrap()
    };
    // Ten at once wait 0 to 9 services of 1 ms for one server: 5.5 ms on average.
    let mean = run("sim:analytic/md1?service=1ms");
    assert!((mean - 5.5).abs() < 0.05, "{mean}");
    let alone = run("sim:analytic/fixed?service=1ms");
    assert!((alone - 1.0).abs() < 0.01, "{alone}");
}

#[test]
fn the_knee_of_a_trace_is_a_multiple_of_its_rate() {
    let bench = Bench::new();
    bench.write("reads.spc", reads());
    let target = "sim:analytic/md1?service=500us";
    let search =
        ["knee", "reads.spc", target, "--rule", "mean<=1ms", "--time", "3s", "--json", "-"];
    let run = bench.json(&search);
    let levels: Vec<f64> = run["points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| point["load"]["value"].as_f64().unwrap())
        .collect();
    assert_eq!(levels[..3], [250.0, 500.0, 1000.0]);
    // At a constant pace the server keeps up with 2,000 IO/s and no more.
    let met = run["points"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|point| point["latency_ms"]["mean"].as_f64().is_some_and(|mean| mean <= 1.0));
    let highest = met.map(|point| point["load"]["value"].as_f64().unwrap()).fold(0.0, f64::max);
    assert!((1_900.0..2_010.0).contains(&highest), "{highest}");
}

#[test]
fn a_closed_loop_replays_the_order_and_not_the_times() {
    let bench = Bench::new();
    bench.write("reads.spc", reads());
    let target = "sim:analytic/fixed?service=1ms";
    let options = ["--outstanding", "4", "--time", "3s", "--ramp", "0s", "--json", "-"];
    let run = bench.json(&[["run", "reads.spc", target].as_slice(), &options].concat());
    assert_eq!(run["points"][0]["load"]["unit"], "outstanding_ios");
    let rate = run["points"][0]["rate"]["mean"].as_f64().unwrap();
    assert!((rate - 4_000.0).abs() < 5.0, "{rate}");
}

#[test]
fn what_becomes_of_addresses_is_said_in_the_result() {
    let bench = Bench::new();
    bench.write("bursts.csv", bursts());
    let plan = |options: &[&str]| {
        let words = ["plan", "bursts.csv", "./k.dat", "--json", "--size", "16MiB", "--buffered"];
        bench.json(&[words.as_slice(), options].concat())["omissions"].clone()
    };
    let addresses = |fit: &str| {
        json!({"left_out": "addresses", "series": "bursts/mix", "target": "./k.dat",
               "extent_bytes": 220_733_440, "size_bytes": 16_777_216, "fit": fit})
    };
    let devices = json!({"left_out": "devices", "series": "bursts/mix", "devices": 2});
    assert_eq!(plan(&[]), json!([addresses("modulo"), devices]));
    assert_eq!(plan(&["--fit", "scale"]), json!([addresses("scale"), devices]));
    let run = ["run", "bursts.csv", "./k.dat", "--size", "16MiB", "--buffered", "--time", "1s"];
    let said = bench.succeed(&run);
    let told = "the I/Os of bursts/mix are elsewhere on ./k.dat: the trace uses 21";
    assert!(
        format!("{}{}", said.stdout, said.stderr).replace('\n', " ").contains(told),
        "{said:?}"
    );
}

#[test]
fn what_of_a_trace_is_not_replayed_is_said_in_the_result() {
    let bench = Bench::new();
    let log = "fio version 3 iolog\n0 a read 0 4096\n5 a sync 0 0\n7 a trim 0 4096\n\
               9000 a read 4096 4096\n8000 a read 8192 4096\n9500 a datasync 0 0\n";
    bench.write("flushed.log", log);
    bench.write("plain.spc", reads());
    let target = ["sim:analytic/fixed?service=1ms", "--time", "1s", "--json", "-"];
    let run = |words: &[&str]| bench.json(&[["run"].as_slice(), words, &target].concat());
    let stored = run(&["flushed.log"]);
    let trace = &stored["plan"]["series"][0]["profile"]["trace"];
    let left_out = json!([{"what": "flushes", "count": 2}, {"what": "trims", "count": 1}]);
    assert_eq!(
        trace["reading"],
        json!({"left_out": left_out, "disordered": 1, "devices_joined": 0})
    );
    let texts = |bench: &Bench| {
        bench.succeed(&["report", "last", "-o", "report.md", "--force"]);
        [bench.succeed(&["show", "last"]).stdout, bench.read("report.md")]
    };
    let said = [
        "flushed/4KiB replays reads and writes; left out of the trace: flushes (2)",
        "flushed/4KiB replays reads and writes; left out of the trace: trims (1)",
        "times of flushed/4KiB that run backwards in the trace (1)",
    ];
    for text in texts(&bench) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        said.iter().for_each(|said| assert!(text.contains(said), "{said}: {text}"));
    }
    // Only what is in the part counts.
    let part = run(&["flushed.log", "--trace-from", "9ms"]);
    let trace = &part["plan"]["series"][0]["profile"]["trace"];
    assert_eq!(trace["reading"]["left_out"], json!([{"what": "flushes", "count": 1}]));
    // Of a trace that is replayed as it is, nothing is said.
    let plain = run(&["plain.spc"]);
    assert_eq!(plain["plan"]["series"][0]["profile"]["trace"]["reading"], json!(null));
    assert_eq!(plain["plan"]["omissions"], json!([]));
    for text in texts(&bench) {
        assert!(!text.contains("left out of the trace"), "{text}");
    }
}

#[test]
fn writes_of_a_trace_need_consent_like_any_others() {
    let bench = Bench::new();
    bench.write("bursts.csv", bursts());
    bench.write("precious.dat", vec![7; 4 << 20]);
    bench.refuse(&["run", "bursts.csv", "./precious.dat", "--buffered"], "precious.dat");
    assert!(bench.read("precious.dat").bytes().all(|byte| byte == 7), "nothing was written");
}

#[test]
fn a_trace_is_replayed_on_a_file() {
    let bench = Bench::new();
    bench.write("bursts.csv", bursts());
    let target = ["./k.dat", "--size", "16MiB", "--buffered", "--time", "1s", "--json", "-"];
    let run = bench.json(&[["run", "bursts.csv"].as_slice(), &target].concat());
    let classes = &run["points"][0]["classes"];
    assert_eq!(run["points"][0]["errors"], 0);
    assert_eq!(classes["read"]["operations"], classes["write"]["operations"]);
    // Ten of them each 100 ms, from the first instant on.
    assert_eq!(run["points"][0]["operations"], 100);
    let volume = run["points"][0]["volume"]["mean"].as_f64().unwrap();
    assert!((volume - 3.516).abs() < 0.01, "{volume}");
}

#[test]
fn what_does_not_fit_a_trace_is_refused() {
    let bench = Bench::new();
    bench.write("reads.spc", reads());
    bench.write("still.log", "fio version 2 iolog\na read 0 4096\na read 4096 4096\n");
    let run = |words: &[&'static str]| [["run"].as_slice(), words].concat();
    let refuse = |words: &[&'static str], why: &str| bench.refuse(&run(words), why);
    refuse(&["database", "null:", "--speed", "2"], "database is no trace");
    refuse(&["reads.spc", "null:", "--speed", "0"], "a multiple of the trace's own rate");
    refuse(&["reads.spc", "null:", "--block", "8KiB"], "can't take a block size");
    refuse(&["reads.spc", "null:", "--workers", "2"], "replayed by one worker for each target");
    refuse(&["reads.spc", "null:", "--hosts", "local:2"], "is not replayed on a fleet");
    refuse(&["still.log", "null:", "--speed", "2"], "still.log has no times");
    refuse(&["reads.spc", "null:", "--trace-from", "1h"], "there is no I/O in that part");
}

#[test]
fn a_trace_is_found_by_any_name_and_a_packed_one_is_told() {
    let bench = Bench::new();
    bench.write("plain", reads());
    bench.write("database", reads());
    bench.write("reads.spc.gz", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
    let target = "sim:analytic/fixed?service=1ms";
    let trace = |work: &str| {
        let plan = bench.json(&["plan", work, target, "--json"]);
        plan["series"][0]["profile"]["trace"]["file"].clone()
    };
    assert_eq!(trace("plain"), "plain");
    assert_eq!(trace("database"), json!(null), "the catalog comes first");
    bench.refuse(&["run", "reads.spc.gz", target], "reads.spc.gz is packed by gzip");
    bench.refuse(&["run", "missing.csv", target], "cannot read missing.csv");
}

#[test]
fn what_cannot_be_recorded_is_refused_and_leaves_nothing() {
    let bench = Bench::new();
    bench.write("k.dat", "no device");
    let refuse = |device: &str, why: &str| {
        bench.refuse(&["trace", "record", device, "-o", "new.blktrace", "--time", "1s"], why);
    };
    refuse("k.dat", "only block devices are recorded: it is none");
    refuse("missing", "only block devices are recorded: No such file");
    assert_eq!(bench.names(), ["k.dat"]);
}

#[test]
fn a_trace_is_converted_into_a_profile() {
    let bench = Bench::new();
    bench.write("reads.spc", reads());
    bench.succeed(&["convert", "reads.spc", "-o", "reads.toml"]);
    let plan = bench.json(&["plan", "./reads.toml", "null:", "--json"]);
    assert_eq!(plan["series"][0]["name"], "reads/4KiB");
    assert_eq!(plan["series"][0]["loads"]["levels"], json!([1000.0]));
}
