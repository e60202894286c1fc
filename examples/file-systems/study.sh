#!/bin/sh
# ext4, xfs and btrfs on one device that is held to a number of I/Os per second.
#
#   sudo examples/file-systems/study.sh [FOLDER]
#
# Makes a loop device on a file in a temporary folder, holds it to 400 reads and 400 writes per second,
# lets Kneepoint make each file system on it three times in random order, and writes report.html and
# result.json into FOLDER (default: the current one). Everything that it made is taken away at the end,
# also after a failure or Ctrl-C. Needs root, losetup, mkfs.ext4, mkfs.xfs, mkfs.btrfs, and control groups of
# version 1 with blkio, or of version 2.

set -eu

command -v kneepoint > /dev/null || { echo "no kneepoint in PATH" >&2; exit 2; }
output=$(realpath "${1:-.}")
limit=400
[ "$(id -u)" = 0 ] || { echo "run this as root: it makes a loop device and a control group" >&2; exit 2; }

work=$(mktemp -d "${TMPDIR:-/tmp}/file-systems.XXXXXX")
blkio=""
group=""
loop=""

clean_up() {
    code=$?
    trap - EXIT INT TERM
    set +e
    cd /
    if [ -x "$work/restore" ]; then "$work/restore"; fi
    [ -z "$loop" ] || [ -z "$blkio" ] || limit_to 0
    if [ -n "$group" ]; then
        # Out of the group, or it cannot be removed.
        echo $$ > "$home/cgroup.procs" || true
        rmdir "$group" || echo "left behind: $group" >&2
    fi
    [ -z "$loop" ] || losetup --detach "$loop" || echo "left behind: $loop" >&2
    if mountpoint -q "$work/mnt"; then echo "left behind: $work" >&2; else rm -rf "$work"; fi
    exit "$code"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

truncate -s 2G "$work/disk"
loop=$(losetup --find --show --direct-io=on "$work/disk") || loop=$(losetup --find --show "$work/disk")

# The limit. With version 1 it is set for the root group, and holds for the kernel's threads as well.
blkio=$(awk '$3 == "cgroup" && ("," $4 ",") ~ /,blkio,/ { print $2; exit }' /proc/self/mounts)
if [ -n "$blkio" ]; then
    echo $$ > "$blkio/cgroup.procs"
else
    unified=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
    home=$unified$(awk -F: '$1 == 0 { print $3 }' /proc/self/cgroup)
    mkdir "$home/file-systems-$$"
    group=$home/file-systems-$$
    echo $$ > "$group/cgroup.procs"
fi
limit_to() {
    id=$(cat "/sys/block/${loop#/dev/}/dev")
    if [ -n "$blkio" ]; then
        echo "$id $1" > "$blkio/blkio.throttle.read_iops_device"
        echo "$id $1" > "$blkio/blkio.throttle.write_iops_device"
    else
        echo "$id riops=$1 wiops=$1" > "$group/io.max"
    fi
}
limit_to "$limit"

mkdir "$work/mnt"

# What sets, tells and undoes the file system.
cat > "$work/set" <<SET
#!/bin/sh
set -eu
'$work/restore'
case "\$1" in
    ext4) mkfs.ext4 -q -F -E nodiscard,lazy_itable_init=0,lazy_journal_init=0 '$loop' ;;
    xfs) mkfs.xfs -q -f -K '$loop' ;;
    btrfs) mkfs.btrfs -q -f -K '$loop' > /dev/null 2>&1 ;;
esac
mount -t "\$1" '$loop' '$work/mnt'
SET
cat > "$work/check" <<CHECK
#!/bin/sh
findmnt --noheadings --output FSTYPE '$work/mnt'
CHECK
cat > "$work/restore" <<RESTORE
#!/bin/sh
# The kernel lets go of the files of a closed io_uring a moment later: try for ten seconds.
tries=0
while mountpoint -q '$work/mnt'; do
    umount '$work/mnt' 2> /dev/null && exit
    tries=\$((tries + 1))
    if [ "\$tries" -gt 100 ]; then exec umount '$work/mnt'; fi
    sleep 0.1
done
RESTORE
chmod +x "$work/set" "$work/check" "$work/restore"

cat > "$work/study.toml" <<SUITE
name = "file-systems"
title = "ext4, xfs and btrfs on one device of $limit IO/s"
description = """
Random reads and writes of 4 KiB, past the page cache, on a file of 128 MiB. The file systems have
their defaults: btrfs copies on write and keeps checksums."""
size = "128MiB"
rules = ["mean<=100ms"]
outstanding = "16"
order = "random"
repeat = 3

[[factor]]
name = "file_system"
levels = ["ext4", "xfs", "btrfs"]
set = ["$work/set", "{level}"]
check = ["$work/check"]
restore = ["$work/restore"]
settle = "1s"

[[series]]
profile = "random-read"
block = ["4KiB"]

[[series]]
profile = "random-write"
block = ["4KiB"]
SUITE

cd "$work"
kneepoint run ./study.toml mnt/kneepoint.dat --accuracy 10% --min-time 2s --max-time 12s \
    --label "ext4, xfs and btrfs" --report report.html --json result.json
kneepoint show
cp report.html result.json "$output"
