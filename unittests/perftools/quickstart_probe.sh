#!/bin/bash
# The question of quickstart.sh whether a port is in use must not look like a client to the program that listens there.
# Usage: quickstart_probe.sh <quickstart.sh> <EmaCppIProvPerf>
set -euo pipefail
eval "$(grep '^port_in_use() ' "$1")"

work=$(mktemp -d)
provider=
trap '[[ -z "$provider" ]] || kill -KILL "$provider" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$(dirname "$2")"  # configuration and data stand beside the program

for _ in $(seq 20); do
  port=$((20000 + RANDOM % 10000))
  if port_in_use; then continue; fi
  "$2" -p "$port" -summaryFile "$work/summary" -statsFile "$work/stats" -runTime 60 >"$work/log" 2>&1 &
  provider=$!
  listening=no
  while kill -0 "$provider" 2>/dev/null; do
    if port_in_use; then listening=yes; break; fi
    sleep 0.1
  done
  if [[ $listening = yes ]]; then break; fi
  wait "$provider" || true  # somebody was faster: another port
  provider=
done
[[ -n "$provider" ]] || { echo "no provider came up:"; cat "$work/log"; exit 1; }
for _ in $(seq 5); do port_in_use; done
kill -INT "$provider"
wait "$provider"
provider=
if port_in_use; then echo "port $port is said to be in use, but the provider has ended"; exit 1; fi
if grep -n "Severity: \(Warning\|Error\)" "$work/log"; then echo "the question was taken for a client:"; cat "$work/log"; exit 1; fi
