# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_kneepoint_global_optspecs
    string join \n h/help V/version
end

function __fish_kneepoint_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_kneepoint_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_kneepoint_using_subcommand
    set -l cmd (__fish_kneepoint_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c kneepoint -n "__fish_kneepoint_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "run" -d 'Measure: lay out the target, drive it at rising load, keep every point, report'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "plan" -d 'Show what run would do: points, bytes written, time; touches nothing'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "knee" -d 'Search the highest load that meets each rule, with as few points as it takes'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "resume" -d 'Measure what an interrupted run lacks, with its own plan and seed'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "runs" -d 'List the stored runs'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "show" -d 'Show the tables of a stored run'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "compare" -d 'Show stored runs side by side: what differs, by how much, and whether it could be chance'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "report" -d 'Write the report on a stored run, or on several side by side'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "export" -d 'Write a stored run as JSON or CSV'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "import" -d 'Take a run from a JSON file, or all runs of another store, into the store'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "convert" -d 'Turn jobs of Iometer, fio and vdbench into profiles and suites, and these into jobs'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "trace" -d 'Tell what is in a recorded trace, or record one'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "label" -d 'Give a stored run another label'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "delete" -d 'Delete a stored run'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "catalog" -d 'List the load profiles, suites and simulated systems, or show one'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "validate" -d 'Simulate published measurements and print how far the simulated systems are from them'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "size" -d 'Find simulated systems that sustain a load, with as few drives as it takes'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "calibrate" -d 'Fit a simulated system to measurements and write its file'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "inspect" -d 'Tell what is known of a target, and whether it may be written and why not'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "verify" -d 'Check the data that a run with --verify wrote'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "agent" -d 'Serve as an agent of a fleet: measure on this host what its controller asks, if it is allowed here'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "hosts" -d 'The hosts of a fleet: let one join, list them, remove one'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "sessions" -d 'Desktop sessions on this machine, for runs from elsewhere and for recording: start them, stop them'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "record" -d 'Record a script for users at screens: what you do with a viewer, and where the screen answers'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "guard-server" -d 'Run the server of a fleet for as long as standard input is open'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "guard-database" -d 'Run a database server for as long as standard input is open'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "guard-desktops" -d 'Run desktop sessions for as long as standard input is open'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "guard-accounts" -d 'Keep accounts with desktop sessions for as long as standard input is open'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "completions" -d 'Print the completions of a shell'
complete -c kneepoint -n "__fish_kneepoint_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l hosts -d 'Measure on several hosts at once: names of hosts that have joined (`kneepoint hosts`), or that ssh reaches; local:4 is four agents in this process. A target HOST:PATH is on that host; others are dealt out to all of them' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l wait-hosts -d 'How long a host that is lost is waited for: its point is then measured again, once' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l nats -d 'Talk over a NATS server of your own instead of one that the controller starts: tls://HOST:PORT, or nats://HOST:PORT, which is encrypted only if the server asks for it' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l creds -d 'File with what that server lets in with: credentials (.creds), or the seed of an nkey' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l nats-ca -d 'File with the authorities that may have signed that server\'s certificate, PEM (default: those of the system)' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l size -d 'Bytes of each target to use; test files are made this large (default: the suite\'s, or the whole target where it exists)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l block -d 'Block sizes instead of the profile\'s: one series each' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l outstanding -l queue-depth -l qd -d 'Outstanding I/Os per target, or operations on files: a list 1,2,4, a range 1..121, a rising range 1..512x2, rising (the default: 1, 2, 4 ... 512 until throughput stops rising), or auto to search for the knee of every rule and the peak' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l rate -d 'I/Os per second to offer to each target whatever it answers (open loop), instead of outstanding I/Os: a list, a range, rising, or auto' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l users -d 'Users that work at the same time, for profiles of users: a list, a range, rising, or auto' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l every -d 'Let one more user come each time this has passed, without a break: a point is this time with one number of users, and logons are part of it' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l warehouses -d 'Warehouses with a thread each, for business operations: a list, a range, auto, or rising (the default: 1, 2, 3 ... to twice --peak-warehouses, at least 8)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l copies -d 'Copies of a program, each a process on one processor in turn: a list, a range, auto, or rising (the default: from 1 to two for each processor)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l peak-warehouses -d 'Warehouses at which business operations are expected to be fastest: the score is the mean from there to twice as many (default: the processors that may be used)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l load -d 'The general form of --outstanding, --rate, --users, --warehouses and --copies: load levels in the unit that the profile has anyway' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l arrivals -d 'Spacing of the I/Os that --rate offers' -r -f -a "exponential\t'Exponentially distributed, as many independent users make it'
constant\t'Always the same time apart'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l rule -d 'Response-time condition to read results off at, e.g. \'mean<=20ms\', of one class \'write.p99<=5ms\', against another load \'mean<=2x@5\' (twice the mean at load 5) or \'mean<=+100ms@5\' (100 ms more than that; may be repeated; default: the suite\'s, or by the class of the target: mean<=15ms and mean<=20ms on disks that rotate, p99<=1ms and p99<=2ms on flash and memory)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l reference -d 'Stored run of the same work whose response times stand in place of those at another load that rules refer to (\'mean<=2x@5\'): its id, label, or `last`. They are not measured again' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l accuracy -d 'Measure each point until the 95 % confidence intervals of IO/s and of the mean response time are within this share of the mean, and neither drifts by more than twice as much (default: 5%)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l min-time -d 'Shortest time to measure at each point, after the ramp (default: 2s)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l max-time -d 'Longest time to measure at each point, whether the accuracy is reached or not (default: 30s)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l time -d 'Measure each point for exactly this time after the ramp, whatever the accuracy' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l steady-state -d 'Measure each point in rounds of this length until the last five are steady (IO/s within 20 % of their mean, their trend within 10 %), at most 25 rounds: for flash, with rounds of 60s' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l ramp -d 'Warm-up of each point, before anything counts; the data can make it longer, but not with --time (default: 500ms, with --time 1s)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l repeat -d 'Measure everything N times, in an order drawn from the seed, and report the variation between the repetitions (default: the suite\'s, or 1; of copies of programs 3, and more until --accuracy is reached, at most 12, with --quick 5)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l factor -d 'Measure everything at each of these levels of a setting (may be repeated): scheduler, read_ahead, nr_requests, write_cache, kernel_flushes, cgroup.read_iops, cgroup.write_iops, cgroup.read_bps, cgroup.write_bps of the devices under the targets; cgroup.cpu_quota (the time of that many processors: 0.5, 2, max) and frequency (1.8GHz) also of cpu: and memory:, cpus (how many) of cpu:. All are put back at the end. Of simulated systems any parameter: raid, drives, param.NAME; of a PostgreSQL that runs what a session may set, and by ALTER SYSTEM, put back at the end, what the server reads again while it runs (max_wal_size; needs a superuser); of postgres:temp any setting. Settings of your own need a suite' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l design -d 'Which combinations of levels: full, or one-at-a-time (default: the suite\'s, or full)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l order -d 'Order of the combinations: random, blocked by repetition, or as-written (default: the suite\'s, or random)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l speed -d 'Replay a trace at these multiples of its own rate, its bursts and pauses with it: a list such as 0.5,1,2 (default: 1). With --rate the rate itself, with --outstanding a closed loop' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l fit -d 'How the addresses of a trace come onto a target of another size' -r -f -a "modulo\t'The remainder by the size of the target: what is sequential stays so'
scale\t'Times the ratio of the sizes: what is spread over the device stays so'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l trace-from -d 'Leave out what the trace has before this time, counted from its first I/O' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l trace-until -d 'Leave out what the trace has from this time on' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l events -d 'Of traces of the kernel, whose I/Os have several events: which one counts' -r -f -a "issued\t'It was handed to the device (D)'
queued\t'A program asked for it (Q)'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l engine -d 'How I/O is issued; auto takes the best that works' -r -f -a "auto\t'The best that works: io_uring, libaio, sync'
io_uring\t'The kernel\'s submission and completion rings'
io_uring_sqpoll\t'io_uring with a kernel thread that polls for submissions: spends a CPU to save system calls'
io_uring_iopoll\t'io_uring that polls the device for completions instead of being interrupted: direct I/O on NVMe drives with poll queues'
libaio\t'Linux native asynchronous I/O'
sync\t'pread and pwrite, one thread per outstanding I/O'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l workers -d 'Threads that drive the load, several of them on a CPU each (default: one per target, at most one per CPU)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l seed -d 'Seed of all randomness; the same plan and seed issue the same I/Os' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l max-errors -d 'A point with more failed I/Os than this ends at once, and the run fails' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l max-foreign-cpu -d 'Mark every point as disturbed while whose measurement other programs used more than this share of the machine\'s processor time, by at least that share. Without it, and below it, a point is disturbed only as far as its work had to wait for other programs (default: 5% for copies of programs, business operations and operations on files)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l overwrite -d 'Permit writing to exactly this target although Kneepoint did not make it; its data is lost. A device that carries a recognised signature needs its serial or UUID as well' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l wait-quiet -d 'Before each point, wait until other programs use at most 5 % of the processor time and leave the devices of the targets alone; in the whole run at most this long, e.g. 60s' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l label -d 'Your own name for the run' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l store -d 'File that runs are stored in' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l report -d 'Write the report when done; the ending names the format (.html, .md, .pdf)' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l language -d 'Language of the report' -r -f -a "en\t'English'
de\t'German'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l json -d 'Write the result as JSON when done (schema kneepoint.run/2); `-` prints it instead of the tables' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l allow-root -d 'Let agents run as root, which they refuse otherwise; ssh passes it on to those that it starts'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l quick -d 'A first impression: fewer load levels, 10 % accuracy, half a second to 2 seconds per point'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l precondition -d 'Before the first point, write every target twice from end to end, then at random until steady state, as flash needs it; takes long and wears the drive (`kneepoint plan` says how much). The run itself must write, too'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l verify -d 'Verify all data: the targets are written from end to end first, each block then says when it was written, and what is read must be what was written last. Afterwards `kneepoint verify` looks at all of it. The journal is beside the target, or of a device beside the store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l buffered -d 'Go through the page cache instead of past it'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l huge-pages -d 'Keep the buffers of I/Os in huge pages of memory (2 MiB), as databases can be told to. Large I/Os are faster then where the device is fast; without it they lie in small ones, as with other tools'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l wide -d 'Print every column of the tables and every name in full, however narrow the terminal is'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -l force -d 'Let outputs replace files that Kneepoint did not write, but no store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand run" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l hosts -d 'Measure on several hosts at once: names of hosts that have joined (`kneepoint hosts`), or that ssh reaches; local:4 is four agents in this process. A target HOST:PATH is on that host; others are dealt out to all of them' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l wait-hosts -d 'How long a host that is lost is waited for: its point is then measured again, once' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l nats -d 'Talk over a NATS server of your own instead of one that the controller starts: tls://HOST:PORT, or nats://HOST:PORT, which is encrypted only if the server asks for it' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l creds -d 'File with what that server lets in with: credentials (.creds), or the seed of an nkey' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l nats-ca -d 'File with the authorities that may have signed that server\'s certificate, PEM (default: those of the system)' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l size -d 'Bytes of each target to use; test files are made this large (default: the suite\'s, or the whole target where it exists)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l block -d 'Block sizes instead of the profile\'s: one series each' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l outstanding -l queue-depth -l qd -d 'Outstanding I/Os per target, or operations on files: a list 1,2,4, a range 1..121, a rising range 1..512x2, rising (the default: 1, 2, 4 ... 512 until throughput stops rising), or auto to search for the knee of every rule and the peak' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l rate -d 'I/Os per second to offer to each target whatever it answers (open loop), instead of outstanding I/Os: a list, a range, rising, or auto' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l users -d 'Users that work at the same time, for profiles of users: a list, a range, rising, or auto' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l every -d 'Let one more user come each time this has passed, without a break: a point is this time with one number of users, and logons are part of it' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l warehouses -d 'Warehouses with a thread each, for business operations: a list, a range, auto, or rising (the default: 1, 2, 3 ... to twice --peak-warehouses, at least 8)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l copies -d 'Copies of a program, each a process on one processor in turn: a list, a range, auto, or rising (the default: from 1 to two for each processor)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l peak-warehouses -d 'Warehouses at which business operations are expected to be fastest: the score is the mean from there to twice as many (default: the processors that may be used)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l load -d 'The general form of --outstanding, --rate, --users, --warehouses and --copies: load levels in the unit that the profile has anyway' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l arrivals -d 'Spacing of the I/Os that --rate offers' -r -f -a "exponential\t'Exponentially distributed, as many independent users make it'
constant\t'Always the same time apart'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l rule -d 'Response-time condition to read results off at, e.g. \'mean<=20ms\', of one class \'write.p99<=5ms\', against another load \'mean<=2x@5\' (twice the mean at load 5) or \'mean<=+100ms@5\' (100 ms more than that; may be repeated; default: the suite\'s, or by the class of the target: mean<=15ms and mean<=20ms on disks that rotate, p99<=1ms and p99<=2ms on flash and memory)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l reference -d 'Stored run of the same work whose response times stand in place of those at another load that rules refer to (\'mean<=2x@5\'): its id, label, or `last`. They are not measured again' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l accuracy -d 'Measure each point until the 95 % confidence intervals of IO/s and of the mean response time are within this share of the mean, and neither drifts by more than twice as much (default: 5%)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l min-time -d 'Shortest time to measure at each point, after the ramp (default: 2s)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l max-time -d 'Longest time to measure at each point, whether the accuracy is reached or not (default: 30s)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l time -d 'Measure each point for exactly this time after the ramp, whatever the accuracy' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l steady-state -d 'Measure each point in rounds of this length until the last five are steady (IO/s within 20 % of their mean, their trend within 10 %), at most 25 rounds: for flash, with rounds of 60s' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l ramp -d 'Warm-up of each point, before anything counts; the data can make it longer, but not with --time (default: 500ms, with --time 1s)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l repeat -d 'Measure everything N times, in an order drawn from the seed, and report the variation between the repetitions (default: the suite\'s, or 1; of copies of programs 3, and more until --accuracy is reached, at most 12, with --quick 5)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l factor -d 'Measure everything at each of these levels of a setting (may be repeated): scheduler, read_ahead, nr_requests, write_cache, kernel_flushes, cgroup.read_iops, cgroup.write_iops, cgroup.read_bps, cgroup.write_bps of the devices under the targets; cgroup.cpu_quota (the time of that many processors: 0.5, 2, max) and frequency (1.8GHz) also of cpu: and memory:, cpus (how many) of cpu:. All are put back at the end. Of simulated systems any parameter: raid, drives, param.NAME; of a PostgreSQL that runs what a session may set, and by ALTER SYSTEM, put back at the end, what the server reads again while it runs (max_wal_size; needs a superuser); of postgres:temp any setting. Settings of your own need a suite' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l design -d 'Which combinations of levels: full, or one-at-a-time (default: the suite\'s, or full)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l order -d 'Order of the combinations: random, blocked by repetition, or as-written (default: the suite\'s, or random)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l speed -d 'Replay a trace at these multiples of its own rate, its bursts and pauses with it: a list such as 0.5,1,2 (default: 1). With --rate the rate itself, with --outstanding a closed loop' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l fit -d 'How the addresses of a trace come onto a target of another size' -r -f -a "modulo\t'The remainder by the size of the target: what is sequential stays so'
scale\t'Times the ratio of the sizes: what is spread over the device stays so'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l trace-from -d 'Leave out what the trace has before this time, counted from its first I/O' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l trace-until -d 'Leave out what the trace has from this time on' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l events -d 'Of traces of the kernel, whose I/Os have several events: which one counts' -r -f -a "issued\t'It was handed to the device (D)'
queued\t'A program asked for it (Q)'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l engine -d 'How I/O is issued; auto takes the best that works' -r -f -a "auto\t'The best that works: io_uring, libaio, sync'
io_uring\t'The kernel\'s submission and completion rings'
io_uring_sqpoll\t'io_uring with a kernel thread that polls for submissions: spends a CPU to save system calls'
io_uring_iopoll\t'io_uring that polls the device for completions instead of being interrupted: direct I/O on NVMe drives with poll queues'
libaio\t'Linux native asynchronous I/O'
sync\t'pread and pwrite, one thread per outstanding I/O'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l workers -d 'Threads that drive the load, several of them on a CPU each (default: one per target, at most one per CPU)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l seed -d 'Seed of all randomness; the same plan and seed issue the same I/Os' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l max-errors -d 'A point with more failed I/Os than this ends at once, and the run fails' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l max-foreign-cpu -d 'Mark every point as disturbed while whose measurement other programs used more than this share of the machine\'s processor time, by at least that share. Without it, and below it, a point is disturbed only as far as its work had to wait for other programs (default: 5% for copies of programs, business operations and operations on files)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l overwrite -d 'Permit writing to exactly this target although Kneepoint did not make it; its data is lost. A device that carries a recognised signature needs its serial or UUID as well' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l store -d 'File that runs are stored in' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l allow-root -d 'Let agents run as root, which they refuse otherwise; ssh passes it on to those that it starts'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l quick -d 'A first impression: fewer load levels, 10 % accuracy, half a second to 2 seconds per point'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l precondition -d 'Before the first point, write every target twice from end to end, then at random until steady state, as flash needs it; takes long and wears the drive (`kneepoint plan` says how much). The run itself must write, too'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l verify -d 'Verify all data: the targets are written from end to end first, each block then says when it was written, and what is read must be what was written last. Afterwards `kneepoint verify` looks at all of it. The journal is beside the target, or of a device beside the store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l buffered -d 'Go through the page cache instead of past it'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l huge-pages -d 'Keep the buffers of I/Os in huge pages of memory (2 MiB), as databases can be told to. Large I/Os are faster then where the device is fast; without it they lie in small ones, as with other tools'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l json -d 'Print the resolved plan as JSON'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -l wide -d 'Print every column of the tables and every name in full, however narrow the terminal is'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand plan" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l hosts -d 'Measure on several hosts at once: names of hosts that have joined (`kneepoint hosts`), or that ssh reaches; local:4 is four agents in this process. A target HOST:PATH is on that host; others are dealt out to all of them' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l wait-hosts -d 'How long a host that is lost is waited for: its point is then measured again, once' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l nats -d 'Talk over a NATS server of your own instead of one that the controller starts: tls://HOST:PORT, or nats://HOST:PORT, which is encrypted only if the server asks for it' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l creds -d 'File with what that server lets in with: credentials (.creds), or the seed of an nkey' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l nats-ca -d 'File with the authorities that may have signed that server\'s certificate, PEM (default: those of the system)' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l size -d 'Bytes of each target to use; test files are made this large (default: the suite\'s, or the whole target where it exists)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l block -d 'Block sizes instead of the profile\'s: one series each' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l outstanding -l queue-depth -l qd -d 'Outstanding I/Os per target, or operations on files: a list 1,2,4, a range 1..121, a rising range 1..512x2, rising (the default: 1, 2, 4 ... 512 until throughput stops rising), or auto to search for the knee of every rule and the peak' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l rate -d 'I/Os per second to offer to each target whatever it answers (open loop), instead of outstanding I/Os: a list, a range, rising, or auto' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l users -d 'Users that work at the same time, for profiles of users: a list, a range, rising, or auto' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l every -d 'Let one more user come each time this has passed, without a break: a point is this time with one number of users, and logons are part of it' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l warehouses -d 'Warehouses with a thread each, for business operations: a list, a range, auto, or rising (the default: 1, 2, 3 ... to twice --peak-warehouses, at least 8)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l copies -d 'Copies of a program, each a process on one processor in turn: a list, a range, auto, or rising (the default: from 1 to two for each processor)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l peak-warehouses -d 'Warehouses at which business operations are expected to be fastest: the score is the mean from there to twice as many (default: the processors that may be used)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l load -d 'The general form of --outstanding, --rate, --users, --warehouses and --copies: load levels in the unit that the profile has anyway' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l arrivals -d 'Spacing of the I/Os that --rate offers' -r -f -a "exponential\t'Exponentially distributed, as many independent users make it'
constant\t'Always the same time apart'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l rule -d 'Response-time condition to read results off at, e.g. \'mean<=20ms\', of one class \'write.p99<=5ms\', against another load \'mean<=2x@5\' (twice the mean at load 5) or \'mean<=+100ms@5\' (100 ms more than that; may be repeated; default: the suite\'s, or by the class of the target: mean<=15ms and mean<=20ms on disks that rotate, p99<=1ms and p99<=2ms on flash and memory)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l reference -d 'Stored run of the same work whose response times stand in place of those at another load that rules refer to (\'mean<=2x@5\'): its id, label, or `last`. They are not measured again' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l accuracy -d 'Measure each point until the 95 % confidence intervals of IO/s and of the mean response time are within this share of the mean, and neither drifts by more than twice as much (default: 5%)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l min-time -d 'Shortest time to measure at each point, after the ramp (default: 2s)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l max-time -d 'Longest time to measure at each point, whether the accuracy is reached or not (default: 30s)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l time -d 'Measure each point for exactly this time after the ramp, whatever the accuracy' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l steady-state -d 'Measure each point in rounds of this length until the last five are steady (IO/s within 20 % of their mean, their trend within 10 %), at most 25 rounds: for flash, with rounds of 60s' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l ramp -d 'Warm-up of each point, before anything counts; the data can make it longer, but not with --time (default: 500ms, with --time 1s)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l repeat -d 'Measure everything N times, in an order drawn from the seed, and report the variation between the repetitions (default: the suite\'s, or 1; of copies of programs 3, and more until --accuracy is reached, at most 12, with --quick 5)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l factor -d 'Measure everything at each of these levels of a setting (may be repeated): scheduler, read_ahead, nr_requests, write_cache, kernel_flushes, cgroup.read_iops, cgroup.write_iops, cgroup.read_bps, cgroup.write_bps of the devices under the targets; cgroup.cpu_quota (the time of that many processors: 0.5, 2, max) and frequency (1.8GHz) also of cpu: and memory:, cpus (how many) of cpu:. All are put back at the end. Of simulated systems any parameter: raid, drives, param.NAME; of a PostgreSQL that runs what a session may set, and by ALTER SYSTEM, put back at the end, what the server reads again while it runs (max_wal_size; needs a superuser); of postgres:temp any setting. Settings of your own need a suite' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l design -d 'Which combinations of levels: full, or one-at-a-time (default: the suite\'s, or full)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l order -d 'Order of the combinations: random, blocked by repetition, or as-written (default: the suite\'s, or random)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l speed -d 'Replay a trace at these multiples of its own rate, its bursts and pauses with it: a list such as 0.5,1,2 (default: 1). With --rate the rate itself, with --outstanding a closed loop' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l fit -d 'How the addresses of a trace come onto a target of another size' -r -f -a "modulo\t'The remainder by the size of the target: what is sequential stays so'
scale\t'Times the ratio of the sizes: what is spread over the device stays so'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l trace-from -d 'Leave out what the trace has before this time, counted from its first I/O' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l trace-until -d 'Leave out what the trace has from this time on' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l events -d 'Of traces of the kernel, whose I/Os have several events: which one counts' -r -f -a "issued\t'It was handed to the device (D)'
queued\t'A program asked for it (Q)'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l engine -d 'How I/O is issued; auto takes the best that works' -r -f -a "auto\t'The best that works: io_uring, libaio, sync'
io_uring\t'The kernel\'s submission and completion rings'
io_uring_sqpoll\t'io_uring with a kernel thread that polls for submissions: spends a CPU to save system calls'
io_uring_iopoll\t'io_uring that polls the device for completions instead of being interrupted: direct I/O on NVMe drives with poll queues'
libaio\t'Linux native asynchronous I/O'
sync\t'pread and pwrite, one thread per outstanding I/O'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l workers -d 'Threads that drive the load, several of them on a CPU each (default: one per target, at most one per CPU)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l seed -d 'Seed of all randomness; the same plan and seed issue the same I/Os' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l max-errors -d 'A point with more failed I/Os than this ends at once, and the run fails' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l max-foreign-cpu -d 'Mark every point as disturbed while whose measurement other programs used more than this share of the machine\'s processor time, by at least that share. Without it, and below it, a point is disturbed only as far as its work had to wait for other programs (default: 5% for copies of programs, business operations and operations on files)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l overwrite -d 'Permit writing to exactly this target although Kneepoint did not make it; its data is lost. A device that carries a recognised signature needs its serial or UUID as well' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l wait-quiet -d 'Before each point, wait until other programs use at most 5 % of the processor time and leave the devices of the targets alone; in the whole run at most this long, e.g. 60s' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l label -d 'Your own name for the run' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l store -d 'File that runs are stored in' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l report -d 'Write the report when done; the ending names the format (.html, .md, .pdf)' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l language -d 'Language of the report' -r -f -a "en\t'English'
de\t'German'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l json -d 'Write the result as JSON when done (schema kneepoint.run/2); `-` prints it instead of the tables' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l allow-root -d 'Let agents run as root, which they refuse otherwise; ssh passes it on to those that it starts'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l quick -d 'A first impression: fewer load levels, 10 % accuracy, half a second to 2 seconds per point'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l precondition -d 'Before the first point, write every target twice from end to end, then at random until steady state, as flash needs it; takes long and wears the drive (`kneepoint plan` says how much). The run itself must write, too'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l verify -d 'Verify all data: the targets are written from end to end first, each block then says when it was written, and what is read must be what was written last. Afterwards `kneepoint verify` looks at all of it. The journal is beside the target, or of a device beside the store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l buffered -d 'Go through the page cache instead of past it'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l huge-pages -d 'Keep the buffers of I/Os in huge pages of memory (2 MiB), as databases can be told to. Large I/Os are faster then where the device is fast; without it they lie in small ones, as with other tools'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l wide -d 'Print every column of the tables and every name in full, however narrow the terminal is'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -l force -d 'Let outputs replace files that Kneepoint did not write, but no store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand knee" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l commands -d 'Suite whose commands set the run\'s factors: a run never starts commands from the store' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l overwrite -d 'Permit writing to exactly this target, as for `run`' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l nats -d 'Talk over a NATS server of your own instead of one that the controller starts: tls://HOST:PORT, or nats://HOST:PORT, which is encrypted only if the server asks for it' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l creds -d 'File with what that server lets in with: credentials (.creds), or the seed of an nkey' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l nats-ca -d 'File with the authorities that may have signed that server\'s certificate, PEM (default: those of the system)' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l wait-quiet -d 'Before each point, wait until other programs use at most 5 % of the processor time and leave the devices of the targets alone; in the whole run at most this long, e.g. 60s' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l label -d 'Your own name for the run' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l store -d 'File that runs are stored in' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l report -d 'Write the report when done; the ending names the format (.html, .md, .pdf)' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l language -d 'Language of the report' -r -f -a "en\t'English'
de\t'German'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l json -d 'Write the result as JSON when done (schema kneepoint.run/2); `-` prints it instead of the tables' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l restore -d 'Put back the settings that a run left changed when it was killed, and measure nothing'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l disturbed -d 'Measure the disturbed points again, of a complete run too, and replace them'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l abandoned -d 'Take a run up that another host or container began and no longer measures'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l allow-root -d 'Let agents run as root, which they refuse otherwise; ssh passes it on to those that it starts'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l wide -d 'Print every column of the tables and every name in full, however narrow the terminal is'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -l force -d 'Let outputs replace files that Kneepoint did not write, but no store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand resume" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand runs" -l work -d 'Only runs of the suites or profiles with this text in their names' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand runs" -l target -d 'Only runs with this text in the name of a target' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand runs" -l label -d 'Only runs with this text in their labels' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand runs" -l state -d 'Only runs in this state' -r -f -a "complete\t'Everything was measured'
interrupted\t'Stopped before its end'
failed\t'Ended by errors'
running\t'Being measured now'
elsewhere\t'Begun on another host, where it may still go on'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand runs" -l since -d 'Only runs that started since then: a day (2026-11-21, in UTC), a time, or how long ago (7d, 12h)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand runs" -l store -d 'File that runs are stored in' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand runs" -l json -d 'Print the list as JSON'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand runs" -l wide -d 'Print every column of the tables and every name in full, however narrow the terminal is'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand runs" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand runs" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand show" -l store -d 'File that runs are stored in' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand show" -l json -d 'Print the run as JSON instead of tables (schema kneepoint.run/2)'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand show" -l wide -d 'Print every column of the tables and every name in full, however narrow the terminal is'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand show" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand show" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l work -d 'Suite or load profile: a name from `kneepoint catalog`, or a TOML file' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l outstanding -l queue-depth -l qd -d 'Outstanding I/Os: a list 1,2,4, or a range 1..16x2; each load is decided on its own' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l rate -d 'I/Os per second to offer whatever the targets answer, instead of outstanding I/Os: then response times are compared' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l band -d 'Differences of up to this share do not matter' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l time -d 'Measure for exactly this time on each visit, after the ramp (default: from 0.8 s on, as long as it takes)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l size -d 'Bytes of each target to use; test files are made this large' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l seed -d 'Seed of all randomness' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l overwrite -d 'Permit writing to exactly this target, as for `run`' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l fail-if -d 'Fail (exit code 1) where this is shown, e.g. \'sustained.iops < -5%\' (may be repeated)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l junit -d 'Write the outcome of every condition to this file, as JUnit XML' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l json -d 'Write the comparison as JSON (schema kneepoint.compare/1); `-` prints it instead of tables' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l store -d 'File that runs are stored in' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l live -d 'Measure two targets by turns until their difference is decided'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l points -d 'Print every load as well'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l different-profiles -d 'Compare runs whose load profiles differ, and say how they do'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l fail-if-undecided -d 'Fail wherever a condition cannot be told, even if it can be told elsewhere'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l allow-undecided -d 'Accept a condition that can be told nowhere, which fails otherwise'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l wide -d 'Print every column of the tables and every name in full, however narrow the terminal is'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -l force -d 'Let outputs replace files that Kneepoint did not write, but no store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand compare" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand report" -s o -l output -d 'File to write; the ending names the format (.html, .md, .pdf)' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand report" -l language -d 'Language of the report' -r -f -a "en\t'English'
de\t'German'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand report" -l detail -d 'How much is shown: summary is the first page and how far it can be trusted; standard folds the method, the environment and the tables of every point (an appendix on paper); full opens them' -r -f -a "summary\t'The first page, and how far it can be trusted'
standard\t'Everything; details are folded'
full\t'Everything, with all of it open'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand report" -l figures -d 'Folder that gets every figure as .svg and its data as .csv; it is made where there is none' -r -f -a "(__fish_complete_directories)"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand report" -l store -d 'File that runs are stored in' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand report" -l different-profiles -d 'Compare runs whose load profiles differ, and say how they do'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand report" -l chapters -d 'Compare nothing: tell of each run in its chapter, behind one first page, as of the parts of a campaign'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand report" -l force -d 'Let outputs replace files that Kneepoint did not write, but no store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand report" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand report" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand export" -s o -l output -d 'File to write; the ending names the format: .json, .csv, .parquet, .hlog, .fio.json, .iometer.csv, .vdbench.html; `-` prints JSON, with --intervals CSV' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand export" -l format -d 'Format, whatever the ending of the file is' -r -f -a "json\t'The whole run as Kneepoint keeps it'
csv\t'A row per point or interval'
parquet\t'The same rows in a file for data frames'
hlog\t'A log of histograms that tools around HdrHistogram read'
fio\t'The JSON of fio: a job per point'
iometer\t'The result file of Iometer 1.1.0'
vdbench\t'The flat file of vdbench'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand export" -l store -d 'File that runs are stored in' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand export" -l force -d 'Let outputs replace files that Kneepoint did not write, but no store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand export" -l each-point -d 'Write each point to its own file in the format of fio, in a folder for each series below the folder that -o names: what fio-plot draws'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand export" -l intervals -d 'One row per interval of about a second instead of one per point: rate, and mean, median, 99th percentile and maximum of the response time, of all I/Os, reads and writes (CSV)'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand export" -l histograms -d 'Add the response times of every point in full: pairs of microseconds and count (JSON)'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand export" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand import" -l label -d 'A name for the run of another tool' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand import" -l rule -d 'Response-time condition to read results of another tool off at, e.g. \'mean<=5ms\' (may be repeated; default: mean<=15ms and mean<=20ms)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand import" -l store -d 'File that runs are stored in' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand import" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand import" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand convert" -s o -l output -d 'File to write; the ending names the format (.toml, .icf, .fio); `-` prints TOML' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand convert" -l force -d 'Let outputs replace files that Kneepoint did not write, but no store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand convert" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand convert" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and not __fish_seen_subcommand_from describe record help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and not __fish_seen_subcommand_from describe record help" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and not __fish_seen_subcommand_from describe record help" -f -a "describe" -d 'Print what is in a trace: sizes, mix, times, where its I/Os go, footprint and working set'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and not __fish_seen_subcommand_from describe record help" -f -a "record" -d 'Record the I/Os of a block device with blktrace; needs root, and writes nothing to the device'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and not __fish_seen_subcommand_from describe record help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and __fish_seen_subcommand_from describe" -s o -l output -d 'Write a load profile that resembles the trace, and print how well (.toml)' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and __fish_seen_subcommand_from describe" -l trace-from -d 'Leave out what the trace has before this time, counted from its first I/O' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and __fish_seen_subcommand_from describe" -l trace-until -d 'Leave out what the trace has from this time on' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and __fish_seen_subcommand_from describe" -l events -d 'Of traces of the kernel, whose I/Os have several events: which one counts' -r -f -a "issued\t'It was handed to the device (D)'
queued\t'A program asked for it (Q)'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and __fish_seen_subcommand_from describe" -l force -d 'Let outputs replace files that Kneepoint did not write, but no store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and __fish_seen_subcommand_from describe" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and __fish_seen_subcommand_from describe" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and __fish_seen_subcommand_from record" -s o -l output -d 'File to write, which must not exist yet; not on that device, or its own writes are recorded' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and __fish_seen_subcommand_from record" -l time -d 'How long to record, in whole seconds; an interrupt ends it before' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and __fish_seen_subcommand_from record" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and __fish_seen_subcommand_from record" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and __fish_seen_subcommand_from help" -f -a "describe" -d 'Print what is in a trace: sizes, mix, times, where its I/Os go, footprint and working set'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and __fish_seen_subcommand_from help" -f -a "record" -d 'Record the I/Os of a block device with blktrace; needs root, and writes nothing to the device'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand trace; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand label" -l store -d 'File that runs are stored in' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand label" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand label" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand delete" -l store -d 'File that runs are stored in' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand delete" -l abandoned -d 'Delete a run that another host or container began and no longer measures'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand delete" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand delete" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand catalog" -l wide -d 'Print every column of the tables and every name in full, however narrow the terminal is'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand catalog" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand catalog" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand validate" -l json -d 'Write all predictions and errors as JSON (schema kneepoint.validate/1); `-` prints them instead of the tables' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand validate" -l anomalies -d 'TOML file of cells that were declared irregular beforehand, with the reasons' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand validate" -l threads -d 'Threads to simulate on; the result does not depend on them (default: one per CPU)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand validate" -l wide -d 'Print every column of the tables and every name in full, however narrow the terminal is'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand validate" -l force -d 'Let outputs replace files that Kneepoint did not write, but no store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand validate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand validate" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l profile -d 'Load profile: a name from `kneepoint catalog profiles`, or a TOML file' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l block -d 'Block size instead of the profile\'s' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l iops -d 'I/Os per second that the system has to sustain' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l throughput -d 'MiB/s that the system has to sustain' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l rule -d 'Condition that the response time has to meet, e.g. \'mean<=20ms\'' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l capacity -d 'Usable capacity that the system has to have' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l systems -d 'Systems whose controllers are used (default: all; catalog drives are tried on serveraid-m5025)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l drives -d 'Drives of the catalog to use instead of the systems\' own, without `drive/`; a number is a number of drives to use (default: each system\'s own drive, and all catalog drives)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l raid -d 'RAID levels to try' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l write-cache -d 'Settings of the controllers\' write cache to try' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l max-drives -d 'Most drives of a system' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l server -d 'Only what fits into this server: its bays, and the drives that it is offered with' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l stroke -d 'Share of each drive that holds the data (default: what the capacity needs)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l margin -d 'Load on top of what is asked for (default: the model\'s own error)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l strokes -d 'Also show what the best candidate sustains at these strokes' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l top -d 'Candidates to show' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -s o -l output -d 'Also write the candidates as a page (.html, .md), with what the first of them sustain with other numbers of drives, and the best at the strokes of the FAStT900 paper unless --strokes are given' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l language -d 'Language of the page' -r -f -a "en\t'English'
de\t'German'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l threads -d 'Threads to simulate on; the result does not depend on them (default: one per CPU)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l wide -d 'Print every column of the tables and every name in full, however narrow the terminal is'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -l force -d 'Let outputs replace files that Kneepoint did not write, but no store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand size" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand calibrate" -l cells -d 'Fit to the rows of this CSV file that describe the system' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand calibrate" -l run -d 'Fit to the points of this stored run: id, label, or `last`' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand calibrate" -s o -l output -d 'System file to write; the folder to write into where several systems are fitted' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand calibrate" -l free -d 'Parameters to fit instead of those that the file marks as fitted: disk.seek_average,...' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand calibrate" -l hold-out -d 'Leave out measurements whose name contains this text, and print their errors apart (may be repeated)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand calibrate" -l steps -d 'Steps of the optimiser at the most' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand calibrate" -l threads -d 'Threads to simulate on; the result does not depend on them (default: one per CPU)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand calibrate" -l store -d 'File that runs are stored in' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand calibrate" -l wide -d 'Print every column of the tables and every name in full, however narrow the terminal is'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand calibrate" -l force -d 'Let outputs replace files that Kneepoint did not write, but no store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand calibrate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand calibrate" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand inspect" -l overwrite -d 'Judge as if `run` were given this permission to overwrite' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand inspect" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand inspect" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand verify" -l store -d 'File that runs are stored in' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand verify" -l after-power-loss -d 'The device lost its power while the run wrote, but this machine did not: what was not yet durable may be old or new'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand verify" -l buffered -d 'Read through the page cache instead of past it'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand verify" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -l join -d 'Join the fleet whose `kneepoint hosts join` printed this line, and stay in it. `-` reads the line from standard input: then the agent keeps no key, and ends when the input does' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -l join-file -d 'File with the line to join with. As with --join, a host that has joined with this line goes on as what it was' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -l controller -d 'The key of the controller, which `kneepoint hosts join --nats URL` prints: only what is signed with it is done' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -l nats -d 'Talk over a NATS server of your own instead of one that the controller starts: tls://HOST:PORT, or nats://HOST:PORT, which is encrypted only if the server asks for it' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -l creds -d 'File with what that server lets in with: credentials (.creds), or the seed of an nkey' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -l nats-ca -d 'File with the authorities that may have signed that server\'s certificate, PEM (default: those of the system)' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -l name -d 'The name of this host in the fleet (default: its host name up to the first point)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -l allow -d 'Targets and limits that this host allows, a TOML file; without one, and without --target, nothing but simulated systems is measured here' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -l target -d 'Allow this target, or a folder with all below it: read it, write what Kneepoint made there (the default), or overwrite what it did not make. A server at whose screens users may work is named as the controller names it: vnc://server:5901' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -l definitions -d 'Settings that a controller may vary here by commands of this host: a TOML file with a [[factor]] for each, as docs/factors.md describes them. No command comes from a controller' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -l record -d 'Keep what this host measures of each point in this folder, a line of JSON for each in points.jsonl' -r -f -a "(__fish_complete_directories)"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -l state -d 'Folder for keys and what belongs to them; no other user may read it (default: ~/.local/state/kneepoint)' -r -f -a "(__fish_complete_directories)"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -l allow-root -d 'Let agents run as root, which they refuse otherwise; ssh passes it on to those that it starts'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand agent" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and not __fish_seen_subcommand_from join list manifest remove help" -l nats -d 'Talk over a NATS server of your own instead of one that the controller starts: tls://HOST:PORT, or nats://HOST:PORT, which is encrypted only if the server asks for it' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and not __fish_seen_subcommand_from join list manifest remove help" -l creds -d 'File with what that server lets in with: credentials (.creds), or the seed of an nkey' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and not __fish_seen_subcommand_from join list manifest remove help" -l nats-ca -d 'File with the authorities that may have signed that server\'s certificate, PEM (default: those of the system)' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and not __fish_seen_subcommand_from join list manifest remove help" -l state -d 'Folder for keys and what belongs to them; no other user may read it (default: ~/.local/state/kneepoint)' -r -f -a "(__fish_complete_directories)"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and not __fish_seen_subcommand_from join list manifest remove help" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and not __fish_seen_subcommand_from join list manifest remove help" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and not __fish_seen_subcommand_from join list manifest remove help" -f -a "join" -d 'Print a line with which hosts can join, and wait for them; with --nats, print what agents on that server are started with'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and not __fish_seen_subcommand_from join list manifest remove help" -f -a "list" -d 'List the hosts: version, state, clock, what they allow'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and not __fish_seen_subcommand_from join list manifest remove help" -f -a "manifest" -d 'Print a manifest for Kubernetes: an agent on every node, with what it connects with and a policy for its network'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and not __fish_seen_subcommand_from join list manifest remove help" -f -a "remove" -d 'Let a host go: its agent is not let in any more'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and not __fish_seen_subcommand_from join list manifest remove help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from join" -l address -d 'Host name or address, and port, at which agents reach this machine; it is kept. Unless it is this machine alone (127.0.0.1), the server listens on all of its addresses' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from join" -l count -d 'The number of hosts that the line is good for' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from join" -l valid -d 'How long the line can be used' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from join" -l nats -d 'Talk over a NATS server of your own instead of one that the controller starts: tls://HOST:PORT, or nats://HOST:PORT, which is encrypted only if the server asks for it' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from join" -l creds -d 'File with what that server lets in with: credentials (.creds), or the seed of an nkey' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from join" -l nats-ca -d 'File with the authorities that may have signed that server\'s certificate, PEM (default: those of the system)' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from join" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from join" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from list" -l nats -d 'Talk over a NATS server of your own instead of one that the controller starts: tls://HOST:PORT, or nats://HOST:PORT, which is encrypted only if the server asks for it' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from list" -l creds -d 'File with what that server lets in with: credentials (.creds), or the seed of an nkey' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from list" -l nats-ca -d 'File with the authorities that may have signed that server\'s certificate, PEM (default: those of the system)' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from list" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from manifest" -l image -d 'The image that holds kneepoint as its program' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from manifest" -l join-file -d 'File with the line that `kneepoint hosts join --count NODES` printed' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from manifest" -l controller -d 'The key of the controller (default: the one of this machine)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from manifest" -l nats -d 'Talk over a NATS server of your own instead of one that the controller starts: tls://HOST:PORT, or nats://HOST:PORT, which is encrypted only if the server asks for it' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from manifest" -l creds -d 'File with what that server lets in with: credentials (.creds), or the seed of an nkey' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from manifest" -l nats-ca -d 'File with the authorities that may have signed that server\'s certificate, PEM (default: those of the system)' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from manifest" -l target -d 'A folder of each node, as for `kneepoint agent --target`; the user of the agent must be able to use it' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from manifest" -l user -d 'Number of the user and the group that the agent runs as' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from manifest" -l namespace -d 'The namespace, which must be there' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from manifest" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from manifest" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from remove" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from help" -f -a "join" -d 'Print a line with which hosts can join, and wait for them; with --nats, print what agents on that server are started with'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from help" -f -a "list" -d 'List the hosts: version, state, clock, what they allow'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from help" -f -a "manifest" -d 'Print a manifest for Kubernetes: an agent on every node, with what it connects with and a policy for its network'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from help" -f -a "remove" -d 'Let a host go: its agent is not let in any more'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand hosts; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and not __fish_seen_subcommand_from start stop help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and not __fish_seen_subcommand_from start stop help" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and not __fish_seen_subcommand_from start stop help" -f -a "start" -d 'Start sessions, and keep them until Ctrl-C'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and not __fish_seen_subcommand_from start stop help" -f -a "stop" -d 'End the sessions that `sessions start` keeps for this user'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and not __fish_seen_subcommand_from start stop help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from start" -l users -d 'How many: one for each user' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from start" -l application -d 'The program that super+e starts, with a new file: mousepad, soffice or another one' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from start" -l protocol -d 'How users see them. With rdp each has an account of this machine, kp1, kp2 ..., which root alone can make, and whose password is in KNEEPOINT_RDP_PASSWORD' -r -f -a "vnc\t'A screen of TigerVNC at a port for each'
rdp\t'Accounts of this machine, whose sessions xrdp makes'"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from start" -l port -d 'Port of the first; each has the next one. With rdp the port of all (default: 5901, with rdp 3390)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from start" -l geometry -d 'Size of the screens (default: 1024x768); with rdp it is the users\' target that says it' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from start" -l cpu -d 'Processors that all have together, such as 0.2 (default: all that there are)' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from start" -l dir -d 'Folder in which that of the sessions is made (default: that of temporary files)' -r -f -a "(__fish_complete_directories)"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from start" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from start" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from stop" -l dir -d 'Folder that `sessions start` was told (default: that of temporary files)' -r -f -a "(__fish_complete_directories)"
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from stop" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from stop" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from help" -f -a "start" -d 'Start sessions, and keep them until Ctrl-C'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from help" -f -a "stop" -d 'End the sessions that `sessions start` keeps for this user'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand sessions; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand record" -s o -l output -d 'File for the script (.toml); `-` prints it' -r -F
complete -c kneepoint -n "__fish_kneepoint_using_subcommand record" -l port -d 'Port of this machine at which the viewer is awaited; 0 takes a free one' -r
complete -c kneepoint -n "__fish_kneepoint_using_subcommand record" -l force -d 'Let outputs replace files that Kneepoint did not write, but no store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand record" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand record" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand guard-server" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand guard-server" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand guard-database" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand guard-database" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand guard-desktops" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand guard-desktops" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand guard-accounts" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand guard-accounts" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand completions" -s h -l help -d 'Print help'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand completions" -s V -l version -d 'Print version'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "run" -d 'Measure: lay out the target, drive it at rising load, keep every point, report'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "plan" -d 'Show what run would do: points, bytes written, time; touches nothing'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "knee" -d 'Search the highest load that meets each rule, with as few points as it takes'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "resume" -d 'Measure what an interrupted run lacks, with its own plan and seed'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "runs" -d 'List the stored runs'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "show" -d 'Show the tables of a stored run'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "compare" -d 'Show stored runs side by side: what differs, by how much, and whether it could be chance'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "report" -d 'Write the report on a stored run, or on several side by side'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "export" -d 'Write a stored run as JSON or CSV'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "import" -d 'Take a run from a JSON file, or all runs of another store, into the store'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "convert" -d 'Turn jobs of Iometer, fio and vdbench into profiles and suites, and these into jobs'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "trace" -d 'Tell what is in a recorded trace, or record one'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "label" -d 'Give a stored run another label'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "delete" -d 'Delete a stored run'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "catalog" -d 'List the load profiles, suites and simulated systems, or show one'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "validate" -d 'Simulate published measurements and print how far the simulated systems are from them'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "size" -d 'Find simulated systems that sustain a load, with as few drives as it takes'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "calibrate" -d 'Fit a simulated system to measurements and write its file'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "inspect" -d 'Tell what is known of a target, and whether it may be written and why not'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "verify" -d 'Check the data that a run with --verify wrote'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "agent" -d 'Serve as an agent of a fleet: measure on this host what its controller asks, if it is allowed here'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "hosts" -d 'The hosts of a fleet: let one join, list them, remove one'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "sessions" -d 'Desktop sessions on this machine, for runs from elsewhere and for recording: start them, stop them'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "record" -d 'Record a script for users at screens: what you do with a viewer, and where the screen answers'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "guard-server" -d 'Run the server of a fleet for as long as standard input is open'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "guard-database" -d 'Run a database server for as long as standard input is open'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "guard-desktops" -d 'Run desktop sessions for as long as standard input is open'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "guard-accounts" -d 'Keep accounts with desktop sessions for as long as standard input is open'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "completions" -d 'Print the completions of a shell'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and not __fish_seen_subcommand_from run plan knee resume runs show compare report export import convert trace label delete catalog validate size calibrate inspect verify agent hosts sessions record guard-server guard-database guard-desktops guard-accounts completions help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and __fish_seen_subcommand_from trace" -f -a "describe" -d 'Print what is in a trace: sizes, mix, times, where its I/Os go, footprint and working set'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and __fish_seen_subcommand_from trace" -f -a "record" -d 'Record the I/Os of a block device with blktrace; needs root, and writes nothing to the device'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and __fish_seen_subcommand_from hosts" -f -a "join" -d 'Print a line with which hosts can join, and wait for them; with --nats, print what agents on that server are started with'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and __fish_seen_subcommand_from hosts" -f -a "list" -d 'List the hosts: version, state, clock, what they allow'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and __fish_seen_subcommand_from hosts" -f -a "manifest" -d 'Print a manifest for Kubernetes: an agent on every node, with what it connects with and a policy for its network'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and __fish_seen_subcommand_from hosts" -f -a "remove" -d 'Let a host go: its agent is not let in any more'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and __fish_seen_subcommand_from sessions" -f -a "start" -d 'Start sessions, and keep them until Ctrl-C'
complete -c kneepoint -n "__fish_kneepoint_using_subcommand help; and __fish_seen_subcommand_from sessions" -f -a "stop" -d 'End the sessions that `sessions start` keeps for this user'
