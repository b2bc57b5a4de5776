#!/usr/bin/env bash
# Installs what is needed, builds everything in Release, runs every test (Catch2 through ctest, scripts, the vendor's Java
# libraries and WebSocket programs in other languages as peers) and closes with a count. Options:
#   --no-install   use the packages that are there
#   --no-interop   leave out the peers (says so in the count)
#   --sanitize S   build and run the C++ tests with -fsanitize=S (address,undefined or thread) instead
#   --compiler C   build with this C++ compiler, e.g. clang++-19, in a folder of its own; installs its package if that is missing
#   --only "A B"   build and run these test programs alone; no interop
set -uo pipefail
cd "$(dirname "$0")" || exit 1

install=yes interop=yes sanitize= compiler= only=
while [ $# -gt 0 ]; do
    case "$1" in
    --no-install) install=no ;;
    --no-interop) interop=no ;;
    --sanitize) sanitize="${2:?--sanitize needs a value, e.g. address,undefined}"; shift ;;
    --compiler) compiler="${2:?--compiler needs the name of a C++ compiler, e.g. clang++-19}"; shift ;;
    --only) only="${2:?--only needs the names of test programs, e.g. 'test_eta_codec test_eta_json'}"; interop=no; shift ;;
    *) echo "runtests.sh: unknown option $1 (known: --no-install --no-interop --sanitize S --compiler C --only \"A B\")" >&2; exit 2 ;;
    esac
    shift
done

say() { printf '\n== %s\n' "$*"; }

if [ "$install" = yes ]; then
    say "packages"
    tools/install_packages.sh tests || exit 1
    [ -z "$compiler" ] || tools/install_packages.sh "$compiler" || exit 1
fi

jobs=$(nproc)
build=build/release
# Headers are precompiled here (a cold build takes a third less).
. tools/compiler_cache.sh
flags=(-DCMAKE_BUILD_TYPE=Release -DEMISSARY_BUILD_TESTS=ON -DEMISSARY_PCH=ON -DEMISSARY_MERGE_TESTS=ON -DEMISSARY_WERROR=ON)
if [ -n "$sanitize" ]; then
    build=build/sanitize-${sanitize//,/-}
    # Optimised a little and with line numbers alone: a sanitizer needs no more, and the build takes half the time.
    flags=(-DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" -DEMISSARY_BUILD_TESTS=ON
        -DEMISSARY_PCH=ON -DEMISSARY_MERGE_TESTS=ON -DEMISSARY_WERROR=ON "-DEMISSARY_SANITIZE=$sanitize")
fi

if [ -n "$compiler" ]; then
    command -v "$compiler" >/dev/null || { echo "runtests.sh: there is no compiler $compiler; without --no-install its package is installed" >&2; exit 1; }
    build="$build-$compiler"
    flags+=("-DCMAKE_CXX_COMPILER=$compiler")
fi

say "build ($build)"
cmake -S . -B "$build" -G Ninja "${flags[@]}" >"/tmp/emissary-configure.$$" 2>&1 || { cat "/tmp/emissary-configure.$$"; exit 1; }
rm -f "/tmp/emissary-configure.$$"
targets=() chosen=()
if [ -n "$only" ]; then
    read -ra targets <<<"$only"
    chosen=(-R "^($(tr ' ' '|' <<<"${targets[*]}"))\$")
    targets=(--target "${targets[@]}")
fi
cmake --build "$build" -j "$jobs" "${targets[@]}" || exit 1

passed=0 failed=0
say "tests"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
ctest --test-dir "$build" -j "$jobs" --output-on-failure --timeout 900 "${chosen[@]}" 2>&1 | tee "$log"
total=$(grep -cE '^ *[0-9]+/[0-9]+ Test ' "$log")
bad=$(grep -E '^ *[0-9]+/[0-9]+ Test ' "$log" | grep -vcE ' Passed ')
passed=$((passed + total - bad)) failed=$((failed + bad))
[ "$total" -gt 0 ] || { echo "runtests.sh: ctest ran no test" >&2; failed=$((failed + 1)); }

if [ -z "$sanitize" ] && [ "$interop" = yes ]; then
    say "interop: the vendor's Java libraries, WebSocket programs"
    EMISSARY_BIN="$PWD/$build/bin" interop/run.sh 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    ok=$(grep -cE '^PASS' "$log") ko=$(grep -cE '^FAIL' "$log")
    passed=$((passed + ok)) failed=$((failed + ko))
    if [ "$status" -ne 0 ] && [ "$ko" -eq 0 ]; then failed=$((failed + 1)); fi
fi

say "result"
[ "$interop" = yes ] || [ -n "$sanitize$only" ] || echo "interop was left out (--no-interop)"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
