#!/usr/bin/env bash
# subproject.sh CMAKE TREE COMPILER: a project that takes the tree by add_subdirectory is configured, compiles its own program with the
# headers that emissary::ema brings, and would build the rest: its libraries are the same sources that are built here.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$2/examples/PriceConsumer/PriceConsumer.cpp" "$work/main.cpp"
cat >"$work/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.22)
project(above CXX)
set(CMAKE_CXX_STANDARD 17)
if(BUILD_SHARED_LIBS)
  include(FetchContent)
  FetchContent_Declare(emissary SOURCE_DIR $2)
  FetchContent_MakeAvailable(emissary)
else()
  add_subdirectory($2 emissary)
endif()
add_executable(my_program main.cpp)
target_link_libraries(my_program PRIVATE emissary::ema)
EOF
# What the hub, the tools and the tests alone need.
unneeded=()
for package in Microhttpd Catch2 Python3 benchmark; do unneeded+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"); done
# no_more_than_libraries BUILD-DIR
no_more_than_libraries() {
    local targets
    targets=$(ninja -C "$1" -t targets all)
    ! grep -E '(EmaCppConsPerf|emissary-hub|libemissary_(hub|config_messages)\.a|rwfcat|itemlist-generator|test_eta_codec|PriceConsumer):' <<<"$targets" ||
        { echo "$1: hub, tools, examples or tests come with the libraries" >&2; exit 1; }
    grep -q 'libemissary_ema\.a:' <<<"$targets" || { echo "$1 has no libraries" >&2; exit 1; }
}
for shared in OFF ON; do
    "$1" -S "$work" -B "$work/$shared" -G Ninja -DCMAKE_CXX_COMPILER="$3" -DBUILD_SHARED_LIBS=$shared --no-warn-unused-cli "${unneeded[@]}" >/dev/null
    ninja -C "$work/$shared" CMakeFiles/my_program.dir/main.cpp.o >/dev/null
    # The compiler's own default may be C++17; then there is no option.
    command=$(ninja -C "$work/$shared" -t commands CMakeFiles/my_program.dir/main.cpp.o | tail -1)
    case $command in
    *std=gnu++2* | *std=c++2*) echo "BUILD_SHARED_LIBS=$shared makes a program of C++17 another one: $command" >&2; exit 1 ;;
    esac
    plan=$(ninja -C "$work/$shared" -n -v my_program | tail -1)
    case $shared$plan in
    ON*libemissary.so*) ;;
    OFF*libemissary_ema.a*libemissary_reactor.a*) ;;
    *) echo "BUILD_SHARED_LIBS=$shared links [$plan]" >&2; exit 1 ;;
    esac
    no_more_than_libraries "$work/$shared"
done

# The libraries alone, by themselves: pages are refused, everything else is there.
"$1" -S "$2" -B "$work/alone" -G Ninja -DCMAKE_CXX_COMPILER="$3" -DEMISSARY_BUILD_TOOLS=OFF -DEMISSARY_BUILD_TESTS=OFF --no-warn-unused-cli "${unneeded[@]}" >/dev/null
no_more_than_libraries "$work/alone"
ninja -C "$work/alone" reactor/CMakeFiles/emissary_reactor.dir/http/NoHttpServer.cpp.o >/dev/null
# The hub's pages need it.
! "$1" -S "$2" -B "$work/tools" -G Ninja -DCMAKE_CXX_COMPILER="$3" -DEMISSARY_BUILD_TESTS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_Microhttpd=ON \
    >/dev/null 2>&1 || { echo "the hub is configured without libmicrohttpd" >&2; exit 1; }

# What a source distribution of the Python package has of the tree (PARTS of its backend) is enough for its libraries.
python3 - "$2" "$work/parts" <<'PY'
import ast, pathlib, shutil, sys
tree, target = map(pathlib.Path, sys.argv[1:])
source = ast.parse((tree / "python/backend/emissary_build.py").read_text())
parts = next(ast.literal_eval(n.value) for n in source.body if isinstance(n, ast.Assign) and n.targets[0].id == "PARTS")
for part in parts:
    (target / part).parent.mkdir(parents=True, exist_ok=True)
    (shutil.copytree if (tree / part).is_dir() else shutil.copy2)(tree / part, target / part)
PY
mkdir "$work/python"
cat >"$work/python/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.22)
project(above CXX)
add_subdirectory($work/parts emissary EXCLUDE_FROM_ALL)
EOF
"$1" -S "$work/python" -B "$work/python/build" -G Ninja -DCMAKE_CXX_COMPILER="$3" --no-warn-unused-cli "${unneeded[@]}" >/dev/null
ninja -C "$work/python/build" -n emissary_capi emissary_book >/dev/null
