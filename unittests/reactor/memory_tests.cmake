emissary_test(test_reactor_memory SOURCES memory/MemoryTest.cpp LIBS emissary_niacceptor emissary::reactor)
target_include_directories(test_reactor_memory PRIVATE ${PROJECT_SOURCE_DIR}/reactor ${CMAKE_CURRENT_SOURCE_DIR}/..)
