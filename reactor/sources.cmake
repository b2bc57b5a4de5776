set(REACTOR_SOURCES Placeholder.cpp)
