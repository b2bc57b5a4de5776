set(REACTOR_ROUTING_SOURCES
  routing/MergedDirectory.cpp
  routing/Router.cpp
  routing/items.cpp
  routing/routing.cpp)
