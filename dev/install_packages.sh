#!/bin/bash
# Installs the Debian packages that the project needs.
# Usage: dev/install_packages.sh [quickstart|tests|peers|checks|bench|aarch64|clang++-N|g++-N]
#   quickstart  what the build, the performance tools and their report need (the default)
#   tests       and what the tests need
#   peers       and what ./runtests.sh --all needs: lintian, systemd-analyze, and the tools for peers on the vendor's Java libraries and for WebSocket
#               programs in four languages
#   checks      and what .ci/run needs beyond the tests: clang for fuzzing and clang-tidy
#   bench       and what the benchmarks need
#   aarch64     and what cmake/aarch64.cmake builds and runs with
#   clang++-N   and a further compiler, as runtests.sh --compiler names it
set -euo pipefail

# Debian 12's libboost-dev is too old; later systems have no package of the other name.
boost=libboost-dev
if grep -q '^VERSION_ID="12"' /etc/os-release && grep -q '^ID=debian' /etc/os-release; then boost=libboost1.81-dev; fi
packages=(build-essential cmake ninja-build ccache git pkg-config libxml2-dev "$boost" libssl-dev
  libcrypt-dev zlib1g-dev liblz4-dev libsimdjson-dev libmicrohttpd-dev libcurl4-openssl-dev libpcap-dev python3)
tests=(catch2 doxygen file man-db chromium fonts-dejavu-core openssl iproute2 python3-websockets procps libnats-dev nats-server)
case "${1:-quickstart}" in
  quickstart) ;;
  tests) packages+=("${tests[@]}") ;;
  peers) packages+=("${tests[@]}" lintian systemd openjdk-17-jdk-headless maven python3-websocket nodejs node-ws golang-go
    golang-github-gorilla-websocket-dev golang-golang-x-net-dev) ;;
  aarch64) packages+=(g++-aarch64-linux-gnu qemu-user) ;;
  checks) packages+=(python3-dev python3-venv g++-aarch64-linux-gnu qemu-user abigail-tools clang-14 clang-tidy-14 libclang-rt-14-dev clang-19) ;;
  bench) packages+=(libbenchmark-dev) ;;
  clang++-[0-9]*) packages+=("clang-${1#clang++-}" "libclang-rt-${1#clang++-}-dev") ;;
  g++-[0-9]*) packages+=("$1") ;;
  *) echo "Usage: dev/install_packages.sh [quickstart|tests|peers|checks|bench|aarch64|clang++-N|g++-N]" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "Error: apt is missing: this installs packages on Debian and Ubuntu only. Install these yourself: ${packages[*]}" >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  if [[ "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)" != "install ok installed" ]]; then
    missing+=("$package")
  fi
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

if [[ $EUID -ne 0 ]]; then
  echo "Error: packages are missing and installing them needs root. Run as root: apt-get install ${missing[*]}" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
echo "Installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "Error: apt could not install ${missing[*]}; its last lines are above." >&2
  exit 1
fi
# The tests start servers of their own; the package's service would listen on all interfaces.
if [[ " ${missing[*]} " == *" nats-server "* ]] && [[ -d /run/systemd/system ]]; then systemctl disable --now nats-server.service >/dev/null 2>&1 || true; fi
