#!/usr/bin/env bash
# build_outside.sh CMAKE BUILD-DIR EXAMPLES WORK COMPILER LAUNCHER FLAGS: installs the build into WORK/installed and
# builds the examples against it, as a project that knows nothing of the source tree, in WORK/build.
set -eu
rm -rf "$4/installed"
mkdir -p "$4"
"$1" --install "$2" --prefix "$4/installed" >/dev/null
"$1" -S "$3" -B "$4/build" -G Ninja -DCMAKE_PREFIX_PATH="$4/installed" -DCMAKE_CXX_COMPILER="$5" \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$6" -DCMAKE_CXX_FLAGS="$7 -Wall -Wextra -Werror" -DEXAMPLES_PRECOMPILE=ON >/dev/null
# ccache keeps what is compiled with a precompiled header only when it is told that no program asks for the time.
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
"$1" --build "$4/build" -j 2
