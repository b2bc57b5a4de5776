#!/usr/bin/env bash
# outside.sh CMAKE BUILD-DIR SOURCE FLAGS: installs the build into a folder, then configures and links a program against
# it with find_package(Emissary) alone.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" --install "$2" --prefix "$work/installed" >/dev/null
# Whoever hands the package on needs its licence with it.
for file in LICENSE NOTICE; do
    test -n "$(find "$work/installed/share/doc" -name "$file" -size +0)" || { echo "$file is not installed" >&2; exit 1; }
done
mkdir "$work/outside"
cp "$3" "$work/outside/main.cpp"
cat >"$work/outside/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(outside CXX)
find_package(Emissary REQUIRED)
add_executable(my_program main.cpp)
target_link_libraries(my_program PRIVATE emissary::ema)
EOF
"$1" -S "$work/outside" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/installed" -DCMAKE_CXX_FLAGS="$4" >/dev/null
"$1" --build "$work/build"
test -x "$work/build/my_program"
