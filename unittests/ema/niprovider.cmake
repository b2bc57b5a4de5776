emissary_test(test_ema_niprovider
  SOURCES niprovider/NiProviderTest.cpp provider/AllocationCounter.cpp
  LIBS emissary_niacceptor emissary::ema)
target_include_directories(test_ema_niprovider PRIVATE ${PROJECT_SOURCE_DIR}/ema ${CMAKE_CURRENT_SOURCE_DIR})
