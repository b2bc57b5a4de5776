#!/bin/bash
# Installs the packages, builds Release, shows ten prices of the example in the README (PriceProvider, PriceConsumer) with the
# seconds that it took to the first of them, and lets the performance tools talk to each other for half a minute:
# EmaCppIProvPerf publishes, EmaCppConsPerf consumes; the consumer's summary comes last, and the name of a page with the
# figures as pictures.
#   ./quickstart.sh hub [options]   the same through the distribution hub: provider -> emissary-hub -> consumer, on the ports
#                                   of the guides (options: those of PerfTools/scenarios/guide_7_1.py; --ports free takes any)
#   ./quickstart.sh web             prices in a browser: feed, hub and live page until Ctrl-C, on ports 15001, 15000 and 8080
# Environment: EMISSARY_PORT (default 14002; not with hub or web).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"

with_hub=
with_web=
if (($# > 0)); then
  case "$1" in
    hub) with_hub=yes ;;
    web) with_web=yes ;;
    *) echo "Error: unknown argument '$1'; usage: $0 [hub [options] | web]" >&2; exit 2 ;;
  esac
  shift
fi
port=${EMISSARY_PORT:-14002}
steady_seconds=25
provider=
consumer=
work=

fail() {
  echo "Error: $*" >&2
  exit 1
}

# Whatever happens, no process and no file stays behind.
cleanup() {
  trap - EXIT
  trap '' INT TERM
  for pid in $consumer $provider; do kill -TERM "$pid" 2>/dev/null || true; done
  for pid in $consumer $provider; do
    for _ in $(seq 60); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
    kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  [[ -z "$work" ]] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

[[ "$port" =~ ^[0-9]+$ ]] && ((port >= 1 && port <= 65535)) || fail "EMISSARY_PORT '$port' is not a port number."
# Whether something listens there, as the kernel's tables say (state 0A): a connection to find out would be the provider's
# first client, which leaves at once, and a warning.
port_in_use() { grep -qsiE "^ *[0-9]+: [0-9A-F]+:$(printf '%04X' "${1:-$port}") [0-9A-F]+:0000 0A " /proc/net/tcp /proc/net/tcp6; }
if [[ -n "$with_web" ]]; then
  port=15001
  for web_port in 15000 15001 8080; do ! port_in_use "$web_port" || fail "port $web_port is in use; stop the program that listens there."; done
fi
[[ -n "$with_hub" ]] || ! port_in_use || fail "port $port is in use; stop the program that listens there or run: EMISSARY_PORT=<other port> $0"

dev/install_packages.sh quickstart
echo "Building (the first time takes a few minutes) ..."
build_log=$(mktemp)
cmake --preset release -DEMISSARY_BUILD_TESTS=OFF >"$build_log" 2>&1 &&
  cmake --build --preset release --target EmaCppIProvPerf ${with_web:+emissary-hub} \
    $([[ -n "$with_web" ]] || echo EmaCppConsPerf PriceConsumer PriceProvider perfreport) \
    ${with_hub:+EmaCppNIProvPerf emissary-hub} >>"$build_log" 2>&1 ||
  { tail -n 30 "$build_log" >&2; fail "the build failed; see $build_log"; }
rm -f "$build_log"

if [[ -n "$with_hub" ]]; then
  # The scenario ends its programs itself, whatever happens.
  trap - EXIT INT TERM
  exec PerfTools/scenarios/guide_7_1.py --out build/release/quickstart-hub --seconds "$steady_seconds" --summary "$@"
fi

wait_for_provider() {
  for _ in $(seq 100); do
    port_in_use && return
    kill -0 "$provider" 2>/dev/null || break
    sleep 0.1
  done
  tail -n 20 "$work"/*.log >&2 2>/dev/null || true
  fail "the provider does not listen on port $port; its last lines are above."
}

# The programs of the README; dictionaries stand beside the tools.
cd build/release/bin
work=$(mktemp -d)
if [[ -n "$with_web" ]]; then
  ./EmaCppIProvPerf -providerName Perf_Provider_1 -p "$port" -updateRate 200 -tickRate 50 -latencyUpdateRate all -bookOrders 100 -runTime 86400 \
    -noDisplayStats -summaryFile "$work/ProvSummary.out" -statsFile "$work/ProvStats" >"$work/feed.log" 2>&1 &
  provider=$!
  wait_for_provider
  ./emissary-hub -port 15000 -niPort 0 -httpPort 8080 -source "localhost:$port" >"$work/hub.log" 2>&1 &
  consumer=$!
  for _ in $(seq 100); do
    port_in_use 8080 && break
    kill -0 "$consumer" 2>/dev/null || { tail -n 20 "$work/hub.log" >&2; fail "the hub ended; its last lines are above."; }
    sleep 0.1
  done
  echo "Prices in a browser, until Ctrl-C: http://127.0.0.1:8080/live/?items=EMI.X,GBP=,JPY=,VOD.L,IBM.N&depth=BOOK"
  wait "$consumer" || { tail -n 20 "$work/hub.log" >&2; fail "the hub ended; its last lines are above."; }
  exit 0
fi
../examples/PriceProvider "$port" 30 >"$work/PriceProvider.log" 2>&1 &
provider=$!
wait_for_provider
exec {prices}< <(exec timeout 60 ../examples/PriceConsumer "localhost:$port")
consumer=$!
first=
while IFS= read -r -u "$prices" line; do
  [[ -n "$first" ]] || { first=$SECONDS; echo "The first price, $first s after the start of this script:"; }
  printf '%s\n' "$line"
done
exec {prices}<&-
status=0
wait "$consumer" || status=$?
consumer=
((status == 0)) || fail "PriceConsumer has not shown ten updates (code $status); its last lines are above."
kill -TERM "$provider" 2>/dev/null || true
wait "$provider" 2>/dev/null || true
provider=
rm -f "$work/PriceProvider.log"
for _ in $(seq 100); do port_in_use || break; sleep 0.1; done
echo

mkfifo "$work/provider" "$work/consumer"

# A line at a time, with the name of the program in front. The readers end when the programs do.
sed -u 's/^/provider | /' <"$work/provider" &
readers=$!
sed -u 's/^/consumer | /' <"$work/consumer" &
readers="$readers $!"

./EmaCppIProvPerf -providerName Perf_Provider_1 -p "$port" -runTime 600 \
  -summaryFile "$work/ProvSummary.out" -statsFile "$work/ProvStats" -writeStatsInterval 1 >"$work/provider" 2>&1 &
provider=$!
wait_for_provider

./EmaCppConsPerf -consumerName Perf_Consumer_1 -p "$port" -requestRate 500000 -steadyStateTime "$steady_seconds" \
  -summaryFile "$work/ConsSummary.out" -statsFile "$work/ConsStats" -latencyFile "$work/latency" -writeStatsInterval 1 \
  >"$work/consumer" 2>&1 &
consumer=$!
status=0
wait "$consumer" || status=$?
consumer=
kill -TERM "$provider" 2>/dev/null || true
wait "$provider" || true
provider=
# shellcheck disable=SC2086
wait $readers || true
((status == 0)) || fail "the consumer ended with an error; its last lines are above."
echo
echo "The consumer's summary:"
cat "$work/ConsSummary.out"
./perfreport -o ../quickstart.html --title "Quick start" "quickstart=$work" || fail "perfreport made no page of the run."
echo "The run as a page: $(readlink -f ../quickstart.html)"
