# A process of its own: it looks at what the whole process has in memory.
emissary_test(test_ema_memory SOURCES memory/MemoryTest.cpp LIBS emissary::ema)
target_include_directories(test_ema_memory PRIVATE ${PROJECT_SOURCE_DIR}/ema ${CMAKE_CURRENT_SOURCE_DIR})
