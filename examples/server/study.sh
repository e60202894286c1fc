#!/bin/sh
# A server in one report: processor, business operations and storage of this machine, a first impression.
#
#   examples/server/study.sh [FOLDER]
#
# Measures `kneepoint run server --quick` on a new test file of 1 GiB in a temporary folder of DIR (default: /tmp),
# and writes report.html and a result for each part into FOLDER (default: the current one). It takes about four minutes
# on 2 processors; let nothing else run meanwhile. Needs kneepoint and its member programs in PATH.

set -eu

command -v kneepoint > /dev/null || { echo "no kneepoint in PATH" >&2; exit 2; }
output=$(realpath "${1:-.}")
work=$(mktemp -d "${DIR:-/tmp}/server.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

cd "$work"
kneepoint run server ./kneepoint.dat --size 1GiB --quick --label server --report report.html
for part in processor business-operations storagebench; do
    kneepoint export "server: $part" -o "$part.json"
done
cp report.html processor.json business-operations.json storagebench.json "$output"
