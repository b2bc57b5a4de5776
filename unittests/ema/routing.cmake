# Request routing and preferred hosts (ema-config.md 8, 9).
emissary_test(test_ema_routing
  SOURCES routing/RoutingTest.cpp
  LIBS emissary::ema)
target_include_directories(test_ema_routing PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
