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
find_package(Emissary REQUIRED COMPONENTS book)
add_executable(my_books books.cpp)
target_link_libraries(my_books PRIVATE emissary::book)
find_package(Emissary QUIET COMPONENTS no_such_part)
if(Emissary_FOUND)
  message(FATAL_ERROR "a component that does not exist was found")
endif()
EOF
cat >"$work/outside/books.cpp" <<'EOF'
#include "emissary/book/Builder.h"
#include "emissary/book/Top.h"
struct Silent : emissary::book::BookListener {
    void onBookChanged(const emissary::book::Book&, std::span<const emissary::book::Change>) override {}
};
int main() {
    Silent silent;
    emissary::book::Store store(silent);
    emissary::book::TopOfBook<5> top;
    store.add("EMI.X", emissary::book::Kind::prices).publishTo(&top);
    emissary::book::Snapshot<5> seen;
    return top.read(seen) && seen.state == emissary::book::State::empty ? 0 : 1;
}
EOF
"$1" -S "$work/outside" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/installed" -DCMAKE_CXX_FLAGS="$4" >/dev/null
"$1" --build "$work/build"
test -x "$work/build/my_program"
"$work/build/my_books"
