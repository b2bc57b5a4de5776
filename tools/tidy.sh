#!/bin/bash
# Runs the checks of .clang-tidy over the sources of the libraries, tools and examples.
# Usage: tools/tidy.sh [build folder, default build/release] [file...]
# The build folder is one that CMake has configured (compile_commands.json). Findings are errors; exit code 1 when there is one.
set -uo pipefail
cd "$(dirname "$0")/.."

build=${1:-build/release}
shift || true
tidy=$(command -v clang-tidy || command -v clang-tidy-14 || true)
[[ -n $tidy ]] || { echo "Error: clang-tidy is missing; tools/install_packages.sh checks installs it." >&2; exit 1; }
[[ -f $build/compile_commands.json ]] || { echo "Error: $build/compile_commands.json is missing; run cmake -S . -B $build first." >&2; exit 1; }

if [[ $# -gt 0 ]]; then files=("$@"); else
  mapfile -t files < <(git ls-files 'eta/*.cpp' 'reactor/*.cpp' 'ema/*.cpp' 'hub/*.cpp' 'book/*.cpp' 'PerfTools/*.cpp' 'tools/*.cpp')
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 4 "$tidy" -p "$build" --quiet >"$log" 2>/dev/null
findings=$(grep -E ': (error|warning): ' "$log" | sort -u)
if [[ -n $findings ]]; then
  printf '%s\n' "$findings"
  echo "tidy: $(wc -l <<<"$findings") findings in ${#files[@]} files"
  exit 1
fi
echo "tidy: no findings in ${#files[@]} files"
