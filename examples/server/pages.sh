#!/bin/sh
# The pages of the example, in English and in German, from the results that are kept here.
#
#   examples/server/pages.sh [FOLDER]      (default: the current one)
#
# KNEEPOINT names the program (default: kneepoint on PATH).

set -eu

kneepoint="${KNEEPOINT:-kneepoint}"
here=$(dirname "$0")
folder="${1:-.}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export KNEEPOINT_STORE="$work/server.db"

set --
for part in processor business-operations storagebench users; do
    [ -f "$here/$part.json" ] || continue
    "$kneepoint" import "$here/$part.json" > /dev/null
    set -- "$@" "server: $part"
done
[ $# -gt 0 ] || { echo "no results in $here: measure them with $here/make.sh" >&2; exit 1; }
"$kneepoint" report "$@" --chapters -o "$folder/server.html"
"$kneepoint" report "$@" --chapters -o "$folder/server.de.html" --language de
