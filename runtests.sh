#!/usr/bin/env bash
# Installs what is needed, builds everything in Release, runs the tests (Catch2 through ctest, and scripts) and closes with a count.
#   ./runtests.sh              all tests of this tree
#   ./runtests.sh ROOM...      those of the named rooms, which are folders below unittests/: hub/flow, eta/codec, docs
#   ./runtests.sh --all        and what lies outside of the tree: packages built and used, the examples against an installed
#                              library, the vendor's Java libraries and WebSocket programs in four languages as peers
# Options:
#   --no-install   use the packages that are there
#   --no-interop   with --all: leave out the peers (says so in the count)
#   --sanitize S   build and run the C++ tests with -fsanitize=S instead: thread (the programs with the label `threads`), or
#                  address,undefined (those with the label `address`)
#   --compiler C   build with this C++ compiler, e.g. clang++-19, in a folder of its own; installs its package if that is missing
#   --only "A B"   build and run these test programs alone
set -uo pipefail
cd "$(dirname "$0")" || exit 1

install=yes interop=yes sanitize= compiler= only= all= rooms=()
while [ $# -gt 0 ]; do
    case "$1" in
    --all) all=yes ;;
    --no-install) install=no ;;
    --no-interop) interop=no ;;
    --sanitize) sanitize="${2:?--sanitize needs a value, e.g. address,undefined}"; shift ;;
    --compiler) compiler="${2:?--compiler needs the name of a C++ compiler, e.g. clang++-19}"; shift ;;
    --only) only="${2:?--only needs the names of test programs, e.g. 'test_eta_codec test_eta_json'}"; shift ;;
    --help | -h) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;;
    -*) echo "runtests.sh: unknown option $1; ./runtests.sh --help lists them" >&2; exit 2 ;;
    *)
        room=${1#unittests/} room=${room%/}
        [ -f "unittests/$room/CMakeLists.txt" ] || {
            echo "runtests.sh: there is no room $1: a room is a folder below unittests/ with a CMakeLists.txt, e.g. hub/flow or docs" >&2
            exit 2
        }
        rooms+=("$room")
        ;;
    esac
    shift
done
if [ ${#rooms[@]} -gt 0 ] && [ -n "$all$only$sanitize" ]; then
    echo "runtests.sh: rooms do not go with --all, --only or --sanitize; leave out one of them" >&2
    exit 2
fi

say() { printf '\n== %s (%d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }

peers=
if [ -n "$all" ] && [ "$interop" = yes ]; then peers=yes; fi
if [ "$install" = yes ]; then
    say "packages"
    dev/install_packages.sh "$([ -n "$all" ] && echo peers || echo tests)" || exit 1
    [ -z "$compiler" ] || dev/install_packages.sh "$compiler" || exit 1
fi

jobs=$(nproc)
# Most tests wait for timers, peers and processes; those that compute take two places (unittests/CMakeLists.txt).
places=$((2 * jobs))
[ -z "$sanitize" ] || places=$((jobs + 1))  # what a sanitizer adds is computed
build=build/release
# Headers are precompiled here, and sources and tests compiled in groups, for the sake of a cold build.
. dev/compiler_cache.sh
flags=(-DCMAKE_BUILD_TYPE=Release)
if [ -n "$sanitize" ]; then
    build=build/sanitize-${sanitize//,/-}
    # Optimised a little and with line numbers alone: a sanitizer needs no more, and the build takes half the time.
    flags=(-DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" "-DEMISSARY_SANITIZE=$sanitize")
fi
flags+=(-DEMISSARY_BUILD_TESTS=ON -DEMISSARY_PCH=ON -DEMISSARY_MERGE_TESTS=ON -DEMISSARY_MERGE_SOURCES=ON -DEMISSARY_WERROR=ON)

if [ -n "$compiler" ]; then
    command -v "$compiler" >/dev/null || { echo "runtests.sh: there is no compiler $compiler; without --no-install its package is installed" >&2; exit 1; }
    build="$build-$compiler"
    flags+=("-DCMAKE_CXX_COMPILER=$compiler")
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
say "build ($build)"
cmake -S . -B "$build" -G Ninja "${flags[@]}" >"$log" 2>&1 || { cat "$log"; exit 1; }
targets=() chosen=() left=()
if [ -n "$only" ]; then
    read -ra targets <<<"$only"
    chosen=(-R "^($(tr ' ' '|' <<<"${targets[*]}"))\$")
elif [ -n "$sanitize" ]; then
    label=address
    [ "$sanitize" != thread ] || label=threads
    targets=("${label}_tests") chosen=(-L "^$label\$")
elif [ ${#rooms[@]} -gt 0 ]; then
    for room in "${rooms[@]}"; do
        targets+=("unittests/$room/all")
        # What runs programs, installs or reads what was built needs all of it.
        case $room in docs | examples* | package* | bench* | perfreport* | house*) targets=(all); break ;; esac
    done
elif [ -z "$all" ]; then
    chosen=(-LE '^outside$')
    left+=("packages, examples from outside, the vendor's Java libraries and WebSocket programs (./runtests.sh --all)")
elif [ -z "$peers" ]; then
    left+=("the vendor's Java libraries and WebSocket programs (--no-interop)")
fi
# Tests that the configuration found no program for.
if [ -z "$only$sanitize" ] && [ ${#rooms[@]} -eq 0 ]; then
    while read -r line; do [ -z "$line" ] || left+=("$line"); done <"$build/left_out.txt"
fi
NINJA_STATUS='[%f of %t, %e s] ' cmake --build "$build" -j "$jobs" ${targets:+--target "${targets[@]}"} || exit 1

passed=0 failed=0
# run_tests FOLDER OPTION...: adds what ctest counts.
run_tests() {
    local folder=$1 total bad
    shift
    ctest --test-dir "$folder" -j "$places" --output-on-failure --timeout 900 "$@" 2>&1 | tee "$log"
    total=$(grep -cE '^ *[0-9]+/[0-9]+ Test ' "$log")
    bad=$(grep -E '^ *[0-9]+/[0-9]+ Test ' "$log" | grep -vcE ' Passed ')
    passed=$((passed + total - bad)) failed=$((failed + bad))
    [ "$total" -gt 0 ] || { echo "runtests.sh: ctest ran no test" >&2; failed=$((failed + 1)); }
    # Of what was asked for by label, nothing may be missing.
    if [ -n "$sanitize" ] && [ -z "$only" ] && [ "$total" -ne "$(cat "$build/${label}_tests.count")" ]; then
        echo "runtests.sh: $(cat "$build/${label}_tests.count") tests have the label $label, $total ran" >&2
        failed=$((failed + 1))
    fi
}
say "tests"
if [ ${#rooms[@]} -gt 0 ]; then
    for room in "${rooms[@]}"; do run_tests "$build/unittests/$room"; done
else
    run_tests "$build" "${chosen[@]}"
fi

if [ -n "$peers" ] && [ -z "$sanitize$only" ]; then
    say "interop: the vendor's Java libraries, WebSocket programs"
    EMISSARY_BIN="$PWD/$build/bin" interop/run.sh 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    ok=$(grep -cE '^PASS' "$log") ko=$(grep -cE '^FAIL' "$log")
    passed=$((passed + ok)) failed=$((failed + ko))
    if [ "$status" -ne 0 ] && [ "$ko" -eq 0 ]; then failed=$((failed + 1)); fi
fi

say "result"
[ ${#left[@]} -eq 0 ] || printf 'left out: %s\n' "${left[@]}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
