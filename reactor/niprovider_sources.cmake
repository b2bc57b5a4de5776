set(REACTOR_NIPROVIDER_SOURCES
  niprovider/AcceptorRole.cpp
  niprovider/DictionaryRequests.cpp
  niprovider/NiProviderRole.cpp
  niprovider/PublishedDirectory.cpp
  niprovider/directory.cpp
  niprovider/publish.cpp)
