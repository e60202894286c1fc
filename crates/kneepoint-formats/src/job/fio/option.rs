//! Options that are not taken over: those that do not matter, and those that cannot be said here, with why.

/// Options about what fio prints, logs and prepares; without them the same is measured.
const LEFT_OUT: &[&str] = &[
    "group_reporting",
    "new_group",
    "thread",
    "name",
    "percentile_list",
    "clat_percentiles",
    "lat_percentiles",
    "slat_percentiles",
    "unified_rw_reporting",
    "write_bw_log",
    "write_lat_log",
    "write_iops_log",
    "write_hist_log",
    "log_avg_msec",
    "log_hist_msec",
    "log_max_value",
    "log_offset",
    "log_compression",
    "log_unix_epoch",
    "log_store_compressed",
    "per_job_logs",
    "disable_lat",
    "disable_clat",
    "disable_slat",
    "disable_bw_measurement",
    "disable_bw",
    "bwavgtime",
    "iopsavgtime",
    "stats",
    "significant_figures",
    "gtod_reduce",
    "gtod_cpu",
    "clocksource",
    "exitall",
    "exitall_on_error",
    "exit_what",
    "invalidate",
    "refill_buffers",
    "scramble_buffers",
    "randrepeat",
    "allrandrepeat",
    "randseed",
    "random_generator",
    "softrandommap",
    "create_on_open",
    "create_serialize",
    "create_fsync",
    "fallocate",
    "overwrite",
    "unlink",
    "unlink_each_loop",
    "fadvise_hint",
    "pre_read",
    "end_fsync",
    "fsync_on_close",
    "unit_base",
    "mem",
    "iomem",
    "iomem_align",
    "mem_align",
    "hugepage-size",
    "disk_util",
    "userspace_reap",
    "nice",
    "kb_base",
    "description",
];

/// Of data that is verified, and of traces, Kneepoint has its own way.
const VERIFIED: &str = "that data is right is asked for on the command line: --verify";
const REPLAYED: &str =
    "a trace is measured without a job: kneepoint run TRACE TARGET, or `kneepoint trace describe`";

/// Options that cannot be said here, by the beginnings of their names, with why.
const REFUSED: &[(&str, &str)] = &[
    ("verify", VERIFIED),
    ("do_verify", VERIFIED),
    ("rate_min", "a job that is too slow is not ended here"),
    ("rate_iops_min", "a job that is too slow is not ended here"),
    ("rate", "the bandwidth of a job cannot be limited here; rate_iops can"),
    (
        "thinktime",
        "a pause begins when the I/Os before it have completed there; here it counts from the issue of the last \
         one, and all outstanding I/Os share it",
    ),
    ("trim", "blocks that are verified are not trimmed here; rw=trim is known"),
    ("zone", "zones are not observed here"),
    ("nrfiles", "a target is one file or device here"),
    ("openfiles", "a target is one file or device here"),
    ("file_service_type", "a target is one file or device here"),
    ("offset_increment", "all workers use the same part of the target here"),
    ("size_increment", "all workers use the same part of the target here"),
    ("io_size", "a point ends by its accuracy or its time, not by an amount of data"),
    ("number_ios", "a point ends by its accuracy or its time, not by a number of I/Os"),
    ("exec_", "commands in the files of others are never run"),
    ("iodepth_", "each I/O that completes is replaced at once here"),
    ("read_iolog", REPLAYED),
    ("replay", REPLAYED),
    ("steadystate", "steady state is asked for on the command line: --steady-state"),
    ("ss", "steady state is asked for on the command line: --steady-state"),
    ("latency_", "a limit of the response time is a rule: --rule 'p99<=5ms' with `kneepoint knee`"),
    ("flow", "jobs that run at the same time do not wait for one another here"),
    ("startdelay", "jobs that run at the same time begin together here"),
    ("wait_for", "a job begins with those before it, or after all of them (stonewall), here"),
    ("ioscheduler", "settings of a device are factors: --factor scheduler=none"),
    ("cgroup", "settings are factors here"),
    ("cpus_allowed", "threads are not bound to the processors of the file here"),
    ("cpumask", "threads are not bound to the processors of the file here"),
    ("numa", "threads are not bound to nodes here"),
    ("buffer_pattern", "written data has no pattern here"),
    ("zero_buffers", "zeros are not written here; buffer_compress_percentage is known"),
    ("hipri", "polling is asked for on the command line: --engine io_uring_iopoll"),
    ("sqthread_poll", "polling is asked for on the command line: --engine io_uring_sqpoll"),
    ("client", "hosts are named on the command line: --hosts"),
    ("opendir", "a target is named on the command line"),
];

/// Whether the same is measured without an option.
pub(super) fn is_left_out(key: &str) -> bool {
    LEFT_OUT.contains(&key)
}

/// Why an option is refused; `None` if it is not known at all.
pub(super) fn refusal(key: &str) -> Option<&'static str> {
    let known = REFUSED.iter().find(|(begin, _)| key.starts_with(begin));
    known.map(|(_, why)| *why)
}

/// Options of which 0 asks for nothing; of others it is a processor, a file, a pattern or a command.
const NOTHING_AT_ZERO: &[&str] = &[
    "verify",
    "do_verify",
    "verify_async",
    "verify_backlog",
    "verify_backlog_batch",
    "verify_dump",
    "verify_fatal",
    "verify_interval",
    "verify_offset",
    "verify_only",
    "verify_state_load",
    "verify_state_save",
    "rate",
    "rate_min",
    "rate_iops_min",
    "rate_ignore_thinktime",
    "thinktime",
    "thinktime_spin",
    "thinktime_iotime",
    "trim_percentage",
    "trim_verify_zero",
    "trim_backlog",
    "trim_backlog_batch",
    "zonesize",
    "zonerange",
    "zoneskip",
    "zonecapacity",
    "openfiles",
    "offset_increment",
    "io_size",
    "number_ios",
    "iodepth_low",
    "iodepth_batch_complete_max",
    "replay_no_stall",
    "replay_align",
    "steadystate_duration",
    "ss_dur",
    "steadystate_ramp_time",
    "ss_ramp",
    "latency_target",
    "latency_window",
    "latency_run",
    "flow",
    "flow_watermark",
    "flow_sleep",
    "startdelay",
    "cgroup_weight",
    "cgroup_nodelete",
    "zero_buffers",
    "hipri",
    "hipri_percentage",
    "sqthread_poll",
];

/// Other values that ask for nothing, each of its option.
const NOTHING_AT: &[(&str, &str)] = &[
    ("zonemode", "none"),
    ("nrfiles", "1"),
    ("iodepth_batch", "1"),
    ("iodepth_batch_submit", "1"),
    ("iodepth_batch_complete", "1"),
    ("iodepth_batch_complete_min", "1"),
];

/// Whether a value of an option that is refused otherwise asks for nothing.
pub(super) fn asks_for_nothing(key: &str, value: &str) -> bool {
    value == "0" && NOTHING_AT_ZERO.contains(&key) || NOTHING_AT.contains(&(key, value))
}
