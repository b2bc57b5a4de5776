set(EMA_ACCESS_SOURCES
  access/EmaBuffer.cpp
  access/EmaString.cpp
  access/hex.cpp
  access/raise.cpp)
