# EMISSARY_PCH=ON parses the headers that most sources of a layer include once a layer, and for the tests of a layer once: a
# cold build of everything takes a third less time. Off by default, so that an ordinary build finds a file that does not
# include what it uses, and that a header that changes costs those who include it alone.
option(EMISSARY_PCH "Precompile the headers that most sources include (runtests.sh turns it on)" OFF)

set(EMISSARY_PCH_HEADERS <algorithm> <array> <atomic> <charconv> <chrono> <cstring> <deque> <functional> <map> <memory> <mutex>
    <optional> <span> <string> <string_view> <unordered_map> <utility> <vector>)

# What more than a third of the sources of a layer include, directly or not: each of these brings many more.
set(EMISSARY_PCH_REACTOR <list> <eta/codec/Msg.h> <reactor/GrowingBuffer.h> <reactor/MetricSource.h> <reactor/Reactor.h>
    <reactor/session/session_types.h> <reactor/memory.h> <reactor/rdm/Directory.h> <reactor/rdm/Login.h>)
set(EMISSARY_PCH_HUB <bitset> <list> <random> <eta/codec/Msg.h> <reactor/MetricSource.h> <reactor/Reactor.h>
    <reactor/memory.h> <reactor/provider/ProviderRole.h> <hub/cache/ImageStore.h> <hub/config/HubSettings.h>
    <hub/core/Deliveries.h> <hub/core/ItemTable.h> <hub/core/Mounts.h> <hub/core/Service.h> <hub/core/ViewTable.h>
    <hub/flow/ItemFlow.h>)
set(EMISSARY_PCH_EMA <eta/codec/Msg.h> <eta/dictionary/Dictionary.h> <reactor/Reactor.h> <reactor/provider/ProviderRole.h>
    <Access/Include/Msg.h> <EmaRdm.h> <config/Settings.h> <errors/raise.h>)

# CMake's prologue takes all that is precompiled for headers of the system, of which the compiler says nothing.
set(CMAKE_PCH_PROLOGUE "")

# GCC 12 takes lengths of strings for negative, and strings for shorter than they are, where they come from a precompiled
# header; the ordinary build has these warnings on.
set(EMISSARY_PCH_OPTIONS)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  set(EMISSARY_PCH_OPTIONS -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The memory that a precompiled header takes would make GCC collect what it does not need any more again and again.
  list(APPEND EMISSARY_PCH_OPTIONS --param=ggc-min-expand=200 --param=ggc-min-heapsize=262144)
endif()

function(emissary_precompile target)
  if(EMISSARY_PCH)
    target_compile_options(${target} PRIVATE ${EMISSARY_PCH_OPTIONS})
    target_precompile_headers(${target} PRIVATE ${EMISSARY_PCH_HEADERS} ${ARGN})
  endif()
endfunction()
