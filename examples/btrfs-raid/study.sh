#!/bin/sh
# btrfs RAID levels over four devices that are held to 200 IO/s each.
#
#   sudo examples/btrfs-raid/study.sh [FOLDER]
#
# Makes four loop devices on files in a temporary folder, holds each of them to 200 reads and 200
# writes per second, lets Kneepoint go through the RAID levels, and writes report.html and result.json
# into FOLDER (default: the current one). Everything that it made is taken away at the end, also after a failure or Ctrl-C. Needs root, losetup, mkfs.btrfs,
# and control groups of version 1 with blkio, or of version 2.
#
# SIZE is the size of the test file in MiB (default: 256).

set -eu

command -v kneepoint > /dev/null || { echo "no kneepoint in PATH" >&2; exit 2; }
output=$(realpath "${1:-.}")
size=${SIZE:-256}
limit=200
devices=4
[ "$(id -u)" = 0 ] || { echo "run this as root: it makes loop devices and control groups" >&2; exit 2; }

work=$(mktemp -d "${TMPDIR:-/tmp}/btrfs-raid.XXXXXX")
blkio=""
group=""
loops=""

clean_up() {
    code=$?
    trap - EXIT INT TERM
    set +e
    cd /
    if [ -x "$work/restore" ]; then "$work/restore"; fi
    [ -z "$blkio" ] || limit_to 0
    if [ -n "$group" ]; then
        # Out of the group, or it cannot be removed.
        echo $$ > "$home/cgroup.procs" || true
        rmdir "$group" || echo "left behind: $group" >&2
    fi
    for loop in $loops; do losetup --detach "$loop" || echo "left behind: $loop" >&2; done
    if mountpoint -q "$work/mnt"; then echo "left behind: $work" >&2; else rm -rf "$work"; fi
    exit "$code"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

for number in $(seq "$devices"); do
    truncate -s 2G "$work/disk$number"
    loop=$(losetup --find --show --direct-io=on "$work/disk$number") || loop=$(losetup --find --show "$work/disk$number")
    loops="$loops $loop"
    echo "$loop" >> "$work/loops"
done

# The limits. btrfs computes parity and reads what it needs for it in kernel threads, which belong to
# the root group: with version 1 the limit is set there, and holds for everything that reaches these
# devices. Version 2 limits no root group: then the threads of RAID-5 and 6 are not held back.
blkio=$(awk '$3 == "cgroup" && ("," $4 ",") ~ /,blkio,/ { print $2; exit }' /proc/self/mounts)
if [ -n "$blkio" ]; then
    echo $$ > "$blkio/cgroup.procs"
else
    unified=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
    home=$unified$(awk -F: '$1 == 0 { print $3 }' /proc/self/cgroup)
    mkdir "$home/btrfs-raid-$$"
    group=$home/btrfs-raid-$$
    echo $$ > "$group/cgroup.procs"
    echo "note: control groups of version 2: writes of RAID-5 and RAID-6 are not held back" >&2
fi
limit_to() {
    for loop in $loops; do
        id=$(cat "/sys/block/${loop#/dev/}/dev")
        if [ -n "$blkio" ]; then
            echo "$id $1" > "$blkio/blkio.throttle.read_iops_device"
            echo "$id $1" > "$blkio/blkio.throttle.write_iops_device"
        elif [ "$1" -gt 0 ]; then
            echo "$id riops=$1 wiops=$1" > "$group/io.max"
        fi
    done
}
limit_to "$limit"

mkdir "$work/mnt"

# What sets, tells and undoes the RAID level.
cat > "$work/set" <<SET
#!/bin/sh
set -eu
'$work/restore'
mkfs.btrfs -q -f -K -d "\$1" -m raid1 \$(cat '$work/loops') > /dev/null 2>&1
mount "\$(head -n 1 '$work/loops')" '$work/mnt'
# Files without copy on write and checksums: one block of the device for each block of a write.
chattr +C '$work/mnt'
SET
cat > "$work/check" <<CHECK
#!/bin/sh
btrfs filesystem df '$work/mnt' | sed -n 's/^Data, \(.*\): .*/\1/p' | tr 'A-Z' 'a-z'
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
name = "btrfs-raid"
title = "btrfs RAID levels over four devices of $limit IO/s"
description = """
Random reads and writes of 4 KiB on a file of $size MiB. The file system has its data in the RAID
level of the factor and its metadata in RAID-1; the file has no copy on write."""
size = "${size}MiB"
rules = ["mean<=500ms"]
outstanding = "64"
order = "random"
repeat = 3

[[factor]]
name = "raid"
levels = ["raid0", "raid1", "raid10", "raid5", "raid6"]
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
kneepoint plan ./study.toml mnt/kneepoint.dat
kneepoint run ./study.toml mnt/kneepoint.dat --accuracy 10% --min-time 2s --max-time 20s \
    --label "btrfs RAID levels" --report report.html --json result.json
kneepoint show
cp report.html result.json "$output"
