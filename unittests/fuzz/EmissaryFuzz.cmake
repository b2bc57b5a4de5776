# emissary_fuzz(NAME SOURCES file... [LIBS target...] [INCLUDES folder...] [VECTORS type-byte] [ARGS file...])
#
# A fuzz target is a file with LLVMFuzzerTestOneInput. Ordinarily it is linked with replay.cpp and run as a test: every
# file in unittests/fuzz/corpus/NAME (and every file or folder in ARGS) whole, cut and with bytes changed. VECTORS adds
# the golden vectors: 0 as they are, 1 with a byte before them that chooses the type. With -DEMISSARY_FUZZ=ON and clang
# the same file is built against libFuzzer, everything below it instrumented; dev/fuzz.sh does that and runs them.
set(EMISSARY_FUZZ_DIR ${CMAKE_CURRENT_LIST_DIR})

function(emissary_fuzz name)
  cmake_parse_arguments(F "" "VECTORS" "SOURCES;LIBS;INCLUDES;ARGS" ${ARGN})
  if(NOT F_LIBS)
    set(F_LIBS emissary_eta)
  endif()
  add_executable(${name} ${F_SOURCES})
  target_include_directories(${name} PRIVATE ${F_INCLUDES} ${EMISSARY_FUZZ_DIR}/..)  # support/
  target_link_libraries(${name} PRIVATE ${F_LIBS} emissary_warnings)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  set_property(GLOBAL APPEND PROPERTY EMISSARY_FUZZ_TARGETS ${name})
  if(EMISSARY_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    return()
  endif()
  target_sources(${name} PRIVATE ${EMISSARY_FUZZ_DIR}/replay.cpp)
  if(DEFINED F_VECTORS)
    target_compile_definitions(${name} PRIVATE FUZZ_TYPE_BYTE=${F_VECTORS})
    target_link_libraries(${name} PRIVATE emissary_codecmodel)
  endif()
  add_test(NAME ${name} COMMAND ${name} ${EMISSARY_FUZZ_DIR}/corpus/${name} ${F_ARGS})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
endfunction()
