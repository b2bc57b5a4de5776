emissary_test(test_reactor_loop SOURCES loop/ReactorTest.cpp LIBS emissary::reactor)
