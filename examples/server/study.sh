#!/bin/sh
# A server in one report: processor, business operations, storage, and users where Xvnc is there; a first impression.
#
#   examples/server/study.sh [FOLDER]
#
# Measures `kneepoint run server --quick` on a new test file of 1 GiB in a temporary folder of DIR (default: /tmp),
# and writes report.html and a result for each part into FOLDER (default: the current one). The runs are kept in a store
# of its own, which is removed with the test file at the end. It takes four to ten minutes on 2 processors; let nothing
# else run meanwhile. Needs kneepoint and its member programs in PATH.

set -eu

command -v kneepoint > /dev/null || { echo "no kneepoint in PATH" >&2; exit 2; }
output=$(realpath "${1:-.}")
work=$(mktemp -d "${DIR:-/tmp}/server.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

cd "$work"
export KNEEPOINT_STORE="$work/server.db"
kneepoint run server ./kneepoint.dat --size 1GiB --quick --label server --report report.html
for part in processor business-operations storagebench users; do
    # A part for which a program is missing was left out.
    if kneepoint show "server: $part" > /dev/null 2>&1; then
        kneepoint export "server: $part" -o "$part.json"
    elif [ "$part" != users ]; then
        echo "server: $part was not measured" >&2
        exit 1
    fi
done
cp ./*.json report.html "$output"
