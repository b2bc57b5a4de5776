emissary_test(test_reactor_consumer
  SOURCES consumer/FailoverTest.cpp consumer/FaultTest.cpp consumer/GroupTest.cpp consumer/ItemTest.cpp consumer/ModelTest.cpp consumer/RecoveryTest.cpp consumer/StandbyTest.cpp consumer/StartupTest.cpp consumer/StormTest.cpp consumer/ViewTest.cpp
  LIBS emissary::reactor)
