set(EMA_SESSION_SOURCES)
list(APPEND EMA_SESSION_SOURCES  # provider
  access/IProviderImpl.cpp
  access/IProviderImplRequests.cpp
  access/OmmProvider.cpp
  access/OmmProviderClient.cpp
  access/NiProviderImpl.cpp
  access/ProviderImpl.cpp
  access/channel_check.cpp
  access/channel_information.cpp
  access/login_request.cpp
  access/provider_services.cpp)
list(APPEND EMA_SESSION_SOURCES  # consumer
  access/ConsumerImpl.cpp
  access/ConsumerSessions.cpp
  access/ConsumerStartup.cpp
  access/OmmConsumer.cpp)
