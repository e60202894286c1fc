#!/usr/bin/env bash
# The published studies again, on the simulated systems, and the real studies, as HTML; one of them in German as well, and as
# PDF where this build of Kneepoint writes PDF.
#
#     examples/white-papers/make.sh [FOLDER]      (default: docs/examples)
#
# KNEEPOINT names the program (default: kneepoint on PATH). All but the real studies is simulated in virtual
# time from the seed 1, so that only dates and run ids differ from one time to the next.
set -euo pipefail

folder="${1:-docs/examples}"
kneepoint="${KNEEPOINT:-kneepoint}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export KNEEPOINT_STORE="$work/white-papers.db"
mkdir -p "$folder"

# paper NAME ARGUMENTS...: one run and its report.
paper() {
  local name="$1"
  shift
  "$kneepoint" run "$@" --label "$name" --report "$folder/$name.html" >"$work/$name.txt"
}

# How far more drives help, on two storage servers, and under two operating systems.
paper fastt900-drives oltp 'sim:fastt900' --block 8KiB --outstanding auto --rule 'mean<=20ms' \
  --factor drives=20,60,100,140,180
paper serveraid-m5025-drives oltp 'sim:serveraid-m5025?write_cache=on' --block 8KiB \
  --outstanding auto --rule 'mean<=15ms' --factor drives=12,24,48,120 --factor host=windows,linux

# Settings: RAID levels, caches, and how much of each drive is used.
paper fastt900-cache oltp 'sim:fastt900?drives=60' --block 4KiB,8KiB,16KiB --outstanding 1..256x2 \
  --rule 'mean<=20ms' --factor raid=raid5,raid10 --factor write_cache=off,on
paper serveraid-m5025-raid oltp 'sim:serveraid-m5025?drives=24' --block 8KiB \
  --outstanding 1..64x2 --rule 'mean<=15ms' --rule 'mean<=20ms' \
  --factor raid=raid0,raid5,raid10 --factor stroke=8%,30%,100%
paper storagebench-2007 storagebench-2007 'sim:rx100s4-sata' --factor raid=raid0,raid1 \
  --factor disk_cache=off,on
paper storagebench-2010 storagebench-2010 'sim:sx940-lsi1078' --factor raid=raid0,raid5,raid10 \
  --factor write_cache=off,on

# Five drives whose models were fitted, three classes of drives, and two servers, against each other.
drives=(hdd-sas35-15k-300 hdd-sas25-15k-146 hdd-sata35-7k2-500 hdd-eco-sata25-5k4-500 ssd-sata25-64)
for drive in "${drives[@]}"; do
  "$kneepoint" run storagebench "sim:drive/$drive" --outstanding auto --label "$drive" >"$work/$drive.txt"
done
"$kneepoint" report "${drives[@]}" -o "$folder/single-disks.html"
# Three classes of one time and of the same kind of model: of data sheets alone.
classes=(sp2504c st3146755ss st3146855ss)
for drive in "${classes[@]}"; do
  "$kneepoint" run storagebench "sim:drive/$drive" --outstanding auto --label "$drive" >"$work/$drive.txt"
done
"$kneepoint" report "${classes[@]}" -o "$folder/drive-classes.html"
for server in rx100s4-sata rx100s4-sas; do
  "$kneepoint" run storagebench-2007 "sim:$server" --label "$server" >"$work/$server.txt"
done
"$kneepoint" report rx100s4-sata rx100s4-sas -o "$folder/rx100s4-sata-sas.html"

# A search for the knee, rates that are offered while the system stands still for a while, and a sizing.
"$kneepoint" knee database 'sim:drive/hdd-sas35-15k-600' --rule 'mean<=15ms' --label knee \
  --report "$folder/knee.html" >"$work/knee.txt"
paper open-loop database 'sim:analytic/mmc?servers=8&service=4ms&stall=500ms&stall_at=3s' \
  --rate 500,1000,1500 --time 8s
"$kneepoint" size --profile oltp --block 8KiB --iops 10000 --rule 'mean<=20ms' \
  --strokes 8%,30%,45%,100% -o "$folder/sizing.html" >"$work/sizing.txt"

# Real studies, measured by their own scripts and kept as results. They go by their labels: the last run is the
# one that began last, not the one that was imported last.
real() {
  local name="$1" label="$2"
  "$kneepoint" import "$(dirname "$0")/../$name/result.json" >"$work/$name.txt"
  "$kneepoint" report "$label" -o "$folder/$name.html"
}
real btrfs-raid 'btrfs RAID levels'
real file-systems 'ext4, xfs and btrfs'
"$kneepoint" report 'ext4, xfs and btrfs' -o "$folder/file-systems.de.html" --language de

# A server in one report of several parts, measured by its own script.
if [ -f "$(dirname "$0")/../server/processor.json" ]; then
  "$(dirname "$0")/../server/pages.sh" "$folder"
fi

# In German, and as PDF where the program can.
"$kneepoint" report storagebench-2007 -o "$folder/storagebench-2007.de.html" --language de
if ! "$kneepoint" report storagebench-2007 -o "$folder/storagebench-2007.pdf"; then
  echo "no PDF was written: the reason stands above" >&2
fi
