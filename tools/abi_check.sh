#!/usr/bin/env bash
# tools/abi_check.sh [OLD-COMMIT]: whether programs linked against the libemissary of the last tag (or of OLD-COMMIT) run with the one
# of this tree: both are built and compared with abidiff. A version that may change the ABI (docs/releasing.md) is told apart by the
# name of the library: then differences are listed and allowed.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v abidiff >/dev/null || { echo "Error: abidiff is missing: install abigail-tools (tools/install_packages.sh checks does)" >&2; exit 1; }
old=${1:-$(git describe --tags --abbrev=0 2>/dev/null || true)}
[ -n "$old" ] || { echo "There is no tag yet: nothing to compare with."; exit 0; }
git cat-file -e "$old:cmake/SharedLibrary.cmake" 2>/dev/null || { echo "$old has no shared library: nothing to compare with."; exit 0; }

. tools/compiler_cache.sh
work=$(pwd)/build/abi
trap 'git worktree remove --force "$work/old-tree" 2>/dev/null || true' EXIT
git worktree remove --force "$work/old-tree" 2>/dev/null || true
mkdir -p "$work"
git worktree add --quiet --detach "$work/old-tree" "$old"
# library TREE BUILD: where its shared library lies. Types are compared too, so it is built with what describes them.
library() {
    cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS=-g -DEMISSARY_BUILD_TESTS=OFF \
        -DEMISSARY_BUILD_TOOLS=OFF >"$2.log" 2>&1 && cmake --build "$2" --target emissary >>"$2.log" 2>&1 ||
        { tail -20 "$2.log" >&2; echo "Error: the library of $1 does not build" >&2; return 1; }
    readlink -f "$2/libemissary.so"
}
before=$(library "$work/old-tree" "$work/old")
after=$(library . "$work/new")
name() { readelf -d "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'; }
echo "$old: $(name "$before"), this tree: $(name "$after")"
# Of the layers below the interface nothing is promised (docs/releasing.md).
cat >"$work/suppressions" <<'END'
[suppress_function]
  symbol_name_regexp = ^_ZN?K?8emissary(3eta|7reactor|4rest)
[suppress_variable]
  symbol_name_regexp = ^_ZN?K?8emissary(3eta|7reactor|4rest)
END
status=0
abidiff --suppressions "$work/suppressions" --headers-dir1 "$work/old-tree/ema/include" --headers-dir2 ema/include \
    "$before" "$after" || status=$?
(((status & 3) == 0)) || { echo "Error: abidiff could not compare" >&2; exit 1; }
if (((status & 8) != 0)) && [ "$(name "$before")" = "$(name "$after")" ]; then
    echo "Error: incompatible with $old under the same name: raise the version (docs/releasing.md) or take the change back" >&2
    exit 1
fi
echo "ABI: $([ "$status" -eq 0 ] && echo 'no difference' || echo 'the differences above; allowed')"
