# EMISSARY_PCH=ON parses the standard headers once a layer and once for all tests: a cold build of everything takes a third
# less time. Off by default, so that an ordinary build finds a file that does not include what it uses.
option(EMISSARY_PCH "Precompile the standard headers (runtests.sh turns it on)" OFF)

set(EMISSARY_PCH_HEADERS <algorithm> <array> <atomic> <charconv> <chrono> <cstring> <deque> <functional> <map> <memory> <mutex>
    <optional> <span> <string> <string_view> <unordered_map> <utility> <vector>)

# GCC 12 takes lengths of strings for negative, and strings for shorter than they are, where they come from a precompiled
# header; the ordinary build has these warnings on.
set(EMISSARY_PCH_OPTIONS)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  set(EMISSARY_PCH_OPTIONS -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
endif()

function(emissary_precompile target)
  if(EMISSARY_PCH)
    target_compile_options(${target} PRIVATE ${EMISSARY_PCH_OPTIONS})
    target_precompile_headers(${target} PRIVATE ${EMISSARY_PCH_HEADERS} ${ARGN})
  endif()
endfunction()
