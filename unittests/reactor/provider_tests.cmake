emissary_test(test_reactor_rdm SOURCES provider/DirectoryTest.cpp provider/QosTest.cpp LIBS emissary::reactor)
emissary_test(test_reactor_provider
  SOURCES provider/AnswersTest.cpp provider/OwnRequestTest.cpp provider/SessionTest.cpp provider/SubmitTest.cpp provider/ValidationTest.cpp
  LIBS emissary::reactor)
