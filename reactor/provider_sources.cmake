set(REACTOR_PROVIDER_SOURCES
  rdm/Directory.cpp
  rdm/directory_reader.cpp
  rdm/directory_writer.cpp)
