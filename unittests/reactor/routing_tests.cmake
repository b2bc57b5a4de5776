emissary_test(test_reactor_routing
  SOURCES routing/CronTest.cpp routing/PreferredHostTest.cpp routing/RoutingTest.cpp
  LIBS emissary::reactor)
target_include_directories(test_reactor_routing PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/..)
