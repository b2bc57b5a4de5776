#!/usr/bin/env bash
# build_outside.sh CMAKE BUILD-DIR EXAMPLES WORK COMPILER LAUNCHER FLAGS: installs the build into WORK/installed and
# builds the examples against it, as a project that knows nothing of the source tree, in WORK/build.
set -eu
rm -rf "$4/installed"
mkdir -p "$4"
"$1" --install "$2" --prefix "$4/installed" >/dev/null
"$1" -S "$3" -B "$4/build" -G Ninja -DCMAKE_PREFIX_PATH="$4/installed" -DCMAKE_CXX_COMPILER="$5" \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$6" -DCMAKE_CXX_FLAGS="$7 -Wall -Wextra -Werror" >/dev/null
"$1" --build "$4/build" -j 2
