#!/usr/bin/env bash
# The published studies again, on the simulated systems: five white papers and three studies of
# settings, as HTML, and one of them as PDF where this build of Kneepoint writes PDF.
#
#     examples/white-papers/make.sh [FOLDER]      (default: docs/examples)
#
# KNEEPOINT names the program (default: kneepoint on PATH). Everything is simulated in virtual time
# from the seed 1, so that only dates and run ids differ from one time to the next.
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

# Each of the five papers by one command.
paper storagebench-2007 storagebench-2007 'sim:rx100s4-sata' --factor disk_cache=off,on
paper storagebench-2010 storagebench-2010 'sim:sx940-lsi1078' --factor raid=raid0,raid5,raid10
paper single-disk single-disk 'sim:drive/hdd-sas35-15k-300'
paper serveraid-m5025 serveraid-m5025 'sim:serveraid-m5025'
paper fastt900 fastt900 'sim:fastt900'

# What the papers compare on the way.
paper fastt900-cache oltp 'sim:fastt900?drives=60' --block 4KiB,8KiB,16KiB --outstanding 1..256x2 \
  --rule 'mean<=20ms' --factor raid=raid5,raid10 --factor write_cache=off,on
paper serveraid-m5025-raid oltp 'sim:serveraid-m5025?drives=24' --block 8KiB \
  --outstanding 1..64x2 --rule 'mean<=15ms' --rule 'mean<=20ms' \
  --factor raid=raid0,raid5,raid10 --factor stroke=8%,30%,100%
"$kneepoint" run storagebench-2007 'sim:rx100s4-sas' --label rx100s4-sas >"$work/sas.txt"
"$kneepoint" run storagebench-2007 'sim:rx100s4-sata' --label rx100s4-sata >"$work/sata.txt"
"$kneepoint" report rx100s4-sata rx100s4-sas -o "$folder/rx100s4-sata-sas.html"

# In German, and as PDF where the program can.
"$kneepoint" report single-disk -o "$folder/single-disk.de.html" --language de
if ! "$kneepoint" report storagebench-2007 -o "$folder/storagebench-2007.pdf"; then
  echo "no PDF: this build has not the feature pdf" >&2
fi
