#!/bin/sh
# Lets COUNT agents on this machine join at once and measure one point together, and says what it took.
#
#     examples/many-agents/measure.sh 1000 target/release/kneepoint
#
# RATE is the number of I/Os per second and host in real time (default: 5).
#
# Needs nats-server, bash's or dash's `ulimit -n`, and about 15 MB of memory for each agent. Everything is in a
# folder of /tmp that is removed at the end; no port but 127.0.0.1:4289 is opened.
set -eu
count=${1:-1000}
kneepoint=${2:-kneepoint}
folder=$(mktemp -d /tmp/many-agents.XXXXXX)
export KNEEPOINT_STATE="$folder/controller" KNEEPOINT_STORE="$folder/runs.db"
root=$([ "$(id -u)" = 0 ] && echo --allow-root || true)
agents=
end() {
    [ -z "$agents" ] || kill $agents 2>/dev/null || true
    wait
    rm -rf "$folder"
}
trap end EXIT
# Not every shell runs the former when a signal ends it.
trap "exit 1" INT TERM HUP
# The server has a connection for each agent, and a second one while it joins.
ulimit -n "$(ulimit -H -n)"
seconds() { date +%s.%N; }
since() { echo "$(seconds) $1" | awk '{ printf "%.1f s", $1 - $2 }'; }

"$kneepoint" hosts join --address 127.0.0.1:4289 --count "$count" --valid 10m \
    >"$folder/line" 2>"$folder/join.log" &
join=$!
while [ ! -s "$folder/line" ]; do sleep 0.1; done

begun=$(seconds)
number=0
while [ $number -lt "$count" ]; do
    number=$((number + 1))
    "$kneepoint" agent $root --join-file "$folder/line" --name "h$number" --state "$folder/h$number" \
        >/dev/null 2>"$folder/h$number.log" &
    agents="$agents $!"
done
echo "started: $count agents in $(since "$begun")"
wait $join && echo "joined: all of them after $(since "$begun")" ||
    { tail -3 "$folder/join.log"; exit 1; }

hosts=$(seq -s, -f 'h%g' "$count")
targets=$(seq -f 'h%g:sim:analytic/mm1' "$count")
begun=$(seconds)
"$kneepoint" hosts | grep -c ' free ' | sed 's/$/ agents are free/'
echo "hosts: $(since "$begun")"

begun=$(seconds)
"$kneepoint" run random-read $targets --hosts "$hosts" --outstanding 1 --time 1s --ramp 0s \
    >"$folder/run.txt" 2>&1 &
run=$!
peak=0
while kill -0 $run 2>/dev/null; do
    server=$(pgrep -f "nats-server -c $folder" | tail -1 || true)
    [ -z "$server" ] || peak=$(awk '/VmHWM/ { print $2 }' "/proc/$server/status" 2>/dev/null || echo "$peak")
    sleep 0.5
done
wait $run || { tail -5 "$folder/run.txt"; exit 1; }
echo "one point in virtual time: $(since "$begun"), the server used $((${peak:-0} / 1024)) MiB at most"
awk '/VmHWM/ { sum += $2; n++ } END { printf "agents used %.1f MiB each at most, on average\n", sum / n / 1024 }' \
    $(for agent in $agents; do echo "/proc/$agent/status"; done)

begun=$(seconds)
nulls=$(seq -f 'h%g:null:' "$count")
"$kneepoint" run random-read $nulls --hosts "$hosts" --rate "${RATE:-5}" --time 10s --ramp 1s \
    >"$folder/real.txt" 2>&1 || { tail -5 "$folder/real.txt"; exit 1; }
echo "one point of 10 s in real time: $(since "$begun")"
"$kneepoint" show last | tail -5
