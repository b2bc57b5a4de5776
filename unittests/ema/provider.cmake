emissary_test(test_ema_provider
  SOURCES provider/AdminTest.cpp provider/AllocationCounter.cpp provider/LifeTest.cpp provider/LimitsTest.cpp
          provider/SessionTest.cpp
          provider/SubmitTest.cpp provider/SwitchTest.cpp
  LIBS emissary::ema)
target_include_directories(test_ema_provider PRIVATE ${PROJECT_SOURCE_DIR}/ema)
