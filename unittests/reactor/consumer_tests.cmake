emissary_test(test_reactor_consumer
  SOURCES consumer/EndingTest.cpp consumer/FailoverTest.cpp consumer/FaultTest.cpp consumer/GroupTest.cpp consumer/ItemTest.cpp consumer/LossTest.cpp consumer/ModelTest.cpp consumer/RecoveryTest.cpp consumer/RequestTest.cpp consumer/StandbyTest.cpp consumer/StartupTest.cpp consumer/StormTest.cpp consumer/ViewTest.cpp
  LIBS emissary::reactor)
