emissary_test(test_reactor_loop
  SOURCES loop/ReactorTest.cpp loop/BrokenLinkTest.cpp
    ${PROJECT_SOURCE_DIR}/unittests/transport/rows.cpp ${PROJECT_SOURCE_DIR}/unittests/transport/support.cpp
  LIBS emissary::reactor)
target_include_directories(test_reactor_loop PRIVATE ${PROJECT_SOURCE_DIR}/eta)  # support.cpp: handshake messages
emissary_test(test_reactor_starved SOURCES loop/StarvedTest.cpp LIBS emissary::reactor TIMEOUT 600)
target_include_directories(test_reactor_starved PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
