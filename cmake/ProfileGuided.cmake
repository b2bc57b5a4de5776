# EMISSARY_PROFILE=count | use : code arranged by what runs have counted (GCC). Programs built with `count` leave their counts
# in the folder EMISSARY_PROFILE_DIR when they end; `use` builds by them. Both have to be built in the same folder, since the
# counts of an object are found by its path. dev/pgo.sh does it all for the performance tools and the hub.
set(EMISSARY_PROFILE "" CACHE STRING "Profile-guided optimisation: count, then use (GCC)")
set(EMISSARY_PROFILE_DIR "${CMAKE_BINARY_DIR}/counts" CACHE PATH "Where the counts of EMISSARY_PROFILE lie")
if(EMISSARY_PROFILE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    message(FATAL_ERROR "EMISSARY_PROFILE needs GCC: set CMAKE_CXX_COMPILER=g++")
  endif()
  if(EMISSARY_PROFILE STREQUAL "count")
    set(profile_flags -fprofile-generate -fprofile-update=prefer-atomic -fprofile-dir=${EMISSARY_PROFILE_DIR})
  elseif(EMISSARY_PROFILE STREQUAL "use")
    # Threads count at the same time, and no run reaches everything: counts are corrected, what has none is built as ever.
    set(profile_flags -fprofile-use=${EMISSARY_PROFILE_DIR} -fprofile-correction -fprofile-partial-training
        -Wno-missing-profile)
  else()
    message(FATAL_ERROR "EMISSARY_PROFILE is '${EMISSARY_PROFILE}': it is count or use")
  endif()
  add_compile_options(${profile_flags})
  add_link_options(${profile_flags})
  set(CMAKE_CXX_COMPILER_LAUNCHER "")  # a compiler cache's key does not know the counts
endif()
