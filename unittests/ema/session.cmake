emissary_test(test_ema_session
  SOURCES provider/AllocationCounter.cpp session/AllocationTest.cpp session/ItemTest.cpp session/RulesTest.cpp session/StartupTest.cpp
          session/StressTest.cpp
  LIBS emissary::ema)
target_include_directories(test_ema_session PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
# The sequences of session.md 11.
emissary_test(test_ema_sequences
  SOURCES session/SequenceTestClients.cpp session/SequenceTestItems.cpp session/SequenceTestProvider.cpp
          session/SequenceTestSession.cpp session/StandbyTest.cpp
  LIBS emissary_niacceptor emissary::ema)
target_include_directories(test_ema_sequences PRIVATE ${PROJECT_SOURCE_DIR}/ema ${CMAKE_CURRENT_SOURCE_DIR})
