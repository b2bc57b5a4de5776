# Calls from many threads at once: also to be run with -DEMISSARY_SANITIZE=thread.
emissary_test(test_ema_threads
  SOURCES threads/NiThreadsTest.cpp threads/SessionThreadsTest.cpp threads/ThrowingTest.cpp
  LIBS emissary_niacceptor emissary::ema)
target_include_directories(test_ema_threads PRIVATE ${PROJECT_SOURCE_DIR}/ema ${CMAKE_CURRENT_SOURCE_DIR})
