#!/bin/bash
# Builds the fuzz targets with clang's libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer, and runs each.
# Usage: dev/fuzz.sh [seconds per target, default 600] [target...]
# Works in build/fuzz: seeds and what was found interesting in corpus/<target>, failing inputs in crashes/, output in
# logs/. Exit code 1 when a target failed. Once the fault is mended, put the failing input into
# unittests/fuzz/corpus/<target>.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-600}
[[ $seconds =~ ^[0-9]+$ ]] || { echo "Error: seconds must be a number, not '$seconds'." >&2; exit 2; }
shift || true
build=build/fuzz
cxx=${CXX:-$(command -v clang++ || command -v clang++-14 || echo clang++)}
command -v "$cxx" >/dev/null || { echo "Error: $cxx is missing; install clang." >&2; exit 1; }

cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER="$cxx" -DEMISSARY_FUZZ=ON >/dev/null
built=("$@")
[[ $# -gt 0 ]] || built=(fuzz_targets)
cmake --build $build --target "${built[@]}" -j "${FUZZ_JOBS:-2}"
mkdir -p $build/crashes $build/logs $build/corpus
python3 unittests/fuzz/seeds.py $build/corpus

failed=0
mapfile -t targets < <(if [[ $# -gt 0 ]]; then printf '%s\n' "$@"; else cat $build/fuzz_targets.txt; fi)
for target in "${targets[@]}"; do
  log=$build/logs/$target.log
  mkdir -p "$build/corpus/$target"
  folders=("$build/corpus/$target")
  [[ -d unittests/fuzz/corpus/$target ]] && folders+=("unittests/fuzz/corpus/$target")
  options=(-max_total_time="$seconds" -max_len=8192 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1
           -artifact_prefix="$build/crashes/$target-")
  [[ -f unittests/fuzz/$target.dict ]] && options+=(-dict="unittests/fuzz/$target.dict")
  if $build/tests/"$target" "${options[@]}" "${folders[@]}" >"$log" 2>&1; then
    outcome=ok
  else
    outcome=FAILED
    failed=1
  fi
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
  coverage=$(grep -o 'cov: [0-9]* ft: [0-9]*' "$log" | tail -1)
  echo "$target: $outcome, ${executions:-0} executions, ${coverage:-no coverage} ($log)"
done
exit $failed
