#!/usr/bin/env bash
# unit.sh UNIT: what systemd-analyze says of the hub's unit: its exposure is below 2, nothing in it is unknown, and a unit without part of
# its hardening is not let through.
set -eu
unit=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" >&2; exit 1; }
command -v systemd-analyze >/dev/null || fail "systemd-analyze is missing: dev/install_packages.sh peers installs it"
below_2() { systemd-analyze security --no-pager --offline=true --threshold=20 "$1" >"$work/said" 2>&1; }

below_2 "$unit" || { cat "$work/said" >&2; fail "the exposure is 2 or more"; }
grep -o 'Overall exposure level.*' "$work/said"
! grep -iE 'unknown|failed to parse' "$work/said" || fail "lines of the unit are not understood"
grep -vE '^(SystemCallFilter|CapabilityBoundingSet|Protect|Private)' "$unit" >"$work/emissary-hub.service"
if below_2 "$work/emissary-hub.service"; then fail "a unit without its hardening is below 2 as well: the test sees nothing"; fi
