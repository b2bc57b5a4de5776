emissary_test(test_ema_session
  SOURCES provider/AllocationCounter.cpp session/AllocationTest.cpp session/ItemTest.cpp session/StartupTest.cpp
  LIBS emissary::ema)
target_include_directories(test_ema_session PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
# The sequences of session.md 11.
emissary_test(test_ema_sequences
  SOURCES session/SequenceTestItems.cpp session/SequenceTestSession.cpp
  LIBS emissary::ema)
target_include_directories(test_ema_sequences PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
