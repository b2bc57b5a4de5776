#!/usr/bin/env bash
# outside.sh CMAKE BUILD-DIR SOURCE COMPILER FLAGS: installs the build into a folder, then configures, links and runs programs
# against it the ways README.md shows: find_package with archives and with the shared library, pkg-config with both.
set -eu
cmake=$1 build=$2 source=$3 compiler=$4 flags=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" >&2; exit 1; }

"$cmake" --install "$build" --prefix "$work/installed" >/dev/null
# Moved: nothing of it may know the folder it was installed in.
mv "$work/installed" "$work/moved"
prefix=$work/moved
lib=$(dirname "$(find "$prefix" -name libemissary_ema.a)")
# Whoever hands the package on needs its licence with it; other makers' EMA headers may stand beside ours.
for file in LICENSE NOTICE; do
    test -n "$(find "$prefix/share/doc" -name "$file" -size +0)" || fail "$file is not installed"
done
[ "$(ls "$prefix/include")" = emissary ] || fail "headers outside include/emissary: $(ls "$prefix/include")"

mkdir "$work/outside"
cp "$source" "$work/outside/main.cpp"
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
#include "Ema.h"
#include "emissary/book/Builder.h"
#include "emissary/book/Top.h"
#include "emissary/LogSink.h"
#include <memory>
struct NoLog : emissary::LogSink {
    void write(const emissary::LogRecord&) override {}
};
struct Silent : emissary::book::BookListener {
    void onBookChanged(const emissary::book::Book&, std::span<const emissary::book::Change>) override {}
};
int main() {
    Silent silent;
    emissary::book::Store store(silent);
    emissary::book::TopOfBook<5> top;
    store.add("EMI.X", emissary::book::Kind::prices).publishTo(&top);
    emissary::book::Snapshot<5> seen;
    if (!top.read(seen) || seen.state != emissary::book::State::empty) return 1;
    try {  // what the library throws is caught here by its public class
        refinitiv::ema::access::OmmConsumerConfig config;
        emissary::logTo(config, std::make_shared<NoLog>());
        refinitiv::ema::access::OmmConsumer consumer(config.consumerName("nobody"));
    } catch (const refinitiv::ema::access::OmmInvalidConfigurationException&) {
        return 0;
    }
    return 2;
}
EOF
# built KIND PROGRAM: linked as asked, and works.
built() {
    if [ "$1" = shared ]; then
        LD_LIBRARY_PATH=$lib ldd "$2" | grep -q 'libemissary\.so' || fail "$2 does not use the shared library"
        ! LD_LIBRARY_PATH=$lib ldd "$2" | grep -q 'not found' || fail "$2 lacks a library"
    else
        ! ldd "$2" | grep -q libemissary || fail "$2 uses the shared library"
    fi
    LD_LIBRARY_PATH=$lib "$2" || fail "$2 ended with $?"
}
kinds=static
[ ! -e "$lib/libemissary.so" ] || kinds="static shared"
for kind in $kinds; do
    # Boost is not there: nobody needs it for these.
    "$cmake" -S "$work/outside" -B "$work/$kind" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" \
        -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON \
        -DBUILD_SHARED_LIBS="$([ "$kind" = shared ] && echo ON || echo OFF)" >/dev/null
    "$cmake" --build "$work/$kind"
    test -x "$work/$kind/my_program"
    built "$kind" "$work/$kind/my_books"
done

export PKG_CONFIG_PATH=$lib/pkgconfig
last=${kinds##* }
# shellcheck disable=SC2046,SC2086
"$compiler" -std=c++20 $flags "$work/outside/books.cpp" -o "$work/by_pkg_config" $(pkg-config --cflags --libs emissary-book)
built "$last" "$work/by_pkg_config"
if [ "$last" = shared ]; then
    rm "$lib"/libemissary.so*  # archives alone: --static names what they need
    # shellcheck disable=SC2046,SC2086
    "$compiler" -std=c++20 $flags "$work/outside/books.cpp" -o "$work/by_pkg_config" \
        $(pkg-config --static --cflags --libs emissary-ema)
    built static "$work/by_pkg_config"
fi
