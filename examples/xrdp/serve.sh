#!/usr/bin/env bash
# A desktop server to practise on: xrdp at a port of this machine, with accounts of its own.
#
#   sudo PASSWORD=... ./serve.sh USERS [PORT]
#
# Says at which target users find it, and serves until Ctrl-C or `kneepoint sessions stop`; then the accounts are
# removed with their homes. KNEEPOINT names the program if it is not on the PATH.
#
#   apt install xrdp xorgxrdp openbox mousepad fonts-dejavu-core openssl
set -euo pipefail

export KNEEPOINT_RDP_PASSWORD="${PASSWORD:?password of the accounts, in the environment}"
unset PASSWORD
exec "${KNEEPOINT:-kneepoint}" sessions start --protocol rdp --users "${1:?number of users}" --port "${2:-3390}"
