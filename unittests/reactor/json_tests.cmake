emissary_test(test_reactor_json SOURCES json/JsonLinkTest.cpp ${PROJECT_SOURCE_DIR}/unittests/json/support.cpp
  LIBS emissary::reactor)
