#!/usr/bin/env bash
# dev/abi_check.sh [--write]: whether programs linked against the libemissary of this minor version run with the one of this tree.
#
# etc/abi/MAJOR.MINOR.xml describes the public interface (refinitiv::ema, emissary, emissary::book, emi_*) as abidw reads it from the layers for
# customers; they are built again and compared with it. Whatever is not an addition is an error: take the change back, or raise the
# version (docs/releasing.md). As long as the version is not released, --write describes the interface anew.
#
# Inline functions are left out: a program has its own. So are members of nested classes Impl, which no header describes, and what
# nobody has to find in a dump: indentation, places, names of parameters, what each declaration repeats. The build is not optimised,
# so that the compiler's inlining decides nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "Error: $*" >&2; exit 1; }
case "${1:-}" in
  "") write=no ;;
  --write) write=yes ;;
  *) echo "Usage: dev/abi_check.sh [--write]" >&2; exit 2 ;;
esac
for tool in abidw abidiff; do
  command -v $tool >/dev/null || fail "$tool is missing: install abigail-tools (dev/install_packages.sh checks does)"
done
version=$(sed -n 's/^project(Emissary VERSION \([0-9]*\.[0-9]*\)\..*/\1/p' CMakeLists.txt)
mapfile -t layers < <(sed -n 's/^emissary_layer(\([a-z]*\) FOR_CUSTOMERS.*/\1/p' -- */CMakeLists.txt)
[ -n "$version" ] && [ ${#layers[@]} -gt 0 ] || fail "no version in CMakeLists.txt, or no layer FOR_CUSTOMERS in */CMakeLists.txt"
dump=etc/abi/$version.xml
[ $write = yes ] || [ -f "$dump" ] || fail "$dump is missing, nothing can be compared: write it with dev/abi_check.sh --write"

. dev/compiler_cache.sh
work=build/abi
build=$work/new
mkdir -p $work
{ cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-g -O0 -DNDEBUG" -DEMISSARY_PCH=ON \
    -DEMISSARY_BUILD_TESTS=OFF -DEMISSARY_BUILD_TOOLS=OFF -DCMAKE_OPTIMIZE_DEPENDENCIES=ON &&
  cmake --build $build --target "${layers[@]/#/emissary_}"; } >$work/new.log 2>&1 ||
  { tail -20 $work/new.log >&2; fail "the layers ${layers[*]} do not build"; }
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:.*=//p' $build/CMakeCache.txt)

# shared MAP FILE: the layers as a shared library that exports what MAP says. The layers below are not in it: nothing is promised of them.
shared() {
  local archives=() headers
  for headers in "${layers[@]}"; do archives+=("$build/$headers/libemissary_$headers.a"); done
  "$compiler" -shared -o "$2" -Wl,--whole-archive "${archives[@]}" -Wl,--no-whole-archive "-Wl,--version-script=$1" \
    "-Wl,-soname,libemissary.so.$version" -Wl,--unresolved-symbols=ignore-all
}
sed '/emissary::\(eta\|reactor\|rest\)::/d' cmake/emissary.map >$work/public.map
shared $work/public.map $work/public.so
{
  echo '{ global:'
  nm -D --defined-only $work/public.so | awk '$2 !~ /^[Wu]$/ && $3 !~ /4Impl[CD0-9]/ { print $3 ";" }' | LC_ALL=C sort
  echo 'local: *; };'
} >$work/promised.map
shared $work/promised.map $work/promised.so

folders=()
for layer in "${layers[@]}"; do folders+=(--headers-dir "$layer/include"); done
abidw "${folders[@]}" --drop-private-types --drop-undefined-syms --exported-interfaces-only --no-corpus-path --no-comp-dir-path \
  --no-show-locs --no-elf-needed --no-parameter-names --no-write-default-sizes --out-file $work/whole.xml $work/promised.so
sed -E "s/^ +//; s/'type-id-/'/g; s/ mangled-name='([^']*)'(.* elf-symbol-id='\1')/\2/
  /^<elf-symbol/s/ (binding='global-binding'|visibility='default-visibility')//g
  /^<(function|var|class|enum|union|typedef)-decl /s/ (visibility|binding)='[a-z]*'//g
  1a<!-- The interface of libemissary.so.$version, compiled with $("$compiler" --version | head -1); written by dev/abi_check.sh -->" \
  $work/whole.xml >$work/new.xml
if [ $write = yes ]; then
  mkdir -p etc/abi
  cp $work/new.xml "$dump"
  echo "$dump: $(wc -c <"$dump") bytes"
  exit 0
fi

told() { sed -n '2s/.*, \(compiled with .*\);.*/\1/p' "$1"; }
echo "$dump, $(told "$dump"), of commit $(git log -1 --format='%h (%s)' -- "$dump" 2>/dev/null || echo unknown)"
echo "is compared with this tree, $(told $work/new.xml)"
status=0
abidiff --no-added-syms "$dump" $work/new.xml || status=$?
(((status & 3) == 0)) || fail "abidiff could not compare"
[ "$status" -eq 0 ] || fail "the interface is not that of $dump (docs/releasing.md). Take the change back, raise the version, or," \
  "before this version is released, write the dump again: dev/abi_check.sh --write. Another compiler may be a reason too."
echo "ABI: no difference but additions"
