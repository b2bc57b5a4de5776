#!/bin/bash
# aarch64_sysroot.sh FOLDER: fetches Debian's arm64 packages that the libraries, tools and tests are built with, and unpacks them
# into FOLDER, which cmake/aarch64.cmake takes as EMISSARY_SYSROOT. The machine's own packages stay as they are: apt works on a
# state of its own inside FOLDER. Needs no root. Does nothing when FOLDER is complete.
set -euo pipefail
[ $# -eq 1 ] || { echo "Usage: dev/aarch64_sysroot.sh FOLDER" >&2; exit 2; }
packages=(libc6-dev libstdc++-12-dev libxml2-dev libssl-dev zlib1g-dev liblz4-dev libsimdjson-dev libmicrohttpd-dev
  libcurl4-openssl-dev libnats-dev libpcap-dev libboost1.81-dev catch2)
mkdir -p "$1"
root=$(cd "$1" && pwd)
done=$root/complete
[ "$(cat "$done" 2>/dev/null)" != "${packages[*]}" ] || exit 0

rm -rf "$root/apt" "$done" "${root:?}"/{usr,etc,var,lib,bin,sbin}
mkdir -p "$root"/apt/{state,lists/partial,cache/archives/partial} "$root"/usr/{lib,bin,sbin}
: >"$root/apt/status"  # nothing is installed: what the packages need comes along
for folder in lib bin sbin; do ln -s "usr/$folder" "$root/$folder"; done
options=(-o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Install-Recommends=false
  -o "Dir::State=$root/apt/state" -o "Dir::State::lists=$root/apt/lists" -o "Dir::State::status=$root/apt/status"
  -o "Dir::Cache=$root/apt/cache" -o Acquire::Languages=none -o Debug::NoLocking=1)
# A user that apt would change to may not write here.
[ "$EUID" -ne 0 ] || options+=(-o APT::Sandbox::User=root)
log=$root/apt/log
if ! { apt-get "${options[@]}" update && apt-get "${options[@]}" install -y --download-only "${packages[@]}"; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "Error: apt did not get ${packages[*]} for arm64; its last lines are above." >&2
  exit 1
fi
for package in "$root"/apt/cache/archives/*.deb; do
  dpkg-deb -x "$package" "$root"
done
# Links to absolute paths lead out of the folder.
find "$root/usr" -type l -lname '/*' | while read -r link; do
  ln -sfn "$root$(readlink "$link")" "$link"
done
rm -rf "$root/apt"
echo "${packages[*]}" >"$done"
