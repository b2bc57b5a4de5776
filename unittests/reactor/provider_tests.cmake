emissary_test(test_reactor_rdm SOURCES provider/DirectoryTest.cpp provider/ItemGroupsTest.cpp provider/QosTest.cpp
  LIBS emissary::reactor)
target_include_directories(test_reactor_rdm PRIVATE ${PROJECT_SOURCE_DIR}/reactor)
emissary_test(test_reactor_provider
  SOURCES provider/AnswersTest.cpp provider/FaultTest.cpp provider/GroupTest.cpp provider/GuardTest.cpp provider/OwnRequestTest.cpp
          provider/ManyClientsTest.cpp provider/SessionTest.cpp provider/SubmitTest.cpp provider/ValidationTest.cpp
  LIBS emissary::reactor)
target_include_directories(test_reactor_provider PRIVATE ${PROJECT_SOURCE_DIR}/reactor)
