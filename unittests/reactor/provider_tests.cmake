emissary_test(test_reactor_rdm SOURCES provider/DirectoryTest.cpp provider/QosTest.cpp LIBS emissary::reactor)
