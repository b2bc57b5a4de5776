set(REACTOR_LOOP_SOURCES
  loop/Link.cpp
  loop/Reactor.cpp
  loop/SessionLock.cpp
  loop/Worker.cpp
  loop/starved.cpp
  loop/threads.cpp)
