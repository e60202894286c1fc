#!/usr/bin/env bash
# A desktop server to practise on: xrdp at a port of this machine, with accounts of its own.
#
#   sudo PASSWORD=... ./serve.sh USERS [PORT]
#
# Makes the accounts kp1 to kpUSERS, starts xrdp for them, says "ready", and serves until its standard input is
# closed (Ctrl-D) or it is interrupted; then it ends the sessions and removes the accounts with their homes. An
# account that is there already is not touched: the script refuses to start.
#
#   apt install xrdp xorgxrdp openbox mousepad fonts-dejavu-core openssl
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
users="${1:?number of users}"
port="${2:-3390}"
: "${PASSWORD:?password of the accounts, in the environment}"
[ "$(id -u)" -eq 0 ] || { echo "xrdp makes sessions of other users: run this as root" >&2; exit 2; }

# Every xrdp finds its session manager at this port.
if (exec 3<>/dev/tcp/127.0.0.1/3350) 2>/dev/null; then
  echo "another xrdp runs here (port 3350): end it first, as by systemctl stop xrdp xrdp-sesman" >&2
  exit 2
fi

names=()
for number in $(seq "$users"); do
  if id "kp$number" >/dev/null 2>&1; then
    echo "the account kp$number is there already; remove it yourself if it is of no use" >&2
    exit 2
  fi
  names+=("kp$number")
done

place="$(mktemp -d /tmp/kp-xrdp.XXXXXX)"
made=()
servers=()
clean() {
  trap - EXIT INT TERM
  local name
  for server in "${servers[@]}"; do kill "$server" 2>/dev/null || true; done
  for server in "${servers[@]}"; do wait "$server" 2>/dev/null || true; done
  for name in "${made[@]}"; do
    # All processes of an account that this script made.
    for _ in 1 2 3 4 5; do
      mapfile -t left < <(find /proc -maxdepth 1 -name '[0-9]*' -user "$name" -printf '%f\n' 2>/dev/null)
      [ ${#left[@]} -gt 0 ] || break
      kill -KILL "${left[@]}" 2>/dev/null || true
      sleep 0.2
    done
    userdel --remove "$name" 2>/dev/null || userdel "$name" || echo "cannot remove the account $name" >&2
  done
  rm -rf "$place"
}
trap clean EXIT
trap 'exit 130' INT TERM

chmod 755 "$place"
for name in "${names[@]}"; do
  useradd --create-home --shell /bin/sh "$name"
  made+=("$name")
  printf '%s:%s\n' "$name" "$PASSWORD" | chpasswd
  home="$(getent passwd "$name" | cut -d : -f 6)"
  install -d -o "$name" -g "$name" "$home/.config" "$home/.config/gtk-3.0"
  install -o "$name" -g "$name" -m 644 "$here/toolkit.ini" "$home/.config/gtk-3.0/settings.ini"
done

install -m 755 "$here/application.sh" "$place/application"
sed "s|@APPLICATION@|$place/application|" "$here/openbox.xml" >"$place/openbox.xml"
printf '#!/bin/sh\nexport DBUS_SESSION_BUS_ADDRESS=disabled: GSETTINGS_BACKEND=memory NO_AT_BRIDGE=1\nexec openbox --sm-disable --config-file %s/openbox.xml\n' "$place" >"$place/session"
chmod 755 "$place/session"

# Sessions inherit the environment.
unset PASSWORD

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
  -keyout "$place/key.pem" -out "$place/certificate.pem" 2>/dev/null
chmod 600 "$place/key.pem"
sed -e "s|@PORT@|$port|" -e "s|@PLACE@|$place|" "$here/xrdp.ini" >"$place/xrdp.ini"
sed -e "s|@PLACE@|$place|" "$here/sesman.ini" >"$place/sesman.ini"

install -d -m 3777 /run/xrdp/sockdir 2>/dev/null || { mkdir -p /run/xrdp/sockdir; chmod 3777 /run/xrdp/sockdir; }
xrdp-sesman --nodaemon --config "$place/sesman.ini" >"$place/sesman.log" 2>&1 &
servers+=($!)
xrdp --nodaemon --config "$place/xrdp.ini" >"$place/xrdp.log" 2>&1 &
servers+=($!)
for _ in $(seq 100); do
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
  kill -0 "${servers[@]}" 2>/dev/null || { cat "$place"/*.log >&2; exit 1; }
  sleep 0.1
done
echo "ready: rdp://kp%n@localhost:$port?logoff=super+escape"
# In the background, so that signals are heard meanwhile; there it would read nothing by itself.
exec 3<&0
cat <&3 >/dev/null &
wait $! || true
