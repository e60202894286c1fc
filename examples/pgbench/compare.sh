#!/bin/sh
# Does the same business operations by Kneepoint and by pgbench, in turns on one server, and compares throughputs.
#
#     examples/pgbench/compare.sh target/release/kneepoint
#
# ROUNDS (5) of SECONDS (15) for each number of WAREHOUSES (1 2), with the settings of the server in SETTINGS
# (-c synchronous_commit=off). Both call the functions of one schema with arguments of the same distributions, by
# prepared statements over a Unix socket, one connection for each warehouse, at the same level of isolation, and on
# tables that are filled again for each round; the first 2 s do not count.
#
# Needs PostgreSQL 15 or newer with pgbench and psql. Everything is in a folder of DIR (/tmp) that is removed at the
# end; no port is opened.
set -eu
kneepoint=${1:-kneepoint}
# It is run in another folder.
case $kneepoint in */*) kneepoint=$(realpath "$kneepoint") ;; esac
ramp=2
rounds=${ROUNDS:-5} seconds=${SECONDS_EACH:-15} all=${WAREHOUSES:-1 2}
settings=${SETTINGS:--c synchronous_commit=off}
schema=$(cd "$(dirname "$0")/../.." && pwd)/crates/kneepoint-server/src/postgres/schema.sql
for place in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV); do PATH=$PATH:$place; done
folder=$(mktemp -d "${DIR:-/tmp}/pgbench.XXXXXX")
chmod 755 "$folder"
as=
if [ "$(id -u)" = 0 ]; then
    chown nobody "$folder"
    as="setpriv --reuid=nobody --regid=nogroup --clear-groups"
fi
server=
end() {
    [ -z "$server" ] || { kill -QUIT "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; }
    rm -rf "$folder"
}
trap end EXIT
trap "exit 1" INT TERM HUP
cd "$folder"
$as initdb -D "$folder/data" -U bench -A trust -E UTF8 --no-locale >"$folder/initdb.log"
# shellcheck disable=SC2086
$as postgres -D "$folder/data" -k "$folder" -c listen_addresses= $settings 2>"$folder/server.log" &
server=$!
export PGHOST="$folder" PGUSER=bench PGDATABASE=postgres
ask() { psql -XAtq -v ON_ERROR_STOP=1 "$@"; }
until ask -c 'SELECT 1' >/dev/null 2>&1; do sleep 0.2; done
ask -c 'CREATE DATABASE ours' -c 'CREATE DATABASE beside'

# The schema, with the sizes of crates/kneepoint-server/src/business/warehouse.rs.
sed -e 's/{stock_at_first}/100/g' -e 's/{delivered_max}/100/g' -e 's/{restock_below}/10/g' \
    -e 's/{restock}/91/g' -e 's/{open_max}/200/g' -e 's/{payments_max}/8/g' -e 's/{districts}/10/g' \
    -e 's/{stock_orders}/20/g' "$schema" | ask -d beside

# As many rows as Kneepoint fills in, and 30 first orders in each district.
fill() {
    ask -d beside -v count="$1" <<'SQL'
TRUNCATE kneepoint.order_line, kneepoint.orders, kneepoint.stock, kneepoint.customer, kneepoint.district,
    kneepoint.warehouse, kneepoint.item;
INSERT INTO kneepoint.warehouse SELECT generate_series(0, :count - 1);
INSERT INTO kneepoint.district SELECT warehouse, district
    FROM kneepoint.warehouse, generate_series(0, 9) AS district;
INSERT INTO kneepoint.customer SELECT warehouse, district, customer
    FROM kneepoint.district, generate_series(0, 299) AS customer;
INSERT INTO kneepoint.stock SELECT warehouse, item
    FROM kneepoint.warehouse, generate_series(0, 1999) AS item;
INSERT INTO kneepoint.item SELECT item, 100 + floor(9900 * random()) FROM generate_series(0, 1999) AS item;
DO $$
DECLARE
    place record;
    count integer;
BEGIN
    FOR place IN SELECT warehouse, district FROM kneepoint.district, generate_series(1, 30) LOOP
        count := 5 + floor(11 * random());
        PERFORM kneepoint.new_order(place.warehouse, place.district, floor(300 * random())::integer,
            ARRAY(SELECT floor(2000 * random())::integer FROM generate_series(1, count)),
            array_fill(place.warehouse, ARRAY[count]),
            ARRAY(SELECT 1 + floor(10 * random())::integer FROM generate_series(1, count)));
    END LOOP;
END
$$;
VACUUM ANALYZE kneepoint.order_line, kneepoint.orders, kneepoint.stock, kneepoint.customer, kneepoint.district,
    kneepoint.warehouse, kneepoint.item;
SQL
}

# The transactions as scripts of pgbench; those of new orders for each number of lines, all as likely.
place='\set w :client_id
\set d random(0, 9)
\set c random(0, 299)'
script() { printf '%s\n%s\n' "$place" "$2" >"$folder/$1.sql"; }
script payment '\set amount random(1, 500000)
SELECT kneepoint.payment(:w, :d, :c, :amount);'
script report 'SELECT kneepoint.customer_report(:w, :d, :c);'
script status 'SELECT kneepoint.order_status(:w, :d, :c);'
script delivery 'SELECT kneepoint.delivery(:w);'
script stock '\set least random(10, 20)
SELECT kneepoint.stock_level(:w, :d, :least);'
mix="-f payment.sql@11000 -f report.sql@11000 -f status.sql@1100 -f delivery.sql@1100 -f stock.sql@1104"
for lines in 5 6 7 8 9 10 11 12 13 14 15; do
    drawn= items= suppliers= quantities= line=1
    while [ $line -le $lines ]; do
        drawn="$drawn
\\set i$line random(0, 1999)
\\set q$line random(1, 10)
\\set s$line case when random(1, 100) = 1 then mod(:w + random(1, :others), :warehouses) else :w end"
        items="$items,:i$line" suppliers="$suppliers,:s$line" quantities="$quantities,:q$line"
        line=$((line + 1))
    done
    script order$lines "$drawn
SELECT kneepoint.new_order(:w, :d, :c, ARRAY[${items#,}]::integer[], ARRAY[${suppliers#,}]::integer[], ARRAY[${quantities#,}]::integer[]);"
    mix="$mix -f order$lines.sql@1000"
done

beside() {
    fill "$1"
    # shellcheck disable=SC2086
    PGOPTIONS='-c default_transaction_isolation=repeatable\ read' \
        pgbench -n -M prepared -c "$1" -j "$1" -T $((ramp + seconds)) -P 1 --max-tries=1000 -D warehouses="$1" \
        -D others=$(($1 > 1 ? $1 - 1 : 1)) $mix beside >"$folder/pgbench.log" 2>&1 \
        || { cat "$folder/pgbench.log" >&2; exit 1; }
    # The seconds behind the ramp: `progress: 3.0 s, 4211.0 tps, lat ...`.
    awk -v ramp=$ramp '/^progress: / && $2 > ramp + 0.5 { sum += $4; count++ } END { print sum / count }' \
        "$folder/pgbench.log"
}

printf 'name = "mix"\ntitle = "The same mix"\nremote = 1\n' >"$folder/mix.toml"
for part in new-order:30.3 payment:30.3 customer-report:30.3 order-status:3.03 delivery:3.03 stock-level:3.04; do
    printf '[[transaction]]\nclass = "%s"\nshare = %s\n' "${part%:*}" "${part#*:}" >>"$folder/mix.toml"
done
target="postgres://bench@$(echo "$folder" | sed 's|/|%2F|g')/ours"

ours() {
    "$kneepoint" run "$folder/mix.toml" "$target" --overwrite "$target" --warehouses "$1" --time "${seconds}s" \
        --ramp "${ramp}s" --max-foreign-cpu 100% --store "$folder/k.db" --json "$folder/ours.json" --force \
        >"$folder/ours.log" 2>&1 || { cat "$folder/ours.log" >&2; exit 1; }
    { printf '%s' '\set run `cat ours.json`'; echo; \
      echo "SELECT round((point->'rate'->>'mean')::numeric, 1) FROM jsonb_array_elements(:'run'::jsonb->'points') AS point
            WHERE (point->'load'->>'value')::numeric = $1"; \
    } | ask
}

printf 'warehouses  round  Kneepoint op/s  pgbench tps   ratio\n'
for warehouses in $all; do
    round=1
    while [ "$round" -le "$rounds" ]; do
        if [ $((round % 2)) = 1 ]; then
            a=$(ours "$warehouses"); b=$(beside "$warehouses")
        else
            b=$(beside "$warehouses"); a=$(ours "$warehouses")
        fi
        echo "$warehouses $round $a $b"
        round=$((round + 1))
    done
done | awk '
    { printf "%10d %6d %15.0f %12.0f %7.3f\n", $1, $2, $3, $4, $3 / $4; fflush()
      count[$1]++; sum[$1] += log($3 / $4); square[$1] += log($3 / $4) ^ 2 }
    END { for (n in count) {
        mean = sum[n] / count[n]
        width = count[n] > 1 ? sqrt((square[n] - count[n] * mean ^ 2) / (count[n] - 1) / count[n]) : 0
        printf "warehouses %d: Kneepoint / pgbench %.3f, standard error %.3f, %d rounds\n", n, exp(mean), exp(mean) * width, count[n] } }'
