emissary_test(test_reactor_consumer
  SOURCES consumer/ItemTest.cpp consumer/RecoveryTest.cpp consumer/StartupTest.cpp
  LIBS emissary::reactor)
