set(REACTOR_CONSUMER_SOURCES
  consumer/Watchlist.cpp
  consumer/WatchlistDelivery.cpp
  consumer/WatchlistStreams.cpp
  rdm/Login.cpp)
