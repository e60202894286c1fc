#!/bin/sh
# The example in one go: measures this machine, keeps the results here, and makes the pages in FOLDER (default: the
# current one).
#
#   examples/server/make.sh [FOLDER]
#
# Needs kneepoint and its member programs in PATH; nothing else may run meanwhile.

set -eu

here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/study.sh" "$work"
cp "$work"/*.json "$here"
"$here/pages.sh" "${1:-.}"
