#!/bin/bash
# Builds the performance tools and the hub twice: first so that they count what they do, then, after runs of the pair, so that
# GCC arranges the code by these counts (profile-guided and link-time optimisation together).
# Usage: tools/pgo.sh [seconds of each training run, default 4]
# Works in build/pgo: the programs are in build/pgo/bin afterwards, the counts in build/pgo/counts. Takes two builds without a
# compiler cache. Ports 14002 and 14003 must be free. Other compilers than GCC are refused.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-4}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "Error: seconds must be a number above 0, not '$seconds'." >&2; exit 2; }
cxx=${CXX:-g++}
"$cxx" -v 2>&1 | grep -q '^gcc version' || { echo "Error: '$cxx' is not GCC; set CXX to a g++." >&2; exit 1; }

build=$PWD/build/pgo
counts=$build/counts
programs=(EmaCppConsPerf EmaCppIProvPerf EmaCppNIProvPerf emissary-hub)
export CCACHE_DISABLE=1  # its key does not know the counts

# The same folder for both builds: the counts of an object are found by its path.
built() {
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$cxx" -DEMISSARY_BUILD_TESTS=OFF \
    -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON -DCMAKE_CXX_FLAGS="$1" >/dev/null
  cmake --build "$build" --target "${programs[@]}" --clean-first -j "${PGO_JOBS:-2}"
}

rm -rf "$counts"
echo "Building programs that count ..."
built "-fprofile-generate -fprofile-update=prefer-atomic -fprofile-dir=$counts"
echo "Running the pair, both dispatch modes, 13 and 23 fields ..."
python3 bench/pair.py --no-limit --ours counting="$build/bin" --rounds 1 --seconds "$seconds" --rates 100000,400000
find "$counts" -name '*.gcda' | grep -q . || { echo "Error: the runs left no counts in $counts." >&2; exit 1; }
echo "Building by the counts ..."
built "-fprofile-use=$counts -fprofile-correction -fprofile-partial-training -Wno-missing-profile"
echo "Done: $build/bin"
