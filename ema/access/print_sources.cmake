set(EMA_PRINT_SOURCES
  access/print.cpp
  access/print_msg.cpp
  access/print_text.cpp)
