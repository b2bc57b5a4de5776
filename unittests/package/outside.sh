#!/usr/bin/env bash
# outside.sh CMAKE BUILD-DIR SOURCE COMPILER FLAGS: installs the build into a folder, then configures, links and runs programs
# against it the ways README.md shows: find_package with archives and with the shared library, pkg-config with both. The programs
# are C++17, and nothing makes them anything newer.
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
cp "$(dirname "$source")/../PriceProvider/PriceProvider.cpp" "$work/outside/provider.cpp"
cat >"$work/outside/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.22)
project(outside CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
find_package(Emissary REQUIRED)
add_executable(my_program main.cpp)
target_link_libraries(my_program PRIVATE emissary::ema)
add_executable(my_provider provider.cpp)
target_link_libraries(my_provider PRIVATE emissary::ema)
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
    void onBookChanged(const emissary::book::Book&, emissary::book::Span<const emissary::book::Change>) override {}
};
int main() {
    Silent silent;
    emissary::book::Store store(silent);
    emissary::book::TopOfBook<5> top;
    store.add("EMI.X", emissary::book::Kind::prices).publishTo(&top);
    emissary::book::Snapshot<5> seen;
    // Handed over by a library of C++20 to whatever this program is.
    std::size_t named = 0;
    for (const emissary::book::CounterInfo& counter : emissary::book::counterTable()) named += counter.name[0] != 0;
    if (named == 0 || named != emissary::book::counterTable().size()) return 3;
    if (!(emissary::book::Real{15, 13} < emissary::book::Real{2, 14})) return 4;
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
# finds_dictionary PROGRAM: the README's provider, in a folder without dictionaries, reads the installed ones and says so.
finds_dictionary() {
    rm -rf "$work/empty" && mkdir "$work/empty"
    (cd "$work/empty" && LD_LIBRARY_PATH=$lib timeout 60 "$1" 0 1) || fail "$1 ended with $?"
    grep -q "read from '$prefix/share/emissary/RDMFieldDictionary'" "$work"/empty/* || fail "no record says which dictionary $1 read"
}
kinds=static
[ ! -e "$lib/libemissary.so" ] || kinds="static shared"
for kind in $kinds; do
    # Boost is not there: nobody needs it for these.
    "$cmake" -S "$work/outside" -B "$work/$kind" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" \
        -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON \
        -DBUILD_SHARED_LIBS="$([ "$kind" = shared ] && echo ON || echo OFF)" >/dev/null
    "$cmake" --build "$work/$kind"
    ! grep -E 'std=(c|gnu)\+\+2' "$work/$kind/compile_commands.json" || fail "the package makes programs C++20"
    test -x "$work/$kind/my_program"
    built "$kind" "$work/$kind/my_books"
    # The shared library lies in the prefix; a program with the archives in it knows the prefix when it is installed there.
    mkdir -p "$prefix/bin"
    cp "$work/$kind/my_provider" "$prefix/bin/"
    finds_dictionary "$prefix/bin/my_provider"
    [ "$kind" = static ] || finds_dictionary "$work/$kind/my_provider"
done

# Every header of the public API at once, from the one folder, by whichever compilers there are; a build of the tree compiles each
# alone.
(cd "$prefix/include/emissary" && printf '#include "%s"\n' Ema.h Access/Include/*.h Rdm/Include/*.h Domain/Login/Include/*.h \
    emissary/*.h emissary/book/*.h) >"$work/headers.cpp"
for cxx in "$compiler" g++ clang++-14 clang++-19; do
    command -v "$cxx" >/dev/null || continue
    for standard in c++17 c++20; do
        "$cxx" -std=$standard -fsyntax-only -Wall -Wextra -pedantic -Werror -I "$prefix/include/emissary" "$work/headers.cpp" ||
            fail "$cxx does not take the public headers as $standard"
    done
done
# Not promised, and kept while it costs nothing: Ema.h alone as C++14, whose compilers remark on what they know from C++17.
printf '#include "Ema.h"\n' >"$work/fourteen.cpp"
"$compiler" -std=c++14 -fsyntax-only -w -I "$prefix/include/emissary" "$work/fourteen.cpp" || fail "Ema.h is not C++14"

export PKG_CONFIG_PATH=$lib/pkgconfig
last=${kinds##* }
# shellcheck disable=SC2046,SC2086
"$compiler" -std=c++17 $flags "$work/outside/books.cpp" -o "$work/by_pkg_config" $(pkg-config --cflags --libs emissary-book)
built "$last" "$work/by_pkg_config"
if [ "$last" = shared ]; then
    rm "$lib"/libemissary.so*  # archives alone: --static names what they need
    # shellcheck disable=SC2046,SC2086
    "$compiler" -std=c++17 $flags "$work/outside/books.cpp" -o "$work/by_pkg_config" \
        $(pkg-config --static --cflags --libs emissary-ema)
    built static "$work/by_pkg_config"
fi
