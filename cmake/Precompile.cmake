# EMISSARY_PCH=ON parses the standard headers once a layer and once for all tests: a cold build of everything takes a third
# less time. Off by default, so that an ordinary build finds a file that does not include what it uses.
option(EMISSARY_PCH "Precompile the standard headers (runtests.sh turns it on)" OFF)

set(EMISSARY_PCH_HEADERS <algorithm> <array> <atomic> <charconv> <chrono> <cstring> <deque> <functional> <map> <memory> <mutex>
    <optional> <span> <string> <string_view> <unordered_map> <utility> <vector>)

function(emissary_precompile target)
  if(EMISSARY_PCH)
    # GCC 12 takes lengths of strings for negative where they come from a precompiled header; the ordinary build has
    # these warnings on.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-array-bounds)
    endif()
    target_precompile_headers(${target} PRIVATE ${EMISSARY_PCH_HEADERS} ${ARGN})
  endif()
endfunction()
