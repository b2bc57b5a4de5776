# The end of a process, with programs of their own.
add_executable(encrypted_program exit/encrypted_program.cpp)
target_link_libraries(encrypted_program PRIVATE emissary::ema emissary_warnings)
set_target_properties(encrypted_program PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
emissary_test(test_ema_exit
  SOURCES exit/ExitTest.cpp ${PROJECT_SOURCE_DIR}/unittests/transport/rows.cpp
    ${PROJECT_SOURCE_DIR}/unittests/transport/support.cpp
  LIBS emissary::ema)
target_include_directories(test_ema_exit PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/eta)
target_compile_definitions(test_ema_exit PRIVATE EMISSARY_TEST_PROGRAMS="${CMAKE_BINARY_DIR}/tests")
add_dependencies(test_ema_exit encrypted_program)
