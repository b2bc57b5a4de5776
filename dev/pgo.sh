#!/bin/bash
# Builds the performance tools and the hub twice with GCC: first so that they count what they do, then, after runs of the
# pair, so that the compiler arranges the code by these counts (the presets pgo-count and pgo: profile-guided and link-time
# optimisation together).
# Usage: dev/pgo.sh [seconds of each training run, default 4]
# The programs are in build/pgo/bin afterwards. Takes two builds without a compiler cache, PGO_JOBS (default 2) at a time.
# Ports 14002 and 14003 must be free. For an application of your own, see docs/measurements/0.3.0.md.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-4}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "Error: seconds must be a number above 0, not '$seconds'." >&2; exit 2; }
build=$PWD/build/pgo
programs=(EmaCppConsPerf EmaCppIProvPerf EmaCppNIProvPerf emissary-hub)

built() {
  cmake --preset "$1" >/dev/null
  cmake --build --preset "$1" --target "${programs[@]}" -j "${PGO_JOBS:-2}"
}

rm -rf "$build/counts"
echo "Building programs that count ..."
built pgo-count
echo "Running the pair, both dispatch modes, 13 and 23 fields ..."
python3 bench/pair.py --no-limit --ours counting="$build/bin" --rounds 1 --seconds "$seconds" --rates 50000,200000
[[ -n $(find "$build/counts" -name "*.gcda" -print -quit) ]] || { echo "Error: the runs left no counts in $build/counts." >&2; exit 1; }
echo "Building by the counts ..."
built pgo
echo "Done: $build/bin"
