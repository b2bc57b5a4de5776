set(EMA_ACCESS_SOURCES access/Placeholder.cpp)
