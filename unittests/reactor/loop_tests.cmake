emissary_test(test_reactor_loop
  SOURCES loop/ReactorTest.cpp loop/BrokenLinkTest.cpp
    ${PROJECT_SOURCE_DIR}/unittests/transport/rows.cpp ${PROJECT_SOURCE_DIR}/unittests/transport/support.cpp
  LIBS emissary::reactor)
target_include_directories(test_reactor_loop PRIVATE ${PROJECT_SOURCE_DIR}/eta)  # support.cpp: handshake messages
