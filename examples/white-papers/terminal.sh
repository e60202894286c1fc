#!/usr/bin/env bash
# The picture of a run in a terminal, from the output of a run.
#
#     examples/white-papers/terminal.sh [FILE]      (default: docs/images/terminal.svg)
#
# KNEEPOINT names the program (default: kneepoint on PATH). The run is simulated in virtual time from the
# seed 1, so that only its id differs from one time to the next. `script` lends it a terminal of 100 columns.
set -euo pipefail

picture="${1:-docs/images/terminal.svg}"
kneepoint="$(command -v "${KNEEPOINT:-kneepoint}")"
kneepoint="$(realpath "$kneepoint")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
run='run database sim:drive/hdd-sas35-15k-600 --quick'

# Points as they are measured come on standard error, the tables on standard output.
(cd "$work" && TERM=xterm-256color script -qec "stty cols 100; '$kneepoint' $run 2>progress" typescript >/dev/null)
{
  printf '$ kneepoint %s\n' "$run"
  grep '^\[' "$work/progress"
  sed -e '/^Script /d' -e 's/\r//g' "$work/typescript"
  grep -v '^\[' "$work/progress"
  printf '$\n'
} >"$work/lines"

# Each line in pieces of one colour without long gaps, so that columns stand under each other in any font.
awk -v lines="$(wc -l <"$work/lines")" '
  function escaped(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); return text }
  function piece(text, column, colour, faint) {
    if (text ~ /^ *$/) return
    printf "<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\" fill=\"%s\"%s xml:space=\"preserve\">%s</text>\n", \
      14 + 8 * column, 29 + 18 * NR, 8 * length(text), colour, faint ? " opacity=\"0.65\"" : "", escaped(text)
  }
  # Pieces of a stretch of one colour, parted by two blanks or more.
  function stretch(text, column, colour, faint,   blanks) {
    while (match(text, /  +/)) {
      piece(substr(text, 1, RSTART - 1), column, colour, faint)
      blanks = RSTART + RLENGTH - 1
      column += blanks
      text = substr(text, blanks + 1)
    }
    sub(/ +$/, "", text)
    piece(text, column, colour, faint)
  }
  BEGIN {
    plain = "#d8dee9"
    colours["31"] = "#e06c75"; colours["32"] = "#98c379"; colours["33"] = "#e5c07b"; colours["36"] = "#56b6c2"
    height = 42 + 18 * lines
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 828 %d\" width=\"828\" height=\"%d\" role=\"img\"", height, height
    print " aria-label=\"A run in the terminal: points as they are measured, then the tables\"" \
      " font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"13.2\">"
    printf "<rect width=\"828\" height=\"%d\" rx=\"8\" fill=\"#1e222a\"/>\n", height
    print "<circle cx=\"18\" cy=\"17\" r=\"5.5\" fill=\"#e06c75\"/>"
    print "<circle cx=\"36\" cy=\"17\" r=\"5.5\" fill=\"#e5c07b\"/>"
    print "<circle cx=\"54\" cy=\"17\" r=\"5.5\" fill=\"#98c379\"/>"
  }
  {
    column = 0; colour = plain; faint = 0; rest = $0
    while (match(rest, /\033\[[0-9;]*m/)) {
      text = substr(rest, 1, RSTART - 1)
      code = substr(rest, RSTART + 2, RLENGTH - 3)
      rest = substr(rest, RSTART + RLENGTH)
      stretch(text, column, colour, faint)
      column += length(text)
      if (code == "" || code == "0") { colour = plain; faint = 0 }
      count = split(code, codes, ";")
      for (i = 1; i <= count; i++) {
        if (codes[i] in colours) colour = colours[codes[i]]
        if (codes[i] == "2") faint = 1
      }
    }
    stretch(rest, column, colour, faint)
  }
  END { print "</svg>" }
' "$work/lines" >"$work/picture.svg"
mv "$work/picture.svg" "$picture"
