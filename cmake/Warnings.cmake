# Warnings are errors where the tree is tested (runtests.sh, the preset "checked"), not where it is only built: another compiler has other
# warnings, and nobody should be kept from using it.
option(EMISSARY_WERROR "Warnings are errors" OFF)
add_library(emissary_warnings INTERFACE)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(emissary_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    $<$<BOOL:${EMISSARY_WERROR}>:-Werror>)
endif()
# GCC 12 sees overlapping copies in std::string where there are none (GCC bug 105651; fixed in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(emissary_warnings INTERFACE -Wno-restrict)
endif()
# With sanitizers GCC 12 believes that the length of an inlined std::vector growth is negative.
if(EMISSARY_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(emissary_warnings INTERFACE -Wno-stringop-overflow)
endif()
