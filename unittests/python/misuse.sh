#!/usr/bin/env bash
# misuse.sh TREE: the Python package under AddressSanitizer, misused by threads while 10^6 messages are read (misuse.py). Libraries and
# extension module are compiled with it; the interpreter is the ordinary one, with the sanitizer's library loaded in front and the
# allocator of the C library, so that objects of Python are watched too. EMISSARY_PYTHON names the interpreter, EMISSARY_MESSAGES another number.
set -eu
tree=$(cd "$1" && pwd)
cd "$tree"
. dev/compiler_cache.sh
python=${EMISSARY_PYTHON:-python3}
build=$tree/build/python-asan
"$python" -m venv "$build/venv"
"$build/venv/bin/pip" --disable-pip-version-check --quiet install nanobind pytest numpy pyarrow
{ cmake -S python -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None "-DCMAKE_CXX_FLAGS=-O1 -g1 -fsanitize=address -fno-omit-frame-pointer" \
    -DCMAKE_EXE_LINKER_FLAGS=-fsanitize=address -DCMAKE_MODULE_LINKER_FLAGS=-fsanitize=address -DEMISSARY_TREE_BUILD=/nonexistent \
    "-DPython_EXECUTABLE=$build/venv/bin/python" "-Dnanobind_DIR=$("$build/venv/bin/python" -m nanobind --cmake_dir)" &&
  cmake --build "$build" --target _core &&
  rm -rf "$build/package" && cmake --install "$build" --component python --prefix "$build/package"; } > "$build/build.log" 2>&1 ||
  { tail -40 "$build/build.log" >&2; exit 1; }
cp "$tree"/python/emissary/*.py "$build/package/emissary"
readelf -d "$build"/package/emissary/_core.*.so | grep -q libasan || { echo "Error: the module is not instrumented" >&2; exit 1; }
# Leaks are not asked for: the interpreter and the extension module keep names and types for the life of the process.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:detect_stack_use_after_return=1 PYTHONMALLOC=malloc PYTHONPATH=$build/package
export EMISSARY_MESSAGES=${EMISSARY_MESSAGES:-1000000}
# The sanitizer's library looks for the real __cxa_throw when it starts, before the module has brought the C++ library.
libraries="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libstdc++.so)"
LD_PRELOAD=$libraries "$build/venv/bin/python" -m pytest -q -s -p no:cacheprovider -p no:emissary "$tree/unittests/python/misuse.py"
