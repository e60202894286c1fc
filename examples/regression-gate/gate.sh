#!/bin/sh
# A gate that lets no regression through: two runs, and one command that says pass or fail.
#
#   examples/regression-gate/gate.sh [FOLDER]
#
# Both runs are simulated in virtual time, so that the result is the same every time: a server before and
# after someone switched the cache of its drives off. Writes regression-gate.html into FOLDER (default: the
# current one), and ends with the exit code of the gate: 1, since the server became slower. KNEEPOINT
# names the program (default: kneepoint on PATH).

set -eu

kneepoint="${KNEEPOINT:-kneepoint}"
folder="${1:-.}"
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export KNEEPOINT_STORE="$work/gate.db"

"$kneepoint" run storagebench-2007 'sim:rx100s4-sata?disk_cache=on' --label before > "$work/before.txt"
"$kneepoint" run storagebench-2007 'sim:rx100s4-sata?disk_cache=off' --label after > "$work/after.txt"
"$kneepoint" report before after -o "$folder/regression-gate.html"

# The gate: exit code 0 if every series kept at least 95 % of its peak, 1 if one did not.
"$kneepoint" compare before after --fail-if 'peak.iops < -5%'
