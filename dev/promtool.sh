#!/bin/bash
# Prints the path of promtool, which checks pages of counts. Where it is not installed it is taken out of Debian's package
# into .cache/: the package itself would also install and start a Prometheus server.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
if found=$(command -v promtool); then echo "$found"; exit 0; fi
cache=$PWD/.cache/promtool
if [[ ! -x $cache/usr/bin/promtool ]]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  (cd "$work" && { apt-get download prometheus >log 2>&1 || { apt-get update >log 2>&1 && apt-get download prometheus >log 2>&1; }; }) ||
    { cat "$work/log" >&2; echo "Error: promtool is not installed, and apt cannot download the package prometheus, which has it." >&2; exit 1; }
  mkdir -p "$cache"
  dpkg-deb -x "$work"/prometheus_*.deb "$cache"
fi
echo "$cache/usr/bin/promtool"
