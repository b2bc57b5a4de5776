#!/usr/bin/env bash
# subproject.sh CMAKE TREE COMPILER: a project that takes the tree by add_subdirectory is configured, compiles its own program with the
# headers that emissary::ema brings, and would build the rest: its libraries are the same sources that are built here.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$2/examples/PriceConsumer/PriceConsumer.cpp" "$work/main.cpp"
cat >"$work/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(above CXX)
set(CMAKE_CXX_STANDARD 17)
add_subdirectory($2 emissary)
add_executable(my_program main.cpp)
target_link_libraries(my_program PRIVATE emissary::ema)
EOF
for shared in OFF ON; do
    "$1" -S "$work" -B "$work/$shared" -G Ninja -DCMAKE_CXX_COMPILER="$3" -DBUILD_SHARED_LIBS=$shared >/dev/null
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
    targets=$(ninja -C "$work/$shared" -t targets all)
    ! grep -qE '(EmaCppConsPerf|test_eta_codec):' <<<"$targets" || { echo "tools and tests come with the libraries" >&2; exit 1; }
done
