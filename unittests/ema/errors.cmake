# What error clients are told besides misuse.
emissary_test(test_ema_errors
  SOURCES errors/JsonErrorTest.cpp errors/SystemErrorTest.cpp ${PROJECT_SOURCE_DIR}/unittests/json/support.cpp
  LIBS emissary::ema)
target_include_directories(test_ema_errors PRIVATE ${PROJECT_SOURCE_DIR}/ema ${CMAKE_CURRENT_SOURCE_DIR})
