set(REACTOR_PROVIDER_SOURCES
  provider/ProviderRole.cpp
  provider/answers.cpp
  provider/requests.cpp
  provider/submit.cpp
  rdm/Directory.cpp
  rdm/directory_reader.cpp
  rdm/directory_writer.cpp)
