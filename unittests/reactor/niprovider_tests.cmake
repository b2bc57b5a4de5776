emissary_test(test_reactor_niprovider
  SOURCES niprovider/ConnectionTest.cpp niprovider/MulticastTest.cpp niprovider/PublishTest.cpp
  LIBS emissary_niacceptor emissary::reactor)
